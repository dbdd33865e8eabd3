"""Receives a body into the spool, chunk by chunk, and undoes its Content-Encoding there.

urllib3 could undo it as it comes, but counts nothing; here the guards against bombs are those
of compressed files.
"""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from converter.edge import gunzip
from converter.edge.copies import CHUNK_BYTES, chunks_of, copy_to, too_large
from converter.edge.web.deadline import CURRENT
from converter.errors import HttpError
from converter.issues import Code, Issue, Report, printable
from converter.options import Limits
from converter.seams import Spool

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

__all__ = ["BodySpool", "codings_of", "packing_of"]

_CODINGS: Final = frozenset({"gzip", "x-gzip", "deflate"})

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
        most = self.limits.max_unpacked_bytes
        if re.fullmatch(r"[0-9]{1,18}", announced) and int(announced) > most:
            raise too_large(self.name, most, "max_unpacked_bytes")
        # read1 gives what is there; read would wait for a chunk to be full, however slow it comes
        return self.copied(iter(lambda: response.read1(CHUNK_BYTES, decode_content=False), b""))

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
        copy = self.spool()
        with ExitStack() as failing:
            failing.callback(copy.close)
            copy_to(copy, _timely(chunks), self.name, most or self.limits.max_unpacked_bytes)
            copy.seek(0)
            failing.pop_all()
        return copy

    def unpacked(self, body: BinaryIO, codings: list[str], report: Report) -> BinaryIO:
        """Undo codings; `body` is returned or closed.

        Raises:
            DocumentError: nothing can be unpacked.
            LimitError: as for compressed files.
        """
        for coding in codings:
            head = body.read(2)
            body.seek(0)
            wbits = _wbits(coding, head)
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
            return self.copied(chunks_of(stream))


def codings_of(header: str, name: str) -> list[str]:
    """Return the codings to undo, in this order; Content-Encoding names the last one last.

    Raises:
        HttpError: one of them was not asked for.
    """
    names = [coding.strip().lower() for coding in header.split(",")]
    codings = [coding for coding in reversed(names) if coding not in {"", "identity"}]
    if len(codings) > _MOST_CODINGS or not set(codings) <= _CODINGS:
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


def _timely(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        CURRENT.get().check()
        yield chunk
    CURRENT.get().check()  # a body without a length, torn off, looks complete


def _wbits(coding: str, head: bytes) -> int | None:
    """Return what zlib must be told to undo a coding; None: the body is not in that coding.

    A body in `deflate` is a zlib stream by the standard, and a bare one from some servers.
    """
    if head == gunzip.MAGIC:
        return gunzip.WBITS_GZIP
    if coding != "deflate":
        return None
    is_zlib = len(head) == 2 and head[0] & 15 == _METHOD_DEFLATE and not int.from_bytes(head) % 31
    return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS
