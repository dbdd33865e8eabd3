"""Stores the new entries of an update in a temporary file and finds them by their keys.

Memory holds an index of about 150 bytes an entry. The file has no name, so no other program can
change it, and a record may be a pickle (docs/decisions/0024).
"""

from __future__ import annotations

import os
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from converter.formats.base import Spool

_WAITING, _CLAIMED, _TAKEN = range(3)


class EntryStore:
    """Records in the order in which they are put in; seal the store, then find them."""

    def __init__(self, spool: Spool, key_of: Callable[[bytes], bytes]) -> None:
        """Create an empty store; `key_of` returns the key of a record."""
        self._file = spool()
        self._key_of = key_of
        self._starts = array("Q", (0,))
        self._states = bytearray()
        self._numbers: dict[int, int] = {}
        """The number of the first entry by the hash of its key."""
        self._following: dict[int, int] = {}
        """The number of the next entry with the same hash, if there is one."""
        self._by_period: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))

    def put(self, key: bytes, record: bytes, period: str = "") -> None:
        """Add an entry; one with an empty key is not found."""
        number = len(self._states)
        if key and (last := self._numbers.setdefault(hash(key), number)) != number:
            while last in self._following:
                last = self._following[last]
            self._following[last] = number
        self._by_period[period].append(number)
        self._states.append(_WAITING)
        self._starts.append(self._starts[-1] + len(record))
        self._file.write(record)

    def seal(self) -> None:
        """Flush the file; no more entries can be put in."""
        self._file.flush()

    def close(self) -> None:
        """Delete the temporary file."""
        self._file.close()

    def find(self, keys: Sequence[bytes]) -> Iterator[tuple[int, int, bytes]]:
        """Yield (position in `keys`, number, record) of each entry that is not taken."""
        hashes = list(map(hash, keys))
        if self._numbers.keys().isdisjoint(hashes):
            return
        for place, hashed in enumerate(hashes):
            number = self._numbers.get(hashed)
            while number is not None:
                if self._states[number] != _TAKEN:
                    record = self._record(number)
                    if self._key_of(record) == keys[place]:  # others may have the same hash
                        yield place, number, record
                number = self._following.get(number)

    def _record(self, number: int) -> bytes:
        start = self._starts[number]
        return os.pread(self._file.fileno(), self._starts[number + 1] - start, start)

    def claim(self, number: int) -> None:
        """Exclude an entry from `rest`; `find` still yields it."""
        self._states[number] = _CLAIMED

    def take(self, number: int) -> None:
        """Exclude an entry from `rest` and `find`."""
        self._states[number] = _TAKEN

    def release(self) -> None:
        """Make all entries neither claimed nor taken."""
        self._states = bytearray(len(self._states))

    @property
    def periods(self) -> set[str]:
        """The periods that occur."""
        return set(self._by_period)

    def rest(self, period: str = "") -> Iterator[bytes]:
        """Yield the records of a period that are neither claimed nor taken."""
        for number in self._by_period.get(period, ()):
            if self._states[number] == _WAITING:
                yield self._record(number)
