"""The process around a command: signals, broken pipes, and one exit code, never a traceback."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

import click

from converter.cli import PROGRAM
from converter.cli.command import program
from converter.cli.exits import Exit, Terminated, exit_of, reason
from converter.cli.terminal import complain, say, wants_colour

__all__ = ["main"]

_DEBUG = "FEED2SITEMAP_DEBUG"

#: The variable by which a shell asks for completions.
_COMPLETE = "_FEED2SITEMAP_COMPLETE"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; None: those of this process.

    Returns:
        The exit code; see docs/cli.md.
    """
    ctx: click.Context | None = None
    try:
        with _terminable():
            if _COMPLETE in os.environ:
                return _complete()
            ctx = program.make_context(PROGRAM, list(sys.argv[1:] if argv is None else argv))
            with ctx:
                code = int(program.invoke(ctx) or 0)
    except click.exceptions.Exit as end:  # click's own main() would make 1 of Ctrl-C and of a pipe
        code = end.exit_code
    except BaseException as error:  # the last place that can tell the user
        code = _end(error, colour=wants_colour(ctx.color if ctx is not None else None))
    return int(code)


def _complete() -> int:
    from click.shell_completion import shell_complete

    return shell_complete(program, {}, PROGRAM, _COMPLETE, os.environ[_COMPLETE])


def _end(error: BaseException, *, colour: bool) -> Exit:
    """Say why, where there is somebody to say it to."""
    with suppress(OSError):  # standard error may have gone the same way
        _explain(error, colour=colour)
    _silence()
    return exit_of(error)


def _explain(error: BaseException, *, colour: bool) -> None:
    if os.environ.get(_DEBUG):
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
def _terminable() -> Iterator[None]:
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


def _silence() -> None:
    """Point streams that take nothing any more nowhere: at exit Python would flush, and complain.

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
