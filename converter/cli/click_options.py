"""The options as click parameters, and the place where each was set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource
from click.types import StringParamType

from converter.cli import ENVIRONMENT_PREFIX
from converter.cli.argument_checks import check_value
from converter.cli.config_file import CONFIG_NAME, load_config
from converter.issues import printable
from converter.options.option_types import TYPE_NAMES, Option, OptionType
from converter.options.parsing import OPTIONS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: Key in `Context.meta`: the arguments of the command.
ARGUMENTS = "converter.cli.click_options.arguments"

#: Where an option can be set, highest precedence first.
_PRECEDENCE: Final = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
    ParameterSource.DEFAULT,
)


class _TextParam(StringParamType):
    """A text; `converter.options` checks it. A variable holds several texts with separators."""

    def __init__(self, separator: str) -> None:
        self._separator = separator

    def split_envvar_value(self, rv: str | None) -> list[str]:
        return [word.strip() for word in (rv or "").split(self._separator) if word.strip()]


class _ChoiceParam(click.Choice[str]):
    """One of a few words, in any case."""

    def __init__(self, kind: OptionType) -> None:
        super().__init__(kind.choices)
        self._check = kind.check

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._check(value.lower())
        except ValueError as error:
            self.fail(str(error), param, ctx)


class _NumberParam(StringParamType):
    """A number; `converter.options` checks its range."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._kind(value)
        except ValueError:
            self.fail(f'"{printable(value)}" is not {TYPE_NAMES[self._kind]}', param, ctx)


def complete_format(_ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    """Complete the value of `--from` or `--to`."""
    from converter.formats.registry import FORMATS  # imports lxml

    if param.name == "from":
        names = ["auto", *(each.name for each in FORMATS.values() if each.read is not None)]
    else:
        names = [each.name for each in FORMATS.values() if each.writer is not None]
    return [name for name in names if name.startswith(start)]


def complete_path(_ctx: click.Context, _param: click.Parameter, start: str) -> list[CompletionItem]:
    """Let the shell complete a path."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(start, type="file")]


_COMPLETIONS: Final[Mapping[str | None, Any]] = {"path": complete_path, "format": complete_format}


def _store_color(ctx: click.Context, _param: click.Parameter, value: bool | None) -> bool | None:
    """Store `--color` for error messages, also if a later option is refused."""
    ctx.find_root().color = value
    return value


#: Options that are processed before all others.
_EAGER: Final[Mapping[str, Any]] = {"config": load_config, "color": _store_color}


class _ClickOption(click.Option):
    """An option that does not take another option for its value."""

    def __init__(self, option: Option) -> None:
        self._option = option
        long = option.long if option.negative is None else f"{option.long}/{option.negative}"
        super().__init__(
            (option.short, long) if option.short else (long,),
            metavar=option.type.metavar,
            help=option.help,
            shell_complete=_COMPLETIONS.get(option.type.completes),
            callback=_EAGER.get(option.name),
            is_eager=option.name in _EAGER,
            **_click_type(option.type),
        )

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        if self._option.type.takes_value and not ctx.resilient_parsing:
            values = opts.get(self.name or "") or ()
            for value in [values] if isinstance(values, str) else values:
                check_value(self._option, value, ctx.meta[ARGUMENTS])
        return super().consume_value(ctx, opts)


def _click_type(kind: OptionType) -> dict[str, Any]:
    if not kind.takes_value:
        return {"is_flag": True, "default": None if kind.is_switch else False}
    if kind.choices:
        return {"type": _ChoiceParam(kind)}
    if kind.accepts in {(int,), (float,)}:
        return {"type": _NumberParam(kind.accepts[0])}
    return {"type": _TextParam(kind.separator), "multiple": kind.is_repeatable}


#: In the order of the help.
CLICK_OPTIONS: Final[Mapping[Option, click.Option]] = {it: _ClickOption(it) for it in OPTIONS}


def set_options(ctx: click.Context, options: Iterable[Option]) -> dict[str, Any]:
    """Return the values of the options that are set, by their keywords."""
    return {
        option.keyword: ctx.params[option.name]
        for option in options
        if ctx.get_parameter_source(option.name) is not ParameterSource.DEFAULT
    }


def precedence(ctx: click.Context, name: str) -> int:
    """Rank the place where an option was set: 0 is the command line, the highest the default."""
    return _PRECEDENCE.index(ctx.get_parameter_source(name) or ParameterSource.DEFAULT)


def with_origins(message: str, ctx: click.Context) -> str:
    """Add the variable or file in which the options of a message were set."""
    for long in dict.fromkeys(re.findall(r"--([a-z][a-z-]*[a-z])", message)):
        name = long.replace("-", "_")
        match ctx.get_parameter_source(name):
            case ParameterSource.ENVIRONMENT:
                message += f" (--{long} was set in {ENVIRONMENT_PREFIX}_{name.upper()})"
            case ParameterSource.DEFAULT_MAP:
                message += f" (--{long} was set in {ctx.meta[CONFIG_NAME]})"
    return message
