"""Options about where the output goes, and what becomes of what stood there."""

from __future__ import annotations

from converter.cli.grammar.option import Option

__all__ = ["LIVING", "TARGETS"]

TARGETS = (
    Option(
        "--output",
        short="-o",
        metavar="PATH",
        completes="path",
        help="File to write; - (default) is standard output.",
    ),
    Option(
        "--to",
        short="-t",
        metavar="FORMAT",
        completes="writable",
        help="Format to write. Default: by the extension of --output, else sitemap.",
    ),
    Option(
        "--gzip",
        takes="flag",
        help="Compress every file of the output; so does .gz at the end of --output.",
    ),
    Option(
        "--sitemap-url",
        metavar="URL",
        help="Public URL of the file that --output names: for an index and the scope check.",
    ),
    Option(
        "--split-hosts",
        takes="flag",
        help="Write one output for each host, NAME-HOST.xml.",
    ),
    Option(
        "--limit-urls",
        takes="whole",
        metavar="N",
        help="At most N URLs in a file. Default: 50,000, the protocol's limit.",
    ),
    Option(
        "--limit-bytes",
        metavar="SIZE",
        help="At most SIZE (10MB, 10MiB) in a file. Default: 50 MiB, the protocol's limit.",
    ),
    Option(
        "--pretty",
        takes="flag",
        help="Indent the output.",
    ),
    Option(
        "--dry-run",
        takes="flag",
        help="Publish nothing; say what would change.",
    ),
    Option(
        "--force",
        takes="flag",
        help="Let the output replace a source. Default: refuse it, for it is mostly a slip.",
    ),
)

LIVING = (
    Option(
        "--update",
        takes="flag",
        help="Add to the sitemap that --output holds: what stands there stays.",
    ),
    Option(
        "--merge",
        takes="words",
        metavar="FILE|URL",
        completes="path",
        help="A source whose URLs come first and give way to newer dates. Repeatable.",
    ),
    Option(
        "--part-by",
        takes="choice",
        choices=("month", "year"),
        help="A file for each month or year, NAME-2026-11.xml, by the date of publication.",
    ),
    Option(
        "--expire",
        takes="whole",
        metavar="DAYS",
        help="Drop, also from what stood there, what was last changed more than DAYS ago.",
    ),
    Option(
        "--drop",
        takes="words",
        metavar="REGEX",
        help="Drop, also from what stood there, entries whose URL matches. Repeatable.",
    ),
    Option(
        "--min-urls",
        takes="whole",
        metavar="N",
        help="Publish nothing if there would be fewer than N URLs.",
    ),
    Option(
        "--fail-if-shrinks",
        takes="percent",
        metavar="PERCENT",
        help="Publish nothing if more than PERCENT of the present URLs would go.",
    ),
    Option(
        "--news-output",
        metavar="FILE",
        completes="path",
        help="Write the articles of the last two days to FILE, as a news sitemap; wants --news.",
    ),
    Option(
        "--news-empty",
        takes="choice",
        choices=("keep", "remove"),
        help="With no such article: keep (default) the newest page in FILE, or remove FILE.",
    ),
    Option(
        "--robots",
        metavar="FILE",
        completes="path",
        help="Add or renew our Sitemap: line in this robots.txt; wants --sitemap-url.",
    ),
)
