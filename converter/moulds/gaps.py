"""The gaps of one entry: where its values stand, and what is put there to see what comes out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from operator import itemgetter
from typing import Final

from converter.moulds.kinds import HTML, LINK, PAGE, TEXT, Kind
from converter.moulds.mould import Days, Take
from converter.moulds.pieces import SPACE, Piece, Value
from converter.record import field, record, replace

__all__ = ["Gap", "Gaps"]

_SPACES = r"[ \t\n]*+"


@record(frozen=False, kw_only=False)
class Gap:
    """Values of an entry that are equal, and stay equal in all entries of the mould."""

    value: Value
    rank: int = 0
    """Of dates and numbers: their order."""
    names: set[str] = field(default_factory=set)
    """Of the kinds of all of them."""

    @property
    def kind(self) -> Kind:
        """The kind that they are taken for."""
        return self.value.kind

    def joined(self, other: Value) -> None:
        """Take in one more of the same: what fits all of them is what fits the narrowest."""
        in_cdata = other.in_cdata or self.value.in_cdata
        narrow = {LINK: 1, PAGE: 2}
        ranks = narrow.get(self.kind, 0), narrow.get(other.kind, 0)
        is_narrower = ranks[0] < ranks[1] or (ranks[0] == ranks[1] and other.in_cdata)
        in_attribute = other.in_attribute or self.value.in_attribute
        self.value = replace(
            other if is_narrower else self.value, in_cdata=in_cdata, in_attribute=in_attribute
        )


#: How the probe of a kind is written in a CDATA section: there, no reference is one.
_CDATA: Final[Mapping[Kind, Callable[[str], str]]] = {
    HTML: unescape,
    PAGE: lambda probe: probe.partition("&")[0],
}


class Gaps:
    """The gaps of one entry, each of them a group of the pattern."""

    def __init__(self, pieces: list[Piece], days: Days, loc: str) -> None:
        """Find the gaps.

        Args:
            pieces: of the example.
            days: reads dates.
            loc: what became of the example's page.
        """
        self.all: list[Gap] = []
        self.prose: set[int] = set()
        """Gaps of HTML that is written as plain text."""
        self._pieces: list[int | str] = []
        """Walls, and the numbers of gaps."""
        known: dict[tuple[object, ...], int] = {}
        for piece in pieces:
            if isinstance(piece, str):
                self._pieces.append(piece)
                continue
            number = known.setdefault(_equality(piece), len(self.all))
            self._pieces.append(number)
            if number < len(self.all):
                self.all[number].joined(piece)
            else:
                self.all.append(Gap(piece))
            self.all[number].names.add(piece.kind.name)
        pages = [gap.value for gap in self.all if gap.kind is PAGE]
        self.is_cleaned = all(
            page.before + page.markup.replace("&amp;", "&") != loc for page in pages
        )
        self._days = days
        self.dates = self._in_order("date", lambda gap: days.read(gap.value.markup) or "")
        self._numbers = self._in_order("number", lambda gap: f"{gap.value.markup:0>12}")

    @property
    def are_sound(self) -> bool:
        """Say whether dates can be compared as they are written, and links told from pages."""
        dates = [self.all[number].value for number in self.dates]
        moments = [self._days.read(date.markup) for date in dates]
        if len(set(moments)) < len(dates) or len({date.after for date in dates}) > 1:
            return False
        return not (self.is_cleaned and any({"page", "link"} <= gap.names for gap in self.all))

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
                value = self.all[piece].value
                parts.append(f"({value.kind.loose if value.is_loose else value.pattern})")
        return "".join(parts)

    @property
    def loose(self) -> list[int]:
        """The gaps whose values are not yet known to fit; pages are read anyway."""
        return [n for n, gap in enumerate(self.all) if gap.value.is_loose and gap.kind is not PAGE]

    def _in_order(self, kind: str, value: Callable[[Gap], str]) -> list[int]:
        """Rank the gaps of a kind by their values, and give their numbers in that order."""
        numbers = self.of_kind(kind)
        numbers.sort(key=lambda n: value(self.all[n]))
        for rank, number in enumerate(numbers):
            self.all[number].rank = rank
        return numbers

    def of_kind(self, *names: str) -> list[int]:
        """Give the numbers of the gaps of some kinds."""
        return [number for number, gap in enumerate(self.all) if gap.kind.name in names]

    # -- probes -------------------------------------------------------------------------------

    def filled(self, sort: int) -> str:
        """Give the markup with a probe of one sort in every gap."""
        return "".join(
            piece if isinstance(piece, str) else self.probe(piece, sort) for piece in self._pieces
        )

    def probe(self, number: int, sort: int) -> str:
        """Give the markup of a gap's probe."""
        gap = self.all[number]
        kind = TEXT if number in self.prose else gap.kind
        probe = kind.probe(gap.rank if gap.kind.name in {"date", "number"} else number, sort)
        if kind is PAGE and self.is_cleaned:
            probe += "é"
        return probe if not gap.value.in_cdata else _CDATA.get(kind, str)(probe)

    # -- what values must be to each other ----------------------------------------------------

    def larger(self) -> Iterator[tuple[int, int]]:
        """Give the numbers of one name that follow one another in size."""
        latest: dict[str, int] = {}
        for number in self._numbers:
            name = self.all[number].value.key
            if name in latest:
                yield latest[name], number
            latest[name] = number

    def distinct(self) -> Iterator[Take]:
        """Give what takes out the values of gaps that could hold the same."""
        walls: dict[tuple[str, str], list[int]] = {}
        for number, gap in enumerate(self.all):
            if gap.kind.is_telling:
                walls.setdefault((gap.value.before, gap.value.after), []).append(number)
        for numbers in walls.values():
            if len(numbers) > 1:
                yield itemgetter(*numbers)


def _equality(value: Value) -> tuple[object, ...]:
    """Give what two values have in common that are to stay equal."""
    whole = f"{value.before}{value.markup}{value.after}"
    if value.kind.name in {"page", "id", "link"}:
        return "", whole
    if value.kind.is_telling:
        return "text", whole, value.in_cdata
    return (value.kind.name if value.kind.name == "date" else value.key), whole
