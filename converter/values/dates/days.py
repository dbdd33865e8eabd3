"""The day of a date: every way of writing year, month and day that feeds are seen to use."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from converter.issues import Code
from converter.model import Precision
from converter.values.dates import names
from converter.values.dates.notes import Note
from converter.values.patterns import lazy

__all__ = ["Day", "find"]

_WORD = r"[^\W\d_]+"

#: A weekday in any language if a comma follows, else in one that is known.
_AFTER_WORD = lazy(rf"({_WORD}(?:-{_WORD})?)(\.?,)?\.? ?(.+)")

#: The languages that put the month first (mapping 7.1).
_MONTH_FIRST = frozenset({"en-us", "en-ph"})


class Day(NamedTuple):
    """A day that was found, and what its text goes on with: a clock, a zone, nothing."""

    day: date
    rest: str = ""
    precision: Precision = Precision.DAY
    doubt: Note | None = None
    """To be put after the quoted date: `may be two dates; read as 2025-06-01`."""


_Form = Callable[[re.Match[str], str | None], Day]


def find(text: str, lang: str | None) -> Day:
    """Find the day that a date begins with; `text` has single spaces and no comments.

    Args:
        text: at most a few hundred characters.
        lang: the language around it; it decides `01/06/2025`.

    Raises:
        ValueError: no form fits, or the day is in no calendar (31 June).
    """
    for candidate in (text, _without_weekday(text)):
        for pattern, form in _FORMS:
            if match := pattern.fullmatch(candidate):
                found = form(match, lang)
                return _settled(found, text) if found.doubt else found
    raise ValueError(f'"{text}" does not begin with a day')


def _settled(found: Day, text: str) -> Day:
    """Let an English weekday decide between day and month, where it fits one order only.

    `Fri, 05/03/2019 - 15:21` is what Drupal writes for the United States: the third of May.
    """
    weekday = text[:3].title()
    if weekday not in names.WEEKDAYS or found.day.day > 12:
        return found
    orders = {found.day, found.day.replace(month=found.day.day, day=found.day.month)}
    fitting = [day for day in orders if names.WEEKDAYS[day.weekday()] == weekday]
    return found._replace(day=fitting[0], doubt=None) if len(fitting) == 1 else found


def _without_weekday(text: str) -> str:
    """Pass over the weekday: it is often wrong, and seldom needed."""
    match = _AFTER_WORD.fullmatch(text)
    if match and (match[2] or names.is_weekday(match[1])):
        return match[3]
    return text


def _year(digits: str) -> int:
    """Read two digits as RFC 2822 (4.3) does: 00-49 are 2000s; three count from 1900."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + 2000 if len(digits) == 2 and year < 50 else year + 1900


def _calendar(match: re.Match[str], lang: str | None) -> Day:
    month = match["month"]
    number = int(month) if month.isdecimal() else names.month(month)
    return Day(date(_year(match["year"]), number, int(match["day"])), match["rest"] or "")


def _ordinal(match: re.Match[str], lang: str | None) -> Day:
    first = date(int(match["year"]), 1, 1)
    day = first + timedelta(days=int(match["nth"]) - 1)
    if day.year != first.year:
        raise ValueError(f"{first.year} has no day {match['nth']}")
    return Day(day, match["rest"] or "")


def _week(match: re.Match[str], lang: str | None) -> Day:
    """A week alone is its Monday."""
    day = date.fromisocalendar(int(match["year"]), int(match["week"]), int(match["day"] or 1))
    return Day(day, match["rest"] or "")


def _either(match: re.Match[str], lang: str | None) -> Day:
    """Day and month in an order that only the language tells, unless one of them is over 12."""
    first, second = int(match["first"]), int(match["second"])
    month_first = (lang or "").replace("_", "-").casefold() in _MONTH_FIRST
    if max(first, second) > 12:
        month_first = second > 12
    month, number = (first, second) if month_first else (second, first)
    day = date(_year(match["year"]), month, number)
    sure = (max(first, second) > 12 or first == second) and len(match["year"]) == 4
    doubt = None if sure else (Code.DATE_ASSUMED, f"may be two dates; read as {day}")
    return Day(day, match["rest"] or "", doubt=doubt)


def _year_or_month(match: re.Match[str], lang: str | None) -> Day:
    first = date(int(match["year"]), int(match["month"] or 1), 1)
    return Day(first, precision=Precision.MONTH if match["month"] else Precision.YEAR)


def _named_month(match: re.Match[str], lang: str | None) -> Day:
    first = date(int(match["year"]), names.month(match["month"]), 1)
    return Day(first, precision=Precision.MONTH)


_REST = "(?P<rest>[ ,TtZz+-].*)?"
_YEAR = "(?P<year>[0-9]{4})"
_ANY_YEAR = "(?P<year>[0-9]{2,4})"
_NAME = rf"(?P<month>{_WORD})\.?"
_NUMBER = "(?P<month>[0-9]{1,2})"
_DAY = "(?P<day>[0-9]{1,2})"
_EIGHT_DIGITS = "(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})"
_NTH = rf"{_DAY}(?:\.|º|st|nd|rd|th|er)?"

#: The first that fits decides; one that fits and names no day of the calendar ends the search.
_FORMS: tuple[tuple[re.Pattern[str], _Form], ...] = tuple(
    (lazy(pattern), form)
    for pattern, form in (
        # 2025-01-06, 2025/1/6
        (rf"{_YEAR}([-/.]){_NUMBER}\2{_DAY}{_REST}", _calendar),
        # 20250106, 20250106T100000Z, 20250106100000
        (rf"{_EIGHT_DIGITS}(?P<rest>[0-9]{{6}}|[ TtZz+-].*)?", _calendar),
        # 06 Jan 2025, 6. Januar 2025, 06-Jan-25, 6 de enero de 2025
        (rf"{_NTH}[ /-]?(?:de )?{_NAME}[ ,/-]{{0,2}}(?:del? )?{_ANY_YEAR}{_REST}", _calendar),
        # Jan 06, 2025
        (rf"{_NAME}[ -]?{_NTH}(?:, ?|[ -]){_ANY_YEAR}{_REST}", _calendar),
        # Jan 6 10:00:00 PST 2025
        (rf"{_NAME} {_DAY} (?P<rest>[0-9]{{1,2}}:.*) {_YEAR}", _calendar),
        # 2025 Jan 06
        (rf"{_YEAR}[ -]{_NAME}[ -]{_NTH}{_REST}", _calendar),
        # 06.01.2025, 6. 1. 25: dots are European
        (rf"{_DAY}\. ?{_NUMBER}\. ?{_ANY_YEAR}{_REST}", _calendar),
        # 01/06/2025, 01/06/25, 01-06-2025; 25-01-06 could be anything
        (rf"(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}})/{_ANY_YEAR}{_REST}", _either),
        (rf"(?P<first>[0-9]{{1,2}})-(?P<second>[0-9]{{1,2}})-{_YEAR}{_REST}", _either),
        # 2025-006
        (rf"{_YEAR}-(?P<nth>[0-9]{{3}}){_REST}", _ordinal),
        # 2025-W02-1, 2025W021, 2025-W02
        (rf"{_YEAR}-?[Ww](?P<week>[0-9]{{2}})(?:-?(?P<day>[1-7]))?{_REST}", _week),
        # 2025, 2025-01
        (rf"{_YEAR}(?:-(?P<month>[0-9]{{2}}))?", _year_or_month),
        # Jan 2025
        (rf"{_NAME},? (?:de )?{_YEAR}", _named_month),
    )
)
