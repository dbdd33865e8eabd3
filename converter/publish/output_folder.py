"""The folder of one output: hidden files of our own there, and those of others, which are refused.

Somebody who may write to the folder could leave a lock, a journal or a temporary file there. So
these count only if they are regular files of the owner that files of this process get there.
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
    """Takes names of files, and never paths.

    Attributes:
        path: where it is, after following links.
        names: what the files of the output are called.
        mode: the permissions of a new file, as the umask and the folder make them.
    """

    def __init__(self, path: str, target: str) -> None:
        self.path = path
        self.names = FileNames(target)
        self.mode = 0o600
        self._user = os.geteuid()

    def at(self, name: str) -> str:
        """Return the path of a file."""
        return os.path.join(self.path, name)

    def probe(self) -> None:
        """Learn owner and mode of new files: a network share may map users to others."""
        path = self.at(self.names.temporary())
        handle = os.open(path, _NEW, 0o666)
        try:
            found = os.fstat(handle)
        finally:
            os.close(handle)
            with suppress(FileNotFoundError):  # another run has swept it
                os.unlink(path)
        self._user, self.mode = found.st_uid, stat.S_IMODE(found.st_mode)

    def create(self, name: str) -> BinaryIO:
        """Create a file that nobody else can read or write; a file of that name is an error."""
        handle = os.open(self.at(name), _NEW, 0o600)
        with suppress(PermissionError):
            os.fchmod(handle, 0o600)  # the umask may have taken more away
        return os.fdopen(handle, "wb")

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with suppress(FileNotFoundError):
            os.unlink(self.at(name))

    def sync(self) -> None:
        """Make renames and removals last through a power cut."""
        handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in _CANNOT_SYNC:
                raise
        finally:
            os.close(handle)

    def check(self, found: os.stat_result, name: str, *, replaces: str = "") -> None:
        """See that a file is our own: a regular file of our user.

        Args:
            found: what the system says of the file.
            name: of the file.
            replaces: the file that it is to replace, whose owner it may have been given to.

        Raises:
            SinkError: it is another user's, or no such file.
        """
        is_ours = found.st_uid == self._user
        if not is_ours and replaces:
            with suppress(FileNotFoundError):
                is_ours = found.st_uid == os.lstat(self.at(replaces)).st_uid
        if not (is_ours and stat.S_ISREG(found.st_mode)):
            raise SinkError(
                f'"{self.at(name)}" cannot be trusted: it belongs to another user, or is no '
                "regular file; if no other run on this output is going on, look at it, remove it, "
                "and run again"
            )

    def sweep(self) -> None:
        """Remove what killed runs on this output left; a living one would hold the lock.

        Raises:
            SinkError: there is a temporary file of another user.
        """
        with os.scandir(self.path) as entries:
            remains = [entry.name for entry in entries if self.names.is_temporary(entry.name)]
        for name in remains:
            with suppress(FileNotFoundError):  # a run that waits for the lock has removed its own
                found = os.lstat(self.at(name))
                if not stat.S_ISDIR(found.st_mode):  # that is in nobody's way
                    self.check(found, name, replaces=self.names.target)
                    os.unlink(self.at(name))

    # -- the lock -----------------------------------------------------------------------------

    @contextmanager
    def locked(self, shown: str, wait_s: float) -> Iterator[None]:
        """Hold the lock of the output; that of a killed run is free at once.

        Raises:
            SinkError: another run on `shown` holds it after `wait_s`; or it is another user's.
            OSError: it cannot be made, or the file system knows no locks.
        """
        deadline = time.monotonic() + wait_s
        while (handle := self._lock()) is None:
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
                    self.remove(self.names.lock)  # still locked: whoever waits sees that it is gone
            finally:
                os.close(handle)

    def _lock(self) -> int | None:
        """Lock the file of that name, and make sure that it still has the name.

        Between opening and locking, the run before may have removed it: a lock on a file without
        a name keeps nobody out.
        """
        name, path = self.names.lock, self.at(self.names.lock)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
        try:
            handle = os.open(path, flags, 0o600)
        except OSError:
            with suppress(FileNotFoundError):
                self.check(os.lstat(path), name)  # another user's, a link or a folder, say
            raise
        is_held = False
        try:
            self.check(os.fstat(handle), name)
            with suppress(BlockingIOError, FileNotFoundError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                is_held = os.path.samestat(os.fstat(handle), os.lstat(path))
            return handle if is_held else None
        finally:
            if not is_held:
                os.close(handle)
