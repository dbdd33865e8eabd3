"""Writing of dates: W3C Datetime, RFC 3339 for Atom, RFC 822 for RSS (mapping 1.3, 4.3)."""

from __future__ import annotations

from datetime import UTC, datetime

from converter.model import Moment, Precision
from converter.values.dates import names

__all__ = ["to_rfc822", "to_rfc3339", "to_w3c"]

_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)


def to_w3c(moment: Moment, *, zulu: bool = False) -> str:
    """Write a sitemap's date: `2025-01-06`, `2025-01-06T10:00:00+01:00`.

    Args:
        moment: its offset is kept, unless that has seconds or is over 14:00.
        zulu: UTC is `Z`, as feeds have it, and not the sitemap protocol's `+00:00`.

    Raises:
        ValueError: a year or a month alone, which XML Schema's types do not hold.
    """
    if moment.is_partial:
        raise ValueError(f"a {moment.precision.name.lower()} is not a sitemap's date")
    if moment.precision is Precision.DAY:
        return moment.instant.date().isoformat()
    return _to_seconds(moment.instant, zulu=zulu)


def to_rfc3339(moment: Moment) -> str:
    """Write Atom's date, which always has a time; a plain date is the first second of it, in UTC.

    A year or a month is its first day: that something is added is for the caller to report.
    """
    return _to_seconds(moment.instant, zulu=True)


def to_rfc822(moment: Moment) -> str:
    """Write RSS's date: `Mon, 06 Jan 2025 10:00:00 +0100`.

    What has no time is the first second of it, in UTC, as in `to_rfc3339`. Offsets between the
    half hours become `+0000`: the W3C feed validator warns of them.
    """
    instant = moment.instant
    iso = instant.isoformat(timespec="seconds")
    if not _has_fit_offset(iso) or iso[23:] not in {"00", "30"}:
        instant = _in_utc(instant)
        iso = instant.isoformat(timespec="seconds")
    weekday, month = names.WEEKDAYS[instant.weekday()], names.MONTHS[instant.month - 1]
    return f"{weekday}, {iso[8:10]} {month} {iso[:4]} {iso[11:19]} {iso[19:22]}{iso[23:25]}"


def _to_seconds(instant: datetime, *, zulu: bool) -> str:
    iso = instant.isoformat(timespec="seconds")
    if not _has_fit_offset(iso):
        iso = _in_utc(instant).isoformat(timespec="seconds")
    return f"{iso[:19]}Z" if zulu and iso.endswith("+00:00") else iso


def _has_fit_offset(iso: str) -> bool:
    """Tell an offset of whole minutes, as far as XML Schema goes: 2025-01-06T10:00:00+14:00."""
    return len(iso) == 25 and iso[20:] <= "14:00"


def _in_utc(instant: datetime) -> datetime:
    """Convert to UTC; at either end of the calendar the nearest instant that has a year."""
    if instant.tzinfo is None:
        raise ValueError("an instant without a zone")
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        return _FIRST if instant.year == 1 else _LAST
