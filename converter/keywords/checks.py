"""The checks of keywords, one a kind of value: each gives what the core understands, or refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import tzinfo
from typing import Any, Final, Literal

from converter.errors import OptionError
from converter.issues import printable
from converter.model import Moment
from converter.values import dates, urls
from converter.values.patterns import lazy
from converter.values.urls import spelling

__all__ = [
    "absolute",
    "bound",
    "header",
    "lastmod",
    "names",
    "number",
    "one_line",
    "one_of",
    "part_bytes",
    "patterns",
    "percentage",
    "positive",
    "priority",
    "size_bytes",
    "whole",
    "zone",
]

#: https://www.rfc-editor.org/rfc/rfc9110#section-5
_HEADER_NAME: Final = lazy(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE: Final = lazy(r"[\t\x20-\x7e]+")

#: A file with less holds no page, and none may have more (https://www.sitemaps.org/protocol.html).
_FEWEST_BYTES: Final = 1024
_MOST_BYTES: Final = 52_428_800

_UNITS: Final[Mapping[str, int]] = {
    "": 1,
    "b": 1,
    "kb": 1000,
    "kib": 1024,
    "k": 1024,
    "mb": 1000**2,
    "mib": 1024**2,
    "m": 1024**2,
    "gb": 1000**3,
    "gib": 1024**3,
    "g": 1024**3,
}


def _word(name: str) -> str:
    """Give a keyword as the command line spells it."""
    singular = {"keep_params": "keep-param", "drop_params": "drop-param", "headers": "header"}
    return "--" + singular.get(name, name.replace("_", "-"))


def one_of(asked: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> Any:
    """Check a word of a few."""
    value = asked.get(name)
    if value is None or value in choices:
        return value
    raise OptionError(
        f'{_word(name)}: "{printable(str(value))}" is none of its words; choose one of '
        + ", ".join(choices)
    )


def lastmod(asked: Mapping[str, Any]) -> Literal["auto", "updated", "published", "none"]:
    """Check which date becomes `lastmod`."""
    choice: Literal["auto", "updated", "published", "none"] | None = one_of(
        asked, "lastmod", ("auto", "updated", "published", "none")
    )
    return choice or "auto"


def absolute(asked: Mapping[str, Any], name: str) -> str | None:
    """Check a URL that must be whole; what is published holds no user name and no password."""
    url: str | None = asked.get(name)
    if url is None:
        return None
    cleaned = urls.media(url, keep_fragment=True).url if urls.is_http(url) else None
    if cleaned is None:
        raise OptionError(
            f"{_word(name)}: {urls.shown(url)} is no absolute URL; "
            "give it whole, as https://example.com/feed.xml"
        )
    return spelling.without_userinfo(spelling.slashes_turned(url))


def patterns(asked: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Check regular expressions."""
    found = names(asked, name)
    for pattern in found:
        try:
            re.compile(pattern)
        except re.error as error:
            raise OptionError(
                f'{_word(name)}: "{printable(pattern)}" is no regular expression: {error}'
            ) from error
    return found


