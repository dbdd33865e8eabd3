"""When the short way may be taken (`moulds`); the way itself is imported where it is."""

from __future__ import annotations

from converter.moulds import sizes
from converter.options import PassOptions, ReadOptions, WriteOptions
from converter.seams import Format, Raw

__all__ = ["is_open", "is_worth_it"]


def is_open(target: Format, read: ReadOptions, passes: PassOptions, write: WriteOptions) -> bool:
    """Say whether entries can be rendered before the passes have seen them.

    They cannot where somebody chooses among entries, or is told of each: nothing is won there.
    """
    selects = (
        passes.loc_template,
        passes.host,
        passes.unify_host,
        passes.scheme,
        passes.include,
        passes.exclude,
        passes.since,
        passes.until,
        passes.require_lastmod,
        passes.max_entries,
        passes.drop,
        passes.expired_before,
    )
    tells = write.tell_losses or write.news_name or read.scan_html
    return not tells and not any(selects)


def is_worth_it(raw: Raw) -> bool:
    """Say whether there is more of a source than goes the plain way anyhow."""
    return raw.known_bytes >= sizes.FIRST_BYTES
