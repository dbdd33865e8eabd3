"""Atom 1.0 and 0.3, with the vocabularies that live in them, and YouTube's feeds.

https://www.rfc-editor.org/rfc/rfc4287. Which element becomes what: mapping 3.1, 3.2, 3.4, 3.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, Final

from converter.issues import Code, Report
from converter.model import Category, Entry, Feed, Kind, Link, Text
from converter.options import ReadOptions
from converter.seams import Document
from converter.values import mediatypes, urls
from converter.vocab import media, people, podcast
from converter.vocab.constructs import construct, plain
from converter.vocab.context import Context, first
from converter.vocab.document import Dialect, FeedDocument
from converter.vocab.item import (
    Item,
    Rule,
    RuleTable,
    date_field,
    html_field,
    media_objects,
    pictures_in_html,
    plain_field,
    podcast_words,
    text_of_media,
    title_of_media,
)
from converter.vocab.links import absolute, by_relation, is_alternate, other_links, relation
from converter.vocab.page_url import ATOM_ID, PageUrlCandidate, page_url
from converter.xml import take
from converter.xml.names import Names
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

_PAGE_RELATIONS: Final = frozenset({"alternate", "canonical"})

#: A page in one language has no other versions.
_FEWEST_VERSIONS: Final = 2

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
    links = list(other_links(by_relation(found.get("link", ())), context))
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
        categories=tuple(_categories_of(found)),
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
    if "app:control" in item.found and _is_draft(item):
        message = "a draft (app:draft); left out"
        item.context.tell(Code.ENTRY_SKIPPED, message, item.element)
        return None
    item.links = by_relation(item.found.get("link", ()))
    RULES.fill(item)
    return item.entry


def _is_draft(item: Item) -> bool:
    return any(
        take.text_of(draft).lower() == "yes"
        for control in item.found["app:control"]
        for draft in take.gather(control, item.names).get("app:draft", ())
    )


def _id(item: Item, names: Sequence[str]) -> None:
    item.entry.id = item.context.entry = take.first_text(item.found, *names)


def _html(element: Element, context: Context, name: str) -> Text | None:
    value = construct(element, context)
    return context.html(value.value, element) if value and ":" in name else value


def _authors(item: Item, names: Sequence[str]) -> None:
    """Read the entry's authors, else its source's (RFC 4287, 4.2.1); the feed's stand there."""
    own = people.atom_people(item.found, item.context, item.names)
    for source in item.found.get("source", ()) if not own else ():
        own = people.atom_people(take.gather(source, item.names), item.context, item.names)
    item.entry.authors = own


def _categories(item: Item, names: Sequence[str]) -> None:
    item.entry.categories = tuple(_categories_of(item.found))


def _links(item: Item, names: Sequence[str]) -> None:
    if links := other_links(item.links, item.context):
        item.entry.links = tuple(links)
        item.entry.license = first(link.href for link in links if link.rel == "license")


def _alternates(item: Item, names: Sequence[str]) -> None:
    """Read the versions of a page in several languages; the page itself is one of them."""
    found: dict[str, tuple[str, str, Element]] = {}
    for rel, element in item.links:
        code = (element.get("hreflang") or "").strip() if rel == "alternate" else ""
        if not code or _type(element) not in PAGE_TYPES:
            continue
        if href := item.context.attribute_url(element, "href", "link"):
            found.setdefault(code.lower(), (code, href, element))
    own, loc = item.context.lang, item.entry.loc
    if found and loc and own and loc not in {href for _, href, _ in found.values()}:
        found.setdefault(own.lower(), (own, loc, item.element))
    if len(found) < _FEWEST_VERSIONS:
        return
    from converter.vocab import hreflang

    versions = (hreflang.version(*given, item.context, "link") for given in found.values())
    item.entry.alternates = tuple(filter(None, versions))


def _source(item: Item, names: Sequence[str]) -> None:
    """Read the feed that the entry was first in."""
    for element in item.found["source"]:
        children = take.gather(element, item.names)
        of_source = [link for link in children.get("link", ()) if link.get("href")]
        of_feed = [link for link in of_source if relation(link) == "self"] or of_source
        for link in of_feed[:1]:
            if href := item.context.attribute_url(link, "href", "source/link"):
                title = plain(children, item.context, "title")
                item.entry.source = Link(href=href, rel="source", title=title)
                return


# -- what the rules share -----------------------------------------------------------------------


