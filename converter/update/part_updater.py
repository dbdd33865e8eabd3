"""Updates a set of sitemaps that our writer made: only parts that change are written again.

The existing parts are read twice. The first scan is over all of them. It finds the pages that new
entries say something new about, and the entries whose time has come. The second scan is over the
parts that have such entries; what does not change in them is copied. Pages stay in their part and
new ones follow at the end, so that a search engine fetches again only what is different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain, islice
from typing import BinaryIO, NamedTuple, TypeAlias

from converter.formats.base import Part, Rendered
from converter.issues import Code, Issue, Report, ignore
from converter.model import Entry, Feed
from converter.pipeline.splitter import PartBuffer
from converter.pipeline.transforms.deduplicate import renewed
from converter.update.block_copy import (
    IsNormal,
    NotOwnOutputError,
    UrlBlocks,
    UrlRules,
    blocks_of,
    loc_of,
    removal_of,
    rendered,
    url_blocks,
)
from converter.update.expiry import Expiry
from converter.update.pending_entries import PendingEntries, PendingEntry

_Stretch: TypeAlias = tuple[Rendered, int]
"""Markup and its number of entries."""
_Counts: TypeAlias = tuple[int, int, int, int]
"""URLs, images, videos and news of a part."""


class ExistingPart(NamedTuple):
    """A published part."""

    name: str
    period: str
    """The period of its entries by its name; empty if the set is not parted by date."""
    open: Callable[[], AbstractContextManager[BinaryIO]]
    """Opens it, unpacked, at its beginning."""


class UpdatedPart(NamedTuple):
    """A part of the updated set."""

    name: str | None
    """The name of the existing part that it is, or replaces; None if it is a new one."""
    period: str
    part: Part | None = None
    """What is to be written; None if nothing is."""
    counts: _Counts | None = None
    """Of an existing part that stays; without counts and `part`, no entry is left."""


@dataclass(slots=True, kw_only=True)
class PartUpdater:
    """The update of one set."""

    parts: Sequence[ExistingPart]
    pending: PendingEntries
    report: Report
    """Takes issues of existing entries."""
    renewed: int = 0
    dropped: int = 0
    present: int = 0
    """Existing URLs."""
    _counts: dict[str, _Counts] = field(default_factory=dict)
    """Of each existing part."""
    _changing: set[str] = field(default_factory=set)
    """The names of the parts that the second scan reads."""
    _expiry: Expiry = field(init=False)

    def __post_init__(self) -> None:
        self._expiry = Expiry(self.pending.options.transforms)

    def scan(self) -> None:
        """Read all existing parts and find those that change.

        Raises:
            NotOwnOutputError: a part differs from what our writer makes.
        """
        is_normal = UrlRules(self.pending.options.transforms)
        for part in self.parts:
            urls = images = videos = news = 0
            for piece in self._pieces_of(part, is_normal):
                whole = rendered(piece.text, piece.prefixes)
                urls, images = urls + len(piece.locs), images + whole.images
                videos, news = videos + whole.videos, news + whole.news
                if self._claim(piece) or self._aging(piece):
                    self._changing.add(part.name)
                self.pending.missing.difference_update(piece.locs)
            self._counts[part.name] = urls, images, videos, news
            self.present += urls

    def _pieces_of(self, part: ExistingPart, is_normal: IsNormal | None) -> Iterator[UrlBlocks]:
        with part.open() as stream:
            yield from url_blocks(stream, self.pending.writer, is_normal)

    def _claim(self, piece: UrlBlocks) -> bool:
        """Claim the new entries of known pages; return True if one may say something new."""
        blocks, store, says_more = list[bytes](), self.pending.store, False
        for place, number, record in store.find(piece.locs):
            blocks = blocks or blocks_of(piece.text)
            if PendingEntry.of(record).adds_nothing_to(blocks[place]):
                store.take(number)
            else:
                store.claim(number)
                says_more = True
        return says_more

    def _aging(self, piece: UrlBlocks) -> set[int]:
        """Return the positions of entries that may change with time, or are dropped."""
        return piece.news() | piece.removed(self._expiry)

    # -- writing ------------------------------------------------------------------------------

    def updated(self) -> Iterator[UpdatedPart]:
        """Yield the parts in their order; those to be written must be drained in turn."""
        periods = self.pending.store.periods.union(part.period for part in self.parts)
        for period in sorted(periods):
            yield from self._group(period, [p for p in self.parts if p.period == period])

    def _group(self, period: str, parts: Sequence[ExistingPart]) -> Iterator[UpdatedPart]:
        """Update the parts of a period; entries that do not fit and new ones follow."""
        moved = list[_Stretch]()
        fresh = ((new, 1) for new in self.pending.rest(period))
        first = list(islice(fresh, 1))
        for number, part in enumerate(parts, start=1):
            is_last = number == len(parts)
            if part.name not in self._changing and not (is_last and (first or moved)):
                yield UpdatedPart(part.name, period, counts=self._counts[part.name])
                continue
            box = self.pending.box(number)
            for stretch in self._updated(part):
                if not box.add(*stretch):
                    whole = stretch[0]
                    each = (rendered(block, whole.prefixes) for block in blocks_of(whole.body))
                    moved += [(one, 1) for one in each if not box.add(one)]
            follow = chain(moved, first, fresh) if is_last else ()
            yield from self._followed(box, period, part.name, follow)
        if not parts and first:
            yield from self._followed(self.pending.box(1), period, None, chain(first, fresh))

    def _followed(
        self, box: PartBuffer, period: str, name: str | None, stretches: Iterable[_Stretch]
    ) -> Iterator[UpdatedPart]:
        """Append entries to a part, and go on in new parts where it is full."""
        for stretch in stretches:
            if not box.add(*stretch):
                number = box.number
                yield from _drained(box, period, name)
                box, name = self.pending.box(number + 1), None
                box.add(*stretch)
        yield from _drained(box, period, name)

    # -- existing entries ---------------------------------------------------------------------

    def _updated(self, part: ExistingPart) -> Iterator[_Stretch]:
        """Yield the entries of a part with all changes."""
        for piece in self._pieces_of(part, None):
            blocks, start = blocks_of(piece.text), 0
            for place, after in self._changes(piece, blocks):
                if start < place:
                    yield rendered(b"".join(blocks[start:place]), piece.prefixes), place - start
                start = place + 1
                if after is None:
                    self.dropped += 1
                else:
                    self.renewed += 1
                    yield after, 1
            if start < len(blocks):
                yield rendered(b"".join(blocks[start:]), piece.prefixes), len(blocks) - start

    def _changes(
        self, piece: UrlBlocks, blocks: Sequence[bytes]
    ) -> Iterator[tuple[int, Rendered | None]]:
        """Yield position and new form of the entries that change; None for one that goes."""
        new = self._new_of(piece, blocks)
        bodies = {place: each.body for place, each in new.items() if each.body and not each.entry}
        read = dict(zip(bodies, self._read(piece, list(bodies.values())), strict=True))
        places = sorted(self._aging(piece).union(new))
        known_entries = self._read(piece, [blocks[place] for place in places])
        for place, entry in zip(places, known_entries, strict=True):
            codes = frozenset[Code]()
            if (pending := new.get(place)) is not None:
                codes = pending.codes
                new_entry = pending.entry or read[place]
                entry = renewed(entry, new_entry, self.pending.options.transforms.now)  # noqa: PLW2901
            after = self._rendered(entry, blocks[place], codes)
            if after is None or after.body != blocks[place]:
                yield place, after

    def _new_of(self, piece: UrlBlocks, blocks: Sequence[bytes]) -> dict[int, PendingEntry]:
        """Take the new entries of the pages of a piece; return those that say something new."""
        new: dict[int, PendingEntry] = {}
        for place, number, record in self.pending.store.find(piece.locs):
            pending = self.pending.finished(record)
            self.pending.store.take(number)
            if pending.body is not None and not pending.adds_nothing_to(blocks[place]):
                new[place] = pending
        return new

    def _read(self, piece: UrlBlocks, blocks: Sequence[bytes]) -> Sequence[Entry]:
        """Read some elements as a document of their own."""
        if not blocks:
            return ()
        options, row, writer = self.pending.options, self.pending.row, self.pending.writer
        prefixes = piece.prefixes.union(*(rendered(block).prefixes for block in blocks))
        markup = writer.head(Feed(), prefixes) + b"".join(blocks) + writer.tail(Feed())
        if row.read is None:
            raise TypeError(f"{row.name} cannot be read")
        # without reports: they were made when the markup was written
        entries = list(row.read(BytesIO(markup), options.read, ignore).entries)
        if len(entries) != len(blocks):
            raise NotOwnOutputError
        return entries

    def _rendered(self, entry: Entry, before: bytes, codes: frozenset[Code]) -> Rendered | None:
        """Render an existing entry; return None if its time has come.

        Issues of these codes were reported when the new entry of the page was read.
        """

        def report(issue: Issue) -> None:
            if issue.code not in codes:
                self.report(issue)

        after = self.pending.writer.entry(entry, report)
        if after is None or not self.pending.has_room_for(after):
            message = "there is no room for what is new of this page; it stays as it was"
            self.report(Issue(code=Code.ENTRY_TOO_LARGE, message=message, entry=entry.loc))
            after = rendered(before)
        if reason := removal_of(loc_of(after.body), after.body, self._expiry):
            message = "the page stood in the output, and had its time; left out"
            self.report(Issue(code=reason, message=message, entry=entry.loc))
            return None
        return after


def _drained(box: PartBuffer, period: str, name: str | None) -> Iterator[UpdatedPart]:
    if box.is_empty:
        yield UpdatedPart(name, period)
    for part in box.parts():
        yield UpdatedPart(name, period, part)
