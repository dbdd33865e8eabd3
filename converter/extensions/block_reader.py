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

ValueReader: TypeAlias = Callable[[ReadContext, str, Element, str], Any]
"""Reads a text that is not empty; returns None, and reports it, if the text is unusable."""
FieldReader: TypeAlias = Callable[[Sequence[Element], ReadContext, str], Any]
"""Reads all elements of one name in a block; returns None if they have no value."""

_URL_CHILDREN: Final = """
changefreq image:image lastmod loc mobile:mobile news:news priority url video:video xhtml:link
"""
#: Elements of a `url` that are inside a block only if its markup is broken.
_OUTSIDE: Final = frozenset(_URL_CHILDREN.split())
_NO_PARTS: Final[Mapping[str, frozenset[str]]] = {}


class FieldRule(NamedTuple):
    """A field of the model, the element that has its value, and how that is read."""

    element: str
    field: str
    read: FieldReader


class Block(NamedTuple):
    """The contents of a block."""

    fields: dict[str, Any]
    extra: tuple[ExtraElement, ...]
    """The elements that the table does not contain."""


class BlockSchema:
    """The elements of one kind of block.

    Args:
        rules: the fields; an element may fill several.
        parts: names of elements that contain elements -> the names of those.
        broken: the code of the issue about a block with broken markup.
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
        """Read a block; return None and report it if its tags do not match."""
        if (unclosed := self._unclosed(block, names)) is not None:
            name, within = names[block.tag], names[unclosed.tag]
            message = f"<{within}> is not closed in its place; this {name} is left out"
            context.warn(self._broken, message, unclosed, name)
            return None
        fields: dict[str, Any] = {}
        extra: list[ExtraElement] = []
        for name, elements in extract.children_by_name(block, names).items():
            rules = self._rules.get(name)
            if rules is None:
                extra += (extract.to_extra_element(element, names) for element in elements)
                continue
            for rule in rules:
                if (value := rule.read(elements, context, name)) is not None:
                    fields[rule.field] = value
        return Block(fields, tuple(extra))

    def _unclosed(self, block: Element, names: CanonicalNames) -> Element | None:
        """Return the first element that contains its next siblings, for its end tag is missing.

        Repair closes it with its parent. A start tag in the place of an end tag is harmless if it
        contains nothing.
        """
        inside = {names[block.tag]: self._allowed, **self._parts}
        for outer in block.iter():
            allowed = inside.get(names[outer.tag], ()) if len(outer) else ()
            for element in outer:
                name = names[element.tag]
                is_misplaced = name in self._known and name not in allowed
                if is_misplaced and (element.tag != outer.tag or extract.text_of(element)):
                    return outer
        return None


# -- field readers ----------------------------------------------------------------------------


def first(read: ValueReader) -> FieldReader:
    """Read the first element that has a usable text."""
    values = _usable(read)
    return lambda elements, context, name: next(values(elements, context, name), None)


def every(read: ValueReader) -> FieldReader:
    """Read all elements, as a tuple."""
    values = _usable(read)
    return lambda elements, context, name: tuple(values(elements, context, name))


def _usable(read: ValueReader) -> Callable[[Sequence[Element], ReadContext, str], Iterator[Any]]:
    def values(elements: Sequence[Element], context: ReadContext, name: str) -> Iterator[Any]:
        for element in elements:
            text = extract.text_of(element)
            if text and (value := read(context, text, element, name)) is not None:
                yield value

    return values


def attribute(key: str, read: ValueReader) -> FieldReader:
    """Read an attribute of the first element that has it; its name may be in any case."""

    def read_attribute(elements: Sequence[Element], context: ReadContext, name: str) -> Any:
        for element in elements:
            if text := extract.attributes(element).get(key):
                return read(context, text, element, f"{name}@{key}")
        return None

    return read_attribute


def inside(local: str, read: FieldReader) -> FieldReader:
    """Read the children with this local name."""

    def read_children(elements: Sequence[Element], context: ReadContext, name: str) -> Any:
        children = [c for element in elements for c in element if extract.local_name(c) == local]
        return read(children, context, f"{name}/{local}")

    return read_children


def string(_context: ReadContext, text: str, _element: Element, _name: str) -> str:
    """Return the text unchanged."""
    return text


def plain_text(_context: ReadContext, text: str, _element: Element, _name: str) -> Text:
    """Return a text that is not HTML: sitemaps have plain text only."""
    return Text(value=text)


def flag(context: ReadContext, text: str, element: Element, name: str) -> bool | None:
    """Read yes or no in any case; report `true`, `false`, `1` and `0`."""
    try:
        value = numbers.flag(text)
    except ValueError:
        message = f'"{text[:60]}" is not yes or no; left out'
        context.warn(Code.FLAG_UNUSUAL, message, element, name)
        return None
    if text.lower() not in {"yes", "no"}:
        message = f'"{text}" read as {"yes" if value else "no"}'
        context.warn(Code.FLAG_UNUSUAL, message, element, name)
    return value
