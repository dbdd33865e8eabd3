"""The bounds on one entry and on one header: how much of a document is in memory at a time.

They hold while libxml2 still parses an element, so that no element can use up the memory first.
The figures are in docs/publishing.md, the reasons in docs/decisions/0020-bounds-on-an-entry.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, cast

from lxml import etree

from converter.errors import LimitError
from converter.xml.extract import Element, copy_element, local_name
from converter.xml.parse_errors import line_of

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


class ElementSize(NamedTuple):
    """What an entry or a header holds."""

    elements: int = 0
    attributes: int = 0
    bytes: int = 0
    """Of text, tags and attributes, in UTF-8; a reference counts as its character."""

    def plus(self, other: ElementSize) -> ElementSize:
        """Add the size of another field of the same header."""
        return ElementSize(*map(sum, zip(self, other, strict=True)))

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


def _size(element: Element) -> ElementSize:
    """Count the elements and attributes."""
    counts = (_COUNT_ELEMENTS(element), _COUNT_ATTRIBUTES(element))
    return ElementSize(*(int(cast("float", count)) for count in counts))


def measure(field: Element) -> ElementSize:
    """Measure a field of the header, or another element.

    A copy is serialized: the element would repeat, in quadratic time, what its ancestors declare.
    """
    xml = etree.tostring(copy_element(field), encoding="utf-8", with_tail=False)
    length = len(xml) - sum(more * xml.count(escape) for escape, more in _ESCAPES)
    return _size(field)._replace(bytes=length)


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
        if since > _MAX_BYTES and (is_complete or parsed - self._measured_at >= _STEP_BYTES):
            self._measured_at = parsed
            size = measure(entry)
        else:
            size = _size(entry)
        size.check(f"<{local_name(entry)}>", line_of(entry))


def limit_start_tags(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Give the chunks in pieces, and check a start tag that does not end.

    libxml2 makes all attributes of a tag at one go: they are counted since the last `<`.

    Raises:
        LimitError: there are more than an entry may have.
    """
    attributes = 0
    for chunk in chunks:
        for piece in split_chunk(chunk):
            begin = piece.rfind(b"<")
            if begin >= 0:
                attributes = 0
            if len(piece) - begin > CHUNK_BYTES // 2:
                attributes += len(_ATTRIBUTE.findall(piece, max(0, begin)))
            ElementSize(attributes=attributes).check("one start tag", None)
            yield piece


def split_chunk(chunk: bytes, size: int = CHUNK_BYTES) -> Iterator[bytes]:
    """Cut bytes into pieces of a size."""
    return (chunk[begin : begin + size] for begin in range(0, len(chunk), size))
