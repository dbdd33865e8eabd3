"""The new entries of an update, stored as they will be written.

A page that the output already has then costs one look-up: if its element there begins with all
that the new element contains, nothing changes. The entry itself is stored, too, if its markup does
not contain everything: with media, news or language versions, with issues, or with values of an
option.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, cast

from converter.formats.base import Format, PartLimits, Rendered, Spool, Writer
from converter.issues import Code, Report, ignore, with_source
from converter.model import Entry, Feed
from converter.options import RunOptions
from converter.pipeline.splitter import PartBuffer, limits_of, too_large
from converter.pipeline.transforms.deduplicate import with_versions
from converter.update.block_copy import MOST_HEAD_BYTES, NEWS, as_rendered, loc_of
from converter.update.entry_store import EntryStore
from converter.update.merge import page_key

#: In the name of the part for entries without a date, if parts are by date.
UNDATED: Final = "undated"
_PERIODS: Final = {"month": "%Y-%m", "year": "%Y"}

#: The first byte of a pickle, which never begins markup.
_PICKLE: Final = b"\x80"


@dataclass(slots=True)
class PendingEntry:
    """One new entry."""

    body: bytes
    """Its markup."""
    entry: Entry | None = None
    """None if the markup contains everything."""
    codes: frozenset[Code] = frozenset()
    """The codes that the writer reported."""

    @classmethod
    def load(cls, record: bytes) -> PendingEntry:
        """Return the entry of a record."""
        if not record.startswith(_PICKLE):
            return cls(record)
        return cast("PendingEntry", pickle.loads(record))  # noqa: S301  the file has no name

    def adds_nothing_to(self, known: bytes) -> bool:
        """Return True if the existing element of the page begins with all that this one contains.

        One with issues must be equal, and one with news, because news ages.
        """
        if self.body == known or self.codes:
            return self.body == known
        content = self.body[: self.body.rindex(b"</url>")].rstrip()
        return known.startswith(content) and NEWS not in known


@dataclass(slots=True, kw_only=True)
class PendingEntries:
    """New entries of a set of sitemaps, by page."""

    options: RunOptions
    target: Format
    spool: Spool
    report: Report
    leave_out: Callable[[int], None]
    """Counts language versions that are left out because one is not in the output."""
    missing: set[bytes] = field(default_factory=set)
    """Pages that entries name as language versions and that are not known to be in the output."""
    refused: int = 0
    """Entries that cannot be written."""
    added: int = 0
    """Entries of pages that are not in the output."""
    writer: Writer = field(init=False)
    """Renders entries again that change."""
    store: EntryStore = field(init=False)
    _limits: PartLimits = field(init=False)
    _keeps_entries: bool = field(init=False)
    """Options add values to entries; markup does not show which values are the entry's own."""

    def __post_init__(self) -> None:
        write = self.options.write
        self.writer = self.target.new_writer(write)
        self.store = EntryStore(self.spool, lambda record: loc_of(PendingEntry.load(record).body))
        self._limits = limits_of(self.target, write)
        self._keeps_entries = any((write.changefreq, write.priority, write.mobile, write.news_name))

    def add(self, item: Rendered) -> None:
        """Add a rendered entry; each page is added once."""
        if item.entry is None or not item.body:
            self.refused += 1
        elif not self.has_room_for(item):
            self.refused += 1
            self.report(with_source(too_large(item.line, item.loc, len(item.body)), item.source))
        else:
            entry, record = item.entry, item.body
            self.missing.update(page_key(version.href) for version in entry.alternates)
            if item.issues or self._keeps_entries or item.prefixes:
                codes = frozenset(issue.code for issue in item.issues)
                record = pickle.dumps(PendingEntry(item.body, entry, codes), 5)
            period = _period_of(entry, self.options.publish.part_by)
            self.store.put(loc_of(item.body), record, period)

    def seal(self) -> None:
        """Prepare to find entries; no more can be added."""
        self.store.seal()
        pages = list(self.missing)
        self.missing.difference_update(pages[place] for place, _, _ in self.store.find(pages))

    def rest(self, period: str) -> Iterator[Rendered]:
        """Yield the entries of a period whose pages are not in the output."""
        for record in self.store.rest(period):
            self.added += 1
            yield as_rendered(self.resolved(record).body)

    def resolved(self, record: bytes) -> PendingEntry:
        """Return the entry of a record, without language versions that must be left out."""
        pending = PendingEntry.load(record)
        if pending.entry is None or not self.missing:
            return pending
        entry = with_versions(
            pending.entry,
            lambda loc: page_key(loc) not in self.missing,
            self.report,
            self.leave_out,
        )
        # Its issues were reported when it was rendered with all versions.
        if entry is not pending.entry and (rendered := self.writer.entry(entry, ignore)):
            return PendingEntry(rendered.body, entry, pending.codes)
        return pending

    def has_room_for(self, element: Rendered) -> bool:
        """Return True if an element fits into an empty part."""
        most = self._limits.max_bytes
        is_small = most is None or len(element.body) + MOST_HEAD_BYTES < most
        return is_small or self.new_part().add(element)

    def new_part(self) -> PartBuffer:
        """Return an empty part."""
        return PartBuffer(1, self.writer, Feed, self._limits, self.spool)


def _period_of(entry: Entry, by: Literal["month", "year"] | None) -> str:
    """Return the period of the day of publication, in its own zone; empty if `by` is None.

    Without such a day, it is that of the last change.
    """
    if by is None:
        return ""
    for moment in (entry.published, entry.updated):
        if moment is not None and not moment.is_partial:
            return f"{moment.instant:{_PERIODS[by]}}"
    return UNDATED
