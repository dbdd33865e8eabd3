"""Decodes the bytes of a document, whatever encoding its declaration claims.

No document is refused. Bytes that are not UTF-8 are read as windows-1252 one by one, so that a
feed that mixes both keeps all its letters.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import Final

from converter.issues import Code
from converter.xml.detect import detect_encoding
from converter.xml.repair.findings import Findings

#: Bytes that decide on the encoding.
_HEAD_BYTES: Final = 4096

_DECLARED = re.compile(rb"""<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([^"'>]*)""")
#: Short, and no path: Python imports a module by this name.
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-]{0,39}")

#: Codecs of Python that are character encodings and extend ASCII: not rot13, zlib, idna, punycode,
#: unicode_escape, undefined; nor UTF-7, which can hide `<`.
_CHARACTER_CODEC = re.compile(
    r"ascii|big5.*|cp\d+|euc_.*|gb.*|hz|iso2022_.*|iso8859-\d+|johab|koi8-.|kz1048|mac-.*|ptcp154"
    r"|shift_jis.*|tis-620|utf-8|utf-(?:16|32).*"
)
_UTF8: Final = "utf-8"

#: Bytes that `surrogateescape` could not decode.
_UNDECODED = re.compile("[\udc80-\udcff]+")


def decode_chunks(chunks: Iterable[bytes], findings: Findings) -> Iterator[str]:
    """Decode chunk by chunk, without byte order marks at the beginning."""
    source = iter(chunks)
    head = b""
    while len(head) < _HEAD_BYTES and (chunk := next(source, None)) is not None:
        head += chunk
    codec, skip = _choose_codec(head, findings)
    errors = "surrogateescape" if codec == _UTF8 else "replace"
    decoder = codecs.getincrementaldecoder(codec)(errors)
    line, text = 1, _replace_undecoded(decoder.decode(head[skip:]), codec, 1, findings)
    if text.startswith("\ufeff"):
        findings.add("marks", "superfluous byte order mark; removed", 1)
    yield text.lstrip("\ufeff")
    for chunk in source:
        line += text.count("\n")
        text = _replace_undecoded(decoder.decode(chunk), codec, line, findings)
        yield text


def _replace_undecoded(text: str, codec: str, line: int, findings: Findings) -> str:
    """Read bytes that are not UTF-8 as windows-1252; other codecs have replaced theirs."""
    if codec != _UTF8:
        if "\ufffd" in text:
            message = f"bytes that are not {codec}; replaced by U+FFFD"
            line += text.count("\n", 0, text.index("\ufffd"))
            findings.add("undecodable", message, line, code=Code.ENCODING_ASSUMED)
        return text

    def as_windows_1252(found: re.Match[str]) -> str:
        escaped = found[0].encode(_UTF8, "surrogateescape")
        message = f"bytes {escaped[:4].hex(' ').upper()} are not UTF-8; read as windows-1252"
        findings.add("undecodable", message, line, found, Code.ENCODING_ASSUMED)
        return escaped.decode("cp1252", "replace")

    return _UNDECODED.sub(as_windows_1252, text)


def _choose_codec(head: bytes, findings: Findings) -> tuple[str, int]:
    """Return the codec and the length of the byte order mark; report a wrong declaration."""
    codec, skip = detect_encoding(head)
    if codec != _UTF8:
        declared = _declared_encoding(head[skip:].decode(codec, "ignore").encode("ascii", "ignore"))
        if declared and not declared.lower().startswith(codec[:6]):
            _report_wrong_declaration(findings, declared, codec.upper())
        return codec, skip
    declared = _declared_encoding(head[skip:])
    if skip or not declared:
        return _UTF8, skip
    known = _character_codec(declared)
    if known == _UTF8 or (known == "ascii" and head.isascii()):
        return _UTF8, skip
    if known is None:
        name = declared if _LABEL.fullmatch(declared) else f"{declared[:40]}…"
        _report_wrong_declaration(findings, name, "UTF-8")
        return _UTF8, skip
    if not _extends_ascii(known) or (not _is_decodable(head, known) and _is_decodable(head, _UTF8)):
        _report_wrong_declaration(findings, declared, "UTF-8")
        return _UTF8, skip
    return known, skip


def _declared_encoding(head: bytes) -> str | None:
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
    """Return False for UTF-16 and EBCDIC: a declaration that is readable as ASCII is wrong."""
    return b"<?xml".decode(codec, "replace") == "<?xml"


def _is_decodable(head: bytes, codec: str) -> bool:
    """Return True if the head, which may end inside a character, is valid in a codec."""
    try:
        codecs.getincrementaldecoder(codec)().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _report_wrong_declaration(findings: Findings, declared: str, actual: str) -> None:
    message = f'the declared encoding "{declared}" is wrong or unknown; read as {actual}'
    findings.add("encoding", message, 1, code=Code.ENCODING_ASSUMED)
