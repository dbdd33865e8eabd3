"""What the charset of Content-Type means for a body, and what the body says against it.

A byte order mark decides, then the charset, then the declaration (RFC 7303, section 3). But many
servers name a charset for all they serve, whatever it is in. So where charset and declaration
disagree the bytes are asked: hardly any text in another encoding is UTF-8 by chance.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, Final

from converter.edge import gunzip
from converter.edge.copies import chunks_of
from converter.edge.web.body import BodySpool
from converter.issues import Code, Issue, Report, printable
from converter.xml.prefix import encoding_of

__all__ = ["heeded"]

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


def heeded(body: BinaryIO, charset: str | None, spool: BodySpool, report: Report) -> BinaryIO:
    """Return a body that readers decode rightly by itself; `body` is returned or closed.

    Nothing is done where the charset and the body agree.
    """
    head = body.read(_HEAD_BYTES)
    body.seek(0)
    if charset is None or head.startswith(gunzip.MAGIC):
        return body
    found = _DECLARED.search(head)
    label = found[2].decode("ascii") if found else None
    declared, told = _codec(label or _UTF8), _codec(charset)
    if told == declared or encoding_of(head) != (_UTF8, 0):
        return body  # UTF-16 and UTF-32 show themselves, and readers look
    is_utf8, is_ascii = _looked(body)
    if is_ascii:
        return body
    taken = _taken(told, declared, is_declared=label is not None, is_utf8=is_utf8)
    if taken is not None and (copy := _transcoded(body, taken, spool)):
        body = copy
    else:
        taken = None
    if label or taken is None:
        document = f"the document declares {label}" if label else "that is not so"
        result = "UTF-8" if is_utf8 else taken or label or "UTF-8 or windows-1252"
        said = f"the server says charset {printable(charset, 40)}, but {document}; read as {result}"
        report(Issue(code=Code.CHARSET_DISAGREES, message=said))
    return body


def _taken(
    told: str | None, declared: str | None, *, is_declared: bool, is_utf8: bool
) -> str | None:
    """The codec to decode it with, where readers would not choose that by themselves."""
    if is_utf8:
        return None if declared == _UTF8 else _UTF8
    if told == _UTF8 or (is_declared and declared != _UTF8 and told in _USUAL):
        return None
    return told


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(label).name if label.isascii() and "/" not in label else ""
    except (LookupError, ValueError):
        return None
    return _READ_AS.get(name, name) if _CODEC.fullmatch(name) else None


def _looked(body: BinaryIO) -> tuple[bool, bool]:
    """Is all of it UTF-8? Is it even ASCII?"""
    is_ascii = True
    try:
        for text in codecs.iterdecode(chunks_of(body), _UTF8):
            is_ascii = is_ascii and text.isascii()
    except UnicodeDecodeError:
        return False, False
    finally:
        body.seek(0)
    return True, is_ascii


def _transcoded(body: BinaryIO, codec: str, spool: BodySpool) -> BinaryIO | None:
    """Copy as UTF-8, and say so in the declaration; None if it is not in that encoding."""
    most = spool.limits.max_unpacked_bytes * _GROWTH
    try:
        copy = spool.copied(_in_utf8(body, codec), most)
    except UnicodeDecodeError:
        body.seek(0)
        return None
    body.close()
    return copy


def _in_utf8(body: BinaryIO, codec: str) -> Iterator[bytes]:
    pieces = codecs.iterdecode(chain([body.read(_HEAD_BYTES)], chunks_of(body)), codec)
    yield _DECLARED.sub(rb"\1UTF-8", next(pieces, "").encode(), count=1)
    for text in pieces:
        yield text.encode()
