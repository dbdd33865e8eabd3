"""Receives a body into the spool, chunk by chunk, and undoes its Content-Encoding there.

urllib3 could undo it as it comes, but counts nothing; here the guards against bombs are those
of compressed files.
"""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from converter.edge import gunzip
from converter.edge.web.deadline import CURRENT
from converter.errors import HttpError, LimitError, SinkError
from converter.issues import Code, Issue, Report, printable
from converter.options import Limits
from converter.seams import Spool

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

__all__ = ["BodySpool", "codings_of", "packing_of"]

_CHUNK_BYTES: Final = 256 * 1024

#: Two are one too many already, and each costs a copy.
_MOST_CODINGS: Final = 2

#: The first two bytes of a zlib stream: https://www.rfc-editor.org/rfc/rfc1950#section-2.2
_METHOD_DEFLATE: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BodySpool:
    """Copies the body of one document to temporary files, within the limits and the deadline."""

    name: str
    """Of the document, for messages."""
    limits: Limits
    spool: Spool

    def received(self, response: BaseHTTPResponse) -> BinaryIO:
        """Copy a body as it comes over the wire.

        Raises:
            LimitError: it is larger than allowed, or says that it will be.
            SinkError: there is no room for it.
            HTTPError: of urllib3's: it breaks off, or is not as long as was announced.
        """
        announced = response.headers.get("Content-Length", "")
        if re.fullmatch(r"[0-9]{1,18}", announced):
            self._check_size(int(announced), self.limits.max_unpacked_bytes)
        # read1 gives what is there; read would wait for a chunk to be full, however slow it comes
        return self.copied(iter(lambda: response.read1(_CHUNK_BYTES, decode_content=False), b""))

    def copied(self, chunks: Iterable[bytes], most: int | None = None) -> BinaryIO:
        """Copy to a temporary file, and return it at its beginning.

        Args:
            chunks: the body.
            most: the largest size in bytes; as the limits say, if not given.

        Raises:
            HttpError: the time of the fetch is over.
            LimitError: it is larger.
            SinkError: there is no room for it.
        """
        most = most or self.limits.max_unpacked_bytes
        copy = self.spool()
        with ExitStack() as failing:
            failing.callback(copy.close)
            size = 0
            for chunk in chunks:
                CURRENT.get().check()
                size += len(chunk)
                self._check_size(size, most)
                self._write(copy, chunk)
            CURRENT.get().check()  # a body without a length, torn off, looks complete
            copy.seek(0)
            failing.pop_all()
        return copy

    def _check_size(self, size: int, most: int) -> None:
        if size > most:
            raise LimitError(
                f"{printable(self.name)}: more than the {most:,} bytes that are allowed. "
                "Allow more with --max-bytes if you trust it",
                limit="max_unpacked_bytes",
            )

    def _write(self, copy: BinaryIO, chunk: bytes) -> None:
        try:
            copy.write(chunk)
        except OSError as error:
            raise SinkError(
                f"{printable(self.name)}: there is no room for what was fetched: {error.strerror}"
            ) from error

    def unpacked(self, body: BinaryIO, codings: list[str], report: Report) -> BinaryIO:
        """Undo codings; `body` is returned or closed.

        Raises:
            DocumentError: nothing can be unpacked.
            LimitError: as for compressed files.
        """
        for coding in codings:
            head = body.read(2)
            body.seek(0)
            wbits = _WBITS[coding](head)
            if wbits is not None:
                body = self._inflated(body, wbits, report)
            elif head:
                said = f"the body is not {coding}, as Content-Encoding says; it is read as it is"
                report(Issue(code=Code.GZIP_REPAIRED, message=said))
        return body

    def _inflated(self, body: BinaryIO, wbits: int, report: Report) -> BinaryIO:
        with body:
            timely = cast("BinaryIO", _Timely(body))
            stream = gunzip.unpacked(timely, self.name, self.limits, report, wbits=wbits)
            return self.copied(iter(lambda: stream.read(_CHUNK_BYTES), b""))


def codings_of(header: str, name: str) -> list[str]:
    """Return the codings to undo, in this order; Content-Encoding names the last one last.

    Raises:
        HttpError: one of them was not asked for.
    """
    names = [coding.strip().lower() for coding in header.split(",")]
    codings = [coding for coding in reversed(names) if coding not in {"", "identity"}]
    if len(codings) > _MOST_CODINGS or not _WBITS.keys() >= set(codings):
        raise HttpError(
            f"{printable(name)}: the server sent it as {printable(header, 40)} "
            "(Content-Encoding), but gzip and deflate were asked for. "
            "Tell whoever runs it, or fetch it another way"
        )
    return codings


def packing_of(body: BinaryIO) -> list[str]:
    """Return the coding of a document that is stored compressed, as `sitemap.xml.gz`."""
    head = body.read(len(gunzip.MAGIC))
    body.seek(0)
    return ["gzip"] if head == gunzip.MAGIC else []


class _Timely(io.RawIOBase):
    """A stream of which nothing is read after the time of the fetch.

    What is unpacked may be long in coming: millions of empty members hold not one byte.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        CURRENT.get().check()
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)


def _of_gzip(head: bytes) -> int | None:
    return gunzip.WBITS_GZIP if head == gunzip.MAGIC else None


def _of_deflate(head: bytes) -> int | None:
    """A zlib stream by the standard, a bare one by some servers; gzip was named wrongly."""
    if head == gunzip.MAGIC:
        return gunzip.WBITS_GZIP
    is_zlib = len(head) == 2 and head[0] & 15 == _METHOD_DEFLATE and not int.from_bytes(head) % 31
    return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS


#: Of each coding, how zlib is to read what begins so; None: it is none at all.
_WBITS: Final[dict[str, Callable[[bytes], int | None]]] = {
    "gzip": _of_gzip,
    "x-gzip": _of_gzip,
    "deflate": _of_deflate,
}
