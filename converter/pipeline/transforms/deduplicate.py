"""Merge entries that are the same: those of one page, or the items of one id (mapping 6.2).

A first pass keeps a digest of each entry's key (`identity`) and lets the first entry of each key
through. A later one may know more than the first, which is written already: its content is kept,
and a second pass over the input merges it into the first. So memory grows with the duplicates, not
with the input. A duplicate that has only its URL, as each line of a list, is dropped at once; if
there are no others, the output of the first pass is final. The second pass also decides about the
language versions of a page, which are written only if every version is in the output (mapping 3.4).
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
from converter.pipeline.transforms.entry_identity import PAGES, Identity
from converter.values import dates, urls
from converter.values.digests import DigestSet, digest

T = TypeVar("T")

#: Characters of a source's name in a message.
_MAX_NAME: Final = 500

#: The position of an entry is one number: the number of its source, and 40 bits for the line.
_LINE_BITS: Final = 40
_MAX_LINE: Final = (1 << _LINE_BITS) - 1

#: The dict of a digest by its first byte. Python grows a dict by copying it into one of twice the
#: size; 16 dicts of unequal sizes do not grow at the same time.
_SHARD_OF: Final = bytes(int(16 * log2(1 + byte / 256)) for byte in range(256))

_Position: TypeAlias = tuple[str | None, int | None]
"""The source and the line of an entry."""

_FIELDS: Final = tuple(field.name for field in fields(Entry))

#: The fields with the content of an entry.
_CONTENT: Final = attrgetter(*(name for name in _FIELDS if name not in {"loc", "line", "feed"}))
_NO_CONTENT: Final = _CONTENT(Entry())


def key_digest(key: str) -> bytes:
    """Return 120 bits that identify a key: too many for two keys to share them."""
    return blake2b(key.encode(errors="surrogatepass"), digest_size=15).digest()


class Deduplicator:
    """Finds and merges duplicates, and drops language versions that are not in the output.

    `key`, `has_duplicates` and `versions` belong to the first stage.
    """

    def __init__(
        self, now: datetime, *, identity: Identity = PAGES, keeps_versions: bool = False
    ) -> None:
        """Begin the first pass; `keeps_versions` keeps versions that are not in the output."""
        self.merged = 0
        """How many entries were merged with an earlier one, in the present pass."""
        self.is_second_pass = False
        self.has_versions = False
        """The first pass found versions of pages in other languages."""
        self._needs_merging = False
        """The first pass found a duplicate with content."""
        self._now = now
        self._keeps_versions = keeps_versions
        self._identity = identity
        self._positions = [dict[bytes, int]() for _ in range(16)]
        """The position of the first entry by the digest of its key, in 16 dicts."""
        self._sources: list[str | None] = []
        """The sources in positions; a source may have several numbers."""
        self._pages: DigestSet | None = None
        """Digests of all pages, where the keys are not the pages."""
        if identity is not PAGES and not keeps_versions:
            self._pages = DigestSet()
        self._empty: set[bytes] = set()
        """The digests of keys with duplicates without content."""
        self._runs: dict[str, dict[str | None, list[tuple[int, Entry]]]] = {}
        """By key and scope, the other duplicates: merged runs and their lengths."""
        self._copies: dict[str, dict[str | None, Entry]] = {}
        """By key and scope, all duplicates but the first merged into one, for the second pass."""
        self._firsts: dict[str, dict[str | None, _Position]] = {}
        """By key and scope, the positions of the first entries in the second pass."""

    @property
    def needs_second_pass(self) -> bool:
        """Return True if the first pass found what only a second one can complete."""
        return not self.is_second_pass and (self._needs_merging or self.has_versions)

    def begin_second_pass(self) -> None:
        """Prepare to merge the duplicates that the first pass found; it can be repeated."""
        self.is_second_pass = True
        for key, of_scopes in self._runs.items():
            self._copies[key] = {
                scope: reduce(partial(merge, now=self._now), (entry for _, entry in runs))
                for scope, runs in of_scopes.items()
            }
        self._runs.clear()
        self._firsts = {}
        self.merged = 0

    # -- the first stage ----------------------------------------------------------------------

    @property
    def key(self) -> Callable[[Entry], str | None]:
        """Return the function that returns what duplicates have in common; see `Identity.key`."""
        return self._identity.key

    def has_duplicates(self, key: str) -> bool:
        """Return True if the first pass found several entries of this key."""
        return key in self._copies or (bool(self._empty) and key_digest(key) in self._empty)

    def versions(self, entry: Entry, report: Report, left_out: Callable[[int], None]) -> Entry:
        """Drop the language versions of an entry, in the second pass, if one is missing."""
        if self._keeps_versions:
            return entry
        if not self.is_second_pass:
            self.has_versions |= entry.loc is not None
            return entry
        return with_versions(entry, self.is_in_output, report, left_out)

    # -- the second stage ---------------------------------------------------------------------

    def is_new(self, item: Rendered) -> bool:
        """Add an entry of the first pass; return False if it is a duplicate."""
        if self._pages is not None and item.loc:
            self._pages.add(digest(item.loc))
        key = item.key
        if key is None:
            return True
        positions = self._positions[_SHARD_OF[key[0]]]
        if key in positions:
            return False
        sources = self._sources
        if not sources or sources[-1] != item.source:
            sources.append(item.source)
        positions[key] = len(sources) << _LINE_BITS | (item.line or 0)
        return True

    def add_duplicate(self, item: Rendered) -> None:
        """Keep the content of a duplicate of the first pass, and drop the item."""
        entry = item.entry
        if entry is None or item.key is None:
            raise TypeError("the entry of this item is in another process")
        item.is_dropped = True
        self.merged += 1
        key = self._identity.key(entry) or ""
        if _CONTENT(entry) == _NO_CONTENT:
            self._empty.add(item.key)
            position = self._positions[_SHARD_OF[item.key[0]]][item.key]
            source = self._sources[(position >> _LINE_BITS) - 1]
            item.issues = (_duplicate(entry, (source, position & _MAX_LINE or None)),)
            return
        item.issues = ()
        self._needs_merging = True
        of_scopes = self._runs.setdefault(key, {})
        runs = of_scopes.setdefault(self._identity.scope(entry), [])
        # Runs of equal length are merged, so that an entry is copied log(n) times, not n times.
        length = 1
        while runs and runs[-1][0] == length:
            length, entry = 2 * length, merge(runs.pop()[1], entry, self._now)
        runs.append((length, entry))

    def merge_duplicates(self, entry: Entry, report: Report) -> Entry | None:
        """Merge an entry of the second pass with its duplicates; None if it is not the first."""
        key = self._identity.key(entry) or ""
        copies = self._copies.get(key, {})
        scope = self._identity.scope(entry)
        firsts = self._firsts.setdefault(key, {})
        if scope in firsts:
            self.merged += 1
            report(_duplicate(entry, firsts[scope]))
            return None
        firsts[scope] = position = (entry.feed.source if entry.feed else None, entry.line)
        if scope in copies:
            entry = merge(entry, copies[scope], self._now)
        if self._identity.crosses(entry):
            for other, copy in copies.items():
                if other not in firsts and copy.loc == entry.loc:
                    entry = merge(entry, copy, self._now)
                    firsts[other] = position
        return entry

    def is_in_output(self, loc: str) -> bool:
        """Return True if the first pass found an entry of this page."""
        if self._pages is not None:
            return digest(loc) in self._pages
        key = key_digest(loc)
        return key in self._positions[_SHARD_OF[key[0]]]


def with_versions(
    entry: Entry,
    is_in_output: Callable[[str], bool],
    report: Report,
    left_out: Callable[[int], None],
) -> Entry:
    """Drop the language versions of an entry if one of them is not in the output.

    The versions in a sitemap are kept: its author chose them. `left_out` takes the number of
    versions in other languages that are dropped.
    """
    missing = [version for version in entry.alternates if not is_in_output(version.href)]
    if not missing:
        return entry
    kept = entry.feed is not None and entry.feed.format == "sitemap"
    fate = "kept as they are in the sitemap" if kept else "left out"
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


def _duplicate(entry: Entry, first: _Position) -> Issue:
    source, line = first
    place = printable(urls.hide_credentials(source), _MAX_NAME) if source else "an earlier entry"
    if line is not None:
        place = f"{place}:{line}" if source else f"line {line}"
    name = entry.loc or entry.id
    message = f"{urls.quoted(name or '')}: duplicate of {place}; the two entries are merged"
    return Issue(code=Code.URL_DUPLICATE, message=message, line=entry.line, entry=name)


def _video_key(video: Video) -> object:
    """Return the URL of a video, or all its values if it has no URL."""
    url = video.content_url or video.player_url
    return url or repr(replace(video, line=None))


#: What identifies the items of an entry.
_KEYS: Final[dict[str, Callable[[Any], object]]] = {
    "images": attrgetter("url"),
    "videos": _video_key,
    "audios": attrgetter("content_url"),
    "alternates": lambda version: version.hreflang.lower(),
}


def merge(first: Entry, second: Entry, now: datetime) -> Entry:
    """Merge two entries of one page, of which `first` comes first in the input.

    The result has the latest date that is not in the future, the newest news, the images, videos
    and language versions of both, and the first value of each other field. Merging is associative:
    three entries of a page may be merged in any order.
    """
    values: dict[str, Any] = {
        name: getattr(second, name) for name in _FIELDS if getattr(first, name) in (None, ())
    }
    for name, key in _KEYS.items():
        values[name] = _unique(getattr(first, name) + getattr(second, name), key)
    identified = second if first.id is None else first
    return replace(
        replace(first, **values),
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
    """Add up the numbers of elements that no reader reads."""
    counts = dict(first)
    for name, number in second:
        is_known = name in counts or len(counts) < MOST_OTHER
        kept = name if is_known else OTHER_REST
        counts[kept] = counts.get(kept, 0) + number
    return tuple(counts.items())


def renewed(known: Entry, fresh: Entry, now: datetime) -> Entry:
    """Merge an existing entry with a new entry of the same page.

    The values of the entry that was changed last come first; at equal times, those of the new one.
    Existing media keep their order, whichever of several sources an update reads.
    """
    is_stale = _is_later(known.updated or known.published, fresh.updated or fresh.published, now)
    merged = merge(known, fresh, now) if is_stale else merge(fresh, known, now)
    media: dict[str, Any] = {
        name: _reordered(getattr(merged, name), getattr(known, name), _KEYS[name])
        for name in ("images", "videos", "audios")
    }
    return replace(merged, **media)


def _is_later(first: Moment | None, second: Moment | None, now: datetime) -> bool:
    latest = _latest(second, first, now)
    return first is not None and second is not None and latest is first


def _reordered(
    items: tuple[T, ...], before: tuple[T, ...], key: Callable[[T], object]
) -> tuple[T, ...]:
    """Return items in the order of `before`, followed by new ones."""
    if not before:
        return items
    places = {key(item): place for place, item in enumerate(before)}
    return tuple(sorted(items, key=lambda item: places.get(key(item), len(places))))


def _latest(first: Moment | None, second: Moment | None, now: datetime) -> Moment | None:
    """Return the latest complete date that is not in the future, or else the first date."""
    present = [moment for moment in (first, second) if moment is not None]
    usable = [m for m in present if not m.is_partial and dates.is_not_future(m, now)]
    return dates.latest(*usable) or next(iter(present), None)


def _newest(first: News | None, second: News | None) -> News | None:
    """Return the news that was published last, or `first` at equal or unknown times."""
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
