"""One pass of libxml2 over a document: hardened, fed chunk by chunk, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final, NamedTuple, cast

from lxml import etree

from converter.errors import LimitError
from converter.xml import entry_limits
from converter.xml.entry_limits import CHUNK_BYTES, ElementSize, split_chunk
from converter.xml.extract import Element, line_of, local_name

#: The header fields are freed early only if the root begins within this many bytes.
_PROLOG_BYTES: Final = 1024 * 1024
#: Size of the pieces that are parsed until the root begins; they are parsed again afterwards.
_SNIFF_BYTES: Final = 1024

_TYPES: Final = etree.ErrorTypes
#: An undeclared prefix and similar errors: libxml2 reports the element all the same.
_NAMESPACE_ERRORS: Final = frozenset(
    {_TYPES.WAR_NS_URI, *range(_TYPES.NS_ERR_XML_NAMESPACE, _TYPES.NS_ERR_COLON + 1)}
)
_LIMIT_ERRORS: Final = frozenset({_TYPES.ERR_RESOURCE_LIMIT, _TYPES.ERR_NAME_TOO_LONG})
#: Some limits of libxml2 have another error type: "Comment too big found".
_LIMIT_WORDS: Final = (" too big", " too long")


class ParseFault(NamedTuple):
    """An error that ended a pass, or that a pass tolerated."""

    message: str
    line: int
    column: int


class _Prolog:
    """A parser target that builds no tree and records the DOCTYPE and the root."""

    root: str | None = None
    has_doctype = False
    fault: ParseFault | None = None

    @property
    def is_over(self) -> bool:
        return self.root is not None or self.fault is not None

    def doctype(self, *_: object) -> None:
        self.has_doctype = True

    def start(self, tag: str, _: object) -> None:
        self.root = self.root or tag

    def close(self) -> None:
        """Required by lxml."""


class ParserPass:
    """One pass of libxml2 over a source. Iterate over it once to get the entries.

    A document with a DOCTYPE is refused. An entity may hold elements: libxml2 builds them, reports
    them to lxml and then frees or copies them, and lxml's events point to freed memory.
    `xml.repair` expands entities and removes the DOCTYPE.

    An element leaves the tree only when a later sibling begins or its parent ends: libxml2 appends
    to the last text of an open element, which must still be in the tree.

    Memory holds the path to libxml2's position, one entry or header field, and the content of one
    chunk; the limits of `entry_limits` apply to each entry and to all header fields together.

    Args:
        chunks: the source.
        entries, containers, is_field: as for `EntryParser`.
        on_header: called with a header field, before the entries that follow it.
        first: an earlier pass over the same document; as many entries as it yielded are skipped.
    """

    root: Element | None = None
    fault: ParseFault | None = None
    """The error that ended the pass early."""
    is_refused = False
    """The document has a DOCTYPE; nothing was parsed."""
    namespace_fault: ParseFault | None = None
    trailing_fault: ParseFault | None = None
    """Content behind the end of the root."""
    headers = 0
    is_replaying = False
    """The header field that is handed out now comes for the second time."""
    entries = 0
    """Complete entries."""

    def __init__(
        self,
        chunks: Iterable[bytes],
        *,
        entries: frozenset[str],
        containers: frozenset[str],
        is_field: Callable[[Element], bool],
        on_header: Callable[[Element], None],
        first: ParserPass | None,
    ) -> None:
        self._chunks = entry_limits.limit_start_tags(chunks)
        self._is_field = is_field
        self._on_header = on_header
        self._known_entries = first.entries if first else 0
        self._known_headers = first.headers if first else 0
        self._names = entries | containers
        self._entry_names = frozenset(name.lower() for name in entries)
        self._skipped_names = frozenset(name.lower() for name in self._names)
        self._parser: etree.XMLPullParser[Element]
        self._errors_seen = 0
        self._open: list[Element] = []  # the root and containers
        self._entry: Element | None = None  # that is open
        self._fed_before = 0  # bytes of the source before this entry, at least
        self._header = ElementSize()  # total of the header fields so far
        self._guard = entry_limits.EntryGuard()
        self._fed = 0  # bytes of the source, without the current chunk
        self._previous: Element | None = None  # the last entry: cleared, not yet removed
        self._container: Element | None = None  # parent of the last entry directly in a container

    def __iter__(self) -> Iterator[Element]:
        """Yield the entries. Each is cleared when the next one is requested."""
        for events in self._batches():
            for action, element in events:
                if action == "start":
                    self._start(element)
                elif self._entry is None:
                    self._pass_headers(self._open.pop(), None)
                elif element is self._entry:
                    self._end_entry(element)
                    if self.entries > self._known_entries:
                        yield element
                    element.clear(keep_tail=True)
                elif self._is_misplaced(element):
                    name = local_name(element)
                    self.fault = ParseFault(f"<{name}> inside <{name}>", line_of(element) or 1, 1)
                    return

    def _batches(self) -> Iterator[Iterable[tuple[str, Element]]]:
        """Parse chunk by chunk and yield the events of each; free memory in between."""
        head, prolog = self._sniff()
        if prolog.has_doctype:
            self.is_refused = True
            self.fault = ParseFault("a DOCTYPE", 1, 1)
            return
        if prolog.root is None:
            self.fault = prolog.fault or ParseFault("no element begins", 1, 1)
            return
        self._parser = _parser(self._tags(prolog.root))
        for chunk in chain(split_chunk(head), self._chunks):
            self._feed(chunk)
            yield self._parser.read_events()
            if self.fault or self.trailing_fault:
                break
            self._fed += len(chunk)
            self._free_memory()
        else:
            self._close()
            if not self.fault:  # elements that libxml2 closes itself behind an error are discarded
                yield self._parser.read_events()

    def _sniff(self) -> tuple[bytes, _Prolog]:
        """Read until the root begins; return these bytes and what they show.

        The name of the root must be known first, because lxml filters events by name in C; a
        Python call for each element would cost more than everything else.
        """
        head, prolog = b"", _Prolog()
        target = cast("etree.ParserTarget[None]", prolog)
        parser = etree.XMLParser(target=target, no_network=True, load_dtd=False, huge_tree=False)
        while not prolog.is_over and len(head) < _PROLOG_BYTES:
            if (chunk := next(self._chunks, None)) is None:
                break
            head += chunk
            for piece in split_chunk(chunk, _SNIFF_BYTES):
                try:
                    parser.feed(piece)
                except etree.XMLSyntaxError as error:
                    prolog.fault = _exception_fault(error)
                if prolog.is_over:
                    break
        return head, prolog

    def _tags(self, root_tag: str) -> tuple[str, ...]:
        """Return the names of the elements whose events are needed, in lxml's notation."""
        spellings = {
            spelling
            for name in self._names
            for spelling in (name, name.lower(), name.upper(), name[:1].upper() + name[1:])
        }
        return (root_tag, *(f"{{*}}{name}" for name in spellings))

    def _start(self, element: Element) -> None:
        """Record the start tag of an entry, of a container or of the root."""
        if self.root is None:
            self.root = element.getroottree().getroot()
        if self._entry is not None:
            return
        if lower_local_name(str(element.tag)) in self._entry_names:
            self._entry, self._fed_before = element, self._fed
        else:
            self._open.append(element)

    def _is_misplaced(self, element: Element) -> bool:
        """Return True for an entry right inside another, which has probably lost its end tag.

        An empty one means nothing, and one deeper inside is content.
        """
        if self._entry is None or element.getparent() is not self._entry:
            return False
        has_content = len(element) > 0 or bool(element.text and element.text.strip())
        return has_content and element.tag == self._entry.tag

    def _end_entry(self, element: Element) -> None:
        """Check a complete entry, free the one before, hand out the header fields in between."""
        if self._fed > self._fed_before:
            fed = self._fed + CHUNK_BYTES
            self._guard.check(element, self._fed_before, fed, is_complete=True)
        previous, self._previous = self._previous, element
        if previous is not None and (parent := previous.getparent()) is not None:
            parent.remove(previous)
        if element.getparent() is not self._container or element.getprevious() is not None:
            self._pass_headers_before(element)
        self._entry = None
        self.entries += 1

    def _pass_headers_before(self, entry: Element) -> None:
        """Hand out the header fields of all containers around an entry, the root's first."""
        path = [entry, *entry.iterancestors()]
        for container, child in pairwise(reversed(path)):
            if container in self._open:
                self._pass_headers(container, child)
                self._container = container

    def _pass_headers(self, container: Element, stop: Element | None) -> None:
        """Hand out the header fields before `stop`, and remove all children before it."""
        for child in container.iterchildren():
            if child is stop:
                return
            if self._is_header(child):
                if self._is_field(child):
                    self._header = self._check_header(child)
                self.headers += 1
                self.is_replaying = self.headers <= self._known_headers
                self._on_header(child)
                self.is_replaying = False
            container.remove(child)

    def _free_memory(self) -> None:
        """Free complete elements on the path to libxml2's position, and measure the open ones.

        Header fields are handed out first. An element that is neither entry nor field loses its
        children even before it ends.
        """
        element = self.root
        while element is not None:
            last = next(element.iterchildren(reversed=True), None)
            if element in self._open:
                self._pass_headers(element, last)
                if last is not None and self._is_header(last) and self._is_field(last):
                    self._check_header(last)
                    return
            elif element is self._entry:
                self._guard.check(element, self._fed_before, self._fed, is_complete=False)
                return
            else:
                del element[:-1]
            element = last

    def _is_header(self, child: Element) -> bool:
        tag = child.tag
        return isinstance(tag, str) and lower_local_name(tag) not in self._skipped_names

    def _check_header(self, field: Element) -> ElementSize:
        """Return the size of the header with this field, which may be open; check its limits."""
        size = self._header.plus(entry_limits.measure(field))
        size.check("the header", line_of(field))
        return size

    def _feed(self, chunk: bytes) -> None:
        """Feed a chunk to libxml2, which accepts no further one after an exception."""
        try:
            self._parser.feed(chunk)
        except etree.XMLSyntaxError as error:  # the log has the details
            self._examine_log()
            if not self.trailing_fault:
                self.fault = self.fault or _exception_fault(error)
        else:
            self._examine_log()

    def _close(self) -> None:
        with suppress(etree.XMLSyntaxError):
            self._parser.close()
        self._examine_log()

    def _examine_log(self) -> None:
        """Classify the new entries of libxml2's log.

        The exceptions are useless: for an undefined entity they say "no element found", line 0.
        """
        log = self._parser.feed_error_log
        for index in range(self._errors_seen, len(log)):
            error = log[index]
            if error.level == etree.ErrorLevels.WARNING:
                continue
            fault = _log_fault(error)
            if error.type in _NAMESPACE_ERRORS:
                self.namespace_fault = self.namespace_fault or fault
            elif error.type == etree.ErrorTypes.ERR_DOCUMENT_END:
                self.trailing_fault = self.trailing_fault or fault
            else:
                self.fault = self.fault or fault
        self._errors_seen = len(log)


