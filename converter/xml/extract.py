"""Taking values out of elements: children by name, text, attributes, bases."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Final, TypeAlias

from lxml import etree

from converter.issues import printable
from converter.model import ExtraElement
from converter.xml.namespaces import URI_OF, XML_BASE, CanonicalNames, canonical_prefix

Element: TypeAlias = etree._Element  # noqa: SLF001  lxml gives its element class no other name
Children: TypeAlias = dict[str, list[Element]]

#: SVG and MathML, which HTML tells by the names of their elements.
#: https://html.spec.whatwg.org/multipage/dom.html#embedded-content-2
_EMBEDDED: Final = frozenset({"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"})


def children_by_name(element: Element, names: CanonicalNames) -> Children:
    """Sort an element's children by canonical name: one look-up a child."""
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
    """Take elements in one of these namespaces, and what is inside them, out of it.

    In a namespace that has a meaning of its own, an element stays if its local name alone means
    nothing: in `<rss xmlns="http://www.w3.org/2005/Atom">` a `title` is RSS's, a `summary` Atom's.
    """
    for element in elements:
        uri, _, local = str(element.tag).rpartition("}")
        if uri[1:] in uris and (canonical_prefix(uri[1:]) is None or names[local] in names.known):
            element.tag = local
            remove_namespaces(element, uris, names)


def local_name(element: Element) -> str:
    """Give an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def reported_name(element: Element, name: str) -> str:
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


def first_text(found: Children, *names: str) -> str | None:
    """Return the first non-empty text of the children, in the order of the names."""
    for name in names:
        for element in found.get(name, ()):
            if text := text_of(element):
                return text
    return None


def texts_of(found: Children, *names: str) -> Iterator[tuple[Element, str]]:
    """Give the non-empty texts of the children with these names, in the order of the names."""
    for name in names:
        for element in found.get(name, ()):
            if text := text_of(element):
                yield element, text


def attributes(element: Element) -> dict[str, str]:
    """Give the attributes with lower-case names and trimmed values; empty ones are left out."""
    given = {}
    for name, value in element.items():
        if text := value.strip():
            given[name.lower()] = text
    return given


def inner_html(element: Element) -> str:
    """Give what is inside an element as HTML, which knows no namespaces: `xhtml:p` is `p`.

    What is text in XML is text in HTML: `&lt;` stays one.
    """
    from html import escape  # brings a table of two thousand entities

    parts = [escape(element.text or "", quote=False)]
    parts += (
        etree.tostring(_in_html(child), encoding="unicode", method="html") for child in element
    )
    return "".join(parts).strip()


def copy_element(element: Element) -> Element:
    """Copy an element with what is inside it.

    It is what `copy.deepcopy` calls; that module takes a hundredth of a short run to import.
    """
    plain: Element = element.__deepcopy__({})  # type: ignore[attr-defined]  # stubs lack it
    return plain


def _in_html(element: Element) -> Element:
    """Copy an element, with only the namespaces that HTML needs to be told of.

    Those are of elements with a prefix that HTML does not know, and of attributes.
    """
    plain = copy_element(element)
    for at in plain.iter():
        uri, _, local = str(at.tag).rpartition("}")
        if uri and (
            at.prefix is None or uri[1:] in _EMBEDDED or canonical_prefix(uri[1:]) == "xhtml"
        ):
            at.tag = local
    etree.cleanup_namespaces(plain)
    return plain


def inherited_attribute(element: Element, attribute: str) -> str | None:
    """Give an inherited attribute (`xml:lang`) of the nearest element that has it."""
    values = (at.get(attribute) for at in (element, *element.iterancestors()))
    value = next((value for value in values if value is not None), "")
    return value.strip() or None


def xml_bases(element: Element) -> list[str]:
    """Give the `xml:base` of an element and its ancestors, outermost first."""
    values = [at.get(XML_BASE) for at in (element, *element.iterancestors())]
    return [base for base in reversed(values) if base]


def to_extra_element(element: Element, names: CanonicalNames) -> ExtraElement:
    """Keep an element that no target interprets."""
    return ExtraElement(
        name=names[element.tag],
        text=(element.text or "").strip() or None,
        attributes=tuple(sorted(element.items())),
        children=tuple(to_extra_element(child, names) for child in element),
    )


def from_extra_element(word: ExtraElement) -> Element:
    """Make an element of a kept word again; the inverse of `word_of`."""
    prefix, _, local = word.name.rpartition(":")
    uri = URI_OF.get(prefix)
    unknown = word.name.startswith("{")
    element = etree.Element(word.name if unknown else f"{{{uri}}}{local}" if uri else local)
    element.text = word.text
    for name, value in word.attributes:
        element.set(name, value)
    element.extend([from_extra_element(child) for child in word.children])
    return element
