"""A feed as a `Document`: the one walk that RSS and Atom share, and the header it gathers.

A format gives a `Dialect`: which elements are entries, and two functions, one from header
children to a `Feed` and one from an entry's children to an `Entry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, Final, NamedTuple

from converter.issues import Code, Issue, Report, naming
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.values import urls
from converter.vocab.context import Context
from converter.vocab.item import Item
from converter.vocab.links import relation
from converter.vocab.media import INHERITED
from converter.xml import take
from converter.xml.names import XML_BASE, XML_LANG, Names, prefix_of
from converter.xml.stream import Walk, line_of
from converter.xml.take import Children, Element

__all__ = ["Dialect", "FeedDocument"]

#: Of one name in a header, and of names that nothing reads; more is no header but an attack on
#: memory.
_MOST_OF_A_NAME: Final = 64
_MOST_OTHERS: Final = 64

#: It lists the items that follow: https://web.resource.org/rss/1.0/spec#s5.3.5
_NO_FIELD: Final = "items"

#: The fields of a header that entries depend on.
_DEPENDED_ON: Final = (
    "authors",
    "image",
    "lang",
    "license",
    "link",
    "podcast",
    "ratings",
    "self_url",
    "words",
)


class Dialect(NamedTuple):
    """What tells one feed format from another."""

    format: str
    names: Names
    entries: frozenset[str]
    containers: frozenset[str]
    header_names: frozenset[str]
    """What of a header is kept; the rest is not looked at again."""
    item_path: str
    header_path: str
    unqualified: frozenset[str]
    """Elements whose namespace counts as none, for themselves and inside them (mapping 3.0)."""
    header: Callable[[Children, Context, Names], Feed]
    entry: Callable[[Item], Entry | None]
    """Fills the entry of an item; None, and a report, if it is left out."""


class FeedDocument:
    """Reads as it is walked; see `seams.Document`."""

    children: tuple[str, ...] = ()

    def __init__(
        self, stream: BinaryIO, options: ReadOptions, report: Report, dialect: Dialect
    ) -> None:
        self._has_late_field = False
        self._dialect = dialect
        self._options = options
        self._walk = Walk(
            stream,
            entries=dialect.entries,
            containers=dialect.containers,
            on_header=self._take_header,
            is_field=self._is_field,
            on_restart=self._restart,
            report=report,
        )
        #: Of the entry that is being read.
        self._context = Context(self._walk.report, options, dialect.item_path)
        self._restart()

    def _restart(self) -> None:
        self._feed = Feed(format=self._dialect.format, source=self._options.name)
        self._found: Children = {}
        self._others: dict[str, None] = {}
        self._cut: set[str] = set()
        self._told: set[Issue] = set()
        self._stale = True
        self._first_entry_read = False
        self._container: Element | None = None
        self._container_bases: list[str] = []
        self._container_lang: str | None = None
        self._entry_base: str | None = None
        self._container_namespaces: frozenset[str] = frozenset()
        self._scope: Element | None = None
        self._scope_namespaces: frozenset[str] = frozenset()
        self._channel = self._defaults()

    # -- the header -----------------------------------------------------------------------

    @property
    def feed(self) -> Feed:
        """The header so far; complete once `entries` is exhausted, or if it was given."""
        return self._options.header or self._read_so_far()

    @property
    def is_late(self) -> bool:
        """A header field that entries depend on came after the first of them."""
        return self._has_late_field and self._options.header is None

    def _read_so_far(self) -> Feed:
        """Work the header out again, where fields were added to it.

        That is done, and told of, in a second walk too: what the first one told is forgotten.
        """
        if self._stale:
            self._stale = False
            feed = self._dialect.header(self._found, self._header_context(), self._dialect.names)
            self._feed = replace(feed, source=self._options.name, other=tuple(self._others))
            self._channel = self._defaults()
            self._set_entry_base()
        return self._feed

    def _is_field(self, element: Element) -> bool:
        """Say whether a header field may be read; in what namespace, only its container shows."""
        names, known = self._dialect.names, self._dialect.header_names
        return names[element.tag] in known or names[take.local_name(element)] in known

    def _take_header(self, element: Element) -> None:
        if namespaces := self._namespaces_of(element.getparent()):
            take.unqualify((element,), namespaces, self._dialect.names)
        name = self._dialect.names[element.tag]
        if name not in self._dialect.header_names:
            self._pass_over(element, name)
            return
        if self._container is None:
            self._enter(element.getparent())
        of_name = self._found.setdefault(name, [])
        if len(of_name) >= _MOST_OF_A_NAME:
            said = f"more than {_MOST_OF_A_NAME} <{name}>; those behind them are not read"
            self._cut_off(element, name, said)
            return
        is_news = self._first_entry_read and not self._has_late_field
        before = self._read_so_far() if is_news else None
        of_name.append(take.copied(element))
        self._stale = True
        if before is not None and self._matters(before):
            self._has_late_field = True
            message = f"{name} stands after the first entry; the document is read again with it"
            self._tell_once(
                Issue(
                    code=Code.HEADER_LATE,
                    message=message,
                    line=line_of(element),
                    path=f"{self._dialect.header_path}/{name}",
                )
            )

    def _pass_over(self, element: Element, name: str) -> None:
        """Keep the name of what is lost, as it is known, or as it is written."""
        if name == _NO_FIELD:
            return
        name = take.unread_name(element, name)
        if name in self._others:
            return
        if len(self._others) >= _MOST_OTHERS:
            said = f"more than {_MOST_OTHERS} elements that nothing reads; others are not counted"
            self._cut_off(element, "", said)
            return
        self._stale = True
        self._others[name] = None

    def _cut_off(self, element: Element, name: str, said: str) -> None:
        if name in self._cut:
            return
        self._cut.add(name)
        path = "/".join(filter(None, (self._dialect.header_path, name)))
        self._walk.report(
            Issue(code=Code.HEADER_CUT, message=said, line=line_of(element), path=path)
        )

    def _matters(self, before: Feed) -> bool:
        after = self._read_so_far()
        return any(getattr(before, name) != getattr(after, name) for name in _DEPENDED_ON)

    def _tell_once(self, issue: Issue) -> None:
        """Report; a header is worked out again with each late field, but told of once."""
        if issue not in self._told:
            self._told.add(issue)
            self._walk.report(issue)

    def _defaults(self) -> Children:
        """Give the channel-level `media:*` that entries inherit."""
        if (given := self._options.header) is None:
            return {name: found for name, found in self._found.items() if name in INHERITED}
        channel: Children = {}
        for word in given.words:
            channel.setdefault(word.name, []).append(take.element_of(word))
        return channel

    # -- entries --------------------------------------------------------------------------

    @property
    def entries(self) -> Iterator[Entry]:
        """Walk the document; once."""
        dialect = self._dialect
        with naming(self._options.name):
            for element in self._walk:
                container = element.getparent()
                if container is not self._container or not self._first_entry_read:
                    self._enter(container)  # a header without fields has language and base too
                    self._first_entry_read = True
                if self._stale:
                    self._read_so_far()
                if (entry := dialect.entry(self._item(element))) is not None:
                    yield entry
            self._read_so_far()  # a field behind the last entry may be unreadable too

    def _item(self, element: Element) -> Item:
        names, feed = self._dialect.names, self._options.header or self._feed
        if self._container_namespaces or names[element.tag] not in self._dialect.entries:
            self._unqualify(element)
        context = self._context
        context.base, context.has_xml_base = self._entry_base, bool(self._container_bases)
        context.lang = feed.lang or self._container_lang
        context.entry = context.unread = own_lang = None
        if element.attrib:
            own_lang = element.get(XML_LANG)
            context.lang = own_lang or context.lang
            if own_base := element.get(XML_BASE):
                context.base, context.has_xml_base = _resolved([own_base], context.base), True
        entry = Entry()
        entry.lang, entry.line, entry.feed = own_lang, line_of(element), feed
        found = take.gather(element, names)
        return Item(element, found, context, names, feed, self._channel, entry)

    def _unqualify(self, entry: Element) -> None:
        """Take the children of an entry out of the namespaces that count as none."""
        namespaces = self._container_namespaces
        if self._dialect.names[entry.tag] not in self._dialect.entries:  # it is in a namespace
            namespaces |= self._namespace_of(entry)
        if namespaces:
            take.unqualify(entry, namespaces, self._dialect.names)

    def _namespaces_of(self, container: Element | None) -> frozenset[str]:
        """Return the namespaces that count as none right inside a container."""
        if container is not self._scope:
            found: frozenset[str] = frozenset()
            at = self._scope = container
            while at is not None:
                found |= self._namespace_of(at)
                at = at.getparent()
            self._scope_namespaces = found
        return self._scope_namespaces

    def _namespace_of(self, element: Element) -> frozenset[str]:
        """Return the element's namespace if it counts as none.

        That of RDF does not on `rdf:RDF`: `rdf:Description` is no description. Those of RSS need
        not, for `Names` knows them.
        """
        uri, _, local = str(element.tag).rpartition("}")
        if not uri or local.lower() not in self._dialect.unqualified:
            return frozenset()
        prefix = prefix_of(uri[1:])
        if prefix == "rss" or (prefix == "rdf" and local.lower() == "rdf"):
            return frozenset()
        return frozenset({uri[1:]})

    def _enter(self, container: Element | None) -> None:
        self._container = container
        self._container_namespaces = self._namespaces_of(container)
        self._container_bases = [] if container is None else take.bases(container)
        self._container_lang = None if container is None else take.nearest(container, XML_LANG)
        self._set_entry_base()

    def _set_entry_base(self) -> None:
        """Work out the base of the entries in this container, under the header so far."""
        given = self._options.base_url or self._options.source_url
        feed = self._options.header or self._feed
        self._entry_base = _resolved(self._container_bases, given or feed.self_url or feed.link)

    def _header_context(self) -> Context:
        given = self._options.base_url or self._options.source_url
        return Context(
            self._tell_once,
            self._options,
            self._dialect.header_path,
            _resolved(self._container_bases, given or self._header_base()),
            has_xml_base=bool(self._container_bases),
            lang=self._container_lang,
        )

    def _header_base(self) -> str | None:
        """Return the base that `xml:base` itself resolves against (mapping 6.3, ranks 2 to 5)."""
        links = [e for name in ("atom:link", "link") for e in self._found.get(name, ())]
        for wanted in ("self", "alternate"):
            for element in links:
                href = (element.get("href") or take.text_of(element)).strip()
                if relation(element) == wanted and urls.is_http(href):
                    return href
        return None


def _resolved(references: Iterable[str], base: str | None) -> str | None:
    """Resolve each `xml:base`, outermost first, against the one outside of it."""
    for reference in references:
        resolved = urls.resolve(reference, base).url
        base = resolved if resolved and urls.is_http(resolved) else base
    return base
