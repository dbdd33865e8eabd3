"""Every option, once: a field of these classes has its name, type, default, section and help.

The command line (`--limit-urls`), the configuration file (`limit-urls`), the environment
(`FEED2SITEMAP_LIMIT_URLS`), the keywords of `convert()` (`limit_urls`), the help and the tables of
docs/cli.md are made from them. The program sets the fields without `option`. The classes can be
pickled, and their `repr` shows no values: a header may contain a key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from converter.options import option_types
from converter.options.option_types import FLAG, SWITCH, URL, choice, number, option, path, text
from converter.sitemap_limits import MAX_URLS

if TYPE_CHECKING:
    from converter.model import Feed, Moment


class Limits(NamedTuple):
    """Guards against hostile input; the limits of a file format are in the format's module.

    libxml2's own guards (depth 256, 10 MB per text or attribute, amplification of entities) are
    always on.
    """

    max_source_bytes: int | None = None
    """Size of a local file or standard input; None for no limit."""
    max_unpacked_bytes: int = 512 * 1024 * 1024
    """Size of a compressed or fetched document, unpacked."""
    max_unpack_ratio: int = 1000
    """Unpacked to packed size, checked above `ratio_floor_bytes`."""
    ratio_floor_bytes: int = 10 * 1024 * 1024
    max_repair_bytes: int = 2 * 1024 * 1024
    """Size of a document that is read as tag soup, which needs all of it in memory."""
    max_line_bytes: int = 1024 * 1024
    """Length of a line in a list; a longer line is reported and skipped without being stored."""


@dataclass(slots=True, kw_only=True, repr=False)
class ReadOptions:
    """Options of readers."""

    base_url: str | None = option(
        URL, "Base URL for relative links without xml:base.", section="Sources"
    )
    assume_tz: tzinfo = option(
        option_types.ZONE, "Time zone of dates without one, such as Europe/Berlin.", default=UTC
    )
    scan_html: bool = option(FLAG, "Also use <img> elements of the content as images of the page.")
    max_bytes: int | None = option(
        option_types.SIZE,
        "Refuse larger sources. Default: 512 MiB for compressed or fetched ones, else no limit.",
    )
    limits: Limits = field(default_factory=Limits)
    """Include `max_bytes`."""
    name: str | None = None
    """The source's name, for `Feed.source`."""
    source_url: str | None = None
    """The URL of a fetched document after redirects; the base if `base_url` is None."""
    header: Feed | None = None
    """The complete header of the document in a second pass."""


@dataclass(slots=True, kw_only=True, repr=False)
class FetchOptions:
    """How sources are fetched, and which documents are read in addition."""

    all_feeds: bool = option(
        FLAG,
        "Read all feeds of a web page. Default: only the first.",
        section="Fetching sources from the web",
    )
    follow_pages: bool = option(FLAG, "Also read the older pages of a feed.")
    max_pages: int = option(number("N"), "Read at most N pages of a feed.", default=1000)
    keep_going: bool = option(
        FLAG, "Continue if an older page, or a feed of a list, fails. Default: publish nothing."
    )
    timeout_s: float = option(
        number("SECONDS", 1, 86_400, kind=float),
        "Stop fetching a source, with redirects and retries, after SECONDS.",
        default=300.0,
        keyword="timeout",
    )
    connect_s: float = 10.0
    silence_s: float = 30.0
    """Time-out for the next byte."""
    retries: int = option(
        number("N", 0, 10),  # each waits twice as long as the previous one
        "Retries per request after connection errors, 429 and 5xx.",
        default=3,
    )
    user_agent: str | None = option(
        option_types.USER_AGENT,
        "User-Agent to send. Default: feed2sitemap, its version and home page.",
    )
    headers: tuple[tuple[str, str], ...] = option(
        option_types.HEADERS,
        "Extra header, sent only to the hosts that you name as sources.",
        long="--header",
    )
    cache: str | None = option(
        path("DIR"), "Keep fetched documents in DIR, and fetch only those that have changed."
    )
    allow_private_hosts: bool = option(
        FLAG, "Also fetch from private addresses (127.0.0.1, 10.0.0.0/8, ...)."
    )


