"""Makes the model's videos, images and audios of an entry's media objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from typing import Final

from converter.extensions.mediarss import (
    EXTRA_NAMES,
    INHERITED_NAMES,
    OBJECT_NAMES,
    Enclosure,
    EntryMedia,
    best_rendition,
    read_metadata,
)
from converter.extensions.mediarss.group import (
    MediaObject,
    RenditionElement,
    media_objects,
    normalised,
)
from converter.extensions.read_context import ReadContext
from converter.model import Audio, Image, Kind, Rendition, Video
from converter.values import media_types, urls
from converter.xml import extract
from converter.xml.extract import Children, line_of

_READ_FOR_VIDEOS: Final = INHERITED_NAMES.union(
    ["dcterms:type", "dcterms:valid", "expirationDate"],
    ["yt:duration", "yt:statistics", "yt:videoId"],
)
_READ_FOR_IMAGES: Final = EXTRA_NAMES.union(
    ["cc:license", "creativeCommons:license", "dcterms:license"],
    ["media:description", "media:license", "media:title"],
)
#: Media RSS that no field of an audio holds.
_EXTRA_OF_AUDIO: Final = INHERITED_NAMES.difference(
    ["media:title", "media:description", "media:thumbnail"]
)

#: An entry has 20,000 elements, a header 64 of a name: fewer objects never inherit too many.
_FEW_HEIRS: Final = 4

#: Only the first usable sibling image is shown.
_MOST_SIBLINGS: Final = 16

#: Python 3.11 takes as long for `Kind.VIDEO` as for a call.
_VIDEO, _AUDIO, _IMAGE, _PLAYER = Kind.VIDEO, Kind.AUDIO, Kind.IMAGE, Kind.PLAYER
#: Renditions of these kinds are files, not pages.
_FILES: Final = (_VIDEO, _AUDIO, _IMAGE)


def build(context: ReadContext, enclosures: Sequence[Enclosure]) -> EntryMedia:
    """Return the media of an entry."""
    objects = media_objects(context, enclosures)
    with_video = [each for each in objects if _is_video(each, context.children)]
    with_audio = [each for each in objects if each.of_kind(_AUDIO)]
    sources = [(object_, each) for object_ in objects for each in object_.of_kind(_IMAGE)]
    names = _names_read(bool(with_video), bool(with_audio), bool(sources))
    for object_ in objects:
        for level in object_.levels():
            if not names.issuperset(level):
                context.count_unread(level, names, ())
    outer = _limited(objects, len(objects) + len(sources), context)
    pictures = [each.rendition.url for _, each in sources]
    videos = [_video(each, outer, pictures, context, len(with_video) == 1) for each in with_video]
    audios = [_audio(each, outer, context, len(with_audio) == 1) for each in with_audio]
    images = [_image(each, object_, outer[0], context) for object_, each in sources]
    files = [each for object_ in objects for each in object_.renditions]
    file_urls = [each.normal_url for each in files if each.rendition.kind in _FILES]
    if not videos:
        thumbnails = _thumbnail_images(objects, context)
        file_urls += [normalised(image.url) for image in thumbnails]
        images += thumbnails
    unique: dict[str, Image] = {}
    for image in images:
        unique.setdefault(image.url, image)
    return EntryMedia(tuple(videos), tuple(unique.values()), tuple(audios), names, file_urls)


@cache
def _names_read(has_videos: bool, has_audios: bool, has_images: bool) -> frozenset[str]:
    """Return the names of elements that are read for media of these kinds."""
    return OBJECT_NAMES.union(
        _READ_FOR_VIDEOS if has_videos else (),
        INHERITED_NAMES if has_audios else (),
        _READ_FOR_IMAGES if has_images else (),
    )


def _is_video(object_: MediaObject, children: Children) -> bool:
    """Check for a video file or player; a group without files may name its player elsewhere."""
    kinds, group = [each.rendition.kind for each in object_.renditions], object_.group
    if kinds or group is None:
        return _VIDEO in kinds or _PLAYER in kinds
    return "media:player" in group or "media:embed" in group or "yt:videoId" in children


def _limited(objects: Sequence[MediaObject], heirs: int, context: ReadContext) -> list[Children]:
    """Limit what the objects inherit; return the levels of the entry and of the header."""
    outer = [context.children, context.feed_media]
    if heirs <= _FEW_HEIRS:
        return outer
    for object_ in objects:
        if object_.group is not None:
            object_.group = read_metadata.limit_inherited(object_.group, heirs, context)
    return [read_metadata.limit_inherited(level, heirs, context) for level in outer]


def _deepest(levels: Sequence[Children]) -> Children:
    """Return the elements of each name at the deepest level that has any."""
    elements: Children = {}
    for level in reversed(levels):
        elements.update(level)
    return elements


# -- videos ---------------------------------------------------------------------------------


def _video(
    object_: MediaObject,
    outer: list[Children],
    pictures: Sequence[str],
    context: ReadContext,
    is_only: bool,
) -> Video:
    playable = [
        each.rendition
        for each in object_.renditions
        if each.rendition.kind is _VIDEO or each.rendition.kind is _PLAYER
    ]
    renditions = tuple([rendition for rendition in playable if rendition.url])
    file = best_rendition.best(renditions)
    if file is not None:
        playable = [file, *playable]
    levels = [*object_.levels(file), *outer]
    elements = _deepest(levels)
    video = Video(file.url if file else None, renditions=renditions)
    video.line = line_of(object_.element)
    read_metadata.fill_video(video, elements, context)
    durations = (each.duration_s for each in playable if each.duration_s is not None)
    video.duration_s = next(durations, None)
    if context.is_live or (playable and playable[0].expression == "nonstop"):
        video.live = True
    if is_only:
        _add_entry_fields(video, outer[0], context)
    player = _player(video)
    video.player_url = video.player_url or player
    # without the feed's, which are those of the header
    video.ratings = read_metadata.deepest_ratings(levels[:-1], context)
    video.words = read_metadata.extra_elements(elements, context.names)
    if pictures:  # those of the same group first
        nearest = [each.rendition.url for each in object_.of_kind(_IMAGE)]
        unique = dict.fromkeys([*nearest, *pictures[:_MOST_SIBLINGS]])
        video.sibling_images = tuple(islice(unique, _MOST_SIBLINGS))
    return video


def _add_entry_fields(video: Video, children: Children, context: ReadContext) -> None:
    """Add what the entry states about its only video, and that does not."""
    if video.duration_s is None and context.entry.podcast:
        video.duration_s = context.entry.podcast.duration_s
    if video.duration_s is None and "yt:duration" in children:
        element = children["yt:duration"][0]
        seconds = extract.attributes(element).get("seconds")
        video.duration_s = context.duration(seconds, element, "yt:duration")
    video.youtube_id = extract.first_text(children, "yt:videoId")
    if video.views is None and "yt:statistics" in children:
        element = children["yt:statistics"][0]
        count = extract.attributes(element).get("viewcount")
        video.views = context.whole_number(count, element, "yt:statistics")


def _player(video: Video) -> str | None:
    """Return the player, and set YouTube's id (mapping 3.7); Flash is the last resort."""
    if video.youtube_id:
        return media_types.youtube_player(video.youtube_id)
    for rendition in video.renditions:
        if rendition.kind is _PLAYER and (id_ := media_types.youtube_id(rendition.url)):
            video.youtube_id = id_
            is_private = (urls.host_of(rendition.url) or "").endswith("youtube-nocookie.com")
            return rendition.url if is_private else media_types.youtube_player(id_)
    players = video.renditions
    if video.embed is not None:
        players = (*players, Rendition(video.embed.url, _PLAYER))
    return best_rendition.player(players, may_be_flash=video.content_url is None)


