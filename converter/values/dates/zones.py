"""Zones of dates: offsets, the abbreviations that feeds use, and IANA names (mapping 7.3)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple

from converter.issues import Code, Note, printable
from converter.values.lazy_regex import lazy_regex

#: The largest offset of XML Schema's dateTime and of any place on Earth.
_MAX_OFFSET = timedelta(hours=14)

#: Hours from UTC. Abbreviations are not unique: these are the ones of RFC 822 and mapping 7.3.
_HOURS = (
    dict.fromkeys(("z", "ut", "utc", "gmt", "wet"), 0.0)
    | dict.fromkeys(("cet", "met", "mez", "west", "bst"), 1.0)
    | dict.fromkeys(("cest", "mest", "mesz", "eet"), 2.0)
    | dict.fromkeys(("eest", "msk"), 3.0)
    | dict.fromkeys(("hkt", "sgt", "awst"), 8.0)
    | dict.fromkeys(("jst", "kst"), 9.0)
    | {"ist": 5.5, "acst": 9.5, "aest": 10.0, "aedt": 11.0, "nzst": 12.0, "nzdt": 13.0}
    | {"nst": -3.5, "adt": -3.0, "ast": -4.0, "edt": -4.0, "est": -5.0, "cdt": -5.0}
    | {"cst": -6.0, "mdt": -6.0, "mst": -7.0, "pdt": -7.0, "pst": -8.0, "akdt": -8.0}
    | {"akst": -9.0, "hst": -10.0, "et": -5.0, "ct": -6.0, "mt": -7.0, "pt": -8.0}
)

#: IST is also Irish and Israeli; the short ones omit daylight saving time.
_AMBIGUOUS = frozenset({"ist", "et", "ct", "mt", "pt"})

#: `+0100`, `+1`, `GMT-3:30`, and `+0100 CET`, whose number decides. U+2212 is a minus sign.
_OFFSET = lazy_regex(
    r"(?:GMT|UTC?|Z)? ?([+\u2212-])([0-9]{1,2})(?::?([0-9]{2}))?(?: [A-Z][A-Z/_+-]*)?",
    re.IGNORECASE,
)

#: Only names below these regions: zoneinfo also has the system's `localtime` and `right/…`.
_IANA = lazy_regex(
    r"(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe"
    r"|Indian|Mexico|Pacific|US)(?:/[A-Za-z0-9_+-]{1,30}){1,2}"
)


class Zone(NamedTuple):
    """The zone of a date, and a note if it is doubtful."""

    tz: tzinfo
    doubt: Note | None = None
    """Its message continues the quoted date: `has no zone; read as UTC`."""


@lru_cache(maxsize=256)
def zone_or_default(text: str, assume_tz: tzinfo) -> Zone:
    """Return the zone of a date-time; a missing or unknown zone is `assume_tz`.

    A single letter and an offset over 14:00 are UTC instead: RFC 822 inverted the signs of its
    letters, so RFC 2822 (4.3) tells readers to take them as -0000.
    """
    if not text:
        return Zone(assume_tz, (Code.DATE_ASSUMED, f"has no zone; read as {assume_tz}"))
    if found := find_zone(text):
        return found
    assumed = UTC if _OFFSET.fullmatch(text) or len(text) == 1 else assume_tz
    words = f"has the unknown zone {quoted(text)}; read as {assumed}"
    return Zone(assumed, (Code.DATE_ZONE_UNKNOWN, words))


def find_zone(text: str) -> Zone | None:
    """Return the zone of an offset, an abbreviation or an IANA name; None if it is unknown."""
    abbreviation = text.lower()
    if (hours := _HOURS.get(abbreviation)) is None:
        match = _OFFSET.fullmatch(text)
        return _numeric(*match.groups()) if match else _iana(text)
    tz = timezone(timedelta(hours=hours))
    if abbreviation not in _AMBIGUOUS:
        return Zone(tz)
    return Zone(tz, (Code.DATE_ASSUMED, f"has the ambiguous zone {text}; read as {tz}"))


def _numeric(sign: str, hours: str, minutes: str | None) -> Zone | None:
    offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
    if offset > _MAX_OFFSET or int(minutes or 0) > 59:
        return None
    return Zone(timezone(offset if sign == "+" else -offset))


def _iana(name: str) -> Zone | None:
    if not _IANA.fullmatch(name):
        return None
    from zoneinfo import ZoneInfo

    try:
        return Zone(ZoneInfo(name))
    except (KeyError, OSError, ValueError):  # unknown; a folder of zones; not a zone file
        return None


def at_fixed_offset(local: datetime, tz: tzinfo) -> datetime:
    """Add a zone to a local time, as the fixed offset that it had at that time.

    Offsets before about 1900 have seconds, which no date format holds: then the result is in UTC.

    Raises:
        ValueError: `tz` has no offset for that time.
        OverflowError: the instant in UTC is before year 1 or after 9999.
    """
    instant = local.replace(tzinfo=tz)
    if (offset := instant.utcoffset()) is None:
        raise ValueError(f"{tz} is not a zone")
    if offset % timedelta(minutes=1):
        return instant.astimezone(UTC)
    return local.replace(tzinfo=timezone(offset))


def quoted(text: str) -> str:
    """Quote a value for a message, on one line and cut to 60 characters."""
    return f'"{printable(" ".join(text[:1000].split()), 60)}"'
