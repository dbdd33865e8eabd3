"""Digests of texts, and a set of them that takes little room."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

#: 64 bits of a text, the same in this process and its forks. (32 bits where pointers have 32.)
digest: Final[Callable[[str | bytes], int]] = hash

#: No digest: one string in 2 ** 64 has it, and is never known again.
_EMPTY: Final = 0


class DigestSet:
    """A set of numbers of `digest`; the lowest bits of each say where it lies in the table.

    It has 11 to 23 bytes for each, where a `set` has 60 to 150; and it is as much slower.
    """

    def __init__(self) -> None:
        self._count = 0
        self._table = array("q", bytes(8 << 10))

    def __contains__(self, number: int) -> bool:
        return self._table[self._place(number)] == number != _EMPTY

    def add(self, number: int) -> bool:
        """Take one in; False: it is in already.

        The table doubles at 70 %: at 60 % a `set` beside it would move as well.
        """
        place = self._place(number)
        if self._table[place] == number:
            return number == _EMPTY
        self._table[place] = number
        self._count += 1
        if self._count * 10 > len(self._table) * 7:
            old, self._count = self._table, 0
            self._table = array("q", bytes(16 * len(old)))
            for known in filter(None, old):
                self.add(known)
        return True

    def _place(self, number: int) -> int:
        """Return where a number is, or would be."""
        table, mask = self._table, len(self._table) - 1
        place = number & mask
        while (found := table[place]) != number and found != _EMPTY:
            place = (place + 1) & mask
        return place
