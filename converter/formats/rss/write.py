"""RSS 2.0 as it is written, plain or with Media RSS: https://www.rssboard.org/rss-specification.

What validators refuse, and what is made where the input lacks it: mapping 4.1, 4.3, 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed, Link, Moment, Person, Text
from converter.options import WriteOptions
from converter.seams import Rendered
from converter.values import dates, mediatypes, tags, urls
from converter.values.patterns import lazy
from converter.vocab.media import write as media
from converter.vocab.page import readable
from converter.vocab.sheet import Sheet, language
from converter.vocab.supply import Supplier, come, flagged, mail_of, people
from converter.xml.emit import DECLARATION, indent
from converter.xml.names import URI_OF

__all__ = ["RssWriter", "mrss_writer"]

#: What readers take for markup in a title: only these spellings pass validators without a warning.
#: https://www.rssboard.org/rss-profile#data-types-characterdata
_LIKE_MARKUP: Final = lazy(r"<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]+;)")


class RssWriter:
    """Entries to `item` elements."""

    def __init__(self, options: WriteOptions, *, with_media: bool = False) -> None:
        self._options = options
        self._with_media = with_media
        self._supplier = Supplier(options)
        self._supplied: list[Issue] = []

    def entry(self, entry: Entry, report: Report, /) -> Rendered:
        """Render one `item`; one without `loc` is an item too."""
        sheet = Sheet.of(entry, report)
        self._supplier.see(entry)
        core = self._core(entry, sheet)
        images = videos = 0
        if self._with_media:
            objects = media.objects(entry, sheet, self._options)
            core, images, videos = core + objects.xml, objects.images, objects.videos
        return Rendered(
            self._laid_out(f"<item>{core}</item>", 2),
            frozenset(sheet.prefixes),
            images,
            videos,
        )

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the channel up to its first item, with the namespaces that are used."""
        self._supplied = []
        sheet = Sheet(self._supplied.append)
        inner = "".join(self._channel(feed, sheet))
        declared = "".join(
            f' xmlns:{prefix}="{URI_OF[prefix]}"' for prefix in sorted(prefixes | sheet.prefixes)
        )
        start = f'<rss version="2.0"{declared}><channel>{inner}'
        return DECLARATION.encode() + self._laid_out(start, 0)

    def tail(self, feed: Feed, /) -> bytes:
        """Render the end."""
        return self._laid_out("</channel></rss>", 2)

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report what the channel was supplied with."""
        for issue in self._supplied:
            report(issue)

    def _laid_out(self, xml: str, depth: int) -> bytes:
        return (indent(xml, depth) if self._options.pretty else f"{xml}\n").encode()

    # -- the channel --------------------------------------------------------------------------

    def _channel(self, feed: Feed, sheet: Sheet) -> Iterator[str]:
        supplier, options = self._supplier, self._options
        title, link = supplier.feed_title(feed, sheet), supplier.feed_link(feed, sheet)
        yield _title(title, sheet)
        yield sheet.leaf("link", link)
        yield sheet.leaf("description", supplier.feed_description(feed, sheet))
        yield sheet.leaf("language", language(feed.lang))
        if options.self_url:
            given = (("rel", "self"), ("type", "application/rss+xml"), ("href", options.self_url))
            yield sheet.empty("atom:link", given)
        yield from (_atom_link(each, sheet) for each in feed.links)
        yield sheet.leaf("copyright", feed.copyright)
        if options.author or feed.authors:
            yield sheet.leaf("dc:creator", options.author or readable(feed.authors[0].name))
        yield _date("pubDate", come(feed.published, "pubDate", sheet, options.now))
        # the input's: that of a run would change with every run
        yield _date("lastBuildDate", come(feed.built, "lastBuildDate", sheet, options.now))
        for category in feed.categories:
            yield sheet.leaf("category", category.text, (("domain", category.scheme or None),))
        yield sheet.leaf("generator", feed.generator)
        yield sheet.leaf("creativeCommons:license", sheet.url(feed.license, "license"))
        if image := sheet.url(feed.image, "image"):
            inner = sheet.leaf("url", image) + _title(title, sheet) + sheet.leaf("link", link)
            yield sheet.element("image", inner)

    # -- the item -----------------------------------------------------------------------------

    def _core(self, entry: Entry, sheet: Sheet) -> str:
        has_media = entry.videos or entry.audios or entry.images
        core = self._texts(entry, sheet)
        if entry.authors or entry.podcast or entry.videos:
            core += _author(entry, sheet)
        if entry.categories or entry.podcast or entry.videos:
            core += self._categories(entry, sheet)
        if entry.comments:
            core += sheet.leaf("comments", sheet.url(entry.comments, "comments"))
        if has_media:
            core += self._enclosure(entry, sheet)
        core += self._guid(entry, sheet)
        if entry.published or entry.updated:
            core += self._dates(entry, sheet)
        return core + self._rest(entry, sheet)

    def _rest(self, entry: Entry, sheet: Sheet) -> str:
        rest = _source(entry, sheet) if entry.source else ""
        if entry.lang:
            rest += sheet.leaf("dc:language", language(entry.lang))
        if entry.copyright is not None:
            rest += sheet.leaf("dc:rights", entry.copyright)
        if entry.links:
            rest += "".join([_atom_link(link, sheet) for link in entry.links])
        return rest + sheet.modules(entry.extra) if entry.extra else rest

    def _texts(self, entry: Entry, sheet: Sheet) -> str:
        """Write title, link, description and content, in the order that validators want."""
        title = None
        if entry.title or entry.summary is None:
            title = self._supplier.title(entry, sheet)
        summary = entry.summary
        if summary is None and entry.content is not None:
            message = "content without a description before it; the title is written as one"
            sheet.tell(Code.SUPPLIED_DESCRIPTION, message, "description")
            summary = Text(value=title or "")
        return (
            (_title(title, sheet) if title else "")
            + sheet.leaf("link", sheet.url(entry.loc, "link"))
            + _html("description", summary, sheet)
            + _html("content:encoded", entry.content, sheet)
        )

    def _categories(self, entry: Entry, sheet: Sheet) -> str:
        """Write the categories; where Media RSS cannot hold tags, they are categories too."""
        listed = [(category.text, category.scheme) for category in entry.categories]
        if not listed and not self._with_media:
            listed = [(name, None) for name in _tags(entry)]
        return "".join(
            sheet.leaf("category", text, (("domain", domain or None),))
            for name, domain in listed
            if (text := sheet.inline(name, "category"))
        )

    def _enclosure(self, entry: Entry, sheet: Sheet) -> str:
        """Write the one enclosure that RSS allows, whose type must be known."""
        given = media.enclosures(entry, self._options)
        for rendition in given:
            mime = rendition.mime or mediatypes.mime_of(rendition.url)
            url = sheet.url(rendition.url, "enclosure")
            if url and mime and urls.is_http(url):
                length = ("length", str(max(rendition.size_bytes or 0, 0)))  # 0 is "unknown"
                return sheet.empty("enclosure", (("url", url), length, ("type", mime)))
        if given:
            message = "no http(s) file of a known type; an enclosure cannot do without"
            sheet.tell(Code.DROPPED_FIELD, message, "enclosure")
        return ""

    def _guid(self, entry: Entry, sheet: Sheet) -> str:
        guid = self._supplier.id(entry, sheet, iri=False)
        is_permalink = guid == entry.loc and entry.id_is_permalink is not False
        return sheet.leaf("guid", guid, (("isPermaLink", "true" if is_permalink else "false"),))

    def _dates(self, entry: Entry, sheet: Sheet) -> str:
        now = self._options.now
        published = come(entry.published, "published", sheet, now)
        updated = come(entry.updated, "updated", sheet, now)
        if published is None and updated is not None:
            message = "no date of publication; that of the update is written as pubDate"
            sheet.tell(Code.DATE_ASSUMED, message, "pubDate")
            published = updated
        if published is None:
            return ""
        written = _date("pubDate", flagged(published, "published", sheet))
        if updated is None or updated.instant <= published.instant:
            return written
        if updated.is_partial:
            flagged(updated, "updated", sheet)
            return written + sheet.leaf("dcterms:modified", dates.to_rfc3339(updated))
        return written + sheet.leaf("dcterms:modified", dates.to_w3c(updated, zulu=True))


def mrss_writer(options: WriteOptions) -> RssWriter:
    """Make a writer of RSS with Media RSS."""
    return RssWriter(options, with_media=True)


# -- elements that need nothing remembered ----------------------------------------------------


def _title(title: str, sheet: Sheet) -> str:
    leaf = sheet.leaf("title", title)
    if _LIKE_MARKUP.search(title):
        return leaf.replace("&lt;", "&#x3C;").replace("&amp;", "&#x26;")
    return leaf


def _html(name: str, value: Text | None, sheet: Sheet) -> str:
    return "" if value is None else sheet.leaf(name, sheet.html(value))


def _date(name: str, moment: Moment | None) -> str:
    return "" if moment is None else f"<{name}>{dates.to_rfc822(moment)}</{name}>"


def _author(entry: Entry, sheet: Sheet) -> str:
    """Write one author: `author` wants an address, `dc:creator` a name; both are one too many."""
    person = next(iter(people(entry)), Person())
    name = readable(person.name)
    if (email := mail_of(person, sheet)) is None:
        return sheet.leaf("dc:creator", name)
    return sheet.leaf("author", f"{email} ({name})" if name else email)


def _tags(entry: Entry) -> tuple[str, ...]:
    for video in entry.videos:
        if names := tags.unique(video.keywords) or tags.by_weight(video.tags):
            return names
    return entry.podcast.keywords if entry.podcast else ()


def _source(entry: Entry, sheet: Sheet) -> str:
    source = entry.source
    if source is None or not (url := sheet.url(source.href, "source")):
        return ""
    return sheet.leaf("source", source.title or url, (("url", url),))


def _atom_link(link: Link, sheet: Sheet) -> str:
    href = sheet.url(link.href, "link")
    given = (
        ("rel", link.rel),
        ("type", link.type),
        ("hreflang", link.hreflang),
        ("title", link.title),
        ("href", href),
    )
    return sheet.empty("atom:link", given) if href else ""
