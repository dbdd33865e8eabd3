"""Parses dates of every form that feeds use, and notes what is doubtful about them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache

from converter.issues import Code, Note
from converter.model import Moment, Precision
from converter.values.dates import zones
from converter.values.dates.formatting import MONTHS, DateResult
from converter.values.dates.zones import quoted
from converter.values.lazy_regex import lazy_regex

#: Earlier dates are kept and noted; the W3C feed validator calls them implausible.
_FIRST_PLAUSIBLE_YEAR = 1990
_FIRST_PLAUSIBLE = str(_FIRST_PLAUSIBLE_YEAR)

#: The most characters of a date, with comments.
_MAX_CHARS = 250

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_instant = datetime.fromisoformat

#: The most characters of a canonical date and of its zone.
_CANONICAL_CHARS, _ZONE_CHARS = 40, 16
_RFC_822_DAY = re.compile(r"[A-Z][a-z]{2}, ([0-9]{1,2}) ([A-Z][a-z]{2}) ([0-9]{4})")
_FRACTION = lazy_regex(r"\A\.[0-9]+")

#: Half the time of a NamedTuple's constructor.
_new = tuple.__new__
_DAY, _SECOND = Precision.DAY, Precision.SECOND

#: W3C Datetime (https://www.w3.org/TR/NOTE-datetime) and no other form.
_W3C = lazy_regex(
    r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2}(?:"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?"
    r"(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00)))?)?)?"
)

#: Unix time in seconds, or in milliseconds, which are dropped.
_UNIX = lazy_regex(r"([0-9]{10})(?:[0-9]{3})?")

#: Between a day and its time.
_SEPARATOR = lazy_regex(r"[ ,]*(?:T(?=[0-9])|- (?=[0-9])|(?:at|um|à) )? ?", re.IGNORECASE)

#: RFC 822's comments are removed; a zone in brackets stays: Java's `+01:00[Europe/Berlin]`.
_COMMENT = lazy_regex(r"\([^()]*\)")
_BRACKETED = lazy_regex(r"\[([^\[\]]*)\]")

#: Zero values of databases and languages: `0000-00-00`, .NET's year 1, WordPress' year -1.
_ZERO = lazy_regex(r"[0 .:/,TZtz+-]*|-?000[01]-.*|[^:]* -000[01]\b.*")


def parse(text: str, assume_tz: tzinfo = UTC, lang: str | None = None) -> DateResult:
    """Parse a date of any form of mapping 7.1 to 7.3.

    Missing seconds are :00, fractions are dropped. 31 June is not rolled over to July, and an
    unknown part makes the whole date unreadable.

    Args:
        text: as in the source.
        assume_tz: the zone of a time with none or an unknown one.
        lang: the nearest language; `en-us` and `en-ph` put the month first in `01/06/2025`.
    """
    # Canonical dates of RFC 822 and RFC 3339 need no note. With the colons in place and a known
    # day and zone, `datetime.fromisoformat` accepts nothing but digits for the rest, and takes a
    # fraction of the time of a pattern with groups.
    try:
        if "," in text:
            day, clock, zone = text.rsplit(" ", 2)
            if clock[2:6:3] == "::" and len(clock) == 8:
                instant = _instant(f"{_iso_day(day)}{clock}{_iso_zone(zone)}")
                return _new(DateResult, (_new(Moment, (instant, _SECOND)), ()))
        elif text[10:20:3] == "T::Z" and text >= _FIRST_PLAUSIBLE:
            return _new(DateResult, (_new(Moment, (_instant(text), _SECOND)), ()))
        elif text >= _FIRST_PLAUSIBLE and len(text) <= _CANONICAL_CHARS:
            return _new(DateResult, (_iso(text), ()))
    except ValueError:  # another form, an old date, the 31st of June, 24:00
        pass
    if len(text) > _MAX_CHARS and len(text := text.strip()) > _MAX_CHARS:
        return _unreadable(text)
    return _parse_any(text, assume_tz, lang)


def _iso(text: str) -> Moment:
    """Parse a plain day, or a date and time with an offset.

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
    """Turn `Mon, 6 Jan 2025` into `2025-01-06T`; the weekday is often wrong, and ignored.

    Raises:
        ValueError: another form, or an implausible year.
    """
    match = _RFC_822_DAY.fullmatch(text)
    if not match or match[2] not in MONTHS or match[3] < _FIRST_PLAUSIBLE:
        raise ValueError("another form")
    return f"{match[3]}-{MONTHS.index(match[2]) + 1:02}-{match[1]:0>2}T"


