"""Reads a JSON text value by value, in bounded memory, and checks the types of its members.

The standard library has no streaming parser, but its decoder reads one value from the middle of a
text. Issues name the path of a member. https://www.rfc-editor.org/rfc/rfc8259
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from math import inf
from typing import Any, BinaryIO, Final, TypeVar

from converter.errors import DocumentError, LimitError
from converter.issues import Code, Issue, Note, Report, printable
from converter.model import Moment
from converter.options import ReadOptions
from converter.values import dates, urls
from converter.values.lazy_regex import lazy_regex
from converter.xml.detect import detect_encoding
from converter.xml.entry_limits import ElementSize

T = TypeVar("T")

_CHUNK_BYTES: Final = 64 * 1024
_SPACE: Final = re.compile(r"[ \t\r\n]+")
_MAX_TOKEN: Final = len("-Infinity")
#: Python refuses to read much longer numbers as whole numbers.
_MAX_DIGITS: Final = 20
_TYPES: Final = {
    bool: "true or false", dict: "an object", float: "a number", int: "a number", list: "an array",
    str: "a text",
}  # fmt: skip
#: Half of a surrogate pair, or a byte that is not UTF-8.
_SURROGATE: Final = lazy_regex(r"[\ud800-\udfff]")


class JsonStream:
    """The values of a JSON text in their order; `line` is the line of the next one."""

    def __init__(self, stream: BinaryIO, report: Report) -> None:
        self.line = self._column = 1
        stream.seek(0)
        codec, mark = detect_encoding(stream.read(4))
        stream.seek(mark)
        # bytes that are not UTF-8 become lone surrogates, which `Members` reports
        errors = "surrogateescape" if codec == "utf-8" else "replace"
        self._decode = codecs.getincrementaldecoder(codec)(errors).decode
        self._stream, self._report = stream, report
        self._repeated: list[str] = []
        self._text, self._at, self._is_at_end = "", 0, False
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=lambda digits: (int if len(digits) < _MAX_DIGITS else float)(digits),
            parse_constant=float,  # NaN and Infinity are not JSON: each is reported
        )

    def members(self) -> Iterator[str]:
        """Yield the names of the members of the document; the caller reads each value.

        Raises:
            DocumentError: the text is not JSON, or breaks off.
        """
        for _ in self.elements("{}"):
            if self.peek() != '"':
                raise self._error("wanted a name in quotation marks", self._at)
            name = self.value("a name")
            self._expect(":", '":" after a name')
            yield name
        if self.peek():
            raise self._error("wanted nothing after the feed", self._at)

    def elements(self, brackets: str = "[]") -> Iterator[int]:
        """Yield the number of each element of an array, from 0; the caller reads its value."""
        closing = brackets[1]
        self._expect(brackets[0], "a JSON object")
        if self._skip(closing):
            return
        for number in count():
            self.peek()
            yield number
            if self._skip(closing):
                return
            self._expect(",", f'"," or "{closing}"')

    def value(self, path: str) -> Any:
        """Read the next value.

        Raises:
            DocumentError: it is not JSON, or breaks off.
            LimitError: it is larger than an entry may be, or nested too deeply.
        """
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # an error at the end of the text, or an open string: the rest is not read yet
                is_cut = error.pos + _MAX_TOKEN > len(self._text) or "Unterminated" in error.msg
                if not is_cut or not self._more(path, len(self._text) - self._at):
                    raise self._error(error.msg, error.pos) from error
                continue
            except RecursionError as error:
                message = f"line {self.line}: {path} is nested too deeply. No feed needs that"
                raise LimitError(message, limit="depth", line=self.line) from error
            # a number that ends with the text read so far may go on: 1, 1.5, 1e9
            margin = _MAX_TOKEN if type(value) in {int, float} else 1
            if end + margin <= len(self._text) or not self._more(path):
                ElementSize(bytes=end - self._at).check(path, self.line)
                for name in dict.fromkeys(self._repeated):
                    self.report_repeated(name, path)
                self._repeated.clear()
                self._move_to(end)
                return value

    def report_repeated(self, name: str, path: str) -> None:
        """Report that an object has two members of this name."""
        code, message = Code.ELEMENT_MISPLACED, f'more than one "{name[:60]}"; the last is read'
        self._report(Issue(code=code, message=message, line=self.line, path=path[:120]))

    def peek(self) -> str:
        """Return the next character that is not white space; "" at the end."""
        while True:
            if space := _SPACE.match(self._text, self._at):
                self._move_to(space.end())
            if self._at < len(self._text) or not self._more("white space"):
                return self._text[self._at : self._at + 1]

    def _skip(self, character: str) -> bool:
        """Skip the next character if it is this one."""
        is_next = self.peek() == character
        self._move_to(self._at + is_next)
        return is_next

    def _expect(self, character: str, wanted: str) -> None:
        if not self._skip(character):
            raise self._error(f"wanted {wanted}", self._at)

    def _position(self, at: int) -> tuple[int, int]:
        """Return the line and the column of a place that is not read yet."""
        line_end = self._text.rfind("\n", self._at, at)
        column = self._column + at - self._at if line_end < 0 else at - line_end
        return self.line + self._text.count("\n", self._at, at), column

    def _move_to(self, at: int) -> None:
        self.line, self._column = self._position(at)
        self._at = at

    def _more(self, path: str, least: int = 0) -> bool:
        """Read more of the stream, at least so many bytes; return False at its end."""
        if self._is_at_end:
            return False
        rest = self._text[self._at :]
        ElementSize(bytes=len(rest)).check(path, self.line)
        # a value that is not complete is tried again with twice as much of it
        data = self._stream.read(max(_CHUNK_BYTES, least))
        self._is_at_end = not data
        self._text, self._at = rest + self._decode(data, final=not data), 0
        return True

    def _error(self, problem: str, at: int) -> DocumentError:
        line, column = self._position(at)
        found = self._text[at : at + 20]
        what = f"found {printable(found)!r}" if found else "the document breaks off"
        message = f"not JSON at line {line}, column {column}: {what}; {problem}"
        return DocumentError(message, line=line, column=column)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            names = Counter(name for name, _ in pairs)
            self._repeated += [name for name, times in names.items() if times > 1]
        return members


@dataclass(slots=True, eq=False)
class ItemContext:
    """What the members of one item, or of the header, are read with."""

    report: Report
    options: ReadOptions
    line: int | None = None
    base: str | None = None
    """What relative references resolve against."""
    lang: str | None = None
    label: str | None = None
    """How issues name the item: its page, else its id."""
    unread: list[str] = field(default_factory=list)
    """Names of the members of inner objects that were not taken."""


class Members:
    """The members of an object; the methods take a member, and report a wrong value."""

    def __init__(self, members: dict[str, Any], path: str, context: ItemContext) -> None:
        self._members, self._path, self.context = dict(members), path, context

    def take(self, name: str, *types: type) -> Any:
        """Return a member of one of these types, else None."""
        return self._checked(self._members.pop(name, None), name, *types)

    def _checked(self, value: object, name: str, *types: type) -> Any:
        if value is None or type(value) in types:
            return value
        message = f"found {_TYPES[type(value)]}, wanted {_TYPES[types[0]]}; left out"
        self.warn(Code.VALUE_TYPE, message, name)
        return None

    def warn(self, code: Code, message: str, name: str = "") -> None:
        """Report an issue of a member, or of the object itself."""
        path, it = self._path_of(name), self.context
        it.report(Issue(code=code, message=message, line=it.line, path=path, entry=it.label))

    def _path_of(self, name: str) -> str:
        return "/".join(filter(None, (self._path, printable(name))))

    def without_notes(self, result: tuple[T, Iterable[Note]], name: str) -> T:
        """Report the notes of a value function, and return its value."""
        value, notes = result
        for code, message in notes:
            self.warn(code, message, name)
        return value

    def text(self, name: str, *types: type) -> str | None:
        """Return a text, or a value of these types as text, without white space around it."""
        return self._text(self.take(name, str, *types), name)

    def _text(self, value: object, name: str) -> str | None:
        text = "" if value is None else str(value).strip()
        if not text.isascii() and _SURROGATE.search(text):
            message = "bytes or halves of characters that are not Unicode; replaced by U+FFFD"
            self.warn(Code.TEXT_CLEANED, message, name)
            text = _SURROGATE.sub("\ufffd", text)
        return text or None

    def url(self, name: str) -> str | None:
        """Return an absolute URL."""
        text = self.text(name)
        if text is None or urls.is_canonical_page(text):
            return text
        return self.without_notes(urls.resolve(text, self.context.base), name)

    def web_url(self, name: str) -> str | None:
        """Return an http(s) URL."""
        url = self.url(name)
        if url is None or urls.is_http(url):
            return url
        self.warn(Code.URL_SCHEME_DROPPED, f"{urls.quoted(url)} is not http(s); left out", name)
        return None

    def moment(self, name: str) -> Moment | None:
        """Return a date."""
        text, it = self.text(name), self.context
        if text is None:
            return None
        return self.without_notes(dates.parse(text, it.options.assume_tz, it.lang), name)

    def number(self, name: str) -> float | None:
        """Return a number from 0."""
        value: float | None = self.take(name, float, int)
        if value is None or 0 <= value < inf:
            return value
        self.warn(Code.NUMBER_UNREADABLE, f"{value} is not a number from 0; left out", name)
        return None

    def texts(self, name: str) -> list[str]:
        """Return the texts of an array."""
        texts = (self._text(value, path) for path, value in self._array(name, str))
        return list(filter(None, texts))

    def objects(self, name: str, *, single: bool = False) -> Iterator[Members]:
        """Yield the objects of an array, or with `single` the member itself."""
        one = self.take(name, dict) if single else None
        for path, value in [(name, one)] if one else self._array(name, dict):
            members = Members(value, self._path_of(path), self.context)
            yield members
            self.context.unread += members.unread(f"{name}/")

    def _array(self, name: str, kind: type) -> Iterator[tuple[str, Any]]:
        for number, value in enumerate(self.take(name, list) or ()):
            path = f"{name}/{number}"
            if self._checked(value, path, kind) is not None:
                yield path, value

    def unread(self, prefix: str = "") -> list[str]:
        """Return the names of the members that were not taken."""
        return [printable(prefix + name) for name, it in self._members.items() if it is not None]
