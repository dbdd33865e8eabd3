"""What is known of an option, whoever reads it from the command line."""

from __future__ import annotations

from typing import Literal, TypeAlias

from converter.record import record

__all__ = ["Option"]

#: What stands behind the name. `flag` and `switch` take nothing, but a switch can be denied;
#: `words` and `lines` can be repeated, and differ in how a variable holds several.
Takes: TypeAlias = Literal["text", "flag", "switch", "whole", "number", "choice", "words", "lines"]


@record(kw_only=False)
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
    def denial(self) -> str | None:
        """How a switch is turned off."""
        return f"--no-{self.long.removeprefix('--')}" if self.takes == "switch" else None
