"""What a conversion did, as values: for the summary line, for `--report`, and for programs."""

from __future__ import annotations

from collections.abc import Mapping

from converter.issues import Issue
from converter.record import field, record

__all__ = ["OutputFile", "Result"]


@record
class OutputFile:
    """One file that was published, or with `dry_run` would be."""

    path: str
    """`-` for standard output and streams."""
    kind: str
    """The format's name, or `index`."""
    urls: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    bytes: int = 0
    """As stored."""
    raw_bytes: int = 0
    """Uncompressed."""


@record
class Result:
    """What a conversion did: what the summary line and `--report` are made of."""

    urls: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    skipped: int = 0
    """Entries, and lines of lists, that are not in the output; united duplicates do not count."""
    sources: int = 0
    files: tuple[OutputFile, ...] = ()
    """The index first."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Fields that the format has no place for, by name, and in how many entries."""
    altered: Mapping[str, int] = field(default_factory=dict)
    """Fields that it holds otherwise than they were: cut, rounded, merged; likewise."""
    removed: tuple[str, ...] = ()
    """Parts of an earlier run that are no longer part of the set."""
    changed: bool | None = None
    """With `dry_run`: would the output differ from what stands there? None: nothing does."""
    added: int | None = None
    """URLs that were not there before; None where nothing was merged or updated."""
    renewed: int | None = None
    """URLs that were there, and of which something else is written now; likewise."""
    dropped: int | None = None
    """URLs that were there, and are no more (`drop`, `expire_days`); likewise."""
    kept: tuple[str, ...] = ()
    """Files of the set that already held what they should, and were not written."""
    unchanged: bool = False
    """All of them did."""
    found: tuple[str, ...] = ()
    """What was read in the place of a source that names others, a sentence each."""
    unchanged_sources: int = 0
    """Sources that have not changed since they were fetched last (304)."""
    robots: bool | None = None
    """Was our line in the robots.txt added or renewed, or would it be? None: not asked for."""
    robots_created: bool = False
    """Was there no such file before?"""
    issues: tuple[Issue, ...] = ()
    """In the order found; empty where `report` was given."""
