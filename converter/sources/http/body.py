"""Receives bodies into temporary files: decompressed, and in an encoding that readers recognise.

urllib3 could undo a Content-Encoding as well, but without a limit; here the limits against bombs
are those of compressed files.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final, cast

from urllib3 import BaseHTTPResponse

from converter.errors import HttpError
from converter.formats.base import Spool
from converter.issues import Code, Issue, Report, printable
from converter.options import Limits
from converter.sources import gzip
from converter.sources.http.deadline import CURRENT
from converter.sources.spool import CHUNK_BYTES, copy_to_file, read_chunks, too_large
from converter.xml.detect import detect_encoding

_GZIP: Final = frozenset({"gzip", "x-gzip"})

_UTF8: Final = "utf-8"
_PREFIX_BYTES: Final = 1024

#: The encoding of an XML declaration, also behind junk that readers remove.
_DECLARED: Final = re.compile(
    rb"""(<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["'])([A-Za-z0-9][A-Za-z0-9_.:\-]{0,39})(?=["'])"""
)

#: What many servers send for all documents; never believed against a declaration.
_SERVER_DEFAULTS: Final = frozenset({_UTF8, "cp1252"})

#: How browsers read these labels: https://encoding.spec.whatwg.org/#names-and-labels
_READ_AS: Final = {"ascii": "cp1252", "iso8859-1": "cp1252"}

#: Codecs of Python for text on the web that encode markup as ASCII does.
_CODEC: Final = re.compile(
    r"ascii|big5.*|cp(?:125\d|8\d\d|9\d\d)|euc_.*|gb.*|iso8859-\d+|koi8-.|mac-.*|shift_jis.*"
    r"|tis-620|utf-8"
)

#: A character of one byte has at most three bytes in UTF-8.
_MAX_GROWTH: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyReader:
    """Copies the body of the document `name` to temporary files, within limits and deadline."""

    name: str
    limits: Limits
    spool: Spool
    report: Report

    def receive(self, response: BaseHTTPResponse, charset: str | None) -> BinaryIO:
        """Copy a body as it arrives, decompressed, and in an encoding that readers recognise.

        Raises:
            HttpError: the Content-Encoding is not gzip, or the deadline has passed.
            DocumentError: nothing can be decompressed.
            LimitError: the body is larger than allowed, or announces to be.
            HTTPError: of urllib3, if the body breaks off.
        """
        announced = response.headers.get("Content-Length", "")
        encoding = response.headers.get("Content-Encoding", "").lower()
        encodings = {word.strip() for word in encoding.split(",")} - {"", "identity"}
        max_bytes = self.limits.max_unpacked_bytes
        if not encodings <= _GZIP:
            raise HttpError(
                f"the server sent Content-Encoding: {printable(encoding, 40)}, but gzip was asked "
                "for. Report this to the owner of the server, or download the file another way"
            )
        if re.fullmatch(r"[0-9]{1,18}", announced) and int(announced) > max_bytes:
            raise too_large(self.name, max_bytes, "max_unpacked_bytes")
        # read1 returns what has arrived; read would wait for a whole chunk, however slow
        body = self.copy(iter(lambda: response.read1(CHUNK_BYTES, decode_content=False), b""))
        if encodings and _start(body, len(gzip.MAGIC)) not in {b"", gzip.MAGIC}:
            message = "the body is not gzip, as Content-Encoding says; it is read as it is"
            self.report(Issue(code=Code.GZIP_REPAIRED, message=message))
        for _ in range(2 if encodings else 1):  # the document itself may be a gzip file, too
            if _start(body, len(gzip.MAGIC)) == gzip.MAGIC:
                body = self._decompressed(body)
        return self._decoded(body, charset)

    def copy(self, chunks: Iterable[bytes], growth: int = 1) -> BinaryIO:
        """Copy data to a temporary file of at most `growth` times the limit; return it rewound."""
        max_bytes = self.limits.max_unpacked_bytes * growth
        return copy_to_file(self.spool, _until_deadline(chunks), self.name, max_bytes)

    def _decompressed(self, body: BinaryIO) -> BinaryIO:
        """Return the content of a gzip file, which is closed."""
        with body:
            timed = cast("BinaryIO", _TimedReader(body))
            content = gzip.open_gzip(timed, self.name, self.limits, self.report)
            return self.copy(read_chunks(content))

    def _decoded(self, body: BinaryIO, charset: str | None) -> BinaryIO:
        """Transcode a document if readers would misread it.

        A byte order mark decides, then the charset of Content-Type, then the declaration
        (RFC 7303, section 3). But many servers send one charset for all documents. So where
        charset and declaration disagree the content decides: text in another encoding is hardly
        ever UTF-8 by chance. `body` is returned or closed.
        """
        prefix = _start(body, _PREFIX_BYTES)
        found = _DECLARED.search(prefix)
        label = found[2].decode("ascii") if found else None
        named, declared = _codec(charset or label or _UTF8), _codec(label or _UTF8)
        # Readers recognise UTF-16 and UTF-32 themselves; gzip in gzip is left to them, too.
        is_clear = detect_encoding(prefix) != (_UTF8, 0) or prefix.startswith(gzip.MAGIC)
        if named == declared or is_clear or (content := _utf8_or_ascii(body)) == "ascii":
            return body
        codec = declared if declared != _UTF8 and named in _SERVER_DEFAULTS else named
        codec = content or codec
        copy = self._transcoded(body, codec) if codec and codec != declared else None
        if label or copy is None:
            document = f"the document declares {label}" if label else "that is not so"
            read_as = content or (copy and codec) or label or "utf-8 or windows-1252"
            message = f"charset {printable(charset or '', 40)}, but {document}; read as {read_as}"
            message = f"the server says {message}"
            self.report(Issue(code=Code.CHARSET_DISAGREES, message=message))
        return copy or body

    def _transcoded(self, body: BinaryIO, codec: str) -> BinaryIO | None:
        """Return a copy in UTF-8, which it declares; None if the body cannot be decoded."""
        try:
            copy = self.copy(_utf8_chunks(body, codec), _MAX_GROWTH)
        except UnicodeDecodeError:
            body.seek(0)
            return None
        body.close()
        return copy


class _TimedReader:
    """Checks the deadline at each read: millions of empty gzip members yield no data."""

    def __init__(self, body: BinaryIO) -> None:
        self.seek, self.tell, self._read = body.seek, body.tell, body.read

    def read(self, size: int) -> bytes:
        CURRENT.get().check()
        return self._read(size)


def _until_deadline(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        CURRENT.get().check()
        yield chunk
    CURRENT.get().check()  # a body without a length that was cut off looks complete


def _start(body: BinaryIO, size: int) -> bytes:
    """Return the first bytes of a file, and rewind it."""
    start = body.read(size)
    body.seek(0)
    return start


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(label).name if label.isascii() and "/" not in label else ""
    except (LookupError, ValueError):
        return None
    return _READ_AS.get(name, name) if _CODEC.fullmatch(name) else None


def _utf8_or_ascii(body: BinaryIO) -> str | None:
    """Return `ascii` or `utf-8` if all of a document is; None if it is neither."""
    is_ascii = True
    try:
        for text in codecs.iterdecode(read_chunks(body), _UTF8):
            is_ascii = is_ascii and text.isascii()
    except UnicodeDecodeError:
        return None
    finally:
        body.seek(0)
    return "ascii" if is_ascii else _UTF8


def _utf8_chunks(body: BinaryIO, codec: str) -> Iterator[bytes]:
    chunks = codecs.iterdecode(chain([body.read(_PREFIX_BYTES)], read_chunks(body)), codec)
    yield _DECLARED.sub(rb"\1UTF-8", next(chunks, "").encode(), count=1)
    for text in chunks:
        yield text.encode()
