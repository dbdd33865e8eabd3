"""Writes RSS 2.0, plain or with Media RSS: https://www.rssboard.org/rss-specification.

What validators refuse, and what is made where the input lacks it: mapping 4.1, 4.3, 4.4.
"""

from __future__ import annotations

from typing import Final

from converter.extensions.element_writer import ElementWriter, language
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
from converter.model import Entry, Feed, Link, Moment, Person, Text
from converter.options import WriteOptions
from converter.values import dates, media_types, tags, urls
from converter.values.lazy_regex import lazy_regex
from converter.xml.escape import DECLARATION, encode_markup, namespace_declarations

#: What readers take for markup in a title: only these spellings pass validators without a warning.
#: https://www.rssboard.org/rss-profile#data-types-characterdata
_LIKE_MARKUP: Final = lazy_regex(r"<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]+;)")


class RssWriter:
    """Entries to `item` elements."""

    def __init__(self, options: WriteOptions, *, with_media: bool = False) -> None:
        self._options = options
        self._with_media = with_media
        self._required = RequiredFields(options)
        self.finish = self._required.finish

    def entry(self, entry: Entry, report: Report, /) -> Rendered:
        """Render one `item`; one without `loc` is an item too."""
        writer = ElementWriter.for_entry(entry, report)
        self._required.collect(entry)
        core = self._core(entry, writer)
        images = videos = 0
        if self._with_media:
            objects = media.media_elements(entry, writer, self._options)
            core, images, videos = core + objects.xml, objects.images, objects.videos
        return Rendered(
            encode_markup(f"<item>{core}</item>", 2, pretty=self._options.pretty),
            frozenset(writer.prefixes),
            images,
            videos,
        )

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the channel up to its first item, with the namespaces that are used."""
        writer = self._required.header_writer()
        inner = self._channel(feed, writer)
        declared = namespace_declarations(sorted(prefixes | writer.prefixes))
        start = f'<rss version="2.0"{declared}><channel>{inner}'
        return DECLARATION.encode() + encode_markup(start, 0, pretty=self._options.pretty)

    def tail(self, feed: Feed, /) -> bytes:
        """Render the end."""
        return encode_markup("</channel></rss>", 2, pretty=self._options.pretty)

    # -- the channel --------------------------------------------------------------------------

    def _channel(self, feed: Feed, writer: ElementWriter) -> str:
        required, options = self._required, self._options
        title, link = required.feed_title(feed, writer), required.feed_link(feed, writer)
        xml = _title(title, writer) + writer.leaf("link", link)
        xml += writer.leaf("description", required.feed_description(feed, writer))
        xml += writer.leaf("language", language(feed.lang))
        if options.self_url:
            rss_type = ("type", "application/rss+xml")
            attributes = (("rel", "self"), rss_type, ("href", options.self_url))
            xml += writer.empty("atom:link", attributes)
        for each in feed.links:
            xml += writer.link("atom:link", each)
        xml += writer.leaf("copyright", feed.copyright)
        if options.author or feed.authors:
            xml += writer.leaf("dc:creator", options.author or to_plain_text(feed.authors[0].name))
        xml += _date("pubDate", without_future(feed.published, "pubDate", writer, options.now))
        # the input's: that of a run would change with every run
        xml += _date(
            "lastBuildDate", without_future(feed.built, "lastBuildDate", writer, options.now)
        )
        for category in feed.categories:
            xml += writer.leaf("category", category.text, (("domain", category.scheme or None),))
        xml += writer.leaf("generator", feed.generator)
        xml += writer.leaf("creativeCommons:license", writer.url(feed.license, "license"))
        if image := writer.url(feed.image, "image"):
            inner = writer.leaf("url", image) + _title(title, writer) + writer.leaf("link", link)
            xml += writer.element("image", inner)
        return xml

    # -- the item -----------------------------------------------------------------------------

    def _core(self, entry: Entry, writer: ElementWriter) -> str:
        has_media = entry.videos or entry.audios or entry.images
        core = self._texts(entry, writer)
        if authors := entry_authors(entry):
            core += _author(authors[0], writer)
        if entry.categories or entry.podcast or entry.videos:
            core += self._categories(entry, writer)
        if entry.comments:
            core += writer.leaf("comments", writer.url(entry.comments, "comments"))
        if has_media:
            core += self._enclosure(entry, writer)
        core += self._guid(entry, writer)
        if entry.published or entry.updated:
            core += self._dates(entry, writer)
        return core + self._rest(entry, writer)

    def _rest(self, entry: Entry, writer: ElementWriter) -> str:
        rest = _source(entry.source, writer) if entry.source else ""
        if entry.lang:
            rest += writer.leaf("dc:language", language(entry.lang))
        if entry.copyright is not None:
            rest += writer.leaf("dc:rights", entry.copyright)
        if entry.links:
            rest += "".join([writer.link("atom:link", link) for link in entry.links])
        return rest + writer.modules(entry.extra) if entry.extra else rest

    def _texts(self, entry: Entry, writer: ElementWriter) -> str:
        """Write title, link, description and content, in the order that validators want."""
        title = None
        if entry.title or entry.summary is None:
            title = self._required.title(entry, writer)
        summary, content = entry.summary, entry.content
        if summary is None and content is not None:
            message = "content without a description before it; the title is written as one"
            writer.warn(Code.SUPPLIED_DESCRIPTION, message, "description")
            summary = Text(value=title or "")
        return (
            (_title(title, writer) if title else "")
            + writer.leaf("link", writer.url(entry.loc, "link"))
            + ("" if summary is None else writer.leaf("description", writer.html(summary)))
            + ("" if content is None else writer.leaf("content:encoded", writer.html(content)))
        )

    def _categories(self, entry: Entry, writer: ElementWriter) -> str:
        """Write the categories; where Media RSS cannot hold tags, they are categories too."""
        xml = ""
        for category in entry.categories:
            if text := writer.inline(category.text, "category"):
                domain = (("domain", category.scheme),) if category.scheme else ()
                xml += writer.leaf("category", text, domain)
        if not entry.categories and not self._with_media:
            for name in _tags(entry):
                xml += writer.leaf("category", writer.inline(name, "category") or None)
        return xml

    def _enclosure(self, entry: Entry, writer: ElementWriter) -> str:
        """Write the one enclosure that RSS allows, whose type must be known."""
        given = media.enclosures(entry, self._options)
        for rendition in given:
            mime = rendition.mime or media_types.mime_of(rendition.url)
            url = writer.url(rendition.url, "enclosure")
            if url and mime and urls.is_http(url):
                length = ("length", str(max(rendition.size_bytes or 0, 0)))  # 0 is "unknown"
                return writer.empty("enclosure", (("url", url), length, ("type", mime)))
        if given:
            message = "no http(s) file of a known type; an enclosure cannot do without"
            writer.warn(Code.DROPPED_FIELD, message, "enclosure")
        return ""

    def _guid(self, entry: Entry, writer: ElementWriter) -> str:
        guid = self._required.id(entry, writer, iri=False)
        is_permalink = guid == entry.loc and entry.id_is_permalink is not False
        return writer.leaf("guid", guid, (("isPermaLink", "true" if is_permalink else "false"),))

    def _dates(self, entry: Entry, writer: ElementWriter) -> str:
        now = self._options.now
        published = without_future(entry.published, "published", writer, now)
        updated = without_future(entry.updated, "updated", writer, now)
        if published is None and updated is not None:
            message = "no date of publication; that of the update is written as pubDate"
            writer.warn(Code.DATE_ASSUMED, message, "pubDate")
            published = updated
        if published is None:
            return ""
        report_added_time(published, "published", writer)
        written = _date("pubDate", published)
        if updated is None or updated.instant <= published.instant:
            return written
        if updated.is_partial:
            report_added_time(updated, "updated", writer)
            return written + writer.leaf("dcterms:modified", dates.to_rfc3339(updated))
        return written + writer.leaf("dcterms:modified", dates.to_w3c(updated, zulu=True))


def mrss_writer(options: WriteOptions) -> RssWriter:
    """Make a writer of RSS with Media RSS."""
    return RssWriter(options, with_media=True)


# -- elements without state -------------------------------------------------------------------


def _title(title: str, writer: ElementWriter) -> str:
    leaf = writer.leaf("title", title)
    if ("<" in title or "&" in title) and _LIKE_MARKUP.search(title):
        return leaf.replace("&lt;", "&#x3C;").replace("&amp;", "&#x26;")
    return leaf


def _date(name: str, moment: Moment | None) -> str:
    return "" if moment is None else f"<{name}>{dates.to_rfc822(moment)}</{name}>"


def _author(person: Person, writer: ElementWriter) -> str:
    """Write one author: `author` wants an address, `dc:creator` a name; both are one too many."""
    name = to_plain_text(person.name)
    if (email := mail_address(person, writer)) is None:
        return writer.leaf("dc:creator", name)
    return writer.leaf("author", f"{email} ({name})" if name else email)


def _tags(entry: Entry) -> tuple[str, ...]:
    for video in entry.videos:
        if names := tags.unique(video.keywords) or tags.names_by_weight(video.tags):
            return names
    return entry.podcast.keywords if entry.podcast else ()


def _source(source: Link, writer: ElementWriter) -> str:
    url = writer.url(source.href, "source")
    return writer.leaf("source", source.title or url, (("url", url),)) if url else ""
