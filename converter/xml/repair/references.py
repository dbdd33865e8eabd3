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

#: An XML name, as precise as repairs need it.
NAME: Final = r"[^\W\d][\w.:\-]*+"

_PREDEFINED: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})

#: Bounded, because int() refuses thousands of digits.
_REFERENCE: Final = re.compile(
    r"&#(?P<high>55[2-9]\d\d|56[0-3]\d\d|[xX][dD][89aAbB][0-9a-fA-F]{2});"
    r"&#(?P<low>5[67]\d{3}|[xX][dD][c-fC-F][0-9a-fA-F]{2});"
    r"|&(?:(?P<number>#[0-9]{1,20}|#[xX][0-9a-fA-F]{1,20});"
    r"|(?P<name>[^\W\d][\w.:\-]{0,99});)?+"
)
#: The longest reference: the beginning of one is held back at the end of a piece.
MAX_REFERENCE_CHARS: Final = 110

#: The most characters to which the entities in one piece of a document may expand. libxml2's own
#: limit lets a large document expand to five times its size in one place.
_MAX_EXPANDED: Final = 1024 * 1024
#: libxml2's limit for entities in entities.
_MAX_DEPTH: Final = 40


_ROOT: Final = re.compile(rf"<!DOCTYPE\s++(?P<name>{NAME})", re.IGNORECASE)
_LITERAL: Final = r"""(?:"[^"]*+"|'[^']*+')"""
_DECLARATION: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)"
    rf"|<!ENTITY\s++(?P<name>{NAME})\s++(?:(?P<value>{_LITERAL})\s*+>|(?:SYSTEM|PUBLIC)\b)"
    rf"|(?P<attributes><!ATTLIST\s++(?:[^<>\"'%]++|{_LITERAL})*+>)",
    re.DOTALL,
)
#: lxml crashes on elements in entities (see `xml.parser_pass`).
_MARKUP: Final = re.compile(r"<|&#0*+60;|&#[xX]0*+3[cC];")


class References:
    """The references of one document.

    Attributes:
        internal: names of the entities that the document itself declares.
        values: their texts.
        removed: names of declared entities that are removed, and the reason.
        expanded: length in characters of all entities referred to so far.
    """

    def __init__(self, findings: Findings) -> None:
        self.internal: set[str] = set(_PREDEFINED)
        self.values: dict[str, str] = {}
        self.removed: dict[str, str] = {}
        self.expanded = 0
        self._lengths: dict[str, int] = {}
        self._expanded_before = 0  # this piece
        self._findings = findings

    def begin_piece(self) -> None:
        """Begin to count the expansion of the next piece of the document."""
        self._expanded_before = self.expanded

    def repair(self, text: str, line: int) -> str:
        """Repair the references in a text that begins on `line`.

        Raises:
            LimitError: the entities of this piece expand to too much.
        """
        if "&" not in text:
            return text
        return _REFERENCE.sub(lambda found: self._repair(found, line), text)

    def _repair(self, found: re.Match[str], line: int) -> str:
        if name := found["name"]:
            if name in self.values:
                self._count(found, name, line)
            return found[0] if name in self.internal else self._entity(found, name, line)
        if number := found["number"]:
            return self._character(found, number, line)
        if found["high"]:
            return self._pair(found, line)
        self._findings.add("ampersand", "bare &; escaped", line, found)
        return "&amp;"

    def _count(self, found: re.Match[str], name: str, line: int) -> None:
        """Add the expansion of a reference to an internal entity."""
        self.expanded += self._length(name)
        if self.expanded - self._expanded_before > _MAX_EXPANDED:
            line += found.string.count("\n", 0, found.start())
            raise LimitError(
                f"line {line}: entities expand to more than {_MAX_EXPANDED >> 20} MiB in one place "
                f"(the last one is &{name};). No feed needs this; check its generator, and write "
                "the text out or remove it",
                limit="entities",
                line=line,
            )

    def _length(self, name: str, depth: int = 0) -> int:
        """Return the length of an entity with all entities in it expanded.

        libxml2 refuses an entity that contains itself or is nested too deeply.
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
            self._findings.add("removed", message, line, found, Code.ENTITY_REMOVED)
            return ""
        if characters := html5.get(f"{name};"):
            points = " ".join(f"U+{ord(character):04X}" for character in characters)
            message = f"undefined entity &{name}; read as {points}"
            self._findings.add("entity", message, line, found)
            return "".join(f"&#{ord(character)};" for character in characters)
        message = f"unknown entity &{name}; kept as text"
        self._findings.add("unknown", message, line, found)
        return f"&amp;{name};"

    def _character(self, found: re.Match[str], number: str, line: int) -> str:
        point = _point(number[1:])
        if point <= 0x10FFFF and not NOT_A_CHARACTER.match(chr(point)):
            return found[0]
        message = f"{found[0]} is not allowed in XML; removed"
        self._findings.add("no-character", message, line, found)
        return ""

    def _pair(self, found: re.Match[str], line: int) -> str:
        high, low = _point(found["high"]), _point(found["low"])
        if not 0xDC00 <= low <= 0xDFFF:
            return self._character(found, f"#{high}", line) + f"&#{low};"
        point = 0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)
        message = f"surrogate pair {found[0]} read as U+{point:04X}"
        self._findings.add("pair", message, line, found)
        return f"&#{point};"


def _point(digits: str) -> int:
    return int(digits[1:], 16) if digits[0] in "xX" else int(digits)


def reduce_doctype(doctype: str, references: References, line: int) -> str:
    """Return a DOCTYPE without external entities, entities with markup, and parameter entities.

    Its entities are added to `references`. The number of its line breaks stays the same.
    """
    root = _ROOT.match(doctype)
    if root is None:
        return "\n" * doctype.count("\n")
    declarations = tuple(_DECLARATION.finditer(doctype, root.end()))
    values: dict[str, str] = {}
    for found in declarations:  # all first: an entity may refer to a later one
        name, value = found["name"], found["value"]
        if not name or name in references.internal or name in references.removed:
            continue  # the first declaration binds
        if value is None:
            references.removed[name] = "is external, and external entities are never loaded"
        elif _MARKUP.search(value):
            references.removed[name] = "contains markup"
        else:
            references.internal.add(name)
            values[name] = value.replace("%", "&#37;")
    kept = [f"<!ENTITY {name} {references.repair(each, line)}>" for name, each in values.items()]
    references.values = values  # references in them count where they are used
    lists = [found["attributes"] for found in declarations if found["attributes"]]
    subset = "".join(kept + [references.repair(attributes, line) for attributes in lists])
    missing = doctype.count("\n") - subset.count("\n")
    return f"<!DOCTYPE {root['name']} [{subset}{chr(10) * missing}]>"
