"""Atom 1.0 as it is written, with Media RSS inside: https://www.rfc-editor.org/rfc/rfc4287.

What validators refuse, and what is made where the input lacks it: mapping 4.2 to 4.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converter.issues import Code, Issue, Report
from converter.model import Category, Entry, Feed, Link, Person, Text
from converter.options import WriteOptions
from converter.seams import Rendered
from converter.values import dates
from converter.vocab.media import write as media
from converter.vocab.page import readable
from converter.vocab.sheet import Sheet, language
from converter.vocab.supply import Supplier, come, flagged, mail_of, people
from converter.xml.emit import DECLARATION, indent
from converter.xml.names import URI_OF

__all__ = ["AtomWriter"]


class AtomWriter:
    """Entries to `entry` elements."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options
        self._supplier = Supplier(options)
        self._supplied: list[Issue] = []

    def entry(self, entry: Entry, report: Report, /) -> Rendered:
        """Render one `entry`; one without `loc` is an entry too."""
        sheet = Sheet.of(entry, report)
        self._supplier.see(entry)
        core = "".join(self._core(entry, sheet))
        objects = media.objects(entry, sheet, self._options)
        xml = f"<entry{_lang(entry.lang)}>{core}{objects.xml}</entry>"
        return Rendered(
            self._laid_out(xml, 1),
            frozenset(sheet.prefixes),
            objects.images,
            objects.videos,
        )

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the feed up to its first entry, with the namespaces that are used."""
        self._supplied = []
        sheet = Sheet(self._supplied.append)
        inner = "".join(self._header(feed, sheet))
        declared = "".join(
            f' xmlns:{prefix}="{URI_OF[prefix]}"' for prefix in sorted(prefixes | sheet.prefixes)
        )
        start = f'<feed xmlns="{URI_OF["atom"]}"{declared}{_lang(feed.lang)}>{inner}'
        return DECLARATION.encode() + self._laid_out(start, 0)

    def tail(self, feed: Feed, /) -> bytes:
        """Render the end."""
        return self._laid_out("</feed>", 1)

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report what the feed was supplied with."""
        for issue in self._supplied:
            report(issue)

    def _laid_out(self, xml: str, depth: int) -> bytes:
        return (indent(xml, depth) if self._options.pretty else f"{xml}\n").encode()

    # -- the feed -----------------------------------------------------------------------------

    def _header(self, feed: Feed, sheet: Sheet) -> Iterator[str]:
        supplier, options = self._supplier, self._options
        yield sheet.leaf("title", supplier.feed_title(feed, sheet))
        yield sheet.leaf("id", supplier.feed_id(feed, sheet))
        yield sheet.leaf("updated", dates.to_rfc3339(supplier.feed_updated(feed, sheet)))
        yield from self._authors(supplier.feed_authors(feed, sheet), sheet)
        if options.self_url:
            given = (("rel", "self"), ("type", "application/atom+xml"), ("href", options.self_url))
            yield sheet.empty("link", given)
        if page := sheet.url(options.link or feed.link, "link"):
            yield sheet.empty("link", (("rel", "alternate"), ("href", page)))
        yield from _links(feed.links, feed.license, sheet)
        yield sheet.leaf("subtitle", options.description or feed.description)
        yield sheet.leaf("rights", feed.copyright)
        yield from _categories(feed.categories, sheet)
        yield sheet.leaf("generator", feed.generator)
        yield sheet.leaf("logo", sheet.url(feed.image, "logo"))

    # -- the entry ----------------------------------------------------------------------------

    def _core(self, entry: Entry, sheet: Sheet) -> Iterator[str]:
        title = self._supplier.title(entry, sheet)
        published = come(entry.published, "published", sheet, self._options.now)
        updated = self._supplier.updated(entry, published, sheet)
        yield sheet.leaf("title", title)
        yield sheet.leaf("id", self._supplier.id(entry, sheet, iri=True))
        yield sheet.leaf("updated", dates.to_rfc3339(updated))
        if published is not None:
            moment = flagged(published, "published", sheet)
            yield sheet.leaf("published", dates.to_rfc3339(moment))
        makers = people(entry)
        if not makers:
            self._supplier.miss_author()
        yield from self._authors(makers, sheet)
        yield from _pages(entry, sheet)
        yield from _links(entry.links, entry.license, sheet)
        yield from self._enclosures(entry, sheet)
        yield from _texts(entry, title, sheet)
        yield from _categories(entry.categories, sheet)
        yield sheet.leaf("rights", entry.copyright)
        yield _source(entry, sheet)
        yield sheet.modules(entry.extra)

    def _authors(self, makers: Iterable[Person], sheet: Sheet) -> Iterator[str]:
        for maker in makers:
            person = self._supplier.named(maker, sheet)
            inner = (
                sheet.leaf("name", readable(person.name)),
                sheet.leaf("uri", sheet.url(person.uri, "author/uri")),
                sheet.leaf("email", mail_of(person, sheet)),
            )
            yield sheet.element("author", "".join(inner))

    def _enclosures(self, entry: Entry, sheet: Sheet) -> Iterator[str]:
        for rendition in media.enclosures(entry, self._options):
            if href := sheet.url(rendition.url, "enclosure"):
                size = rendition.size_bytes
                given = (
                    ("rel", "enclosure"),
                    ("type", rendition.mime),
                    ("hreflang", rendition.lang),
                    ("title", rendition.title),
                    ("length", str(size) if size and size > 0 else None),
                    ("href", href),
                )
                yield sheet.empty("link", given)


