"""Refuses arguments that are probably mistakes: `-out x`, `--ouput x`, `--report -o x`, `help`."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable
from itertools import takewhile

import click

from converter.options.option_types import Option
from converter.options.parsing import OPTIONS

#: Commands of later versions.
_RESERVED = ("spark", "submit", "view")


def long_options(options: Iterable[Option]) -> tuple[str, ...]:
    """Return the long forms of options, with those of the help."""
    names = (name for option in options for name in (option.long, option.negative) if name)
    return (*names, "--help", "--version")


def check_command(word: str, commands: Iterable[str]) -> None:
    """Refuse a first argument that looks like a command, and is neither one nor a file.

    Raises:
        click.UsageError: the message suggests a command or an option.
    """
    if word in _RESERVED:
        raise click.UsageError(
            f"the command {word} is reserved for a later version. "
            f"To convert a file of that name, write ./{word}."
        )
    if os.path.lexists(word) or not re.fullmatch("[A-Za-z][A-Za-z-]*", word):
        return
    options = [long for long in long_options(OPTIONS) if long[2:] == word.lower()]
    hint = suggestion(f"--{word}", options) or suggestion(word, (*commands, *_RESERVED))
    if hint:
        raise click.UsageError(f'no command and no file is named "{word}"{hint}')


def check_single_dashes(arguments: Iterable[str], options: Iterable[Option]) -> None:
    """Refuse the start of a long option with a single dash: `-out`, which means `-o ut`.

    Raises:
        click.UsageError: the message suggests the right option.
    """
    known = long_options(options)
    for argument in takewhile(lambda argument: argument != "--", arguments):
        start = re.match("-[a-z][a-z-]+", argument.lower().replace("_", "-"))
        meant = [long for long in known if start and long[1:].startswith(start[0])]
        if meant:
            shortest = min(meant, key=len)
            raise click.UsageError(
                f"{argument}: a long option has two dashes; did you mean {shortest}?"
            )


def check_value(option: Option, value: str, arguments: Container[str]) -> None:
    """Refuse a value that starts with `-` or `=`, except in `--title=-x`.

    Raises:
        click.UsageError: the message says how to write such a value.
    """
    is_standard_stream = value == "-" and option.type.completes == "path"
    if is_standard_stream or not value.startswith(("-", "=")):
        return
    if f"{option.long}={value}" not in arguments:
        raise click.UsageError(
            f'{option.long} needs a value ({option.type.metavar}), and "{value}" does not look '
            f"like one. To use it as the value, write {option.long}={value.removeprefix('=')}"
        )


def suggestion(word: str, candidates: Iterable[str]) -> str:
    """Return the end of a message that suggests the most similar candidate, if one is similar."""
    import difflib  # 2 ms

    # click's own limit of 0.6 suggests --robots for --bogus.
    found = difflib.get_close_matches(word.lower(), list(candidates), n=1, cutoff=0.8)
    return f"; did you mean {found[0]}?" if found else ""
