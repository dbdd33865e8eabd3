"""Every option, once: its name, type, default, section and help are a field of these classes.

From them come the options of the command line, the keys of the configuration file
(`limit-urls`), the variables of the environment (`FEED2SITEMAP_LIMIT_URLS`), the keywords of
`convert()` (`limit_urls`), the help and the tables of docs/cli.md, in this order. Fields without
`option` are set by the program. All can be pickled. None shows its values: headers may hold a key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from converter.options import types
from converter.options.types import (
    FLAG,
    PATTERNS,
    SWITCH,
    URL,
    OptionGroup,
    choice,
    option,
    path,
    real,
    text,
    texts,
    whole,
)

if TYPE_CHECKING:
    from converter.model import Feed, Moment

__all__ = [
    "CommandOptions",
    "FetchOptions",
    "Job",
    "Limits",
    "PublishOptions",
    "ReadOptions",
    "TransformOptions",
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


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class ReadOptions(OptionGroup):
    """Options of readers."""

    base_url: str | None = option(
        URL, "Base URL for relative links without xml:base.", section="Sources"
    )
    assume_tz: tzinfo = option(
        types.ZONE, "Time zone of dates without one, such as Europe/Berlin.", default=UTC
    )
    scan_html: bool = option(FLAG, "Also use <img> elements of the content as images of the page.")
    max_bytes: int | None = option(
        types.SIZE,
        "Refuse larger sources. Default: 512 MiB for compressed or fetched ones, else no limit.",
    )
    limits: Limits = field(default_factory=Limits)
    """With `max_bytes`."""
    name: str | None = None
    """The source's name, for `Feed.source`."""
    source_url: str | None = None
    """The URL of a fetched document, after redirects: the base where `base_url` is None."""
    header: Feed | None = None
    """The complete header of the document, when it is read for the second time."""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class FetchOptions(OptionGroup):
    """How sources are fetched, and which documents besides the named ones."""

    all_feeds: bool = option(
        FLAG,
        "Read all feeds that a web page links to. Default: only the first.",
        section="Fetching sources from the web",
    )
    follow_pages: bool = option(FLAG, "Also read the older pages that a feed links to.")
    max_pages: int = option(whole("N"), "Read at most N pages of a feed.", default=1000)
    keep_going: bool = option(
        FLAG, "Continue if an older page cannot be fetched. Default: publish nothing."
    )
    timeout_s: float = option(
        real("SECONDS", 1, 86_400),
        "Stop fetching a source, with redirects and retries, after SECONDS.",
        default=300.0,
        keyword="timeout",
    )
    connect_s: float = 10.0
    silence_s: float = 30.0
    """The longest wait for the next byte."""
    retries: int = option(
        whole("N", 0, 10),  # each waits twice as long as the one before
        "Retries per request after connection errors, 429 and 5xx.",
        default=3,
    )
    user_agent: str | None = option(
        types.USER_AGENT, "User-Agent to send. Default: feed2sitemap, its version and home page."
    )
    headers: tuple[tuple[str, str], ...] = option(
        types.HEADERS, "Extra header to send to the named hosts, and to no others.", long="--header"
    )
    cache: str | None = option(
        path("DIR"), "Keep fetched documents in DIR, and fetch only those that have changed."
    )
    allow_private_hosts: bool = option(
        FLAG, "Also fetch from private addresses (127.0.0.1, 10.0.0.0/8, ...)."
    )


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class PublishOptions(OptionGroup):
    """What happens to a published set of files, and to the files beside it."""

    update: bool = option(
        FLAG,
        "Add to the sitemap in --output; its existing entries stay.",
        section="Updating a published sitemap",
    )
    merge: tuple[str, ...] = option(
        texts("FILE|URL", completes="path"),
        "Also write the entries of this source, first; of two with one URL the newer wins.",
    )
    part_by: Literal["month", "year"] | None = option(
        choice("month", "year"),
        "Write a file per month or year of publication, such as NAME-2026-11.xml.",
    )
    expire: int | None = option(
        whole("DAYS", 1, 36_525),  # a century; before that there were no pages
        "Remove entries, new or published, last modified more than DAYS ago.",
    )
    min_urls: int | None = option(whole("N"), "Refuse to publish fewer than N URLs.")
    fail_if_shrinks: float | None = option(
        types.PERCENT, "Refuse to publish if more than PERCENT of the existing URLs would go."
    )
    news_output: str | None = option(
        path("FILE"), "Write recent entries to FILE, a news sitemap; requires --news."
    )
    news_empty: Literal["keep", "remove"] = option(
        choice("keep", "remove"),
        "Without recent entries: keep the newest one in FILE, or remove FILE.",
        default="keep",
    )
    robots: str | None = option(
        path("FILE"), "Add or update our Sitemap: line in this robots.txt; requires --sitemap-url."
    )


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class TransformOptions(OptionGroup):
    """Options of the transforms between reader and writer."""

    now: datetime
    """The time of the run."""
    sitemap_url: str | None = option(
        URL,
        "Public URL of the file that --output names, for an index and the scope check.",
        section="Output",
    )
    drop: tuple[str, ...] = option(
        PATTERNS,
        "Remove entries, new or published, whose URL matches.",
        section="Updating a published sitemap",
    )
    expired_before: datetime | None = None
    """`expire`, as a time."""
    host: str | None = option(
        text("HOST"), "Drop entries on other hosts, with a warning.", section="URLs"
    )
    unify_host: bool = option(FLAG, "Rewrite the www or non-www sibling of the host.")
    scheme: Literal["http", "https"] | None = option(choice("http", "https"), "Rewrite the scheme.")
    loc_template: str | None = option(
        text("TEMPLATE", may_be_empty=False),
        "Make page URLs from fields of the entry: https://site/videos/{yt_id}."
        " Fields: {yt_id}, {id}, {loc}, {slug}, {title_slug}.",
    )
    keep_params: tuple[str, ...] = option(
        texts("NAME"), "Never remove this query parameter; NAME* is a prefix.", long="--keep-param"
    )
    drop_params: tuple[str, ...] = option(
        texts("NAME"), "Always remove this query parameter; NAME* is a prefix.", long="--drop-param"
    )
    keep_tracking: bool = option(FLAG, "Keep tracking parameters (utm_source, fbclid, ...).")
    keep_session_ids: bool = option(FLAG, "Keep session identifiers.")
    include: tuple[str, ...] = option(
        PATTERNS, "Keep only entries whose final URL matches.", section="Selecting entries"
    )
    exclude: tuple[str, ...] = option(
        PATTERNS, "Drop entries whose final URL matches; wins over --include."
    )
    since: Moment | None = option(types.DATE, "Drop entries with an earlier lastmod.")
    until: Moment | None = option(types.DATE, "Drop entries with a later lastmod.")
    require_lastmod: bool = option(FLAG, "Drop entries without lastmod.")
    sort: Literal["input", "url", "newest"] | None = option(
        choice("input", "url", "newest"), "Order of entries. Default: newest for feeds, else input."
    )
    max_entries: int | None = option(whole("N"), "Stop after N entries (feeds: the newest N).")
    lastmod: Literal["auto", "updated", "published", "none"] = option(
        choice("auto", "updated", "published", "none"),
        "Date to write as lastmod; never the time of the run.",
        default="auto",
        section="Content",
    )


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class WriteOptions(OptionGroup):
    """Options of writers. `now` is the clock: same input, same options, same bytes."""

    now: datetime
    lastmod: Literal["auto", "updated", "published", "none"] = "auto"
    """That of `TransformOptions`."""
    limit_urls: int | None = option(
        whole("N", 1, 50_000),  # https://www.sitemaps.org/protocol.html
        "At most N URLs in a file. Default: 50,000, the protocol's limit.",
        section="Output",
    )
    limit_bytes: int | None = option(
        types.PART_BYTES,
        "At most SIZE (10MB, 10MiB) in a file. Default: 50 MiB, the protocol's limit.",
    )
    pretty: bool = option(FLAG, "Indent the output.")
    changefreq: str | None = option(
        # https://www.sitemaps.org/protocol.html#changefreqdef
        choice("always", "hourly", "daily", "weekly", "monthly", "yearly", "never"),
        "Hint for entries without one.",
        section="Content",
    )
    priority: str | None = option(types.PRIORITY, "Hint for entries without one: 0.0 to 1.0.")
    images: bool = option(SWITCH, "Write images.", default=True)
    videos: bool = option(SWITCH, "Write videos.", default=True)
    news_name: str | None = option(
        text("NAME"),
        "Write news tags, for the publication NAME, in entries of the last two days.",
        keyword="news",
    )
    news_language: str | None = option(
        text("CODE"), "Language of the publication, if the source does not state it."
    )
    news_apart: bool = False
    """News tags go to a file of their own, `news_output`, and not to this one."""
    mobile: bool = option(FLAG, "Mark every entry with <mobile:mobile/>.")
    legacy_tags: bool = option(FLAG, "Also write tags that Google no longer uses.")
    title: str | None = option(
        text("TEXT"), "Title.", section="Header of a written feed (instead of the source's)"
    )
    link: str | None = option(URL, "The page that the feed belongs to.")
    description: str | None = option(text("TEXT"), "Description.")
    author: str | None = option(text("TEXT"), "Author.")
    self_url: str | None = option(URL, "Public URL of the feed itself.")
    tell_losses: bool = option(
        FLAG, "Report every entry that loses a field; losses are counted anyway.", section=None
    )
    count_fields: bool = option(FLAG, "Also count the fields that are kept.")


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class RunOptions(OptionGroup):
    """All options of one run."""

    read: ReadOptions
    transforms: TransformOptions
    write: WriteOptions
    fetch: FetchOptions = field(default_factory=FetchOptions)
    publish: PublishOptions = field(default_factory=PublishOptions)
    format: str | None = option(
        types.SOURCE_FORMAT,
        "Format of the sources: auto, rss, mrss, atom, txt or sitemap. Default: auto.",
        short="-f",
        long="--from",
        section="Sources",
    )
    to: str | None = option(
        types.TARGET_FORMAT,
        "Format to write. Default: by the extension of --output, else sitemap.",
        short="-t",
        section="Output",
    )
    gzip: bool = option(FLAG, "Compress the output, as .gz at the end of --output does.")
    split_hosts: bool = option(FLAG, "Write one output per host, NAME-HOST.xml.")
    dry_run: bool = option(FLAG, "Publish nothing; print what would change.")
    force: bool = option(FLAG, "Allow the output to replace a source. Default: refuse.")
    jobs: int = option(
        whole("N", 1, 256),  # more than any machine has cores; each is a process
        "Processes that share the work. Default: one per core.",
        default=1,
        short="-j",
        section="Messages, settings and processes",
    )


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class CommandOptions(OptionGroup):
    """Options that only the command line has."""

    output: str = option(
        path("PATH"),
        "File to write. Default: -, which is standard output.",
        default="-",
        short="-o",
        section="Output",
    )
    config: str | None = option(
        path("FILE"),
        "Read options from FILE. Default: feed2sitemap.toml, else [tool.feed2sitemap] in"
        " pyproject.toml, in the working directory.",
        section="Messages, settings and processes",
    )
    strict: bool = option(FLAG, "Exit with 1 if a warning or an error was reported.")
    report: str | None = option(path("FILE"), "Write outputs, counts and all issues as JSON.")
    losses: bool = option(
        FLAG, "Print a table of omitted items, and of fields that were altered or dropped."
    )
    quiet: bool = option(
        FLAG, "Print only errors, and the table of --losses if requested.", short="-q"
    )
    verbose: bool = option(
        FLAG,
        "Print all issues, with infos. Default: warnings and errors, at most 10 of a code.",
        short="-v",
    )
    progress: bool | None = option(
        SWITCH, "Progress bar on standard error. Default: on a terminal, after one second."
    )
    color: bool | None = option(SWITCH, "Also NO_COLOR and FORCE_COLOR. Default: on a terminal.")