# -- elements that need nothing remembered ----------------------------------------------------


def _lang(tag: str | None) -> str:
    given = language(tag)
    return f' xml:lang="{given}"' if given else ""


def _pages(entry: Entry, sheet: Sheet) -> Iterator[str]:
    """Write the page, and its versions in other languages; each language once."""
    if page := sheet.url(entry.loc, "link"):
        yield sheet.empty("link", (("rel", "alternate"), ("href", page)))
    by_language = {version.hreflang.lower(): version for version in reversed(entry.alternates)}
    for version in reversed(by_language.values()):
        if href := sheet.url(version.href, "link"):
            given = (("rel", "alternate"), ("hreflang", version.hreflang), ("href", href))
            yield sheet.empty("link", given)


def _links(links: Iterable[Link], license_url: str | None, sheet: Sheet) -> Iterator[str]:
    given = list(links)
    if license_url and all(link.rel != "license" for link in given):
        given.append(Link(href=license_url, rel="license"))
    for link in given:
        if href := sheet.url(link.href, "link"):
            attributes = (
                ("rel", link.rel),
                ("type", link.type),
                ("hreflang", link.hreflang),
                ("title", link.title),
                ("href", href),
            )
            yield sheet.empty("link", attributes)


def _texts(entry: Entry, title: str, sheet: Sheet) -> Iterator[str]:
    """Write summary and content; some text there must be, and without a page a content."""
    summary = entry.summary
    if summary is None and entry.content is None:
        summary = _description(entry) or Text(value=title)
        message = "neither summary nor content; what is known of the entry is written"
        sheet.tell(Code.SUPPLIED_DESCRIPTION, message, "summary")
    needs_content = entry.content is None and not entry.loc
    yield _construct("summary", summary, sheet)
    yield _construct("content", summary if needs_content else entry.content, sheet)


def _description(entry: Entry) -> Text | None:
    described = (video.description for video in entry.videos if readable(video.description))
    return next(described, None)


def _construct(name: str, value: Text | None, sheet: Sheet) -> str:
    if value is None:
        return ""
    if value.is_html:
        return sheet.leaf(name, sheet.html(value), (("type", "html"),))
    return sheet.leaf(name, value.value)


def _categories(categories: Iterable[Category], sheet: Sheet) -> Iterator[str]:
    for category in categories:
        if term := sheet.inline(category.term, "category"):
            given = (
                ("term", term),
                ("scheme", sheet.identifier(category.scheme)),
                ("label", category.label or None),
            )
            yield sheet.empty("category", given)


def _source(entry: Entry, sheet: Sheet) -> str:
    source = entry.source
    if source is None or not (href := sheet.url(source.href, "source")):
        return ""
    link = sheet.empty("link", (("rel", "self"), ("href", href)))
    return sheet.element("source", sheet.leaf("title", source.title) + link)
