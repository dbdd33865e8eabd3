"""Compares dates, and formats them for sitemaps, Atom and RSS (mapping 1.3, 3.2, 4.3)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from converter.issues import Code, Note
from converter.model import Moment, Precision

#: The names of RFC 822; strftime depends on the locale.
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

#: A date up to this much after `now` comes from another clock, not from the future (mapping 3.2).
_CLOCK_SKEW: Final = timedelta(minutes=10)

_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)

#: A tenth of the time of a lookup on the enumeration.
_DAY, _SECOND = Precision.DAY, Precision.SECOND

_TWO_DIGITS = tuple(f"{number:02}" for number in range(60))

LastmodPolicy = Literal["auto", "updated", "published", "none"]


class DateResult(NamedTuple):
    """A date, None if it is unreadable or excluded, and notes about it."""

    moment: Moment | None
    notes: tuple[Note, ...] = ()


def sort_key(moment: Moment) -> tuple[datetime, Precision]:
    """Return a key to order moments: a plain date is 00:00 UTC, before a time at that instant."""
    return moment.instant, moment.precision


def latest(*moments: Moment | None) -> Moment | None:
    """Return the last moment, the first of equal ones; None if there is no moment."""
    return max((moment for moment in moments if moment), key=sort_key, default=None)


def is_not_future(moment: Moment, now: datetime) -> bool:
    """Return True for a moment in the past or less than ten minutes ahead."""
    return moment.instant - now <= _CLOCK_SKEW


def choose_lastmod(
    published: Moment | None, updated: Moment | None, *, policy: LastmodPolicy, now: datetime
) -> DateResult:
    """Choose the date of a page (mapping 3.2): the later of the two, or the one of the policy.

    A date in the future, a year and a month are excluded. A date less than ten minutes ahead
    becomes `now`, in its own offset.
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
            message = f'"{to_w3c(moment)}" is in the future; left out'
            notes = (*notes, (Code.DATE_FUTURE, message))
        elif chosen is None or (instant, moment.precision) > (chosen.instant, chosen.precision):
            chosen = moment
    if chosen is not None and chosen.instant > now:
        instant = now.astimezone(chosen.instant.tzinfo).replace(microsecond=0)
        if chosen.precision is _DAY:
            instant = instant.replace(hour=0, minute=0, second=0)
        chosen = Moment(instant, chosen.precision)
    return tuple.__new__(DateResult, (chosen, notes))  # half the time of the constructor


def to_w3c(moment: Moment, *, zulu: bool = False) -> str:
    """Format a sitemap's date: `2025-01-06`, `2025-01-06T10:00:00+01:00`.

    Args:
        moment: its offset is kept, unless that has seconds or is over 14:00.
        zulu: write UTC as `Z`, the form of feeds, not as the sitemap protocol's `+00:00`.

    Raises:
        ValueError: a year or a month alone, which XML Schema's types do not hold.
    """
    instant, precision = moment
    if precision is not _SECOND:
        if precision is _DAY:
            return _iso_day(instant.toordinal())
        raise ValueError(f"a {precision.name.lower()} is not a date for a sitemap")
    utc = "Z" if zulu else "+00:00"
    if instant.tzinfo is not UTC:
        offset = _offset(instant.utcoffset())
        if offset is None:
            instant = _in_utc(instant)
        elif offset != "+00:00":
            utc = offset
    two = _TWO_DIGITS  # `datetime.isoformat` needs three times as long
    day = _iso_day(instant.toordinal())
    return f"{day}T{two[instant.hour]}:{two[instant.minute]}:{two[instant.second]}{utc}"


def to_rfc3339(moment: Moment) -> str:
    """Format Atom's date, which always has a time: that of a plain date is 00:00 UTC.

    A year or a month becomes its first day. The caller reports the addition.
    """
    if moment.precision is not _SECOND:
        moment = moment._replace(precision=_SECOND)
    return to_w3c(moment, zulu=True)


def to_rfc822(moment: Moment) -> str:
    """Format RSS's date: `Mon, 06 Jan 2025 10:00:00 +0100`.

    A missing time is 00:00 UTC, as in `to_rfc3339`. Offsets that are not whole or half hours
    become `+0000`, because the W3C feed validator warns of them.
    """
    instant = moment.instant
    offset = _offset(instant.utcoffset())
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


@lru_cache(maxsize=256)
def _offset(offset: timedelta | None) -> str | None:
    """Return an offset as `+01:00`; None if it has seconds or is over 14:00."""
    if offset is None:
        raise ValueError("an instant without a zone")
    text = _FIRST.replace(tzinfo=timezone(offset)).isoformat()[19:]
    return text if len(text) == 6 and text[1:] <= "14:00" else None


def _in_utc(instant: datetime) -> datetime:
    """Convert to UTC, clamped to the years 1 to 9999."""
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        return _FIRST if instant.year == 1 else _LAST
