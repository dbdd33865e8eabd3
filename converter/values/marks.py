"""Digests of texts, and a set of them that takes little room.

The set has 11 to 23 bytes for each, where a `set` of `int` has 60 to 150; and it is as much slower.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

__all__ = ["Marks", "digest"]

_FIRST_PLACES: Final = 1 << 10
#: A table is moved to one of twice its size when more than so many of ten places are taken. It is
#: not six, as for a `set`: where there is one beside it, both would move at once.
_MOST_TAKEN: Final = 7

#: No digest: one string in 2 ** 64 has it, and is never known again.
_EMPTY: Final = 0

#: 64 bits of a text, the same in this process and its forks. (32 bits where pointers have 32.)
digest: Final[Callable[[str | bytes], int]] = hash


class Marks:
    """A set of numbers of `digest`; the lowest bits of each say where it lies in the table."""

    def __init__(self) -> None:
        self._count = 0
        self._table = array("q", bytes(8)) * _FIRST_PLACES

    def __contains__(self, number: int) -> bool:
        return self._table[self._place(number)] == number != _EMPTY

    def add(self, number: int) -> None:
        """Take one in."""
        place = self._place(number)
        if self._table[place] == number:
            return
        self._table[place] = number
        self._count += 1
        if self._count * 10 > len(self._table) * _MOST_TAKEN:
            old, self._count = self._table, 0
            self._table = array("q", bytes(8)) * (2 * len(old))
            for known in filter(None, old):  # _EMPTY is 0
                self.add(known)

    def _place(self, number: int) -> int:
        """Return where a number is, or would be."""
        table, mask = self._table, len(self._table) - 1
        place = number & mask
        while (found := table[place]) != number and found != _EMPTY:
            place = (place + 1) & mask
        return place
