"""The types of options: which values one takes, and what is made of them.

A value comes as text from the command line, and as text or as a Python value from a program, so a
check accepts both: `10_000_000` and `"10MB"`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from converter.errors import OptionError
from converter.issues import printable
from converter.options import Limits
from converter.values.patterns import lazy

if TYPE_CHECKING:
    from converter.model import Moment

__all__ = [
    "DATE",
    "FLAG",
    "HEADERS",
    "PART_BYTES",
    "PATTERNS",
    "PERCENT",
    "PRIORITY",
    "READABLE",
    "SOURCE_BYTES",
    "SWITCH",
    "URL",
    "USER_AGENT",
    "WRITABLE",
    "ZONE",
    "Type",
    "choice",
    "count",
    "integer",
    "number",
    "path",
    "text",
    "words",
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

#: Takes the long name of the option, for the message, and the value; raises OptionError.
Check: TypeAlias = Callable[[str, Any], Any]


def _unchecked(_option: str, value: Any) -> Any:
    return value


class Type(NamedTuple):
    """What an option takes."""

    kind: Literal[
        "text", "flag", "switch", "integer", "number", "percent", "choice", "words", "lines"
    ] = "text"
    """How it is parsed. `flag` and `switch` take no value, but a switch has a `--no-` form; `words`
    and `lines` are repeatable, and separated by commas or line breaks in the environment."""
    metavar: str | None = None
    check: Check = _unchecked
    """Makes the value that the options' classes hold."""
    choices: tuple[str, ...] = ()
    completes: Literal["path", "readable", "writable"] | None = None
    toml: tuple[type, ...] = ()
    """Types that a configuration file may use instead of text."""


# -- switches, words, texts -------------------------------------------------------------------


def _bool(_option: str, value: Any) -> bool:
    return bool(value)


FLAG: Final = Type(kind="flag", check=_bool)
SWITCH: Final = Type(kind="switch", check=_bool)


def text(metavar: str) -> Type:
    """Text that is checked where it is used."""
    return Type(metavar=metavar)


def path(metavar: str) -> Type:
    """Name of a file or folder."""
    return Type(metavar=metavar, completes="path")


def _format(_option: str, value: Any) -> Any:
    return None if value == "auto" else value


READABLE: Final = Type(metavar="FORMAT", check=_format, completes="readable")
WRITABLE: Final = Type(metavar="FORMAT", completes="writable")


def choice(*choices: str, metavar: str | None = None) -> Type:
    """One word of a few."""

    def check(option: str, value: Any) -> Any:
        if value in choices:
            return value
        raise OptionError(
            f'{option}: "{printable(str(value))}" is none of its words; choose one of '
            + ", ".join(choices)
        )

    return Type(kind="choice", metavar=metavar, check=check, choices=choices)


def _tuple(_option: str, value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def words(metavar: str, *, completes: Literal["path"] | None = None) -> Type:
    """Several texts."""
    return Type(kind="words", metavar=metavar, check=_tuple, completes=completes)


def _patterns(option: str, value: Any) -> tuple[str, ...]:
    patterns = _tuple(option, value)
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise OptionError(
                f'{option}: "{printable(pattern)}" is no regular expression: {error}'
            ) from error
    return patterns


PATTERNS: Final = Type(kind="words", metavar="REGEX", check=_patterns)


# -- HTTP -------------------------------------------------------------------------------------


def _url(option: str, value: str) -> str:
    """Check an absolute URL, and drop user name and password: it may be published."""
    from converter.values import urls

    if not urls.is_http(value) or urls.media(value, keep_fragment=True).url is None:
        raise OptionError(
            f"{option}: {urls.shown(value)} is no absolute URL; "
            "give it whole, as https://example.com/feed.xml"
        )
    return urls.spelling.without_userinfo(urls.spelling.slashes_turned(value))


URL: Final = Type(metavar="URL", check=_url)


def _user_agent(option: str, value: str) -> str:
    if not _HEADER_VALUE.fullmatch(value):
        raise OptionError(f'{option}: "{printable(value)}" cannot be sent; give one line of ASCII')
    return value


USER_AGENT: Final = Type(metavar="TEXT", check=_user_agent)


def _headers(option: str, value: Any) -> tuple[tuple[str, str], ...]:
    return tuple(_header(option, line) for line in _tuple(option, value))


def _header(option: str, line: str) -> tuple[str, str]:
    """Split `Name: value`; the message does not repeat it, because it may hold a key."""
    name, _, value = line.partition(":")
    if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value.strip()):
        raise OptionError(f"{option}: wanted one line, as 'Authorization: Bearer 123'")
    return name, value.strip()


