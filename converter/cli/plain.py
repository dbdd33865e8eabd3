"""Reads command lines of plain words; importing click takes as long as converting a small feed.

Nothing is refused here: whatever is not plain is left to click, which knows what to say of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from converter.cli.grammar import COMMANDS, OPTIONS
from converter.cli.grammar.option import Option
from converter.cli.identity import COMPLETE, CONFIG_FILES, VARIABLES
from converter.cli.said import COMMAND_LINE, Said

__all__ = ["read"]

#: Python refuses to read thousands of digits, and nobody means a number of so many.
_MOST_DIGITS = 15


class _NotPlainError(Exception):
    """The words are for click."""


def read(words: Sequence[str]) -> Said | None:
    """Make of the words behind the program's name what click would; None: it shall read them."""
    if _is_configured() or any(word in COMMANDS for word in words[:1]):
        return None
    try:
        return _said(iter(words))
    except _NotPlainError:
        return None


def _is_configured() -> bool:
    """Whether options may stand elsewhere too, or a shell asks how to complete them."""
    if any(name.startswith((COMPLETE, VARIABLES)) for name in os.environ):
        return True
    return any(os.path.lexists(name) for name in CONFIG_FILES)


def _said(rest: Iterator[str]) -> Said:
    known = _known()
    said: dict[str, Any] = {}
    sources: list[str] = []
    for word in rest:
        if _is_value(word):
            sources.append(word)
            continue
        option, value = known.get(word) or _joined(word, known)
        if value is None:
            value = _value(option, next(rest, ""))
        said[option.name] = (*said.get(option.name, ()), value) if option.is_repeated else value
    unsaid = {option.name: option.unsaid for option in OPTIONS if option.name not in said}
    return Said(
        words={**said, **unsaid, "source": tuple(sources)},
        places=dict.fromkeys(said, COMMAND_LINE),
    )


def _is_value(word: str) -> bool:
    return word == "-" or not word.startswith("-")


def _known() -> dict[str, tuple[Option, bool | None]]:
    """Give every spelling its option, and what it means where no value follows."""
    known: dict[str, tuple[Option, bool | None]] = {}
    for option in OPTIONS:
        alone = True if option.takes in ("flag", "switch") else None
        known |= dict.fromkeys(filter(None, (option.long, option.short)), (option, alone))
        if option.denial is not None:
            known[option.denial] = option, False
    del known["--config"]  # reads a file
    return known


def _joined(word: str, known: Mapping[str, tuple[Option, bool | None]]) -> tuple[Option, object]:
    """Read `--option=value`."""
    name, equals, value = word.partition("=")
    option, alone = known.get(name) or (None, None)
    if option is None or not equals or name != option.long or alone is not None:
        raise _NotPlainError
    return option, _value(option, value)


def _value(option: Option, word: str) -> object:
    if word and _is_value(word) and (read := _READ.get(option.takes)):
        return read(option, word)
    raise _NotPlainError


def _whole(_option: Option, word: str) -> int:
    return int(_digits(word))


def _number(_option: Option, word: str) -> float:
    _digits(word.replace(".", "", 1))
    return float(word)


def _digits(word: str) -> str:
    if word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS:
        return word
    raise _NotPlainError


def _choice(option: Option, word: str) -> str:
    if word in option.choices:
        return word
    raise _NotPlainError


def _text(_option: Option, word: str) -> str:
    return word


#: By what an option takes, how a plain value of it is read.
_READ: Mapping[str, Callable[[Option, str], object]] = {
    "text": _text,
    "whole": _whole,
    "number": _number,
    "choice": _choice,
    "words": _text,
    "lines": _text,
}
