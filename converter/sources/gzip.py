"""Decompresses gzip as it is read, with limits against bombs; keeps what precedes a fault.

Format: RFC 1952. The standard library's `GzipFile` has no limits, and fails at a fault.
"""

from __future__ import annotations

import io
import os
import zlib
from typing import TYPE_CHECKING, BinaryIO

from converter.errors import DocumentError, LimitError
from converter.issues import Code, Issue, Report, ignore, printable
from converter.options import Limits
from converter.sources.spool import CHUNK_BYTES, too_large

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAGIC = b"\x1f\x8b"

#: How much is decompressed at once; less than that is lost before damaged data.
_STEP_BYTES = 16 * 1024


def open_gzip(stream: BinaryIO, name: str, limits: Limits, report: Report) -> BinaryIO:
    """Return the content of all members; NUL padding is skipped, damage is `gzip-repaired`.

    Raises:
        DocumentError: at any read: nothing can be decompressed.
        LimitError: at any read: the content is larger than the limits allow.
    """
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
        from gzip import BadGzipFile, GzipFile  # few sources are compressed

        self._damage = BadGzipFile, zlib.error
        self._stream.seek(0)
        self._content: GzipFile | io.BytesIO = GzipFile(fileobj=self._stream, mode="rb")
        self._position = 0

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
        try:
            data = self._content.read1(min(len(view), _STEP_BYTES))
        except EOFError:
            data = self._end_at("break off")
        except self._damage:
            data = self._end_at("are damaged")
        self._position += len(data)
        self._check_size()
        view[: len(data)] = data
        return len(data)

    def _end_at(self, fault: str) -> bytes:
        """Report a fault, which completes "the gzip data …", and end the content before it."""
        if not self._position:
            raise DocumentError(
                f"{printable(self._name)}: the gzip data {fault}, and nothing can be decompressed. "
                "Fetch or copy the file again"
            )
        message = f"the gzip data {fault}; what could be unpacked before that is used"
        self._report(Issue(code=Code.GZIP_REPAIRED, message=message, source=self._name))
        self._report, self._content = ignore, io.BytesIO()
        return b""

    def _check_size(self) -> None:
        limits, size = self._limits, self._position
        if size > limits.max_unpacked_bytes:
            raise too_large(self._name, limits.max_unpacked_bytes, "max_unpacked_bytes")
        is_large = size > limits.ratio_floor_bytes
        if is_large and size > limits.max_unpack_ratio * self._stream.tell():
            raise LimitError(
                f"{printable(self._name)}: the content is more than {limits.max_unpack_ratio:,} "
                "times as large as the gzip data, as only in bombs. "
                "Decompress it yourself if you trust it",
                limit="max_unpack_ratio",
            )
