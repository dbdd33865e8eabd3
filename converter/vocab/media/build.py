"""Making the model's videos, images and audios of an entry's media objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice, product
from typing import Final

from converter.model import Audio, Image, Kind, Podcast, Rendition, Series, Video
from converter.values import mediatypes, urls
from converter.vocab.context import Context
from converter.vocab.media import best_rendition, metadata
from converter.vocab.media.group import media_objects
from converter.vocab.media.metadata import Fields
from converter.vocab.media.names import (
    INHERITED,
    OBJECTS,
    READ_FOR_AUDIOS,
    READ_FOR_IMAGES,
    READ_FOR_VIDEOS,
)
from converter.vocab.media.objects import (
    Enclosure,
    Media,
    MediaObject,
    MediaScope,
    RenditionElement,
)
from converter.xml import take
from converter.xml.stream import line_of
from converter.xml.take import Children, Element

__all__ = ["build"]

#: The first that can be used is shown.
_MOST_SIBLINGS: Final = 16

#: `itunes:episodeType` in the words of `video:tvshow` (mapping 3.3).
_EPISODE_KIND: Final = {"full": "full", "trailer": "preview", "bonus": "other"}


#: What is read of the elements around media objects, by whether an entry has videos, audios and
#: images.
_NAMES_READ: Final = {
    kinds: OBJECTS.union(*compress((READ_FOR_VIDEOS, READ_FOR_AUDIOS, READ_FOR_IMAGES), kinds))
    for kinds in product((False, True), repeat=3)
}


def build(
    found: Children,
    enclosures: Sequence[Enclosure],
    context: Context,
    scope: MediaScope,
) -> Media:
    """Return the media of an entry with these children."""
    objects = media_objects(found, enclosures, context, scope)
    with_video, with_audio, without_picture, pictures = [], [], [], []
    for object_ in objects:
        kinds = [member.rendition.kind for member in object_.members]
        if _is_video(kinds, object_.group, found):
            with_video.append(object_)
        if Kind.AUDIO in kinds:
            with_audio.append(object_)
        if Kind.IMAGE in kinds:
            pictures += object_.of_kind(Kind.IMAGE)
        else:
            without_picture.append(object_)
    names = _NAMES_READ[bool(with_video), bool(with_audio), bool(pictures)]
    _count_unread(objects, names, context)
    inherited, scope = _limited(found, objects, len(objects) + len(pictures), context, scope)
    is_only = len(with_video) == 1
    videos = [
        _video(object_, inherited, pictures, context, scope, is_only=is_only)
        for object_ in with_video
    ]
    is_only = len(with_audio) == 1
    audios = [_audio(object_, inherited, context, scope, is_only=is_only) for object_ in with_audio]
    images = _images(objects, inherited, context, scope) if pictures else []
    if not videos:
        images += _thumbnail_images(found, without_picture, context)
    return Media(tuple(videos), _unique(images), tuple(audios), names)


def _is_video(kinds: Sequence[Kind | None], group: Children | None, found: Children) -> bool:
    """Is an object of these kinds a video? A group without any file is one if it can be played."""
    if kinds or group is None:
        return Kind.VIDEO in kinds or Kind.PLAYER in kinds
    return "media:player" in group or "media:embed" in group or "yt:videoId" in found


def _count_unread(objects: Iterable[MediaObject], names: frozenset[str], context: Context) -> None:
    """Count the elements inside the media objects that nothing reads."""
    for object_ in objects:
        if object_.group and not object_.group.keys() <= names:
            context.count_unread(object_.group, names, ())
        for member in object_.members:
            if member.children and not member.children.keys() <= names:
                context.count_unread(member.children, names, ())


def _limited(
    found: Children,
    objects: Iterable[MediaObject],
    count: int,
    context: Context,
    scope: MediaScope,
) -> tuple[Children, MediaScope]:
    """Limit what the objects inherit from their groups, the header and the entry."""
    for object_ in objects:
        if object_.group is not None:
            own = 1 + len(object_.of_kind(Kind.IMAGE))
            object_.group = metadata.limited(object_.group, own, context)
    channel = metadata.limited(scope.channel, count, context)
    if channel is not scope.channel:
        scope = scope._replace(channel=channel)
    return metadata.limited(found, count, context), scope


def _levels(object_: MediaObject, chosen: Rendition | None, found: Children) -> list[Children]:
    """Return the levels of an object, deepest first: the chosen rendition, the others, outward."""
    levels: list[Children] = []
    siblings: list[Children] = []
    for member in object_.members:
        if member.children:
            (levels if member.rendition is chosen else siblings).append(member.children)
    levels += siblings
    if object_.group is not None:
        levels.append(object_.group)
    levels.append(found)
    return levels


def _deepest(levels: Sequence[Children], channel: Children) -> Children:
    """Return the elements of each name at the deepest level that has any."""
    elements = dict(channel)
    for level in reversed(levels):
        elements.update(level)
    return elements


# -- videos ---------------------------------------------------------------------------------


def _video(
    object_: MediaObject,
    found: Children,
    pictures: Sequence[RenditionElement],
    context: Context,
    scope: MediaScope,
    *,
    is_only: bool,
) -> Video:
    offered = [member.rendition for member in object_.playable]
    renditions = tuple([rendition for rendition in offered if rendition.url])
    chosen = best_rendition.best(renditions)
    if chosen is not None:
        offered = [chosen, *offered]
    levels = _levels(object_, chosen, found)
    elements = _deepest(levels, scope.channel)
    fields = metadata.describe(elements, context, scope.names)
    fields["duration_s"] = _first_duration(offered)
    if scope.live or (offered and offered[0].expression == "nonstop"):
        fields["live"] = True
    if "expirationDate" in found:
        fields.setdefault("expires", context.moment(found, ("expirationDate",)))
    if is_only:
        _add_entry_fields(fields, found, context, scope)
    _add_players(fields, renditions)
    return Video(
        content_url=chosen.url if chosen else None,
        renditions=renditions,
        ratings=metadata.ratings_of(levels, scope.names),
        words=metadata.words(elements, scope.names),
        sibling_images=_siblings(object_, pictures) if pictures else (),
        series=_series(scope.podcast) if scope.podcast else None,
        line=line_of(object_.element),
        **fields,
    )


def _first_duration(renditions: Iterable[Rendition]) -> float | None:
    for rendition in renditions:
        if rendition.duration_s is not None:
            return rendition.duration_s
    return None


def _add_entry_fields(fields: Fields, found: Children, context: Context, scope: MediaScope) -> None:
    """Add what the entry states of its only video, where the video's elements do not."""
    if fields["duration_s"] is None and scope.podcast:
        fields["duration_s"] = scope.podcast.duration_s
    if fields["duration_s"] is None and "yt:duration" in found:
        fields["duration_s"] = _youtube_duration(found["yt:duration"], context)
    if "yt:videoId" in found:
        ids = filter(None, map(take.text_of, found["yt:videoId"]))
        fields["youtube_id"] = next(ids, None)
    if "yt:statistics" in found and fields.get("views") is None:
        element = found["yt:statistics"][0]
        count = take.attributes(element).get("viewcount")
        fields["views"] = context.whole(count, element, "yt:statistics")


