"""The new entries of an update, rendered once and stored as they will be written.

So a page that the output has already costs one look-up: if its element there begins with all that
the new one contains, nothing changes. Two kinds of entries are stored themselves: those that name
versions in other languages, until it is known which of them are in the output; and those of which
markup does not tell all: those with media or news, with issues, or with values of an option.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from converter.formats.base import Format, PartLimits, Rendered, Spool, Writer
from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed
from converter.options import RunOptions
from converter.pipeline.splitter import PartBuffer, limits_of, too_large
from converter.pipeline.transforms.deduplicate import with_versions
from converter.update.block_copy import MOST_HEAD_BYTES, adds_nothing, loc_of, rendered
from converter.update.entry_store import EntryStore
from converter.update.merge import page_key

#: In the name of the part for entries without a date, where parts are by date.
UNDATED: Final = "undated"
_PERIODS: Final = {"month": "%Y-%m", "year": "%Y"}

#: A pickle begins with this byte, and markup never does.
_PICKLE: Final = b"\x80"


@dataclass(slots=True)
class PendingEntry:
    """One new entry."""

    body: bytes | None
    """Its markup; None if its language versions must be looked for first, or it has no room."""
    entry: Entry | None = None
    """None if the markup says all."""
    codes: frozenset[Code] = frozenset()
    """The codes that the writer reported."""

    @classmethod
    def of(cls, record: bytes) -> PendingEntry:
        """Return the entry of a record."""
        if not record.startswith(_PICKLE):
            return cls(record)
        pending: PendingEntry = pickle.loads(record)  # noqa: S301  the file has no name
        return pending

    def adds_nothing_to(self, known: bytes) -> bool:
        """Return True if the existing element of the page stays as it is."""
        if self.body is None or self.codes:
            return self.body == known
        return adds_nothing(self.body, known)


@dataclass(slots=True, kw_only=True)
class PendingEntries:
    """New entries of a set of sitemaps, by their pages."""

    options: RunOptions
    row: Format
    spool: Spool
    report: Report
    """Takes the issues of the writer."""
    leave_out: Callable[[int], None]
    """Counts language versions that are left out because one is not in the output."""
    missing: set[bytes] = field(default_factory=set)
    """Pages that entries name as language versions and that are not known to be in the output."""
    refused: int = 0
    """Entries that cannot be written."""
    added: int = 0
    """Entries of pages that are not in the output."""
    writer: Writer = field(init=False)
    store: EntryStore = field(init=False)
    _limits: PartLimits = field(init=False)
    _keeps_entries: bool = field(init=False)
    """Options give values to entries that have none; markup does not tell these from their own."""
    _codes: set[Code] = field(default_factory=set)
    """The codes that the writer has reported of the entry that it renders."""

    def __post_init__(self) -> None:
        write = self.options.write
        self.writer = self.row.new_writer(write)
        self.store = EntryStore(self.spool, _key_of)
        self._limits = limits_of(self.row, write)
        given = (write.changefreq, write.priority, write.mobile, write.news_name)
        self._keeps_entries = any(given)

    def add(self, entry: Entry) -> None:
        """Add an entry; each page is added once."""
        if entry.alternates and entry.loc:
            self.missing.update(page_key(version.href) for version in entry.alternates)
            key, record = page_key(entry.loc), pickle.dumps(PendingEntry(None, entry), 5)
        elif (made := self._rendered(entry)) is not None:
            key, record = loc_of(made.body), made.body
            if self._codes or self._keeps_entries or made.prefixes:
                record = pickle.dumps(PendingEntry(record, entry, frozenset(self._codes)), 5)
        else:
            return
        self.store.put(key, record, _period_of(entry, self.options.publish.part_by))

    def seal(self) -> None:
        """Get ready to find entries; all are added."""
        self.store.seal()
        pages = list(self.missing)
        self.missing.difference_update(pages[place] for place, _, _ in self.store.find(pages))

    def rest(self, period: str) -> Iterator[Rendered]:
        """Yield what is new in a period."""
        for record in self.store.rest(period):
            if (body := self.finished(record).body) is not None:
                self.added += 1
                yield rendered(body)

    def finished(self, record: bytes) -> PendingEntry:
        """Return the entry of a record; without markup and with an issue if it has no room."""
        pending = PendingEntry.of(record)
        if pending.body is not None or pending.entry is None:
            return pending
        entry = with_versions(pending.entry, self._exists, self.report, self.leave_out)
        made = self._rendered(entry)
        return PendingEntry(made.body if made else None, entry, frozenset(self._codes))

    def _exists(self, loc: str) -> bool:
        return page_key(loc) not in self.missing

    def _rendered(self, entry: Entry) -> Rendered | None:
        self._codes.clear()
        made = self.writer.entry(entry, self._report)
        if made is not None and not self.has_room_for(made):
            self._report(too_large(entry.line, entry.loc, len(made.body)))
            made = None
        self.refused += made is None
        return made

    def _report(self, issue: Issue) -> None:
        self._codes.add(issue.code)
        self.report(issue)

    def has_room_for(self, element: Rendered) -> bool:
        """Return True if an element fits into a part."""
        most = self._limits.max_bytes
        is_small = most is None or len(element.body) + MOST_HEAD_BYTES < most
        return is_small or self.box(1).add(element)

    def box(self, number: int) -> PartBuffer:
        """Return an empty part."""
        return PartBuffer(number, self.writer, Feed, self._limits, self.spool)


def _period_of(entry: Entry, by: Literal["month", "year"] | None) -> str:
    """Return the period of an entry by the day it was published, in its source's own zone.

    Without such a day, it is the day it was last changed. Empty if parts are not by date.
    """
    if by is None:
        return ""
    for moment in (entry.published, entry.updated):
        if moment is not None and not moment.is_partial:
            return f"{moment.instant:{_PERIODS[by]}}"
    return UNDATED


def _key_of(record: bytes) -> bytes:
    pending = PendingEntry.of(record)
    if pending.body is not None:
        return loc_of(pending.body)
    return page_key(pending.entry.loc) if pending.entry and pending.entry.loc else b""
