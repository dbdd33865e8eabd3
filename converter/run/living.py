"""One run that adds to what stands there: `--update`, `--merge`.

What is new is gathered first, for it is little; then what stands there is walked over. A set of
our own is renewed part by part (`living.renewal`); anything else is read entry by entry, joined
with what is new, and written anew (`living.union`), in our handwriting from then on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

from converter.issues import Code, Issue, Report, ignore
from converter.ledger import Ledger
from converter.living import tables
from converter.living.digests import SpilledDigests
from converter.living.handwriting import ForeignError
from converter.living.periods import period_of
from converter.living.renewal import News, Renewal, Standing
from converter.living.spelling import Spelling
from converter.living.store import Store
from converter.living.union import KeyRule, Union, page_key
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
from converter.values.marks import Marks, digest

if TYPE_CHECKING:
    from converter.run import Run

__all__ = ["Living"]

#: That sources have pages in common is why they are merged.
_NO_NEWS = frozenset({Code.URL_DUPLICATE})

#: What chooses among entries has chosen among those that stand there already.
_UNCHOOSY: dict[str, Any] = {
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
class Living:
    """A run, and what it adds to."""

    run: Run
    inputs: Sequence[Input]
    merged: Sequence[Input]
    """What else is added to, in the place of new pages of its own."""
    standing: Callable[[], Sequence[Input]]
    """Gives the output that stands there, as a source."""
    progress: Callable[[], None]
    versions: dict[bytes, bool] = field(default_factory=dict)
    """Pages that new entries name as their versions in other languages: are they there?"""
    nameless: list[Entry] = field(default_factory=list)

    def convert(self) -> Result:
        """Gather what is new, and publish it with what stands there."""
        if self._stands:  # what is merged is as new to that as all else
            self.inputs, self.merged = [*self.inputs, *self.merged], ()
        with tables.in_words(), Store() as store:
            fresh = self._fresh()
            self._gather(fresh, store, self._dated(fresh))
            self._keep_dates()
            if (parts := self._own_parts()) is not None:
                try:
                    return self._renewed(store, fresh, parts)
                except ForeignError:
                    store.release()
                    self.run.publisher.discard()
            return self._united(store, fresh)

    @property
    def _keys(self) -> KeyRule:
        row = self.run.row
        return KeyRule(is_of_items=not row.needs_loc, needs_iri=row.needs_iri, is_own=self._stands)

    # -- what is new --------------------------------------------------------------------------

    def _fresh(self) -> Conversion:
        """Get ready to read what is new."""
        conversion = self.run.conversion(self.inputs, self.progress)
        conversion.digests = SpilledDigests
        conversion.items = Items(across="any" if self._stands else "iri")
        passes = replace(conversion.passes, sort="input")
        if self.run.row.order != "input":  # the newest of all are chosen when all are there
            passes = replace(passes, max_entries=None)
        conversion.passes = passes
        return conversion

    def _dated(self, conversion: Conversion) -> Callable[[Entry], Entry]:
        """Give what settles which date is that of a new page, as `--lastmod` says.

        What stands there has one date, and nobody knows which it was; it must not go by that rule.
        """
        passes = self.run.job.passes
        if self.run.row.index is None or passes.lastmod not in {"published", "none"}:
            return lambda entry: entry

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
        """Let all that is written have the date that was settled."""
        job = self.run.job
        if self.run.row.index is not None and job.passes.lastmod in {"published", "none"}:
            passes = replace(job.passes, lastmod="updated")
            self.run.job = replace(job, passes=passes, write=replace(job.write, lastmod="updated"))

    def _gather(
        self, conversion: Conversion, store: Store, dated: Callable[[Entry], Entry]
    ) -> None:
        run = self.run
        conversion.keeps_versions = True
        with run.ledger() as ledger:
            ledger.mute = _NO_NEWS if run.job.live.merge else frozenset()
            conversion.report = conversion.report_written = ledger
            self._walk(conversion, store, dated)
            while conversion.needs_another_walk:
                ledger.forget()
                store.clear()
                conversion.begin_another_walk()
                self._walk(conversion, store, dated)
            run.conclude(conversion, ledger)

    def _walk(self, conversion: Conversion, store: Store, dated: Callable[[Entry], Entry]) -> None:
        self.versions.clear()
        self.nameless.clear()
        by, keys = self.run.job.live.part_by, self._keys
        known, pages = Marks(), Marks()
        for entry in map(dated, conversion.entries()):
            for version in entry.alternates:
                self.versions[page_key(version.href)] = False
            if entry.loc:
                pages.add(digest(page_key(entry.loc)))
            key = keys.of_new(entry)
            if key is None or digest(key) in known:
                self.nameless.append(entry)
            else:
                known.add(digest(key))
                store.put(key, entry, period_of(entry, by))
        found = [page for page in self.versions if digest(page) in pages]
        self.versions.update(dict.fromkeys(found, True))

    @staticmethod
    def _settled(
        versions: Mapping[bytes, bool], report: Report, conversion: Conversion
    ) -> Callable[[Entry], Entry]:
        """Give what settles the language versions of an entry."""

        def is_there(loc: str) -> bool:
            return versions.get(page_key(loc), True)

        more = (is_there, report, conversion.leave_out_versions)
        return lambda entry: with_versions(entry, *more) if entry.alternates else entry

    def _unite(self, known: Entry, fresh: Entry) -> Entry:
        return renewed(known, fresh, self.run.job.passes.now)

    # -- a set of our own ---------------------------------------------------------------------

    def _own_parts(self) -> list[Standing] | None:
        """Give the parts that stand there; None: they are to be read entry by entry."""
        if self.merged:
            return None
        return own_parts(self.run) if self._stands else []

    @property
    def _stands(self) -> bool:
        return self.run.job.live.update and self.run.publisher.stands()

    def _renewed(self, store: Store, fresh: Conversion, parts: Sequence[Standing]) -> Result:
        """Renew a set part by part.

        Args:
            store: what is new.
            fresh: what it was read by.
            parts: those that stand there; none: all of it is written anew.

        Raises:
            ForeignError: the set is not in our handwriting.
        """
        run = self.run
        with run.ledger() as ledger:
            renewal = self._renewal(store, fresh, parts, ledger)
            renewal.survey()
            output, emptied = self._staged(renewal)
            renewal.news.writer.finish(renewal.news.report)
            output.refused = renewal.refused + len(self.nameless)
            output.count(fresh.tally)
            output.first_loc = fresh.first_loc
            if parts:
                run.guard([output], renewal.present, dropped=renewal.dropped)
            else:
                run.guard([output], run.present(self.standing))
        published = run.publication().publish([output], emptied=emptied)
        result = run.result([output], published, fresh)
        if not parts:
            return result
        return replace(
            result, added=renewal.added, renewed=renewal.renewed, dropped=renewal.dropped
        )

    def _renewal(
        self, store: Store, fresh: Conversion, parts: Sequence[Standing], ledger: Ledger
    ) -> Renewal:
        run, report = self.run, fresh.telling(ledger)
        writer = run.row.writing(run.job.write)
        for entry in self.nameless:
            writer.entry(entry, report)
        news = News(
            store=store,
            versions=self.versions,
            unite=self._unite,
            settled=self._settled(self.versions, report, fresh),
            read=self._read,
            is_normal=Spelling(run.job.passes),
            writer=writer,
            fate=Fate(run.job.passes),
            limits=limits_of(run.row, run.job.write),
            spool=run.publisher.spool,
            report=report,
            report_known=lambda issue: ledger(replace(issue, source=run.path)),
        )
        return Renewal(parts=parts, news=news)

    def _read(self, markup: bytes) -> list[Entry]:
        """Read a document of our own, again: nothing is said of it."""
        read = self.run.row.read
        if read is None:
            raise TypeError(f"{self.run.row.name} cannot be read")
        return list(read(BytesIO(markup), self.run.job.read, ignore).entries)

    def _staged(self, renewal: Renewal) -> tuple[Output, list[str]]:
        """Stage what changes, and list what stays; and the names of what has become empty."""
        run = self.run
        places = {part.name: _staying(part, renewal.counts[part.name]) for part in renewal.parts}
        output, emptied, new = Output(name=run.publisher.name), list[str](), list[Piece]()
        for piece in renewal.pieces():
            if piece.part is None:
                emptied.append(piece.name or "")
                places.pop(piece.name or "", None)
                continue
            name = piece.name
            compress = name.endswith(".gz") if name else run.compress
            staged = run.publisher.stage(piece.part.chunks, compress=compress)
            is_as_it_was = name is not None and not renewal.is_changed
            if is_as_it_was and name != output.name:
                run.publisher.discard([staged])
                continue
            made = Piece.of(piece.part, staged, period=piece.period, name=name)
            if name is None:
                new.append(made)
            else:
                places[name] = made
        for made in sorted((*places.values(), *new), key=lambda made: made.period):
            output.add(made)
        return output, emptied

    # -- anything else ------------------------------------------------------------------------

    def _united(self, store: Store, fresh: Conversion) -> Result:
        run = self.run
        conversion = run.conversion([*self._whole_standing(), *self.merged], self.progress)
        ordered_anyway = run.row.order != "input"
        most = conversion.passes.max_entries if ordered_anyway else None
        conversion.passes = replace(conversion.passes, **_UNCHOOSY, max_entries=most)
        conversion.heading = _header(fresh.feed)
        conversion.digests = SpilledDigests
        conversion.items = Items(within="page" if self._stands else "source")
        if not all(self.versions.values()):
            self._look_for_versions(conversion)
        probe = run.row.writing(run.job.write)

        def told(issue: Issue) -> None:
            conversion.report(issue)  # which is another one later

        union = Union(
            store=store,
            unite=self._unite,
            settled=self._settled(dict(self.versions), told, conversion),
            keys=self._keys,
            is_same=lambda known, united: _body(probe, known) == _body(probe, united),
            rest=list(self.nameless),
        )
        conversion.joined = lambda given: self._left(union.joined(given), conversion, union)
        skipped, merged = run.skipped, run.merged
        published = self._parted if run.job.live.part_by else self._whole
        result = published(conversion)
        return replace(
            result,
            sources=len(self.inputs),
            skipped=result.skipped + skipped,
            merged=result.merged + merged,
            lost=dict(Counter(result.lost) + _of_header(fresh.tally.lost)),
            altered=dict(Counter(result.altered) + _of_header(fresh.tally.altered)),
            left_out=result.left_out + left_out(of_readers(fresh.tally.left_out), run.job.write),
            added=union.added,
            renewed=union.renewed,
            dropped=union.gone,
        )

    def _left(
        self, entries: Iterator[Entry], conversion: Conversion, union: Union
    ) -> Iterator[Entry]:
        """Leave out what has had its time: now that dates are united, and not before."""
        passes = self.run.job.passes

        def gone(issue: Issue) -> None:
            union.gone += 1
            conversion.report(issue)

        filters = list[Transform]()
        if passes.drop:
            filters.append(select.without(passes.drop, gone))
        if passes.expired_before is not None:
            filters.append(select.unexpired(passes.expired_before, conversion.lastmod_of, gone))
        return (entry for entry in entries if all(keep(entry) for keep in filters))

    def _whole_standing(self) -> Sequence[Input]:
        return whole(self.run, self.standing) if self._stands else ()

    def _parted(self, conversion: Conversion) -> Result:
        with Store() as everything:
            self._gather(conversion, everything, lambda entry: entry)
            return self._renewed(everything, conversion, ())

    def _whole(self, conversion: Conversion) -> Result:
        run = self.run
        outputs = run.whole(conversion, mute=_NO_NEWS)
        run.guard(outputs, run.present(self.standing))
        return run.result(outputs, run.publication().publish(outputs), conversion)

    def _look_for_versions(self, conversion: Conversion) -> None:
        """Walk over what stands there, for the versions in other languages that it holds."""
        conversion.report = ignore
        while True:
            for entry in conversion.entries():
                if (key := page_key(entry.loc or "")) in self.versions:
                    self.versions[key] = True
            if not conversion.needs_another_walk:
                break
            conversion.begin_another_walk()
        conversion.settle()


def _header(feed: Feed) -> Feed | None:
    """Give a header that says something; of what has none, that of what it is added to stays."""
    return None if feed == Feed(format=feed.format, source=feed.source) else feed


def _of_header(counts: Counter[str]) -> Counter[str]:
    """Give the counts of what is new that no other walk counts: entries are walked again."""
    return Counter({name: count for name, count in counts.items() if name.startswith("feed/")})


def _staying(part: Standing, counts: tuple[int, int, int, int]) -> Piece:
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
