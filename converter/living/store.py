"""Keeps the new entries of an update in a temporary file and finds them again by their keys.

Memory holds an index of some 21 bytes an entry. The file has no name, so nobody else can change
it and a record may be a pickle (docs/decisions/0021).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from converter.seams import Spool

__all__ = ["EntryStore"]

#: A row of the index is the upper half of the hash of a key, and the number of the entry.
_NUMBER: Final = 2**32 - 1
_HASH: Final = _NUMBER << 32
#: Rows are sorted in buckets by the first bits of the hash, so that sorting takes little memory.
_BUCKET_SHIFT: Final = 56
_BUCKETS: Final = 256

_HELD_BYTES: Final = 1024 * 1024
#: Whole hashes, which answer for most keys that none of a few entries has it, take 100 bytes each.
_MOST_HASHES: Final = 100_000

_WAITING, _CLAIMED, _TAKEN = range(3)


class EntryStore:
    """Records in the order in which they came: put all of them in, then find them."""

    def __init__(self, spool: Spool) -> None:
        self._file = spool()
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._starts = array("Q", (0,))
        self._states = bytearray()
        self._buckets = [array("Q") for _ in range(_BUCKETS)]
        self._is_sorted = False
        self._hashes: set[int] | None = set()
        self._by_period: dict[str, array[int]] = {}

    def close(self) -> None:
        """Free the disk."""
        self._file.close()

    def put(self, key: bytes, record: bytes, period: str = "") -> None:
        """Add an entry."""
        hashed, number = hash(key), len(self._states)
        row = hashed & _HASH | number
        self._buckets[row >> _BUCKET_SHIFT].append(row)
        if self._hashes is not None:
            self._hashes.add(hashed)
            if number >= _MOST_HASHES:
                self._hashes = None
        self._by_period.setdefault(period, array("I")).append(number)
        self._states.append(_WAITING)
        self._starts.append(self._starts[-1] + len(record))
        self._held.append(record)
        self._held_bytes += len(record)
        if self._held_bytes >= _HELD_BYTES:
            self._write()

    def _write(self) -> None:
        self._file.write(b"".join(self._held))
        self._held.clear()
        self._held_bytes = 0

    def find(self, keys: Sequence[bytes]) -> Iterator[tuple[int, int]]:
        """Yield (position in `keys`, number of an entry) where an entry may have that key.

        Two keys may have one hash, so the caller compares the record. Entries that were taken are
        not found.
        """
        hashes: Sequence[int] = list(map(hash, keys))
        known = None if self._hashes is None else self._hashes.intersection(hashes)
        if known is not None and not known:
            return
        self._sort()
        for place, hashed in enumerate(hashes):
            if known is not None and hashed not in known:
                continue
            wanted = hashed & _HASH
            bucket = self._buckets[wanted >> _BUCKET_SHIFT]
            for at in range(bisect_left(bucket, wanted), len(bucket)):
                if bucket[at] & _HASH != wanted:
                    break
                if self._states[number := bucket[at] & _NUMBER] != _TAKEN:
                    yield place, number

    def _sort(self) -> None:
        if not self._is_sorted:
            self._buckets = [array("Q", sorted(bucket)) for bucket in self._buckets]
            self._is_sorted = True

    def record(self, number: int) -> bytes:
        """Return the record of an entry."""
        if self._held:
            self._write()
        start = self._starts[number]
        self._file.seek(start)
        return self._file.read(self._starts[number + 1] - start)

    def claim(self, number: int) -> None:
        """Keep an entry from being among the rest; it can be found until it is taken."""
        self._states[number] = max(self._states[number], _CLAIMED)

    def take(self, number: int) -> None:
        """Mark an entry as used; it is neither found nor among the rest."""
        self._states[number] = _TAKEN

    def release(self) -> None:
        """Mark all entries as neither claimed nor taken."""
        self._states = bytearray(len(self._states))

    @property
    def periods(self) -> set[str]:
        """All periods of the entries."""
        return set(self._by_period)

    def rest(self, period: str = "") -> Iterator[bytes]:
        """Yield the records of a period that are neither claimed nor taken, in their order."""
        for number in self._by_period.get(period, ()):
            if self._states[number] == _WAITING:
                yield self.record(number)
