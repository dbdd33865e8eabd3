"""The first stage of a conversion: what is done for each entry by itself, in whatever process.

It cleans, filters and renders entries and works out what is lost of them. The second stage
(`pipeline`) decides what depends on the other entries: duplicates, order, number and files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from converter.errors import OptionError
from converter.extensions.field_support.rules import FieldLoss, OmittedItem
from converter.formats.base import CountChange, Document, Format, Rendered, Writer
from converter.issues import Code, Issue, Report, with_source
from converter.model import Entry, Moment
from converter.options import TransformOptions, WriteOptions
from converter.pipeline.issue_buffer import Counts, changes_by
from converter.pipeline.transforms import Transform, clean_urls, hosts
from converter.pipeline.transforms import filters as select
from converter.pipeline.transforms.deduplicate import Deduplicator, key_digest
from converter.values import dates, urls

#: Of interest to readers of one output, but not of one output a host.
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
    """Entries are rendered at once; else the second stage does it, where the order matters."""
    is_split: bool = False
    """Every host has its own output."""


class EntryStage:
    """The first stage of one pass over the inputs."""

    def __init__(
        self, options: StageOptions, counts: Counts, report: Report, *, is_task: bool = False
    ) -> None:
        """Begin a pass.

        Args:
            options: what is to be done.
            counts: takes the counts.
            report: takes the issues of readers and filters.
            is_task: it converts parts of the input, whose counts are added up later.

        Raises:
            OptionError: an option has no meaning.
        """
        self.counts = counts
        self.report = report
        self.source: str | None = None
        """The name of the document that is read."""
        self.line_shift = 0
        """How many lines of the source are missing before it."""
        self.hosts = hosts.HostCheck(options.transforms, self._report_host, counts_all=is_task)
        self.options = options
        self._write = options.write
        self._counts_more = options.write.count_fields or options.write.tell_losses
        self._duplicates = options.duplicates
        self._support = options.target.losses(options.write)
        self._unusable: dict[str, int] = {}
        self._issues: list[Issue] = []
        self._changes: list[CountChange] = []
        self._is_by_page = options.target.needs_loc
        self._is_dated = options.sort == "newest"
        self._transforms = self._filters()
        self._last = self._last_filters()

    @cached_property
    def writer(self) -> Writer:
        """Renders entries; a stage that renders none has no writer.

        Raises:
            OptionError: an option of the writer has no meaning.
        """
        return self.options.target.writing(self._write)

    def _filters(self) -> list[Transform]:
        """Return what is applied to each entry, in this order: only what the options ask for."""
        options, transforms = self.options.transforms, list[Transform]()
        if options.loc_template:
            from converter.pipeline.transforms.url_template import (
                template,  # most entries have a page
            )

            transforms.append(template(options.loc_template, self.tell))
        rules = urls.ParameterRules.from_options(options)
        transforms += [clean_urls.url_cleaner(rules, self.tell, self._leave_out), self.hosts.check]
        return [*transforms, *select.filters(options, self._lastmod_of, self.tell)]

    def _last_filters(self) -> list[Transform]:
        """Return the filters that are applied when duplicates were merged."""
        options, filters = self.options.transforms, list[Transform]()
        if options.expired_before is not None:
            filters.append(select.unexpired(options.expired_before, self._lastmod_of, self.tell))
        return filters

    def _lastmod_of(self, entry: Entry) -> Moment | None:
        return lastmod_of(entry, self.options.transforms)

    # -- entries ------------------------------------------------------------------------------

    def converted(self, document: Document) -> Iterator[Rendered]:
        """Read a document and convert the entries that pass the filters."""
        counts, unusable, transforms = self.counts, self._unusable, self._transforms
        shift = self.line_shift
        for given in document.entries:
            entry: Entry | None = given
            if shift:
                _shift(given, shift)
            counts.read += 1
            if unusable:
                unusable.clear()
            for transform in transforms:
                if (entry := transform(entry)) is None:  # type: ignore[arg-type]  # only at once
                    break
            else:
                if unusable:
                    self._count_all_unusable()
                if entry is not None:
                    yield self.finished(entry)

    def finished(self, entry: Entry, *, is_merged: bool = False) -> Rendered:
        """Convert an entry as far as its duplicates allow that.

        Args:
            entry: passed the filters.
            is_merged: it was merged with its duplicates.
        """
        duplicates, key = self._duplicates, None
        if not is_merged:
            given = entry.loc if self._is_by_page else duplicates.key(entry)
            if not duplicates.is_second_pass:
                key = None if given is None else key_digest(given)
            elif duplicates.is_held_back(given):
                item = self.item(entry, is_rendered=False)
                item.is_pending = True
                return item
        if entry.alternates:
            entry = duplicates.versions(entry, self.tell, self.leave_out_versions)
        is_dropped = False
        for keep in self._last:
            if keep(entry) is None:
                is_dropped = True
                break
        item = self.item(entry, is_rendered=self.options.renders and not is_dropped)
        item.key, item.is_dropped = key, is_dropped
        return item

    def render(self, item: Rendered, *, is_written: bool) -> Rendered:
        """Work out what is lost of the entry of an item, and render it if it is to be written."""
        if item.entry is None:
            raise TypeError("the entry of this item is in another process")
        rendered = self._rendered(item.entry, is_written=is_written)
        rendered.entry, rendered.loc, rendered.line = item.entry, item.loc, item.line
        rendered.source = item.source
        return rendered

    def item(self, entry: Entry, *, is_rendered: bool) -> Rendered:
        """Return an entry as an item, which is rendered now or later."""
        item = self._rendered(entry, is_written=True) if is_rendered else Rendered()
        if self._is_dated:
            from converter.pipeline.transforms.sort import (
                date_key,  # sitemaps keep the order of the source
            )

            item.date = date_key(self._lastmod_of(entry))
        feed = entry.feed
        item.entry, item.loc, item.line = entry, entry.loc, entry.line
        item.source = (feed.source if feed is not None else None) or self.source
        return item

    def _rendered(self, entry: Entry, *, is_written: bool) -> Rendered:
        """Work out what is lost of an entry, and render it if it is to be written."""
        changes, issues, error = self._changes, self._issues, None
        losses: tuple[FieldLoss, ...] = ()
        if entry.loc or not self._is_by_page:
            losses, omissions = self._support.of(entry)
            if omissions or self._counts_more:
                self._count_more(entry, losses, omissions)
        item = None
        if is_written:
            try:
                item = self.writer.entry(entry, self._take)
            except OptionError as wrong:  # it matters only if the entry comes into the output
                error = wrong
        if item is None:
            item = Rendered()
        item.is_rendered, item.losses, item.error = is_written, losses, error
        if changes:
            item.changes = tuple(changes)
            changes.clear()
        if issues:
            item.issues = tuple(issues)
            issues.clear()
        return item

    def _count_more(
        self, entry: Entry, losses: Iterable[FieldLoss], omissions: Iterable[OmittedItem]
    ) -> None:
        """Count what is left out, and what few want to know."""
        self._changes += [("left_out", reason, number) for reason, number in omissions]
        if self._write.count_fields:
            self._changes += [("present", name, 1) for name in self._support.present(entry)]
        if self._write.tell_losses:
            for loss in losses:
                issue = loss_issue(loss, self.options.target.name)
                self._issues.append(replace(issue, line=entry.line, entry=entry.loc or entry.id))

    def _take(self, issue: Issue) -> None:
        """Take an issue of the writer."""
        self._changes += changes_by(issue)
        if issue.code is not Code.DROPPED_FIELD or self._write.tell_losses:
            self._issues.append(issue)

    # -- issues and counts --------------------------------------------------------------------

    def of_reader(self, issue: Issue) -> None:
        """Take an issue of the reader, whose lines are those of the document that it reads."""
        if self.line_shift and issue.line is not None:
            issue = replace(issue, line=issue.line + self.line_shift)
        self.tell(issue)

    def tell(self, issue: Issue) -> None:
        """Report an issue of a reader or a filter, and count what it says of losses."""
        self.counts.apply(changes_by(issue))
        if issue.code is Code.DROPPED_FIELD and not self._write.tell_losses:
            return
        self.report(with_source(issue, self.source))

    def _report_host(self, issue: Issue) -> None:
        if not (self.options.is_split and issue.code in _OF_HOSTS):
            self.tell(issue)

    def _leave_out(self, item: str, number: int) -> None:
        """Count an entry that is dropped because of its URL; note what one that goes on loses."""
        if item == "entry":
            self._count_unusable(item, number)
        else:
            self._unusable[item] = number

    def _count_all_unusable(self) -> None:
        for item, number in self._unusable.items():
            self._count_unusable(item, number)

    def _count_unusable(self, item: str, number: int) -> None:
        self.counts.leave_out(item, number, "its URL cannot be used")

    def leave_out_versions(self, number: int) -> None:
        """Count versions of a page in other languages that are dropped."""
        self.counts.leave_out("language", number, "not every version is in the output")


def lastmod_of(entry: Entry, transforms: TransformOptions) -> Moment | None:
    """Return the date that is written of an entry."""
    return dates.choose_lastmod(
        entry.published, entry.updated, policy=transforms.lastmod, now=transforms.now
    ).moment


def loss_issue(loss: FieldLoss, target: str) -> Issue:
    """Return what says that a field is lost, or altered."""
    code = Code.ALTERED_FIELD if loss.is_altered else Code.DROPPED_FIELD
    return Issue(code=code, message=loss.fate(target), path=loss.name)


def _shift(entry: Entry, lines: int) -> None:
    """Move an entry that was just read, and its media, to their lines in the whole source."""
    if entry.line is not None:
        entry.line += lines
    if entry.videos or entry.images or entry.audios or entry.news:
        for part in (entry.news, *entry.videos, *entry.images, *entry.audios):
            if part is not None and part.line is not None:
                part.line += lines
