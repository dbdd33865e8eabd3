"""Convert inputs to the parts of an output, in one or more passes.

A conversion has two stages. What is done for each entry by itself (`entry_stage`) may be done by
several processes; what depends on other entries (duplicates, order, number, files) is decided
here, in the order of the input. What only the end of a pass shows (duplicates, a language version
that is missing, a header after its items) needs another pass; nothing is published by then, and
the issues of the pass before are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from typing import Final, Literal

from converter.errors import ConverterError, OptionError, SinkError
from converter.formats.base import Format, Header, Part, Rendered, Spool
from converter.formats.registry import FORMATS
from converter.issues import Code, Issue, Report, with_source
from converter.model import Entry, Feed
from converter.options import ReadOptions, TransformOptions, WriteOptions
from converter.pipeline.counts import MAX_COMBINATIONS, Counts, changes_by
from converter.pipeline.entry_stage import EntryStage, StageOptions, loss_issue
from converter.pipeline.inputs import Input
from converter.pipeline.slices import NotSeparableError
from converter.pipeline.splitter import limits_of, pack
from converter.pipeline.transforms.deduplicate import Deduplicator
from converter.pipeline.transforms.entry_identity import PAGES, ItemIdentity
from converter.pipeline.workers import WorkerPool
from converter.values import urls

#: The greatest number of files of `--split-hosts`.
MOST_HOSTS: Final = 1000

#: Progress is reported after so many entries.
_PROGRESS_EVERY: Final = 500

#: After so many inputs that tasks or slices could not read, all are read as a whole.
_MAX_FAILURES: Final = 3


@dataclass(slots=True, kw_only=True, eq=False)
class Pipeline:
    """The passes of one conversion."""

    inputs: Sequence[Input]
    target: Format
    read: ReadOptions
    transforms: TransformOptions
    write: WriteOptions
    spool: Spool
    report: Report
    """Takes the issues of readers and filters."""
    report_written: Report
    """Takes the issues of the writer."""
    progress: Callable[[], None] = lambda: None
    is_split: bool = False
    """Every host has its own output; entries without a page are in the first one."""
    jobs: int = 1
    """The greatest number of processes for the first stage."""
    keeps_versions: bool = False
    """Language versions are kept; the caller drops those that are not in the output."""
    feed_header: Feed | None = None
    """The header that is written; None: that of the first input that has one."""
    items: ItemIdentity = field(default_factory=ItemIdentity)
    """Which entries are the same, where the target holds items and not pages."""
    entries_transform: Callable[[Iterator[Entry]], Iterator[Entry]] | None = None
    """Changes the entries after duplicates are merged and before they are sorted."""

    counts: Counts = field(default_factory=Counts)
    first_loc: str | None = None
    """The page of the first entry of the present output."""
    _header: tuple[int, Header] | None = None
    """Number and header of the first input that has a header, or else of the last one opened."""
    _uncounted: tuple[int, Header] | None = None
    """The input that is being read, until the losses of its header are counted."""
    _late_headers: dict[int, Feed] = field(default_factory=dict)
    """Complete headers of inputs in which header fields come after entries."""
    _unsliceable: set[int] = field(default_factory=set)
    """The numbers of inputs that tasks and slices could not read."""
    _in_parts: bool = False
    """The input that is being read is read by tasks or slices."""
    _starts_over: bool = False
    """The next pass has a better header, or reads an input as a whole, and repeats everything."""
    _duplicates: Deduplicator | None = None
    _hosts: dict[str, int] = field(default_factory=dict)
    """Numbers of the hosts in the order of their first entries, with `is_split`."""
    _source: str | None = None
    """The name of the input that is being read, or of the entry that is being written."""
    _number: int = 0
    """The number of the input that is being read."""

    @property
    def feed(self) -> Feed:
        """The header that is written, as far as it was read."""
        return self.feed_header or (self._header[1].feed if self._header else Feed())

    @property
    def duplicates(self) -> Deduplicator:
        """The deduplicator, with what it found in earlier passes."""
        if self._duplicates is None:
            items = replace(self.items, source_of=self._source_of)
            identity = PAGES if self.target.needs_loc else items
            self._duplicates = Deduplicator(
                self.transforms.now, identity=identity, keeps_versions=self.keeps_versions
            )
        return self._duplicates

    @property
    def order(self) -> Literal["input", "url", "newest"]:
        """The order of the entries in the output."""
        return self.transforms.sort or ("newest" if self.target.is_feed else "input")

    # -- passes -------------------------------------------------------------------------------

    @property
    def needs_another_pass(self) -> bool:
        """Return True if another pass must complete what the last one could not decide."""
        return self._starts_over or self.duplicates.needs_second_pass

    def begin_another_pass(self) -> None:
        """Prepare another pass: with a complete header first, for it may change every URL."""
        if self._starts_over:
            self._duplicates, self._starts_over, self.counts = None, False, Counts()
        else:
            self.begin_second_pass()

    def begin_second_pass(self) -> None:
        """Prepare a pass that merges duplicates; it can be repeated."""
        self.duplicates.begin_second_pass()
        self.counts = Counts()

    def outputs(self) -> Iterator[tuple[str | None, Iterator[Part]]]:
        """Read the inputs once; yield host and parts of each output, to be drained in turn.

        The host is None if there is one output for all hosts.
        """
        self._hosts = {}
        renders = self.entries_transform is None and self.target.renders_alone(self.write)
        stage = self._stage(renders=renders)
        items = self._sorted(stage)
        if not self.is_split:
            yield None, self._parts(stage, items)
            return
        with self._starting_over():
            for number, of_host in groupby(items, self._host_number):
                stage.writer = self.target.new_writer(self.write)
                host = next(islice(self._hosts, number, None), "")
                yield host, self._parts(stage, islice(of_host, self.transforms.max_entries))

    def _parts(self, stage: EntryStage, items: Iterable[Rendered]) -> Iterator[Part]:
        """Yield the parts of one output."""
        self.first_loc, separator = None, self.target.separator
        limits, report = limits_of(self.target, self.write), self.writer_report(self.report_written)
        offered = self._offered(stage, items, is_written=True)
        with self._starting_over():
            yield from pack(
                stage.writer, offered, lambda: self.feed, limits, self.spool, report, separator
            )
        if not self._starts_over:
            stage.writer.finish(report, self.counts.take_dates())

    def entries(self, *, is_written: bool = False) -> Iterator[Rendered]:
        """Read the inputs once and yield the entries for the output; `is_written` renders them."""
        stage = self._stage(renders=False)
        with self._starting_over():
            yield from self._offered(stage, self._sorted(stage), is_written=is_written)
        if is_written and not self._starts_over:
            report = self.writer_report(self.report_written)
            stage.writer.finish(report, self.counts.take_dates())

    @contextmanager
    def _starting_over(self) -> Iterator[None]:
        """Catch an error that ends the pass if the next pass can avoid it."""
        try:
            yield
        except OptionError:
            if not self._starts_over:  # what is missing may be in a header that came late
                raise
        except SinkError:
            raise
        except (ConverterError, NotSeparableError):
            if not self._in_parts or self._number in self._unsliceable:
                raise
            self._unsliceable.add(self._number)
            self._header = None  # there may be more of it than head and tail hold
            self._starts_over = True

    def _offered(
        self, stage: EntryStage, items: Iterable[Rendered], *, is_written: bool
    ) -> Iterator[Rendered]:
        """Yield the items of an output; add their counts, report their issues, render the rest."""
        counts, report, error = self.counts, self.report_written, None
        written = counts.written
        for item in items:
            counts.offered += 1
            self._source = item.source or self._source
            if self.first_loc is None:
                self.first_loc = item.loc
            if not item.is_rendered:
                item = stage.render(item, is_written=is_written)  # noqa: PLW2901
            written[item.losses, item.dates, item.dates_ahead] += 1
            if len(written) > MAX_COMBINATIONS:
                counts.add_written()
            if item.changes:
                counts.apply(item.changes)
            for issue in item.issues:
                report(with_source(issue, item.source))
            error = error or item.error  # read on: a header that comes late may help
            yield item
        counts.add_written()
        # --max-entries ends the pass in the middle: what is left to report is reported here
        self._count_header()
        stage.hosts.summarise()
        if error is not None:
            raise error

    def _sorted(self, stage: EntryStage) -> Iterator[Rendered]:
        """Sort items as the output needs; of a single output, take `max_entries` at most."""
        items = self._distinct(stage)
        if self.entries_transform is not None:
            entries = (item.entry for item in items if item.entry is not None)
            changed = self.entries_transform(entries)
            items = (stage.item(entry, is_rendered=False) for entry in changed)
        if self.order != "input" or self.is_split:
            from converter.pipeline.transforms.sort import ordered, sort_key  # seldom needed

            of_item = sort_key(self.order)
            key = (lambda it: (self._host_number(it), of_item(it))) if self.is_split else of_item
            items = ordered(items, key, self.spool)
        return items if self.is_split else islice(items, self.transforms.max_entries)

    def _host_number(self, item: Rendered) -> int:
        """Number the hosts of entries in the order in which they first appear."""
        hosts, host = self._hosts, item.loc and urls.host_of(item.loc)
        if len(hosts) > MOST_HOSTS:
            raise OptionError(f"--split-hosts: there are more than {MOST_HOSTS:,} hosts")
        return hosts.setdefault(host, len(hosts)) if host else 0

    def _stage(self, *, renders: bool) -> EntryStage:
        options = StageOptions(
            target=self.target,
            transforms=self.transforms,
            write=self.write,
            duplicates=self.duplicates,
            sort=self.order,
            renders=renders,
            is_split=self.is_split,
        )
        return EntryStage(options, self.counts, self.report)

    # -- reading ------------------------------------------------------------------------------

    def _distinct(self, stage: EntryStage) -> Iterator[Rendered]:
        """Yield each entry once: the first of its duplicates, in the second pass merged."""
        counts, duplicates = self.counts, self.duplicates
        is_first_pass = not duplicates.is_second_pass
        for items, of_worker in self._batches(stage):
            for item in items:
                if item.has_duplicates:
                    item = self._merged(item, stage)  # noqa: PLW2901
                elif is_first_pass and not of_worker and not duplicates.is_new(item):
                    duplicates.add_duplicate(item)
                if item.is_dropped:
                    for issue in item.issues:
                        stage.report(issue)
                    continue
                counts.distinct += 1
                if not counts.distinct % _PROGRESS_EVERY:
                    self.progress()
                yield item

    def _merged(self, item: Rendered, stage: EntryStage) -> Rendered:
        """Merge an entry with its duplicates, in the second pass; drop all but the first."""
        merged = (
            None
            if item.entry is None
            else self.duplicates.merge_duplicates(item.entry, stage.report)
        )
        if merged is None:
            item.is_dropped = True
            return item
        return stage.finish(merged)

    def _batches(self, stage: EntryStage) -> Iterator[tuple[Iterable[Rendered], bool]]:
        """Read the inputs in their order; yield entries, and if they come from a worker."""
        with closing(self._workers(stage)) as workers:
            for number, source in enumerate(self.inputs):
                self._source, self._number, self._in_parts = source.name, number, False
                before, stage.source = self.counts.read, source.name
                yield from self._of_input(source, workers, stage)
                self._end(is_empty=self.counts.read == before)
        stage.hosts.summarise()

    def _of_input(
        self, source: Input, workers: WorkerPool, stage: EntryStage
    ) -> Iterator[tuple[Iterable[Rendered], bool]]:
        """Read an input: in workers, by slices, or as a whole."""
        number, sliced = self._number, workers.sliced(self._number)
        is_read, self._in_parts = False, sliced is not None or workers.has_tasks(number)
        for batch in workers.results(number):
            self._begin(batch)
            self.counts.add(batch.counts)
            stage.hosts.counts.add(batch.hosts)
            self.duplicates.has_versions |= batch.has_versions
            yield batch.replay(self.report), True
            self.progress()
            is_read = True
        if is_read:
            return
        if sliced is None:
            document = source.open(self._options_of(number), stage.report_of_reader)
            self._begin(document)
            yield stage.convert(document), False
            self.progress()
            return
        for part in sliced:
            stage.line_shift, document = part.line_shift, sliced.read(part, stage.report_of_reader)
            self._begin(document)
            yield stage.convert(document), False
            sliced.stream.seek(part.end)  # progress is measured by it
            self.progress()
        stage.line_shift = 0

    def _workers(self, stage: EntryStage) -> WorkerPool:
        """Plan the tasks of workers: none where entries depend on entries before them."""
        transforms = self.transforms
        is_sorted = self.order != "input" or self.is_split
        stops_early = transforms.max_entries is not None and not is_sorted
        takes_first_host = transforms.unify_host and transforms.host is None
        is_alone = stops_early or takes_first_host or self.entries_transform is not None
        inputs = () if is_alone or len(self._unsliceable) >= _MAX_FAILURES else self.inputs
        return WorkerPool(inputs, self._options_of, stage.options, self.jobs, self._unsliceable)

    def _begin(self, header: Header) -> None:
        self._uncounted = self._number, header
        known = FORMATS.get(self.feed.format or "")
        if known is None or not known.is_feed:
            self._header = self._uncounted

    def _end(self, *, is_empty: bool) -> None:
        if is_empty:
            message = "there is no entry in it"
            self.report(Issue(code=Code.SOURCE_EMPTY, message=message, source=self._source))
        if self._uncounted is not None and self._uncounted[1].header_changed:
            self._late_headers[self._number] = self._uncounted[1].feed
            self._starts_over = True
        self._count_header()

    def _options_of(self, number: int) -> ReadOptions:
        source, header = self.inputs[number], self._late_headers.get(number)
        return replace(self.read, name=source.name, source_url=source.url, header=header)

    def _source_of(self, entry: Entry) -> str | None:
        """Return the name of the source of an entry; several streams have one name (`-`)."""
        source = entry.feed.source if entry.feed else None
        return f"{source} {self._number}" if source == "-" else source

    # -- counts and issues --------------------------------------------------------------------

    def _count_header(self) -> None:
        """Count what is lost of the header of the document that was read last."""
        if self._uncounted is None:
            return
        (number, header), self._uncounted = self._uncounted, None
        support = self.target.losses(self.write)
        is_written = (
            self.feed_header is None and self._header is not None and number == self._header[0]
        )
        if self.write.count_fields:
            self.counts.present.update(support.present_fields(header.feed))
        for loss in support.feed_losses(header.feed, None if is_written else self.feed):
            self.counts.lose(loss.name, is_altered=loss.is_altered)
            if self.write.tell_losses:
                issue = loss_issue(loss, self.target.name)
                self.report_written(with_source(issue, header.feed.source or self._source))

    def writer_report(self, report: Report) -> Report:
        """Return a report for the writer, which counts losses and names the source."""
        named = self._by_source(report)

        def report_written(issue: Issue) -> None:
            self.counts.apply(changes_by(issue))
            if issue.code is not Code.DROPPED_FIELD or self.write.tell_losses:
                named(issue)

        return report_written

    def _by_source(self, report: Report) -> Report:
        """Name the present source in every issue that names none."""
        return lambda issue: report(with_source(issue, self._source))
