"""Entries in columns, for sorting: what is rendered already is taken apart, and joined again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias

from converter.model import Entry
from converter.record import replace
from converter.seams import Common, Item, Listed, Ready

__all__ = ["Castings", "Columns", "Leaf"]

#: Of an entry, besides text and markup.
_CHARS: Final = 800
#: Of what a writer has to say of one, each time.
_TOLD_CHARS: Final = 300
#: A run has no more entries than this: what is joined is held in memory.
_MOST_ENTRIES: Final = 256

Columns: TypeAlias = tuple[list[Any], ...]
"""Of some entries: their homes, then `loc`, text, markup, line, mould, moment, id, update and
messages. Of an entry that is not rendered yet, itself instead of a text."""

_WIDTH: Final = 10
_TEXT: Final = 2
#: The home of entries that are not rendered.
_NOWHERE: Final = -1


class Leaf(NamedTuple):
    """Pages of a list: the number of the run that knows all else, pages, and lines."""

    home: int
    locs: Sequence[str]
    texts: Sequence[str] | None
    """None: they are the pages."""
    lines: Sequence[int]


_Home: TypeAlias = tuple[str | None, Callable[[str, int], Entry]]
"""What entries of one document have in common: its source, and what reads them again."""


class Castings:
    """Knows where entries came from; what is sorted holds only the number of it."""

    def __init__(self) -> None:
        self._homes: list[_Home] = []
        self._numbers: dict[_Home, int] = {}
        self._common: list[Sequence[Common]] = []
        """Of each home, what entries of its moulds have in common, as far as they are known."""
        self._lists: list[Listed] = []
        """Of each list, a run without pages."""

    @staticmethod
    def none() -> Columns:
        """Give columns that are to be filled."""
        return tuple([] for _ in range(_WIDTH))

    @staticmethod
    def entry(entry: Entry) -> Columns:
        """Give an entry that is not rendered."""
        return ([_NOWHERE], [None], [entry], *([None] for _ in range(_TEXT + 1, _WIDTH)))

    def of(self, run: Ready) -> Columns:
        """Take a run apart."""
        count = len(run.locs)
        home = self._number_of((run.source, run.read))
        self._common[home] = max(self._common[home], run.common, key=len)
        return (
            [home] * count,
            run.locs,
            run.texts,
            list(map(run.markup_of, range(count))),
            list(map(run.line_of, range(count))),
            list(run.moulds),
            run.moments or [None] * count,
            run.ids or [None] * count,
            run.updates or [None] * count,
            run.messages or [None] * count,
        )

    @staticmethod
    def size_of(run: Ready) -> int:
        """Give the characters of all that is taken apart; markup and text are about as long."""
        told = len(run.messages[0]) if run.messages else 0
        return sum(map(len, run.texts)) * 2 + (_CHARS + _TOLD_CHARS * told) * len(run.texts)

    def leaf(self, run: Listed) -> Leaf:
        """Give what is to be kept of a run of a list."""
        number = next((n for n, known in enumerate(self._lists) if known.stand == run.stand), None)
        if number is None:
            number = len(self._lists)
            self._lists.append(replace(run, locs=[], texts=[], lines=(), issues=()))
        return Leaf(number, run.locs, None if run.texts == run.locs else run.texts, run.lines)

    def joined(self, pieces: Iterable[Columns | Leaf]) -> Iterator[Item]:
        """Give entries as they are, and what stands between them as runs again."""
        held = self.none()
        for piece in pieces:
            for home, part in _by_home(piece):
                if held[0] and (home != held[0][0] or len(held[0]) >= _MOST_ENTRIES):
                    yield self._run(held)
                    held = self.none()
                if isinstance(part, Leaf):
                    yield self._listed(part)
                elif home == _NOWHERE:
                    yield from part[_TEXT]
                else:
                    for column, more in zip(held, part, strict=True):
                        column.extend(more)
        if held[0]:
            yield self._run(held)

    def _number_of(self, home: _Home) -> int:
        number = self._numbers.setdefault(home, len(self._homes))
        if number == len(self._homes):
            self._homes.append(home)
            self._common.append(())
        return number

    def _listed(self, leaf: Leaf) -> Listed:
        texts = leaf.locs if leaf.texts is None else leaf.texts
        return replace(self._lists[leaf.home], locs=leaf.locs, texts=texts, lines=leaf.lines)

    def _run(self, columns: Columns) -> Ready:
        homes, locs, texts, markups, lines, moulds, *asked = columns
        moments, ids, updates, messages = ([] if each[0] is None else each for each in asked)
        source, read = self._homes[homes[0]]
        return Ready(
            locs=locs,
            texts=texts,
            moulds=moulds,
            common=self._common[homes[0]],
            moments=moments,
            ids=ids,
            updates=updates,
            messages=messages,
            source=source,
            line_of=lines.__getitem__,
            markup_of=markups.__getitem__,
            read=read,
        )


def _by_home(piece: Columns | Leaf) -> Iterator[tuple[int | None, Columns | Leaf]]:
    """Part columns where their homes change; a list has none that another thing could have."""
    if isinstance(piece, Leaf):
        yield None, piece
        return
    homes, at = piece[0], 0
    if homes.count(homes[0]) == len(homes):
        yield homes[0], piece
        return
    for home, several in groupby(homes):
        behind = at + len(list(several))
        yield home, tuple(column[at:behind] for column in piece)
        at = behind
