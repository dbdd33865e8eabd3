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
from converter.options.option_types import Option
from converter.options.parsing import CHECK_OPTIONS, DIFF_OPTIONS, OPTIONS

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


class OptionValue(StringParamType):
    """The value of an option, which `converter.options` checks."""

    def __init__(self, option: Option) -> None:
        self._option = option

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if ctx is not None and precedence(ctx, self._option.name) == 0:
            check_value(self._option, value, ctx.meta[ARGUMENTS])
        return value

    def split_envvar_value(self, rv: str | None) -> list[str]:
        words = (rv or "").split(self._option.type.separator)
        return [word.strip() for word in words if word.strip()]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        words = self._option.type.completes
        if words == "path":
            return [CompletionItem(incomplete, type="file")]
        if words == "format":
            from converter.formats.registry import FORMATS  # imports lxml

            part = "read" if self._option.name == "from" else "writer"
            words = tuple(name for name, each in FORMATS.items() if getattr(each, part))
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _click_option(option: Option) -> click.Option:
    kind = option.type
    long = f"{option.long}/{option.negative}" if option.negative else option.long
    more: dict[str, Any] = {"is_flag": True, "default": None if kind.is_switch else False}
    if kind.takes_value:
        more = {"type": OptionValue(option), "multiple": kind.is_repeatable}
    if option.name == "config":
        more |= {"callback": load_config, "is_eager": True}
    names = (option.short, long) if option.short else (long,)
    return click.Option(names, metavar=kind.metavar, help=option.help, **more)


#: In the order of the help.
CLICK_OPTIONS: Final[Mapping[Option, click.Option]] = {
    it: _click_option(it) for it in dict.fromkeys((*OPTIONS, *CHECK_OPTIONS, *DIFF_OPTIONS))
}


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
