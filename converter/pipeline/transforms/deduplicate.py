"""Merges entries that are the same: those of one page, or the items of one id (mapping 6.2).

A first pass keeps a digest of each entry's key (`identity`) and lets the first of each through.
A later entry of the same key may know more than the first one, which is written already: it is
held back, and a second pass over the input merges the two. So memory grows with the duplicates, not
with the input. A duplicate that has nothing but its URL, as each line of a list, adds nothing: it
is dropped at once, and if there are no others the output of the first pass is final. The language
versions of a page are settled by the second pass too: they are written only where every version is
in the output (mapping 3.4), which only the end of the first pass knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import datetime
from functools import partial, reduce
from hashlib import blake2b
from math import log2
from operator import attrgetter
from typing import Any, Final, TypeAlias, TypeVar

from converter.formats.base import Rendered
from converter.issues import Code, Issue, Report, printable
from converter.model import MOST_OTHER, OTHER_REST, Entry, Moment, News, Video
from converter.pipeline.transforms.identity import PAGES, Identity
from converter.values import dates, urls
from converter.values.digests import DigestSet, digest

T = TypeVar("T")

#: Characters of a source's name in a message.
_MOST_NAME: Final = 500

#: The place of an entry is one number: that of its source, and in the lowest bits the line.
_LINE_BITS: Final = 40
_MOST_LINE: Final = (1 << _LINE_BITS) - 1

#: The dict that a digest is kept in, by its first byte. To grow a dict, Python makes another one of
#: twice its size beside it; so there are 16 of unequal sizes, which do not grow at the same time.
_SHARD_OF: Final = bytes(int(16 * log2(1 + byte / 256)) for byte in range(256))

#: Of an entry: the name of its source, and its line.
_Place: TypeAlias = tuple[str | None, int | None]

_FIELDS: Final = tuple(field.name for field in fields(Entry))

#: The fields that tell what an entry says of its page.
_CONTENT: Final = attrgetter(*(name for name in _FIELDS if name not in {"loc", "line", "feed"}))
_NO_CONTENT: Final = _CONTENT(Entry())


def key_digest(key: str) -> bytes:
    """Return 120 bits by which keys are told apart: far too many for two keys to share them."""
    return blake2b(key.encode(errors="surrogatepass"), digest_size=15).digest()


class Deduplicator:
    """What the passes over one input learn about its duplicates and language versions.

    `key`, `is_held_back` and `versions` belong to the first stage.
    """

    def __init__(
        self, now: datetime, *, identity: Identity = PAGES, keeps_versions: bool = False
    ) -> None:
        """Begin.

        Args:
            now: the time of the run.
            identity: which entries are the same.
            keeps_versions: leave it to others whether language versions are in the output.
        """
        self.merged = 0
        """How many entries were merged with an earlier one, in the present pass."""
        self.is_second_pass = False
        self.has_versions = False
        """The first pass saw versions of pages in other languages."""
        self.needs_merging = False
        """The first pass held back an entry that may add something to the first one."""
        self._now = now
        self._keeps_versions = keeps_versions
        self._identity = identity
        self._first_places = [dict[bytes, int]() for _ in range(16)]
        """By digest of the key, in dicts by its first byte: the place of the first entry."""
        self._sources: list[str | None] = []
        """The numbers of sources in places; a source may have several."""
        self._pages: DigestSet | None = None
        """Digests of all pages, where the keys are not the pages."""
        if identity is not PAGES and not keeps_versions:
            self._pages = DigestSet()
        self._bare: set[bytes] = set()
        """The digests of keys that have duplicates which add nothing."""
        self._runs: dict[str, dict[str | None, list[tuple[int, Entry]]]] = {}
        """By key and scope, the other duplicates: merged runs and their lengths."""
        self._held_back: dict[str, dict[str | None, Entry]] = {}
        """The same, merged wholly, for the second pass."""
        self._firsts: dict[str, dict[str | None, _Place]] = {}
        """Of the second pass: the places of the first entries."""

    @property
    def needs_second_pass(self) -> bool:
        """Did the first pass see what only a second one can settle?"""
        return not self.is_second_pass and (self.needs_merging or self.has_versions)

    def begin_second_pass(self) -> None:
        """Turn to merging what the first pass held back; as often as one likes."""
        self.is_second_pass = True
        for key, of_scopes in self._runs.items():
            self._held_back[key] = {
                scope: reduce(partial(merge, now=self._now), (entry for _, entry in runs))
                for scope, runs in of_scopes.items()
            }
        self._runs.clear()
        self._firsts = {}
        self.merged = 0

    # -- the first stage ----------------------------------------------------------------------

    @property
    def key(self) -> Callable[[Entry], str | None]:
        """Return what duplicates have in common; None: the entry is a duplicate of no other."""
        return self._identity.key

    def is_held_back(self, key: str | None) -> bool:
        """Return True if the first pass saw several entries of this key."""
        if key is None or not self._bare:
            return key in self._held_back
        return key in self._held_back or key_digest(key) in self._bare

    def versions(self, entry: Entry, report: Report, left_out: Callable[[int], None]) -> Entry:
        """Drop the language versions of an entry, in the second pass, unless all are there."""
        if self._keeps_versions:
            return entry
        if not self.is_second_pass:
            self.has_versions |= entry.loc is not None
            return entry
        return with_versions(entry, self._is_there, report, left_out)

    # -- the second stage ---------------------------------------------------------------------

    def is_new(self, item: Rendered) -> bool:
        """Take in an entry of the first pass; return False if its key was there before."""
        if self._pages is not None and item.loc:
            self._pages.add(digest(item.loc))
        key = item.key
        if key is None:
            return True
        places = self._first_places[_SHARD_OF[key[0]]]
        if key in places:
            return False
        sources = self._sources
        if not sources or sources[-1] != item.source:
            sources.append(item.source)
        places[key] = len(sources) << _LINE_BITS | (item.line or 0)
        return True

    def hold_back(self, item: Rendered) -> None:
        """Keep the entry of an item whose key was there before, and drop the item."""
        entry = item.entry
        if entry is None or item.key is None:
            raise TypeError("the entry of this item is in another process")
        item.is_dropped = True
        self.merged += 1
        key = self._identity.key(entry) or ""
        if _CONTENT(entry) == _NO_CONTENT:
            self._bare.add(item.key)
            place = self._first_places[_SHARD_OF[item.key[0]]][item.key]
            source = self._sources[(place >> _LINE_BITS) - 1]
            item.issues = (_duplicate(entry, (source, place & _MOST_LINE or None)),)
            return
        item.issues = ()
        self.needs_merging = True
        of_scopes = self._runs.setdefault(key, {})
        runs = of_scopes.setdefault(self._identity.scope(entry), [])
        # Runs of equal length are merged, so that an entry is copied log(n) times, not n times.
        length = 1
        while runs and runs[-1][0] == length:
            length, entry = 2 * length, merge(runs.pop()[1], entry, self._now)
        runs.append((length, entry))

    def settle(self, entry: Entry, report: Report) -> Entry | None:
        """Merge an entry of the second pass with its duplicates; None: it is not the first."""
        key = self._identity.key(entry) or ""
        copies = self._held_back.get(key, {})
        scope = self._identity.scope(entry)
        known = self._firsts.setdefault(key, {})
        if scope in known:
            self.merged += 1
            report(_duplicate(entry, known[scope]))
            return None
        place = (entry.feed.source if entry.feed else None, entry.line)
        known[scope] = place
        if scope in copies:
            entry = merge(entry, copies[scope], self._now)
        if self._identity.crosses(entry):
            for other, copy in copies.items():
                if other not in known and copy.loc == entry.loc:
                    entry = merge(entry, copy, self._now)
                    known[other] = place
        return entry

    def _is_there(self, loc: str) -> bool:
        if self._pages is not None:
            return digest(loc) in self._pages
        key = key_digest(loc)
        return key in self._first_places[_SHARD_OF[key[0]]]


def with_versions(
    entry: Entry,
    is_there: Callable[[str], bool],
    report: Report,
    left_out: Callable[[int], None] = lambda _: None,
) -> Entry:
    """Drop the language versions of an entry unless all of them are in the output.

    A sitemap's are kept as they are: whoever wrote it chose them. `left_out` is called with the
    number of versions in other languages that are dropped.
    """
    missing = [version for version in entry.alternates if not is_there(version.href)]
    if not missing:
        return entry
    kept = entry.feed is not None and entry.feed.format == "sitemap"
    fate = "kept as the sitemap gave them" if kept else "left out"
    message = f"the {missing[0].hreflang} version is not in the output; the versions are {fate}"
    report(
        Issue(
            code=Code.HREFLANG_INCOMPLETE,
            message=message,
            line=entry.line,
            path="link",
            entry=entry.loc,
        )
    )
    if kept:
        return entry
    left_out(sum(version.href != entry.loc for version in entry.alternates))
    return replace(entry, alternates=())


def _duplicate(entry: Entry, first: _Place) -> Issue:
    source, line = first
    place = printable(urls.hide_credentials(source), _MOST_NAME) if source else "an earlier entry"
    if line is not None:
        place = f"{place}:{line}" if source else f"line {line}"
    name = entry.loc or entry.id
    message = f"{urls.quoted(name or '')}: duplicate of {place}; the two entries are merged"
    return Issue(code=Code.URL_DUPLICATE, message=message, line=entry.line, entry=name)


def _video_key(video: Video) -> object:
    """Return the place of a video; without one, all that is said of it."""
    known = video.content_url or video.player_url or video.flash_url
    return known or repr(replace(video, line=None))


#: What tells the items of an entry apart.
_KEYS: Final[dict[str, Callable[[Any], object]]] = {
    "images": attrgetter("url"),
    "videos": _video_key,
    "audios": attrgetter("content_url"),
    "alternates": lambda version: version.hreflang.lower(),
}


def merge(first: Entry, second: Entry, now: datetime) -> Entry:
    """Unite two entries of one page, the first in the input keeping its place.

    The latest date wins, unless it lies in the future; pictures, videos and language versions
    are united; of news the newest; of all else, the first that says anything. It is associative,
    so it does not matter in which order three entries of a page are united.
    """
    learnt: dict[str, Any] = {
        name: getattr(second, name) for name in _FIELDS if getattr(first, name) in (None, ())
    }
    for name, key in _KEYS.items():
        learnt[name] = _unique(getattr(first, name) + getattr(second, name), key)
    identified = second if first.id is None else first
    return replace(
        replace(first, **learnt),
        id=identified.id,
        id_is_permalink=identified.id_is_permalink,
        mobile=first.mobile or second.mobile,
        published=_latest(first.published, second.published, now),
        updated=_latest(first.updated, second.updated, now),
        news=_newest(first.news, second.news),
        other=_added(first.other, second.other) if second.other else first.other,
    )


def _added(
    first: tuple[tuple[str, int], ...], second: tuple[tuple[str, int], ...]
) -> tuple[tuple[str, int], ...]:
    """Add up how often the elements that nothing reads were there."""
    counts = dict(first)
    for name, number in second:
        is_known = name in counts or len(counts) < MOST_OTHER
        kept = name if is_known else OTHER_REST
        counts[kept] = counts.get(kept, 0) + number
    return tuple(counts.items())


def renewed(known: Entry, fresh: Entry, now: datetime) -> Entry:
    """Unite what stands somewhere with what is new of the same page.

    What both say, the one that was changed last says, and of two from one time the new one. What
    stands there keeps its order, so that sources that come in turn do not turn it about.
    """
    is_stale = _is_later(known.updated or known.published, fresh.updated or fresh.published, now)
    united = merge(known, fresh, now) if is_stale else merge(fresh, known, now)
    media: dict[str, Any] = {
        name: _reordered(getattr(united, name), getattr(known, name), _KEYS[name])
        for name in ("images", "videos", "audios")
    }
    return replace(united, **media)


def _is_later(first: Moment | None, second: Moment | None, now: datetime) -> bool:
    latest = _latest(second, first, now)
    return first is not None and second is not None and latest is first


def _reordered(
    items: tuple[T, ...], before: tuple[T, ...], key: Callable[[T], object]
) -> tuple[T, ...]:
    """Give items in the order in which they stood before, and then those that are new."""
    if not before:
        return items
    places = {key(item): place for place, item in enumerate(before)}
    return tuple(sorted(items, key=lambda item: places.get(key(item), len(places))))


def _latest(first: Moment | None, second: Moment | None, now: datetime) -> Moment | None:
    """Give the latest date that a page can have; any other only where there is none such."""
    present = [moment for moment in (first, second) if moment is not None]
    usable = [m for m in present if not m.is_partial and dates.is_not_future(m, now)]
    return dates.latest(*usable) or next(iter(present), None)


def _newest(first: News | None, second: News | None) -> News | None:
    """Give the news that was published last; of two from one time, or without any, the first."""
    if first is None or second is None or second.published is None:
        return first or second
    key = dates.sort_key
    is_later = first.published is None or key(second.published) > key(first.published)
    return second if is_later else first


def _unique(items: tuple[T, ...], key: Callable[[T], object]) -> tuple[T, ...]:
    if len(items) < 2:
        return items
    found: dict[object, T] = {}
    for item in items:
        found.setdefault(key(item), item)
    return tuple(found.values())
