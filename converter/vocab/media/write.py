"""Media RSS as it is written, the same inside RSS and Atom: https://www.rssboard.org/media-rss.

Each object says of itself all that holds for it, so nothing is inherited: what stands in the
item would hold for its other objects too. What validators refuse is never written (mapping 4.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from math import isfinite
from typing import Final, NamedTuple

from converter.issues import Code
from converter.model import (
    Audio,
    Entry,
    Feed,
    Image,
    Kind,
    Moment,
    Podcast,
    Rating,
    Rendition,
    Restriction,
    Thumbnail,
    Video,
    Word,
)
from converter.options import WriteOptions
from converter.values import dates, mediatypes, tags
from converter.vocab.media import choose
from converter.vocab.sheet import Attributes, Sheet

__all__ = ["Objects", "enclosures", "objects"]

#: Values of `media:content@expression`, and of `@medium`: lower case only.
_EXPRESSIONS: Final = frozenset({"sample", "full", "nonstop"})
_SEPARATOR: Final = re.compile("[,;]")
_HIGHEST: Final = 5

_NO_FEED: Final = Feed()
_NO_PODCAST: Final = Podcast()

Elements = Iterable[tuple[str, Attributes]]


class Objects(NamedTuple):
    """An entry's media objects, written."""

    xml: str
    images: int
    videos: int


@dataclass(frozen=True, slots=True)
class _Clip:
    """A video on its way into a feed."""

    video: Video
    entry: Entry
    sheet: Sheet

    @property
    def podcast(self) -> Podcast:
        return self.entry.podcast or _NO_PODCAST

    @property
    def feed(self) -> Feed:
        return self.entry.feed or _NO_FEED


def objects(entry: Entry, sheet: Sheet, options: WriteOptions) -> Objects:
    """Write every media object of an entry."""
    clips = [_Clip(video, entry, sheet) for video in entry.videos] if options.videos else []
    videos = [xml for clip in clips if (xml := _video(clip, is_one_of=clips))]
    audios = [xml for audio in entry.audios if (xml := _audio(audio, entry, sheet))]
    images = [xml for image in entry.images if (xml := _image(image, sheet))]
    if not options.images:
        images = []
    artwork = ""
    if not entry.videos and not entry.audios and options.images:
        artwork = _thumbnails((entry.podcast or _NO_PODCAST).images, sheet)
    shared = "".join(told(clips[0]) for told in _OF_ITEM if _is_shared(told, clips))
    xml = "".join([*videos, *audios, *images, artwork, shared])
    return Objects(xml, images=len(images), videos=len(videos))


# -- values -----------------------------------------------------------------------------------


def _number(value: float | Decimal | None) -> str | None:
    """Write a number without an exponent, and without a fraction of nothing."""
    if value is None or not isfinite(value):
        return None
    digits = f"{Decimal(str(value)):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _positive(number: int | None) -> str | None:
    return str(number) if number and number > 0 else None


# -- renditions -------------------------------------------------------------------------------


def _medium(rendition: Rendition) -> str | None:
    """Give the medium in lower case; what only plays in a page is none that Media RSS knows."""
    kind = rendition.kind
    return kind.value if kind not in {None, Kind.PLAYER} else None


def _expression(rendition: Rendition) -> str | None:
    return rendition.expression if rendition.expression in _EXPRESSIONS else None


#: The attributes of `media:content`, in the order of the specification, `url` before them.
_CONTENT: Final[tuple[tuple[str, Callable[[Rendition], str | None]], ...]] = (
    ("fileSize", lambda r: _positive(r.size_bytes)),  # 0 is an error for validators
    ("type", lambda r: r.mime),
    ("medium", _medium),
    ("isDefault", lambda r: "true" if r.is_default else None),
    ("expression", _expression),
    ("bitrate", lambda r: _number(r.bitrate_kbps)),
    ("framerate", lambda r: _number(r.framerate)),
    ("samplingrate", lambda r: _number(r.samplingrate_khz)),
    ("channels", lambda r: _text(r.channels)),
    ("duration", lambda r: _number(r.duration_s)),
    ("height", lambda r: _positive(r.height)),
    ("width", lambda r: _positive(r.width)),
    ("lang", lambda r: r.lang),
)


def _attributes(rendition: Rendition) -> Attributes:
    rest = [(name, value(rendition)) for name, value in _CONTENT]
    return [("url", rendition.url), *rest]


