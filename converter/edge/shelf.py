"""Keeps what was fetched: many documents in one temporary file, each to be read again and again.

A feed may have thousands of pages: a file, or an open descriptor, for each would be too many.
"""

from __future__ import annotations

import io
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, cast

from converter.edge.copying import chunks_of, copy_to
from converter.edge.sources import Source
from converter.seams import Spool

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["Shelf"]


class Shelf:
    """One file, made when there is something to put on it."""

    def __init__(self, spool: Spool, closing: ExitStack) -> None:
        self._spool = spool
        self._closing = closing
        self._file: BinaryIO | None = None
        self._end = 0

    def put(self, source: Source) -> Source:
        """Keep a copy of what a source holds, unpacked: the source can be closed.

        Raises:
            SinkError: there is no room for it.
        """
        if self._file is None:
            self._file = self._closing.enter_context(self._spool())
        size = copy_to(self._file, chunks_of(source.stream), source.name)
        kept = _Slice(self._file, self._end, size)
        self._end += size
        stream = cast("BinaryIO", kept)
        return source._replace(stream=stream, total_bytes=size, consumed=kept.tell)


class _Slice(io.RawIOBase):
    """A part of a file, with a place of its own in it: several may be read at the same time."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file = file
        self._start = start
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, origin + offset)
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        most = min(len(view), max(0, self._size - self._at))
        data = os.pread(self._file.fileno(), most, self._start + self._at)
        view[: len(data)] = data
        self._at += len(data)
        return len(data)
