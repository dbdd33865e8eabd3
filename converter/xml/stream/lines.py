"""The line of an element, also where libxml2 does not keep it."""

from __future__ import annotations

from typing import Final

from converter.xml.take import Element

__all__ = ["line_of"]

#: libxml2 keeps 16 bits of a line in its elements; text nodes keep all of it.
_LINE_MAX: Final = 65_535


def line_of(element: Element) -> int | None:
    """Give the line of an element's start tag, also behind line 65,535.

    There libxml2 answers with the line on which the first text in the element ends; the line
    breaks of that text are taken off again. Exact where an entry begins with white space.
    """
    line = element.sourceline
    if line is None or line < _LINE_MAX:
        return line
    first = element
    while not first.text and len(first):
        first = first[0]
    return line - (first.text or "").count("\n")
