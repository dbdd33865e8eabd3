"""The faults that libxml2 finds: their places and words, and which of them are guards."""

from __future__ import annotations

from typing import Final, NamedTuple

from lxml import etree

from converter.errors import LimitError
from converter.values.lazy_regex import lazy_regex
from converter.xml.extract import Element

_TYPES: Final = etree.ErrorTypes
#: A prefix without a declaration, and its kin: the element arrives all the same.
NAMESPACE_FAULTS: Final = frozenset(
    {_TYPES.WAR_NS_URI, *range(_TYPES.NS_ERR_XML_NAMESPACE, _TYPES.NS_ERR_COLON + 1)}
)
_LIMIT_FAULTS: Final = frozenset(
    {_TYPES.ERR_RESOURCE_LIMIT, _TYPES.ERR_ENTITY_LOOP, _TYPES.ERR_NAME_TOO_LONG}
)
#: Some guards carry the code of what they interrupted: "Comment too big found".
_LIMIT_WORDS: Final = (" too big", " too long")
#: What stands in libxml2's message, and the limit that it speaks of; else it is `text`.
_LIMIT_NAMES: Final = (("depth", "depth"), ("entit", "entities"), ("amplification", "entities"))
#: What libxml2 recommends to programmers is none of a reader's business.
_HUGE_OPTION: Final = lazy_regex(r",? (?:try|use) XML_PARSE_HUGE(?: option)?")

#: libxml2 keeps 16 bits of a line in its elements; text nodes keep all of it.
_LINE_MAX: Final = 65_535


class ParseFault(NamedTuple):
    """Where and why a pass ended early, or what it tolerated."""

    message: str
    line: int
    column: int
    is_at_end: bool = False
    """It showed only when the stream was used up: the document breaks off."""

    @property
    def place(self) -> str:
        """Line and column in words."""
        return f"line {self.line}, column {self.column}"


def fault_of_exception(error: etree.XMLSyntaxError) -> ParseFault:
    """Give the place and the words of an exception."""
    return ParseFault(_plain(error.msg), error.lineno or 1, error.offset or 1)


def fault_of_log_entry(error: etree._LogEntry, *, is_at_end: bool) -> ParseFault:
    """Give an entry of libxml2's log as a fault.

    Raises:
        LimitError: one of libxml2's guards struck.
    """
    message, line = _plain(error.message), error.line
    if error.type in _LIMIT_FAULTS or any(word in message for word in _LIMIT_WORDS):
        raise LimitError(
            f"line {line} is over a guard against hostile documents: "
            f"{_HUGE_OPTION.sub('', message)}. "
            "No feed needs that; look at what its maker has put there",
            limit=next((name for word, name in _LIMIT_NAMES if word in message.lower()), "text"),
            line=line,
        )
    return ParseFault(message, line, error.column, is_at_end)


def _plain(message: str) -> str:
    """libxml2's message without line breaks, and not longer than a reader wants."""
    return " ".join(message.split())[:200]


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
