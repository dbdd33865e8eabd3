"""Links that are not the page: `self`, `hub`, `next`, `license`, … of headers and entries."""

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

#: What other rules read.
_READ_ELSEWHERE: Final = frozenset({"alternate", "canonical", "enclosure"})

#: `xsd:language`: the schema of XHTML refuses any other value.
_TAG: Final = lazy_regex("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


def relation(element: Element) -> str:
    """Give a link's relation: lower case, `alternate` where there is none."""
    rel = (element.get("rel") or "").strip().lower()
    if ":" in rel:
        for iana in _IANA:
            rel = rel.removeprefix(iana)
    return rel or "alternate"


def is_alternate(element: Element) -> bool:
    """Is this link one to the page?"""
    return relation(element) == "alternate"


def by_relation(elements: Iterable[Element]) -> list[tuple[str, Element]]:
    """Return links with their relations."""
    links = []
    for element in elements:
        rel = element.get("rel")
        links.append((rel if rel in _READ_ELSEWHERE else relation(element), element))
    return links


def other_links(context: ReadContext) -> list[Link]:
    """Read the links that are neither page nor enclosure."""
    others = []
    for rel, element in context.links:
        if rel not in _READ_ELSEWHERE and (href := context.attribute_url(element, "href", "link")):
            given = extract.attributes(element)
            more = given.get("type"), given.get("hreflang"), given.get("title")
            others.append(Link(href, rel, *more))
    return others


def version(
    hreflang: str, href: str, element: Element, context: ReadContext, name: str
) -> Alternate | None:
    """Make a version of a page; a language that Google does not know is reported, and kept.

    What is no language tag at all could not be written: None, and reported, too.
    https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
    """
    from converter.values import languages  # brings the codes of countries; few feeds have any

    code, is_usual = languages.hreflang(hreflang)
    is_tag = _TAG.fullmatch(code) is not None
    if not is_usual:
        fate = "is no language that Google knows; kept" if is_tag else "is no language; left out"
        message = f'hreflang "{printable(hreflang, 40)}" {fate}'
        context.tell(Code.HREFLANG_UNUSUAL, message, element, name)
    return Alternate(hreflang=code, href=href) if is_tag else None
