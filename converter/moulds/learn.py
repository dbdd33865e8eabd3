"""Making a mould of one entry: by asking the plain way what becomes of others like it.

An entry of the same markup, with values that occur nowhere else, is sent the plain way. Where one
of these values comes out, there is a slot; the rest of what comes out is the template. Values of
another sort must then give what the template says, and so must the entry itself; else no mould is
made. So a mould knows nothing of formats, and whatever a reader, a pass or a writer does with an
entry, the mould does too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from converter.issues import Issue
from converter.model import Entry
from converter.moulds.kinds import HTML, KEYWORDS, OTHER, PAGE, TEXT, Kind
from converter.moulds.mould import Days, Mould, Note, Pages, Read, Take
from converter.moulds.pieces import SPACE, Piece, Value, pieces_of
from converter.record import field, record, replace
from converter.xml.emit import escape

_SPACES = r"[ \t\n]*"

__all__ = ["Outcome", "School", "agrees", "learn"]


class Outcome(NamedTuple):
    """What became of one entry on the plain way."""

    entry: Entry
    loc: str
    text: str
    images: int
    videos: int
    prefixes: frozenset[str]
    lost: tuple[tuple[str, bool], ...]
    issues: tuple[Issue, ...]


@record(frozen=False, kw_only=False)
class School:
    """Where entries are learnt: what is the same for all of one document."""

    teach: Callable[[str], Outcome | None]
    """Sends the markup of one entry the plain way."""
    name_of: Callable[[str], str | None]
    """Gives the canonical name of a tag as it is written; None: its prefix is not declared."""
    pages: Pages
    days: Days
    issues_of: Callable[[tuple[Note, ...], int | None, str], Iterable[Issue]]
    """Gives what is reported of what is said of a page, from its line and URL."""


def learn(markup: str, school: School) -> Mould | None:
    """Make the mould of an entry; None: there is none, or it could not be made sure."""
    pieces = pieces_of(markup, school.name_of)
    plain = school.teach(markup)
    if pieces is None or plain is None:
        return None
    gaps = _Gaps(pieces, school.days, plain.loc)
    if not gaps.are_ordered:
        return None
    outcome = school.teach(gaps.filled(sort=0))
    if outcome is None:
        return None
    mould = gaps.mould(outcome, school)
    if mould is None:
        return None
    other = gaps.filled(sort=1)
    for example, expected in ((other, school.teach(other)), (markup, plain)):
        if expected is None or not agrees(mould, example, expected, school):
            return None
    return mould


def agrees(mould: Mould, markup: str, expected: Outcome, school: School) -> bool:
    """Say whether an entry comes out of its mould as it does on the plain way."""
    match = mould.pattern.fullmatch(markup)
    cast = mould.cast(match.groups(), school.pages, school.days) if match else None
    return (
        cast is not None
        and cast[:2] == (expected.loc, expected.text)
        and (mould.images, mould.videos) == (expected.images, expected.videos)
        and (mould.prefixes, mould.lost) == (expected.prefixes, expected.lost)
        and tuple(school.issues_of(cast[2], expected.entry.line, cast[0])) == expected.issues
    )


@record(frozen=False, kw_only=False)
class _Gap:
    """Values of an entry that are equal, and stay equal in all entries of the mould."""

    value: Value
    rank: int = field(default=0)
    """Of dates and numbers: their order."""

    @property
    def kind(self) -> Kind:
        return self.value.kind

    def joined(self, other: Value) -> None:
        """Take in one more of the same: what fits all of them is what fits the narrowest."""
        if other.kind is PAGE or (other.in_cdata and self.kind is not PAGE):
            self.value = replace(other, in_cdata=other.in_cdata or self.value.in_cdata)
        elif other.in_cdata:
            self.value = replace(self.value, in_cdata=True)


class _Gaps:
    """The gaps of one entry, each of them a group of the pattern."""

    def __init__(self, pieces: list[Piece], days: Days, loc: str) -> None:
        """Find the gaps.

        Args:
            pieces: of the example.
            days: reads dates.
            loc: what became of the example's page.
        """
        self.gaps: list[_Gap] = []
        self._pieces: list[int | str] = []
        """Walls, and the numbers of gaps."""
        self._written: set[int] = set()
        """Gaps whose values come out, but for the page."""
        known: dict[tuple[object, ...], int] = {}
        for piece in pieces:
            if isinstance(piece, str):
                self._pieces.append(piece)
                continue
            number = known.setdefault(_equality(piece), len(self.gaps))
            self._pieces.append(number)
            if number < len(self.gaps):
                self.gaps[number].joined(piece)
            else:
                self.gaps.append(_Gap(piece))
        pages = [gap.value for gap in self.gaps if gap.kind is PAGE]
        self._is_cleaned = all(
            page.before + page.markup.replace("&amp;", "&") != loc for page in pages
        )
        self._days = days
        self._dates = self._in_order("date", lambda gap: days.read(gap.value.markup) or "")
        self._numbers = self._in_order("number", lambda gap: f"{gap.value.markup:0>12}")

    @property
    def are_ordered(self) -> bool:
        """Say whether dates can be compared as they are written."""
        dates = [self.gaps[number].value for number in self._dates]
        moments = [self._days.read(date.markup) for date in dates]
        return len(set(moments)) == len(dates) and len({date.after for date in dates}) <= 1

    @property
    def pattern(self) -> str:
        """The pattern of the whole markup."""
        seen: set[int] = set()
        parts = [_SPACES]
        for piece in self._pieces:
            if isinstance(piece, str):
                parts.append(_SPACES if piece == SPACE else re.escape(piece))
            elif piece in seen:
                parts.append(rf"(?:\{piece + 1})")
            else:
                seen.add(piece)
                parts.append(f"({self.gaps[piece].value.pattern})")
        return "".join(parts)

    def _in_order(self, kind: str, value: Callable[[_Gap], str]) -> list[int]:
        """Rank the gaps of a kind by their values, and give their numbers in that order."""
        numbers = [n for n, gap in enumerate(self.gaps) if gap.kind.name == kind]
        numbers.sort(key=lambda n: value(self.gaps[n]))
        for rank, number in enumerate(numbers):
            self.gaps[number].rank = rank
        return numbers

    def filled(self, sort: int) -> str:
        """Give the markup with a probe of one sort in every gap."""
        return "".join(
            piece if isinstance(piece, str) else self.probe(piece, sort) for piece in self._pieces
        )

    def probe(self, number: int, sort: int) -> str:
        """Give the markup of a gap's probe; where HTML is written, it is plain text."""
        gap = self.gaps[number]
        kind = TEXT if gap.kind is HTML and number in self._written else gap.kind
        probe = kind.probe(gap.rank if gap.kind.name in {"date", "number"} else number, sort)
        if kind is PAGE and self._is_cleaned:
            probe += "é"
        if kind is HTML and gap.value.in_cdata:
            probe = probe.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
        return probe

    # -- the mould ----------------------------------------------------------------------------

    def mould(self, outcome: Outcome, school: School) -> Mould | None:
        """Make the mould out of what became of the first probes."""
        page = self._page(outcome, school)
        if page is None:
            return None
        found = self._fragments(outcome, page)
        pieces = re.split(f"({'|'.join(re.escape(text) for text in found)})", outcome.text)
        slots = [found[text] for text in pieces[1::2]]
        self._written = {number for number in slots if number != page}
        if page not in slots:
            return None
        reads = tuple(self._reads(outcome, school.pages, page))
        texts = [n for n in sorted(self._written) if self.gaps[n].kind.most_chars]
        made = [*self._dates, *(number for number, _ in reads), page]
        places = {number: number for number in range(len(self.gaps))}
        places |= {number: len(self.gaps) + place for place, number in enumerate(made)}
        return Mould(
            pattern=re.compile(self.pattern),
            template="%s".join(text.replace("%", "%%") for text in pieces[::2]),
            slots=_taker([places[number] for number in slots]),
            page=page,
            origin=self.gaps[page].value.before,
            is_cleaned=self._is_cleaned,
            dates=tuple(self._dates),
            reads=reads,
            larger=tuple(self._larger()),
            distinct=tuple(self._distinct()),
            texts=_taker(texts) if texts else None,
            most_chars=tuple(self.gaps[number].kind.most_chars for number in texts),
            files=_taker(files) if (files := self._of_kind("file")) else None,
            images=outcome.images,
            videos=outcome.videos,
            prefixes=outcome.prefixes,
            lost=outcome.lost,
        )

    def _of_kind(self, name: str) -> list[int]:
        return [number for number, gap in enumerate(self.gaps) if gap.kind.name == name]

    def _page(self, outcome: Outcome, school: School) -> int | None:
        """Find the gap that became the page."""
        for number, gap in enumerate(self.gaps):
            if gap.kind is PAGE:
                read = school.pages.read(gap.value.before, self.probe(number, 0))
                if read and read[0] == outcome.loc:
                    return number
        return None

    def _fragments(self, outcome: Outcome, page: int) -> dict[str, int]:
        """Give what is looked for in the text, the longest first, and whose it is."""
        found = {escape(outcome.loc): page}
        for number, gap in enumerate(self.gaps):
            if number != page and gap.kind is not OTHER:
                probe = self.probe(number, 0)
                if text := self._reader(gap, probe, outcome)(probe):
                    found[text] = number
        return dict(sorted(found.items(), key=lambda item: -len(item[0])))

    def _reads(self, outcome: Outcome, pages: Pages, page: int) -> Iterator[tuple[int, Read]]:
        """Say how to read what is not written as it stands."""
        for number, gap in enumerate(self.gaps):
            if number in self._written and gap.kind is KEYWORDS:
                yield number, self._reader(gap, self.probe(number, 0), outcome)
            elif gap.kind is PAGE and number != page:
                yield number, partial(_sound, pages, gap.value.before)

    def _reader(self, gap: _Gap, probe: str, outcome: Outcome) -> Read:
        """Give how a probe came out, if it did."""
        if gap.kind.name == "date":
            return self._days.read
        if gap.kind is KEYWORDS:
            return _joined(gap.kind.read, _between(probe.split(", "), outcome.text))
        if gap.kind is PAGE:
            return lambda markup: escape(gap.value.before + markup)
        return str

    def _larger(self) -> Iterator[tuple[int, int]]:
        """Give the numbers of one name that follow one another in size."""
        latest: dict[str, int] = {}
        for number in self._numbers:
            name = self.gaps[number].value.key
            if name in latest:
                yield latest[name], number
            latest[name] = number

    def _distinct(self) -> Iterator[tuple[int, Take]]:
        """Give the gaps that could hold the same: how many, and what takes their values out."""
        walls: dict[tuple[str, str], list[int]] = {}
        for number, gap in enumerate(self.gaps):
            if gap.kind.is_telling:
                walls.setdefault((gap.value.before, gap.value.after), []).append(number)
        for numbers in walls.values():
            if len(numbers) > 1:
                yield len(numbers), itemgetter(*numbers)


def _equality(value: Value) -> tuple[object, ...]:
    """Give what two values have in common that are to stay equal."""
    whole = f"{value.before}{value.markup}{value.after}"
    if value.kind.name in {"page", "id"}:
        return "", whole
    if value.kind.is_telling:
        return "text", whole, value.in_cdata
    return (value.kind.name if value.kind.name == "date" else value.key), whole


def _taker(numbers: list[int]) -> Take:
    if len(numbers) == 1:
        return lambda values: (values[numbers[0]],)
    return itemgetter(*numbers)


def _sound(pages: Pages, origin: str, markup: str) -> str | None:
    """Read the URL of another page, of which there must be nothing to say."""
    page = pages.read(origin, markup)
    return None if page is None or page[1] or page[2] else escape(page[0])


def _between(words: list[str], text: str) -> str:
    """Give what stands between the first two of several words that were written."""
    first, second = text.find(words[0]), text.find(words[1])
    return text[first + len(words[0]) : second] if 0 <= first < second else ""


def _joined(read: Read, between: str) -> Read:
    """Read keywords, each once, with what stands between two of them."""

    def joined(markup: str) -> str | None:
        if not between or read(markup) is None:
            return None
        return between.join(dict.fromkeys(markup.split(", ")))

    return joined
