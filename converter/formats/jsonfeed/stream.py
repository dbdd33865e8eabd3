"""The members of a JSON object, read one after another: one item is in memory at a time.

https://www.rfc-editor.org/rfc/rfc8259. The standard library has no streaming parser, but its
decoder reads one value from the middle of a text.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from converter.errors import DocumentError, LimitError
from converter.issues import printable
from converter.xml.detect import detect_encoding
from converter.xml.entry_limits import ElementSize

_CHUNK_BYTES: Final = 64 * 1024
_SPACE: Final = re.compile(r"[ \t\r\n]+")
_LONGEST_TOKEN: Final = len("-Infinity")
#: A longer number is no count of anything; Python refuses to read it as a whole number.
_MOST_DIGITS: Final = 20


class JsonStream:
    """The text of a document from the place that was read up to; knows the line of that place."""

    def __init__(self, stream: BinaryIO) -> None:
        self.line = 1
        self.repeated: list[str] = []
        """Names that an object has twice; the last value counts. The caller clears it."""
        stream.seek(0)
        codec, mark = detect_encoding(stream.read(4))
        stream.seek(mark)
        # bytes that are not UTF-8 become lone surrogates, which `Members` reports
        errors = "surrogateescape" if codec == "utf-8" else "replace"
        self._decode = codecs.getincrementaldecoder(codec)(errors).decode
        self._stream = stream
        self._text, self._at, self._is_at_end = "", 0, False
        self._columns_before = 0
        """Characters before the text in its first line."""
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_whole, parse_constant=_no_number
        )

    def members(self) -> Iterator[str]:
        """Yield the names of the members of an object; the caller reads each value.

        Raises:
            DocumentError: the text is not JSON, or breaks off.
        """
        self._expect("{", "a JSON object")
        if not self._next("}"):
            while True:
                if self._peek() != '"':
                    raise self._broken("a name in quotation marks")
                name = self.value("a name")
                self._expect(":", '":" after a name')
                yield name
                if self._next("}"):
                    break
                self._expect(",", '"," or "}"')
        if self._peek():
            raise self._broken("nothing after the feed")

    def elements(self) -> Iterator[int]:
        """Yield the number of each element of an array, from 0; the caller reads its value."""
        self._expect("[", "an array")
        if self._next("]"):
            return
        number = 0
        while True:
            self._peek()
            yield number
            number += 1
            if self._next("]"):
                return
            self._expect(",", '"," or "]"')

    def is_array(self) -> bool:
        """Return True if the next value is an array."""
        return self._peek() == "["

    def value(self, path: str) -> Any:
        """Read the next value.

        Raises:
            DocumentError: it is not JSON, or breaks off.
            LimitError: it is larger than an entry may be, or nested too deeply.
        """
        self._peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # an error at the end of the text, or an open string: the rest is not read yet
                is_cut = error.pos + _LONGEST_TOKEN > len(self._text) or "Unterminated" in error.msg
                if not is_cut or not self._more(path, grow=True):
                    raise self._error(error.msg, error.pos) from error
                continue
            except RecursionError as error:
                message = f"line {self.line}: {path} is nested too deeply. No feed needs that"
                raise LimitError(message, limit="depth", line=self.line) from error
            if end < len(self._text) or not self._more(path):
                ElementSize(bytes=end - self._at).check(path, self.line)
                self._skip_to(end)
                return value

    # -- characters -----------------------------------------------------------------------

    def _peek(self) -> str:
        """Return the next character that is no white space; nothing at the end."""
        while True:
            if space := _SPACE.match(self._text, self._at):
                self._skip_to(space.end())
            if self._at < len(self._text) or not self._more("white space"):
                return self._text[self._at : self._at + 1]

    def _next(self, character: str) -> bool:
        """Skip a character, if it is the next one."""
        if self._peek() != character:
            return False
        self._at += 1
        return True

    def _expect(self, character: str, wanted: str) -> None:
        if not self._next(character):
            raise self._broken(wanted)

    def _skip_to(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def _more(self, path: str, *, grow: bool = False) -> bool:
        """Read more of the stream behind what is not used yet; return False at its end."""
        if self._is_at_end:
            return False
        rest, line_end = self._text[self._at :], self._text.rfind("\n", 0, self._at)
        ElementSize(bytes=len(rest)).check(path, self.line)
        # a value that is not complete is tried again with twice as much of it
        data = self._stream.read(max(_CHUNK_BYTES, len(rest) if grow else 0))
        self._columns_before = (
            self._columns_before + self._at if line_end < 0 else self._at - line_end - 1
        )
        self._is_at_end = not data
        self._text, self._at = rest + self._decode(data, final=not data), 0
        return True

    def _broken(self, wanted: str) -> DocumentError:
        return self._error(f"wanted {wanted}", self._at)

    def _error(self, problem: str, at: int) -> DocumentError:
        """Return the error of a place where the text is not JSON."""
        line = self.line + self._text.count("\n", self._at, at)
        line_end = self._text.rfind("\n", 0, at)
        column = at - line_end if line_end >= 0 else self._columns_before + at + 1
        found = self._text[at : at + 20]
        what = f"found {printable(found)!r}" if found else "the document breaks off"
        message = f"not JSON at line {line}, column {column}: {what}; {problem}"
        return DocumentError(message, line=line, column=column)

    # -- values ---------------------------------------------------------------------------

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                self.repeated.append(name)
            found[name] = value
        return found


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


def _no_number(name: str) -> str:
    """Return NaN or Infinity, which JSON does not know, as a text: no reader takes it."""
    return name
