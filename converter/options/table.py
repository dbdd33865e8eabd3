"""Every option, once, in the sections of the help.

From this table come the options of the command line, the keys of the configuration file
(`limit-urls`), the variables of the environment (`FEED2SITEMAP_LIMIT_URLS`) and the keywords of
`convert()` (`limit_urls`). Defaults are those of the classes in `converter.options`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from converter.options import types
from converter.options.types import FLAG, PATTERNS, SWITCH, URL, Type, choice, count, path, text

__all__ = ["OPTIONS", "SECTIONS", "Option"]

#: What one sitemap may hold (https://www.sitemaps.org/protocol.html); options go below it only.
_MOST_URLS: Final = 50_000

#: A century; before that there were no pages.
_MOST_DAYS: Final = 36_525

#: More than any machine has cores; each is a process.
_MOST_JOBS: Final = 256

#: Each waits twice as long as the one before.
_MOST_RETRIES: Final = 10

#: https://www.sitemaps.org/protocol.html#changefreqdef
_CHANGEFREQS: Final = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")


class Option(NamedTuple):
    """One option of `convert`."""

    long: str
    type: Type
    help: str
    short: str | None = None
    cli_only: bool = False
    """Not a keyword of `convert()`."""
    renamed: str | None = None
    """The keyword, where it is not the name of the option."""
    field: str | None = None
    """The field of the classes in `converter.options`, where it is not the keyword."""
    allows_empty: bool = True
    """False: an empty value would count as no value, so the command line refuses it."""

    @property
    def name(self) -> str:
        """The name of click's parameter and, in capitals, the end of the variable: `limit_urls`."""
        return self.long.removeprefix("--").replace("-", "_")

    @property
    def keyword(self) -> str:
        """The keyword of `convert()`."""
        return self.renamed or self.name

    @property
    def takes_value(self) -> bool:
        """Whether a value follows the option."""
        return self.type.kind not in {"flag", "switch"}

    @property
    def denial(self) -> str | None:
        """The form that turns a switch off."""
        return f"--no-{self.long.removeprefix('--')}" if self.type.kind == "switch" else None


_SOURCES = (
    Option(
        "--from",
        types.READABLE,
        "Format of the sources: auto (default), rss, mrss, atom, txt, sitemap.",
        short="-f",
        renamed="format",
    ),
    Option("--base-url", URL, "Base of relative links."),
    Option(
        "--assume-tz", types.ZONE, "Zone of dates that have none, as Europe/Berlin. Default: UTC."
    ),
    Option("--scan-html", FLAG, "Also take <img> of the content as images of the page."),
    Option(
        "--max-bytes",
        types.SOURCE_BYTES,
        "Refuse a source that is larger. Default: 512 MiB unpacked for what is"
        " compressed, else no limit.",
        field="limits",
    ),
)

_FETCHING = (
    Option("--all-feeds", FLAG, "Of a page with several feeds, read all. Default: the first."),
    Option(
        "--follow-pages", FLAG, "Read the older pages of a feed too, as far as it leads to them."
    ),
    Option("--max-pages", count("N"), "At most N pages of a feed. Default: 1,000."),
    Option(
        "--keep-going",
        FLAG,
        "Make do without the older pages that cannot be had. Default: publish nothing.",
    ),
    Option(
        "--timeout",
        types.number("SECONDS", 1, 86_400),
        "Give up a source after so long in all. Default: 300; 10 to connect, 30 of silence.",
        field="timeout_s",
    ),
    Option(
        "--retries",
        types.integer("N", 0, _MOST_RETRIES),
        "Ask again so often when a server fails or is busy. Default: 3.",
    ),
    Option(
        "--user-agent",
        types.USER_AGENT,
        "How we name ourselves to servers. Default: feed2sitemap, its version and home.",
    ),
    Option(
        "--header",
        types.HEADERS,
        "Sent to the hosts that are named, and to no other. Repeatable.",
        renamed="headers",
    ),
    Option(
        "--cache",
        path("DIR"),
        "Keep what was fetched in DIR, and ask servers only for what has changed.",
        allows_empty=False,
    ),
    Option(
        "--allow-private-hosts",
        FLAG,
        "Also fetch from addresses that are not public (127.0.0.1, 10.0.0.0/8, ...).",
    ),
)

