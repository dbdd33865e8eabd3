"""Options about URLs, the choice of entries, and what is written of each."""

from __future__ import annotations

from converter.cli.grammar.option import Option
from converter.passes.template import FIELDS

__all__ = ["CONTENT", "ENTRIES", "HEADER", "URLS"]

#: https://www.sitemaps.org/protocol.html#changefreqdef
_CHANGEFREQ = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")

URLS = (
    Option(
        "--host",
        metavar="HOST",
        help="Drop, with a warning, what is on another host.",
    ),
    Option(
        "--unify-host",
        takes="flag",
        help="Rewrite the www or non-www sibling of the host.",
    ),
    Option(
        "--scheme",
        takes="choice",
        choices=("http", "https"),
        help="Rewrite the scheme.",
    ),
    Option(
        "--loc-template",
        metavar="TEMPLATE",
        help="Make the landing page from fields of the entry: https://site/videos/{yt_id}."
        f" Fields: {', '.join(f'{{{name}}}' for name in FIELDS)}.",
    ),
    Option(
        "--keep-param",
        takes="words",
        metavar="NAME",
        help="Query parameter that is never removed; NAME* is a prefix. Repeatable.",
    ),
    Option(
        "--drop-param",
        takes="words",
        metavar="NAME",
        help="Query parameter that is always removed; NAME* is a prefix. Repeatable.",
    ),
    Option(
        "--keep-tracking",
        takes="flag",
        help="Leave tracking parameters (utm_source, fbclid, ...) in.",
    ),
    Option(
        "--keep-session-ids",
        takes="flag",
        help="Leave session identifiers in.",
    ),
)

ENTRIES = (
    Option(
        "--include",
        takes="words",
        metavar="REGEX",
        help="Keep only entries whose final URL matches. Repeatable.",
    ),
    Option(
        "--exclude",
        takes="words",
        metavar="REGEX",
        help="Drop entries whose final URL matches; wins over --include. Repeatable.",
    ),
    Option(
        "--since",
        metavar="DATE",
        help="Drop entries whose lastmod is earlier.",
    ),
    Option(
        "--until",
        metavar="DATE",
        help="Drop entries whose lastmod is later.",
    ),
    Option(
        "--require-lastmod",
        takes="flag",
        help="Drop entries without lastmod.",
    ),
    Option(
        "--sort",
        takes="choice",
        choices=("input", "url", "newest"),
        help="Order of entries. Default: input; newest for feeds.",
    ),
    Option(
        "--max-entries",
        takes="whole",
        metavar="N",
        help="Stop after N entries (feeds: the newest N).",
    ),
)

CONTENT = (
    Option(
        "--lastmod",
        takes="choice",
        choices=("auto", "updated", "published", "none"),
        help="Which date becomes lastmod. Default: auto; never the time of the run.",
    ),
    Option(
        "--changefreq",
        takes="choice",
        choices=_CHANGEFREQ,
        metavar="VALUE",
        help="Hint for every entry that has none: always, hourly, daily, weekly, monthly,"
        " yearly, never.",
    ),
    Option(
        "--priority",
        metavar="VALUE",
        help="Hint for every entry that has none: 0.0 to 1.0.",
    ),
    Option(
        "--images",
        takes="switch",
        default=True,
        help="Write images. Default: on.",
    ),
    Option(
        "--videos",
        takes="switch",
        default=True,
        help="Write videos. Default: on.",
    ),
    Option(
        "--news",
        metavar="NAME",
        help="Write news blocks, for the publication NAME, for entries of the last two days.",
    ),
    Option(
        "--news-language",
        metavar="CODE",
        help="Language of the publication, where the source does not tell.",
    ),
    Option(
        "--mobile",
        takes="flag",
        help="Mark every entry <mobile:mobile/>.",
    ),
    Option(
        "--legacy-tags",
        takes="flag",
        help="Also write tags that Google has declared without effect.",
    ),
)

HEADER = (
    Option("--title", metavar="TEXT", help="Title."),
    Option("--link", metavar="URL", help="The page that the feed belongs to."),
    Option("--description", metavar="TEXT", help="Description."),
    Option("--author", metavar="TEXT", help="Author."),
    Option("--self-url", metavar="URL", help="Public URL of the feed itself."),
)
