"""Options about what is read."""

from __future__ import annotations

from converter.cli.grammar.option import Option

__all__ = ["FETCHING", "SOURCES"]

SOURCES = (
    Option(
        "--from",
        short="-f",
        metavar="FORMAT",
        completes="readable",
        help="Format of the sources: auto (default), rss, mrss, atom, txt, sitemap.",
    ),
    Option(
        "--base-url",
        metavar="URL",
        help="Base of relative links.",
    ),
    Option(
        "--assume-tz",
        metavar="ZONE",
        help="Zone of dates that have none, as Europe/Berlin. Default: UTC.",
    ),
    Option(
        "--scan-html",
        takes="flag",
        help="Also take <img> of the content as images of the page.",
    ),
    Option(
        "--max-bytes",
        metavar="SIZE",
        help="Refuse a source that is larger. Default: 512 MiB unpacked for what is"
        " compressed, else no limit.",
    ),
)

FETCHING = (
    Option(
        "--all-feeds",
        takes="flag",
        help="Of a page with several feeds, read all. Default: the first.",
    ),
    Option(
        "--follow-pages",
        takes="flag",
        help="Read the older pages of a feed too, as far as it leads to them.",
    ),
    Option(
        "--max-pages",
        takes="whole",
        metavar="N",
        help="At most N pages of a feed. Default: 1,000.",
    ),
    Option(
        "--keep-going",
        takes="flag",
        help="Make do without the older pages that cannot be had. Default: publish nothing.",
    ),
    Option(
        "--timeout",
        takes="number",
        metavar="SECONDS",
        help="Give up a source after so long in all. Default: 300; 10 to connect, 30 of silence.",
    ),
    Option(
        "--retries",
        takes="whole",
        metavar="N",
        help="Ask again so often when a server fails or is busy. Default: 3.",
    ),
    Option(
        "--user-agent",
        metavar="TEXT",
        help="How we name ourselves to servers. Default: feed2sitemap, its version and home.",
    ),
    Option(
        "--header",
        takes="lines",
        metavar="'NAME: VALUE'",
        help="Sent to the hosts that are named, and to no other. Repeatable.",
    ),
    Option(
        "--cache",
        metavar="DIR",
        completes="path",
        help="Keep what was fetched in DIR, and ask servers only for what has changed.",
    ),
    Option(
        "--allow-private-hosts",
        takes="flag",
        help="Also fetch from addresses that are not public (127.0.0.1, 10.0.0.0/8, ...).",
    ),
)
