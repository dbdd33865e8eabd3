"""Every option of `convert`, in the sections of its help: the one home of names and meanings.

The name of a parameter is its long option. So are its variable (`FEED2SITEMAP_LIMIT_URLS`) and
its key in a configuration file (`limit-urls`).
"""

from __future__ import annotations

import click
from click import Choice, Option

from converter.cli.config import load_config
from converter.cli.words import (
    ListWord,
    complete_path,
    complete_readable,
    complete_writable,
)

__all__ = ["SECTIONS"]

#: https://www.sitemaps.org/protocol.html#changefreqdef
_CHANGEFREQ = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")


def _remember_colour(
    ctx: click.Context, _param: click.Parameter, wanted: bool | None
) -> bool | None:
    """Keep it where an error that ends the run finds it, also if other words cannot be."""
    ctx.find_root().color = wanted
    return wanted


_SOURCES = (
    Option(
        ("-f", "--from"),
        metavar="FORMAT",
        shell_complete=complete_readable,
        help="Format of the sources: auto (default), rss, mrss, atom, txt, sitemap.",
    ),
    Option(
        ("--base-url",),
        metavar="URL",
        help="Base of relative links.",
    ),
    Option(
        ("--assume-tz",),
        metavar="ZONE",
        help="Zone of dates that have none, as Europe/Berlin. Default: UTC.",
    ),
    Option(
        ("--scan-html",),
        is_flag=True,
        help="Also take <img> of the content as images of the page.",
    ),
    Option(
        ("--max-bytes",),
        metavar="SIZE",
        help="Refuse a source that is larger. Default: 512 MiB unpacked for what is"
        " compressed, else no limit.",
    ),
)

_FETCHING = (
    Option(
        ("--all-feeds",),
        is_flag=True,
        help="Of a page with several feeds, read all. Default: the first.",
    ),
    Option(
        ("--follow-pages",),
        is_flag=True,
        help="Read the older pages of a feed too, as far as it leads to them.",
    ),
    Option(
        ("--max-pages",),
        type=int,
        metavar="N",
        help="At most N pages of a feed. Default: 1,000.",
    ),
    Option(
        ("--keep-going",),
        is_flag=True,
        help="Make do without the older pages that cannot be had. Default: publish nothing.",
    ),
    Option(
        ("--timeout",),
        type=float,
        metavar="SECONDS",
        help="Give up a source after so long in all. Default: 300; 10 to connect, 30 of silence.",
    ),
    Option(
        ("--retries",),
        type=int,
        metavar="N",
        help="Ask again so often when a server fails or is busy. Default: 3.",
    ),
    Option(
        ("--user-agent",),
        metavar="TEXT",
        help="How we name ourselves to servers. Default: feed2sitemap, its version and home.",
    ),
    Option(
        ("--header",),
        multiple=True,
        metavar="'NAME: VALUE'",
        help="Sent to the hosts that are named, and to no other. Repeatable.",
    ),
    Option(
        ("--cache",),
        metavar="DIR",
        shell_complete=complete_path,
        help="Keep what was fetched in DIR, and ask servers only for what has changed.",
    ),
    Option(
        ("--allow-private-hosts",),
        is_flag=True,
        help="Also fetch from addresses that are not public (127.0.0.1, 10.0.0.0/8, ...).",
    ),
)

_TARGETS = (
    Option(
        ("-o", "--output"),
        metavar="PATH",
        shell_complete=complete_path,
        help="File to write; - (default) is standard output.",
    ),
    Option(
        ("-t", "--to"),
        metavar="FORMAT",
        shell_complete=complete_writable,
        help="Format to write. Default: by the extension of --output, else sitemap.",
    ),
    Option(
        ("--gzip",),
        is_flag=True,
        help="Compress every file of the output; so does .gz at the end of --output.",
    ),
    Option(
        ("--sitemap-url",),
        metavar="URL",
        help="Public URL of the file that --output names: for an index and the scope check.",
    ),
    Option(
        ("--split-hosts",),
        is_flag=True,
        help="Write one output for each host, NAME-HOST.xml.",
    ),
    Option(
        ("--limit-urls",),
        type=int,
        metavar="N",
        help="At most N URLs in a file. Default: 50,000, the protocol's limit.",
    ),
    Option(
        ("--limit-bytes",),
        metavar="SIZE",
        help="At most SIZE (10MB, 10MiB) in a file. Default: 50 MiB, the protocol's limit.",
    ),
    Option(
        ("--pretty",),
        is_flag=True,
        help="Indent the output.",
    ),
    Option(
        ("--dry-run",),
        is_flag=True,
        help="Publish nothing; say what would change.",
    ),
)

