"""Repairs references: `&nbsp;`, a bare `&`, `&#0;`, and entities that would have to be loaded."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Final

from converter.errors import LimitError
from converter.issues import Code
from converter.xml.repair.findings import Findings

__all__ = ["NAME", "NOT_A_CHARACTER", "References"]

#: A name of XML, as far as repairs need it.
NAME: Final = r"[^\W\d][\w.:\-]*+"

#: What no XML 1.0 document may hold (https://www.w3.org/TR/xml/#charsets).
NOT_A_CHARACTER: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_PREDEFINED: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})

#: The length is bounded, as int() refuses thousands of digits.
_REFERENCE: Final = re.compile(
    r"&#(?P<high>55[2-9]\d\d|56[0-3]\d\d|[xX][dD][89aAbB][0-9a-fA-F]{2});"
    r"&#(?P<low>5[67]\d{3}|[xX][dD][c-fC-F][0-9a-fA-F]{2});"
    r"|&(?:(?P<number>#[0-9]{1,20}|#[xX][0-9a-fA-F]{1,20});"
    r"|(?P<name>[^\W\d][\w.:\-]{0,99});)?+"
)
#: No reference is longer: what may be the beginning of one is held back at the end of a chunk.
LONGEST: Final = 110

#: What the entities in one piece of a document may expand to, in characters. libxml2's own cap
#: lets a large document expand to five times its size at one place.
_MAX_EXPANDED: Final = 1024 * 1024
#: As deep as libxml2 follows entities in entities.
_MAX_DEPTH: Final = 40


class References:
    """The references of one document.

    Attributes:
        internal: names of entities that the document itself declares.
        values: what those stand for.
        removed: names of entities that it declares, but that are not let in, and why.
        expanded: how many characters the references so far expand to.
    """

    def __init__(self, findings: Findings) -> None:
        self.internal: set[str] = set(_PREDEFINED)
        self.values: dict[str, str] = {}
        self.removed: dict[str, str] = {}
        self.expanded = 0
        self._lengths: dict[str, int] = {}
        self._expanded_before = 0  # the present piece
        self._findings = findings

    def begin_piece(self) -> None:
        """Begin to count what the references of the next piece of the document expand to."""
        self._expanded_before = self.expanded

    def repaired(self, text: str, line: int) -> str:
        """The text with references that libxml2 accepts; `line` is that of its beginning.

        Raises:
            LimitError: the entities of this piece expand to too much.
        """
        if "&" not in text:
            return text
        return _REFERENCE.sub(lambda found: self._repaired(found, line), text)

    def _repaired(self, found: re.Match[str], line: int) -> str:
        if name := found["name"]:
            if name in self.values:
                self._count(found, name, line)
            return found[0] if name in self.internal else self._entity(found, name, line)
        if number := found["number"]:
            return self._character(found, number, line)
        if found["high"]:
            return self._pair(found, line)
        self._note(found, line, "ampersand", "bare & read as &amp;")
        return "&amp;"

    def _count(self, found: re.Match[str], name: str, line: int) -> None:
        """Add what a reference to an internal entity expands to."""
        self.expanded += self._length(name)
        if self.expanded - self._expanded_before > _MAX_EXPANDED:
            line += found.string.count("\n", 0, found.start())
            raise LimitError(
                f"line {line}: its entities expand to more than {_MAX_EXPANDED >> 20} MiB at one "
                f"place, with &{name}; there. No feed needs that; look at what its maker has put "
                "there, and write the text out or take it out",
                limit="entities",
                line=line,
            )

    def _length(self, name: str, depth: int = 0) -> int:
        """Give the length of an entity with all entities in it expanded.

        One that contains itself, or is nested too deep, is left to libxml2, which refuses it.
        """
        if name not in self._lengths:
            self._lengths[name] = 0
            value = self.values[name]
            names = [found["name"] for found in _REFERENCE.finditer(value) if found["name"]]
            inner = [name for name in names if name in self.values and depth < _MAX_DEPTH]
            self._lengths[name] = len(value) + sum(self._length(name, depth + 1) for name in inner)
        return self._lengths[name]

    def _entity(self, found: re.Match[str], name: str, line: int) -> str:
        if reason := self.removed.get(name):
            message = f"&{name}; {reason}; removed"
            self._note(found, line, "removed", message, Code.ENTITY_REMOVED)
            return ""
        if characters := html5.get(f"{name};"):
            shown = " ".join(f"U+{ord(character):04X}" for character in characters)
            self._note(found, line, "entity", f"undefined entity &{name}; read as {shown}")
            return "".join(f"&#{ord(character)};" for character in characters)
        self._note(found, line, "unknown", f"unknown entity &{name}; read as these characters")
        return f"&amp;{name};"

    def _character(self, found: re.Match[str], number: str, line: int) -> str:
        point = _point(number[1:])
        if point <= 0x10FFFF and not NOT_A_CHARACTER.match(chr(point)):
            return found[0]
        message = f"{found[0]} is no character of XML; removed"
        self._note(found, line, "no-character", message)
        return ""

    def _pair(self, found: re.Match[str], line: int) -> str:
        high, low = _point(found["high"]), _point(found["low"])
        if not 0xDC00 <= low <= 0xDFFF:
            return self._character(found, f"#{high}", line) + f"&#{low};"
        point = 0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)
        self._note(found, line, "pair", f"surrogate pair {found[0]} read as U+{point:04X}")
        return f"&#{point};"

    def _note(
        self,
        found: re.Match[str],
        line: int,
        kind: str,
        message: str,
        code: Code = Code.XML_REPAIRED,
    ) -> None:
        if not self._findings.knows(kind):
            line += found.string.count("\n", 0, found.start())
        self._findings.note(kind, message, line, code)


def _point(digits: str) -> int:
    return int(digits[1:], 16) if digits[0] in "xX" else int(digits)
