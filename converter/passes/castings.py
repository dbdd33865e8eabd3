"""Runs of entries that are rendered already, taken apart for sorting and joined again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from converter.model import Entry
from converter.record import replace
from converter.seams import Item, Listed, Ready, Trace

__all__ = ["Casting", "Castings", "Leaf"]

#: Of an entry, besides text and markup.
_CHARS: Final = 800
#: A run has no more entries than this: what is joined is held in memory.
_MOST_ENTRIES: Final = 256

Casting: TypeAlias = tuple[
    int,
    str,
    str,
    str,
    int,
    int,
    int,
    frozenset[str],
    str,
    tuple[tuple[str, bool], ...],
    Trace,
]
"""One entry: its home, then `loc`, text, markup, line, images, videos, prefixes, origin, what is
lost, trace. A plain tuple, for it goes through a file."""


class Leaf(NamedTuple):
    """Pages of a list: the number of the run that knows all else, pages, and lines."""

    home: int
    locs: list[str]
    texts: list[str] | None
    """None: they are the pages."""
    lines: Sequence[int]


_Home: TypeAlias = tuple[str | None, Callable[[str, int], Entry]]
"""What entries of one document have in common: its source, and what reads them again."""


class Castings:
    """Knows where entries came from; what is sorted holds only the number of it."""

    def __init__(self) -> None:
        self._homes: list[_Home] = []
        self._numbers: dict[_Home, int] = {}
        self._lists: list[Listed] = []
        """Of each list, a run without pages."""

    def of(self, run: Ready) -> list[Casting]:
        """Take a run apart."""
        places = range(len(run.locs))
        home = self._number_of((run.source, run.read))
        return list(
            zip(
                (home for _ in places),
                run.locs,
                run.texts,
                map(run.markup_of, places),
                map(run.line_of, places),
                run.images,
                run.videos,
                run.prefixes,
                run.origins,
                run.lost,
                run.traces,
                strict=True,
            )
        )

    @staticmethod
    def size_of(run: Ready) -> int:
        """Give the characters of all that is taken apart; markup and text are about as long."""
        return sum(map(len, run.texts)) * 2 + _CHARS * len(run.texts)

    def leaf(self, run: Listed) -> Leaf:
        """Give what is to be kept of a run of a list."""
        number = next((n for n, known in enumerate(self._lists) if known.stand == run.stand), None)
        if number is None:
            number = len(self._lists)
            self._lists.append(replace(run, locs=[], texts=[], lines=(), issues=()))
        return Leaf(number, run.locs, None if run.texts == run.locs else run.texts, run.lines)

    def _listed(self, leaf: Leaf) -> Listed:
        texts = leaf.locs if leaf.texts is None else leaf.texts
        return replace(self._lists[leaf.home], locs=leaf.locs, texts=texts, lines=leaf.lines)

    def joined(self, things: Iterable[Entry | Casting | Leaf]) -> Iterator[Item]:
        """Give entries as they are, and what stands between them as runs again."""
        held: list[Casting] = []
        for thing in things:
            if isinstance(thing, tuple) and not isinstance(thing, Leaf):
                if held and (thing[0] != held[0][0] or len(held) >= _MOST_ENTRIES):
                    yield self._run(held)
                    held = []
                held.append(thing)
                continue
            if held:
                yield self._run(held)
                held = []
            yield self._listed(thing) if isinstance(thing, Leaf) else thing
        if held:
            yield self._run(held)

    def _number_of(self, home: _Home) -> int:
        number = self._numbers.setdefault(home, len(self._homes))
        if number == len(self._homes):
            self._homes.append(home)
        return number

    def _run(self, castings: list[Casting]) -> Ready:
        homes, locs, texts, markups, lines, images, videos, prefixes, origins, lost, traces = map(
            list, zip(*castings, strict=True)
        )
        source, read = self._homes[homes[0]]
        return Ready(
            locs=locs,
            texts=texts,
            images=images,
            videos=videos,
            prefixes=prefixes,
            origins=origins,
            lost=lost,
            traces=traces,
            source=source,
            line_of=lines.__getitem__,
            markup_of=markups.__getitem__,
            read=read,
        )
