"""What a command line says, whoever has read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["COMMAND_LINE", "ELSEWHERE", "ENVIRONMENT", "MisuseError", "Said"]

#: Where a word was said; of two that contradict each other, the nearer counts.
COMMAND_LINE, ENVIRONMENT, ELSEWHERE = range(3)


class MisuseError(Exception):
    """The words are not what the program takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The words of a run of `convert`."""

    words: Mapping[str, Any]
    """The sources as `source`, and every option by its name, also those that nobody said."""
    places: Mapping[str, int]
    """Where those were said that somebody did say."""
    config: str | None = None
    """The file, or the table in it, that options were read from."""
    usual_to: str | None = None
    """The format that a variable or that file names, also where the command line names another."""
    note: str | None = None
    """What the user should know about the files of options that were found."""
