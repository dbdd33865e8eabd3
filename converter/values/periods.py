"""Periods of validity: the DCMI Period notation of `dcterms:valid` (mapping 3.8)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from converter.issues import Code
from converter.model import Moment, Precision
from converter.values import dates
from converter.values.lazy_regex import lazy_regex

_KEY = lazy_regex(r"(?:^|(?<=[;\s]))(start|end|scheme|name)\s*=", re.IGNORECASE)

#: Spellings of the one scheme that the DCMI Period text recommends.
_SCHEMES = frozenset({"", "w3c-dtf", "w3cdtf", "dcterms:w3cdtf"})

#: What may stand around a value; white space is of any kind, as in XML.
_AROUND = " \t\r\n;"

#: What is looked at: a name may be long, a period is not.
_CHARS = 2000


class Period(NamedTuple):
    """From when and until when something holds; None: open on that side."""

    start: Moment | None = None
    end: Moment | None = None
    notes: tuple[dates.Note, ...] = ()


def parse(text: str, assume_tz: tzinfo = UTC) -> Period:
    """Read `start=…; end=…; scheme=W3C-DTF`, keys in any case; a lone date is the end.

    A bound that cannot be read, or names no more than a year or a month, is left open. An end
    before its start makes both void: nothing tells which is wrong.
    """
    text = text.strip()
    if not text:
        return Period(notes=((Code.PERIOD_UNREADABLE, "the period is empty; left out"),))
    if len(text) > _CHARS:
        return Period(notes=(_unreadable(text),))
    opening, *pairs = _KEY.split(text)
    values: dict[str, str] = {}
    if not pairs:
        opening, values = "", {"end": text}
    for key, value in zip(pairs[::2], pairs[1::2], strict=True):
        values.setdefault(key.lower(), value.strip(_AROUND))
    notes = _doubts(text, opening.strip(_AROUND), values)
    start = _bound("start", values, assume_tz, notes)
    end = _bound("end", values, assume_tz, notes)
    if start and end and last_second(end) < start.instant:
        words = f"{dates.quoted(text)} ends before it starts; left out"
        return Period(notes=(*notes, (Code.PERIOD_UNREADABLE, words)))
    return Period(start, end, tuple(notes))


def _doubts(text: str, opening: str, values: dict[str, str]) -> list[dates.Note]:
    notes = []
    if opening:
        words = f"{dates.quoted(opening)} before the first key is ignored"
        notes.append((Code.PERIOD_UNREADABLE, words))
    if not {"start", "end"} & values.keys():
        notes.append(_unreadable(text))
    scheme = values.get("scheme", "")
    if scheme.casefold() not in _SCHEMES:
        words = f"the scheme {dates.quoted(scheme)} is not W3C-DTF; its dates are read all the same"
        notes.append((Code.PERIOD_UNREADABLE, words))
    return notes


def _unreadable(text: str) -> dates.Note:
    return Code.PERIOD_UNREADABLE, f"{dates.quoted(text)} is not a period; left out"


def _bound(
    key: str, values: dict[str, str], assume_tz: tzinfo, notes: list[dates.Note]
) -> Moment | None:
    if not (text := values.get(key)):
        return None
    moment, found = dates.parse(text, assume_tz=assume_tz)
    if moment is None:
        found = ((Code.PERIOD_UNREADABLE, f"{key} {dates.quoted(text)} is not a date; left out"),)
    elif moment.is_partial:
        words = f"names no more than a {moment.precision.name.lower()}; left out"
        moment, found = None, ((Code.DATE_PARTIAL, f"{key} {dates.quoted(text)} {words}"),)
    notes += found
    return moment


def last_second(end: Moment) -> datetime:
    """Give the moment at which a period ends: a plain date lasts until its day is over."""
    if end.precision is Precision.DAY:
        return end.instant.replace(hour=23, minute=59, second=59)
    return end.instant
