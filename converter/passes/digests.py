"""Which digests were seen before, and where first: a table that needs no room to grow.

A dict doubles its table as it grows, and while it does there are two of them; of large ones that
is half as much again for a moment. So a dict that is full is left as it is, and one of twice its
size begun: there are never more than a few, and only the newest one grows.
"""

from __future__ import annotations

from typing import Final

__all__ = ["Digests", "digest"]

digest: Final = hash
"""Of a key: 64 bits, the same in this process and in those that it forks."""

#: A little less than what fits a table of 2 ** 21 places, of which CPython fills two in three.
_FIRST_ROOM: Final = 1_398_000


class Digests:
    """Digests of keys, as `digest` returns them, each with a place."""

    def __init__(self) -> None:
        self._newest: dict[int, int | None] = {}
        self._older: list[dict[int, int | None]] = []
        self._room = _FIRST_ROOM

    def __contains__(self, digest: int) -> bool:
        return digest in self._newest or any(digest in known for known in self._older)

    def is_new(self, digest: int, place: int | None = None) -> bool:
        """Take one digest in; say whether it was not there before."""
        newest = self._newest
        if digest in newest or (self._older and digest in self):
            return False
        if len(newest) >= self._room:
            self._older.append(newest)
            self._newest = newest = {}
            self._room *= 2
        newest[digest] = place
        return True

    def place(self, digest: int) -> int | None:
        """Return the place that came with a digest when it was new."""
        return next(
            (known[digest] for known in (self._newest, *self._older) if digest in known), None
        )