def _youtube_duration(elements: Iterable[Element], context: Context) -> float | None:
    for element in elements:
        if seconds := take.attributes(element).get("seconds"):
            return context.clock(seconds, element, "yt:duration")
    return None


def _add_players(fields: Fields, renditions: Sequence[Rendition]) -> None:
    """Add the player, and the Flash that is one for want of a better (mapping 3.7)."""
    player, flash = best_rendition.players(renditions)
    if "embed" in fields:
        embedded = fields["embed"].url
        if mediatypes.is_flash(embedded, None):
            flash = flash or embedded
        else:
            player = player or embedded
    youtube_player = _youtube_player(fields, renditions)
    fields["player_url"] = fields.get("player_url") or youtube_player or player
    fields["flash_url"] = flash


def _youtube_player(fields: Fields, renditions: Iterable[Rendition]) -> str | None:
    """Return YouTube's player, and add its id; a privacy-enhanced player is kept as given."""
    if id_ := fields.get("youtube_id"):
        return mediatypes.youtube_player(id_)
    for rendition in renditions:
        if rendition.kind is Kind.PLAYER and (id_ := mediatypes.youtube_id(rendition.url)):
            fields["youtube_id"] = id_
            is_private = (urls.host_of(rendition.url) or "").endswith("youtube-nocookie.com")
            return rendition.url if is_private else mediatypes.youtube_player(id_)
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


