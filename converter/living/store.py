"""What is new, by its page: in memory while that is little, then in a temporary SQLite database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from converter.living import tables
from converter.model import Entry

if TYPE_CHECKING:
    import sqlite3

__all__ = ["Store"]

#: An entry with a video takes some 5 KiB: so many stay well below the memory of everything else.
_MOST_IN_MEMORY: Final = 4_000


class _Shelf(Protocol):
    def put(self, loc: bytes, period: str, entry: Entry) -> None: ...
    def among(self, locs: Iterable[bytes]) -> set[bytes]: ...
    def claim(self, locs: Iterable[bytes]) -> None: ...
    def take(self, loc: bytes) -> Entry: ...
    def release(self) -> None: ...
    def periods(self) -> list[str]: ...
    def rest(self, period: str | None) -> Iterator[Entry]: ...
    def close(self) -> None: ...


class Store:
    """Entries in the order in which they came, each to be taken once; closed by `with`.

    Pages are known by the bytes that stand for them in markup, so that markup can be compared
    with them as it is.
    """

    def __init__(self, *, most_in_memory: int = _MOST_IN_MEMORY) -> None:
        self._most = most_in_memory
        self._shelf: _Shelf = _Memory()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._shelf.close()

    def clear(self) -> None:
        """Forget everything."""
        self._shelf.close()
        self._shelf = _Memory()

    def put(self, loc: bytes, entry: Entry, period: str = "") -> None:
        """Add an entry of a page that is not there yet."""
        shelf = self._shelf
        if isinstance(shelf, _Memory) and len(shelf.known) >= self._most:
            self._shelf = _Disk()
            for known, (kept_period, kept) in shelf.known.items():
                self._shelf.put(known, kept_period, kept)
        self._shelf.put(loc, period, entry)

    def claim(self, locs: Iterable[bytes]) -> set[bytes]:
        """Say which of these pages are here; they will be taken, and are not among the rest."""
        if found := self._shelf.among(locs):
            self._shelf.claim(found)
        return found

    def among(self, locs: Iterable[bytes]) -> set[bytes]:
        """Say which of these pages are here, and not taken."""
        return self._shelf.among(locs)

    def take(self, loc: bytes) -> Entry:
        """Give the entry of a page that was claimed, and have it no more."""
        return self._shelf.take(loc)

    def periods(self) -> list[str]:
        """Those of the rest, in order."""
        return self._shelf.periods()

    def release(self) -> None:
        """Have everything again, as if nothing had been claimed or taken."""
        self._shelf.release()

    def rest(self, period: str | None = None) -> Iterator[Entry]:
        """What nobody claimed (of a period), in the order in which it came."""
        return self._shelf.rest(period)


class _Memory:
    def __init__(self) -> None:
        self.known: dict[bytes, tuple[str, Entry]] = {}
        self._claimed: set[bytes] = set()
        self._taken: set[bytes] = set()

    def put(self, loc: bytes, period: str, entry: Entry) -> None:
        self.known[loc] = period, entry

    def among(self, locs: Iterable[bytes]) -> set[bytes]:
        return (self.known.keys() & locs) - self._taken if self.known else set()

    def claim(self, locs: Iterable[bytes]) -> None:
        self._claimed.update(locs)

    def take(self, loc: bytes) -> Entry:
        self._taken.add(loc)
        return self.known[loc][1]

    def release(self) -> None:
        self._claimed.clear()
        self._taken.clear()

    def periods(self) -> list[str]:
        return sorted({p for loc, (p, _) in self.known.items() if loc not in self._claimed})

    def rest(self, period: str | None) -> Iterator[Entry]:
        for loc, (kept, entry) in self.known.items():
            if loc not in self._claimed and period in {None, kept}:
                yield entry

    def close(self) -> None:
        self.known.clear()
        self.release()


class _Disk:
    """A table of which nothing outlives the run.

    The file has no name (see `tables`), so entries may be pickled: nobody else can write to it.
    `state` is 0, 1 of what was claimed, and 2 of what was taken.
    """

    def __init__(self) -> None:
        self._base = tables.opened()
        self._base.execute(
            "CREATE TABLE kept (number INTEGER PRIMARY KEY, loc BLOB UNIQUE, period TEXT,"
            " state INTEGER DEFAULT 0, entry BLOB)"
        )
        self._waiting: list[_Row] = []

    def put(self, loc: bytes, period: str, entry: Entry) -> None:
        self._waiting.append(_Row(loc, period, entry))
        if len(self._waiting) >= tables.AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        import pickle

        rows = [(r.loc, r.period, pickle.dumps(r.entry, 5)) for r in self._waiting]
        self._waiting.clear()
        self._base.execute("BEGIN")
        self._base.executemany("INSERT INTO kept (loc, period, entry) VALUES (?, ?, ?)", rows)
        self._base.execute("COMMIT")

    def _asked(self, statement: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        if self._waiting:
            self._flush()
        return self._base.execute(statement, tuple(values))

    def among(self, locs: Iterable[bytes]) -> set[bytes]:
        found: set[bytes] = set()
        for some, marks in tables.by_some(locs):
            asked = f"SELECT loc FROM kept WHERE state < 2 AND loc IN ({marks})"  # noqa: S608
            rows = self._asked(asked, some)
            found.update(loc for (loc,) in rows)
        return found

    def claim(self, locs: Iterable[bytes]) -> None:
        for some, marks in tables.by_some(locs):
            self._asked(f"UPDATE kept SET state = 1 WHERE loc IN ({marks})", some)  # noqa: S608

    def take(self, loc: bytes) -> Entry:
        (found,) = self._asked("SELECT entry FROM kept WHERE loc = ?", (loc,)).fetchone()
        self._asked("UPDATE kept SET state = 2 WHERE loc = ?", (loc,))
        return _unpickled(found)

    def release(self) -> None:
        self._asked("UPDATE kept SET state = 0 WHERE state")

    def periods(self) -> list[str]:
        asked = "SELECT DISTINCT period FROM kept WHERE NOT state ORDER BY 1"
        return [period for (period,) in self._asked(asked)]

    def rest(self, period: str | None) -> Iterator[Entry]:
        asked = (
            "SELECT entry FROM kept WHERE NOT state AND (?1 IS NULL OR period = ?1) ORDER BY number"
        )
        return (_unpickled(entry) for (entry,) in self._asked(asked, (period,)))

    def close(self) -> None:
        with suppress(Exception):  # a full disk, once more: the file goes with the run anyway
            self._base.close()


@dataclass(frozen=True, slots=True)
class _Row:
    loc: bytes
    period: str
    entry: Entry


def _unpickled(data: bytes) -> Entry:
    import pickle

    entry: Entry = pickle.loads(data)  # noqa: S301  ours: the file has no name
    return entry
