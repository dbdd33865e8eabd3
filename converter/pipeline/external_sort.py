"""Sort rows of bytes by a key in bounded memory: an external merge sort."""

from __future__ import annotations

import heapq
import pickle
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from operator import itemgetter
from typing import Any, BinaryIO, Final, Self, TypeAlias

from converter.formats.base import Spool

Key: TypeAlias = Any
KeyedRow: TypeAlias = tuple[Key, bytes]
_KEY: Final = itemgetter(0)

#: Sorted files that are merged at once: each is open, and has a block in memory.
_MAX_RUNS: Final = 64
_BLOCK_BYTES: Final = 32 * 1024
#: Memory of the key, the tuple and the headers of objects of a row.
_OVERHEAD_BYTES: Final = 250
MEMORY_BYTES: Final = 8 * 1024 * 1024


class ExternalSort:
    """Rows that are added in any order, and read once by their keys.

    Rows with equal keys stay in the order in which they were added. Up to `memory_bytes` are
    sorted in memory; of more, sorted runs go to spooled files and are merged. Rows that are added
    in their order make one run.
    """

    def __init__(self, spool: Spool, memory_bytes: int = MEMORY_BYTES) -> None:
        self._files = ExitStack()
        self._spool = spool
        self._memory_bytes = memory_bytes
        self._runs: list[_SortedFile] = []
        self._rows: list[KeyedRow] = []
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._files.close()

    def add(self, key: Key, row: bytes) -> None:
        """Add a row."""
        if self._size >= self._memory_bytes:
            self._spill()
        self._rows.append((key, row))
        self._size += len(row) + _OVERHEAD_BYTES

    def __iter__(self) -> Iterator[KeyedRow]:
        """Yield keys and rows, once."""
        self._rows.sort(key=_KEY)
        return heapq.merge(*self._runs, self._rows, key=_KEY)  # stable: earlier runs come first

    def _file(self) -> BinaryIO:
        return self._files.enter_context(self._spool())

    def _spill(self) -> None:
        """Move the rows to a new run, or to the last one if they follow it."""
        rows, runs = self._rows, self._runs
        rows.sort(key=_KEY)
        if not (runs and runs[-1].last <= rows[0][0]):
            # keeps few files open: the greatest number of runs of one level become one of the next
            while len(runs) >= _MAX_RUNS and runs[-_MAX_RUNS].level == runs[-1].level:
                merged = _SortedFile(self._file(), level=runs[-1].level + 1)
                merged.extend(heapq.merge(*runs[-_MAX_RUNS:], key=_KEY))
                runs[-_MAX_RUNS:] = [merged]
            runs.append(_SortedFile(self._file()))
        runs[-1].extend(rows)
        rows.clear()
        self._size = 0


class _SortedFile:
    """Sorted rows in a spooled file, which are written first and then read once."""

    def __init__(self, file: BinaryIO, level: int = 0) -> None:
        self._file = file
        self.level = level
        """How many times its rows were merged."""
        self.last: Key = None

    def extend(self, keyed: Iterable[KeyedRow]) -> None:
        block, size = list[KeyedRow](), 0
        for pair in keyed:
            block.append(pair)
            size += len(pair[1])
            self.last = pair[0]
            if size >= _BLOCK_BYTES:
                self._write(block)
                block, size = [], 0
        self._write(block)

    def _write(self, block: list[KeyedRow]) -> None:
        pickle.dump(block, self._file, pickle.HIGHEST_PROTOCOL)

    def __iter__(self) -> Iterator[KeyedRow]:
        self._file.seek(0)
        with suppress(EOFError):
            while True:
                yield from pickle.load(self._file)  # noqa: S301  of our own process
        self._file.close()
