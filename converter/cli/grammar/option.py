"""What is known of an option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Option"]

#: What stands behind the name. `flag` and `switch` take nothing, but a switch can be denied;
#: `words` and `lines` can be repeated, and differ in how a variable holds several.
Takes: TypeAlias = Literal[
    "text", "flag", "switch", "whole", "number", "percent", "choice", "words", "lines"
]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of `convert`."""

    long: str
    help: str
    short: str | None = None
    takes: Takes = "text"
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    completes: Literal["path", "readable", "writable"] | None = None
    default: bool | None = None
    """Of a switch that nobody touches; None: something else decides."""

    @property
    def name(self) -> str:
        """Its parameter, and the end of its variable: `limit_urls`."""
        return self.long.removeprefix("--").replace("-", "_")

    @property
    def takes_value(self) -> bool:
        """Whether a value belongs to it."""
        return self.takes not in {"flag", "switch"}

    @property
    def denial(self) -> str | None:
        """How a switch is turned off."""
        return f"--no-{self.long.removeprefix('--')}" if self.takes == "switch" else None
