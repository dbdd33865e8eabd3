"""Numbers, lengths of time, flags and the sitemap protocol's hints, from text that may be hostile.

Digits are counted before they are converted: Python refuses more than 4,300 of them, and takes
quadratic time for fewer.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from converter.issues import Code
from converter.values.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from decimal import Decimal

Notes = tuple[tuple[Code, str], ...]

_WHOLE = lazy_regex(r"\+?[0-9]{1,18}")
#: Groups of three; one separator throughout, so that `1,234.567` is not taken for either.
_GROUPED = lazy_regex(r"([0-9]{1,3})([ ,.'’\u00a0\u2009\u202f])[0-9]{3}(?:\2[0-9]{3}){0,4}")
_DECIMAL = lazy_regex(r"[+-]?(?:[0-9]{1,18}(?:[.,][0-9]{0,18})?|[.,][0-9]{1,18})")
_SIZE = lazy_regex(r"([0-9.,]{1,37})\s*(?:bytes?|(?:([kmgt])(i?))?b)", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
#: `S`, `M:S`, `H:M:S`; a comma may be the decimal point.
_CLOCK = lazy_regex(r"(?:(?:([0-9]{1,9}):)?([0-9]{1,9}):)?([0-9]{1,9}(?:[.,][0-9]*)?|[.,][0-9]+)")

#: The longest decimal number.
_MOST_CHARS = 38
#: What has no more digits, and nothing else, is read without a pattern.
_MOST_DIGITS = 18
#: What is longer than this many characters, or seconds (31 years), is no length of a recording.
_MOST_CLOCK_CHARS = 64
_MAX_S = 1e9

_FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_FREQUENCIES = {"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
_PRIORITY = lazy_regex(r"0\.[0-9]{1,18}|1\.0{1,18}")
_SHORT_PRIORITY = lazy_regex(r"[01]|\.[0-9]{1,18}")


def whole(text: str) -> int:
    """Read a number of at most 18 digits.

    Raises:
        ValueError: a minus, a fraction, an exponent, anything else.
    """
    text = text.strip()
    if (text.isdigit() and text.isascii() and len(text) <= _MOST_DIGITS) or _WHOLE.fullmatch(text):
        return int(text)
    raise ValueError("not a whole number")


def percentage(text: str) -> float:
    """Read `20`, `12.5` or `20%`: what is said of a hundred.

    Raises:
        ValueError: anything else.
    """
    return real(text.strip().removesuffix("%").rstrip())


def views(text: str) -> int:
    """Read a count that may have separators between groups of three: `1,234`.

    Raises:
        ValueError: anything else; also `1.2K`, which is not digits only.
    """
    text = text.strip()
    if not text.isdigit() and (grouped := _GROUPED.fullmatch(text)):
        text = text.replace(grouped[2], "")
    return whole(text)


def decimal(text: str) -> Decimal:
    """Read a decimal number with point or comma, at most 18 digits on each side.

    Raises:
        ValueError: an exponent, infinity, anything else.
    """
    if len(text) > _MOST_CHARS and len(text := text.strip()) > _MOST_CHARS:
        raise ValueError("not a decimal number")
    return _decimal(text)


@lru_cache(maxsize=256)  # averages and bounds of ratings recur
def _decimal(text: str) -> Decimal:
    from decimal import Decimal  # most feeds that have media state sizes, which are whole

    return Decimal(_decimal_text(text))


def _decimal_text(text: str) -> str:
    text = text.strip()
    if not _DECIMAL.fullmatch(text):
        raise ValueError("not a decimal number")
    return text.replace(",", ".")


def real(text: str) -> float:
    """Read a decimal number as `decimal` does, where binary precision suffices.

    Raises:
        ValueError: see `decimal`.
    """
    if text.isdigit() and text.isascii() and len(text) <= _MOST_DIGITS:
        return float(text)
    return float(_decimal_text(text))


def pixels(text: str) -> int:
    """Read a width or a height; `640px` and `640.0` occur.

    Raises:
        ValueError: no number; also a percentage.
    """
    if text.isdigit() and text.isascii() and len(text) <= _MOST_DIGITS:
        return int(text)
    return int(decimal(text.lower().removesuffix("px")))


def size_bytes(text: str) -> int | None:
    """Read `media:content@fileSize`: bytes, or `12.3 MB` (powers of 1000; `MiB` of 1024).

    None for 0 and 1, which stand for "unknown" (mapping 3.5).

    Raises:
        ValueError: neither.
    """
    text = text.strip()
    if text.isdigit() and text.isascii() and len(text) <= _MOST_DIGITS:  # nearly all
        size = int(text)
    elif found := _SIZE.fullmatch(text):
        base = 1024 if found[3] else 1000
        size = int(decimal(found[1]) * base ** _POWERS[(found[2] or "").lower()])
    else:
        size = views(text)
    return size if size > 1 else None


def duration_s(text: str) -> float:
    """Read `S`, `M:S` or `H:M:S` as seconds; minutes and seconds may exceed 59.

    Source: Apple's podcast guide, `<itunes:duration>`; Media RSS, `media:content@duration`.

    Raises:
        ValueError: anything else; a negative or an absurd length.
    """
    clock = text.strip()
    if clock.isdigit() and clock.isascii() and len(clock) < 10:
        return float(clock)
    if len(clock) > _MOST_CLOCK_CHARS:
        raise ValueError(f'"{clock[:60]}" is not a duration')
    return _clock_s(clock)


@lru_cache(maxsize=256)  # the places of thumbnails recur
def _clock_s(clock: str) -> float:
    match = _CLOCK.fullmatch(clock)
    if not match:
        raise ValueError(f'"{clock[:60]}" is not a duration')
    hours, minutes, seconds = match.groups()
    length_s = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds.replace(",", "."))
    if length_s > _MAX_S:
        raise ValueError(f'"{clock[:60]}" is longer than anything')
    return length_s


def play_time_s(text: str) -> float:
    """Read a place in a video as seconds: `12:05:35.3`, `npt:5.5`, `5.5`.

    Source: RFC 2326, 3.6 (npt-sec and npt-hhmmss), which `media:thumbnail@time` names.

    Raises:
        ValueError: anything else, also `now` and a range.
    """
    return duration_s(text.strip().lower().removeprefix("npt:").removeprefix("npt="))


def rounded(seconds: float) -> int:
    """Round half up to whole seconds, where `round` would go to the even one."""
    whole = math.floor(seconds)
    return whole + (seconds - whole >= 0.5)


def flag(text: str) -> bool:
    """Read yes or no, in any case; also true, false, 1, 0.

    Raises:
        ValueError: anything else.
    """
    try:
        return _FLAGS[text.strip().lower()]
    except KeyError:
        raise ValueError("neither yes nor no") from None


def changefreq(text: str) -> tuple[str | None, Notes]:
    """Read one of the protocol's seven words; None, and a note, for any other."""
    given = text.strip()
    word = given.lower()
    if word not in _FREQUENCIES:
        message = f'changefreq "{given[:40]}" is none of the seven words; left out'
        return None, ((Code.CHANGEFREQ_UNKNOWN, message),)
    if word != given:
        return word, ((Code.CHANGEFREQ_UNKNOWN, f'changefreq "{given}" read as "{word}"'),)
    return word, ()


def priority(text: str) -> tuple[Decimal | None, Notes]:
    """Read a number from 0.0 to 1.0; None, and a note, for anything else.

    `1` and `.5` are read, and noted.
    """
    from decimal import Decimal

    given = text.strip()
    if _PRIORITY.fullmatch(given):
        return Decimal(given), ()
    if _SHORT_PRIORITY.fullmatch(given):
        value = Decimal(given).quantize(Decimal("0.1")) if given in {"0", "1"} else Decimal(given)
        return value, ((Code.PRIORITY_UNKNOWN, f'priority "{given}" read as {value}'),)
    message = f'priority "{given[:40]}" is not a number from 0.0 to 1.0; left out'
    return None, ((Code.PRIORITY_UNKNOWN, message),)
