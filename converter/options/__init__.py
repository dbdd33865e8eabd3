"""What a run is asked to do: complete, picklable, the same below CLI and library.

`table` declares the options, `keywords` makes these classes of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from converter.model import Feed, Moment

__all__ = [
    "FetchOptions",
    "Job",
    "Limits",
    "LiveOptions",
    "PassOptions",
    "ReadOptions",
    "WriteOptions",
]


class Limits(NamedTuple):
    """Guards against hostile input; the limits of a specification stand in the format's file.

    libxml2's own guards (depth 256, one text or attribute of 10 MB, amplification of entities)
    are not here: they are on, and cannot be switched off.
    """

    max_source_bytes: int | None = None
    """Of a local file or standard input; None: no limit."""
    max_unpacked_bytes: int = 512 * 1024 * 1024
    """Of anything that was compressed or fetched."""
    max_unpack_ratio: int = 1000
    """Unpacked to packed, looked at past `ratio_floor_bytes`."""
    ratio_floor_bytes: int = 10 * 1024 * 1024
    max_repair_bytes: int = 2 * 1024 * 1024
    """The largest document that is read as tag soup: that needs the whole of it in memory."""
    max_line_bytes: int = 1024 * 1024
    """Of a line in a list; a longer one is reported and skipped without being held."""


class ReadOptions(NamedTuple):
    """What a reader may be told."""

    name: str | None = None
    """What the source was called: for `Feed.source`."""
    base_url: str | None = None
    """`--base-url`: the base of relative references; second to `xml:base` (mapping 6.3)."""
    source_url: str | None = None
    """Where the document was fetched from, after redirects; third."""
    assume_tz: tzinfo = UTC
    """`--assume-tz`: the zone of dates that have none."""
    scan_html: bool = False
    """`--scan-html`: `<img>` of the content are images of the page."""
    header: Feed | None = None
    """The complete header of the same document, when it is walked a second time."""
    limits: Limits = Limits()


class PassOptions(NamedTuple):
    """What happens to entries between reader and writer."""

    now: datetime
    host: str | None = None
    unify_host: bool = False
    scheme: Literal["http", "https"] | None = None
    loc_template: str | None = None
    keep_params: tuple[str, ...] = ()
    drop_params: tuple[str, ...] = ()
    keep_tracking: bool = False
    keep_session_ids: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    since: Moment | None = None
    until: Moment | None = None
    require_lastmod: bool = False
    sort: Literal["input", "url", "newest"] | None = None
    """None: as the target's format orders it."""
    max_entries: int | None = None
    lastmod: Literal["auto", "updated", "published", "none"] = "auto"
    sitemap_url: str | None = None
    """For the scope check (mapping 1.5)."""
    drop: tuple[str, ...] = ()
    """`--drop`: also what a merged source gives."""
    expired_before: datetime | None = None
    """`--expire`: entries that were last modified earlier go; those without a date stay."""


class WriteOptions(NamedTuple):
    """What a writer may be told. `now` is the clock: same input, same options, same bytes."""

    now: datetime
    lastmod: Literal["auto", "updated", "published", "none"] = "auto"
    changefreq: str | None = None
    priority: str | None = None
    images: bool = True
    videos: bool = True
    news_name: str | None = None
    news_language: str | None = None
    news_apart: bool = False
    """News has a file of its own: here are only pages."""
    mobile: bool = False
    legacy_tags: bool = False
    limit_urls: int | None = None
    limit_bytes: int | None = None
    pretty: bool = False
    tell_losses: bool = False
    """Name every entry that a field of is lost; they are counted anyway."""
    count_fields: bool = False
    """Count the fields that entries have, so that the kept can be told beside the lost."""
    title: str | None = None
    link: str | None = None
    description: str | None = None
    author: str | None = None
    self_url: str | None = None


@dataclass(slots=True, kw_only=True)
class FetchOptions:
    """How sources are fetched, and what else belongs to them."""

    timeout_s: float = 300.0
    """For one document in all: redirects, retries and its body."""
    connect_s: float = 10.0
    silence_s: float = 30.0
    """The longest wait for the next byte."""
    retries: int = 3
    user_agent: str | None = None
    """None: the program's own."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Sent to the hosts that were named, and never printed: they may hold a key."""
    cache: str | None = None
    """A folder for what was fetched, with ETag and Last-Modified."""
    allow_private_hosts: bool = False
    all_feeds: bool = False
    """Of a page with several feeds, all; else the first."""
    follow_pages: bool = False
    max_pages: int = 1000
    keep_going: bool = False
    """A further page that cannot be had is reported, and ends the pages; else it ends the run."""


class LiveOptions(NamedTuple):
    """What happens to a set that is published already."""

    merge: tuple[str, ...] = ()
    """Sources whose URLs stay."""
    update: bool = False
    """The output itself is one of them."""
    part_by: Literal["month", "year"] | None = None
    min_urls: int | None = None
    fail_if_shrinks: float | None = None
    """Percent of the URLs of the present output."""
    news_output: str | None = None
    news_empty: Literal["keep", "remove"] = "keep"
    robots: str | None = None


class Job(NamedTuple):
    """Everything that one run is asked to do."""

    read: ReadOptions
    passes: PassOptions
    write: WriteOptions
    fetch: FetchOptions = FetchOptions()
    live: LiveOptions = LiveOptions()
    format: str | None = None
    to: str | None = None
    gzip: bool = False
    split_hosts: bool = False
    dry_run: bool = False
    force: bool = False
    jobs: int = 1
    """How many processes may work on a large source."""
