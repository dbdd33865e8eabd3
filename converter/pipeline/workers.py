"""Shares the first stage of a pass among processes: slices of large sources, and small sources.

Workers are forks of this process, so they know what it knows. Of N workers each does every N-th
task, and goes on with the next one while its result is used. Results are taken in the order of the
tasks, so the output does not depend on the number of workers.

Only Linux forks safely after libraries were used:
https://docs.python.org/3/library/multiprocessing.html#contexts-and-start-methods
"""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from io import BytesIO
from itertools import repeat
from operator import attrgetter
from typing import BinaryIO, Final, NamedTuple, Self, TypeAlias

from converter.formats.base import Rendered
from converter.issues import Issue, Report, ignore
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.pipeline.entry_stage import EntryStage, StageOptions
from converter.pipeline.inputs import Input
from converter.pipeline.issue_buffer import Counts
from converter.pipeline.slices import NotSeparableError, Slice, SlicedSource, file_size
from converter.pipeline.transforms.hosts import HostCounts

#: A larger source that is not cut is not held in memory.
_MOST_BYTES: Final = 8 * 1024 * 1024
#: Of all sources that are not cut; less is not worth the processes.
_WORTH_BYTES: Final = 1024 * 1024
#: There are no more workers than this gives work to.
_BYTES_OF_A_WORKER: Final = 256 * 1024
_PIPE_BYTES: Final = 1024 * 1024

#: The number of a source and what is to be read of it; None: all.
_Task: TypeAlias = tuple[int, Slice | None]

_VALUES: Final = attrgetter(*(it.name for it in fields(Rendered)))


@dataclass(slots=True, eq=False)
class Batch:
    """The result of a task."""

    feed: Feed = field(default_factory=Feed)
    header_changed: bool = False
    items: list[Rendered] = field(default_factory=list)
    issues: list[tuple[int, Issue]] = field(default_factory=list)
    """Of readers and filters, each with the number of items before it."""
    counts: Counts = field(default_factory=Counts)
    hosts: HostCounts = field(default_factory=HostCounts)
    has_versions: bool = False

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


class _Worker(NamedTuple):
    """A process that does tasks."""

    process: int
    requests: BinaryIO
    results: BinaryIO
    early: list[tuple[Batch | None, list[Entry]]]
    """A result that was received before its turn."""

    def receive(self) -> tuple[Batch | None, list[Entry]]:
        """Receive a result, and the entries that were asked for of the one before."""
        import pickle  # takes time to import

        try:
            batch, columns, entries = pickle.load(self.results)  # noqa: S301  of our own process
        except (EOFError, OSError, pickle.UnpicklingError):  # it is dead
            return None, []
        if batch is not None:
            batch.items = _items(*columns)
        return batch, entries

    def dismiss(self) -> None:
        """End it."""
        with suppress(ProcessLookupError):  # as it is where SIGCHLD is ignored
            os.kill(self.process, signal.SIGKILL)  # it holds nothing but its memory
        with suppress(ChildProcessError):
            os.waitpid(self.process, 0)
        self.results.close()
        with suppress(OSError):  # what could not be sent
            self.requests.close()


