"""The bounds on one entry and on one header: how much of a document is in memory at a time.

They hold while libxml2 still parses an element, so that no element can use up the memory first.
The figures are in docs/publishing.md, the reasons in docs/decisions/0020-bounds-on-an-entry.md.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, cast

from lxml import etree

from converter.errors import LimitError
from converter.xml.stream.lines import line_of
from converter.xml.take import Element, copied, local_name

__all__ = ["CHUNK_BYTES", "EntryGuard", "OpenTag", "Size", "header_size"]

#: What is parsed between two checks. So much cannot hold `_MAX_ELEMENTS`, as `<a/>`.
CHUNK_BYTES: Final = 64 * 1024

_MAX_ELEMENTS: Final = 20_000
_MAX_ATTRIBUTES: Final = 100_000
_MAX_BYTES: Final = 8 * 1024 * 1024
#: An open entry is serialized again when so much more of the source was parsed.
_STEP_BYTES: Final = _MAX_BYTES // 8

_COUNT_ELEMENTS: Final = etree.XPath("count(descendant-or-self::*)")
_COUNT_ATTRIBUTES: Final = etree.XPath("count(descendant-or-self::*/@*)")
#: References of serialized XML, and by how many bytes each is longer than its character.
_ESCAPES: Final = ((b"&amp;", 4), (b"&lt;", 3), (b"&gt;", 3))

#: An attribute, in the bytes of any encoding that XML may have.
_ATTRIBUTE: Final = re.compile(rb"=[\s\0]*[\"']")


class Size(NamedTuple):
    """What an entry or a header holds."""

    elements: int = 0
    attributes: int = 0
    bytes: int = 0
    """Of text, tags and attributes, in UTF-8; a reference counts as its character."""

    def plus(self, other: Size) -> Size:
        """Add the size of another field of the same header."""
        return Size(*map(sum, zip(self, other, strict=True)))

    def check(self, what: str, line: int | None) -> None:
        """Hold it against the bounds.

        Raises:
            LimitError: it is over one of them.
        """
        over = (
            ("elements", self.elements, f"{_MAX_ELEMENTS:,} elements", _MAX_ELEMENTS),
            ("attributes", self.attributes, f"{_MAX_ATTRIBUTES:,} attributes", _MAX_ATTRIBUTES),
            ("text", self.bytes, f"{_MAX_BYTES >> 20} MiB of text and attributes", _MAX_BYTES),
        )
        at = f"line {line}: " if line else ""
        for limit, value, shown, most in over:
            if value > most:
                raise LimitError(
                    f"{at}{what} holds more than {shown}. No feed needs that; "
                    "look at what its maker has put there, and split it or take it out",
                    limit=limit,
                    line=line,
                )


def header_size(field: Element) -> Size:
    """Measure a field of the header."""
    return Size(_elements(field), _attributes(field), _bytes(field))


class EntryGuard:
    """Checks entries, complete or not, against the bounds."""

    def __init__(self) -> None:
        self._measured_at = 0  # how much was parsed when an open entry was last serialized

    def check(self, entry: Element, begun_at: int, parsed: int, *, is_complete: bool) -> None:
        """Check what can be over a bound after so many bytes.

        Args:
            entry: the element.
            begun_at: how much of the source was parsed before it, in bytes.
            parsed: how much is parsed now.
            is_complete: it has ended.

        Raises:
            LimitError: it is over a bound.
        """
        since = parsed - begun_at
        if since <= CHUNK_BYTES:
            return
        size = Size(_elements(entry), _attributes(entry))
        if since > _MAX_BYTES and (is_complete or parsed - self._measured_at >= _STEP_BYTES):
            self._measured_at = parsed
            size = size._replace(bytes=_bytes(entry))
        size.check(f"<{local_name(entry)}>", line_of(entry))


class OpenTag:
    """A start tag that does not end: libxml2 makes all of its attributes at one go."""

    def __init__(self) -> None:
        self._attributes = 0

    def check(self, chunk: bytes) -> None:
        """Count what may be attributes since the last `<`.

        Raises:
            LimitError: there are more than an entry may have.
        """
        begin = chunk.rfind(b"<")
        if begin >= 0:
            self._attributes = 0
        if len(chunk) - begin > CHUNK_BYTES // 2:
            self._attributes += len(_ATTRIBUTE.findall(chunk, max(0, begin)))
        Size(attributes=self._attributes).check("one start tag", None)


def _elements(element: Element) -> int:
    return int(cast("float", _COUNT_ELEMENTS(element)))


def _attributes(element: Element) -> int:
    return int(cast("float", _COUNT_ATTRIBUTES(element)))


def _bytes(element: Element) -> int:
    """Serialize a copy: the element would repeat, in quadratic time, what its ancestors declare."""
    xml = etree.tostring(copied(element), encoding="utf-8", with_tail=False)
    return len(xml) - sum(more * xml.count(escape) for escape, more in _ESCAPES)
