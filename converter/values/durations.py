"""Lengths of time in media: clock notation and normal play time, to seconds."""

from __future__ import annotations

import math
from functools import lru_cache

from converter.values.patterns import lazy

__all__ = ["from_clock", "normal_play_time", "rounded"]

#: `S`, `M:S`, `H:M:S`; a comma may be the decimal point.
_CLOCK = lazy(r"(?:(?:([0-9]{1,9}):)?([0-9]{1,9}):)?([0-9]{1,9}(?:[.,][0-9]*)?|[.,][0-9]+)")

#: What is longer than this many characters, or seconds (31 years), is no length of a recording.
_MAX_CHARS = 64
_MAX_S = 1e9
_MAX_DIGITS = 10


def from_clock(text: str) -> float:
    """Read `S`, `M:S` or `H:M:S` as seconds; minutes and seconds may exceed 59.

    Source: Apple's podcast guide, `<itunes:duration>`; Media RSS, `media:content@duration`.

    Raises:
        ValueError: anything else; a negative or an absurd length.
    """
    clock = text.strip()
    if len(clock) < _MAX_DIGITS and clock.isascii() and clock.isdigit():
        return float(clock)
    if len(clock) > _MAX_CHARS:
        raise ValueError(f'"{clock[:60]}" is not a duration')
    return _seconds(clock)


@lru_cache(maxsize=256)  # the places of thumbnails recur
def _seconds(clock: str) -> float:
    match = _CLOCK.fullmatch(clock)
    if not match:
        raise ValueError(f'"{clock[:60]}" is not a duration')
    hours, minutes, seconds = match.groups()
    length_s = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds.replace(",", "."))
    if length_s > _MAX_S:
        raise ValueError(f'"{clock[:60]}" is longer than anything')
    return length_s


def normal_play_time(text: str) -> float:
    """Read a place in a video as seconds: `12:05:35.3`, `npt:5.5`, `5.5`.

    Source: RFC 2326, 3.6 (npt-sec and npt-hhmmss), which `media:thumbnail@time` names.

    Raises:
        ValueError: anything else, also `now` and a range.
    """
    return from_clock(text.strip().lower().removeprefix("npt:").removeprefix("npt="))


def rounded(seconds: float) -> int:
    """Round half up to whole seconds, where `round` would go to the even one."""
    whole = math.floor(seconds)
    return whole + (seconds - whole >= 0.5)
