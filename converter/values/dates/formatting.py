"""Choice between dates, and their writing for sitemaps, Atom and RSS (mapping 1.3, 3.2, 4.3)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from converter.issues import Code
from converter.model import Moment, Precision
from converter.values.dates.zones import Note

#: As RFC 822 writes them, and as strftime would only in an English locale.
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

#: Dates up to this much after `now` are clocks that differ, not the future (mapping 3.2).
_CLOCK_SKEW: Final = timedelta(minutes=10)

_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)

#: As names of this module: on an enumeration they are looked up at ten times the price.
_DAY, _SECOND = Precision.DAY, Precision.SECOND

_TWO_DIGITS = tuple(f"{number:02}" for number in range(60))

LastmodPolicy = Literal["auto", "updated", "published", "none"]


class Lastmod(NamedTuple):
    """The date of a page, and the issues that its choice raised."""

    moment: Moment | None
    notes: tuple[Note, ...] = ()


def sort_key(moment: Moment) -> tuple[datetime, Precision]:
    """Order moments in time; a plain date is 00:00 UTC, and before what is more precise."""
    return moment.instant, moment.precision


def latest(*moments: Moment | None) -> Moment | None:
    """Find the last of the moments there are; of two that tie in everything, the first."""
    return max((moment for moment in moments if moment), key=sort_key, default=None)


def is_not_future(moment: Moment, now: datetime) -> bool:
    """Tell whether a moment has come, or is so near that two clocks may differ by it."""
    return moment.instant - now <= _CLOCK_SKEW


def choose_lastmod(
    published: Moment | None, updated: Moment | None, *, policy: LastmodPolicy, now: datetime
) -> Lastmod:
    """Choose the date of a page (mapping 3.2): the later of the two, or only the one asked for.

    What lies in the future is struck before the choice, and a year or a month is never chosen.
    What is less than ten minutes ahead becomes now, in its own offset.
    """
    if policy != "auto":
        published = published if policy == "published" else None
        updated = updated if policy == "updated" else None
    chosen: Moment | None = None
    notes: tuple[Note, ...] = ()
    for moment in (updated, published):
        if moment is None or moment.precision < _DAY:
            continue
        instant = moment.instant
        if instant > now and instant - now > _CLOCK_SKEW:
            message = f'"{to_w3c(moment)}" lies in the future; left out'
            notes = (*notes, (Code.DATE_FUTURE, message))
        elif chosen is None or (instant, moment.precision) > (chosen.instant, chosen.precision):
            chosen = moment
    if chosen is not None and chosen.instant > now:
        instant = now.astimezone(chosen.instant.tzinfo).replace(microsecond=0)
        if chosen.precision is _DAY:
            instant = instant.replace(hour=0, minute=0, second=0)
        chosen = Moment(instant, chosen.precision)
    return tuple.__new__(Lastmod, (chosen, notes))  # half the time of `Lastmod(…)`


def to_w3c(moment: Moment, *, zulu: bool = False) -> str:
    """Write a sitemap's date: `2025-01-06`, `2025-01-06T10:00:00+01:00`.

    Args:
        moment: its offset is kept, unless that has seconds or is over 14:00.
        zulu: UTC is `Z`, as feeds have it, and not the sitemap protocol's `+00:00`.

    Raises:
        ValueError: a year or a month alone, which XML Schema's types do not hold.
    """
    instant, precision = moment
    if precision is not _SECOND:
        if precision is _DAY:
            return _iso_day(instant.toordinal())
        raise ValueError(f"a {precision.name.lower()} is not a sitemap's date")
    utc = "Z" if zulu else "+00:00"
    if instant.tzinfo is not UTC:
        offset = _offset(instant)
        if offset is None:
            instant = _in_utc(instant)
        elif offset != "+00:00":
            utc = offset
    two = _TWO_DIGITS  # `datetime.isoformat` needs three times as long
    day = _iso_day(instant.toordinal())
    return f"{day}T{two[instant.hour]}:{two[instant.minute]}:{two[instant.second]}{utc}"


def to_rfc3339(moment: Moment) -> str:
    """Write Atom's date, which always has a time; a plain date is the first second of it, in UTC.

    A year or a month is its first day: that something is added is for the caller to report.
    """
    if moment.precision is not _SECOND:
        moment = moment._replace(precision=_SECOND)
    return to_w3c(moment, zulu=True)


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


@lru_cache(maxsize=1024)
def _iso_day(ordinal: int) -> str:
    return date.fromordinal(ordinal).isoformat()


@lru_cache(maxsize=1024)
def _rfc822_day(ordinal: int) -> str:
    day = date.fromordinal(ordinal)
    return f"{WEEKDAYS[day.weekday()]}, {day.day:02} {MONTHS[day.month - 1]} {day.year:04}"


def _offset(instant: datetime) -> str | None:
    """Write the offset, if it is of whole minutes, as far as XML Schema goes: `+14:00`."""
    zone = instant.tzinfo
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
