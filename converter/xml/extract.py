"""Extracts values from elements: children by name, text, attributes, bases, line numbers."""

from __future__ import annotations

import copy
from collections.abc import Container, Iterable, Iterator
from typing import Final, TypeAlias

from lxml import etree

from converter.issues import printable
from converter.model import ExtraElement
from converter.xml.namespaces import URI_OF, XML_BASE, CanonicalNames, canonical_prefix

Element: TypeAlias = etree._Element  # noqa: SLF001  lxml gives its element class no other name
Children: TypeAlias = dict[str, list[Element]]

#: libxml2 stores line numbers in 16 bits of an element; a text node has the full number.
_LINE_MAX: Final = 65_535

#: SVG and MathML, whose elements HTML knows by local name.
#: https://html.spec.whatwg.org/multipage/dom.html#embedded-content-2
_EMBEDDED: Final = frozenset({"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"})


def children_by_name(element: Element, names: CanonicalNames) -> Children:
    """Group an element's children by canonical name."""
    found: Children = {}
    for child in element:
        name = names[child.tag]
        if name in found:
            found[name].append(child)
        else:
            found[name] = [child]
    return found


def remove_namespaces(
    elements: Iterable[Element], uris: Container[str], names: CanonicalNames
) -> None:
    """Remove these namespaces from elements and their descendants.

    An element in a known namespace keeps it if its local name alone is unknown: in
    `<rss xmlns="http://www.w3.org/2005/Atom">` a `title` is RSS's, a `summary` Atom's.
    """
    for element in elements:
        uri, _, local = str(element.tag).rpartition("}")
        if uri[1:] in uris and (canonical_prefix(uri[1:]) is None or names[local] in names.known):
            element.tag = local
            remove_namespaces(element, uris, names)


def local_name(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def reported_name(element: Element, name: str) -> str:
    """Return the name under which an unknown element with canonical `name` is counted.

    In an unknown namespace, that is its local name with the document's prefix.
    """
    if name.startswith("{"):
        prefix = f"{element.prefix}:" if element.prefix else ""
        name = f"{prefix}{local_name(element)}"
    return printable(name)


def line_of(element: Element) -> int | None:
    """Return the line of an element's start tag, also beyond line 65,535.

    There libxml2 reports the line on which the first text in the element ends; the line breaks of
    that text are subtracted. Exact if an entry begins with white space.
    """
    line = element.sourceline
    if line is None or line < _LINE_MAX:
        return line
    first = element
    while not first.text and len(first):
        first = first[0]
    return line - (first.text or "").count("\n")


def text_of(element: Element) -> str:
    """Return an element's text, including that of its descendants, without surrounding space."""
    if len(element):
        return "".join(element.itertext()).strip()
    text = element.text
    return text.strip() if text else ""


def texts_of(found: Children, *names: str) -> Iterator[tuple[Element, str]]:
    """Yield the children with these names that have text, in the order of the names."""
    for name in names:
        for element in found.get(name, ()):
            if text := text_of(element):
                yield element, text


def first_text(found: Children, *names: str) -> str | None:
    """Return the first text of `texts_of`, or None."""
    for name in names:
        for element in found.get(name, ()):
            if text := text_of(element):
                return text
    return None


def attributes(element: Element) -> dict[str, str]:
    """Return the non-empty attributes, with lower-case names and stripped values."""
    found = {}
    for name, value in element.items():
        if text := value.strip():
            found[name.lower()] = text
    return found


def inner_html(element: Element) -> str:
    """Return the content of an element as HTML, which has no namespaces: `xhtml:p` is `p`.

    Text in XML is text in HTML: `&lt;` stays escaped.
    """
    from html import escape  # brings a table of two thousand entities

    parts = [escape(element.text or "", quote=False)]
    parts += (
        etree.tostring(_html_copy(child), encoding="unicode", method="html") for child in element
    )
    return "".join(parts).strip()


def _html_copy(element: Element) -> Element:
    """Copy an element; remove the namespaces that HTML implies.

    Prefixed elements that HTML does not know keep theirs, and so do attributes.
    """
    copied = copy.deepcopy(element)
    for each in copied.iter():
        uri, _, local = str(each.tag).rpartition("}")
        is_html = each.prefix is None or uri[1:] in _EMBEDDED
        if uri and (is_html or canonical_prefix(uri[1:]) == "xhtml"):
            each.tag = local
    etree.cleanup_namespaces(copied)
    return copied


def inherited_attribute(element: Element, attribute: str) -> str | None:
    """Return an attribute (`xml:lang`) of the nearest element that has it, or None if empty."""
    values = (each.get(attribute) for each in (element, *element.iterancestors()))
    value = next((value for value in values if value is not None), "")
    return value.strip() or None


def xml_bases(element: Element) -> list[str]:
    """Return the `xml:base` of an element and its ancestors, outermost first."""
    values = [each.get(XML_BASE) for each in (element, *element.iterancestors())]
    return [base for base in reversed(values) if base]


def to_extra_element(element: Element, names: CanonicalNames) -> ExtraElement:
    """Convert an element that no target interprets."""
    return ExtraElement(
        name=names[element.tag],
        text=(element.text or "").strip() or None,
        attributes=tuple(sorted(element.items())),
        children=tuple(to_extra_element(child, names) for child in element),
    )


def from_extra_element(extra: ExtraElement) -> Element:
    """Convert back to an element; the inverse of `to_extra_element`."""
    prefix, _, local = extra.name.rpartition(":")
    uri = URI_OF.get(prefix)
    is_qualified = extra.name.startswith("{")
    element = etree.Element(extra.name if is_qualified else f"{{{uri}}}{local}" if uri else local)
    element.text = extra.text
    for name, value in extra.attributes:
        element.set(name, value)
    element.extend([from_extra_element(child) for child in extra.children])
    return element