@dataclass(slots=True, kw_only=True, repr=False)
class PublishOptions:
    """How published files are updated, and which other files are written with them."""

    update: bool = option(
        FLAG,
        "Add new entries to the sitemap in --output; existing entries stay.",
        section="Updating a published sitemap",
    )
    merge: tuple[str, ...] = option(
        option_types.SOURCES,
        "Also write the entries of this source, before others; of equal URLs the newer wins.",
    )
    part_by: Literal["month", "year"] | None = option(
        choice("month", "year"),
        "Write a file per month or year of publication, such as NAME-2026-11.xml.",
    )
    expire: int | None = option(
        number("DAYS", 1, 36_525),  # at most a century
        "Remove entries, new or published, last modified more than DAYS ago.",
    )
    min_urls: int | None = option(number("N"), "Refuse to publish fewer than N URLs.")
    fail_if_shrinks: float | None = option(
        option_types.PERCENT,
        "Refuse to publish if more than PERCENT of the existing URLs would be missing.",
    )
    news_output: str | None = option(
        path("FILE"), "Write recent entries to FILE, a news sitemap; requires --news."
    )
    news_empty: Literal["keep", "remove"] = option(
        choice("keep", "remove"),
        "Without recent entries: keep the newest one in --news-output, or remove the file.",
        default="keep",
    )
    robots: str | None = option(
        path("FILE"), "Add or update the Sitemap: line in this robots.txt; requires --sitemap-url."
    )


@dataclass(slots=True, kw_only=True, repr=False)
class TransformOptions:
    """Options of the transforms of entries between reader and writer."""

    now: datetime
    """The time of the run."""
    sitemap_url: str | None = option(
        URL,
        "Public URL of the output; used in an index, and to check the scope of page URLs.",
        section="Output",
    )
    drop: tuple[str, ...] = option(
        option_types.PATTERNS,
        "Remove entries, new or published, whose URL matches.",
        section="Updating a published sitemap",
    )
    expired_before: datetime | None = None
    """`now` minus `expire`."""
    host: str | None = option(
        text("HOST"), "Drop entries on other hosts, with a warning.", section="URLs"
    )
    unify_host: bool = option(FLAG, "Rewrite www and non-www URLs to the same host.")
    scheme: Literal["http", "https"] | None = option(
        choice("http", "https"), "Rewrite the scheme of page URLs."
    )
    loc_template: str | None = option(
        option_types.TEMPLATE,
        "Create page URLs from fields of the entry: https://site/videos/{yt_id}."
        " Fields: {yt_id}, {id}, {loc}, {slug}, {title_slug}.",
    )
    keep_params: tuple[str, ...] = option(
        option_types.NAMES,
        "Never remove this query parameter; NAME* is a prefix.",
        long="--keep-param",
    )
    drop_params: tuple[str, ...] = option(
        option_types.NAMES,
        "Always remove this query parameter; NAME* is a prefix.",
        long="--drop-param",
    )
    keep_tracking: bool = option(FLAG, "Keep tracking parameters (utm_source, fbclid, ...).")
    keep_session_ids: bool = option(FLAG, "Keep session identifiers.")
    include: tuple[str, ...] = option(
        option_types.PATTERNS,
        "Keep only entries whose final URL matches.",
        section="Selecting entries",
    )
    exclude: tuple[str, ...] = option(
        option_types.PATTERNS, "Drop entries whose final URL matches; wins over --include."
    )
    since: Moment | None = option(option_types.DATE, "Drop entries with an earlier lastmod.")
    until: Moment | None = option(option_types.DATE, "Drop entries with a later lastmod.")
    require_lastmod: bool = option(FLAG, "Drop entries without lastmod.")
    sort: Literal["input", "url", "newest"] | None = option(
        choice("input", "url", "newest"), "Order of entries. Default: newest for feeds, else input."
    )
    max_entries: int | None = option(number("N"), "Write at most N entries (feeds: the newest N).")
    lastmod: Literal["auto", "updated", "published", "none"] = option(
        choice("auto", "updated", "published", "none"),
        "Date to write as lastmod; never the time of the run.",
        default="auto",
        section="Content",
    )


