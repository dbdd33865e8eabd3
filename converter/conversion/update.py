"""Runs that add to an existing output or to other documents: `--update`, `--merge`.

The new entries are read first and stored. A set of sitemaps that our writer made is then updated
part by part (`living.parts`). Any other output is read entry by entry, merged with the new
entries and written again as a whole (`living.merge`); the next run updates it part by part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from converter.conversion.existing_output import own_parts
from converter.conversion.publication import Output, OutputPart, Publication
from converter.conversion.result import Result, left_out, of_readers
from converter.errors import OptionError
from converter.issues import Code, Issue, ignore
from converter.model import Entry, Feed
from converter.pipeline.entry_stage import lastmod_of
from converter.pipeline.inputs import Input
from converter.pipeline.issue_buffer import IssueBuffer
from converter.pipeline.pipeline import Pipeline
from converter.pipeline.transforms import Transform
from converter.pipeline.transforms import filters as select
from converter.pipeline.transforms.deduplicate import with_versions
from converter.pipeline.transforms.identity import ItemIdentity
from converter.update.block_copy import NotOwnOutputError
from converter.update.merge import MergeWithExisting, page_key
from converter.update.part_updater import ExistingPart, PartUpdater
from converter.update.pending_entries import PendingEntries
from converter.values import dates

if TYPE_CHECKING:
    from converter.conversion.conversion import Conversion

#: Sources with pages in common are the reason for merging them.
_EXPECTED: Final = frozenset({Code.URL_DUPLICATE})

#: Filters apply to new entries only.
_NO_FILTERS: Final[dict[str, Any]] = {
    "include": (),
    "exclude": (),
    "since": None,
    "until": None,
    "require_lastmod": False,
    "loc_template": None,
    "host": None,
    "drop": (),
    "expired_before": None,
}

_Store = TypeVar("_Store", PendingEntries, MergeWithExisting)


@dataclass(slots=True)
class Update:
    """A run that adds to something."""

    conversion: Conversion
    inputs: Sequence[Input]
    """The new entries."""
    added_to: Sequence[Input]
    """The documents of `--merge`, if the output does not exist or is not updated."""
    existing: Callable[[], Sequence[Input]]
    """Opens the existing output as a source."""
    progress: Callable[[], None]
    _is_own: bool = field(init=False)
    """The new entries are added to the output itself."""

    def __post_init__(self) -> None:
        self._is_own = self.conversion.options.publish.update and self.conversion.publisher.exists()
        if self._is_own:  # to an existing output, the documents of --merge are new too
            self.inputs, self.added_to = [*self.inputs, *self.added_to], ()

    def convert(self) -> Result:
        """Read the new entries and publish them with the existing ones."""
        fresh = self._fresh()
        parts = own_parts(self.conversion) if self._is_own else []
        if parts is not None and not self.added_to:
            try:
                return self._by_parts(fresh, parts)
            except NotOwnOutputError:
                self.conversion.publisher.discard()
                fresh.settle()
        return self._by_entries(fresh)

    # -- new entries --------------------------------------------------------------------------

    def _fresh(self) -> Pipeline:
        """Return the conversion that reads the new entries."""
        pipeline = self.conversion.pipeline(self.inputs, self.progress)
        pipeline.items = ItemIdentity(across="any" if self._is_own else "iri")
        pipeline.keeps_versions = True
        pipeline.transforms = pipeline.transforms._replace(sort="input")
        if self.conversion.row.order != "input":  # the newest are chosen when all entries are there
            pipeline.transforms = pipeline.transforms._replace(max_entries=None)
        options = self.conversion.options
        if self.conversion.row.index is not None and options.transforms.lastmod in {
            "published",
            "none",
        }:
            # That rule does not apply to existing pages: they have one date, of unknown kind. So
            # each new page gets its date when it is read, and that is the date that is written.
            pipeline.joined = partial(map, partial(self._dated, pipeline))
            transforms, write = options.transforms, options.write._replace(lastmod="updated")
            self.conversion.options = options._replace(
                transforms=transforms._replace(lastmod="updated"), write=write
            )
        return pipeline

    def _dated(self, pipeline: Pipeline, entry: Entry) -> Entry:
        """Choose the date of a new page as `--lastmod` says."""
        transforms = pipeline.transforms
        moment, notes = dates.choose_lastmod(
            entry.published, entry.updated, policy=transforms.lastmod, now=transforms.now
        )
        for code, message in notes:
            issue = Issue(code=code, message=message, line=entry.line, path="lastmod")
            pipeline.report(replace(issue, entry=entry.loc))
        return replace(entry, updated=moment)

    def _stored(
        self, pipeline: Pipeline, issue_buffer: IssueBuffer, begin: Callable[[], _Store]
    ) -> _Store:
        """Read the new entries, in as many passes as that takes, and store them."""
        pipeline.report = pipeline.report_written = issue_buffer
        muted, store = issue_buffer.mute, None
        issue_buffer.mute = _EXPECTED if self.conversion.options.publish.merge else frozenset()
        for _ in self.conversion.passes(pipeline, issue_buffer):
            if store is not None:
                store.store.close()
            store, entries = begin(), pipeline.entries()
            try:
                for entry in entries:
                    store.add(entry)
            except OptionError:
                for _ in entries:  # read on: a header that comes late may be of use
                    pass
                if not pipeline.needs_another_pass:
                    raise
        issue_buffer.mute = muted
        if store is None:
            raise TypeError("there is no pass")
        store.seal()
        return store

    # -- part by part -------------------------------------------------------------------------

    def _by_parts(self, fresh: Pipeline, parts: Sequence[ExistingPart]) -> Result:
        """Update a set part by part; without existing parts, make it.

        Raises:
            NotOwnOutputError: an existing part differs from what our writer makes.
        """
        conversion = self.conversion
        with conversion.issue_buffer() as issue_buffer:
            report = fresh.telling(issue_buffer)
            pending = self._stored(
                fresh,
                issue_buffer,
                lambda: PendingEntries(
                    options=conversion.options,
                    row=conversion.row,
                    spool=conversion.publisher.spool,
                    report=report,
                    leave_out=fresh.leave_out_versions,
                ),
            )
            update = PartUpdater(
                parts=parts,
                pending=pending,
                report=lambda issue: issue_buffer(replace(issue, source=conversion.path)),
            )
            update.scan()
            output, emptied = self._staged(update)
            pending.writer.finish(pending.report)
            output.refused = pending.refused
            output.first_loc = fresh.first_loc
            present = update.present if parts else conversion.present(self.existing)
            conversion.guard([output], present, dropped=update.dropped)
        published = Publication(conversion).publish([output], emptied=emptied)
        result = conversion.result([output], published, fresh)
        if not parts:
            return result
        return replace(result, added=pending.added, renewed=update.renewed, dropped=update.dropped)

    def _staged(self, updater: PartUpdater) -> tuple[Output, list[str]]:
        """Stage the parts that change; return all parts and the names of those without entries."""
        conversion, output, emptied = (
            self.conversion,
            Output(name=self.conversion.publisher.name),
            list[str](),
        )
        for name, period, part, counts in updater.updated():
            if part is not None:
                compress = name.endswith(".gz") if name else conversion.compress
                staged = conversion.publisher.stage(part.chunks, compress=compress)
                output.add(OutputPart.of(part, staged, period, name))
            elif counts is not None:
                output.add(OutputPart(*counts, None, period, name))
            elif name is not None:
                emptied.append(name)
        return output, emptied

    # -- entry by entry -----------------------------------------------------------------------

    def _by_entries(self, fresh: Pipeline) -> Result:
        """Merge the new entries with existing ones and write the whole output."""
        conversion = self.conversion
        with conversion.issue_buffer() as issue_buffer:
            merging = self._stored(
                fresh,
                issue_buffer,
                lambda: MergeWithExisting(
                    conversion.options, conversion.row, conversion.publisher.spool, self._is_own
                ),
            )
        pipeline = self._known(fresh)
        if merging.missing:
            _look_for_versions(pipeline, merging)
        merging.settled = lambda entry: with_versions(
            entry, merging.is_there, pipeline.report, pipeline.leave_out_versions
        )
        pipeline.joined = lambda given: self._left(merging.merged(given), pipeline, merging)
        skipped, merged = conversion.skipped, conversion.merged
        if conversion.options.publish.part_by:
            pipeline.keeps_versions = True
            result = self._by_parts(pipeline, ())
        else:
            outputs = conversion.outputs(pipeline, mute=_EXPECTED)
            conversion.guard(outputs, conversion.present(self.existing))
            result = conversion.result(outputs, Publication(conversion).publish(outputs), pipeline)
        return replace(
            result,
            sources=len(self.inputs),
            skipped=result.skipped + skipped,
            merged=result.merged + merged,
            lost=dict(Counter(result.lost) + _of_header(fresh.counts.lost)),
            altered=dict(Counter(result.altered) + _of_header(fresh.counts.altered)),
            left_out=result.left_out
            + left_out(of_readers(fresh.counts.left_out), conversion.options.write),
            added=merging.added,
            renewed=merging.renewed,
            dropped=merging.dropped,
        )

    def _known(self, fresh: Pipeline) -> Pipeline:
        """Return the conversion that reads what the new entries are added to."""
        conversion = self.conversion
        existing = self.existing() if self._is_own else ()
        pipeline = conversion.pipeline([*existing, *self.added_to], self.progress)
        most = None if conversion.row.order == "input" else pipeline.transforms.max_entries
        pipeline.transforms = pipeline.transforms._replace(**_NO_FILTERS, max_entries=most)
        pipeline.feed_header = _header(fresh.feed)
        pipeline.items = ItemIdentity(within="page" if self._is_own else "source")
        return pipeline

    def _left(
        self, entries: Iterator[Entry], pipeline: Pipeline, merging: MergeWithExisting
    ) -> Iterator[Entry]:
        """Remove entries whose time has come, by the dates that they have after the merge."""
        transforms = self.conversion.options.transforms

        def drop(issue: Issue) -> None:
            merging.dropped += 1
            pipeline.report(issue)

        filters = list[Transform]()
        if transforms.drop:
            filters.append(select.without(transforms.drop, drop))
        if transforms.expired_before is not None:
            dated = partial(lastmod_of, transforms=pipeline.transforms)
            filters.append(select.unexpired(transforms.expired_before, dated, drop))
        return (entry for entry in entries if all(keep(entry) for keep in filters))


def _look_for_versions(pipeline: Pipeline, merging: MergeWithExisting) -> None:
    """Read the existing entries for the language versions among them."""
    pipeline.report = ignore
    while True:
        for entry in pipeline.entries():
            merging.missing.discard(page_key(entry.loc or ""))
        if not pipeline.needs_another_pass:
            break
        pipeline.begin_another_pass()
    pipeline.settle()


def _header(feed: Feed) -> Feed | None:
    """Return a header with content; None keeps the existing one."""
    return None if feed == Feed(format=feed.format, source=feed.source) else feed


def _of_header(counts: Counter[str]) -> Counter[str]:
    """Return the counts of headers; entries are counted when they are read with existing ones."""
    return Counter({name: count for name, count in counts.items() if name.startswith("feed/")})
