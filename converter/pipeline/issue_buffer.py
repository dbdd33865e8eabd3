"""Hold the issues of a pass until it is known whether the pass counts; many are held on disk."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, Final

from converter.formats.base import Spool
from converter.issues import Code, Issue, Report

#: Issues in memory; more go to the spool.
_MAX_IN_MEMORY: Final = 2000


class IssueBuffer:
    """The issues of a pass; call it to add one."""

    def __init__(self, spool: Spool, most: int | None = None) -> None:
        """Hold at most `most` issues of each code, and count all; `spool` makes temporary files."""
        self._most = sys.maxsize if most is None else most
        self.counts: Counter[Code] = Counter()
        self.mute: frozenset[Code] = frozenset()
        """Codes whose issues are dropped and not counted."""
        self._spool = spool
        self._held: list[Issue] = []
        self._file: BinaryIO | None = None
        self._chunks = 0
        """How many lists of issues are in the file."""

    def __call__(self, issue: Issue) -> None:
        if issue.code in self.mute:
            return
        self.counts[issue.code] += 1
        if self.counts[issue.code] > self._most:
            return
        self._held.append(issue)
        if len(self._held) >= _MAX_IN_MEMORY:
            self._spill()

    def _spill(self) -> None:
        import pickle  # few conversions have so many

        if self._file is None:
            self._file = self._spool()
        # tuples: issues are pickled three times as slowly
        rows = [(i.code, i.message, i.line, i.path, i.entry, i.source) for i in self._held]
        pickle.dump(rows, self._file)
        self._chunks += 1
        self._held.clear()

    def replay(self, report: Report) -> None:
        """Report all issues in order, and forget them.

        The method `more` of a report, if any, takes the number of further issues of each code.
        """
        for issue in chain(self._spilled(), self._held):
            report(issue)
        more = getattr(report, "more", None)
        for code, count in self.counts.items():
            if more and count > self._most:
                more(code, count - self._most)
        self.forget()

    def _spilled(self) -> Iterator[Issue]:
        if self._file is None:
            return
        import pickle

        self._file.seek(0)
        for _ in range(self._chunks):
            for code, message, line, path, entry, source in pickle.load(self._file):  # noqa: S301
                yield Issue(
                    code=code, message=message, line=line, path=path, entry=entry, source=source
                )

    def forget(self) -> None:
        """Drop all issues and counts."""
        self.counts.clear()
        self._held.clear()
        if self._file is not None:
            self._file.close()
            self._file, self._chunks = None, 0
