"""The entry model: what a feed, a list or a sitemap says, in the words of none of them.

Everything here is frozen, slotted and keyword-only; sequences are tuples; units stand in the
names. What a source does not say stays None: nothing here is ever made up. Values are parsed,
but not yet adapted to a target: how long a title may be is the sitemap writer's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Literal

__all__ = [
    "Alternate",
    "Audio",
    "Category",
    "Credit",
    "Embed",
    "Entry",
    "Feed",
    "Gallery",
    "Image",
    "Kind",
    "Link",
    "Moment",
    "News",
    "Person",
    "Podcast",
    "Precision",
    "Price",
    "Rating",
    "Rendition",
    "Restriction",
    "Series",
    "StarRating",
    "Tag",
    "Text",
    "Thumbnail",
    "Video",
    "Word",
]


class Precision(IntEnum):
    """How much of a date its source gave; more is larger."""

    YEAR = 1
    MONTH = 2
    DAY = 3
    SECOND = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date with the precision and the offset that its source gave.

    A plain date is 00:00:00 UTC of its day, a month its first day; `precision` tells.
    """

    instant: datetime
    """Always aware; whole seconds."""
    precision: Precision = Precision.SECOND

    @property
    def is_partial(self) -> bool:
        """A year or a month: too little for a sitemap's date (mapping 1.3)."""
        return self.precision < Precision.DAY