@dataclass(slots=True, kw_only=True, repr=False)
class WriteOptions:
    """Options of writers."""

    now: datetime
    """The time of the run: the same input, options and time give the same bytes."""
    lastmod: Literal["auto", "updated", "published", "none"] = "auto"
    """`TransformOptions.lastmod`."""
    limit_urls: int | None = option(
        number("N", 1, MAX_URLS),
        "At most N URLs in a file. Default: 50,000, the protocol's limit.",
        section="Output",
    )
    limit_bytes: int | None = option(
        option_types.PART_BYTES,
        "At most SIZE (10MB, 10MiB) in a file. Default: 50 MiB, the protocol's limit.",
    )
    pretty: bool = option(FLAG, "Indent the output.")
    changefreq: str | None = option(
        # https://www.sitemaps.org/protocol.html#changefreqdef
        choice("always", "hourly", "daily", "weekly", "monthly", "yearly", "never"),
        "Value for entries without changefreq.",
        section="Content",
    )
    priority: str | None = option(
        option_types.PRIORITY, "Value for entries without priority: 0.0 to 1.0."
    )
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
    """News tags are written to `news_output`, and not to this output."""
    mobile: bool = option(FLAG, "Write <mobile:mobile/> in every entry.")
    legacy_tags: bool = option(FLAG, "Also write tags that Google no longer uses.")
    title: str | None = option(
        text("TEXT"),
        "Title of the feed.",
        section="Header of a written feed (instead of the source's)",
    )
    link: str | None = option(URL, "Web page of the feed.")
    description: str | None = option(text("TEXT"), "Description of the feed.")
    author: str | None = option(text("TEXT"), "Author of the feed.")
    self_url: str | None = option(URL, "Public URL of the feed itself.")
    tell_losses: bool = option(
        FLAG, "Report an issue for every lost field; losses are always counted.", section=None
    )
    count_fields: bool = option(FLAG, "Also count the fields that are kept.")


@dataclass(slots=True, kw_only=True, repr=False)
class RunOptions:
    """All options of one run."""

    read: ReadOptions
    transforms: TransformOptions
    write: WriteOptions
    fetch: FetchOptions = field(default_factory=FetchOptions)
    publish: PublishOptions = field(default_factory=PublishOptions)
    format: str | None = option(
        option_types.SOURCE_FORMAT,
        "Format of the sources: auto, rss, mrss, atom, jsonfeed, txt, csv or sitemap. Default:"
        " auto.",
        short="-f",
        long="--from",
        section="Sources",
    )
    to: str | None = option(
        option_types.TARGET_FORMAT,
        "Format to write. Default: by the extension of --output, else sitemap.",
        short="-t",
        section="Output",
    )
    gzip: bool = option(FLAG, "Compress the output; implied if --output ends in .gz.")
    split_hosts: bool = option(FLAG, "Write one output per host, NAME-HOST.xml.")
    dry_run: bool = option(FLAG, "Publish nothing; print what would change.")
    force: bool = option(FLAG, "Allow the output to replace a source. Default: refuse.")
    jobs: int = option(
        number("N", 1, 256),
        "Number of worker processes. Default: one per core.",
        default=1,
        short="-j",
        section="Messages, settings and processes",
    )


@dataclass(slots=True, kw_only=True, repr=False)
class CommandOptions:
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
    losses: bool = option(FLAG, "Print a table of items left out, and of fields altered or lost.")
    quiet: bool = option(
        FLAG, "Print only errors, and the table of --losses if requested.", short="-q"
    )
    verbose: bool = option(
        FLAG,
        "Print all issues, also infos. Default: warnings and errors, at most 10 per code.",
        short="-v",
    )
    progress: bool | None = option(
        SWITCH, "Progress bar on standard error. Default: on a terminal, after one second."
    )
    color: bool | None = option(
        SWITCH, "Colored messages. Default: on a terminal; see also NO_COLOR, FORCE_COLOR."
    )
