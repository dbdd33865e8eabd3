"""A mould: one pattern that an entry's markup fits, and one template that its values are put into.

The pattern holds every tag and attribute to the letter, so what fits it is well-formed; parsing,
checking and taking apart are one call of a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from html import unescape
from itertools import combinations, islice, repeat
from operator import contains, eq, ge
from typing import Final, TypeAlias, cast

from converter.issues import Code
from converter.moulds.kinds import PAGE, are_sound
from converter.record import record
from converter.seams import Common
from converter.values import mediatypes, urls
from converter.values.dates import names

__all__ = [
    "BETWEEN",
    "FIRST_MESSAGE",
    "Column",
    "Days",
    "Mould",
    "Note",
    "Pages",
    "Read",
    "Take",
    "parted",
]

#: What is escaped, and what readers of HTML look for.
_SIGNS: Final = ("<", ">", "&", "'", '"')

#: Parts what a template gives: XML cannot hold it.
BETWEEN: Final = "\0"
#: Its parts are the text, three that order and name the entry, and messages.
FIRST_MESSAGE: Final = 4

Note = tuple[Code, str]

_MONTHS: Final = {
    name: f"-{number:02}-"
    for number, name in enumerate(
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], 1
    )
}

_DAY_NAMES: Final = frozenset(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
_MOST_DAYS: Final = 50_000
#: Earlier ones are remarked upon.
_FIRST_DAY: Final = "1990-01-01"

#: A path that is published as it is, and is no file, as most are; if none of `_UNCLEAN` is in it.
_CLEAN_PATH: Final = re.compile(r"/[A-Za-z0-9_/-]*+(?:\.html?)?")
_UNCLEAN: Final = ("//", "/.")
_MOST_CLEAN_CHARS: Final = 1000
_PAGE: Final = re.compile(PAGE.pattern)


class Days(dict[str, str | None]):
    """A day as it is written -> ISO's spelling, each once; None: none, or not long past."""

    def __init__(self, last: date) -> None:
        super().__init__()
        self._last = last.isoformat()
        self._named: dict[str, str] = {}

    def __missing__(self, day: str) -> str | None:
        iso: str | None = day
        if day[3] == ",":
            iso = f"{day[12:]}{_MONTHS.get(day[8:11], '?')}{day[5:7]}"
            if day[:3] not in _DAY_NAMES:
                iso = None
        try:
            date.fromisoformat(iso or "")
        except ValueError:
            iso = None
        if iso is not None and not _FIRST_DAY <= iso <= self._last:
            iso = None
        if len(self) < _MOST_DAYS:
            self[day] = iso
        return iso

    def read(self, markup: str) -> str | None:
        """Give the local time of RFC 822 or RFC 3339 as the latter writes it; None: not here."""
        moments = self.read_all((markup,))
        return moments[0] if moments else None

    def read_all(self, markups: Sequence[str]) -> Sequence[str] | None:
        """Give several, all written in the same way; None: one of them is not here."""
        if markups[0][3] != ",":
            return None if None in {self[markup[:10]] for markup in markups} else markups
        days = [self[markup[:16]] for markup in markups]
        if None in days:
            return None
        return [f"{day}T{markup[17:]}" for day, markup in zip(days, markups, strict=True)]

    def rfc_822(self, markup: str) -> str | None:
        """Give the same as RFC 822 writes it."""
        written, clock = (
            (markup[:16], markup[17:]) if markup[3] == "," else (markup[:10], markup[11:])
        )
        named = self._named.get(written)
        if named is None:
            iso = self[written]
            if iso is None:
                return None
            named = _named(date.fromisoformat(iso))
            if len(self._named) < _MOST_DAYS:
                self._named[written] = named
        return f"{named} {clock}"


def _named(day: date) -> str:
    weekday, month = names.WEEKDAYS[day.weekday()], names.MONTHS[day.month - 1]
    return f"{weekday}, {day.day:02} {month} {day.year:04}"


Page: TypeAlias = tuple[str, tuple[Note, ...], bool]
"""A URL as it is written, what is said of it, and whether it is another than it was."""


