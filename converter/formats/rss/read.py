"""RSS 2.0 with its ancestors: 0.9x, 1.0 and 0.90 (RDF), and the vocabularies that live in it.

https://www.rssboard.org/rss-specification, http://web.resource.org/rss/1.0/spec
Which element becomes what: mapping 3.1 to 3.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import BinaryIO, Final

from converter.issues import Code, Report
from converter.model import Category, Entry, Feed, Image, Link, Text, Word
from converter.options import ReadOptions
from converter.seams import Document
from converter.values import text, urls
from converter.values.patterns import lazy
from converter.vocab import media, people, podcast
from converter.vocab.constructs import construct
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
    podcast_words,
    text_field,
    text_of_media,
    title_of_media,
)
from converter.vocab.links import absolute, by_relation, is_alternate, other_links
from converter.vocab.page_url import PageUrlCandidate, page_url
from converter.xml import take
from converter.xml.names import Names
from converter.xml.stream import line_of
from converter.xml.take import Children, Element

__all__ = ["DIALECT", "read"]

RDF_ABOUT: Final = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"

#: A reference without a scheme; ids may hold white space, references do not.
_REFERENCE: Final = lazy(r"(?!www\.|[A-Za-z][A-Za-z0-9+.\-]*:)\S+", re.IGNORECASE)

#: Attributes by which an Atom text construct states what it holds.
_CONSTRUCT: Final = frozenset({"mode", "type"})

#: In the order in which they count (mapping 3.2).
PUBLISHED: Final = (
    "pubDate",
    "atom:published",
    "dc:date",
    "dcterms:issued",
    "dcterms:created",
    "dcterms:available",
)
UPDATED: Final = ("dcterms:modified", "atom:updated", "dc:modified", "updated", "modified")
TITLE: Final = ("title", "atom:title", "dc:title", "itunes:title")
SUMMARY: Final = ("description", "atom:summary", "dc:description")
CONTENT: Final = ("content:encoded", "xhtml:body", "xhtml:div", "atom:content")
CATEGORIES: Final = ("category", "dc:subject", "atom:category")

HEADER_NAMES: Final = (
    frozenset(
        {
            "atom:link",
            "atom:subtitle",
            "atom:title",
            "category",
            "copyright",
            "creativeCommons:license",
            "dc:creator",
            "dc:date",
            "dc:description",
            "dc:language",
            "dc:rights",
            "dc:title",
            "description",
            "fh:archive",
            "fh:complete",
            "generator",
            "image",
            "language",
            "lastBuildDate",
            "link",
            "pubDate",
            "title",
        }
    )
    | media.INHERITED
    | (podcast.NAMES - {"podcast:liveItem"})
)


def read(stream: BinaryIO, options: ReadOptions, report: Report) -> Document:
    """Read RSS of any version; see `seams.Reader`."""
    return FeedDocument(stream, options, report, DIALECT)


# -- the channel ------------------------------------------------------------------------------


def _feed(found: Children, context: Context, names: Names) -> Feed:
    found = _links_by_relation(found)
    links = list(other_links(by_relation(found.get("atom:link", ())), context))
    pod = podcast.read(found, context)
    artwork = pod.images[0].url if pod and pod.images else None
    rated = [*found.get("media:rating", ()), *found.get("media:adult", ())]
    return Feed(
        format="rss",
        title=_header_text(found, "title", "atom:title", "dc:title"),
        link=_channel_link(found, context),
        self_url=first(link.href for link in links if link.rel == "self"),
        description=_header_text(found, "description", "atom:subtitle", "dc:description"),
        lang=take.first_text(found, "language", "dc:language") or context.lang,
        published=context.moment(found, ("pubDate", "dc:date")),
        built=context.moment(found, ("lastBuildDate",)),
        authors=people.rss_people(found, context, names),
        categories=tuple(_categories_of(found, CATEGORIES)),
        generator=_header_text(found, "generator"),
        copyright=_header_text(found, "copyright", "dc:rights"),
        image=_channel_image(found, context, names) or artwork,
        license=take.first_text(found, "creativeCommons:license"),
        ratings=media.ratings(rated, names),
        podcast=pod,
        links=tuple(link for link in links if link.rel != "self"),
        words=_words(found, names),
    )


def _header_text(found: Children, *names: str) -> str | None:
    return first(text.title(value) for _, value in take.texts(found, *names)) or None


def _channel_link(found: Children, context: Context) -> str | None:
    for element in found.get("link", ()):
        reference = take.text_of(element) or element.get("href")
        if reference and (url := absolute(reference, element, context, "link")):
            return url
    alternates = (link for link in found.get("atom:link", ()) if is_alternate(link))
    for element in alternates:
        if url := absolute(element.get("href") or "", element, context, "atom:link"):
            return url
    return None


def _channel_image(found: Children, context: Context, names: Names) -> str | None:
    """Give `image/url`; thumbnails are inherited instead (mapping 3.5)."""
    for element in found.get("image", ()):
        for child, value in take.texts(take.gather(element, names), "url"):
            return context.url(value, child, "image/url")
    return None


def _words(found: Children, names: Names) -> tuple[Word, ...]:
    """Keep the channel's `media:*`: what all its entries inherit."""
    kept = (element for name in sorted(media.INHERITED) for element in found.get(name, ()))
    return tuple(take.word_of(element, names) for element in kept)


