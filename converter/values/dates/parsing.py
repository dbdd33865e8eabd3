"""Reading of dates: from any form that feeds use to a moment, and what is doubtful about it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple

from converter.issues import Code
from converter.model import Moment, Precision
from converter.values.dates import zones
from converter.values.dates.formatting import MONTHS
from converter.values.dates.zones import Note, quoted
from converter.values.lazy_regex import lazy_regex

#: Dates before it are kept, but noticed; the W3C feed validator calls them implausible.
_FIRST_PLAUSIBLE_YEAR = 1990
_FIRST_PLAUSIBLE = str(_FIRST_PLAUSIBLE_YEAR)

#: What is looked at of a text: no date is longer, and hostile ones are.
_RAW_CHARS = 1000
_CHARS = 120

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_instant = datetime.fromisoformat

#: What is longer is not canonical.
_CANONICAL_CHARS, _ZONE_CHARS = 40, 16
_RFC_822_DAY = re.compile(r"[A-Z][a-z]{2}, ([0-9]{1,2}) ([A-Z][a-z]{2}) ([0-9]{4})")
_FRACTION = lazy_regex(r"\A\.[0-9]+")

#: Each entry has a date or two; this takes half as long as the constructor of a NamedTuple.
_new = tuple.__new__
_DAY, _SECOND = Precision.DAY, Precision.SECOND

#: W3C Datetime (https://www.w3.org/TR/NOTE-datetime), nothing beside it.
_W3C = lazy_regex(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2})(?:"
    r"(?P<clock>T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?=[.Z+-]))?)(?:(?<=:..:..)\.[0-9]+)?"
    r"(?P<zone>Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00)))?)?)?"
)

#: Unix time in seconds, or in milliseconds, which are cut off.
_UNIX = lazy_regex(r"([0-9]{10})(?:[0-9]{3})?")

#: What may stand between a day and its time.
_RUN_IN = lazy_regex(r"[ ,]*(?:T(?=[0-9])|- (?=[0-9])|(?:at|um|à) )? ?", re.IGNORECASE)

#: RFC 822's comments go; a zone in brackets stays: `+01:00[Europe/Berlin]` is Java's.
_COMMENT = lazy_regex(r"\([^()]*\)")
_BRACKETED = lazy_regex(r"\[([^\[\]]*)\]")

#: Zero values of databases and languages: `0000-00-00`, .NET's year 1, WordPress' year -1.
_ZERO = lazy_regex(r"[0 .:/,TZtz+-]*|-?000[01]-.*|[^:]* -000[01]\b.*")


class ParsedDate(NamedTuple):
    """A date that was read, and the issues that its reading raised."""

    moment: Moment | None
    notes: tuple[Note, ...] = ()


def parse(text: str, assume_tz: tzinfo = UTC, lang: str | None = None) -> ParsedDate:
    """Read a date of any form of mapping 7.1 to 7.3; nothing is too broken to be asked for.

    Seconds that are missing are :00, fractions are cut off. A day that no calendar has is not
    rolled over, and a part that is not understood makes the whole unreadable.

    Args:
        text: as it stands in the source.
        assume_tz: the zone of a time that has none, or an unknown one.
        lang: the nearest language; `en-us` and `en-ph` put the month first in `01/06/2025`.
    """
    # The canonical forms of RFC 822 and RFC 3339 need no note. With their colons in place, and
    # their day and zone known, `datetime.fromisoformat` takes digits for the rest and nothing
    # else: several times as fast as a pattern with groups.
    try:
        if "," in text:
            day, clock, zone = text.rsplit(" ", 2)
            if clock[2:6:3] == "::" and len(clock) == 8:
                instant = _instant(f"{_iso_day(day)}{clock}{_iso_zone(zone)}")
                return _new(ParsedDate, (_new(Moment, (instant, _SECOND)), ()))
        elif text[10:20:3] == "T::Z" and text >= _FIRST_PLAUSIBLE:
            return _new(ParsedDate, (_new(Moment, (_instant(text), _SECOND)), ()))
        elif text >= _FIRST_PLAUSIBLE and len(text) <= _CANONICAL_CHARS:
            return _new(ParsedDate, (_iso(text), ()))
    except ValueError:  # another form, an old date, the 31st of June, 24:00
        pass
    if len(text) > _RAW_CHARS and len(text := text.strip()) > _RAW_CHARS:
        return _unreadable(text)
    return _read_any(text, assume_tz, lang)


def _iso(text: str) -> Moment:
    """Read a plain day, or a date and time with an offset.

    Raises:
        ValueError: any other form.
    """
    if text[10:17:3] == "T::":
        zone = text[19:]
        if "." in zone:
            zone = _FRACTION.sub("", zone)
        return _new(Moment, (_instant(text[:19] + _iso_zone(zone)), _SECOND))
    if text[4:8:3] == "--" and len(text) == 10:
        return _new(Moment, (_instant(f"{text}T00:00Z"), _DAY))
    raise ValueError("another form")


@lru_cache(maxsize=1024)
def _iso_day(text: str) -> str:
    """Turn `Mon, 6 Jan 2025` into `2025-01-06T`; the weekday is often wrong, and never asked.

    Raises:
        ValueError: no day in the form of RFC 822, or an old one.
    """
    match = _RFC_822_DAY.fullmatch(text)
    if not match or match[2] not in MONTHS or match[3] < _FIRST_PLAUSIBLE:
        raise ValueError("another form")
    return f"{match[3]}-{MONTHS.index(match[2]) + 1:02}-{match[1]:0>2}T"


@lru_cache(maxsize=256)
def _iso_zone(text: str) -> str:
    """Turn `GMT`, `+0100` or `+1` into `+01:00`.

    Raises:
        ValueError: none, one that has no fixed offset, or one that something is to be said of.
    """
    if len(text) > _ZONE_CHARS:  # and is not kept, for what raises is not
        raise ValueError("another zone")
    zone = zones.find_zone(text)
    if zone is None or zone.doubt or not isinstance(zone.tz, timezone):
        raise ValueError("another zone")
    return _EPOCH.replace(tzinfo=zone.tz).isoformat()[19:]


@lru_cache(maxsize=1024)
def _read_any(text: str, assume_tz: tzinfo, lang: str | None) -> ParsedDate:
    plain = " ".join(_BRACKETED.sub(r" \1", _COMMENT.sub(" ", text)).split())
    if len(plain) > _CHARS:
        return _unreadable(text)
    if not plain:
        return ParsedDate(None, ((Code.DATE_PLACEHOLDER, "the date is empty; left out"),))
    try:
        moment, doubts = _interpreted(plain, assume_tz, lang)
    except (ValueError, OverflowError):
        moment, doubts = None, ()
    if _ZERO.fullmatch(plain) or (moment and _is_zero(moment)):
        words = f"{quoted(text)} is a placeholder; left out"
        return ParsedDate(None, ((Code.DATE_PLACEHOLDER, words),))
    if moment is None:
        return _unreadable(text)
    if moment.instant.year < _FIRST_PLAUSIBLE_YEAR:
        doubts = (*doubts, (Code.DATE_OLD, f"lies before {_FIRST_PLAUSIBLE_YEAR}; kept"))
    return ParsedDate(moment, tuple((code, f"{quoted(text)} {words}") for code, words in doubts))


def _unreadable(text: str) -> ParsedDate:
    return ParsedDate(None, ((Code.DATE_UNREADABLE, f"{quoted(text)} is not a date; left out"),))


def _is_zero(moment: Moment) -> bool:
    """Tell the zero of Unix, in UTC or by the clock on its wall, and that of .NET."""
    instant = moment.instant
    is_zero = instant.year == 1 or _EPOCH in (instant, instant.replace(tzinfo=UTC))
    return is_zero and not moment.is_partial


def _interpreted(text: str, assume_tz: tzinfo, lang: str | None) -> tuple[Moment, tuple[Note, ...]]:
    if match := _UNIX.fullmatch(text):
        return Moment(instant=_EPOCH + timedelta(seconds=int(match[1]))), ()
    from converter.values.dates import unusual_forms  # most dates are in canonical form

    found = unusual_forms.find_day(text, lang)
    doubts = (found.doubt,) if found.doubt else ()
    if found.precision < _DAY:
        word = found.precision.name.lower()
        doubts = (*doubts, (Code.DATE_PARTIAL, f"names no more than a {word}; kept as that"))
        return _whole(found.day, found.precision), doubts
    if not (rest := _RUN_IN.sub("", found.rest, count=1)):
        return _whole(found.day), doubts
    clock = unusual_forms.find_clock(rest)
    if clock is None:
        if not zones.find_zone(rest):
            raise ValueError(f'"{rest}" is neither a time nor a zone')
        return _whole(found.day), doubts  # a day with a zone is the plain day
    zone = zones.zone_or_default(clock[1], assume_tz)
    if zone.doubt:
        doubts = (*doubts, zone.doubt)
    local = datetime.combine(found.day, time()) + clock[0]
    return Moment(instant=zones.at_fixed_offset(local, zone.tz)), doubts


def _whole(day: date, precision: Precision = _DAY) -> Moment:
    return Moment(datetime.combine(day, time(), UTC), precision)


def parse_w3c(text: str) -> Moment:
    """Read W3C Datetime and nothing else, as far as a minute or a whole second.

    Raises:
        ValueError: any other form, a day or a time that is none, an offset over 14:00.
    """
    match = _W3C.fullmatch(text) if len(text) <= _CHARS else None
    if not match:
        raise ValueError(f"{quoted(text)} is not a W3C date")
    year, month, day, clock, zone = match.groups()
    try:
        if clock is None:
            precision = Precision(1 + (month is not None) + (day is not None))
            return _whole(date(int(year), int(month or 1), int(day or 1)), precision)
        return Moment(instant=datetime.fromisoformat(f"{year}-{month}-{day}{clock}{zone}"))
    except ValueError as error:
        raise ValueError(f"{quoted(text)} is not a W3C date: {error}") from error
