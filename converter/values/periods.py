"""Periods of validity: the DCMI Period notation of `dcterms:valid` (mapping 3.8)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from converter.issues import Code, Note
from converter.model import Moment, Precision
from converter.values import dates
from converter.values.lazy_regex import lazy_regex

_KEY = lazy_regex(r"(?:^|(?<=[;\s]))(start|end|scheme|name)\s*=", re.IGNORECASE)

#: Spellings of W3C-DTF, the scheme that DCMI Period recommends.
_SCHEMES = frozenset({"", "w3c-dtf", "w3cdtf", "dcterms:w3cdtf"})

#: Removed around a value.
_AROUND = " \t\r\n;"

#: The longest period, with its name.
_MAX_CHARS = 2000


class Period(NamedTuple):
    """The start and the end of a period; None if open."""

    start: Moment | None = None
    end: Moment | None = None
    notes: tuple[Note, ...] = ()


def parse(text: str, assume_tz: tzinfo = UTC) -> Period:
    """Parse `start=…; end=…; scheme=W3C-DTF`, keys in any case; a lone date is the end.

    An unreadable bound, a year or a month is left open. If the end is before the start, both are
    left open. Dates of another scheme are read too, and noted.
    """
    text = text.strip()
    if not text or len(text) > _MAX_CHARS:
        return Period(notes=(_irregular(text),))
    opening, *pairs = _KEY.split(text)
    if not pairs:
        opening, pairs = "", ["end", text]
    values: dict[str, str] = {}
    for key, value in zip(pairs[::2], pairs[1::2], strict=True):
        values.setdefault(key.lower(), value.strip(_AROUND))
    is_w3c = values.get("scheme", "").casefold() in _SCHEMES and not opening.strip(_AROUND)
    notes = [] if is_w3c and values.keys() & {"start", "end"} else [_irregular(text)]
    start = _bound("start", values, assume_tz, notes)
    end = _bound("end", values, assume_tz, notes)
    if start and end and last_second(end) < start.instant:
        words = f"{dates.quoted(text)} ends before it starts; left out"
        return Period(notes=(*notes, (Code.PERIOD_UNREADABLE, words)))
    return Period(start, end, tuple(notes))


def _irregular(text: str) -> Note:
    words = f"{dates.quoted(text)} is not a period of W3C-DTF dates; what can be read is used"
    return Code.PERIOD_UNREADABLE, words


def _bound(key: str, values: dict[str, str], assume_tz: tzinfo, notes: list[Note]) -> Moment | None:
    if not (text := values.get(key)):
        return None
    moment, found = dates.parse(text, assume_tz=assume_tz)
    if moment is None:
        found = ((Code.PERIOD_UNREADABLE, f"{key} {dates.quoted(text)} is not a date; left out"),)
    elif moment.is_partial:
        words = f"has no more than a {moment.precision.name.lower()}; left out"
        moment, found = None, ((Code.DATE_PARTIAL, f"{key} {dates.quoted(text)} {words}"),)
    notes += found
    return moment


def last_second(end: Moment) -> datetime:
    """Return the last second of a period: that of the day for a plain date."""
    if end.precision is Precision.DAY:
        return end.instant.replace(hour=23, minute=59, second=59)
    return end.instant
