"""The types of options: which values each accepts, and how an option is declared.

A check takes text from the command line, and text or a Python value from a program or a
configuration file: `"10MB"` and `10_000_000`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Self

from converter.issues import printable
from converter.sitemap_limits import MAX_BYTES
from converter.values.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from converter.model import Moment

#: https://www.rfc-editor.org/rfc/rfc9110#section-5
_HEADER_NAME: Final = lazy_regex(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE: Final = lazy_regex(r"[\t\x20-\x7e]+")

_SIZE: Final = lazy_regex(r"\s*(\d{1,15})\s*(?:([kmg])(ib|b)?|b?)\s*", re.IGNORECASE)
_POWERS: Final[Mapping[str, int]] = {"k": 1, "m": 2, "g": 3}


#: The names of Python types in messages.
TYPE_NAMES: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    date: "a date",
    list: "a text or a list of texts",
}


class OptionType(NamedTuple):
    """The values that an option accepts.

    Attributes:
        metavar: the name of the value in the help.
        accepts: the Python types of a value, for programs and configuration files. `bool` makes
            an option without a value; `list` one that can be repeated.
        check: returns the value that `converter.options` holds; raises ValueError.
        choices: all possible values.
        is_switch: the option has a `--no-` form.
        separator: between values in an environment variable.
        completes: what a shell completes.
    """

    metavar: str | None = None
    accepts: tuple[type, ...] = (str,)
    check: Callable[[Any], Any] = lambda value: value
    choices: tuple[str, ...] = ()
    is_switch: bool = False
    separator: str = ","
    completes: Literal["path", "format"] | None = None

    @property
    def takes_value(self) -> bool:
        """Whether a value follows the option."""
        return bool not in self.accepts

    @property
    def is_repeatable(self) -> bool:
        """Whether the option can be repeated."""
        return list in self.accepts


def _quoted(value: object) -> str:
    return f'"{printable(str(value))}"'


# -- flags, texts, choices --------------------------------------------------------------------

FLAG: Final = OptionType(accepts=(bool,), check=bool)
SWITCH: Final = OptionType(accepts=(bool,), check=bool, is_switch=True)


def _not_empty(value: Any) -> Any:
    if value == "":
        raise ValueError("the value is empty; add a value or remove the option")
    return value


def text(metavar: str, *, may_be_empty: bool = True) -> OptionType:
    """Return the type of a text."""
    return OptionType(metavar) if may_be_empty else OptionType(metavar, check=_not_empty)


def path(metavar: str) -> OptionType:
    """Return the type of the path of a file or folder."""
    return OptionType(metavar, check=_not_empty, completes="path")


def _source_format(value: Any) -> Any:
    return None if str(value).lower() == "auto" else value


SOURCE_FORMAT: Final = OptionType("FORMAT", check=_source_format, completes="format")
TARGET_FORMAT: Final = OptionType("FORMAT", check=_not_empty, completes="format")


def choice(*choices: str) -> OptionType:
    """Return the type of a choice between a few words."""

    def check(value: Any) -> Any:
        if value not in choices:
            raise ValueError(f"{_quoted(value)} is not one of {', '.join(choices)}")
        return value

    return OptionType(check=check, choices=choices)


def _texts(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def texts(metavar: str, *, completes: Literal["path"] | None = None) -> OptionType:
    """Return the type of a repeatable text."""
    return OptionType(metavar, accepts=(list,), check=_texts, completes=completes)


def _patterns(value: str | Sequence[str]) -> tuple[str, ...]:
    patterns = _texts(value)
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{_quoted(pattern)} is not a regular expression: {error}") from error
    return patterns


PATTERNS: Final = OptionType("REGEX", accepts=(list,), check=_patterns)


# -- HTTP -------------------------------------------------------------------------------------


def _url(value: str) -> str:
    """Check an absolute URL and remove its user name and password: it may be published."""
    from converter.values import urls

    if not urls.is_http(value) or urls.clean_media(value, keep_fragment=True).url is None:
        raise ValueError(
            f"{urls.quoted(value)} is not an absolute URL, such as https://example.com/feed.xml"
        )
    return urls.syntax.remove_userinfo(urls.syntax.fix_backslashes(value))


URL: Final = OptionType("URL", check=_url)


def _user_agent(value: str) -> str:
    if not _HEADER_VALUE.fullmatch(value):
        raise ValueError(f"{_quoted(value)} is not one line of ASCII")
    return value


USER_AGENT: Final = OptionType("TEXT", check=_user_agent)


def _header(line: str) -> tuple[str, str]:
    """Split `Name: value`; the message does not quote it, because it may contain a key."""
    name, _, value = line.partition(":")
    if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value.strip()):
        raise ValueError("wanted one line such as 'Authorization: Bearer 123'")
    return name, value.strip()


def _headers(value: str | Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple(map(_header, _texts(value)))


HEADERS: Final = OptionType("'NAME: VALUE'", accepts=(list,), check=_headers, separator="\n")


# -- numbers ----------------------------------------------------------------------------------


def _within(value: Any, least: float, most: float | None, kind: type = float) -> Any:
    """Return a number that has the right type and is in range."""
    types: Any = (int, kind)
    is_number = isinstance(value, types)
    if is_number and least <= value <= (value if most is None else most):
        return value
    if not is_number:
        raise ValueError(f"{_quoted(value)} is not {TYPE_NAMES[kind]}")
    span = f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
    raise ValueError(f"{printable(str(value))} is out of range ({span})")


def whole_number(metavar: str, least: int = 1, most: int | None = None) -> OptionType:
    """Return the type of a whole number from `least` to `most`."""
    return OptionType(
        metavar, accepts=(int,), check=lambda value: int(_within(value, least, most, int))
    )


def number(metavar: str, least: int, most: int) -> OptionType:
    """Return the type of a number from `least` to `most`; it may have a fraction."""
    return OptionType(
        metavar, accepts=(float,), check=lambda value: float(_within(value, least, most))
    )


def _percent(value: Any) -> float:
    """Return a number from 0 to 100, also from a text: `20`, `20%`."""
    if isinstance(value, str):
        from converter.values import numbers

        try:
            value = numbers.percentage(value)
        except ValueError as error:
            raise ValueError(f"{_quoted(value)} is not a percentage, such as 20 or 20%") from error
    return float(_within(value, 0, 100))


PERCENT: Final = OptionType("PERCENT", accepts=(float, str), check=_percent)


def _priority(value: Any) -> str:
    """Return a priority as it is written in a sitemap: `0.5`."""
    from converter.values import numbers

    try:
        priority = numbers.decimal(str(value))
    except ValueError as error:
        raise ValueError(f"{_quoted(value)} is not a number from 0.0 to 1.0") from error
    if not 0 <= priority <= 1:
        raise ValueError(f"{priority} is out of range (0.0 to 1.0)")
    decimal = f"{abs(priority):f}"  # "-0" is a decimal too
    return decimal if "." in decimal else f"{decimal}.0"


PRIORITY: Final = OptionType("VALUE", accepts=(str, float), check=_priority)


def _size(value: Any) -> int:
    """Return a number of bytes; a text may have a unit: KB, KiB, MB, MiB, GB, GiB."""
    match = _SIZE.fullmatch(str(value))
    if match is None or not int(match[1]):
        raise ValueError(f"{_quoted(value)} is not a size, such as 10485760, 10MB or 10MiB")
    base: int = 1000 if (match[3] or "").lower() == "b" else 1024
    factor: int = base ** _POWERS.get((match[2] or "").lower(), 0)
    return int(match[1]) * factor


def _part_bytes(value: Any) -> int:
    return int(_within(_size(value), 1024, MAX_BYTES))  # no page fits into less


SIZE: Final = OptionType("SIZE", accepts=(int, str), check=_size)
PART_BYTES: Final = OptionType("SIZE", accepts=(int, str), check=_part_bytes)


# -- dates ------------------------------------------------------------------------------------


def _date(value: str | date) -> Moment:
    """Return a date; a year or a month alone is refused."""
    from converter.values import dates

    try:
        moment = dates.parse_w3c(value.isoformat() if isinstance(value, date) else str(value))
    except ValueError as error:
        raise ValueError(
            f"{_quoted(value)} is not a date, such as 2025-01-31 or 2025-01-31T10:00:00+01:00"
        ) from error
    if moment.is_partial:
        raise ValueError(f"{_quoted(value)} has no day; write a full date, such as 2025-01-31")
    return moment


DATE: Final = OptionType("DATE", accepts=(str, date), check=_date)


def _zone(value: str | tzinfo) -> tzinfo:
    if isinstance(value, tzinfo):
        return value
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(value)
    except (ValueError, OSError, KeyError) as error:
        raise ValueError(f"{_quoted(value)} is not a time zone, such as Europe/Berlin") from error


ZONE: Final = OptionType("ZONE", accepts=(str, tzinfo), check=_zone)


# -- how an option is declared ----------------------------------------------------------------


class Option(NamedTuple):
    """One option of `convert`."""

    section: str | None
    """The section of the help; None for a keyword that the command line does not have."""
    type: OptionType
    help: str
    keyword: str
    """The keyword of `convert()`."""
    long: str
    """The name on the command line: `--limit-urls`."""
    short: str | None

    @property
    def name(self) -> str:
        """The key in a configuration file and, in capitals, the end of the variable's name."""
        return self.long.removeprefix("--").replace("-", "_")

    @property
    def negative(self) -> str | None:
        """The form that turns a switch off: `--no-images`."""
        return f"--no-{self.long.removeprefix('--')}" if self.type.is_switch else None


