"""An entry, the header that it stands under, and what only some entries have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from converter.model.media import Audio, Image, Rating, Thumbnail, Video
from converter.model.text import Alternate, Category, ExtraElement, Link, Moment, Person, Text

if TYPE_CHECKING:
    from decimal import Decimal

#: What the names of elements begin with that are kept in `Entry.extra`, to be written again.
MODULES: Final = ("pagemap:", "slash:", "thr:", "wfw:")

#: Names in `Entry.other` that are told apart; a hostile document invents as many as it likes.
MOST_OTHER: Final = 64
#: Stands in `Entry.other` for all names past that; no element can have this name.
OTHER_REST: Final = "*"


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
    """What `itunes:*`, `googleplay:*` and `podcast:*` say of an item, or of a channel."""

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
    """The header of a document, as far as it was read when an entry points to it.

    A reader fills it; from then on nothing changes it.
    """

    format: str | None = None
    """`rss`, `atom`, `jsonfeed`, `sitemap`, `txt`, `csv`."""
    source: str | None = None
    """What the document was called where it was opened."""
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
    """Everything else that the header links to: `hub`, `next`, `prev-archive`, …"""
    words: tuple[ExtraElement, ...] = ()
    other: tuple[str, ...] = ()
    """Names of the elements that nothing reads, as `ttl`: counted as lost, by these names."""


@dataclass(slots=True)
class Entry:
    """One page, as its source tells of it.

    A reader fills it while it reads; whoever is given one makes another by `dataclasses.replace`.
    It is not `kw_only`, for that doubles the time of its constructor; give keywords all the same.
    """

    loc: str | None = None
    """Absolute http(s), resolved by the reader and else as given: hygiene is a pass. None: a
    podcast item may have none; feeds keep such an entry, sitemap and txt report and skip it."""
    id: str | None = None
    """`guid`, Atom `id`; never made up by a reader."""
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
    """The entry's own; else see `feed`."""
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
    """RSS `source`, Atom `source`: the feed that it was first in (rel `source`)."""
    extra: tuple[ExtraElement, ...] = ()
    """What `MODULES` say, links and news of sitemaps that no field holds: kept for the same format,
    counted as lost elsewhere. Of a sitemap also what nothing reads, which `other` counts."""
    other: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Names of the elements that nothing reads, as `x:price`, and how many entries had each: more
    than one where entries were merged. Counted as lost; `OTHER_REST` stands for further names."""
    line: int | None = None
    feed: Feed | None = field(default=None, compare=False, repr=False)
    """The header of the document that it stood in."""
