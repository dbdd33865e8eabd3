"""Publishes to the file system: all files under temporary names first, then only renames."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import BinaryIO, Self

from converter.errors import SinkError, sink_errors
from converter.publish.existing_index import ExistingIndex, index_at
from converter.publish.journal import Journal
from converter.publish.output_folder import OutputFolder
from converter.publish.publisher import OutputPart, Publisher


class FilePublisher(Publisher):
    """Replaces a regular file and its parts in the same folder, or nothing at all.

    After an error, Ctrl-C or on a full disk, the existing output stays unless the first rename is
    done; from then on a journal completes the publication, in the next run on the same target if
    this one is killed. Parts are named after the file that symbolic links lead to.
    """

    def __init__(self, path: str, *, display_name: str, wait_s: float) -> None:
        super().__init__()
        folder, self.name = os.path.split(os.path.realpath(path))
        self._folder = OutputFolder(folder, self.name)
        self._spool_folder, self._spool_prefix = folder, self._folder.names.temporary_prefix
        self._display_name = display_name
        self._quoted = f'"{display_name}"'
        named = os.path.dirname(display_name)
        self._display_folder = named if os.path.realpath(named or ".") == folder else folder
        self._wait_s = wait_s
        self._staged: set[str] = set()
        """Temporary names."""
        self._lock = ExitStack()

    def __enter__(self) -> Self:
        with sink_errors(self._quoted), ExitStack() as lock:
            try:
                self._folder.detect_owner_and_mode()
            except FileNotFoundError as error:
                folder = self._display_folder or "."
                raise SinkError(f'the folder "{folder}" does not exist; create it first') from error
            lock.enter_context(self._folder.locked(self._display_name, self._wait_s))
            try:
                self.completed = self._complete()
            except OSError as error:
                raise self._incomplete(error) from error
            self._folder.remove_leftovers()
            self._lock = lock.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            with suppress(OSError, SinkError):
                self._complete()  # Ctrl-C may have come between two renames
            super().__exit__()

    def _complete(self) -> int:
        """Complete an unfinished publication; return its number of files."""
        journal = Journal.read(self._folder)
        if journal is None:
            return 0
        self._staged.difference_update(temporary for temporary, _ in journal.renames)
        journal.execute(self._folder)
        return len(journal.renames)

    def _incomplete(self, error: OSError) -> SinkError:
        return SinkError(
            f"{self._quoted} and its parts are published only in part: {error.strerror}"
            f' at "{error.filename2 or error.filename or self._folder.path}";'
            " fix that and run again: the next run publishes the rest first"
        )

    # -- staging ------------------------------------------------------------------------------

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> OutputPart:
        name = self._folder.names.temporary()
        self._staged.add(name)
        with sink_errors(self._quoted), self._folder.create(name) as file:
            return self._write(chunks, file, name, compress=compress)

    def discard(self, staged: Sequence[OutputPart] | None = None) -> None:
        names = self._staged if staged is None else {one.temporary for one in staged}
        for name in list(names):
            with suppress(OSError):
                self._folder.remove(name)
            self._staged.discard(name)

    # -- existing files -----------------------------------------------------------------------

    def index(self, name: str | None = None) -> ExistingIndex | None:
        return index_at(self._folder.path_of(name or self.name), self._folder.names)

    def exists(self, name: str | None = None) -> bool:
        return os.path.isfile(self._folder.path_of(name or self.name))

    def open_existing(self, name: str) -> BinaryIO:
        with sink_errors(self._quoted):
            return open(self._folder.path_of(name), "rb")

    def is_unchanged(self, name: str, staged: OutputPart) -> bool:
        from filecmp import cmp  # few runs compare

        paths = self._folder.path_of(staged.temporary), self._folder.path_of(name)
        with sink_errors(self._quoted):
            return self.exists(name) and cmp(*paths, shallow=False)

    def existing_sibling(self) -> str | None:
        path = self.path_of(self._folder.names.sibling)
        return path if os.path.isfile(path) else None

    def path_of(self, name: str) -> str:
        return os.path.join(self._display_folder, name)

    # -- publishing ---------------------------------------------------------------------------

    def publish(
        self, files: Sequence[tuple[str, OutputPart]], *, remove: Sequence[str] = ()
    ) -> None:
        """Rename the files in this order, then remove the other named files.

        Raises:
            SinkError: a name belongs to a file that is not regular, or the system refuses. After
                the first rename, the next run on this target completes the others.
            ValueError: a name is not one of the target, its parts or its hosts.
        """
        folder, finals = self._folder, {name for name, _ in files}
        removals = tuple(name for name in dict.fromkeys(remove) if name not in finals)
        plan = Journal(tuple((staged.temporary, name) for name, staged in files), removals)
        plan.check(folder.names)
        with sink_errors(self._quoted):
            for temporary, final in plan.renames:
                self._finish(temporary, final)
            if len(plan.renames) == 1 and not plan.removals:
                ((temporary, final),) = plan.renames
                os.replace(folder.path_of(temporary), folder.path_of(final))
                folder.sync()
            else:
                self._execute(plan)
        self._staged.difference_update(temporary for temporary, _ in plan.renames)

    def _finish(self, temporary: str, final: str) -> None:
        """Set the mode and owner of the file that will be replaced, and flush to disk."""
        folder, replaced = self._folder, _regular_file(self._folder.path_of(final))
        handle = os.open(folder.path_of(temporary), os.O_RDONLY | os.O_NOFOLLOW)
        try:
            status = os.fstat(handle)
            folder.check_owner(status, temporary)
            if status.st_nlink > 1:  # then the mode below would be that of another file, too
                raise SinkError(
                    f'"{folder.path_of(temporary)}" was replaced by a link while it was in use; '
                    "check who else can write to the folder, and run again"
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

    def _execute(self, plan: Journal) -> None:
        try:
            plan.write(self._folder)
            plan.execute(self._folder)
        except OSError as error:
            if plan.is_started(self._folder):
                raise self._incomplete(error) from error
            with suppress(OSError):
                plan.remove(self._folder)
            raise


def _regular_file(path: str) -> os.stat_result | None:
    """Return the status of a regular file; None if it does not exist."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise SinkError(f'"{path}" is in the way and no regular file; move it and run again')
    return status
