"""The lines of a text document, whatever its encoding and its line ends, in bounded memory."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from io import IncrementalNewlineDecoder
from typing import BinaryIO, Final

from converter.issues import Code
from converter.values.lazy_regex import lazy_regex
from converter.xml.detect import detect_encoding

_CHUNK_BYTES: Final = 256 * 1024

#: Bytes that are not UTF-8, as the decoder returns them (PEP 383).
_UNDECODED: Final = lazy_regex(r"[\udc80-\udcff]")

Warn = Callable[[Code, str], None]


def decoder_of(stream: BinaryIO) -> tuple[str, codecs.IncrementalDecoder]:
    """Return the codec of a text and its decoder; move the stream behind a byte order mark.

    Bytes that are not UTF-8 become surrogates.
    """
    stream.seek(0)
    codec, mark = detect_encoding(stream.read(4))
    stream.seek(mark)
    errors = "surrogateescape" if codec == "utf-8" else "replace"
    return codec, codecs.getincrementaldecoder(codec)(errors)


def text_lines(stream: BinaryIO, longest: int, warn: Warn) -> Iterator[list[str]]:
    """Yield many lines at a time, without their ends: LF, CR LF or CR.

    Args:
        stream: read from its beginning.
        longest: characters; a longer line is cut, but not to fewer than one more.
        warn: reports another encoding than UTF-8.
    """
    codec, decode = decoder_of(stream)
    if codec != "utf-8":
        warn(Code.ENCODING_ASSUMED, f"the text is {codec}, not UTF-8; it was decoded")
    decoder = IncrementalNewlineDecoder(decode, translate=True)
    rest, chunk = "", stream.read(_CHUNK_BYTES)
    while chunk:
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        rest = rest[: longest + 1]
        yield lines
        chunk = stream.read(_CHUNK_BYTES)
    *lines, rest = (rest + decoder.decode(b"", final=True)).split("\n")
    yield [*lines, rest] if rest else lines


def decoded(line: str, warn: Warn) -> str:
    """Return a line, or a cell of one; read bytes that are not UTF-8 as windows-1252."""
    if not _UNDECODED.search(line):
        return line
    warn(Code.ENCODING_ASSUMED, "this line is not UTF-8; it is read as windows-1252")
    return line.encode("utf-8", "surrogateescape").decode("windows-1252", "replace")
