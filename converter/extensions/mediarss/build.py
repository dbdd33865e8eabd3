"""Making the model's videos, images and audios of an entry's media objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Final

from converter.extensions.mediarss import (
    INHERITED,
    KEPT,
    OBJECTS,
    Enclosure,
    Media,
    best_rendition,
    metadata,
)
from converter.extensions.mediarss.group import (
    MediaObject,
    RenditionElement,
    media_objects,
    spelling,
)
from converter.extensions.read_context import ReadContext
from converter.model import Audio, Image, Kind, Podcast, Rendition, Series, Video
from converter.values import media_types, urls
from converter.xml import extract
from converter.xml.extract import Children, Element, line_of

#: Elements around media objects that are read, by the kind of the objects; for audios INHERITED.
_READ_FOR_VIDEOS: Final = INHERITED | {
    "dcterms:type",
    "dcterms:valid",
    "expirationDate",
    "yt:duration",
    "yt:statistics",
    "yt:videoId",
}
_READ_FOR_IMAGES: Final = KEPT | {
    "cc:license",
    "creativeCommons:license",
    "dcterms:license",
    "media:description",
    "media:license",
    "media:title",
}
#: By whether an entry has videos, audios and images.
_NAMES_READ: Final = {
    (has_videos, has_audios, has_images): OBJECTS.union(
        _READ_FOR_VIDEOS if has_videos else (),
        INHERITED if has_audios else (),
        _READ_FOR_IMAGES if has_images else (),
    )
    for has_videos in (False, True)
    for has_audios in (False, True)
    for has_images in (False, True)
}

#: Media RSS that no field of an audio holds.
_WORDS_OF_AUDIO: Final = INHERITED - {"media:title", "media:description", "media:thumbnail"}

#: An entry has 20,000 elements, a header 64 of a name: fewer objects never inherit too many.
_FEW_OBJECTS: Final = 4

#: The first that can be used is shown.
_MOST_SIBLINGS: Final = 16

#: `itunes:episodeType` in the words of `video:tvshow` (mapping 3.3).
_EPISODE_KIND: Final = {"full": "full", "trailer": "preview", "bonus": "other"}

#: Renditions of these kinds are no pages.
_FILES: Final = (Kind.VIDEO, Kind.AUDIO, Kind.IMAGE)
_PLAYABLE: Final = (Kind.VIDEO, Kind.PLAYER)


def build(context: ReadContext, enclosures: Sequence[Enclosure]) -> Media:
    """Return the media of an entry."""
    objects = media_objects(context, enclosures)
    with_video, with_audio, without_picture, pictures, files = [], [], [], [], []
    for object_ in objects:
        kinds = [member.rendition.kind for member in object_.members]
        if _is_video(kinds, object_.group, context.found):
            with_video.append(object_)
        if Kind.AUDIO in kinds:
            with_audio.append(object_)
        if Kind.IMAGE in kinds:
            pictures += object_.of_kind(Kind.IMAGE)
        else:
            without_picture.append(object_)
        files += [m.url for m in object_.members if m.rendition.kind in _FILES]
    names = _NAMES_READ[bool(with_video), bool(with_audio), bool(pictures)]
    for object_ in objects:
        _count_unread(object_, names, context)
    outer = _limited(objects, len(objects) + len(pictures), context)
    videos = [_video(each, outer, pictures, context, len(with_video) == 1) for each in with_video]
    audios = [_audio(each, outer, context, len(with_audio) == 1) for each in with_audio]
    images = _images(objects, outer[0], context) if pictures else []
    if not videos:
        thumbnails = _thumbnail_images(without_picture, context)
        files += [spelling(image.url) for image in thumbnails]
        images += thumbnails
    unique = {image.url: image for image in reversed(images)}  # the first of each URL
    return Media(tuple(videos), tuple(reversed(unique.values())), tuple(audios), names, files)


def _is_video(kinds: Sequence[Kind | None], group: Children | None, found: Children) -> bool:
    """Is an object of these kinds a video? A group without any file is one if it can be played."""
    if kinds or group is None:
        return Kind.VIDEO in kinds or Kind.PLAYER in kinds
    return "media:player" in group or "media:embed" in group or "yt:videoId" in found


def _count_unread(object_: MediaObject, names: frozenset[str], context: ReadContext) -> None:
    """Count the elements inside a media object that nothing reads."""
    for children in (object_.group, *[member.children for member in object_.members]):
        if children and not names.issuperset(children):
            context.count_unread(children, names, ())


def _limited(objects: Sequence[MediaObject], count: int, context: ReadContext) -> list[Children]:
    """Limit what the objects inherit; return that of the entry and that of the header."""
    outer = [context.found, context.channel]
    if count <= _FEW_OBJECTS:
        return outer
    inherited = sum(len(elements) for level in outer for elements in level.values())
    inherited += sum(len(object_.element) for object_ in objects)
    if count * inherited <= metadata.MOST_INHERITED:
        return outer
    for object_ in objects:
        if object_.group is not None:
            own = 1 + len(object_.of_kind(Kind.IMAGE))
            object_.group = metadata.limited(object_.group, own, context)
    channel = metadata.limited(context.channel, count, context)
    return [metadata.limited(context.found, count, context), channel]


def _levels(
    object_: MediaObject, chosen: Rendition | None, outer: Iterable[Children]
) -> list[Children]:
    """Return the levels of an object, deepest first: the chosen rendition, the others, outward."""
    levels: list[Children] = []
    for member in object_.members:
        if member.children:
            levels.insert(0 if member.rendition is chosen else len(levels), member.children)
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
    offered = [m.rendition for m in object_.members if m.rendition.kind in _PLAYABLE]
    renditions = tuple([rendition for rendition in offered if rendition.url])
    file, player, flash = best_rendition.choose(renditions)
    if file is not None:
        offered = [file, *offered]
    levels = _levels(object_, file, outer)
    elements = _deepest(levels)
    video = Video(file.url if file else None, renditions=renditions)
    video.line = line_of(object_.element)
    metadata.describe(video, elements, context)
    for rendition in offered:
        if rendition.duration_s is not None:
            video.duration_s = rendition.duration_s
            break
    if context.is_live or (offered and offered[0].expression == "nonstop"):
        video.live = True
    _add_entry_fields(video, outer[0], context, is_only)
    _add_players(video, player, flash)
    if "media:rating" in elements or "media:adult" in elements:
        video.ratings = metadata.ratings_of(levels[:-1], context.names)  # a header's are the feed's
    video.words = metadata.words(elements, context.names)
    if pictures:
        video.sibling_images = _siblings(object_, pictures)
    return video


def _add_entry_fields(video: Video, found: Children, context: ReadContext, is_only: bool) -> None:
    """Add what the entry states of its videos, or of its only one, where their elements do not."""
    podcast = context.entry.podcast
    if "expirationDate" in found:
        expires = context.moment(found, ("expirationDate",))
        video.expires = video.expires or expires
    if podcast:
        video.series = _series(podcast)
    if not is_only:
        return
    if video.duration_s is None and podcast:
        video.duration_s = podcast.duration_s
    if video.duration_s is None and "yt:duration" in found:
        video.duration_s = _youtube_duration(found["yt:duration"], context)
    if "yt:videoId" in found:
        ids = filter(None, map(extract.text_of, found["yt:videoId"]))
        video.youtube_id = next(ids, None)
    if "yt:statistics" in found and video.views is None:
        element = found["yt:statistics"][0]
        count = extract.attributes(element).get("viewcount")
        video.views = context.whole(count, element, "yt:statistics")


def _youtube_duration(elements: Iterable[Element], context: ReadContext) -> float | None:
    for element in elements:
        if seconds := extract.attributes(element).get("seconds"):
            return context.clock(seconds, element, "yt:duration")
    return None


def _add_players(video: Video, player: str | None, flash: str | None) -> None:
    """Add the player, and the Flash that is one for want of a better (mapping 3.7)."""
    if video.embed is not None:
        if media_types.is_flash(video.embed.url, None):
            flash = flash or video.embed.url
        else:
            player = player or video.embed.url
    youtube_player = _youtube_player(video)
    video.player_url = video.player_url or youtube_player or player
    video.flash_url = flash


def _youtube_player(video: Video) -> str | None:
    """Return YouTube's player, and add its id; a privacy-enhanced player is kept as given."""
    if video.youtube_id:
        return media_types.youtube_player(video.youtube_id)
    for rendition in video.renditions:
        if rendition.kind is Kind.PLAYER and (id_ := media_types.youtube_id(rendition.url)):
            video.youtube_id = id_
            is_private = (urls.host_of(rendition.url) or "").endswith("youtube-nocookie.com")
            return rendition.url if is_private else media_types.youtube_player(id_)
    return None


