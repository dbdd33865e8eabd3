"""Sort entries in bounded memory: an external merge sort."""

from __future__ import annotations

import heapq
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import fields
from datetime import UTC, datetime
from itertools import compress
from operator import attrgetter, is_not, itemgetter
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from converter.formats.base import Rendered, Spool
from converter.model import Entry, Feed, Moment
from converter.values import dates

_Key: TypeAlias = Any
_Keyed: TypeAlias = tuple[_Key, bytes]
"""A key and its serialised item."""
_FIRST: Final = itemgetter(0)

#: Sorted files that are merged at once: each is open, and has a block in memory.
_MAX_RUNS = 64
_BLOCK_BYTES = 32 * 1024
#: Memory of the key, the tuple and the headers of objects of a serialised item.
_OVERHEAD_BYTES: Final = 250
_MEMORY_BYTES: Final = 8 * 1024 * 1024

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


# -- keys -------------------------------------------------------------------------------------


def _by_url(item: Rendered) -> str:
    return "\U0010ffff" if item.loc is None else item.loc  # after every URL


def sort_key(sort: Literal["input", "url", "newest"]) -> Callable[[Rendered], _Key]:
    """Return the key of a sort: by URL, by date with the newest first, or none.

    Entries without a URL, or without a date, come last.
    """
    keys: dict[str, Callable[[Rendered], _Key]] = {"url": _by_url, "newest": attrgetter("date")}
    return keys.get(sort, lambda _: 0)


def date_key(moment: Moment | None) -> int:
    """Return a number that orders moments as `dates.sort_key` does, newest first, None last."""
    if moment is None:
        return 1 << 63
    instant, precision = dates.sort_key(moment)
    passed = instant - _EPOCH
    return -((passed.days * 86_400 + passed.seconds) * 8 + precision)


# -- items as bytes ---------------------------------------------------------------------------

#: All fields of an item but its entry.
_ITEM_VALUES: Final = attrgetter(*(field.name for field in fields(Rendered)[:-1]))
_NAMES: Final = tuple(field.name for field in fields(Entry) if field.name != "feed")
_VALUES: Final = attrgetter(*_NAMES)
_DEFAULTS: Final = _VALUES(Entry())


class _Serialiser:
    """Turns items into bytes and back, with the set fields of entries; headers stay in memory."""

    def __init__(self) -> None:
        self._numbers: dict[Feed | None, int] = {}
        self._feeds: list[Feed | None] = []

    def dump(self, item: Rendered) -> bytes:
        row, entry = _ITEM_VALUES(item), None
        if not item.is_rendered and item.entry is not None:
            values = _VALUES(item.entry)
            is_set = map(is_not, values, _DEFAULTS)
            present = dict(compress(zip(_NAMES, values, strict=True), is_set))
            entry = self._number(item.entry.feed), present
        return pickle.dumps((row, entry), pickle.HIGHEST_PROTOCOL)

    def load(self, data: bytes) -> Rendered:
        row, entry = pickle.loads(data)  # noqa: S301  of our own process
        item = Rendered(*row)
        if entry is not None:
            number, values = entry
            item.entry = Entry(feed=self._feeds[number], **values)
        return item

    def _number(self, feed: Feed | None) -> int:
        if self._feeds and self._feeds[-1] is feed:
            return len(self._feeds) - 1
        number = self._numbers.setdefault(feed, len(self._feeds))
        if number == len(self._feeds):
            self._feeds.append(feed)
        return number


# -- sorting ----------------------------------------------------------------------------------


class _SortedFile:
    """Sorted entries in a spooled file, which are written first and then read once."""

    def __init__(self, file: BinaryIO, level: int = 0) -> None:
        self._file = file
        self.level = level
        """How many times its entries were merged."""
        self.last: _Key = None

    def extend(self, keyed: Iterable[_Keyed]) -> None:
        block, size = list[_Keyed](), 0
        for pair in keyed:
            block.append(pair)
            size += len(pair[1])
            self.last = pair[0]
            if size >= _BLOCK_BYTES:
                self._write(block)
                block, size = [], 0
        self._write(block)

    def _write(self, block: list[_Keyed]) -> None:
        pickle.dump(block, self._file, pickle.HIGHEST_PROTOCOL)

    def __iter__(self) -> Iterator[_Keyed]:
        self._file.seek(0)
        with suppress(EOFError):
            while True:
                yield from pickle.load(self._file)  # noqa: S301  of our own process
        self._file.close()


def ordered(
    items: Iterable[Rendered],
    key: Callable[[Rendered], Any],
    spool: Spool,
    memory_bytes: int = _MEMORY_BYTES,
) -> Iterator[Rendered]:
    """Yield entries by a key; those with equal keys stay in the order of the input.

    Up to `memory_bytes` are sorted in memory; of more, sorted runs go to spooled files and are
    merged. Input that is sorted makes one run.
    """
    serialiser = _Serialiser()
    runs, chunk, size = list[_SortedFile](), list[_Keyed](), 0
    with ExitStack() as files:
        for item in items:
            if size >= memory_bytes:
                _spill(chunk, runs, lambda: files.enter_context(spool()))
                size = 0
            data = serialiser.dump(item)
            chunk.append((key(item), data))
            size += len(data) + _OVERHEAD_BYTES
        chunk.sort(key=_FIRST)
        for _, data in heapq.merge(*runs, chunk, key=_FIRST):  # stable: earlier runs come first
            yield serialiser.load(data)


def _spill(chunk: list[_Keyed], runs: list[_SortedFile], spool: Spool) -> None:
    """Move entries to a new run, or to the last one if they follow it."""
    chunk.sort(key=_FIRST)
    if not (runs and runs[-1].last <= chunk[0][0]):
        # keeps few files open: the greatest number of runs of one level become one of the next
        while len(runs) >= _MAX_RUNS and runs[-_MAX_RUNS].level == runs[-1].level:
            merged = _SortedFile(spool(), level=runs[-1].level + 1)
            merged.extend(heapq.merge(*runs[-_MAX_RUNS:], key=_FIRST))
            runs[-_MAX_RUNS:] = [merged]
        runs.append(_SortedFile(spool()))
    runs[-1].extend(chunk)
    chunk.clear()
