"""Decodes documents whose charset readers would get wrong: HTTP headers against declarations."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, Final

from converter.issues import Code, Issue, Report, printable
from converter.sources import gzip
from converter.sources.http.body import BodyReader, peek
from converter.sources.spool import read_chunks
from converter.xml.detect import detect_encoding

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


def decode_body(
    bodies: BodyReader, body: BinaryIO, charset: str | None, report: Report
) -> BinaryIO:
    """Decompress a document that is stored as gzip; transcode it if readers would misread it.

    A byte order mark decides, then the charset of Content-Type, then the declaration
    (RFC 7303, section 3). But many servers send one charset for all documents. So where charset
    and declaration disagree the content decides: text in another encoding is hardly ever UTF-8
    by chance. `body` is returned or closed.
    """
    if peek(body, len(gzip.MAGIC)) == gzip.MAGIC:
        body = bodies.decompressed(body, report)
    prefix = peek(body, _PREFIX_BYTES)
    found = _DECLARED.search(prefix)
    label = found[2].decode("ascii") if found else None
    named, declared = _codec(charset or label or _UTF8), _codec(label or _UTF8)
    # Readers recognise UTF-16 and UTF-32 themselves; gzip in gzip is left to them, too.
    if named == declared or detect_encoding(prefix) != (_UTF8, 0) or prefix.startswith(gzip.MAGIC):
        return body
    if (content := _utf8_or_ascii(body)) == "ascii":
        return body
    codec = named
    if content == _UTF8:
        codec = None if declared == _UTF8 else _UTF8
    elif named == _UTF8 or (label and declared != _UTF8 and named in _SERVER_DEFAULTS):
        codec = None
    copy = _transcoded(bodies, body, codec) if codec else None
    if label or copy is None:
        document = f"the document declares {label}" if label else "that is not so"
        codec = "UTF-8" if content else (copy and codec) or label or "UTF-8 or windows-1252"
        message = f"charset {printable(charset or '', 40)}, but {document}; read as {codec}"
        report(Issue(code=Code.CHARSET_DISAGREES, message=f"the server says {message}"))
    return copy or body


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


def _transcoded(bodies: BodyReader, body: BinaryIO, codec: str) -> BinaryIO | None:
    """Return a copy in UTF-8, which it declares; None if the body cannot be decoded."""
    try:
        copy = bodies.copy(_utf8_chunks(body, codec), _MAX_GROWTH)
    except UnicodeDecodeError:
        body.seek(0)
        return None
    body.close()
    return copy


def _utf8_chunks(body: BinaryIO, codec: str) -> Iterator[bytes]:
    chunks = codecs.iterdecode(chain([body.read(_PREFIX_BYTES)], read_chunks(body)), codec)
    yield _DECLARED.sub(rb"\1UTF-8", next(chunks, "").encode(), count=1)
    for text in chunks:
        yield text.encode()
