"""The folder of one output: its lock, temporary files and journal, each checked for its owner.

Another user who may write to the folder could put files with these names there. They are used
only if they are regular files of the owner that new files of this process get.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final

from converter.errors import SinkError
from converter.publish.file_names import FileNames

_POLL_S: Final = 0.05
#: Some file systems cannot flush folders (network and FUSE ones).
_CANNOT_SYNC: Final = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


class OutputFolder:
    """File operations in the folder; they take file names, never paths.

    Attributes:
        path: the folder, after links were followed.
        names: the names of the output's files.
        mode: the permissions of a new file, as the umask and the folder make them.
    """

    def __init__(self, path: str, target: str) -> None:
        self.path = path
        self.names = FileNames(target)
        self.mode = 0o600
        self._user = os.geteuid()

    def path_of(self, name: str) -> str:
        """Return the path of a file."""
        return os.path.join(self.path, name)

    def detect_owner_and_mode(self) -> None:
        """Create a file to see its owner and mode: a network share may map users to others."""
        path = self.path_of(self.names.temporary())
        handle = os.open(path, _NEW, 0o666)
        try:
            status = os.fstat(handle)
        finally:
            os.close(handle)
            with suppress(FileNotFoundError):  # another run may have removed it
                os.unlink(path)
        self._user, self.mode = status.st_uid, stat.S_IMODE(status.st_mode)

    def create(self, name: str) -> BinaryIO:
        """Create a file that only this user can read; an existing file is an error."""
        handle = os.open(self.path_of(name), _NEW, 0o600)
        with suppress(PermissionError):
            os.fchmod(handle, 0o600)  # the umask may have removed a permission
        return os.fdopen(handle, "wb")

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        with suppress(FileNotFoundError):
            os.unlink(self.path_of(name))

    def sync(self) -> None:
        """Flush renames and removals to disk, so that they survive a power failure."""
        handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in _CANNOT_SYNC:
                raise
        finally:
            os.close(handle)

    def check_owner(self, status: os.stat_result, name: str, *, replaces: str = "") -> None:
        """Raise SinkError unless a file is regular and of our user, or of the file it replaces."""
        is_ours = status.st_uid == self._user
        if not is_ours and replaces:
            with suppress(FileNotFoundError):
                is_ours = status.st_uid == os.lstat(self.path_of(replaces)).st_uid
        if not (is_ours and stat.S_ISREG(status.st_mode)):
            raise SinkError(
                f'"{self.path_of(name)}" cannot be trusted: it belongs to another user, or is no '
                "regular file; if no other run writes this output, look at it, remove it, "
                "and run again"
            )

    def remove_leftovers(self) -> None:
        """Remove temporary files of killed runs; a run that is alive would hold the lock.

        Raises:
            SinkError: one of them belongs to another user.
        """
        with os.scandir(self.path) as entries:
            found = [entry.name for entry in entries if self.names.is_temporary(entry.name)]
        for name in found:
            with suppress(FileNotFoundError):  # a run that waits for the lock removes its own
                status = os.lstat(self.path_of(name))
                if not stat.S_ISDIR(status.st_mode):
                    self.check_owner(status, name, replaces=self.names.target)
                    os.unlink(self.path_of(name))

    # -- the lock -----------------------------------------------------------------------------

    @contextmanager
    def locked(self, display_name: str, wait_s: float) -> Iterator[None]:
        """Hold the lock of the output; the system frees that of a killed run at once.

        Raises:
            SinkError: another run still holds it after `wait_s`, or it is another user's file.
            OSError: it cannot be created, or the file system has no locks.
        """
        deadline = time.monotonic() + wait_s
        while (handle := self._try_lock()) is None:
            if time.monotonic() >= deadline:
                raise SinkError(
                    f'another run on "{display_name}" holds the lock and did not end within '
                    f"{wait_s:g} s; wait for it, or stop it, and run again"
                )
            time.sleep(_POLL_S)
        try:
            yield
        finally:
            try:
                with suppress(OSError):
                    self.remove(self.names.lock)  # while it is locked: see `_try_lock`
            finally:
                os.close(handle)

    def _try_lock(self) -> int | None:
        """Return a handle of the locked file; None if another run holds the lock.

        The other run may remove the file between our `open` and `flock`: a lock on a removed file
        would keep no other run out, so the name must still lead to the file afterwards.
        """
        name, path = self.names.lock, self.path_of(self.names.lock)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
        try:
            handle = os.open(path, flags, 0o600)
        except OSError:
            with suppress(FileNotFoundError):
                self.check_owner(os.lstat(path), name)  # another user's file, a link or a folder
            raise
        is_held = False
        try:
            self.check_owner(os.fstat(handle), name)
            with suppress(BlockingIOError, FileNotFoundError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                is_held = os.path.samestat(os.fstat(handle), os.lstat(path))
            return handle if is_held else None
        finally:
            if not is_held:
                os.close(handle)
