"""RSS 2.0 with its ancestors: 0.9x, 1.0 and 0.90 (RDF), and the vocabularies that live in it.

https://www.rssboard.org/rss-specification, http://web.resource.org/rss/1.0/spec
Which element becomes what: mapping 3.1 to 3.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, Final

from converter.issues import Code, Report
from converter.model import Category, Entry, Feed, Image, Link, Text, Word
from converter.options import ReadOptions
from converter.seams import Document
from converter.values import text, urls
from converter.values.patterns import lazy
from converter.vocab import landing, media, people, podcast
from converter.vocab.constructs import construct
from converter.vocab.context import Context, first, label
from converter.vocab.document import Dialect, FeedDocument, Item
from converter.vocab.landing import Candidate
from converter.vocab.links import absolute, is_alternate, other_links, relation
from converter.xml import take
from converter.xml.names import XML_LANG, Names
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

#: What is read of every item, whatever media it has.
READ: Final = (
    frozenset({*PUBLISHED, *UPDATED, *TITLE, *SUMMARY, *CONTENT, *CATEGORIES})
    | {
        "atom:author",
        "atom:id",
        "atom:link",
        "author",
        "comments",
        "creator",
        "dc:author",
        "dc:creator",
        "dc:language",
        "dc:rights",
        "feedburner:origLink",
        "guid",
        "image",
        "link",
        "pheedo:origLink",
        "podcast:contentLink",
        "source",
    }
    | media.OBJECTS
    | podcast.OF_ITEM
)

#: With what is read only inside of these, or only where an item has media.
ITEM_NAMES: Final = (
    READ
    | {"atom:email", "atom:name", "atom:uri", "email", "item", "language", "name", "uri", "url"}
    | media.NAMES
    | podcast.NAMES
)

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
    links = list(other_links(found.get("atom:link", ()), context))
    pod = podcast.read(found, context)
    artwork = pod.images[0].url if pod and pod.images else None
    rated = [*found.get("media:rating", ()), *found.get("media:adult", ())]
    return Feed(
        format="rss",
        title=_header_text(found, "title", "atom:title", "dc:title"),
        link=_channel_link(found, context),
        self_url=first(link.href for link in links if link.rel == "self"),
        description=_header_text(found, "description", "atom:subtitle", "dc:description"),
        lang=first(value for _, value in take.texts(found, "language", "dc:language"))
        or context.lang,
        published=context.moment(found, ("pubDate", "dc:date")),
        built=context.moment(found, ("lastBuildDate",)),
        authors=people.rss_people(found, context, names),
        categories=tuple(_categories(found)),
        generator=_header_text(found, "generator"),
        copyright=_header_text(found, "copyright", "dc:rights"),
        image=_channel_image(found, context, names) or artwork,
        license=first(value for _, value in take.texts(found, "creativeCommons:license")),
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


def _links_by_relation(found: Children) -> Children:
    """Give a `link` that states a relation to the links of Atom: it is written as one of them."""
    pages: list[Element] = []
    related: list[Element] = []
    for link in found.get("link", ()):
        (related if link.get("href") and not is_alternate(link) else pages).append(link)
    if not related:
        return found
    return {**found, "link": pages, "atom:link": [*found.get("atom:link", ()), *related]}


# -- the item ---------------------------------------------------------------------------------


def _entry(item: Item) -> Entry | None:
    live = _live(item)
    if live is None:
        item.context.tell(Code.ENTRY_SKIPPED, "the live event has ended; left out", item.element)
        return None
    return _present(item, live)


def _present(item: Item, live: bool) -> Entry:
    found, context = _links_by_relation(item.found), item.context
    item = item if found is item.found else replace(item, found=found)
    lang = item.element.get(XML_LANG) or first(v for _, v in take.texts(found, "dc:language"))
    context.lang = lang or context.lang
    id_, id_is_permalink = _id(item)
    context.entry = id_
    pod = podcast.read(found, context)
    setting = replace(item.setting, podcast=pod, live=live)
    objects = media.read(found, _enclosures(found, context, setting), context, setting)
    loc = landing.choose(_candidates(item), context, lambda: objects.urls)
    context.entry = label(loc) or id_
    item.count_unread(READ, objects.names)
    content, summary = (first(_htmls(found, context, *names)) for names in (CONTENT, SUMMARY))
    title = first(filter(None, (text.title(value) for _, value in take.texts(found, *TITLE))))
    return Entry(
        loc=loc,
        id=id_,
        id_is_permalink=id_is_permalink,
        title=title or media.entry_title(found),
        summary=summary or media.entry_text(found, "media:description"),
        content=content,
        published=context.moment(found, PUBLISHED),
        updated=context.moment(found, UPDATED),
        authors=people.rss_people(found, context, setting.names),
        categories=tuple(_categories(found)),
        lang=lang,
        videos=objects.videos,
        images=(
            *objects.images,
            *_item_images(item),
            *context.pictures(content or summary, item.element),
        ),
        audios=objects.audios,
        podcast=pod,
        comments=_url_text(found, context, "comments"),
        copyright=first(value for _, value in take.texts(found, "dc:rights")),
        links=tuple(other_links(found.get("atom:link", ()), context)),
        source=_source(found, context),
        extra=item.extra,
        other=context.other,
        line=line_of(item.element),
        feed=item.feed,
    )


def _live(item: Item) -> bool | None:
    """Is it live now? None: it was, and has ended (mapping 3.3)."""
    if item.setting.names[item.element.tag] != "podcast:liveItem":
        return False
    status = take.attributes(item.element).get("status", "").lower()
    return None if status == "ended" else status == "live"


def _id(item: Item) -> tuple[str | None, bool | None]:
    for element, value in take.texts(item.found, "guid"):
        return value, _is_permalink(element)
    about = item.element.get(RDF_ABOUT)
    if about:
        return about.strip(), None
    return first(value for _, value in take.texts(item.found, "atom:id")), None


def _enclosures(
    found: Children, context: Context, setting: media.MediaScope
) -> Iterator[media.RenditionElement]:
    for element in found.get("enclosure", ()):
        if member := media.enclosure_of(element, "url", context, setting):
            yield member
    for element in found.get("atom:link", ()):
        if relation(element) == "enclosure" and (
            member := media.enclosure_of(element, "href", context, setting)
        ):
            yield member


def _candidates(item: Item) -> Iterator[Candidate]:
    """Give what may be the page, by rank (mapping 3.1)."""
    found = item.found
    links = found.get("atom:link", ())
    for element in links:
        if relation(element) == "canonical" and element.get("href"):
            yield Candidate(element.get("href") or "", element, "atom:link")
    for element, value in take.texts(found, "feedburner:origLink", "pheedo:origLink"):
        yield Candidate(value, element, "feedburner:origLink")
    for element in found.get("link", ()):
        reference = take.text_of(element) or element.get("href")
        if reference:
            yield Candidate(reference, element, "link")
    for element in links:
        if is_alternate(element) and element.get("href"):
            yield Candidate(element.get("href") or "", element, "atom:link")
    yield from _id_candidates(item)
    yield from _content_links(item)


def _id_candidates(item: Item) -> Iterator[Candidate]:
    tried = {value for _, value in take.texts(item.found, "link")}
    for element, value in take.texts(item.found, "guid"):
        is_reference = _is_reference(element, value) and value not in tried
        if _is_permalink(element) and (urls.is_http(value) or is_reference):
            yield Candidate(value, element, "guid")
    about = item.element.get(RDF_ABOUT)
    if about and urls.is_http(about):
        yield Candidate(about, item.element, "rdf:about")


def _is_permalink(guid: Element) -> bool:
    return take.attributes(guid).get("ispermalink", "true").lower() != "false"


def _is_reference(guid: Element, value: str) -> bool:
    """Is it a relative reference? Where the feed leaves that open, only if it looks like a path."""
    is_path = "/" in value or "?" in value or "ispermalink" in take.attributes(guid)
    return is_path and _REFERENCE.fullmatch(value) is not None


def _content_links(item: Item) -> Iterator[Candidate]:
    """Give `podcast:contentLink`, where it is on the feed's own host."""
    for element in item.found.get("podcast:contentLink", ()):
        href = (element.get("href") or "").strip()
        if item.feed.link and urls.is_http(href) and urls.same_site(href, item.feed.link):
            yield Candidate(href, element, "podcast:contentLink")


