"""Parses numbers, durations, flags, and the sitemap protocol's changefreq and priority.

The number of digits is limited: int() refuses more than 4,300 and takes quadratic time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from converter.issues import Code, Note
from converter.values.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from decimal import Decimal

_WHOLE = lazy_regex(r"\+?[0-9]{1,18}")
#: Groups of three with one separator; `1,234.567` is refused.
_GROUPED = lazy_regex(r"([0-9]{1,3})([ ,.'’\u00a0\u2009\u202f])[0-9]{3}(?:\2[0-9]{3}){0,4}")
_DECIMAL = lazy_regex(r"[+-]?(?:[0-9]{1,18}(?:[.,][0-9]{0,18})?|[.,][0-9]{1,18})")
_SIZE = lazy_regex(r"([0-9.,]{1,37})\s*(?:bytes?|b|([kmgt])(i?)b?)", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
#: `S`, `M:S`, `H:M:S`; a comma may be the decimal point.
_CLOCK = lazy_regex(r"(?:(?:([0-9]{1,9}):)?([0-9]{1,9}):)?([0-9]{1,9}(?:[.,][0-9]*)?|[.,][0-9]+)")

#: Up to so many digits are parsed without a pattern.
_MAX_DIGITS = 18
#: The longest duration, in characters and in seconds (31 years).
_MAX_CLOCK_CHARS = 64
_MAX_S = 1e9

_FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_FREQUENCIES = {"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
_PRIORITY = lazy_regex(r"0\.[0-9]{1,18}|1\.0{1,18}")
_SHORT_PRIORITY = lazy_regex(r"[01]|\.[0-9]{1,18}")


def whole(text: str) -> int:
    """Parse a whole number of at most 18 digits.

    Raises:
        ValueError: a minus, a fraction, an exponent, anything else.
    """
    text = text.strip()
    if (text.isdigit() and text.isascii() and len(text) <= _MAX_DIGITS) or _WHOLE.fullmatch(text):
        return int(text)
    raise ValueError("not a whole number")


def percentage(text: str) -> float:
    """Parse `20`, `12.5` or `20%`; raise ValueError for any other text."""
    return real(text.strip().removesuffix("%").rstrip())


def views(text: str) -> int:
    """Parse a count that may have separators between groups of three: `1,234`.

    Raises:
        ValueError: anything else, also `1.2K`.
    """
    text = text.strip()
    if not text.isdigit() and (grouped := _GROUPED.fullmatch(text)):
        text = text.replace(grouped[2], "")
    return whole(text)


def decimal(text: str) -> Decimal:
    """Parse a decimal number with point or comma, at most 18 digits on each side.

    Raises:
        ValueError: an exponent, infinity, anything else.
    """
    from decimal import Decimal  # most feeds have whole numbers only

    return Decimal(_decimal_text(text))


def _decimal_text(text: str) -> str:
    text = text.strip()
    if not _DECIMAL.fullmatch(text):
        raise ValueError("not a decimal number")
    return text.replace(",", ".")


def real(text: str) -> float:
    """Parse a decimal number as `decimal` does, with binary precision; same ValueError."""
    if text.isdigit() and text.isascii() and len(text) <= _MAX_DIGITS:
        return float(text)
    return float(_decimal_text(text))


def pixels(text: str) -> int:
    """Parse a width or a height, as `640`, `640px` or `640.0`.

    Raises:
        ValueError: anything else, also a percentage.
    """
    if text.isdigit() and text.isascii() and len(text) <= _MAX_DIGITS:
        return int(text)
    return int(decimal(text.lower().removesuffix("px")))


def size_bytes(text: str) -> int | None:
    """Parse `media:content@fileSize`: bytes, or `12.3 MB` (powers of 1000; `MiB` of 1024).

    None for 0 and 1, which mean "unknown" (mapping 3.5).

    Raises:
        ValueError: anything else.
    """
    text = text.strip()
    if text.isdigit() and text.isascii() and len(text) <= _MAX_DIGITS:  # nearly all
        size = int(text)
    elif found := _SIZE.fullmatch(text):
        base = 1024 if found[3] else 1000
        size = int(decimal(found[1]) * base ** _POWERS[(found[2] or "").lower()])
    else:
        size = views(text)
    return size if size > 1 else None


def duration_s(text: str) -> float:
    """Parse `S`, `M:S` or `H:M:S` as seconds; minutes and seconds may exceed 59.

    Source: Apple's podcast guide, `<itunes:duration>`; Media RSS, `media:content@duration`.

    Raises:
        ValueError: anything else, also more than 31 years.
    """
    clock = text.strip()
    if clock.isdigit() and clock.isascii() and len(clock) < 10:
        return float(clock)
    match = _CLOCK.fullmatch(clock) if len(clock) <= _MAX_CLOCK_CHARS else None
    if not match:
        raise ValueError(f'"{clock[:60]}" is not a duration')
    hours, minutes, seconds = match.groups()
    length_s = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds.replace(",", "."))
    if length_s > _MAX_S:
        raise ValueError(f'"{clock[:60]}" is longer than 31 years')
    return length_s


def play_time_s(text: str) -> float:
    """Parse a position in a video as seconds: `12:05:35.3`, `npt:5.5`, `5.5`.

    Source: RFC 2326, 3.6 (npt-sec and npt-hhmmss), which `media:thumbnail@time` names.

    Raises:
        ValueError: anything else, also `now` and a range.
    """
    return duration_s(text.strip().lower().removeprefix("npt:").removeprefix("npt="))


def flag(text: str) -> bool:
    """Parse yes, no, true, false, 1 or 0 in any case; raise ValueError for any other text."""
    try:
        return _FLAGS[text.strip().lower()]
    except KeyError:
        raise ValueError("neither yes nor no") from None


def changefreq(text: str) -> tuple[str | None, tuple[Note, ...]]:
    """Parse one of the protocol's seven words; None and a note for any other."""
    text = text.strip()
    word = text.lower()
    if word not in _FREQUENCIES:
        message = f'changefreq "{text[:40]}" is not one of the seven words; left out'
        return None, ((Code.CHANGEFREQ_UNKNOWN, message),)
    if word != text:
        return word, ((Code.CHANGEFREQ_UNKNOWN, f'changefreq "{text}" read as "{word}"'),)
    return word, ()


def priority(text: str) -> tuple[Decimal | None, tuple[Note, ...]]:
    """Parse a number from 0.0 to 1.0; None and a note for anything else.

    `1` and `.5` are read and noted.
    """
    from decimal import Decimal

    text = text.strip()
    if _PRIORITY.fullmatch(text):
        return Decimal(text), ()
    if _SHORT_PRIORITY.fullmatch(text):
        value = Decimal(text).quantize(Decimal("0.1")) if text in {"0", "1"} else Decimal(text)
        return value, ((Code.PRIORITY_UNKNOWN, f'priority "{text}" read as {value}'),)
    message = f'priority "{text[:40]}" is not a number from 0.0 to 1.0; left out'
    return None, ((Code.PRIORITY_UNKNOWN, message),)
