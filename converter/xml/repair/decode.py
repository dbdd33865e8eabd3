"""Turns the bytes of a document into text, whatever its declaration claims about them.

Nothing is refused here. Bytes that are no UTF-8 are read as windows-1252 one by one, so that a
feed which was glued together from both keeps all its letters.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import Final

from converter.issues import Code
from converter.xml.detect import detect_encoding
from converter.xml.repair.findings import Findings

#: As much as is looked at before an encoding is settled on.
_HEAD_BYTES: Final = 4096

#: Short, and nothing that is a path: Python imports a module by this name.
_DECLARED = re.compile(rb"""<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([^"'>]*)""")
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-]{0,39}")

#: Codecs of Python that are character encodings which extend ASCII. Not rot13, zlib, idna,
#: punycode, unicode_escape, undefined; nor UTF-7, in which `<` can be hidden.
_CHARACTER_CODEC = re.compile(
    r"ascii|big5.*|cp\d+|euc_.*|gb.*|hz|iso2022_.*|iso8859-\d+|johab|koi8-.|kz1048|mac-.*|ptcp154"
    r"|shift_jis.*|tis-620|utf-8|utf-(?:16|32).*"
)
_UTF8: Final = "utf-8"

#: `surrogateescape` marks each byte that it could not decode.
_UNDECODED = re.compile("[\udc80-\udcff]+")
_REPLACED = re.compile("\ufffd")


def decode_chunks(chunks: Iterable[bytes], findings: Findings) -> Iterator[str]:
    """Decode chunk by chunk; byte order marks at the beginning are dropped."""
    source = iter(chunks)
    head = b""
    while len(head) < _HEAD_BYTES and (chunk := next(source, None)) is not None:
        head += chunk
    codec, skip = _choose(head, findings)
    errors = "surrogateescape" if codec == _UTF8 else "replace"
    decoder = codecs.getincrementaldecoder(codec)(errors)
    line, text = 1, _decoded(decoder.decode(head[skip:]), codec, 1, findings)
    if text.startswith("\ufeff"):
        findings.note("marks", "superfluous byte order mark; removed", 1)
    yield text.lstrip("\ufeff")
    for chunk in source:
        line += text.count("\n")
        text = _decoded(decoder.decode(chunk), codec, line, findings)
        yield text


def _decoded(text: str, codec: str, line: int, findings: Findings) -> str:
    """Read what is no UTF-8 as windows-1252; in other encodings U+FFFD stands for it."""
    if codec != _UTF8:
        if found := _REPLACED.search(text):
            message = f"bytes that are no {codec}; replaced by U+FFFD"
            findings.note("undecodable", message, line, found, Code.ENCODING_ASSUMED)
        return text

    def as_windows_1252(found: re.Match[str]) -> str:
        escaped = found[0].encode(_UTF8, "surrogateescape")
        message = f"bytes {escaped[:4].hex(' ').upper()} are no UTF-8; read as windows-1252"
        findings.note("undecodable", message, line, found, Code.ENCODING_ASSUMED)
        return escaped.decode("cp1252", "replace")

    return _UNDECODED.sub(as_windows_1252, text)


def _choose(head: bytes, findings: Findings) -> tuple[str, int]:
    """Settle on a codec; say so where it is not the declared one."""
    codec, skip = detect_encoding(head)
    if codec != _UTF8:
        declared = _declared(head[skip:].decode(codec, "ignore").encode("ascii", "ignore"))
        if declared and not declared.lower().startswith(codec[:6]):
            _note_lie(findings, declared, codec.upper())
        return codec, skip
    declared = _declared(head[skip:])
    if skip or not declared:
        return _UTF8, skip
    known = _character_codec(declared)
    if known == _UTF8 or (known == "ascii" and head.isascii()):
        return _UTF8, skip
    if known is None:
        shown = declared if _LABEL.fullmatch(declared) else f"{declared[:40]}…"
        _note_lie(findings, shown, "UTF-8")
        return _UTF8, skip
    if not _extends_ascii(known) or (not _is_decodable(head, known) and _is_decodable(head, _UTF8)):
        _note_lie(findings, declared, "UTF-8")
        return _UTF8, skip
    return known, skip


def _declared(head: bytes) -> str | None:
    found = _DECLARED.search(head)
    return found[1].decode("ascii", "replace") if found else None


def _character_codec(label: str) -> str | None:
    if not _LABEL.fullmatch(label):
        return None
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return None
    return name if _CHARACTER_CODEC.fullmatch(name) else None


def _extends_ascii(codec: str) -> bool:
    """Not so UTF-16 and EBCDIC: what declares them in readable bytes lies."""
    return b"<?xml".decode(codec, "replace") == "<?xml"


def _is_decodable(head: bytes, codec: str) -> bool:
    """The end of the head may cut a character in two, which an incremental decoder allows."""
    try:
        codecs.getincrementaldecoder(codec)().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _note_lie(findings: Findings, declared: str, actual: str) -> None:
    message = f'declared as "{declared}", which it cannot be; read as {actual}'
    findings.note("encoding", message, 1, code=Code.ENCODING_ASSUMED)
