"""Runs that add entries to an existing output or to other documents: `--update`, `--merge`.

The new entries are read first and stored. A set of sitemaps that our writer made is then updated
part by part (`update.part_updater`). Any other output is read entry by entry, merged with the new
entries and written again as a whole (`update.merge`); the next run updates it part by part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from converter.conversion.publication import Output
from converter.conversion.result import Result, left_out
from converter.issues import Code, Issue
from converter.model import Entry, Feed
from converter.pipeline.entry_stage import lastmod_of
from converter.pipeline.inputs import Input
from converter.pipeline.issue_buffer import IssueBuffer
from converter.pipeline.pipeline import Pipeline
from converter.pipeline.transforms.deduplicate import with_versions
from converter.pipeline.transforms.entry_identity import ItemIdentity
from converter.pipeline.transforms.filters import Expiry
from converter.update.block_copy import NotOwnOutputError
from converter.update.merge import MergeWithExisting
from converter.update.part_updater import ExistingPart, PartUpdater
from converter.update.pending_entries import PendingEntries
from converter.values import dates

if TYPE_CHECKING:
    from converter.conversion.conversion import Conversion

#: The documents of `--merge` usually have pages in common.
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
class UpdateRun:
    """A run that adds new entries to existing ones."""

    conversion: Conversion
    inputs: Sequence[Input]
    """The new documents."""
    merged: Sequence[Input]
    """The documents of `--merge`, unless they are added to the output like new ones."""
    progress: Callable[[], None]
    _is_own: bool = field(init=False)
    """The new entries are added to the output itself."""

    def __post_init__(self) -> None:
        self._is_own = self.conversion.options.publish.update and self.conversion.publisher.exists()
        if self._is_own:
            self.inputs, self.merged = [*self.inputs, *self.merged], ()

    def run(self) -> Result:
        """Read the new entries and publish them with the existing ones."""
        new = self._new_entries()
        parts = self.conversion.existing.own_parts() if self._is_own else []
        if parts is not None and not self.merged:
            try:
                return self._by_parts(new, parts)
            except NotOwnOutputError:
                self.conversion.publisher.discard()
                new.begin_second_pass()
        return self._by_entries(new)

    # -- new entries --------------------------------------------------------------------------

    def _new_entries(self) -> Pipeline:
        """Return the pipeline that reads the new entries."""
        conversion, options = self.conversion, self.conversion.options
        pipeline = conversion.pipeline(self.inputs, self.progress)
        pipeline.items = ItemIdentity(across="any" if self._is_own else "iri")
        pipeline.keeps_versions = True
        pipeline.transforms = replace(pipeline.transforms, sort="input")
        if conversion.target.is_feed:  # --max-entries applies after the merge
            pipeline.transforms = replace(pipeline.transforms, max_entries=None)
        policy = options.transforms.lastmod
        if conversion.target.index is not None and policy in {"published", "none"}:
            # An existing page has one date of unknown kind, so this policy applies to new pages
            # only: each gets its date when it is read, and that date is then written as it is.
            pipeline.entries_transform = partial(map, partial(self._dated, pipeline))
            pipeline.write = replace(options.write, lastmod="updated")
            transforms = replace(options.transforms, lastmod="updated")
            conversion.options = replace(options, transforms=transforms, write=pipeline.write)
        return pipeline

    def _dated(self, pipeline: Pipeline, entry: Entry) -> Entry:
        """Set the date of a new page by `--lastmod`."""
        transforms = pipeline.transforms
        moment, notes = dates.choose_lastmod(
            entry.published, entry.updated, policy=transforms.lastmod, now=transforms.now
        )
        for code, message in notes:
            issue = Issue(code=code, message=message, line=entry.line, path="lastmod")
            pipeline.report(replace(issue, entry=entry.loc))
        return replace(entry, updated=moment)

    def _stored(
        self,
        pipeline: Pipeline,
        issue_buffer: IssueBuffer,
        new_store: Callable[[], _Store],
        *,
        is_written: bool,
    ) -> _Store:
        """Read and store the new entries, in as many passes as needed."""
        pipeline.report = pipeline.report_written = issue_buffer
        muted, store = issue_buffer.mute, new_store()
        issue_buffer.mute = _EXPECTED if self.conversion.options.publish.merge else frozenset()
        for number, _ in enumerate(self.conversion.passes(pipeline, issue_buffer)):
            if number:
                store.store.close()
                store = new_store()
            for item in pipeline.entries(is_written=is_written):
                store.add(item)
        issue_buffer.mute = muted
        store.seal()
        return store

    # -- part by part -------------------------------------------------------------------------

    def _by_parts(self, new: Pipeline, parts: Sequence[ExistingPart]) -> Result:
        """Update a set part by part; without existing parts, create it.

        Raises:
            NotOwnOutputError: an existing part differs from what our writer makes.
        """
        conversion = self.conversion
        with conversion.issue_buffer() as issue_buffer:
            report = new.writer_report(issue_buffer)
            pending = self._stored(
                new,
                issue_buffer,
                lambda: PendingEntries(
                    options=conversion.options,
                    target=conversion.target,
                    spool=conversion.publisher.spool,
                    report=report,
                    leave_out=new.counts.leave_out_versions,
                ),
                is_written=True,
            )
            updater = PartUpdater(
                parts=parts,
                pending=pending,
                publisher=conversion.publisher,
                compress=conversion.compress,
                report=lambda issue: issue_buffer(replace(issue, source=conversion.path)),
            )
            updater.scan()
            output = Output(name=conversion.publisher.name)
            for part in updater.updated_parts():
                output.add(part)
            output.refused, output.first_loc = pending.refused, new.first_loc
        result = conversion.publish(
            [output],
            new,
            existing_urls=updater.existing_urls if parts else None,
            dropped=updater.dropped,
        )
        if not parts:
            return result
        return replace(
            result, added=pending.added, renewed=updater.renewed, dropped=updater.dropped
        )

    # -- entry by entry -----------------------------------------------------------------------

    def _by_entries(self, new: Pipeline) -> Result:
        """Merge the new entries with existing ones and write the whole output."""
        conversion = self.conversion
        with conversion.issue_buffer() as issue_buffer:
            merging = self._stored(
                new,
                issue_buffer,
                lambda: MergeWithExisting(
                    conversion.options, conversion.target, conversion.publisher.spool, self._is_own
                ),
                is_written=False,
            )
        pipeline = self._existing_entries(new)
        merging.resolve_versions = lambda entry: _resolved(entry, pipeline, merging)
        pipeline.entries_transform = lambda entries: self._kept(
            merging.merged(entries), pipeline, merging
        )
        skipped, merged = conversion.skipped, conversion.merged
        if conversion.options.publish.part_by:
            pipeline.keeps_versions = True
            result = self._by_parts(pipeline, ())
        else:
            outputs = conversion.outputs(pipeline, mute=_EXPECTED)
            result = conversion.publish(outputs, pipeline)
        # those of writers are counted again by the second pipeline
        of_readers = {it: number for it, number in new.counts.left_out.items() if not it.kept_by}
        return replace(
            result,
            sources=len(self.inputs),
            skipped=result.skipped + skipped,
            merged=result.merged + merged,
            lost=dict(Counter(result.lost) + _of_header(new.counts.lost)),
            altered=dict(Counter(result.altered) + _of_header(new.counts.altered)),
            left_out=result.left_out + left_out(of_readers, conversion.options.write),
            added=merging.added,
            renewed=merging.renewed,
            dropped=merging.dropped,
        )

    def _existing_entries(self, new: Pipeline) -> Pipeline:
        """Return the pipeline that reads the documents that the new entries are added to."""
        conversion = self.conversion
        existing = conversion.open_existing() if self._is_own else ()
        pipeline = conversion.pipeline([*existing, *self.merged], self.progress)
        most = pipeline.transforms.max_entries if conversion.target.is_feed else None
        pipeline.transforms = replace(pipeline.transforms, **_NO_FILTERS, max_entries=most)
        header = new.feed
        if header != Feed(format=header.format, source=header.source):
            pipeline.feed_header = header
        pipeline.items = ItemIdentity(within="page" if self._is_own else "source")
        return pipeline

    def _kept(
        self, entries: Iterator[Entry], pipeline: Pipeline, merging: MergeWithExisting
    ) -> Iterator[Entry]:
        """Remove entries that `--drop` and `--expire` name, by their dates after the merge."""
        transforms = self.conversion.options.transforms
        expiry = Expiry(transforms.drop, transforms.expired_before)

        def report(issue: Issue) -> None:
            merging.dropped += 1
            pipeline.report(issue)

        keep = expiry.filter(partial(lastmod_of, transforms=pipeline.transforms), report)
        return filter(keep, entries) if expiry else entries


def _resolved(entry: Entry, pipeline: Pipeline, merging: MergeWithExisting) -> Entry:
    """Drop the language versions of a new entry, in the second pass, if one is missing."""
    duplicates = pipeline.duplicates
    if not entry.alternates or pipeline.keeps_versions:
        return entry
    if not duplicates.is_second_pass:
        duplicates.has_versions = True
        return entry
    return with_versions(
        entry,
        lambda loc: merging.has_page(loc) or duplicates.is_in_output(loc),
        pipeline.report,
        pipeline.counts.leave_out_versions,
    )


def _of_header(counts: Counter[str]) -> Counter[str]:
    """Return the counts of headers; entries are counted again when they are merged."""
    return Counter({name: count for name, count in counts.items() if name.startswith("feed/")})
