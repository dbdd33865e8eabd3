"""Worker processes that do tasks in turn; results come back in the order of the tasks.

Workers are forks of this process, so they know all that it knows when they begin. Only Linux forks
safely after libraries were used:
https://docs.python.org/3/library/multiprocessing.html#contexts-and-start-methods
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import Generic, TypeVar

__all__ = ["Workers", "can_fork"]

T = TypeVar("T")
R = TypeVar("R")


def can_fork() -> bool:
    """Return True if this process can fork safely now: on Linux, without other threads."""
    return sys.platform == "linux" and threading.active_count() == 1


class Workers(Generic[T, R]):
    """Forked processes, each with at most one task at a time."""

    def __init__(self, count: int, work: Callable[[T], R]) -> None:
        """Fork the workers.

        Args:
            count: how many.
            work: does a task; tasks and results can be pickled.
        """
        self._work = work
        self._idle: deque[Connection] = deque()
        self._busy: deque[Connection] = deque()
        self._processes: list[int] = []
        for _ in range(count):
            self._idle.append(self._fork())

    @property
    def has_room(self) -> bool:
        """Is there a worker without a task?"""
        return bool(self._idle)

    def give(self, task: T) -> None:
        """Give a task to an idle worker."""
        worker = self._idle.popleft()
        with suppress(OSError):  # the worker is dead: `next` finds out
            worker.send(task)
        self._busy.append(worker)

    def next(self) -> R | None:
        """Wait for the first of the given tasks and return its result; None: the worker failed."""
        worker = self._busy.popleft()
        try:
            result: R | None = worker.recv()
        except (EOFError, OSError):
            return None
        self._idle.append(worker)
        return result

    def ask(self, task: T) -> R | None:
        """Let the worker that gave the last result do a further task, and wait for that."""
        self._busy.appendleft(self._idle[-1])
        worker = self._idle.pop()
        with suppress(OSError):
            worker.send(task)
        return self.next()

    def dismiss(self) -> None:
        """End the workers, whatever they are doing.

        A closed connection alone does not end them: later workers inherited its other end.
        """
        for worker in (*self._idle, *self._busy):
            worker.close()
        self._idle.clear()
        self._busy.clear()
        for process in self._processes:
            os.kill(process, signal.SIGKILL)  # it holds nothing but its memory
            os.waitpid(process, 0)
        self._processes.clear()

    def _fork(self) -> Connection:
        here, there = Pipe()
        process = os.fork()
        if process:
            there.close()
            self._processes.append(process)
            return here
        # From here on, a worker: it must never return into the program that was forked.
        try:
            here.close()
            for other in self._idle:
                other.close()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles it
            gc.disable()  # a collection would copy the memory that is shared with the parent
            self._serve(there)
        finally:
            os._exit(0)

    def _serve(self, there: Connection) -> None:
        while True:
            try:
                task = there.recv()
            except (EOFError, OSError):
                return
            there.send(self._result_of(task))

    def _result_of(self, task: T) -> R | None:
        try:
            return self._work(task)
        except Exception:
            return None
