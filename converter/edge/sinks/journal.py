"""Carries a publication of several files to its end, even if the run is killed on the way."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress

from converter.edge.sinks.names import Names
from converter.errors import SinkError
from converter.record import record

__all__ = ["Journal", "sync_folder"]

_VERSION = 1
#: 50,000 parts with the longest names need less.
_MAX_BYTES = 64 << 20
#: Some file systems know no such thing for folders (network and FUSE ones).
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)


@record(kw_only=False)
class Journal:
    """What is to be done, in this order; doing it twice does no harm."""

    renames: tuple[tuple[str, str], ...]
    """(temporary name, final name)."""
    removals: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: str, names: Names) -> Journal | None:
        """The journal that a killed run left; None: there is none.

        Raises:
            SinkError: it is none of ours, or speaks of files that are not ours.
        """
        try:
            handle = os.open(
                os.path.join(folder, names.journal), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
            )
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _refused(folder, names) from error
        try:
            with os.fdopen(handle, "rb") as file:
                journal = _parsed(file.read(_MAX_BYTES), names)
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise _refused(folder, names) from error
        if not all(
            _is_regular_or_gone(os.path.join(folder, temporary)) for temporary, _ in journal.renames
        ):
            raise _refused(folder, names)
        return journal

    def write(self, folder: str, names: Names) -> None:
        """Put it down, safe from a power cut; from here on the publication will be completed."""
        import json

        content = {
            "version": _VERSION,
            "target": names.target,
            "renames": self.renames,
            "removals": self.removals,
        }
        sync_folder(folder)  # the journal must not outlive the names that it speaks of
        draft = os.path.join(folder, names.temporary())
        try:
            with open(draft, "xb") as file:
                file.write(json.dumps(content).encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, os.path.join(folder, names.journal))
        except BaseException:
            _remove(draft)
            raise
        sync_folder(folder)

    def carry_out(self, folder: str, names: Names) -> None:
        """Do what has not been done yet, then remove the journal."""
        for temporary, final in self.renames:
            with suppress(FileNotFoundError):  # done before the kill
                os.replace(os.path.join(folder, temporary), os.path.join(folder, final))
        for name in self.removals:
            _remove(os.path.join(folder, name))
        sync_folder(folder)
        self.withdraw(folder, names)

    def has_begun(self, folder: str) -> bool:
        """Whether any rename is done: then there is no way back, only forward."""
        return not all(
            os.path.lexists(os.path.join(folder, temporary)) for temporary, _ in self.renames
        )

    def withdraw(self, folder: str, names: Names) -> None:
        """Remove the journal from the folder."""
        _remove(os.path.join(folder, names.journal))
        sync_folder(folder)


def sync_folder(folder: str) -> None:
    """Make renames and removals in a folder last through a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(handle)


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _parsed(content: bytes, names: Names) -> Journal:
    """Read, trusting nothing: whoever may write to the folder may have written this."""
    import json

    read = json.loads(content)
    if read["version"] != _VERSION or read["target"] != names.target:
        raise ValueError(read["target"])
    renames = tuple((temporary, final) for temporary, final in read["renames"])
    removals = tuple(read["removals"])
    finals = tuple(final for _, final in renames)
    if not (
        _all(names.is_temporary, [temporary for temporary, _ in renames])
        and _all(names.is_own, finals + removals)
        and _all(names.may_go, removals)
    ):
        raise ValueError(names.journal)
    return Journal(renames, removals)


def _all(is_right: Callable[[str], bool], found: Sequence[str]) -> bool:
    return len(set(found)) == len(found) and all(map(is_right, found))


def _is_regular_or_gone(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return True


def _refused(folder: str, names: Names) -> SinkError:
    path = os.path.join(folder, names.journal)
    return SinkError(
        f'"{path}" should say what a killed run had still to publish, but cannot'
        " be trusted; look at it and at the files it names, remove it, and run again"
    )
