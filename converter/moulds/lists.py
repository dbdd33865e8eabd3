"""Reads lists by the slice: lines that are published as they stand are not looked at one by one.

What is written of a page is learnt of an example (`stencil`); which lines are to be looked at, and
what becomes of these, is found by the slice (`sieve`), in other processes where there are any.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import BinaryIO, Final, cast

from converter.errors import ConverterError
from converter.issues import Issue, Report, ignore
from converter.model import Entry, Feed
from converter.moulds.captions import Captions
from converter.moulds.crew import Crew, can_fork
from converter.moulds.sieve import Sieve, Sifted, origin_of
from converter.moulds.spans import Spans
from converter.moulds.stencil import BARE, Stencil
from converter.options import PassOptions, ReadOptions, WriteOptions
from converter.record import replace
from converter.seams import Document, Format, Lines, Listed, Raw, Reader, Ready
from converter.values import urls

__all__ = ["ListDocument", "by_slice"]

#: So many slices are done before others are asked for help: shorter lists are soon read, and what
#: is common in a list is known by then.
_SLICES_ALONE: Final = 8


def by_slice(
    given: Raw,
    target: Format,
    passes: PassOptions,
    write: WriteOptions,
    excluded: Collection[str],
    jobs: int = 1,
) -> Reader:
    """Give what reads a list by the slice; if its pages are not all written alike, by the line.

    Args:
        given: the list.
        target: what is written.
        passes: what is done to its pages.
        write: as for the writer.
        excluded: pages that are to come as entries.
        jobs: how many processes may work.
    """
    rules = urls.Rules.of(passes)
    stencil = Stencil.of(target, passes, write, rules)
    captions = None if stencil else Captions.of(target, passes, write, rules)
    stencil = BARE if captions else stencil

    def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        if stencil is None or given.lines is None:
            return given.reader(stream, options, report)
        lines = partial(given.lines, options)
        sieve = Sieve(lines, stencil, rules, options.limits.max_line_bytes)
        document = ListDocument(stream, lines, sieve, stencil, rules, excluded, jobs)
        document.captioned = captions.runs if captions else None
        return cast("Document", document)

    return read


class ListDocument:
    """A list, of which most comes in runs."""

    children: tuple[str, ...] = ()
    is_late: bool = False
    captioned: Callable[[Listed], Iterator[Ready | Entry]] | None = None
    """As in `Listed`."""

    def __init__(
        self,
        stream: BinaryIO,
        lines: Callable[[Report], Lines],
        sieve: Sieve,
        stencil: Stencil,
        rules: urls.Rules,
        excluded: Collection[str],
        jobs: int = 1,
    ) -> None:
        """Begin.

        Args:
            stream: the list.
            lines: begins a walk over it.
            sieve: cleans its lines.
            stencil: says how a page is written.
            rules: for cleaning URLs.
            excluded: pages that are to come as entries.
            jobs: how many processes may work.
        """
        self._stream = stream
        self._begin = lines
        self._sieve = sieve
        self._stencil = stencil
        self._rules = rules
        self._excluded = excluded
        self._jobs = jobs
        self._found = 0

    @property
    def feed(self) -> Feed:
        """What lists have of a header: where they were read."""
        return self._sieve.lines.feed

    @property
    def entries(self) -> Iterator[Entry | Listed]:
        """Walk over it."""
        before = 0
        for sifted in self._sifted():
            run = self._run(sifted, before)
            before += sifted.lines
            self._found += len(run.locs) + run.refused
            yield from self._parted(run) if self._excluded else (run,)
        self._sieve.lines.conclude(self._found)

    def stand(self, pages: Mapping[int, str]) -> bool:
        """Read it again; say whether these pages stand on these lines."""
        try:
            return self._stand(pages)
        except OSError:
            return False  # whoever reads it all again will say why

    def _stand(self, pages: Mapping[int, str]) -> bool:
        numbers, first = sorted(pages, reverse=True), 1
        again = self._begin(ignore)
        for data in again.slices(self._stream):
            lines = data.split(b"\n")
            behind = first + len(lines) - 1
            while numbers and numbers[-1] < behind:
                number = numbers.pop()
                line = lines[number - first]
                if line != pages[number].encode():
                    loc = again.loc(again.split(line + b"\n")[0], number)
                    if loc is None or urls.page(loc, self._rules).url != pages[number]:
                        return False
            if not numbers:
                return True
            first = behind
        return False

    # -- slices -------------------------------------------------------------------------------

    def _sifted(self) -> Iterator[Sifted]:
        spans = Spans(self._stream, self._sieve.lines)
        for number, mark in enumerate(spans, 1):
            yield self._sieve.sift(spans.read(mark))
            # whether there is a URL at all is for this process to know: see `Lines.conclude`
            if number >= _SLICES_ALONE and self._jobs > 1 and self._found and can_fork():
                yield from self._handed(spans)
        yield from map(self._sieve.sift, spans.rest())

    def _handed(self, spans: Spans) -> Iterator[Sifted]:
        """Have the slices sifted by other processes; an error waits until it is its turn."""
        strike, errors = self._sieve.strike, []
        crew = Crew(self._jobs, lambda mark: strike(spans.read(mark)), spans.at_once)

        def give() -> None:
            try:
                while crew.has_room and (mark := next(spans, None)) is not None:
                    crew.give(mark)
            except (ConverterError, OSError) as error:
                errors.append(error)

        try:
            give()
            while crew.is_busy:
                mark, struck = crew.next()
                give()
                yield struck or self._sieve.sift(spans.read(mark))
        finally:
            crew.dismiss()
        for error in errors:
            raise error

    # -- runs ---------------------------------------------------------------------------------

    def _run(self, sifted: Sifted, before: int) -> Listed:
        feed = self.feed
        lines: Sequence[int] = range(before + 1, before + 1 + sifted.lines)
        if sifted.gone:
            lines = array("Q", lines)
            for place in reversed(sifted.gone):
                del lines[place]
        return Listed(
            locs=sifted.locs,
            texts=sifted.written,
            before=self._stencil.before,
            behind=self._stencil.behind,
            prefixes=self._stencil.prefixes,
            origins=sifted.origins,
            lines=lines,
            feed=feed,
            digests=sifted.digests,
            refused=sifted.refused,
            issues=[
                Issue(
                    code=code, message=message, line=before + number, entry=loc, source=feed.source
                )
                for code, message, number, loc in sifted.notes
            ],
            stand=self.stand,
            captioned=self.captioned,
        )

    def _parted(self, run: Listed) -> Iterator[Entry | Listed]:
        """Cut the pages out of a run that are to come as entries."""
        issues, start = deque(run.issues), 0
        for place, loc in enumerate(run.locs):
            if loc in self._excluded:
                yield _part(run, start, place, issues)
                yield run.entry_of(place)
                start = place + 1
        yield _part(run, start, len(run.locs), issues)


def _part(run: Listed, start: int, stop: int, issues: deque[Issue]) -> Listed:
    """Give a stretch of a run, with the issues up to the line behind it."""
    told: list[Issue] = []
    while issues and (stop == len(run.locs) or (issues[0].line or 0) <= run.lines[stop]):
        told.append(issues.popleft())
    locs = run.locs[start:stop]
    return replace(
        run,
        locs=locs,
        texts=run.texts[start:stop],
        lines=run.lines[start:stop],
        digests=None,
        origins=Counter(map(origin_of, locs)),
        refused=0 if start else run.refused,
        issues=told,
    )
