"""Joins what stands somewhere with what is new, entry by entry; of both, the newer says more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from converter.living.store import Store
from converter.model import Entry
from converter.record import field, record
from converter.xml.emit import escape

__all__ = ["Union", "key_of", "page_key"]


def page_key(loc: str) -> bytes:
    """Give the bytes that stand for a page in markup."""
    return escape(loc).encode()


def key_of(entry: Entry) -> bytes | None:
    """Give what an entry is known by: its page, without one its id; None: nothing."""
    if entry.loc:
        return page_key(entry.loc)
    return b"\0" + entry.id.encode(errors="surrogatepass") if entry.id else None


@record(frozen=False)
class Union:
    """One walk over what stands there: see `joined`."""

    store: Store
    unite: Callable[[Entry, Entry], Entry]
    """Unites what stands there with what is new of the same page."""
    settled: Callable[[Entry], Entry]
    """Takes the versions in other languages from an entry if one of them is missing."""
    is_same: Callable[[Entry, Entry], bool]
    """Is the same written of both?"""
    present: int = 0
    added: int = 0
    renewed: int = 0
    gone: int = 0
    """For whoever leaves some of them out."""
    rest: list[Entry] = field(default_factory=list)
    """New entries that nothing is known by."""

    def joined(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        """Give what stands there, each in its place, and then what is new."""
        self.store.release()
        self.present = self.added = self.renewed = self.gone = 0
        for known in entries:
            self.present += 1
            yield self._renewed(known)
        for entry in (*self.store.rest(), *self.rest):
            self.added += 1
            yield self.settled(entry)

    def _renewed(self, known: Entry) -> Entry:
        key = key_of(known)
        if key is None or not self.store.claim((key,)):
            return known
        united = self.unite(known, self.settled(self.store.take(key)))
        self.renewed += not self.is_same(known, united)
        return united
