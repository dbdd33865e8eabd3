"""Reads JSON Feed 1.1 and 1.0 (mapping 3.11): https://www.jsonfeed.org/version/1.1/.

A feed is translated to Atom with Media RSS item by item, in bounded memory, and read as that. The
standard library has no streaming parser, but its decoder reads one value from the middle of a text.
https://www.rfc-editor.org/rfc/rfc8259
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, BinaryIO, Final, TypeAlias

from converter.errors import DocumentError, LimitError
from converter.formats import generated_atom
from converter.formats.base import Document
from converter.formats.generated_atom import ReadAtom, link
from converter.formats.text_lines import decoder_of
from converter.issues import Code, Issue, Report, printable
from converter.model import Kind
from converter.options import ReadOptions
from converter.values import media_types
from converter.values.text import remove_illegal
from converter.xml.entry_limits import ElementSize
from converter.xml.escape import escape, text_element

_CHUNK_BYTES: Final = 64 * 1024
_SPACE: Final = re.compile(r"[ \t\r\n]+")
#: A value that ends so near the end of the text may go on: 1, 1.5, 1.5e-10.
_MARGIN: Final = len("-Infinity")

#: The namespace of elements that stand for members that nothing reads.
_UNREAD: Final = "urn:json"
_MAX_NAME: Final = 100
#: `entry` has a meaning in any namespace.
_NOT_IN_NAME: Final = re.compile(r"^(?=[^A-Za-z_]|entry$)|[^A-Za-z0-9_.]", re.IGNORECASE)

#: Members with a text, and the elements that say the same.
_OF_HEADER: Final = {
    "title": "title", "description": "subtitle", "icon": "logo", "language": "dc:language"
}  # fmt: skip
_OF_ITEM: Final = {
    "title": "title", "summary": "summary",
    "date_published": "published", "date_modified": "updated",
}  # fmt: skip

_Warn: TypeAlias = Callable[[Code, str, str], None]


class _Number(str):
    """A number, as it is written in the document."""

    __slots__ = ()


_TYPES: Final[dict[type, str]] = {
    bool: "true or false", tuple: "an object", _Number: "a number", list: "an array",
    str: "a text",
}  # fmt: skip


def read(
    read_atom: ReadAtom, stream: BinaryIO, options: ReadOptions, report: Report, /
) -> Document:
    """Read a JSON Feed; see `formats.base.Reader`."""
    atom = generated_atom.stream_of(_Translator(stream, report).xml)
    return read_atom(atom, options, report, "jsonfeed")


class _JsonStream:
    """The values of a JSON text in their order; `line` is the line of the next one."""

    def __init__(self, stream: BinaryIO) -> None:
        self.line = self._column = 1
        self._stream = stream
        _, self._text_decoder = decoder_of(stream)
        self._text, self._at, self._is_at_end = "", 0, False
        self._decoder = json.JSONDecoder(
            object_pairs_hook=tuple, parse_float=_Number, parse_int=_Number, parse_constant=_Number
        )

    def members(self) -> Iterator[str]:
        """Yield the names of the members of the document; the caller reads each value.

        Raises:
            DocumentError: the text is not JSON, or breaks off.
        """
        for _ in self.elements("{}"):
            name = self.value("a name")
            if type(name) is not str:
                raise self._error("wanted a name in quotation marks", self._at)
            self._take(":")
            self.peek()
            yield name
        if self.peek():
            raise self._error("wanted nothing after the feed", self._at)

    def elements(self, brackets: str = "[]") -> Iterator[int]:
        """Yield the number of each element of an array, from 0; the caller reads its value."""
        self._take(brackets[0])
        if self.peek() == brackets[1]:
            self._take(brackets[1])
            return
        for number in count():
            self.peek()
            yield number
            if self._take(f",{brackets[1]}") != ",":
                return

    def value(self, path: str) -> Any:
        """Read the next value; an object is a tuple of its names and values.

        Raises:
            DocumentError: it is not JSON, or breaks off.
            LimitError: it is larger than an entry may be, or nested too deeply.
        """
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # an error at the end of the text, or an open string: the rest is not read yet
                is_cut = error.pos + _MARGIN > len(self._text) or "Unterminated" in error.msg
                if not is_cut or not self._more(path):
                    raise self._error(error.msg, error.pos) from error
                continue
            except RecursionError as error:
                message = f"line {self.line}: {path} is nested too deeply. No feed needs that"
                raise LimitError(message, limit="depth", line=self.line) from error
            if end + _MARGIN <= len(self._text) or not self._more(path):
                ElementSize(bytes=end - self._at).check(path, self.line)
                self._move_to(end)
                return value

    def peek(self) -> str:
        """Return the next character that is not white space; "" at the end."""
        while True:
            if space := _SPACE.match(self._text, self._at):
                self._move_to(space.end())
            if self._at < len(self._text) or not self._more("white space"):
                return self._text[self._at : self._at + 1]

    def _take(self, wanted: str) -> str:
        """Skip the next character, which must be one of these, and return it."""
        if not (found := self.peek()) or found not in wanted:
            raise self._error(f"wanted {' or '.join(wanted)}", self._at)
        self._move_to(self._at + 1)
        return found

    def _position(self, at: int) -> tuple[int, int]:
        """Return the line and the column of a place that is not read yet."""
        line_end = self._text.rfind("\n", self._at, at)
        column = self._column + at - self._at if line_end < 0 else at - line_end
        return self.line + self._text.count("\n", self._at, at), column

    def _move_to(self, at: int) -> None:
        self.line, self._column = self._position(at)
        self._at = at

    def _more(self, path: str) -> bool:
        """Read more of the stream, at least as much as is not decoded; False at its end."""
        if self._is_at_end:
            return False
        rest = self._text[self._at :]
        ElementSize(bytes=len(rest)).check(path, self.line)
        data = self._stream.read(max(_CHUNK_BYTES, len(rest)))
        self._is_at_end = not data
        self._text, self._at = rest + self._text_decoder.decode(data, final=not data), 0
        return True

    def _error(self, problem: str, at: int) -> DocumentError:
        line, column = self._position(at)
        found = self._text[at : at + 20]
        what = f"found {printable(found)!r}" if found else "the document breaks off"
        message = f"not JSON at line {line}, column {column}: {what}; {problem}"
        return DocumentError(message, line=line, column=column)


class _Translator:
    """Translates a JSON Feed to Atom; each element begins on the line of its member or item."""

    def __init__(self, stream: BinaryIO, report: Report) -> None:
        self._stream = stream
        self._report = report
        self._line = 1
        self._items = 0

    def xml(self) -> Iterator[str]:
        """Yield the Atom feed: a piece for each member of the header, and for each item.

        Raises:
            DocumentError: it is not JSON, and there is no whole item before that.
        """
        source, self._line, self._items = _JsonStream(self._stream), 1, 0
        yield generated_atom.START
        try:
            for name in source.members():
                if name != "items" or source.peek() != "[":
                    yield self._piece(source, name)
                    continue
                for number in source.elements():
                    yield self._piece(source, f"items/{number}", is_item=True)
        except DocumentError as error:
            if not self._items:
                raise
            message = f"{error}; the {self._items:,} items before that are used"
            self._report(Issue(code=Code.XML_BROKEN, message=message, line=error.line))
        yield generated_atom.END

    def _piece(self, source: _JsonStream, path: str, *, is_item: bool = False) -> str:
        """Translate the next value: an item, or a member of the header."""
        line_breaks = "\n" * (source.line - self._line)
        self._line, value = source.line, source.value(path)
        if not is_item:
            xml = _header(_Members(((path, value),), "", self._warn))
        elif type(value) is tuple:
            xml, self._items = _entry(_Members(value, f"{path}/", self._warn)), self._items + 1
        else:
            xml = ""
            self._warn(Code.VALUE_TYPE, "an item must be an object; left out", path)
        return line_breaks + xml.replace("\n", "&#10;")

    def _warn(self, code: Code, message: str, path: str) -> None:
        self._report(Issue(code=code, message=message, line=self._line, path=printable(path)))


class _Members:
    """The members of an object, which are taken by name; the others are counted as unread."""

    def __init__(self, pairs: tuple[tuple[str, Any], ...], path: str, warn: _Warn) -> None:
        self._members, self._path, self._warn = dict(pairs), path, warn
        self._of_inner: list[str] = []
        ElementSize(elements=len(pairs)).check(path or "the header", None)
        if len(self._members) < len(pairs):
            message = "two members have the same name; the last one is read"
            warn(Code.ELEMENT_MISPLACED, message, path.rstrip("/"))

    def take(self, name: str, *types: type) -> Any:
        """Take a member of one of these types; report any other, and return None."""
        value = self._members.pop(name, None)
        return None if value is None else self._checked(value, name, *types)

    def _checked(self, value: Any, name: str, *types: type) -> Any:
        if type(value) not in types:
            message = f"found {_TYPES[type(value)]}, wanted {_TYPES[types[0]]}; left out"
            self._warn(Code.VALUE_TYPE, message, self._path + name)
            return None
        if type(value) is str and not value.isprintable():
            value, removed = remove_illegal(value)
            if removed:
                message = f"{removed:,} characters that are not Unicode or control; left out"
                self._warn(Code.TEXT_CLEANED, message, self._path + name)
        return value

    def array(self, name: str, kind: type) -> list[tuple[str, Any]]:
        """Take an array; return the path and the value of each element."""
        value = self.take(name, list, tuple) or ()
        ElementSize(elements=len(value)).check(self._path + name, None)
        found = []
        for number, element in enumerate(value if type(value) is list else filter(None, (value,))):
            path = f"{name}/{number}"
            if element is not None and (it := self._checked(element, path, kind)) is not None:
                found.append((path, it))
        return found

    def objects(self, name: str) -> Iterator[_Members]:
        """Take an array of objects, or one; what is not taken of each counts as unread."""
        for path, pairs in self.array(name, tuple):
            members = _Members(pairs, f"{self._path}{path}/", self._warn)
            yield members
            self._of_inner += [f"{name}.{inner}" for inner in members.unread()]

    def unread(self) -> list[str]:
        """Return the names of the members that were not taken."""
        own = [name for name, value in self._members.items() if value is not None]
        return list(dict.fromkeys([*own, *self._of_inner]))


# -- what the members are in Atom ---------------------------------------------------------------


def _header(feed: _Members) -> str:
    """Translate members of the header."""
    xml = link("self", feed.take("feed_url", str))
    xml += link("alternate", feed.take("home_page_url", str))
    xml += link("next", feed.take("next_url", str))
    for name, element in _OF_HEADER.items():
        xml += text_element(element, feed.take(name, str))
    for hub in feed.objects("hubs"):
        if (hub.take("type", str) or "").lower() == "websub":
            xml += link("hub", hub.take("url", str))
    feed.take("version", str)
    feed.take("items", list)
    return xml + _authors(feed) + _unread(feed)


def _entry(item: _Members) -> str:
    """Translate an item; a `content_text` beside a `content_html` is unread."""
    lang = item.take("language", str)
    xml = text_element("id", item.take("id", str, _Number))
    xml += link("alternate", item.take("url", str))
    xml += link("related", item.take("external_url", str))
    for name, element in _OF_ITEM.items():
        xml += text_element(element, item.take(name, str))
    if html := item.take("content_html", str):
        xml += text_element("content", html, (("type", "html"),))
    else:
        xml += text_element("content", item.take("content_text", str))
    for _, tag in item.array("tags", str):
        xml += text_element("category", "", (("term", tag),))
    for name in ("image", "banner_image"):
        if url := item.take(name, str):
            attributes = (("url", url), ("medium", "image"), ("type", media_types.mime_of(url)))
            xml += text_element("media:content", "", attributes)
    xml += _authors(item) + _attachments(item) + _unread(item)
    attribute = f' xml:lang="{escape(lang)}"' if lang else ""
    return f"<entry{attribute}>{xml}</entry>"


def _authors(members: _Members) -> str:
    """Translate `authors`, else `author` of version 1.0."""
    people = "".join(map(_person, members.objects("authors")))
    return people or "".join(map(_person, members.objects("author")))


def _person(author: _Members) -> str:
    name, uri = author.take("name", str), author.take("url", str)
    return f"<author>{text_element('name', name)}{text_element('uri', uri)}</author>"


def _attachments(item: _Members) -> str:
    """Translate attachments; those of the same kind and title are renditions of one medium."""
    groups: dict[tuple[Kind | None, str | int], str] = {}
    links = ""
    for number, file in enumerate(item.objects("attachments")):
        url, mime, title = (file.take(name, str) for name in ("url", "mime_type", "title"))
        size = file.take("size_in_bytes", _Number)
        seconds = file.take("duration_in_seconds", _Number)
        if kind := media_types.kind_of(url or "", mime=mime):
            links += link("enclosure", url, ("type", mime), ("length", size))
        if title or seconds or not kind:  # what an enclosure cannot say
            attributes = ("url", url), ("type", mime), ("fileSize", size), ("duration", seconds)
            key = kind, title or number
            group = groups.get(key) or text_element("media:title", title)
            groups[key] = group + text_element("media:content", "", attributes)
    return links + "".join(f"<media:group>{group}</media:group>" for group in groups.values())


def _unread(members: _Members) -> str:
    """Write an element for each member that nothing reads, so that it is counted."""
    names = (_NOT_IN_NAME.sub("_", name[:_MAX_NAME]) for name in members.unread())
    return "".join(f'<{name} xmlns="{_UNREAD}"/>' for name in names)
