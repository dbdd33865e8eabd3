"""Decompresses gzip as it is read, with limits against bombs; keeps what precedes a fault.

Format: RFC 1952. The standard library's `gzip` has no limits, and loses the data before a fault.
"""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from converter.errors import DocumentError, LimitError
from converter.issues import Code, Issue, Report, ignore, printable
from converter.options import Limits
from converter.sources.spool import CHUNK_BYTES, read_chunks, too_large

if TYPE_CHECKING:
    from zlib import _Decompress  # the type has no public name

    from _typeshed import WriteableBuffer

MAGIC = b"\x1f\x8b"
COMPRESSED_CHUNK_BYTES = 32 * 1024
_WBITS_GZIP = 31


class _DamageError(Exception):
    """The data cannot be decompressed any further; the message completes "the gzip data …"."""


def decompress(
    chunks: Iterator[bytes], name: str, limits: Limits, report: Report
) -> Iterator[bytes]:
    """Decompress all members, skip NUL padding, and report damage as `gzip-repaired`.

    Raises:
        DocumentError: nothing can be decompressed.
        LimitError: the content is larger than the limits allow.
    """
    size = 0
    try:
        for data, compressed_bytes in _members(chunks):
            size += len(data)
            if size > limits.max_unpacked_bytes:
                raise too_large(name, limits.max_unpacked_bytes, "max_unpacked_bytes")
            if size > max(limits.ratio_floor_bytes, limits.max_unpack_ratio * compressed_bytes):
                raise LimitError(
                    f"{printable(name)}: the content is more than {limits.max_unpack_ratio:,} "
                    "times as large as the gzip data, as only in bombs. "
                    "Decompress it yourself if you trust it",
                    limit="max_unpack_ratio",
                )
            yield data
    except _DamageError as damage:
        if not size:
            raise DocumentError(
                f"{printable(name)}: the gzip data {damage}, and nothing can be decompressed. "
                "Fetch or copy the file again"
            ) from None
        message = f"the gzip data {damage}; what could be unpacked before that is used"
        report(Issue(code=Code.GZIP_REPAIRED, message=message, source=name))


def _members(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yield decompressed data, each with the number of compressed bytes read until then."""
    member, compressed, size = zlib.decompressobj(_WBITS_GZIP), b"", 0
    while True:
        compressed = compressed or next(chunks, b"")
        before = member.copy()
        try:
            data = member.decompress(compressed, CHUNK_BYTES)
        except zlib.error:
            yield from _up_to_fault(before, compressed, size)
            raise _DamageError("are damaged") from None
        rest = member.unused_data if member.eof else member.unconsumed_tail
        size += len(compressed) - len(rest)
        if not (compressed or data or member.eof):  # zlib may return buffered data without input
            raise _DamageError("break off")
        compressed = rest
        yield data, size
        if not member.eof:
            continue
        compressed = compressed.lstrip(b"\0")
        while len(compressed) < len(MAGIC) and (more := next(chunks, b"")):
            compressed = (compressed + more).lstrip(b"\0")
        if not compressed:
            return
        if not compressed.startswith(MAGIC):
            raise _DamageError("are followed by something else")
        member = zlib.decompressobj(_WBITS_GZIP)


def _up_to_fault(member: _Decompress, compressed: bytes, size: int) -> Iterator[tuple[bytes, int]]:
    """Decompress byte by byte, since the call that failed returned nothing."""
    with suppress(zlib.error):
        for at in range(len(compressed)):
            yield member.decompress(compressed[at : at + 1]), size + at + 1


def open_gzip(stream: BinaryIO, name: str, limits: Limits, report: Report) -> BinaryIO:
    """Return the decompressed content; any read may raise what `decompress` raises."""
    return io.BufferedReader(_GzipStream(stream, name, limits, report), CHUNK_BYTES)


class _GzipStream(io.RawIOBase):
    """Seeks forward by decompressing, and backward by starting again."""

    def __init__(self, stream: BinaryIO, name: str, limits: Limits, report: Report) -> None:
        self._stream = stream
        self._name = name
        self._limits = limits
        self._report = report
        self._restart()

    def _restart(self) -> None:
        self._stream.seek(0)
        compressed = read_chunks(self._stream, COMPRESSED_CHUNK_BYTES)
        self._chunks = decompress(compressed, self._name, self._limits, self._report_once)
        self._chunk = b""
        self._position = 0
        self._error: LimitError | None = None

    def _report_once(self, issue: Issue) -> None:
        self._report(issue)
        self._report = ignore

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_END:
            raise io.UnsupportedOperation("the size of gzip content is known only at its end")
        target = offset + (self._position if whence == os.SEEK_CUR else 0)
        if target < self._position:
            self._restart()
        while self._position < target and self.read(min(target - self._position, CHUNK_BYTES)):
            pass
        return self._position

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        if self._error is not None:
            raise self._error
        try:
            while not self._chunk and (chunk := next(self._chunks, None)) is not None:
                self._chunk = chunk
        except LimitError as error:  # a caller that reads on must not see an end of file
            self._error = error
            raise
        data, self._chunk = self._chunk[: len(view)], self._chunk[len(view) :]
        view[: len(data)] = data
        self._position += len(data)
        return len(data)
