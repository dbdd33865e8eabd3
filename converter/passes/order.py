"""Entries in another order than the input's, in bounded memory: an external merge sort."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from operator import le
from typing import Any, BinaryIO, Final, Literal, TypeAlias, cast

from converter.model import Entry, Moment, Precision
from converter.passes.castings import Castings, Columns, Leaf
from converter.record import replace
from converter.seams import Item, Listed, Ready, Spool
from converter.values import dates

__all__ = ["ordered"]

_Key: TypeAlias = Any
_Keyed: TypeAlias = tuple[list[_Key], Columns]
"""Of some entries, what they are sorted by, and themselves."""

_MAX_RUNS = 64
"""So many are merged at once: each is an open file, and a block in memory."""
_BLOCK = 16
"""Entries that are written as one: they share the header that they point to."""
_ENTRY_CHARS: Final = 4 * 1024
"""What an entry is reckoned at; of those that are rendered already the size is known."""
_PART_FOR_UNDATED: Final = 8
"""Of what may be held in memory, one such part is for what has no date."""
_MOST_LAID: Final = 64
"""Of that, so many entries are read back at once."""

_DAY: Final = "2024-12-31"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def ordered(
    entries: Iterable[Item],
    sort: Literal["input", "url", "newest"],
    lastmod_of: Callable[[Entry], Moment | None],
    spool: Spool,
    max_in_memory: int = 2_000,
) -> Iterator[Item]:
    """Order entries by URL, or by date with the newest first; equals stay in the input's order.

    What has no URL, or no date, comes last. Up to `max_in_memory` entries are sorted in memory;
    past that, sorted runs go to spooled files and are merged. Input that is in order already
    makes one run, which is read back and not merged; what has no date is not sorted at all.
    """
    if sort == "input":
        return iter(entries)
    castings, size = Castings(), max_in_memory * _ENTRY_CHARS
    if sort == "url":
        plain = cast("Iterable[Entry | Ready]", entries)  # runs of lists keep their order
        chunks = _Chunks(_keyed(plain, _by_url, _urls_of, castings), size)
        return castings.joined(columns for _, columns in _sorted(chunks, spool))
    undated = _Undated(castings, size // _PART_FOR_UNDATED, spool)
    dated = undated.aside(entries, lastmod_of)
    keyed = _keyed(dated, lambda entry: _by_date(lastmod_of(entry)), _dates_of, castings)
    return castings.joined(_newest_first(_Chunks(keyed, size - size // _PART_FOR_UNDATED), undated))


def _newest_first(chunks: _Chunks, undated: _Undated) -> Iterator[Columns | Leaf]:
    with undated:
        for _, columns in _sorted(chunks, undated.spool):
            yield columns
        yield from undated


# -- keys -------------------------------------------------------------------------------------


def _keyed(
    items: Iterable[Entry | Ready],
    key_of: Callable[[Entry], _Key],
    keys_of: Callable[[Ready], list[_Key]],
    castings: Castings,
) -> Iterator[tuple[int, _Keyed]]:
    """Give what each item adds to the sorting, and how large it is."""
    for item in items:
        if isinstance(item, Ready):
            yield castings.size_of(item), (keys_of(item), castings.of(item))
        else:
            yield _ENTRY_CHARS, ([key_of(item)], castings.entry(item))


def _by_url(entry: Entry) -> tuple[bool, str]:
    return (entry.loc is None, entry.loc or "")


def _urls_of(run: Ready) -> list[tuple[bool, str]]:
    return [(False, loc) for loc in run.locs]


def _by_date(moment: Moment | None) -> int:
    """Number moments as `dates.sort_key` orders them, the newest lowest."""
    if moment is None:
        raise TypeError("what has no date is not sorted")
    instant, precision = dates.sort_key(moment)
    return -(_seconds(instant) * 8 + precision)


def _dates_of(run: Ready) -> list[int]:
    return list(map(_by_written, run.moments))


def _by_written(moment: str) -> int:
    if len(moment) == len(_DAY):
        instant = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        return -(_seconds(instant) * 8 + Precision.DAY)
    return -(int(datetime.fromisoformat(moment).timestamp()) * 8 + Precision.SECOND)


def _seconds(instant: datetime) -> int:
    passed = instant - _EPOCH
    return passed.days * 86_400 + passed.seconds


# -- what is not sorted -----------------------------------------------------------------------


class _Undated:
    """What has no date: it comes last, in the input's order."""

    def __init__(self, castings: Castings, size: int, spool: Spool) -> None:
        self.spool = spool
        self._castings = castings
        self._size = size
        self._held: list[Columns | Leaf] = []
        self._chars = 0
        self._file: BinaryIO | None = None

    def __enter__(self) -> None:
        """Nothing is opened before there is much."""

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def aside(
        self, items: Iterable[Item], lastmod_of: Callable[[Entry], Moment | None]
    ) -> Iterator[Entry | Ready]:
        """Give what has a date, and lay the rest aside."""
        for item in items:
            if isinstance(item, Ready):
                yield from self._parted(item)
            elif isinstance(item, Listed):
                self._lay(self._castings.leaf(item), sum(map(len, item.locs)))
            elif lastmod_of(item) is None:
                self._lay(self._castings.entry(item), _ENTRY_CHARS)
            else:
                yield item

    def _parted(self, run: Ready) -> Iterator[Ready]:
        """Part a run in two; nearly always one of them is empty."""
        undated = [place for place, moment in enumerate(run.moments) if not moment]
        if len(undated) < len(run.moments):
            dated = replace(run)
            if undated:
                dated.keep([place for place, moment in enumerate(run.moments) if moment])
            yield dated
        if undated:
            run.keep(undated)
            self._lay(self._castings.of(run), self._castings.size_of(run))

    def _lay(self, thing: Columns | Leaf, chars: int) -> None:
        last = self._held[-1] if self._held else None
        if isinstance(thing, Leaf) or isinstance(last, Leaf | None) or len(last[0]) >= _BLOCK:
            self._held.append(thing)
        else:
            for column, more in zip(last, thing, strict=True):
                column.extend(more)
        self._chars += chars
        if self._chars >= self._size:
            self._spill()

    def _spill(self) -> None:
        import pickle

        if self._file is None:
            self._file = self.spool()
        for thing in self._held:
            for part in (thing,) if isinstance(thing, Leaf) else _cuts(thing, _MOST_LAID):
                pickle.dump(part, self._file, pickle.HIGHEST_PROTOCOL)
        self._held.clear()
        self._chars = 0

    def __iter__(self) -> Iterator[Columns | Leaf]:
        if self._file is not None:
            yield from _unpickled(self._file)
        yield from self._held