def _usable(renditions: Iterable[Rendition], sheet: Sheet) -> Iterator[Rendition]:
    """Give the renditions that have an absolute URL."""
    for rendition in renditions:
        if url := sheet.url(rendition.url, "media:content"):
            yield rendition if url == rendition.url else replace(rendition, url=url)


def _all_of(
    renditions: Sequence[Rendition], url: str | None, kind: Kind, duration_s: float | None
) -> list[Rendition]:
    """Give an object's renditions, the one that only its URL tells of among them.

    The object's length goes to the rendition that was chosen, where no rendition has one.
    """
    known = list(renditions)
    if url and all(rendition.url != url for rendition in known):
        known.insert(0, Rendition(url=url, kind=kind, mime=mediatypes.mime_of(url)))
    if duration_s is None or any(rendition.duration_s is not None for rendition in known):
        return known
    for at, rendition in enumerate(known):
        if rendition.url == url:
            known[at] = replace(rendition, duration_s=duration_s)
    return known


def _object(renditions: Sequence[Rendition], inner: str, sheet: Sheet) -> str:
    """Write an object: a group only for two renditions or more, as validators demand."""
    if len(renditions) > 1:
        files = "".join([sheet.empty("media:content", _attributes(r)) for r in renditions])
        return sheet.element("media:group", files + inner)
    for rendition in renditions:
        if inner:
            return sheet.element("media:content", inner, _attributes(rendition))
        return sheet.empty("media:content", _attributes(rendition))
    return ""


# -- what is said of an object ----------------------------------------------------------------


def _thumbnails(thumbnails: Iterable[Thumbnail], sheet: Sheet) -> str:
    return "".join(
        sheet.empty(
            "media:thumbnail",
            (
                ("url", url),
                ("width", _positive(thumbnail.width)),
                ("height", _positive(thumbnail.height)),
                ("time", _number(thumbnail.time_s)),
            ),
        )
        for thumbnail in thumbnails
        if (url := sheet.url(thumbnail.url, "media:thumbnail"))
    )


def _plain(name: str, value: str | None, sheet: Sheet) -> str:
    return sheet.leaf(name, value, (("type", "plain"),))


def _ratings(clip: _Clip) -> Elements:
    """Give the ratings that hold, from the nearest place that has one (mapping 3.8)."""
    feed_explicit = (clip.feed.podcast or _NO_PODCAST).explicit
    for rated in (
        clip.video.ratings,
        _simple(clip.podcast.explicit),
        clip.feed.ratings,
        _simple(feed_explicit),
    ):
        if rated:
            return ((rating.value, (("scheme", rating.scheme),)) for rating in rated)
    return ()


def _simple(is_explicit: bool | None) -> tuple[Rating, ...]:
    if is_explicit is None:
        return ()
    return (Rating(value="adult" if is_explicit else "nonadult"),)


def _listed(names: Iterable[str], name: str, sheet: Sheet) -> str | None:
    """Write names as a list; one cannot hold what parts it from the next."""
    kept = []
    for given in names:
        clean = " ".join(_SEPARATOR.sub(" ", given).split())
        if clean != given:
            message = f'"{given[:60]}" cannot stand in a list; "{clean[:60]}" is written'
            sheet.tell(Code.TEXT_CLEANED, message, name)
        kept.append(clean)
    return ", ".join(filter(None, kept)) or None


def _keywords(clip: _Clip) -> Elements:
    video = clip.video
    names = tags.unique(video.keywords) or (() if video.tags else clip.podcast.keywords)
    if listed := _listed(names, "media:keywords", clip.sheet):
        yield listed, ()


def _categories(clip: _Clip) -> Elements:
    for category in clip.video.categories:
        yield category.term, (("scheme", category.scheme), ("label", category.label))


def _player(clip: _Clip) -> Elements:
    """Give the player, unless it is a rendition already."""
    video = clip.video
    if video.player_url in {rendition.url for rendition in video.renditions}:
        return
    if url := clip.sheet.url(video.player_url, "media:player"):
        width, height = video.player_size or (None, None)
        yield "", (("url", url), ("width", _positive(width)), ("height", _positive(height)))


def _credits(clip: _Clip) -> Elements:
    """Give the credits but for uploaders, which validators crash at: they are authors."""
    for credit in clip.video.credits:
        if credit.role != "uploader":
            yield credit.name, (("role", credit.role), ("scheme", credit.scheme))


