"""Making the model's videos, images and audios of an entry's media objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final

from converter.model import Audio, Image, Kind, Podcast, Rendition, Series, Thumbnail, Video, Word
from converter.values import mediatypes, urls
from converter.vocab.context import Context, first
from converter.vocab.media import choose
from converter.vocab.media.describe import (
    Described,
    deepest,
    describe,
    inherited,
    object_ratings,
    text,
    thumbnails,
    words,
)
from converter.vocab.media.gather import Bundle, bundles
from converter.vocab.media.names import (
    INHERITED,
    OBJECTS,
    TOLD_OF_AUDIO,
    TOLD_OF_IMAGE,
    TOLD_OF_VIDEO,
)
from converter.vocab.media.setting import Media, Member, Setting
from converter.xml import take
from converter.xml.stream import line_of
from converter.xml.take import Children, Element

__all__ = ["assemble"]

#: The first that can be used is shown.
_MOST_SIBLINGS: Final = 16

#: `itunes:episodeType` in the words of `video:tvshow` (mapping 3.3).
_EPISODE_KIND = {"full": "full", "trailer": "preview", "bonus": "other"}


def assemble(
    found: Children, enclosures: Sequence[Member], context: Context, setting: Setting
) -> Media:
    """Give the media of an entry with these children."""
    made = bundles(found, enclosures, context, setting)
    around, setting = found, _cut(made, context, setting)
    found = inherited(found, _objects(made), context)
    videos_of = [bundle for bundle in made if _is_video(bundle, found)]
    entry_images = [m for bundle in made for m in bundle.of(Kind.IMAGE)]
    only = len(videos_of) == 1
    videos = tuple(
        _video(bundle, found, entry_images, context, setting, is_only=only) for bundle in videos_of
    )
    audios = tuple(_audios(made, found, context, setting))
    images = [
        _image(member, bundle, found, context, setting)
        for bundle in made
        for member in bundle.of(Kind.IMAGE)
    ]
    names = OBJECTS
    names |= TOLD_OF_VIDEO if videos else frozenset()
    names |= TOLD_OF_AUDIO if audios else frozenset()
    names |= TOLD_OF_IMAGE if images else frozenset()
    _count_unread(made, names, context)
    if not videos:
        images += _pictures(around, made, context)
    return Media(
        videos,
        tuple({image.url: image for image in reversed(images)}.values())[::-1],
        audios,
        names,
    )


def _count_unread(made: Sequence[Bundle], names: frozenset[str], context: Context) -> None:
    """Count what stands inside the media objects and is not read."""
    for bundle in made:
        for level in (bundle.group or {}, *(member.children for member in bundle.members)):
            if not level.keys() <= names:
                context.count_unread(level, names, ())


def _is_video(bundle: Bundle, found: Children) -> bool:
    """Is this object a video? A group without any file is one if it says where it plays."""
    if bundle.of(Kind.VIDEO, Kind.PLAYER):
        return True
    group = bundle.group or {}
    plays = any(name in group for name in ("media:player", "media:embed"))
    return not bundle.members and (plays or "yt:videoId" in found)


def _objects(bundles_: Iterable[Bundle]) -> int:
    """Count what may inherit: each picture is an object of its own."""
    return sum(1 + len(bundle.of(Kind.IMAGE)) for bundle in bundles_)


def _cut(made: Sequence[Bundle], context: Context, setting: Setting) -> Setting:
    """Cut what the objects inherit from their groups, and from the header."""
    for bundle in made:
        if bundle.group is not None:
            bundle.group |= inherited(bundle.group, _objects([bundle]), context)
    return replace(setting, channel=inherited(setting.channel, _objects(made), context))


def _levels(chosen: Member | None, bundle: Bundle, found: Children) -> list[Children]:
    """Give the levels of an object, deepest first: the chosen rendition, its siblings, outward."""
    members = [member for member in bundle.members if member is not chosen]
    levels = [chosen.children] if chosen else []
    levels += [member.children for member in members if member.children]
    if bundle.group is not None:
        levels.append(bundle.group)
    levels.append(found)
    return levels


def _video(
    bundle: Bundle,
    found: Children,
    entry_images: Sequence[Member],
    context: Context,
    setting: Setting,
    *,
    is_only: bool,
) -> Video:
    members = bundle.of(Kind.VIDEO, Kind.PLAYER)
    offered = [member.rendition for member in members]
    renditions = tuple(rendition for rendition in offered if rendition.url)
    chosen = choose.best(renditions)
    inner = _levels(next((m for m in members if m.rendition is chosen), None), bundle, found)
    told = deepest([*inner, setting.channel])
    described = describe(told, context, setting.names)
    fields: dict[str, Any] = {
        "content_url": chosen and chosen.url,
        "renditions": renditions,
        "ratings": object_ratings(inner, setting.names),
        "duration_s": _duration(chosen, offered, found, context, setting, is_only=is_only),
        "words": words(told, setting.names),
        "sibling_images": _siblings(bundle, entry_images),
        "series": _series(setting.podcast),
        "line": line_of(bundle.element),
        **described,
    }
    fields["youtube_id"], youtube_player = _youtube(found, renditions, is_only=is_only)
    fields |= _players(described, youtube_player, renditions)
    fields.setdefault("live", _is_live(chosen or first(offered), setting))
    fields.setdefault("expires", _expires(found, context))
    if is_only and fields.get("views") is None:
        fields["views"] = _youtube_views(found, context)
    return Video(**fields)


def _players(
    described: Described, youtube_player: str | None, renditions: Sequence[Rendition]
) -> dict[str, str | None]:
    """Give the player, and the Flash that is one for want of a better (mapping 3.7)."""
    embed = described.get("embed")
    embedded = embed.url if embed else None
    is_flash = embedded is not None and mediatypes.is_flash(embedded, None)
    player = described.get("player_url") or youtube_player or choose.player(renditions)
    return {
        "player_url": player or (None if is_flash else embedded),
        "flash_url": choose.flash(renditions) or (embedded if is_flash else None),
    }


def _duration(
    chosen: Rendition | None,
    renditions: Sequence[Rendition],
    found: Children,
    context: Context,
    setting: Setting,
    *,
    is_only: bool,
) -> float | None:
    own = [chosen.duration_s] if chosen else []
    own += [rendition.duration_s for rendition in renditions]
    given = next((duration_s for duration_s in own if duration_s is not None), None)
    if given is not None or not is_only:
        return given
    if setting.podcast and setting.podcast.duration_s is not None:
        return setting.podcast.duration_s
    for element in found.get("yt:duration", ()):
        if seconds := take.attributes(element).get("seconds"):
            return context.clock(seconds, element, "yt:duration")
    return None


def _siblings(bundle: Bundle, entry_images: Sequence[Member]) -> tuple[str, ...]:
    """Give the pictures beside a video, those of its own group first."""
    images = chain(bundle.of(Kind.IMAGE), islice(entry_images, _MOST_SIBLINGS))
    found = dict.fromkeys(member.rendition.url for member in images)
    return tuple(islice(found, _MOST_SIBLINGS))


def _series(podcast: Podcast | None) -> Series | None:
    """Make the series of an episode; its show is the feed's title, which a target adds."""
    if podcast is None or (podcast.season is None and podcast.episode is None):
        return None
    kind = _EPISODE_KIND.get(podcast.episode_type or "", "full")
    return Series(season=podcast.season, episode=podcast.episode, kind=kind)


