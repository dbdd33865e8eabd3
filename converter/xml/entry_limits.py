"""The limits on one entry and on the header, which bound the memory that a document takes.

They apply while libxml2 parses an element, so that no element uses up the memory first. Figures:
docs/publishing.md; reasons: docs/decisions/0020-bounds-on-an-entry.md.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, cast

from lxml import etree

from converter.errors import LimitError
from converter.xml.extract import Element, line_of, local_name

#: Bytes parsed between two checks. So few cannot hold `_MAX_ELEMENTS`, as `<a/>`.
CHUNK_BYTES: Final = 64 * 1024

_MAX_ELEMENTS: Final = 20_000
_MAX_ATTRIBUTES: Final = 100_000
_MAX_BYTES: Final = 8 * 1024 * 1024
#: An open entry is serialised again after so many bytes of the source.
_STEP_BYTES: Final = _MAX_BYTES // 8

_COUNT_ELEMENTS: Final = etree.XPath("count(descendant-or-self::*)")
_COUNT_ATTRIBUTES: Final = etree.XPath("count(descendant-or-self::*/@*)")
#: References in serialised XML, and by how many bytes each is longer than its character.
_ESCAPES: Final = ((b"&amp;", 4), (b"&lt;", 3), (b"&gt;", 3))

#: An attribute, in the bytes of any encoding that XML may have.
_ATTRIBUTE: Final = re.compile(rb"=[\s\0]*[\"']")


class ElementSize(NamedTuple):
    """The size of an entry or of the header."""

    elements: int = 0
    attributes: int = 0
    bytes: int = 0
    """Of text, tags and attributes, in UTF-8; a reference counts as its character."""

    def plus(self, other: ElementSize) -> ElementSize:
        """Return the sum of two sizes."""
        return ElementSize(*map(sum, zip(self, other, strict=True)))

    def check(self, name: str, line: int | None) -> None:
        """Raise LimitError if the element `name` on `line` exceeds a limit."""
        for limit, value, maximum, unit in (
            ("elements", self.elements, _MAX_ELEMENTS, f"{_MAX_ELEMENTS:,} elements"),
            ("attributes", self.attributes, _MAX_ATTRIBUTES, f"{_MAX_ATTRIBUTES:,} attributes"),
            ("text", self.bytes, _MAX_BYTES, f"{_MAX_BYTES >> 20} MiB of text and attributes"),
        ):
            if value > maximum:
                place = f"line {line}: " if line else ""
                raise LimitError(
                    f"{place}{name} holds more than {unit}. No feed needs this; "
                    "check its generator, and split or remove the content",
                    limit=limit,
                    line=line,
                )


def _count(element: Element) -> ElementSize:
    counts = (_COUNT_ELEMENTS(element), _COUNT_ATTRIBUTES(element))
    return ElementSize(*(int(cast("float", count)) for count in counts))


def measure(element: Element) -> ElementSize:
    """Measure an element.

    A copy is serialised: the element itself would repeat all declarations of its ancestors, in
    quadratic time.
    """
    xml = etree.tostring(copy.deepcopy(element), encoding="utf-8", with_tail=False)
    length = len(xml) - sum(more * xml.count(escape) for escape, more in _ESCAPES)
    return _count(element)._replace(bytes=length)


class EntryGuard:
    """Checks entries, complete or not, against the limits."""

    def __init__(self) -> None:
        self._measured_at = 0  # bytes parsed when an open entry was last serialised

    def check(self, entry: Element, parsed_before: int, parsed: int, *, is_complete: bool) -> None:
        """Check the limits that so many bytes can exceed.

        Args:
            entry: the element.
            parsed_before: bytes of the source that were parsed before the entry.
            parsed: bytes that are parsed now.
            is_complete: the entry has ended.

        Raises:
            LimitError: a limit is exceeded.
        """
        length = parsed - parsed_before
        if length <= CHUNK_BYTES:
            return
        if length > _MAX_BYTES and (is_complete or parsed - self._measured_at >= _STEP_BYTES):
            self._measured_at = parsed
            size = measure(entry)
        else:
            size = _count(entry)
        size.check(f"<{local_name(entry)}>", line_of(entry))


def limit_start_tags(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the chunks in pieces, and check a start tag that does not end.

    libxml2 makes all attributes of a tag at once, so they are counted since the last `<`.

    Raises:
        LimitError: a tag has more attributes than an entry may have.
    """
    attributes = 0
    for chunk in chunks:
        for piece in split_chunk(chunk):
            start = piece.rfind(b"<")
            if start >= 0:
                attributes = 0
            if len(piece) - start > CHUNK_BYTES // 2:
                attributes += len(_ATTRIBUTE.findall(piece, max(0, start)))
            ElementSize(attributes=attributes).check("one start tag", None)
            yield piece


def split_chunk(chunk: bytes, size: int = CHUNK_BYTES) -> Iterator[bytes]:
    """Split bytes into pieces of `size`."""
    return (chunk[start : start + size] for start in range(0, len(chunk), size))
