"""SQLite as a place for what memory has no room for: fast, and safe from nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import sqlite3

__all__ = ["AT_ONCE", "by_some", "opened"]

T = TypeVar("T")

#: Values in one statement; SQLite before 3.32 takes no more than 999.
AT_ONCE: Final = 900
#: Pages that SQLite holds, in KiB; negative, as it wants them.
_CACHE_KIB: Final = -16_384


def opened(path: str) -> sqlite3.Connection:
    """Open a base in a file that goes with the run; nothing in it outlives that."""
    import sqlite3

    base = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode=OFF", "synchronous=OFF", f"cache_size={_CACHE_KIB}"):
        base.execute(f"PRAGMA {setting}")
    return base


def by_some(values: Iterable[T]) -> Iterator[tuple[list[T], str]]:
    """Give as many as one statement takes, and the marks that stand for them in it."""
    asked = list(values)
    for start in range(0, len(asked), AT_ONCE):
        some = asked[start : start + AT_ONCE]
        yield some, ",".join("?" * len(some))