def _siblings(object_: MediaObject, pictures: Iterable[RenditionElement]) -> tuple[str, ...]:
    """Return the pictures beside a video, those of its own group first."""
    images = chain(object_.of_kind(Kind.IMAGE), islice(pictures, _MOST_SIBLINGS))
    found = dict.fromkeys(member.rendition.url for member in images)
    return tuple(islice(found, _MOST_SIBLINGS))


def _series(podcast: Podcast) -> Series | None:
    """Make the series of an episode; its show is the feed's title, which a target adds."""
    if podcast.season is None and podcast.episode is None:
        return None
    kind = _EPISODE_KIND.get(podcast.episode_type or "", "full")
    return Series(season=podcast.season, episode=podcast.episode, kind=kind)


# -- audios and images ----------------------------------------------------------------------


def _audio(
    object_: MediaObject, outer: list[Children], context: ReadContext, is_only: bool
) -> Audio:
    renditions = tuple([member.rendition for member in object_.of_kind(Kind.AUDIO)])
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
        words=metadata.words(elements, context.names, _WORDS_OF_AUDIO),
        line=line_of(object_.element),
    )


def _images(objects: Iterable[MediaObject], found: Children, context: ReadContext) -> list[Image]:
    """Make an image of each picture among the renditions."""
    images = []
    for object_ in objects:
        around = {**found, **object_.group} if object_.group else found
        for member in object_.of_kind(Kind.IMAGE):
            rendition = member.rendition
            elements = {**around, **member.children} if member.children else around
            image = Image(url=rendition.url, rendition=rendition, line=line_of(member.element))
            if not _READ_FOR_IMAGES.isdisjoint(elements):
                _describe_image(image, elements, found, context)
            images.append(image)
    return images


