"""Media objects: videos, audios and images, with their renditions and metadata."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal

    from converter.model.entries import Category, ExtraElement, Moment, Person, Text


class Kind(Enum):
    """The kind of a media URL (mapping 3.6)."""

    VIDEO = "video"
    AUDIO = "audio"
    IMAGE = "image"
    PLAYER = "player"
    DOCUMENT = "document"
    EXECUTABLE = "executable"


@dataclass(slots=True, unsafe_hash=True)
class Thumbnail:
    """`media:thumbnail`; also `itunes:image` and `podcast:image`, which have a URL only."""

    url: str
    width: int | None = None
    height: int | None = None
    time_s: float | None = None
    """Its position in the video."""


@dataclass(slots=True)
class Rendition:
    """One file of a media object: `media:content`, `enclosure`, `podcast:alternateEnclosure`."""

    url: str
    kind: Kind | None = None
    mime: str | None = None
    medium: str | None = None
    """`media:content@medium` as in the source; see `kind`."""
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
    """From an RSS `enclosure` or an Atom link `rel="enclosure"`."""


class Rating(NamedTuple):
    """`media:rating`, `media:adult` (scheme `urn:simple`); values case-folded."""

    value: str
    scheme: str = "urn:simple"


@dataclass(slots=True)
class StarRating:
    """`media:starRating`, or a sitemap's `video:rating` (0 to 5)."""

    average: Decimal | None = None
    count: int | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None


@dataclass(slots=True)
class Tag:
    """One of `media:tags`."""

    name: str
    weight: float = 1.0


class Restriction(NamedTuple):
    """The countries or platforms on which a video may or may not be played.

    `codes` is empty if the source says "none", or if all its codes are unknown; then `unknown`
    holds them (mapping 3.8).
    """

    relationship: Literal["allow", "deny"]
    codes: tuple[str, ...] = ()
    """ISO 3166-1 alpha-2 in upper case; or `web`, `mobile`, `tv` for platforms."""
    unknown: tuple[str, ...] = ()


@dataclass(slots=True)
class Price:
    """`media:price`, `video:price`."""

    type: str | None = None
    """`rent`, `purchase`, `package` or `subscription`."""
    amount: Decimal | None = None
    currency: str | None = None
    resolution: str | None = None
    info: str | None = None


class Credit(NamedTuple):
    """`media:credit`; role and scheme case-folded."""

    name: str
    role: str | None = None
    scheme: str | None = None


@dataclass(slots=True)
class Embed:
    """`media:embed`: a player with its parameters."""

    url: str
    width: int | None = None
    height: int | None = None
    params: tuple[tuple[str, str], ...] = ()


class Series(NamedTuple):
    """`video:tvshow`; also from `itunes:season`, `podcast:episode` and the like."""

    show: str | None = None
    season: int | None = None
    episode: int | None = None
    episode_title: str | None = None
    kind: str | None = None
    """`full`, `preview`, `clip`, `interview`, `news` or `other`."""
    premiered: Moment | None = None


@dataclass(slots=True)
class Gallery:
    """`video:gallery_loc`."""

    url: str
    title: str | None = None


@dataclass(slots=True)
class Video:
    """One video: its renditions, and its metadata of all levels (mapping 3.5).

    Inheritance (content > group > item > channel) is resolved; the target applies the fall-backs
    of mapping 3.7 to the entry's title, text and images.
    """

    content_url: str | None = None
    """The URL of the best rendition (mapping 3.5)."""
    player_url: str | None = None
    """From `media:player`, YouTube, or a player-class rendition (mapping 3.7); Flash only for want
    of a file and another player."""
    player_size: tuple[int | None, int | None] | None = None
    """Width and height of `media:player`, pixels."""
    renditions: tuple[Rendition, ...] = ()
    title: Text | None = None
    description: Text | None = None
    thumbnails: tuple[Thumbnail, ...] = ()
    """From `media:thumbnail`, in order; not the entry's artwork or images of siblings."""
    sibling_images: tuple[str, ...] = ()
    """Images of the same group, used if there is no thumbnail."""
    youtube_id: str | None = None
    duration_s: float | None = None
    """As in the source; a sitemap rounds it half up."""
    published: Moment | None = None
    """Start of `dcterms:valid`, or a sitemap's date; else see the entry."""
    expires: Moment | None = None
    star_rating: StarRating | None = None
    views: int | None = None
    favorites: int | None = None
    keywords: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    categories: tuple[Category, ...] = ()
    ratings: tuple[Rating, ...] = ()
    """Of content, group or item; those of the channel are `Feed.ratings` (mapping 3.8)."""
    countries: Restriction | None = None
    platforms: Restriction | None = None
    embed_allowed: bool | None = None
    prices: tuple[Price, ...] = ()
    requires_subscription: bool | None = None
    """From a sitemap; for feeds it follows from `prices`."""
    live: bool | None = None
    credits: tuple[Credit, ...] = ()
    uploader: Person | None = None
    """From a sitemap; for feeds it follows from `credits` and the entry's authors."""
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
    words: tuple[ExtraElement, ...] = ()
    """`media:hash`, `text`, `subTitle`, `scenes`, `rights`, `location`, …"""
    line: int | None = None


@dataclass(slots=True)
class Audio:
    """An audio file; sitemaps have no extension for it."""

    content_url: str
    renditions: tuple[Rendition, ...] = ()
    title: Text | None = None
    description: Text | None = None
    thumbnails: tuple[Thumbnail, ...] = ()
    duration_s: float | None = None
    words: tuple[ExtraElement, ...] = ()
    """All other `media:*` elements that apply to it."""
    line: int | None = None


@dataclass(slots=True)
class Image:
    """An image of the page."""

    url: str
    title: Text | None = None
    caption: Text | None = None
    geo: str | None = None
    license: str | None = None
    rendition: Rendition | None = None
    """Type, size, … if it is a `media:content` or an enclosure."""
    words: tuple[ExtraElement, ...] = ()
    line: int | None = None
