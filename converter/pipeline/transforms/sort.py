"""Sort entries by URL or date."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, Final, Literal

from converter.formats.base import Rendered, Spool
from converter.model import Entry, Feed, Moment
from converter.pipeline.external_sort import MEMORY_BYTES, ExternalSort
from converter.values import dates

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


# -- keys -------------------------------------------------------------------------------------


def _by_url(item: Rendered) -> str:
    return "\U0010ffff" if item.loc is None else item.loc  # after every URL


def sort_key(sort: Literal["input", "url", "newest"]) -> Callable[[Rendered], Any]:
    """Return the key of a sort: by URL, by date with the newest first, or none.

    Entries without a URL, or without a date, come last.
    """
    keys: dict[str, Callable[[Rendered], Any]] = {"url": _by_url, "newest": attrgetter("date")}
    return keys.get(sort, lambda _: 0)


def date_key(moment: Moment | None) -> int:
    """Return a number that orders moments as `dates.sort_key` does, newest first, None last."""
    if moment is None:
        return 1 << 63
    instant, precision = dates.sort_key(moment)
    passed = instant - _EPOCH
    return -((passed.days * 86_400 + passed.seconds) * 8 + precision)


# -- items as bytes ---------------------------------------------------------------------------

#: All fields of an item but its entry.
_ITEM_VALUES: Final = attrgetter(*(field.name for field in fields(Rendered)[:-1]))
_NAMES: Final = tuple(field.name for field in fields(Entry) if field.name != "feed")
_VALUES: Final = attrgetter(*_NAMES)
_DEFAULTS: Final = _VALUES(Entry())


class _Serialiser:
    """Turns items into bytes and back, with the set fields of entries; headers stay in memory."""

    def __init__(self) -> None:
        self._numbers: dict[Feed | None, int] = {}
        self._feeds: list[Feed | None] = []

    def dump(self, item: Rendered) -> bytes:
        row, entry = _ITEM_VALUES(item), None
        if not item.is_rendered and item.entry is not None:
            values = _VALUES(item.entry)
            is_set = map(is_not, values, _DEFAULTS)
            present = dict(compress(zip(_NAMES, values, strict=True), is_set))
            entry = self._number(item.entry.feed), present
        return pickle.dumps((row, entry), pickle.HIGHEST_PROTOCOL)

    def load(self, data: bytes) -> Rendered:
        row, entry = pickle.loads(data)  # noqa: S301  of our own process
        item = Rendered(*row)
        if entry is not None:
            number, values = entry
            item.entry = Entry(feed=self._feeds[number], **values)
        return item

    def _number(self, feed: Feed | None) -> int:
        if self._feeds and self._feeds[-1] is feed:
            return len(self._feeds) - 1
        number = self._numbers.setdefault(feed, len(self._feeds))
        if number == len(self._feeds):
            self._feeds.append(feed)
        return number


# -- sorting ----------------------------------------------------------------------------------


def ordered(
    items: Iterable[Rendered],
    key: Callable[[Rendered], Any],
    spool: Spool,
    memory_bytes: int = MEMORY_BYTES,
) -> Iterator[Rendered]:
    """Yield entries by a key in bounded memory; those with equal keys keep their order."""
    serialiser = _Serialiser()
    with ExternalSort(spool, memory_bytes) as rows:
        for item in items:
            rows.add(key(item), serialiser.dump(item))
        for _, data in rows:
            yield serialiser.load(data)