HEADERS: Final = Type(kind="lines", metavar="'NAME: VALUE'", check=_headers)


# -- numbers ----------------------------------------------------------------------------------


def count(metavar: str, most: int | None = None) -> Type:
    """Whole number of one or more."""
    upto = f" and at most {most:,}" if most else ""

    def check(option: str, value: Any) -> int:
        if isinstance(value, int) and value >= 1 and (most is None or value <= most):
            return value
        raise OptionError(f"{option}: {value} is out of range; give at least 1{upto}")

    return Type(kind="integer", metavar=metavar, check=check)


def _within(option: str, value: Any, least: int, most: int) -> float:
    if not isinstance(value, int | float) or not least <= value <= most:
        raise OptionError(
            f"{option}: {value} is out of range; give at least {least:,} and at most {most:,}"
        )
    return float(value)


def number(metavar: str, least: int, most: int) -> Type:
    """Number, which may have a fraction."""
    return Type(
        kind="number",
        metavar=metavar,
        check=lambda option, value: _within(option, value, least, most),
    )


def integer(metavar: str, least: int, most: int) -> Type:
    """Whole number."""
    return Type(
        kind="integer",
        metavar=metavar,
        check=lambda option, value: int(_within(option, value, least, most)),
    )


def _percent(option: str, value: Any) -> float:
    """Check a number from 0 to 100, which may be text: `20`, `20%`."""
    if not isinstance(value, str):
        return _within(option, value, 0, 100)
    from converter.values import numbers

    try:
        return _within(option, numbers.percentage(value), 0, 100)
    except ValueError as error:
        raise OptionError(
            f'{option}: "{printable(value)}" is no percentage; give one as 20 or 20%'
        ) from error


PERCENT: Final = Type(kind="percent", metavar="PERCENT", check=_percent)


def _priority(option: str, value: Any) -> str:
    """Check a priority, and give it as a sitemap has it: `0.5`."""
    from converter.values import numbers

    try:
        priority = numbers.decimal(str(value))
    except ValueError:
        priority = None
    if priority is None or not 0 <= priority <= 1:
        shown = printable(str(value))
        raise OptionError(f'{option}: "{shown}" is none; give a number from 0.0 to 1.0')
    text = f"{abs(priority):f}"  # "-0" is a decimal too
    return text if "." in text else f"{text}.0"


PRIORITY: Final = Type(metavar="VALUE", check=_priority, toml=(int, float))


def _size(option: str, value: Any) -> int:
    """Read a number of bytes that may have a unit: KB, KiB, MB, MiB, GB, GiB."""
    match = re.fullmatch(r"\s*(\d{1,15})\s*([a-z]{0,3})\s*", str(value), re.IGNORECASE)
    unit = _UNITS.get(match[2].lower()) if match else None
    if match is None or unit is None or not int(match[1]):
        raise OptionError(
            f'{option}: "{printable(str(value))}" is no size; give bytes, or as 10MB or 10MiB'
        )
    return int(match[1]) * unit


def _source_limits(option: str, value: Any) -> Limits:
    size = _size(option, value)
    return Limits(max_source_bytes=size, max_unpacked_bytes=size)


def _part_bytes(option: str, value: Any) -> int:
    size = _size(option, value)
    if not _FEWEST_BYTES <= size <= _MOST_BYTES:
        raise OptionError(
            f"{option}: {size:,} cannot be; "
            f"give at least {_FEWEST_BYTES:,} and at most {_MOST_BYTES:,}"
        )
    return size


SOURCE_BYTES: Final = Type(metavar="SIZE", check=_source_limits, toml=(int,))
PART_BYTES: Final = Type(metavar="SIZE", check=_part_bytes, toml=(int,))


# -- dates ------------------------------------------------------------------------------------


def _date(option: str, value: Any) -> Moment:
    """Check a date that has a day."""
    from converter.values import dates

    shown = printable(str(value))
    try:
        moment = dates.from_w3c(str(value))
    except ValueError as error:
        raise OptionError(
            f'{option}: "{shown}" is no date; give 2025-01-31 or 2025-01-31T10:00:00+01:00'
        ) from error
    if moment.is_partial:
        raise OptionError(f'{option}: "{shown}" has no day; give it whole, as 2025-01-31')
    return moment


DATE: Final = Type(metavar="DATE", check=_date, toml=(date, datetime))


def _zone(option: str, value: str | tzinfo) -> tzinfo:
    if isinstance(value, tzinfo):
        return value
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(value)
    except (ValueError, OSError, KeyError) as error:
        raise OptionError(
            f'{option}: "{printable(value)}" is no time zone; give a name as Europe/Berlin'
        ) from error


ZONE: Final = Type(metavar="ZONE", check=_zone)
