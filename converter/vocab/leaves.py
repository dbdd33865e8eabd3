"""Reads the blocks of a sitemap's extensions, whose leaves each say one thing, by a table.

A vocabulary is a table from element to fields of the model; `first`, `every`, `attribute` and
`inside` make the readings that stand in it from functions that read one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from converter.issues import Code
from converter.model import Text, Word
from converter.values import numbers
from converter.vocab.context import Context
from converter.xml import take
from converter.xml.names import Names
from converter.xml.take import Element

__all__ = [
    "Field",
    "Found",
    "Reading",
    "Vocabulary",
    "attribute",
    "every",
    "first",
    "flag",
    "inside",
    "plain",
    "text",
]

One: TypeAlias = Callable[[Context, str, Element, str], Any]
"""From a text that is not empty to a value; None, and a report, if it is none."""
Reading: TypeAlias = Callable[[Sequence[Element], Context, str], Any]
"""From all elements of one name in a block to a value; None if they say nothing."""

#: What only broken markup puts inside a block: the neighbours of blocks, and blocks themselves.
_OUTSIDE: Final = frozenset(
    {
        "changefreq",
        "image:image",
        "lastmod",
        "loc",
        "mobile:mobile",
        "news:news",
        "priority",
        "url",
        "video:video",
        "xhtml:link",
    }
)
_NO_PARTS: Final[Mapping[str, frozenset[str]]] = {}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the model, and how it is read."""

    name: str
    read: Reading


@dataclass(frozen=True, slots=True)
class Found:
    """What a block says."""

    fields: dict[str, Any]
    words: tuple[Word, ...]
    """The elements that the table does not know."""


class Vocabulary:
    """The elements that may stand in one kind of block.

    Args:
        table: what each of them says.
        parts: those that hold elements, and which.
        broken: what it is called when a block is left out because it is broken.
    """

    def __init__(
        self,
        table: Mapping[str, tuple[Field, ...]],
        *,
        parts: Mapping[str, frozenset[str]] = _NO_PARTS,
        broken: Code,
    ) -> None:
        self._table = table
        self._parts = parts
        self._broken = broken
        self._leaves = frozenset(table)
        self._known = self._leaves.union(*parts.values())

    def read(self, block: Element, context: Context, names: Names) -> Found | None:
        """Read a block; None, and a report, if its tags do not match: half of it may be lost."""
        if (torn := self._torn(block, self._leaves, names)) is not None:
            name, within = names[block.tag], names[torn.tag]
            message = f"<{within}> is not closed where it should be; this {name} is left out"
            context.tell(self._broken, message, torn, name)
            return None
        fields: dict[str, Any] = {}
        words: list[Word] = []
        for name, elements in take.gather(block, names).items():
            rows = self._table.get(name)
            if rows is None:
                words += (take.word_of(element, names) for element in elements)
                continue
            for row in rows:
                if (value := row.read(elements, context, name)) is not None:
                    fields[row.name] = value
        return Found(fields, tuple(words))

    def _torn(self, block: Element, allowed: frozenset[str], names: Names) -> Element | None:
        """Find the element that swallowed others, as one does whose end tag is missing.

        Repair ends it with its parent. A start tag in the place of an end tag swallows nothing
        if its parent ends right after it: then all that was meant is there.
        """
        for child in block:
            name = names[child.tag]
            if name not in allowed and self._is_ours(name):
                return block
            if not len(child):
                continue
            if name in self._parts:
                if (torn := self._torn(child, self._parts[name], names)) is not None:
                    return torn
            elif any(self._is_swallowed(inner, child, names) for inner in child.iterdescendants()):
                return child
        return None

    def _is_swallowed(self, inner: Element, outer: Element, names: Names) -> bool:
        """Whether it is no markup in a text, and no end tag that was typed as a start tag."""
        is_twin = inner.tag == outer.tag and not take.text_of(inner)
        return self._is_ours(names[inner.tag]) and not is_twin

    def _is_ours(self, name: str) -> bool:
        return name in self._known or name in _OUTSIDE


# -- readings ---------------------------------------------------------------------------------


def _texts(elements: Iterable[Element]) -> Iterator[tuple[Element, str]]:
    for element in elements:
        if found := take.text_of(element):
            yield element, found


def first(one: One) -> Reading:
    """Read the first element that says something."""

    def reading(elements: Sequence[Element], context: Context, name: str) -> Any:
        for element, found in _texts(elements):
            if (value := one(context, found, element, name)) is not None:
                return value
        return None

    return reading


def every(one: One) -> Reading:
    """Read all of them, as a tuple."""

    def reading(elements: Sequence[Element], context: Context, name: str) -> Any:
        values = (one(context, found, element, name) for element, found in _texts(elements))
        return tuple(value for value in values if value is not None)

    return reading


def attribute(key: str, one: One) -> Reading:
    """Read an attribute of the first element that has it; its name may be in any case."""

    def reading(elements: Sequence[Element], context: Context, name: str) -> Any:
        for element in elements:
            if found := take.attributes(element).get(key):
                return one(context, found, element, f"{name}@{key}")
        return None

    return reading


def inside(local: str, reading: Reading) -> Reading:
    """Read the children of this local name."""

    def inner(elements: Sequence[Element], context: Context, name: str) -> Any:
        children = [c for element in elements for c in element if take.local_name(c) == local]
        return reading(children, context, f"{name}/{local}")

    return inner


def plain(_context: Context, given: str, _element: Element, _name: str) -> str:
    """Take a text as it is."""
    return given


def text(_context: Context, given: str, _element: Element, _name: str) -> Text:
    """Take a text that is not HTML: sitemaps have plain text only."""
    return Text(value=given)


def flag(context: Context, given: str, element: Element, name: str) -> bool | None:
    """Read yes or no in any case; `true`, `false`, `1` and `0` with a report."""
    try:
        value = numbers.flag(given)
    except ValueError:
        message = f'"{given[:60]}" is neither yes nor no; left out'
        context.tell(Code.FLAG_UNUSUAL, message, element, name)
        return None
    if given.lower() not in {"yes", "no"}:
        message = f'"{given}" read as {"yes" if value else "no"}'
        context.tell(Code.FLAG_UNUSUAL, message, element, name)
    return value
