"""Publishes to the file system: everything under temporary names, then nothing but renames."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import BinaryIO, Self

from converter.edge.sinks import lock
from converter.edge.sinks.failures import in_words
from converter.edge.sinks.journal import Journal, sync_folder
from converter.edge.sinks.names import Names
from converter.edge.sinks.ownership import Ownership, created, owner_of
from converter.edge.sinks.previous import Index, index_at
from converter.edge.sinks.staging import Publisher, Staged, pour
from converter.errors import SinkError

__all__ = ["FilePublisher"]


class FilePublisher(Publisher):
    """Replaces a regular file, and its parts beside it, or nothing at all.

    Whatever the end (an error, Ctrl-C, a full disk), the earlier output stands unless the first
    rename is done; from there on a journal takes the publication to its end, by the next run on
    the same target if need be. Parts are named after the file that links lead to.
    """

    def __init__(self, path: str, *, shown: str, wait_s: float) -> None:
        super().__init__()
        self._folder, self.name = os.path.split(os.path.realpath(path))
        self._shown = shown
        self._quoted = f'"{shown}"'
        beside = os.path.dirname(shown)  # as it was given
        at_home = os.path.realpath(beside or ".") == self._folder
        self._shown_folder = beside if at_home else self._folder
        self._wait_s = wait_s
        self._names = Names(self.name)
        self._staged: set[str] = set()
        """Temporary names."""
        self._ours = Ownership(os.geteuid(), 0o600)  # until the folder is looked at
        self._held = ExitStack()

    def __enter__(self) -> Self:
        with in_words(self._quoted), ExitStack() as held:
            try:
                self._ours = Ownership.in_folder(self._at(self._names.temporary()))
            except FileNotFoundError as error:
                folder = self._shown_folder or "."
                raise SinkError(f'the folder "{folder}" does not exist; make it first') from error
            lock_file = self._at(self._names.lock)
            held.enter_context(
                lock.held(lock_file, self._ours, shown=self._shown, wait_s=self._wait_s)
            )
            try:
                self.completed = self._complete()
            except OSError as error:
                raise self._in_part(error) from error
            self._sweep()
            self._held = held.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        with self._held:
            with suppress(OSError, SinkError):
                self._complete()  # Ctrl-C may have come between two renames
            super().__exit__()

    def _at(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _complete(self) -> int:
        """Complete a publication that was begun; return its number of files."""
        journal = Journal.read(self._folder, self._names, self._ours)
        if journal is None:
            return 0
        for temporary, _ in journal.renames:
            self._staged.discard(temporary)
        journal.carry_out(self._folder, self._names)
        return len(journal.renames)

    def _in_part(self, error: OSError) -> SinkError:
        return SinkError(
            f"{self._quoted} and its parts are published only in part: {error.strerror}"
            f' at "{error.filename2 or error.filename or self._folder}";'
            " mend that and run again, which completes it first"
        )

    def _sweep(self) -> None:
        """Remove what killed runs on this target left; a living one would hold the lock.

        Raises:
            SinkError: there is a temporary file of another user.
        """
        with os.scandir(self._folder) as entries:
            remains = [entry.name for entry in entries if self._names.is_temporary(entry.name)]
        for path in map(self._at, remains):
            with suppress(FileNotFoundError):  # a run that waits for the lock has removed its own
                found = os.lstat(path)
                if not stat.S_ISDIR(found.st_mode):  # that is in nobody's way
                    # It may have been given to the owner of the file that it was to replace.
                    self._ours.check(found, path, or_user=owner_of(self._at(self.name)))
                    os.unlink(path)

    def spool(self) -> BinaryIO:
        return self._spool(self._folder, self._names.temporary_prefix)

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        name = self._names.temporary()
        self._staged.add(name)
        with in_words(self._quoted), created(self._at(name)) as file:
            sizes = pour(chunks, file, threads=self.threads if compress else 0)
            file.flush()
        return Staged(*sizes, name)

    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        names = list(self._staged) if staged is None else [one.temporary for one in staged]
        for name in names:
            with suppress(OSError):
                os.unlink(self._at(name))
            self._staged.discard(name)

    def index(self, name: str | None = None) -> Index | None:
        return index_at(self._at(name or self.name), self._names)

    def stands(self, name: str | None = None) -> bool:
        return os.path.isfile(self._at(name or self.name))

    def standing(self, name: str) -> BinaryIO:
        with in_words(self._quoted):
            return open(self._at(name), "rb")

    def unchanged(self, files: Sequence[tuple[str, Staged]]) -> bool:
        from filecmp import cmp  # few runs compare

        with in_words(self._quoted):
            return all(
                self.stands(name) and cmp(self._at(staged.temporary), self._at(name), shallow=False)
                for name, staged in files
            )

    def left_over(self) -> str | None:
        path = os.path.join(self._shown_folder, self._names.sibling)
        return path if os.path.isfile(path) else None

    def publish(self, files: Sequence[tuple[str, Staged]], *, remove: Sequence[str] = ()) -> None:
        """Put the files in place in this order, then remove what is no longer part of the set.

        Raises:
            SinkError: a name is taken by what is no regular file, or the system refuses. Once
                the first rename is done, the next run on this target completes the others.
            ValueError: a name that is not the target's, its parts' or its hosts'.
        """
        plan = self._planned(files, remove)
        with in_words(self._quoted):
            for temporary, final in plan.renames:
                self._settle(temporary, final)
            if len(plan.renames) == 1 and not plan.removals:
                ((temporary, final),) = plan.renames
                os.replace(self._at(temporary), self._at(final))
                sync_folder(self._folder)
            else:
                self._carry_out(plan)
        for temporary, _ in plan.renames:
            self._staged.discard(temporary)

    def _planned(self, files: Sequence[tuple[str, Staged]], remove: Sequence[str]) -> Journal:
        finals = [name for name, _ in files]
        removals = tuple(name for name in dict.fromkeys(remove) if name not in finals)
        strangers = [name for name in finals if not self._names.is_own(name)]
        strangers += [name for name in removals if not self._names.may_go(name)]
        if strangers or len(set(finals)) < len(finals):
            raise ValueError(f"{strangers or finals}: not the names of {self.name} and its parts")
        return Journal(tuple((staged.temporary, name) for name, staged in files), removals)

    def _settle(self, temporary: str, final: str) -> None:
        """Give a finished file the mode and owner of the one it replaces, and flush it to disk."""
        standing = _standing(self._at(final))
        handle = os.open(self._at(temporary), os.O_RDONLY | os.O_NOFOLLOW)
        try:
            self._ours.check(found := os.fstat(handle), self._at(temporary))
            if found.st_nlink > 1:  # then the mode below would be that of another file, too
                raise SinkError(
                    f'"{self._at(temporary)}" was replaced by a link while it was in use; see who '
                    "else can write to the folder, and run again"
                )
            if standing:
                _give(handle, standing)
            with suppress(PermissionError):
                mode = standing.st_mode & 0o777 if standing else self._ours.mode
                os.fchmod(handle, mode)
            os.fsync(handle)
        finally:
            os.close(handle)

    def _carry_out(self, plan: Journal) -> None:
        try:
            plan.write(self._folder, self._names)
            plan.carry_out(self._folder, self._names)
        except OSError as error:
            if plan.has_begun(self._folder):
                raise self._in_part(error) from error
            with suppress(OSError):
                plan.withdraw(self._folder, self._names)
            raise


def _standing(path: str) -> os.stat_result | None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise SinkError(f'"{path}" is in the way and no regular file; move it and run again')
    return found


def _give(handle: int, standing: os.stat_result) -> None:
    """Hand a file to the owner and the group of another, as far as the system lets us."""
    for user, group in ((-1, standing.st_gid), (standing.st_uid, -1)):
        with suppress(OSError):  # only root may give files away
            os.fchown(handle, user, group)
