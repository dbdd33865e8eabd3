"""Publishes to the file system: everything under temporary names, then nothing but renames."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import BinaryIO, Self

from converter.errors import SinkError
from converter.publish.existing_index import ExistingIndex, index_at
from converter.publish.journal import Journal
from converter.publish.output_folder import OutputFolder
from converter.publish.publisher import Publisher, Staged
from converter.publish.write_errors import sink_errors


class FilePublisher(Publisher):
    """Replaces a regular file, and its parts beside it, or nothing at all.

    Whatever the end (an error, Ctrl-C, a full disk), the earlier output stays unless the first
    rename is done; from there on a journal takes the publication to its end, by the next run on
    the same target if need be. Parts are named after the file that links lead to.
    """

    def __init__(self, path: str, *, shown: str, wait_s: float) -> None:
        super().__init__()
        folder, self.name = os.path.split(os.path.realpath(path))
        self._folder = OutputFolder(folder, self.name)
        self._shown = shown
        self._quoted = f'"{shown}"'
        beside = os.path.dirname(shown)  # as it was given
        self._shown_folder = beside if os.path.realpath(beside or ".") == folder else folder
        self._wait_s = wait_s
        self._staged: set[str] = set()
        """Temporary names."""
        self._held = ExitStack()

    def __enter__(self) -> Self:
        with sink_errors(self._quoted), ExitStack() as held:
            try:
                self._folder.probe()
            except FileNotFoundError as error:
                folder = self._shown_folder or "."
                raise SinkError(f'the folder "{folder}" does not exist; make it first') from error
            held.enter_context(self._folder.locked(self._shown, self._wait_s))
            try:
                self.completed = self._complete()
            except OSError as error:
                raise self._in_part(error) from error
            self._folder.sweep()
            self._held = held.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        with self._held:
            with suppress(OSError, SinkError):
                self._complete()  # Ctrl-C may have come between two renames
            super().__exit__()

    def _complete(self) -> int:
        """Complete a publication that was begun; return its number of files."""
        journal = Journal.read(self._folder)
        if journal is None:
            return 0
        self._staged.difference_update(temporary for temporary, _ in journal.renames)
        journal.carry_out(self._folder)
        return len(journal.renames)

    def _in_part(self, error: OSError) -> SinkError:
        return SinkError(
            f"{self._quoted} and its parts are published only in part: {error.strerror}"
            f' at "{error.filename2 or error.filename or self._folder.path}";'
            " mend that and run again, which completes it first"
        )

    # -- staging ------------------------------------------------------------------------------

    def spool(self) -> BinaryIO:
        return self._spool(self._folder.path, self._folder.names.temporary_prefix)

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        name = self._folder.names.temporary()
        self._staged.add(name)
        with sink_errors(self._quoted), self._folder.create(name) as file:
            return Staged(*self._write(chunks, file, compress=compress), name)

    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        names = list(self._staged) if staged is None else [one.temporary for one in staged]
        for name in names:
            with suppress(OSError):
                self._folder.remove(name)
            self._staged.discard(name)

    # -- what exists --------------------------------------------------------------------------

    def index(self, name: str | None = None) -> ExistingIndex | None:
        return index_at(self._folder.at(name or self.name), self._folder.names)

    def exists(self, name: str | None = None) -> bool:
        return os.path.isfile(self._folder.at(name or self.name))

    def open_existing(self, name: str) -> BinaryIO:
        with sink_errors(self._quoted):
            return open(self._folder.at(name), "rb")

    def unchanged(self, name: str, staged: Staged) -> bool:
        from filecmp import cmp  # few runs compare

        paths = self._folder.at(staged.temporary), self._folder.at(name)
        with sink_errors(self._quoted):
            return self.exists(name) and cmp(*paths, shallow=False)

    def left_over(self) -> str | None:
        path = os.path.join(self._shown_folder, self._folder.names.sibling)
        return path if os.path.isfile(path) else None

    # -- publishing ---------------------------------------------------------------------------

    def publish(self, files: Sequence[tuple[str, Staged]], *, remove: Sequence[str] = ()) -> None:
        """Put the files in place in this order, then remove what is no longer part of the set.

        Raises:
            SinkError: a name is taken by what is no regular file, or the system refuses. Once
                the first rename is done, the next run on this target completes the others.
            ValueError: a name that is not the target's, its parts' or its hosts'.
        """
        folder, finals = self._folder, {name for name, _ in files}
        removals = tuple(name for name in dict.fromkeys(remove) if name not in finals)
        plan = Journal(tuple((staged.temporary, name) for name, staged in files), removals)
        plan.check(folder.names)
        with sink_errors(self._quoted):
            for temporary, final in plan.renames:
                self._settle(temporary, final)
            if len(plan.renames) == 1 and not plan.removals:
                ((temporary, final),) = plan.renames
                os.replace(folder.at(temporary), folder.at(final))
                folder.sync()
            else:
                self._carry_out(plan)
        self._staged.difference_update(temporary for temporary, _ in plan.renames)

    def _settle(self, temporary: str, final: str) -> None:
        """Give a finished file the mode and owner of the one it replaces, and flush it to disk."""
        folder, replaced = self._folder, _regular(self._folder.at(final))
        handle = os.open(folder.at(temporary), os.O_RDONLY | os.O_NOFOLLOW)
        try:
            found = os.fstat(handle)
            folder.check(found, temporary)
            if found.st_nlink > 1:  # then the mode below would be that of another file, too
                raise SinkError(
                    f'"{folder.at(temporary)}" was replaced by a link while it was in use; see who '
                    "else can write to the folder, and run again"
                )
            if replaced:
                for user, group in ((-1, replaced.st_gid), (replaced.st_uid, -1)):
                    with suppress(OSError):  # only root may give files away
                        os.fchown(handle, user, group)
            with suppress(PermissionError):
                os.fchmod(handle, replaced.st_mode & 0o777 if replaced else folder.mode)
            os.fsync(handle)
        finally:
            os.close(handle)

    def _carry_out(self, plan: Journal) -> None:
        try:
            plan.write(self._folder)
            plan.carry_out(self._folder)
        except OSError as error:
            if plan.has_begun(self._folder):
                raise self._in_part(error) from error
            with suppress(OSError):
                plan.withdraw(self._folder)
            raise


def _regular(path: str) -> os.stat_result | None:
    """Return the status of a regular file; None if there is nothing of that name."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise SinkError(f'"{path}" is in the way and no regular file; move it and run again')
    return found
