"""Share the first stage of a pass among processes: slices of large sources, and small sources.

Workers are forks of this process, so they know what it knows. Of N workers each does every N-th
task. Results are used in the order of the tasks, so the output does not depend on N.

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
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from io import BytesIO
from itertools import repeat
from operator import attrgetter
from typing import BinaryIO, Final, NamedTuple, Self, TypeAlias

from converter.formats.base import Document, Rendered
from converter.issues import Issue, Report, ignore
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.pipeline.counts import Counts
from converter.pipeline.entry_stage import EntryStage, StageOptions
from converter.pipeline.inputs import Input
from converter.pipeline.slices import NotSeparableError, Slice, SlicedSource, file_size
from converter.pipeline.transforms.hosts import HostCounts

#: A larger source is not read by one task, which would hold all its entries in memory.
_MAX_BYTES: Final = 8 * 1024 * 1024
#: Sources have one worker at most for so many bytes.
_WORKER_BYTES: Final = 256 * 1024
_PIPE_BYTES: Final = 1024 * 1024

Task: TypeAlias = tuple[int, Slice | None]
"""The number of a source, and what is read of it; None: all."""

_FIELDS: Final = attrgetter(*(it.name for it in fields(Rendered)))


class Batch(NamedTuple):
    """The result of a task."""

    feed: Feed
    header_changed: bool
    items: list[Rendered]
    issues: list[tuple[int, Issue]]
    """Of readers and filters, each with the number of items before it."""
    counts: Counts
    hosts: HostCounts
    has_versions: bool

    def replay(self, report: Report) -> Iterator[Rendered]:
        """Report the issues and yield the items, in the order in which they came."""
        done = 0
        for number, issue in self.issues:
            yield from self.items[done:number]
            done = number
            report(issue)
        yield from self.items[done:]


class WorkerPool:
    """The tasks of one pass over the inputs, and the processes that do them."""

    def __init__(
        self,
        inputs: Sequence[Input],
        options_of: Callable[[int], ReadOptions],
        stage_options: StageOptions,
        jobs: int,
        excluded: Collection[int] = (),
    ) -> None:
        """Plan the tasks.

        Args:
            inputs: all sources.
            options_of: returns the options of a source by its number.
            stage_options: what is done to entries.
            jobs: the greatest number of workers; with one, this process reads everything.
            excluded: the numbers of sources that must not be read by tasks.
        """
        self._options_of = options_of
        self._stage_options = stage_options
        self._names = [given.name for given in inputs]
        self._stored = {
            number: given.stored
            for number, given in enumerate(inputs)
            if given.stored is not None and number not in excluded
        }
        self._sizes = {number: file_size(it.stream) for number, it in self._stored.items()}
        self._sliced: dict[int, SlicedSource | None] = {}
        can_fork = sys.platform == "linux" and threading.active_count() == 1
        jobs = min(jobs, sum(self._sizes.values()) // _WORKER_BYTES)
        tasks = self._planned() if can_fork and jobs > 1 else []
        self._tasks = deque(tasks if len(tasks) > 1 else ())
        self._jobs = jobs
        #: The process of each worker, and the pipe with its results; the next result comes first.
        self._workers: deque[tuple[int, BinaryIO]] = deque()

    def _planned(self) -> list[Task]:
        tasks = list[Task]()
        for number, size in self._sizes.items():
            if (sliced := self.sliced(number)) is not None:
                tasks += ((number, part) for part in sliced)
            elif 0 < size <= _MAX_BYTES:
                tasks.append((number, None))
        return tasks

    def sliced(self, number: int) -> SlicedSource | None:
        """Return the slices of a source, or None if it is read as a whole."""
        if number not in self._sliced:
            self._sliced[number] = None
            if number in self._stored:
                with suppress(NotSeparableError):
                    options = self._options_of(number)
                    self._sliced[number] = SlicedSource(self._stored[number], options)
        return self._sliced[number]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._workers:
            process, results = self._workers.pop()
            with suppress(ProcessLookupError):  # it has ended, and SIGCHLD is ignored
                os.kill(process, signal.SIGKILL)  # it holds nothing but its memory
            with suppress(ChildProcessError):
                os.waitpid(process, 0)
            results.close()

    # -- results ------------------------------------------------------------------------------

    def has_tasks(self, number: int) -> bool:
        """Return True if a source has tasks whose results were not used yet."""
        return bool(self._tasks) and self._tasks[0][0] == number

    def results(self, number: int) -> Iterator[Batch]:
        """Yield the results of the tasks of a source; nothing if it must be read here.

        The duplicates in a first pass are given to the deduplicator, and dropped.

        Raises:
            NotSeparableError: the source must be read as a whole after all.
        """
        while self.has_tasks(number):
            try:
                if not self._workers:
                    self._fork()
            except OSError:  # no more processes or pipes: this process reads everything
                self.__exit__()
                self._tasks.clear()
                return
            task = self._tasks.popleft()
            batch = _receive(self._workers[0][1])
            self._workers.rotate(-1)
            if batch is not None:
                self._take_duplicates(batch, task)
                yield batch
            elif task[1] is not None:
                raise NotSeparableError

    def _take_duplicates(self, batch: Batch, task: Task) -> None:
        """Drop the duplicates of a first pass; entries that were not sent are read again."""
        duplicates = self._stage_options.duplicates
        if duplicates.is_second_pass:
            return
        repeated = {n: it for n, it in enumerate(batch.items) if not duplicates.is_new(it)}
        if batch.feed.format == "txt":  # a line has nothing but a URL
            for item in repeated.values():
                item.entry = item.entry or Entry(loc=item.loc, line=item.line)
        if any(item.entry is None for item in repeated.values()):
            stage = EntryStage(replace(self._stage_options, renders=False), Counts(), ignore)
            for place, again in enumerate(stage.convert(self._document(task, stage))):
                if place in repeated:
                    repeated[place].entry = again.entry
        for item in repeated.values():
            duplicates.add_duplicate(item)

    # -- workers ------------------------------------------------------------------------------

    def _fork(self) -> None:
        """Start the workers."""
        tasks = list(self._tasks)
        for number in range(self._jobs):
            read, write = os.pipe()
            with suppress(OSError):  # room for a whole result, if the user may have such pipes
                fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            process = os.fork()
            if process:
                os.close(write)
                self._workers.append((process, os.fdopen(read, "rb")))
                continue
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles it
                gc.disable()  # a collection would copy the memory that is shared with the parent
                os.close(read)
                self._work(tasks[number :: self._jobs], os.fdopen(write, "wb"))
            finally:
                os._exit(0)  # it must never return into the program that was forked

    def _work(self, tasks: Sequence[Task], results: BinaryIO) -> None:
        """Do tasks and send the results."""
        import pickle  # takes time to import

        stage = EntryStage(self._stage_options, Counts(), ignore, is_task=True)
        for task in tasks:
            result = self._result(task, stage)
            pickle.dump(result, results, pickle.HIGHEST_PROTOCOL)
            results.flush()

    def _result(self, task: Task, stage: EntryStage) -> _Packed | None:
        """Do a task; return None if it fails, for the parent process repeats and reports that."""
        stage.counts, stage.hosts.counts = Counts(), HostCounts()
        items, issues = list[Rendered](), list[tuple[int, Issue]]()
        stage.issues = lambda issue: issues.append((len(items), issue))
        try:
            document = self._document(task, stage)
            for item in stage.convert(document):
                if item.is_rendered or item.is_dropped:
                    item.entry = None  # it would be sent
                items.append(item)
        except Exception:
            return None
        batch = Batch(
            feed=document.feed,
            header_changed=document.header_changed,
            items=[],
            issues=issues,
            counts=stage.counts,
            hosts=stage.hosts.counts,
            has_versions=self._stage_options.duplicates.has_versions,
        )
        # values by field are pickled quickly; one that all items share is sent once
        columns = zip(*map(_FIELDS, items), strict=True)
        number = len(items)
        return batch, number, [it[:1] if it.count(it[0]) == number else it for it in columns]

    def _document(self, task: Task, stage: EntryStage) -> Document:
        """Begin to read the slice or source of a task."""
        number, part = task
        stage.source, sliced = self._names[number], self.sliced(number)
        stage.line_shift = part.line_shift if part else 0
        if part is not None and sliced is not None:
            return sliced.read(part, stage.report_of_reader)
        stored = self._stored[number]  # processes that share the stream share its position, too
        data = os.pread(stored.stream.fileno(), self._sizes[number], 0)
        return stored.read(BytesIO(data), self._options_of(number), stage.report_of_reader)


_Packed: TypeAlias = tuple[Batch, int, list[tuple[object, ...]]]
"""A batch without items, their number, and the values of each field of them."""


def _receive(results: BinaryIO) -> Batch | None:
    """Receive a result; None if the task failed, or the worker has ended."""
    import pickle

    try:
        packed: _Packed | None = pickle.load(results)  # noqa: S301  of our own process
    except (EOFError, OSError, pickle.UnpicklingError):
        packed = None
    if packed is None:
        return None
    batch, number, columns = packed
    full = [it if len(it) == number else repeat(it[0], number) for it in columns]
    batch.items.extend(map(Rendered, *full) if number else ())
    return batch
