"""Declares an option as a field of a dataclass, with all that the program knows of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import tzinfo
from typing import Any, NamedTuple, Self

from converter.options.types import Type

__all__ = ["Option", "OptionGroup", "option", "options_of"]


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
    """Options that one part of the program needs; each is a field.

    What dataclasses would compile for each class anew is here once, for faster starts.
    """

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with other values, as that of a `NamedTuple`."""
        return replace(self, **changes)

    def __eq__(self, other: object) -> bool:
        names = [each.name for each in fields(self)]
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in names
        )

    __hash__ = None  # type: ignore[assignment]  # as of any dataclass that can change
