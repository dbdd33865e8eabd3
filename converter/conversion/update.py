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
from converter.conversion.publication import Output, Piece, Publication
from converter.conversion.result import Result, left_out, of_readers
from converter.errors import OptionError
from converter.issues import Code, Issue, ignore
from converter.model import Entry, Feed
from converter.pipeline.entry_stage import lastmod_of
from converter.pipeline.inputs import Input
from converter.pipeline.issue_buffer import Ledger
from converter.pipeline.pipeline import Conversion
from converter.pipeline.transforms import Transform
from converter.pipeline.transforms import filters as select
from converter.pipeline.transforms.deduplicate import with_versions
from converter.pipeline.transforms.identity import Items
from converter.update.block_copy import NotOwnOutputError
from converter.update.merge import MergeWithExisting, page_key
from converter.update.part_updater import ExistingPart, PartUpdater
from converter.update.pending_entries import PendingEntries
from converter.values import dates

if TYPE_CHECKING:
    from converter.conversion.conversion import Run

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

    run: Run
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
        self._is_own = self.run.job.live.update and self.run.publisher.exists()
        if self._is_own:  # to an existing output, the documents of --merge are new too
            self.inputs, self.added_to = [*self.inputs, *self.added_to], ()

    def convert(self) -> Result:
        """Read the new entries and publish them with the existing ones."""
        fresh = self._fresh()
        parts = own_parts(self.run) if self._is_own else []
        if parts is not None and not self.added_to:
            try:
                return self._by_parts(fresh, parts)
            except NotOwnOutputError:
                self.run.publisher.discard()
                fresh.settle()
        return self._by_entries(fresh)

    # -- new entries --------------------------------------------------------------------------

    def _fresh(self) -> Conversion:
        """Return the conversion that reads the new entries."""
        conversion = self.run.conversion(self.inputs, self.progress)
        conversion.items = Items(across="any" if self._is_own else "iri")
        conversion.keeps_versions = True
        conversion.passes = conversion.passes._replace(sort="input")
        if self.run.row.order != "input":  # the newest are chosen when all entries are there
            conversion.passes = conversion.passes._replace(max_entries=None)
        job = self.run.job
        if self.run.row.index is not None and job.passes.lastmod in {"published", "none"}:
            # That rule does not apply to existing pages: they have one date, of unknown kind. So
            # each new page gets its date when it is read, and that is the date that is written.
            conversion.joined = partial(map, partial(self._dated, conversion))
            passes, write = job.passes, job.write._replace(lastmod="updated")
            self.run.job = job._replace(passes=passes._replace(lastmod="updated"), write=write)
        return conversion

    def _dated(self, conversion: Conversion, entry: Entry) -> Entry:
        """Choose the date of a new page as `--lastmod` says."""
        passes = conversion.passes
        moment, notes = dates.lastmod(
            entry.published, entry.updated, policy=passes.lastmod, now=passes.now
        )
        for code, message in notes:
            issue = Issue(code=code, message=message, line=entry.line, path="lastmod")
            conversion.report(replace(issue, entry=entry.loc))
        return replace(entry, updated=moment)

    def _stored(
        self, conversion: Conversion, ledger: Ledger, begin: Callable[[], _Store]
    ) -> _Store:
        """Read the new entries, in as many passes as that takes, and store them."""
        conversion.report = conversion.report_written = ledger
        muted, store = ledger.mute, None
        ledger.mute = _EXPECTED if self.run.job.live.merge else frozenset()
        for _ in self.run.passes(conversion, ledger):
            if store is not None:
                store.store.close()
            store, entries = begin(), conversion.entries()
            try:
                for entry in entries:
                    store.add(entry)
            except OptionError:
                for _ in entries:  # read on: a header that comes late may be of use
                    pass
                if not conversion.needs_another_walk:
                    raise
        ledger.mute = muted
        if store is None:
            raise TypeError("there is no pass")
        store.seal()
        return store

    # -- part by part -------------------------------------------------------------------------

    def _by_parts(self, fresh: Conversion, parts: Sequence[ExistingPart]) -> Result:
        """Update a set part by part; without existing parts, make it.

        Raises:
            NotOwnOutputError: an existing part differs from what our writer makes.
        """
        run = self.run
        with run.ledger() as ledger:
            report = fresh.telling(ledger)
            pending = self._stored(
                fresh,
                ledger,
                lambda: PendingEntries(
                    job=run.job,
                    row=run.row,
                    spool=run.publisher.spool,
                    report=report,
                    leave_out=fresh.leave_out_versions,
                ),
            )
            update = PartUpdater(
                parts=parts,
                pending=pending,
                report=lambda issue: ledger(replace(issue, source=run.path)),
            )
            update.scan()
            output, emptied = self._staged(update)
            pending.writer.finish(pending.report)
            output.refused = pending.refused
            output.first_loc = fresh.first_loc
            present = update.present if parts else run.present(self.existing)
            run.guard([output], present, dropped=update.dropped)
        published = Publication(run).publish([output], emptied=emptied)
        result = run.result([output], published, fresh)
        if not parts:
            return result
        return replace(result, added=pending.added, renewed=update.renewed, dropped=update.dropped)

    def _staged(self, updater: PartUpdater) -> tuple[Output, list[str]]:
        """Stage the parts that change; return all parts and the names of those without entries."""
        run, output, emptied = self.run, Output(name=self.run.publisher.name), list[str]()
        for name, period, part, counts in updater.updated():
            if part is not None:
                compress = name.endswith(".gz") if name else run.compress
                staged = run.publisher.stage(part.chunks, compress=compress)
                output.add(Piece.of(part, staged, period, name))
            elif counts is not None:
                output.add(Piece(*counts, None, period, name))
            elif name is not None:
                emptied.append(name)
        return output, emptied

    # -- entry by entry -----------------------------------------------------------------------

    def _by_entries(self, fresh: Conversion) -> Result:
        """Merge the new entries with existing ones and write the whole output."""
        run = self.run
        with run.ledger() as ledger:
            merging = self._stored(
                fresh,
                ledger,
                lambda: MergeWithExisting(run.job, run.row, run.publisher.spool, self._is_own),
            )
        conversion = self._known(fresh)
        if merging.missing:
            _look_for_versions(conversion, merging)
        merging.settled = lambda entry: with_versions(
            entry, merging.is_there, conversion.report, conversion.leave_out_versions
        )
        conversion.joined = lambda given: self._left(merging.merged(given), conversion, merging)
        skipped, merged = run.skipped, run.merged
        if run.job.live.part_by:
            conversion.keeps_versions = True
            result = self._by_parts(conversion, ())
        else:
            outputs = run.outputs(conversion, mute=_EXPECTED)
            run.guard(outputs, run.present(self.existing))
            result = run.result(outputs, Publication(run).publish(outputs), conversion)
        return replace(
            result,
            sources=len(self.inputs),
            skipped=result.skipped + skipped,
            merged=result.merged + merged,
            lost=dict(Counter(result.lost) + _of_header(fresh.tally.lost)),
            altered=dict(Counter(result.altered) + _of_header(fresh.tally.altered)),
            left_out=result.left_out + left_out(of_readers(fresh.tally.left_out), run.job.write),
            added=merging.added,
            renewed=merging.renewed,
            dropped=merging.dropped,
        )

    def _known(self, fresh: Conversion) -> Conversion:
        """Return the conversion that reads what the new entries are added to."""
        run = self.run
        existing = self.existing() if self._is_own else ()
        conversion = run.conversion([*existing, *self.added_to], self.progress)
        most = None if run.row.order == "input" else conversion.passes.max_entries
        conversion.passes = conversion.passes._replace(**_NO_FILTERS, max_entries=most)
        conversion.heading = _header(fresh.feed)
        conversion.items = Items(within="page" if self._is_own else "source")
        return conversion

    def _left(
        self, entries: Iterator[Entry], conversion: Conversion, merging: MergeWithExisting
    ) -> Iterator[Entry]:
        """Remove entries whose time has come, by the dates that they have after the merge."""
        passes = self.run.job.passes

        def drop(issue: Issue) -> None:
            merging.dropped += 1
            conversion.report(issue)

        filters = list[Transform]()
        if passes.drop:
            filters.append(select.without(passes.drop, drop))
        if passes.expired_before is not None:
            dated = partial(lastmod_of, passes=conversion.passes)
            filters.append(select.unexpired(passes.expired_before, dated, drop))
        return (entry for entry in entries if all(keep(entry) for keep in filters))


def _look_for_versions(conversion: Conversion, merging: MergeWithExisting) -> None:
    """Read the existing entries for the language versions among them."""
    conversion.report = ignore
    while True:
        for entry in conversion.entries():
            merging.missing.discard(page_key(entry.loc or ""))
        if not conversion.needs_another_walk:
            break
        conversion.begin_another_walk()
    conversion.settle()


def _header(feed: Feed) -> Feed | None:
    """Return a header with content; None keeps the existing one."""
    return None if feed == Feed(format=feed.format, source=feed.source) else feed


def _of_header(counts: Counter[str]) -> Counter[str]:
    """Return the counts of headers; entries are counted when they are read with existing ones."""
    return Counter({name: count for name, count in counts.items() if name.startswith("feed/")})
