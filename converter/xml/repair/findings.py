"""Keeps what was repaired: each kind once, with its first place and a count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from converter.issues import Code, Issue

__all__ = ["Findings"]


@dataclass(slots=True)
class _Finding:
    code: Code
    message: str
    line: int
    more: int = 0


class Findings:
    """A document may need the same repair a million times; it is told of once."""

    def __init__(self) -> None:
        self._of_kind: dict[str, _Finding] = {}

    def note(self, kind: str, message: str, line: int, code: Code = Code.XML_REPAIRED) -> None:
        """Keep the first finding of a kind, and count the others.

        Args:
            kind: what counts as the same.
            message: what was found first, and what became of it.
            line: where, counted from 1.
            code: of the issue that it becomes.
        """
        if (found := self._of_kind.get(kind)) is None:
            self._of_kind[kind] = _Finding(code, message, line)
        else:
            found.more += 1

    def knows(self, kind: str) -> bool:
        """Whether the first place is known already, so that nobody need work out another."""
        return kind in self._of_kind

    def issues(self) -> Iterator[Issue]:
        """What was found, in the order of first places."""
        for found in sorted(self._of_kind.values(), key=lambda finding: finding.line):
            places = "place" if found.more == 1 else "places"
            more = f" (and in {found.more} more {places})" if found.more else ""
            yield Issue(code=found.code, message=found.message + more, line=found.line)
