"""Atom 1.0: RFC 4287, https://www.rfc-editor.org/rfc/rfc4287."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from lxml import etree

from tests.feedrules import media
from tests.feedrules.extensions import EXTENSIONS, itunes
from tests.feedrules.findings import Element, Judgement, ParseFault
from tests.feedrules.shapes import ATOM, XHTML, Shape, clark, elements_of, judge, text_of
from tests.feedrules.values import (
    SPACE,
    anything,
    encoded,
    filled,
    identifier,
    is_absolute,
    language,
    mail,
    mime,
    non_negative,
    reference,
    relative_links,
    relative_references,
    rfc3339,
)

_AUTHOR, _CATEGORY, _CONTENT, _CONTRIBUTOR, _ENTRY, _ID, _LINK = clark(
    ATOM, "author category content contributor entry id link"
)
_NAME, _SUMMARY, _TITLE, _UPDATED = clark(ATOM, "name summary title updated")
_TEXT_TYPES = ("text", "html", "xhtml")
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"


# --- texts and contents -------------------------------------------------------------------------


def _text_type(text: str) -> Iterator[ParseFault]:
    if text not in _TEXT_TYPES:
        yield "InvalidTextType", f'"{text}" is none of {", ".join(_TEXT_TYPES)}'


def _content_type(text: str) -> Iterator[ParseFault]:
    if text not in _TEXT_TYPES:
        yield from mime(text)


def _has_base(element: Element) -> bool:
    return any(part.get(_XML_BASE) for part in (element, *element.iterancestors()))


def _markup(element: Element, judgement: Judgement) -> None:
    """HTML and XHTML: whole, and pointing somewhere; anything else holds no elements."""
    kind = element.get("type", "text")
    if kind == "xhtml":
        _one_div(element, judgement)
    elif kind in _TEXT_TYPES:
        for child in elements_of(element):
            judgement.say("UndefinedElement", child, f"stands in a text of type {kind}")
    if kind == "html" and not _has_base(element):
        judgement.say_all(element, relative_references(text_of(element)))


def _one_div(element: Element, judgement: Judgement) -> None:
    tags = [child.tag for child in elements_of(element)]
    beside = "".join((element.text or "", *(child.tail or "" for child in element)))
    if tags != [f"{{{XHTML}}}div"] or beside.strip(SPACE):
        judgement.say("MissingXhtmlDiv", element, "holds something else than one XHTML div")
    if not _has_base(element):
        judgement.say_all(element, relative_links(element))


def _is_binary(content: Element) -> bool:
    """RFC 4287, 4.1.3.3: neither text nor XML."""
    kind = content.get("type", "text").lower()
    return "/" in kind and not kind.startswith("text/") and not kind.endswith(("/xml", "+xml"))


def _content(content: Element, judgement: Judgement) -> None:
    if "src" not in content.attrib:
        _markup(content, judgement)
        if _is_binary(content):
            judgement.say_all(content, encoded(text_of(content)))
        return
    if content.get("type") in _TEXT_TYPES:
        judgement.say("InvalidMIMEType", content, "content with src has a media type")
    if len(content) or (content.text or "").strip(SPACE):
        judgement.say("ContentNotEmpty", content, "has both src and something inside")


# --- feed and entry -----------------------------------------------------------------------------


def _links(parent: Element, rel: str) -> list[Element]:
    return [link for link in parent.iterfind(_LINK) if link.get("rel", "alternate") == rel]


def _one_alternate_a_kind(parent: Element, judgement: Judgement) -> None:
    """RFC 4287, 4.1.1 and 4.1.2: one alternate for a type and language."""
    seen: Counter[tuple[str | None, str | None]] = Counter()
    for link in _links(parent, "alternate"):
        kind = link.get("type"), link.get("hreflang")
        seen[kind] += 1
        if seen[kind] > 1:
            judgement.say("DuplicateAtomLink", link, "is not the first of its type and language")


def _self_link(feed: Element, judgement: Judgement) -> None:
    links = _links(feed, "self")
    if not links:
        judgement.say("MissingSelf", feed, 'has no link rel="self"')
    for own in links:
        if not is_absolute(own.get("href", "")):
            judgement.say("RelativeSelf", own, f'href="{own.get("href")}"')


def _metadata_first(feed: Element, judgement: Judgement) -> None:
    entries = False
    for child in elements_of(feed):
        if entries and child.tag != _ENTRY:
            judgement.say("MisplacedMetadata", child, "stands after an entry")
        entries = entries or child.tag == _ENTRY


def _authors(feed: Element, judgement: Judgement) -> None:
    """RFC 4287, 4.1.2: an entry without author takes that of its source or of the feed."""
    if feed.find(_AUTHOR) is not None:
        return
    entries = feed.findall(_ENTRY)
    for entry in entries:
        if entry.find(_AUTHOR) is None and entry.find(f"{{{ATOM}}}source/{_AUTHOR}") is None:
            judgement.say("MissingElement", entry, "has no author, nor has the feed")
    if not entries:
        judgement.say("MissingElement", feed, "has no author")


def _unique_ids(feed: Element, judgement: Judgement) -> None:
    ids = feed.findall(f"{_ENTRY}/{_ID}")
    if len(ids) >= 10 and len({text_of(one) for one in ids}) == 1:
        judgement.say("DuplicateIds", feed, "all entries have the same id")
    for again in _repeated(ids):
        judgement.say("DuplicateEntries", again, f'"{text_of(again)}" again')


def _unique_updates(feed: Element, judgement: Judgement) -> None:
    for again in _repeated(feed.findall(f"{_ENTRY}/{_UPDATED}")):
        judgement.say("DuplicateUpdated", again, f'"{text_of(again)}" again')


def _repeated(elements: list[Element]) -> Iterator[Element]:
    seen: set[str] = set()
    for element in elements:
        if text_of(element) in seen:
            yield element
        seen.add(text_of(element))


def _body(entry: Element, judgement: Judgement) -> None:
    content, summary = entry.find(_CONTENT), entry.find(_SUMMARY)
    if content is None and not _links(entry, "alternate"):
        judgement.say("MissingContentOrAlternate", entry, "has neither")
    if summary is not None:
        return
    if content is None:
        judgement.say("MissingTextualContent", entry, "has neither summary nor content")
    elif "src" in content.attrib or _is_binary(content):
        judgement.say("MissingSummary", entry, "its content is elsewhere, or no text")


# --- tables -------------------------------------------------------------------------------------

_PERSON_WORDS = {
    _NAME: Shape(text=filled),
    f"{{{ATOM}}}uri": Shape(text=reference),
    f"{{{ATOM}}}email": Shape(text=mail),
}
_PERSON = Shape(
    children=_PERSON_WORDS,
    single=frozenset(_PERSON_WORDS),
    needs={_NAME: "MissingElement"},
)
_TEXT = Shape(attributes={"type": _text_type}, children=None, rules=(_markup,))


def _never_blank(title: Element, judgement: Judgement) -> None:
    judgement.say_all(title, filled("".join(title.itertext())))


_WORDS: Mapping[str, Shape] = {
    _AUTHOR: _PERSON,
    _CONTRIBUTOR: _PERSON,
    _CATEGORY: Shape(
        attributes={"term": filled, "scheme": reference, "label": anything}, required=("term",)
    ),
    _ID: Shape(text=identifier),
    _LINK: Shape(
        attributes={
            "href": reference,
            "rel": filled,
            "type": mime,
            "hreflang": language,
            "title": anything,
            "length": non_negative,
        },
        required=("href",),
        children=None,
    ),
    f"{{{ATOM}}}rights": _TEXT,
    _TITLE: Shape(attributes={"type": _text_type}, children=None, rules=(_markup, _never_blank)),
    _UPDATED: Shape(moment=rfc3339),
}
_FEED_WORDS: Mapping[str, Shape] = {
    **_WORDS,
    f"{{{ATOM}}}generator": Shape(attributes={"uri": reference, "version": anything}, text=filled),
    f"{{{ATOM}}}icon": Shape(text=reference),
    f"{{{ATOM}}}logo": Shape(text=reference),
    f"{{{ATOM}}}subtitle": _TEXT,
}
_ENTRY_WORDS: Mapping[str, Shape] = {
    **_WORDS,
    _CONTENT: Shape(
        attributes={"type": _content_type, "src": reference}, children=None, rules=(_content,)
    ),
    f"{{{ATOM}}}published": Shape(moment=rfc3339),
    f"{{{ATOM}}}source": Shape(children={**_FEED_WORDS, **EXTENSIONS}),
    _SUMMARY: _TEXT,
}
_MANY = {_AUTHOR, _CATEGORY, _CONTRIBUTOR, _LINK}
_NEEDS = dict.fromkeys((_ID, _TITLE, _UPDATED), "MissingElement")

_ENTRY_SHAPE = Shape(
    children={**_ENTRY_WORDS, **media.OBJECTS, **EXTENSIONS},
    single=frozenset(set(_ENTRY_WORDS) - _MANY),
    needs=_NEEDS,
    rules=(_one_alternate_a_kind, _body),
)
_FEED = Shape(
    children={**_FEED_WORDS, _ENTRY: _ENTRY_SHAPE, **media.OPTIONAL, **EXTENSIONS},
    single=frozenset(set(_FEED_WORDS) - _MANY),
    needs=_NEEDS,
    rules=(
        _one_alternate_a_kind,
        _self_link,
        _metadata_first,
        _authors,
        _unique_ids,
        _unique_updates,
        itunes,
    ),
)


def check_atom(root: Element, judgement: Judgement) -> None:
    """Judge a document whose root is `feed` in the namespace of Atom."""
    prefixed = next((part for part in root.iter(f"{{{ATOM}}}*") if part.prefix), None)
    if prefixed is not None:
        name = etree.QName(prefixed).localname
        judgement.say("AvoidNamespacePrefix", prefixed, f"is written {prefixed.prefix}:{name}")
    judge(root, _FEED, judgement)
