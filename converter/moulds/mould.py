"""A mould: one pattern that an entry's markup fits, and one template that its values are put into.

The pattern holds every tag and attribute to the letter, so what fits it is well-formed; parsing,
checking and taking apart are one call of a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from html import unescape
from itertools import repeat
from operator import contains, gt
from typing import Final, TypeAlias

from converter.issues import Code
from converter.moulds.kinds import PAGE
from converter.record import record
from converter.seams import Told, Trace
from converter.values import mediatypes, urls
from converter.values.dates import names

__all__ = [
    "BETWEEN",
    "FIRST_MESSAGE",
    "Cast",
    "Days",
    "Habits",
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

#: A path that is published as it is, and is no file: most are.
_CLEAN_PATH: Final = re.compile(r"/(?:[A-Za-z0-9_-]+/)*(?:[A-Za-z0-9_-]+(?:\.html?)?)?")
_MOST_CLEAN_CHARS: Final = 1000
_PAGE: Final = re.compile(PAGE.pattern)
#: The last segment of a path that cannot be taken for a file's.
_NO_FILE: Final = re.compile(r"[^?#]*/(?:[^/.?#]*(?:\.(?:html?|php|aspx?|jsp))?)?")


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
        if markup[3] == ",":
            day = self[markup[:16]]
            return None if day is None else f"{day}T{markup[17:]}"
        return None if self[markup[:10]] is None else markup

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
        url = origin + path
        if len(path) < _MOST_CLEAN_CHARS and _CLEAN_PATH.fullmatch(path):
            return None if url in self._taken else (url, (), False)
        if _PAGE.fullmatch(path) is None:
            return None
        url = url.replace("&amp;", "&")
        if not _NO_FILE.fullmatch(url) and mediatypes.is_media_file(url):
            return None
        resolved = urls.resolve(url, None)
        if resolved.url is None or resolved.notes:
            return None
        clean, notes = urls.page(resolved.url, self._rules)
        if clean is None or clean in self._taken or resolved.url in self._taken:
            return None
        return clean, notes, clean != url


Read: TypeAlias = Callable[[str], str | None]
"""From the markup of a value to what is written; None: it goes the plain way."""

Take: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]
"""Takes some out of all values."""

Cast: TypeAlias = tuple[str, str, tuple[Note, ...]]
"""One entry as it comes out of a mould: its page, what `parted` takes apart, and what is said
of its page."""

Habits: TypeAlias = tuple[bool, tuple[tuple[Code, str | None], ...]]
"""Whether there is no author, and codes and paths of what the writer has to say."""


@record(frozen=False)
class Mould:
    """Entries that differ in their values only. Values are the groups of the pattern, from 0."""

    pattern: re.Pattern[str]
    template: str
    """For `%`."""
    slots: Take
    """Takes what the template holds out of the values, `dates`, `reads` and `locs`, in a row."""
    page: int
    """The value that is the page behind its origin."""
    origin: str
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
    distinct: tuple[tuple[int, Take], ...]
    """Values of which no two may be equal: how many, and what takes them out."""
    names: tuple[tuple[int, str], ...]
    """Values that name the entry, and what stands before them: the page is not equal to any."""
    loose: Take | None
    """Values that the pattern found, and did not look at."""
    strict: tuple[re.Pattern[str], ...]
    """The patterns of `loose`."""
    texts: Take | None
    """Values that are text, and written as they are."""
    most_chars: tuple[int, ...]
    """Of each of `texts`."""
    quotable: tuple[tuple[int, bool], ...]
    """Their numbers, and whether they stand in CDATA sections."""
    files: Take | None
    """Values that are paths of files."""
    images: int
    videos: int
    prefixes: frozenset[str]
    lost: tuple[tuple[str, bool], ...]
    """Names of fields that the target does not hold, and whether they are only altered."""
    habits: Habits | None
    """None: nobody wants to know."""
    proven: int = 0
    """How many of its casts were compared with what they must be."""

    def cast(self, values: tuple[str, ...], pages: Pages, days: Days) -> Cast | None:
        """Cast an entry; None: one of its values is not for this mould."""
        page = pages.read(self.origin, values[self.page])
        if page is None or page[2] is not self.is_cleaned:
            return None
        text = self.filled(values, page[0], days)
        return None if text is None else (page[0], text, page[1])

    @property
    def width(self) -> int:
        """Into how many parts `parted` takes what was filled."""
        return 1 if self.habits is None else FIRST_MESSAGE + len(self.habits[1])

    def filled(self, values: tuple[str, ...], loc: str, days: Days) -> str | None:
        """Put an entry's values into the template; None: one of them is not for it."""
        if not self._fits(values, loc):
            return None
        if self.texts is not None and not self._is_plain(self.texts(values)):
            quoted = self._quoted(values)
            if quoted is None:
                return None
            values = quoted
        made = self._made(values, loc, days)
        return None if made is None else self.template % self.slots((*values, *made))

    def _made(self, values: tuple[str, ...], loc: str, days: Days) -> list[str] | None:
        made: list[str] = []
        earlier = ""
        for number in self.dates:
            moment = days.read(values[number])
            if moment is None or moment <= earlier:
                return None
            made.append(moment)
            earlier = moment
        for number, read in self.reads:
            text = read(values[number])
            if text is None:
                return None
            made.append(text)
        for read in self.locs:
            text = read(loc)
            if text is None:
                return None
            made.append(text)
        return made

    def _fits(self, values: tuple[str, ...], loc: str) -> bool:
        for count, take in self.distinct:
            if len(set(take(values))) != count:
                return False
        for smaller, larger in self.larger:
            if int(values[smaller]) >= int(values[larger]):
                return False
        if self.loose is not None and not self._are_sound(self.loose(values)):
            return False
        if self.files is not None:
            paths = " ".join(self.files(values))
            if "//" in paths or "/." in paths:
                return False
        return not self.is_cleaned or not any(
            loc == before + values[number].replace("&amp;", "&") for number, before in self.names
        )

    def _are_sound(self, loose: tuple[str, ...]) -> bool:
        """Say whether values fit; most hold nothing that would have to be looked at."""
        joined = "".join(loose)
        if "&" not in joined and "]" not in joined:
            return True
        return all(map(re.Pattern.fullmatch, self.strict, loose))

    def _is_plain(self, texts: tuple[str, ...]) -> bool:
        """Say whether texts are the same for readers of text and of HTML, and for escaping."""
        if any(map(gt, map(len, texts), self.most_chars)):
            return False
        joined = "|".join(texts) + "|"
        return (
            joined.isprintable()
            and "  " not in joined
            and " |" not in joined
            and not any(map(contains, repeat(joined), _SIGNS))
        )

    def _quoted(self, values: tuple[str, ...]) -> tuple[str, ...] | None:
        """Escape texts that are plain but for quotes and `&amp;`; None: they are not."""
        quoted = list(values)
        for (number, in_cdata), most_chars in zip(self.quotable, self.most_chars, strict=True):
            text = values[number]
            if len(text) > most_chars or not text.isprintable():
                return None
            if "  " in text or text[-1] == " " or "<" in text or ">" in text:
                return None
            if "&" in text and (in_cdata or not _is_sole(text.replace("&amp;", "&"))):
                return None
            quoted[number] = text.replace("'", "&apos;").replace('"', "&quot;")
        return tuple(quoted)


