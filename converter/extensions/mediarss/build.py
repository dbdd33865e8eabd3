"""Makes the model's videos, images and audios of an entry's media objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple

from converter.extensions.mediarss import (
    EXTRA_NAMES,
    INHERITED_NAMES,
    OBJECT_NAMES,
    Enclosure,
    EntryMedia,
    best_rendition,
    metadata,
)
from converter.extensions.mediarss.group import (
    MediaObject,
    RenditionElement,
    media_objects,
    normalised,
)
from converter.extensions.read_context import ReadContext
from converter.model import Audio, Image, Kind, Podcast, Rendition, Series, Video
from converter.values import media_types, urls
from converter.xml import extract
from converter.xml.extract import Children, Element, line_of

#: Elements outside of media objects that are read for them, by the kind of the objects.
_READ_FOR_VIDEOS: Final = INHERITED_NAMES | {
    "dcterms:type",
    "dcterms:valid",
    "expirationDate",
    "yt:duration",
    "yt:statistics",
    "yt:videoId",
}
_READ_FOR_IMAGES: Final = EXTRA_NAMES | {
    "cc:license",
    "creativeCommons:license",
    "dcterms:license",
    "media:description",
    "media:license",
    "media:title",
}
#: By whether an entry has videos, audios and images.
_NAMES_READ: Final = {
    (has_videos, has_audios, has_images): OBJECT_NAMES.union(
        _READ_FOR_VIDEOS if has_videos else (),
        INHERITED_NAMES if has_audios else (),
        _READ_FOR_IMAGES if has_images else (),
    )
    for has_videos in (False, True)
    for has_audios in (False, True)
    for has_images in (False, True)
}

#: Media RSS that no field of an audio holds.
_EXTRA_OF_AUDIO: Final = INHERITED_NAMES - {
    "media:title",
    "media:description",
    "media:thumbnail",
}

#: An entry has 20,000 elements, a header 64 of a name: fewer objects never inherit too many.
_FEW_OBJECTS: Final = 4

#: Only the first usable sibling image is shown.
_MOST_SIBLINGS: Final = 16

#: `itunes:episodeType` -> the type of an episode in `video:tvshow` (mapping 3.3).
_EPISODE_KIND: Final = {"full": "full", "trailer": "preview", "bonus": "other"}

#: Python 3.11 calls a function for each `Kind.VIDEO`.
_VIDEO, _AUDIO, _IMAGE, _PLAYER = Kind.VIDEO, Kind.AUDIO, Kind.IMAGE, Kind.PLAYER
#: Renditions of these kinds are files, not pages.
_FILES: Final = (_VIDEO, _AUDIO, _IMAGE)


class _ByKind(NamedTuple):
    """An entry's media objects by the kinds of their renditions."""

    videos: list[MediaObject]
    audios: list[MediaObject]
    images: list[tuple[MediaObject, RenditionElement]]
    without_image: list[MediaObject]
    file_urls: list[str]


def build(context: ReadContext, enclosures: Sequence[Enclosure]) -> EntryMedia:
    """Return the media of an entry."""
    objects = media_objects(context, enclosures)
    by_kind = _by_kind(objects, context.children)
    names = _NAMES_READ[bool(by_kind.videos), bool(by_kind.audios), bool(by_kind.images)]
    for object_ in objects:
        for level in object_.levels():
            if not names.issuperset(level):
                context.count_unread(level, names, ())
    outer = _limited(objects, len(objects) + len(by_kind.images), context)
    pictures = [each for _, each in by_kind.images]
    is_only = len(by_kind.videos) == 1
    videos = [_video(each, outer, pictures, context, is_only) for each in by_kind.videos]
    is_only = len(by_kind.audios) == 1
    audios = [_audio(each, outer, context, is_only) for each in by_kind.audios]
    images = [_image(each, object_, outer[0], context) for object_, each in by_kind.images]
    file_urls = by_kind.file_urls
    if not videos:
        thumbnails = _thumbnail_images(by_kind.without_image, context)
        file_urls += [normalised(image.url) for image in thumbnails]
        images += thumbnails
    if len(images) > 1:  # the first of each URL
        images = [*{image.url: image for image in reversed(images)}.values()][::-1]
    return EntryMedia(tuple(videos), tuple(images), tuple(audios), names, file_urls)