_OUTPUT = (
    Option(
        "--output",
        path("PATH"),
        "File to write; - (default) is standard output.",
        short="-o",
        cli_only=True,
    ),
    Option(
        "--to",
        types.WRITABLE,
        "Format to write. Default: by the extension of --output, else sitemap.",
        short="-t",
        allows_empty=False,
    ),
    Option(
        "--gzip", FLAG, "Compress every file of the output; so does .gz at the end of --output."
    ),
    Option(
        "--sitemap-url",
        URL,
        "Public URL of the file that --output names: for an index and the scope check.",
    ),
    Option("--split-hosts", FLAG, "Write one output for each host, NAME-HOST.xml."),
    Option(
        "--limit-urls",
        count("N", _MOST_URLS),
        "At most N URLs in a file. Default: 50,000, the protocol's limit.",
    ),
    Option(
        "--limit-bytes",
        types.PART_BYTES,
        "At most SIZE (10MB, 10MiB) in a file. Default: 50 MiB, the protocol's limit.",
    ),
    Option("--pretty", FLAG, "Indent the output."),
    Option("--dry-run", FLAG, "Publish nothing; say what would change."),
    Option(
        "--force",
        FLAG,
        "Let the output replace a source. Default: refuse it, for it is mostly a slip.",
    ),
)

_PUBLISHED = (
    Option("--update", FLAG, "Add to the sitemap that --output holds: what stands there stays."),
    Option(
        "--merge",
        types.words("FILE|URL", completes="path"),
        "A source whose URLs come first and give way to newer dates. Repeatable.",
    ),
    Option(
        "--part-by",
        choice("month", "year"),
        "A file for each month or year, NAME-2026-11.xml, by the date of publication.",
    ),
    Option(
        "--expire",
        count("DAYS", _MOST_DAYS),
        "Drop, also from what stood there, what was last changed more than DAYS ago.",
    ),
    Option(
        "--drop",
        PATTERNS,
        "Drop, also from what stood there, entries whose URL matches. Repeatable.",
    ),
    Option("--min-urls", count("N"), "Publish nothing if there would be fewer than N URLs."),
    Option(
        "--fail-if-shrinks",
        types.PERCENT,
        "Publish nothing if more than PERCENT of the present URLs would go.",
    ),
    Option(
        "--news-output",
        path("FILE"),
        "Write the articles of the last two days to FILE, as a news sitemap; wants --news.",
        allows_empty=False,
    ),
    Option(
        "--news-empty",
        choice("keep", "remove"),
        "With no such article: keep (default) the newest page in FILE, or remove FILE.",
    ),
    Option(
        "--robots",
        path("FILE"),
        "Add or renew our Sitemap: line in this robots.txt; wants --sitemap-url.",
        allows_empty=False,
    ),
)

_URLS = (
    Option("--host", text("HOST"), "Drop, with a warning, what is on another host."),
    Option("--unify-host", FLAG, "Rewrite the www or non-www sibling of the host."),
    Option("--scheme", choice("http", "https"), "Rewrite the scheme."),
    Option(
        "--loc-template",
        text("TEMPLATE"),
        "Make the landing page from fields of the entry: https://site/videos/{yt_id}."
        " Fields: {yt_id}, {id}, {loc}, {slug}, {title_slug}.",
        allows_empty=False,
    ),
    Option(
        "--keep-param",
        types.words("NAME"),
        "Query parameter that is never removed; NAME* is a prefix. Repeatable.",
        renamed="keep_params",
    ),
    Option(
        "--drop-param",
        types.words("NAME"),
        "Query parameter that is always removed; NAME* is a prefix. Repeatable.",
        renamed="drop_params",
    ),
    Option("--keep-tracking", FLAG, "Leave tracking parameters (utm_source, fbclid, ...) in."),
    Option("--keep-session-ids", FLAG, "Leave session identifiers in."),
)

