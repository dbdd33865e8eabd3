"""Atom 1.0 and 0.3, with the vocabularies that live in them, and YouTube's feeds.

https://www.rfc-editor.org/rfc/rfc4287. Which element becomes what: mapping 3.1, 3.2, 3.4, 3.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, Final

from converter.issues import Code, Report
from converter.model import Alternate, Category, Entry, Feed, Kind, Link, Person, Text
from converter.options import ReadOptions
from converter.seams import Document
from converter.values import mediatypes, urls
from converter.vocab import landing, media, people, podcast
from converter.vocab.constructs import construct, plain
from converter.vocab.context import Context, first, label
from converter.vocab.document import Dialect, FeedDocument, Item
from converter.vocab.landing import Candidate
from converter.vocab.links import absolute, is_alternate, other_links, relation
from converter.xml import take
from converter.xml.names import XML_LANG, Names
from converter.xml.stream import line_of
from converter.xml.take import Children, Element

__all__ = ["DIALECT", "read"]

#: In the order in which they count; `modified`, `issued` and `created` are Atom 0.3's.
UPDATED: Final = ("updated", "modified", "dcterms:modified")
PUBLISHED: Final = (
    "published",
    "issued",
    "created",
    "dc:date",
    "dcterms:issued",
    "dcterms:created",
    "dcterms:available",
)

#: Types of an alternate link that is a page rather than another format of it.
PAGE_TYPES: Final = frozenset({"", "text/html", "application/xhtml+xml"})

#: A page in one language has no other versions.
_FEWEST_VERSIONS: Final = 2

#: What is read of every entry, whatever media it has.
READ: Final = (
    frozenset({*UPDATED, *PUBLISHED})
    | {
        "app:control",
        "author",
        "category",
        "content",
        "content:encoded",
        "dc:creator",
        "dc:rights",
        "dc:subject",
        "dc:title",
        "feedburner:origLink",
        "id",
        "itunes:title",
        "link",
        "pheedo:origLink",
        "rights",
        "source",
        "summary",
        "title",
    }
    | media.OBJECTS
    | podcast.OF_ITEM
)

#: With what is read only inside of these, or only where an entry has media.
ENTRY_NAMES: Final = (
    READ | {"app:draft", "email", "entry", "name", "uri", "url"} | media.NAMES | podcast.NAMES
)

HEADER_NAMES: Final = (
    frozenset(
        {
            "author",
            "category",
            "copyright",
            "creativeCommons:license",
            "dc:creator",
            "dc:language",
            "fh:archive",
            "fh:complete",
            "generator",
            "id",
            "link",
            "logo",
            "modified",
            "rights",
            "subtitle",
            "tagline",
            "title",
            "updated",
        }
    )
    | media.INHERITED
    | podcast.NAMES
)


def read(stream: BinaryIO, options: ReadOptions, report: Report) -> Document:
    """Read Atom of any version; see `seams.Reader`."""
    return FeedDocument(stream, options, report, DIALECT)


# -- the feed ---------------------------------------------------------------------------------


def _feed(found: Children, context: Context, names: Names) -> Feed:
    links = list(other_links(found.get("link", ()), context))
    pod = podcast.read(found, context)
    logo = first(
        url for e, value in take.texts(found, "logo") if (url := context.url(value, e, "logo"))
    )
    artwork = pod.images[0].url if pod and pod.images else None
    return Feed(
        format="atom",
        title=plain(found, context, "title"),
        link=_page_of_feed(found, context),
        self_url=first(link.href for link in links if link.rel == "self"),
        id=first(value for _, value in take.texts(found, "id")),
        description=plain(found, context, "subtitle", "tagline"),
        lang=context.lang or first(value for _, value in take.texts(found, "dc:language")),
        updated=context.moment(found, ("updated", "modified")),
        authors=people.atom_people(found, context, names),
        categories=tuple(_categories(found)),
        generator=first(value for _, value in take.texts(found, "generator")),
        copyright=plain(found, context, "rights", "copyright"),
        image=artwork or logo,
        license=first(link.href for link in links if link.rel == "license"),
        ratings=media.ratings(
            [*found.get("media:rating", ()), *found.get("media:adult", ())], names
        ),
        podcast=pod,
        links=tuple(link for link in links if link.rel != "self"),
        words=tuple(
            take.word_of(element, names)
            for name in sorted(media.INHERITED)
            for element in found.get(name, ())
        ),
    )


def _page_of_feed(found: Children, context: Context) -> str | None:
    for element in found.get("link", ()):
        href = (element.get("href") or "").strip()
        if href and is_alternate(element) and _type(element) in PAGE_TYPES:
            return absolute(href, element, context, "link")
    return None


# -- the entry --------------------------------------------------------------------------------


def _entry(item: Item) -> Entry | None:
    found, context, names = item.found, item.context, item.setting.names
    if _is_draft(found, names):
        context.tell(Code.ENTRY_SKIPPED, "a draft (app:draft); left out", item.element)
        return None
    id_ = first(value for _, value in take.texts(found, "id"))
    context.entry = id_
    pod = podcast.read(found, context)
    setting = replace(item.setting, podcast=pod)
    objects = media.read(found, _enclosures(found, context, setting), context, setting)
    loc = landing.choose(_candidates(item), context, lambda: objects.urls)
    context.entry = label(loc) or id_
    item.count_unread(READ, objects.names)
    content = _first_text(found, context, "content", "content:encoded")
    summary = _first_text(found, context, "summary")
    links = tuple(other_links(found.get("link", ()), context))
    return Entry(
        loc=loc,
        id=id_,
        title=plain(found, context, "title", "dc:title", "itunes:title")
        or media.entry_title(found),
        summary=summary or media.entry_text(found, "media:description"),
        content=content,
        published=context.moment(found, PUBLISHED),
        updated=context.moment(found, UPDATED),
        authors=_authors(item),
        categories=tuple(_categories(found)),
        lang=item.element.get(XML_LANG),
        alternates=_alternates(item, loc),
        videos=objects.videos,
        images=(*objects.images, *context.pictures(content or summary, item.element)),
        audios=objects.audios,
        podcast=pod,
        copyright=plain(found, context, "rights", "dc:rights"),
        license=first(link.href for link in links if link.rel == "license"),
        links=links,
        source=_source(item),
        extra=item.extra,
        other=context.other,
        line=line_of(item.element),
        feed=item.feed,
    )


def _is_draft(found: Children, names: Names) -> bool:
    return any(
        take.text_of(draft).lower() == "yes"
        for control in found.get("app:control", ())
        for draft in take.gather(control, names).get("app:draft", ())
    )


def _first_text(found: Children, context: Context, *names: str) -> Text | None:
    for name in names:
        for element in found.get(name, ()):
            if value := construct(element, context):
                return context.html(value.value, element) if ":" in name else value
    return None


def _authors(item: Item) -> tuple[Person, ...]:
    """Give the entry's authors, else its source's, else the feed's (RFC 4287, 4.2.1)."""
    names = item.setting.names
    own = people.atom_people(item.found, item.context, names)
    for source in item.found.get("source", ()) if not own else ():
        own = people.atom_people(take.gather(source, names), item.context, names)
    return own


