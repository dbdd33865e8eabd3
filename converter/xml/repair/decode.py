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
from converter.values.text import NOT_A_CHARACTER
from converter.xml.detect import detect_encoding
from converter.xml.repair.findings import Findings

#: The first piece is at least so long: it decides on the encoding and holds the beginning.
_HEAD_BYTES: Final = 64 * 1024

#: A short label that is not a path: Python imports a module by this name.
_DECLARED = re.compile(
    r"""<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9][A-Za-z0-9_.:\-]{0,39})["']"""
)

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
    """Decode chunk by chunk, without byte order mark and without characters that XML forbids."""
    source = iter(chunks)
    head = b""
    while len(head) < _HEAD_BYTES and (chunk := next(source, None)) is not None:
        head += chunk
    codec, skip = _choose_codec(head, findings)
    errors = "surrogateescape" if codec == _UTF8 else "replace"
    decoder = codecs.getincrementaldecoder(codec)(errors)
    line, chunk = 1, head[skip:]
    while chunk is not None:
        text = decoder.decode(chunk)
        findings.line = line
        line += text.count("\n")
        yield _without_controls(_replace_undecoded(text, codec, findings), findings)
        chunk = next(source, None)


def _replace_undecoded(text: str, codec: str, findings: Findings) -> str:
    """Read bytes that are not UTF-8 as windows-1252; other codecs have replaced theirs."""
    if codec != _UTF8:
        if found := re.search("\ufffd", text):
            message = "bytes that are not {}; replaced by U+FFFD"
            findings.add(message, codec, found=found, code=Code.ENCODING_ASSUMED)
        return text

    def as_windows_1252(found: re.Match[str]) -> str:
        escaped = found[0].encode(_UTF8, "surrogateescape")
        message = "bytes {} are not UTF-8; read as windows-1252"
        octets = escaped[:4].hex(" ").upper()
        findings.add(message, octets, found=found, code=Code.ENCODING_ASSUMED)
        return escaped.decode("cp1252", "replace")

    return _UNDECODED.sub(as_windows_1252, text)


def _without_controls(text: str, findings: Findings) -> str:
    if found := NOT_A_CHARACTER.search(text):
        message = "U+{} is not allowed in XML; removed"
        findings.add(message, f"{ord(found[0]):04X}", found=found)
        text = NOT_A_CHARACTER.sub("", text)
    return text


def _choose_codec(head: bytes, findings: Findings) -> tuple[str, int]:
    """Return the codec and the length of the byte order mark; report a wrong declaration."""
    codec, skip = detect_encoding(head)
    found = _DECLARED.search(head[skip:].decode(codec, "ignore"))
    if found is None:
        return codec, skip
    declared = _character_codec(found[1])
    if declared and codec == _UTF8 and not skip and _fits(declared, head):
        return declared, skip
    if not codec.startswith(declared or "unknown"):
        message = 'the declared encoding "{}" is wrong or unknown; read as {}'
        findings.add(message, found[1], codec.upper(), code=Code.ENCODING_ASSUMED)
    return codec, skip


def _character_codec(label: str) -> str | None:
    """Return Python's name of a character encoding; None for any other label."""
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return None
    return name if _CHARACTER_CODEC.fullmatch(name) else None


def _fits(codec: str, head: bytes) -> bool:
    """Return True unless the declaration in the head shows that it is not in this codec.

    Readable as ASCII, a document is not in UTF-16 or EBCDIC. If its bytes are valid only in UTF-8,
    it is in UTF-8; so is ASCII, whose undecodable bytes are those of windows-1252.
    """
    if codec == "ascii" or b"<?xml".decode(codec, "replace") != "<?xml":
        return False
    return _is_decodable(head, codec) or not _is_decodable(head, _UTF8)


def _is_decodable(head: bytes, codec: str) -> bool:
    """Return True if the head, which may end inside a character, is valid in a codec."""
    try:
        codecs.getincrementaldecoder(codec)().decode(head)
    except UnicodeDecodeError:
        return False
    return True
