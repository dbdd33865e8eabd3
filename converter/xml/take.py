"""Taking values out of elements: children by name, text, attributes, bases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from lxml import etree

from converter.issues import printable
from converter.model import Word
from converter.xml.names import URI_OF, XML_BASE, Names

__all__ = [
    "Children",
    "Element",
    "attributes",
    "bases",
    "copied",
    "element_of",
    "gather",
    "inner_markup",
    "local_name",
    "nearest",
    "text_of",
    "texts",
    "unread_name",
    "word_of",
]

Element: TypeAlias = etree._Element  # noqa: SLF001  lxml gives its element class no other name
Children: TypeAlias = dict[str, list[Element]]


def gather(element: Element, names: Names) -> Children:
    """Sort an element's children by canonical name: one look-up a child."""
    found: Children = {}
    for child in element:
        name = names[child.tag]
        if name in found:
            found[name].append(child)
        else:
            found[name] = [child]
    return found


def local_name(element: Element) -> str:
    """Give an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def unread_name(element: Element, name: str) -> str:
    """Return the name under which an element that nothing reads is counted.

    That is its canonical name; in an unknown namespace, its local name with the document's prefix.
    """
    if name.startswith("{"):
        prefix = f"{element.prefix}:" if element.prefix else ""
        name = f"{prefix}{local_name(element)}"
    return printable(name)


def text_of(element: Element) -> str:
    """Give an element's text without the white space around it; markup inside is passed over."""
    if len(element):
        return "".join(element.itertext()).strip()
    text = element.text
    return text.strip() if text else ""


def texts(found: Children, *names: str) -> Iterator[tuple[Element, str]]:
    """Give the non-empty texts of the children with these names, in the order of the names."""
    for name in names:
        for element in found.get(name, ()):
            if text := text_of(element):
                yield element, text


def attributes(element: Element) -> dict[str, str]:
    """Give the attributes with lower-case names and trimmed values; empty ones are left out."""
    return {name.lower(): text for name, value in element.items() if (text := value.strip())}


def inner_markup(element: Element) -> str:
    """Give what is inside an element as HTML, which knows no prefixes: `xhtml:p` is `p`.

    What is text in XML is text in HTML: `&lt;` stays one.
    """
    from html import escape  # brings a table of two thousand entities

    parts = [escape(element.text or "", quote=False)]
    for child in element:
        plain = child if child.prefix is None else _without_prefix(child)
        parts.append(etree.tostring(plain, encoding="unicode", method="html"))
    return "".join(parts).strip()


def copied(element: Element) -> Element:
    """Copy an element with what is inside it.

    It is what `copy.deepcopy` calls; that module takes a hundredth of a short run to import.
    """
    plain: Element = element.__deepcopy__({})  # type: ignore[attr-defined]  # stubs lack it
    return plain


def _without_prefix(element: Element) -> Element:
    """Copy an element with what is inside it; those of its own namespace are in none then."""
    plain = copied(element)
    for at in plain.iter(f"{{{etree.QName(element).namespace}}}*"):
        at.tag = etree.QName(at).localname
    etree.cleanup_namespaces(plain)
    return plain


def nearest(element: Element, attribute: str) -> str | None:
    """Give an inherited attribute (`xml:lang`) of the nearest element that has it."""
    at: Element | None = element
    while at is not None:
        value = at.get(attribute)
        if value is not None:
            return value.strip() or None
        at = at.getparent()
    return None


def bases(element: Element) -> list[str]:
    """Give the `xml:base` of an element and its ancestors, outermost first."""
    found: list[str] = []
    at: Element | None = element
    while at is not None:
        if base := at.get(XML_BASE):
            found.append(base)
        at = at.getparent()
    return found[::-1]


def word_of(element: Element, names: Names) -> Word:
    """Keep an element that no target interprets."""
    return Word(
        name=names[element.tag],
        text=(element.text or "").strip() or None,
        attributes=tuple(sorted(element.items())),
        children=tuple(word_of(child, names) for child in element),
    )


def element_of(word: Word) -> Element:
    """Make an element of a kept word again; the inverse of `word_of`."""
    prefix, _, local = word.name.rpartition(":")
    uri = URI_OF.get(prefix)
    unknown = word.name.startswith("{")
    element = etree.Element(word.name if unknown else f"{{{uri}}}{local}" if uri else local)
    element.text = word.text
    for name, value in word.attributes:
        element.set(name, value)
    element.extend([element_of(child) for child in word.children])
    return element
