"""Carries a publication of several files to its end, even if the run is killed on the way."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final, NamedTuple

from converter.errors import SinkError
from converter.publish.file_names import FileNames
from converter.publish.output_folder import OutputFolder

#: 50,000 parts with the longest names need less.
_MAX_BYTES: Final = 64 << 20
#: What reading a journal may raise that no run wrote.
_UNTRUSTED: Final = (OSError, ValueError, TypeError, AttributeError, MemoryError, RecursionError)


class Journal(NamedTuple):
    """What is to be done, in this order; doing it twice does no harm."""

    renames: tuple[tuple[str, str], ...]
    """(temporary name, final name)."""
    removals: tuple[str, ...] = ()

    def check(self, names: FileNames) -> None:
        """See that it is about files of one output.

        Raises:
            ValueError: it is not, or names a file twice; TypeError, AttributeError: it names none.
        """
        temporaries, finals = [pair[0] for pair in self.renames], [pair[1] for pair in self.renames]
        every = [*temporaries, *finals, *self.removals]
        if not (
            len(set(every)) == len(every)
            and all(map(names.is_temporary, temporaries))
            and all(map(names.is_own, finals))
            and all(map(names.may_go, self.removals))
        ):
            raise ValueError(f"{every}: not the names of {names.target} and its parts, each once")

    @classmethod
    def read(cls, folder: OutputFolder) -> Journal | None:
        """Return the journal that a killed run left, if there is one.

        Raises:
            SinkError: another user may have written it, it is damaged, or it names files that are
                not ours.
        """
        path = folder.at(folder.names.journal)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _refused(path) from error
        try:
            folder.check(os.fstat(handle), folder.names.journal)
            with os.fdopen(handle, "rb", closefd=False) as file:
                journal = _parsed(file.read(_MAX_BYTES + 1), folder.names)
        except _UNTRUSTED as error:
            raise _refused(path) from error
        finally:
            os.close(handle)
        for temporary, final in journal.renames:
            with suppress(FileNotFoundError):  # it is renamed already
                folder.check(os.lstat(folder.at(temporary)), temporary, replaces=final)
        return journal

    def write(self, folder: OutputFolder) -> None:
        """Put it down, safe from a power cut; from here on the publication will be completed."""
        import json  # most outputs are one file, which needs no journal

        content = {"version": 1, "target": folder.names.target, **self._asdict()}
        folder.sync()  # the journal must not outlive the names that it speaks of
        draft = folder.names.temporary()
        try:
            with folder.create(draft) as file:
                file.write(json.dumps(content).encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(folder.at(draft), folder.at(folder.names.journal))
        except BaseException:
            folder.remove(draft)
            raise
        folder.sync()

    def carry_out(self, folder: OutputFolder) -> None:
        """Do what has not been done yet, then remove the journal."""
        for temporary, final in self.renames:
            with suppress(FileNotFoundError):  # done before the kill
                os.replace(folder.at(temporary), folder.at(final))
        for name in self.removals:
            folder.remove(name)
        folder.sync()
        self.withdraw(folder)

    def has_begun(self, folder: OutputFolder) -> bool:
        """Return True if any rename is done: then there is no way back, only forward."""
        return not all(os.path.lexists(folder.at(temporary)) for temporary, _ in self.renames)

    def withdraw(self, folder: OutputFolder) -> None:
        """Remove the journal from the folder."""
        folder.remove(folder.names.journal)
        folder.sync()


def _parsed(content: bytes, names: FileNames) -> Journal:
    """Read a journal, trusting nothing.

    Raises:
        ValueError, TypeError, AttributeError: it is no journal of a run on this output.
    """
    import json  # most outputs have no journal

    match json.loads(content) if len(content) <= _MAX_BYTES else None:
        case {"version": 1, "target": names.target, "renames": list(pairs), "removals": list(gone)}:
            renames = tuple((temporary, final) for temporary, final in pairs)
        case _:
            raise ValueError("not of this output")
    journal = Journal(renames, tuple(gone))
    journal.check(names)
    return journal


def _refused(path: str) -> SinkError:
    return SinkError(
        f'"{path}" should say what a killed run had still to publish, but cannot be trusted; look '
        "at it and at the files it names, remove it, and run again"
    )