def _restrictions(clip: _Clip) -> Elements:
    video = clip.video
    if video.countries is not None:
        yield from _countries(video.countries)
    if video.embed_allowed is not None:
        relationship = "allow" if video.embed_allowed else "deny"
        yield "", (("relationship", relationship), ("type", "sharing"))


def _countries(given: Restriction) -> Elements:
    """Give the countries; codes that nobody knows stay, or an allow list would be lifted."""
    listed = " ".join((*given.codes, *given.unknown)).lower()
    if listed or given.relationship == "allow":  # nothing after allow is nobody, after deny all
        yield listed, (("relationship", given.relationship), ("type", "country"))


def _community(clip: _Clip) -> str:
    video, sheet = clip.video, clip.sheet
    listed = (f"{tag.name}:{_number(tag.weight)}" for tag in video.tags)
    inner = (
        _stars(clip),
        _statistics(clip),
        sheet.leaf("media:tags", _listed(listed, "media:tags", sheet)),
    )
    return sheet.element("media:community", "".join(inner))


def _stars(clip: _Clip) -> str:
    star = clip.video.star_rating
    if star is None or star.average is None:
        return ""
    low, high = star.minimum, star.maximum
    if low is None and high is None and 0 <= star.average <= _HIGHEST:
        low, high = Decimal(0), Decimal(_HIGHEST)  # what a sitemap's rating is out of
    given = (
        ("average", _number(star.average)),
        ("count", _text(star.count)),
        ("min", _number(low)),
        ("max", _number(high)),
    )
    return clip.sheet.empty("media:starRating", given)


def _statistics(clip: _Clip) -> str:
    given = (("views", _text(clip.video.views)), ("favorites", _text(clip.video.favorites)))
    return clip.sheet.empty("media:statistics", given) if any(v for _, v in given) else ""


def _embed(clip: _Clip) -> str:
    embed = clip.video.embed
    if embed is None or not (url := clip.sheet.url(embed.url, "media:embed")):
        return ""
    given = (("url", url), ("width", _text(embed.width)), ("height", _text(embed.height)))
    params = [clip.sheet.leaf("media:param", text, (("name", name),)) for name, text in embed.params]
    return clip.sheet.element("media:embed", "".join(params), given) or clip.sheet.empty(
        "media:embed", given
    )


def _prices(clip: _Clip) -> Elements:
    prices = clip.video.prices
    for price in prices:
        yield (
            "",
            (
                ("type", price.type),
                ("price", _number(price.amount)),
                ("currency", price.currency),
                ("info", price.info),
            ),
        )
    if clip.video.requires_subscription and all(p.type != "subscription" for p in prices):
        yield "", (("type", "subscription"),)


def _license(url: str | None, sheet: Sheet) -> str:
    href = sheet.url(url, "media:license")
    return sheet.empty("media:license", (("href", href),)) if href else ""


def _words(words: Iterable[Word], sheet: Sheet) -> str:
    return "".join([sheet.word(word) for word in words if not _is_uploader(word)])


def _is_uploader(word: Word) -> bool:
    if word.name != "media:credit":
        return False
    return any(
        name.lower() == "role" and value.strip().lower() == "uploader"
        for name, value in word.attributes
    )


def _any(name: str, elements: Callable[[_Clip], Elements]) -> Callable[[_Clip], str]:
    return lambda clip: "".join([clip.sheet.leaf(name, *element) for element in elements(clip)])


#: What is said of a video, in the order of the specification; kept words at the end.
_VIDEO: Final[tuple[Callable[[_Clip], str], ...]] = (
    _any("media:rating", _ratings),
    lambda clip: _plain("media:title", clip.sheet.plain(clip.video.title, "media:title"), clip.sheet),
    lambda clip: _plain(
        "media:description",
        clip.sheet.plain(clip.video.description, "media:description"),
        clip.sheet,
    ),
    _any("media:keywords", _keywords),
    lambda clip: _thumbnails(clip.video.thumbnails or clip.podcast.images, clip.sheet),
    _any("media:category", _categories),
    _any("media:player", _player),
    _any("media:credit", _credits),
    lambda clip: clip.sheet.leaf("media:copyright", clip.video.copyright),
    _any("media:restriction", _restrictions),
    _community,
    _embed,
    lambda clip: clip.sheet.empty("media:status", (("state", clip.video.status),))
    if clip.video.status
    else "",
    _any("media:price", _prices),
    lambda clip: _license(clip.video.license, clip.sheet),
    lambda clip: _words(clip.video.words, clip.sheet),
)