class Pages:
    """What becomes of the URLs of pages."""

    def __init__(self, rules: urls.Rules, taken: frozenset[str]) -> None:
        """Take the rules, and the feed's own URLs, which mean something else."""
        self._taken = taken
        self._rules = rules

    def read(self, origin: str, path: str) -> Page | None:
        """Read the URL of a page, from its markup; None: it goes the plain way."""
        (url,), odd = self.read_all(origin, (path,))
        return odd[0] if odd else (url, (), False)

    def read_all(
        self, origin: str, paths: Sequence[str]
    ) -> tuple[list[str], dict[int, Page | None]]:
        """Read pages of one origin: give their URLs, and what those become that are not plain.

        The latter by their places; None: it goes the plain way.
        """
        locs = list(map(origin.__add__, paths))
        clean = map(_CLEAN_PATH.fullmatch, paths)
        odd = {place for place, found in enumerate(clean) if found is None}
        if not (_are_quiet(paths) and self._taken.isdisjoint(locs)):
            odd.update(n for n, path in enumerate(paths) if not _are_quiet((path,)))
            odd.update(n for n, loc in enumerate(locs) if loc in self._taken)
        return locs, {place: self._odd(origin, paths[place]) for place in sorted(odd)}

    def _odd(self, origin: str, path: str) -> Page | None:
        url = origin + path
        if _PAGE.fullmatch(path) is None or url in self._taken:
            return None
        url = url.replace("&amp;", "&")
        segment = url.partition("#")[0].partition("?")[0].rpartition("/")[2]
        if "." in segment and mediatypes.is_media_file(url):
            return None
        resolved = urls.resolve(url, None)
        if resolved.url is None or resolved.notes:
            return None
        clean, notes = urls.page(resolved.url, self._rules)
        if clean is None or clean in self._taken or resolved.url in self._taken:
            return None
        return clean, notes, clean != url


def _are_quiet(paths: Sequence[str]) -> bool:
    """Say whether nothing is in paths that is not published, though each sign of it is."""
    joined = "\n".join(paths)
    is_long = max(map(len, paths)) >= _MOST_CLEAN_CHARS
    return not is_long and not any(map(contains, repeat(joined), _UNCLEAN))


Read: TypeAlias = Callable[[str], str | None]
"""From the markup of a value to what is written; None: it goes the plain way."""

Column: TypeAlias = Sequence[str]
"""One value of many entries."""

Take: TypeAlias = Callable[[Sequence[Column]], Sequence[Column]]
"""Takes some out of all columns."""