_LIVING = (
    Option(
        ("--update",),
        is_flag=True,
        help="Add to the sitemap that --output holds: what stands there stays.",
    ),
    Option(
        ("--merge",),
        type=ListWord(),
        multiple=True,
        metavar="FILE|URL",
        help="A source whose URLs come first and give way to newer dates. Repeatable.",
    ),
    Option(
        ("--part-by",),
        type=Choice(("month", "year"), case_sensitive=False),
        help="A file for each month or year, NAME-2026-11.xml, by the date of publication.",
    ),
    Option(
        ("--expire",),
        type=int,
        metavar="DAYS",
        help="Drop, also from what stood there, what was last changed more than DAYS ago.",
    ),
    Option(
        ("--drop",),
        type=ListWord(),
        multiple=True,
        metavar="REGEX",
        help="Drop, also from what stood there, entries whose URL matches. Repeatable.",
    ),
    Option(
        ("--min-urls",),
        type=int,
        metavar="N",
        help="Publish nothing if there would be fewer than N URLs.",
    ),
    Option(
        ("--fail-if-shrinks",),
        type=float,
        metavar="PERCENT",
        help="Publish nothing if more than PERCENT of the present URLs would go.",
    ),
    Option(
        ("--news-output",),
        metavar="FILE",
        shell_complete=complete_path,
        help="Write the articles of the last two days to FILE too, as a news sitemap; wants --news.",
    ),
    Option(
        ("--news-empty",),
        type=Choice(("keep", "remove"), case_sensitive=False),
        help="With no such article: keep (default) a sitemap without URLs, or remove the file.",
    ),
    Option(
        ("--robots",),
        metavar="FILE",
        shell_complete=complete_path,
        help="Add or renew our Sitemap: line in this robots.txt; wants --sitemap-url.",
    ),
)

_URLS = (
    Option(
        ("--host",),
        metavar="HOST",
        help="Drop, with a warning, what is on another host.",
    ),
    Option(
        ("--unify-host",),
        is_flag=True,
        help="Rewrite the www or non-www sibling of the host.",
    ),
    Option(
        ("--scheme",),
        type=Choice(("http", "https"), case_sensitive=False),
        help="Rewrite the scheme.",
    ),
    Option(
        ("--loc-template",),
        metavar="TEMPLATE",
        help="Make the landing page from fields of the entry: https://site/videos/{yt_id}",
    ),
    Option(
        ("--keep-param",),
        type=ListWord(),
        multiple=True,
        metavar="NAME",
        help="Query parameter that is never removed; NAME* is a prefix. Repeatable.",
    ),
    Option(
        ("--drop-param",),
        type=ListWord(),
        multiple=True,
        metavar="NAME",
        help="Query parameter that is always removed; NAME* is a prefix. Repeatable.",
    ),
    Option(
        ("--keep-tracking",),
        is_flag=True,
        help="Leave tracking parameters (utm_source, fbclid, ...) in.",
    ),
    Option(
        ("--keep-session-ids",),
        is_flag=True,
        help="Leave session identifiers in.",
    ),
)

_ENTRIES = (
    Option(
        ("--include",),
        type=ListWord(),
        multiple=True,
        metavar="REGEX",
        help="Keep only entries whose final URL matches. Repeatable.",
    ),
    Option(
        ("--exclude",),
        type=ListWord(),
        multiple=True,
        metavar="REGEX",
        help="Drop entries whose final URL matches; wins over --include. Repeatable.",
    ),
    Option(
        ("--since",),
        metavar="DATE",
        help="Drop entries whose lastmod is earlier.",
    ),
    Option(
        ("--until",),
        metavar="DATE",
        help="Drop entries whose lastmod is later.",
    ),
    Option(
        ("--require-lastmod",),
        is_flag=True,
        help="Drop entries without lastmod.",
    ),
    Option(
        ("--sort",),
        type=Choice(("input", "url", "newest"), case_sensitive=False),
        help="Order of entries. Default: input; newest for feeds.",
    ),
    Option(
        ("--max-entries",),
        type=int,
        metavar="N",
        help="Stop after N entries (feeds: the newest N).",
    ),
)