def _cuts(columns: Columns, size: int) -> Iterator[Columns]:
    for start in range(0, len(columns[0]), size):
        yield tuple(column[start : start + size] for column in columns)


def _unpickled(file: BinaryIO) -> Iterator[Any]:
    """Give what was written, from the beginning."""
    import pickle

    file.seek(0)
    with suppress(EOFError):
        while True:
            yield pickle.load(file)  # noqa: S301 - we wrote it, no one else can


# -- sorting ----------------------------------------------------------------------------------


class _Chunks:
    """The input in sorted pieces that fit into memory."""

    def __init__(self, pieces: Iterator[tuple[int, _Keyed]], size: int) -> None:
        self._pieces = pieces
        self._size = size
        self.are_over = False
        """The piece that was given last is the last one."""

    def __iter__(self) -> Iterator[tuple[int, _Keyed]]:
        """Give each with the number of entries that make a block."""
        chunk: _Keyed = [], Castings.none()
        chars = 0
        for more, (keys, columns) in self._pieces:
            if chars >= self._size:
                yield _block(chunk, chars), _in_order(chunk)
                chunk, chars = ([], Castings.none()), 0
            _extend(chunk, (keys, columns))
            chars += more
        self.are_over = True
        if chars:
            yield _block(chunk, chars), _in_order(chunk)


