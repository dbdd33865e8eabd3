"""Parses the unusual forms of days and times that feeds use, in nine languages (mapping 7.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from converter.issues import Code, Note
from converter.model import Precision
from converter.values.dates.formatting import WEEKDAYS
from converter.values.lazy_regex import lazy_regex

#: One line per language (English, German, French, Spanish, Italian, Portuguese, Dutch, Polish,
#: Russian): the shortest unique prefixes of January to December; `|` separates variants.
_MONTHS = """
jan feb mar apr may jun jul aug sep oct nov dec
jan feb mär|mrz apr mai jun jul aug sep okt nov dez
jan fév mar avr mai juin juil aoû sep oct nov déc
ene feb mar abr may jun jul ago sep|set oct nov dic
gen feb mar apr mag giu lug ago set ott nov dic
jan fev mar abr mai jun jul ago set out nov dez
jan feb mrt|maa apr mei jun jul aug sep okt nov dec
sty lut mar kwi maj cze lip sie wrz paź lis gru
янв фев мар апр мая|май июн июл авг сен окт ноя дек
"""


def _fold(word: str) -> str:
    """Remove case and accents: `Août` and `aout` are one month."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


_MONTH_OF = {
    _fold(prefix): number
    for language in _MONTHS.strip().splitlines()
    for number, prefixes in enumerate(language.split(), start=1)
    for prefix in prefixes.split("|")
}

_WORD = r"[^\W\d_]+"

#: A word before a date is a weekday in some language; weekdays are often wrong, and ignored.
_AFTER_WORD = lazy_regex(rf"{_WORD}(?:-{_WORD})?\.?,? ?(.+)")

#: The languages that put the month first (mapping 7.1).
_MONTH_FIRST = frozenset({"en-us", "en-ph"})

#: A word or an offset.
_ZONE = r" ?(?P<zone>(?:[^\W\d_]|[+\u2212-][0-9]).*)?"

_CLOCK = lazy_regex(
    r"(?P<hour>[0-9]{1,2})"
    r"(?:(?P<mark>[:.h])(?P<minute>[0-9]{2})(?:(?P=mark)(?P<second>[0-9]{2}))?(?:[.,][0-9]+)?"
    r"|h|(?= ?[ap]\.?m))"
    rf"(?: ?(?P<half>[ap])\.?m\b\.?)?{_ZONE}",
    re.IGNORECASE,
)
_BASIC = lazy_regex(
    r"(?P<hour>[0-9]{2})(?P<minute>[0-9]{2})(?:(?P<second>[0-9]{2})(?:[.,][0-9]+)?)?"
    rf"(?P<half>){_ZONE}"
)


class Day(NamedTuple):
    """A day, and the rest of its text: a time, a zone or nothing."""

    day: date
    rest: str = ""
    precision: Precision = Precision.DAY
    doubt: Note | None = None
    """Its message continues the quoted date: `may be two dates; read as 2025-06-01`."""


_Form = Callable[[re.Match[str], str | None], Day]


def find_day(text: str, lang: str | None) -> Day:
    """Parse the day at the beginning of a date.

    Args:
        text: short, with single spaces and without comments.
        lang: the language around it; it decides `01/06/2025`.

    Raises:
        ValueError: no form fits, or the day does not exist (31 June).
    """
    weekday = _AFTER_WORD.fullmatch(text)
    for candidate in (text, weekday[1]) if weekday else (text,):
        for pattern, form in _FORMS:
            if match := pattern.fullmatch(candidate):
                found = form(match, lang)
                return _decide_by_weekday(found, text) if found.doubt else found
    raise ValueError(f'"{text}" does not begin with a day')


def _decide_by_weekday(found: Day, text: str) -> Day:
    """Let an English weekday decide between day and month if it fits only one order.

    Drupal writes the third of May for the United States as `Fri, 05/03/2019 - 15:21`.
    """
    weekday = text[:3].title()
    if weekday not in WEEKDAYS or found.day.day > 12:
        return found
    orders = {found.day, found.day.replace(month=found.day.day, day=found.day.month)}
    fitting = [day for day in orders if WEEKDAYS[day.weekday()] == weekday]
    return found._replace(day=fitting[0], doubt=None) if len(fitting) == 1 else found


def _month(word: str) -> int:
    """Parse a month's number, name or abbreviation: `01`, `janv`, `Sept`, `мая`.

    Raises:
        ValueError: any other word; also `jui`, which is June or July.
    """
    if word.isdecimal():
        return int(word)
    folded = _fold(word)
    number = _MONTH_OF.get(folded[:3]) or _MONTH_OF.get(folded[:4])
    if number is None:
        raise ValueError(f'"{word}" is not a month')
    return number


