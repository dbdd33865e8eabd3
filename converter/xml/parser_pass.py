"""One run of libxml2 over a document: hardened, fed chunk by chunk, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final, Literal, TypeAlias, cast

from lxml import etree

from converter.xml.entry_limits import (
    CHUNK_BYTES,
    ElementSize,
    EntryGuard,
    limit_start_tags,
    measure,
    split_chunk,
)
from converter.xml.extract import Element
from converter.xml.parse_errors import (
    NAMESPACE_FAULTS,
    ParseFault,
    fault_of_exception,
    fault_of_log_entry,
    line_of,
)

#: How far from the beginning the root may stand for its header fields to be freed early.
_PROLOG_BYTES: Final = 1024 * 1024
#: What is parsed at a time until the root has begun, for it is parsed again behind that.
_SNIFFED_BYTES: Final = 1024


#: An entry that has begun and not ended: its element, its number, and how many bytes were parsed
#: before it (never more than that). Entries are numbered by their start tags: the number stays the
#: same whatever a later attempt thinks about where an entry ends.
_OpenEntry: TypeAlias = tuple[Element, int, int]


class _Prolog:
    """A target for libxml2 that builds no tree, and remembers what stands at the beginning."""

    root: str | None = None
    has_doctype = False
    fault: ParseFault | None = None

    @property
    def is_over(self) -> bool:
        """The root has begun, or cannot begin."""
        return self.root is not None or self.fault is not None

    def doctype(self, *_: object) -> None:
        self.has_doctype = True

    def start(self, tag: str, _: object) -> None:
        self.root = self.root or tag

    def close(self) -> None:
        """Targets must have it."""


class ParserPass:
    """One run of libxml2 over a source. Iterate over it once to get the entries.

    A document with a DOCTYPE is refused unless it was filtered. An entity may hold elements:
    libxml2 builds them, tells lxml of them and then frees or copies them, and lxml's events
    point to freed memory. The filter lets no such entity through.

    An element leaves the tree only when a later sibling has begun, or its parent has ended:
    libxml2 goes on writing into the last text of an open element, and must find it there.

    In memory are the path to where libxml2 is, one entry or one field of the header, and what one
    chunk brings; an entry and all fields of the header are under the bounds of `stream.bounds`.

    Args:
        chunks: the source.
        entries: as for `EntryWalker`.
        containers: as for `EntryWalker`.
        is_field: as for `EntryWalker`.
        on_header: takes a header field with its number, before the entries that follow it.
        admits: says whether an entry is handed out. It is asked only about an entry inside another
            and about the first `known` entries.
        known: how many entries earlier attempts have met.
        expanded: says how much the internal entities expand to that chunks have referred to so
            far; None: the source was not filtered.
    """

    root: Element | None = None
    fault: ParseFault | None = None
    """What ended it early."""
    is_refused = False
    """It was not even begun."""
    namespace_fault: ParseFault | None = None
    trailing_fault: ParseFault | None = None
    """Where something follows the end of the root."""
    headers = 0
    entries_begun = 0
    entries_handed_out = 0

    def __init__(
        self,
        chunks: Iterable[bytes],
        entries: frozenset[str],
        containers: frozenset[str],
        *,
        is_field: Callable[[Element], bool],
        on_header: Callable[[int, Element], None],
        admits: Callable[[int, Element, bool], bool],
        known: int,
        expanded: Callable[[], int] | None,
    ) -> None:
        self._chunks = limit_start_tags(chunks)
        self._is_field = is_field
        self._on_header = on_header
        self._admits = admits
        self._known = known
        self._is_filtered = expanded is not None
        self._expanded = expanded or (lambda: 0)
        self._names = entries | containers
        self._entry_names = frozenset(name.lower() for name in entries)
        self._skipped_names = frozenset(name.lower() for name in self._names)
        self._parser: etree.XMLPullParser[Element]
        self._stop: ParseFault | None = None
        self._errors_seen = 0
        self._open: list[Element] = []  # the root and containers
        self._open_entries: list[_OpenEntry] = []
        self._header = ElementSize()  # of the fields that were handed out
        self._guard = EntryGuard()
        self._fed = 0  # bytes of the source, before the last chunk
        self._parsed = 0  # the same, and what its entities expand to
        self._reached = 0  # `_parsed`, and what the entities of the last chunk expand to
        self._previous: Element | None = None  # the last entry: cleared, not yet removed
        self._container: Element | None = None  # parent of the last entry that stood right in one

    def __iter__(self) -> Iterator[Element]:
        """Yield the entries. Each is cleared when the next one is asked for."""
        open_entries = self._open_entries
        for events in self._batches():
            for action, element in events:
                if action == "start":
                    self._begin(element)
                elif not open_entries:
                    self._pass_headers(self._open.pop(), None)
                elif element is open_entries[-1][0]:
                    if self._end_entry(*open_entries.pop()):
                        self.entries_handed_out += 1
                        yield element
                    element.clear(keep_tail=True)

    @property
    def unfinished(self) -> frozenset[int]:
        """The numbers of entries that have begun, and not ended."""
        return frozenset(number for _, number, _ in self._open_entries)

    def _batches(self) -> Iterator[Iterable[tuple[str, Element]]]:
        """Parse chunk by chunk and yield the events of each; free memory in between."""
        head, prolog = self._sniff()
        if prolog.has_doctype and not self._is_filtered:
            self.is_refused = True
            self.fault = ParseFault("a DOCTYPE", 1, 1)
            return
        if prolog.root is None:
            self.fault = prolog.fault or ParseFault("no element begins", 1, 1, is_at_end=True)
            return
        self._parser = _parser(("start", "end"), self._tags(prolog.root))
        for chunk in chain(split_chunk(head), self._chunks):
            self._feed(chunk)
            yield self._parser.read_events()
            if self.fault or self.trailing_fault or self._stop:
                break
            self._fed += len(chunk)
            self._parsed = self._fed + self._expanded()
            self._sweep()
        else:
            self._close()
            if not self.fault:  # what libxml2 ends by itself behind a break is not handed out
                yield self._parser.read_events()
        if self._open:
            self.fault = self.fault or self._stop

    def _sniff(self) -> tuple[bytes, _Prolog]:
        """Read until the root has begun; give back what was read, and what it shows.

        Events are filtered by name in C (a call for each element would cost more than all the
        rest), so that the name of the root must be known before.
        """
        head, prolog = b"", _Prolog()
        # A target may stand before a tree only where no entity is declared: it fails there.
        pull = _parser(("start",)) if self._is_filtered else None
        target = cast("etree.ParserTarget[None]", prolog)
        parser = pull or etree.XMLParser(
            target=target, no_network=True, load_dtd=False, huge_tree=False
        )
        while not prolog.is_over and len(head) < _PROLOG_BYTES:
            if (chunk := next(self._chunks, None)) is None:
                break
            head += chunk
            for piece in split_chunk(chunk, _SNIFFED_BYTES):
                try:
                    parser.feed(piece)
                except etree.XMLSyntaxError as error:
                    prolog.fault = fault_of_exception(error)
                for _, element in pull.read_events() if pull else ():
                    prolog.start(str(element.tag), {})
                if prolog.is_over:
                    break
        return head, prolog

    def _tags(self, root_tag: str) -> tuple[str, ...]:
        """The names to be told of, as lxml wants them."""
        spellings = {
            spelling
            for name in self._names
            for spelling in (name, name.lower(), name.upper(), name[:1].upper() + name[1:])
        }
        return (root_tag, *(f"{{*}}{name}" for name in spellings))

    # -- entries --------------------------------------------------------------------------

    def _begin(self, element: Element) -> None:
        """Note the start tag of an entry, of a container or of the root."""
        if self.root is None:
            self.root = element.getroottree().getroot()
        if _local(str(element.tag)) not in self._entry_names:
            if not self._open_entries:
                self._open.append(element)
            return
        self.entries_begun += 1
        if self._open_entries:
            outer = self._open_entries[-1][0]
            if element.getparent() is not outer or element.tag != outer.tag:
                return  # content that looks like an entry
        self._open_entries.append((element, self.entries_begun, self._parsed))

    def _end_entry(self, element: Element, number: int, begun_at: int) -> bool:
        """Check a complete entry, free the one before, hand out the header fields in between.

        Returns:
            Whether the entry is handed out.
        """
        if self._reached > begun_at:
            self._guard.check(element, begun_at, self._reached + CHUNK_BYTES, is_complete=True)
        previous, self._previous = self._previous, element
        if previous is not None and (parent := previous.getparent()) is not None:
            parent.remove(previous)
        if element.getparent() is not self._container or element.getprevious() is not None:
            self._pass_headers_before(element)
        if self._open_entries or number <= self._known:
            return self._admits(number, element, bool(self._open_entries))
        return True

    # -- the header -----------------------------------------------------------------------

    def _pass_headers_before(self, entry: Element) -> None:
        """Hand out the header fields of all containers around an entry, from the root on."""
        path = [entry, *entry.iterancestors()]
        for container, child in pairwise(reversed(path)):
            if container in self._open:
                self._pass_headers(container, child)
                self._container = container

    def _pass_headers(self, container: Element, stop: Element | None) -> None:
        """Hand out the header fields before `stop`, and free all that is there."""
        for child in container.iterchildren():
            if child is stop:
                return
            if self._is_header(child):
                if self._is_field(child):
                    self._header = self._check_header(child)
                self.headers += 1
                self._on_header(self.headers, child)
            container.remove(child)

    def _sweep(self) -> None:
        """Free what is complete on the path to where libxml2 is, and measure what is not.

        Fields of the header are handed out before. What is neither an entry nor a field is freed
        from the inside, also before it ends.
        """
        element = self.root
        while element is not None:
            last = next(element.iterchildren(reversed=True), None)
            if element in self._open:
                self._pass_headers(element, last)
                if last is not None and self._is_header(last) and self._is_field(last):
                    self._check_header(last)
                    return
            elif self._open_entries and element is self._open_entries[0][0]:
                begun_at = self._open_entries[0][2]
                self._guard.check(element, begun_at, self._parsed, is_complete=False)
                return
            else:
                del element[:-1]
            element = last

    def _is_header(self, child: Element) -> bool:
        return isinstance(child.tag, str) and lower_local_name(child) not in self._skipped_names

    def _check_header(self, field: Element) -> ElementSize:
        """Measure the header with one more field, which may still be open."""
        size = self._header.plus(measure(field))
        size.check("the header", line_of(field))
        return size

    # -- the parser -----------------------------------------------------------------------

    def _feed(self, chunk: bytes) -> None:
        """Hand a chunk to libxml2; where it stops, it must not be given another."""
        try:
            self._parser.feed(chunk)
        except etree.XMLSyntaxError as error:  # its log knows more
            self._stop = fault_of_exception(error)
        self._examine_log(is_at_end=False)

    def _close(self) -> None:
        with suppress(etree.XMLSyntaxError):
            self._parser.close()
        self._examine_log(is_at_end=True)

    def _examine_log(self, *, is_at_end: bool) -> None:
        """Sort what is new in libxml2's log.

        The exceptions are no help: with an undefined entity they say "no element found", line 0.
        """
        log = self._parser.feed_error_log
        for index in range(self._errors_seen, len(log)):
            error = log[index]
            if error.level == etree.ErrorLevels.WARNING:
                continue
            fault = fault_of_log_entry(error, is_at_end=is_at_end)
            if error.type in NAMESPACE_FAULTS and not is_at_end:
                self.namespace_fault = self.namespace_fault or fault
            elif error.type == etree.ErrorTypes.ERR_DOCUMENT_END:
                self.trailing_fault = self.trailing_fault or fault
            else:
                self.fault = self.fault or fault
        self._errors_seen = len(log)
        self._reached = self._fed + self._expanded()


def _parser(
    events: tuple[Literal["start", "end"], ...], tag: tuple[str, ...] | None = None
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


def lower_local_name(element: Element) -> str:
    """The local name in lower case; also where an undeclared prefix is still in the way."""
    return _local(str(element.tag))


@lru_cache(maxsize=64)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2].lower()
