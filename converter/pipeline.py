"""From inputs to the parts of an output: the only place where a reader meets a writer.

A conversion has two stages. What is done for each entry by itself (`entry_stage`) may be done by
several processes; what depends on the other entries (duplicates, order, number, files) is decided
here, in the order of the input. What only the end of a pass can tell (duplicates, a language
version that is missing, a header that came after its items) is settled by one more pass; nothing
has been published by then, and what the first pass reported is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from converter.ahead import Ahead
from converter.entry_stage import EntryStage, StageOptions, lastmod_of, loss_issue, with_source
from converter.errors import OptionError
from converter.issues import Code, Issue, Report
from converter.ledger import Tally, changes_by
from converter.model import Entry, Feed, Moment
from converter.options import PassOptions, ReadOptions, WriteOptions
from converter.parts import limits_of, pack
from converter.passes.digests import Digests
from converter.passes.identity import PAGES, Items
from converter.passes.merge import Deduplicator
from converter.readers import Input
from converter.seams import Converted, Document, Format, Part, Spool

__all__ = ["Conversion", "Input"]

#: How often progress is reported, in entries.
_PROGRESS_EVERY: Final = 500


@dataclass(slots=True, kw_only=True)
class Conversion:
    """One conversion: its inputs, what is asked for, and what its passes have learnt."""

    inputs: Sequence[Input]
    target: Format
    read: ReadOptions
    passes: PassOptions
    write: WriteOptions
    spool: Spool
    report: Report
    """Takes what readers and filters report."""
    report_written: Report
    """Takes what the writer reports."""
    progress: Callable[[], None] = lambda: None
    is_split: bool = False
    """Every host has its own output."""
    only_host: str | None = None
    """The host whose output is being made."""
    takes_homeless: bool = True
    """Entries without a page belong to that output: they are reported once."""
    jobs: int = 1
    """How many processes may do the first stage side by side."""
    keeps_versions: bool = False
    """Others see to it that language versions are in the output."""
    heading: Feed | None = None
    """The header that is written, if it is not to be that of an input."""
    digests: Callable[[], Digests] = Digests
    """Makes the set of the entries that were seen."""
    items: Items = field(default_factory=Items)
    """Which entries are the same, where the target holds items and not pages."""
    joined: Callable[[Iterator[Entry]], Iterator[Entry]] | None = None
    """A further transform, applied after duplicates are merged and before sorting."""

    tally: Tally = field(default_factory=Tally)
    first_loc: str | None = None
    _header: tuple[int, Document] | None = None
    """The first input that has a header; as long as there is none, the last one opened."""
    _uncounted: tuple[int, Document] | None = None
    """The input that is being read, until the losses of its header are counted."""
    _late_headers: dict[int, Feed] = field(default_factory=dict)
    _is_late: bool = False
    _duplicates: Deduplicator | None = None
    _source: str | None = None
    _number: int = 0
    """Of the input that is being read."""

    @property
    def feed(self) -> Feed:
        """The header of the first input that has one, as far as it was read."""
        if self.heading is not None:
            return self.heading
        return Feed() if self._header is None else self._header[1].feed

    @property
    def merger(self) -> Deduplicator:
        """What is known of duplicates."""
        if self._duplicates is None:
            items = replace(self.items, source_of=self._source_of)
            self._duplicates = Deduplicator(
                self.passes.now,
                identity=PAGES if self.target.needs_loc else items,
                keeps_versions=self.keeps_versions,
                digests=self.digests,
            )
        return self._duplicates

    # -- passes -------------------------------------------------------------------------------

    @property
    def needs_another_walk(self) -> bool:
        """Did the pass that has just ended see what only another one can settle?"""
        return self._is_late or self.merger.needs_second_pass

    def begin_another_walk(self) -> None:
        """Get ready for another pass: a complete header first, for it may change every URL."""
        if self._is_late:
            self._duplicates, self._is_late = None, False
        else:
            self.merger.begin_second_pass()
        self.tally = Tally()

    def settle(self) -> None:
        """Get ready for a pass over what is settled already; as often as one likes."""
        self.merger.begin_second_pass()
        self.tally = Tally()

    def parts(self) -> Iterator[Part]:
        """Pass over the inputs once and give the output's parts, each to be drained in turn."""
        stage = self._stage(renders=self.joined is None and self.target.renders_alone(self.write))
        limits, report = limits_of(self.target, self.write), self.telling(self.report_written)
        dates = [0, 0]
        items = self._written(stage, dates)
        try:
            yield from pack(stage.writer, items, lambda: self.feed, limits, self.spool, report)
        except OptionError:
            if not self._is_late:
                raise
            return  # what is missing (a language, say) may be in the header that came late
        stage.writer.finish(report, (dates[0], dates[1]))

    def entries(self) -> Iterator[Entry]:
        """Pass over the inputs once and give what is to be written."""
        stage = self._stage(renders=False)
        if self.is_split and self.only_host is None:
            items = self._read(stage)  # only the hosts are looked for
        else:
            items = self._offered(stage, stage.count_losses)
        return (item.entry for item in items if item.entry is not None)

    def _written(self, stage: EntryStage, dates: list[int]) -> Iterator[Converted]:
        """Give the items that the target can hold, rendered, and add up their dates."""
        failed: OptionError | None = None
        for item in self._offered(stage, stage.render):
            rendered = item.rendered
            if isinstance(rendered, OptionError):
                failed = failed or rendered  # read on: a header that comes late may help
            elif rendered is not None and failed is None:
                dates[0] += rendered.dates
                dates[1] += rendered.dates_ahead
                yield item
        if failed is not None:
            raise failed

    def _offered(
        self, stage: EntryStage, complete: Callable[[Converted], None]
    ) -> Iterator[Converted]:
        """Give the chosen items in their order; count and report what belongs to each.

        Args:
            stage: converts entries.
            complete: does what is left of the first stage for an item that is not rendered.
        """
        tally, report = self.tally, self.report_written
        for item in self._chosen(stage):
            tally.offered += 1
            self._source = item.source or self._source
            if self.first_loc is None:
                self.first_loc = item.loc
            if not item.is_rendered:
                complete(item)
            if item.changes:
                tally.apply(item.changes)
            for issue in item.issues:
                report(with_source(issue, item.source))
            yield item
        # --max-entries ends the pass in the middle: what is left to report is reported here
        self._count_header()
        stage.hosts.summarise()

    def _chosen(self, stage: EntryStage) -> Iterator[Converted]:
        """Put items in the order of the output, and take as many as are wanted."""
        items = self._read(stage)
        if self.joined is not None:
            given = (item.entry for item in items if item.entry is not None)
            items = map(stage.item, self.joined(given))
        order = self.passes.sort or self.target.order
        if order != "input":
            from converter.passes.order import ordered  # sitemaps keep the order of the source

            items = ordered(items, order, self.spool)
        return islice(items, self.passes.max_entries)

    def _stage(self, *, renders: bool) -> EntryStage:
        options = StageOptions(
            target=self.target,
            passes=self.passes,
            write=self.write,
            duplicates=self.merger,
            sort=self.passes.sort or self.target.order,
            renders=renders,
            is_split=self.is_split,
            only_host=self.only_host,
            takes_homeless=self.takes_homeless,
            counts=self._is_counted,
        )
        return EntryStage(options, self.tally, self.report)

    # -- reading ------------------------------------------------------------------------------

    def _read(self, stage: EntryStage) -> Iterator[Converted]:
        """Read the inputs in their order and give each entry once."""
        with Ahead(self.inputs, self._options_of, self.jobs) as ahead:
            for number, given in self._begun():
                self._source = stage.source = given.name
                document = ahead.document(number, stage.of_reader)
                document = document or given.open(self._options_of(number), stage.of_reader)
                self._begin(number, document)
                before = self.tally.read
                yield from self._distinct(stage, stage.converted(document))
                self._end(number, document, is_empty=self.tally.read == before)
        stage.hosts.summarise()

    def _begin(self, number: int, document: Document) -> None:
        if self.feed.format in {None, "txt", "sitemap"}:
            self._header = number, document
        self._uncounted, self._number = (number, document), number

    def _end(self, number: int, document: Document, *, is_empty: bool) -> None:
        if is_empty:
            message = "there is no entry in it"
            self.report(Issue(code=Code.SOURCE_EMPTY, message=message, source=self._source))
        self._count_header()
        if document.is_late:
            self._late_headers[number] = document.feed
            self._is_late = True

    def _begun(self) -> Iterator[tuple[int, Input]]:
        """Give the inputs, each of them open for as long as it is read."""
        for number, given in enumerate(self.inputs):
            self._source = given.name
            report = self._by_source(self.report)
            with given.late(report) if given.late else nullcontext(given) as begun:
                yield number, begun

    def _options_of(self, number: int) -> ReadOptions:
        given, header = self.inputs[number], self._late_headers.get(number)
        return replace(self.read, name=given.name, source_url=given.url, header=header)

    def _source_of(self, entry: Entry) -> str | None:
        """Name the source of an entry that is being read; all streams have one name (`-`)."""
        source = entry.feed.source if entry.feed else None
        return f"{source} {self._number}" if source == "-" else source

    def _distinct(self, stage: EntryStage, items: Iterator[Converted]) -> Iterator[Converted]:
        """Give each entry once: the first of its duplicates, in the second pass merged."""
        tally, duplicates = self.tally, self.merger
        for item in items:
            if not tally.read % _PROGRESS_EVERY:
                self.progress()
            if item.is_pending and item.entry is not None:
                merged = duplicates.settle(item.entry, stage.tell)
                if merged is None:
                    continue
                item = stage.finished(merged)  # noqa: PLW2901
            elif not duplicates.is_second_pass and not duplicates.is_new(item):
                if item.entry is not None:
                    duplicates.hold_back(item.entry)
                continue
            if item.is_expired:
                continue
            tally.distinct += 1
            yield item
        self.progress()

    # -- counts and issues --------------------------------------------------------------------

    def _count_header(self) -> None:
        """Count what is lost of the header of the document that was read last."""
        if self._uncounted is None or self._header is None or not self._is_counted:
            return
        (number, document), self._uncounted = self._uncounted, None
        losses = self.target.losses(self.write)
        is_written = self.heading is None and number == self._header[0]
        if self.write.count_fields:
            self.tally.see(document.feed, losses)
        for loss in losses.of_header(document.feed, None if is_written else self.feed):
            self.tally.lose(loss.name, is_altered=loss.is_altered)
            if self.write.tell_losses:
                issue = loss_issue(loss, self.target.name)
                self.report_written(with_source(issue, document.feed.source or self._source))

    @property
    def _is_counted(self) -> bool:
        """Whether this pass counts what is read: with a pass for each host, the first one does."""
        return not self.is_split or (self.only_host is not None and self.takes_homeless)

    def lastmod_of(self, entry: Entry) -> Moment | None:
        """Return the date that is written of an entry."""
        return lastmod_of(entry, self.passes)

    def leave_out_versions(self, number: int) -> None:
        """Count versions of a page in other languages that are dropped."""
        self.tally.leave_out("language", number, "not every version is in the output")

    def telling(self, report: Report) -> Report:
        """Return what takes issues of the writer, about the entry that was given last."""
        named = self._by_source(report)

        def told(issue: Issue) -> None:
            self.tally.apply(changes_by(issue))
            if issue.code is not Code.DROPPED_FIELD or self.write.tell_losses:
                named(issue)

        return told

    def _by_source(self, report: Report) -> Report:
        """Name the source that is being read or written in every issue that names none."""
        return lambda issue: report(with_source(issue, self._source))
