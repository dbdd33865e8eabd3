"""Refuses arguments that are probably mistakes: `--report -o x`, `-out x`, `--ouput x`, `help`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile

import click

from converter.cli import PROGRAM
from converter.options.option_types import Option
from converter.options.parsing import OPTIONS

#: Commands of later versions, with an alternative for this version.
_RESERVED = {
    "check": f" Until then, {PROGRAM} --dry-run --strict SOURCE reports faults of a source.",
    "diff": "",
    "spark": "",
    "submit": "",
    "view": "",
}

#: The names of these commands in other programs.
_SYNONYMS = {"validate": "check", "verify": "check", "lint": "check", "compare": "diff"}

#: Similarity of two words, from 0 to 1, above which one may be a misspelling of the other.
_SIMILARITY = 0.8

_SHORT = {option.short: option.long for option in OPTIONS if option.short}
_WITH_VALUE = {name for it in OPTIONS if it.type.takes_value for name in (it.long, it.short)}
_LONG = (
    *(name for option in OPTIONS for name in (option.long, option.negative) if name),
    "--help",
    "--version",
)


def check_command(word: str, commands: Iterable[str]) -> None:
    """Refuse a first argument that looks like a command, and is neither one nor a file.

    Raises:
        click.UsageError: the message suggests a command or an option.
    """
    if word in _RESERVED:
        raise click.UsageError(
            f"the command {word} is reserved for a later version.{_RESERVED[word]} "
            f"To convert a file of that name, write ./{word}."
        )
    if os.path.lexists(word) or not re.fullmatch("[A-Za-z][A-Za-z-]*", word):
        return
    name = word.lower()
    nearest = f"--{name}" if f"--{name}" in _LONG else _SYNONYMS.get(name)
    nearest = nearest or find_similar(name, (*commands, *_RESERVED))
    if nearest is not None:
        note = ""
        if nearest in _RESERVED:
            note = f" (reserved for a later version.{_RESERVED[nearest]})"
        raise click.UsageError(
            f'no command and no file is named "{word}"; did you mean {PROGRAM} {nearest}?{note}'
        )


def check_single_dashes(arguments: Iterable[str]) -> None:
    """Refuse a long option with a single dash: `-out`, which means `-o ut`.

    That is an argument whose letters are the start of a long option (all of two or more letters,
    or the first three) or similar to one. A doubled first letter is a short option with its value:
    `-ooutput.xml`.

    Raises:
        click.UsageError: the message suggests the right option.
    """
    for argument in takewhile(lambda argument: argument != "--", arguments):
        if not re.match("-[A-Za-z]{2}", argument):
            continue
        whole = argument[1:].lower().partition("=")[0].replace("_", "-")
        name = re.sub("[^a-z-].*", "", whole)
        if name[0] == name[1]:
            continue
        names = [long[2:] for long in _LONG if long[2] == name[0]]
        starts = (name, name[:3]) if name == whole else (name[:3],)
        same_start = [it for it in names if it.startswith(starts)]
        nearest = find_similar(name, same_start, 0)
        if nearest is None and name == whole:
            nearest = find_similar(name, names)
        if nearest is not None:
            raise _single_dash(argument, f"--{nearest}")


def _single_dash(argument: str, long: str) -> click.UsageError:
    short = next((short for short, name in _SHORT.items() if name == long), None)
    names = f"{short} or {long}" if short else long
    first = argument[:2]
    note = f" For the option {first}, write {first} {argument[2:]}" if first in _SHORT else ""
    return click.UsageError(
        f"{argument}: a long option has two dashes; did you mean {names}?{note}"
    )


def expand_short_options(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with `--output` for `-o`.

    click looks for `-o` among the long options first, and compares it with all of them: 2 ms.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    expanded = [
        argument if previous in _WITH_VALUE else _SHORT.get(argument, argument)
        for previous, argument in pairwise(("", *arguments[:end]))
    ]
    return [*expanded, *arguments[end:]]


def check_value(option: Option, value: str, arguments: Sequence[str]) -> None:
    """Refuse a value that starts with `-` or `=`, except in `--title=-x`.

    Raises:
        click.UsageError: the message says how to write such a value.
    """
    if f"{option.long}={value}" in arguments or (value == "-" and option.type.completes == "path"):
        return
    if value.startswith("-"):
        names = f"{option.short}, {option.long}" if option.short else option.long
        raise click.UsageError(
            f'{names} needs a value ({option.type.metavar or "VALUE"}), and "{value}" looks like '
            f"an option. To use it as the value, write {option.long}={value}"
        )
    if value.startswith("=") and option.short:
        raise click.UsageError(
            f"{option.short}{value}: a short option takes no =; write {option.short} {value[1:]} "
            f"or {option.long}{value}"
        )


def unknown_option(name: str) -> click.UsageError:
    """Return the error for an option that does not exist."""
    lower = name.lower()
    if len(name) > 2:
        nearest = find_similar(lower.lstrip("-"), [long[2:] for long in _LONG])
        nearest = nearest and f"--{nearest}"
    else:
        nearest = lower if lower in _SHORT else None
    return click.UsageError(
        f"there is no option {name}{f'; did you mean {nearest}?' if nearest else '.'}"
    )


def misused_option(name: str) -> click.UsageError:
    """Return the error for an option without its value, or for a flag with a value."""
    option = next((it for it in OPTIONS if name in {it.long, it.short}), None)
    needs_value = option is not None and option.type.takes_value
    return click.UsageError(f"{name} {'needs a' if needs_value else 'takes no'} value.")


def find_similar(
    word: str, candidates: Iterable[str], similarity: float = _SIMILARITY
) -> str | None:
    """Return the most similar candidate, or None if none is similar enough."""
    import difflib  # 2 ms

    found = difflib.get_close_matches(word, list(candidates), n=1, cutoff=similarity)
    return found[0] if found else None
