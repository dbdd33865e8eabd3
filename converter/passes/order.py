"""Entries in another order than the input's, in bounded memory: an external merge sort."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from itertools import chain, islice
from operator import itemgetter
from typing import Any, BinaryIO, Final, Literal, TypeAlias, TypeVar, cast

from converter.model import Entry, Moment, Precision
from converter.passes.castings import Casting, Castings, Leaf
from converter.record import replace
from converter.seams import Item, Listed, Ready, Spool
from converter.values import dates

__all__ = ["ordered"]

_T = TypeVar("_T")

_Key: TypeAlias = Any
_Keyed: TypeAlias = tuple[_Key, Entry | Casting]

_KEY = itemgetter(0)
_MAX_RUNS = 64
"""So many are merged at once: each is an open file, and a block in memory."""
_BLOCK = 16
"""Entries that are written as one: they share the header that they point to."""
_ENTRY_CHARS: Final = 4 * 1024
"""What an entry is reckoned at; of those that are rendered already the size is known."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NEVER: Final = -(10**15)
"""Before all that a calendar holds."""


def ordered(
    entries: Iterable[Item],
    sort: Literal["input", "url", "newest"],
    lastmod_of: Callable[[Entry], Moment | None],
    spool: Spool,
    max_in_memory: int = 2_000,
) -> Iterator[Item]:
    """Order entries by URL, or by date with the newest first; equals stay in the input's order.

    What has no URL, or no date, comes last. Up to `max_in_memory` entries are sorted in memory;
    past that, sorted runs go to spooled files and are merged. Input that is in order already
    makes one run, which is read back and not merged. What has no date is not sorted at all.
    """
    if sort == "input":
        return iter(entries)
    castings, size = Castings(), max_in_memory * _ENTRY_CHARS
    if sort == "url":  # runs of lists keep their order: there are none here
        pieces = _keyed(cast("Iterable[Entry | Ready]", entries), _by_url, _urls_of, castings)
        chunks = _Chunks(pieces, size, descending=False)
        return castings.joined(thing for _, thing in _sorted(chunks, spool))
    undated = _Undated(castings, size // 4, spool)
    dated = undated.aside(entries, lastmod_of)
    pieces = _keyed(dated, lambda e: _by_date(lastmod_of(e)), _dates_of, castings)
    chunks = _Chunks(pieces, size - size // 4, descending=True)
    things = chain((thing for _, thing in _sorted(chunks, spool)), undated)
    return castings.joined(things)


# -- keys -------------------------------------------------------------------------------------


def _keyed(
    items: Iterable[Entry | Ready],
    key_of: Callable[[Entry], _Key],
    keys_of: Callable[[Ready], Iterable[_Key]],
    castings: Castings,
) -> Iterator[tuple[int, Iterable[_Keyed]]]:
    """Give what each item adds to the sorting, and how large it is."""
    for item in items:
        if isinstance(item, Ready):
            yield castings.size_of(item), zip(keys_of(item), castings.of(item), strict=True)
        else:
            yield _ENTRY_CHARS, ((key_of(item), item),)


def _by_url(entry: Entry) -> tuple[bool, str]:
    return (entry.loc is None, entry.loc or "")


def _urls_of(run: Ready) -> Iterable[tuple[bool, str]]:
    return ((False, loc) for loc in run.locs)


def _by_date(moment: Moment | None) -> int:
    """Number moments as `dates.sort_key` orders them: one number is compared at a glance."""
    if moment is None:
        return _NEVER
    instant, precision = dates.sort_key(moment)
    return _seconds(instant) * 8 + precision


def _dates_of(run: Ready) -> Iterable[int]:
    for moment, *_ in run.traces:
        if moment:
            yield _seconds(datetime.fromisoformat(moment)) * 8 + Precision.SECOND
        else:
            yield _NEVER


def _seconds(instant: datetime) -> int:
    passed = instant - _EPOCH
    return passed.days * 86_400 + passed.seconds


# -- what is not sorted -----------------------------------------------------------------------


class _Undated:
    """What has no date: it comes last, in the input's order (mapping 4.4)."""

    def __init__(self, castings: Castings, size: int, spool: Spool) -> None:
        self._castings = castings
        self._size = size
        self._spool = spool
        self._held: list[Entry | Casting | Leaf] = []
        self._chars = 0
        self._file: BinaryIO | None = None

    def aside(
        self, items: Iterable[Item], lastmod_of: Callable[[Entry], Moment | None]
    ) -> Iterator[Entry | Ready]:
        """Give what has a date, and lay the rest aside."""
        for item in items:
            if isinstance(item, Entry):
                if lastmod_of(item) is not None:
                    yield item
                else:
                    self._lay(_ENTRY_CHARS, item)
            elif isinstance(item, Listed):
                self._lay(sum(map(len, item.locs)), self._castings.leaf(item))
            else:
                yield from self._parted(item)

    def _parted(self, run: Ready) -> Iterator[Ready]:
        """Part a run in two; nearly always one of them is empty."""
        undated = [place for place, trace in enumerate(run.traces) if not trace[0]]
        if not undated:
            yield run
            return
        dated = [place for place, trace in enumerate(run.traces) if trace[0]]
        if dated:
            rest = replace(run)
            rest.keep(dated)
            yield rest
        run.keep(undated)
        self._lay(self._castings.size_of(run), *self._castings.of(run))

    def _lay(self, chars: int, *things: Entry | Casting | Leaf) -> None:
        self._held += things
        self._chars += chars
        if self._chars >= self._size:
            import pickle

            if self._file is None:
                self._file = self._spool()
            for several in _blocks(self._held):
                pickle.dump(several, self._file, pickle.HIGHEST_PROTOCOL)
            self._held.clear()
            self._chars = 0

    def __iter__(self) -> Iterator[Entry | Casting | Leaf]:
        if self._file is not None:
            with self._file as file:
                yield from _unpickled(file)
        yield from self._held


def _blocks(things: Iterable[_T], size: int = _BLOCK) -> Iterator[list[_T]]:
    iterator = iter(things)
    while several := list(islice(iterator, size)):
        yield several


def _unpickled(file: BinaryIO) -> Iterator[Any]:
    """Give what was written by the block, from the beginning."""
    import pickle

    file.seek(0)
    with suppress(EOFError):
        while True:
            yield from pickle.load(file)  # noqa: S301 - we wrote it, no one else can


# -- sorting ----------------------------------------------------------------------------------


class _Chunks:
    """The input in sorted pieces that fit into memory."""

    def __init__(
        self, pieces: Iterator[tuple[int, Iterable[_Keyed]]], size: int, *, descending: bool
    ) -> None:
        self._pieces = pieces
        self._size = size
        self._descending = descending
        self.are_over = False
        """The piece that was given last is the last one."""

    def __iter__(self) -> Iterator[tuple[int, list[_Keyed]]]:
        """Give each with the number of entries that make a block."""
        chunk: list[_Keyed] = []
        chars = 0
        for more, keyed in self._pieces:
            if chars >= self._size:
                yield self._finished(chunk, chars)
                chunk, chars = [], 0
            chunk.extend(keyed)
            chars += more
        self.are_over = True
        if chunk:
            yield self._finished(chunk, chars)

    def _finished(self, chunk: list[_Keyed], chars: int) -> tuple[int, list[_Keyed]]:
        chunk.sort(key=_KEY, reverse=self._descending)
        return max(1, _BLOCK * _ENTRY_CHARS * len(chunk) // chars), chunk

    def in_order(self, key: _Key, later: _Key) -> bool:
        return bool(key >= later if self._descending else key <= later)

    def merge(self, runs: Iterable[_Run]) -> Iterator[_Keyed]:
        """Merge; of equals those of an earlier run come first."""
        return heapq.merge(*runs, key=_KEY, reverse=self._descending)


class _Run:
    """Sorted entries in a spooled file: first written, then read once."""

    def __init__(self, file: BinaryIO, level: int = 0) -> None:
        self._file = file
        self.level = level
        """How often its entries were merged already."""
        self.block = 1
        """How many were written as one, last."""
        self.last: _Key = None

    def extend(self, keyed: Iterable[_Keyed], block: int) -> None:
        import pickle

        self.block = block
        for several in _blocks(keyed, block):
            pickle.dump(several, self._file, pickle.HIGHEST_PROTOCOL)
            self.last = several[-1][0]

    def __iter__(self) -> Iterator[_Keyed]:
        yield from _unpickled(self._file)
        self._file.close()


def _sorted(chunks: _Chunks, spool: Spool) -> Iterator[_Keyed]:
    with ExitStack() as files:
        runs: list[_Run] = []
        for block, chunk in chunks:
            if chunks.are_over and not runs:
                yield from chunk
                return
            if not (runs and chunks.in_order(runs[-1].last, chunk[0][0])):
                _make_room(runs, chunks, lambda: files.enter_context(spool()))
                runs.append(_Run(files.enter_context(spool())))
            runs[-1].extend(chunk, block)
            chunk.clear()  # before the next one is made
        yield from chunks.merge(runs)


def _make_room(runs: list[_Run], chunks: _Chunks, spool: Spool) -> None:
    """Merge the last runs into one of the next level wherever there are enough of one level."""
    while len(runs) >= _MAX_RUNS and runs[-_MAX_RUNS].level == runs[-1].level:
        several = runs[-_MAX_RUNS:]
        merged = _Run(spool(), level=runs[-1].level + 1)
        merged.extend(chunks.merge(several), min(run.block for run in several))
        runs[-_MAX_RUNS:] = [merged]
