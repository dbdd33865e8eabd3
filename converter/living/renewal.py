"""Brings a set of our own up to date: only parts of which something changes are written again.

Two looks at what stands there. The first, over all of it, finds the parts that know a page of
which there is news, or hold something whose time has come. The second is over these alone: what
does not change in them is copied as it stands. Pages stay in their part, and new ones follow at
the end, so that a search engine fetches again only what is different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from html import unescape
from itertools import chain
from typing import BinaryIO, TypeAlias

from converter.issues import Code, Issue, Report
from converter.living.handwriting import ForeignError, IsNormal, Slice, lastmod_of, singles, slices
from converter.living.store import Store
from converter.model import Entry, Feed
from converter.parts import Box, too_large
from converter.passes.fate import Fate
from converter.seams import Part, PartLimits, Rendered, Spool, Writer

__all__ = ["News", "Piece", "Renewal", "Standing"]

_Stretch: TypeAlias = tuple[Rendered, int]
"""Markup, and of how many entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A part that is published."""

    name: str
    period: str
    """What its name says of the dates in it; empty: nothing."""
    open: Callable[[], AbstractContextManager[BinaryIO]]
    """Gives it unpacked, at its beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part that is to be written: in the place of one that stands there, or new."""

    part: Part | None
    """None: nothing is left of it."""
    period: str
    name: str | None = None


@dataclass(slots=True, kw_only=True)
class News:
    """What there is to tell a set, and how its parts are written."""

    store: Store
    """What is new."""
    versions: dict[bytes, bool]
    """Pages that new entries name as their versions in other languages: are they there?"""
    unite: Callable[[Entry, Entry], Entry]
    """Unites what stands there with what is new of the same page."""
    settled: Callable[[Entry], Entry]
    """Takes the versions from an entry of which one is missing."""
    read: Callable[[bytes], Sequence[Entry]]
    """Reads a whole document."""
    is_normal: IsNormal
    """Have pages, as they stand in markup, the spelling that we would give them?"""
    writer: Writer
    fate: Fate
    limits: PartLimits
    spool: Spool
    report: Report
    report_known: Report
    """Takes what there is to say of pages that stand there."""


@dataclass(slots=True)
class Renewal:
    """One set, and what becomes of it."""

    parts: Sequence[Standing]
    news: News
    present: int = 0
    """URLs that stand there."""
    added: int = 0
    renewed: int = 0
    dropped: int = 0
    refused: int = 0
    """New entries that cannot be written."""
    is_changed: bool = False
    """Does the piece that was given last say anything else than what stands there?"""
    counts: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)
    """Of each part: URLs, images, videos, news."""
    _open: set[str] = field(default_factory=set)
    """The parts that must be looked at again."""

    def survey(self) -> None:
        """Look at all that stands there.

        Raises:
            ForeignError: something is not in our handwriting.
        """
        for part in self.parts:
            urls = images = videos = news = 0
            for piece in self._slices(part, self.news.is_normal):
                whole = piece.rendered()
                urls += len(piece.locs)
                images, videos = images + whole.images, videos + whole.videos
                news += whole.news
                claimed = self.news.store.claim(piece.locs)
                if part.name not in self._open and (claimed or self._places(piece)):
                    self._open.add(part.name)
                if self.news.versions:
                    known = self.news.versions.keys() & piece.locs
                    self.news.versions.update(dict.fromkeys(known, True))
            self.counts[part.name] = urls, images, videos, news
            self.present += urls

    def _slices(self, part: Standing, is_normal: IsNormal | None = None) -> Iterator[Slice]:
        with part.open() as stream:
            yield from slices(stream, self.news.writer, is_normal)

    def _places(self, piece: Slice) -> list[int]:
        """Which entries of a piece may change."""
        fate, known = self.news.fate, self.news.store.among(piece.locs)
        if not (fate or piece.has_news):
            return [n for n, loc in enumerate(piece.locs) if loc in known] if known else []
        return [
            number
            for number, (loc, block) in enumerate(zip(piece.locs, piece.blocks(), strict=True))
            if loc in known
            or b"<news:news>" in block
            or (fate and fate.of(unescape(loc.decode()), lastmod_of(block)))
        ]

    # -- writing ------------------------------------------------------------------------------

    def pieces(self) -> Iterator[Piece]:
        """Give what is to be written, each to be drained in turn; see `is_changed` after that."""
        store = self.news.store
        for period in sorted({part.period for part in self.parts}.union(store.periods())):
            yield from self._group(period, [p for p in self.parts if p.period == period])

    def _group(self, period: str, parts: Sequence[Standing]) -> Iterator[Piece]:
        """Renew the parts of a period; what they have no room for, and what is new, follows."""
        moved: list[_Stretch] = []
        fresh = self._fresh(period)
        first = next(fresh, None)
        fresh = chain(() if first is None else (first,), fresh)
        for number, part in enumerate(parts, start=1):
            is_last = number == len(parts)
            if part.name not in self._open and not (is_last and (first or moved)):
                continue
            box, self.is_changed = self._box(number), False
            for stretch in self._renewed(part):
                if box.holds(*stretch):
                    box.add(*stretch)
                else:
                    moved += self._filled(box, stretch)
            if is_last:
                yield from self._followed(box, period, part.name, chain(moved, fresh))
            else:
                yield from _pieces(box, period, part.name)
        if not parts and first:
            yield from self._followed(self._box(1), period, None, fresh)

    def _box(self, number: int) -> Box:
        news = self.news
        return Box(number, news.writer, Feed, news.limits, news.spool)

    def _filled(self, box: Box, stretch: _Stretch) -> Iterator[_Stretch]:
        """Add entries one by one; give those for which there is no room."""
        for single in singles(stretch[0]):
            if box.holds(single):
                box.add(single)
            else:
                self.is_changed = True
                yield single, 1

    def _followed(
        self, box: Box, period: str, name: str | None, stretches: Iterable[_Stretch]
    ) -> Iterator[Piece]:
        """Let more entries follow in a part that is open, and in new ones."""
        for stretch in stretches:
            if not box.holds(*stretch):
                number = box.number
                yield from _pieces(box, period, name)
                box, name = self._box(number + 1), None
            box.add(*stretch)
            self.is_changed = True
        yield from _pieces(box, period, name)

    # -- entries ------------------------------------------------------------------------------

    def _renewed(self, part: Standing) -> Iterator[_Stretch]:
        """Give what a part holds, with what has changed of it."""
        for piece in self._slices(part):
            if places := self._places(piece):
                yield from self._spliced(piece, places)
            else:
                yield piece.rendered(), len(piece.locs)

    def _spliced(self, piece: Slice, places: Sequence[int]) -> Iterator[_Stretch]:
        blocks, start = piece.blocks(), 0
        for place, known in zip(places, self._read(piece, blocks, places), strict=True):
            if start < place:
                yield piece.rendered(blocks[start:place]), place - start
            start = place + 1
            before = piece.rendered(blocks[place : place + 1])
            after = self._entry(piece.locs[place], known, before)
            if after is None:
                self.dropped += 1
            elif after.body != before.body:
                self.renewed += 1
            if after is None or after.body != before.body:
                self.is_changed = True
            if after is not None:
                yield after, 1
        if start < len(blocks):
            yield piece.rendered(blocks[start:]), len(blocks) - start

    def _read(self, piece: Slice, blocks: list[bytes], places: Sequence[int]) -> Sequence[Entry]:
        """Read some entries, as a document of their own."""
        writer = self.news.writer
        body = b"".join(blocks[place] for place in places)
        head, tail = writer.head(Feed(), piece.prefixes), writer.tail(Feed())
        entries = self.news.read(head + body + tail)
        if len(entries) != len(places):
            raise ForeignError
        return entries

    def _entry(self, loc: bytes, known: Entry, before: Rendered) -> Rendered | None:
        """Say what is written of an entry that stands there; None: its time has come."""
        news = self.news
        if news.store.among((loc,)):
            known = news.unite(known, news.settled(news.store.take(loc)))
        after = news.writer.entry(known, news.report_known)
        if after is None or not self._has_room_for(after):
            message = "there is no room for what is new of this page; it stays as it was"
            news.report_known(Issue(code=Code.ENTRY_TOO_LARGE, message=message, entry=known.loc))
            after = before
        if reason := news.fate.of(known.loc or "", lastmod_of(after.body)):
            message = "the page stood in the output, and had its time; left out"
            news.report_known(Issue(code=reason, message=message, entry=known.loc))
            return None
        return after

    def _fresh(self, period: str) -> Iterator[_Stretch]:
        """Render what is new in a period."""
        news = self.news
        for entry in news.store.rest(period):
            rendered = news.writer.entry(news.settled(entry), news.report)
            if rendered is not None and not self._has_room_for(rendered):
                news.report(too_large(entry.line, entry.loc, rendered))
                rendered = None
            if rendered is None:
                self.refused += 1
                continue
            self.added += 1
            yield rendered, 1

    def _has_room_for(self, rendered: Rendered) -> bool:
        return self._box(1).holds(rendered)


def _pieces(box: Box, period: str, name: str | None) -> Iterator[Piece]:
    if box.is_empty:
        yield Piece(part=None, period=period, name=name)
    for part in box.parts():
        yield Piece(part=part, period=period, name=name)
