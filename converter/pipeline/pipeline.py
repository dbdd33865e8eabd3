"""From inputs to the parts of an output: what depends on other entries, and the transforms.

A conversion has two stages. What is done for each entry by itself (`entry_stage`) may be done by
several processes; what depends on the other entries (duplicates, order, number, files) is decided
here, in the order of the input. What only the end of a pass can tell (duplicates, a language
version that is missing, a header that came after its items) is settled by one more pass; nothing
has been published by then, and what the first pass reported is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from typing import Final, Literal, TypeVar

from converter.errors import ConverterError, OptionError, SinkError
from converter.formats.base import Format, Header, Part, Rendered, Spool
from converter.issues import Code, Issue, Report, with_source
from converter.model import Entry, Feed
from converter.options import ReadOptions, TransformOptions, WriteOptions
from converter.pipeline.entry_stage import EntryStage, StageOptions, loss_issue
from converter.pipeline.inputs import Input
from converter.pipeline.issue_buffer import MOST_COUNTED, Counts, changes_by
from converter.pipeline.slices import NotSeparableError
from converter.pipeline.splitter import limits_of, pack
from converter.pipeline.transforms.deduplicate import Deduplicator
from converter.pipeline.transforms.identity import PAGES, ItemIdentity
from converter.pipeline.workers import Batch, WorkerPool
from converter.values import urls

T = TypeVar("T")

#: Of hosts that `--split-hosts` makes a file for.
MOST_HOSTS: Final = 1000

#: How often progress is reported, in entries.
_PROGRESS_EVERY: Final = 500

#: After so many inputs that could not be read by tasks, none is.
_MOST_UNDIVIDED: Final = 3


@dataclass(slots=True, kw_only=True, eq=False)
class Pipeline:
    """One conversion: its inputs, what is asked for, and what its passes have learnt."""

    inputs: Sequence[Input]
    target: Format
    read: ReadOptions
    transforms: TransformOptions
    write: WriteOptions
    spool: Spool
    report: Report
    """Takes what readers and filters report."""
    report_written: Report
    """Takes what the writer reports."""
    progress: Callable[[], None] = lambda: None
    is_split: bool = False
    """Every host has its own output; entries without a page are in the first one."""
    jobs: int = 1
    """How many processes may do the first stage side by side."""
    keeps_versions: bool = False
    """Others see to it that language versions are in the output."""
    feed_header: Feed | None = None
    """The header that is written, if it is not to be that of an input."""
    items: ItemIdentity = field(default_factory=ItemIdentity)
    """Which entries are the same, where the target holds items and not pages."""
    joined: Callable[[Iterator[Entry]], Iterator[Entry]] | None = None
    """A further transform, applied after duplicates are merged and before sorting."""

    counts: Counts = field(default_factory=Counts)
    first_loc: str | None = None
    _header: tuple[int, Header] | None = None
    """The first input that has a header; as long as there is none, the last one opened."""
    _uncounted: tuple[int, Header] | None = None
    """The input that is being read, until the losses of its header are counted."""
    _late_headers: dict[int, Feed] = field(default_factory=dict)
    _undivided: set[int] = field(default_factory=set)
    """The numbers of inputs that must not be read by tasks."""
    _is_divided: bool = False
    """The input that is being read is read by parts."""
    _starts_over: bool = False
    """The next pass knows a header or an input better, and must do everything again."""
    _duplicates: Deduplicator | None = None
    _hosts: dict[str, int] = field(default_factory=dict)
    """The hosts of the entries that were read, if every host has its own output."""
    _source: str | None = None
    _number: int = 0
    """Of the input that is being read."""

    @property
    def feed(self) -> Feed:
        """The header of the first input that has one, as far as it was read."""
        return self.feed_header or (self._header[1].feed if self._header else Feed())

    @property
    def merger(self) -> Deduplicator:
        """What is known of duplicates."""
        if self._duplicates is None:
            items = replace(self.items, source_of=self._source_of)
            identity = PAGES if self.target.needs_loc else items
            self._duplicates = Deduplicator(
                self.transforms.now, identity=identity, keeps_versions=self.keeps_versions
            )
        return self._duplicates

    # -- passes -------------------------------------------------------------------------------

    @property
    def needs_another_pass(self) -> bool:
        """Did the pass that has just ended see what only another one can settle?"""
        return self._starts_over or self.merger.needs_second_pass

    def begin_another_pass(self) -> None:
        """Get ready for another pass: a complete header first, for it may change every URL."""
        if self._starts_over:
            self._duplicates, self._starts_over, self.counts = None, False, Counts()
        else:
            self.settle()

    def settle(self) -> None:
        """Get ready for a pass over what is settled already; as often as one likes."""
        self.merger.begin_second_pass()
        self.counts = Counts()

    def outputs(self) -> Iterator[tuple[str | None, Iterator[Part]]]:
        """Pass over the inputs once; give each output's host and parts, to be drained in turn.

        The host is None if there is one output for all hosts.
        """
        self._hosts = {}
        stage = self._stage(renders=self.joined is None and self.target.renders_alone(self.write))
        items = self._chosen(stage)
        if not self.is_split:
            yield None, self._parts(stage, items)
            return
        for number, of_host in self._caught(groupby(items, self._host_number)):
            stage.writer = self.target.writing(self.write)
            host = next(islice(self._hosts, number, None), "")
            yield host, self._parts(stage, islice(of_host, self.transforms.max_entries))

    def _parts(self, stage: EntryStage, items: Iterable[Rendered]) -> Iterator[Part]:
        """Give the parts of one output."""
        self.first_loc, separator = None, self.target.separator
        limits, report = limits_of(self.target, self.write), self.telling(self.report_written)
        offered = self._offered(stage, items, writes=True)
        yield from self._caught(
            pack(stage.writer, offered, lambda: self.feed, limits, self.spool, report, separator)
        )
        if not self._starts_over:
            stage.writer.finish(report, self.counts.take_dates())

    def _caught(self, items: Iterable[T]) -> Iterator[T]:
        """Leave an error that ends the pass to the next one, if that knows more."""
        try:
            yield from items
        except (ConverterError, NotSeparableError) as error:
            self._start_over(error)

    def entries(self) -> Iterator[Entry]:
        """Pass over the inputs once and give what is to be written."""
        stage = self._stage(renders=False)
        for item in self._caught(self._offered(stage, self._chosen(stage))):
            if item.entry is not None:
                yield item.entry

    def _start_over(self, error: Exception) -> None:
        """Leave what ended the pass to the next one, if that knows more; else raise it again."""
        if isinstance(error, OptionError):
            if not self._starts_over:  # what is missing may be in a header that came late
                raise error
        elif not self._is_divided or isinstance(error, SinkError):
            raise error
        else:
            self._undivided.add(self._number)
            self._header = None  # there may be more of it than head and tail hold
            self._starts_over = True

    def _offered(
        self, stage: EntryStage, items: Iterable[Rendered], *, writes: bool = False
    ) -> Iterator[Rendered]:
        """Give the items of an output; count and report what belongs to each.

        Args:
            stage: converts entries.
            items: the entries in their order.
            writes: render what is not rendered yet.
        """
        counts, report, failed = self.counts, self.report_written, None
        written = counts.written
        for item in items:
            counts.offered += 1
            self._source = item.source or self._source
            if self.first_loc is None:
                self.first_loc = item.loc
            if not item.is_rendered:
                item = stage.render(item, is_written=writes)  # noqa: PLW2901
            written[item.losses, item.dates, item.dates_ahead] += 1
            if len(written) > MOST_COUNTED:
                counts.settle()
            if item.changes:
                counts.apply(item.changes)
            for issue in item.issues:
                report(with_source(issue, item.source))
            failed = failed or item.error  # read on: a header that comes late may help
            yield item
        counts.settle()
        # --max-entries ends the pass in the middle: what is left to report is reported here
        self._count_header()
        stage.hosts.summarise()
        if failed is not None:
            raise failed

    def _chosen(self, stage: EntryStage) -> Iterator[Rendered]:
        """Sort items as the output wants; of a single output, take no more than `max_entries`."""
        items = self._read(stage)
        if self.joined is not None:
            given = (item.entry for item in items if item.entry is not None)
            items = (stage.item(entry, is_rendered=False) for entry in self.joined(given))
        if self._order != "input" or self.is_split:
            from converter.pipeline.transforms.sort import (  # few outputs have an order
                ordered,
                sort_key,
            )

            of_item = sort_key(self._order)
            key = (lambda it: (self._host_number(it), of_item(it))) if self.is_split else of_item
            items = ordered(items, key, self.spool)
        return items if self.is_split else islice(items, self.transforms.max_entries)

    def _host_number(self, item: Rendered) -> int:
        """Number the hosts of entries in the order in which they first appear."""
        hosts, host = self._hosts, item.loc and urls.host_of(item.loc)
        if len(hosts) > MOST_HOSTS:
            raise OptionError(f"--split-hosts: there are more than {MOST_HOSTS:,} hosts")
        return hosts.setdefault(host, len(hosts)) if host else 0

    @property
    def _order(self) -> Literal["input", "url", "newest"]:
        return self.transforms.sort or self.target.order

    def _stage(self, *, renders: bool) -> EntryStage:
        options = StageOptions(
            target=self.target,
            transforms=self.transforms,
            write=self.write,
            duplicates=self.merger,
            sort=self._order,
            renders=renders,
            is_split=self.is_split,
        )
        return EntryStage(options, self.counts, self.report)

    # -- reading ------------------------------------------------------------------------------

    def _read(self, stage: EntryStage) -> Iterator[Rendered]:
        """Give each entry once: the first of its duplicates, in the second pass merged."""
        counts, duplicates = self.counts, self.merger
        is_first_pass = not duplicates.is_second_pass
        for items, is_admitted in self._batches(stage):
            for item in items:
                if item.is_pending:
                    item = self._merged(item, stage)  # noqa: PLW2901
                elif is_first_pass and not is_admitted and not duplicates.is_new(item):
                    duplicates.hold_back(item)
                if item.is_dropped:
                    for issue in item.issues:
                        stage.tell(issue)
                    continue
                counts.distinct += 1
                if not counts.distinct % _PROGRESS_EVERY:
                    self.progress()
                yield item

    def _merged(self, item: Rendered, stage: EntryStage) -> Rendered:
        """Merge an entry with its duplicates, in the second pass; drop all but the first."""
        merged = None if item.entry is None else self.merger.settle(item.entry, stage.tell)
        if merged is None:
            item.is_dropped = True
            return item
        return stage.finished(merged, is_merged=True)

    def _batches(self, stage: EntryStage) -> Iterator[tuple[Iterable[Rendered], bool]]:
        """Read the inputs in their order; tell for each batch if duplicates are held back."""
        with self._tasks(stage) as tasks:
            for number, given in enumerate(self.inputs):
                self._source = given.name
                before, report = self.counts.read, self._by_source(self.report)
                with given.late(report) if given.late else nullcontext(given) as opened:
                    stage.source = opened.name
                    yield from self._of_input(number, opened, tasks, stage)
                    self._end(is_empty=self.counts.read == before)
        stage.hosts.summarise()

    def _of_input(
        self, number: int, given: Input, tasks: WorkerPool, stage: EntryStage
    ) -> Iterator[tuple[Iterable[Rendered], bool]]:
        """Read an input: in other processes, by slices, or as a whole."""
        cut = tasks.cut(number)
        is_read, self._is_divided = False, cut is not None or tasks.has(number)
        for batch in tasks.results(number):
            self._begin(number, batch)
            yield self._added(batch, stage), True
            self.progress()
            is_read = True
        if is_read:
            return
        if cut is not None:
            for part in cut:
                stage.line_shift, document = part.line_shift, cut.read(part, stage.of_reader)
                self._begin(number, document)
                yield stage.converted(document), False
                cut.stream.seek(part.end)  # for whoever shows the progress
                self.progress()
            stage.line_shift = 0
        else:
            document = given.open(self._options_of(number), stage.of_reader)
            self._begin(number, document)
            yield stage.converted(document), False
            self.progress()

    def _added(self, batch: Batch, stage: EntryStage) -> Iterable[Rendered]:
        """Add the counts of a batch; return its items, between which its issues are reported."""
        self.counts.add(batch.counts)
        stage.hosts.counts.add(batch.hosts)
        self.merger.has_versions |= batch.has_versions
        return batch.replay(self.report)

    def _tasks(self, stage: EntryStage) -> WorkerPool:
        """Plan what may be read by tasks: nothing where entries that come before matter."""
        transforms = self.transforms
        is_sorted = self._order != "input" or self.is_split
        stops_early = transforms.max_entries is not None and not is_sorted
        takes_first_host = transforms.unify_host and transforms.host is None
        is_alone = stops_early or takes_first_host or self.joined is not None
        inputs = () if is_alone or len(self._undivided) >= _MOST_UNDIVIDED else self.inputs
        return WorkerPool(inputs, self._options_of, stage.options, self.jobs, self._undivided)

    def _begin(self, number: int, header: Header) -> None:
        if self.feed.format in {None, "txt", "csv", "sitemap"}:
            self._header = number, header
        self._uncounted, self._number = (number, header), number

    def _end(self, *, is_empty: bool) -> None:
        if is_empty:
            message = "there is no entry in it"
            self.report(Issue(code=Code.SOURCE_EMPTY, message=message, source=self._source))
        if self._uncounted is not None and self._uncounted[1].header_changed:
            self._late_headers[self._number] = self._uncounted[1].feed
            self._starts_over = True
        self._count_header()

    def _options_of(self, number: int) -> ReadOptions:
        given, header = self.inputs[number], self._late_headers.get(number)
        return self.read._replace(name=given.name, source_url=given.url, header=header)

    def _source_of(self, entry: Entry) -> str | None:
        """Name the source of an entry that is being read; all streams have one name (`-`)."""
        source = entry.feed.source if entry.feed else None
        return f"{source} {self._number}" if source == "-" else source

    # -- counts and issues --------------------------------------------------------------------

    def _count_header(self) -> None:
        """Count what is lost of the header of the document that was read last."""
        if self._uncounted is None:
            return
        (number, header), self._uncounted = self._uncounted, None
        losses = self.target.losses(self.write)
        is_written = (
            self.feed_header is None and self._header is not None and number == self._header[0]
        )
        if self.write.count_fields:
            self.counts.see(header.feed, losses)
        for loss in losses.of_header(header.feed, None if is_written else self.feed):
            self.counts.lose(loss.name, is_altered=loss.is_altered)
            if self.write.tell_losses:
                issue = loss_issue(loss, self.target.name)
                self.report_written(with_source(issue, header.feed.source or self._source))

    def leave_out_versions(self, number: int) -> None:
        """Count versions of a page in other languages that are dropped."""
        self.counts.leave_out("language", number, "not every version is in the output")

    def telling(self, report: Report) -> Report:
        """Return what takes issues of the writer, about the entry that was given last."""
        named = self._by_source(report)

        def told(issue: Issue) -> None:
            self.counts.apply(changes_by(issue))
            if issue.code is not Code.DROPPED_FIELD or self.write.tell_losses:
                named(issue)

        return told

    def _by_source(self, report: Report) -> Report:
        """Name the source that is being read or written in every issue that names none."""
        return lambda issue: report(with_source(issue, self._source))
