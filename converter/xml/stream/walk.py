"""Walks an XML document once, entry by entry, in constant memory, down a ladder of repairs.

The ladder: libxml2 as it is; libxml2 behind the byte filter of `xml.repair`; the same with tags
balanced. A later rung begins at the start again and passes over what an
earlier one has handed out already, so that a document which breaks after a million entries costs
a second reading, and no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import BinaryIO

from converter.errors import DocumentError
from converter.issues import Code, Issue, Report
from converter.xml.stream.bounds import CHUNK_BYTES
from converter.xml.stream.faults import Fault
from converter.xml.stream.libxml import Kind, Pass, local
from converter.xml.stream.lines import line_of
from converter.xml.take import Element

__all__ = ["Walk"]


class Walk:
    """The entries of a document, as elements complete with their subtree, one alive at a time.

    An entry is cleared when the next one is asked for, and is out of the tree soon after. Every
    child of the root or of a container that is neither entry nor container is a header field; it
    goes to `on_header` in document order, between the entries where it stands there.

    Names of entries and containers are local names in any namespace, in the usual spellings of
    their case (`item`, `Item`, `ITEM`). An entry right inside another is handed out before it.

    Args:
        stream: rewindable; it is read from its beginning, again for each rung of the ladder.
        entries: local names of the entry elements.
        containers: local names of the elements that header fields stand in, as in the root.
        on_header: takes a header field, which is freed afterwards.
        is_field: says by name and attributes whether a header field will be read. The others are
            freed before they are complete, and have nothing in them when they are handed out.
        on_restart: the document begins again; all header fields come again.
        report: takes the walk's issues, and through `Walk.report` the reader's.

    Raises:
        DocumentError: while it is walked; it is broken, and no entry could be handed out.
        LimitError: while it is walked; libxml2's own guards struck, or a bound on an entry or
            on the header.
    """

    def __init__(
        self,
        stream: BinaryIO,
        *,
        entries: frozenset[str],
        containers: frozenset[str],
        on_header: Callable[[Element], None],
        on_restart: Callable[[], None],
        report: Report,
        is_field: Callable[[Element], bool] = lambda _: True,
    ) -> None:
        self.root: Element | None = None
        self._stream = stream
        self._entries = entries
        self._containers = containers
        self._on_header = on_header
        self._is_field = is_field
        self._on_restart = on_restart
        self._report = report
        # What the rungs above have handed out: all entries so far, but for a few.
        self._known_entries = 0
        self._unfinished: set[int] = set()
        self._known_headers = 0
        self._is_replaying = False
        self._entries_found = 0

    def report(self, issue: Issue) -> None:
        """Pass an issue on, unless a rung above has done so already."""
        if not self._is_replaying:
            self._report(issue)

    def __iter__(self) -> Iterator[Element]:
        self._stream.seek(0)
        chunks = iter(partial(self._stream.read, CHUNK_BYTES), b"")
        strict = self._pass(chunks, None)
        yield from self._hand_out(strict)
        if strict.fault is None:
            self._conclude(strict, ())
            return
        from converter.xml.repair import Filtered  # most documents need none of it

        for is_balanced in (False, True):
            self._on_restart()
            source = Filtered(self._stream, entries=self._entries if is_balanced else None)
            attempt = self._pass(source, source.expanded)
            yield from self._hand_out(attempt)
            if attempt.fault is None or attempt.fault.is_at_end:
                break
        repairs = tuple(source.issues())
        if not (repairs or strict.is_refused or attempt.fault):
            repairs = (_repaired(strict.fault, "repaired"),)
        self._conclude(attempt, repairs)

    def _pass(self, chunks: Iterable[bytes], expanded: Callable[[], int] | None) -> Pass:
        return Pass(
            chunks,
            self._entries,
            self._containers,
            is_field=self._is_field,
            expanded=expanded,
        )

    def _hand_out(self, attempt: Pass) -> Iterator[Element]:
        """Give headers to the reader and yield entries, but for those that are known."""
        known_entries, known_headers = self._known_entries, self._known_headers
        for kind, number, element in attempt:
            self.root = attempt.root
            if kind is Kind.HEADER:
                self._is_replaying = number <= known_headers
                self._on_header(element)
                continue
            if number <= known_entries and number not in self._unfinished:
                continue
            self._unfinished.discard(number)
            self._is_replaying = False
            if kind is not Kind.ENTRY:
                self._report(_misplaced(element, kind))
            if kind is not Kind.EMPTY:
                self._entries_found += 1
                yield element
        self._is_replaying = False
        self._unfinished.update(n for n in attempt.unfinished if n > known_entries)
        self._known_entries = max(known_entries, attempt.entries_begun)
        self._known_headers = max(known_headers, attempt.headers)

    def _conclude(self, last: Pass, repairs: Iterable[Issue]) -> None:
        """Report what the last rung did and where it broke off; refuse if nothing came of it."""
        broken = last.fault
        if broken is not None and not self._entries_found:
            raise DocumentError(
                f"not well-formed at {_place(broken)}: {broken.message}; "
                "there is no whole entry before that",
                line=broken.line,
                column=broken.column,
            )
        for issue in repairs:
            self._report(issue)
        for fault, outcome in (
            (last.namespace_fault, "read by its usual meaning"),
            (last.trailing_fault, "what follows is ignored"),
        ):
            if fault is not None:
                self._report(_repaired(fault, outcome))
        if broken is not None:
            message = (
                f"the document breaks off at {_place(broken)}: {broken.message}; "
                f"entries before that are used: {self._entries_found}"
            )
            self._report(Issue(code=Code.XML_BROKEN, message=message, line=broken.line))


def _place(fault: Fault) -> str:
    return f"line {fault.line}, column {fault.column}"


def _repaired(fault: Fault, outcome: str) -> Issue:
    return Issue(code=Code.XML_REPAIRED, message=f"{fault.message}; {outcome}", line=fault.line)


def _misplaced(element: Element, kind: Kind) -> Issue:
    name = local(element)
    outcome = "is left out" if kind is Kind.EMPTY else "is read as an entry of its own"
    return Issue(
        code=Code.ELEMENT_MISPLACED,
        message=f"<{name}> inside <{name}> {outcome}",
        line=line_of(element),
        path=f"{name}/{name}",
    )