# -- the item ---------------------------------------------------------------------------------


def _entry(item: Item) -> Entry | None:
    if item.names[item.element.tag] == "podcast:liveItem":
        status = take.attributes(item.element).get("status", "").lower()
        if status == "ended":
            message = "the live event has ended; left out"
            item.context.tell(Code.ENTRY_SKIPPED, message, item.element)
            return None
        item.is_live = status == "live"
    found = item.found = _links_by_relation(item.found)
    if links := found.get("atom:link"):
        item.links = by_relation(links)
    RULES.fill(item)
    return item.entry


def _language(item: Item, names: Sequence[str]) -> None:
    if not item.entry.lang:
        item.entry.lang = take.first_text(item.found, *names)
        item.context.lang = item.entry.lang or item.context.lang


def _id(item: Item, names: Sequence[str]) -> None:
    entry = item.entry
    for element in item.found.get("guid", ()):
        if value := take.text_of(element):
            entry.id, entry.id_is_permalink = value, _is_permalink(element)
            break
    else:
        if about := item.element.get(RDF_ABOUT):
            entry.id = about.strip()
        else:
            entry.id = take.first_text(item.found, "atom:id")
    item.context.entry = entry.id


def _html(element: Element, context: Context, name: str) -> Text | None:
    """Read HTML with the markup of XHTML children, or what a text construct says it is."""
    if name.startswith("atom:") and not _CONSTRUCT.isdisjoint(take.attributes(element)):
        return construct(element, context)
    value = take.inner_markup(element) if len(element) else take.text_of(element)
    return context.html(value, element) if value else None


def _authors(item: Item, names: Sequence[str]) -> None:
    item.entry.authors = people.rss_people(item.found, item.context, item.names)


def _categories(item: Item, names: Sequence[str]) -> None:
    item.entry.categories = tuple(_categories_of(item.found, names))


def _pictures(item: Item, names: Sequence[str]) -> None:
    """Add the `image` that some feeds put into items, although RSS knows none there."""
    for element in item.found["image"]:
        inner = take.gather(element, item.names)
        reference = take.first_text(inner, "url")
        reference = reference or element.get("href") or element.get("url")
        reference = reference or (take.text_of(element) if not len(element) else None)
        if reference and (url := item.context.url(reference, element, "image")):
            item.entry.images += (Image(url=url, line=line_of(element)),)


def _comments(item: Item, names: Sequence[str]) -> None:
    for element, value in take.texts(item.found, "comments"):
        if url := item.context.url(value, element, "comments"):
            item.entry.comments = url
            return


def _links(item: Item, names: Sequence[str]) -> None:
    item.entry.links = tuple(other_links(item.links, item.context))


def _source(item: Item, names: Sequence[str]) -> None:
    for element in item.found["source"]:
        if href := item.context.attribute_url(element, "url", "source"):
            title = take.text_of(element) or None
            item.entry.source = Link(href=href, rel="source", title=title)
            return


# -- what the rules share -----------------------------------------------------------------------


def _enclosures(item: Item) -> list[media.Enclosure]:
    enclosures = [(element, "url") for element in item.found.get("enclosure", ())]
    for rel, element in item.links:
        if rel == "enclosure":
            enclosures.append((element, "href"))
    return enclosures


def _links_to_page(item: Item) -> list[PageUrlCandidate]:
    """Return what may be the page, by rank (mapping 3.1)."""
    candidates = _links_of("canonical", item) if item.links else []
    for name in ("feedburner:origLink", "pheedo:origLink", "link"):
        if name in item.found:
            for element in item.found[name]:
                if reference := take.text_of(element) or element.get("href"):
                    candidates.append((reference, element, name))
    return candidates


