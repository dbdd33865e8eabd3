"""Options about where the output goes, and what becomes of what stood there."""

from __future__ import annotations

from click import Choice, Option

from converter.cli.words import ListWord, complete_path, complete_writable

__all__ = ["LIVING", "TARGETS"]

TARGETS = (
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

LIVING = (
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
        help="Write the articles of the last two days to FILE, as a news sitemap; wants --news.",
    ),
    Option(
        ("--news-empty",),
        type=Choice(("keep", "remove"), case_sensitive=False),
        help="With no such article: keep (default) the newest page in FILE, or remove FILE.",
    ),
    Option(
        ("--robots",),
        metavar="FILE",
        shell_complete=complete_path,
        help="Add or renew our Sitemap: line in this robots.txt; wants --sitemap-url.",
    ),
)
