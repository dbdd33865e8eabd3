"""Entries, the header of their document, and their values: dates, texts, people, links."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal

    from converter.model.media import Audio, Image, Rating, Thumbnail, Video

#: Prefixes of the elements that are kept in `Entry.extra` and written again: of feeds, of all.
FEED_MODULES: Final = ("slash:", "thr:", "wfw:")
MODULES: Final = ("pagemap:", *FEED_MODULES)

#: The most names in `Entry.other`, because a hostile document may use any number.
MOST_OTHER: Final = 64
#: Replaces all further names in `Entry.other`; no element can have this name.
OTHER_REST: Final = "*"


class Precision(IntEnum):
    """The precision of a date; a larger value is more precise."""

    YEAR = 1
    MONTH = 2
    DAY = 3
    SECOND = 4


class Moment(NamedTuple):
    """A date with the precision and the offset of its source.

    A plain date is 00:00:00 UTC of its day, a month its first day.
    """

    instant: datetime
    """Aware, in whole seconds."""
    precision: Precision = Precision.SECOND

    @property
    def is_partial(self) -> bool:
        """True for a year or a month, which a sitemap's date does not allow (mapping 1.3)."""
        return self.precision < Precision.DAY


@dataclass(slots=True, unsafe_hash=True)
class Text:
    """A text as in its source; not frozen for speed, see `Person`."""

    value: str
    is_html: bool = False
    base: str | None = None
    """The base of relative references in HTML."""
    has_own_base: bool = False
    """The base is an `xml:base`, not that of the document."""


@dataclass(slots=True, unsafe_hash=True)
class Person:
    """An author; the name is never made from a mail address.

    Not frozen, because the constructor of a frozen dataclass takes four times as long. No code
    changes it.
    """

    name: str | None = None
    email: str | None = None
    uri: str | None = None


@dataclass(slots=True, unsafe_hash=True)
class Category:
    """RSS `category`, `dc:subject`, Atom `category`, `media:category`; see `Person`."""

    term: str
    label: str | None = None
    scheme: str | None = None

    @property
    def text(self) -> str:
        """The label, else the term."""
        return self.label or self.term


class Link(NamedTuple):
    """A link of a header or an entry other than its page, as `self`, `hub`, `next`."""

    href: str
    rel: str
    type: str | None = None
    hreflang: str | None = None
    title: str | None = None


@dataclass(slots=True, unsafe_hash=True)
class Alternate:
    """The same page in another language (hreflang)."""

    hreflang: str
    href: str


class ExtraElement(NamedTuple):
    """An element that the converter does not interpret, kept for the same namespace."""

    name: str
    """The canonical name of `xml.namespaces`, as `media:hash`."""
    text: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[ExtraElement, ...] = ()


@dataclass(slots=True, kw_only=True)
class News:
    """A sitemap's `news:news`."""

    name: str | None = None
    language: str | None = None
    published: Moment | None = None
    title: str | None = None
    access: str | None = None
    genres: str | None = None
    keywords: str | None = None
    stock_tickers: str | None = None
    line: int | None = None


@dataclass(slots=True, unsafe_hash=True)
class Podcast:
    """The `itunes:*`, `googleplay:*` and `podcast:*` elements of an item or a channel."""

    author: str | None = None
    summary: str | None = None
    subtitle: str | None = None
    keywords: tuple[str, ...] = ()
    explicit: bool | None = None
    duration_s: float | None = None
    season: int | None = None
    episode: int | None = None
    episode_type: str | None = None
    """`full`, `trailer` or `bonus`."""
    images: tuple[Thumbnail, ...] = ()
    """`itunes:image` first, then `podcast:image`."""
    blocked: bool | None = None
    medium: str | None = None
    """`podcast:medium` of a channel."""


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Feed:
    """The header of a document, as far as it was read before the entry.

    A reader fills it; other code does not change it.
    """

    format: str | None = None
    """`rss`, `atom`, `jsonfeed`, `sitemap`, `txt`, `csv`."""
    source: str | None = None
    """The name under which the document was opened."""
    title: str | None = None
    link: str | None = None
    self_url: str | None = None
    id: str | None = None
    description: str | None = None
    lang: str | None = None
    updated: Moment | None = None
    published: Moment | None = None
    built: Moment | None = None
    """RSS `lastBuildDate`."""
    authors: tuple[Person, ...] = ()
    categories: tuple[Category, ...] = ()
    generator: str | None = None
    copyright: str | None = None
    image: str | None = None
    """RSS `image/url`, then `itunes:image`, then Atom `logo`."""
    license: str | None = None
    ratings: tuple[Rating, ...] = ()
    """Channel-level `media:rating`."""
    podcast: Podcast | None = None
    links: tuple[Link, ...] = ()
    """All other links of the header: `hub`, `next`, `prev-archive`, …"""
    words: tuple[ExtraElement, ...] = ()
    other: tuple[str, ...] = ()
    """Names of unknown elements, as `ttl`: counted as lost."""


@dataclass(slots=True)
class Entry:
    """One page, as in its source.

    A reader fills it; other code copies it with `dataclasses.replace`. Pass keywords only; the
    class is not `kw_only` because that doubles the time of its constructor.
    """

    loc: str | None = None
    """Absolute http(s), resolved by the reader, not yet cleaned. A podcast item may lack it: feeds
    keep such an entry, sitemap and txt report and skip it."""
    id: str | None = None
    """`guid`, Atom `id`; readers do not make one up."""
    id_is_permalink: bool | None = None
    title: str | None = None
    """Plain text."""
    summary: Text | None = None
    content: Text | None = None
    published: Moment | None = None
    updated: Moment | None = None
    authors: tuple[Person, ...] = ()
    categories: tuple[Category, ...] = ()
    lang: str | None = None
    """The entry's own language; else see `feed`."""
    alternates: tuple[Alternate, ...] = ()
    changefreq: str | None = None
    priority: Decimal | None = None
    videos: tuple[Video, ...] = ()
    images: tuple[Image, ...] = ()
    audios: tuple[Audio, ...] = ()
    podcast: Podcast | None = None
    news: News | None = None
    mobile: bool = False
    comments: str | None = None
    copyright: str | None = None
    license: str | None = None
    links: tuple[Link, ...] = ()
    source: Link | None = None
    """RSS `source`, Atom `source`: the feed of first publication (rel `source`)."""
    extra: tuple[ExtraElement, ...] = ()
    """Elements of `MODULES`, and links and news of sitemaps without a field: kept for the same
    format, counted as lost elsewhere. In a sitemap also unknown elements, which `other` counts."""
    other: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Names of unknown elements, as `x:price`, and the number of merged entries that had each.
    Counted as lost; `OTHER_REST` replaces further names."""
    line: int | None = None
    feed: Feed | None = field(default=None, compare=False, repr=False)
    """The header of its document."""
