"""Worker processes that do to slices what this process would do, and hand them back in order.

They are forks of this process: they know what it knew then, nothing has to be sent to them but the
slices, and nothing is imported or learnt twice. Only Linux forks safely what has used libraries:
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
from typing import Final, Generic, TypeVar

__all__ = ["Crew", "can_fork"]

T = TypeVar("T")

#: What a worker answers when it could not do it: this process finds out why.
_FAILED: Final = None


def can_fork() -> bool:
    """Say whether a crew can be had here and now."""
    return sys.platform == "linux" and threading.active_count() == 1


class Crew(Generic[T]):
    """Workers that do one slice after the other, in turn."""

    def __init__(self, workers: int, work: Callable[[bytes], T], at_once: int = 1) -> None:
        """Fork them.

        Args:
            workers: how many.
            work: what they do; its result can be pickled.
            at_once: how many slices a worker may be given; more than one only if they are so small
                that a pipe holds them, for else two would wait for each other.
        """
        self._work = work
        self._idle: deque[Connection] = deque()
        self._busy: deque[tuple[Connection, bytes]] = deque()
        self._processes: list[int] = []
        for _ in range(workers):
            self._idle.append(self._hire())
        self._idle *= at_once

    @property
    def has_room(self) -> bool:
        """Is there a worker without a slice?"""
        return bool(self._idle)

    @property
    def is_busy(self) -> bool:
        """Is there a slice that was not handed back?"""
        return bool(self._busy)

    def give(self, data: bytes) -> None:
        """Give a slice to an idle worker."""
        worker = self._idle.popleft()
        with suppress(OSError):  # it is no more: `next` finds out
            worker.send_bytes(data)
        self._busy.append((worker, data))

    def next(self) -> tuple[bytes, T]:
        """Wait for the first of the slices that were given, and what was done to it.

        Where a worker failed, or is no more, this process does it, and raises what there is.
        """
        worker, data = self._busy.popleft()
        try:
            result = worker.recv()
        except (EOFError, OSError):
            result = _FAILED
        else:
            self._idle.append(worker)
        return data, self._work(data) if result is _FAILED else result

    def dismiss(self) -> list[bytes]:
        """End the workers, and give the slices back that they were working on.

        They would end by themselves when nobody talks to them any more; but a worker of another
        crew may have inherited the other end, and hold it open.
        """
        undone = [data for _, data in self._busy]
        for worker in (*self._idle, *(worker for worker, _ in self._busy)):
            worker.close()
        self._idle.clear()
        self._busy.clear()
        for process in self._processes:
            os.kill(process, signal.SIGKILL)  # it holds nothing but its memory
            os.waitpid(process, 0)
        self._processes.clear()
        return undone

    def _hire(self) -> Connection:
        here, there = Pipe()
        process = os.fork()
        if process:
            there.close()
            self._processes.append(process)
            return here
        # From here on, a worker: it must never come back into the program that was forked.
        try:
            here.close()
            for other in self._idle:
                other.close()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who forked it sees to that
            gc.disable()  # looking for garbage would copy all that it shares with that one
            self._serve(there)
        finally:
            os._exit(0)

    def _serve(self, there: Connection) -> None:
        while True:
            try:
                data = there.recv_bytes()
            except (EOFError, OSError):
                return
            there.send(self._tried(data))

    def _tried(self, data: bytes) -> T | None:
        try:
            return self._work(data)
        except Exception:
            return _FAILED