@record(frozen=False)
class Mould:
    """Entries that differ in their values only. Values are the groups of the pattern, from 0."""

    pattern: re.Pattern[str]
    template: tuple[str, ...]
    """What stands before, between and behind the slots."""
    slots: Take
    """Takes what fills the slots out of the values, `dates`, `reads` and `locs`, in a row."""
    page: int
    """The value that is the page behind its origin."""
    is_cleaned: bool
    """The page is written otherwise than it stands in the markup."""
    dates: tuple[int, ...]
    """Values that are dates, each later than the one before it."""
    reads: tuple[tuple[int, Read], ...]
    """Values that are not written as they are, and how they are read."""
    locs: tuple[Read, ...]
    """How the page is written."""
    larger: tuple[tuple[int, int], ...]
    """Pairs of values that are numbers: the second is the larger one."""
    distinct: tuple[Take, ...]
    """Take out values of which no two may be equal."""
    names: tuple[tuple[int, str], ...]
    """Values that name the entry, and what stands before them: the page is not equal to any."""
    loose: tuple[tuple[int, re.Pattern[str]], ...]
    """Values that the pattern found, and did not look at, and their own patterns."""
    texts: tuple[tuple[int, int, bool], ...]
    """Values that are text, and written as they are: the most characters, and whether they stand
    in CDATA sections."""
    files: Take | None
    """Takes out values that are paths of files."""
    width: int
    """Into how many parts `parted` takes what was filled."""
    common: Common
    proven: int = 0
    """How many of its casts were compared with what they must be."""

    def filled(
        self, rows: Sequence[tuple[str, ...]], locs: Sequence[str], days: Days
    ) -> Sequence[str | None]:
        """Put the values of entries into the template.

        Nearly always they are for it, which is seen of all of them together. None: this one's are
        not; it is found by halving.

        Args:
            rows: the values of each.
            locs: the page of each.
            days: reads dates.
        """
        filled = self._filled(list(zip(*rows, strict=True)), locs, days)
        if filled is not None:
            return filled
        if len(rows) == 1:
            return (None,)
        half = len(rows) // 2
        return [
            *self.filled(rows[:half], locs[:half], days),
            *self.filled(rows[half:], locs[half:], days),
        ]

    def _filled(self, columns: list[Column], locs: Column, days: Days) -> list[str] | None:
        if not self._fit(columns, locs):
            return None
        for number, most_chars, in_cdata in self.texts:
            if not _are_plain(columns[number], most_chars):
                quoted = [_quoted(text, most_chars, in_cdata) for text in columns[number]]
                if None in quoted:
                    return None
                columns[number] = cast("list[str]", quoted)
        made = self._made(columns, locs, days)
        if made is None:
            return None
        pieces: list[Iterable[str]] = [repeat(self.template[0])]
        for column, behind in zip(self.slots(columns + made), self.template[1:], strict=True):
            pieces += column, repeat(behind)
        # Joining takes a third of the time of `%`.
        return list(map("".join, zip(*pieces, strict=False)))

    def _made(self, columns: list[Column], locs: Column, days: Days) -> list[Column] | None:
        made: list[Column] = []
        for number in self.dates:
            moments = days.read_all(columns[number])
            if moments is None or (made and any(map(ge, made[-1], moments))):
                return None
            made.append(moments)
        values = [(columns[number], read) for number, read in self.reads]
        values += [(locs, read) for read in self.locs]
        for column, read in values:
            texts = list(map(read, column))
            if None in texts:
                return None
            made.append(cast("list[str]", texts))
        return made

    def _fit(self, columns: list[Column], locs: Column) -> bool:
        for take in self.distinct:
            if any(any(map(eq, *pair)) for pair in combinations(take(columns), 2)):
                return False
        for smaller, larger in self.larger:
            if any(map(ge, map(int, columns[smaller]), map(int, columns[larger]))):
                return False
        if not all(are_sound(columns[number], pattern) for number, pattern in self.loose):
            return False
        if self.files is not None:
            paths = " ".join(map(" ".join, self.files(columns)))
            if "//" in paths or "/." in paths:
                return False
        return not self.is_cleaned or not any(
            loc == before + value.replace("&amp;", "&")
            for number, before in self.names
            for loc, value in zip(locs, columns[number], strict=True)
        )


def _are_plain(texts: Column, most_chars: int) -> bool:
    """Say whether texts are the same for readers of text and of HTML, and for escaping."""
    joined = "|".join(texts) + "|"
    return (
        max(map(len, texts)) <= most_chars
        and joined.isprintable()
        and "  " not in joined
        and " |" not in joined
        and not any(map(contains, repeat(joined), _SIGNS))
    )


def _quoted(text: str, most_chars: int, in_cdata: bool) -> str | None:
    """Escape a text that is plain but for quotes and `&amp;`; None: it is not."""
    if len(text) > most_chars or not text.isprintable():
        return None
    if "  " in text or text[-1] == " " or "<" in text or ">" in text:
        return None
    if "&" in text and (in_cdata or not _is_sole(text.replace("&amp;", "&"))):
        return None
    return text.replace("'", "&apos;").replace('"', "&quot;")


def _is_sole(text: str) -> bool:
    """Say whether an ampersand in a text is one for readers of HTML, too."""
    return ";" not in text and unescape(text) == text


def parted(filled: str, widths: Sequence[int]) -> list[list[str]]:
    """Part the texts of entries from what is said of them, into columns; see `FIRST_MESSAGE`.

    Args:
        filled: all of them, with `BETWEEN` between two.
        widths: how many parts each has. Where they differ, the messages that one lacks are empty.
    """
    parts, width = filled.split(BETWEEN), max(widths)
    if min(widths) < width:
        rest = iter(parts)
        parts = [
            part for count in widths for part in (*islice(rest, count), *[""] * (width - count))
        ]
    return [parts[number::width] for number in range(width)]
