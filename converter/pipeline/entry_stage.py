"""The first stage of a conversion: what is done for each entry by itself, in any process.

It cleans, filters and renders entries, and works out what is lost of them. The second stage
(`pipeline`) decides what depends on other entries: duplicates, order, number and files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Final

from converter.errors import OptionError
from converter.extensions.field_support.rules import FieldLoss, OmissionReason
from converter.formats.base import CountChange, Document, Format, Rendered, Writer
from converter.issues import Code, Issue, Report, with_source
from converter.model import Entry, Moment
from converter.options import TransformOptions, WriteOptions
from converter.pipeline.counts import Counts, changes_by
from converter.pipeline.transforms import Transform, filters, host_check
from converter.pipeline.transforms.clean_urls import UrlCleaner
from converter.pipeline.transforms.deduplicate import Deduplicator, key_digest
from converter.values import dates, urls

#: With an output for each host, hosts may differ.
_OF_HOSTS: Final = frozenset({Code.HOST_OTHER, Code.HOST_SIBLING})


@dataclass(slots=True, kw_only=True, eq=False)
class StageOptions:
    """What the first stage does."""

    target: Format
    transforms: TransformOptions
    write: WriteOptions
    duplicates: Deduplicator
    sort: str = "input"
    renders: bool = False
    """It renders entries; else the second stage does, for writers to which the order matters."""
    is_split: bool = False
    """Every host has its own output."""


class EntryStage:
    """The first stage of one pass over the inputs."""

    def __init__(
        self, options: StageOptions, counts: Counts, issues: Report, *, is_task: bool = False
    ) -> None:
        """Prepare the transforms that the options require.

        With `is_task`, the stage does tasks of a worker, whose counts are added up later.

        Raises:
            OptionError: an option is invalid.
        """
        self.counts = counts
        self.issues = issues
        """Takes the issues of readers and filters."""
        self.source: str | None = None
        """The name of the document that is read."""
        self.line_shift = 0
        """How many lines of the source are missing before the document."""
        self.hosts = host_check.HostCheck(options.transforms, self._report_host, counts_all=is_task)
        self.options = options
        self._duplicates = options.duplicates
        self._support = options.target.losses(options.write)
        self._counts_more = options.write.count_fields or options.write.tell_losses
        self._is_by_page = options.target.needs_loc
        self._key_of = attrgetter("loc") if self._is_by_page else options.duplicates.key
        self._date_of: Callable[[Entry], int] | None = None
        if options.sort == "newest":
            from converter.pipeline.transforms.sort import date_key  # most targets are not sorted

            self._date_of = lambda entry: date_key(self._lastmod_of(entry))
        self._transforms = self._prepared()
        self._unexpired: Transform | None = None
        if (before := options.transforms.expired_before) is not None:
            expiry = filters.Expiry(before=before)
            self._unexpired = expiry.filter(self._lastmod_of, self.report)
        self._unusable: dict[str, int] = {}
        """How many items of the present entry are dropped because of their URLs."""
        self._issues: list[Issue] = []
        self._changes: list[CountChange] = []

    @cached_property
    def writer(self) -> Writer:
        """The writer that renders entries; it raises OptionError if an option is invalid."""
        return self.options.target.new_writer(self.options.write)

    def _prepared(self) -> list[Transform]:
        """Return the transforms of each entry, in their order."""
        options, transforms = self.options.transforms, list[Transform]()
        if options.loc_template:
            from converter.pipeline.transforms.url_template import template  # seldom used

            transforms.append(template(options.loc_template, self.report))
        rules = urls.ParameterRules.from_options(options)
        transforms.append(UrlCleaner(rules, self.report, self._leave_out).clean)
        transforms.append(self.hosts.check)
        return [*transforms, *filters.filters(options, self._lastmod_of, self.report)]

    def _lastmod_of(self, entry: Entry) -> Moment | None:
        return lastmod_of(entry, self.options.transforms)

    # -- entries ------------------------------------------------------------------------------

    def convert(self, document: Document) -> Iterator[Rendered]:
        """Read a document and yield the entries that pass the filters."""
        counts, unusable, transforms = self.counts, self._unusable, self._transforms
        key_of, renders, shift = self._key_of, self.options.renders, self.line_shift
        is_final = not (self._duplicates.is_second_pass or self._unexpired)
        for read in document.entries:
            entry: Entry | None = read
            counts.read += 1
            if shift:
                _shift(read, shift)
            for transform in transforms:
                if (entry := transform(entry)) is None:  # type: ignore[arg-type]  # only at once
                    break
            if entry is not None:
                for item, number in unusable.items():
                    counts.leave_out(item, number, "its URL cannot be used")
                key = key_of(entry)
                if is_final and not entry.alternates:
                    yield self.item(entry, key, is_rendered=renders)
                else:
                    yield self.finish(entry, key)
            unusable.clear()

    def finish(self, entry: Entry, key: str | None = None) -> Rendered:
        """Return an entry as an item, after decisions that need its duplicates or its date.

        The key is None if its duplicates are merged.
        """
        duplicates, renders = self._duplicates, self.options.renders
        if duplicates.is_second_pass:
            if key is not None and duplicates.has_duplicates(key):
                item = self.item(entry, is_rendered=False)
                item.has_duplicates = True
                return item
            key = None
        if entry.alternates:
            leave_out = self.counts.leave_out_versions
            entry = duplicates.versions(entry, self.report, leave_out)
        is_dropped = self._unexpired is not None and self._unexpired(entry) is None
        item = self.item(entry, key, is_rendered=renders and not is_dropped)
        item.is_dropped = is_dropped
        return item

    def item(
        self, entry: Entry, key: str | None = None, *, is_rendered: bool, is_written: bool = True
    ) -> Rendered:
        """Return an entry as an item.

        With `is_rendered`, its losses are determined, and it is rendered if it `is_written`.
        """
        item: Rendered | None = None
        losses: tuple[FieldLoss, ...] = ()
        if is_rendered and (entry.loc or not self._is_by_page):
            losses = self._support.entry_losses(entry)
            omissions = self._support.omitted_items(entry)
            if omissions or self._counts_more:
                self._count_more(entry, losses, omissions)
        if is_rendered and is_written:
            try:
                item = self.writer.entry(entry, self._take)
            except OptionError as error:  # it matters only if the entry comes into the output
                item = Rendered(error=error)
        item = item or Rendered()
        feed = entry.feed
        item.entry, item.loc, item.line = entry, entry.loc, entry.line
        item.source = (feed and feed.source) or self.source
        item.is_rendered, item.losses = is_rendered and is_written, losses
        if key is not None:
            item.key = key_digest(key)
        if self._date_of is not None:
            item.date = self._date_of(entry)
        if self._changes or self._issues:
            item.changes, item.issues = tuple(self._changes), tuple(self._issues)
            self._changes.clear()
            self._issues.clear()
        return item

    def render(self, item: Rendered, *, is_written: bool) -> Rendered:
        """Return an item that the first stage did not render as one that is."""
        if item.entry is None:
            raise TypeError("the entry of this item is in another process")
        rendered = self.item(item.entry, is_rendered=True, is_written=is_written)
        rendered.source = item.source
        return rendered

    def _count_more(
        self,
        entry: Entry,
        losses: Iterable[FieldLoss],
        omissions: Iterable[tuple[OmissionReason, int]],
    ) -> None:
        """Count what is left out, and what only `--losses` and `-v` show."""
        write = self.options.write
        self._changes += [("left_out", reason, number) for reason, number in omissions]
        if write.count_fields:
            self._changes += [("present", name, 1) for name in self._support.present_fields(entry)]
        if write.tell_losses:
            for loss in losses:
                issue = loss_issue(loss, self.options.target.name)
                self._issues.append(replace(issue, line=entry.line, entry=entry.loc or entry.id))

    def _take(self, issue: Issue) -> None:
        """Attach an issue of the writer to the entry that it renders."""
        self._changes += changes_by(issue)
        if issue.code is not Code.DROPPED_FIELD or self.options.write.tell_losses:
            self._issues.append(issue)

    # -- issues and counts --------------------------------------------------------------------

    def report_of_reader(self, issue: Issue) -> None:
        """Report an issue of the reader, whose lines are those of the document."""
        if self.line_shift and issue.line is not None:
            issue = replace(issue, line=issue.line + self.line_shift)
        self.report(issue)

    def report(self, issue: Issue) -> None:
        """Report an issue of a reader or a filter, and count the loss that it states."""
        self.counts.apply(changes_by(issue))
        if issue.code is not Code.DROPPED_FIELD or self.options.write.tell_losses:
            self.issues(with_source(issue, self.source))

    def _report_host(self, issue: Issue) -> None:
        if not (self.options.is_split and issue.code in _OF_HOSTS):
            self.report(issue)

    def _leave_out(self, item: str, number: int) -> None:
        """Count an entry that is dropped because of its URL; items count if it is not dropped."""
        if item == "entry":
            self.counts.leave_out(item, number, "its URL cannot be used")
        else:
            self._unusable[item] = number


def lastmod_of(entry: Entry, transforms: TransformOptions) -> Moment | None:
    """Return the date that the target writes of an entry."""
    return dates.choose_lastmod(
        entry.published, entry.updated, policy=transforms.lastmod, now=transforms.now
    ).moment


def loss_issue(loss: FieldLoss, target: str) -> Issue:
    """Return the issue about a field that is lost, or altered."""
    code = Code.ALTERED_FIELD if loss.is_altered else Code.DROPPED_FIELD
    return Issue(code=code, message=loss.describe(target), path=loss.name)


def _shift(entry: Entry, lines: int) -> None:
    """Add the missing lines to the lines of an entry and its media."""
    if entry.line is not None:
        entry.line += lines
    if entry.videos or entry.images or entry.audios or entry.news:
        for part in (entry.news, *entry.videos, *entry.images, *entry.audios):
            if part is not None and part.line is not None:
                part.line += lines
