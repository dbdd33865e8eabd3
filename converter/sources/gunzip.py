"""Unpacks gzip as it is read, guarded against bombs, and keeps what a damaged file still holds.

Format: RFC 1952. The standard library's `gzip` has no guards, and loses what lies before a fault.
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
from converter.sources.spool import chunks_of, too_large

if TYPE_CHECKING:
    from zlib import _Decompress  # the type has no public name

    from _typeshed import WriteableBuffer

MAGIC = b"\x1f\x8b"
_WBITS_GZIP = 31
PACKED_CHUNK_BYTES = 32 * 1024
_UNPACKED_CHUNK_BYTES = 256 * 1024


class _FaultError(Exception):
    """The data cannot be unpacked any further; the message completes "the gzip data …"."""


def inflated(packed: Iterator[bytes], name: str, limits: Limits, report: Report) -> Iterator[bytes]:
    """Unpack gzip.

    Members that follow one another are one stream, and padding with NUL is none of our business.
    A wrong checksum, an early end and junk at the end are reported as `gzip-repaired`.

    Raises:
        DocumentError: nothing can be unpacked.
        LimitError: it unpacks to more than the limits allow.
    """
    size = 0
    try:
        for data, packed_bytes in _members(packed):
            size += len(data)
            if size > limits.max_unpacked_bytes:
                raise too_large(name, limits.max_unpacked_bytes, "max_unpacked_bytes")
            if size > max(limits.ratio_floor_bytes, limits.max_unpack_ratio * packed_bytes):
                raise LimitError(
                    f"{printable(name)}: it unpacks to more than {limits.max_unpack_ratio:,} times "
                    "its size, as only bombs do. Unpack it yourself if you trust it",
                    limit="max_unpack_ratio",
                )
            yield data
    except _FaultError as fault:
        if not size:
            raise DocumentError(
                f"{printable(name)}: the gzip data {fault}, and nothing can be unpacked. "
                "Fetch or copy it again"
            ) from None
        message = f"the gzip data {fault}; what could be unpacked before that is used"
        report(Issue(code=Code.GZIP_REPAIRED, message=message, source=name))


def _members(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, int]]:
    """Unpack members; yield pieces, and of how many packed bytes they and those before are made."""
    member, packed, size = zlib.decompressobj(_WBITS_GZIP), b"", 0
    while True:
        packed = packed or next(chunks, b"")
        before = member.copy()
        try:
            data = member.decompress(packed, _UNPACKED_CHUNK_BYTES)
        except zlib.error:
            yield from _up_to_fault(before, packed, size)
            raise _FaultError("are damaged") from None
        rest = member.unused_data if member.eof else member.unconsumed_tail
        size += len(packed) - len(rest)
        if not (packed or data or member.eof):  # without input it still gives what it held back
            raise _FaultError("break off")
        packed = rest
        yield data, size
        if not member.eof:
            continue
        packed = packed.lstrip(b"\0")
        while len(packed) < len(MAGIC) and (more := next(chunks, b"")):
            packed = (packed + more).lstrip(b"\0")
        if not packed:
            return
        if not packed.startswith(MAGIC):
            raise _FaultError("are followed by something else")
        member = zlib.decompressobj(_WBITS_GZIP)


def _up_to_fault(member: _Decompress, packed: bytes, size: int) -> Iterator[tuple[bytes, int]]:
    """Unpack byte by byte, for what the faulty call has unpacked is lost."""
    with suppress(zlib.error):
        for at in range(len(packed)):
            yield member.decompress(packed[at : at + 1]), size + at + 1


def unpacked(raw: BinaryIO, name: str, limits: Limits, report: Report) -> BinaryIO:
    """A stream of what a gzip file holds, at its beginning; closing it leaves `raw` open.

    Any read may raise what `inflated` raises; a fault is reported once.
    """
    return io.BufferedReader(_Unpacked(raw, name, limits, report), _UNPACKED_CHUNK_BYTES)


class _Unpacked(io.RawIOBase):
    """Goes forward by unpacking, and back by beginning again."""

    def __init__(self, raw: BinaryIO, name: str, limits: Limits, report: Report) -> None:
        self._raw = raw
        self._name = name
        self._limits = limits
        self._report = report
        self._begin()

    def _begin(self) -> None:
        self._raw.seek(0)
        packed = chunks_of(self._raw, PACKED_CHUNK_BYTES)
        self._chunks = inflated(packed, self._name, self._limits, self._report_once)
        self._chunk = b""
        self._at = 0
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
            raise io.UnsupportedOperation("how long it is unpacked is known only at its end")
        target = offset + (self._at if whence == os.SEEK_CUR else 0)
        if target < self._at:
            self._begin()
        while self._at < target and self.read(min(target - self._at, _UNPACKED_CHUNK_BYTES)):
            pass
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        if self._error is not None:
            raise self._error
        try:
            while not self._chunk and (chunk := next(self._chunks, None)) is not None:
                self._chunk = chunk
        except LimitError as error:  # whoever reads on must not find an end here
            self._error = error
            raise
        data, self._chunk = self._chunk[: len(view)], self._chunk[len(view) :]
        view[: len(data)] = data
        self._at += len(data)
        return len(data)
