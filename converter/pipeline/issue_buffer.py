"""What a walk finds that may not count: issues, on disk if they are many, and numbers."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO, Final, Protocol, runtime_checkable

from converter.extensions.field_support.rules import FieldLoss, FieldSupport, OmissionReason
from converter.formats.base import CountChange, Spool
from converter.issues import Code, Issue, Report
from converter.model import OTHER_REST, Entry, Feed

#: How many issues wait in memory before they go to the spool.
_MOST_HELD: Final = 2000

#: Combinations of losses that are counted together: a hostile source may lose something else in
#: each entry.
MOST_COUNTED: Final = 1000

#: Names of fields that are told apart, and where a document invents them: names past that are
#: counted in one row.
_MOST_NAMES: Final = 1000
_MOST_INVENTED: Final = 500

#: Issues that say that something of the source could not be used; those of readers about a video
#: or an image are told from those of writers by their path.
_UNUSABLE: Final = {
    (Code.LINE_NOT_URL, None): OmissionReason("entry", "a line that is no URL"),
    (Code.ENTRY_SKIPPED, None): OmissionReason("entry", "a draft, or a live event that has ended"),
    (Code.ENTRY_WITHOUT_LOC, None): OmissionReason("entry", "no page of its own"),
    (Code.ENTRY_TOO_LARGE, None): OmissionReason("entry", "larger than a file may be"),
    (Code.VIDEO_SKIPPED, "url/video:video"): OmissionReason("video", "its tags do not match"),
    (Code.MEDIA_DROPPED, "url/image:image"): OmissionReason(
        "image", "no URL, or its tags do not match"
    ),
}
_MEDIA_PATHS: Final = frozenset(path for _, path in _UNUSABLE if path)
#: What writers call an item that they leave out, as the path of `dropped-field`.
_ITEMS: Final = frozenset({"video", "image"})


@dataclass(slots=True, eq=False)
class Counts:
    """How many entries have come how far in the present walk."""

    read: int = 0
    """Out of a reader."""
    distinct: int = 0
    """Past the filters, each page once."""
    offered: int = 0
    """To the writer; what `--max-entries` cut off before that is no loss."""
    lost: Counter[str] = field(default_factory=Counter)
    """Fields that the target has no place for, and in how many entries, or headers."""
    altered: Counter[str] = field(default_factory=Counter)
    """Fields that it holds otherwise than they were: cut, rounded, merged."""

    left_out: Counter[OmissionReason] = field(default_factory=Counter)
    """Entries, videos, images and language versions that are not in the output, unless an option
    asked for that."""
    present: Counter[str] = field(default_factory=Counter)
    """Fields of the tables, and how many entries, or headers, have them; see `see`."""

    def see(self, given: Entry | Feed, support: FieldSupport) -> None:
        """Count the fields that an entry, or a header, has."""
        self.present.update(support.present_fields(given))

    def leave_out(self, item: str, number: int, why: str) -> None:
        """Count entries, or items of one, that are dropped."""
        if number:
            self.left_out[OmissionReason(item, why)] += number

    dates: int = 0
    """Dates that were written."""
    dates_ahead: int = 0
    """Dates of these that lie after the time of the run."""
    written: Counter[tuple[tuple[FieldLoss, ...], int, int]] = field(default_factory=Counter)
    """Entries by their losses and numbers of dates, which most have in common; see `settle`."""

    def take_dates(self) -> tuple[int, int]:
        """Return and forget the numbers of dates, and of those after the time of the run."""
        taken = self.dates, self.dates_ahead
        self.dates = self.dates_ahead = 0
        return taken

    def settle(self) -> None:
        """Count each loss and date of the entries in `written`."""
        for (losses, dates, ahead), times in self.written.items():
            self.dates += dates * times
            self.dates_ahead += ahead * times
            for loss in losses:
                self.lose(loss.name, times, is_altered=loss.is_altered)
        self.written.clear()

    def apply(self, changes: Iterable[CountChange]) -> None:
        """Count what is lost, altered, left out or present of an entry."""
        for count, of, number in changes:
            if isinstance(of, OmissionReason):
                self.left_out[of] += number
            elif count == "present":
                self.present[of] += number
            else:
                self.lose(of, number, is_altered=count == "altered")

    def add(self, other: Counts) -> None:
        """Add what was counted elsewhere."""
        self.read += other.read
        self.left_out.update(other.left_out)
        for name, number in other.lost.items():
            self.lose(name, number)

    def lose(self, name: str, times: int = 1, *, is_altered: bool = False) -> None:
        """Count a field that was lost, or altered."""
        counts = self.altered if is_altered else self.lost
        if name in counts:
            counts[name] += times
            return
        most = _MOST_INVENTED if "/other/" in name else _MOST_NAMES
        if len(counts) >= most:
            name = name.rpartition("/")[0] + f"/{OTHER_REST}"
        counts[name] += times


def changes_by(issue: Issue) -> tuple[CountChange, ...]:
    """Return what is counted because of an issue."""
    if issue.code is not Code.DROPPED_FIELD:
        path = issue.path if issue.path in _MEDIA_PATHS else None
        reason = _UNUSABLE.get((issue.code, path))
        return (("left_out", reason, 1),) if reason else ()
    path = issue.path or issue.message
    if path in _ITEMS:
        reason = OmissionReason(path, issue.message.removesuffix("; left out"))
        return ("left_out", reason, 1), ("lost", path, 1)
    return (("lost", path, 1),)


@runtime_checkable
class LimitedReport(Protocol):
    """A `Report` that wants to see a few issues of each code, and the number of the others."""

    @property
    def most(self) -> int | None:
        """How many of each; None: all."""

    def __call__(self, issue: Issue, /) -> None:
        """Take an issue."""

    def more(self, code: Code, number: int, /) -> None:
        """Take the number of those that are not shown; there were some of their code before."""


class IssueBuffer:
    """Holds the issues of a walk until it is known whether the walk counts."""

    def __init__(self, spool: Spool, most: int | None = None) -> None:
        """Begin.

        Args:
            spool: makes temporary files.
            most: of one code no more are held, and the others counted; None: all are held.
        """
        self._most = sys.maxsize if most is None else most
        self.counts: Counter[Code] = Counter()
        self.mute: frozenset[Code] = frozenset()
        """Codes of which nobody wants to hear."""
        self._spool = spool
        self._held: list[Issue] = []
        self._file: BinaryIO | None = None
        self._chunks = 0
        """How many lists of issues the file holds."""

    def __call__(self, issue: Issue) -> None:
        if issue.code in self.mute:
            return
        self.counts[issue.code] += 1
        if self.counts[issue.code] > self._most:
            return
        self._held.append(issue)
        if len(self._held) >= _MOST_HELD:
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
        """Hand everything on, in order, and forget it."""
        for issue in chain(self._spilled(), self._held):
            report(issue)
        if isinstance(report, LimitedReport):
            for code, count in self.counts.items():
                if count > self._most:
                    report.more(code, count - self._most)
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
        """Begin anew."""
        self.counts.clear()
        self._held.clear()
        if self._file is not None:
            self._file.close()
            self._file, self._chunks = None, 0
