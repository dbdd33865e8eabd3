"""Share the first stage of a pass among processes: slices of large sources, and small sources.

Workers are forks of this process and have its memory. Of N workers each does every N-th
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from io import BytesIO
from itertools import starmap
from operator import attrgetter
from typing import BinaryIO, Final, NamedTuple

from converter.formats.base import Document, Rendered
from converter.issues import Issue, Report, ignore
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.pipeline.counts import Counts
from converter.pipeline.entry_stage import EntryStage
from converter.pipeline.inputs import Input, StoredDocument
from converter.pipeline.slices import NotSeparableError, SlicedSource, file_size

#: A larger source is not read by one task, which would hold all its entries in memory.
_MAX_BYTES: Final = 8 * 1024 * 1024
#: Sources have one worker at most for so many bytes.
_WORKER_BYTES: Final = 256 * 1024
_PIPE_BYTES: Final = 1024 * 1024


class Task(NamedTuple):
    """What a worker reads at once: a slice of a source, or all of it."""

    number: int
    """The number of the source."""
    name: str
    """Its name."""
    read: Callable[[Report], Document]
    is_slice: bool = False


_FIELDS: Final = attrgetter(*(it.name for it in fields(Rendered)))


@dataclass(slots=True, eq=False)
class Batch:
    """The result of a task."""

    feed: Feed = field(default_factory=Feed)
    header_changed: bool = False
    items: list[Rendered] = field(default_factory=list)
    issues: list[tuple[int, Issue]] = field(default_factory=list)
    """Of readers and filters, each with the number of items before it."""
    counts: Counts = field(default_factory=Counts)
    has_versions: bool = False

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
        stage: EntryStage,
        jobs: int,
    ) -> None:
        """Plan the tasks: none with one job."""
        self._stage = stage
        stored = {n: it.stored for n, it in enumerate(inputs) if it.stored}
        sizes = {number: file_size(it.stream) for number, it in stored.items()}
        can_fork = sys.platform == "linux" and threading.active_count() == 1
        self._jobs = min(jobs, sum(sizes.values()) // _WORKER_BYTES)
        self._tasks = deque[Task]()
        if can_fork and self._jobs > 1:
            for number, size in sizes.items():
                self._tasks += _tasks(number, stored[number], size, options_of(number))
        if len(self._tasks) == 1:
            self._tasks.clear()
        #: The process of each worker, and the pipe with its results; the next result comes first.
        self._workers: deque[tuple[int, BinaryIO]] = deque()

    def close(self) -> None:
        """End the workers."""
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
        return bool(self._tasks) and self._tasks[0].number == number

    def results(self, number: int) -> Iterator[Batch]:
        """Yield the results of the tasks of a source; nothing if it must be read here.

        The duplicates of a first pass are passed to the deduplicator, and dropped.

        Raises:
            NotSeparableError: the source must be read as a whole after all.
        """
        while self.has_tasks(number):
            try:
                if not self._workers:
                    self._fork()
            except OSError:  # no more processes or pipes: this process reads everything
                self.close()
                self._tasks.clear()
                return
            task = self._tasks.popleft()
            batch = _receive(self._workers[0][1])
            self._workers.rotate(-1)
            if batch is not None:
                self._take_duplicates(batch, task)
                yield batch
            elif task.is_slice:
                raise NotSeparableError

    def _take_duplicates(self, batch: Batch, task: Task) -> None:
        """Drop the duplicates of a first pass; entries that were not sent are read again."""
        duplicates = self._stage.duplicates
        if duplicates.is_second_pass:
            return
        repeated = {n: it for n, it in enumerate(batch.items) if not duplicates.is_new(it)}
        if batch.feed.format == "txt":  # a line has nothing but a URL
            for item in repeated.values():
                item.entry = item.entry or Entry(loc=item.loc, line=item.line)
        if any(item.entry is None for item in repeated.values()):
            stage = replace(self._stage, renders=False, counts=Counts(), issues=ignore)
            for place, again in enumerate(stage.convert(task.read(ignore))):
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
            results, pipe = os.fdopen(read, "rb"), os.fdopen(write, "wb")
            with suppress(OSError):  # room for a whole result, if the user may have such pipes
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            process = os.fork()
            if process:
                pipe.close()
                self._workers.append((process, results))
                continue
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles it
                gc.disable()  # a collection would copy the memory that is shared with the parent
                results.close()
                self._work(tasks[number :: self._jobs], pipe)
            finally:
                os._exit(0)  # it must never return into the program that was forked

    def _work(self, tasks: Sequence[Task], results: BinaryIO) -> None:
        """Do tasks and send the results; of a task that fails, None."""
        import pickle  # takes time to import

        for task in tasks:
            try:
                batch = self._result(task)
            except Exception:  # the parent process repeats the task and reports the error
                pickle.dump(None, results)
            else:
                # tuples are pickled quickly
                rows, batch.items = list(map(_FIELDS, batch.items)), []
                pickle.dump((batch, rows), results, pickle.HIGHEST_PROTOCOL)
            results.flush()

    def _result(self, task: Task) -> Batch:
        """Do a task."""
        batch = Batch()

        def report(issue: Issue) -> None:
            batch.issues.append((len(batch.items), issue))

        stage = replace(self._stage, counts=batch.counts, issues=report, source=task.name)
        document = task.read(stage.report)
        for item in stage.convert(document):
            if item.is_rendered or item.is_dropped:
                item.entry = None  # is not sent
            batch.items.append(item)
        batch.feed, batch.header_changed = document.feed, document.header_changed
        batch.has_versions = stage.duplicates.has_versions
        return batch


def _tasks(number: int, stored: StoredDocument, size: int, options: ReadOptions) -> Iterator[Task]:
    """Yield the tasks of a source: its slices, all of it if it is not large, or none."""
    name = options.name or ""
    try:
        sliced = SlicedSource(stored, options)
    except NotSeparableError:
        if 0 < size <= _MAX_BYTES:
            yield Task(number, name, partial(_read_whole, stored, size, options))
        return
    for part in sliced:
        yield Task(number, name, partial(sliced.read, part), is_slice=True)


def _read_whole(
    stored: StoredDocument, size: int, options: ReadOptions, report: Report
) -> Document:
    data = os.pread(stored.stream.fileno(), size, 0)  # processes share the position of the stream
    return stored.read(BytesIO(data), options, report)


def _receive(results: BinaryIO) -> Batch | None:
    """Receive a result; None if the task failed, or the worker has ended."""
    import pickle

    try:
        result = pickle.load(results)  # noqa: S301  of our own process
    except (EOFError, OSError, pickle.UnpicklingError):
        return None
    if result is None:
        return None
    batch: Batch = result[0]
    batch.items = list(starmap(Rendered, result[1]))
    return batch
