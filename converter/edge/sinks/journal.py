"""Carries a publication of several files to its end, even if the run is killed on the way."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from converter.edge.sinks.names import Names
from converter.edge.sinks.ownership import Ownership, created, owner_of
from converter.errors import SinkError

__all__ = ["Journal", "sync_folder"]

#: 50,000 parts with the longest names need less.
_MAX_BYTES = 64 << 20
#: Some file systems know no such thing for folders (network and FUSE ones).
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
#: What reading a journal may raise that no run wrote.
_UNTRUSTED = (OSError, ValueError, TypeError, AttributeError, MemoryError, RecursionError)


class Journal(NamedTuple):
    """What is to be done, in this order; doing it twice does no harm."""

    renames: tuple[tuple[str, str], ...]
    """(temporary name, final name)."""
    removals: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: str, names: Names, ours: Ownership) -> Journal | None:
        """The journal that a killed run left; None: there is none.

        Raises:
            SinkError: another user may have written it, it is damaged, or it names files that are
                not ours.
        """
        path = os.path.join(folder, names.journal)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _refused(path) from error
        try:
            ours.check(os.fstat(handle), path)
            journal = _parsed(handle, names)
        except _UNTRUSTED as error:
            raise _refused(path) from error
        finally:
            os.close(handle)
        for temporary, final in journal.renames:
            path = os.path.join(folder, temporary)
            with suppress(FileNotFoundError):  # it is renamed already
                # It may have been given to the owner of the file that it replaces.
                ours.check(os.lstat(path), path, or_user=owner_of(os.path.join(folder, final)))
        return journal

    def write(self, folder: str, names: Names) -> None:
        """Put it down, safe from a power cut; from here on the publication will be completed."""
        import json

        content = {
            "version": 1,
            "target": names.target,
            "renames": self.renames,
            "removals": self.removals,
        }
        sync_folder(folder)  # the journal must not outlive the names that it speaks of
        draft = os.path.join(folder, names.temporary())
        try:
            with created(draft) as file:
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


def _parsed(handle: int, names: Names) -> Journal:
    """Read, trusting nothing.

    Raises:
        ValueError, TypeError, AttributeError: it is no journal of a run on this output.
    """
    import json

    with os.fdopen(handle, "rb", closefd=False) as file:
        content = file.read(_MAX_BYTES + 1)
    if len(content) > _MAX_BYTES:
        raise ValueError("larger than any journal")
    match json.loads(content):
        case {"version": 1, "target": names.target, "renames": list(pairs), "removals": list(gone)}:
            renames = tuple((temporary, final) for temporary, final in pairs)
            removals = tuple(gone)
        case _:
            raise ValueError("not of this output")
    finals = tuple(final for _, final in renames)
    if not (
        _all(names.is_temporary, [temporary for temporary, _ in renames])
        and _all(names.is_own, finals + removals)
        and all(map(names.may_go, removals))
    ):
        raise ValueError(names.journal)
    return Journal(renames, removals)


def _all(is_right: Callable[[str], bool], found: Sequence[str]) -> bool:
    return len(set(found)) == len(found) and all(map(is_right, found))


def _refused(path: str) -> SinkError:
    return SinkError(
        f'"{path}" should say what a killed run had still to publish, but cannot'
        " be trusted; look at it and at the files it names, remove it, and run again"
    )
