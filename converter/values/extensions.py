"""The end of a file's name, which tells a format where the content does not."""

from __future__ import annotations

__all__ = ["extension_of"]


def extension_of(path: str) -> str:
    """Give it in lower case: of `a/x.RSS` and `x.rss.gz` it is `.rss`; empty: there is none.

    What pathlib calls a suffix; to import that would take as long as converting twenty entries.
    """
    name = path.rstrip("/").rpartition("/")[2].lower().removesuffix(".gz")
    stem, _, end = name.rpartition(".")
    return f".{end}" if stem and end else ""
