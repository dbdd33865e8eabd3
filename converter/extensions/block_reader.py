"""Reads the blocks of a sitemap's extensions (`image:image`, `video:video`, `news:news`) by tables.

A `BlockSchema` is a table with a row for each field of the model. `first`, `every`, `attribute`
and `inside` say which elements or attributes a field is read from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from converter.extensions.read_context import ReadContext
from converter.issues import Code
from converter.model import ExtraElement, Text
from converter.values import numbers
from converter.xml import extract
from converter.xml.extract import Element
from converter.xml.namespaces import CanonicalNames

Pipeline: TypeAlias = Callable[[ReadContext, str, Element, str], Any]
"""Converts a text that is not empty; returns None, and reports why, if it cannot."""
DateReading: TypeAlias = Callable[[Sequence[Element], ReadContext, str], Any]
"""Reads all elements of one name in a block; returns None if they have no value."""

#: Elements of a `url` that stand inside a block only where markup is broken.
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


class FieldRule(NamedTuple):
    """One field of the model, and how it is read."""

    element: str
    field: str
    read: DateReading


class Block(NamedTuple):
    """The contents of a block."""

    fields: dict[str, Any]
    words: tuple[ExtraElement, ...]
    """The elements that the table does not know."""


class BlockSchema:
    """The elements of one kind of block.

    Args:
        rules: the fields; an element may fill several.
        parts: the elements that hold elements, and which.
        broken: the issue that reports a block with broken markup.
    """

    def __init__(
        self,
        *rules: FieldRule,
        parts: Mapping[str, frozenset[str]] = _NO_PARTS,
        broken: Code,
    ) -> None:
        self._rules: dict[str, list[FieldRule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.element, []).append(rule)
        self._parts = parts
        self._broken = broken
        self._allowed = frozenset(self._rules)
        self._known = self._allowed.union(_OUTSIDE, *parts.values())

    def read(self, block: Element, context: ReadContext, names: CanonicalNames) -> Block | None:
        """Read a block; return None and report it if its tags do not match: half may be lost."""
        if (torn := self._torn(block, self._allowed, names)) is not None:
            name, within = names[block.tag], names[torn.tag]
            message = f"<{within}> is not closed where it should be; this {name} is left out"
            context.tell(self._broken, message, torn, name)
            return None
        fields: dict[str, Any] = {}
        words: list[ExtraElement] = []
        for name, elements in extract.children_by_name(block, names).items():
            rules = self._rules.get(name)
            if rules is None:
                words += (extract.to_extra_element(element, names) for element in elements)
                continue
            for rule in rules:
                if (value := rule.read(elements, context, name)) is not None:
                    fields[rule.field] = value
        return Block(fields, tuple(words))

    def _torn(
        self, block: Element, allowed: frozenset[str], names: CanonicalNames
    ) -> Element | None:
        """Find an element that contains what should follow it, because its end tag is missing.

        Repair ends it with its parent. A start tag in the place of an end tag contains nothing
        if its parent ends right after it: then nothing is lost.
        """
        for child in block:
            name = names[child.tag]
            if name not in allowed and name in self._known:
                return block
            if not len(child):
                continue
            if name in self._parts:
                if (torn := self._torn(child, self._parts[name], names)) is not None:
                    return torn
            elif any(self._is_misplaced(inner, child, names) for inner in child.iterdescendants()):
                return child
        return None

    def _is_misplaced(self, inner: Element, outer: Element, names: CanonicalNames) -> bool:
        """Whether it is neither markup in a text, nor an end tag that was typed as a start tag."""
        is_twin = inner.tag == outer.tag and not extract.text_of(inner)
        return names[inner.tag] in self._known and not is_twin


# -- readings ---------------------------------------------------------------------------------


def first(convert: Pipeline) -> DateReading:
    """Read the first element that has a usable text."""
    values = _usable(convert)
    return lambda elements, context, name: next(values(elements, context, name), None)


def every(convert: Pipeline) -> DateReading:
    """Read all elements, as a tuple."""
    values = _usable(convert)
    return lambda elements, context, name: tuple(values(elements, context, name))


def _usable(convert: Pipeline) -> Callable[[Sequence[Element], ReadContext, str], Iterator[Any]]:
    def values(elements: Sequence[Element], context: ReadContext, name: str) -> Iterator[Any]:
        for element in elements:
            given = extract.text_of(element)
            if given and (value := convert(context, given, element, name)) is not None:
                yield value

    return values


def attribute(key: str, convert: Pipeline) -> DateReading:
    """Read an attribute of the first element that has it; its name may be in any case."""

    def reading(elements: Sequence[Element], context: ReadContext, name: str) -> Any:
        for element in elements:
            if given := extract.attributes(element).get(key):
                return convert(context, given, element, f"{name}@{key}")
        return None

    return reading


def inside(local: str, reading: DateReading) -> DateReading:
    """Read the children of this local name."""

    def inner(elements: Sequence[Element], context: ReadContext, name: str) -> Any:
        children = [c for element in elements for c in element if extract.local_name(c) == local]
        return reading(children, context, f"{name}/{local}")

    return inner


def string(_context: ReadContext, given: str, _element: Element, _name: str) -> str:
    """Return the text as it is."""
    return given


def plain_text(_context: ReadContext, given: str, _element: Element, _name: str) -> Text:
    """Return a text that is not HTML: sitemaps have plain text only."""
    return Text(value=given)


def flag(context: ReadContext, given: str, element: Element, name: str) -> bool | None:
    """Read yes or no in any case; report `true`, `false`, `1` and `0`."""
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
