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


def text_lines(stream: BinaryIO, longest: int, warn: Warn) -> Iterator[list[str]]:
    """Yield many lines at a time, without their ends: LF, CR LF or CR.

    Args:
        stream: read from its beginning. Its bytes that are not UTF-8 become surrogates.
        longest: characters; a longer line is cut, but not to fewer than one more.
        warn: reports another encoding than UTF-8.
    """
    stream.seek(0)
    codec, mark = detect_encoding(stream.read(4))
    stream.seek(mark)
    if codec != "utf-8":
        warn(Code.ENCODING_ASSUMED, f"the text is {codec}, not UTF-8; it was decoded")
    errors = "surrogateescape" if codec == "utf-8" else "replace"
    decoder = IncrementalNewlineDecoder(codecs.getincrementaldecoder(codec)(errors), translate=True)
    rest, chunk = "", stream.read(_CHUNK_BYTES)
    while chunk:
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        rest = rest[: longest + 1]
        yield lines
        chunk = stream.read(_CHUNK_BYTES)
    *lines, rest = (rest + decoder.decode(b"", final=True)).split("\n")
    yield [*lines, rest] if rest else lines


class Windows1252:
    """Reads bytes that are not UTF-8 as windows-1252, and reports the first of them."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._is_reported = False

    def __call__(self, line: str) -> str:
        """Return a line, or a cell of one, without surrogates."""
        if not _UNDECODED.search(line):
            return line
        if not self._is_reported:
            self._is_reported = True
            message = "this line is not UTF-8; it and others like it are read as windows-1252"
            self._warn(Code.ENCODING_ASSUMED, message)
        return line.encode("utf-8", "surrogateescape").decode("windows-1252", "replace")
