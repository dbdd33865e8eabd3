"""Lets one run at a time publish to a target, and leaves nothing behind."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from converter.edge.sinks.ownership import Ownership
from converter.errors import SinkError

__all__ = ["held"]

_POLL_S = 0.05


@contextmanager
def held(path: str, ours: Ownership, *, shown: str, wait_s: float) -> Iterator[None]:
    """Hold the lock file; a killed run's file is free at once, for the kernel lets go of it.

    Raises:
        SinkError: another run still holds it after `wait_s`; or it is another user's.
        OSError: it cannot be made, or the file system knows no locks.
    """
    deadline = time.monotonic() + wait_s
    while (handle := _attempt(path, ours)) is None:
        if time.monotonic() >= deadline:
            raise SinkError(
                f'another run on "{shown}" holds the lock and did not end within {wait_s:g} s;'
                " wait for it, or stop it, and run again"
            )
        time.sleep(_POLL_S)
    try:
        yield
    finally:
        try:
            with suppress(OSError):
                os.unlink(path)  # still locked: whoever waits for it sees that it has gone
        finally:
            os.close(handle)


def _attempt(path: str, ours: Ownership) -> int | None:
    """Lock what lies at the path, and make sure that it still lies there.

    Between opening and locking, the run before may have removed the file: a lock on a file
    without a name keeps nobody out.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
    try:
        handle = os.open(path, flags, 0o600)
    except OSError:
        with suppress(FileNotFoundError):
            ours.check(os.lstat(path), path)  # another user's, a link or a folder, say
        raise
    with ExitStack() as closing:
        closing.callback(os.close, handle)
        ours.check(os.fstat(handle), path)
        with suppress(BlockingIOError, FileNotFoundError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), os.lstat(path)):
                closing.pop_all()
                return handle
    return None
