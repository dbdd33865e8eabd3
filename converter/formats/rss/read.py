"""Reads RSS 2.0, 1.1, 0.9x, and 1.0 and 0.90 (RDF), with their namespace extensions.

https://www.rssboard.org/rss-specification, http://web.resource.org/rss/1.0/spec
Mapping 3.1 to 3.3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO, Final

from converter.extensions import atom_constructs, feed_rules, mediarss, podcast
from converter.extensions.feed_rules import PageUrlCandidate, Rule, RuleTable
from converter.extensions.links import is_alternate, other_links, with_relations
from converter.extensions.read_context import ReadContext
from converter.formats.base import Document
from converter.formats.feed_reader import FeedDialect, FeedDocument
from converter.issues import Report
from converter.model import Image, Link, Text
from converter.options import ReadOptions
from converter.values import text, urls
from converter.values.lazy_regex import lazy_regex
from converter.xml import extract
from converter.xml.extract import Element, line_of
from converter.xml.namespaces import CanonicalNames

RDF_ABOUT: Final = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"

#: A reference without a scheme; ids may hold white space, references do not.
_REFERENCE: Final = lazy_regex(r"(?!www\.|[A-Za-z][A-Za-z0-9+.\-]*:)\S+", re.IGNORECASE)

#: Elements that are text constructs of Atom if they have one of these attributes.
_CONSTRUCTS: Final = frozenset({"atom:content", "atom:summary"})
_OF_CONSTRUCT: Final = frozenset({"mode", "type"})


def read(stream: BinaryIO, options: ReadOptions, report: Report) -> Document:
    """Read RSS of any version; see `formats.base.Reader`."""
    return FeedDocument(stream, options, report, DIALECT)


def _why_left_out(context: ReadContext) -> str | None:
    """Read the status of a live event."""
    if context.names[context.element.tag] == "podcast:liveItem":
        status = extract.attributes(context.element).get("status", "").lower()
        context.is_live = status == "live"
        return "the live event has ended" if status == "ended" else None
    return None


def _sort_links(context: ReadContext) -> None:
    """Move each `link` with a relation to the links of Atom."""
    found = context.children
    for link in found.get("link", ()):
        if link.get("href") and not is_alternate(link):
            found["link"] = [one for one in found["link"] if one is not link]
            found["atom:link"] = [*found.get("atom:link", ()), link]
    if "atom:link" in found:
        context.links = with_relations(found["atom:link"])


# -- rules of the channel -----------------------------------------------------------------------


def _channel_link(context: ReadContext, names: Sequence[str]) -> None:
    """Read the page of the feed: `link` before `atom:link`."""
    for name in names:
        for link in context.children[name]:
            if name == "link":
                reference = extract.text_of(link) or link.get("href")
            else:
                reference = link.get("href") if is_alternate(link) else None
            if reference and (url := context.web_url(reference, link, name)):
                context.feed.link = url
                return


def _channel_image(context: ReadContext, names: Sequence[str]) -> None:
    """Read `image/url`, else a podcast's artwork; thumbnails are inherited (mapping 3.5)."""
    artwork = context.feed.podcast
    context.feed.image = artwork.images[0].url if artwork and artwork.images else None
    for element in context.children.get("image", ()):
        for child, value in extract.texts_of(
            extract.children_by_name(element, context.names), "url"
        ):
            context.feed.image = context.url(value, child, "image/url") or context.feed.image
            return


# -- rules of the item --------------------------------------------------------------------------


def _language(context: ReadContext, names: Sequence[str]) -> None:
    if not context.entry.lang:
        context.entry.lang = extract.first_text(context.children, *names)
        context.lang = context.entry.lang or context.lang


def _id(context: ReadContext, names: Sequence[str]) -> None:
    entry = context.entry
    for guid in context.children.get("guid", ()):
        if value := extract.text_of(guid):
            entry.id, entry.id_is_permalink = value, _is_permalink(guid)
            break
    else:
        about = context.element.get(RDF_ABOUT)
        entry.id = about.strip() if about else extract.first_text(context.children, "atom:id")
    context.label = entry.id


