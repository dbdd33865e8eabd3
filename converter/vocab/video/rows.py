"""Every `video:*` element, in the order of the schema, and where its value comes from.

The schema: https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd
What is legacy there is without effect since 2022-08-06:
https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from converter.issues import Code
from converter.model import Person, Price, Restriction
from converter.values import durations, ratings, tags, urls
from converter.values.patterns import lazy
from converter.vocab.limits import MOST_TAGS
from converter.vocab.page import readable, w3c_date
from converter.vocab.video.clip import Clip

if TYPE_CHECKING:
    from decimal import Decimal
from converter.vocab.video.series import tvshow
from converter.xml.emit import leaf

__all__ = ["PLATFORMS", "VIDEO", "Row"]

Attributes = tuple[tuple[str, str | None], ...]
Element = tuple[str, Attributes]

_MOST_CATEGORY: Final = 256
_MOST_UPLOADER: Final = 255
_LONGEST_S: Final = 28_800

#: What the schema lets through.
PLATFORMS: Final = ("web", "mobile", "tv")
_PRICE_TYPES: Final = frozenset({"rent", "purchase"})
_RESOLUTIONS: Final = frozenset({"sd", "hd"})
_ID_TYPES: Final = frozenset(
    {"tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url"}
)
_CURRENCY: Final = lazy("[A-Z]{3}")


# -- values -----------------------------------------------------------------------------------


def _yes_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _yes(value: bool | None, clip: Clip) -> str | None:
    """Write yes; an explicit no only where a sitemap said it, never made from a feed."""
    if value or clip.fallback.feed.format == "sitemap":
        return _yes_no(value)
    return None


def _duration(clip: Clip) -> str | None:
    given = clip.video.duration_s
    if given is None and (given := clip.fallback.duration_s) is None:
        return None
    # Never clamped: a wrong length is not made right by being the longest one.
    seconds = durations.rounded(given) if 0 <= given <= _LONGEST_S + 1 else -1
    if 1 <= seconds <= _LONGEST_S:
        return str(seconds)
    message = f"{given:,g} seconds are not within 1 to {_LONGEST_S:,}; left out"
    clip.page.tell(Code.DURATION_OUT_OF_RANGE, message, "video:duration", clip.video.line)
    return None


def _rating(clip: Clip) -> str | None:
    given = clip.video.star_rating
    if given is None or given.average is None or given.count == 0:
        return None
    stars = ratings.stars(given.average, given.count, given.minimum, given.maximum)
    if stars is not None:
        return ratings.stars_text(stars)
    message = f"an average of {given.average} makes no sense on its scale; left out"
    clip.page.tell(Code.RATING_UNUSABLE, message, "video:rating", clip.video.line)
    return None


def _publication_date(clip: Clip) -> str | None:
    """Give the start of `dcterms:valid`, which may lie ahead, else the entry's publication."""
    return w3c_date(clip.video.published) or w3c_date(clip.fallback.published)


def _views(clip: Clip) -> str | None:
    return None if clip.video.views is None else str(clip.video.views)


def _tags(clip: Clip) -> Iterator[Element]:
    video = clip.video
    names = (
        tags.unique(video.keywords)
        or tags.unique(tags.by_weight(video.tags))
        or tags.unique(clip.fallback.keywords)
    )
    if len(names) > MOST_TAGS:
        message = f"{len(names):,} tags; the first {MOST_TAGS} are written"
        clip.page.tell(Code.TAGS_CUT, message, "video:tag", video.line)
    return ((name, ()) for name in names[:MOST_TAGS])


def _category(clip: Clip) -> str | None:
    for category in (*clip.video.categories, *clip.page.entry.categories):
        if (name := readable(category.text)) is not None:
            return clip.page.clipped(name, _MOST_CATEGORY, "video:category")
    return None


def _family_friendly(clip: Clip) -> str | None:
    """Ask the ratings and flags from the nearest to the farthest (mapping 3.8)."""
    fallback = clip.fallback
    for rated, explicit in (
        (clip.video.ratings, fallback.podcast.explicit),
        (fallback.feed.ratings, fallback.channel.explicit),
    ):
        friendly, notes = ratings.family_friendly(rated)
        clip.page.tell_all(notes, "video:family_friendly")
        if friendly is not None:
            return _yes_no(friendly)
        if explicit is not None:
            return _yes_no(not explicit)
    return None


def _needs_subscription(clip: Clip) -> str | None:
    if any(price.type == "subscription" for price in clip.video.prices):
        return "yes"
    return _yes(clip.video.requires_subscription, clip)


# -- elements with attributes -----------------------------------------------------------------


def _player(clip: Clip) -> Iterator[Element]:
    if clip.player is None:
        return
    attributes: Attributes = ()
    if clip.page.options.legacy_tags:
        allowed = _yes_no(clip.video.embed_allowed)
        attributes = (("allow_embed", allowed), ("autoplay", readable(clip.video.autoplay)))
    yield clip.player, attributes


