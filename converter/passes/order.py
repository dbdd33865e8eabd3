"""Entries in another order than the input's, in bounded memory: an external merge sort."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from itertools import chain, islice
from operator import itemgetter
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from converter.model import Entry, Moment
from converter.seams import Spool
from converter.values import dates

__all__ = ["ordered"]

_Key: TypeAlias = Any
_Keyed: TypeAlias = tuple[_Key, Entry]

#: So many sorted files are merged at once: each is open, and has a block in memory.
_MAX_RUNS = 64
#: Entries that are written as one: they share the header that they point to.
_BLOCK = 16
#: Of what may be held in memory, one such part is for entries without a date.
_PART_FOR_UNDATED: Final = 8

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def ordered(
    entries: Iterable[Entry],
    sort: Literal["input", "url", "newest"],
    lastmod_of: Callable[[Entry], Moment | None],
    spool: Spool,
    max_in_memory: int = 2_000,
) -> Iterator[Entry]:
    """Order entries by URL, or by date with the newest first; equals stay in the input's order.

    What has no URL, or no date, comes last. Up to `max_in_memory` entries are sorted in memory;
    past that, sorted runs go to spooled files and are merged. Input that is in order already
    makes one run, which is read back and not merged; what has no date is not sorted at all.
    """
    if sort == "input":
        return iter(entries)
    if sort == "url":
        return _sorted(((_by_url(entry), entry) for entry in entries), max_in_memory, spool)
    return _newest_first(entries, lastmod_of, max_in_memory, spool)


def _newest_first(
    entries: Iterable[Entry],
    lastmod_of: Callable[[Entry], Moment | None],
    max_in_memory: int,
    spool: Spool,
) -> Iterator[Entry]:
    few = max(1, max_in_memory // _PART_FOR_UNDATED)
    with ExitStack() as files:
        undated = _Undated(few, lambda: files.enter_context(spool()))

        def dated() -> Iterator[_Keyed]:
            for entry in entries:
                if (moment := lastmod_of(entry)) is None:
                    undated.add(entry)
                else:
                    yield _by_date(moment), entry

        yield from _sorted(dated(), max(1, max_in_memory - few), spool)
        yield from undated


# -- keys -------------------------------------------------------------------------------------


def _by_url(entry: Entry) -> tuple[bool, str]:
    return (entry.loc is None, entry.loc or "")


def _by_date(moment: Moment) -> int:
    """Number moments as `dates.sort_key` orders them, the newest lowest."""
    instant, precision = dates.sort_key(moment)
    passed = instant - _EPOCH
    return -((passed.days * 86_400 + passed.seconds) * 8 + precision)


# -- what is not sorted -----------------------------------------------------------------------


class _Undated:
    """Entries without a date, in the input's order: in memory, past a number in a file."""

    def __init__(self, most: int, spool: Spool) -> None:
        self._most = most
        self._spool = spool
        self._held: list[Entry] = []
        self._file: BinaryIO | None = None

    def add(self, entry: Entry) -> None:
        self._held.append(entry)
        if len(self._held) >= self._most:
            if self._file is None:
                self._file = self._spool()
            _write(self._held, self._file)
            self._held.clear()

    def __iter__(self) -> Iterator[Entry]:
        if self._file is not None:
            yield from _read(self._file)
        yield from self._held


# -- sorting ----------------------------------------------------------------------------------


class _Run:
    """Sorted entries in a spooled file: first written, then read once."""

    def __init__(self, file: BinaryIO, level: int = 0) -> None:
        self._file = file
        self.level = level
        """How often its entries were merged already."""
        self.last: _Key = None

    def extend(self, keyed: list[_Keyed]) -> None:
        self.last = keyed[-1][0]
        _write(keyed, self._file)

    def __iter__(self) -> Iterator[_Keyed]:
        yield from _read(self._file)
        self._file.close()


def _sorted(keyed: Iterator[_Keyed], max_in_memory: int, spool: Spool) -> Iterator[Entry]:
    """Sort entries by their keys; of equals the earlier one comes first."""
    with ExitStack() as files:

        def opened() -> BinaryIO:
            return files.enter_context(spool())

        runs: list[_Run] = []
        chunk = _chunk(keyed, max_in_memory)
        while chunk:
            following = _chunk(keyed, 1)
            if not following and not runs:
                yield from map(itemgetter(1), chunk)
                return
            if not (runs and runs[-1].last <= chunk[0][0]):
                _make_room(runs, opened)
                runs.append(_Run(opened()))
            runs[-1].extend(chunk)
            chunk.clear()  # before the next one is read
            chunk = _chunk(chain(following, keyed), max_in_memory)
        yield from map(itemgetter(1), _merged(runs))


def _chunk(keyed: Iterator[_Keyed], size: int) -> list[_Keyed]:
    return sorted(islice(keyed, size), key=itemgetter(0))


def _merged(runs: list[_Run]) -> Iterator[_Keyed]:
    """Merge; of equals those of an earlier run come first."""
    return heapq.merge(*runs, key=itemgetter(0))


def _make_room(runs: list[_Run], spool: Spool) -> None:
    """Merge the last runs into one of the next level wherever there are enough of one level."""
    while len(runs) >= _MAX_RUNS and runs[-_MAX_RUNS].level == runs[-1].level:
        merged = _Run(spool(), level=runs[-1].level + 1)
        rest = _merged(runs[-_MAX_RUNS:])
        while block := list(islice(rest, _BLOCK)):
            merged.extend(block)
        runs[-_MAX_RUNS:] = [merged]


# -- files ------------------------------------------------------------------------------------


def _write(things: list[Any], file: BinaryIO) -> None:
    import pickle

    for start in range(0, len(things), _BLOCK):
        pickle.dump(things[start : start + _BLOCK], file, pickle.HIGHEST_PROTOCOL)


def _read(file: BinaryIO) -> Iterator[Any]:
    """Give what was written, from the beginning."""
    import pickle

    file.seek(0)
    with suppress(EOFError):
        while True:
            yield from pickle.load(file)  # noqa: S301 - we wrote it, no one else can