def _html(element: Element, context: ReadContext, name: str) -> Text | None:
    """Read HTML with the markup of XHTML children, or a text construct of Atom."""
    if name in _CONSTRUCTS and not _OF_CONSTRUCT.isdisjoint(extract.attributes(element)):
        return atom_constructs.text_construct(element, context)
    return atom_constructs.html_text(element, context)


def _authors(context: ReadContext, names: Sequence[str]) -> None:
    context.draft.authors = atom_constructs.authors(context.children, context, names)


def _pictures(context: ReadContext, _: Sequence[str]) -> None:
    """Add the `image` of an item, which RSS does not define."""
    for element in context.children["image"]:
        inner = extract.children_by_name(element, context.names)
        reference = extract.first_text(inner, "url")
        reference = reference or element.get("href") or element.get("url")
        reference = reference or (extract.text_of(element) if not len(element) else None)
        if reference and (url := context.url(reference, element, "image")):
            context.entry.images += (Image(url=url, line=line_of(element)),)


def _comments(context: ReadContext, _: Sequence[str]) -> None:
    for element, value in extract.texts_of(context.children, "comments"):
        if url := context.url(value, element, "comments"):
            context.entry.comments = url
            return


def _links(context: ReadContext, _: Sequence[str]) -> None:
    context.entry.links = tuple(other_links(context))


def _source(context: ReadContext, _: Sequence[str]) -> None:
    for element in context.children["source"]:
        if href := context.attribute_url(element, "url", "source"):
            title = extract.text_of(element) or None
            context.entry.source = Link(href=href, rel="source", title=title)
            return


# -- what the rules share -----------------------------------------------------------------------


def _enclosures(context: ReadContext) -> list[mediarss.Enclosure]:
    enclosures = [(element, "url") for element in context.children.get("enclosure", ())]
    return enclosures + [(one, "href") for rel, one in context.links if rel == "enclosure"]


def _links_to_page(context: ReadContext) -> list[PageUrlCandidate]:
    """Return the candidates for the page, by rank (mapping 3.1)."""
    candidates = _links_of("canonical", context) if context.links else []
    for name in ("feedburner:origLink", "pheedo:origLink", "link"):
        if name in context.children:
            for element in context.children[name]:
                if reference := extract.text_of(element) or element.get("href"):
                    candidates.append((reference, element, name))
    return candidates


def _links_of(relation: str, context: ReadContext) -> list[PageUrlCandidate]:
    return [
        (href, element, "atom:link")
        for rel, element in context.links
        if rel == relation and (href := element.get("href"))
    ]


def _other_candidates(context: ReadContext) -> list[PageUrlCandidate]:
    """Return the candidates for the page of an item whose links are unusable."""
    candidates, found = _links_of("alternate", context), context.children
    tried = {value for _, value in extract.texts_of(found, "link")}
    for element, value in extract.texts_of(found, "guid"):
        is_reference = _is_reference(element, value) and value not in tried
        if _is_permalink(element) and (urls.is_http(value) or is_reference):
            candidates.append((value, element, "guid"))
    about = context.element.get(RDF_ABOUT)
    if about and urls.is_http(about):
        candidates.append((about, context.element, "rdf:about"))
    for element in found.get("podcast:contentLink", ()):  # only on the feed's own host
        href, home = (element.get("href") or "").strip(), context.feed.link
        if home and urls.is_http(href) and urls.same_site(href, home):
            candidates.append((href, element, "podcast:contentLink"))
    return candidates


def _is_permalink(guid: Element) -> bool:
    given = guid.get("isPermaLink") or extract.attributes(guid).get("ispermalink", "")
    return given.strip().lower() != "false"


def _is_reference(guid: Element, value: str) -> bool:
    """Return True if a guid is a relative reference; without `isPermaLink` only if it is a path."""
    is_path = "/" in value or "?" in value or "ispermalink" in extract.attributes(guid)
    return is_path and _REFERENCE.fullmatch(value) is not None


# -- the tables ---------------------------------------------------------------------------------

