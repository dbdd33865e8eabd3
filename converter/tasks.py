"""The first stage by tasks: slices of large sources, and whole sources that are read side by side.

A task is done by a worker process, or by this one; what comes of it is the same.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self, TypeAlias

from converter.entry_stage import EntryStage, StageOptions
from converter.errors import ConverterError
from converter.issues import Issue, Report, ignore
from converter.ledger import Tally
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.passes.hosts import HostCounts
from converter.readers import Input, Stored
from converter.seams import Converted
from converter.slices import UNCLEAN, Slice, SlicedDocument, descriptor_of, sliced

if TYPE_CHECKING:
    from converter.workers import Workers

__all__ = ["Batch", "NotSeparableError", "Tasks"]

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


class NotSeparableError(Exception):
    """A source cannot be read by tasks; the pass must begin again without."""


@dataclass(slots=True)
class Batch:
    """What comes of a task; it is pickled quickly."""

    feed: Feed
    is_late: bool = False
    items: list[Converted] = field(default_factory=list)
    rows: list[tuple[object, ...]] = field(default_factory=list)
    """The items as another process sends them."""
    issues: list[tuple[int, Issue]] = field(default_factory=list)
    """Of readers and filters, each with the number of items before it."""
    tally: Tally = field(default_factory=Tally)
    hosts: HostCounts = field(default_factory=HostCounts)
    has_versions: bool = False

    def pack(self) -> Self:
        """Get ready to be sent; the entries of what is rendered stay here."""
        self.rows = [
            item.row(with_entry=not (item.is_rendered or item.is_dropped)) for item in self.items
        ]
        self.items = []
        return self

    def unpack(self) -> None:
        """Take the items out of what was sent."""
        self.items = [Converted.from_row(row) for row in self.rows]
        self.rows = []

    def replay(self, report: Report) -> Iterable[Converted]:
        """Report the issues and give the items, in the order in which they came."""
        return self._replayed(report) if self.issues else self.items

    def _replayed(self, report: Report) -> Iterator[Converted]:
        done = 0
        for number, issue in self.issues:
            yield from self.items[done:number]
            done = number
            report(issue)
        yield from self.items[done:]


@dataclass(frozen=True, slots=True)
class Cut:
    """A source that is cut, and what head and tail alone say."""

    document: SlicedDocument
    header: Feed
    issues: list[Issue]


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
        self._inputs = inputs
        self._options_of = options_of
        self._stage_options = stage_options
        self._stored = {
            number: given.stored
            for number, given in enumerate(inputs)
            if given.stored is not None and number not in without
        }
        self._jobs = jobs
        self._cuts: dict[int, Cut | None] = {}
        self._planned = self._plan()
        self._next = next(self._planned, None)
        self._given: deque[_Part] = deque()
        self._pool: Workers[_Task, Any] | _Here | None = None
        self._stage: EntryStage | None = None
        self._entries: list[Entry | None] = []
        """Of the last task that this worker process has done."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.dismiss()

    # -- planning -----------------------------------------------------------------------------

    def _plan(self) -> Iterator[_Part]:
        beside = self._side_by_side()
        for number in self._stored:
            if (cut := self.cut(number)) is not None:
                for part in cut.document:
                    yield number, part
            elif number in beside:
                yield number, None

    def _side_by_side(self) -> set[int]:
        """Choose the sources that are read as a whole, side by side."""
        if self._jobs < 2 or len(self._inputs) < 2:
            return set()
        sizes = {number: _size(stored) for number, stored in self._stored.items()}
        chosen = {n for n, size in sizes.items() if _FEWEST_BYTES <= size <= _MOST_BYTES}
        is_worth_it = len(chosen) > 1 and sum(sizes[n] for n in chosen) >= _WORTH_BYTES
        return chosen if is_worth_it and _can_fork() else set()

    def cut(self, number: int) -> Cut | None:
        """Return a source as one that is cut; None: it is read as a whole."""
        if number not in self._cuts:
            stored = self._stored.get(number)
            document = stored and sliced(stored.stream, stored.entry_end)
            options = self._options_of(number)
            self._cuts[number] = _framed(stored, document, options) if stored and document else None
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
            pool = self._share_out()
            part = self._given.popleft()[1] if self._given else None
            batch = pool.next() if pool.has_given else None
            if batch is None and part is None and self.cut(number) is None:
                return
            if batch is None:
                raise NotSeparableError
            if batch.rows:
                batch.unpack()
            self._hold_back(batch.items, pool)
            self._share_out()
            if part is not None:
                self._stored[number].stream.seek(part.end)  # for whoever shows the progress
            yield batch

    def _share_out(self) -> Workers[_Task, Any] | _Here:
        if self._pool is None:
            self._pool = self._hired()
        while self._next is not None and self._pool.has_room:
            self._pool.give(self._next)
            self._given.append(self._next)
            self._next = next(self._planned, None)
        return self._pool

    def _hired(self) -> Workers[_Task, Any] | _Here:
        if self._jobs < 2 or not _can_fork():
            return _Here(self._work)
        from converter.workers import Workers  # processes cost time to import

        most = sum(map(_size, self._stored.values())) // _BYTES_OF_A_JOB + 1
        return Workers(min(self._jobs, most), self._work_apart)

    def _hold_back(self, items: Sequence[Converted], pool: Workers[_Task, Any] | _Here) -> None:
        duplicates = self._stage_options.duplicates
        if duplicates.is_second_pass:
            return
        found = [number for number, item in enumerate(items) if not duplicates.is_new(item)]
        entries = pool.ask(found) if found else []
        if entries is None:
            raise NotSeparableError
        for number, entry in zip(found, entries, strict=True):
            items[number].entry = entry
            duplicates.hold_back(items[number])

    # -- doing them ---------------------------------------------------------------------------

    def _work_apart(self, task: _Task) -> Any:
        """Do a task in a worker process."""
        if isinstance(task, list):
            return [self._entries[number] for number in task]
        batch = self._work(task)
        if batch is None:
            return None
        self._entries = [item.entry for item in batch.items]
        return batch.pack()

    def _work(self, task: _Part) -> Batch | None:
        number, part = task
        stored, options = self._stored[number], self._options_of(number)
        if part is None:
            # Two processes that share an open file would move each other's place in it.
            with open(f"/proc/self/fd/{stored.stream.fileno()}", "rb") as stream:  # noqa: PTH123
                return self._converted(number, stream, options)
        cut = self.cut(number)
        markup = cut.document.document(part) if cut else None
        if cut is None or markup is None:
            return None
        options = replace(options, header=cut.header)
        lines = part.lines - cut.document.head.count(b"\n")
        return self._converted(number, BytesIO(markup), options, cut.issues, lines)

    def _converted(
        self,
        number: int,
        stream: BinaryIO,
        options: ReadOptions,
        known: Sequence[Issue] | None = None,
        lines: int = 0,
    ) -> Batch:
        """Read a document and do the first stage.

        Args:
            number: of the source.
            stream: the source, or a slice of it.
            options: for the reader.
            known: issues of the header, if it is a slice.
            lines: how many lines of the source are missing before it.
        """
        if self._stage is None:
            self._stage = EntryStage(self._stage_options, Tally(), ignore, is_task=True)
        stage, batch, expected = self._stage, Batch(Feed()), deque(known or ())
        stage.begin(
            batch.tally,
            lambda issue: batch.issues.append((len(batch.items), issue)),
            source=self._inputs[number].name,
            line_shift=lines,
        )

        def report(issue: Issue) -> None:
            if known is not None and issue.code in UNCLEAN:
                raise NotSeparableError
            if expected and issue == expected[0]:
                expected.popleft()
            else:
                stage.of_reader(issue)

        document = self._stored[number].read(stream, options, report)
        for item in stage.converted(document):
            batch.items.append(item)
        batch.feed, batch.is_late = document.feed, document.is_late
        batch.hosts, stage.hosts.counts = stage.hosts.counts, HostCounts()
        batch.has_versions = self._stage_options.duplicates.has_versions
        return batch