def _segments(clip: Clip) -> Iterator[Element]:
    """Give the parts of a film, which the schema wants only beside a player."""
    if clip.player is None:
        return
    for url, seconds in clip.video.segments:
        fits = seconds is not None and 0 <= seconds <= _LONGEST_S
        yield url, (("duration", str(seconds) if fits else None),)


def _restriction(given: Restriction | None, codes: Iterable[str]) -> Iterator[Element]:
    """Give a list of countries or platforms; an empty one means "nobody", or says nothing."""
    if given is None:
        return
    listed = " ".join(codes)
    if listed or given.relationship == "allow":
        yield listed, (("relationship", given.relationship),)


def _countries(clip: Clip) -> Iterator[Element]:
    given = clip.video.countries
    return _restriction(given, given.codes if given else ())


def _platforms(clip: Clip) -> Iterator[Element]:
    given = clip.video.platforms
    known = [name for name in PLATFORMS if given and name in given.codes]
    return _restriction(given, known)


def _gallery(clip: Clip) -> Iterator[Element]:
    if clip.video.gallery is not None:
        yield clip.video.gallery.url, (("title", readable(clip.video.gallery.title)),)


def _prices(clip: Clip) -> Iterator[Element]:
    for price in clip.video.prices:
        if price.type is not None and price.type not in _PRICE_TYPES:
            continue  # a subscription has its own element, a package none
        amount, currency = price.amount, (price.currency or "").upper()
        if amount is None or not _is_amount(amount) or not _CURRENCY.fullmatch(currency):
            message = f"{_quoted(price)} is no amount in a currency; left out"
            clip.page.tell(Code.PRICE_UNUSABLE, message, "video:price", clip.video.line)
            continue
        resolution = (price.resolution or "").lower()
        yield (
            f"{amount:f}",
            (
                ("currency", currency),
                ("type", price.type),
                ("resolution", resolution if resolution in _RESOLUTIONS else None),
            ),
        )


def _is_amount(amount: Decimal) -> bool:
    return amount.is_finite() and amount >= 0


def _quoted(price: Price) -> str:
    amount = "" if price.amount is None else str(price.amount)
    return f'"{amount} {(price.currency or "")[:20]}"'


def _uploader(clip: Clip) -> Iterator[Element]:
    person = clip.video.uploader or _credited(clip) or clip.fallback.uploader
    if person is None or (name := readable(person.name)) is None:
        return
    name = clip.page.clipped(name, _MOST_UPLOADER, "video:uploader")
    yield name, (("info", _info(person, clip)),)


def _credited(clip: Clip) -> Person | None:
    for role in ("uploader", "owner"):
        for credit in clip.video.credits:
            if credit.role == role and readable(credit.name):
                return Person(name=credit.name)
    return None


def _info(person: Person, clip: Clip) -> str | None:
    """Give the uploader's page, which must be on the same site as the video's."""
    if person.uri is None:
        return None
    url = urls.media(person.uri).url
    return url if url is not None and urls.same_site(url, clip.page.loc) else None


def _ids(clip: Clip) -> Iterator[Element]:
    for kind, value in clip.video.ids:
        if kind in _ID_TYPES and (name := readable(value)) is not None:
            yield name, (("type", kind),)


# -- the table --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One element of the schema; `render` gives it, or nothing."""

    render: Callable[[Clip], str]
    is_legacy: bool = False


def _one(name: str, value: Callable[[Clip], str | None], *, legacy: bool = False) -> Row:
    return Row(lambda clip: leaf(name, value(clip)), legacy)


def _any(name: str, elements: Callable[[Clip], Iterable[Element]], *, legacy: bool = False) -> Row:
    return Row(lambda clip: "".join([leaf(name, *element) for element in elements(clip)]), legacy)


#: In the order of the schema's xsd:sequence, which validators hold to; Google's own samples do not.
VIDEO: Final[tuple[Row, ...]] = (
    _one("video:thumbnail_loc", lambda clip: clip.thumbnail),
    _one("video:title", lambda clip: clip.title),
    _one("video:description", lambda clip: clip.description),
    _one("video:content_loc", lambda clip: clip.content),
    _any("video:player_loc", _player),
    _one("video:duration", _duration),
    _one("video:expiration_date", lambda clip: w3c_date(clip.video.expires)),
    _one("video:rating", _rating),
    _any("video:content_segment_loc", _segments, legacy=True),
    _one("video:view_count", _views),
    _one("video:publication_date", _publication_date),
    _any("video:tag", _tags),
    _one("video:category", _category, legacy=True),
    _one("video:family_friendly", _family_friendly),
    _any("video:restriction", _countries),
    _any("video:gallery_loc", _gallery, legacy=True),
    _any("video:price", _prices, legacy=True),
    _one("video:requires_subscription", _needs_subscription),
    _any("video:uploader", _uploader),
    Row(tvshow, is_legacy=True),
    _any("video:platform", _platforms),
    _one("video:live", lambda clip: _yes(clip.video.live, clip)),
    _any("video:id", _ids, legacy=True),
)
