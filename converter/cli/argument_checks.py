"""Refuses arguments that are probably mistakes: `--report -o x`, `-out x`, `--ouput x`, `help`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile

import click

from converter.cli import PROGRAM
from converter.options.parsing import OPTIONS
from converter.options.types import Option

#: Commands of later versions, and what to do meanwhile.
_LATER = {
    "check": f" Until then, {PROGRAM} --dry-run --strict SOURCE reports what is wrong in a source.",
    "diff": "",
    "spark": "",
    "submit": "",
    "view": "",
}

#: What other programs call these commands.
_SYNONYMS = {"validate": "check", "verify": "check", "lint": "check", "compare": "diff"}

#: How alike two words are, from 0 to 1, for one to be the other mistyped.
_ALIKE = 0.8

_SHORT = {option.short: option.long for option in OPTIONS if option.short}
_VALUED = {n for it in OPTIONS if it.type.takes_value for n in (it.long, it.short)}
_ALL_LONG = (
    *(name for option in OPTIONS for name in (option.long, option.denial) if name),
    "--help",
    "--version",
)


def check_first(word: str, commands: Iterable[str]) -> None:
    """Refuse a first word that looks like a command, and is neither one nor a file.

    Raises:
        click.UsageError: the message names what was probably meant.
    """
    if word in _LATER:
        raise click.UsageError(
            f"{word} comes in a later version.{_LATER[word]} "
            f"If a file of that name is meant, write ./{word}."
        )
    if os.path.lexists(word) or not re.fullmatch("[A-Za-z][A-Za-z-]*", word):
        return
    name = word.lower()
    meant = f"--{name}" if f"--{name}" in _ALL_LONG else _SYNONYMS.get(name)
    meant = meant or _nearest(name, (*commands, *_LATER), _ALIKE)
    if meant is not None:
        later = f" ({meant} comes in a later version.{_LATER[meant]})" if meant in _LATER else ""
        raise click.UsageError(
            f'there is no command "{word}", and no file of that name; '
            f"did you mean {PROGRAM} {meant}?{later}"
        )


def check_words(words: Iterable[str]) -> None:
    """Refuse a long option with a single dash: `-out`, which would be `-o ut`.

    Its letters are the beginning of a long option (all of two letters or more, or the first three
    of more), or nearly the same. A doubled first letter is a short option and its value:
    `-ooutput.xml`.

    Raises:
        click.UsageError: the message says how to write it.
    """
    for word in takewhile(lambda word: word != "--", words):
        if not re.match("-[A-Za-z]", word):
            continue
        whole = word[1:].lower().partition("=")[0].replace("_", "-")
        name = re.sub("[^a-z-].*", "", whole)
        if len(name) < 2 or name[0] == name[1]:
            continue
        near = [long[2:] for long in _ALL_LONG if long[2] == name[0]]
        begun = [it for it in near if it[:3] == name[:3] or (name == whole and it.startswith(name))]
        found = _nearest(name, begun, 0) or (
            _nearest(name, near, _ALIKE) if name == whole else None
        )
        if found is not None:
            raise _single_dash(word, f"--{found}")


def _single_dash(word: str, long: str) -> click.UsageError:
    option = next((each for each in OPTIONS if each.long == long), None)
    short = f"{option.short} or " if option is not None and option.short else ""
    meant = f" If {word[:2]} is meant, write {word[:2]} {word[2:]}" if word[:2] in _SHORT else ""
    return click.UsageError(
        f"{word}: a long option has two dashes; did you mean {short}{long}?{meant}"
    )


def with_long_names(words: Sequence[str]) -> list[str]:
    """Return the arguments with `--output` for `-o`.

    click looks for `-o` among the long names first, and then for similar ones, which takes long.
    """
    end = words.index("--") if "--" in words else len(words)
    named = [
        word if before in _VALUED else _SHORT.get(word, word)
        for before, word in pairwise(("", *words[:end]))
    ]
    return [*named, *words[end:]]


def check_value(option: Option, value: str, words: Iterable[str]) -> None:
    """Refuse a value that begins with `-` or `=`, but in `--title=-x`.

    Raises:
        click.UsageError: the message says how to write it if it is meant.
    """
    if f"{option.long}={value}" in words or (value == "-" and option.type.completes == "path"):
        return
    name = f"{option.short}, {option.long}" if option.short else option.long
    if value.startswith("-"):
        raise click.UsageError(
            f'{name} needs a value ({option.type.metavar or "VALUE"}), and "{value}" looks like an '
            f"option. If it is the value, write {option.long}={value}"
        )
    if value.startswith("=") and option.short:
        raise click.UsageError(
            f"{option.short}{value}: a short option takes no =; write {option.short} {value[1:]} "
            f"or {option.long}{value}"
        )


def unknown(name: str) -> click.UsageError:
    """Return the error for an option that does not exist."""
    near = name.lower() if name.lower() in _SHORT else None
    near = near or (_nearest(name.lower(), _ALL_LONG) if len(name) > 2 else None)
    hint = f"; did you mean {near}?" if near else "."
    return click.UsageError(f"there is no option {name}{hint}")


def _nearest(word: str, words: Iterable[str], alike: float = 0.6) -> str | None:
    import difflib  # most command lines have no mistake

    near = difflib.get_close_matches(word, list(words), n=1, cutoff=alike)
    return near[0] if near else None
