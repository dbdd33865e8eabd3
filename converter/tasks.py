"""The first stage in worker processes: slices of large sources, and whole sources side by side."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import repeat
from operator import is_
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from converter.entry_stage import EntryStage, StageOptions
from converter.issues import Issue, Report, ignore
from converter.ledger import Tally
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.passes.hosts import HostCounts
from converter.readers import Input, Stored
from converter.seams import Document, Rendered
from converter.slices import NotSeparableError, Slice, SlicedSource, descriptor_of

if TYPE_CHECKING:
    from converter.workers import Workers

__all__ = ["Batch", "Tasks"]

#: Of sources that are read as a whole. One that is smaller is read faster than handed over; one
#: that is larger is not held in memory.
_FEWEST_BYTES: Final = 16 * 1024
_MOST_BYTES: Final = 8 * 1024 * 1024
#: Of all of them; less is not worth the processes.
_WORTH_BYTES: Final = 1024 * 1024
#: There is no process more than this gives work to.
_BYTES_OF_A_JOB: Final = 256 * 1024

#: The number of a source and what is to be read of it; None: all.
_Part: TypeAlias = tuple[int, Slice | None]
#: A part; or, as the numbers of items, which entries of the last part are wanted.
_Task: TypeAlias = _Part | list[int]


@dataclass(slots=True, eq=False)
class Batch:
    """What comes of a task; it is pickled quickly."""

    feed: Feed
    is_late: bool = False
    items: list[Rendered] = field(default_factory=list)
    columns: list[tuple[object, ...]] = field(default_factory=list)
    """The items as another process sends them: what is the same in all of them stands once."""
    issues: list[tuple[int, Issue]] = field(default_factory=list)
    """Of readers and filters, each with the number of items before it."""
    number: int = 0
    """Of the items in the columns."""
    tally: Tally = field(default_factory=Tally)
    hosts: HostCounts = field(default_factory=HostCounts)
    has_versions: bool = False

    def pack(self) -> Self:
        """Get ready to be sent; the entries of what is rendered stay here."""
        rows = [
            item.row(with_entry=not (item.is_rendered or item.is_dropped)) for item in self.items
        ]
        self.columns = [_shortened(column) for column in zip(*rows, strict=True)]
        self.number, self.items = len(rows), []
        return self

    def unpack(self) -> None:
        """Take the items out of what was sent."""
        columns = [
            column if len(column) == self.number else repeat(column[0], self.number)
            for column in self.columns
        ]
        self.items = [Rendered(*row) for row in zip(*columns, strict=True)]
        self.columns = []

    def replay(self, report: Report) -> Iterable[Rendered]:
        """Report the issues and give the items, in the order in which they came."""
        return self._replayed(report) if self.issues else self.items

    def _replayed(self, report: Report) -> Iterator[Rendered]:
        done = 0
        for number, issue in self.issues:
            yield from self.items[done:number]
            done = number
            report(issue)
        yield from self.items[done:]


class Tasks:
    """The tasks of one pass over the inputs."""

    def __init__(
        self,
        inputs: Sequence[Input],
        options_of: Callable[[int], ReadOptions],
        stage_options: StageOptions,
        jobs: int,
        without: Collection[int] = (),
    ) -> None:
        """Plan them; nothing is begun.

        Args:
            inputs: all sources.
            options_of: gives the options of a source by its number.
            stage_options: what is done to entries.
            jobs: how many processes may work.
            without: the numbers of sources that are to be read otherwise.
        """
        self._names = [given.name for given in inputs]
        self._options_of = options_of
        self._stage_options = stage_options
        self._stored = {
            number: given.stored
            for number, given in enumerate(inputs)
            if given.stored is not None and number not in without
        }
        self._sizes = {number: _size(stored) for number, stored in self._stored.items()}
        self._jobs = jobs
        self._cuts: dict[int, SlicedSource | None] = {}
        self._planned = self._plan()
        self._next = next(self._planned, None) if jobs > 1 else None
        if self._next is not None and not _can_fork():
            self._next = None
        self._given: deque[_Part] = deque()
        self._workers: Workers[_Task, Any] | None = None
        self._stage: EntryStage | None = None
        self._entries: list[Entry | None] = []
        """Of the last task that this worker process has done."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._workers is not None:
            self._workers.dismiss()

    # -- planning -----------------------------------------------------------------------------

    def _plan(self) -> Iterator[_Part]:
        beside = self._side_by_side()
        for number in self._stored:
            if (cut := self.cut(number)) is not None:
                for part in cut:
                    yield number, part
            elif number in beside:
                yield number, None

    def _side_by_side(self) -> set[int]:
        """Choose the sources that are read as a whole, side by side."""
        sizes = self._sizes
        chosen = {n for n, size in sizes.items() if _FEWEST_BYTES <= size <= _MOST_BYTES}
        is_worth_it = len(chosen) > 1 and sum(sizes[n] for n in chosen) >= _WORTH_BYTES
        return chosen if is_worth_it else set()

    def cut(self, number: int) -> SlicedSource | None:
        """Return a source as one that is cut; None: it is read as a whole."""
        if number not in self._cuts:
            stored = self._stored.get(number)
            options = self._options_of(number)
            self._cuts[number] = SlicedSource.of(stored, options) if stored else None
        return self._cuts[number]

    # -- giving out and taking back -----------------------------------------------------------

    def has(self, number: int) -> bool:
        """Return True if a source has tasks whose results were not taken yet."""
        first = self._given[0] if self._given else self._next
        return first is not None and first[0] == number

    def results(self, number: int) -> Iterator[Batch]:
        """Give what comes of each task of a source; nothing if it must be read here.

        Items of the first pass that are duplicates are held back, and dropped.

        Raises:
            NotSeparableError: it must be read as a whole after all.
        """
        while self.has(number):
            workers = self._share_out()
            batch = workers.next() if self._given else None  # None: all workers have died
            part = self._given.popleft()[1] if self._given else None
            if batch is None and self.cut(number) is None:
                return
            if batch is None:
                raise NotSeparableError
            batch.unpack()
            self._hold_back(batch.items, workers)
            self._share_out()
            if part is not None:
                self._stored[number].stream.seek(part.end)  # for whoever shows the progress
            yield batch

    def _share_out(self) -> Workers[_Task, Any]:
        if self._workers is None:
            from converter.workers import Workers  # processes cost time to import

            most = sum(self._sizes.values()) // _BYTES_OF_A_JOB + 1
            self._workers = Workers(min(self._jobs, most), self._work)
        while self._next is not None and self._workers.has_room:
            self._workers.give(self._next)
            self._given.append(self._next)
            self._next = next(self._planned, None)
        return self._workers

    def _hold_back(self, items: Sequence[Rendered], workers: Workers[_Task, Any]) -> None:
        duplicates = self._stage_options.duplicates
        if duplicates.is_second_pass:
            return
        found = [number for number, item in enumerate(items) if not duplicates.is_new(item)]
        entries = workers.ask(found) if found else []
        if entries is None:
            raise NotSeparableError
        for number, entry in zip(found, entries, strict=True):
            items[number].entry = entry
            duplicates.hold_back(items[number])

    # -- doing them, in a worker process ------------------------------------------------------

    def _work(self, task: _Task) -> Batch | list[Entry | None]:
        if isinstance(task, list):
            return [self._entries[number] for number in task]
        number, part = task
        if self._stage is None:
            self._stage = EntryStage(self._stage_options, Tally(), ignore, is_task=True)
        stage, batch = self._stage, Batch(Feed())
        stage.source, stage.tally = self._names[number], batch.tally
        stage.hosts.counts = batch.hosts
        stage.report = lambda issue: batch.issues.append((len(batch.items), issue))
        document = self._begun(number, part, stage)
        for item in stage.converted(document):
            batch.items.append(item)
        batch.feed, batch.is_late = document.feed, document.is_late
        batch.has_versions = self._stage_options.duplicates.has_versions
        self._entries = [item.entry for item in batch.items]
        return batch.pack()

    def _begun(self, number: int, part: Slice | None, stage: EntryStage) -> Document:
        """Begin to read a slice, or a small source as a whole."""
        stored, cut = self._stored[number], self.cut(number)
        if part is not None and cut is not None:
            stage.line_shift = cut.lines_before(part)
            return cut.read(part, stage.of_reader)
        stage.line_shift = 0
        # Not read from the stream: processes that share it move each other's place in it.
        data = os.pread(stored.stream.fileno(), self._sizes[number], 0)
        return stored.read(BytesIO(data), self._options_of(number), stage.of_reader)


def _shortened(column: tuple[object, ...]) -> tuple[object, ...]:
    """Leave one value of a column that holds one and the same object."""
    return column[:1] if all(map(is_, column, repeat(column[0]))) else column


def _can_fork() -> bool:
    from converter.workers import can_fork  # processes cost time to import

    return can_fork()


def _size(stored: Stored) -> int:
    """Return the size of a plain file; 0 for anything else."""
    descriptor = descriptor_of(stored.stream)
    return 0 if descriptor is None else os.fstat(descriptor).st_size