def _type(element: Element) -> str:
    return (element.get("type") or "").partition(";")[0].strip().lower()


def _candidates(item: Item) -> Iterator[Candidate]:
    """Give what may be the page, by rank (mapping 3.1)."""
    found = item.found
    links = [link for link in found.get("link", ()) if (link.get("href") or "").strip()]
    alternates = [element for element in links if is_alternate(element)]
    yield from (_link(element) for element in links if relation(element) == "canonical")
    for element, value in take.texts(found, "feedburner:origLink", "pheedo:origLink"):
        yield Candidate(value, element, "feedburner:origLink")
    yield from (_link(element) for element in alternates if _is_own_page(element, item))
    yield from (_link(element) for element in alternates if not _is_own_page(element, item))
    yield from _last_candidates(found)


def _last_candidates(found: Children) -> Iterator[Candidate]:
    """Give what may be the page where no link is."""
    for element, value in take.texts(found, "link"):  # RSS's way to write it
        if not element.get("href") and is_alternate(element):
            yield Candidate(value, element, "link")
    for element in found.get("content", ()):
        if element.get("src") and _type(element) in PAGE_TYPES - {""}:
            yield Candidate(element.get("src") or "", element, "content@src")
    for element, value in take.texts(found, "id"):
        if urls.is_http(value):
            yield Candidate(value, element, "id", is_id=True)


