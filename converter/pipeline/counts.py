"""Counts of one pass: entries by how far they came, fields that are lost, items left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from converter.extensions.field_support.rules import FieldLoss, OmissionReason
from converter.formats.base import CountChange
from converter.issues import Code, Issue
from converter.model import OTHER_REST

#: Combinations of losses that are counted together; a hostile source has another in each entry.
MAX_COMBINATIONS: Final = 1000

#: Origins that are counted apart; a hostile input can name millions, which are counted together.
MAX_ORIGINS: Final = 1000
OTHER_ORIGINS: Final = "others"
#: Entries whose origin was changed, beside the origins.
REWRITTEN: Final = "rewritten"

_Position: TypeAlias = tuple[int | None, str | None, str | None]
"""The line, page and source of an entry."""

#: Names of fields that are counted apart, and of those that documents invent.
_MAX_NAMES: Final = 1000
_MAX_INVENTED: Final = 500

#: Issues about parts of the source that cannot be used; the path tells those of readers about a
#: video or an image from those of writers.
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
    """How many entries came how far in one pass, and what they lost."""

    read: int = 0
    """Entries out of a reader."""
    distinct: int = 0
    """Entries past the filters, each page once."""
    offered: int = 0
    """Entries to the writer; `--max-entries` leaves the others out before their losses count."""
    lost: Counter[str] = field(default_factory=Counter)
    """Entries and headers by the fields that the target cannot hold."""
    altered: Counter[str] = field(default_factory=Counter)
    """The same of fields that the target holds cut, rounded or merged."""
    left_out: Counter[OmissionReason] = field(default_factory=Counter)
    """Entries, videos, images and language versions that are not in the output although no option
    excludes them."""
    present: Counter[str] = field(default_factory=Counter)
    """Entries and headers by their fields, for `--losses`."""
    dates: int = 0
    """Dates that were written."""
    dates_ahead: int = 0
    """Written dates after the time of the run."""
    origins: Counter[str] = field(default_factory=Counter)
    """Entries by the origins of their pages, until `HostCheck` reports them."""
    firsts: dict[str, _Position] = field(default_factory=dict)
    """The first entry of each origin."""
    written: Counter[tuple[tuple[FieldLoss, ...], int, int]] = field(default_factory=Counter)
    """Entries by losses and numbers of dates, which most have in common; see `add_written`."""

    def add_written(self) -> None:
        """Count the losses and dates of the entries in `written`."""
        for (losses, dates, ahead), times in self.written.items():
            self.dates += dates * times
            self.dates_ahead += ahead * times
            for loss in losses:
                self.lose(loss.name, times, is_altered=loss.is_altered)
        self.written.clear()

    def take_dates(self) -> tuple[int, int]:
        """Return the numbers of dates and of dates ahead, and reset them."""
        dates = self.dates, self.dates_ahead
        self.dates = self.dates_ahead = 0
        return dates

    def leave_out(self, item: str, number: int, why: str) -> None:
        """Count entries, or items of an entry, that are dropped."""
        if number:
            self.left_out[OmissionReason(item, why)] += number

    def leave_out_versions(self, number: int) -> None:
        """Count language versions that are dropped because one is not in the output."""
        self.leave_out("language", number, "not every version is in the output")

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
        """Add the counts of readers and filters of another process."""
        self.read += other.read
        self.left_out.update(other.left_out)
        for origin, number in other.origins.items():
            self.add_origin(origin, number, other.firsts[origin])
        for name, number in other.lost.items():
            self.lose(name, number)

    def add_origin(self, origin: str, number: int, first: _Position) -> None:
        """Count entries of an origin; past a number of origins, with others."""
        if origin not in self.origins and len(self.origins) >= MAX_ORIGINS and "/" in origin:
            origin = OTHER_ORIGINS
        self.origins[origin] += number
        self.firsts.setdefault(origin, first)

    def lose(self, name: str, times: int = 1, *, is_altered: bool = False) -> None:
        """Count a field that was lost, or altered; past a number of names, with others."""
        counts = self.altered if is_altered else self.lost
        most = _MAX_INVENTED if "/other/" in name else _MAX_NAMES
        if name not in counts and len(counts) >= most:
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
