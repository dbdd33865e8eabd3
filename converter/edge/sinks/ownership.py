"""Tells our own hidden files from files that another user put into the output folder."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import BinaryIO, NamedTuple, Self

from converter.errors import SinkError

__all__ = ["Ownership", "created", "owner_of"]


def created(path: str) -> BinaryIO:
    """Create a file that nobody else can read or write; a file of that name is an error."""
    handle = _opened(path, 0o600)
    with suppress(PermissionError):
        os.fchmod(handle, 0o600)  # the umask may have taken more away
    return os.fdopen(handle, "wb")


def owner_of(path: str) -> int | None:
    """Give the owner of a file; None: it is not there."""
    try:
        return os.lstat(path).st_uid
    except FileNotFoundError:
        return None


def _opened(path: str, mode: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)


class Ownership(NamedTuple):
    """What a file that this process creates in a folder is like."""

    user: int
    """Its owner. A network share may map owners, so this need not be the user of the process."""
    mode: int
    """Its permissions, as the umask and the folder make them."""

    @classmethod
    def in_folder(cls, path: str) -> Self:
        """Find out, by an empty file at `path` that is removed at once.

        Raises:
            OSError: the folder refuses.
        """
        handle = _opened(path, 0o666)
        try:
            found = os.fstat(handle)
        finally:
            os.close(handle)
            with suppress(FileNotFoundError):  # another run has swept it
                os.unlink(path)
        return cls(found.st_uid, stat.S_IMODE(found.st_mode))

    def check(self, found: os.stat_result, path: str, *, or_user: int | None = None) -> None:
        """See that a file is our own: a regular file of our user.

        Args:
            found: what the system says of the file.
            path: where it lies.
            or_user: another owner that it may have.

        Raises:
            SinkError: it is another user's, or no such file.
        """
        if not stat.S_ISREG(found.st_mode):
            raise SinkError(
                f'"{path}" cannot be trusted: a run on this output makes a regular file of that '
                "name, and this is none; look at it, remove it, and run again"
            )
        if found.st_uid not in {self.user, or_user}:
            raise SinkError(
                f'"{path}" belongs to another user, so it cannot be trusted; if no run of theirs '
                "on this output is going on, look at it, remove it, and run again"
            )
