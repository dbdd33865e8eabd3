"""Writes Atom 1.0 with Media RSS inside: https://www.rfc-editor.org/rfc/rfc4287.

What validators refuse, and what is made where the input lacks it: mapping 4.2 to 4.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from converter.extensions.element_writer import ElementWriter, is_uri, language
from converter.extensions.mediarss import write as media
from converter.extensions.page_context import to_plain_text
from converter.extensions.required_feed_fields import (
    RequiredFields,
    entry_authors,
    mail_address,
    report_added_time,
    without_future,
)
from converter.formats.base import Rendered
from converter.issues import Code, Report
from converter.model import Category, Entry, Feed, Link, Person, Text
from converter.options import WriteOptions
from converter.values import dates
from converter.xml.escape import DECLARATION, encode_markup, namespace_declarations
from converter.xml.namespaces import URI_OF


class AtomWriter:
    """Entries to `entry` elements."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options
        self._required = RequiredFields(options)
        self.finish = self._required.finish

    def entry(self, entry: Entry, report: Report, /) -> Rendered:
        """Render one `entry`; one without `loc` is an entry too."""
        writer = ElementWriter.for_entry(entry, report)
        self._required.collect(entry)
        core = self._core(entry, writer)
        objects = media.media_elements(entry, writer, self._options)
        lang = _lang(entry.lang) if entry.lang else ""
        xml = f"<entry{lang}>{core}{objects.xml}</entry>"
        return Rendered(
            encode_markup(xml, 1, pretty=self._options.pretty),
            frozenset(writer.prefixes),
            objects.images,
            objects.videos,
        )

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the feed up to its first entry, with the namespaces that are used."""
        writer = self._required.header_writer()
        inner = self._header(feed, writer)
        declared = namespace_declarations(sorted(prefixes | writer.prefixes))
        start = f'<feed xmlns="{URI_OF["atom"]}"{declared}{_lang(feed.lang)}>{inner}'
        return DECLARATION.encode() + encode_markup(start, 0, pretty=self._options.pretty)

    def tail(self, feed: Feed, /) -> bytes:
        """Render the end."""
        return encode_markup("</feed>", 1, pretty=self._options.pretty)

    # -- the feed -----------------------------------------------------------------------------

    def _header(self, feed: Feed, writer: ElementWriter) -> str:
        required, options = self._required, self._options
        xml = writer.leaf("title", required.feed_title(feed, writer))
        xml += writer.leaf("id", required.feed_id(feed, writer))
        xml += writer.leaf("updated", dates.to_rfc3339(required.feed_updated(feed)))
        xml += self._authors(required.feed_authors(feed, writer), writer)
        if options.self_url:
            given = (("rel", "self"), ("type", "application/atom+xml"), ("href", options.self_url))
            xml += writer.empty("link", given)
        if page := writer.url(options.link or feed.link, "link"):
            xml += writer.empty("link", (("rel", "alternate"), ("href", page)))
        return (
            xml
            + _links(feed.links, feed.license, writer)
            + writer.leaf("subtitle", options.description or feed.description)
            + writer.leaf("rights", feed.copyright)
            + _categories(feed.categories, writer)
            + writer.leaf("generator", feed.generator)
            + writer.leaf("logo", writer.url(feed.image, "logo"))
        )

    # -- the entry ----------------------------------------------------------------------------

    def _core(self, entry: Entry, writer: ElementWriter) -> str:
        required = self._required
        title = required.title(entry, writer)
        published = entry.published
        if published is not None:
            published = without_future(published, "published", writer, self._options.now)
        updated = required.updated(entry, published, writer)
        xml = writer.leaf("title", title)
        xml += writer.leaf("id", required.id(entry, writer, iri=True))
        xml += f"<updated>{dates.to_rfc3339(updated)}</updated>"
        if published is not None:
            report_added_time(published, "published", writer)
            xml += f"<published>{dates.to_rfc3339(published)}</published>"
        if authors := entry_authors(entry):
            xml += self._authors(authors, writer)
        else:
            required.lacks_author = True
        if page := writer.url(entry.loc, "link"):
            xml += writer.empty("link", (("rel", "alternate"), ("href", page)))
        if entry.alternates:
            xml += _versions(entry, writer)
        if entry.links or entry.license:
            xml += _links(entry.links, entry.license, writer)
        if entry.videos or entry.audios or entry.images:
            xml += self._enclosures(entry, writer)
        xml += _texts(entry, title, writer)
        return xml + self._rest(entry, writer)

    def _rest(self, entry: Entry, writer: ElementWriter) -> str:
        xml = _categories(entry.categories, writer) if entry.categories else ""
        if entry.copyright is not None:
            xml += writer.leaf("rights", entry.copyright)
        if entry.source is not None:
            xml += _source(entry.source, writer)
        return xml + writer.modules(entry.extra) if entry.extra else xml

    def _authors(self, authors: Iterable[Person], writer: ElementWriter) -> str:
        xml = ""
        for maker in authors:
            person = self._required.with_name(maker, writer)
            inner = (
                writer.leaf("name", to_plain_text(person.name))
                + writer.leaf("uri", writer.url(person.uri, "author/uri"))
                + writer.leaf("email", mail_address(person, writer))
            )
            xml += writer.element("author", inner)
        return xml

    def _enclosures(self, entry: Entry, writer: ElementWriter) -> str:
        xml = ""
        for rendition in media.enclosures(entry, self._options):
            if href := writer.url(rendition.url, "enclosure"):
                size = rendition.size_bytes
                given = (
                    ("rel", "enclosure"),
                    ("type", rendition.mime),
                    ("hreflang", rendition.lang),
                    ("title", rendition.title),
                    ("length", str(size) if size and size > 0 else None),
                    ("href", href),
                )
                xml += writer.empty("link", given)
        return xml


# -- elements without state -------------------------------------------------------------------


def _lang(tag: str | None) -> str:
    given = language(tag) if tag else None
    return f' xml:lang="{given}"' if given else ""


def _versions(entry: Entry, writer: ElementWriter) -> str:
    """Write the versions of the page in other languages; each language once."""
    xml = ""
    by_language = {version.hreflang.lower(): version for version in reversed(entry.alternates)}
    for version in reversed(by_language.values()):
        if href := writer.url(version.href, "link"):
            given = (("rel", "alternate"), ("hreflang", version.hreflang), ("href", href))
            xml += writer.empty("link", given)
    return xml


def _links(links: Sequence[Link], license_url: str | None, writer: ElementWriter) -> str:
    if license_url and all(link.rel != "license" for link in links):
        links = (*links, Link(href=license_url, rel="license"))
    return "".join([writer.link("link", link) for link in links])


def _texts(entry: Entry, title: str, writer: ElementWriter) -> str:
    """Write summary and content: one of them at least, and content if there is no page."""
    summary, content = entry.summary, entry.content
    if summary is None and content is None:
        summary = _description(entry) or Text(title)
        message = "neither summary nor content; what is known of the entry is written"
        writer.warn(Code.SUPPLIED_DESCRIPTION, message, "summary")
    if content is None and not entry.loc:
        content = summary
    xml = "" if summary is None else _construct("summary", summary, writer)
    return xml if content is None else xml + _construct("content", content, writer)


def _description(entry: Entry) -> Text | None:
    for video in entry.videos:
        if to_plain_text(video.description):
            return video.description
    return None


def _construct(name: str, value: Text, writer: ElementWriter) -> str:
    if value.is_html:
        return writer.leaf(name, writer.html(value), (("type", "html"),))
    return writer.leaf(name, value.value)


def _categories(categories: Iterable[Category], writer: ElementWriter) -> str:
    xml = ""
    for category in categories:
        scheme = category.scheme
        if term := writer.inline(category.term, "category"):
            given = (
                ("term", term),
                ("scheme", scheme if scheme and is_uri(scheme) else None),
                ("label", category.label or None),
            )
            xml += writer.empty("category", given)
    return xml


def _source(source: Link, writer: ElementWriter) -> str:
    if not (href := writer.url(source.href, "source")):
        return ""
    link = writer.empty("link", (("rel", "self"), ("href", href)))
    return writer.element("source", writer.leaf("title", source.title) + link)
