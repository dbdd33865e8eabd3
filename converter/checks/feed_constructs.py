"""Rules for the elements in feeds and entries of Atom: ids, texts, people, links, categories."""

from __future__ import annotations

from typing import Final

from converter.checks import feeds
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.feeds import ATOM, quoted_text
from converter.checks.rule import ERROR, CheckRule
from converter.values.digests import DigestSet, digest
from converter.values.urls import quoted, syntax

_TEXT: Final = f"{ATOM}#section-3.1.1"

RULES: Final = (
    CheckRule(
        "feed-atom-name-missing", ERROR, "an author or contributor of Atom has no name",
        why="Atom requires it; the text of the element itself is not read.",
        fix="Write <author><name>…</name></author>.",
        source=f"{ATOM}#section-3.2.1", convert="repaired",
    ),
    CheckRule(
        "feed-atom-href-missing", ERROR, "a link of Atom has no href",
        why="The URL is in the attribute href; the text of the element is not read.",
        fix='Write <link href="https://…"/>.',
        source=f"{ATOM}#section-4.2.7.1", convert="dropped",
    ),
    CheckRule(
        "feed-atom-alternate-duplicate", ERROR, "alternate links have the same type and language",
        why="Which of them is the page is undefined.",
        fix="Keep one of the links, or state their types or languages.",
        source=f"{ATOM}#section-4.1.2", convert="repaired",
    ),
    CheckRule(
        "feed-atom-content-type", ERROR, "the type of a text or of content is not valid",
        why="Feed readers do not know whether it is HTML, and show its tags or nothing.",
        fix="Write text, html or xhtml; for content also a media type such as image/png.",
        source=_TEXT, convert="repaired",
    ),
    CheckRule(
        "feed-atom-xhtml-div", ERROR, "a text of type xhtml is not in one div",
        why="Atom requires one <div> of XHTML; the other elements are not read.",
        fix='Write <div xmlns="http://www.w3.org/1999/xhtml"> around the text.',
        source=f"{_TEXT}.3", convert="repaired",
    ),
    CheckRule(
        "feed-atom-markup-inside", ERROR, "a text of type text or html has elements inside",
        why="Such a text must be escaped; feed readers show it without the elements.",
        fix='Escape the markup (&lt;p&gt;), or write type="xhtml".',
        source=f"{_TEXT}.1", convert="repaired",
    ),
    CheckRule(
        "feed-atom-term-missing", ERROR, "a category of Atom has no term",
        why="The category is in the attribute term; the text of the element is not read.",
        fix='Write <category term="…"/>.',
        source=f"{ATOM}#section-4.2.2.1", convert="dropped",
    ),
    CheckRule(
        "feed-atom-id-relative", ERROR, "an id of Atom is not an absolute IRI",
        why="Ids are compared letter by letter; only an absolute IRI is unique.",
        fix="Write the URL of the page, or a tag: or urn:uuid: IRI.",
        source=f"{ATOM}#section-4.2.6", convert="repaired",
    ),
)  # fmt: skip

_ALTERNATE: Final = frozenset({"alternate", "http://www.iana.org/assignments/relation/alternate"})
TEXT_TYPES: Final = frozenset({"text", "html", "xhtml"})
_XHTML_DIV: Final = ("http://www.w3.org/1999/xhtml", "div")


def check_element(context: CheckContext, element: Element, path: str) -> None:
    """Check a child of a feed or entry that Atom defines."""
    check = _CHECKS.get(element.names.local)
    if check is not None:
        check(context, element, path)


def _check_id(context: CheckContext, element: Element, path: str) -> None:
    value = element.text.strip()
    if not value:
        context.report("feed-atom-id-missing", "an empty <id>", element, path=path)
    elif syntax.split(value).scheme is None:
        message = f"{quoted_text(element)}: not an absolute IRI"
        context.report("feed-atom-id-relative", message, element, path=path)


def _check_person(context: CheckContext, element: Element, path: str) -> None:
    if not any(child.name == "atom:name" for child in element.children):
        message = f"<{element.written_name}> without <name>"
        context.report("feed-atom-name-missing", message, element, path=f"{path}/name")


def _check_link(context: CheckContext, element: Element, path: str) -> None:
    href, path = element.attributes.get("href"), f"{path}/@href"
    if href is None:
        context.report("feed-atom-href-missing", "<link> without href", element, path=path)
    else:
        feeds.check_url(context, href, "<link> href", element, path, may_be_relative=True)


def check_alternate(
    context: CheckContext, element: Element, alternates: DigestSet, path: str
) -> None:
    """Report an alternate link whose type and language another one has; add those of the link."""
    if not is_alternate(element):
        return
    values = element.attributes
    kind, language = values.get("type", "").strip().lower(), values.get("hreflang", "").strip()
    if not alternates.add(digest(f"{kind}\0{language.lower()}")):
        message = f"another alternate <link> with type {quoted(kind)}, hreflang {quoted(language)}"
        context.report("feed-atom-alternate-duplicate", message, element, path=path)


def _check_category(context: CheckContext, element: Element, path: str) -> None:
    if "term" not in element.attributes:
        path = f"{path}/@term"
        context.report("feed-atom-term-missing", "<category> without term", element, path=path)


def _check_construct(context: CheckContext, element: Element, path: str) -> None:
    """Check a text construct that is no content."""
    _check_text(context, element, path)
    if element.attributes.get("type", "text") == "text" and not element.children:
        feeds.check_plain(context, element, path)


def _check_text(context: CheckContext, element: Element, path: str) -> None:
    """Check the type of a text construct, or of content with one of its types."""
    kind = element.attributes.get("type", "text")
    if kind not in TEXT_TYPES:
        message = f"<{element.written_name}> type={quoted(kind)}; expected text, html or xhtml"
        context.report("feed-atom-content-type", message, element, path=f"{path}/@type")
    elif kind == "xhtml":
        names = [(child.names.namespace, child.names.local) for child in element.children]
        if names != [_XHTML_DIV]:
            message = f"<{element.written_name}> with {len(names)} elements; expected one <div>"
            message = f"{message} of XHTML"
            context.report("feed-atom-xhtml-div", message, element, path=path)
    elif element.children:
        inner = f"<{element.children[0].written_name}>"
        message = f"{inner} in <{element.written_name}> of type {kind}; expected only text"
        context.report("feed-atom-markup-inside", message, element, path=path)


def _check_content(context: CheckContext, element: Element, path: str) -> None:
    kind = element.attributes.get("type", "text")
    if "src" in element.attributes:
        src, at = element.attributes["src"], f"{path}/@src"
        feeds.check_url(context, src, "<content> src", element, at, may_be_relative=True)
    elif kind in TEXT_TYPES:
        _check_text(context, element, path)
        return
    is_media_type = "/" in kind and not kind.lower().startswith(("multipart/", "message/"))
    if "type" in element.attributes and not is_media_type:
        message = f"<content> type={quoted(kind)}: no media type"
        context.report("feed-atom-content-type", message, element, path=f"{path}/@type")


def is_alternate(element: Element) -> bool:
    """Return True for a link to the page."""
    rel = element.attributes.get("rel", "alternate").strip().lower()
    return element.name == "atom:link" and rel in _ALTERNATE


_CHECKS: Final = {
    "id": _check_id,
    "title": _check_construct,
    "subtitle": _check_construct,
    "summary": _check_construct,
    "rights": _check_construct,
    "content": _check_content,
    "author": _check_person,
    "contributor": _check_person,
    "link": _check_link,
    "category": _check_category,
    "updated": feeds.check_rfc3339,
    "published": feeds.check_rfc3339,
}