class _Here:
    """Does the tasks in this process, as `Workers` do them in others."""

    def __init__(self, work: Callable[[_Part], Batch | None]) -> None:
        self._work = work
        self._given: deque[_Part] = deque()
        self._last: Batch | None = None

    @property
    def has_room(self) -> bool:
        return not self._given

    @property
    def has_given(self) -> bool:
        return bool(self._given)

    def give(self, task: _Part) -> None:
        self._given.append(task)

    def next(self) -> Batch | None:
        self._last = None
        try:
            self._last = self._work(self._given.popleft())
        except (ConverterError, NotSeparableError):
            return None
        return self._last

    def ask(self, numbers: list[int]) -> list[Entry | None]:
        items = self._last.items if self._last else []
        return [items[number].entry for number in numbers]

    def dismiss(self) -> None:
        self._last = None


def _framed(stored: Stored, document: SlicedDocument, options: ReadOptions) -> Cut | None:
    """Read what is around the entries; None: that is not sound by itself."""
    issues: list[Issue] = []
    try:
        frame = stored.read(BytesIO(document.head + document.tail), options, issues.append)
        has_entries = any(frame.entries)
    except ConverterError:
        return None
    is_unclean = has_entries or frame.is_late or any(issue.code in UNCLEAN for issue in issues)
    return None if is_unclean else Cut(document, frame.feed, issues)


def _can_fork() -> bool:
    from converter.workers import can_fork  # processes cost time to import

    return can_fork()


def _size(stored: Stored) -> int:
    """Return the size of a plain file; 0 for anything else."""
    descriptor = descriptor_of(stored.stream)
    return 0 if descriptor is None else os.fstat(descriptor).st_size
