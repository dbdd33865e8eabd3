"""The time limit for one document: ends whatever its fetch waits for.

A time-out of a socket starts again with every byte, so a server that sends one byte a second could
hold a run for ever. This limit counts redirects, retries, headers and body together.
"""

from __future__ import annotations

import math
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, TypeVar

from converter.errors import HttpError

T = TypeVar("T")

#: The deadline of the fetch in this thread.
CURRENT: ContextVar[Deadline] = ContextVar("CURRENT")


class Deadline:
    """Expires once: some seconds after it is entered, or with `expire`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = math.inf
        self._expired: Future[None] = Future()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self.expire)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._token = CURRENT.set(self)
        self._end = time.monotonic() + self.seconds
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        CURRENT.reset(self._token)
        self._timer.cancel()
        self._timer.join()  # worker processes fork only without threads
        with self._lock:
            self._socket = None  # another fetch may use it next

    @property
    def is_over(self) -> bool:
        # The time-out of a socket may come a moment before the timer.
        return self._expired.done() or time.monotonic() >= self._end

    def left(self) -> float:
        """Return the seconds that are left; never 0, which means "no limit" to sockets."""
        return max(self._end - time.monotonic(), 0.001)

    def check(self) -> None:
        """Raise HttpError if no time is left."""
        if self.is_over:
            raise HttpError("there was no whole answer in time")

    def wait_for(self, call: Callable[[], T]) -> T:
        """Return the result of a call that cannot be interrupted, such as a DNS look-up.

        It runs in a thread of its own, which is abandoned, with TimeoutError, at the deadline.
        """
        result: Future[T] = Future()

        def run() -> None:
            try:
                result.set_result(call())
            except BaseException as error:
                result.set_exception(error)

        threading.Thread(target=run, name="await", daemon=True).start()
        either: list[Future[Any]] = [result, self._expired]
        wait(either, self.left(), FIRST_COMPLETED)
        if not result.done():
            raise TimeoutError("it took too long")
        return result.result()

    def sleep(self, seconds: float) -> None:
        """Wait, at most until the deadline expires."""
        wait([self._expired], seconds)

    def watch(self, connected: socket.socket) -> None:
        """Shut down this socket, which the fetch reads from now on, when the deadline expires."""
        with self._lock:
            self._socket = connected
            if self.is_over:
                self._shut_down()

    def expire(self) -> None:
        """End whatever the fetch waits for."""
        with self._lock:
            if not self._expired.done():
                self._expired.set_result(None)
            self._shut_down()

    def _shut_down(self) -> None:
        """End a read in another thread at once; closing the socket would not wake it."""
        if self._socket is not None:
            with suppress(OSError):  # the socket is closed already
                # Not SSLSocket's method, which would free objects that the reader uses.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
