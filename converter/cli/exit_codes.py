"""How a run may end: exit codes, and the one or two lines that say why."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

import click

from converter import errors


class Exit(IntEnum):
    """The exit codes that scripts may rely on; docs/cli.md explains them."""

    DONE = 0
    FOUND = 1
    USAGE = 2
    SOURCE = 3
    DOCUMENT = 4
    LIMIT = 5
    SINK = 6
    REFUSED = 7
    INTERNAL = 70
    """EX_SOFTWARE of sysexits.h: a fault of this program."""
    INTERRUPTED = 130
    """128 + SIGINT, as a shell shows it."""
    BROKEN_PIPE = 141
    """128 + SIGPIPE."""
    TERMINATED = 143
    """128 + SIGTERM."""


class Terminated(BaseException):
    """SIGTERM arrived: unwinds like Ctrl-C, so that nothing is left half-written."""


#: Looked up along the bases of the error, nearest first.
_EXITS: Final[Mapping[type[BaseException], Exit]] = {
    click.ClickException: Exit.USAGE,
    errors.OptionError: Exit.USAGE,
    errors.SourceError: Exit.SOURCE,
    errors.DocumentError: Exit.DOCUMENT,
    errors.LimitError: Exit.LIMIT,
    errors.SinkError: Exit.SINK,
    errors.RefusedError: Exit.REFUSED,
    KeyboardInterrupt: Exit.INTERRUPTED,
    Terminated: Exit.TERMINATED,
    BrokenPipeError: Exit.BROKEN_PIPE,
    BaseException: Exit.INTERNAL,
}


def exit_of(error: BaseException) -> Exit:
    """Return the exit code for an error that has ended the run."""
    return next(_EXITS[kind] for kind in type(error).__mro__ if kind in _EXITS)


def reason(error: BaseException) -> str | None:
    """Return what to tell the user: a line, for internal errors two; None: nothing."""
    if isinstance(error, KeyboardInterrupt | Terminated | BrokenPipeError):
        return None
    if isinstance(error, click.ClickException):
        return " ".join(error.format_message().splitlines())
    if isinstance(error, errors.ConverterError):
        message = " ".join(str(error).splitlines())  # no file name may forge a line
        if message.startswith("-: "):  # the name of the source
            return f"standard input: {message.removeprefix('-: ')}"
        return message
    if isinstance(error, MemoryError):
        return "out of memory"
    name = " ".join(f"{type(error).__name__}: {error}".split())
    return f"internal error: {name}\nPlease report it; FEED2SITEMAP_DEBUG=1 shows the traceback."
