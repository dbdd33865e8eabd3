"""The new entries of an update, rendered once and stored as they will be written.

So a page that the output has already costs one look-up: if its element there begins with all that
the new one contains, nothing changes. An entry that names versions in other languages is rendered
later, when it is known which of them are in the output; until then it is stored itself.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from converter.issues import Report
from converter.living.handwriting import loc_of, rendered_block
from converter.living.periods import period_of
from converter.living.store import EntryStore
from converter.living.union import page_key
from converter.model import Entry, Feed
from converter.parts import Box, too_large
from converter.seams import PartLimits, Rendered, Spool, Writer

__all__ = ["PendingEntries"]

#: A pickle begins with this byte, and markup never does.
_PICKLE: Final = b"\x80"


@dataclass(slots=True, kw_only=True)
class PendingEntries:
    """New entries of a set of sitemaps, by their pages."""

    writer: Writer
    limits: PartLimits
    spool: Spool
    report: Report
    """Takes the issues of the writer."""
    settle: Callable[[Entry, Callable[[str], bool]], Entry]
    """Removes the language versions of an entry if one is not in the output."""
    part_by: Literal["month", "year"] | None = None
    store: EntryStore = field(init=False)
    missing: set[bytes] = field(default_factory=set)
    """Pages that entries name as language versions and that are not known to be in the output."""
    refused: int = 0
    """Entries that cannot be written."""
    _empty: Box = field(init=False)

    def __post_init__(self) -> None:
        self.store = EntryStore(self.spool, _loc_of)
        self._empty = Box(1, self.writer, Feed, self.limits, self.spool)

    def add(self, entry: Entry) -> None:
        """Add an entry; each page is added once."""
        period = period_of(entry, self.part_by)
        if entry.alternates and entry.loc:
            self.missing.update(page_key(version.href) for version in entry.alternates)
            self.store.put(page_key(entry.loc), pickle.dumps(entry, 5), period)
        elif (rendered := self._rendered(entry)) is not None:
            self.store.put(loc_of(rendered.body), rendered.body, period)

    def seal(self) -> None:
        """Get ready to find entries; all are added."""
        self.store.seal()
        pages = list(self.missing)
        self.missing.difference_update(pages[place] for place, _, _ in self.store.find(pages))

    def rest(self, period: str) -> Iterator[Rendered]:
        """Yield what is new in a period."""
        for record in self.store.rest(period):
            if (rendered := self.rendered(record)) is not None:
                yield rendered

    def rendered(self, record: bytes) -> Rendered | None:
        """Return what is written of a record; None and an issue if it cannot be written."""
        if not is_entry(record):
            return rendered_block(record)
        return self._rendered(self.settle(pickle.loads(record), self._is_there))  # noqa: S301

    def _rendered(self, entry: Entry) -> Rendered | None:
        rendered = self.writer.entry(entry, self.report)
        if rendered is not None and not self.has_room_for(rendered):
            self.report(too_large(entry.line, entry.loc, rendered))
            rendered = None
        self.refused += rendered is None
        return rendered

    def has_room_for(self, rendered: Rendered) -> bool:
        """Return True if an element fits into a part."""
        return self._empty.holds(rendered)

    def _is_there(self, loc: str) -> bool:
        return page_key(loc) not in self.missing


def is_entry(record: bytes) -> bool:
    """Return True if a record is an entry and not yet rendered."""
    return record.startswith(_PICKLE)


def _loc_of(record: bytes) -> bytes:
    return page_key(pickle.loads(record).loc) if is_entry(record) else loc_of(record)  # noqa: S301
