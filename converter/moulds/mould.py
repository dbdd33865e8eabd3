"""A mould: one pattern that an entry's markup fits, and one template that its values are put into.

The pattern holds every tag and attribute to the letter, so what fits it is well-formed; parsing,
checking and taking apart are one call of a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final, TypeAlias

from converter.issues import Code
from converter.record import record
from converter.values import mediatypes, urls
from converter.xml.emit import escape

__all__ = ["Cast", "Days", "Mould", "Note", "Pages", "Read"]

Note = tuple[Code, str]

_MONTHS: Final = {
    name: f"-{number:02}-"
    for number, name in enumerate(
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], 1
    )
}

_MOST_DAYS: Final = 50_000

#: A path that is published as it is, and is no file: most are.
_CLEAN_PATH: Final = re.compile(r"/(?:[A-Za-z0-9_-]+/)*(?:[A-Za-z0-9_-]+(?:\.html?)?)?")
_MOST_CLEAN_CHARS: Final = 1000
#: The last segment of a path that cannot be taken for a file's.
_NO_FILE: Final = re.compile(r"[^?#]*/(?:[^/.?#]*(?:\.(?:html?|php|aspx?|jsp))?)?")


class Days(dict[str, str | None]):
    """A date as it is written -> ISO's spelling, each day once; None: none, or not long past."""

    def __init__(self, last: date) -> None:
        super().__init__()
        self._last = last.isoformat()

    def __missing__(self, day: str) -> str | None:
        iso: str | None = day
        if day[2] == " ":
            iso = f"{day[7:]}{_MONTHS.get(day[3:6], '?')}{day[:2]}"
        try:
            date.fromisoformat(iso or "")
        except ValueError:
            iso = None
        if iso is not None and iso > self._last:
            iso = None
        if len(self) < _MOST_DAYS:
            self[day] = iso
        return iso

    def read(self, markup: str) -> str | None:
        """Give the local time of RFC 822 or RFC 3339 as the latter writes it; None: not here."""
        if markup[3] == ",":
            day = self[markup[5:16]]
            return None if day is None else f"{day}T{markup[17:]}"
        return None if self[markup[:10]] is None else markup


Page: TypeAlias = tuple[str, tuple[Note, ...], bool]
"""A URL as it is written, what is said of it, and whether it is another than it was."""


class Pages:
    """What becomes of the URLs of pages."""

    def __init__(self, rules: urls.Rules, taken: frozenset[str]) -> None:
        """Take the rules, and the feed's own URLs, which mean something else."""
        self.taken = taken
        self._rules = rules
        self._last: tuple[str, Page | None] = "", None

    def read(self, url: str) -> Page | None:
        """Read a URL; one after the other, moulds of one pattern ask for the same."""
        if url != self._last[0]:
            self._last = url, self._read(url)
        return self._last[1]

    def _read(self, url: str) -> Page | None:
        if not _NO_FILE.fullmatch(url) and mediatypes.is_media_file(url):
            return None
        resolved = urls.resolve(url, None)
        if resolved.url is None or resolved.notes:
            return None
        clean, notes = urls.page(resolved.url, self._rules)
        if clean is None or clean in self.taken or resolved.url in self.taken:
            return None
        return clean, notes, clean != url


Read: TypeAlias = Callable[[str], str | None]
"""From the markup of a value to what is written; None: it goes the plain way."""


Cast: TypeAlias = tuple[str, str, tuple[Note, ...]]
"""One entry as it comes out of a mould: its page, its text, and what is said of its page."""


@record(frozen=False)
class Mould:
    """Entries that differ in their values only. Values are the groups of the pattern, from 0."""

    pattern: re.Pattern[str]
    template: str
    """For `%`, with what `slots` takes out of all that was read, and the page behind it."""
    slots: Callable[[list[str]], tuple[str, ...]]
    reads: tuple[tuple[int, Read], ...]
    """How values are read: those that are written, and those that must be readable."""
    ascending: tuple[tuple[int, int], ...]
    """Pairs of what was read, of dates: the first is the earlier one."""
    larger: tuple[tuple[int, int], ...]
    """Pairs of values, of numbers: the second is the larger one."""
    distinct: tuple[tuple[int, Callable[[tuple[str, ...]], tuple[str, ...]]], ...]
    """Values of which no two may be equal: how many, and what takes them out."""
    page: int
    """The value that is the page behind its origin."""
    origin: str
    is_cleaned: bool
    """The page is written otherwise than it stands in the markup."""
    images: int
    videos: int
    prefixes: frozenset[str]
    lost: tuple[tuple[str, bool], ...]
    """Names of fields that the target does not hold, and whether they are only altered."""
    proven: int = 0
    """How many of its casts were compared with what they must be."""

    def cast(self, values: tuple[str, ...], pages: Pages) -> Cast | None:
        """Put an entry's values into the template; None: one of them is not for it."""
        for count, taken in self.distinct:
            if len(set(taken(values))) != count:
                return None
        texts = [read(values[number]) for number, read in self.reads]
        if None in texts or not self._are_ordered(values, texts):
            return None
        path = values[self.page]
        url = self.origin + path
        if len(path) < _MOST_CLEAN_CHARS and _CLEAN_PATH.fullmatch(path):
            if self.is_cleaned or url in pages.taken:
                return None
            texts.append(url)
            return url, self.template % self.slots(texts), ()
        page = pages.read(url.replace("&amp;", "&"))
        if page is None:
            return None
        loc, notes, is_cleaned = page
        texts.append(escape(loc))
        cast = loc, self.template % self.slots(texts), notes
        return cast if is_cleaned is self.is_cleaned else None

    def _are_ordered(self, values: tuple[str, ...], texts: list[str | None]) -> bool:
        for earlier, later in self.ascending:
            if texts[earlier] >= texts[later]:
                return False
        for smaller, larger in self.larger:
            if int(values[smaller]) >= int(values[larger]):
                return False
        return True
