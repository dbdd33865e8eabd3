"""Names the slices of a list, for this process or for others to read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO, Final, Self

from converter.moulds.slices import descriptor_of, measured
from converter.seams import Lines

__all__ = ["Spans"]

_SPAN_BYTES: Final = 256 * 1024
#: So many spans are given to a worker, which then never waits for this process.
_AT_ONCE: Final = 2


class Spans:
    """Where the slices of a list stand in a plain file; of any other thing, the slices themselves.

    Sent through a pipe, a long list would be copied two times more.
    """

    def __init__(self, stream: BinaryIO, lines: Lines) -> None:
        """Begin.

        Args:
            stream: the list.
            lines: knows how it is cut.
        """
        self._stream = stream
        self._lines = lines
        self._descriptor = descriptor_of(stream)
        self._slices = lines.slices(stream) if self._descriptor is None else iter(())
        self._behind = 0
        """Up to here all was named."""

    @property
    def at_once(self) -> int:
        """How many of the names a pipe surely holds."""
        return 1 if self._descriptor is None else _AT_ONCE

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        """Name the next slice."""
        if self._descriptor is None:
            return next(self._slices)
        begin = self._behind
        size = measured(self._descriptor, begin, _SPAN_BYTES, self._lines.end_of)
        if not size or not self._lines.is_plain(os.pread(self._descriptor, 4, 0)):
            raise StopIteration  # here is a line that is longer, or has no end; or none is plain
        self._behind = begin + size
        return b"%d %d" % (begin, size)

    def read(self, name: bytes) -> bytes:
        """Give a slice by its name; in any process."""
        if self._descriptor is None:
            return name
        begin, size = map(int, name.split())
        return self._lines.ended(os.pread(self._descriptor, size, begin))

    def rest(self) -> Iterator[bytes]:
        """Give the slices that have no names."""
        if self._descriptor is not None:
            yield from self._lines.slices(self._stream, self._behind)