def option(
    kind: OptionType,
    text: str,
    *,
    default: Any = None,
    short: str | None = None,
    keyword: str = "",
    long: str = "",
    section: str | None = "",
) -> Any:
    """Declare an option as a field of a dataclass.

    Args:
        kind: the values that it accepts.
        text: the help; the default is added unless the text states it.
        default: None means False for a flag and () for a repeatable option.
        short: the one-letter form, such as `-o`.
        keyword: the keyword of `convert()`, if it differs from the field's name.
        long: the long form, such as `--header`, if it differs from the keyword.
        section: starts a section of the help for this option and the following ones; None for
            options that only the library has.
    """
    if kind.is_repeatable:
        default = ()
        text += " Repeatable."
    elif default is None and not (kind.takes_value or kind.is_switch):
        default = False
    text += "" if "Default: " in text else _default_text(default)
    return field(
        default=default, metadata={"option": Option(section, kind, text, keyword, long, short)}
    )


def options_of(group: type[OptionGroup]) -> Iterator[tuple[str, Option]]:
    """Yield the field name and the option of each field of a class that declares one."""
    section: str | None = ""
    for each in fields(group):
        if (declared := each.metadata.get("option")) is None:
            continue
        section = section if declared.section == "" else declared.section
        keyword = declared.keyword or each.name
        long = declared.long or f"--{keyword.replace('_', '-')}"
        yield each.name, declared._replace(section=section, keyword=keyword, long=long)


def _default_text(default: Any) -> str:
    if default is True:
        return " Default: on."
    if isinstance(default, int | float) and default:
        return f" Default: {default:,g}."
    return f" Default: {default}." if isinstance(default, str | tzinfo) else ""


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class OptionGroup:
    """Options that one part of the program needs; each is a field."""

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with other values, as that of a `NamedTuple` does."""
        return replace(self, **changes)

    # Not that of dataclasses, which compile one for each class: that is slower to start.
    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, each.name) == getattr(other, each.name) for each in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]  # as of any dataclass that can change