# -- audios ---------------------------------------------------------------------------------


def _audio(
    object_: MediaObject,
    found: Children,
    context: Context,
    scope: MediaScope,
    *,
    is_only: bool,
) -> Audio:
    renditions = tuple([member.rendition for member in object_.of_kind(Kind.AUDIO)])
    chosen = next((rendition for rendition in renditions if rendition.is_default), renditions[0])
    duration_s = chosen.duration_s
    if duration_s is None and is_only and scope.podcast:
        duration_s = scope.podcast.duration_s
    elements = _deepest(_levels(object_, chosen, found), scope.channel)
    return Audio(
        content_url=chosen.url,
        renditions=renditions,
        title=metadata.text(elements.get("media:title", ())),
        description=metadata.text(elements.get("media:description", ())),
        thumbnails=metadata.thumbnails(elements.get("media:thumbnail", ()), context),
        duration_s=duration_s,
        words=metadata.words(elements, scope.names, of=_WORDS_OF_AUDIO),
        line=line_of(object_.element),
    )


#: Media RSS that no field of an audio holds.
_WORDS_OF_AUDIO: Final = sorted(INHERITED - {"media:title", "media:description", "media:thumbnail"})


# -- images ---------------------------------------------------------------------------------


def _images(
    objects: Iterable[MediaObject], found: Children, context: Context, scope: MediaScope
) -> list[Image]:
    """Make an image of each picture among the renditions."""
    images = []
    for object_ in objects:
        pictures = object_.of_kind(Kind.IMAGE)
        around = {**found, **object_.group} if object_.group else found
        for member in pictures:
            elements = {**around, **member.children} if member.children else around
            stated = {name: elements[name] for name in _STATED_OF_IMAGES if name in elements}
            fields = metadata.describe(stated, context, scope.names) if stated else {}
            image = Image(
                url=member.rendition.url,
                title=fields.get("title"),
                caption=fields.get("description"),
                geo=_place(elements.get("media:location")),
                license=fields.get("license") or _license(found, context),
                rendition=member.rendition,
                words=metadata.words(elements, scope.names),
                line=line_of(member.element),
            )
            images.append(image)
    return images


#: What a sitemap can state of a picture.
_STATED_OF_IMAGES: Final[Sequence[str]] = ("media:title", "media:description", "media:license")


def _place(locations: Sequence[Element] | None) -> str | None:
    """Return `media:location@description`: the only form of it that is a place's name."""
    return take.attributes(locations[0]).get("description") if locations else None


def _license(found: Children, context: Context) -> str | None:
    """Return the link of a licence; a licence's mere text is none."""
    for name in ("creativeCommons:license", "cc:license", "dcterms:license"):
        for element in found.get(name, ()):
            resource = next((v for k, v in element.items() if k.endswith("resource")), None)
            reference = resource or take.text_of(element)
            is_link = resource is not None or urls.is_http(reference)
            url = context.url(reference, element, name) if is_link else None
            if url and urls.is_http(url):
                return url
    return None


def _thumbnail_images(
    found: Children, objects: Iterable[MediaObject], context: Context
) -> Iterator[Image]:
    """Make images of the thumbnails of an entry without a video: they are pictures of its page.

    `objects` are those that have no picture: thumbnails of others are only smaller copies of it.
    """
    elements = list(found.get("media:thumbnail", ()))
    for object_ in objects:
        for level in (object_.group or {}, *[member.children for member in object_.members]):
            elements += level.get("media:thumbnail", ())
    for element in elements:
        for thumbnail in metadata.thumbnails([element], context):
            rendition = Rendition(
                url=thumbnail.url,
                kind=Kind.IMAGE,
                width=thumbnail.width,
                height=thumbnail.height,
            )
            yield Image(url=thumbnail.url, rendition=rendition, line=line_of(element))


def _unique(images: Sequence[Image]) -> tuple[Image, ...]:
    """Drop images whose URL an earlier one has."""
    if len(images) < 2:
        return tuple(images)
    by_url = {image.url: image for image in reversed(images)}
    return tuple(reversed(by_url.values()))
