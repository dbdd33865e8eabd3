"""Writing of dates: W3C Datetime, RFC 3339 for Atom, RFC 822 for RSS (mapping 1.3, 4.3)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timezone, tzinfo
from functools import lru_cache

from converter.model import Moment, Precision
from converter.values.dates import names

__all__ = ["to_rfc822", "to_rfc3339", "to_w3c"]

_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)

#: As names of this module: on an enumeration they are looked up at ten times the price.
_DAY, _SECOND = Precision.DAY, Precision.SECOND

_TWO_DIGITS = tuple(f"{number:02}" for number in range(60))


def to_w3c(moment: Moment, *, zulu: bool = False) -> str:
    """Write a sitemap's date: `2025-01-06`, `2025-01-06T10:00:00+01:00`.

    Args:
        moment: its offset is kept, unless that has seconds or is over 14:00.
        zulu: UTC is `Z`, as feeds have it, and not the sitemap protocol's `+00:00`.

    Raises:
        ValueError: a year or a month alone, which XML Schema's types do not hold.
    """
    precision = moment.precision
    if precision is _SECOND:
        return _to_seconds(moment.instant, "Z" if zulu else "+00:00")
    if precision is _DAY:
        return _iso_day(moment.instant.toordinal())
    raise ValueError(f"a {precision.name.lower()} is not a sitemap's date")


def to_rfc3339(moment: Moment) -> str:
    """Write Atom's date, which always has a time; a plain date is the first second of it, in UTC.

    A year or a month is its first day: that something is added is for the caller to report.
    """
    return _to_seconds(moment.instant, "Z")


def to_rfc822(moment: Moment) -> str:
    """Write RSS's date: `Mon, 06 Jan 2025 10:00:00 +0100`.

    What has no time is the first second of it, in UTC, as in `to_rfc3339`. Offsets between the
    half hours become `+0000`: the W3C feed validator warns of them.
    """
    instant = moment.instant
    offset = _offset(instant)
    if offset is None or offset[4:] not in {"00", "30"}:
        instant, offset = _in_utc(instant), "+00:00"
    two = _TWO_DIGITS
    clock = f"{two[instant.hour]}:{two[instant.minute]}:{two[instant.second]}"
    return f"{_rfc822_day(instant.toordinal())} {clock} {offset[:3]}{offset[4:]}"


def _to_seconds(instant: datetime, utc: str) -> str:
    """Write date, time and offset, and `utc` for that of UTC.

    `datetime.isoformat` needs three times as long.
    """
    if instant.tzinfo is not UTC:
        offset = _offset(instant)
        if offset is None:
            instant = _in_utc(instant)
        elif offset != "+00:00":
            utc = offset
    two = _TWO_DIGITS
    day = _iso_day(instant.toordinal())
    return f"{day}T{two[instant.hour]}:{two[instant.minute]}:{two[instant.second]}{utc}"


@lru_cache(maxsize=1024)
def _iso_day(ordinal: int) -> str:
    return date.fromordinal(ordinal).isoformat()


@lru_cache(maxsize=1024)
def _rfc822_day(ordinal: int) -> str:
    day = date.fromordinal(ordinal)
    weekday, month = names.WEEKDAYS[day.weekday()], names.MONTHS[day.month - 1]
    return f"{weekday}, {day.day:02} {month} {day.year:04}"


def _offset(instant: datetime) -> str | None:
    """Write the offset, if it is of whole minutes, as far as XML Schema goes: `+14:00`."""
    zone = instant.tzinfo
    if zone is UTC:
        return "+00:00"
    if isinstance(zone, timezone):
        return _fixed_offset(zone)
    return _fit(instant.isoformat(timespec="seconds")[19:])


@lru_cache(maxsize=256)
def _fixed_offset(zone: tzinfo) -> str | None:
    return _fit(_FIRST.replace(tzinfo=zone).isoformat()[19:])


def _fit(offset: str) -> str | None:
    return offset if len(offset) == 6 and offset[1:] <= "14:00" else None


def _in_utc(instant: datetime) -> datetime:
    """Convert to UTC; at either end of the calendar the nearest instant that has a year."""
    if instant.tzinfo is None:
        raise ValueError("an instant without a zone")
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        return _FIRST if instant.year == 1 else _LAST
