"""One run of libxml2 over a document: hardened, fed chunk by chunk, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import Enum, auto
from itertools import chain
from typing import Final, Literal, TypeAlias, cast

from lxml import etree

from converter.errors import LimitError
from converter.record import record
from converter.values.patterns import lazy
from converter.xml.take import Element

__all__ = ["Fault", "Handed", "Kind", "Pass", "local"]

#: How far from the beginning the root may stand for its header fields to be freed early.
_PROLOG_BYTES: Final = 1024 * 1024

_TYPES: Final = etree.ErrorTypes
#: A prefix without a declaration, and its kin: the element arrives all the same.
_NAMESPACE_FAULTS: Final = frozenset(
    {_TYPES.WAR_NS_URI, *range(_TYPES.NS_ERR_XML_NAMESPACE, _TYPES.NS_ERR_COLON + 1)}
)
_LIMIT_FAULTS: Final = frozenset(
    {_TYPES.ERR_RESOURCE_LIMIT, _TYPES.ERR_ENTITY_LOOP, _TYPES.ERR_NAME_TOO_LONG}
)
#: Some guards carry the code of what they interrupted: "Comment too big found".
_LIMIT_WORDS: Final = (" too big", " too long")
#: What stands in libxml2's message, and the limit that it speaks of; else it is `text`.
_LIMIT_NAMES: Final = (("depth", "depth"), ("entit", "entities"), ("amplification", "entities"))


class Kind(Enum):
    """What a pass hands out."""

    ENTRY = auto()
    INNER = auto()
    """An entry right inside another."""
    EMPTY = auto()
    """Likewise, and nothing is in it."""
    HEADER = auto()


#: What a pass hands out, with its number: of header fields, or of the start tags of entries. The
#: latter stays the same whatever a later rung thinks about where an entry ends.
Handed: TypeAlias = tuple[Kind, int, Element]


@record(kw_only=False)
class Fault:
    """Where and why a pass ended early, or what it tolerated."""

    message: str
    line: int
    column: int
    is_at_end: bool = False
    """It showed only when the stream was used up: the document breaks off."""


class _Prolog:
    """A target for libxml2 that builds no tree, and remembers what stands at the beginning."""

    def __init__(self) -> None:
        self.root: str | None = None
        self.has_doctype = False
        self.fault: Fault | None = None

    def doctype(self, *_: object) -> None:
        self.has_doctype = True

    def start(self, tag: str, _: object) -> None:
        self.root = self.root or tag

    def close(self) -> None:
        """Targets must have it."""


class Pass:
    """One run of libxml2 over a source: what it hands out, and what was wrong.

    A document with a DOCTYPE is refused unless it was filtered. An entity may hold elements:
    libxml2 builds them, tells lxml of them and then frees or copies them, and lxml's events
    point to freed memory. The filter lets no such entity through.

    An element leaves the tree only when a later sibling has begun, or its parent has ended:
    libxml2 goes on writing into the last text of an open element, and must find it there.
    """

    def __init__(
        self,
        chunks: Iterable[bytes],
        entries: frozenset[str],
        containers: frozenset[str],
        *,
        is_filtered: bool,
    ) -> None:
        self.root: Element | None = None
        self.fault: Fault | None = None
        """What ended it early."""
        self.is_refused = False
        """It was not even begun."""
        self.namespace_fault: Fault | None = None
        self.headers = 0
        self.entries_begun = 0
        self.trailing_fault: Fault | None = None
        """Where something follows the end of the root."""
        self._chunks = iter(chunks)
        self._is_filtered = is_filtered
        self._names = entries | containers
        self._entry_names = frozenset(name.lower() for name in entries)
        self._skipped_names = frozenset(name.lower() for name in self._names)
        self._parser = _parser()
        self._stop: Fault | None = None
        self._errors_seen = 0
        self._open: list[Element] = []  # the root and containers
        self._open_entries: list[tuple[int, Element]] = []
        self._previous: Element | None = None  # the last entry: cleared, not yet removed
        self._parent: Element | None = None  # of the last entry

    def __iter__(self) -> Iterator[Handed]:
        head, prolog = self._sniff()
        if prolog.has_doctype and not self._is_filtered:
            self.is_refused = True
            self.fault = Fault("a DOCTYPE", 1, 1)
            return
        if prolog.root is None:
            self.fault = prolog.fault or Fault("no element begins", 1, 1, is_at_end=True)
            return
        self._parser = _parser(tag=self._tags(prolog.root))
        for chunk in chain((head,), self._chunks):
            self._feed(chunk)
            yield from self._events()
            if self.fault or self.trailing_fault or self._stop:
                break
            for container in self._open:
                if len(container) > 1:
                    yield from self._headers(container, container[-1])
        else:
            yield from self._close()
        if self._open:
            self.fault = self.fault or self._stop

    @property
    def unfinished(self) -> frozenset[int]:
        """The numbers of entries that have begun, and not ended."""
        return frozenset(number for number, _ in self._open_entries)

    def _sniff(self) -> tuple[bytes, _Prolog]:
        """Read until the root has begun; give back what was read, and what it shows.

        Events are filtered by name in C (a call for each element would cost more than all the
        rest), so that the name of the root must be known before.
        """
        head, prolog = b"", _Prolog()
        # A target may stand before a tree only where no entity is declared: it fails there.
        pull = _parser(events=("start",)) if self._is_filtered else None
        parser = pull or etree.XMLParser(
            target=cast("etree.ParserTarget[None]", prolog),
            no_network=True,
            load_dtd=False,
            huge_tree=False,
        )
        while prolog.root is None and prolog.fault is None and len(head) < _PROLOG_BYTES:
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            head += chunk
            try:
                parser.feed(chunk)
            except etree.XMLSyntaxError as error:
                prolog.fault = _fault(error)
            for _, element in pull.read_events() if pull else ():
                prolog.start(_name(element), {})
        return head, prolog

    def _tags(self, root_tag: str) -> tuple[str, ...]:
        """The names to be told of, as lxml wants them."""
        spellings = {
            spelling
            for name in self._names
            for spelling in (name, name.lower(), name.upper(), name[:1].upper() + name[1:])
        }
        return (root_tag, *(f"{{*}}{name}" for name in spellings))

    def _events(self) -> Iterator[Handed]:
        for action, element in self._parser.read_events():
            if action == "start":
                self._begin(element)
            elif self._open_entries:
                number, entry = self._open_entries[-1]
                if element is entry:
                    self._open_entries.pop()
                    yield from self._entry(number, element)
            else:
                yield from self._headers(self._open.pop(), None)

    def _begin(self, element: Element) -> None:
        if self.root is None:
            self.root = element.getroottree().getroot()
        if local(element) not in self._entry_names:
            if not self._open_entries:
                self._open.append(element)
            return
        self.entries_begun += 1
        if self._open_entries:
            _, outer = self._open_entries[-1]
            if element.getparent() is not outer or element.tag != outer.tag:
                return  # content that looks like an entry
        self._open_entries.append((self.entries_begun, element))

    def _entry(self, number: int, element: Element) -> Iterator[Handed]:
        if self._previous is not None:
            _remove(self._previous)
        parent = element.getparent()
        # Beside the entry before, there is nothing new further out.
        containers = self._open[-1:] if parent is self._parent else self._open
        self._parent = parent
        for container in containers:
            stop = _child_towards(container, element)
            if container[0] is not stop:
                yield from self._headers(container, stop)
        kind = Kind.ENTRY
        if self._open_entries:
            kind = Kind.INNER if len(element) or _has_text(element) else Kind.EMPTY
        yield kind, number, element
        element.clear(keep_tail=True)
        self._previous = element

    def _headers(self, container: Element, stop: Element | None) -> Iterator[Handed]:
        """Hand out the header fields before `stop`, and free them."""
        while len(container) and (child := container[0]) is not stop:
            if isinstance(child.tag, str) and local(child) not in self._skipped_names:
                self.headers += 1
                yield Kind.HEADER, self.headers, child
            _remove(child)

    def _feed(self, chunk: bytes) -> None:
        """Hand a chunk to libxml2; where it stops, it must not be given another."""
        try:
            self._parser.feed(chunk)
        except etree.XMLSyntaxError as error:  # its log knows more
            self._stop = _fault(error)
        self._examine_log(is_at_end=False)

    def _close(self) -> Iterator[Handed]:
        """What libxml2 ends by itself behind the break of a document is never handed out."""
        with suppress(etree.XMLSyntaxError):
            self._parser.close()
        self._examine_log(is_at_end=True)
        if not self.fault:
            yield from self._events()

    def _examine_log(self, *, is_at_end: bool) -> None:
        """Sort what is new in libxml2's log.

        The exceptions are no help: with an undefined entity they say "no element found", line 0.
        """
        log = self._parser.feed_error_log
        for index in range(self._errors_seen, len(log)):
            error = log[index]
            if error.level == etree.ErrorLevels.WARNING:
                continue
            fault = Fault(_plain(error.message), error.line, error.column, is_at_end=is_at_end)
            _refuse_limit(error.type, fault)
            if error.type in _NAMESPACE_FAULTS and not is_at_end:
                self.namespace_fault = self.namespace_fault or fault
            elif error.type == _TYPES.ERR_DOCUMENT_END:
                self.trailing_fault = self.trailing_fault or fault
            else:
                self.fault = self.fault or fault
        self._errors_seen = len(log)


def _parser(
    *,
    events: tuple[Literal["start", "end"], ...] = ("start", "end"),
    tag: tuple[str, ...] | None = None,
) -> etree.XMLPullParser[Element]:
    """libxml2, hardened: nothing external is loaded, and its own guards stay on.

    `resolve_entities` keeps its default, internal entities only: True reads local files, False
    cuts texts off at a reference. `recover` stays off: behind an error lxml and libxml2 lose
    track of each other, and events name elements that are not finished, or stand elsewhere.
    Comments and instructions go, as they would cut texts, too.
    """
    return etree.XMLPullParser(
        events,
        tag=tag,
        remove_comments=True,
        remove_pis=True,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )


#: What libxml2 recommends to programmers is none of a reader's business.
_HUGE_OPTION: Final = lazy(r",? (?:try|use) XML_PARSE_HUGE(?: option)?")


def _refuse_limit(code: int, fault: Fault) -> None:
    """Raise LimitError if one of libxml2's guards struck."""
    if code not in _LIMIT_FAULTS and not any(word in fault.message for word in _LIMIT_WORDS):
        return
    message = fault.message.lower()
    limit = next((name for word, name in _LIMIT_NAMES if word in message), "text")
    words = _HUGE_OPTION.sub("", fault.message)
    raise LimitError(
        f"line {fault.line} is over a guard against hostile documents: {words}. "
        "No feed needs that; look at what its maker has put there",
        limit=limit,
        line=fault.line,
    )


def _fault(error: etree.XMLSyntaxError) -> Fault:
    return Fault(_plain(error.msg), error.lineno or 1, error.offset or 1)


def _plain(message: str) -> str:
    """libxml2's message without line breaks, and not longer than a reader wants."""
    return " ".join(message.split())[:200]


def local(element: Element) -> str:
    """The local name in lower case; also where an undeclared prefix is still in the way."""
    return _name(element).rpartition("}")[2].rpartition(":")[2].lower()


def _name(element: Element) -> str:
    return str(element.tag)  # types-lxml allows for names that nobody gave it


def _has_text(element: Element) -> bool:
    return bool(element.text and element.text.strip())


def _remove(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _child_towards(ancestor: Element, element: Element) -> Element:
    """The child of `ancestor` that holds the element, or is it."""
    while (parent := element.getparent()) is not ancestor and parent is not None:
        element = parent
    return element
