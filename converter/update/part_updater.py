"""Updates a set of sitemaps that our writer made: only parts that change are written again.

The existing parts are scanned twice. The first scan reads all of them and finds the pages that
new entries change, and the entries that expire. The second scan reads only the parts with such
entries and copies what does not change in them. Pages stay in their part and new ones are appended
to the last one, so search engines fetch only the parts that are different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain, islice
from typing import BinaryIO, NamedTuple, TypeAlias

from converter.formats.base import Rendered
from converter.issues import Code, Issue, Report, ignore
from converter.model import Entry, Feed
from converter.pipeline.splitter import PartBuffer
from converter.pipeline.transforms.deduplicate import renewed
from converter.pipeline.transforms.filters import Expiry
from converter.publish.publisher import OutputPart, Publisher
from converter.update.block_copy import (
    IsNormal,
    NotOwnOutputError,
    UrlBlocks,
    UrlCheck,
    as_rendered,
    blocks_of,
    loc_of,
    removal_reason,
    url_blocks,
)
from converter.update.pending_entries import PendingEntries, PendingEntry

_Markup: TypeAlias = tuple[Rendered, int]
"""Markup and its number of entries."""


class ExistingPart(NamedTuple):
    """A published part."""

    name: str
    period: str
    """The period in its name; empty if the parts of the set are not by date."""
    open: Callable[[], AbstractContextManager[BinaryIO]]
    """Opens it, uncompressed, at its beginning."""


@dataclass(slots=True, kw_only=True)
class PartUpdater:
    """The update of one set."""

    parts: Sequence[ExistingPart]
    pending: PendingEntries
    publisher: Publisher
    compress: bool
    """Compress new parts."""
    report: Report
    """Takes the issues of existing entries."""
    renewed: int = 0
    dropped: int = 0
    existing_urls: int = 0
    _kept: dict[str, OutputPart] = field(default_factory=dict)
    """The existing parts without changes, by name; the second scan reads the others."""
    _expiry: Expiry = field(init=False)

    def __post_init__(self) -> None:
        transforms = self.pending.options.transforms
        self._expiry = Expiry(transforms.drop, transforms.expired_before)

    def scan(self) -> None:
        """Read all existing parts and find those that change.

        Raises:
            NotOwnOutputError: a part differs from what our writer makes.
        """
        is_normal = UrlCheck(self.pending.options.transforms)
        for part in self.parts:
            is_changing, kept = False, OutputPart(period=part.period, name=part.name)
            for piece in self._pieces_of(part, is_normal):
                whole = as_rendered(piece.text, piece.prefixes)
                kept.urls += len(piece.locs)
                kept.images += whole.images
                kept.videos += whole.videos
                kept.news += whole.news
                is_changing |= self._claim(piece) or bool(self._aging(piece))
                self.pending.missing.difference_update(piece.locs)
            if not is_changing:
                self._kept[part.name] = kept
            self.existing_urls += kept.urls

    def _pieces_of(self, part: ExistingPart, is_normal: IsNormal | None) -> Iterator[UrlBlocks]:
        with part.open() as stream:
            yield from url_blocks(stream, self.pending.writer, is_normal)

    def _claim(self, piece: UrlBlocks) -> bool:
        """Claim the new entries of existing pages; return True if one may change its page."""
        blocks, store, is_changing = list[bytes](), self.pending.store, False
        for place, number, record in store.find(piece.locs):
            blocks = blocks or blocks_of(piece.text)
            if PendingEntry.load(record).adds_nothing_to(blocks[place]):
                store.take(number)
            else:
                store.claim(number)
                is_changing = True
        return is_changing

    def _aging(self, piece: UrlBlocks) -> set[int]:
        """Return the positions of entries that expire or that the time may change."""
        return piece.with_news() | piece.expired(self._expiry)

    # -- writing ------------------------------------------------------------------------------

    def updated_parts(self) -> Iterator[OutputPart]:
        """Yield the parts of the updated set in order: those that change are staged."""
        for period in sorted(self.pending.store.periods.union(part.period for part in self.parts)):
            yield from self._of_period(period, [p for p in self.parts if p.period == period])

    def _of_period(self, period: str, parts: Sequence[ExistingPart]) -> Iterator[OutputPart]:
        """Update the parts of a period and append its new entries to the last one."""
        rest = ((rendered, 1) for rendered in self.pending.rest(period))
        first = list(islice(rest, 1))
        new = chain(first, rest) if first else ()
        for part in parts:
            appended = new if part is parts[-1] else ()
            if part.name in self._kept and not appended:
                yield self._kept[part.name]
            else:
                yield from self._filled(period, part.name, chain(self._updated(part), appended))
        if not parts and new:
            yield from self._filled(period, "", new)

    def _filled(self, period: str, name: str, markup: Iterable[_Markup]) -> Iterator[OutputPart]:
        """Write a part; entries that do not fit in it continue in new parts."""
        buffer = self.pending.new_part()
        for whole, count in markup:
            if buffer.add(whole, count):
                continue
            for body in blocks_of(whole.body) if count > 1 else (whole.body,):
                one = as_rendered(body, whole.prefixes)
                if not buffer.add(one):
                    yield from self._staged(buffer, period, name)
                    buffer, name = self.pending.new_part(), ""
                    buffer.add(one)
        yield from self._staged(buffer, period, name)

    def _staged(self, buffer: PartBuffer, period: str, name: str) -> Iterator[OutputPart]:
        compress = name.endswith(".gz") if name else self.compress
        for part in buffer.parts():
            yield self.publisher.stage_part(part, compress=compress, period=period, name=name)

    # -- existing entries ---------------------------------------------------------------------

    def _updated(self, part: ExistingPart) -> Iterator[_Markup]:
        """Yield the entries of a part with all changes."""
        for piece in self._pieces_of(part, None):
            blocks, start = blocks_of(piece.text), 0
            for place, after in self._changes(piece, blocks):
                if start < place:
                    yield as_rendered(b"".join(blocks[start:place]), piece.prefixes), place - start
                start = place + 1
                if after is None:
                    self.dropped += 1
                else:
                    self.renewed += 1
                    yield after, 1
            if start < len(blocks):
                yield as_rendered(b"".join(blocks[start:]), piece.prefixes), len(blocks) - start

    def _changes(
        self, piece: UrlBlocks, blocks: Sequence[bytes]
    ) -> Iterator[tuple[int, Rendered | None]]:
        """Yield (position, new markup) of the entries that change; None for one that is removed."""
        new = self._new_of(piece, blocks)
        bodies = {place: each.body for place, each in new.items() if not each.entry}
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
        """Take the new entries of the pages of a piece; return those that change their page."""
        new: dict[int, PendingEntry] = {}
        for place, number, record in self.pending.store.find(piece.locs):
            pending = self.pending.resolved(record)
            self.pending.store.take(number)
            if not pending.adds_nothing_to(blocks[place]):
                new[place] = pending
        return new

    def _read(self, piece: UrlBlocks, blocks: Sequence[bytes]) -> Sequence[Entry]:
        """Parse some elements as a document of their own."""
        if not blocks:
            return ()
        options, target, writer = self.pending.options, self.pending.target, self.pending.writer
        prefixes = piece.prefixes.union(*(as_rendered(block).prefixes for block in blocks))
        markup = writer.head(Feed(), prefixes) + b"".join(blocks) + writer.tail(Feed())
        if target.read is None:
            raise TypeError(f"{target.name} cannot be read")
        # without reports: they were made when the markup was written
        entries = list(target.read(BytesIO(markup), options.read, ignore).entries)
        if len(entries) != len(blocks):
            raise NotOwnOutputError
        return entries

    def _rendered(self, entry: Entry, before: bytes, codes: frozenset[Code]) -> Rendered | None:
        """Render an existing entry; return None if it expires.

        Issues with these codes were reported when the new entry of the page was read.
        """

        def report(issue: Issue) -> None:
            if issue.code not in codes:
                self.report(issue)

        after = self.pending.writer.entry(entry, report)
        if after is None or not self.pending.has_room_for(after):
            message = "with the new values this page is larger than a file may be; it is unchanged"
            self.report(Issue(code=Code.ENTRY_TOO_LARGE, message=message, entry=entry.loc))
            after = as_rendered(before)
        if reason := removal_reason(loc_of(after.body), after.body, self._expiry):
            code, why = reason
            message = f"the existing entry {why}; removed"
            self.report(Issue(code=code, message=message, entry=entry.loc))
            return None
        return after
