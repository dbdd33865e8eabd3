"""The new entries of an update, rendered once and stored as they will be written.

A page that the output already has then costs one look-up: if its element there begins with all
that the new element contains, nothing changes. The entry itself is stored if it names versions in
other languages, until it is known which of them are in the output; and if its markup does not
contain everything: with media or news, with issues, or with values of an option.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, cast

from converter.formats.base import Format, PartLimits, Rendered, Spool, Writer
from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed
from converter.options import RunOptions
from converter.pipeline.splitter import PartBuffer, limits_of, too_large
from converter.pipeline.transforms.deduplicate import with_versions
from converter.update.block_copy import MOST_HEAD_BYTES, adds_nothing, as_rendered, loc_of
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

    body: bytes | None
    """Its markup; None if its language versions are not resolved yet, or it is too large."""
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

    def dump(self) -> bytes:
        """Return the record of an entry."""
        return pickle.dumps(self, 5)

    def adds_nothing_to(self, known: bytes) -> bool:
        """Return True if the existing element of the page stays as it is."""
        if self.body is None or self.codes:
            return self.body == known
        return adds_nothing(self.body, known)


@dataclass(slots=True, kw_only=True)
class PendingEntries:
    """New entries of a set of sitemaps, by page."""

    options: RunOptions
    target: Format
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
    """Options add values to entries; markup does not show which values are the entry's own."""
    _codes: set[Code] = field(default_factory=set)
    """The codes that the writer has reported for the current entry."""

    def __post_init__(self) -> None:
        write = self.options.write
        self.writer = self.target.new_writer(write)
        self.store = EntryStore(self.spool, _key_of)
        self._limits = limits_of(self.target, write)
        self._keeps_entries = any((write.changefreq, write.priority, write.mobile, write.news_name))

    def add(self, entry: Entry) -> None:
        """Add an entry; each page is added once."""
        if entry.alternates and entry.loc:
            self.missing.update(page_key(version.href) for version in entry.alternates)
            key, record = page_key(entry.loc), PendingEntry(None, entry).dump()
        elif (rendered := self._rendered(entry)) is not None:
            key, record = loc_of(rendered.body), rendered.body
            if self._codes or self._keeps_entries or rendered.prefixes:
                record = PendingEntry(record, entry, frozenset(self._codes)).dump()
        else:
            return
        self.store.put(key, record, _period_of(entry, self.options.publish.part_by))

    def seal(self) -> None:
        """Prepare to find entries; no more can be added."""
        self.store.seal()
        pages = list(self.missing)
        self.missing.difference_update(pages[place] for place, _, _ in self.store.find(pages))

    def rest(self, period: str) -> Iterator[Rendered]:
        """Yield the entries of a period whose pages are not in the output."""
        for record in self.store.rest(period):
            if (body := self.resolved(record).body) is not None:
                self.added += 1
                yield as_rendered(body)

    def resolved(self, record: bytes) -> PendingEntry:
        """Return the entry of a record with its markup; report one that is too large."""
        pending = PendingEntry.load(record)
        if pending.body is not None or pending.entry is None:
            return pending
        entry = with_versions(
            pending.entry,
            lambda loc: page_key(loc) not in self.missing,
            self.report,
            self.leave_out,
        )
        rendered = self._rendered(entry)
        return PendingEntry(rendered.body if rendered else None, entry, frozenset(self._codes))

    def _rendered(self, entry: Entry) -> Rendered | None:
        self._codes.clear()
        rendered = self.writer.entry(entry, self._report)
        if rendered is not None and not self.has_room_for(rendered):
            self._report(too_large(entry.line, entry.loc, len(rendered.body)))
            rendered = None
        self.refused += rendered is None
        return rendered

    def _report(self, issue: Issue) -> None:
        self._codes.add(issue.code)
        self.report(issue)

    def has_room_for(self, element: Rendered) -> bool:
        """Return True if an element fits into an empty part."""
        most = self._limits.max_bytes
        is_small = most is None or len(element.body) + MOST_HEAD_BYTES < most
        return is_small or self.new_part(1).add(element)

    def new_part(self, number: int) -> PartBuffer:
        """Return an empty part."""
        return PartBuffer(number, self.writer, Feed, self._limits, self.spool)


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


def _key_of(record: bytes) -> bytes:
    pending = PendingEntry.load(record)
    if pending.body is not None:
        return loc_of(pending.body)
    return page_key(pending.entry.loc) if pending.entry and pending.entry.loc else b""