def _by_kind(objects: Iterable[MediaObject], children: Children) -> _ByKind:
    videos, audios, images, without_image, file_urls = by_kind = _ByKind([], [], [], [], [])
    for object_ in objects:
        kinds = [each.rendition.kind for each in object_.renditions]
        if _is_video(kinds, object_.group, children):
            videos.append(object_)
        if _AUDIO in kinds:
            audios.append(object_)
        if _IMAGE not in kinds:
            without_image.append(object_)
        for kind, each in zip(kinds, object_.renditions, strict=True):
            if kind is _IMAGE:
                images.append((object_, each))
            if kind in _FILES:
                file_urls.append(each.normal_url)
    return by_kind


def _is_video(kinds: Sequence[Kind | None], group: Children | None, children: Children) -> bool:
    """Check for a video file or player; a group without files may name its player elsewhere."""
    if kinds or group is None:
        return _VIDEO in kinds or _PLAYER in kinds
    return "media:player" in group or "media:embed" in group or "yt:videoId" in children


def _limited(objects: Sequence[MediaObject], count: int, context: ReadContext) -> list[Children]:
    """Limit what the objects inherit; return the levels of the entry and of the header."""
    outer = [context.children, context.feed_media]
    if count <= _FEW_OBJECTS:
        return outer
    inherited = sum(len(elements) for level in outer for elements in level.values())
    inherited += sum(len(object_.element) for object_ in objects)
    if count * inherited <= metadata.MOST_INHERITED:
        return outer
    for object_ in objects:
        if object_.group is not None:
            heirs = 1 + len(object_.of_kind(_IMAGE))
            object_.group = metadata.limit_inherited(object_.group, heirs, context)
    channel = metadata.limit_inherited(context.feed_media, count, context)
    return [metadata.limit_inherited(context.children, count, context), channel]


def _levels(
    object_: MediaObject, chosen: Rendition | None, outer: Iterable[Children]
) -> list[Children]:
    """Return the levels of an object, deepest first: the chosen rendition, the others, outward."""
    described = [each for each in object_.renditions if each.children]
    described.sort(key=lambda each: each.rendition is not chosen)
    levels = [each.children for each in described]
    if object_.group is not None:
        levels.append(object_.group)
    levels += outer
    return levels


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
    pictures: Sequence[RenditionElement],
    context: ReadContext,
    is_only: bool,
) -> Video:
    playable = [
        each.rendition
        for each in object_.renditions
        if each.rendition.kind is _VIDEO or each.rendition.kind is _PLAYER
    ]
    renditions = tuple([rendition for rendition in playable if rendition.url])
    file, player, flash = best_rendition.choose(renditions)
    if file is not None:
        playable = [file, *playable]
    levels = _levels(object_, file, outer)
    elements = _deepest(levels)
    video = Video(file.url if file else None, renditions=renditions)
    video.line = line_of(object_.element)
    metadata.fill_video(video, elements, context)
    for rendition in playable:
        if rendition.duration_s is not None:
            video.duration_s = rendition.duration_s
            break
    if context.is_live or (playable and playable[0].expression == "nonstop"):
        video.live = True
    _add_entry_fields(video, outer[0], context, is_only)
    _add_players(video, player, flash)
    if "media:rating" in elements or "media:adult" in elements:
        video.ratings = metadata.deepest_ratings(levels[:-1], context.names)  # without the feed's
    video.words = metadata.extra_elements(elements, context.names)
    if pictures:
        video.sibling_images = _siblings(object_, pictures)
    return video


def _add_entry_fields(
    video: Video, children: Children, context: ReadContext, is_only: bool
) -> None:
    """Add what the entry states about its videos, or about its only one, and they do not."""
    podcast = context.entry.podcast
    if "expirationDate" in children:
        expires = context.first_date(children, ("expirationDate",))
        video.expires = video.expires or expires
    if podcast:
        video.series = _series(podcast)
    if not is_only:
        return
    if video.duration_s is None and podcast:
        video.duration_s = podcast.duration_s
    if video.duration_s is None and "yt:duration" in children:
        video.duration_s = _youtube_duration(children["yt:duration"], context)
    if "yt:videoId" in children:
        video.youtube_id = extract.first_text(children, "yt:videoId")
    if "yt:statistics" in children and video.views is None:
        element = children["yt:statistics"][0]
        count = extract.attributes(element).get("viewcount")
        video.views = context.whole_number(count, element, "yt:statistics")


