"""Casts the entries of a slice of a document, as far as there are moulds for them.

It learns nothing, and remembers nothing but which mould was used most; so slices can be struck in
any order, and by other processes.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final, NamedTuple, TypeAlias

from converter.errors import MouldBroken
from converter.moulds.layout import SPACES, Layout, decoded
from converter.moulds.learn import agrees
from converter.moulds.mould import Cast, Mould
from converter.moulds.school import School
from converter.record import record

__all__ = ["Gap", "Press", "Run", "Struck"]

#: How many casts of a mould are compared with the plain way, and how often one is later.
_PROOFS: Final = 3
_PROOF_EVERY: Final = 8192


class Run(NamedTuple):
    """Casts that stand side by side; the lists have one item for each."""

    casts: list[Cast]
    moulds: list[int]
    """Numbers of moulds."""
    begins: list[int]
    """Where the markup begins in the slice, or white space before it."""
    end: int
    """Where the last one ends."""
    lines: int
    """The line breaks in all of it."""


class Gap(NamedTuple):
    """What goes the plain way: an entry, with the white space around it."""

    begin: int
    markup: str
    is_last: bool
    """It is no plain entry; nothing behind it is cast."""


Struck: TypeAlias = list[Run | Gap]
"""A slice, in order."""


@record(frozen=False, kw_only=False)
class _Shape:
    """Moulds of one pattern: they differ in whether the page is cleaned."""

    pattern: re.Pattern[str]
    origin: str
    page: int
    moulds: dict[bool, tuple[int, Mould]]
    hits: int = 0


class Press:
    """The moulds of one document."""

    def __init__(self, layout: Layout, school: School, excluded: Container[str]) -> None:
        """Begin without any.

        Args:
            layout: of the entries.
            school: knows the plain way.
            excluded: pages that are to go it.
        """
        self.layout = layout
        self.school = school
        self.moulds: list[Mould] = []
        self._excluded = excluded
        self._shapes: list[_Shape] = []
        self._until_proof = _PROOF_EVERY

    def add(self, mould: Mould) -> None:
        """Take one more mould, unless it is known."""
        key = (mould.pattern, mould.origin, mould.page)
        shape = next((s for s in self._shapes if (s.pattern, s.origin, s.page) == key), None)
        if shape is None:
            shape = _Shape(*key, {})
            self._shapes.append(shape)
        if mould.is_cleaned not in shape.moulds:
            shape.moulds[mould.is_cleaned] = len(self.moulds), mould
            self.moulds.append(mould)

    def strike(self, data: bytes) -> Struck | None:
        """Cast what can be cast of a slice; None: its text is not plain.

        Raises:
            MouldBroken: a cast was not what it should be.
        """
        text = decoded(data)
        if text is None:
            return None
        struck: Struck = []
        at = 0
        while at < len(text):
            run = self.run(text, at)
            if run.casts:
                struck.append(run)
                at = run.end
            if at < len(text):
                gap = self.gap(text, at)
                struck.append(gap)
                at += len(gap.markup)
        return struck

    def gap(self, text: str, at: int) -> Gap:
        """Take an entry as it is, with the white space around it."""
        start = at
        while start < len(text) and text[start] in SPACES:
            start += 1
        behind = self.layout.behind(text, start) if start < len(text) else start
        return Gap(at, text[at:behind], behind is None)

    def run(self, text: str, at: int) -> Run:
        """Cast entries one after the other, up to one that cannot be.

        Raises:
            MouldBroken: a cast was not what it should be.
        """
        run = Run([], [], [], at, 0)
        end = at
        while (found := self._cast(text, end)) is not None:
            cast, number, behind = found
            run.casts.append(cast)
            run.moulds.append(number)
            run.begins.append(end)
            end = behind
        return run._replace(end=end, lines=text.count("\n", at, end))

    def _cast(self, text: str, at: int) -> tuple[Cast, int, int] | None:
        """Cast one entry; give the number of its mould too, and where it ends."""
        pages, days = self.school.pages, self.school.days
        for place, shape in enumerate(self._shapes):
            fit = shape.pattern.match(text, at)
            if fit is None:
                continue
            values = fit.groups()
            page = pages.read(shape.origin, values[shape.page])
            if page is None or page[2] not in shape.moulds or page[0] in self._excluded:
                continue
            number, mould = shape.moulds[page[2]]
            body = mould.filled(values, page[0], days)
            if body is not None:
                self._count(place, shape)
                if mould.proven < _PROOFS or not self._until_proof:
                    self._prove(mould, fit[0].lstrip(SPACES))
                return (page[0], body, page[1]), number, fit.end()
        return None

    def _count(self, place: int, shape: _Shape) -> None:
        """Count a hit: the shapes that are met most are tried first."""
        self._until_proof -= 1
        shape.hits += 1
        if place and shape.hits > self._shapes[place - 1].hits:
            self._shapes[place - 1 : place + 1] = shape, self._shapes[place - 1]

    def _prove(self, mould: Mould, markup: str) -> None:
        self._until_proof = _PROOF_EVERY
        mould.proven += 1
        expected = self.school.teach(markup)
        if expected is None or not agrees(mould, markup, expected, self.school):
            raise MouldBroken
