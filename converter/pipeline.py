"""Read, pass, pack: the only place where a reader meets a writer.

A conversion walks its inputs once. What only the end of that walk can tell (a page that was there
twice, a language version that is missing, a header that came after its items) is settled by one
more walk; nothing has been published by then, and what the first walk reported is forgotten.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Final

from converter.ahead import Ahead
from converter.errors import OptionError
from converter.issues import Code, Issue, Report
from converter.ledger import Tally
from converter.model import Entry, Feed, Moment
from converter.options import PassOptions, ReadOptions, WriteOptions
from converter.parts import limits_of, pack
from converter.passes import Transform, hosts, hygiene, select
from converter.passes.digests import Digests
from converter.passes.identity import PAGES, Items
from converter.passes.merge import Merger
from converter.readers import Input
from converter.seams import Document, FieldSupport, Format, Loss, Losses, Part, Spool
from converter.values import dates, urls

__all__ = ["Conversion", "Input"]

#: How often progress is told of, in entries.
_PROGRESS_EVERY: Final = 500


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
    jobs: int = 1
    """How many processes may read inputs side by side."""
    keeps_versions: bool = False
    """Others see to it that language versions are in the output."""
    heading: Feed | None = None
    """The header that is written, if it is not to be that of an input."""
    digests: Callable[[], Digests] = Digests
    """Makes what remembers the entries that were there."""
    items: Items = field(default_factory=Items)
    """Which entries are the same, where the target holds items and not pages."""
    joined: Callable[[Iterator[Entry]], Iterator[Entry]] = iter
    """What else happens to entries that are each there once, before they get their order."""

    tally: Tally = field(default_factory=Tally)
    first_loc: str | None = None
    _heading: Document | None = None
    """The first input that has a header; as long as there is none, the last one opened."""
    _heading_number: int = 0
    _reading: tuple[int, Document] | None = None
    """The input that is being read: of its header nothing was counted yet."""
    _headers: dict[int, Feed] = field(default_factory=dict)
    _is_late: bool = False
    _merger: Merger | None = None
    _source: str | None = None
    _number: int = 0
    """Of the input that is being read."""
    _unusable: dict[str, int] = field(default_factory=dict)
    """Items that the entry on its way to the filters has lost because of their URLs."""

    @property
    def feed(self) -> Feed:
        """The header of the first input that has one, as far as it was read."""
        if self.heading is not None:
            return self.heading
        return Feed() if self._heading is None else self._heading.feed

    @property
    def merger(self) -> Merger:
        """What is known of duplicates."""
        if self._merger is None:
            items = replace(self.items, source_of=self._source_of)
            self._merger = Merger(
                self.passes.now,
                identity=PAGES if self.target.needs_loc else items,
                keeps_versions=self.keeps_versions,
                digests=self.digests,
                left_out=self.leave_out_versions,
            )
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
        writing = self.target.writing(self.write)
        limits = limits_of(self.target, self.write)
        told = self.telling(self.report_written)
        entries = self.entries()
        try:
            yield from pack(writing, entries, lambda: self.feed, limits, self.spool, told)
        except OptionError:
            deque(entries, maxlen=0)
            if not self._is_late:
                raise
            return  # what was missed (a language, say) may stand in the header that came late
        writing.finish(told)

    def telling(self, report: Report) -> Report:
        """Give what takes issues of the writer, of the entry that was given last."""
        return self._losing(self._by_source(report))

    def entries(self) -> Iterator[Entry]:
        """Walk the inputs once and give what is to be written."""
        passes, report = self.passes, self._told_once()
        check = hosts.HostCheck(passes, _without_hosts(report, self.is_split))
        entries = self.joined(self._read(self._transforms(check, report), check.summarise))
        if self.is_split and self.only_host is None:
            return entries  # only the hosts are looked for: each has its own order and number
        order = passes.sort or self.target.order
        if order != "input":
            from converter.passes.order import ordered  # sitemaps keep the order of the source

            entries = ordered(entries, order, self.lastmod_of, self.spool)
        if passes.max_entries is not None:
            entries = select.first(entries, passes.max_entries)
        return self._offered(entries, check.summarise)

    def _transforms(self, check: Transform, report: Report) -> list[Transform]:
        """Return what is applied to each entry, in this order: only what the options ask for."""
        passes, transforms = self.passes, list[Transform]()
        if passes.loc_template:
            from converter.passes.template import template  # most entries have a page

            transforms.append(template(passes.loc_template, report))
        transforms += [hygiene.hygiene(urls.Rules.of(passes), report, self._leave_out), check]
        transforms += select.filters(passes, self.lastmod_of, report)
        transforms += [self._count_chosen, self.merger.uniting(report)]
        if self.only_host is not None:  # items that are the same may be on several hosts
            transforms.append(self._of_host)
        if passes.expired_before is not None:
            transforms.append(select.unexpired(passes.expired_before, self.lastmod_of, report))
        return transforms

    def _of_host(self, entry: Entry) -> Entry | None:
        if entry.loc is None:
            return entry if self.takes_homeless else None
        return entry if urls.host_of(entry.loc) == self.only_host else None

    def lastmod_of(self, entry: Entry) -> Moment | None:
        """Give the date that is written of an entry."""
        chosen = dates.lastmod(
            entry.published, entry.updated, policy=self.passes.lastmod, now=self.passes.now
        )
        return chosen.moment

    def _read(self, transforms: Sequence[Transform], at_end: Callable[[], None]) -> Iterator[Entry]:
        """Read the inputs in the order given, one after the other, and transform the entries."""
        losses = self.target.losses(self.write)
        with Ahead(self.inputs, self._options_of, self.jobs) as ahead:
            for number, given in self._begun():
                report = self._told_once()
                document = ahead.document(number, report)
                document = document or given.open(self._options_of(number), report)
                if self.feed.format in {None, "txt", "sitemap"}:
                    self._heading, self._heading_number = document, number
                self._reading, self._number = (number, document), number
                before = self.tally.read
                yield from self._transformed(document, given.name, transforms)
                if self.tally.read == before:
                    message = "there is no entry in it"
                    self.report(Issue(code=Code.SOURCE_EMPTY, message=message, source=given.name))
                self._count_header(losses)
                if document.is_late:
                    self._headers[number] = document.feed
                    self._is_late = True
        at_end()

    def _begun(self) -> Iterator[tuple[int, Input]]:
        """Give the inputs, each of them open for as long as it is read."""
        for number, given in enumerate(self.inputs):
            self._source = given.name
            report = self._by_source(self.report)
            with given.late(report) if given.late else nullcontext(given) as begun:
                yield number, begun

    def _options_of(self, number: int) -> ReadOptions:
        given, header = self.inputs[number], self._headers.get(number)
        return replace(self.read, name=given.name, source_url=given.url, header=header)

    def _source_of(self, entry: Entry) -> str | None:
        """Name the source of an entry that is being read; all streams have one name (`-`)."""
        source = entry.feed.source if entry.feed else None
        return f"{source} {self._number}" if source == "-" else source

    def _transformed(
        self, document: Document, source: str, transforms: Sequence[Transform]
    ) -> Iterator[Entry]:
        tally, unusable = self.tally, self._unusable
        for entry in document.entries:
            self._source = source
            tally.read += 1
            if not tally.read % _PROGRESS_EVERY:
                self.progress()
            unusable.clear()
            for transform in transforms:
                if (changed := transform(entry)) is None:
                    break
                entry = changed  # noqa: PLW2901
            else:
                tally.distinct += 1
                yield entry
        self.progress()

    def _offered(self, entries: Iterable[Entry], at_end: Callable[[], None]) -> Iterator[Entry]:
        """Remember whose entry is being written: issues of the writer are issues of its source."""
        losses = self.target.losses(self.write)
        support = FieldSupport(losses)
        for entry in entries:
            self.tally.offered += 1
            if entry.feed is not None:
                self._source = entry.feed.source or self._source
            if self.first_loc is None:
                self.first_loc = entry.loc
            if entry.loc or not self.target.needs_loc:
                self._count_lost(entry, support)
                if self.write.count_fields:
                    self.tally.see(entry, losses)
            yield entry
        # --max-entries leaves the passes in the middle, and what they have to say unsaid
        self._count_header(losses)
        at_end()

    def _count_lost(self, entry: Entry, support: FieldSupport) -> None:
        losses, omissions = support.of(entry)
        self.tally.omit(omissions)
        for loss in losses:
            if self.write.tell_losses:
                self._tell_lost(loss, entry)
            else:
                self.tally.lose(loss.name, is_altered=loss.is_altered)

    def _count_header(self, losses: Losses) -> None:
        """Count what is lost of the header of the document that was read last."""
        if not self._is_counted or self._reading is None:
            return
        (number, document), self._reading = self._reading, None
        is_written = self.heading is None and number == self._heading_number
        written = None if is_written else self.feed
        if self.write.count_fields:
            self.tally.see(document.feed, losses)
        for loss in losses.of_header(document.feed, written):
            self._tell_lost(loss, source=document.feed.source)

    def _tell_lost(self, loss: Loss, of: Entry | None = None, source: str | None = None) -> None:
        self.tally.lose(loss.name, is_altered=loss.is_altered)
        if self.write.tell_losses:
            code = Code.ALTERED_FIELD if loss.is_altered else Code.DROPPED_FIELD
            issue = Issue(code=code, message=loss.fate(self.target.name), path=loss.name)
            if of is not None:
                issue = replace(issue, line=of.line, entry=of.loc or of.id)
            self._by_source(self.report_written)(replace(issue, source=source))

    @property
    def _is_counted(self) -> bool:
        """Whether this walk counts what is read: with a walk for each host, the first one does."""
        return not self.is_split or (self.only_host is not None and self.takes_homeless)

    def _leave_out(self, item: str, number: int) -> None:
        """Count an entry that is dropped because of its URL; note what one that goes on loses."""
        if item == "entry":
            self._count_unusable(item, number)
        else:
            self._unusable[item] = number

    def _count_chosen(self, entry: Entry) -> Entry:
        """Count what an entry has lost because of its URL, now that it is chosen."""
        for item, number in self._unusable.items():
            self._count_unusable(item, number)
        return entry

    def _count_unusable(self, item: str, number: int) -> None:
        if self._is_counted:
            self.tally.leave_out(item, number, "its URL cannot be used")

    def leave_out_versions(self, number: int) -> None:
        """Count versions of a page in other languages that are dropped."""
        self.tally.leave_out("language", number, "not every version is in the output")

    def _losing(self, report: Report) -> Report:
        """Count what is lost; name the entries only where that is asked for."""

        def told(issue: Issue) -> None:
            if not self.tally.note(issue) or self.write.tell_losses:
                report(issue)

        return told

    def _told_once(self) -> Report:
        """Do the same for what is reported before each host has a walk of its own."""
        report = self._by_source(self.report)
        return self._losing(report) if self._is_counted else report

    def _by_source(self, report: Report) -> Report:
        """Name the source that is being read or written in every issue that names none."""

        def told(issue: Issue) -> None:
            if not issue.source and self._source:
                issue = Issue(
                    code=issue.code,
                    message=issue.message,
                    line=issue.line,
                    path=issue.path,
                    entry=issue.entry,
                    source=self._source,
                )
            report(issue)

        return told


#: What a reader of one output would want to know, but not of one output a host.
_OF_HOSTS: Final = frozenset({Code.HOST_OTHER, Code.HOST_SIBLING})


def _without_hosts(report: Report, is_split: bool) -> Report:
    if not is_split:
        return report
    return lambda issue: None if issue.code in _OF_HOSTS else report(issue)