@lru_cache(maxsize=256)
def _iso_zone(text: str) -> str:
    """Turn `GMT`, `+0100` or `+1` into `+01:00`.

    Raises:
        ValueError: an unknown or doubtful zone, or one without a fixed offset.
    """
    if len(text) > _ZONE_CHARS:  # keeps the cache small
        raise ValueError("another zone")
    zone = zones.find_zone(text)
    if zone is None or zone.doubt or not isinstance(zone.tz, timezone):
        raise ValueError("another zone")
    return _EPOCH.replace(tzinfo=zone.tz).isoformat()[19:]


@lru_cache(maxsize=1024)
def _parse_any(text: str, assume_tz: tzinfo, lang: str | None) -> DateResult:
    plain = " ".join(_BRACKETED.sub(r" \1", _COMMENT.sub(" ", text)).split())
    if not plain:
        return DateResult(None, ((Code.DATE_PLACEHOLDER, "the date is empty; left out"),))
    try:
        moment, doubts = _interpret(plain, assume_tz, lang)
    except (ValueError, OverflowError):
        moment, doubts = None, ()
    if _ZERO.fullmatch(plain) or (moment and _is_zero(moment)):
        message = f"{quoted(text)} is a placeholder; left out"
        return DateResult(None, ((Code.DATE_PLACEHOLDER, message),))
    if moment is None:
        return _unreadable(text)
    if moment.instant.year < _FIRST_PLAUSIBLE_YEAR:
        doubts = (*doubts, (Code.DATE_OLD, f"is before {_FIRST_PLAUSIBLE_YEAR}; kept"))
    return DateResult(moment, tuple((code, f"{quoted(text)} {doubt}") for code, doubt in doubts))


def _unreadable(text: str) -> DateResult:
    return DateResult(None, ((Code.DATE_UNREADABLE, f"{quoted(text)} is not a date; left out"),))


def _is_zero(moment: Moment) -> bool:
    """Return True for the zero of Unix, in UTC or local time, and that of .NET."""
    instant = moment.instant
    is_zero = instant.year == 1 or _EPOCH in (instant, instant.replace(tzinfo=UTC))
    return is_zero and not moment.is_partial


def _interpret(text: str, assume_tz: tzinfo, lang: str | None) -> tuple[Moment, tuple[Note, ...]]:
    if match := _UNIX.fullmatch(text):
        return Moment(instant=_EPOCH + timedelta(seconds=int(match[1]))), ()
    from converter.values.dates import unusual_forms  # most dates are canonical

    found = unusual_forms.find_day(text, lang)
    doubts = (found.doubt,) if found.doubt else ()
    if found.precision < _DAY:
        word = found.precision.name.lower()
        doubts = (*doubts, (Code.DATE_PARTIAL, f"has no more than a {word}; kept as that"))
        return _whole(found.day, found.precision), doubts
    if not (rest := _SEPARATOR.sub("", found.rest, count=1)):
        return _whole(found.day), doubts
    clock = unusual_forms.find_clock(rest)
    if clock is None:
        if not zones.find_zone(rest):
            raise ValueError(f'"{rest}" is neither a time nor a zone')
        return _whole(found.day), doubts  # the zone of a day is ignored
    zone = zones.zone_or_default(clock[1], assume_tz)
    if zone.doubt:
        doubts = (*doubts, zone.doubt)
    local = datetime.combine(found.day, time()) + clock[0]
    return Moment(instant=zones.at_fixed_offset(local, zone.tz)), doubts


def _whole(day: date, precision: Precision = _DAY) -> Moment:
    return Moment(datetime.combine(day, time(), UTC), precision)


def parse_w3c(text: str) -> Moment:
    """Parse W3C Datetime and no other form, to the minute or second.

    Raises:
        ValueError: another form, an impossible day or time, an offset over 14:00.
    """
    try:
        if len(text) <= _MAX_CHARS and _W3C.fullmatch(text):
            return _interpret(text, UTC, None)[0]
    except (ValueError, OverflowError):
        pass
    raise ValueError(f"{quoted(text)} is not a W3C date")
