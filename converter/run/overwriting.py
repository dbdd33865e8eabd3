"""Keeps an output from replacing what it is made of, unless that is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable

from converter.edge.identity import Identity, identity
from converter.errors import OptionError
from converter.issues import printable

__all__ = ["Protected"]


class Protected:
    """The files that a run reads, by their identity: no spelling or link hides one of them."""

    def __init__(self) -> None:
        self.names: dict[Identity, str] = {}

    def add(self, places: Iterable[object]) -> None:
        """Add paths, streams and `-`; what is no regular file here, as a URL, needs no care."""
        for place in places:
            if (found := identity(place)) is not None:
                self.names.setdefault(found, _shown(place, "standard input"))

    def check(self, targets: Iterable[object]) -> None:
        """Hold what would be written or removed against them.

        Raises:
            OptionError: one of them is among it.
        """
        for target in targets if self.names else ():
            found = identity(target, is_output=True)
            if found is not None and found in self.names:
                shown, source = _shown(target, "standard output"), self.names[found]
                known = "" if shown == source else f" ({source})"
                raise OptionError(
                    f"{shown} is a source of this run{known}, and would be replaced. Name another "
                    "file with --output, or add to this one with --update, or replace it with "
                    "--force"
                )


def _shown(place: object, standard: str) -> str:
    if isinstance(place, str | os.PathLike) and place != "-":
        return f'"{printable(os.fsdecode(place))}"'
    return standard if place in (None, "-") else "a stream"
