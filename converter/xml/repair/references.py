"""Repairs references, and reduces a DOCTYPE to what the document itself declares.

References: `&nbsp;`, a bare `&`, `&#0;`, and entities that would have to be loaded.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import Final

from converter.errors import LimitError
from converter.issues import Code
from converter.values.text import NOT_A_CHARACTER
from converter.xml.repair.findings import Findings

#: A name of XML, as far as repairs need it.
NAME: Final = r"[^\W\d][\w.:\-]*+"

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


_ROOT: Final = re.compile(rf"<!DOCTYPE\s++(?P<name>{NAME})", re.IGNORECASE)
_LITERAL: Final = r"""(?:"[^"]*+"|'[^']*+')"""
_DECLARATION: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)"
    rf"|<!ENTITY\s++(?P<name>{NAME})\s++(?:(?P<value>{_LITERAL})\s*+>|(?:SYSTEM|PUBLIC)\b)"
    rf"|(?P<attributes><!ATTLIST\s++(?:[^<>\"'%]++|{_LITERAL})*+>)",
    re.DOTALL,
)
#: lxml does not survive elements in entities (see `xml.parser_pass`).
_MARKUP: Final = re.compile(r"<|&#0*+60;|&#[xX]0*+3[cC];")


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
        self._findings.note("ampersand", "bare & read as &amp;", line, found)
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
            self._findings.note("removed", message, line, found, Code.ENTITY_REMOVED)
            return ""
        if characters := html5.get(f"{name};"):
            shown = " ".join(f"U+{ord(character):04X}" for character in characters)
            message = f"undefined entity &{name}; read as {shown}"
            self._findings.note("entity", message, line, found)
            return "".join(f"&#{ord(character)};" for character in characters)
        message = f"unknown entity &{name}; read as these characters"
        self._findings.note("unknown", message, line, found)
        return f"&amp;{name};"

    def _character(self, found: re.Match[str], number: str, line: int) -> str:
        point = _point(number[1:])
        if point <= 0x10FFFF and not NOT_A_CHARACTER.match(chr(point)):
            return found[0]
        message = f"{found[0]} is no character of XML; removed"
        self._findings.note("no-character", message, line, found)
        return ""

    def _pair(self, found: re.Match[str], line: int) -> str:
        high, low = _point(found["high"]), _point(found["low"])
        if not 0xDC00 <= low <= 0xDFFF:
            return self._character(found, f"#{high}", line) + f"&#{low};"
        point = 0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)
        message = f"surrogate pair {found[0]} read as U+{point:04X}"
        self._findings.note("pair", message, line, found)
        return f"&#{point};"


def _point(digits: str) -> int:
    return int(digits[1:], 16) if digits[0] in "xX" else int(digits)


def reduce_doctype(doctype: str, references: References, line: int) -> str:
    """The same without anything external, without markup in entities, and parameter entities.

    The names that it declares go to `references`. Its line breaks are kept in number.
    """
    root = _ROOT.match(doctype)
    if root is None:
        return "\n" * doctype.count("\n")
    declarations = tuple(_DECLARATION.finditer(doctype, root.end()))
    values: dict[str, str] = {}
    for found in declarations:  # all of them first: one may name a later one
        name, value = found["name"], found["value"]
        if not name or name in references.internal or name in references.removed:
            continue  # the first declaration binds
        if value is None:
            references.removed[name] = "stands outside of the document, and is never loaded"
        elif _MARKUP.search(value):
            references.removed[name] = "holds markup"
        else:
            references.internal.add(name)
            values[name] = value.replace("%", "&#37;")
    kept = [f"<!ENTITY {name} {references.repaired(each, line)}>" for name, each in values.items()]
    references.values = values  # references in them count only where they are used
    lists = [found["attributes"] for found in declarations if found["attributes"]]
    subset = "".join(kept + [references.repaired(attributes, line) for attributes in lists])
    missing = doctype.count("\n") - subset.count("\n")
    return f"<!DOCTYPE {root['name']} [{subset}{chr(10) * missing}]>"
