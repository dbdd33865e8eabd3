"""The commands of the program: `convert`, the default, and `formats`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from converter.cli import ENVIRONMENT_PREFIX, PROGRAM, argument_checks
from converter.cli.options import CLICK_SECTIONS, complete_path
from converter.cli.terminal import show

__all__ = ["program"]

_SUMMARY = """\
Feeds, sitemaps and URL lists in, valid XML sitemaps out; or feeds, or lists.

SOURCE is a file, a URL, or - for standard input; several become one output. Without a SOURCE,
standard input is read. Data goes to standard output or --output, all else to standard error.
"""

_COMMANDS = ((f"{PROGRAM} formats", "List the formats: what is read, written and kept."),)

#: Where a value came from, for the message that refuses it.
_ORIGINS: Mapping[ParameterSource | None, str] = {
    ParameterSource.ENVIRONMENT: " (it was set in the environment: {variable})",
    ParameterSource.DEFAULT_MAP: " (it was set in the configuration file)",
}


class _Program(click.Group):
    """A group whose default command is `convert`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            if args and not ctx.resilient_parsing:
                argument_checks.check_first(args[0], _NAMED)
            args = ["convert", *args]
        return super().parse_args(ctx, args)


class _Convert(click.Command):
    """`convert`: its help has sections, and its errors say more than click's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            argument_checks.check_options(args)
            args = argument_checks.with_long_names(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise argument_checks.unknown(error.option_name) from error
        except click.BadParameter as error:
            message = error.message + _origin(ctx, error.param)
            raise click.BadParameter(message, ctx, error.param, error.param_hint) from error

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(PROGRAM, "[OPTIONS] [SOURCE]...")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, options in (*CLICK_SECTIONS, ("Else", _ANSWERS)):
            with formatter.section(title):
                records = (option.get_help_record(ctx) for option in options)
                formatter.write_dl([record for record in records if record is not None])
        with formatter.section("Commands"):
            formatter.write_dl(_COMMANDS)


def _origin(ctx: click.Context, param: click.Parameter | None) -> str:
    name = str(param.name) if param is not None else ""
    told = _ORIGINS.get(ctx.get_parameter_source(name), "")
    return told.format(variable=f"{ctx.auto_envvar_prefix}_{name.upper()}")


def _answer(text: Callable[[click.Context], str]) -> Callable[..., None]:
    """Make the callback of a flag that prints something and ends."""

    def callback(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            show(text(ctx))
            ctx.exit()

    return callback


def _version(_ctx: click.Context) -> str:
    from converter import __version__

    return f"{PROGRAM} {__version__}"


#: No variable may set these: FEED2SITEMAP_VERSION is a name that somebody else may use.
_at_once = partial(
    click.Option, is_flag=True, is_eager=True, expose_value=False, allow_from_autoenv=False
)
_ANSWERS = (
    _at_once(("--version",), callback=_answer(_version), help="Print the version."),
    _at_once(("-h", "--help"), callback=_answer(click.Context.get_help), help="Print this."),
)


@click.pass_context
def _convert(ctx: click.Context, /, **_words: object) -> int:
    from converter.cli.run import convert

    return convert(ctx)


def _formats() -> None:
    """List the formats: what is read, what is written, and what becomes of each field."""
    from converter.cli import matrix

    for line in matrix.aligned(matrix.formats()):
        show(line)
    show("")
    for line in matrix.aligned(matrix.fates()):
        show(line)


def _later(word: str) -> click.Command:
    """Reserve a word, whatever follows it."""

    def refuse(**_words: Any) -> NoReturn:
        raise click.UsageError(
            f"{word} comes in a later version.{argument_checks.LATER[word]} "
            f"If a file of that name is meant, write ./{word}."
        )

    return click.Command(
        word,
        callback=refuse,
        params=[click.Argument(("words",), nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True},
        add_help_option=False,
        hidden=True,
    )


#: The commands that there are.
_NAMED = ("convert", "formats")

_SOURCE = click.Argument(("source",), nargs=-1, shell_complete=complete_path)

program = _Program(
    PROGRAM,
    add_help_option=False,
    commands=[
        _Convert(
            "convert",
            callback=_convert,
            help=_SUMMARY,
            params=[
                _SOURCE,
                *(option for _, options in CLICK_SECTIONS for option in options),
                *_ANSWERS,
            ],
            add_help_option=False,
            context_settings={"auto_envvar_prefix": ENVIRONMENT_PREFIX},
        ),
        click.Command(
            "formats",
            callback=_formats,
            help=_formats.__doc__,
            context_settings={"help_option_names": ["-h", "--help"]},
        ),
        *map(_later, argument_checks.LATER),
    ],
)