def _youtube(
    found: Children, renditions: Sequence[Rendition], *, is_only: bool
) -> tuple[str | None, str | None]:
    """Give the YouTube id and its player; a privacy-enhanced player is kept as it was given."""
    if is_only and (named := first(text for _, text in take.texts(found, "yt:videoId"))):
        return named, mediatypes.youtube_player(named)
    for rendition in renditions:
        if rendition.kind is Kind.PLAYER and (id_ := mediatypes.youtube_id(rendition.url)):
            is_private = (urls.host_of(rendition.url) or "").endswith("youtube-nocookie.com")
            return id_, rendition.url if is_private else mediatypes.youtube_player(id_)
    return None, None


def _is_live(chosen: Rendition | None, setting: Setting) -> bool | None:
    nonstop = chosen is not None and chosen.expression == "nonstop"
    return True if nonstop or setting.live else None


def _expires(found: Children, context: Context) -> Any:
    return context.moment(found, ("expirationDate",))


def _youtube_views(found: Children, context: Context) -> int | None:
    for element in found.get("yt:statistics", ()):
        count = take.attributes(element).get("viewcount")
        return context.whole(count, element, "yt:statistics")
    return None


def _audios(
    made: Sequence[Bundle], found: Children, context: Context, setting: Setting
) -> Iterator[Audio]:
    heard = [bundle for bundle in made if bundle.of(Kind.AUDIO)]
    for bundle in heard:
        members = bundle.of(Kind.AUDIO)
        chosen = next((m for m in members if m.rendition.is_default), members[0])
        told = deepest([*_levels(chosen, bundle, found), setting.channel])
        rendition = chosen.rendition
        duration_s = rendition.duration_s
        if duration_s is None and setting.podcast and len(heard) == 1:
            duration_s = setting.podcast.duration_s
        yield Audio(
            content_url=rendition.url,
            renditions=tuple(member.rendition for member in members),
            title=text(told.get("media:title", ())),
            description=text(told.get("media:description", ())),
            thumbnails=tuple(thumbnails(told.get("media:thumbnail", ()), context)),
            duration_s=duration_s,
            words=_all_words(told, setting),
            line=line_of(bundle.element),
        )