# -- what Google reads from the item rather than from the object ------------------------------


def _valid(clip: _Clip) -> str:
    """Write from when and until when a video is there; its start only if no other date says it."""
    start, end = _bound(clip.video.published), _bound(clip.video.expires)
    if clip.video.published == clip.entry.published:
        start = None
    bounds = "".join(f"{key}={at}; " for key, at in (("start", start), ("end", end)) if at)
    return clip.sheet.leaf("dcterms:valid", f"{bounds}scheme=W3C-DTF") if bounds else ""


def _bound(moment: Moment | None) -> str | None:
    return None if moment is None or moment.is_partial else dates.to_w3c(moment, zulu=True)


def _live(clip: _Clip) -> str:
    return clip.sheet.leaf("dcterms:type", "live-video") if clip.video.live else ""


_OF_ITEM: Final = (_valid, _live)


def _is_shared(told: Callable[[_Clip], str], clips: Sequence[_Clip]) -> bool:
    """Say whether the same holds for all videos; else each says it itself."""
    return len({told(clip) for clip in clips}) == 1


# -- objects ----------------------------------------------------------------------------------


def _video(clip: _Clip, is_one_of: Sequence[_Clip]) -> str:
    video, sheet = clip.video, clip.sheet
    given = _all_of(video.renditions, video.content_url, Kind.VIDEO, video.duration_s)
    renditions = list(_usable(given, sheet))
    own = [told(clip) for told in _OF_ITEM if not _is_shared(told, is_one_of)]
    inner = "".join([row(clip) for row in _VIDEO] + own)
    if renditions:
        return _object(renditions, inner, sheet)
    if "<media:player" in inner:  # what a content without a URL must have
        length = (("medium", "video"), ("duration", _number(video.duration_s)))
        return sheet.element("media:content", inner, length)
    sheet.tell(Code.DROPPED_FIELD, "a video has neither file nor player; left out", "video")
    return ""


def _audio(audio: Audio, entry: Entry, sheet: Sheet) -> str:
    given = _all_of(audio.renditions, audio.content_url, Kind.AUDIO, audio.duration_s)
    artwork = entry.podcast.images if entry.podcast else ()
    inner = (
        _plain("media:title", sheet.plain(audio.title, "media:title"), sheet),
        _plain("media:description", sheet.plain(audio.description, "media:description"), sheet),
        _thumbnails(audio.thumbnails or artwork, sheet),
        _words(audio.words, sheet),
    )
    return _object(list(_usable(given, sheet)), "".join(inner), sheet)


def _image(image: Image, sheet: Sheet) -> str:
    rendition = image.rendition or Rendition(
        url=image.url, kind=Kind.IMAGE, mime=mediatypes.mime_of(image.url)
    )
    is_placed = any(word.name == "media:location" for word in image.words)
    inner = (
        _plain("media:title", sheet.plain(image.title, "media:title"), sheet),
        _plain("media:description", sheet.plain(image.caption, "media:description"), sheet),
        _license(image.license, sheet),
        sheet.empty("media:location", (("description", image.geo),))
        if image.geo and not is_placed
        else "",
        _words(image.words, sheet),
    )
    return _object(list(_usable([rendition], sheet)), "".join(inner), sheet)


# -- enclosures -------------------------------------------------------------------------------


def enclosures(entry: Entry, options: WriteOptions) -> list[Rendition]:
    """Give the enclosures of the input, else the best video, audio or picture there is."""
    videos = entry.videos if options.videos else ()
    images = entry.images if options.images else ()
    pictures = [
        image.rendition or Rendition(url=image.url, kind=Kind.IMAGE) for image in images
    ]
    objects_ = chain(
        (video.renditions for video in videos), (audio.renditions for audio in entry.audios)
    )
    files = [*chain.from_iterable(objects_), *pictures]
    if given := [rendition for rendition in files if rendition.from_enclosure]:
        return given
    return list(_best(videos, entry.audios, pictures))[:1]


def _best(
    videos: Iterable[Video], audios: Iterable[Audio], pictures: Iterable[Rendition]
) -> Iterator[Rendition]:
    for video in videos:
        if best := choose.best(video.renditions):
            yield best
        elif video.content_url:
            yield Rendition(url=video.content_url, kind=Kind.VIDEO)
    for audio in audios:
        known = (rendition for rendition in audio.renditions if rendition.url == audio.content_url)
        yield next(known, Rendition(url=audio.content_url, kind=Kind.AUDIO))
    yield from pictures
