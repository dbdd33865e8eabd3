"""Temporary copies of documents: one in a file of its own, or many that share one file.

A feed may have thousands of pages: too many for a file, or an open descriptor, for each.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from converter.errors import LimitError
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
    size = 0
    with ExitStack() as closing_after_error:
        file = closing_after_error.enter_context(spool())
        for chunk in chunks:
            size += len(chunk)
            if max_bytes is not None and size > max_bytes:
                raise too_large(name, max_bytes, limit)
            file.write(chunk)
        file.seek(0)
        closing_after_error.pop_all()
    return file


def too_large(name: str, max_bytes: int, limit: str) -> LimitError:
    """Return the error for a document that is larger than a limit allows."""
    return LimitError(
        f"{printable(name)}: larger than the limit of {max_bytes:,} bytes. "
        "Raise it with --max-bytes if you trust the source",
        limit=limit,
    )


def append_copy(file: BinaryIO, source: Source) -> Source:
    """Append the decompressed content of a source, which can be closed afterwards, to a file.

    Returns:
        The source with a stream of its own, so that several can be read side by side.

    Raises:
        SinkError: the file cannot be written.
    """
    start = file.tell()  # also behind the remains of a copy that failed
    file.writelines(read_chunks(source.stream))
    file.flush()
    copy = _FileRange(file, start, file.tell() - start)
    return source._replace(stream=cast("BinaryIO", copy), total_bytes=copy.size, consumed=copy.tell)


class _FileRange(io.RawIOBase):
    """A part of a file with a position of its own."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file = file
        self._start = start
        self.size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}[whence]
        self._position = max(0, origin + offset)
        return self._position

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        size = min(len(view), max(0, self.size - self._position))
        data = os.pread(self._file.fileno(), size, self._start + self._position)
        view[: len(data)] = data
        self._position += len(data)
        return len(data)