_ENTRIES = (
    Option("--include", PATTERNS, "Keep only entries whose final URL matches. Repeatable."),
    Option(
        "--exclude",
        PATTERNS,
        "Drop entries whose final URL matches; wins over --include. Repeatable.",
    ),
    Option("--since", types.DATE, "Drop entries whose lastmod is earlier."),
    Option("--until", types.DATE, "Drop entries whose lastmod is later."),
    Option("--require-lastmod", FLAG, "Drop entries without lastmod."),
    Option(
        "--sort",
        choice("input", "url", "newest"),
        "Order of entries. Default: input; newest for feeds.",
    ),
    Option("--max-entries", count("N"), "Stop after N entries (feeds: the newest N)."),
)

_CONTENT = (
    Option(
        "--lastmod",
        choice("auto", "updated", "published", "none"),
        "Which date becomes lastmod. Default: auto; never the time of the run.",
    ),
    Option(
        "--changefreq",
        choice(*_CHANGEFREQS, metavar="VALUE"),
        f"Hint for every entry that has none: {', '.join(_CHANGEFREQS)}.",
    ),
    Option("--priority", types.PRIORITY, "Hint for every entry that has none: 0.0 to 1.0."),
    Option("--images", SWITCH, "Write images. Default: on."),
    Option("--videos", SWITCH, "Write videos. Default: on."),
    Option(
        "--news",
        text("NAME"),
        "Write news blocks, for the publication NAME, for entries of the last two days.",
        field="news_name",
    ),
    Option(
        "--news-language",
        text("CODE"),
        "Language of the publication, where the source does not tell.",
    ),
    Option("--mobile", FLAG, "Mark every entry <mobile:mobile/>."),
    Option("--legacy-tags", FLAG, "Also write tags that Google has declared without effect."),
)

_HEADER = (
    Option("--title", text("TEXT"), "Title."),
    Option("--link", URL, "The page that the feed belongs to."),
    Option("--description", text("TEXT"), "Description."),
    Option("--author", text("TEXT"), "Author."),
    Option("--self-url", URL, "Public URL of the feed itself."),
)

_RUN = (
    Option(
        "--config",
        path("FILE"),
        "Read options from FILE. Default: feed2sitemap.toml, else [tool.feed2sitemap] in"
        " pyproject.toml, in the working directory.",
        cli_only=True,
    ),
    Option("--strict", FLAG, "Exit 1 if anything at warning or above was reported.", cli_only=True),
    Option(
        "--report",
        path("FILE"),
        "Write the run as one JSON document: outputs, counts, every issue.",
        cli_only=True,
        allows_empty=False,
    ),
    Option(
        "--losses",
        FLAG,
        "Print a table of what was left out, and of the fields that were altered or lost.",
        cli_only=True,
    ),
    Option(
        "--quiet",
        FLAG,
        "Print errors only, and the table if --losses is given.",
        short="-q",
        cli_only=True,
    ),
    Option(
        "--verbose",
        FLAG,
        "Print infos too, and every issue. Default: warnings, at most 10 of a code.",
        short="-v",
        cli_only=True,
    ),
    Option(
        "--jobs",
        count("N", _MOST_JOBS),
        "Processes that share the work on sources. Default: one for each core.",
        short="-j",
    ),
    Option(
        "--progress",
        SWITCH,
        "A bar on standard error. Default: on a terminal, after one second.",
        cli_only=True,
    ),
    Option(
        "--color", SWITCH, "Also NO_COLOR and FORCE_COLOR. Default: on a terminal.", cli_only=True
    ),
)

#: Title and options of each section, as the help and docs/cli.md show them.
SECTIONS: Final = (
    ("Sources", _SOURCES),
    ("Sources on the web", _FETCHING),
    ("Output", _OUTPUT),
    ("A set that is published already", _PUBLISHED),
    ("URLs", _URLS),
    ("Which entries", _ENTRIES),
    ("What is written", _CONTENT),
    ("Header of a feed that is written; wins over the source's", _HEADER),
    ("The run", _RUN),
)

OPTIONS: Final = tuple(option for _, section in SECTIONS for option in section)