def _parser(tag: tuple[str, ...]) -> etree.XMLPullParser[Element]:
    """Return a hardened parser: it loads nothing external and keeps libxml2's own limits.

    `recover` stays off: behind an error lxml and libxml2 diverge, and events name elements that
    are incomplete or elsewhere. Comments and processing instructions are removed because they
    would cut texts.
    """
    return etree.XMLPullParser(
        ("start", "end"),
        tag=tag,
        remove_comments=True,
        remove_pis=True,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )


def _exception_fault(error: etree.XMLSyntaxError) -> ParseFault:
    return ParseFault(_one_line(error.msg), error.lineno or 1, error.offset or 1)


def _log_fault(error: etree._LogEntry) -> ParseFault:
    """Convert an entry of libxml2's log.

    Raises:
        LimitError: the error is one of libxml2's limits.
    """
    message, line = _one_line(error.message), error.line
    if error.type in _LIMIT_ERRORS or any(word in message for word in _LIMIT_WORDS):
        limit = "depth" if "depth" in message else "text"
        what = "depth of elements" if limit == "depth" else "length of a text, tag or comment"
        raise LimitError(
            f"line {line} exceeds a limit against hostile documents, the {what}. "
            "No feed needs this; check its generator",
            limit=limit,
            line=line,
        )
    return ParseFault(message, line, error.column)


def _one_line(message: str) -> str:
    return " ".join(message.split())[:200]


@lru_cache(maxsize=64)
def lower_local_name(tag: str) -> str:
    """Return the local name in lower case, also behind an undeclared prefix."""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()
