"""Days and times of day in every form that feeds are seen to use, in nine languages (mapping 7.2).

Most dates are in canonical form, and need nothing of this module.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from converter.issues import Code
from converter.model import Precision
from converter.values.dates.formatting import WEEKDAYS
from converter.values.dates.zones import Note
from converter.values.lazy_regex import lazy_regex

#: A line a language (English, German, French, Spanish, Italian, Portuguese, Dutch, Polish,
#: Russian): January to December, as the shortest beginnings that tell them apart; `|` parts
#: variants.
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
#: Weekdays before a date without a comma, likewise; two letters are a whole word.
_WEEKDAYS = """
mon tue wed thu fri sat sun
mo di mi do fr sa so die mit don fre sam son
lun mar mer jeu ven sam dim
lun mar mié jue vie sáb dom
lun mar mer gio ven sab dom
seg ter qua qui sex sáb dom
ma di wo do vr za zo maa din woe don vri zat zon
pon wto śro czw pią sob nie pn wt śr cz pt so nd
пон вто сре чет пят суб вос пн вт ср чт пт сб вс
"""


def _folded(word: str) -> str:
    """Without case and accents: `Août` and `aout` are one month."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


_MONTH_OF = {
    _folded(prefix): number
    for language in _MONTHS.strip().splitlines()
    for number, prefixes in enumerate(language.split(), start=1)
    for prefix in prefixes.split("|")
}
_WEEKDAY_PREFIXES = frozenset(_folded(_WEEKDAYS).split())

_WORD = r"[^\W\d_]+"

#: A weekday in any language if a comma follows, else in one that is known.
_AFTER_WORD = lazy_regex(rf"({_WORD}(?:-{_WORD})?)(\.?,)?\.? ?(.+)")

#: The languages that put the month first (mapping 7.1).
_MONTH_FIRST = frozenset({"en-us", "en-ph"})

#: A word or an offset; anything else behind a time makes it unreadable.
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
    """A day that was found, and what its text goes on with: a clock, a zone, nothing."""

    day: date
    rest: str = ""
    precision: Precision = Precision.DAY
    doubt: Note | None = None
    """To be put after the quoted date: `may be two dates; read as 2025-06-01`."""


_Form = Callable[[re.Match[str], str | None], Day]


def find_day(text: str, lang: str | None) -> Day:
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
    if weekday not in WEEKDAYS or found.day.day > 12:
        return found
    orders = {found.day, found.day.replace(month=found.day.day, day=found.day.month)}
    fitting = [day for day in orders if WEEKDAYS[day.weekday()] == weekday]
    return found._replace(day=fitting[0], doubt=None) if len(fitting) == 1 else found


def _without_weekday(text: str) -> str:
    """Pass over the weekday: it is often wrong, and seldom needed."""
    match = _AFTER_WORD.fullmatch(text)
    if match and (match[2] or _folded(match[1])[:3] in _WEEKDAY_PREFIXES):
        return match[3]
    return text


def _month(word: str) -> int:
    """Number a month from its number, name or any abbreviation: `01`, `janv`, `Sept`, `мая`.

    Raises:
        ValueError: no month; also `jui`, which is June or July.
    """
    if word.isdecimal():
        return int(word)
    folded = _folded(word)
    number = _MONTH_OF.get(folded[:3]) or _MONTH_OF.get(folded[:4])
    if number is None:
        raise ValueError(f'"{word}" is not a month')
    return number


def _year(digits: str) -> int:
    """Read two digits as RFC 2822 (4.3) does: 00-49 are 2000s; three count from 1900."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + 2000 if len(digits) == 2 and year < 50 else year + 1900


def _calendar(match: re.Match[str], lang: str | None) -> Day:
    day = date(_year(match["year"]), _month(match["month"]), int(match["day"]))
    return Day(day, match["rest"] or "")


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


def _partial(match: re.Match[str], lang: str | None) -> Day:
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

#: The first that fits decides; one that fits and names no day of the calendar ends the search.
_FORMS: tuple[tuple[re.Pattern[str], _Form], ...] = tuple(
    (lazy_regex(pattern), form)
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
        (rf"{_YEAR}(?:-(?P<month>[0-9]{{2}}))?", _partial),
        # Jan 2025
        (rf"{_NAME},? (?:de )?{_YEAR}", _partial),
    )
)


def find_clock(text: str) -> tuple[timedelta, str] | None:
    """Find the time of day that a text begins with, as what has passed of the day, and its zone.

    Whole seconds, 24 hours for 24:00. Fractions are cut off, and the leap second is :59.

    Raises:
        ValueError: a time that no day has (25:00, 10:61, 13:00 AM).
    """
    match = _CLOCK.fullmatch(text) or _BASIC.fullmatch(text)
    if not match:
        return None
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    hour = _of_24(hour, (match["half"] or "").lower())
    if minute > 59 or second > 60 or (hour, minute, second) > (24, 0, 0):
        raise ValueError(f'"{text}" is not a time')
    passed = timedelta(hours=hour, minutes=minute, seconds=min(second, 59))
    return passed, match["zone"] or ""


def _of_24(hour: int, half: str) -> int:
    """Turn an hour of the 12-hour clock into one of 24; `13:00 PM` and `0:30 AM` say enough."""
    if (half == "a" and hour > 12) or (half == "p" and hour == 0):
        raise ValueError(f"there is no {hour} {half}m")
    if half == "a":
        return hour % 12
    return hour + 12 if half == "p" and hour < 12 else hour
