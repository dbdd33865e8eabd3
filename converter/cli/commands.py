"""The click commands and their help; ends the process with an exit code, without a traceback."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from types import FrameType

import click

from converter import __version__
from converter.cli import ENVIRONMENT_PREFIX, PROGRAM, argument_checks
from converter.cli.click_options import ARGUMENTS, CLICK_OPTIONS, with_origins
from converter.cli.exit_codes import Terminated, error_message, exit_code_of
from converter.cli.output import print_line, print_message, print_text, use_color
from converter.errors import OptionError
from converter.options.option_types import Option
from converter.options.parsing import CHECK_OPTIONS, DIFF_OPTIONS, OPTIONS

_SUMMARY = """\
Convert feeds, sitemaps and lists of URLs to XML sitemaps, feeds or lists.

SOURCE is a file, a URL, or - for standard input. Several sources are written to one output. Without
a SOURCE, standard input is read. Data is written to standard output or to --output, messages are
written to standard error.
"""

_CHECK_SUMMARY = """\
Check sitemaps, sitemap indexes, feeds, lists of URLs and robots.txt.

SOURCE is a file, a URL, a folder, or - for standard input. An index brings its sitemaps, a
robots.txt the sitemaps that it names. Findings are written to standard output or to --output.
"""

_DIFF_SUMMARY = """\
List the pages that were added, removed and changed between OLD and NEW.

OLD and NEW are sitemaps, indexes, feeds or lists: files, URLs, or - for standard input; their
formats may differ. Changes are written to standard output or to --output.
"""

_COMMANDS = {
    "check": "Check sitemaps, feeds and lists.",
    "diff": "Compare two sitemaps, feeds or lists.",
    "formats": "List the formats that are read and written.",
}

_SOURCES = "[OPTIONS] [SOURCE]..."

#: The prefix of the environment variables of a command.
_PREFIXES = {
    "convert": ENVIRONMENT_PREFIX,
    "check": f"{ENVIRONMENT_PREFIX}_CHECK",
    "diff": f"{ENVIRONMENT_PREFIX}_DIFF",
}

#: The environment variable by which a shell requests completions.
_COMPLETE = "_FEED2SITEMAP_COMPLETE"


# -- commands ---------------------------------------------------------------------------------


class _MainGroup(click.Group):
    """A group whose default command is `convert`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            if args and not ctx.resilient_parsing:
                argument_checks.check_command(args[0], self.commands)
            args = ["convert", *args]
        return super().parse_args(ctx, args)


