"""The types of options: which values each accepts, and how an option is declared.

A type parses text, from the command line or a variable, and the Python value that a program or a
configuration file may have instead: `"10MB"` and `10_000_000`, `"5"` and `5`.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import field, fields
from datetime import date, tzinfo
from typing import Any, Final, Literal, NamedTuple

from converter.errors import OptionError
from converter.model import Moment
from converter.sitemap_limits import MAX_BYTES
from converter.values import dates, numbers, urls
from converter.values.lazy_regex import lazy_regex

#: https://www.rfc-editor.org/rfc/rfc9110#section-5
_HEADER_NAME: Final = lazy_regex(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE: Final = lazy_regex(r"[\t\x20-\x7e]+")

#: What a parser raises for a value that it refuses.
_REFUSALS: Final = (ValueError, TypeError, LookupError, OSError, re.error)


class OptionType(NamedTuple):
    """The values that an option accepts.

    Attributes:
        metavar: the name of the value in the help; None for a flag, which has no value.
        wanted: what a value must be, in messages.
        parse: returns the value that `converter.options` holds, for a repeatable option one of
            them; raises ValueError or what the standard library raises.
        annotation: the type of the keyword of `convert()`.
        separator: between values in an environment variable; None unless repeatable.
        completes: what a shell completes: the possible values, paths, or names of formats.
        is_switch: the option has a `--no-` form.
    """

    metavar: str | None
    wanted: str
    parse: Callable[[Any], Any]
    annotation: str = "str | None"
    separator: str | None = None
    completes: tuple[str, ...] | Literal["path", "format"] = ()
    is_switch: bool = False

    @property
    def takes_value(self) -> bool:
        """Whether a value follows the option."""
        return self.metavar is not None

    @property
    def is_repeatable(self) -> bool:
        """Whether the option can be repeated."""
        return self.separator is not None


# -- flags, texts, choices --------------------------------------------------------------------


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


FLAG: Final = OptionType(None, "true or false", _flag, "bool")
SWITCH: Final = FLAG._replace(is_switch=True)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def text(metavar: str) -> OptionType:
    """Return the type of a text."""
    return OptionType(metavar, "a text", _text)


def _not_empty(value: Any) -> str:
    if not (path := os.fspath(value)):
        raise ValueError
    return str(path)


TEMPLATE: Final = OptionType("TEMPLATE", "a template", _not_empty)


def path(metavar: str) -> OptionType:
    """Return the type of the path of a file or folder."""
    return OptionType(metavar, "a path", _not_empty, completes="path")


def _source_format(value: Any) -> str | None:
    return None if str(value).lower() == "auto" else str(value)


SOURCE_FORMAT: Final = OptionType("FORMAT", "a format", _source_format, completes="format")
TARGET_FORMAT: Final = OptionType("FORMAT", "a format", _not_empty, completes="format")


def choice(*choices: str) -> OptionType:
    """Return the type of a choice between a few words, in any case."""
    return OptionType(
        f"[{'|'.join(choices)}]",
        f"one of {', '.join(choices)}",
        lambda value: choices[choices.index(str(value).lower())],
        completes=choices,
    )


def _texts(metavar: str, wanted: str = "a text", parse: Callable[[Any], Any] = _text) -> OptionType:
    """Return the type of a repeatable text."""
    return OptionType(metavar, wanted, parse, "Sequence[str]", ",")


NAMES: Final = _texts("NAME")
RULES: Final = _texts("RULE")


def _pair(value: Any) -> str:
    if "=" not in _text(value):
        raise ValueError
    return str(value)


PAIRS: Final = _texts("OLD=NEW", "two texts with = between them", _pair)
_PROFILES: Final = ("protocol", "google", "bing", "yandex")
PROFILES: Final = choice(*_PROFILES)._replace(separator=",", annotation="Sequence[str]")
SOURCES: Final = _texts("FILE|URL", "a path", os.fspath)._replace(completes="path")
PATTERNS: Final = _texts("REGEX", "a regular expression", lambda text: re.compile(text).pattern)


# -- HTTP -------------------------------------------------------------------------------------


def _url(value: str) -> str:
    """Parse an absolute URL without its user name and password: it may be published."""
    if not urls.is_http(value) or urls.clean_media(value, keep_fragment=True).url is None:
        raise ValueError
    return urls.syntax.remove_userinfo(urls.syntax.fix_backslashes(value))


URL: Final = OptionType("URL", "an absolute URL, such as https://example.com/feed.xml", _url)


def _user_agent(value: str) -> str:
    if not _HEADER_VALUE.fullmatch(value):
        raise ValueError
    return value


USER_AGENT: Final = OptionType("TEXT", "one line of ASCII", _user_agent)


def _header(line: Any) -> tuple[str, str]:
    name, _, value = str(line).partition(":")
    if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value.strip()):
        # The line is not quoted, because it may contain a key.
        raise OptionError("--header: wanted one line such as 'Authorization: Bearer 123'")
    return name, value.strip()


HEADERS: Final = _texts("'NAME: VALUE'", "a header", _header)._replace(separator="\n")


# -- numbers ----------------------------------------------------------------------------------


def _in_range(number: float, least: float, most: float) -> Any:
    if not least <= number <= most:
        raise ValueError
    return number


def number(
    metavar: str, least: int = 1, most: float = math.inf, *, kind: type[float] = int
) -> OptionType:
    """Return the type of a number from `least` to `most`."""
    span = f"from {least:,} to {most:,}" if most < math.inf else f"of {least:,} or more"
    return OptionType(
        metavar,
        f"a {'whole ' if kind is int else ''}number {span}",
        lambda value: _in_range(kind(str(value)), least, most),
        f"{kind.__name__} | None",
    )


PERCENT: Final = OptionType(
    "PERCENT",
    "a percentage from 0 to 100, such as 20 or 20%",
    lambda value: _in_range(numbers.percentage(str(value)), 0, 100),
    "float | str | None",
)


def _percent_or_number(value: Any) -> str:
    numbers.percentage(str(value))
    return str(value)


PERCENT_OR_NUMBER: Final = OptionType(
    "PERCENT|N", "a percentage, such as 20%, or a number", _percent_or_number
)


def _priority(value: Any) -> str:
    """Return a priority as it is written in a sitemap: `0.5`."""
    priority, _ = numbers.priority(str(value))
    if priority is None:
        raise ValueError
    return f"{priority:f}"


PRIORITY: Final = OptionType("VALUE", "a number from 0.0 to 1.0", _priority, "str | float | None")


def _size(value: Any, least: int = 1, most: float = math.inf) -> Any:
    """Return a number of bytes; a text may have a unit: KB, KiB, MB, MiB, GB, GiB."""
    return _in_range(numbers.size_bytes(str(value)) or 0, least, most)


SIZE: Final = OptionType(
    "SIZE", "a size, such as 10485760, 10MB or 10MiB", _size, "int | str | None"
)
PART_BYTES: Final = SIZE._replace(
    wanted=f"a size from 1,024 to {MAX_BYTES:,} bytes, such as 10MB or 10MiB",
    parse=lambda value: _size(value, 1024, MAX_BYTES),
)


# -- dates ------------------------------------------------------------------------------------


def _date(value: Any) -> Moment:
    """Return a date; a year or a month alone is refused."""
    moment = dates.parse_w3c(value.isoformat() if isinstance(value, date) else str(value))
    if moment.is_partial:
        raise ValueError
    return moment


DATE: Final = OptionType(
    "DATE",
    "a full date, such as 2025-01-31 or 2025-01-31T10:00:00+01:00",
    _date,
    "str | date | None",
)


def _zone(value: str | tzinfo) -> tzinfo:
    if isinstance(value, tzinfo):
        return value
    from zoneinfo import ZoneInfo  # most runs name no zone

    return ZoneInfo(value)


ZONE: Final = OptionType("ZONE", "a time zone, such as Europe/Berlin", _zone, "str | tzinfo | None")


# -- how an option is declared ----------------------------------------------------------------


class Option(NamedTuple):
    """One option of `convert`."""

    section: str | None
    """The section of the help; None for a keyword that the command line does not have."""
    type: OptionType
    help: str
    field: str
    """The field of a class of `converter.options`."""
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

    def check(self, value: Any) -> Any:
        """Return the value that `converter.options` holds.

        Raises:
            OptionError: the value is refused; the message names the option.
        """
        if not self.type.is_repeatable:
            return self._parse(value)
        return tuple(map(self._parse, value if isinstance(value, list | tuple) else [value]))

    def _parse(self, value: Any) -> Any:
        try:
            return self.type.parse(value)
        except _REFUSALS as error:
            shown = urls.quoted(str(value))
            raise OptionError(f"{self.long}: {shown} is not {self.type.wanted}") from error


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
    elif default is None and kind is FLAG:
        default = False
    elif default and "Default: " not in text:
        shown = f"{default:,g}" if isinstance(default, int | float) else default
        text += f" Default: {'on' if default is True else shown}."
    declared = Option(section, kind, text, "", keyword, long, short)
    return field(default=default, metadata={"option": declared})


def options_of(group: type) -> Iterator[Option]:
    """Yield the option of each field of a class that declares one."""
    section: str | None = ""
    for each in fields(group):
        if (declared := each.metadata.get("option")) is None:
            continue
        section = section if declared.section == "" else declared.section
        keyword = declared.keyword or each.name
        long = declared.long or f"--{keyword.replace('_', '-')}"
        yield declared._replace(section=section, field=each.name, keyword=keyword, long=long)
