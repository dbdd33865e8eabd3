"""Issues of a walk that may not count: held until that is known, on disk if they are many."""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO, Final

from converter.issues import Code, Issue, Report
from converter.seams import Spool

__all__ = ["Ledger"]

#: How many issues wait in memory before they go to the spool.
_MOST_HELD: Final = 2000


class Ledger:
    """Holds the issues of a walk until it is known whether the walk counts."""

    def __init__(self, spool: Spool) -> None:
        self.counts: Counter[Code] = Counter()
        self._spool = spool
        self._held: list[Issue] = []
        self._file: BinaryIO | None = None

    def __call__(self, issue: Issue) -> None:
        self.counts[issue.code] += 1
        self._held.append(issue)
        if len(self._held) >= _MOST_HELD:
            self._spill()

    def _spill(self) -> None:
        if self._file is None:
            self._file = self._spool()
        rows = [(i.code.value, i.message, i.line, i.path, i.entry, i.source) for i in self._held]
        marshal.dump(rows, self._file)
        self._held.clear()

    def replay(self, report: Report) -> None:
        """Hand everything on, in order, and forget it."""
        for issue in self._spilled():
            report(issue)
        for issue in self._held:
            report(issue)
        self.forget()

    def _spilled(self) -> Iterator[Issue]:
        if self._file is None:
            return
        end = self._file.tell()
        self._file.seek(0)
        while self._file.tell() < end:
            for code, message, line, path, entry, source in marshal.load(self._file):  # noqa: S302
                yield Issue(
                    code=Code(code),
                    message=message,
                    line=line,
                    path=path,
                    entry=entry,
                    source=source,
                )

    def forget(self) -> None:
        """Begin anew."""
        self.counts.clear()
        self._held.clear()
        if self._file is not None:
            self._file.close()
            self._file = None
