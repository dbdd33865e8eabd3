"""The time of day of a date: 24 or 12 hours, with colons, dots, an `h` or nothing between."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import NamedTuple

from converter.values.patterns import lazy

__all__ = ["Clock", "find"]

#: A word or an offset; anything else behind a time makes it unreadable.
_ZONE = r" ?(?P<zone>(?:[^\W\d_]|[+\u2212-][0-9]).*)?"

_CLOCK = lazy(
    r"(?P<hour>[0-9]{1,2})"
    r"(?:(?P<mark>[:.h])(?P<minute>[0-9]{2})(?:(?P=mark)(?P<second>[0-9]{2}))?(?:[.,][0-9]+)?"
    r"|h|(?= ?[ap]\.?m))"
    rf"(?: ?(?P<half>[ap])\.?m\b\.?)?{_ZONE}",
    re.IGNORECASE,
)
_BASIC = lazy(
    r"(?P<hour>[0-9]{2})(?P<minute>[0-9]{2})(?:(?P<second>[0-9]{2})(?:[.,][0-9]+)?)?"
    rf"(?P<half>){_ZONE}"
)


class Clock(NamedTuple):
    """A time of day as what has passed of the day, and the text of its zone."""

    since_midnight: timedelta
    """Whole seconds; 24 hours for 24:00."""
    zone: str


def find(text: str) -> Clock | None:
    """Find the time that a text begins with; None: it begins with none.

    Fractions of a second are cut off, and the leap second is :59.

    Raises:
        ValueError: a time that no day has (25:00, 10:61, 13:00 AM).
    """
    match = _CLOCK.fullmatch(text) or _BASIC.fullmatch(text)
    if not match:
        return None
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    hour = _of_24(hour, (match["half"] or "").lower())
    if minute > 59 or second > 60 or (hour, minute, second) > (24, 0, 0):
        raise ValueError(f'"{text}" is not a time')
    passed = timedelta(hours=hour, minutes=minute, seconds=min(second, 59))
    return Clock(passed, match["zone"] or "")


def _of_24(hour: int, half: str) -> int:
    """Turn an hour of the 12-hour clock into one of 24; `13:00 PM` and `0:30 AM` say enough."""
    if not half:
        return hour
    if (half == "a" and hour > 12) or (half == "p" and hour == 0):
        raise ValueError(f"there is no {hour} {half}m")
    if half == "a":
        return hour % 12
    return hour if hour > 12 else hour % 12 + 12
