"""Entries in another order than the input's, in bounded memory: an external merge sort."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import chain, islice
from operator import itemgetter
from typing import Any, BinaryIO, Literal, TypeAlias

from converter.model import Entry, Moment
from converter.seams import Spool
from converter.values import dates

__all__ = ["ordered"]

_Key: TypeAlias = tuple[Any, ...]
_Keyed: TypeAlias = tuple[_Key, Entry]

_KEY = itemgetter(0)
_MAX_RUNS = 64
"""So many are merged at once: each is an open file, and a block in memory."""
_BLOCK = 16
"""Entries that are written as one: they share the header that they point to."""


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
    makes one run, which is read back and not merged.
    """
    if sort == "input":
        return iter(entries)
    if sort == "url":
        keyed = ((_by_url(entry), entry) for entry in entries)
    else:
        keyed = ((_by_date(lastmod_of(entry)), entry) for entry in entries)
    chunks = _Chunks(keyed, max_in_memory, descending=sort == "newest")
    return (entry for _, entry in _sorted(chunks, spool))


def _by_url(entry: Entry) -> _Key:
    return (entry.loc is None, entry.loc or "")


def _by_date(moment: Moment | None) -> _Key:
    return (False,) if moment is None else (True, dates.sort_key(moment))


class _Chunks:
    """The input in sorted pieces that fit into memory."""

    def __init__(self, keyed: Iterator[_Keyed], size: int, *, descending: bool) -> None:
        self._keyed = keyed
        self._size = size
        self._descending = descending

    def __iter__(self) -> Iterator[list[_Keyed]]:
        while chunk := list(islice(self._keyed, self._size)):
            chunk.sort(key=_KEY, reverse=self._descending)
            yield chunk

    def in_order(self, key: _Key, later: _Key) -> bool:
        return key >= later if self._descending else key <= later

    def merge(self, runs: Iterable[_Run]) -> Iterator[_Keyed]:
        """Merge; of equals those of an earlier run come first."""
        return heapq.merge(*runs, key=_KEY, reverse=self._descending)


class _Run:
    """Sorted entries in a spooled file: first written, then read once."""

    def __init__(self, file: BinaryIO, level: int = 0) -> None:
        self._file = file
        self.level = level
        """How often its entries were merged already."""
        self.last: _Key = ()

    def extend(self, keyed: Iterable[_Keyed]) -> None:
        import pickle

        iterator = iter(keyed)
        while block := list(islice(iterator, _BLOCK)):
            pickle.dump(block, self._file, pickle.HIGHEST_PROTOCOL)
            self.last = block[-1][0]

    def __iter__(self) -> Iterator[_Keyed]:
        import pickle

        self._file.seek(0)
        with suppress(EOFError):
            while True:
                yield from pickle.load(self._file)  # noqa: S301 - we wrote it, no one else can
        self._file.close()


def _sorted(chunks: _Chunks, spool: Spool) -> Iterator[_Keyed]:
    pieces = iter(chunks)
    head = next(pieces, [])
    following = next(pieces, None)
    if following is None:
        yield from head
        return
    with ExitStack() as files:
        runs: list[_Run] = []
        for chunk in chain((head, following), pieces):
            if not (runs and chunks.in_order(runs[-1].last, chunk[0][0])):
                _make_room(runs, chunks, lambda: files.enter_context(spool()))
                runs.append(_Run(files.enter_context(spool())))
            runs[-1].extend(chunk)
        yield from chunks.merge(runs)


def _make_room(runs: list[_Run], chunks: _Chunks, spool: Spool) -> None:
    """Merge the last runs into one of the next level wherever there are enough of one level."""
    while len(runs) >= _MAX_RUNS and runs[-_MAX_RUNS].level == runs[-1].level:
        merged = _Run(spool(), level=runs[-1].level + 1)
        merged.extend(chunks.merge(runs[-_MAX_RUNS:]))
        runs[-_MAX_RUNS:] = [merged]
