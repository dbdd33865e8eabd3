"""Casts the entries of a slice of a document, as far as there are moulds for them.

Entries of one mould are cast together, value by value: what is asked of a hundred titles is asked
once. It learns nothing, and remembers nothing but which mould was used most; so slices can be
struck in any order, and by other processes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import compress, islice
from typing import Final, NamedTuple, TypeAlias, cast

from converter.errors import MouldBroken
from converter.moulds.layout import SPACES, Layout, decoded, start_of
from converter.moulds.learn import agrees
from converter.moulds.mould import BETWEEN, Mould, Note
from converter.moulds.school import School
from converter.record import record

__all__ = ["Gap", "Press", "Run", "Struck", "lines_before"]

#: How many casts of a mould are compared with the plain way, and how often one is later.
_PROOFS: Final = 3
_PROOF_EVERY: Final = 8192


class Run(NamedTuple):
    """Casts that stand side by side.

    Two long texts are sent from process to process in a third of the time of many short ones.
    """

    locs: str
    """Pages, parted by LF."""
    filled: str
    """What `parted` takes apart."""
    moulds: bytes
    """The number of each one's mould."""
    notes: dict[int, tuple[Note, ...]]
    """What is said of pages, by their places."""
    begins: list[int]
    """Where the markup begins in the slice, or white space before it; one more: where it ends."""
    lines: dict[int, int]
    """The line breaks before those of which there is something to say, by their places."""
    breaks: int
    """All line breaks in it."""


class Gap(NamedTuple):
    """What goes the plain way: an entry, with the white space around it."""

    begin: int
    markup: str
    is_last: bool = False
    """It is no plain entry; nothing behind it is cast."""
    is_excluded: bool = False
    """It would be cast, but was not to be."""


Struck: TypeAlias = list[Run | Gap]
"""A slice, in order."""


@record(frozen=False, kw_only=False)
class _Shape:
    """Moulds of one pattern: they differ in whether the page is cleaned."""

    pattern: re.Pattern[str]
    origin: str
    page: int
    moulds: dict[bool, int]
    hits: int = 0


class _Fits(NamedTuple):
    """Entries that fit a pattern."""

    places: list[int]
    """In the slice."""
    matches: list[re.Match[str]]


class _Batch(NamedTuple):
    """Entries for one mould."""

    places: list[int]
    values: list[tuple[str, ...]]
    locs: list[str]

    def without(self, numbers: Collection[int]) -> _Batch:
        """Give it without some, by their numbers in it."""
        if not numbers:
            return self
        kept = bytearray(b"\1") * len(self.places)
        for number in numbers:
            kept[number] = False
        return _Batch(
            list(compress(self.places, kept)),
            list(compress(self.values, kept)),
            list(compress(self.locs, kept)),
        )

    def add(self, place: int, values: tuple[str, ...], loc: str) -> None:
        self.places.append(place)
        self.values.append(values)
        self.locs.append(loc)


@record(frozen=False)
class _Slice:
    """A slice while it is struck; the lists have one item for each entry."""

    text: str
    begins: list[int]
    """One more: where the last entry ends. What is behind it is none."""
    locs: list[str]
    filled: list[str | None]
    """None: it was not cast."""
    moulds: bytearray
    notes: dict[int, tuple[Note, ...]]
    """What is said of pages, by their places."""
    is_told: bool
    """There is something to say of every entry."""
    excluded: set[int]
    """Places of entries that were not to be cast."""

    def markup(self, place: int) -> str:
        """Give an entry, with the white space around it."""
        return self.text[self.begins[place] : self.begins[place + 1]]

    def parts(self) -> Iterator[Run | Gap]:
        """Give it in order, what was cast in runs."""
        start, count = 0, len(self.filled)
        while start < count:
            stop = _index(self.filled, start)
            if start < stop:
                yield self._run(start, stop)
            if stop < count:
                is_excluded = stop in self.excluded
                yield Gap(self.begins[stop], self.markup(stop), is_excluded=is_excluded)
            start = stop + 1
        if self.begins[-1] < len(self.text):
            yield Gap(self.begins[-1], self.text[self.begins[-1] :], is_last=True)

    def _run(self, start: int, stop: int) -> Run:
        whole, begins = slice(start, stop), self.begins[start : stop + 1]
        notes = {at - start: noted for at, noted in self.notes.items() if start <= at < stop}
        told = range(stop - start) if self.is_told else sorted(notes)
        lines, breaks = lines_before(self.text, begins, told)
        return Run(
            locs="\n".join(self.locs[whole]),
            filled=BETWEEN.join(cast("list[str]", self.filled[whole])),
            moulds=bytes(self.moulds[whole]),
            notes=notes,
            begins=begins,
            lines=lines,
            breaks=breaks,
        )


def lines_before(
    text: str, begins: Sequence[int], places: Iterable[int]
) -> tuple[dict[int, int], int]:
    """Count the line breaks before some entries of a run, and in all of it."""
    lines, counted, at = {}, 0, begins[0]
    for place in places:
        start = text.find("<", begins[place])
        counted += text.count("\n", at, start)
        lines[place], at = counted, start
    return lines, counted + text.count("\n", at, begins[-1])


def _index(filled: list[str | None], start: int) -> int:
    """Find the first that was not cast; their number, if there is none."""
    try:
        return filled.index(None, start)
    except ValueError:
        return len(filled)


