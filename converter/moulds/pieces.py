"""An entry's markup in pieces: the wall, which all entries of a mould share, and the values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from converter.moulds.kinds import ATTRIBUTES, DATED, KINDS, OTHER, Kind, kind_of
from converter.record import record

__all__ = ["SPACE", "Piece", "Value", "pieces_of"]

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_.\-]*(?::[A-Za-z_][A-Za-z0-9_.\-]*)?"

#: Well-formed markup in the plainest style, and nothing else: a comment is no part of a mould.
_TOKEN: Final = re.compile(
    rf"""<!\[CDATA\[(?P<cdata>.*?)\]\]>
    |</(?P<end>{_NAME})>
    |<(?P<start>{_NAME})(?P<attributes>(?:[ \t\n]+{_NAME}="[^"<]*")*)(?P<close>[ \t\n]*/?>)
    |(?P<text>[^<]+)""",
    re.VERBOSE | re.DOTALL,
)
_Attribute: TypeAlias = tuple[str, str, str]
"""White space, name and value."""

_ATTRIBUTE: Final = re.compile(rf'([ \t\n]+)({_NAME})="([^"<]*)"')

#: An entry with more would make a pattern that costs more than it wins.
_MOST_PIECES: Final = 1_000
_MOST_WALL_CHARS: Final = 16_000

#: White space between elements, and around a value.
SPACE: Final = " "
_SPACES: Final = " \t\n"


@record(kw_only=False)
class Value:
    """A gap in the wall, and the markup that fills it in the example."""

    key: str
    """The element, or `element@attribute`."""
    kind: Kind
    markup: str
    before: str = ""
    """What the whole value begins with; `after`: ends with. Both are wall."""
    after: str = ""
    in_cdata: bool = False
    in_attribute: bool = False

    @property
    def pattern(self) -> str:
        """The pattern of the markup here."""
        if self.in_cdata:
            return self.kind.in_cdata or ""
        return (self.in_attribute and self.kind.in_attribute) or self.kind.pattern

    @property
    def is_loose(self) -> bool:
        """Say whether there is a faster pattern for it here."""
        return self.kind.loose is not None and not (self.in_cdata or self.in_attribute)


Piece: TypeAlias = Value | str
"""A value, a stretch of wall, or `SPACE`."""


def pieces_of(markup: str, name_of: Callable[[str], str | None]) -> list[Piece] | None:
    """Take an entry apart; None: it is written in a way that no mould is made of.

    Args:
        markup: from the entry's start tag to its end tag.
        name_of: gives the canonical name of a tag as it is written; None: it has none.
    """
    cutter = _Cutter(name_of)
    at = 0
    while at < len(markup):
        token = _TOKEN.match(markup, at)
        if token is None or not cutter.take(token) or len(cutter.pieces) > _MOST_PIECES:
            return None
        at = token.end()
    walls = sum(len(piece) for piece in cutter.pieces if isinstance(piece, str))
    has_date = any(isinstance(p, Value) and p.kind.name == "date" for p in cutter.pieces)
    is_unsound = cutter.open or walls > _MOST_WALL_CHARS or (has_date and cutter.has_wall_date)
    return None if is_unsound else cutter.pieces


class _Cutter:
    """Takes tokens, and keeps to what a parser would think of them."""

    def __init__(self, name_of: Callable[[str], str | None]) -> None:
        self.pieces: list[Piece] = []
        self.open: list[tuple[str, str, bool]] = []
        """Elements: as written, their canonical names, and whether they declare a namespace."""
        self.has_wall_date = False
        """Is there a date that is no gap?"""
        self._name_of = name_of
        self._has_children = False
        """Of the element that ended or began last: is there anything besides one text in it?"""
        self._text: Piece | None = None

    def take(self, token: re.Match[str]) -> bool:
        """Take the next token; False: no mould can be made."""
        if token["text"] is not None:
            return self._take_text(token["text"])
        if token["cdata"] is not None:
            return self._take_value(token["cdata"], in_cdata=True)
        if token["end"] is not None:
            return self._take_end(token["end"])
        return self._take_start(token)

    def _take_text(self, text: str) -> bool:
        value = text.strip(_SPACES)
        if not value:
            self.pieces.append(SPACE)
            return True
        lead = len(text) - len(text.lstrip(_SPACES))
        if lead:
            self.pieces.append(SPACE)
        if not self._take_value(value, in_cdata=False):
            return False
        if lead + len(value) < len(text):
            self.pieces.append(SPACE)
        return True

    def _take_value(self, value: str, *, in_cdata: bool) -> bool:
        if self._has_children or self._text is not None or not self.open:
            return False
        key = self._key()
        walls = ("<![CDATA[", "]]>") if in_cdata else ("", "")
        self.pieces.append(walls[0])
        row = KINDS.get(key) or (OTHER if key.startswith("{") else None)
        self._text = value
        fitting = list(self._fitting(key, row, value, in_cdata=in_cdata))
        self.has_wall_date |= key.rpartition("/")[2].rpartition(":")[2] in DATED and fitting == [
            value
        ]
        self.pieces += fitting
        self.pieces.append(walls[1])
        return True

    def _key(self) -> str:
        name = self.open[-1][1]
        if ":" in name or len(self.open) <= 2:  # the entry and its children
            return name
        return f"{self.open[-2][1]}/{name}"

    def _fitting(
        self,
        key: str,
        row: Kind | str | None,
        value: str,
        *,
        in_cdata: bool = False,
        in_attribute: bool = False,
    ) -> Iterator[Piece]:
        """Give a value in its walls, or all of it as wall where it does not fit its pattern."""
        split = kind_of(row, value) if row is not None else None
        if split is None:
            yield value
            return
        before, kind, after = split
        inner = value[len(before) : len(value) - len(after)]
        made = Value(key, kind, inner, before, after, in_cdata, in_attribute)
        if not made.pattern or not re.fullmatch(made.pattern, inner):
            yield value
            return
        yield from (before, made, after)

    def _take_start(self, token: re.Match[str]) -> bool:
        written = token["start"]
        if self._text is not None or (self.open and self.open[-1][2]):
            return False
        if not self.open and "\n" in token[0]:
            return False  # the parser would name the line of the tag's end
        attributes: list[_Attribute] = _ATTRIBUTE.findall(token["attributes"])
        names = [name for _, name, _ in attributes]
        declared = {name: value for _, name, value in attributes if name.startswith("xmlns")}
        name = self._scoped(written, declared)
        if name is None or len(set(names)) < len(names):
            return False
        self.pieces.append(f"<{written}")
        if not all(self._take_attribute(name, given, attributes) for given in attributes):
            return False
        self.pieces.append(token["close"])
        self._has_children = "/" in token["close"]
        self._text = None
        if not self._has_children:
            self.open.append((written, name, bool(declared)))
        return True

    def _scoped(self, written: str, declared: dict[str, str]) -> str | None:
        """Name an element that may declare the namespace of a leaf that nobody knows.

        More would need scopes.
        """
        if not declared:
            return self._name_of(written)
        if list(declared) != ["xmlns"] or ":" in written or not self.open:
            return None
        return f"{{{declared['xmlns']}}}{written}"

    def _take_attribute(self, name: str, given: _Attribute, among: list[_Attribute]) -> bool:
        space, written, value = given
        known = self._name_of(written) if ":" in written else written
        if known is None:
            return False
        self.pieces += (space, f'{written}="')
        row = ATTRIBUTES.get(_attribute_key(name, known, among))
        self.pieces += self._fitting(f"{name}@{written}", row, value, in_attribute=True)
        self.pieces.append('"')
        return True

    def _take_end(self, written: str) -> bool:
        if not self.open or self.open.pop()[0] != written:
            return False
        self.pieces.append(f"</{written}>")
        self._has_children, self._text = True, None
        return True


def _attribute_key(name: str, attribute: str, given: list[_Attribute]) -> str:
    """Name an attribute as the table does; that of a link depends on its relation."""
    if name in {"link", "atom:link"} and attribute == "href":
        relation = next((value for _, key, value in given if key == "rel"), "alternate")
        return f"link[{relation}]@href"
    return f"{name}@{attribute}"
