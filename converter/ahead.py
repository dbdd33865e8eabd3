"""Reads several smaller sources side by side, each by a process of its own, in the order given.

Large sources are better shared out slice by slice (`moulds.caster`), and what a process reads of a
source comes back all at once; so only those of a middling size are read so.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Self

from converter.issues import Issue, Report
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.record import record
from converter.seams import Document, Raw

if TYPE_CHECKING:
    from converter.moulds.crew import Crew

__all__ = ["Ahead"]

#: One that is smaller is read faster than handed over; one that is larger is not held in memory.
_FEWEST_BYTES: Final = 16 * 1024
_MOST_BYTES: Final = 8 * 1024 * 1024
#: Where there is a short way, the longer part of a source is read faster by that.
_MOST_BYTES_BESIDE_SHORTCUT: Final = 192 * 1024
#: Of all of them; less is not worth the processes.
_WORTH_BYTES: Final = 1024 * 1024


@record(kw_only=False)
class _Read:
    """A source that was read."""

    feed: Feed
    is_late: bool
    events: list[Entry | Issue]
    """As they came."""


class Ahead:
    """Those of the sources that are read ahead."""

    def __init__(
        self,
        raws: Sequence[Raw | None],
        options: Callable[[int], ReadOptions],
        jobs: int,
        *,
        is_open: bool,
    ) -> None:
        """Choose them; nothing is begun.

        Args:
            raws: of all sources; None: it cannot be read ahead.
            options: gives those of a source by its number.
            jobs: how many processes may work.
            is_open: is there a short way through them?
        """
        most = _MOST_BYTES_BESIDE_SHORTCUT if is_open else _MOST_BYTES
        several = raws if jobs > 1 and len(raws) > 1 else ()
        sizes = {number: _size(raw) for number, raw in enumerate(several) if raw is not None}
        chosen = [n for n, size in sizes.items() if _FEWEST_BYTES <= size <= most]
        is_worth_it = len(chosen) > 1 and sum(sizes[n] for n in chosen) >= _WORTH_BYTES
        self._raws = raws
        self._options = options
        self._waiting = deque(chosen if is_worth_it else ())
        self._given: deque[int] = deque()
        self._jobs = jobs
        self._crew: Crew[_Read] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._crew is not None:
            self._crew.dismiss()

    def document(self, number: int, report: Report) -> Document | None:
        """Give a source that was chosen, and begin with those behind it; None: it was not.

        They must be asked for in order.
        """
        if self._crew is None and self._waiting:
            from converter.moulds.crew import Crew, can_fork  # processes cost time to import

            if not can_fork():
                return None
            self._crew = Crew(min(self._jobs, len(self._waiting)), self._read)
        if self._crew is None or number not in (*self._given, *self._waiting):
            return None
        self._share_out(self._crew)
        self._given.popleft()
        try:
            _, read = self._crew.next()
        except Exception:
            return None
        self._share_out(self._crew)
        return _Replayed(read, report)

    def _share_out(self, crew: Crew[_Read]) -> None:
        while crew.has_room and self._waiting:
            number = self._waiting.popleft()
            self._given.append(number)
            crew.give(str(number).encode())

    def _read(self, given: bytes) -> _Read:
        number = int(given)
        raw = self._raws[number]
        if raw is None:
            raise TypeError(f"source {number} was not chosen")
        events: list[Entry | Issue] = []
        # The file is opened anew: two processes that share one would move each other's place in it.
        with open(f"/proc/self/fd/{_descriptor(raw)}", "rb") as stream:  # noqa: PTH123
            document = raw.reader(stream, self._options(number), events.append)
            events += document.entries
            return _Read(document.feed, document.is_late, events)


class _Replayed:
    """A document that another process has read."""

    children: tuple[str, ...] = ()

    def __init__(self, read: _Read, report: Report) -> None:
        self.feed = read.feed
        self.is_late = read.is_late
        self._events: Iterable[Entry | Issue] = read.events
        self._report = report

    @property
    def entries(self) -> Iterator[Entry]:
        for event in self._events:
            if isinstance(event, Issue):
                self._report(event)
            else:
                yield event


def _size(raw: Raw) -> int:
    """Give the size of a plain file; 0 of what is none."""
    descriptor = _descriptor(raw)
    return 0 if descriptor is None else os.fstat(descriptor).st_size


def _descriptor(raw: Raw) -> int | None:
    from converter.moulds.slices import descriptor_of  # most runs have one source, and one process

    return descriptor_of(raw.stream)
