"""One run of libxml2 over a document: hardened, fed chunk by chunk, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from typing import Final, Literal

from lxml import etree

from converter.errors import LimitError
from converter.xml.take import Element

__all__ = ["Fault", "Kind", "Pass", "local"]

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


@dataclass(frozen=True, slots=True)
class Fault:
    """Where and why a pass ended early, or had to be repaired by libxml2."""

    message: str
    line: int
    column: int
    is_at_end: bool = False
    """It showed only when the stream was used up: the document breaks off."""


class Pass:
    """One run of libxml2 over a source: what it hands out, and what was wrong.

    An element leaves the tree only when a later sibling has begun, or its parent has ended:
    libxml2 goes on writing into the last text of an open element, and must find it there.
    """

    def __init__(
        self,
        chunks: Iterable[bytes],
        entries: frozenset[str],
        containers: frozenset[str],
        *,
        recover: bool,
    ) -> None:
        self.root: Element | None = None
        self.fault: Fault | None = None
        """What ended it early."""
        self.recovered: Fault | None = None
        """The first thing that libxml2 guessed its way past."""
        self.namespace_fault: Fault | None = None
        self.trailing_fault: Fault | None = None
        """Where something follows the end of the root."""
        self._chunks = iter(chunks)
        self._recover = recover
        self._names = entries | containers
        self._entry_names = frozenset(name.lower() for name in entries)
        self._skipped_names = frozenset(name.lower() for name in self._names)
        self._parser = _parser(recover=recover)
        self._errors_seen = 0
        self._open: list[Element] = []  # the root and containers
        self._open_entries: list[Element] = []
        self._previous: Element | None = None  # the last entry: cleared, not yet removed

    def __iter__(self) -> Iterator[tuple[Kind, Element]]:
        head, root_tag = self._sniff()
        self._parser = _parser(recover=self._recover, tag=self._tags(root_tag))
        for chunk in chain((head,), self._chunks):
            with suppress(etree.XMLSyntaxError):  # the log knows more than the exception
                self._parser.feed(chunk)
            self._examine_log(is_at_end=False)
            if self.fault:
                return
            yield from self._events()
            if self.trailing_fault:
                return
            for container in self._open:
                if len(container) > 1:
                    yield from self._headers(container, container[-1])
        yield from self._finish()

    def _sniff(self) -> tuple[bytes, str | None]:
        """Read until the root has begun; give back what was read, and the root's name.

        Events are filtered by name in C (a call for each element would cost more than all the
        rest), so that the name of the root must be known before.
        """
        head = b""
        parser = _parser(recover=True, events=("start",))
        while len(head) < _PROLOG_BYTES and (chunk := next(self._chunks, b"")):
            head += chunk
            with suppress(etree.XMLSyntaxError):
                parser.feed(chunk)
            for _, root in parser.read_events():
                return head, _name(root)
        return head, None

    def _tags(self, root_tag: str | None) -> tuple[str, ...]:
        """The names to be told of, as lxml wants them."""
        spellings = {
            spelling
            for name in self._names
            for spelling in (name, name.lower(), name.upper(), name[:1].upper() + name[1:])
        }
        tags = [f"{{*}}{name}" for name in spellings]
        if root_tag:
            tags.append(root_tag)
            prefix, colon, _ = root_tag.rpartition("}")[2].rpartition(":")
            tags += [f"{prefix}:{name}" for name in spellings if colon]  # it is not declared
        return tuple(tags)

    def _events(self) -> Iterator[tuple[Kind, Element]]:
        for action, element in self._parser.read_events():
            if action == "start":
                self._begin(element)
            elif self._open_entries:
                if element is self._open_entries[-1]:
                    self._open_entries.pop()
                    yield from self._entry(element)
            elif self._open and element is self._open[-1]:
                yield from self._headers(element, None)
                self._open.pop()

    def _begin(self, element: Element) -> None:
        if self.root is None:
            self.root = element.getroottree().getroot()
        if self._open_entries:
            outer = self._open_entries[-1]
            if element.getparent() is outer and element.tag == outer.tag:
                self._open_entries.append(element)
        elif local(element) in self._entry_names:
            self._open_entries.append(element)
        else:
            self._open.append(element)

    def _entry(self, element: Element) -> Iterator[tuple[Kind, Element]]:
        if self._previous is not None:
            _remove(self._previous)
        for container in self._open:
            stop = _child_towards(container, element)
            if container[0] is not stop:
                yield from self._headers(container, stop)
        kind = Kind.ENTRY
        if self._open_entries:
            kind = Kind.INNER if len(element) or _has_text(element) else Kind.EMPTY
        yield kind, element
        element.clear(keep_tail=True)
        self._previous = element

    def _headers(self, container: Element, stop: Element | None) -> Iterator[tuple[Kind, Element]]:
        """Hand out the header fields before `stop`, and free them."""
        while len(container) and (child := container[0]) is not stop:
            if isinstance(child.tag, str) and local(child) not in self._skipped_names:
                yield Kind.HEADER, child
            _remove(child)

    def _finish(self) -> Iterator[tuple[Kind, Element]]:
        """What libxml2 closes by itself behind the break of a document is never handed out."""
        with suppress(etree.XMLSyntaxError):
            self._parser.close()
        self._examine_log(is_at_end=True)
        if self.fault:
            return
        yield from self._events()
        if self.root is None:
            self.fault = Fault("there is no element", 1, 1, is_at_end=True)
        elif self._open:  # recovery gave up, and raised nothing
            self.fault = self.recovered
        else:  # a root that stood too far down was not noticed when it ended
            yield from self._headers(self.root, None)

    def _examine_log(self, *, is_at_end: bool) -> None:
        """Sort what is new in libxml2's log.

        The exceptions are no help: with an undefined entity they say "no element found", line 0;
        with `recover` there are none, not even where a guard struck.
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
            elif is_at_end or not self._recover:
                self.fault = self.fault or fault
            else:
                self.recovered = self.recovered or fault
        self._errors_seen = len(log)


def _parser(
    *,
    recover: bool,
    events: tuple[Literal["start", "end"], ...] = ("start", "end"),
    tag: tuple[str, ...] | None = None,
) -> etree.XMLPullParser[Element]:
    """libxml2, hardened: nothing external is loaded, and its own guards stay on.

    `resolve_entities` keeps its default, internal entities only: True reads local files, False
    cuts texts off at a reference. Comments and instructions go, as they would cut texts, too.
    """
    return etree.XMLPullParser(
        events,
        tag=tag,
        recover=recover,
        remove_comments=True,
        remove_pis=True,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )


def _refuse_limit(code: int, fault: Fault) -> None:
    """Raise LimitError if one of libxml2's guards struck."""
    if code not in _LIMIT_FAULTS and not any(word in fault.message for word in _LIMIT_WORDS):
        return
    message = fault.message.lower()
    limit = next((name for word, name in _LIMIT_NAMES if word in message), "text")
    raise LimitError(
        f"libxml2 refuses it at line {fault.line}: {fault.message}", limit=limit, line=fault.line
    )


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
