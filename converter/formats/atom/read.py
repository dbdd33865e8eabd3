"""Reads Atom 1.0 and 0.3, with their namespace extensions, among them those of YouTube.

https://www.rfc-editor.org/rfc/rfc4287. Mapping 3.1, 3.2, 3.4, 3.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, Final

from converter.extensions import atom_constructs, feed_rules, mediarss, podcast
from converter.extensions.feed_rules import PageUrlCandidate, Rule, RuleTable
from converter.extensions.links import (
    is_alternate,
    language_version,
    other_links,
    relation,
    with_relations,
)
from converter.extensions.read_context import ReadContext
from converter.formats.base import Document
from converter.formats.feed_reader import FeedDialect, FeedDocument
from converter.issues import Report
from converter.model import Kind, Link, Text
from converter.options import ReadOptions
from converter.values import media_types, urls
from converter.xml import extract
from converter.xml.extract import Element
from converter.xml.namespaces import CanonicalNames

#: Types of an alternate link to a page; other types are other formats of it.
_PAGE_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
_FILE_KINDS: Final = frozenset({Kind.VIDEO, Kind.AUDIO, Kind.IMAGE})

#: A page in one language has no other versions.
_FEWEST_VERSIONS: Final = 2


def read(
    stream: BinaryIO, options: ReadOptions, report: Report, format_name: str = "atom"
) -> Document:
    """Read Atom of any version, or another format that was translated to it."""
    return FeedDocument(stream, options, report, DIALECT._replace(format=format_name))


def _find_links(context: ReadContext) -> None:
    context.links = with_relations(context.children.get("link", ()))


def _why_left_out(context: ReadContext) -> str | None:
    for control in context.children.get("app:control", ()):
        for draft in extract.children_by_name(control, context.names).get("app:draft", ()):
            if extract.text_of(draft).lower() == "yes":
                return "a draft (app:draft)"
    return None


# -- rules of the feed --------------------------------------------------------------------------


def _page_of_feed(context: ReadContext, _: Sequence[str]) -> None:
    for rel, link in context.links:
        href = (link.get("href") or "").strip()
        if href and rel == "alternate" and _may_be_page(link):
            context.feed.link = context.web_url(href, link, "link")
            return


def _language_of_feed(context: ReadContext, names: Sequence[str]) -> None:
    context.feed.lang = context.lang or extract.first_text(context.children, *names)


def _image_of_feed(context: ReadContext, _: Sequence[str]) -> None:
    """Read the artwork of a podcast, else `logo`."""
    texts = extract.texts_of(context.children, "logo")
    logos = (context.url(text, element, "logo") for element, text in texts)
    logo, artwork = next(filter(None, logos), None), context.feed.podcast
    context.feed.image = artwork.images[0].url if artwork and artwork.images else logo


# -- rules of both ------------------------------------------------------------------------------


def _license(context: ReadContext, _: Sequence[str]) -> None:
    links = context.draft.links
    context.draft.license = next((link.href for link in links if link.rel == "license"), None)


# -- rules of the entry -------------------------------------------------------------------------


def _id(context: ReadContext, names: Sequence[str]) -> None:
    context.entry.id = context.label = extract.first_text(context.children, *names)


def _html(element: Element, context: ReadContext, name: str) -> Text | None:
    value = atom_constructs.text_construct(element, context)
    if value and name == "content:encoded":
        return Text(value.value, True, *context.base_of(element))
    return value


def _authors(context: ReadContext, names: Sequence[str]) -> None:
    """Read the authors of the entry, else those of its source (RFC 4287, 4.2.1)."""
    context.draft.authors = atom_constructs.authors(context.children, context, _AUTHORS)
    for source in context.children.get("source", ()) if not context.draft.authors else ():
        children = extract.children_by_name(source, context.names)
        context.draft.authors = atom_constructs.authors(children, context, _AUTHORS)


def _links(context: ReadContext, names: Sequence[str]) -> None:
    if links := other_links(context):
        context.entry.links = tuple(links)
        _license(context, names)


def _alternates(context: ReadContext, _: Sequence[str]) -> None:
    """Read the versions of a page in several languages; the page itself is one of them."""
    found: dict[str, tuple[str, str, Element]] = {}
    for rel, element in context.links:
        code = element.get("hreflang") if rel == "alternate" else None
        if not code or not (code := code.strip()) or not _may_be_page(element):
            continue
        if href := context.attribute_url(element, "href", "link"):
            found.setdefault(code.lower(), (code, href, element))
    if not found:
        return
    own, loc = context.lang, context.entry.loc
    if loc and own and loc not in {href for _, href, _ in found.values()}:
        found.setdefault(own.lower(), (own, loc, context.element))
    if len(found) >= _FEWEST_VERSIONS:
        versions = (language_version(*given, context, "link") for given in found.values())
        context.entry.alternates = tuple(filter(None, versions))


def _source(context: ReadContext, _: Sequence[str]) -> None:
    """Read the feed that the entry was first in."""
    for element in context.children["source"]:
        children = extract.children_by_name(element, context.names)
        links = [link for link in children.get("link", ()) if link.get("href")]
        for link in [one for one in links if relation(one) == "self"][:1] or links[:1]:
            if href := context.attribute_url(link, "href", "source/link"):
                title = atom_constructs.plain_text(children, context, ("title",))
                context.entry.source = Link(href=href, rel="source", title=title)
                return


# -- what the rules share -----------------------------------------------------------------------


def _may_be_page(link: Element) -> bool:
    """Return True if a link has the type of a page, or no type."""
    given = link.get("type")
    return given is None or given in _PAGE_TYPES or _type(link) in {"", *_PAGE_TYPES}


def _type(element: Element) -> str:
    return (element.get("type") or "").partition(";")[0].strip().lower()


def _links_to_page(context: ReadContext) -> list[PageUrlCandidate]:
    """Return the candidates for the page, by rank (mapping 3.1)."""
    canonical: list[PageUrlCandidate] = []
    own_pages: list[PageUrlCandidate] = []
    others: list[PageUrlCandidate] = []
    for rel, element in context.links:
        if rel == "alternate":
            of_rank = own_pages if _is_own_page(element, context) else others
        elif rel == "canonical":
            of_rank = canonical
        else:
            continue
        if href := (element.get("href") or "").strip():
            of_rank.append((href, element, "link"))
    for name in ("feedburner:origLink", "pheedo:origLink"):
        if name in context.children:
            canonical += [
                (text, one, name) for one, text in extract.texts_of(context.children, name)
            ]
    return canonical + own_pages + others


def _is_own_page(link: Element, context: ReadContext) -> bool:
    """Return True if a link leads to a page in the language of the entry, or in no stated one."""
    hreflang = link.get("hreflang")
    if hreflang and hreflang.strip() and hreflang.strip().lower() != (context.lang or "").lower():
        return False
    return _may_be_page(link)


def _other_candidates(context: ReadContext) -> list[PageUrlCandidate]:
    """Return the candidates for the page of an entry whose links are unusable."""
    found = context.children
    candidates: list[PageUrlCandidate] = [
        (text, link, "link")  # RSS's way to write it
        for link, text in extract.texts_of(found, "link")
        if not link.get("href") and is_alternate(link)
    ]
    candidates += [
        (source, content, "content@src")
        for content in found.get("content", ())
        if (source := content.get("src")) and _type(content) in _PAGE_TYPES
    ]
    ids = extract.texts_of(found, "id")
    return candidates + [(text, id_, feed_rules.ATOM_ID) for id_, text in ids if urls.is_http(text)]


def _enclosures(context: ReadContext) -> list[mediarss.Enclosure]:
    enclosures = [(element, "href") for rel, element in context.links if rel == "enclosure"]
    for element in context.children.get("content", ()):
        source = (element.get("src") or "").strip()
        if source and media_types.kind_of(source, mime=_type(element) or None) in _FILE_KINDS:
            enclosures.append((element, "src"))
    return enclosures


# -- the tables ---------------------------------------------------------------------------------

_AUTHORS: Final = ("author", "dc:creator")

#: In the order in which they run. Of several elements for one field, the first counts (mapping 3).
HEADER: Final = RuleTable(
    Rule(feed_rules.feed_links, ("link",)),
    Rule(feed_rules.podcast_fields, podcast.FIELD_NAMES),
    Rule(_image_of_feed, ("logo",), always=True),
    Rule(feed_rules.plain_text_field("title"), ("title",)),
    Rule(_page_of_feed, ("link",)),
    Rule(feed_rules.text_field("id"), ("id",)),
    Rule(feed_rules.plain_text_field("description"), ("subtitle", "tagline")),
    Rule(_language_of_feed, ("dc:language",)),
    Rule(feed_rules.date_field("updated"), ("updated", "modified")),
    Rule(_authors, _AUTHORS),
    Rule(feed_rules.categories, ("category",)),
    Rule(feed_rules.text_field("generator"), ("generator",)),
    Rule(feed_rules.plain_text_field("copyright"), ("rights", "copyright")),
    Rule(_license, ("link",)),
    Rule(feed_rules.feed_ratings, ("media:rating", "media:adult")),
    Rule(feed_rules.feed_extra_elements, mediarss.INHERITED_NAMES),
    apart={"creativeCommons:license"} | podcast.NAMES,
)

#: `modified`, `issued` and `created` are Atom 0.3's.
_UPDATED: Final = ("updated", "modified", "dcterms:modified")
_PUBLISHED: Final = (
    *("published", "issued", "created", "dc:date"),
    *("dcterms:issued", "dcterms:created", "dcterms:available"),
)

#: The page is chosen after the media, because a media file is not a page; issues name it.
ENTRY: Final = RuleTable(
    Rule(_id, ("id",)),
    Rule(feed_rules.podcast_fields, podcast.FIELD_NAMES),
    Rule(feed_rules.media_objects(_enclosures), (*mediarss.MEDIA_MARKERS, "link", "content")),
    Rule(
        feed_rules.page_url(_links_to_page, _other_candidates),
        ("link", "feedburner:origLink", "pheedo:origLink", "content", "id"),
        always=True,
    ),
    Rule(feed_rules.first_value("content", _html), ("content", "content:encoded")),
    Rule(feed_rules.first_value("summary", _html), ("summary",)),
    Rule(feed_rules.summary_from_media, ("media:description",)),
    Rule(_links, ("link",)),
    Rule(feed_rules.plain_text_field("title"), ("title", "dc:title", "itunes:title")),
    Rule(feed_rules.title_from_media, ("media:title",)),
    Rule(feed_rules.date_field("published"), _PUBLISHED),
    Rule(feed_rules.date_field("updated"), _UPDATED),
    Rule(_authors, (*_AUTHORS, "source")),
    Rule(feed_rules.categories, ("category", "dc:subject")),
    Rule(_alternates, ("link",)),
    Rule(feed_rules.plain_text_field("copyright"), ("rights", "dc:rights")),
    Rule(_source, ("source",)),
    apart={"app:control"},
)

#: Elements that are read only inside of others.
_INNER: Final = frozenset({"app:draft", "email", "entry", "name", "uri", "url"})

DIALECT: Final = FeedDialect(
    format="atom",
    names=CanonicalNames("atom", ENTRY.names | HEADER.names | _INNER | mediarss.NAMES),
    entries=frozenset({"entry"}),
    containers=frozenset(),
    item_path="entry",
    header_path="feed",
    unqualified=frozenset(),
    header=HEADER,
    entry=ENTRY,
    find_links=_find_links,
    why_left_out=_why_left_out,
)
