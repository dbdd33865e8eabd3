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
from converter.vocab.sheet import ElementWriter, language
from converter.vocab.supply import RequiredFields, come, flagged, mail_of, people
from converter.xml.emit import DECLARATION, indent
from converter.xml.names import URI_OF

__all__ = ["AtomWriter"]


class AtomWriter:
    """Entries to `entry` elements."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options
        self._required = RequiredFields(options)
        self._supplied: list[Issue] = []

    def entry(self, entry: Entry, report: Report, /) -> Rendered:
        """Render one `entry`; one without `loc` is an entry too."""
        writer = ElementWriter.of(entry, report)
        self._required.see(entry)
        core = "".join(self._core(entry, writer))
        objects = media.objects(entry, writer, self._options)
        xml = f"<entry{_lang(entry.lang)}>{core}{objects.xml}</entry>"
        return Rendered(
            self._laid_out(xml, 1),
            frozenset(writer.prefixes),
            objects.images,
            objects.videos,
        )

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the feed up to its first entry, with the namespaces that are used."""
        self._supplied = []
        writer = ElementWriter(self._supplied.append)
        inner = "".join(self._header(feed, writer))
        declared = "".join(
            f' xmlns:{prefix}="{URI_OF[prefix]}"' for prefix in sorted(prefixes | writer.prefixes)
        )
        start = f'<feed xmlns="{URI_OF["atom"]}"{declared}{_lang(feed.lang)}>{inner}'
        return DECLARATION.encode() + self._laid_out(start, 0)

    def tail(self, feed: Feed, /) -> bytes:
        """Render the end."""
        return self._laid_out("</feed>", 1)

    def finish(self, report: Report, /) -> None:
        """Report what the feed was supplied with."""
        for issue in self._supplied:
            report(issue)

    def _laid_out(self, xml: str, depth: int) -> bytes:
        return (indent(xml, depth) if self._options.pretty else f"{xml}\n").encode()

    # -- the feed -----------------------------------------------------------------------------

    def _header(self, feed: Feed, writer: ElementWriter) -> Iterator[str]:
        required, options = self._required, self._options
        yield writer.leaf("title", required.feed_title(feed, writer))
        yield writer.leaf("id", required.feed_id(feed, writer))
        yield writer.leaf("updated", dates.to_rfc3339(required.feed_updated(feed, writer)))
        yield from self._authors(required.feed_authors(feed, writer), writer)
        if options.self_url:
            given = (("rel", "self"), ("type", "application/atom+xml"), ("href", options.self_url))
            yield writer.empty("link", given)
        if page := writer.url(options.link or feed.link, "link"):
            yield writer.empty("link", (("rel", "alternate"), ("href", page)))
        yield from _links(feed.links, feed.license, writer)
        yield writer.leaf("subtitle", options.description or feed.description)
        yield writer.leaf("rights", feed.copyright)
        yield from _categories(feed.categories, writer)
        yield writer.leaf("generator", feed.generator)
        yield writer.leaf("logo", writer.url(feed.image, "logo"))

    # -- the entry ----------------------------------------------------------------------------

    def _core(self, entry: Entry, writer: ElementWriter) -> Iterator[str]:
        title = self._required.title(entry, writer)
        published = come(entry.published, "published", writer, self._options.now)
        updated = self._required.updated(entry, published, writer)
        yield writer.leaf("title", title)
        yield writer.leaf("id", self._required.id(entry, writer, iri=True))
        yield writer.leaf("updated", dates.to_rfc3339(updated))
        if published is not None:
            moment = flagged(published, "published", writer)
            yield writer.leaf("published", dates.to_rfc3339(moment))
        makers = people(entry)
        if not makers:
            self._required.miss_author()
        yield from self._authors(makers, writer)
        yield from _pages(entry, writer)
        yield from _links(entry.links, entry.license, writer)
        yield from self._enclosures(entry, writer)
        yield from _texts(entry, title, writer)
        yield from _categories(entry.categories, writer)
        yield writer.leaf("rights", entry.copyright)
        yield _source(entry, writer)
        yield writer.modules(entry.extra)

    def _authors(self, makers: Iterable[Person], writer: ElementWriter) -> Iterator[str]:
        for maker in makers:
            person = self._required.named(maker, writer)
            inner = (
                writer.leaf("name", readable(person.name)),
                writer.leaf("uri", writer.url(person.uri, "author/uri")),
                writer.leaf("email", mail_of(person, writer)),
            )
            yield writer.element("author", "".join(inner))

    def _enclosures(self, entry: Entry, writer: ElementWriter) -> Iterator[str]:
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
                yield writer.empty("link", given)


# -- elements that need nothing remembered ----------------------------------------------------


def _lang(tag: str | None) -> str:
    given = language(tag)
    return f' xml:lang="{given}"' if given else ""


def _pages(entry: Entry, writer: ElementWriter) -> Iterator[str]:
    """Write the page, and its versions in other languages; each language once."""
    if page := writer.url(entry.loc, "link"):
        yield writer.empty("link", (("rel", "alternate"), ("href", page)))
    by_language = {version.hreflang.lower(): version for version in reversed(entry.alternates)}
    for version in reversed(by_language.values()):
        if href := writer.url(version.href, "link"):
            given = (("rel", "alternate"), ("hreflang", version.hreflang), ("href", href))
            yield writer.empty("link", given)


def _links(links: Iterable[Link], license_url: str | None, writer: ElementWriter) -> Iterator[str]:
    given = list(links)
    if license_url and all(link.rel != "license" for link in given):
        given.append(Link(href=license_url, rel="license"))
    for link in given:
        if href := writer.url(link.href, "link"):
            attributes = (
                ("rel", link.rel),
                ("type", link.type),
                ("hreflang", link.hreflang),
                ("title", link.title),
                ("href", href),
            )
            yield writer.empty("link", attributes)


def _texts(entry: Entry, title: str, writer: ElementWriter) -> Iterator[str]:
    """Write summary and content; some text there must be, and without a page a content."""
    summary = entry.summary
    if summary is None and entry.content is None:
        summary = _description(entry) or Text(value=title)
        message = "neither summary nor content; what is known of the entry is written"
        writer.warn(Code.SUPPLIED_DESCRIPTION, message, "summary")
    needs_content = entry.content is None and not entry.loc
    yield _construct("summary", summary, writer)
    yield _construct("content", summary if needs_content else entry.content, writer)


def _description(entry: Entry) -> Text | None:
    described = (video.description for video in entry.videos if readable(video.description))
    return next(described, None)


def _construct(name: str, value: Text | None, writer: ElementWriter) -> str:
    if value is None:
        return ""
    if value.is_html:
        return writer.leaf(name, writer.html(value), (("type", "html"),))
    return writer.leaf(name, value.value)


def _categories(categories: Iterable[Category], writer: ElementWriter) -> Iterator[str]:
    for category in categories:
        if term := writer.inline(category.term, "category"):
            given = (
                ("term", term),
                ("scheme", writer.identifier(category.scheme)),
                ("label", category.label or None),
            )
            yield writer.empty("category", given)


def _source(entry: Entry, writer: ElementWriter) -> str:
    source = entry.source
    if source is None or not (href := writer.url(source.href, "source")):
        return ""
    link = writer.empty("link", (("rel", "self"), ("href", href)))
    return writer.element("source", writer.leaf("title", source.title) + link)
