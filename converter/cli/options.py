"""The options as click has them: types, completion, and what happens before any other option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.types import FloatParamType, StringParamType

from converter.cli.config import load_config
from converter.options.table import SECTIONS, Option
from converter.values import numbers

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from converter.seams import Format

__all__ = [
    "CLICK_SECTIONS",
    "complete_path",
    "complete_readable",
    "complete_writable",
]


class _Separated(StringParamType):
    """A repeatable text; a variable of the environment holds several, with separators."""

    def __init__(self, separator: str) -> None:
        self._separator = separator

    def split_envvar_value(self, rv: str | None) -> list[str]:
        return [word.strip() for word in (rv or "").split(self._separator) if word.strip()]


class _Percent(FloatParamType):
    """A number that may have a `%` behind it."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if isinstance(value, int | float):
            return float(value)
        try:
            return numbers.percentage(str(value))
        except ValueError:
            self.fail(f"'{value}' is no percentage; give one as 20 or 20%.", param, ctx)


def complete_readable(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Complete the value of `--from`."""
    names = ("auto", *(row.name for row in _formats() if row.read is not None))
    return [name for name in names if name.startswith(begun)]


def complete_writable(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Complete the value of `--to`."""
    names = (row.name for row in _formats() if row.writer is not None)
    return [name for name in names if name.startswith(begun)]


def _formats() -> Iterator[Format]:
    # The registry imports lxml, so it is asked only when a format is wanted.
    from converter.registry import FORMATS

    yield from FORMATS.values()


def complete_path(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Leave it to the shell, which knows its files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type="file")]


def _remember_colour(
    ctx: click.Context, _param: click.Parameter, wanted: bool | None
) -> bool | None:
    """Keep it where an error that ends the run finds it, also if a later option is refused."""
    ctx.find_root().color = wanted
    return wanted


#: Arguments of click.Option, by the kind of the option's type.
_BY_KIND: Mapping[str, Mapping[str, Any]] = {
    "flag": {"is_flag": True},
    "switch": {"default": None},
    "integer": {"type": int},
    "number": {"type": float},
    "percent": {"type": _Percent()},
    "words": {"type": _Separated(","), "multiple": True},
    "lines": {"type": _Separated("\n"), "multiple": True},
}
_COMPLETIONS: Mapping[str | None, Any] = {
    "path": complete_path,
    "readable": complete_readable,
    "writable": complete_writable,
}

#: Options that are processed before any other.
_EAGER: Mapping[str, Any] = {"config": load_config, "color": _remember_colour}


def _click_option(option: Option) -> click.Option:
    more = dict(_BY_KIND.get(option.type.kind, {}))
    if option.type.choices:
        more["type"] = click.Choice(option.type.choices, case_sensitive=False)
    if option.name in _EAGER:
        more |= {"is_eager": True, "callback": _EAGER[option.name]}
    long = option.long if option.denial is None else f"{option.long}/{option.denial}"
    return click.Option(
        (long,) if option.short is None else (option.short, long),
        metavar=option.type.metavar,
        shell_complete=_COMPLETIONS.get(option.type.completes),
        help=option.help,
        **more,
    )


#: The sections of the table, with click's options.
CLICK_SECTIONS = tuple((title, tuple(map(_click_option, options))) for title, options in SECTIONS)
