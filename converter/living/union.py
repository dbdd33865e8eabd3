"""Joins what stands somewhere with what is new, entry by entry; of both, the newer says more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from converter.living.store import Store
from converter.model import Entry
from converter.passes.identity import title_of, words_of
from converter.values.marks import Marks, digest
from converter.vocab.supply import is_iri, made_id
from converter.xml.emit import escape

__all__ = ["KeyRule", "Union", "page_key"]


def page_key(loc: str) -> bytes:
    """Give the bytes that stand for a page in markup."""
    return escape(loc).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRule:
    """How entries are known while an output is added to."""

    is_of_items: bool
    """The output holds items, of which several may have one page (mapping 6.2)."""
    needs_iri: bool
    """It holds no id that is not an IRI: an item with another id is written with its page as id."""
    is_own: bool
    """What is added to is the output: it was made of such items, and ids may be made ones."""

    def of_new(self, entry: Entry) -> bytes | None:
        """Return the key of a new entry; None if it is known by nothing."""
        if not self.is_of_items:
            return page_key(entry.loc) if entry.loc else None
        given = (entry.id or "").strip()
        if given and not self.is_own and not (entry.loc and is_iri(given)):
            return _key("id", given, entry.loc, entry.feed.source if entry.feed else None)
        if given and (is_iri(given) or not self.needs_iri):
            return _key("id", given, entry.loc)
        name = _name(entry)
        if entry.loc:
            return _key(*name)
        if not self.is_own:
            return None
        is_named = not given and any(name[1:])
        return _key(*name) if is_named else _key("id", made_id(entry), None)

    def of_known(self, entry: Entry) -> list[bytes]:
        """Return the keys that a new entry may have which is the same as one of the output."""
        key = self.of_new(entry)
        keys = [] if key is None else [key]
        if self.is_of_items and self.is_own and entry.id and _is_made(entry.id, entry.loc):
            name = _name(entry)
            keys += [_key(*name), _key(*name[:-1], "")]
        return keys


def _key(*parts: str | None) -> bytes:
    return "\n".join(part or "" for part in parts).encode(errors="surrogatepass")


def _name(entry: Entry) -> tuple[str, str, str]:
    """Return what an item without an id is known by: page and title, or else text and title."""
    if entry.loc:
        return "page", entry.loc, title_of(entry)
    return "words", *words_of(entry)


def _is_made(given: str, loc: str | None) -> bool:
    """Return True if an id can be one that was made for an item without one."""
    return given == loc or given.startswith("urn:uuid:")


@dataclass(slots=True, kw_only=True)
class Union:
    """One walk over what stands there: see `joined`."""

    store: Store
    unite: Callable[[Entry, Entry], Entry]
    """Unites what stands there with what is new of the same page."""
    keys: KeyRule
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
        ids = Marks()
        for known in entries:
            self.present += 1
            if known.id and self.keys.is_of_items:
                ids.add(digest(known.id))
            yield self._renewed(known)
        for entry in chain(self.store.rest(), self.rest):
            self.added += 1
            yield self.settled(self._identified(entry, ids))

    def _renewed(self, known: Entry) -> Entry:
        claimed = (key for key in self.keys.of_known(known) if self.store.claim((key,)))
        if (key := next(claimed, None)) is None:
            return known
        united = self.unite(known, self.settled(self.store.take(key)))
        if self.keys.is_of_items and known.id:  # readers of the feed know the item by it
            united = replace(united, id=known.id, id_is_permalink=known.id_is_permalink)
        self.renewed += not self.is_same(known, united)
        return united

    def _identified(self, entry: Entry, ids: Marks) -> Entry:
        """Give an item an id of its own, if its page is the id of an item that was there."""
        if not self.keys.is_of_items or not entry.loc or digest(entry.loc) not in ids:
            return entry
        given = (entry.id or "").strip()
        if given and (is_iri(given) or not self.keys.needs_iri):
            return entry
        return replace(entry, id=made_id(entry), id_is_permalink=False)
