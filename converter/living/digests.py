"""Digests of pages in bounded memory: past a number of them, in a temporary SQLite database."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from converter.living import tables
from converter.passes.digests import Digests

if TYPE_CHECKING:
    import sqlite3

__all__ = ["SpilledDigests"]

#: Some 100 MiB of sets.
_MOST_IN_MEMORY: Final = 1_000_000


class SpilledDigests(Digests):
    """As `Digests`, and no larger than many of them."""

    def __init__(self, *, most_in_memory: int = _MOST_IN_MEMORY) -> None:
        super().__init__()
        self._most = most_in_memory
        self._base: sqlite3.Connection | None = None

    def __contains__(self, digest: int) -> bool:
        if self._base is None:
            return super().__contains__(digest)
        asked = self._base.execute("SELECT 1 FROM seen WHERE digest = ?", (digest,))
        return asked.fetchone() is not None

    def is_new(self, digest: int) -> bool:
        """Take one digest in; say whether it was not there before."""
        if self._base is not None:
            return self._base.execute(_INSERT, (digest,)).rowcount == 1
        is_new = super().is_new(digest)
        self._spill_if_full()
        return is_new

    def _spill_if_full(self) -> None:
        if len(self) <= self._most:
            return
        self._base = tables.opened()
        self._base.execute("CREATE TABLE seen (digest INTEGER PRIMARY KEY) WITHOUT ROWID")
        self._base.execute("BEGIN")  # and never an end: nobody reads it after this run
        _insert(self._base, self)
        self.clear()


_INSERT: Final = "INSERT OR IGNORE INTO seen VALUES (?)"


def _insert(base: sqlite3.Connection, digests: Iterable[int]) -> None:
    base.executemany(_INSERT, ((digest,) for digest in sorted(digests)))  # side by side in the tree
