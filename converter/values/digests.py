"""Digests of texts, and a compact set of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

#: 64 bits of a text, equal in this process and its forks (32 bits on 32-bit systems).
digest: Final[Callable[[str | bytes], int]] = hash

#: An empty slot; the one string in 2 ** 64 with this digest is never found.
_EMPTY: Final = 0


class DigestSet:
    """A hash table of digests with open addressing.

    It takes 11 to 23 bytes per digest; a `set` takes 60 to 150, which alone would exceed the
    memory limit of 130 bytes per URL (tests/test_memory.py).
    """

    def __init__(self) -> None:
        self._count = 0
        self._table = array("q", bytes(8 << 10))

    def __contains__(self, number: int) -> bool:
        return self._table[self._slot(number)] == number != _EMPTY

    def add(self, number: int) -> bool:
        """Add a digest; return False if the set has it.

        The table doubles at 70 %: a `set` of the same size doubles at 60 %, not at the same time.
        """
        slot = self._slot(number)
        if self._table[slot] == number:
            return number == _EMPTY
        self._table[slot] = number
        self._count += 1
        if self._count * 10 > len(self._table) * 7:
            old, self._count = self._table, 0
            self._table = array("q", bytes(16 * len(old)))
            for known in filter(None, old):
                self.add(known)
        return True

    def _slot(self, number: int) -> int:
        """Return the slot of a digest, or the empty slot where it belongs."""
        table, mask = self._table, len(self._table) - 1
        slot = number & mask
        while (found := table[slot]) != number and found != _EMPTY:
            slot = (slot + 1) & mask
        return slot
