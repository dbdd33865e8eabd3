"""Runs that add to an existing output or to other documents: `--update`, `--merge`.

The new entries are read first and stored. A set of sitemaps that our writer made is then updated
part by part (`living.renewal`). Any other output is read entry by entry, merged with the new
entries and written again as a whole (`living.union`); the next run updates it part by part.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from converter.errors import OptionError
from converter.issues import Code, Issue, Report, ignore
from converter.ledger import Ledger
from converter.living.handwriting import NotOwnOutputError
from converter.living.pending import PendingEntries
from converter.living.renewal import ExistingPart, PartUpdater
from converter.living.spelling import Spelling
from converter.living.store import EntryStore
from converter.living.union import KeyRule, MergeWithExisting, key_of, page_key
from converter.model import Entry, Feed
from converter.parts import limits_of
from converter.passes import Transform, select
from converter.passes.fate import Fate
from converter.passes.identity import Items
from converter.passes.merge import renewed, with_versions
from converter.pipeline import Conversion, Input
from converter.run.publishing import Output, Piece
from converter.run.results import Result, left_out, of_readers
from converter.run.standing import own_parts, whole
from converter.seams import Writer
from converter.values import dates

if TYPE_CHECKING:
    from converter.run import Run

__all__ = ["Update"]

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

    def convert(self) -> Result:
        """Read the new entries and publish them with the existing ones."""
        if self._is_own:  # to an existing output, the documents of --merge are new too
            self.inputs, self.added_to = [*self.inputs, *self.added_to], ()
        fresh = self._fresh()
        dated: Callable[[Entry], Entry] = _no_change
        if self.run.row.index is not None and fresh.passes.lastmod in {"published", "none"}:
            dated = self._dated(fresh)
            self._keep_dates()
        parts = self._own_parts()
        if parts is not None:
            try:
                return self._by_parts(fresh, dated, parts)
            except NotOwnOutputError:
                self.run.publisher.discard()
                fresh.settle()
        return self._by_entries(fresh, dated)

    @property
    def _is_own(self) -> bool:
        return self.run.job.live.update and self.run.publisher.stands()

    # -- new entries --------------------------------------------------------------------------

    def _fresh(self) -> Conversion:
        """Return the conversion that reads the new entries."""
        conversion = self.run.conversion(self.inputs, self.progress)
        conversion.items = Items(across="any" if self._is_own else "iri")
        passes = conversion.passes._replace(sort="input")
        if self.run.row.order != "input":  # the newest are chosen when all entries are there
            passes = passes._replace(max_entries=None)
        conversion.passes = passes
        conversion.keeps_versions = True
        return conversion

    def _dated(self, conversion: Conversion) -> Callable[[Entry], Entry]:
        """Return a function that chooses the date of a new page as `--lastmod` says.

        That rule does not apply to existing pages: they have one date, of unknown kind.
        """
        passes = self.run.job.passes

        def dated(entry: Entry) -> Entry:
            moment, notes = dates.lastmod(
                entry.published, entry.updated, policy=passes.lastmod, now=passes.now
            )
            for code, message in notes:
                issue = Issue(code=code, message=message, line=entry.line, path="lastmod")
                conversion.report(replace(issue, entry=entry.loc))
            return replace(entry, updated=moment)

        return dated

    def _keep_dates(self) -> None:
        """Write the dates that were chosen."""
        job = self.run.job
        passes = job.passes._replace(lastmod="updated")
        self.run.job = job._replace(passes=passes, write=job.write._replace(lastmod="updated"))

    def _walks(self, conversion: Conversion, ledger: Ledger) -> Iterator[Iterator[Entry]]:
        """Yield the entries of a conversion, once or several times; only the last time counts."""
        conversion.report = conversion.report_written = ledger
        muted = ledger.mute
        ledger.mute = _EXPECTED if self.run.job.live.merge else frozenset()
        yield conversion.entries()
        while conversion.needs_another_walk:
            ledger.forget()
            conversion.begin_another_walk()
            yield conversion.entries()
        self.run.conclude(conversion, ledger)
        ledger.mute = muted

    def _settled(
        self, entry: Entry, is_there: Callable[[str], bool], report: Report, conversion: Conversion
    ) -> Entry:
        """Remove the language versions of an entry if one of them is not in the output."""
        if not entry.alternates:
            return entry
        return with_versions(entry, is_there, report, conversion.leave_out_versions)

    def _merged(self, known: Entry, fresh: Entry) -> Entry:
        return renewed(known, fresh, self.run.job.passes.now)

    # -- part by part -------------------------------------------------------------------------

    def _own_parts(self) -> list[ExistingPart] | None:
        """Return the parts that may be our own; None if entries must be merged one by one."""
        if self.added_to:
            return None
        return own_parts(self.run) if self._is_own else []

    def _by_parts(
        self, fresh: Conversion, dated: Callable[[Entry], Entry], parts: Sequence[ExistingPart]
    ) -> Result:
        """Update a set part by part; without existing parts, make it.

        Raises:
            NotOwnOutputError: an existing part differs from what our writer makes.
        """
        run = self.run
        with run.ledger() as ledger:
            pending = self._pending(fresh, ledger, dated)
            update = self._updater(pending, parts, ledger)
            update.scan()
            output, emptied = self._staged(update)
            pending.writer.finish(pending.report)
            output.refused = pending.refused
            output.count(fresh.tally)
            output.first_loc = fresh.first_loc
            present = update.present if parts else run.present(self.existing)
            run.guard([output], present, dropped=update.dropped)
        published = run.publication().publish([output], emptied=emptied)
        result = run.result([output], published, fresh)
        if not parts:
            return result
        return replace(result, added=update.added, renewed=update.renewed, dropped=update.dropped)

    def _pending(
        self, conversion: Conversion, ledger: Ledger, dated: Callable[[Entry], Entry]
    ) -> PendingEntries:
        """Read and render the new entries."""
        run, write = self.run, self.run.job.write
        given = (write.changefreq, write.priority, write.mobile, write.news_name)
        report = conversion.telling(ledger)
        for entries in self._walks(conversion, ledger):
            pending = PendingEntries(
                writer=run.row.writing(write),
                limits=limits_of(run.row, write),
                spool=run.publisher.spool,
                report=report,
                settle=lambda entry, is_there: self._settled(entry, is_there, report, conversion),
                keeps_entries=any(given),
                part_by=run.job.live.part_by,
            )
            try:
                for entry in entries:
                    pending.add(dated(entry))
            except OptionError:
                deque(entries, maxlen=0)
                if not conversion.needs_another_walk:  # a header that came late may be of use
                    raise
            if conversion.needs_another_walk:
                pending.store.close()
        pending.seal()
        return pending

    def _updater(
        self, pending: PendingEntries, parts: Sequence[ExistingPart], ledger: Ledger
    ) -> PartUpdater:
        run = self.run
        return PartUpdater(
            parts=parts,
            pending=pending,
            merge=self._merged,
            read=self._parsed,
            is_normal=Spelling(run.job.passes),
            fate=Fate(run.job.passes),
            report=lambda issue: ledger(replace(issue, source=run.path)),
        )

    def _parsed(self, markup: bytes) -> list[Entry]:
        """Read a document of our own without reports: they were made when it was written."""
        read = self.run.row.read
        if read is None:
            raise TypeError(f"{self.run.row.name} cannot be read")
        return list(read(BytesIO(markup), self.run.job.read, ignore).entries)

    def _staged(self, updater: PartUpdater) -> tuple[Output, list[str]]:
        """Stage the parts that change; return all parts and the names of those without entries."""
        run = self.run
        pieces = {part.name: _kept(part, updater.counts[part.name]) for part in updater.parts}
        output, emptied, added = Output(name=run.publisher.name), list[str](), list[Piece]()
        for new in updater.new_parts():
            name = new.name
            if new.part is None:
                emptied.append(name or "")
                pieces.pop(name or "", None)
                continue
            compress = name.endswith(".gz") if name else run.compress
            staged = run.publisher.stage(new.part.chunks, compress=compress)
            if name is not None and name != output.name and not updater.is_changed:
                run.publisher.discard([staged])
                continue
            piece = Piece.of(new.part, staged, period=new.period, name=name)
            if name is None:
                added.append(piece)
            else:
                pieces[name] = piece
        for piece in sorted((*pieces.values(), *added), key=attrgetter("period")):
            output.add(piece)
        return output, emptied

    # -- entry by entry -----------------------------------------------------------------------

    def _by_entries(self, fresh: Conversion, dated: Callable[[Entry], Entry]) -> Result:
        """Merge the new entries with existing ones and write the whole output."""
        run = self.run
        with run.ledger() as ledger:
            merging = self._merging(fresh, ledger, dated)
        conversion = self._known(fresh)
        if merging.missing:
            _look_for_versions(conversion, merging)

        def settled(entry: Entry) -> Entry:
            return self._settled(entry, merging.is_there, conversion.report, conversion)

        merging.settled = settled
        conversion.joined = lambda given: self._left(merging.merged(given), conversion, merging)
        skipped, merged = run.skipped, run.merged
        if run.job.live.part_by:
            conversion.keeps_versions = True
            result = self._by_parts(conversion, _no_change, ())
        else:
            result = self._whole(conversion)
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
        existing = whole(run, self.existing) if self._is_own else ()
        conversion = run.conversion([*existing, *self.added_to], self.progress)
        most = None if run.row.order == "input" else conversion.passes.max_entries
        conversion.passes = conversion.passes._replace(**_NO_FILTERS, max_entries=most)
        conversion.heading = _header(fresh.feed)
        conversion.items = Items(within="page" if self._is_own else "source")
        return conversion

    def _merging(
        self, conversion: Conversion, ledger: Ledger, dated: Callable[[Entry], Entry]
    ) -> MergeWithExisting:
        """Read and store the new entries."""
        run = self.run
        probe = run.row.writing(run.job.write)
        keys = KeyRule(
            is_of_items=not run.row.needs_loc, needs_iri=run.row.needs_iri, is_own=self._is_own
        )
        for entries in self._walks(conversion, ledger):
            merging = MergeWithExisting(
                store=EntryStore(run.publisher.spool, key_of),
                unite=self._merged,
                keys=keys,
                is_same=lambda known, merged: _body(probe, known) == _body(probe, merged),
            )
            for entry in entries:
                merging.add(dated(entry))
            if conversion.needs_another_walk:
                merging.store.close()
        merging.seal()
        return merging

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
            filters.append(select.unexpired(passes.expired_before, conversion.lastmod_of, drop))
        return (entry for entry in entries if all(keep(entry) for keep in filters))

    def _whole(self, conversion: Conversion) -> Result:
        run = self.run
        outputs = run.whole(conversion, mute=_EXPECTED)
        run.guard(outputs, run.present(self.existing))
        return run.result(outputs, run.publication().publish(outputs), conversion)


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


def _no_change(entry: Entry) -> Entry:
    return entry


def _header(feed: Feed) -> Feed | None:
    """Return a header with content; None keeps the existing one."""
    return None if feed == Feed(format=feed.format, source=feed.source) else feed


def _of_header(counts: Counter[str]) -> Counter[str]:
    """Return the counts of headers; entries are counted when they are read with existing ones."""
    return Counter({name: count for name, count in counts.items() if name.startswith("feed/")})


def _kept(part: ExistingPart, counts: tuple[int, int, int, int]) -> Piece:
    entries, images, videos, news = counts
    return Piece(
        entries=entries,
        images=images,
        videos=videos,
        news=news,
        staged=None,
        period=part.period,
        name=part.name,
    )


def _body(writer: Writer, entry: Entry) -> bytes | None:
    rendered = writer.entry(entry, ignore)
    return rendered.body if rendered else None
