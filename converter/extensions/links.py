"""Reads links other than the page: `self`, `hub`, `next`, `license`, …, versions by language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from converter.extensions.read_context import ReadContext
from converter.issues import Code, printable
from converter.model import Alternate, Link
from converter.values.lazy_regex import lazy_regex
from converter.xml import extract
from converter.xml.extract import Element

#: Relations may be written as IRIs (RFC 4287, 4.2.7.2).
_IANA: Final = (
    "http://www.iana.org/assignments/relation/",
    "http://www.iana.org/assignments/link-relations/",
)

#: Relations that other rules read.
_PAGE_OR_FILE: Final = frozenset({"alternate", "canonical", "enclosure"})

#: `xsd:language`: the schema of XHTML refuses any other value.
LANGUAGE_TAG: Final = lazy_regex("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


def relation(element: Element) -> str:
    """Return a link's relation in lower case; `alternate` if it states none."""
    rel = (element.get("rel") or "").strip().lower()
    if ":" in rel:
        for iana in _IANA:
            rel = rel.removeprefix(iana)
    return rel or "alternate"


def is_alternate(element: Element) -> bool:
    """Check whether the relation of a link is `alternate`."""
    return relation(element) == "alternate"


def with_relations(elements: Iterable[Element]) -> list[tuple[str, Element]]:
    """Return links with their relations."""
    links = []
    for element in elements:
        rel = element.get("rel")
        links.append((rel if rel in _PAGE_OR_FILE else relation(element), element))
    return links


def other_links(context: ReadContext) -> list[Link]:
    """Read the links that are neither page nor enclosure."""
    links = []
    for rel, element in context.links:
        if rel not in _PAGE_OR_FILE and (href := context.attribute_url(element, "href", "link")):
            attributes = extract.attributes(element)
            details = attributes.get("type"), attributes.get("hreflang"), attributes.get("title")
            links.append(Link(href, rel, *details))
    return links


def language_version(
    hreflang: str, href: str, element: Element, context: ReadContext, name: str
) -> Alternate | None:
    """Return a version of a page in another language; None if `hreflang` is no language tag.

    A tag that Google does not know is kept; it is reported, as is a value that is no tag.
    https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
    """
    from converter.values import languages  # imports the codes of countries; few feeds need them

    code, is_usual = languages.hreflang(hreflang)
    is_tag = LANGUAGE_TAG.fullmatch(code) is not None
    if not is_usual:
        reason = "unknown to Google; kept" if is_tag else "not a language tag; left out"
        message = f'hreflang "{printable(hreflang, 40)}" is {reason}'
        context.warn(Code.HREFLANG_UNUSUAL, message, element, name)
    return Alternate(hreflang=code, href=href) if is_tag else None
