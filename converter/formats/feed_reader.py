"""Reads an XML feed: the loop over its entries, and the header, that RSS and Atom share.

A format provides a `FeedDialect`: the names of its elements, a function that fills a `Feed` from
the elements of the header, and one that fills an `Entry` from its children.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import BinaryIO, Final, NamedTuple

from converter.extensions.feed_rules import RuleTable, add_html_images
from converter.extensions.links import relation
from converter.extensions.mediarss import INHERITED_NAMES, NAMES, NO_MEDIA, EntryMedia
from converter.extensions.read_context import ReadContext
from converter.issues import Code, Issue, Report, errors_naming
from converter.model import MOST_OTHER, OTHER_REST, Entry, Feed
from converter.options import ReadOptions
from converter.values import urls
from converter.xml import extract
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Children, Element, line_of
from converter.xml.namespaces import XML_BASE, XML_LANG, CanonicalNames, canonical_prefix

#: Elements of one name in a header: a bound on memory.
_MOST_OF_A_NAME: Final = 64

#: An element that lists the items that follow: https://web.resource.org/rss/1.0/spec#s5.3.5
_NO_FIELD: Final = "items"

#: Media RSS in a header is inherited or read, and not counted as unread.
_ALL_READ: Final = EntryMedia(names_read=NAMES)

#: The fields of a header that entries depend on.
_DEPENDED_ON: Final = attrgetter(
    *("authors", "image", "lang", "license", "link", "podcast", "ratings", "self_url", "words")
)


class FeedDialect(NamedTuple):
    """The names and functions of one feed format."""

    format: str
    names: CanonicalNames
    entries: frozenset[str]
    containers: frozenset[str]
    item_path: str
    header_path: str
    unqualified: frozenset[str]
    """Elements whose namespace is ignored, in them and in their descendants (mapping 3.0)."""
    header: RuleTable
    entry: RuleTable
    find_links: Callable[[ReadContext], None]
    """Finds the links of the entry or the header."""
    why_left_out: Callable[[ReadContext], str | None]
    """Returns why the entry is left out, if it is."""


class FeedDocument:
    """Reads the document as its entries are iterated; see `formats.base.Document`."""

    children: tuple[str, ...] = ()

    def __init__(
        self, stream: BinaryIO, options: ReadOptions, report: Report, dialect: FeedDialect
    ) -> None:
        self._has_late_element = False
        self._dialect = dialect
        self._options = options
        self._walker = EntryParser(
            stream,
            entries=dialect.entries,
            containers=dialect.containers,
            on_header=self._take_header,
            is_field=self._is_field,
            on_restart=self._restart,
            report=report,
        )
        self._context = ReadContext(self._walker.report, options, dialect.names, dialect.item_path)
        self._restart()

    def _restart(self) -> None:
        self._feed = Feed(format=self._dialect.format, source=self._options.name)
        self._found: Children = {}
        self._others: dict[str, None] = {}
        self._cut: set[str] = set()
        self._reported: set[Issue] = set()
        self._is_stale = True
        self._first_entry_read = False
        self._container: Element | None = None
        self._container_bases: list[str] = []
        self._container_lang: str | None = None
        self._container_namespaces: frozenset[str] = frozenset()
        self._entry_base: str | None = None
        self._apply_header()

    # -- the header -----------------------------------------------------------------------

    @property
    def feed(self) -> Feed:
        """The header so far; complete once `entries` is exhausted, or if it was given."""
        return self._options.header or self._read_so_far()

    @property
    def header_changed(self) -> bool:
        """A header field that entries depend on came after the first of them."""
        return self._has_late_element and self._options.header is None

    def _read_so_far(self) -> Feed:
        """Return the header; read it again if elements were added to it."""
        if self._is_stale:
            self._is_stale = False
            feed = Feed(format=self._dialect.format, source=self._options.name)
            context = self._header_context(feed)
            self._dialect.find_links(context)
            self._dialect.header.fill(context)
            feed.lang = feed.lang or self._container_lang
            feed.other = tuple(self._others)
            self._feed = feed
            self._apply_header()
        return self._feed

    def _header_context(self, feed: Feed) -> ReadContext:
        base = self._options.base_url or self._options.source_url or self._header_base()
        context = ReadContext(
            self._report_once,
            self._options,
            self._dialect.names,
            self._dialect.header_path,
            base=_resolved(self._container_bases, base),
            has_xml_base=bool(self._container_bases),
            lang=self._container_lang,
            feed=feed,
            children=dict(self._found),
            media=_ALL_READ,
        )
        context.draft = feed
        return context

    def _header_base(self) -> str | None:
        """Return the base that `xml:base` itself resolves against (mapping 6.3, ranks 2 to 5)."""
        links = [e for name in ("atom:link", "link") for e in self._found.get(name, ())]
        for wanted in ("self", "alternate"):
            for element in links:
                href = (element.get("href") or extract.text_of(element)).strip()
                if relation(element) == wanted and urls.is_http(href):
                    return href
        return None

    def _report_once(self, issue: Issue) -> None:
        """Report an issue of the header, which is read again with each late element."""
        if issue not in self._reported:
            self._reported.add(issue)
            self._walker.report(issue)

    def _is_field(self, element: Element) -> bool:
        """Return True if an element may be a header field; its container decides on namespaces."""
        names, known = self._dialect.names, self._dialect.header.names
        return names[element.tag] in known or names[extract.local_name(element)] in known

    def _take_header(self, element: Element) -> None:
        container, names = element.getparent(), self._dialect.names
        if namespaces := self._ignored_namespaces(container):
            extract.remove_namespaces((element,), namespaces, names)
        name = names[element.tag]
        if name not in self._dialect.header.names:
            if name != _NO_FIELD:
                self._count_unread(element, name)
            return
        if self._container is None:
            self._enter(container)
        of_name = self._found.setdefault(name, [])
        if len(of_name) >= _MOST_OF_A_NAME:
            message = f"more than {_MOST_OF_A_NAME} <{name}>; the further ones are not read"
            if name not in self._cut:
                self._cut.add(name)
                self._report_field(Code.HEADER_CUT, message, element, name)
            return
        may_be_late = self._first_entry_read and not self._has_late_element
        before = self._read_so_far() if may_be_late else None
        of_name.append(copy.deepcopy(element))
        self._is_stale = True
        if before is not None and _DEPENDED_ON(before) != _DEPENDED_ON(self._read_so_far()):
            self._has_late_element = True
            message = f"{name} is after the first entry; the document is read again with it"
            self._report_field(Code.HEADER_LATE, message, element, name)

    def _count_unread(self, element: Element, name: str) -> None:
        """Remember the name of an element that nothing reads."""
        name = extract.reported_name(element, name)
        if name not in self._others and OTHER_REST not in self._others:
            self._others[name if len(self._others) < MOST_OTHER else OTHER_REST] = None
            self._is_stale = True

    def _report_field(self, code: Code, message: str, element: Element, name: str) -> None:
        path = f"{self._dialect.header_path}/{name}".rstrip("/")
        self._walker.report(Issue(code=code, message=message, line=line_of(element), path=path))

    # -- entries --------------------------------------------------------------------------

    @property
    def entries(self) -> Iterator[Entry]:
        """Read the document, once."""
        context, dialect = self._context, self._dialect
        with errors_naming(self._options.name):
            for element in self._walker:
                container = element.getparent()
                if container is not self._container:
                    self._enter(container)
                self._first_entry_read = True
                if self._is_stale:
                    self._read_so_far()
                self._begin(element)
                if why := dialect.why_left_out(context):
                    context.warn(Code.ENTRY_SKIPPED, f"{why}; left out", element)
                    continue
                dialect.find_links(context)
                dialect.entry.fill(context)
                if self._options.scan_html:
                    add_html_images(context)
                yield context.entry
            self._read_so_far()  # a field behind the last entry may be unreadable too

    def _begin(self, element: Element) -> None:
        """Set the context to an entry; of its children only the names are read."""
        context, names = self._context, self._dialect.names
        if self._container_namespaces or names[element.tag] not in self._dialect.entries:
            namespaces = self._container_namespaces | self._ignored_namespace(element)
            extract.remove_namespaces(element, namespaces, names)
        context.base, context.has_xml_base = self._entry_base, bool(self._container_bases)
        context.lang = context.feed.lang or self._container_lang
        context.label = context.unread = own_lang = None
        context.links, context.is_live, context.media = (), False, NO_MEDIA
        if element.attrib:
            own_lang = element.get(XML_LANG)
            context.lang = own_lang or context.lang
            if own_base := element.get(XML_BASE):
                context.base, context.has_xml_base = _resolved([own_base], context.base), True
        context.element, context.children = element, extract.children_by_name(element, names)
        entry = context.entry = context.draft = Entry()
        entry.lang, entry.line, entry.feed = own_lang, line_of(element), context.feed

    def _enter(self, container: Element | None) -> None:
        self._container = container
        self._container_namespaces = self._ignored_namespaces(container)
        self._container_bases = [] if container is None else extract.xml_bases(container)
        self._container_lang = (
            None if container is None else extract.inherited_attribute(container, XML_LANG)
        )
        self._apply_header()

    def _apply_header(self) -> None:
        """Set the context of the entries in this container to the header so far."""
        context, header = self._context, self._options.header
        feed = context.feed = header or self._feed
        base = self._options.base_url or self._options.source_url or feed.self_url or feed.link
        self._entry_base = _resolved(self._container_bases, base)
        if header is None:
            context.feed_media = {
                name: e for name, e in self._found.items() if name in INHERITED_NAMES
            }
            return
        context.feed_media = {}
        for kept in header.words:
            context.feed_media.setdefault(kept.name, []).append(extract.from_extra_element(kept))

    # -- ignored namespaces ---------------------------------------------------------------

    def _ignored_namespaces(self, container: Element | None) -> frozenset[str]:
        """Return the ignored namespaces of a container and its ancestors."""
        found: frozenset[str] = frozenset()
        at = container if self._dialect.unqualified else None
        while at is not None:
            found |= self._ignored_namespace(at)
            at = at.getparent()
        return found

    def _ignored_namespace(self, element: Element) -> frozenset[str]:
        """Return the namespace of an element if it is ignored.

        The namespace of RDF is not, because `rdf:Description` is no description; those of RSS need
        not be, because `CanonicalNames` knows them.
        """
        uri, _, local = str(element.tag).rpartition("}")
        if not uri or local.lower() not in self._dialect.unqualified:
            return frozenset()
        prefix = canonical_prefix(uri[1:])
        if prefix == "rss" or (prefix == "rdf" and local.lower() == "rdf"):
            return frozenset()
        return frozenset({uri[1:]})


def _resolved(references: Iterable[str], base: str | None) -> str | None:
    """Resolve each `xml:base`, outermost first, against the one outside of it."""
    for reference in references:
        resolved = urls.resolve(reference, base).url
        base = resolved if resolved and urls.is_http(resolved) else base
    return base
