"""Merges new entries with existing ones, entry by entry; where both differ, the newer one wins."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import InitVar, dataclass, field, replace
from itertools import chain
from typing import cast

from converter.extensions.required_feed_fields import is_iri, make_id
from converter.formats.base import Format, Rendered, Spool, Writer
from converter.issues import ignore
from converter.model import Entry
from converter.options import RunOptions
from converter.pipeline.transforms.deduplicate import renewed
from converter.pipeline.transforms.entry_identity import title_of, words_of
from converter.update.entry_store import EntryStore
from converter.values.digests import DigestSet, digest
from converter.xml.escape import escape


def page_key(loc: str) -> bytes:
    """Return the URL of a page as it is written in markup."""
    return escape(loc).encode()


@dataclass(slots=True)
class MergeWithExisting:
    """Merges stored new entries with existing ones that are read one by one; see `merged`.

    In a sitemap or a list, entries of one page are the same. Other formats hold items, and
    several of them may have one page (mapping 6.2).
    """

    options: RunOptions
    target: Format
    spool: InitVar[Spool]
    is_own: bool
    """The existing entries are those of the output, where ids may be generated."""
    resolve_versions: Callable[[Entry], Entry] = lambda entry: entry
    """Removes the language versions of an entry if one of them is not in the output."""
    added: int = 0
    renewed: int = 0
    dropped: int = 0
    """Counted by the caller if it drops some of them."""
    store: EntryStore = field(init=False)
    """Pickles of a key and a new entry."""
    _writer: Writer = field(init=False)
    _pages: DigestSet = field(default_factory=DigestSet)

    def __post_init__(self, spool: Spool) -> None:
        self.store = EntryStore(spool, lambda record: _loaded(record)[0])
        self._writer = self.target.new_writer(self.options.write)

    def add(self, item: Rendered) -> None:
        """Add a new entry; one without a key is the same as no existing entry."""
        if (entry := item.entry) is None:
            return
        if entry.loc:
            self._pages.add(digest(entry.loc))
        key = self._key(entry) or b""
        self.store.put(key, pickle.dumps((key, entry), 5))

    def seal(self) -> None:
        """Prepare to merge; no more entries can be added."""
        self.store.seal()

    def has_page(self, loc: str) -> bool:
        """Return True if one of the new entries has this page."""
        return digest(loc) in self._pages

    def merged(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        """Yield the existing entries in their order, then the new ones."""
        self.store.release()
        self.added = self.renewed = self.dropped = 0
        ids = DigestSet()
        for known in entries:
            if known.id and not self.target.needs_loc:
                ids.add(digest(known.id))
            yield self._renewed(known)
        for record in self.store.rest():
            self.added += 1
            yield self.resolve_versions(self._with_unique_id(_loaded(record)[1], ids))

    def _renewed(self, known: Entry) -> Entry:
        found = chain.from_iterable(self.store.find((key,)) for key in self._keys_of_known(known))
        if (first := next(found, None)) is None:
            return known
        _, number, record = first
        self.store.take(number)
        new = self.resolve_versions(_loaded(record)[1])
        merged = renewed(known, new, self.options.transforms.now)
        if not self.target.needs_loc and known.id:  # feed readers identify the item by its id
            merged = replace(merged, id=known.id, id_is_permalink=known.id_is_permalink)
        self.renewed += self._body(known) != self._body(merged)
        return merged

    def _body(self, entry: Entry) -> bytes | None:
        rendered = self._writer.entry(entry, ignore)
        return rendered.body if rendered else None

    def _with_unique_id(self, entry: Entry, ids: DigestSet) -> Entry:
        """Generate an id for an item without one whose page is the id of an existing item."""
        is_taken = not self.target.needs_loc and entry.loc and digest(entry.loc) in ids
        if not is_taken or self._kept_id(entry):
            return entry
        return replace(entry, id=make_id(entry), id_is_permalink=False)

    # -- which entries are the same -----------------------------------------------------------

    def _kept_id(self, entry: Entry) -> str | None:
        """Return the id that the output keeps; a format with IRIs replaces all other ids."""
        own = (entry.id or "").strip()
        return own if own and (is_iri(own) or not self.target.needs_iri) else None

    def _key(self, entry: Entry) -> bytes | None:
        """Return the key of a new entry; None if nothing identifies it."""
        if self.target.needs_loc:
            return page_key(entry.loc) if entry.loc else None
        own = (entry.id or "").strip()
        if own and not self.is_own and not (entry.loc and is_iri(own)):
            return _key("id", own, entry.loc, entry.feed.source if entry.feed else None)
        if kept := self._kept_id(entry):
            return _key("id", kept, entry.loc)
        name = _name(entry)
        if entry.loc:
            return _key(*name)
        if not self.is_own:
            return None
        return _key(*name) if not own and any(name[1:]) else _key("id", make_id(entry), None)

    def _keys_of_known(self, entry: Entry) -> Iterator[bytes]:
        """Yield the keys of new entries that are the same as an existing one."""
        if (key := self._key(entry)) is not None:
            yield key
        if self.target.needs_loc or not self.is_own or not entry.id:
            return
        if entry.id == entry.loc or entry.id.startswith("urn:uuid:"):  # it may be generated
            name = _name(entry)
            yield _key(*name)
            yield _key(*name[:-1], "")


def _key(*parts: str | None) -> bytes:
    return "\n".join(part or "" for part in parts).encode(errors="surrogatepass")


def _name(entry: Entry) -> tuple[str, str, str]:
    """Return what identifies an item without an id: page and title, or else text and title."""
    if entry.loc:
        return "page", entry.loc, title_of(entry)
    return "words", *words_of(entry)


def _loaded(record: bytes) -> tuple[bytes, Entry]:
    """Return the key and the entry of a record."""
    return cast("tuple[bytes, Entry]", pickle.loads(record))  # noqa: S301  the file has no name
