"""Copies of documents in temporary files: of one, or of many in one file.

A feed may have thousands of pages: a file, or an open descriptor, for each would be too many.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from converter.errors import LimitError, sink_errors
from converter.formats.base import Spool
from converter.issues import printable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from converter.sources.source import Source

CHUNK_BYTES: Final = 256 * 1024


def chunks_of(stream: BinaryIO, size: int = CHUNK_BYTES) -> Iterator[bytes]:
    """Read a stream to its end."""
    return iter(partial(stream.read, size), b"")


def copy_to(
    file: BinaryIO,
    chunks: Iterable[bytes],
    name: str,
    most: int | None = None,
    *,
    limit: str = "max_unpacked_bytes",
) -> int:
    """Append a document to a temporary file; return the number of bytes.

    Args:
        file: where it goes.
        chunks: the document.
        name: of the document, for messages.
        most: the largest size in bytes; None: any.
        limit: the name of that limit.

    Raises:
        LimitError: it is larger.
        SinkError: the disk is full.
    """
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if most is not None and size > most:
            raise too_large(name, most, limit)
        with sink_errors(f"a temporary copy of {printable(name)} (TMPDIR says where)"):
            file.write(chunk)
            file.flush()
    return size


def too_large(name: str, most: int, limit: str) -> LimitError:
    """Return the error of a document that is larger than a limit allows."""
    return LimitError(
        f"{printable(name)}: more than the {most:,} bytes that are allowed. "
        "Allow more with --max-bytes if you trust it",
        limit=limit,
    )


class CopyStore:
    """Many documents in one temporary file, which is made with the first of them."""

    def __init__(self, spool: Spool, closing: ExitStack) -> None:
        self._spool = spool
        self._closing = closing
        self._file: BinaryIO | None = None

    def add(self, source: Source) -> Source:
        """Keep a copy of what a source holds, unpacked: the source can be closed.

        Raises:
            SinkError: there is no room for it.
        """
        if self._file is None:
            self._file = self._closing.enter_context(self._spool())
        start = self._file.tell()  # behind what is left of a copy that failed, too
        size = copy_to(self._file, chunks_of(source.stream), source.name)
        kept = _Slice(self._file, start, size)
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
