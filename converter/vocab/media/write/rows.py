"""What is said of a media object, an element a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from converter.issues import Code
from converter.model import (
    Entry,
    Feed,
    Moment,
    Podcast,
    Rating,
    Restriction,
    Text,
    Thumbnail,
    Video,
    Word,
)
from converter.values import dates, periods, tags
from converter.values.patterns import lazy
from converter.vocab.media.write.attributes import count, number, positive
from converter.vocab.sheet import Attributes, Sheet
from converter.vocab.supply import is_uploader

__all__ = ["OF_ITEM", "VIDEO", "Clip", "is_shared", "license_of", "plain", "thumbnails", "words"]

_SEPARATOR: Final = lazy("[,;]")
_CURRENCY: Final = lazy("[A-Z]{3}")
_SIMPLE: Final = "urn:simple"
#: The values of the schemes that name theirs; validators refuse any other (mapping 3.8).
_RATINGS: Final[Mapping[str, frozenset[str]]] = {
    _SIMPLE: frozenset({"adult", "nonadult"}),
    "urn:mpaa": frozenset({"g", "m", "nc-17", "pg", "pg-13", "r", "x"}),
    "urn:v-chip": frozenset(
        {"14+", "18+", "c", "c8", "g", "pg"}
        | {"tv-14", "tv-g", "tv-ma", "tv-pg", "tv-y", "tv-y7", "tv-y7-fv"}
    ),
}
_HIGHEST: Final = Decimal(5)

_NO_FEED: Final = Feed()
_NO_PODCAST: Final = Podcast()

Elements = Iterable[tuple[str, Attributes]]


@dataclass(frozen=True, slots=True)
class Clip:
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


# -- what is said of an object ----------------------------------------------------------------


def thumbnails(given: Iterable[Thumbnail], sheet: Sheet) -> str:
    """Write thumbnails, in the order that says how important they are."""
    return "".join(
        sheet.empty(
            "media:thumbnail",
            (
                ("url", url),
                ("width", positive(thumbnail.width)),
                ("height", positive(thumbnail.height)),
                ("time", number(thumbnail.time_s)),
            ),
        )
        for thumbnail in given
        if (url := sheet.url(thumbnail.url, "media:thumbnail"))
    )


def plain(name: str, value: Text | None, sheet: Sheet) -> str:
    """Write a title or a description as plain text (mapping 4.4)."""
    return sheet.leaf(name, sheet.plain(value, name), (("type", "plain"),))


def _ratings(clip: Clip) -> Elements:
    """Give the ratings that hold, from the nearest place that has one (mapping 3.8)."""
    feed_explicit = (clip.feed.podcast or _NO_PODCAST).explicit
    places = (
        clip.video.ratings,
        _simple(clip.podcast.explicit),
        clip.feed.ratings,
        _simple(feed_explicit),
    )
    for rating in next(filter(None, places), ()):
        if _is_rating(rating.value, rating.scheme, clip.sheet):
            yield rating.value, (("scheme", rating.scheme),)


def _is_rating(value: str, scheme: str, sheet: Sheet) -> bool:
    if value in _RATINGS.get(scheme, {value}):
        return True
    message = f'"{value[:60]}" is no rating of {scheme}; left out'
    sheet.tell(Code.RATING_UNUSABLE, message, "media:rating")
    return False


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


def _keywords(clip: Clip) -> Elements:
    video = clip.video
    names = tags.unique(video.keywords) or (() if video.tags else clip.podcast.keywords)
    if listed := _listed(names, "media:keywords", clip.sheet):
        yield listed, ()


def _categories(clip: Clip) -> Elements:
    for category in clip.video.categories:
        yield category.term, (("scheme", category.scheme), ("label", category.label))


def _player(clip: Clip) -> Elements:
    """Give the player, unless it is a rendition already."""
    video = clip.video
    if video.player_url in {rendition.url for rendition in video.renditions}:
        return
    if url := clip.sheet.url(video.player_url, "media:player"):
        width, height = video.player_size or (None, None)
        yield "", (("url", url), ("width", positive(width)), ("height", positive(height)))


def _credits(clip: Clip) -> Elements:
    """Give the credits but for uploaders, which validators crash at: they are authors."""
    for credit in clip.video.credits:
        if not is_uploader(credit.role, credit.scheme):
            yield credit.name, (("role", credit.role), ("scheme", credit.scheme))


def _restrictions(clip: Clip) -> Elements:
    video = clip.video
    if video.countries is not None:
        yield from _countries(video.countries, clip.sheet)
    if video.embed_allowed is not None:
        relationship = "allow" if video.embed_allowed else "deny"
        yield "", (("relationship", relationship), ("type", "sharing"))


def _countries(given: Restriction, sheet: Sheet) -> Elements:
    """Give the countries; none at all means nobody after allow, and says nothing after deny.

    So an allow list of which no code was understood is not lifted: it allows nobody.
    """
    if given.unknown:
        message = "country codes that are none cannot be written again; left out"
        sheet.tell(Code.DROPPED_FIELD, message, "video/countries")
    if given.codes or given.relationship == "allow":
        listed = " ".join(given.codes).lower()
        yield listed, (("relationship", given.relationship), ("type", "country"))


def _community(clip: Clip) -> str:
    video, sheet = clip.video, clip.sheet
    listed = (f"{tag.name}:{number(tag.weight)}" for tag in video.tags)
    inner = (
        _stars(clip),
        _statistics(clip),
        sheet.leaf("media:tags", _listed(listed, "media:tags", sheet)),
    )
    return sheet.element("media:community", "".join(inner))


def _stars(clip: Clip) -> str:
    star = clip.video.star_rating
    if star is None or star.average is None:
        return ""
    low, high = star.minimum, star.maximum
    if low is None and high is None and 0 <= star.average <= _HIGHEST:
        low, high = Decimal(0), Decimal(_HIGHEST)  # what a sitemap's rating is out of
    given = (
        ("average", number(star.average)),
        ("count", count(star.count)),
        ("min", number(low)),
        ("max", number(high)),
    )
    return clip.sheet.empty("media:starRating", given)


def _statistics(clip: Clip) -> str:
    given = (("views", count(clip.video.views)), ("favorites", count(clip.video.favorites)))
    return clip.sheet.empty("media:statistics", given) if any(v for _, v in given) else ""


def _embed(clip: Clip) -> str:
    embed = clip.video.embed
    if embed is None or not (url := clip.sheet.url(embed.url, "media:embed")):
        return ""
    given = (("url", url), ("width", count(embed.width)), ("height", count(embed.height)))
    params = [
        clip.sheet.leaf("media:param", text, (("name", name),)) for name, text in embed.params
    ]
    return clip.sheet.element("media:embed", "".join(params), given) or clip.sheet.empty(
        "media:embed", given
    )


def _prices(clip: Clip) -> Elements:
    prices = clip.video.prices
    for price in prices:
        amount, currency = number(price.amount), (price.currency or "").upper()
        if currency and not _CURRENCY.fullmatch(currency):
            message = f'"{currency[:20]}" is no currency; the amount is left out'
            clip.sheet.tell(Code.PRICE_UNUSABLE, message, "media:price")
            amount, currency = None, ""
        given = (("price", amount), ("currency", currency or None), ("info", price.info))
        if price.type or any(value for _, value in given):
            yield "", (("type", price.type), *given)
    if clip.video.requires_subscription and all(p.type != "subscription" for p in prices):
        yield "", (("type", "subscription"),)


def license_of(url: str | None, sheet: Sheet) -> str:
    """Write the link of a licence."""
    href = sheet.url(url, "media:license")
    return sheet.empty("media:license", (("href", href),)) if href else ""


def words(kept: Iterable[Word], sheet: Sheet) -> str:
    """Write kept elements again, as validators want them."""
    fit = (_FITTED.get(word.name, _same)(word, sheet) for word in kept)
    return "".join([sheet.word(word) for word in fit if word])


def _same(word: Word, _: Sheet) -> Word:
    return word


def _not_uploader(word: Word, _: Sheet) -> Word | None:
    """Leave uploaders out, which validators crash at: they are authors."""
    given = {name.lower(): value.strip().lower() for name, value in word.attributes}
    return None if is_uploader(given.get("role"), given.get("scheme")) else word


def _rating(word: Word, sheet: Sheet) -> Word | None:
    value = (word.text or "").strip().lower()
    scheme = dict(word.attributes).get("scheme", _SIMPLE).strip().lower()
    return replace(word, text=value) if _is_rating(value, scheme, sheet) else None


def _as_rating(word: Word, _: Sheet) -> Word:
    """Say the deprecated `media:adult` in the words that took its place."""
    is_adult = (word.text or "").lower() == "true"
    return Word(
        name="media:rating",
        text="adult" if is_adult else "nonadult",
        attributes=(("scheme", "urn:simple"),),
    )


#: Kept elements that cannot stay as they are.
_FITTED: Final[Mapping[str, Callable[[Word, Sheet], Word | None]]] = {
    "media:adult": _as_rating,
    "media:credit": _not_uploader,
    "media:rating": _rating,
}


def _any(name: str, elements: Callable[[Clip], Elements]) -> Callable[[Clip], str]:
    return lambda clip: "".join([_one(name, *element, clip.sheet) for element in elements(clip)])


def _one(name: str, text: str, attributes: Attributes, sheet: Sheet) -> str:
    return sheet.leaf(name, text, attributes) if text else sheet.empty(name, attributes)


#: What is said of a video, in the order of the specification; kept words at the end.
VIDEO: Final[tuple[Callable[[Clip], str], ...]] = (
    _any("media:rating", _ratings),
    lambda clip: plain("media:title", clip.video.title, clip.sheet),
    lambda clip: plain("media:description", clip.video.description, clip.sheet),
    _any("media:keywords", _keywords),
    lambda clip: thumbnails(clip.video.thumbnails or clip.podcast.images, clip.sheet),
    _any("media:category", _categories),
    _any("media:player", _player),
    _any("media:credit", _credits),
    lambda clip: clip.sheet.leaf("media:copyright", clip.video.copyright),
    _any("media:restriction", _restrictions),
    _community,
    _embed,
    lambda clip: (
        clip.sheet.empty("media:status", (("state", clip.video.status),))
        if clip.video.status
        else ""
    ),
    _any("media:price", _prices),
    lambda clip: license_of(clip.video.license, clip.sheet),
    lambda clip: words(clip.video.words, clip.sheet),
)


# -- what Google reads from the item rather than from the object ------------------------------


def _valid(clip: Clip) -> str:
    """Write from when and until when a video is there; its start only if no other date says it."""
    video = clip.video
    start, end = _bound(video.published), _bound(video.expires)
    if video.published == clip.entry.published:
        start = None
    elif start and end and _is_inverted(video):
        message = "it starts after it ends, which makes a period void; its end is written alone"
        clip.sheet.tell(Code.DROPPED_FIELD, message, "video/published")
        start = None
    bounds = "".join(f"{key}={at}; " for key, at in (("start", start), ("end", end)) if at)
    return clip.sheet.leaf("dcterms:valid", f"{bounds}scheme=W3C-DTF") if bounds else ""


def _is_inverted(video: Video) -> bool:
    start, end = video.published, video.expires
    return bool(start and end and periods.last_second(end) < start.instant)


def _bound(moment: Moment | None) -> str | None:
    return None if moment is None or moment.is_partial else dates.to_w3c(moment, zulu=True)


def _live(clip: Clip) -> str:
    return clip.sheet.leaf("dcterms:type", "live-video") if clip.video.live else ""


OF_ITEM: Final = (_valid, _live)


def is_shared(told: Callable[[Clip], str], clips: Sequence[Clip]) -> bool:
    """Say whether the same holds for all videos; else each says it itself."""
    return len({told(clip) for clip in clips}) == 1
