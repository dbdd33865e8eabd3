"""The faults that libxml2 finds: their places and words, and which of them are guards."""

from __future__ import annotations

from typing import Final, NamedTuple

from lxml import etree

from converter.errors import LimitError
from converter.values.patterns import lazy

__all__ = ["NAMESPACE_FAULTS", "Fault", "fault_of", "logged"]

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


class Fault(NamedTuple):
    """Where and why a pass ended early, or what it tolerated."""

    message: str
    line: int
    column: int
    is_at_end: bool = False
    """It showed only when the stream was used up: the document breaks off."""


def logged(error: etree._LogEntry, *, is_at_end: bool) -> Fault:
    """Give an entry of libxml2's log as a fault.

    Raises:
        LimitError: one of libxml2's guards struck.
    """
    fault = Fault(_plain(error.message), error.line, error.column, is_at_end=is_at_end)
    _refuse_limit(error.type, fault)
    return fault


#: What libxml2 recommends to programmers is none of a reader's business.
_HUGE_OPTION: Final = lazy(r",? (?:try|use) XML_PARSE_HUGE(?: option)?")


def _refuse_limit(code: int, fault: Fault) -> None:
    """Raise LimitError if one of libxml2's guards struck."""
    if code not in _LIMIT_FAULTS and not any(word in fault.message for word in _LIMIT_WORDS):
        return
    message = fault.message.lower()
    limit = next((name for word, name in _LIMIT_NAMES if word in message), "text")
    words = _HUGE_OPTION.sub("", fault.message)
    raise LimitError(
        f"line {fault.line} is over a guard against hostile documents: {words}. "
        "No feed needs that; look at what its maker has put there",
        limit=limit,
        line=fault.line,
    )


def fault_of(error: etree.XMLSyntaxError) -> Fault:
    """Give the place and the words of an exception."""
    return Fault(_plain(error.msg), error.lineno or 1, error.offset or 1)


def _plain(message: str) -> str:
    """libxml2's message without line breaks, and not longer than a reader wants."""
    return " ".join(message.split())[:200]
