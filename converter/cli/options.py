"""The options as click has them, and where each was set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource
from click.types import StringParamType

from converter.cli import ENVIRONMENT_PREFIX
from converter.cli.argument_checks import check_value
from converter.cli.config_file import CONFIG_PLACE, load_config
from converter.options.parsing import OPTIONS
from converter.options.types import Option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: Key in `Context.meta`: the arguments.
WORDS = "converter.cli.options.words"

#: Where an option can be set, nearest first.
_PLACES: Final = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
    ParameterSource.DEFAULT,
)


class _Separated(StringParamType):
    """A repeatable text; a variable of the environment holds several, with separators."""

    def __init__(self, separator: str) -> None:
        self._separator = separator

    def split_envvar_value(self, rv: str | None) -> list[str]:
        return [word.strip() for word in (rv or "").split(self._separator) if word.strip()]


def complete_format(_ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """Complete the value of `--from` or `--to`."""
    from converter.formats.registry import FORMATS  # imports lxml

    if param.name == "from":
        names = ["auto", *(row.name for row in FORMATS.values() if row.read is not None)]
    else:
        names = [row.name for row in FORMATS.values() if row.writer is not None]
    return [name for name in names if name.startswith(begun)]


def complete_path(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Leave it to the shell, which knows its files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type="file")]


_COMPLETIONS: Final[Mapping[str | None, Any]] = {"path": complete_path, "format": complete_format}


def _remember_colour(
    ctx: click.Context, _param: click.Parameter, wanted: bool | None
) -> bool | None:
    """Keep it where an error that ends the run finds it, also if a later option is refused."""
    ctx.find_root().color = wanted
    return wanted


#: Options that are processed before any other.
_EAGER: Final[Mapping[str, Any]] = {"config": load_config, "color": _remember_colour}


class _Option(click.Option):
    """An option that takes no other option for its value."""

    def __init__(self, option: Option, *names: str, **more: Any) -> None:
        self._option = option
        super().__init__(names, metavar=option.type.metavar, help=option.help, **more)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        if self._option.type.takes_value and not ctx.resilient_parsing:
            given = opts.get(self.name or "") or ()
            for value in [given] if isinstance(given, str) else given:
                check_value(self._option, value, ctx.meta[WORDS])
        return super().consume_value(ctx, opts)


def _click_option(option: Option) -> click.Option:
    kind = option.type
    more: dict[str, Any] = {"type": kind.accepts[0] if len(kind.accepts) == 1 else str}
    if not kind.takes_value:
        more = {"is_flag": True, "default": None if kind.has_denial else False}
    elif kind.choices:
        more = {"type": click.Choice(kind.choices, case_sensitive=False)}
    elif kind.is_repeatable:
        more = {"type": _Separated(kind.separator), "multiple": True}
    if option.name in _EAGER:
        more |= {"is_eager": True, "callback": _EAGER[option.name]}
    long = option.long if option.denial is None else f"{option.long}/{option.denial}"
    names = (long,) if option.short is None else (option.short, long)
    return _Option(option, *names, shell_complete=_COMPLETIONS.get(kind.completes), **more)


#: In the order of the table.
CLICK_OPTIONS: Final = {option: _click_option(option) for option in OPTIONS}


def set_options(ctx: click.Context, options: Iterable[Option]) -> dict[str, Any]:
    """Return the values that were set somewhere, by the keywords of the options."""
    return {
        option.keyword: ctx.params[option.name]
        for option in options
        if ctx.get_parameter_source(option.name) is not ParameterSource.DEFAULT
    }


def distance(ctx: click.Context, name: str) -> int:
    """Rank where an option was set: 0 is the command line, the highest number the default."""
    return _PLACES.index(ctx.get_parameter_source(name) or ParameterSource.DEFAULT)


def with_origins(message: str, ctx: click.Context) -> str:
    """Add where the options in a message were set, if that was not on the command line."""
    for long in dict.fromkeys(re.findall(r"--([a-z][a-z-]*[a-z])", message)):
        name = long.replace("-", "_")
        match ctx.get_parameter_source(name):
            case ParameterSource.ENVIRONMENT:
                message += f" (--{long} was set in {ENVIRONMENT_PREFIX}_{name.upper()})"
            case ParameterSource.DEFAULT_MAP:
                message += f" (--{long} was set in {ctx.meta[CONFIG_PLACE]})"
    return message
