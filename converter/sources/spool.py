"""Temporary copies of documents: one in a file of its own, or many that share one file.

A feed may have thousands of pages: too many for a file, or an open descriptor, for each.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from converter.errors import LimitError, sink_errors
from converter.formats.base import Spool
from converter.issues import printable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from converter.sources.source import Source

CHUNK_BYTES: Final = 256 * 1024


def read_chunks(stream: BinaryIO, size: int = CHUNK_BYTES) -> Iterator[bytes]:
    """Yield the rest of a stream."""
    return iter(partial(stream.read, size), b"")


def copy_to_file(
    spool: Spool,
    chunks: Iterable[bytes],
    name: str,
    max_bytes: int | None = None,
    *,
    limit: str = "max_unpacked_bytes",
) -> BinaryIO:
    """Copy a document to a new temporary file; return the file at its beginning.

    Raises:
        LimitError: the document is larger than `max_bytes`, which `Limits` calls `limit`.
        SinkError: the file cannot be created or written.
    """
    with _copy_errors(name):
        file = spool()
    try:
        _append(file, _limited(chunks, name, max_bytes, limit), name)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def too_large(name: str, max_bytes: int, limit: str) -> LimitError:
    """Return the error for a document that is larger than a limit allows."""
    return LimitError(
        f"{printable(name)}: larger than the limit of {max_bytes:,} bytes. "
        "Raise it with --max-bytes if you trust the source",
        limit=limit,
    )


def _append(file: BinaryIO, chunks: Iterable[bytes], name: str) -> int:
    size = 0
    for chunk in chunks:
        with _copy_errors(name):
            file.write(chunk)
            file.flush()
        size += len(chunk)
    return size


def _limited(
    chunks: Iterable[bytes], name: str, max_bytes: int | None, limit: str
) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if max_bytes is not None and size > max_bytes:
            raise too_large(name, max_bytes, limit)
        yield chunk


def _copy_errors(name: str) -> AbstractContextManager[None]:
    return sink_errors(f"a temporary copy of {printable(name)} (TMPDIR says where)")


class SharedSpool:
    """Many documents in one temporary file, which is created for the first of them."""

    def __init__(self, spool: Spool, closing: ExitStack) -> None:
        self._spool = spool
        self._closing = closing
        self._file: BinaryIO | None = None

    def add(self, source: Source) -> Source:
        """Copy the decompressed content of a source, which the caller can close afterwards.

        Raises:
            SinkError: the file cannot be created or written.
        """
        if self._file is None:
            with _copy_errors(source.name):
                self._file = self._closing.enter_context(self._spool())
        start = self._file.tell()  # also behind the remains of a copy that failed
        size = _append(self._file, read_chunks(source.stream), source.name)
        copy = _FileRange(self._file, start, size)
        return source._replace(stream=cast("BinaryIO", copy), total_bytes=size, consumed=copy.tell)


class _FileRange(io.RawIOBase):
    """A part of a file with a position of its own, so that several can be read side by side."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file = file
        self._start = start
        self._size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        self._position = max(0, origin + offset)
        return self._position

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        size = min(len(view), max(0, self._size - self._position))
        data = os.pread(self._file.fileno(), size, self._start + self._position)
        view[: len(data)] = data
        self._position += len(data)
        return len(data)
