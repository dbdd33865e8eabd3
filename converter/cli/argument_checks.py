"""Refuses arguments that are probably mistakes: `--report -o x`, `-out x`, `--ouput x`, `help`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

import click

from converter.cli import PROGRAM
from converter.options.table import OPTIONS, Option

__all__ = ["LATER", "check_first", "check_options", "unknown", "with_long_names"]

#: Commands that are reserved, and what to do meanwhile.
LATER = {
    "check": f" Until then, {PROGRAM} --dry-run --strict SOURCE reports what is wrong in a source.",
    "diff": "",
    "spark": "",
    "submit": "",
    "view": "",
}

#: What other programs call a command of ours.
_SYNONYMS = {"validate": "check", "verify": "check", "lint": "check", "compare": "diff"}

#: How alike two words are, from 0 to 1, for one to be the other mistyped.
_ALIKE = 0.8

_LONG = {option.long: option for option in OPTIONS}
_SHORT = {option.short: option for option in OPTIONS if option.short}
_ALL_LONG = (
    *(name for option in OPTIONS for name in (option.long, option.denial) if name),
    "--help",
    "--version",
)


def check_first(word: str, commands: Iterable[str]) -> None:
    """Refuse a first word that is neither command nor file, and looks like a command.

    Raises:
        click.UsageError: it does; the message names what was probably meant.
    """
    if os.path.lexists(word) or not re.fullmatch("[A-Za-z][A-Za-z-]*", word):
        return
    meant = _meant(word.lower(), commands)
    if meant is None:
        return
    question = f"did you mean {PROGRAM} {meant}?"
    if meant in LATER:
        question = f"{PROGRAM} {meant} comes in a later version.{LATER[meant]}"
    raise click.UsageError(f'there is no command "{word}", and no file of that name; {question}')


def _meant(name: str, commands: Iterable[str]) -> str | None:
    """Give the command or the option that a first word is, or nearly is; None: none."""
    if f"--{name}" in _ALL_LONG:
        return f"--{name}"
    if name in _SYNONYMS:
        return _SYNONYMS[name]
    import difflib  # most command lines have no mistake

    near = difflib.get_close_matches(name, (*commands, *LATER), n=1, cutoff=_ALIKE)
    return near[0] if near else None


def check_options(words: Iterable[str]) -> None:
    """Refuse option values that begin with `-`, and long options with a single dash.

    Args:
        words: those behind the command.

    Raises:
        click.UsageError: there is one; the message says how to write it if it is meant.
    """
    rest = iter(words)
    for word in rest:
        if word == "--":
            return
        if word.startswith("--"):
            if (option := _LONG.get(word)) is not None and option.takes_value:
                _check_value(option, word, next(rest, ""))
        elif len(word) > 1 and word.startswith("-"):
            _check_short(word, rest)


def with_long_names(words: list[str]) -> list[str]:
    """Return checked words with `--output` in the place of `-o`.

    click looks for `-o` among the long names first, and imports difflib to say which is similar.
    """
    end = words.index("--") if "--" in words else len(words)
    last = end - 1  # where a value is missing, click names the option as it was given
    options = ((at, word, _SHORT.get(word)) for at, word in enumerate(words[:end]))
    return [
        option.long if option and not (option.takes_value and at == last) else word
        for at, word, option in options
    ] + words[end:]


def unknown(name: str) -> click.UsageError:
    """Make the error for an option that there is not."""
    import difflib

    near = [name.lower()] if name.lower() in _SHORT else []
    near += difflib.get_close_matches(name.lower(), _ALL_LONG, n=1) if len(name) > 2 else []
    hint = f"; did you mean {near[0]}?" if near else "."
    return click.UsageError(f"there is no option {name}{hint}")


def _check_short(word: str, rest: Iterator[str]) -> None:
    """Check `-o`, and what may follow it in one word: its value, or other letters."""
    _check_single_dash(word)
    for at, letter in enumerate(word[1:], 2):
        option = _SHORT.get(f"-{letter}")
        if option is None:
            return  # help, or nothing: click knows
        if option.takes_value:
            if word[at:].startswith("="):
                raise click.UsageError(
                    f"{word}: a short option takes no =; write -{letter} {word[at + 1 :]} or "
                    f"{option.long}{word[at:]}"
                )
            _check_value(option, f"-{letter}", word[at:] or next(rest, ""))
            return


def _check_value(option: Option, shown: str, value: str) -> None:
    if not value.startswith("-") or (value == "-" and option.type.completes == "path"):
        return
    metavar = option.type.metavar or "VALUE"
    raise click.UsageError(
        f'{shown} needs a value ({metavar}), and "{value}" looks like an option. '
        f"If it is the value, write {option.long}={value}"
    )


def _check_single_dash(word: str) -> None:
    """Refuse `-out`, which would be `-o ut`."""
    long = _resembled(word[1:])
    if long is None:
        return
    option = _LONG.get(long)
    short = f"{option.short} or " if option is not None and option.short else ""
    letter, value = word[:2], word[2:]
    meant = f" If {letter} is meant, write {letter} {value}" if letter in _SHORT else ""
    raise click.UsageError(
        f"{word}: a long option has two dashes; did you mean {short}{long}?{meant}"
    )


def _resembled(text: str) -> str | None:
    """Give the long option that the letters at the beginning of `text` resemble.

    They are its beginning (all of two letters or more, or the first three of more), or nearly
    the same. A doubled first letter is a short option and its value: `-ooutput.xml`.
    """
    letters = re.match("[a-z_-]*", text.lower())
    name = letters[0].replace("_", "-") if letters else ""
    if len(name) < 2 or name[0] == name[1]:
        return None
    is_whole = name == text.lower().partition("=")[0]
    alike = [
        long
        for long in _ALL_LONG
        if long[2:5] == name[:3]
        or (is_whole and long[2:].startswith(name))
        or (long[2] == name[0] and _likeness(long, name) >= _ALIKE)
    ]
    return max(alike, key=lambda long: _likeness(long, name), default=None)


def _likeness(long: str, name: str) -> float:
    import difflib

    return difflib.SequenceMatcher(None, long[2:], name).ratio()
