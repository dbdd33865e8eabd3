"""Walks an XML document once, entry by entry, in constant memory, down a ladder of repairs.

The ladder: libxml2 as it is; libxml2 behind the byte filter of `xml.repair`; the same with tags
balanced. A later rung begins at the start again and passes over what an
earlier one has handed out already, so that a document which breaks after a million entries costs
a second reading, and no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO

from converter.errors import DocumentError
from converter.issues import Code, Issue, Report
from converter.xml.entry_limits import CHUNK_BYTES
from converter.xml.extract import Element
from converter.xml.parse_errors import ParseFault, line_of
from converter.xml.parser_pass import ParserPass, lower_local_name


class EntryParser:
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
        self._stream = stream
        self._entries = entries
        self._containers = containers
        self._on_header = on_header
        self._is_field = is_field
        self._on_restart = on_restart
        self._report = report
        self._attempt: ParserPass | None = None
        # What earlier attempts have handed out: all entries that they met, but for a few.
        self._known_entries = 0
        self._unfinished: set[int] = set()
        self._known_headers = 0
        self._is_replaying = False
        self._entries_handed_out = 0

    @property
    def root(self) -> Element | None:
        """The root of the document, once it is known."""
        return self._attempt.root if self._attempt else None

    def report(self, issue: Issue) -> None:
        """Pass an issue on, unless an earlier attempt has done so already."""
        if not self._is_replaying:
            self._report(issue)

    def __iter__(self) -> Iterator[Element]:
        return chain.from_iterable(self._attempts())

    def _attempts(self) -> Iterator[ParserPass]:
        """Yield one attempt after another, until one needs no further repair."""
        self._stream.seek(0)
        chunks = iter(partial(self._stream.read, CHUNK_BYTES), b"")
        strict = self._attempt = self._pass(chunks, None)
        yield strict
        if strict.fault is None:
            self._conclude(strict, ())
            return
        from converter.xml.repair import RepairedDocument  # most documents need none of it

        attempt = strict
        for is_balanced in (False, True):
            self._remember(attempt)
            self._on_restart()
            source = RepairedDocument(self._stream, entries=self._entries if is_balanced else None)
            attempt = self._attempt = self._pass(source, source.expanded)
            yield attempt
            if attempt.fault is None or attempt.fault.is_at_end:
                break
        repairs = tuple(source.issues())
        if not (repairs or strict.is_refused or attempt.fault):
            repairs = (_repaired(strict.fault, "repaired"),)
        self._conclude(attempt, repairs)

    def _pass(self, chunks: Iterable[bytes], expanded: Callable[[], int] | None) -> ParserPass:
        return ParserPass(
            chunks,
            self._entries,
            self._containers,
            is_field=self._is_field,
            on_header=self._take_header,
            admits=self._admits,
            known=self._known_entries,
            expanded=expanded,
        )

    def _take_header(self, number: int, element: Element) -> None:
        """Give a header field to the reader, whose issues about it are reported once."""
        self._is_replaying = number <= self._known_headers
        self._on_header(element)
        self._is_replaying = False

    def _admits(self, number: int, element: Element, is_inside_another: bool) -> bool:
        """Say whether an entry is new, and report it if it stands inside another."""
        if number <= self._known_entries and number not in self._unfinished:
            return False
        self._unfinished.discard(number)
        if not is_inside_another:
            return True
        has_content = len(element) > 0 or bool(element.text and element.text.strip())
        self._report(_misplaced(element, has_content=has_content))
        return has_content

    def _remember(self, attempt: ParserPass) -> None:
        """Remember what an attempt handed out, so that the next one does not do it again."""
        self._unfinished.update(n for n in attempt.unfinished if n > self._known_entries)
        self._known_entries = max(self._known_entries, attempt.entries_begun)
        self._known_headers = max(self._known_headers, attempt.headers)
        self._entries_handed_out += attempt.entries_handed_out

    def _conclude(self, last: ParserPass, repairs: Iterable[Issue]) -> None:
        """Report what the last rung did and where it broke off; refuse if nothing came of it."""
        broken = last.fault
        used = self._entries_handed_out + last.entries_handed_out
        if broken is not None and not used:
            raise DocumentError(
                f"not well-formed at {broken.place}: {broken.message}; "
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
                f"the document breaks off at {broken.place}: {broken.message}; "
                f"entries before that are used: {used}"
            )
            self._report(Issue(code=Code.XML_BROKEN, message=message, line=broken.line))


def _repaired(fault: ParseFault, outcome: str) -> Issue:
    return Issue(code=Code.XML_REPAIRED, message=f"{fault.message}; {outcome}", line=fault.line)


def _misplaced(element: Element, *, has_content: bool) -> Issue:
    name = lower_local_name(element)
    outcome = "is read as an entry of its own" if has_content else "is left out"
    return Issue(
        code=Code.ELEMENT_MISPLACED,
        message=f"<{name}> inside <{name}> {outcome}",
        line=line_of(element),
        path=f"{name}/{name}",
    )
