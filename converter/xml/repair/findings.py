"""Collects repairs: each kind once, with its first place and a count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from converter.issues import Code, Issue


class Findings:
    """The repairs of one document, which may need the same one a million times."""

    line = 1
    """The line on which the text begins that is examined now."""

    def __init__(self) -> None:
        self._first: dict[str, Issue] = {}
        self._counts: Counter[str] = Counter()

    def add(
        self,
        template: str,
        *values: str,
        found: re.Match[str] | None = None,
        code: Code = Code.XML_REPAIRED,
    ) -> None:
        """Keep the first finding of a kind, and count the others.

        Args:
            template: of the message; findings of one kind have the same.
            values: what the template names.
            found: the place in the examined text; without it, the beginning of that text.
            code: of the issue.
        """
        if template not in self._first:
            line = self.line + (found.string.count("\n", 0, found.start()) if found else 0)
            self._first[template] = Issue(code=code, message=template.format(*values), line=line)
        self._counts[template] += 1

    def issues(self) -> Iterator[Issue]:
        """Yield an issue for each kind, by line."""
        for template, issue in sorted(self._first.items(), key=lambda item: item[1].line or 0):
            more = self._counts[template] - 1
            others = f" (and in {more} more {'place' if more == 1 else 'places'})" if more else ""
            yield replace(issue, message=issue.message + others)
