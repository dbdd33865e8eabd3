"""Lists the renames of a publication of several files, so that the next run can complete them."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final, NamedTuple

from converter.errors import SinkError
from converter.publish.file_names import FileNames
from converter.publish.output_folder import OutputFolder

#: More than 50,000 parts with the longest names need.
_MAX_BYTES: Final = 64 << 20
#: Errors of reading a journal that no run of ours has written.
_UNTRUSTED: Final = (OSError, ValueError, TypeError, AttributeError, MemoryError, RecursionError)


class Journal(NamedTuple):
    """The steps of a publication, in order; a step that is done twice does no harm."""

    renames: tuple[tuple[str, str], ...]
    """(temporary name, final name)."""
    removals: tuple[str, ...] = ()

    def check(self, names: FileNames) -> None:
        """Check that all names are those of one output.

        Raises:
            ValueError: one is not, or occurs twice.
            TypeError, AttributeError: one is not a name at all.
        """
        temporaries, finals = [pair[0] for pair in self.renames], [pair[1] for pair in self.renames]
        every = [*temporaries, *finals, *self.removals]
        if not (
            len(set(every)) == len(every)
            and all(map(names.is_temporary, temporaries))
            and all(map(names.is_own, finals))
            and all(name == names.target or names.is_part(name) for name in self.removals)
        ):
            raise ValueError(f"{every}: not the names of {names.target} and its parts, each once")

    @classmethod
    def read(cls, folder: OutputFolder) -> Journal | None:
        """Return the journal that a killed run left; None if there is none.

        Raises:
            SinkError: another user may have written it, it is damaged, or it names other files.
        """
        path = folder.path_of(folder.names.journal)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _untrusted(path) from error
        try:
            folder.check_owner(os.fstat(handle), folder.names.journal)
            with os.fdopen(handle, "rb", closefd=False) as file:
                journal = _parsed(file.read(_MAX_BYTES + 1), folder.names)
        except _UNTRUSTED as error:
            raise _untrusted(path) from error
        finally:
            os.close(handle)
        for temporary, final in journal.renames:
            with suppress(FileNotFoundError):  # it is renamed already
                folder.check_owner(os.lstat(folder.path_of(temporary)), temporary, replaces=final)
        return journal

    def write(self, folder: OutputFolder) -> None:
        """Write the journal durably; from here on the publication will be completed."""
        import json  # most outputs are one file, which needs no journal

        content = {"version": 1, "target": folder.names.target, **self._asdict()}
        folder.sync()  # the temporary files must not be lost before their journal
        draft = folder.names.temporary()
        try:
            with folder.create(draft) as file:
                file.write(json.dumps(content).encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(folder.path_of(draft), folder.path_of(folder.names.journal))
        except BaseException:
            folder.remove(draft)
            raise
        folder.sync()

    def execute(self, folder: OutputFolder) -> None:
        """Do the steps that are not done yet, then remove the journal."""
        for temporary, final in self.renames:
            with suppress(FileNotFoundError):  # it is renamed already
                os.replace(folder.path_of(temporary), folder.path_of(final))
        for name in self.removals:
            folder.remove(name)
        folder.sync()
        self.remove(folder)

    def is_started(self, folder: OutputFolder) -> bool:
        """Return True if any rename is done: then the publication can only be completed."""
        return not all(os.path.lexists(folder.path_of(temporary)) for temporary, _ in self.renames)

    def remove(self, folder: OutputFolder) -> None:
        """Remove the journal from the folder."""
        folder.remove(folder.names.journal)
        folder.sync()


def _parsed(content: bytes, names: FileNames) -> Journal:
    """Parse a journal that may be anything.

    Raises:
        ValueError, TypeError, AttributeError: it is no journal of a run on this output.
    """
    import json

    match json.loads(content) if len(content) <= _MAX_BYTES else None:
        case {"version": 1, "target": names.target, "renames": list(pairs), "removals": list(gone)}:
            renames = tuple((temporary, final) for temporary, final in pairs)
        case _:
            raise ValueError("not of this output")
    journal = Journal(renames, tuple(gone))
    journal.check(names)
    return journal


def _untrusted(path: str) -> SinkError:
    return SinkError(
        f'"{path}" should list the files that a killed run had still to publish, but cannot be '
        "trusted; look at it and at the files that it names, remove it, and run again"
    )
