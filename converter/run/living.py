"""One run that adds to what stands there: `--update`, `--merge`.

What is new is gathered first, for it is little; then what stands there is walked over. A set of
our own is renewed part by part (`living.renewal`); anything else is read entry by entry, joined
with what is new, and written anew (`living.union`), in our handwriting from then on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

from converter.edge import gunzip, sinks
from converter.errors import SourceError
from converter.issues import Issue, Report, ignore
from converter.ledger import Ledger
from converter.living.handwriting import ForeignError, Slice, slices
from converter.living.periods import UNDATED, period_of
from converter.living.renewal import News, Renewal, Standing
from converter.living.store import Store
from converter.living.union import Union, key_of, page_key
from converter.model import Entry
from converter.options import Limits
from converter.passes import select
from converter.passes.fate import Fate
from converter.passes.merge import merge, with_versions
from converter.pipeline import Conversion, Input, part_limits
from converter.record import field, record, replace
from converter.run.publishing import Output, Piece
from converter.run.results import Result
from converter.seams import Item, Writer

if TYPE_CHECKING:
    from converter.run import Run

__all__ = ["Living", "count"]

#: What chooses among entries has chosen among those that stand there already.
_UNCHOOSY: dict[str, Any] = {
    "include": (),
    "exclude": (),
    "since": None,
    "until": None,
    "require_lastmod": False,
    "loc_template": None,
    "host": None,
    "lastmod": "auto",
    "expired_before": None,
}

#: How long the period of a part is, in its name.
_CHARS = {None: 0, "month": len("2026-11"), "year": len("2026")}


@record(frozen=False, kw_only=False)
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
        with Store(self.run.publisher.scratch) as store:
            fresh = self._gathered(store)
            if (parts := self._own_parts()) is not None:
                with self.run.ledger() as ledger:
                    try:
                        return self._renewed(store, fresh, parts, ledger)
                    except ForeignError:
                        ledger.forget()
                store.release()
                self.run.publisher.discard()
            return self._united(store, fresh)

    # -- what is new --------------------------------------------------------------------------

    def _gathered(self, store: Store) -> Conversion:
        run = self.run
        conversion = run.conversion(self.inputs, self.progress)
        conversion.keeps_versions = True
        ordered_anyway = run.row.order != "input"
        limits: dict[str, Any] = {"max_entries": None} if ordered_anyway else {}
        conversion.passes = replace(conversion.passes, sort="input", **limits)
        with run.ledger() as ledger:
            conversion.report = conversion.report_written = ledger
            ledger.complete = conversion.completed
            self._walk(conversion, store)
            while conversion.needs_another_walk:
                ledger.forget()
                store.clear()
                conversion.begin_another_walk()
                self._walk(conversion, store)
            run.conclude(conversion, ledger)
        self.versions.update(dict.fromkeys(store.among(self.versions), True))
        return conversion

    def _walk(self, conversion: Conversion, store: Store) -> None:
        self.versions.clear()
        self.nameless.clear()
        for item in conversion.entries():
            for entry in _entries(item):
                for version in entry.alternates:
                    self.versions[page_key(version.href)] = False
                if (key := key_of(entry)) is None or not (entry.loc or not self.run.row.needs_loc):
                    self.nameless.append(entry)
                else:
                    store.put(key, entry, period_of(entry, self.run.job.live.part_by))
        conversion.conclude()

    def _settled(self, report: Report) -> Callable[[Entry], Entry]:
        """Give what settles the language versions of an entry."""

        def settled(entry: Entry) -> Entry:
            if not entry.alternates:
                return entry
            return with_versions(entry, lambda loc: self.versions.get(page_key(loc), True), report)

        return settled

    def _unite(self, known: Entry, fresh: Entry) -> Entry:
        return merge(fresh, known, self.run.job.passes.now)

    # -- a set of our own ---------------------------------------------------------------------

    def _own_parts(self) -> list[Standing] | None:
        """Give the parts that stand there; None: they are to be read entry by entry."""
        live, passes = self.run.job.live, self.run.job.passes
        if not live.update or self.merged or passes.scheme or passes.unify_host:
            return None
        return _own_parts(self.run)

    def _renewed(
        self, store: Store, fresh: Conversion, parts: list[Standing], ledger: Ledger
    ) -> Result:
        run = self.run
        report = fresh.telling(ledger)
        writer = run.row.writing(run.job.write)
        for entry in self.nameless:
            writer.entry(entry, report)
        news = News(
            store=store,
            versions=self.versions,
            unite=self._unite,
            settled=self._settled(report),
            read=self._read,
            writer=writer,
            fate=Fate(run.job.passes),
            limits=part_limits(run.row, run.job.write),
            spool=run.publisher.spool,
            report=report,
        )
        renewal = Renewal(parts=parts, news=news)
        renewal.survey()
        output, emptied = self._staged(renewal)
        writer.finish(report)
        output.refused = renewal.refused + len(self.nameless)
        output.lost, output.altered = fresh.tally.lost, fresh.tally.altered
        output.first_loc = fresh.first_loc
        run.guard([output], renewal.present, dropped=renewal.dropped)
        published = run.publication().publish([output], emptied=emptied)
        return replace(
            run.result([output], published, fresh),
            added=renewal.added,
            renewed=renewal.renewed,
            dropped=renewal.dropped,
        )

    def _read(self, markup: bytes) -> list[Entry]:
        """Read a document of our own, again: nothing is said of it."""
        read = self.run.row.read
        if read is None:
            raise TypeError(f"{self.run.row.name} cannot be read")
        return list(read(BytesIO(markup), self.run.job.read, ignore).entries)

    def _staged(self, renewal: Renewal) -> tuple[Output, list[str]]:
        """Stage what changes, and list what stays; and the names of what has become empty."""
        run = self.run
        places = {name: _staying(name, counts) for name, counts in renewal.counts.items()}
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
            made = Piece.of(piece.part, staged, name=name)
            if name is None:
                new.append(made)
            else:
                places[name] = made
        for made in (*places.values(), *new):
            output.add(made)
        return output, emptied

    # -- anything else ------------------------------------------------------------------------

    def _united(self, store: Store, fresh: Conversion) -> Result:
        run = self.run
        update = run.job.live.update and run.publisher.stands()
        known = [*(self.standing() if update else ()), *self.merged]
        conversion = run.conversion(known, self.progress)
        ordered_anyway = run.row.order != "input"
        most = conversion.passes.max_entries if ordered_anyway else None
        conversion.passes = replace(conversion.passes, **_UNCHOOSY, max_entries=most)
        conversion.heading = fresh.feed
        probe = run.row.writing(run.job.write)
        union = Union(
            store=store,
            unite=self._unite,
            settled=self._settled(ignore),
            is_same=lambda known, united: _body(probe, known) == _body(probe, united),
            rest=self.nameless,
        )
        if not all(self.versions.values()):
            self._look_for_versions(conversion)
        before = run.job.passes.expired_before
        lastmod_of = conversion.lastmod_of
        conversion.joined = lambda items: select.unexpired(
            union.joined(items), before, lastmod_of, conversion.report
        )
        conversion.is_plain = before is not None
        skipped = run.skipped
        (output,) = run.whole(conversion)
        run.skipped += skipped
        run.guard([output], union.present)
        published = run.publication().publish([output])
        result = run.result([output], published, fresh)
        return replace(result, added=union.added, renewed=union.renewed, dropped=0)

    def _look_for_versions(self, conversion: Conversion) -> None:
        """Walk over what stands there, for the versions in other languages that it holds."""
        conversion.report = ignore
        while True:
            for item in conversion.entries():
                locs = [item.loc or ""] if isinstance(item, Entry) else item.locs
                known = self.versions.keys() & map(page_key, locs)
                self.versions.update(dict.fromkeys(known, True))
            conversion.conclude()
            if not conversion.needs_another_walk:
                break
            conversion.begin_another_walk()
        conversion.settle()


def _own_parts(run: Run) -> list[Standing] | None:
    """Give the parts of a set that stands there and may be ours; None: it is not."""
    publisher = run.publisher
    if run.row.index is None or not publisher.stands():
        return None
    rows = publisher.rows()
    names = [publisher.name] if rows is None else [row.name for row in rows]
    if rows is not None and names != list(publisher.previous_parts()):
        return None  # it lists files that are not beside it, or that we would not call so
    by = run.job.live.part_by
    periods = [sinks.period_of(publisher.name, name) or "" for name in names]
    if any(len(period) != _CHARS[by] and not (by and period == UNDATED) for period in periods):
        return None
    return [
        Standing(name=name, period=period, open=partial(_opened, run, name))
        for name, period in zip(names, periods, strict=True)
    ]


@contextmanager
def _opened(run: Run, name: str) -> Iterator[BinaryIO]:
    """Open a part, unpacked; one that is damaged would lose what it held."""
    path = os.path.join(run.folder, name)  # noqa: PTH118

    def damaged(issue: Issue) -> None:
        raise SourceError(
            f"{path}: {issue.message}. It is part of the output that is to be updated: "
            "put it right, or leave out --update to write all of it anew"
        )

    with run.publisher.standing(name) as stored:
        magic = stored.read(len(gunzip.MAGIC))
        stored.seek(0)
        is_packed = magic == gunzip.MAGIC
        yield gunzip.unpacked(stored, path, Limits(), damaged) if is_packed else stored


def count(run: Run, standing: Callable[[], Sequence[Input]]) -> int:
    """Count the URLs of the output that stands there."""
    writer = run.row.writing(run.job.write)
    with suppress(ForeignError):
        if (parts := _own_parts(run)) is not None:
            return sum(len(piece.locs) for part in parts for piece in _slices(part, writer))
    return sum(1 for given in standing() for _ in given.open(run.job.read, ignore).entries)


def _slices(part: Standing, writer: Writer) -> Iterator[Slice]:
    with part.open() as stream:
        yield from slices(stream, writer)


def _entries(item: Item) -> Iterator[Entry]:
    if isinstance(item, Entry):
        yield item
    else:
        yield from map(item.entry_of, range(len(item.locs)))


def _staying(name: str, counts: tuple[int, int, int, int]) -> Piece:
    entries, images, videos, news = counts
    return Piece(entries=entries, images=images, videos=videos, news=news, staged=None, name=name)


def _body(writer: Writer, entry: Entry) -> bytes | None:
    rendered = writer.entry(entry, ignore)
    return rendered.body if rendered else None
