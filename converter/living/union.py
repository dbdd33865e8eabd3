"""Merges new entries with existing ones, entry by entry; where both differ, the newer one wins."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import InitVar, dataclass, field, replace

from converter.issues import ignore
from converter.living.store import EntryStore
from converter.model import Entry
from converter.options import Job
from converter.passes.identity import title_of, words_of
from converter.passes.merge import renewed
from converter.seams import Format, Spool, Writer
from converter.values.marks import Marks, digest
from converter.vocab.supply import is_iri, made_id
from converter.xml.emit import escape

__all__ = ["MergeWithExisting", "page_key"]


def page_key(loc: str) -> bytes:
    """Give the bytes that stand for a page in markup."""
    return escape(loc).encode()


@dataclass(frozen=True, slots=True)
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


@dataclass(slots=True)
class MergeWithExisting:
    """Merges new entries with existing ones that are read one by one; see `merged`."""

    job: Job
    row: Format
    spool: InitVar[Spool]
    is_own: InitVar[bool]
    """The existing entries are those of the output."""
    settled: Callable[[Entry], Entry] = lambda entry: entry
    """Removes the language versions of an entry if one of them is not in the output."""
    missing: set[bytes] = field(default_factory=set)
    """Pages that are named as language versions and not known to be in the output."""
    added: int = 0
    renewed: int = 0
    dropped: int = 0
    """Counted by the caller if it drops some of them."""
    store: EntryStore = field(init=False)
    """Pickles of a key and a new entry."""
    _keys: KeyRule = field(init=False)
    _writer: Writer = field(init=False)
    _pages: Marks = field(default_factory=Marks)

    def __post_init__(self, spool: Spool, is_own: bool) -> None:
        row = self.row
        self.store = EntryStore(spool, _key_of)
        self._keys = KeyRule(not row.needs_loc, row.needs_iri, is_own)
        self._writer = row.writing(self.job.write)

    def add(self, entry: Entry) -> None:
        """Add a new entry; one without a key is only found among the rest."""
        self.missing.update(page_key(version.href) for version in entry.alternates)
        if entry.loc:
            self._pages.add(digest(page_key(entry.loc)))
        key = self._keys.of_new(entry) or b""
        self.store.put(key, pickle.dumps((key, entry), 5))

    def seal(self) -> None:
        """Get ready to merge; all new entries are added."""
        self.store.seal()
        self.missing -= {page for page in self.missing if digest(page) in self._pages}

    def is_there(self, loc: str) -> bool:
        """Return True if a page that is named as a language version is in the output."""
        return page_key(loc) not in self.missing

    def merged(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        """Yield the existing entries in their order, and then the new ones."""
        self.store.release()
        self.added = self.renewed = self.dropped = 0
        ids = Marks()
        for known in entries:
            if known.id and self._keys.is_of_items:
                ids.add(digest(known.id))
            yield self._renewed(known)
        for record in self.store.rest():
            self.added += 1
            yield self.settled(self._identified(_entry_of(record), ids))

    def _renewed(self, known: Entry) -> Entry:
        taken = (self._taken(key) for key in self._keys.of_known(known))
        if (fresh := next(filter(None, taken), None)) is None:
            return known
        united = renewed(known, self.settled(fresh), self.job.passes.now)
        if self._keys.is_of_items and known.id:  # readers of the feed know the item by it
            united = replace(united, id=known.id, id_is_permalink=known.id_is_permalink)
        self.renewed += self._body(known) != self._body(united)
        return united

    def _body(self, entry: Entry) -> bytes | None:
        rendered = self._writer.entry(entry, ignore)
        return rendered.body if rendered else None

    def _taken(self, key: bytes) -> Entry | None:
        for _, number, record in self.store.find((key,)):
            self.store.take(number)
            return _entry_of(record)
        return None

    def _identified(self, entry: Entry, ids: Marks) -> Entry:
        """Give an item an id of its own, if its page is the id of an item that was there."""
        if not self._keys.is_of_items or not entry.loc or digest(entry.loc) not in ids:
            return entry
        given = (entry.id or "").strip()
        if given and (is_iri(given) or not self._keys.needs_iri):
            return entry
        return replace(entry, id=made_id(entry), id_is_permalink=False)


def _key_of(record: bytes) -> bytes:
    """Return the key of a stored entry."""
    key: bytes = pickle.loads(record)[0]  # noqa: S301  the file has no name
    return key


def _entry_of(record: bytes) -> Entry:
    entry: Entry = pickle.loads(record)[1]  # noqa: S301  likewise
    return entry
