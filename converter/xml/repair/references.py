"""Repairs references: `&nbsp;`, a bare `&`, `&#0;`, and the entities of a DOCTYPE.

Internal entities are replaced by their text, so that the document needs no DOCTYPE any more.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import Final

from converter.errors import LimitError
from converter.issues import Code
from converter.values.text import NOT_A_CHARACTER
from converter.xml.repair.findings import Findings

#: An XML name, as precise as repairs need it.
NAME: Final = r"[^\W\d][\w.:\-]*+"

_PREDEFINED: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})

#: Bounded, because int() refuses thousands of digits.
_REFERENCE: Final = re.compile(
    r"&(?:#(?P<decimal>[0-9]{1,20});|#[xX](?P<hexadecimal>[0-9a-fA-F]{1,20});"
    r"|(?P<name>[^\W\d][\w.:\-]{0,99});)?+"
)

#: The entities in one piece of a document may expand to so many characters, or so many times the
#: length of the piece if that is more.
_MAX_EXPANDED: Final = 1024 * 1024
_MAX_GROWTH: Final = 16
#: The most entities in entities.
_MAX_DEPTH: Final = 40

_DECLARATION: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)"
    rf"|<!ENTITY\s++(?P<name>{NAME})\s++(?:(?P<value>\"[^\"]*+\"|'[^']*+')|(?:SYSTEM|PUBLIC)\b)"
    rf"|(?P<attributes><!ATTLIST\b)",
    re.DOTALL,
)
#: Markup in an entity is text, and its line breaks are not lines of the document.
_ESCAPES: Final = str.maketrans(
    {"<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\n": "&#10;"}
)


class References:
    """The references of one document, and the entities that it declares."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._values: dict[str, str | None] = {}  # as declared; None is external
        self._texts: dict[str, str] = {}  # expanded in this piece
        self._open: list[str] = []  # entities that are being expanded
        self._expanded = 0  # characters, in this piece
        self._allowed = 0

    def begin_piece(self, length: int) -> None:
        """Begin to count the expansion of the next piece of the document."""
        self._expanded, self._allowed = 0, max(_MAX_EXPANDED, _MAX_GROWTH * length)
        self._texts.clear()

    def declare(self, doctype: str) -> None:
        """Take the entities of a DOCTYPE; the first declaration of a name binds."""
        for found in _DECLARATION.finditer(doctype):
            if name := found["name"]:
                value = found["value"]
                # the usual way to declare a reference, which is not one yet
                self._values.setdefault(name, value and value[1:-1].replace("&#38;", "&"))
            elif found["attributes"]:
                self._findings.add("attributes in the DOCTYPE; ignored", found=found)

    def repair(self, text: str) -> str:
        """Repair the references in a text.

        Raises:
            LimitError: the entities of this piece expand to too much.
        """
        return _REFERENCE.sub(self._repair, text) if "&" in text else text

    def _repair(self, found: re.Match[str]) -> str:
        if name := found["name"]:
            return self._entity(found, name)
        if decimal := found["decimal"]:
            return self._character(found, int(decimal))
        if hexadecimal := found["hexadecimal"]:
            return self._character(found, int(hexadecimal, 16))
        self._findings.add("bare &; escaped", found=found)
        return "&amp;"

    def _entity(self, found: re.Match[str], name: str) -> str:
        if name in _PREDEFINED:
            return found[0]
        if name in self._values:
            return self._declared(found, name)
        if characters := html5.get(f"{name};"):
            points = " ".join(f"U+{ord(character):04X}" for character in characters)
            self._findings.add("undefined entity &{}; read as {}", name, points, found=found)
            return "".join(f"&#{ord(character)};" for character in characters)
        self._findings.add("unknown entity &{}; kept as text", name, found=found)
        return f"&amp;{name};"

    def _declared(self, found: re.Match[str], name: str) -> str:
        """Return the text of an entity with all entities in it expanded."""
        value = self._values[name]
        if value is None:
            message = "&{}; is external, and external entities are never loaded; removed"
            self._findings.add(message, name, found=found, code=Code.ENTITY_REMOVED)
            return ""
        if name not in self._texts:
            if name in self._open or len(self._open) > _MAX_DEPTH:
                raise self._limit_error(name, "are nested too deeply")
            self._open.append(name)
            self._texts[name] = self.repair(value.translate(_ESCAPES))
            self._open.pop()
        self._expanded += len(self._texts[name])
        if self._expanded > self._allowed:
            raise self._limit_error(name, f"expand to more than {self._allowed >> 20} MiB")
        return self._texts[name]

    def _limit_error(self, name: str, fault: str) -> LimitError:
        return LimitError(
            f"line {self._findings.line}: entities {fault} in one place (the last one is &{name};)."
            " No feed needs this; check its generator, and write the text out or remove it",
            limit="entities",
            line=self._findings.line,
        )

    def _character(self, found: re.Match[str], point: int) -> str:
        if point <= 0x10FFFF and not NOT_A_CHARACTER.match(chr(point)):
            return found[0]
        self._findings.add("{} is not allowed in XML; removed", found[0], found=found)
        return ""
