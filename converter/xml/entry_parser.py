"""Yields the entries of an XML document in constant memory, with repairs if it is broken.

There are three attempts: libxml2 alone; libxml2 behind the filter of `xml.repair`; the same with
tags balanced. A later attempt begins at the start again and skips the entries that an earlier one
yielded, so that a document that breaks after a million entries costs a second parse and no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO

from converter.errors import DocumentError
from converter.issues import Code, Issue, Report
from converter.xml.entry_limits import CHUNK_BYTES
from converter.xml.extract import Element, line_of
from converter.xml.parser_pass import ParseFault, ParserPass, lower_local_name


class EntryParser:
    """The entries of a document, as complete elements, one at a time.

    An entry is cleared when the next one is requested. Each child of the root or of a container
    that is neither entry nor container is a header field; it goes to `on_header` in document
    order, before the entry that follows it.

    Names of entries and containers are local names in any namespace, in the usual spellings of
    their case (`item`, `Item`, `ITEM`). An entry directly inside another is yielded before it.

    Args:
        stream: rewindable; each attempt reads it from its beginning.
        entries: local names of the entry elements.
        containers: local names of the elements that hold header fields, as the root does.
        on_header: takes a header field, which is freed afterwards.
        is_field: returns, by name and attributes, whether a header field will be read. All others
            are freed before they are complete, and are empty when they are handed out.
        on_restart: called before each further attempt; all header fields come again.
        report: takes the issues of parsing, and through `EntryParser.report` those of the reader.

    Raises:
        DocumentError: while iterating; the document is broken and has no complete entry.
        LimitError: while iterating; a limit of libxml2 or of `entry_limits` is exceeded.
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
        # of earlier attempts: entries met, those of them that were not complete, header fields
        self._known_entries = 0
        self._unfinished: set[int] = set()
        self._known_headers = 0
        self._is_replaying = False
        self._entries_yielded = 0

    @property
    def root(self) -> Element | None:
        """The root element; None before it begins."""
        return self._attempt.root if self._attempt else None

    def report(self, issue: Issue) -> None:
        """Forward an issue, unless an earlier attempt reported it."""
        if not self._is_replaying:
            self._report(issue)

    def __iter__(self) -> Iterator[Element]:
        return chain.from_iterable(self._attempts())

    def _attempts(self) -> Iterator[ParserPass]:
        """Yield attempts until one needs no further repair."""
        self._stream.seek(0)
        chunks = iter(partial(self._stream.read, CHUNK_BYTES), b"")
        strict = self._attempt = self._pass(chunks, None)
        yield strict
        if strict.fault is None:
            self._finish(strict, ())
            return
        from converter.xml.repair import RepairedDocument  # most documents need no repair

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
        self._finish(attempt, repairs)

    def _pass(self, chunks: Iterable[bytes], expanded: Callable[[], int] | None) -> ParserPass:
        return ParserPass(
            chunks,
            self._entries,
            self._containers,
            is_field=self._is_field,
            on_header=self._take_header,
            is_wanted=self._is_wanted,
            known=self._known_entries,
            expanded=expanded,
        )

    def _take_header(self, number: int, element: Element) -> None:
        """Hand a header field to the reader, whose issues about it are reported once."""
        self._is_replaying = number <= self._known_headers
        self._on_header(element)
        self._is_replaying = False

    def _is_wanted(self, number: int, element: Element, is_inside_another: bool) -> bool:
        """Return True if no earlier attempt yielded the entry; report a misplaced one."""
        if number <= self._known_entries and number not in self._unfinished:
            return False
        self._unfinished.discard(number)
        if not is_inside_another:
            return True
        has_content = len(element) > 0 or bool(element.text and element.text.strip())
        self._report(_misplaced(element, has_content=has_content))
        return has_content

    def _remember(self, attempt: ParserPass) -> None:
        """Record what an attempt yielded, so that the next one skips it."""
        self._unfinished.update(n for n in attempt.unfinished if n > self._known_entries)
        self._known_entries = max(self._known_entries, attempt.entries_started)
        self._known_headers = max(self._known_headers, attempt.headers)
        self._entries_yielded += attempt.entries_yielded

    def _finish(self, last: ParserPass, repairs: Iterable[Issue]) -> None:
        """Report the repairs and where the last attempt stopped; raise if it found no entry."""
        fault = last.fault
        place = fault and f"line {fault.line}, column {fault.column}: {fault.message}"
        used = self._entries_yielded + last.entries_yielded
        if fault is not None and not used:
            raise DocumentError(
                f"not well-formed at {place}; no complete entry before that. Check the document",
                line=fault.line,
                column=fault.column,
            )
        for issue in repairs:
            self._report(issue)
        if last.namespace_fault is not None:
            self._report(_repaired(last.namespace_fault, "the usual namespace is assumed"))
        if last.trailing_fault is not None:
            self._report(_repaired(last.trailing_fault, "the rest is ignored"))
        if fault is not None:
            message = f"not well-formed at {place}; used entries before it: {used}"
            self._report(Issue(code=Code.XML_BROKEN, message=message, line=fault.line))


def _repaired(fault: ParseFault, outcome: str) -> Issue:
    return Issue(code=Code.XML_REPAIRED, message=f"{fault.message}; {outcome}", line=fault.line)


def _misplaced(element: Element, *, has_content: bool) -> Issue:
    name = lower_local_name(str(element.tag))
    outcome = "read as a separate entry" if has_content else "ignored because it is empty"
    return Issue(
        code=Code.ELEMENT_MISPLACED,
        message=f"<{name}> inside <{name}>; {outcome}",
        line=line_of(element),
        path=f"{name}/{name}",
    )
