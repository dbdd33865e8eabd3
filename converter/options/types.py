"""The types of options: what each accepts, and what is made of it.

A value comes as text from the command line, and as text or as a Python value from a program or a
configuration file, so a check takes both: `10_000_000` and `"10MB"`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from converter.issues import printable
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
    "SIZE",
    "SOURCE_FORMAT",
    "SWITCH",
    "TARGET_FORMAT",
    "URL",
    "USER_AGENT",
    "ZONE",
    "Type",
    "choice",
    "path",
    "real",
    "text",
    "texts",
    "whole",
]

#: https://www.rfc-editor.org/rfc/rfc9110#section-5
_HEADER_NAME: Final = lazy(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE: Final = lazy(r"[\t\x20-\x7e]+")

#: A file with less holds no page, and none may have more (https://www.sitemaps.org/protocol.html).
_FEWEST_BYTES: Final = 1024
_MOST_BYTES: Final = 52_428_800

_SIZE: Final = lazy(r"\s*(\d{1,15})\s*(?:([kmg])(ib|b)?|b?)\s*", re.IGNORECASE)
_POWERS: Final[Mapping[str, int]] = {"k": 1, "m": 2, "g": 3}


class Type(NamedTuple):
    """What an option accepts.

    Attributes:
        metavar: the name of the value in the help.
        accepts: the Python types of a value, for programs and configuration files. `bool` makes
            an option without a value; `list` one that can be repeated.
        check: returns the value that `converter.options` holds; raises ValueError.
        choices: all possible values.
        has_denial: the option has a `--no-` form.
        separator: between values in a variable of the environment.
        completes: what a shell offers.
    """

    metavar: str | None = None
    accepts: tuple[type, ...] = (str,)
    check: Callable[[Any], Any] = lambda value: value
    choices: tuple[str, ...] = ()
    has_denial: bool = False
    separator: str = ","
    completes: Literal["path", "source format", "target format"] | None = None

    @property
    def takes_value(self) -> bool:
        """Whether a value follows the option."""
        return bool not in self.accepts

    @property
    def is_repeatable(self) -> bool:
        """Whether the option may be given several times."""
        return list in self.accepts


def _quoted(value: object) -> str:
    return f'"{printable(str(value))}"'


# -- flags, texts, choices --------------------------------------------------------------------

FLAG: Final = Type(accepts=(bool,), check=bool)
SWITCH: Final = Type(accepts=(bool,), check=bool, has_denial=True)


def _not_empty(value: Any) -> Any:
    if value == "":
        raise ValueError("the value is empty; give one, or leave the option out")
    return value


def text(metavar: str, *, may_be_empty: bool = True) -> Type:
    """Text that is checked where it is used."""
    return Type(metavar) if may_be_empty else Type(metavar, check=_not_empty)


def path(metavar: str) -> Type:
    """Name of a file or folder."""
    return Type(metavar, check=_not_empty, completes="path")


def _source_format(value: Any) -> Any:
    return None if str(value).lower() == "auto" else value


SOURCE_FORMAT: Final = Type("FORMAT", check=_source_format, completes="source format")
TARGET_FORMAT: Final = Type("FORMAT", check=_not_empty, completes="target format")


def choice(*choices: str) -> Type:
    """One of a few words."""

    def check(value: Any) -> Any:
        if value not in choices:
            raise ValueError(f"{_quoted(value)} is not one of {', '.join(choices)}")
        return value

    return Type(check=check, choices=choices)


def _texts(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def texts(metavar: str, *, completes: Literal["path"] | None = None) -> Type:
    """Several texts."""
    return Type(metavar, accepts=(list,), check=_texts, completes=completes)


def _patterns(value: str | Sequence[str]) -> tuple[str, ...]:
    patterns = _texts(value)
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{_quoted(pattern)} is not a regular expression: {error}") from error
    return patterns


PATTERNS: Final = Type("REGEX", accepts=(list,), check=_patterns)


# -- HTTP -------------------------------------------------------------------------------------


def _url(value: str) -> str:
    """Check an absolute URL, and remove user name and password: it may be published."""
    from converter.values import urls

    if not urls.is_http(value) or urls.media(value, keep_fragment=True).url is None:
        raise ValueError(
            f"{urls.shown(value)} is not an absolute URL, such as https://example.com/feed.xml"
        )
    return urls.spelling.without_userinfo(urls.spelling.slashes_turned(value))


URL: Final = Type("URL", check=_url)


def _user_agent(value: str) -> str:
    if not _HEADER_VALUE.fullmatch(value):
        raise ValueError(f"{_quoted(value)} is not one line of ASCII")
    return value


USER_AGENT: Final = Type("TEXT", check=_user_agent)


def _header(line: str) -> tuple[str, str]:
    """Split `Name: value`; the message does not repeat it, because it may hold a key."""
    name, _, value = line.partition(":")
    if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value.strip()):
        raise ValueError("a value is not one line such as 'Authorization: Bearer 123'")
    return name, value.strip()


def _headers(value: str | Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple(map(_header, _texts(value)))


HEADERS: Final = Type("'NAME: VALUE'", accepts=(list,), check=_headers, separator="\n")


# -- numbers ----------------------------------------------------------------------------------


def _within(value: Any, least: float, most: float | None) -> Any:
    """Return a number that is in range; the text of one is out of it."""
    if isinstance(value, int | float) and least <= value <= (value if most is None else most):
        return value
    span = f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
    raise ValueError(f"{printable(str(value))} is out of range ({span})")


def whole(metavar: str, least: int = 1, most: int | None = None) -> Type:
    """Whole number."""
    return Type(metavar, accepts=(int,), check=lambda value: int(_within(value, least, most)))


def real(metavar: str, least: int, most: int) -> Type:
    """Number, which may have a fraction."""
    return Type(metavar, accepts=(float,), check=lambda value: float(_within(value, least, most)))


def _percent(value: Any) -> float:
    """Check a number from 0 to 100, which may be text: `20`, `20%`."""
    if isinstance(value, str):
        from converter.values import numbers

        try:
            value = numbers.percentage(value)
        except ValueError as error:
            raise ValueError(f"{_quoted(value)} is not a percentage, such as 20 or 20%") from error
    return float(_within(value, 0, 100))


PERCENT: Final = Type("PERCENT", accepts=(float, str), check=_percent)


def _priority(value: Any) -> str:
    """Check a priority, and return it as a sitemap has it: `0.5`."""
    from converter.values import numbers

    try:
        priority = numbers.decimal(str(value))
    except ValueError as error:
        raise ValueError(f"{_quoted(value)} is not a number from 0.0 to 1.0") from error
    if not 0 <= priority <= 1:
        raise ValueError(f"{priority} is out of range (0.0 to 1.0)")
    decimal = f"{abs(priority):f}"  # "-0" is a decimal too
    return decimal if "." in decimal else f"{decimal}.0"


PRIORITY: Final = Type("VALUE", accepts=(str, float), check=_priority)


def _size(value: Any) -> int:
    """Read a number of bytes that may have a unit: KB, KiB, MB, MiB, GB, GiB."""
    match = _SIZE.fullmatch(str(value))
    if match is None or not int(match[1]):
        raise ValueError(f"{_quoted(value)} is not a size, such as 10485760, 10MB or 10MiB")
    base: int = 1000 if (match[3] or "").lower() == "b" else 1024
    factor: int = base ** _POWERS.get((match[2] or "").lower(), 0)
    return int(match[1]) * factor


def _part_bytes(value: Any) -> int:
    return int(_within(_size(value), _FEWEST_BYTES, _MOST_BYTES))


SIZE: Final = Type("SIZE", accepts=(int, str), check=_size)
PART_BYTES: Final = Type("SIZE", accepts=(int, str), check=_part_bytes)


# -- dates ------------------------------------------------------------------------------------


def _date(value: str | date) -> Moment:
    """Check a date that has a day."""
    from converter.values import dates

    try:
        moment = dates.from_w3c(value.isoformat() if isinstance(value, date) else value)
    except ValueError as error:
        raise ValueError(
            f"{_quoted(value)} is not a date, such as 2025-01-31 or 2025-01-31T10:00:00+01:00"
        ) from error
    if moment.is_partial:
        raise ValueError(f"{_quoted(value)} has no day; write it in full, as 2025-01-31")
    return moment


DATE: Final = Type("DATE", accepts=(str, date), check=_date)


def _zone(value: str | tzinfo) -> tzinfo:
    if isinstance(value, tzinfo):
        return value
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(value)
    except (ValueError, OSError, KeyError) as error:
        raise ValueError(f"{_quoted(value)} is not a time zone, such as Europe/Berlin") from error


ZONE: Final = Type("ZONE", accepts=(str, tzinfo), check=_zone)
