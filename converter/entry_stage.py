"""The first stage of a conversion: what is done for each entry by itself, in whatever process.

It cleans, filters and renders entries and works out what is lost of them. The second stage
(`pipeline`) decides what depends on the other entries: duplicates, order, number and files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from converter.errors import OptionError
from converter.issues import Code, Issue, Report
from converter.ledger import Tally, changes_by
from converter.model import Entry, Moment
from converter.options import PassOptions, WriteOptions
from converter.passes import Transform, hosts, hygiene, select
from converter.passes.merge import Deduplicator
from converter.seams import Converted, CountChange, Document, FieldSupport, Format, Loss
from converter.values import dates, urls
from converter.values.marks import digest

__all__ = ["EntryStage", "StageOptions", "lastmod_of", "loss_issue", "with_source"]

#: How many sets of changes are kept once; more than a few come of hostile documents alone.
_MOST_CHANGES: Final = 1_000

#: Of interest to readers of one output, but not of one output a host.
_OF_HOSTS: Final = frozenset({Code.HOST_OTHER, Code.HOST_SIBLING})


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOptions:
    """What the first stage does."""

    target: Format
    passes: PassOptions
    write: WriteOptions
    duplicates: Deduplicator
    sort: str = "input"
    renders: bool = False
    """Entries are rendered at once; else the second stage does it, where the order matters."""
    is_split: bool = False
    """Every host has its own output."""
    only_host: str | None = None
    """The host whose output is made."""
    takes_homeless: bool = True
    """Entries without a page belong to that output."""
    counts: bool = True
    """What readers report is counted."""


class EntryStage:
    """The first stage of one pass over the inputs."""

    def __init__(
        self, options: StageOptions, tally: Tally, report: Report, *, is_task: bool = False
    ) -> None:
        """Begin a pass.

        Args:
            options: what is to be done.
            tally: takes the counts.
            report: takes the issues of readers and filters.
            is_task: it converts parts of the input, whose counts are added up later.

        Raises:
            OptionError: an option has no meaning.
        """
        self.tally = tally
        self.report = report
        self.source: str | None = None
        """The name of the document that is read."""
        self.line_shift = 0
        """How many lines of the source come before the document that is read."""
        self.hosts = hosts.HostCheck(options.passes, self._report_host, counts_all=is_task)
        self.writer = options.target.writing(options.write)
        self._options = options
        self._write = options.write
        self._duplicates = options.duplicates
        self._losses = losses = options.target.losses(options.write)
        self._support = FieldSupport(losses)
        self._unusable: dict[str, int] = {}
        self._issues: list[Issue] = []
        self._changes: list[CountChange] = []
        self._known_changes: dict[tuple[CountChange, ...], tuple[CountChange, ...]] = {}
        self._date_key: Callable[[Moment | None], int] | None = None
        if options.sort == "newest":
            from converter.passes.order import date_key  # sitemaps keep the order of the source

            self._date_key = date_key
        self._key = options.duplicates.key
        self._is_by_page = options.target.needs_loc
        self._transforms = self._filters()
        self._last = self._last_filters()

    def _filters(self) -> list[Transform]:
        """Return what is applied to each entry, in this order: only what the options ask for."""
        passes, transforms = self._options.passes, list[Transform]()
        if passes.loc_template:
            from converter.passes.template import template  # most entries have a page

            transforms.append(template(passes.loc_template, self.tell))
        rules = urls.Rules.of(passes)
        transforms += [hygiene.hygiene(rules, self.tell, self._leave_out), self.hosts]
        return [*transforms, *select.filters(passes, self._lastmod_of, self.tell)]

    def _last_filters(self) -> Sequence[Transform]:
        """Return the filters that see entries after their duplicates were merged with them."""
        passes, filters = self._options.passes, list[Transform]()
        if self._options.only_host is not None:  # items that are the same may be on several hosts
            filters.append(self._of_host)
        if passes.expired_before is not None:
            filters.append(select.unexpired(passes.expired_before, self._lastmod_of, self.tell))
        return filters

    def _lastmod_of(self, entry: Entry) -> Moment | None:
        return lastmod_of(entry, self._options.passes)

    def _of_host(self, entry: Entry) -> Entry | None:
        if entry.loc is None:
            return entry if self._options.takes_homeless else None
        return entry if urls.host_of(entry.loc) == self._options.only_host else None

    # -- entries ------------------------------------------------------------------------------

    def converted(self, document: Document) -> Iterator[Converted]:
        """Read a document and convert the entries that pass the filters."""
        tally, unusable, transforms = self.tally, self._unusable, self._transforms
        for given in document.entries:
            entry: Entry | None = given
            if self.line_shift:
                _shift(given, self.line_shift)
            tally.read += 1
            unusable.clear()
            for transform in transforms:
                if (entry := transform(entry)) is None:  # type: ignore[arg-type]  # only at once
                    break
            if entry is None:
                continue
            for item, number in unusable.items():
                self._count_unusable(item, number)
            yield self._keyed(entry)

    def _keyed(self, entry: Entry) -> Converted:
        """Convert an entry as far as its duplicates allow that."""
        duplicates = self._duplicates
        key = entry.loc if self._is_by_page else self._key(entry)
        if duplicates.is_second_pass:
            if duplicates.is_held_back(key):
                item = self.item(entry)
                item.is_pending = True
                return item
            return self.finished(entry)
        if entry.alternates and entry.loc and duplicates.chooses_versions(entry):
            duplicates.has_versions = True
        return self.finished(entry, None if key is None else digest(key))

    def finished(self, entry: Entry, key: int | None = None) -> Converted:
        """Convert an entry to the end: it is the only one of its key, or merged with the others."""
        duplicates = self._duplicates
        if entry.alternates and duplicates.is_second_pass and duplicates.chooses_versions(entry):
            entry = duplicates.versions(entry, self.tell, self.leave_out_versions)
        item = self.item(entry)
        item.key = key
        for keep in self._last:
            if keep(entry) is None:
                item.is_expired = True
                return item
        if self._options.renders:
            self.render(item)
        return item

    def item(self, entry: Entry) -> Converted:
        """Begin to convert an entry."""
        loc, feed = entry.loc, entry.feed
        source = (feed.source if feed is not None else None) or self.source
        item = Converted(loc, entry.line, source, loc or entry.id, entry)
        if self._date_key is not None:
            item.date = self._date_key(self._lastmod_of(entry))
        return item

    def render(self, item: Converted) -> None:
        """Render an entry, and work out what is lost of it."""
        entry = item.entry
        if entry is None:
            raise TypeError("the entry of this item is in another process")
        self.count_losses(item)
        try:
            item.rendered = self.writer.entry(entry, self._take)
        except OptionError as error:  # it matters only if the entry comes into the output
            item.rendered = error
        item.is_rendered = True
        self._add_to(item)

    def count_losses(self, item: Converted) -> None:
        """Work out what the target has no place for."""
        entry = item.entry
        if entry is None or not (entry.loc or not self._is_by_page):
            return
        changes = self._changes
        losses, omissions = self._support.of(entry)
        for loss in losses:
            changes.append(("altered" if loss.is_altered else "lost", loss.name, 1))
            if self._write.tell_losses:
                issue = loss_issue(loss, self._options.target.name)
                self._issues.append(replace(issue, line=item.line, entry=item.name))
        for omission in omissions:
            if number := omission.count(entry):
                changes.append(("left_out", omission.reason, number))
        if self._write.count_fields:
            from converter.vocab.lost.presence import present  # asked for by `--losses` alone

            changes += [("present", name, 1) for name in present(entry, self._losses)]
        self._add_to(item)

    def _add_to(self, item: Converted) -> None:
        """Give an item what was reported of it and what it changes in the counts."""
        if self._changes:
            if len(self._known_changes) >= _MOST_CHANGES:
                self._known_changes.clear()
            changes = item.changes + tuple(self._changes)
            item.changes = self._known_changes.setdefault(changes, changes)
            self._changes.clear()
        if self._issues:
            item.issues = (*item.issues, *self._issues)
            self._issues.clear()

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
        if self._options.counts:
            self.tally.apply(changes_by(issue))
            if issue.code is Code.DROPPED_FIELD and not self._write.tell_losses:
                return
        self.report(with_source(issue, self.source))

    def _report_host(self, issue: Issue) -> None:
        if not (self._options.is_split and issue.code in _OF_HOSTS):
            self.tell(issue)

    def _leave_out(self, item: str, number: int) -> None:
        """Count an entry that is dropped because of its URL; note what one that goes on loses."""
        if item == "entry":
            self._count_unusable(item, number)
        else:
            self._unusable[item] = number

    def _count_unusable(self, item: str, number: int) -> None:
        if self._options.counts:
            self.tally.leave_out(item, number, "its URL cannot be used")

    def leave_out_versions(self, number: int) -> None:
        """Count versions of a page in other languages that are dropped."""
        self.tally.leave_out("language", number, "not every version is in the output")


def lastmod_of(entry: Entry, passes: PassOptions) -> Moment | None:
    """Return the date that is written of an entry."""
    return dates.lastmod(
        entry.published, entry.updated, policy=passes.lastmod, now=passes.now
    ).moment


def loss_issue(loss: Loss[Any], target: str) -> Issue:
    """Return what says that a field is lost, or altered."""
    code = Code.ALTERED_FIELD if loss.is_altered else Code.DROPPED_FIELD
    return Issue(code=code, message=loss.fate(target), path=loss.name)


def with_source(issue: Issue, source: str | None) -> Issue:
    """Name the source in an issue that names none."""
    return issue if issue.source or not source else replace(issue, source=source)


def _shift(entry: Entry, lines: int) -> None:
    """Move an entry that was just read, and its media, to their lines in the whole source."""
    for part in (entry, entry.news, *entry.videos, *entry.images, *entry.audios):
        if part is not None and part.line is not None:
            object.__setattr__(part, "line", part.line + lines)  # nobody else has it yet