class Kind(Enum):
    """What a media URL is (mapping 3.6)."""

    VIDEO = "video"
    AUDIO = "audio"
    IMAGE = "image"
    PLAYER = "player"
    DOCUMENT = "document"
    EXECUTABLE = "executable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text as the source gave it, and whether the source meant it as HTML."""

    value: str
    is_html: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """An author; a name is never made from a mail address."""

    name: str | None = None
    email: str | None = None
    uri: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """RSS `category`, `dc:subject`, Atom `category`, `media:category`."""

    term: str
    label: str | None = None
    scheme: str | None = None

    @property
    def text(self) -> str:
        """What a reader sees: the label, else the term."""
        return self.label or self.term


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of a header or an entry that is not its page: `self`, `hub`, `next`, `license`, …"""

    href: str
    rel: str
    type: str | None = None
    hreflang: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternate:
    """The same page in another language (hreflang)."""

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """An element that no target interprets, kept as it is: for the same vocabulary again."""

    name: str
    """`prefix:local` with the canonical prefix of `xml.names`, as `media:hash`."""
    text: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Thumbnail:
    """`media:thumbnail`; also `itunes:image` and `podcast:image`, which have only a URL."""

    url: str
    width: int | None = None
    height: int | None = None
    time_s: float | None = None
    """The moment in the video that it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendition:
    """One file of a media object: `media:content`, `enclosure`, `podcast:alternateEnclosure`."""

    url: str
    kind: Kind | None = None
    mime: str | None = None
    medium: str | None = None
    """`media:content@medium` as given; `kind` is what was made of it."""
    is_default: bool = False
    expression: str | None = None
    """`sample`, `full` or `nonstop`; None is full."""
    width: int | None = None
    height: int | None = None
    bitrate_kbps: float | None = None
    framerate: float | None = None
    samplingrate_khz: float | None = None
    channels: int | None = None
    duration_s: float | None = None
    size_bytes: int | None = None
    lang: str | None = None
    title: str | None = None
    from_enclosure: bool = False
    """It stood in an RSS `enclosure` or an Atom link `rel="enclosure"`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """`media:rating`, `media:adult` (scheme `urn:simple`); values case-folded."""

    value: str
    scheme: str = "urn:simple"


@dataclass(frozen=True, slots=True, kw_only=True)
class StarRating:
    """`media:starRating`, or a sitemap's `video:rating` (0 to 5)."""

    average: Decimal | None = None
    count: int | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """One of `media:tags`."""

    name: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Restriction:
    """Where a video may (not) be played, or on what.

    `codes` is empty either because the source said "nobody" / "nowhere", or because nothing
    that it said could be understood: then `unknown` holds what it said (mapping 3.8).
    """

    relationship: Literal["allow", "deny"]
    codes: tuple[str, ...] = ()
    """ISO 3166-1 alpha-2 in upper case; or `web`, `mobile`, `tv` for platforms."""
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """`media:price`, `video:price`."""

    type: str | None = None
    """`rent`, `purchase`, `package` or `subscription`."""
    amount: Decimal | None = None
    currency: str | None = None
    resolution: str | None = None
    info: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """`media:credit`; role and scheme case-folded."""

    name: str
    role: str | None = None
    scheme: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Embed:
    """`media:embed`: a player with its parameters."""

    url: str
    width: int | None = None
    height: int | None = None
    params: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """`video:tvshow`; also from `itunes:season`, `itunes:episode`, `podcast:season`, …"""

    show: str | None = None
    season: int | None = None
    episode: int | None = None
    episode_title: str | None = None
    kind: str | None = None
    """`full`, `preview`, `clip`, `interview`, `news` or `other`."""
    premiered: Moment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gallery:
    """`video:gallery_loc`."""

    url: str
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """One video: all its renditions, and what was said of it at any level (mapping 3.5).

    Inheritance (content > group > item > channel) is resolved; the fall-backs of mapping 3.7 to
    the entry's own title, text and pictures are not: a target takes them where it needs them.
    """

    content_url: str | None = None
    """The best rendition's (mapping 3.5), else None."""
    player_url: str | None = None
    """`media:player`, YouTube's, or another player-class rendition's (mapping 3.7)."""
    flash_url: str | None = None
    """A Flash rendition: the player of last resort (mapping 3.5 rule 2)."""
    player_size: tuple[int | None, int | None] | None = None
    """Width and height of `media:player`, pixels."""
    renditions: tuple[Rendition, ...] = ()
    title: Text | None = None
    description: Text | None = None
    thumbnails: tuple[Thumbnail, ...] = ()
    """Of `media:thumbnail`, in order; not the entry's artwork, not its siblings' pictures."""
    sibling_images: tuple[str, ...] = ()
    """Pictures of the same group: thumbnails if there is no other."""
    youtube_id: str | None = None
    duration_s: float | None = None
    """As given; a sitemap rounds it half up."""
    published: Moment | None = None
    """Start of `dcterms:valid`, or a sitemap's own date; else see the entry's."""
    expires: Moment | None = None
    star_rating: StarRating | None = None
    views: int | None = None
    favorites: int | None = None
    keywords: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    categories: tuple[Category, ...] = ()
    ratings: tuple[Rating, ...] = ()
    """Of content, group or item; the channel's stand in `Feed.ratings` (mapping 3.8)."""
    countries: Restriction | None = None
    platforms: Restriction | None = None
    embed_allowed: bool | None = None
    prices: tuple[Price, ...] = ()
    requires_subscription: bool | None = None
    """As a sitemap says it; from feeds it follows from `prices`."""
    live: bool | None = None
    credits: tuple[Credit, ...] = ()
    uploader: Person | None = None
    """A sitemap's; from feeds it follows from `credits` and the entry's authors."""
    copyright: str | None = None
    license: str | None = None
    status: str | None = None
    """`media:status@state`: `active`, `blocked` or `deleted`."""
    embed: Embed | None = None
    series: Series | None = None
    gallery: Gallery | None = None
    autoplay: str | None = None
    ids: tuple[tuple[str, str], ...] = ()
    """`video:id` as (type, value)."""
    segments: tuple[tuple[str, int | None], ...] = ()
    """`video:content_segment_loc` as (URL, seconds)."""
    words: tuple[Word, ...] = ()
    """`media:hash`, `text`, `subTitle`, `scenes`, `rights`, `location`, …"""
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio:
    """A sound: no sitemap extension tells of it, feeds do."""

    content_url: str
    renditions: tuple[Rendition, ...] = ()
    title: Text | None = None
    description: Text | None = None
    thumbnails: tuple[Thumbnail, ...] = ()
    duration_s: float | None = None
    words: tuple[Word, ...] = ()
    """Every other `media:*` element that applies to it."""
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture of the page."""

    url: str
    title: Text | None = None
    caption: Text | None = None
    geo: str | None = None
    license: str | None = None
    rendition: Rendition | None = None
    """Where it was a `media:content` or an enclosure: its type, size, …"""
    words: tuple[Word, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """The header of a document, as far as it was read when an entry points to it."""

    format: str | None = None
    """`rss`, `atom`, `sitemap`, `txt`."""
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
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One page, as its source tells of it."""

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
    extra: tuple[Word, ...] = ()
    """`slash:*`, `thr:*`, `wfw:*`, PageMap: kept for the same format, counted as lost elsewhere."""
    line: int | None = None
    feed: Feed | None = field(default=None, compare=False, repr=False)
    """The header of the document that it stood in."""
