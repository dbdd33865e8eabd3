"""An entry's markup in pieces: the wall, which all entries of a mould share, and the values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from converter.moulds.kinds import ATTRIBUTES, KINDS, OTHER, Kind, kind_of
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
_ATTRIBUTE: Final = re.compile(rf'([ \t\n]+)({_NAME})="([^"<]*)"')

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

    @property
    def pattern(self) -> str:
        """The pattern of the markup here."""
        return self.kind.in_cdata or "" if self.in_cdata else self.kind.pattern


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
        if token is None or not cutter.take(token):
            return None
        at = token.end()
    return cutter.pieces if not cutter.open else None


class _Cutter:
    """Takes tokens, and keeps to what a parser would think of them."""

    def __init__(self, name_of: Callable[[str], str | None]) -> None:
        self.pieces: list[Piece] = []
        self.open: list[tuple[str, str, bool]] = []
        """Elements: as written, their canonical names, and whether they declare a namespace."""
        self._name_of = name_of
        self._is_known = True
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
        self.pieces += self._fitting(key, row, value, in_cdata=in_cdata)
        self.pieces.append(walls[1])
        return True

    def _key(self) -> str:
        name = self.open[-1][1]
        if ":" in name or len(self.open) <= 2:  # the entry and its children
            return name
        return f"{self.open[-2][1]}/{name}"

    def _fitting(
        self, key: str, row: Kind | str | None, value: str, *, in_cdata: bool
    ) -> Iterator[Piece]:
        """Give a value in its walls, or all of it as wall where it does not fit its pattern."""
        split = kind_of(row, value) if row is not None else None
        if split is None:
            yield value
            return
        before, kind, after = split
        inner = value[len(before) : len(value) - len(after)]
        made = Value(key, kind, inner, before, after, in_cdata)
        if not made.pattern or not re.fullmatch(made.pattern, inner):
            yield value
            return
        yield from (before, made, after)

    def _take_start(self, token: re.Match[str]) -> bool:
        written = token["start"]
        if self._text is not None or (self.open and self.open[-1][2]):
            return False
        attributes = _ATTRIBUTE.findall(token["attributes"])
        names = [name for _, name, _ in attributes]
        if len(set(names)) < len(names):
            return False
        declared = {name: value for _, name, value in attributes if name.startswith("xmlns")}
        name = self._name_of(written)
        if name is None:
            return False
        if declared:  # of one leaf that nobody knows; more would need scopes
            if list(declared) != ["xmlns"] or ":" in written or not self.open:
                return False
            name = f"{{{declared['xmlns']}}}{written}"
        self.pieces.append(f"<{written}")
        for space, attribute, value in attributes:
            known = self._name_of(attribute) if ":" in attribute else attribute
            if known is None:
                return False
            self.pieces += (space, f'{attribute}="')
            row = ATTRIBUTES.get(_attribute_key(name, known, attributes))
            self.pieces += self._fitting(f"{name}@{attribute}", row, value, in_cdata=False)
            self.pieces.append('"')
        self.pieces.append(token["close"])
        self._has_children = "/" in token["close"]
        self._text = None
        if not self._has_children:
            self.open.append((written, name, bool(declared)))
        return True

    def _take_end(self, written: str) -> bool:
        if not self.open or self.open.pop()[0] != written:
            return False
        self.pieces.append(f"</{written}>")
        self._has_children, self._text = True, None
        return True


def _attribute_key(name: str, attribute: str, given: list[tuple[str, str, str]]) -> str:
    """Name an attribute as the table does; that of a link depends on its relation."""
    if name in {"link", "atom:link"} and attribute == "href":
        relation = next((value for _, key, value in given if key == "rel"), "alternate")
        return f"link[{relation}]@href"
    return f"{name}@{attribute}"