def names(asked: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Take one text or several."""
    value: str | Iterable[str] = asked.get(name, ())
    return (value,) if isinstance(value, str) else tuple(value)


def bound(asked: Mapping[str, Any], name: str) -> Moment | None:
    """Check a date that has a day."""
    text = asked.get(name)
    if text is None:
        return None
    try:
        moment = dates.from_w3c(str(text))
    except ValueError as error:
        raise OptionError(
            f'{_word(name)}: "{printable(str(text))}" is no date; '
            "give 2025-01-31 or 2025-01-31T10:00:00+01:00"
        ) from error
    if moment.is_partial:
        raise OptionError(f'{_word(name)}: "{text}" has no day; give it whole, as 2025-01-31')
    return moment


def zone(given: str | tzinfo) -> tzinfo:
    """Check a time zone, or its IANA name."""
    if isinstance(given, tzinfo):
        return given
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(given)
    except (ValueError, OSError, KeyError) as error:
        raise OptionError(
            f'--assume-tz: "{printable(given)}" is no time zone; give a name as Europe/Berlin'
        ) from error


def positive(asked: Mapping[str, Any], name: str, most: int | None) -> int | None:
    """Check a count of one or more."""
    count = asked.get(name)
    if count is None:
        return None
    if not isinstance(count, int) or count < 1 or (most is not None and count > most):
        upto = f" and at most {most:,}" if most else ""
        raise OptionError(f"{_word(name)}: {count} is out of range; give at least 1{upto}")
    return count


def whole(asked: Mapping[str, Any], name: str, least: int, most: int, otherwise: int) -> int:
    """Check a whole number."""
    found = number(asked, name, least, most)
    return otherwise if found is None else int(found)


def number(asked: Mapping[str, Any], name: str, least: int, most: int) -> float | None:
    """Check a number that may have a fraction."""
    found = asked.get(name)
    if found is None:
        return None
    if not isinstance(found, int | float) or not least <= found <= most:
        raise OptionError(
            f"{_word(name)}: {found} is out of range; give at least {least:,} and at most {most:,}"
        )
    return float(found)


def percentage(asked: Mapping[str, Any], name: str) -> float | None:
    """Check a share of a hundred, which may also be text: `20`, `20%`."""
    given = asked.get(name)
    if not isinstance(given, str):
        return number(asked, name, 0, 100)
    from converter.values import numbers

    try:
        return number({name: numbers.percentage(given)}, name, 0, 100)
    except ValueError as error:
        raise OptionError(
            f'{_word(name)}: "{printable(given)}" is no percentage; give one as 20 or 20%'
        ) from error


def one_line(asked: Mapping[str, Any], name: str) -> str | None:
    """Check a text that goes into a header of HTTP."""
    text: str | None = asked.get(name)
    if text is not None and not _HEADER_VALUE.fullmatch(text):
        raise OptionError(
            f'{_word(name)}: "{printable(text)}" cannot be sent; give one line of ASCII'
        )
    return text


def header(text: str) -> tuple[str, str]:
    """Split `Name: value`; what it says is not repeated, for it may be a key."""
    name, colon, value = text.partition(":")
    if not colon or not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value.strip()):
        raise OptionError("--header: wanted one line, as 'Authorization: Bearer 123'")
    return name, value.strip()


def priority(asked: Mapping[str, Any]) -> str | None:
    """Check a priority, and write it as a sitemap does."""
    given = asked.get("priority")
    if given is None:
        return None
    from converter.values import numbers

    try:
        value = numbers.decimal(str(given))
    except ValueError:
        value = None
    if value is None or not 0 <= value <= 1:
        shown = printable(str(given))
        raise OptionError(f'--priority: "{shown}" is none; give a number from 0.0 to 1.0')
    text = f"{abs(value):f}"  # "-0" is a decimal too
    return text if "." in text else f"{text}.0"


def size_bytes(name: str, given: int | str) -> int:
    """Read a size: a number of bytes, or one with a unit (KB, KiB, MB, MiB, GB, GiB).

    Raises:
        OptionError: it is none, or not above zero.
    """
    match = re.fullmatch(r"\s*(\d{1,15})\s*([a-z]{0,3})\s*", str(given), re.IGNORECASE)
    unit = _UNITS.get(match[2].lower()) if match else None
    if match is None or unit is None or not int(match[1]):
        raise OptionError(
            f'--{name}: "{printable(str(given))}" is no size; give bytes, or as 10MB or 10MiB'
        )
    return int(match[1]) * unit


def part_bytes(given: int | str) -> int:
    """Check the size of a file of the output."""
    size = size_bytes("limit-bytes", given)
    if not _FEWEST_BYTES <= size <= _MOST_BYTES:
        raise OptionError(
            f"--limit-bytes: {size:,} cannot be; "
            f"give at least {_FEWEST_BYTES:,} and at most {_MOST_BYTES:,}"
        )
    return size