_CONTENT = (
    Option(
        ("--lastmod",),
        type=Choice(("auto", "updated", "published", "none"), case_sensitive=False),
        help="Which date becomes lastmod. Default: auto; never the time of the run.",
    ),
    Option(
        ("--changefreq",),
        type=Choice(_CHANGEFREQ, case_sensitive=False),
        metavar="VALUE",
        help="Hint for every entry that has none: always, hourly, daily, weekly, monthly,"
        " yearly, never.",
    ),
    Option(
        ("--priority",),
        metavar="VALUE",
        help="Hint for every entry that has none: 0.0 to 1.0.",
    ),
    Option(
        ("--images/--no-images",),
        default=True,
        help="Write images. Default: on.",
    ),
    Option(
        ("--videos/--no-videos",),
        default=True,
        help="Write videos. Default: on.",
    ),
    Option(
        ("--news",),
        metavar="NAME",
        help="Write news blocks, for the publication NAME, for entries of the last two days.",
    ),
    Option(
        ("--news-language",),
        metavar="CODE",
        help="Language of the publication, where the source does not tell.",
    ),
    Option(
        ("--mobile",),
        is_flag=True,
        help="Mark every entry <mobile:mobile/>.",
    ),
    Option(
        ("--legacy-tags",),
        is_flag=True,
        help="Also write tags that Google has declared without effect.",
    ),
)

_HEADER = (
    Option(("--title",), metavar="TEXT", help="Title."),
    Option(("--link",), metavar="URL", help="The page that the feed belongs to."),
    Option(("--description",), metavar="TEXT", help="Description."),
    Option(("--author",), metavar="TEXT", help="Author."),
    Option(("--self-url",), metavar="URL", help="Public URL of the feed itself."),
)

_RUN = (
    Option(
        ("--config",),
        is_eager=True,
        callback=load_config,
        metavar="FILE",
        shell_complete=complete_path,
        help="Read options from FILE. Default: feed2sitemap.toml, else [tool.feed2sitemap] in"
        " pyproject.toml, in the working directory.",
    ),
    Option(
        ("--strict",),
        is_flag=True,
        help="Exit 1 if anything at warning or above was reported.",
    ),
    Option(
        ("--report",),
        metavar="FILE",
        shell_complete=complete_path,
        help="Write the run as one JSON document: outputs, counts, every issue.",
    ),
    Option(
        ("-q", "--quiet"),
        is_flag=True,
        help="Print errors only.",
    ),
    Option(
        ("-v", "--verbose"),
        is_flag=True,
        help="Print infos too, and every issue. Default: warnings, at most 10 of a code.",
    ),
    Option(
        ("-j", "--jobs"),
        type=int,
        metavar="N",
        help="Processes that work on a large source. Default: one for each core.",
    ),
    Option(
        ("--progress/--no-progress",),
        default=None,
        help="A bar on standard error. Default: on a terminal, after one second.",
    ),
    Option(
        ("--color/--no-color",),
        default=None,
        is_eager=True,
        callback=_remember_colour,
        help="Also NO_COLOR and FORCE_COLOR. Default: on a terminal.",
    ),
)

#: Title and options of each section, as help and docs/cli.md show them.
SECTIONS: tuple[tuple[str, tuple[Option, ...]], ...] = (
    ("Sources", _SOURCES),
    ("Sources on the web", _FETCHING),
    ("Output", _TARGETS),
    ("A set that is published already", _LIVING),
    ("URLs", _URLS),
    ("Which entries", _ENTRIES),
    ("What is written", _CONTENT),
    ("Header of a feed that is written; wins over the source's", _HEADER),
    ("The run", _RUN),
)