def _describe_image(
    image: Image, elements: Children, found: Children, context: ReadContext
) -> None:
    """Set what a sitemap can state of a picture, and keep what else is said of it."""
    image.title = metadata.text(elements.get("media:title", ()))
    image.caption = metadata.text(elements.get("media:description", ()))
    image.license = metadata.license_of(elements.get("media:license", ()), context)
    image.license = image.license or _license(found, context)
    if "media:location" in elements:  # only its attribute is a place's name
        image.geo = extract.attributes(elements["media:location"][0]).get("description")
    image.words = metadata.words(elements, context.names)


def _license(found: Children, context: ReadContext) -> str | None:
    """Return the link of a licence; a licence's mere text is none."""
    for name in ("creativeCommons:license", "cc:license", "dcterms:license"):
        for element in found.get(name, ()):
            resource = next((v for k, v in element.items() if k.endswith("resource")), None)
            reference = resource or extract.text_of(element)
            is_link = resource is not None or urls.is_http(reference)
            url = context.url(reference, element, name) if is_link else None
            if url and urls.is_http(url):
                return url
    return None


def _thumbnail_images(objects: Iterable[MediaObject], context: ReadContext) -> list[Image]:
    """Make images of the thumbnails of an entry without a video: they are pictures of its page.

    `objects` are those that have no picture: thumbnails of others are only smaller copies of it.
    """
    elements: list[Element] = list(context.found.get("media:thumbnail", ()))
    for object_ in objects:
        for level in (object_.group or {}, *[member.children for member in object_.members]):
            elements += level.get("media:thumbnail", ())
    images = []
    for element in elements:
        for given in metadata.thumbnails([element], context):
            rendition = Rendition(given.url, Kind.IMAGE)
            rendition.width, rendition.height = given.width, given.height
            images.append(Image(given.url, rendition=rendition, line=line_of(element)))
    return images
