"""The end of one document's time: whatever is waited for then, is torn off.

Time-outs of sockets begin anew with every byte, so that a server which gives one byte a second
would be listened to for ever. This one counts redirects, retries, header and body together.
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

#: Of the fetch that this thread is busy with.
CURRENT: ContextVar[Deadline] = ContextVar("CURRENT")


class Deadline:
    """Expires once, some seconds after it is entered or when it is told to."""

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
        self._timer.join()  # processes fork only where there are no threads
        with self._lock:
            self._socket = None  # it may serve another fetch

    @property
    def is_over(self) -> bool:
        # The time-out of a socket may come a moment before the timer.
        return self._expired.done() or time.monotonic() >= self._end

    def left(self) -> float:
        """How many seconds there are; never none, for that would mean "without end" to sockets."""
        return max(self._end - time.monotonic(), 0.001)

    def check(self) -> None:
        """Check that there is time left.

        Raises:
            HttpError: there is none; without the name of the source.
        """
        if self.is_over:
            raise HttpError("there was no whole answer in time")

    def awaited(self, call: Callable[[], T]) -> T:
        """Return what a call returns that cannot be interrupted, as a look-up in the DNS.

        It runs in a thread of its own, which is left behind when the time is over.

        Raises:
            TimeoutError: it did not end in time.
            BaseException: whatever the call raises.
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
        """Wait, at most until it expires."""
        wait([self._expired], seconds)

    def hold(self, connected: socket.socket) -> None:
        """Remember the connection that is waited for."""
        with self._lock:
            self._socket = connected
            if self.is_over:
                self._tear()

    def expire(self) -> None:
        """End whatever is waited for."""
        with self._lock:
            if not self._expired.done():
                self._expired.set_result(None)
            self._tear()

    def _tear(self) -> None:
        """Reading ends at once when both ways are shut; closing would leave it waiting."""
        if self._socket is not None:
            with suppress(OSError):  # it is closed already
                # Not the method of SSLSocket, which would free what the reader is using.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
