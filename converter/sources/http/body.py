"""The body of an answer, in temporary files: received, unpacked, and decoded where that is needed.

urllib3 could undo a Content-Encoding as it comes, but counts nothing; here the guards against
bombs are those of compressed files.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final

from urllib3 import BaseHTTPResponse

from converter.errors import HttpError
from converter.formats.base import Spool
from converter.issues import Code, Issue, Report, printable
from converter.options import Limits
from converter.sources import gunzip
from converter.sources.http.deadline import CURRENT
from converter.sources.spool import CHUNK_BYTES, chunks_of, copy_to, too_large
from converter.xml.detect import detect_encoding

_GZIP: Final = frozenset({"gzip", "x-gzip"})

_UTF8: Final = "utf-8"
_HEAD_BYTES: Final = 1024

#: Of an XML declaration, also behind the junk that readers take off: what it declares.
_DECLARED: Final = re.compile(
    rb"""(<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["'])([A-Za-z0-9][A-Za-z0-9_.:\-]{0,39})(?=["'])"""
)

#: What servers are set up to say of everything; never believed against a declaration.
_USUAL: Final = frozenset({_UTF8, "cp1252"})

#: As browsers read these labels: https://encoding.spec.whatwg.org/#names-and-labels
_READ_AS: Final = {"ascii": "cp1252", "iso8859-1": "cp1252"}

#: Codecs of Python that text on the web is in, and that write markup as ASCII does.
_CODEC: Final = re.compile(
    r"ascii|big5.*|cp(?:125\d|8\d\d|9\d\d)|euc_.*|gb.*|iso8859-\d+|koi8-.|mac-.*|shift_jis.*"
    r"|tis-620|utf-8"
)

#: A character of one byte is at most three in UTF-8.
_GROWTH: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BodySpool:
    """Copies the body of one document to temporary files, within the limits and the deadline."""

    name: str
    """Of the document, for messages."""
    limits: Limits
    spool: Spool

    def received(self, response: BaseHTTPResponse, report: Report) -> BinaryIO:
        """Copy a body as it comes over the wire, and undo its Content-Encoding.

        Raises:
            HttpError: it is packed in a way that was not asked for.
            DocumentError: nothing can be unpacked.
            LimitError: it is larger than allowed, or says that it will be.
            HTTPError: of urllib3's: it breaks off, or is not as long as was announced.
        """
        announced = response.headers.get("Content-Length", "")
        coding = response.headers.get("Content-Encoding", "").lower()
        codings = {word.strip() for word in coding.split(",")} - {"", "identity"}
        most = self.limits.max_unpacked_bytes
        if not codings <= _GZIP:
            raise HttpError(
                f"the server sent it as {printable(coding, 40)} (Content-Encoding), but gzip was "
                "asked for. Tell whoever runs it, or fetch it another way"
            )
        if re.fullmatch(r"[0-9]{1,18}", announced) and int(announced) > most:
            raise too_large(self.name, most, "max_unpacked_bytes")
        # read1 gives what is there; read would wait for a chunk to be full, however slow it comes
        chunks = iter(lambda: response.read1(CHUNK_BYTES, decode_content=False), b"")
        body = self.copied(chunks)
        head = _head(body, len(gunzip.MAGIC))
        if not codings or not head:
            return body
        if head == gunzip.MAGIC:
            return self._unpacked(body, report)
        said = "the body is not gzip, as Content-Encoding says; it is read as it is"
        report(Issue(code=Code.GZIP_REPAIRED, message=said))
        return body

    def copied(self, chunks: Iterable[bytes], growth: int = 1) -> BinaryIO:
        """Copy to a temporary file of at most `growth` times the limit; return it at its beginning.

        Raises:
            HttpError: the time of the fetch is over.
            LimitError: it is larger.
            SinkError: there is no room for it.
        """
        copy = self.spool()
        try:
            copy_to(copy, _timely(chunks), self.name, self.limits.max_unpacked_bytes * growth)
        except BaseException:
            copy.close()
            raise
        copy.seek(0)
        return copy

    def _unpacked(self, body: BinaryIO, report: Report) -> BinaryIO:
        with body:
            chunks = _timely(chunks_of(body, gunzip.PACKED_CHUNK_BYTES))
            return self.copied(gunzip.inflated(chunks, self.name, self.limits, report))

    def readable(self, body: BinaryIO, charset: str | None, report: Report) -> BinaryIO:
        """Unpack a document that is stored compressed, and decode it if readers would not.

        A byte order mark decides, then the charset of Content-Type, then the declaration
        (RFC 7303, section 3). But many servers name a charset for all they serve, whatever it is
        in. So where charset and declaration disagree the bytes are asked: hardly any text in
        another encoding is UTF-8 by chance. `body` is returned or closed.
        """
        if _head(body, len(gunzip.MAGIC)) == gunzip.MAGIC:
            body = self._unpacked(body, report)
        head = _head(body, _HEAD_BYTES)
        found = _DECLARED.search(head)
        label = found[2].decode("ascii") if found else None
        told, declared = _codec(charset or label or _UTF8), _codec(label or _UTF8)
        # UTF-16 and UTF-32 show themselves, and readers look; so is gzip in gzip none of ours.
        if told == declared or detect_encoding(head) != (_UTF8, 0) or head.startswith(gunzip.MAGIC):
            return body
        if (seen := _seen(body)) == "ascii":
            return body
        codec = told
        if seen == _UTF8:
            codec = None if declared == _UTF8 else _UTF8
        elif told == _UTF8 or (label and declared != _UTF8 and told in _USUAL):
            codec = None
        copy = self._transcoded(body, codec) if codec else None
        if label or copy is None:
            document = f"the document declares {label}" if label else "that is not so"
            codec = "UTF-8" if seen else (copy and codec) or label or "UTF-8 or windows-1252"
            said = f"charset {printable(charset or '', 40)}, but {document}; read as {codec}"
            report(Issue(code=Code.CHARSET_DISAGREES, message=f"the server says {said}"))
        return copy or body

    def _transcoded(self, body: BinaryIO, codec: str) -> BinaryIO | None:
        """Copy as UTF-8, and say so in the declaration; None if it is not in that encoding."""
        try:
            copy = self.copied(_in_utf8(body, codec), _GROWTH)
        except UnicodeDecodeError:
            body.seek(0)
            return None
        body.close()
        return copy


def _head(body: BinaryIO, size: int) -> bytes:
    head = body.read(size)
    body.seek(0)
    return head


def _timely(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Give nothing after the time of the fetch: millions of empty members hold not one byte."""
    for chunk in chunks:
        CURRENT.get().check()
        yield chunk
    CURRENT.get().check()  # a body without a length, torn off, looks complete


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(label).name if label.isascii() and "/" not in label else ""
    except (LookupError, ValueError):
        return None
    return _READ_AS.get(name, name) if _CODEC.fullmatch(name) else None


def _seen(body: BinaryIO) -> str | None:
    """Say whether all of it is `ascii`, or at least `utf-8`."""
    is_ascii = True
    try:
        for text in codecs.iterdecode(chunks_of(body), _UTF8):
            is_ascii = is_ascii and text.isascii()
    except UnicodeDecodeError:
        return None
    finally:
        body.seek(0)
    return "ascii" if is_ascii else _UTF8


def _in_utf8(body: BinaryIO, codec: str) -> Iterator[bytes]:
    pieces = codecs.iterdecode(chain([body.read(_HEAD_BYTES)], chunks_of(body)), codec)
    yield _DECLARED.sub(rb"\1UTF-8", next(pieces, "").encode(), count=1)
    for text in pieces:
        yield text.encode()
