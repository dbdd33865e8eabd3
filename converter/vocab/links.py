"""Links that are not the page: `self`, `hub`, `next`, `license`, … of headers and entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from converter.model import Link
from converter.values import urls
from converter.vocab.context import Context
from converter.xml import take
from converter.xml.take import Element

__all__ = ["absolute", "by_relation", "is_alternate", "other_links", "relation"]

#: Relations may be written as IRIs (RFC 4287, 4.2.7.2).
_IANA: Final = (
    "http://www.iana.org/assignments/relation/",
    "http://www.iana.org/assignments/link-relations/",
)

#: What other rules read.
_READ_ELSEWHERE: Final = frozenset({"alternate", "canonical", "enclosure"})


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


def other_links(links: Iterable[tuple[str, Element]], context: Context) -> list[Link]:
    """Read the links that are neither page nor enclosure."""
    others = []
    for rel, element in links:
        if rel in _READ_ELSEWHERE:
            continue
        if href := context.attribute_url(element, "href", "link"):
            given = take.attributes(element)
            more = given.get("type"), given.get("hreflang"), given.get("title")
            others.append(Link(href, rel, *more))
    return others


def absolute(reference: str, element: Element, context: Context, name: str) -> str | None:
    """Resolve a header's link; only http(s) is one."""
    url = context.url(reference, element, name)
    return url if url and urls.is_http(url) else None
