"""The types of options: what each accepts, what is made of it, and how an option is declared.

A value comes as text from the command line, and as text or as a Python value from a program or a
configuration file, so a check takes both: `10_000_000` and `"10MB"`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Self

from converter.issues import printable
from converter.values.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from converter.model import Moment

#: https://www.rfc-editor.org/rfc/rfc9110#section-5
_HEADER_NAME: Final = lazy_regex(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE: Final = lazy_regex(r"[\t\x20-\x7e]+")

_SIZE: Final = lazy_regex(r"\s*(\d{1,15})\s*(?:([kmg])(ib|b)?|b?)\s*", re.IGNORECASE)
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
    completes: Literal["path", "format"] | None = None

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


SOURCE_FORMAT: Final = Type("FORMAT", check=_source_format, completes="format")
TARGET_FORMAT: Final = Type("FORMAT", check=_not_empty, completes="format")


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

    if not urls.is_http(value) or urls.clean_media(value, keep_fragment=True).url is None:
        raise ValueError(
            f"{urls.quoted(value)} is not an absolute URL, such as https://example.com/feed.xml"
        )
    return urls.syntax.remove_userinfo(urls.syntax.fix_backslashes(value))


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


def _within(value: Any, least: float, most: float | None, kind: Any = (int, float)) -> Any:
    """Return a number that is in range; what is no number of this kind is out of it."""
    if isinstance(value, kind) and least <= value <= (value if most is None else most):
        return value
    span = f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
    raise ValueError(f"{printable(str(value))} is out of range ({span})")


def whole(metavar: str, least: int = 1, most: int | None = None) -> Type:
    """Whole number."""
    return Type(metavar, accepts=(int,), check=lambda value: int(_within(value, least, most, int)))


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
    # A file with less holds no page, and none may have more: sitemaps.org/protocol.html
    return int(_within(_size(value), 1024, 52_428_800))


SIZE: Final = Type("SIZE", accepts=(int, str), check=_size)
PART_BYTES: Final = Type("SIZE", accepts=(int, str), check=_part_bytes)


# -- dates ------------------------------------------------------------------------------------


def _date(value: str | date) -> Moment:
    """Check a date that has a day."""
    from converter.values import dates

    try:
        moment = dates.parse_w3c(value.isoformat() if isinstance(value, date) else str(value))
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


# -- how an option is declared ----------------------------------------------------------------


class Option(NamedTuple):
    """One option of `convert`."""

    section: str | None
    """Of the help; None: a keyword of `convert()` that the command line does not have."""
    type: Type
    help: str
    keyword: str
    """The keyword of `convert()`."""
    long: str
    """As it is written on the command line: `--limit-urls`."""
    short: str | None

    @property
    def name(self) -> str:
        """The key in a configuration file and, in capitals, the end of the variable."""
        return self.long.removeprefix("--").replace("-", "_")

    @property
    def denial(self) -> str | None:
        """The form that turns a switch off."""
        return f"--no-{self.long.removeprefix('--')}" if self.type.has_denial else None


def option(
    kind: Type,
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
        kind: what it accepts.
        text: the help; the default is added where the text does not state it.
        default: if not given, False for a flag and () for what can be repeated.
        short: `-o`.
        keyword: of `convert()`, where it is not the name of the field.
        long: `--header`, where it is not that of the keyword.
        section: begins a section of the help, to which the options below belong too; None: the
            command line does not have them.
    """
    if kind.is_repeatable:
        default = ()
        text += " Repeatable."
    elif default is None and not (kind.takes_value or kind.has_denial):
        default = False
    text += "" if "Default: " in text else _default_text(default)
    return field(
        default=default, metadata={"option": Option(section, kind, text, keyword, long, short)}
    )


def options_of(group: type[OptionGroup]) -> Iterator[tuple[str, Option]]:
    """Yield the options of a class, by the names of their fields."""
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
