"""Read, pass, pack: the only place where a reader meets a writer.

A conversion walks its inputs once. What only the end of that walk can tell (a page that was there
twice, a language version that is missing, a header that came after its items) is settled by one
more walk; nothing has been published by then, and what the first walk reported is forgotten.
"""

from __future__ import annotations

import marshal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final

from converter.errors import DocumentError, LimitError, OptionError, SourceError
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry, Feed, Moment
from converter.options import PassOptions, ReadOptions, WriteOptions
from converter.parts import pack
from converter.passes import hosts, hygiene, select
from converter.passes.merge import Merger
from converter.seams import Document, Format, Part, PartLimits, Reader, Spool
from converter.values import dates, urls

__all__ = ["Conversion", "Input", "Ledger", "Tally", "named", "salvaged"]

#: How many issues of a walk wait in memory before they go to the spool.
_MOST_HELD: Final = 2000

#: How often progress is told of, in entries.
_PROGRESS_EVERY: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One source: how to begin to read it, as often as that is needed."""

    name: str
    open: Callable[[ReadOptions, Report], Document]


@dataclass(slots=True)
class Tally:
    """How many entries have come how far in the present walk."""

    read: int = 0
    """Out of a reader."""
    distinct: int = 0
    """Past the filters, each page once."""
    offered: int = 0
    """To the writer; what `--max-entries` cut off before that is no loss."""


class Ledger:
    """Holds the issues of a walk until it is known whether the walk counts."""

    def __init__(self, spool: Spool) -> None:
        self.counts: Counter[Code] = Counter()
        self._spool = spool
        self._held: list[Issue] = []
        self._file: BinaryIO | None = None

    def __call__(self, issue: Issue) -> None:
        self.counts[issue.code] += 1
        self._held.append(issue)
        if len(self._held) >= _MOST_HELD:
            self._spill()

    def _spill(self) -> None:
        if self._file is None:
            self._file = self._spool()
        rows = [(i.code.value, i.message, i.line, i.path, i.entry, i.source) for i in self._held]
        marshal.dump(rows, self._file)
        self._held.clear()

    def replay(self, report: Report) -> None:
        """Hand everything on, in order, and forget it."""
        for issue in self._spilled():
            report(issue)
        for issue in self._held:
            report(issue)
        self.forget()

    def _spilled(self) -> Iterator[Issue]:
        if self._file is None:
            return
        end = self._file.tell()
        self._file.seek(0)
        while self._file.tell() < end:
            for code, message, line, path, entry, source in marshal.load(self._file):  # noqa: S302
                yield Issue(
                    code=Code(code),
                    message=message,
                    line=line,
                    path=path,
                    entry=entry,
                    source=source,
                )

    def forget(self) -> None:
        """Begin anew."""
        self.counts.clear()
        self._held.clear()
        if self._file is not None:
            self._file.close()
            self._file = None


def salvaged(reader: Reader, salvage: Reader) -> Reader:
    """Give a reader that turns to another one when it could make nothing of a document."""

    def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        return _Salvaged(reader, salvage, stream, options, report)

    return read


class _Salvaged:
    """A document that is read again by the second reader if the first one finds no entry."""

    def __init__(
        self,
        reader: Reader,
        salvage: Reader,
        stream: BinaryIO,
        options: ReadOptions,
        report: Report,
    ) -> None:
        self._document = reader(stream, options, report)
        self._again: Callable[[], Document] = lambda: salvage(stream, options, report)

    @property
    def feed(self) -> Feed:
        return self._document.feed

    @property
    def children(self) -> tuple[str, ...]:
        return self._document.children

    @property
    def is_late(self) -> bool:
        return _is_late(self._document)

    @property
    def entries(self) -> Iterator[Entry]:
        found = False
        try:
            for entry in self._document.entries:
                found = True
                yield entry
        except DocumentError as broken:
            if found:
                raise
            with suppress(DocumentError):
                self._document = self._again()
                for entry in self._document.entries:
                    found = True
                    yield entry
            if not found:
                raise broken from None


def named(reader: Reader) -> Reader:
    """Give a reader whose errors name the source, at whatever point of the walk they come."""

    def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        name = printable(options.name or "the source")
        with _naming(name):
            return _Named(reader(stream, options, report), name)

    return read


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Put the source's name before what is wrong with it, unless it stands there already."""
    try:
        yield
    except (DocumentError, LimitError) as error:
        if not str(error).startswith(f"{name}: "):
            error.args = (f"{name}: {error}",)
        raise
    except BrokenPipeError:
        raise  # of whoever listens to the report
    except OSError as error:
        said = error.strerror or str(error)
        raise SourceError(f"{name}: it cannot be read to its end: {said}") from error