def _htmls(found: Children, context: Context, *names: str) -> Iterator[Text]:
    """Yield texts: HTML with the markup of XHTML children, or what a text construct says it is."""
    for name in names:
        for element in found.get(name, ()):
            if name.startswith("atom:") and not _CONSTRUCT.isdisjoint(take.attributes(element)):
                if text_ := construct(element, context):
                    yield text_
                continue
            value = take.inner_markup(element) if len(element) else take.text_of(element)
            if value:
                yield context.html(value, element)


def _categories(found: Children) -> Iterator[Category]:
    for name in CATEGORIES:
        for element in found.get(name, ()):
            given = take.attributes(element)
            term = " ".join(take.text_of(element).split()) or given.get("term")
            if term:
                scheme = given.get("domain") or given.get("scheme")
                yield Category(term=term, label=given.get("label"), scheme=scheme)


def _url_text(found: Children, context: Context, name: str) -> str | None:
    return first(
        url
        for element, value in take.texts(found, name)
        if (url := context.url(value, element, name))
    )


def _source(found: Children, context: Context) -> Link | None:
    for element in found.get("source", ()):
        if href := context.attribute_url(element, "url", "source"):
            return Link(href=href, rel="source", title=take.text_of(element) or None)
    return None


def _item_images(item: Item) -> Iterator[Image]:
    """Give the `image` that some feeds put into items, although RSS knows none there."""
    for element in item.found.get("image", ()):
        inner = take.gather(element, item.setting.names)
        reference = first(value for _, value in take.texts(inner, "url"))
        reference = reference or element.get("href") or element.get("url")
        reference = reference or (take.text_of(element) if not len(element) else None)
        if reference and (url := item.context.url(reference, element, "image")):
            yield Image(url=url, line=line_of(element))


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
