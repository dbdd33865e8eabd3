"""Reads several smaller sources side by side, each by a process of its own, in the order given.

What a worker process reads of a source comes back all at once, so only sources of a middling size
are read so; one source alone is always read by one process.
"""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final, Self

from converter.issues import Issue, Report
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.readers import Input, Stored
from converter.seams import Document

if TYPE_CHECKING:
    from converter.workers import Workers

__all__ = ["Ahead"]

#: One that is smaller is read faster than handed over; one that is larger is not held in memory.
_FEWEST_BYTES: Final = 16 * 1024
_MOST_BYTES: Final = 8 * 1024 * 1024
#: Of all of them; less is not worth the processes.
_WORTH_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
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
        inputs: Sequence[Input],
        options: Callable[[int], ReadOptions],
        jobs: int,
    ) -> None:
        """Choose them; nothing is begun.

        Args:
            inputs: all sources.
            options: gives those of a source by its number.
            jobs: how many processes may work.
        """
        several = inputs if jobs > 1 and len(inputs) > 1 else ()
        sizes = {n: _size(given.stored) for n, given in enumerate(several) if given.stored}
        chosen = [n for n, size in sizes.items() if _FEWEST_BYTES <= size <= _MOST_BYTES]
        is_worth_it = len(chosen) > 1 and sum(sizes[n] for n in chosen) >= _WORTH_BYTES
        self._inputs = inputs
        self._options = options
        self._waiting = deque(chosen if is_worth_it else ())
        self._given: deque[int] = deque()
        self._jobs = jobs
        self._workers: Workers[_Read] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._workers is not None:
            self._workers.dismiss()

    def document(self, number: int, report: Report) -> Document | None:
        """Return a source that a worker has read; None: it is to be read here.

        Sources are asked for in order, those that were not chosen too.
        """
        if self._waiting and self._workers is None:
            from converter.workers import Workers, can_fork  # processes cost time to import

            if not can_fork():
                self._waiting.clear()
                return None
            self._workers = Workers(min(self._jobs, len(self._waiting)), self._read)
        if self._workers is None:
            return None
        self._share_out(self._workers)
        if not self._given or self._given[0] != number:
            return None
        self._given.popleft()
        read = self._workers.next()
        self._share_out(self._workers)
        return None if read is None else _Replayed(read, report)

    def _share_out(self, workers: Workers[_Read]) -> None:
        while workers.has_room and self._waiting:
            number = self._waiting.popleft()
            self._given.append(number)
            workers.give(number)

    def _read(self, number: int) -> _Read:
        stored = self._inputs[number].stored
        if stored is None:
            raise TypeError(f"source {number} was not chosen")
        events: list[Entry | Issue] = []
        # The file is opened anew: two processes that share one would move each other's place in it.
        with open(f"/proc/self/fd/{_descriptor(stored.stream)}", "rb") as stream:  # noqa: PTH123
            document = stored.read(stream, self._options(number), events.append)
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


def _size(stored: Stored) -> int:
    """Return the size of a plain file; 0 for anything else."""
    descriptor = _descriptor(stored.stream)
    return 0 if descriptor is None else os.fstat(descriptor).st_size


def _descriptor(stream: BinaryIO) -> int | None:
    """Return the descriptor of a plain file, which other processes can open; None: it is not."""
    if isinstance(stream, io.BufferedReader | io.BufferedRandom) and type(stream.raw) is io.FileIO:
        return stream.fileno()
    return None