def _youtube_duration(elements: Iterable[Element], context: ReadContext) -> float | None:
    for element in elements:
        if seconds := extract.attributes(element).get("seconds"):
            return context.duration(seconds, element, "yt:duration")
    return None


def _add_players(video: Video, player: str | None, flash: str | None) -> None:
    """Set the player URL and, as the last resort, the Flash URL (mapping 3.7)."""
    if video.embed is not None:
        if media_types.is_flash(video.embed.url, None):
            flash = flash or video.embed.url
        else:
            player = player or video.embed.url
    youtube_player = _youtube_player(video)
    video.player_url = video.player_url or youtube_player or player
    video.flash_url = flash


def _youtube_player(video: Video) -> str | None:
    """Return YouTube's player and set its id; a privacy-enhanced player keeps its URL."""
    if video.youtube_id:
        return media_types.youtube_player(video.youtube_id)
    for rendition in video.renditions:
        if rendition.kind is _PLAYER and (id_ := media_types.youtube_id(rendition.url)):
            video.youtube_id = id_
            is_private = (urls.host_of(rendition.url) or "").endswith("youtube-nocookie.com")
            return rendition.url if is_private else media_types.youtube_player(id_)
    return None


def _siblings(object_: MediaObject, pictures: Iterable[RenditionElement]) -> tuple[str, ...]:
    """Return the images of the same entry, those of the video's own group first."""
    images = chain(object_.of_kind(_IMAGE), islice(pictures, _MOST_SIBLINGS))
    unique = dict.fromkeys(each.rendition.url for each in images)
    return tuple(islice(unique, _MOST_SIBLINGS))


def _series(podcast: Podcast) -> Series | None:
    """Return the series of an episode; a writer adds the feed's title as its show."""
    if podcast.season is None and podcast.episode is None:
        return None
    kind = _EPISODE_KIND.get(podcast.episode_type or "", "full")
    return Series(season=podcast.season, episode=podcast.episode, kind=kind)


# -- audios and images ----------------------------------------------------------------------


def _audio(
    object_: MediaObject, outer: list[Children], context: ReadContext, is_only: bool
) -> Audio:
    renditions = tuple([each.rendition for each in object_.of_kind(_AUDIO)])
    chosen = next((rendition for rendition in renditions if rendition.is_default), renditions[0])
    duration_s, podcast = chosen.duration_s, context.entry.podcast
    if duration_s is None and is_only and podcast:
        duration_s = podcast.duration_s
    elements = _deepest(_levels(object_, chosen, outer))
    return Audio(
        content_url=chosen.url,
        renditions=renditions,
        title=metadata.text(elements.get("media:title", ())),
        description=metadata.text(elements.get("media:description", ())),
        thumbnails=metadata.thumbnails(elements.get("media:thumbnail", ()), context),
        duration_s=duration_s,
        words=metadata.extra_elements(elements, context.names, _EXTRA_OF_AUDIO),
        line=line_of(object_.element),
    )


def _image(
    source: RenditionElement, object_: MediaObject, outer: Children, context: ReadContext
) -> Image:
    """Return the image of a rendition, described at the deepest level that describes it."""
    image = Image(source.rendition.url, rendition=source.rendition, line=line_of(source.element))
    elements = outer
    if object_.group or source.children:
        elements = {**outer, **(object_.group or {}), **source.children}
    if _READ_FOR_IMAGES.isdisjoint(elements):
        return image
    image.title = metadata.text(elements.get("media:title", ()))
    image.caption = metadata.text(elements.get("media:description", ()))
    image.license = metadata.license_url(elements.get("media:license", ()), context)
    image.license = image.license or _entry_license(outer, context)
    if "media:location" in elements:  # only its attribute is the name of a place
        image.geo = extract.attributes(elements["media:location"][0]).get("description")
    image.words = metadata.extra_elements(elements, context.names)
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

    Args:
        objects: media objects without an image, whose thumbnails would be smaller copies of it.
        context: the entry.
    """
    levels = chain([context.children], *[object_.levels() for object_ in objects])
    images = []
    for element in chain.from_iterable([each.get("media:thumbnail", ()) for each in levels]):
        for thumbnail in metadata.thumbnails([element], context):
            rendition = Rendition(thumbnail.url, Kind.IMAGE)
            rendition.width, rendition.height = thumbnail.width, thumbnail.height
            images.append(Image(thumbnail.url, rendition=rendition, line=line_of(element)))
    return images