def _block(chunk: _Keyed, chars: int) -> int:
    return max(1, _BLOCK * _ENTRY_CHARS * len(chunk[0]) // chars)


def _in_order(chunk: _Keyed) -> _Keyed:
    """Sort entries; most feeds have them in order."""
    keys, columns = chunk
    if all(map(le, keys, keys[1:])):
        return chunk
    places = sorted(range(len(keys)), key=keys.__getitem__)
    for column in (keys, *columns):  # in place: what was is not held beside what is
        column[:] = map(column.copy().__getitem__, places)
    return chunk


def _cut(keyed: _Keyed, start: int, stop: int) -> _Keyed:
    keys, columns = keyed
    return keys[start:stop], tuple(column[start:stop] for column in columns)


class _Run:
    """Sorted entries in a spooled file: first written, then read once."""

    def __init__(self, file: BinaryIO, level: int = 0) -> None:
        self._file = file
        self.level = level
        """How often its entries were merged already."""
        self.block = 1
        """How many were written as one, last."""
        self.last: _Key = None

    def extend(self, keyed: _Keyed, block: int) -> None:
        import pickle

        self.block, self.last = block, keyed[0][-1]
        for start in range(0, len(keyed[0]), block):
            pickle.dump(_cut(keyed, start, start + block), self._file, pickle.HIGHEST_PROTOCOL)

    def __iter__(self) -> Iterator[_Keyed]:
        yield from _unpickled(self._file)
        self._file.close()


def _sorted(chunks: _Chunks, spool: Spool) -> Iterator[_Keyed]:
    with ExitStack() as files:
        runs: list[_Run] = []
        for block, chunk in chunks:
            if chunks.are_over and not runs:
                yield chunk
                return
            if not (runs and runs[-1].last <= chunk[0][0]):
                _make_room(runs, lambda: files.enter_context(spool()))
                runs.append(_Run(files.enter_context(spool())))
            runs[-1].extend(chunk, block)
            for column in chunk[1]:
                column.clear()  # before the next one is made
        yield from _merged(runs)


def _merged(runs: list[_Run]) -> Iterator[_Keyed]:
    """Merge; of equals those of an earlier run come first.

    Of each run a block is at hand. Whatever is not at hand comes behind the last entry of one of
    them; all that comes before that is put in order at once.
    """
    rests = [iter(run) for run in runs]
    blocks = {number: (next(rest), 0) for number, rest in enumerate(rests)}
    while blocks:
        last, first_run = min((keys[-1], number) for number, ((keys, _), _) in blocks.items())
        gathered: _Keyed = [], Castings.none()
        for number, (block, start) in tuple(blocks.items()):
            bisect = bisect_right if number <= first_run else bisect_left
            stop = bisect(block[0], last, start)
            _extend(gathered, _cut(block, start, stop))
            blocks[number] = block, stop
            if stop == len(block[0]):
                following = next(rests[number], None)
                if following is None:
                    del blocks[number]
                else:
                    blocks[number] = following, 0
        yield _in_order(gathered)


def _extend(keyed: _Keyed, more: _Keyed) -> None:
    keyed[0].extend(more[0])
    for column, added in zip(keyed[1], more[1], strict=True):
        column.extend(added)


def _make_room(runs: list[_Run], spool: Spool) -> None:
    """Merge the last runs into one of the next level wherever there are enough of one level."""
    while len(runs) >= _MAX_RUNS and runs[-_MAX_RUNS].level == runs[-1].level:
        several = runs[-_MAX_RUNS:]
        merged, block = _Run(spool(), level=runs[-1].level + 1), min(run.block for run in several)
        for keyed in _gathered(_merged(several), block):
            merged.extend(keyed, block)
        runs[-_MAX_RUNS:] = [merged]


def _gathered(pieces: Iterable[_Keyed], least: int) -> Iterator[_Keyed]:
    """Put short stretches together, to so many entries at least."""
    held: _Keyed = [], Castings.none()
    for keys, columns in pieces:
        _extend(held, (keys, columns))
        if len(held[0]) >= least:
            yield held
            held = [], Castings.none()
    if held[0]:
        yield held
