"""Exit codes, and the message for an error that ends a run."""

from __future__ import annotations

import re
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
    INTERNAL = 70  # EX_SOFTWARE of sysexits.h
    INTERRUPTED = 130  # 128 + SIGINT
    BROKEN_PIPE = 141  # 128 + SIGPIPE
    TERMINATED = 143  # 128 + SIGTERM


class Terminated(BaseException):
    """SIGTERM was received; unwinds the stack like Ctrl-C."""


#: By the class of the error or its nearest base class.
_EXIT_CODES: Final[Mapping[type[BaseException], Exit]] = {
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


def exit_code_of(error: BaseException) -> Exit:
    """Return the exit code for an error that ended the run."""
    return next(_EXIT_CODES[kind] for kind in type(error).__mro__ if kind in _EXIT_CODES)


def error_message(error: BaseException) -> str | None:
    """Return the message; None if nothing is printed."""
    if isinstance(error, KeyboardInterrupt | Terminated | BrokenPipeError):
        return None
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, errors.ConverterError):
        return re.sub("^-: ", "standard input: ", str(error))  # - is the name of the source
    if isinstance(error, MemoryError):
        return "out of memory"
    return (
        f"internal error: {type(error).__name__}: {error}. Please report it; "
        "FEED2SITEMAP_DEBUG=1 shows the traceback."
    )
