"""Receives a body into the spool, chunk by chunk, and undoes its Content-Encoding there.

urllib3 could undo it as it comes, but counts nothing; here the guards against bombs are those
of compressed files.
"""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from converter.edge import gunzip
from converter.edge.web.deadline import CURRENT
from converter.errors import HttpError, LimitError, SinkError
from converter.issues import Code, Issue, Report, printable
from converter.options import Limits
from converter.seams import Spool

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

__all__ = ["codings_of", "copied", "packing_of", "received", "unpacked"]

_CHUNK_BYTES: Final = 256 * 1024

#: Two are one too many already, and each costs a copy.
_MOST_CODINGS: Final = 2

#: The first two bytes of a zlib stream: https://www.rfc-editor.org/rfc/rfc1950#section-2.2
_METHOD_DEFLATE: Final = 8


def received(response: BaseHTTPResponse, name: str, limits: Limits, spool: Spool) -> BinaryIO:
    """Copy a body as it comes over the wire.

    Raises:
        LimitError: it is larger than allowed, or says that it will be.
        SinkError: there is no room to spool it.
        HTTPError: of urllib3's: it breaks off, or is not as long as was announced.
    """
    most = limits.max_unpacked_bytes
    announced = response.headers.get("Content-Length", "")
    if re.fullmatch(r"[0-9]{1,18}", announced) and int(announced) > most:
        raise _too_large(name, most)
    return copied(_wire(response), spool, name, most)


def _wire(response: BaseHTTPResponse) -> Iterator[bytes]:
    # read1 gives what is there; read would wait for a chunk to be full, however slow it comes
    while chunk := response.read1(_CHUNK_BYTES, decode_content=False):
        yield chunk


def copied(chunks: Iterator[bytes], spool: Spool, name: str, most: int) -> BinaryIO:
    """Copy to the spool, and give the copy at its beginning.

    Raises:
        HttpError: the time of the fetch is over.
        LimitError: there are more than `most` bytes.
        SinkError: there is no room.
    """
    copy = spool()
    with ExitStack() as failing:
        failing.callback(copy.close)
        size = 0
        for chunk in chunks:
            CURRENT.get().check()
            size += len(chunk)
            if size > most:
                raise _too_large(name, most)
            _write(copy, chunk, name)
        copy.seek(0)
        failing.pop_all()
    return copy


def codings_of(header: str, name: str) -> list[str]:
    """What Content-Encoding says is to be undone, in this order; it names the last coding last.

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
    """Say what is to be undone of a document that is stored compressed, as `sitemap.xml.gz`."""
    head = body.read(len(gunzip.MAGIC))
    body.seek(0)
    return ["gzip"] if head == gunzip.MAGIC else []


def unpacked(
    body: BinaryIO, codings: list[str], name: str, limits: Limits, spool: Spool, report: Report
) -> BinaryIO:
    """Undo codings; `body` is given back or closed.

    Raises:
        DocumentError: nothing can be unpacked.
        LimitError: as for compressed files.
    """
    for coding in codings:
        head = body.read(2)
        body.seek(0)
        wbits = _WBITS[coding](head)
        if wbits is not None:
            body = _plain(body, wbits, name, limits, spool, report)
        elif head:
            said = f"the body is not {coding}, as Content-Encoding says; it is read as it is"
            report(Issue(code=Code.GZIP_REPAIRED, message=said))
    return body


def _plain(
    body: BinaryIO, wbits: int, name: str, limits: Limits, spool: Spool, report: Report
) -> BinaryIO:
    with body:
        stream = gunzip.unpacked(cast("BinaryIO", _Timely(body)), name, limits, report, wbits=wbits)
        chunks = iter(lambda: stream.read(_CHUNK_BYTES), b"")
        return copied(chunks, spool, name, limits.max_unpacked_bytes)


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


def _write(copy: BinaryIO, chunk: bytes, name: str) -> None:
    try:
        copy.write(chunk)
    except OSError as error:
        raise SinkError(
            f"{printable(name)}: there is no room for what was fetched: {error.strerror}"
        ) from error


def _too_large(name: str, most: int) -> LimitError:
    return LimitError(
        f"{printable(name)}: more than the {most:,} bytes that are allowed. "
        "Allow more with --max-bytes if you trust it",
        limit="max_unpacked_bytes",
    )
