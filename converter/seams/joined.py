"""Texts that stand in one piece, and are taken apart only where somebody asks for single ones."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import overload

__all__ = ["Joined"]


class Joined(Sequence[str]):
    """What was written of some pages, as one text; or the pages themselves, told from that.

    Most runs of a list are written as they are, and of their pages only a few are looked at: to
    part and join them all would take as long as all else that is done to them.
    """

    __slots__ = ("_before", "_behind", "_count", "_ends", "_others", "whole")

    def __init__(
        self,
        whole: str,
        count: int,
        around: tuple[str, str],
        ends: array[int] | None = None,
        others: Mapping[int, str] | None = None,
    ) -> None:
        """Begin.

        Args:
            whole: all of it.
            count: of how many texts.
            around: what stands on both sides of each; nowhere else do these two meet.
            ends: of what is written of each; None: they are looked for when they are needed.
            others: texts that are other than what is written, by their places.
        """
        self.whole = whole
        self._count = count
        self._before, self._behind = around
        self._ends = ends
        self._others = others or {}

    @classmethod
    def of(cls, texts: Sequence[str], around: tuple[str, str], others: Mapping[int, str]) -> Joined:
        """Join what is written of some pages."""
        before, behind = around
        whole = f"{before}{(behind + before).join(texts)}{behind}" if texts else ""
        return cls(whole, len(texts), around, _ends_of(texts, around), others)

    @property
    def written(self) -> Joined:
        """What is written, whatever the texts are."""
        return self._like(self.whole, self._count, self._ends, {}) if self._others else self

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        texts = self._apart()
        for place, text in self._others.items():
            texts[place] = text
        return iter(texts)

    @overload
    def __getitem__(self, place: int, /) -> str: ...
    @overload
    def __getitem__(self, place: slice, /) -> Joined: ...
    def __getitem__(self, place: int | slice, /) -> str | Joined:
        if isinstance(place, slice):
            if place.step is not None:
                raise ValueError("only stretches can be cut out, without a step")
            return self._part(range(self._count)[place])
        if not 0 <= place < self._count:
            raise IndexError(place)
        if place in self._others:
            return self._others[place]
        stop = self._end(place) - len(self._behind)
        return self.whole[self._end(place - 1) + len(self._before) : stop]

    def without(self, places: Sequence[int]) -> Joined:
        """Give all but some, by their places in order."""
        starts = [0, *map(self._end, places)]
        stops = [*[self._end(place - 1) for place in places], len(self.whole)]
        whole = "".join([self.whole[a:b] for a, b in zip(starts, stops, strict=True)])
        gone = set(places)
        others = {
            at - bisect_left(places, at): text
            for at, text in self._others.items()
            if at not in gone
        }
        return self._like(whole, self._count - len(places), None, others)

    def _part(self, places: range) -> Joined:
        start, stop = places.start, places.stop
        begin = self._end(start - 1)
        whole = self.whole[begin : self._end(stop - 1)]
        others = {at - start: text for at, text in self._others.items() if at in places}
        ends = self._ends and array("I", [end - begin for end in self._ends[start:stop]])
        return self._like(whole, len(places), ends, others)

    def _like(
        self, whole: str, count: int, ends: array[int] | None, others: Mapping[int, str]
    ) -> Joined:
        return Joined(whole, count, (self._before, self._behind), ends, others)

    def _end(self, place: int) -> int:
        """Say where what is written of a text ends; before the first, that is the beginning."""
        if self._ends is None:
            self._ends = _ends_of(self._apart(), (self._before, self._behind))
        return self._ends[place] if place >= 0 else 0

    def _apart(self) -> list[str]:
        if not self._count:
            return []
        inner = self.whole[len(self._before) : len(self.whole) - len(self._behind)]
        return inner.split(self._behind + self._before)


def _ends_of(texts: Sequence[str], around: tuple[str, str]) -> array[int]:
    more = len(around[0]) + len(around[1])
    return array("I", accumulate([len(text) + more for text in texts]))