_TOLD_OF_AUDIO = {"media:title", "media:description", "media:thumbnail"}


def _all_words(told: Children, setting: Setting) -> tuple[Word, ...]:
    """Keep whatever else Media RSS says of a sound."""
    kept = (told[name] for name in sorted(INHERITED - _TOLD_OF_AUDIO) if name in told)
    return tuple(take.word_of(element, setting.names) for elements in kept for element in elements)


def _image(
    member: Member, bundle: Bundle, found: Children, context: Context, setting: Setting
) -> Image:
    told = deepest([member.children, bundle.group or {}, found])
    described = describe(
        {name: told[name] for name in _OF_PICTURES if name in told}, context, setting.names
    )
    return Image(
        url=member.rendition.url,
        title=described.get("title"),
        caption=described.get("description"),
        geo=_geo(told),
        license=described.get("license") or _license(found, context),
        rendition=member.rendition,
        words=words(told, setting.names),
        line=line_of(member.element),
    )


#: What a sitemap can tell of a picture.
_OF_PICTURES = ("media:title", "media:description", "media:license")


def _geo(told: Children) -> str | None:
    """Give `media:location@description`: the only form of it that is a place's name."""
    for element in told.get("media:location", ()):
        return take.attributes(element).get("description")
    return None


def _license(found: Children, context: Context) -> str | None:
    """Give the link of a licence; a licence's mere text is none."""
    names = ("creativeCommons:license", "cc:license", "dcterms:license")
    for name in names:
        for element in found.get(name, ()):
            resource = next((v for k, v in element.items() if k.endswith("resource")), None)
            reference = resource or take.text_of(element)
            is_link = resource is not None or urls.is_http(reference)
            url = context.url(reference, element, name) if is_link else None
            if url and urls.is_http(url):
                return url
    return None


def _pictures(found: Children, made: Sequence[Bundle], context: Context) -> Iterator[Image]:
    """Give the thumbnails of an entry without a video: they are pictures of its page.

    Those of an object that is a picture itself are only smaller copies of it.
    """
    elements: list[Element] = list(found.get("media:thumbnail", ()))
    for bundle in made:
        if bundle.of(Kind.IMAGE):
            continue
        for level in (bundle.group or {}, *(member.children for member in bundle.members)):
            elements += level.get("media:thumbnail", ())
    for element in elements:
        for thumbnail in thumbnails([element], context):
            yield _picture(thumbnail, element)


def _picture(thumbnail: Thumbnail, element: Element) -> Image:
    rendition = Rendition(
        url=thumbnail.url, kind=Kind.IMAGE, width=thumbnail.width, height=thumbnail.height
    )
    return Image(url=thumbnail.url, rendition=rendition, line=line_of(element))