def parted(moulds: Sequence[Mould], filled: Sequence[str]) -> tuple[Sequence[str], Sequence[Trace]]:
    """Part the texts of entries from what is said of them, each by its mould."""
    widths = {mould.width for mould in moulds}
    if widths == {1}:
        return filled, ()
    if len(widths) > 1:
        pairs = [parted((mould,), (text,)) for mould, text in zip(moulds, filled, strict=True)]
        return [text for (text,), _ in pairs], [trace for _, (trace,) in pairs]
    (width,) = widths
    parts = BETWEEN.join(filled).split(BETWEEN)
    texts, moments, names, updates, *messages = (parts[n::width] for n in range(width))
    habits = [mould.habits or _NO_HABITS for mould in moulds]
    told = zip(*messages, strict=True) if messages else repeat(())
    traces = [
        (moment, name, updated, lacks_author, _told(codes, said) if said else ())
        for moment, name, updated, (lacks_author, codes), said in zip(
            moments, names, updates, habits, told, strict=False
        )
    ]
    return texts, traces


_NO_HABITS: Final[Habits] = (False, ())


def _told(
    codes: tuple[tuple[Code, str | None], ...], messages: tuple[str, ...]
) -> tuple[Told, ...]:
    return tuple(
        [(code, message, path) for (code, path), message in zip(codes, messages, strict=True)]
    )


def _is_sole(text: str) -> bool:
    """Say whether an ampersand in a text is one for readers of HTML, too."""
    return ";" not in text and unescape(text) == text