def _year(digits: str) -> int:
    """Parse a year as RFC 2822 (4.3) does: 00-49 are 2000s; three digits count from 1900."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + 2000 if len(digits) == 2 and year < 50 else year + 1900


def _calendar_date(match: re.Match[str], lang: str | None) -> Day:
    day = date(_year(match["year"]), _month(match["month"]), int(match["day"]))
    return Day(day, match["rest"] or "")


def _ordinal_date(match: re.Match[str], lang: str | None) -> Day:
    first = date(int(match["year"]), 1, 1)
    day = first + timedelta(days=int(match["nth"]) - 1)
    if day.year != first.year:
        raise ValueError(f"{first.year} has no day {match['nth']}")
    return Day(day, match["rest"] or "")


def _week_date(match: re.Match[str], lang: str | None) -> Day:
    """Parse a week date; a week alone is its Monday."""
    return Day(date.fromisoformat(match["week"]), match["rest"] or "")


def _ambiguous_order(match: re.Match[str], lang: str | None) -> Day:
    """Parse day and month, in the order of the language unless one of them is over 12."""
    first, second = int(match["first"]), int(match["second"])
    month_first = (lang or "").replace("_", "-").casefold() in _MONTH_FIRST
    if max(first, second) > 12:
        month_first = second > 12
    month, number = (first, second) if month_first else (second, first)
    day = date(_year(match["year"]), month, number)
    is_certain = (max(first, second) > 12 or first == second) and len(match["year"]) == 4
    doubt = None if is_certain else (Code.DATE_ASSUMED, f"may be two dates; read as {day}")
    return Day(day, match["rest"] or "", doubt=doubt)


def _partial_date(match: re.Match[str], lang: str | None) -> Day:
    first = date(int(match["year"]), _month(match["month"] or "1"), 1)
    return Day(first, precision=Precision.MONTH if match["month"] else Precision.YEAR)


_REST = "(?P<rest>[ ,TtZz+-].*)?"
_YEAR = "(?P<year>[0-9]{4})"
_ANY_YEAR = "(?P<year>[0-9]{2,4})"
_NAME = rf"(?P<month>{_WORD})\.?"
_NUMBER = "(?P<month>[0-9]{1,2})"
_DAY = "(?P<day>[0-9]{1,2})"
_EIGHT_DIGITS = "(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})"
_NTH = rf"{_DAY}(?:\.|º|st|nd|rd|th|er)?"

#: The first form that fits decides, even if its day does not exist.
_FORMS: tuple[tuple[re.Pattern[str], _Form], ...] = tuple(
    (lazy_regex(pattern), form)
    for pattern, form in (
        # 2025-01-06, 2025/1/6
        (rf"{_YEAR}([-/.]){_NUMBER}\2{_DAY}{_REST}", _calendar_date),
        # 20250106, 20250106T100000Z, 20250106100000
        (rf"{_EIGHT_DIGITS}(?P<rest>[0-9]{{6}}|[ TtZz+-].*)?", _calendar_date),
        # 06 Jan 2025, 6. Januar 2025, 06-Jan-25, 6 de enero de 2025
        (rf"{_NTH}[ /-]?(?:de )?{_NAME}[ ,/-]{{0,2}}(?:del? )?{_ANY_YEAR}{_REST}", _calendar_date),
        # Jan 06, 2025
        (rf"{_NAME}[ -]?{_NTH}(?:, ?|[ -]){_ANY_YEAR}{_REST}", _calendar_date),
        # Jan 6 10:00:00 PST 2025
        (rf"{_NAME} {_DAY} (?P<rest>[0-9]{{1,2}}:.*) {_YEAR}", _calendar_date),
        # 2025 Jan 06
        (rf"{_YEAR}[ -]{_NAME}[ -]{_NTH}{_REST}", _calendar_date),
        # 06.01.2025, 6. 1. 25: dots are European
        (rf"{_DAY}\. ?{_NUMBER}\. ?{_ANY_YEAR}{_REST}", _calendar_date),
        # 01/06/2025, 01/06/25, 01-06-2025; 25-01-06 is too ambiguous
        (rf"(?P<first>[0-9]{{1,2}})/(?P<second>[0-9]{{1,2}})/{_ANY_YEAR}{_REST}", _ambiguous_order),
        (rf"(?P<first>[0-9]{{1,2}})-(?P<second>[0-9]{{1,2}})-{_YEAR}{_REST}", _ambiguous_order),
        # 2025-006
        (rf"{_YEAR}-(?P<nth>[0-9]{{3}}){_REST}", _ordinal_date),
        # 2025-W02-1, 2025W021, 2025-W02
        (rf"(?P<week>[0-9]{{4}}(?:-W[0-9]{{2}}(?:-[1-7])?|W[0-9]{{2}}[1-7]?)){_REST}", _week_date),
        # 2025, 2025-01
        (rf"{_YEAR}(?:-(?P<month>[0-9]{{2}}))?", _partial_date),
        # Jan 2025
        (rf"{_NAME},? (?:de )?{_YEAR}", _partial_date),
    )
)


def find_clock(text: str) -> tuple[timedelta, str] | None:
    """Parse a time of day and its zone; None if the text is not a time.

    Returns:
        The time since midnight in whole seconds (24 hours for 24:00, :59 for a leap second), and
        the text of the zone.

    Raises:
        ValueError: an impossible time (25:00, 10:61, 13:00 AM).
    """
    match = _CLOCK.fullmatch(text) or _BASIC.fullmatch(text)
    if not match:
        return None
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    hour = _to_24_hours(hour, (match["half"] or "").lower())
    if minute > 59 or second > 60 or (hour, minute, second) > (24, 0, 0):
        raise ValueError(f'"{text}" is not a time')
    since_midnight = timedelta(hours=hour, minutes=minute, seconds=min(second, 59))
    return since_midnight, match["zone"] or ""


def _to_24_hours(hour: int, half: str) -> int:
    """Convert an hour of the 12-hour clock; `13:00 PM` and `0:30 AM` are unambiguous."""
    if (half == "a" and hour > 12) or (half == "p" and hour == 0):
        raise ValueError(f"{hour} {half}m does not exist")
    if half == "a":
        return hour % 12
    return hour + 12 if half == "p" and hour < 12 else hour