class Press:
    """The moulds of one document."""

    def __init__(self, layout: Layout, school: School, excluded: Collection[str]) -> None:
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

    def add(self, mould: Mould) -> bool:
        """Take one more mould; False: it is known."""
        key = (mould.pattern, mould.common.origin, mould.page)
        shape = next((s for s in self._shapes if (s.pattern, s.origin, s.page) == key), None)
        if shape is None:
            shape = _Shape(*key, {})
            self._shapes.append(shape)
        if mould.is_cleaned in shape.moulds:
            return False
        shape.moulds[mould.is_cleaned] = len(self.moulds)
        self.moulds.append(mould)
        return True

    def strike(self, data: bytes) -> Struck | None:
        """Cast what can be cast of a slice; None: its text is not plain.

        Raises:
            MouldBroken: a cast was not what it should be.
        """
        text = decoded(data)
        return None if text is None else self.struck(text)

    def struck(self, text: str, at: int = 0) -> Struck:
        """Cast what can be cast of a text from a place on.

        Raises:
            MouldBroken: a cast was not what it should be.
        """
        self._shapes.sort(key=lambda shape: -shape.hits)  # those that are met most come first
        begins, fitting = self._fitting(text, at)
        count = len(begins) - 1
        struck = _Slice(
            text=text,
            begins=begins,
            locs=[""] * count,
            filled=[None] * count,
            moulds=bytearray(count),
            notes={},
            is_told=any(mould.width > 1 for mould in self.moulds),
            excluded=set(),
        )
        for number, shape in enumerate(self._shapes):
            for place in self._cast(struck, shape, fitting[number]):
                if place in struck.excluded:
                    continue
                later = self._fit(text, begins[place], number + 1)
                if later and later[1].end() == begins[place + 1]:
                    fitting[later[0]].places.append(place)
                    fitting[later[0]].matches.append(later[1])
        return list(struck.parts())

    def _fitting(self, text: str, at: int) -> tuple[list[int], list[_Fits]]:
        """Find where entries begin, and where the last one ends; and what they fit first."""
        matches = [shape.pattern.match for shape in self._shapes]
        fitting = [_Fits([], []) for _ in matches]
        begins = [at]
        while at < len(text):
            for number, match in enumerate(matches):
                if (fit := match(text, at)) is not None:
                    fits = fitting[number]
                    fits.places.append(len(begins) - 1)
                    fits.matches.append(fit)
                    at = fit.end()
                    break
            else:
                behind = self._behind(text, at)
                if behind is None:
                    break
                at = behind
            begins.append(at)
        return begins, fitting

    def _behind(self, text: str, at: int) -> int | None:
        """Find the end of an entry, with the white space before it; None: it is not plain."""
        at = start_of(text, at)
        return self.layout.behind(text, at) if at < len(text) else at

    def _fit(self, text: str, at: int, first: int) -> tuple[int, re.Match[str]] | None:
        """Find the first of the later shapes that an entry fits."""
        for number in range(first, len(self._shapes)):
            if fit := self._shapes[number].pattern.match(text, at):
                return number, fit
        return None

    def _cast(self, struck: _Slice, shape: _Shape, fits: _Fits) -> list[int]:
        """Cast entries that fit a shape; give the places of those for which it is none."""
        if not fits.places:
            return []
        shape.hits += len(fits.places)
        values = [match.groups() for match in fits.matches]
        locs, odd = self.school.pages.read_all(shape.origin, [row[shape.page] for row in values])
        plain = _Batch(fits.places, values, locs).without(odd)
        cleaned = _Batch([], [], [])
        failed = []
        for number, page in odd.items():
            place = fits.places[number]
            if page is None:
                failed.append(place)
                continue
            loc, notes, is_cleaned = page
            if notes:
                struck.notes[place] = notes
            (cleaned if is_cleaned else plain).add(place, values[number], loc)
        for is_cleaned, batch in ((False, plain), (True, cleaned)):
            failed += self._cast_batch(struck, shape.moulds.get(is_cleaned), batch)
        for place in failed:
            struck.notes.pop(place, None)
        return failed

    def _cast_batch(self, struck: _Slice, number: int | None, batch: _Batch) -> list[int]:
        """Cast entries with a mould; give the places of those for which it is none."""
        if number is None or not batch.places:
            return batch.places
        mould = self.moulds[number]
        filled = mould.filled(batch.values, batch.locs, self.school.days)
        if self._excluded:
            excluded = [loc in self._excluded for loc in batch.locs]
            struck.excluded.update(compress(batch.places, excluded))
            filled = [None if out else it for out, it in zip(excluded, filled, strict=True)]
        for place, loc, text in zip(batch.places, batch.locs, filled, strict=True):
            struck.locs[place], struck.filled[place], struck.moulds[place] = loc, text, number
        self._check(mould, struck, batch.places)
        if None not in filled:
            return []
        return [place for place, text in zip(batch.places, filled, strict=True) if text is None]

    def _check(self, mould: Mould, struck: _Slice, places: Sequence[int]) -> None:
        """Compare some casts with the plain way: the first of a mould, and one now and then."""
        self._until_proof -= len(places)
        wanted = max(_PROOFS - mould.proven, int(self._until_proof <= 0))
        cast = (place for place in places if struck.filled[place] is not None)
        for place in islice(cast, wanted):
            self._until_proof = _PROOF_EVERY
            mould.proven += 1
            if not self._is_proven(mould, struck, place):
                raise MouldBroken

    def _is_proven(self, mould: Mould, struck: _Slice, place: int) -> bool:
        """Send an entry the plain way that was cast; say whether it comes out as it did here."""
        markup = struck.markup(place).strip(SPACES)
        expected = self.school.teach(markup)
        return (
            expected is not None
            and struck.locs[place] == expected.loc
            and struck.filled[place] == BETWEEN.join(expected.texts)
            and agrees(mould, markup, expected, self.school)
        )