class WorkerPool:
    """The tasks of one pass over the inputs."""

    def __init__(
        self,
        inputs: Sequence[Input],
        options_of: Callable[[int], ReadOptions],
        stage_options: StageOptions,
        jobs: int,
        without: Collection[int] = (),
    ) -> None:
        """Plan them.

        Args:
            inputs: all sources.
            options_of: gives the options of a source by its number.
            stage_options: what is done to entries.
            jobs: how many workers there may be.
            without: the numbers of sources that are to be read otherwise.
        """
        self._options_of = options_of
        self._stage_options = stage_options
        self._names = [given.name for given in inputs]
        self._stored = {
            number: given.stored
            for number, given in enumerate(inputs)
            if given.stored is not None and number not in without
        }
        self._sizes = {n: file_size(stored.stream) for n, stored in self._stored.items()}
        self._cuts: dict[int, SlicedSource | None] = {}
        can_fork = sys.platform == "linux" and threading.active_count() == 1
        self._tasks = deque(self._planned() if jobs > 1 and can_fork else ())
        self._most_workers = min(jobs, sum(self._sizes.values()) // _BYTES_OF_A_WORKER + 1)
        #: The one whose result is next is the first.
        self._workers: deque[_Worker] = deque()

    def _planned(self) -> Iterator[_Task]:
        sizes = self._sizes
        whole = {n for n, size in sizes.items() if 0 < size <= _MOST_BYTES and not self.cut(n)}
        is_worth_it = len(whole) > 1 and sum(sizes[number] for number in whole) >= _WORTH_BYTES
        for number in sizes:
            if (cut := self.cut(number)) is not None:
                yield from ((number, part) for part in cut)
            elif is_worth_it and number in whole:
                yield number, None

    def cut(self, number: int) -> SlicedSource | None:
        """Return a source as one that is cut; None: it is read as a whole."""
        if number not in self._cuts:
            self._cuts[number] = None
            if number in self._stored:
                with suppress(NotSeparableError):
                    options = self._options_of(number)
                    self._cuts[number] = SlicedSource(self._stored[number], options)
        return self._cuts[number]

    # -- in this process ----------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._dismiss()

    def _dismiss(self) -> None:
        while self._workers:
            self._workers.pop().dismiss()

    def has(self, number: int) -> bool:
        """Return True if a source has tasks whose results were not used yet."""
        return bool(self._tasks) and self._tasks[0][0] == number

    def results(self, number: int) -> Iterator[Batch]:
        """Give the results of the tasks of a source; nothing if it must be read here.

        Items of the first pass that are duplicates are held back, and dropped.

        Raises:
            NotSeparableError: it must be read as a whole after all.
        """
        while self.has(number):
            if not self._workers:
                try:
                    self._begin()
                except OSError:  # no more processes or files: this one reads everything
                    self._dismiss()
                    self._tasks.clear()
                    return
            worker, (_, part) = self._workers[0], self._tasks.popleft()
            self._workers.rotate(-1)
            batch, _ = worker.early.pop() if worker.early else worker.receive()
            if batch is None and part is not None:
                raise NotSeparableError
            self._hold_back(batch.items if batch else (), worker)
            if part is not None:
                self._stored[number].stream.seek(part.end)  # for whoever shows the progress
            if batch is not None:
                yield batch

    def _hold_back(self, items: Sequence[Rendered], worker: _Worker) -> None:
        """Hold back the duplicates of a first pass, whose entries the worker has."""
        duplicates = self._stage_options.duplicates
        if duplicates.is_second_pass:
            items = ()
        found = [place for place, item in enumerate(items) if not duplicates.is_new(item)]
        with suppress(OSError):  # it is dead
            _send(found, worker.requests)
        if not found:
            return
        worker.early.append(worker.receive())
        _, entries = worker.early[0]
        if len(entries) < len(found):
            raise NotSeparableError
        for place, entry in zip(found, entries, strict=True):
            items[place].entry = entry
            duplicates.hold_back(items[place])

    def _begin(self) -> None:
        """Fork the workers."""
        tasks = list(self._tasks)
        for number in range(self._most_workers):
            requests, results = _pipe(), _pipe()
            _send([], requests[1])
            process = os.fork()
            if not process:
                try:
                    requests[1].close()
                    results[0].close()
                    self._work(tasks[number :: self._most_workers], requests[0], results[1])
                finally:
                    os._exit(0)  # it must never return into the program that was forked
            requests[0].close()
            results[1].close()
            self._workers.append(_Worker(process, requests[1], results[0], []))

    # -- in a worker --------------------------------------------------------------------------

    def _work(self, tasks: Iterable[_Task], requests: BinaryIO, results: BinaryIO) -> None:
        """Do tasks; send with each result the entries that are asked for of the one before."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles it
        import pickle

        gc.disable()  # a collection would copy the memory that is shared with the parent
        stage = EntryStage(self._stage_options, Counts(), ignore, is_task=True)
        entries: list[Entry | None] = []
        for task in (*tasks, None):
            batch = self._result(task, stage) if task else None
            items, places = batch.items if batch else [], pickle.load(requests)  # noqa: S301
            asked, entries = [entries[place] for place in places], [item.entry for item in items]
            if batch:
                batch.items = []
            _send((batch, _columns(items), asked), results)

    def _result(self, task: _Task, stage: EntryStage) -> Batch | None:
        """Do a task; None: it failed, and this is found out again where it can be reported."""
        (number, part), batch = task, Batch()
        stage.source, stage.counts = self._names[number], batch.counts
        stage.hosts.counts = batch.hosts
        stage.report = lambda issue: batch.issues.append((len(batch.items), issue))
        stage.line_shift = part.line_shift if part else 0
        stored, cut = self._stored[number], self.cut(number)
        try:
            if part and cut:
                document = cut.read(part, stage.of_reader)
            else:  # processes that share the stream would move each other's place in it
                data = os.pread(stored.stream.fileno(), self._sizes[number], 0)
                document = stored.read(BytesIO(data), self._options_of(number), stage.of_reader)
            for item in stage.converted(document):
                batch.items.append(item)
        except Exception:
            return None
        batch.feed, batch.header_changed = document.feed, document.header_changed
        batch.has_versions = self._stage_options.duplicates.has_versions
        return batch


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    """Make a pipe with room for a result, so that a worker need not wait until it is used."""
    read, write = os.pipe()
    with suppress(OSError):  # the user may have no more of such pipes
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return os.fdopen(read, "rb"), os.fdopen(write, "wb")


def _send(message: object, pipe: BinaryIO) -> None:
    import pickle

    pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def _columns(items: Sequence[Rendered]) -> tuple[int, list[tuple[object, ...]]]:
    """Return the values by field, which are pickled quickly; what all items share stands once.

    The entries of what is rendered are not sent.
    """
    for item in items:
        if item.is_rendered or item.is_dropped:
            item.entry = None
    columns, number = zip(*map(_VALUES, items), strict=True), len(items)
    return number, [it[:1] if it.count(it[0]) == number else it for it in columns]


def _items(number: int, columns: Iterable[tuple[object, ...]]) -> list[Rendered]:
    """Make items of the values of their fields."""
    full = [it if len(it) == number else repeat(it[0], number) for it in columns]
    return list(map(Rendered, *full)) if number else []