def _link(element: Element) -> Candidate:
    return Candidate(element.get("href") or "", element, "link")


def _is_own_page(element: Element, item: Item) -> bool:
    """Is it a page, and in the entry's own language as far as that is said?"""
    hreflang = (element.get("hreflang") or "").strip().lower()
    own = (item.context.lang or "").lower()
    return _type(element) in PAGE_TYPES and (not hreflang or hreflang == own)


def _alternates(item: Item, loc: str | None) -> tuple[Alternate, ...]:
    """Give the versions of a page in several languages; the page itself is one of them."""
    found: dict[str, tuple[str, str, Element]] = {}
    for element in item.found.get("link", ()):
        code = (element.get("hreflang") or "").strip()
        if not code or not is_alternate(element) or _type(element) not in PAGE_TYPES:
            continue
        if href := item.context.attribute_url(element, "href", "link"):
            found.setdefault(code.lower(), (code, href, element))
    own = item.context.lang
    if found and loc and own and loc not in {href for _, href, _ in found.values()}:
        found.setdefault(own.lower(), (own, loc, item.element))
    if len(found) < _FEWEST_VERSIONS:
        return ()
    from converter.vocab import hreflang

    versions = (hreflang.version(*given, item.context, "link") for given in found.values())
    return tuple(filter(None, versions))


def _enclosures(
    found: Children, context: Context, setting: media.MediaScope
) -> Iterator[media.RenditionElement]:
    for element in found.get("link", ()):
        if relation(element) == "enclosure":
            member = media.enclosure_of(element, "href", context, setting)
            if member:
                yield member
    for element in found.get("content", ()):
        source = (element.get("src") or "").strip()
        kind = mediatypes.kind_of(source, mime=_type(element) or None) if source else None
        if kind in _FILE_KINDS and (member := media.enclosure_of(element, "src", context, setting)):
            yield member


_FILE_KINDS: Final = frozenset({Kind.VIDEO, Kind.AUDIO, Kind.IMAGE})


def _categories(found: Children) -> Iterator[Category]:
    for element in found.get("category", ()):
        given = take.attributes(element)
        term = given.get("term") or given.get("label") or take.text_of(element)
        if term:
            yield Category(term=term, label=given.get("label"), scheme=given.get("scheme"))
    for _, value in take.texts(found, "dc:subject"):
        yield Category(term=value)


def _source(item: Item) -> Link | None:
    """Give the feed that the entry was first in."""
    for element in item.found.get("source", ()):
        children = take.gather(element, item.setting.names)
        of_source = [link for link in children.get("link", ()) if link.get("href")]
        of_feed = [link for link in of_source if relation(link) == "self"] or of_source
        for link in of_feed[:1]:
            if href := item.context.attribute_url(link, "href", "source/link"):
                return Link(href=href, rel="source", title=plain(children, item.context, "title"))
    return None


DIALECT: Final = Dialect(
    format="atom",
    names=Names("atom", ENTRY_NAMES | HEADER_NAMES),
    entries=frozenset({"entry"}),
    containers=frozenset(),
    header_names=HEADER_NAMES,
    item_path="entry",
    header_path="feed",
    unqualified=frozenset(),
    header=_feed,
    entry=_entry,
)
