"""Which digests were seen before: a set that needs no room to move house in.

A set doubles its table as it grows, and while it does there are two of them; of large sets that is
half as much again for a moment. So a set that is full is left as it is, and one of twice its size
begun: there are never more than a few, and only the newest one grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

__all__ = ["Digests"]

#: A little less than what fits a table of 2 ** 21 places, of which CPython fills three in five.
_FIRST_ROOM: Final = 1_258_000


class Digests:
    """Digests of keys, as `values.marks.digest` returns them."""

    def __init__(self) -> None:
        self._newest: set[int] = set()
        self._older: list[set[int]] = []
        self._room = _FIRST_ROOM

    def __len__(self) -> int:
        return len(self._newest) + sum(map(len, self._older))

    def __iter__(self) -> Iterator[int]:
        return chain(self._newest, *self._older)

    def clear(self) -> None:
        """Forget all of them."""
        self._newest = set()
        self._older.clear()

    def __contains__(self, digest: int) -> bool:
        return digest in self._newest or any(digest in known for known in self._older)

    def is_new(self, digest: int) -> bool:
        """Take one digest in; say whether it was not there before."""
        newest = self._newest
        if digest in newest or (self._older and digest in self):
            return False
        if len(newest) >= self._room:
            self._older.append(newest)
            self._newest = newest = set()
            self._room *= 2
        newest.add(digest)
        return True
