"""Unpacks gzip as it is read, guarded against bombs, and keeps what a damaged file still holds.

Format: RFC 1952. The standard library's `gzip` has no guards, and loses what lies before a fault.
"""

from __future__ import annotations

import io
import os
import zlib
from typing import TYPE_CHECKING, BinaryIO

from converter.edge.copies import too_large
from converter.errors import DocumentError, LimitError
from converter.issues import Code, Issue, Report, printable
from converter.options import Limits

if TYPE_CHECKING:
    from zlib import _Decompress  # the type has no public name

    from _typeshed import WriteableBuffer

__all__ = ["MAGIC", "WBITS_GZIP", "unpacked"]

MAGIC = b"\x1f\x8b"
WBITS_GZIP = 31
_PACKED_CHUNK_BYTES = 32 * 1024
_UNPACKED_CHUNK_BYTES = 256 * 1024


def unpacked(
    raw: BinaryIO, name: str, limits: Limits, report: Report, *, wbits: int = WBITS_GZIP
) -> BinaryIO:
    """A stream of what `raw` holds, at its beginning; closing it leaves `raw` open.

    `wbits` is what `zlib.decompressobj` is told: DEFLATE comes in other frames over HTTP.

    Members that follow one another are one stream, and padding with NUL is none of our business.
    A wrong checksum, an early end and junk at the end are reported once, as `gzip-repaired`.

    Raises:
        DocumentError: nothing can be unpacked; raised by the first read.
        LimitError: raised by any read.
    """
    return io.BufferedReader(_Unpacked(raw, name, limits, report, wbits), _UNPACKED_CHUNK_BYTES)


class _Unpacked(io.RawIOBase):
    """Goes forward by unpacking, and back by beginning again."""

    def __init__(
        self, raw: BinaryIO, name: str, limits: Limits, report: Report, wbits: int
    ) -> None:
        self._raw = raw
        self._wbits = wbits
        self._what = "gzip" if wbits == WBITS_GZIP else "deflate"
        self._name = name
        self._limits = limits
        self._report = report
        self._reported = False
        self._begin()

    def _begin(self) -> None:
        self._raw.seek(0)
        self._member: _Decompress | None = zlib.decompressobj(self._wbits)
        self._is_near_fault = False
        self._packed = b""
        self._packed_bytes = 0
        self._at = 0

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
        while self._at < target and self._some(min(target - self._at, _UNPACKED_CHUNK_BYTES)):
            pass
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self._some(len(view))
        view[: len(data)] = data
        return len(data)

    def _some(self, most: int) -> bytes:
        """At least one byte and at most `most`; none at the end."""
        while self._member is not None:
            self._packed = self._packed or self._raw.read(_PACKED_CHUNK_BYTES)
            if data := self._step(self._member, most):
                self._at += len(data)
                self._guard()
                return data
        return b""

    def _step(self, member: _Decompress, most: int) -> bytes:
        packed = self._packed[:1] if self._is_near_fault else self._packed
        before = None if self._is_near_fault else member.copy()
        try:
            data = member.decompress(packed, most)
        except zlib.error:
            if before is None:
                self._end_early("are damaged", 0)
            else:  # byte by byte up to the fault: what the faulty call has unpacked is lost
                self._member, self._is_near_fault = before, True
            return b""
        rest = member.unused_data if member.eof else member.unconsumed_tail
        self._packed_bytes += len(packed) - len(rest)
        self._packed = rest + self._packed[len(packed) :]
        if member.eof:
            self._next_member(len(data))
        elif not packed and not data:  # without input it still gives what it held back
            self._end_early("break off", 0)
        return data

    def _next_member(self, pending: int) -> None:
        rest = self._packed.lstrip(b"\0")
        while len(rest) < len(MAGIC) and (more := self._raw.read(_PACKED_CHUNK_BYTES)):
            rest = (rest + more).lstrip(b"\0")
        self._packed = rest
        self._member = zlib.decompressobj(self._wbits) if rest.startswith(MAGIC) else None
        if rest and self._member is None:
            self._end_early("are followed by something else", pending)

    def _end_early(self, fault: str, pending: int) -> None:
        self._member = None
        if self._at + pending == 0:
            raise DocumentError(
                f"{printable(self._name)}: the {self._what} data {fault}, and nothing can be "
                "unpacked. Fetch or copy it again"
            )
        if not self._reported:
            self._reported = True
            message = f"the {self._what} data {fault}; what could be unpacked before that is used"
            self._report(Issue(code=Code.GZIP_REPAIRED, message=message, source=self._name))

    def _guard(self) -> None:
        most, ratio = self._limits.max_unpacked_bytes, self._limits.max_unpack_ratio
        if self._at > most:
            raise too_large(self._name, most, "max_unpacked_bytes")
        if self._at > max(self._limits.ratio_floor_bytes, ratio * self._packed_bytes):
            raise LimitError(
                f"{printable(self._name)}: it unpacks to more than {ratio:,} times its size, as "
                "only bombs do. Unpack it yourself if you trust it",
                limit="max_unpack_ratio",
            )