class _Named:
    """A document that names its source in the errors of its walk."""

    def __init__(self, document: Document, name: str) -> None:
        self._document = document
        self._name = name

    @property
    def feed(self) -> Feed:
        return self._document.feed

    @property
    def children(self) -> tuple[str, ...]:
        with _naming(self._name):  # an index is read for them
            return self._document.children

    @property
    def is_late(self) -> bool:
        return _is_late(self._document)

    @property
    def entries(self) -> Iterator[Entry]:
        with _naming(self._name):
            yield from self._document.entries


def _is_late(document: Document) -> bool:
    """Did a part of the header come after entries that depend on it? Lists have no header."""
    return bool(getattr(document, "is_late", False))


@dataclass(slots=True, kw_only=True)
class Conversion:
    """One conversion: its inputs, what is asked for, and what its walks have learnt."""

    inputs: Sequence[Input]
    target: Format
    read: ReadOptions
    passes: PassOptions
    write: WriteOptions
    spool: Spool
    report: Report
    """Takes what readers and passes report."""
    report_written: Report
    """Takes what the writer reports."""
    progress: Callable[[], None] = lambda: None
    is_split: bool = False
    """Every host gets an output of its own: that there are several is no news."""
    only_host: str | None = None
    """The host whose output is being made."""
    takes_homeless: bool = True
    """Entries without a page go with this host: they are reported once."""

    tally: Tally = field(default_factory=Tally)
    first_loc: str | None = None
    _heading: Document | None = None
    """The first input that has a header; as long as there is none, the last one opened."""
    _headers: dict[int, Feed] = field(default_factory=dict)
    _is_late: bool = False
    _merger: Merger | None = None
    _source: str | None = None

    @property
    def feed(self) -> Feed:
        """The header of the first input that has one, as far as it was read."""
        return Feed() if self._heading is None else self._heading.feed

    @property
    def merger(self) -> Merger:
        """What is known of duplicates."""
        if self._merger is None:
            self._merger = Merger(self.passes.now)
        return self._merger

    @property
    def needs_another_walk(self) -> bool:
        """Did the walk that has just ended see what only another one can settle?"""
        return self._is_late or self.merger.needs_another_walk

    def begin_another_walk(self) -> None:
        """Get ready to walk again: a complete header first, for it may change every URL."""
        if self._is_late:
            self._merger, self._is_late = None, False
        else:
            self.merger.begin_second_walk()
        self.tally = Tally()

    def settle(self) -> None:
        """Get ready for a walk over what is settled already; as often as one likes."""
        self.merger.begin_second_walk()
        self.tally = Tally()

    def parts(self) -> Iterator[Part]:
        """Walk the inputs once and give the output's parts, each to be drained in turn."""
        writer = self.target.writer
        if writer is None:  # registry.writable() has seen to that
            raise TypeError(f"{self.target.name} has no writer")
        writing = writer(self.write)
        limits = _narrowed(self.target.part_limits, self.write)
        told = self._by_source(self.report_written)
        entries = self.entries()
        try:
            yield from pack(writing, entries, lambda: self.feed, limits, self.spool, told)
        except OptionError:
            deque(entries, maxlen=0)
            if not self._is_late:
                raise
            return  # what was missed (a language, say) may stand in the header that came late
        finish = getattr(writing, "finish", None)
        if finish is not None:
            finish(told)

    def entries(self) -> Iterator[Entry]:
        """Walk the inputs once and give the entries that are to be written."""
        passes, report = self.passes, self._by_source(self.report)
        check = hosts.HostCheck(passes)
        told_of_hosts = _without_hosts(report, self.is_split)
        entries = self._read()
        if passes.loc_template:
            entries = select.template(entries, passes.loc_template, report)
        entries = hygiene.hygiene(entries, urls.Rules.of(passes), report)
        entries = check.apply(entries, told_of_hosts)
        if self.only_host is not None:
            entries = filter(self._is_of_host, entries)
        if passes.include or passes.exclude:
            entries = select.matching(entries, passes.include, passes.exclude, report)
        if passes.since or passes.until or passes.require_lastmod:
            entries = select.between(
                entries, passes.since, passes.until, passes.require_lastmod, self._lastmod, report
            )
        entries = self._distinct(self.merger.unite(entries, report))
        if self.is_split and self.only_host is None:
            return entries  # only the hosts are looked for: each has its own order and number
        if passes.sort != "input":
            entries = select.ordered(entries, passes.sort, self._lastmod, self.spool)
        if passes.max_entries is not None:
            entries = select.first(entries, passes.max_entries)
        return self._offered(entries, lambda: check.summarise(told_of_hosts))

    def _is_of_host(self, entry: Entry) -> bool:
        if entry.loc is None:
            return self.takes_homeless
        return urls.host_of(entry.loc) == self.only_host

    def _lastmod(self, entry: Entry) -> Moment | None:
        chosen = dates.lastmod(
            entry.published, entry.updated, policy=self.passes.lastmod, now=self.passes.now
        )
        return chosen.moment

    def _read(self) -> Iterator[Entry]:
        """Read the inputs in the order given, one after the other."""
        for number, given in enumerate(self.inputs):
            self._source = given.name
            options = replace(self.read, name=given.name, header=self._headers.get(number))
            document = given.open(options, self._by_source(self.report))
            if self.feed.format in {None, "txt"}:
                self._heading = document
            for entry in document.entries:
                self._source = given.name
                self.tally.read += 1
                if not self.tally.read % _PROGRESS_EVERY:
                    self.progress()
                yield entry
            self.progress()
            if _is_late(document):
                self._headers[number] = document.feed
                self._is_late = True

    def _distinct(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self.tally.distinct += 1
            yield entry

    def _offered(self, entries: Iterable[Entry], at_end: Callable[[], None]) -> Iterator[Entry]:
        """Remember whose entry is being written: issues of the writer are issues of its source."""
        for entry in entries:
            self.tally.offered += 1
            if entry.feed is not None:
                self._source = entry.feed.source or self._source
            if self.first_loc is None:
                self.first_loc = entry.loc
            yield entry
        at_end()  # --max-entries leaves the passes in the middle, and what they have to say unsaid

    def _by_source(self, report: Report) -> Report:
        """Name the source that is being read or written in every issue that names none."""
        return lambda issue: report(issue if issue.source else replace(issue, source=self._source))


#: What a reader of one output would want to know, but not of one output a host.
_OF_HOSTS: Final = frozenset({Code.HOST_OTHER, Code.HOST_SIBLING})


def _without_hosts(report: Report, is_split: bool) -> Report:
    if not is_split:
        return report
    return lambda issue: None if issue.code in _OF_HOSTS else report(issue)


def _narrowed(limits: PartLimits, options: WriteOptions) -> PartLimits:
    """Make a format's limits smaller, where that is asked for and the format has any."""
    if limits == PartLimits():
        return limits
    return replace(
        limits,
        max_entries=options.limit_urls or limits.max_entries,
        max_bytes=options.limit_bytes or limits.max_bytes,
    )