def _links_of(relation: str, item: Item) -> list[PageUrlCandidate]:
    return [
        (href, element, "atom:link")
        for rel, element in item.links
        if rel == relation and (href := element.get("href"))
    ]


def _other_candidates(item: Item) -> list[PageUrlCandidate]:
    """Return what may be the page where no link is one."""
    candidates = _links_of("alternate", item)
    tried = {value for _, value in take.texts(item.found, "link")}
    for element, value in take.texts(item.found, "guid"):
        is_reference = _is_reference(element, value) and value not in tried
        if _is_permalink(element) and (urls.is_http(value) or is_reference):
            candidates.append((value, element, "guid"))
    about = item.element.get(RDF_ABOUT)
    if about and urls.is_http(about):
        candidates.append((about, item.element, "rdf:about"))
    for element in item.found.get("podcast:contentLink", ()):  # only on the feed's own host
        href = (element.get("href") or "").strip()
        if item.feed.link and urls.is_http(href) and urls.same_site(href, item.feed.link):
            candidates.append((href, element, "podcast:contentLink"))
    return candidates


def _is_permalink(guid: Element) -> bool:
    return take.attributes(guid).get("ispermalink", "true").lower() != "false"


def _is_reference(guid: Element, value: str) -> bool:
    """Is it a relative reference? Where the feed leaves that open, only if it looks like a path."""
    is_path = "/" in value or "?" in value or "ispermalink" in take.attributes(guid)
    return is_path and _REFERENCE.fullmatch(value) is not None


def _links_by_relation(found: Children) -> Children:
    """Give a `link` that states a relation to the links of Atom: it is written as one of them."""
    pages: list[Element] = []
    related: list[Element] = []
    for link in found.get("link", ()):
        (related if link.get("href") and not is_alternate(link) else pages).append(link)
    if not related:
        return found
    return {**found, "link": pages, "atom:link": [*found.get("atom:link", ()), *related]}


def _categories_of(found: Children, names: Iterable[str]) -> list[Category]:
    categories = []
    for name in names:
        for element in found.get(name, ()):
            given = take.attributes(element)
            term = " ".join(take.text_of(element).split()) or given.get("term")
            if term:
                scheme = given.get("domain") or given.get("scheme")
                categories.append(Category(term, given.get("label"), scheme))
    return categories


# -- the tables ---------------------------------------------------------------------------------

#: In the order in which they run: the page is chosen among what is no media file, and issues name
#: the entry by it. Of several elements for one field, the first in the row counts (mapping 3).
RULES: Final = RuleTable(
    Rule(_language, ("dc:language",)),
    Rule(_id, ("guid", "atom:id"), always=True),
    Rule(podcast_words, tuple(podcast.OF_ITEM)),
    Rule(media_objects(_enclosures), (*media.TELLTALES, "atom:link")),
    Rule(
        page_url(_links_to_page, _other_candidates),
        ("feedburner:origLink", "pheedo:origLink", "link", "guid", "podcast:contentLink"),
        always=True,
    ),
    Rule(html_field("content", _html), CONTENT),
    Rule(html_field("summary", _html), SUMMARY),
    Rule(text_of_media, ("media:description",)),
    Rule(text_field("title", text.title), TITLE),
    Rule(title_of_media, ("media:title",)),
    Rule(date_field("published"), PUBLISHED),
    Rule(date_field("updated"), UPDATED),
    Rule(_authors, ("author", "dc:creator", "dc:author", "creator", "atom:author")),
    Rule(_categories, CATEGORIES),
    Rule(_pictures, ("image",)),
    Rule(pictures_in_html, (*CONTENT, *SUMMARY)),
    Rule(_comments, ("comments",)),
    Rule(text_field("copyright"), ("dc:rights",)),
    Rule(_links, ("atom:link",)),
    Rule(_source, ("source",)),
)

#: With what is read only inside of these, or only where an item has media.
ITEM_NAMES: Final = (
    RULES.names
    | {"atom:email", "atom:name", "atom:uri", "email", "item", "language", "name", "uri", "url"}
    | media.NAMES
    | podcast.NAMES
)

DIALECT: Final = Dialect(
    format="rss",
    names=Names("rss", ITEM_NAMES | HEADER_NAMES | {"channel"}),
    entries=frozenset({"item", "liveItem"}),
    containers=frozenset({"channel"}),
    header_names=HEADER_NAMES,
    item_path="item",
    header_path="channel",
    unqualified=frozenset({"rss", "rdf", "channel", "item"}),
    header=_feed,
    entry=_entry,
)
