"""Yields the entries of an XML document in constant memory, with repairs if it is broken.

There are two attempts: libxml2 alone, and libxml2 behind the filter of `xml.repair`. The second one
begins at the start again and skips the entries that the first one yielded, so that a document that
breaks after a million entries costs a second parse and no memory.
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
from converter.xml.parser_pass import ParseFault, ParserPass


class EntryParser:
    """The entries of a document, as complete elements, one at a time.

    An entry is cleared when the next one is requested. Each child of the root or of a container
    that is neither entry nor container is a header field; it goes to `on_header` in document
    order, before the entry that follows it.

    Names of entries and containers are local names in any namespace, in the usual spellings of
    their case (`item`, `Item`, `ITEM`). An entry directly inside another ends that one.

    Args:
        stream: rewindable; each attempt reads it from its beginning.
        entries: local names of the entry elements.
        containers: local names of the elements that hold header fields, as the root does.
        on_header: takes a header field, which is freed afterwards.
        is_field: returns, by name and attributes, whether a header field will be read. All others
            are freed before they are complete, and are empty when they are handed out.
        on_restart: called before the second attempt; all header fields come again.
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
        self._on_restart = on_restart
        self._report = report
        self._attempt: ParserPass | None = None
        self._new_attempt = partial(
            ParserPass,
            entries=entries,
            containers=containers,
            on_header=on_header,
            is_field=is_field,
        )

    @property
    def root(self) -> Element | None:
        """The root element; None before it begins."""
        return self._attempt.root if self._attempt else None

    def report(self, issue: Issue) -> None:
        """Forward an issue, unless the first attempt reported it."""
        if not (self._attempt and self._attempt.is_replaying):
            self._report(issue)

    def __iter__(self) -> Iterator[Element]:
        return chain.from_iterable(self._attempts())

    def _attempts(self) -> Iterator[ParserPass]:
        """Yield the first attempt, and the second one if the document needs repair."""
        self._stream.seek(0)
        chunks = iter(partial(self._stream.read, CHUNK_BYTES), b"")
        first = self._attempt = self._new_attempt(chunks, first=None)
        yield first
        if first.fault is None:
            self._finish(first, first.entries, ())
            return
        from converter.xml.repair import Findings, repair  # most documents need no repair

        self._on_restart()
        findings = Findings()
        repaired = repair(self._stream, self._entries, findings)
        second = self._attempt = self._new_attempt(repaired, first=first)
        yield second
        repairs = tuple(findings.issues())
        if not (repairs or first.is_refused or second.fault):
            repairs = (_repaired(first.fault, "repaired"),)
        self._finish(second, max(first.entries, second.entries), repairs)

    def _finish(self, last: ParserPass, used: int, repairs: Iterable[Issue]) -> None:
        """Report the repairs and where the last attempt stopped; raise if no entry was used."""
        fault = last.fault
        place = fault and f"line {fault.line}, column {fault.column}: {fault.message}"
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
