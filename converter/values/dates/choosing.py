"""The choice between dates: which is later, which becomes lastmod, which lies in the future."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple

from converter.issues import Code
from converter.model import Moment, Precision
from converter.values.dates.notes import Note
from converter.values.dates.writing import to_w3c

__all__ = ["Lastmod", "Policy", "lastmod", "latest", "not_future", "sort_key"]

_DAY = Precision.DAY

#: Dates up to this much after `now` are clocks that differ, not the future (mapping 3.2).
CLOCK_SKEW: Final = timedelta(minutes=10)

Policy = Literal["auto", "updated", "published", "none"]


class Lastmod(NamedTuple):
    """The date of a page, and the issues that its choice raised."""

    moment: Moment | None
    notes: tuple[Note, ...] = ()


_new_lastmod = tuple.__new__
"""`Lastmod(…)` passes through a function in Python, and takes twice as long."""


def sort_key(moment: Moment) -> tuple[datetime, Precision]:
    """Order moments in time; a plain date is 00:00 UTC, and before what is more precise."""
    return moment.instant, moment.precision


def latest(*moments: Moment | None) -> Moment | None:
    """Find the last of the moments there are; of two that tie in everything, the first."""
    return max((moment for moment in moments if moment), key=sort_key, default=None)


def not_future(moment: Moment, now: datetime) -> bool:
    """Tell whether a moment has come, or is so near that two clocks may differ by it."""
    return moment.instant - now <= CLOCK_SKEW


def lastmod(
    published: Moment | None, updated: Moment | None, *, policy: Policy, now: datetime
) -> Lastmod:
    """Choose the date of a page (mapping 3.2): the later of the two, or only the one asked for.

    What lies in the future is struck before the choice, and a year or a month is never chosen.
    What is less than `CLOCK_SKEW` ahead becomes now, in its own offset.
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
        if instant > now and instant - now > CLOCK_SKEW:
            notes = (*notes, _in_future(moment))
        elif chosen is None or (instant, moment.precision) > (chosen.instant, chosen.precision):
            chosen = moment
    if chosen is not None and chosen.instant > now:
        chosen = _now(now, like=chosen)
    return _new_lastmod(Lastmod, (chosen, notes))


def _in_future(moment: Moment) -> Note:
    return Code.DATE_FUTURE, f'"{to_w3c(moment)}" lies in the future; left out'


def _now(now: datetime, *, like: Moment) -> Moment:
    """Give the time of now the offset and the precision of another moment."""
    instant = now.astimezone(like.instant.tzinfo).replace(microsecond=0)
    if like.precision is _DAY:
        instant = instant.replace(hour=0, minute=0, second=0)
    return Moment(instant=instant, precision=like.precision)