#: In the order in which they run. Of several elements for one field, the first counts (mapping 3).
HEADER: Final = RuleTable(
    Rule(feed_rules.feed_links, ("atom:link",)),
    Rule(feed_rules.podcast_fields, podcast.FIELD_NAMES),
    Rule(feed_rules.text_field("title", text.title), ("title", "atom:title", "dc:title")),
    Rule(_channel_link, ("link", "atom:link")),
    Rule(
        feed_rules.text_field("description", text.title),
        ("description", "atom:subtitle", "dc:description"),
    ),
    Rule(feed_rules.text_field("lang"), ("language", "dc:language")),
    Rule(feed_rules.date_field("published"), ("pubDate", "dc:date")),
    Rule(feed_rules.date_field("built"), ("lastBuildDate",)),
    Rule(_authors, ("dc:creator",)),
    Rule(feed_rules.categories, ("category",)),
    Rule(feed_rules.text_field("generator", text.title), ("generator",)),
    Rule(feed_rules.text_field("copyright", text.title), ("copyright", "dc:rights")),
    Rule(_channel_image, ("image",), always=True),
    Rule(feed_rules.text_field("license"), ("creativeCommons:license",)),
    Rule(feed_rules.feed_ratings, ("media:rating", "media:adult")),
    Rule(feed_rules.feed_extra_elements, mediarss.INHERITED_NAMES),
    apart=podcast.NAMES,
)

_CONTENT: Final = ("content:encoded", "xhtml:body", "xhtml:div", "atom:content")
_PUBLISHED: Final = (
    *("pubDate", "atom:published", "dc:date"),
    *("dcterms:issued", "dcterms:created", "dcterms:available"),
)
_UPDATED: Final = ("dcterms:modified", "atom:updated", "dc:modified", "updated", "modified")

#: The page is chosen after the media, because a media file is not a page; issues name it.
ITEM: Final = RuleTable(
    Rule(_language, ("dc:language",)),
    Rule(_id, ("guid", "atom:id"), always=True),
    Rule(feed_rules.podcast_fields, podcast.FIELD_NAMES),
    Rule(feed_rules.media_objects(_enclosures), (*mediarss.MEDIA_MARKERS, "atom:link")),
    Rule(
        feed_rules.page_url(_links_to_page, _other_candidates),
        ("feedburner:origLink", "pheedo:origLink", "link", "guid", "podcast:contentLink"),
        always=True,
    ),
    Rule(feed_rules.first_value("content", _html), _CONTENT),
    Rule(
        feed_rules.first_value("summary", _html), ("description", "atom:summary", "dc:description")
    ),
    Rule(feed_rules.summary_from_media, ("media:description",)),
    Rule(
        feed_rules.text_field("title", text.title),
        ("title", "atom:title", "dc:title", "itunes:title"),
    ),
    Rule(feed_rules.title_from_media, ("media:title",)),
    Rule(feed_rules.date_field("published"), _PUBLISHED),
    Rule(feed_rules.date_field("updated"), _UPDATED),
    Rule(_authors, ("author", "dc:creator", "dc:author", "creator", "atom:author")),
    Rule(feed_rules.categories, ("category", "dc:subject", "atom:category")),
    Rule(_pictures, ("image",)),
    Rule(_comments, ("comments",)),
    Rule(feed_rules.text_field("copyright"), ("dc:rights",)),
    Rule(_links, ("atom:link",)),
    Rule(_source, ("source",)),
)

#: Elements that are read only inside of others.
_INNER: Final = frozenset({"atom:email", "atom:name", "atom:uri", "email", "name", "uri", "url"})

DIALECT: Final = FeedDialect(
    format="rss",
    names=CanonicalNames(
        "rss",
        ITEM.names | HEADER.names | _INNER | mediarss.NAMES | {"channel", "item"},
    ),
    entries=frozenset({"item", "liveItem"}),
    containers=frozenset({"channel"}),
    item_path="item",
    header_path="channel",
    unqualified=frozenset({"rss", "rdf", "channel", "item"}),
    header=HEADER,
    entry=ITEM,
    find_links=_sort_links,
    why_left_out=_why_left_out,
)
