"""Cuts a document into slices of whole entries, for this process or for others to read."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable
from typing import BinaryIO, Final

from converter.errors import MouldBroken
from converter.moulds.layout import Layout

__all__ = ["Slices", "descriptor_of", "measured"]

_SLICE_BYTES: Final = 256 * 1024
#: Where entries are held till all are known, a slice is so many times smaller.
_PART_IF_HELD: Final = 4
#: Of a slice, so much is looked at for the end of its last entry, before all of it is.
_TAIL_BYTES: Final = 16 * 1024
_MOST_CARRIED_BYTES: Final = 4 * 1024 * 1024


class Slices:
    """What is left of a document.

    Where it is a plain file, other processes get no more than the span of a slice, and read it
    themselves: sent through a pipe, a large document would be copied two times more.
    """

    def __init__(self, stream: BinaryIO, layout: Layout, *, are_held: bool) -> None:
        """Begin where the stream stands.

        Args:
            stream: the document.
            layout: of its entries.
            are_held: entries are held till all are known: there is less room for anything else.
        """
        self._stream = stream
        self._layout = layout
        self._size = _SLICE_BYTES // _PART_IF_HELD if are_held else _SLICE_BYTES
        self._carried = b""
        """What was read, and not yet given."""
        self._descriptor = descriptor_of(stream)

    def first(self, size: int) -> tuple[bytes, bytes]:
        """Read so much of it, and give the whole entries in it, and what was read behind them."""
        data = self._stream.read(size)
        cut = self._layout.cut(data)
        self._carried = data[cut:]
        return data[:cut], self._carried

    def rest(self, size: int) -> bytes:
        """Give some of what is left, as it is."""
        carried, self._carried = self._carried, b""
        return carried or self._stream.read(size)

    @property
    def are_spans(self) -> bool:
        """Say whether marks are small, and can be read as often as one likes."""
        return self._descriptor is not None

    def marked(self) -> bytes | None:
        """Name the next whole entries for `read`; None: there are no more, or they are too long."""
        if self._descriptor is None:
            return self._next()
        begin = self._stream.tell() - len(self._carried)
        cut = self._layout.cut
        size = measured(self._descriptor, begin, self._size, cut) or cut(
            os.pread(self._descriptor, _MOST_CARRIED_BYTES, begin)
        )
        if not size:
            return None
        self._carried = b""
        self._stream.seek(begin + size)
        return b"%d %d" % (begin, size)

    def _next(self) -> bytes | None:
        while True:
            more = self._stream.read(self._size)
            data = self._carried + more
            cut = self._layout.cut(data)
            self._carried = data[cut:]
            if cut:
                return data[:cut]
            if not more or len(data) > _MOST_CARRIED_BYTES:
                return None

    def read(self, mark: bytes) -> bytes:
        """Read what was marked; in any process.

        Raises:
            MouldBroken: the document is closed.
        """
        if self._descriptor is None:
            return mark
        if self._stream.closed:
            raise MouldBroken
        begin, size = map(int, mark.split())
        return os.pread(self._descriptor, size, begin)

    def unmark(self, marks: Iterable[bytes]) -> None:
        """Take back what was marked last."""
        if self._descriptor is None:
            self._carried = b"".join(marks) + self._carried
        elif first := next(iter(marks), None):
            self._stream.seek(int(first.split()[0]))


def measured(descriptor: int, begin: int, size: int, cut: Callable[[bytes], int]) -> int:
    """Find how much of a slice is whole, by looking at its end first; 0: nothing.

    Args:
        descriptor: of a plain file.
        begin: where the slice begins.
        size: how long it may be.
        cut: finds the last place in some bytes behind which they can be cut; 0: there is none.
    """
    for seen in (min(_TAIL_BYTES, size), size):
        start = size - seen
        if found := cut(os.pread(descriptor, seen, begin + start)):
            return start + found
    return 0


def descriptor_of(stream: BinaryIO) -> int | None:
    """Give what other processes may read a file by; None: it is another thing, or packed."""
    if isinstance(stream, io.BufferedReader | io.BufferedRandom) and type(stream.raw) is io.FileIO:
        return stream.fileno()
    return None
