"""The program: its commands, its help, and one exit code, never a traceback."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import groupby
from types import FrameType

import click

from converter.cli import ENVIRONMENT_PREFIX, PROGRAM, argument_checks
from converter.cli.exit_codes import Terminated, exit_of, reason
from converter.cli.options import CLICK_OPTIONS, WORDS, complete_path, with_origins
from converter.cli.output import complain, print_text, say, wants_colour
from converter.errors import OptionError

_SUMMARY = """\
Convert feeds, sitemaps and lists of URLs to XML sitemaps, feeds or lists.

SOURCE is a file, a URL, or - for standard input; several are written to one output. Without a
SOURCE, standard input is read. Data is written to standard output or to --output, everything else
to standard error.
"""

_COMMANDS = ((f"{PROGRAM} formats", "List the formats: what is read, written and kept."),)

#: The variable by which a shell asks for completions.
_COMPLETE = "_FEED2SITEMAP_COMPLETE"


# -- the commands -----------------------------------------------------------------------------


class _Program(click.Group):
    """A group whose default command is `convert`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            if args and not ctx.resilient_parsing:
                argument_checks.check_first(args[0], self.commands)
            args = ["convert", *args]
        return super().parse_args(ctx, args)


class _Convert(click.Command):
    """`convert`: its help has sections, and its errors say more than click's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            argument_checks.check_words(args)
            args = argument_checks.with_long_names(args)
            ctx.meta[WORDS] = tuple(args)  # click takes them from the list
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise argument_checks.unknown(error.option_name) from error
        except click.BadParameter as error:
            raise click.UsageError(with_origins(error.format_message(), ctx), ctx) from error

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(PROGRAM, "[OPTIONS] [SOURCE]...")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections = groupby(CLICK_OPTIONS, lambda option: str(option.section))
        listed = [(title, [CLICK_OPTIONS[each] for each in options]) for title, options in sections]
        for title, options in (*listed, ("Help", list(_ANSWERS))):
            with formatter.section(title):
                records = (option.get_help_record(ctx) for option in options)
                formatter.write_dl([record for record in records if record is not None])
        with formatter.section("Commands"):
            formatter.write_dl(_COMMANDS)


def _answer(text: Callable[[click.Context], str]) -> Callable[..., None]:
    """Make the callback of a flag that prints something and ends."""

    def callback(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            print_text(text(ctx))
            ctx.exit()

    return callback


def _version(_ctx: click.Context) -> str:
    from converter import __version__

    return f"{PROGRAM} {__version__}"


#: No variable may set these: FEED2SITEMAP_VERSION is a name that somebody else may use.
_flag = partial(
    click.Option, is_flag=True, is_eager=True, expose_value=False, allow_from_autoenv=False
)
_ANSWERS = (
    _flag(("--version",), callback=_answer(_version), help="Print the version."),
    _flag(("-h", "--help"), callback=_answer(click.Context.get_help), help="Print this help."),
)


@click.pass_context
def _convert(ctx: click.Context, /, **_given: object) -> int:
    from converter.cli.convert import convert

    try:
        return convert(ctx)
    except OptionError as error:
        raise OptionError(with_origins(str(error), ctx)) from error


def _formats() -> None:
    """List the formats: what is read, what is written, and what becomes of each field."""
    from converter.cli import formats_table

    lines = (
        *formats_table.aligned(formats_table.formats()),
        "",
        *formats_table.aligned(formats_table.fates()),
    )
    print_text("\n".join(lines))


program = _Program(
    PROGRAM,
    add_help_option=False,
    commands=[
        _Convert(
            "convert",
            callback=_convert,
            help=_SUMMARY,
            params=[
                click.Argument(("source",), nargs=-1, shell_complete=complete_path),
                *CLICK_OPTIONS.values(),
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
    ],
)


# -- the process ------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; None: those of this process.

    Returns:
        The exit code; see docs/cli.md.
    """
    ctx: click.Context | None = None
    try:
        with _sigterm_raises():
            if instruction := os.environ.get(_COMPLETE):
                from click.shell_completion import shell_complete

                return shell_complete(program, {}, PROGRAM, _COMPLETE, instruction)
            ctx = program.make_context(PROGRAM, list(sys.argv[1:] if argv is None else argv))
            with ctx:
                return int(program.invoke(ctx) or 0)
    except click.exceptions.Exit as end:  # click's own main() would make 1 of Ctrl-C and of a pipe
        return end.exit_code
    except BaseException as error:  # the last place that can tell the user
        with suppress(OSError):  # standard error may have gone the same way
            _explain(error, colour=wants_colour(ctx.color if ctx is not None else None))
        _drop_unwritable_output()
        return exit_of(error)


def _explain(error: BaseException, *, colour: bool) -> None:
    if os.environ.get("FEED2SITEMAP_DEBUG"):
        import traceback

        for line in "".join(traceback.format_exception(error)).splitlines():
            say(line)
    message = reason(error)
    if message is None:
        return
    if isinstance(error, click.ClickException):
        message = f"{message}\nTry '{PROGRAM} --help'."
    complain("error", message, colour=colour)


@contextmanager
def _sigterm_raises() -> Iterator[None]:
    """Let SIGTERM unwind the stack as Ctrl-C does: temporary files go, locks are freed."""

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    try:
        before = signal.signal(signal.SIGTERM, terminate)
    except ValueError:  # only the main thread may
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _drop_unwritable_output() -> None:
    """Point streams that nobody reads nowhere: at exit Python would flush them, and complain.

    https://docs.python.org/3/library/signal.html#note-on-sigpipe
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    # Python has None for a stream that was closed before it started.
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