# -- audios and images ----------------------------------------------------------------------


def _audio(
    object_: MediaObject, outer: list[Children], context: ReadContext, is_only: bool
) -> Audio:
    renditions = tuple([each.rendition for each in object_.of_kind(_AUDIO)])
    chosen = next((rendition for rendition in renditions if rendition.is_default), renditions[0])
    duration_s, podcast = chosen.duration_s, context.entry.podcast
    if duration_s is None and is_only and podcast:
        duration_s = podcast.duration_s
    elements = _deepest([*object_.levels(chosen), *outer])
    return Audio(
        content_url=chosen.url,
        renditions=renditions,
        title=read_metadata.text(elements.get("media:title", ()), context),
        description=read_metadata.text(elements.get("media:description", ()), context),
        thumbnails=read_metadata.thumbnails(elements.get("media:thumbnail", ()), context),
        duration_s=duration_s,
        words=read_metadata.extra_elements(elements, context.names, _EXTRA_OF_AUDIO),
        line=line_of(object_.element),
    )


def _image(
    source: RenditionElement, object_: MediaObject, outer: Children, context: ReadContext
) -> Image:
    """Return the image of a rendition, described at the deepest level that describes it."""
    image = Image(source.rendition.url, rendition=source.rendition, line=line_of(source.element))
    elements = _deepest((source.children, object_.group or {}, outer))
    image.title = read_metadata.text(elements.get("media:title", ()), context)
    image.caption = read_metadata.text(elements.get("media:description", ()), context)
    image.license = read_metadata.license_url(elements.get("media:license", ()), context)
    image.license = image.license or _entry_license(outer, context)
    if "media:location" in elements:  # only its attribute is the name of a place
        image.geo = extract.attributes(elements["media:location"][0]).get("description")
    image.words = read_metadata.extra_elements(elements, context.names)
    return image


def _entry_license(children: Children, context: ReadContext) -> str | None:
    """Return the URL of the entry's licence; a licence that is mere text has none."""
    for name in ("creativeCommons:license", "cc:license", "dcterms:license"):
        for element in children.get(name, ()):
            resource = next((v for k, v in element.items() if k.endswith("resource")), None)
            reference = resource or extract.text_of(element)
            is_link = resource is not None or urls.is_http(reference)
            url = context.url(reference, element, name) if is_link else None
            if url and urls.is_http(url):
                return url
    return None


def _thumbnail_images(objects: Iterable[MediaObject], context: ReadContext) -> list[Image]:
    """Return the thumbnails of an entry without a video: they are images of its page.

    Thumbnails of an object that has an image are only smaller copies of it.
    """
    elements = [*context.children.get("media:thumbnail", ())]
    for object_ in objects:
        if not object_.of_kind(_IMAGE):
            for level in object_.levels():
                elements += level.get("media:thumbnail", ())
    images = []
    for element in elements:
        for thumbnail in read_metadata.thumbnails([element], context):
            rendition = Rendition(thumbnail.url, _IMAGE)
            rendition.width, rendition.height = thumbnail.width, thumbnail.height
            images.append(Image(thumbnail.url, rendition=rendition, line=line_of(element)))
    return images