def _type(element: Element) -> str:
    return (element.get("type") or "").partition(";")[0].strip().lower()


def _links_to_page(item: Item) -> list[PageUrlCandidate]:
    """Return what may be the page, by rank (mapping 3.1)."""
    candidates: list[PageUrlCandidate] = []
    own_pages: list[PageUrlCandidate] = []
    others: list[PageUrlCandidate] = []
    for rel, element in item.links:
        if rel in _PAGE_RELATIONS and (href := (element.get("href") or "").strip()):
            if rel == "canonical":
                of_rank = candidates
            else:
                of_rank = own_pages if _is_own_page(element, item) else others
            of_rank.append((href, element, "link"))
    for name in ("feedburner:origLink", "pheedo:origLink"):
        if name in item.found:
            candidates += [(text, one, name) for one, text in take.texts(item.found, name)]
    return candidates + own_pages + others


def _other_candidates(item: Item) -> list[PageUrlCandidate]:
    """Return what may be the page where no link is one."""
    candidates: list[PageUrlCandidate] = [
        (text, link, "link")  # RSS's way to write it
        for link, text in take.texts(item.found, "link")
        if not link.get("href") and is_alternate(link)
    ]
    candidates += [
        (source, content, "content@src")
        for content in item.found.get("content", ())
        if (source := content.get("src")) and _type(content) in PAGE_TYPES - {""}
    ]
    ids = take.texts(item.found, "id")
    return candidates + [(text, id_, ATOM_ID) for id_, text in ids if urls.is_http(text)]


def _is_own_page(element: Element, item: Item) -> bool:
    """Is it a page, and in the entry's own language as far as that is said?"""
    hreflang = (element.get("hreflang") or "").strip().lower()
    own = (item.context.lang or "").lower()
    return _type(element) in PAGE_TYPES and (not hreflang or hreflang == own)


def _enclosures(item: Item) -> list[media.Enclosure]:
    enclosures = []
    for rel, element in item.links:
        if rel == "enclosure":
            enclosures.append((element, "href"))
    for element in item.found.get("content", ()):
        source = (element.get("src") or "").strip()
        if source and mediatypes.kind_of(source, mime=_type(element) or None) in _FILE_KINDS:
            enclosures.append((element, "src"))
    return enclosures


_FILE_KINDS: Final = frozenset({Kind.VIDEO, Kind.AUDIO, Kind.IMAGE})


def _categories_of(found: Children) -> list[Category]:
    categories = []
    for element in found.get("category", ()):
        given = take.attributes(element)
        if term := given.get("term") or given.get("label") or take.text_of(element):
            categories.append(Category(term, given.get("label"), given.get("scheme")))
    if "dc:subject" in found:
        categories += [Category(value) for _, value in take.texts(found, "dc:subject")]
    return categories


# -- the tables ---------------------------------------------------------------------------------

#: In the order in which they run: the page is chosen among what is no media file, and issues name
#: the entry by it. Of several elements for one field, the first in the row counts (mapping 3).
RULES: Final = RuleTable(
    Rule(_id, ("id",)),
    Rule(podcast_words, tuple(podcast.OF_ITEM)),
    Rule(media_objects(_enclosures), (*media.TELLTALES, "link", "content")),
    Rule(
        page_url(_links_to_page, _other_candidates),
        ("link", "feedburner:origLink", "pheedo:origLink", "content", "id"),
        always=True,
    ),
    Rule(html_field("content", _html), ("content", "content:encoded")),
    Rule(html_field("summary", _html), ("summary",)),
    Rule(text_of_media, ("media:description",)),
    Rule(_links, ("link",)),
    Rule(plain_field("title"), ("title", "dc:title", "itunes:title")),
    Rule(title_of_media, ("media:title",)),
    Rule(date_field("published"), PUBLISHED),
    Rule(date_field("updated"), UPDATED),
    Rule(_authors, ("author", "dc:creator", "source")),
    Rule(_categories, ("category", "dc:subject")),
    Rule(_alternates, ("link",)),
    Rule(pictures_in_html, ("content", "content:encoded", "summary")),
    Rule(plain_field("copyright"), ("rights", "dc:rights")),
    Rule(_source, ("source",)),
    apart={"app:control"},
)

#: With what is read only inside of these, or only where an entry has media.
ENTRY_NAMES: Final = (
    RULES.names
    | {"app:draft", "email", "entry", "name", "uri", "url"}
    | media.NAMES
    | podcast.NAMES
)

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
