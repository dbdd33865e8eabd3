"""Collects repairs: each kind once, with its first place and a count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from converter.issues import Code, Issue


class Findings:
    """The repairs of one document, which may need the same one a million times."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[int, str, Code]] = {}
        self._counts: Counter[str] = Counter()

    def add(
        self,
        kind: str,
        message: str,
        line: int,
        found: re.Match[str] | None = None,
        code: Code = Code.XML_REPAIRED,
    ) -> None:
        """Keep the first finding of a kind, and count the others.

        Args:
            kind: what counts as the same.
            message: what was found first, and how it was repaired.
            line: of the finding, or of the text in which it was `found`; counted from 1.
            found: the place in that text.
            code: of the issue.
        """
        if kind not in self._first:
            line += found.string.count("\n", 0, found.start()) if found else 0
            self._first[kind] = line, message, code
        self._counts[kind] += 1

    def issues(self) -> Iterator[Issue]:
        """Yield an issue for each kind, by line."""
        for kind, (line, message, code) in sorted(self._first.items(), key=lambda item: item[1][0]):
            more = self._counts[kind] - 1
            others = f" (and in {more} more {'place' if more == 1 else 'places'})" if more else ""
            yield Issue(code=code, message=message + others, line=line)