class _Command(click.Command):
    """A command with sections in its help, and messages in one style."""

    def __init__(
        self, name: str, run: Callable[..., int], usage: str, options: Sequence[Option], text: str
    ) -> None:
        self._usage = usage
        self._options = options
        source = click.Argument(("source",), nargs=-1, type=click.Path(readable=False))
        params = [source, *map(CLICK_OPTIONS.__getitem__, options), *_HELP_OPTIONS]
        super().__init__(
            name,
            callback=run,
            params=params,
            help=text,
            add_help_option=False,
            context_settings={"auto_envvar_prefix": _PREFIXES[name]},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            argument_checks.check_single_dashes(args, self._options)
            ctx.meta[ARGUMENTS] = tuple(args)  # click removes them from the list
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name
            known = argument_checks.long_options(self._options)
            hint = argument_checks.suggestion(name, known)
            raise click.UsageError(f"there is no option {name}{hint}") from error
        except click.BadParameter as error:  # a flag in an environment variable
            raise click.UsageError(with_origins(error.format_message(), ctx)) from error

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        program, _, arguments = self._usage.partition(" [")
        formatter.write_usage(program, f"[{arguments}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections = groupby(self._options, lambda option: str(option.section))
        listed = [(title, [CLICK_OPTIONS[each] for each in options]) for title, options in sections]
        for title, options in (*listed, ("Help", _HELP_OPTIONS)):
            with formatter.section(title):
                records = (option.get_help_record(ctx) for option in options)
                formatter.write_dl([record for record in records if record is not None])
        with formatter.section("Commands"):
            formatter.write_dl([(f"{PROGRAM} {name}", text) for name, text in _COMMANDS.items()])


def _print_and_exit(ctx: click.Context, param: click.Parameter, is_set: bool) -> None:
    if is_set and not ctx.resilient_parsing:
        print_text(ctx.get_help() if param.name == "help" else f"{PROGRAM} {__version__}")
        ctx.exit()


_HELP_OPTIONS = [
    click.Option(
        names,
        help=f"Print {text}.",
        callback=_print_and_exit,
        is_flag=True,
        is_eager=True,
        expose_value=False,
        allow_from_autoenv=False,  # other programs may use FEED2SITEMAP_VERSION
    )
    for names, text in ((["--version"], "the version"), (["-h", "--help"], "this help"))
]


@click.pass_context
def _convert(ctx: click.Context, /, **_params: object) -> int:
    from converter.cli.convert import convert

    return _with_origins(convert, ctx)


@click.pass_context
def _check(ctx: click.Context, /, **_params: object) -> int:
    from converter.cli.check import check

    return _with_origins(check, ctx)


@click.pass_context
def _diff(ctx: click.Context, /, **_params: object) -> int:
    from converter.cli.diff import diff

    return _with_origins(diff, ctx)


def _with_origins(run: Callable[[click.Context], int], ctx: click.Context) -> int:
    try:
        return run(ctx)
    except OptionError as error:
        raise OptionError(with_origins(str(error), ctx)) from error


def _formats() -> None:
    """List the formats that are read and written, and the fields that each format keeps."""
    from converter.cli import formats_table

    lines = (
        *formats_table.aligned(formats_table.formats()),
        "",
        *formats_table.aligned(formats_table.field_support()),
    )
    print_text("\n".join(lines))


main_group = _MainGroup(
    PROGRAM,
    add_help_option=False,
    commands=[
        _Command("convert", _convert, f"{PROGRAM} {_SOURCES}", OPTIONS, _SUMMARY),
        _Command("check", _check, f"{PROGRAM} check {_SOURCES}", CHECK_OPTIONS, _CHECK_SUMMARY),
        _Command("diff", _diff, f"{PROGRAM} diff [OPTIONS] OLD NEW", DIFF_OPTIONS, _DIFF_SUMMARY),
        click.Command(
            "formats",
            callback=_formats,
            help=_formats.__doc__,
            context_settings={"help_option_names": ["-h", "--help"]},
        ),
    ],
)


# -- process ----------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; see `converter.cli.main`."""
    ctx: click.Context | None = None
    try:
        with _sigterm_raises():
            if instruction := os.environ.get(_COMPLETE):
                from click.shell_completion import shell_complete

                return shell_complete(main_group, {}, PROGRAM, _COMPLETE, instruction)
            ctx = main_group.make_context(PROGRAM, list(sys.argv[1:] if argv is None else argv))
            with ctx:
                return int(main_group.invoke(ctx) or 0)
    except click.exceptions.Exit as end:  # click's own main() exits with 1 after Ctrl-C
        return end.exit_code
    except BaseException as error:  # nothing above this function reports an error
        with suppress(OSError):  # standard error may be closed
            _print_error(error, color=use_color(ctx.color if ctx is not None else None))
        _discard_unwritable_output()
        return exit_code_of(error)


def _print_error(error: BaseException, *, color: bool) -> None:
    if os.environ.get("FEED2SITEMAP_DEBUG"):
        import traceback

        for line in "".join(traceback.format_exception(error)).splitlines():
            print_line(line)
    if (message := error_message(error)) is not None:
        print_message("error", message, color=color)
    if isinstance(error, click.ClickException):
        print_line(f"Try '{PROGRAM} --help'.")


@contextmanager
def _sigterm_raises() -> Iterator[None]:
    """Let SIGTERM unwind the stack like Ctrl-C: temporary files are removed, locks released."""

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    try:
        before = signal.signal(signal.SIGTERM, terminate)
    except ValueError:  # only the main thread can set signal handlers
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _discard_unwritable_output() -> None:
    """Redirect closed streams to /dev/null: Python flushes them at exit, and reports errors.

    https://docs.python.org/3/library/signal.html#note-on-sigpipe
    """
    null = os.open(os.devnull, os.O_WRONLY)
    # A stream is None if it was closed before Python started.
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(null, stream.fileno())
    os.close(null)
