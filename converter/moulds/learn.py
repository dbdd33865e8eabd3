"""Making a mould of one entry: by asking the plain way what becomes of others like it.

An entry of the same markup, with values that occur nowhere else, is sent the plain way. Where one
of these values comes out, there is a slot; the rest of what comes out is the template. Values of
another sort must then give what the template says, and so must the entry itself; else no mould is
made. So a mould knows nothing of formats, and whatever a reader, a pass or a writer does with an
entry, the mould does too.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import NamedTuple

from converter.moulds.gaps import Gaps
from converter.moulds.kinds import HTML
from converter.moulds.mould import BETWEEN, FIRST_MESSAGE, Mould, Take
from converter.moulds.pieces import pieces_of
from converter.moulds.school import Outcome, School
from converter.moulds.ways import Way, cut, loc_ways, said, written

__all__ = ["agrees", "learn"]


def learn(markup: str, school: School) -> Mould | None:
    """Make the mould of an entry; None: there is none, or it could not be made sure."""
    pieces = pieces_of(markup, school.name_of)
    plain = school.teach(markup)
    if pieces is None or plain is None:
        return None
    gaps = Gaps(pieces, school.days, plain.loc)
    if not gaps.are_sound:
        return None
    outcome = school.teach(gaps.filled(sort=0))
    if outcome is None:
        return None
    return _learnt(gaps, outcome, markup, plain, school) or (
        _learnt(gaps, outcome, markup, plain, school) if _holds_to_prose(gaps, outcome) else None
    )


def _learnt(
    gaps: Gaps, outcome: Outcome, markup: str, plain: Outcome, school: School
) -> Mould | None:
    """Make a mould of what became of the first probes, and try it."""
    probed = gaps.filled(sort=1)
    other = school.teach(probed)
    mould = None if other is None else _Maker(gaps, outcome, other, school).mould()
    if mould is None or other is None:
        return None
    tries = ((probed, other), (markup, plain))
    return mould if all(agrees(mould, *each, school) for each in tries) else None


def _holds_to_prose(gaps: Gaps, outcome: Outcome) -> bool:
    """Take HTML that is written for plain text, which it may be, too."""
    for number, gap in enumerate(gaps.all):
        if gap.kind is HTML and gaps.probe(number, 0) in outcome.text:
            gaps.prose.add(number)
    return bool(gaps.prose)


def agrees(mould: Mould, markup: str, expected: Outcome, school: School) -> bool:
    """Say whether an entry comes out of its mould as it does on the plain way."""
    match = mould.pattern.fullmatch(markup)
    if match is None:
        return False
    page = school.pages.read(mould.common.origin, match[mould.page + 1])
    if page is None or page[2] is not mould.is_cleaned:
        return False
    loc, notes, _ = page
    return (
        loc == expected.loc
        and mould.filled([match.groups()], [loc], school.days) == [BETWEEN.join(expected.texts)]
        and mould.common == expected.common(mould.common.origin)
        and tuple(school.issues_of(notes, expected.entry.line, loc)) == expected.issues
    )


class _Slot(NamedTuple):
    """A gap that comes out, and how."""

    gap: int
    way: Way


class _Maker:
    """Makes a mould of what became of probes of two sorts."""

    def __init__(self, gaps: Gaps, first: Outcome, second: Outcome, school: School) -> None:
        self._gaps = gaps
        self._outcomes = first, second
        self._school = school
        self._slots: list[_Slot] = []
        self._walls = [""]
        """What stands before, between and behind the slots."""

    def mould(self) -> Mould | None:
        """Make it; None: what came out is not explained."""
        gaps, (first, second) = self._gaps, self._outcomes
        page = self._page()
        if page is None or len(first.texts) != len(second.texts):
            return None
        in_body, in_rest = self._in_body(page), self._in_rest(page)
        for part, texts in enumerate(zip(first.texts, second.texts, strict=True)):
            if not self._explain(part, *texts, in_rest if part else in_body):
                return None
        if not any(slot.gap == page for slot in self._slots):
            return None
        reads = [slot for slot in in_body if slot.gap != page and slot.gap in gaps.of_kind("page")]
        reads += [slot for slot in self._of_source("read") if slot not in reads]
        locs = self._of_source("loc")
        files = gaps.of_kind("file", "link")
        return Mould(
            pattern=re.compile(gaps.pattern),
            template=tuple(self._walls),
            slots=_taker(self._places(reads, locs)),
            page=page,
            is_cleaned=gaps.is_cleaned,
            dates=tuple(gaps.dates),
            reads=tuple((slot.gap, slot.way.read) for slot in reads),
            locs=tuple(slot.way.read for slot in locs),
            larger=tuple(gaps.larger()),
            distinct=tuple(gaps.distinct()),
            names=tuple((n, gaps.all[n].value.before) for n in gaps.of_kind("id")),
            loose=tuple((n, re.compile(gaps.all[n].value.pattern)) for n in gaps.loose),
            texts=tuple(
                (n, gaps.all[n].kind.most_chars, gaps.all[n].value.in_cdata)
                for n in self._values()
                if gaps.all[n].kind.most_chars
            ),
            files=_taker(files) if files else None,
            width=len(first.texts),
            common=first.common(gaps.all[page].value.before),
        )

    def _page(self) -> int | None:
        """Find the gap that became the page."""
        for number in self._gaps.of_kind("page"):
            before = self._gaps.all[number].value.before
            read = self._school.pages.read(before, self._gaps.probe(number, 0))
            if read and read[0] == self._outcomes[0].loc:
                return number
        return None

    def _in_body(self, page: int) -> list[_Slot]:
        """Give what may stand in the text of an entry."""
        school, text = self._school, self._outcomes[0].text
        slots = self._of_page(page, is_said=False)
        for number, gap in enumerate(self._gaps.all):
            if number in self._gaps.prose:
                slots.append(_Slot(number, Way("value", str)))
            elif number != page:
                probe = self._gaps.probe(number, 0)
                ways = written(gap.value, text, probe, school.days, school.pages)
                slots += (_Slot(number, way) for way in ways)
        return slots

    def _in_rest(self, page: int) -> list[_Slot]:
        """Give what may stand in what is said of an entry."""
        slots = self._of_page(page, is_said=True)
        for number, gap in enumerate(self._gaps.all):
            if number != page:
                slots += (_Slot(number, way) for way in said(gap.value, self._school.days))
        return slots

    def _of_page(self, page: int, *, is_said: bool) -> list[_Slot]:
        value = self._gaps.all[page].value
        ways = loc_ways(value, is_said=is_said, is_cleaned=self._gaps.is_cleaned)
        return [_Slot(page, way) for way in ways]

    # -- what comes out -----------------------------------------------------------------------

    def _explain(self, part: int, first: str, second: str, known: list[_Slot]) -> bool:
        """Find the slots of one part of what came out; False: the two sorts differ otherwise."""
        found: dict[str, list[_Slot]] = {}
        for slot in known:
            if text := self._read(slot, 0):
                found.setdefault(text, []).append(slot)
        longest = sorted(found, key=len, reverse=True)
        pieces = re.split(f"({'|'.join(map(re.escape, longest))})", first)
        walls, at = pieces[::2], 0
        for wall, fragment, behind in zip(walls, pieces[1::2], walls[1:], strict=False):
            at += len(wall)
            fitting = self._fitting(part, found[fragment], second[at:], behind)
            if fitting is None or not second.endswith(wall, 0, at):
                return False
            self._slots.append(fitting)
            at += len(self._read(fitting, 1) or "")
        self._walls[-1] += f"{BETWEEN}{walls[0]}" if part else walls[0]
        self._walls += walls[1:]
        return second[at:] == walls[-1]

    def _fitting(self, part: int, slots: list[_Slot], text: str, behind: str) -> _Slot | None:
        """Find out which of several slots explains how a text begins."""
        for slot in slots:
            whole = self._read(slot, 1)
            if whole is None:
                continue
            shown = _shared(whole, text)
            if not text.startswith(behind, len(shown)):
                continue
            if part >= FIRST_MESSAGE:
                way = cut(slot.way, len(shown), is_whole=shown == whole)
                return slot._replace(way=way)
            if shown == whole:
                return slot
        return None

    def _read(self, slot: _Slot, sort: int) -> str | None:
        if slot.way.source == "loc":
            return slot.way.read(self._outcomes[sort].loc)
        return slot.way.read(self._gaps.probe(slot.gap, sort))

    # -- where it comes from ------------------------------------------------------------------

    def _of_source(self, source: str) -> list[_Slot]:
        return list(dict.fromkeys(slot for slot in self._slots if slot.way.source == source))

    def _values(self) -> list[int]:
        return sorted({slot.gap for slot in self._of_source("value")})

    def _places(self, reads: list[_Slot], locs: list[_Slot]) -> list[int]:
        """Give where each slot finds its text: among the values, and what is made of them."""
        gaps = self._gaps
        made = [*(("date", number) for number in gaps.dates), *reads, *locs]
        places: dict[object, int] = {key: len(gaps.all) + place for place, key in enumerate(made)}
        keys = ((("date", s.gap) if s.way.source == "date" else s) for s in self._slots)
        return [
            slot.gap if slot.way.source == "value" else places[key]
            for slot, key in zip(self._slots, keys, strict=True)
        ]


def _shared(whole: str, text: str) -> str:
    """Give what two texts begin with."""
    pairs = enumerate(zip(whole, text, strict=False))
    return whole[: next((place for place, (a, b) in pairs if a != b), len(text))]


def _taker(numbers: list[int]) -> Take:
    """Make what takes some out of all columns."""
    if len(numbers) == 1:
        return lambda columns: (columns[numbers[0]],)
    return itemgetter(*numbers)
