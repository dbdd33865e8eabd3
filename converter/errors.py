"""The exceptions that stop a conversion; smaller problems are `Issue`s.

    ConverterError
    ├── OptionError                exit 2
    ├── SourceError                     3
    │   └── HttpError                   3
    ├── DocumentError                   4
    │   └── UnknownFormatError          4
    ├── LimitError                      5
    ├── SinkError                       6
    └── RefusedError                    7

Each message says what was found, what is required, and what to do. Exit codes: docs/cli.md.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

_MAKE_ROOM: Final = "make room there and run again"
_OPEN_FILES: Final = "raise the limit (ulimit -n) or use fewer --jobs"
#: The cause of a failed write, and what to do about it, by the number of the system's error.
_WRITE_ERRORS: Final[Mapping[int, tuple[str, str]]] = {
    errno.ENOSPC: ("the disk is full", _MAKE_ROOM),
    errno.EDQUOT: ("the disk quota is used up", _MAKE_ROOM),
    errno.EMFILE: ("this process has too many open files", _OPEN_FILES),
    errno.ENFILE: ("the system has too many open files", _OPEN_FILES),
    errno.EFBIG: (
        "the file is larger than the system allows",
        "raise the limit (ulimit -f) or choose another folder",
    ),
    errno.EIO: ("the disk reports an error", "check the system's log or choose another folder"),
    errno.EACCES: (
        "permission denied",
        "make its folder writable for this user or choose another folder",
    ),
    errno.EPERM: (
        "the system does not permit it",
        "check the owner and the attributes of the file and its folder",
    ),
    errno.EROFS: ("the file system is read-only", "choose another folder"),
    errno.ENOENT: (
        "its folder, or a temporary file in it, does not exist any more",
        "create the folder and run again",
    ),
    errno.EISDIR: ("a folder has this name", "move the folder away"),
    errno.ENOTDIR: ("its parent is a file, not a folder", "correct the path"),
    errno.ELOOP: ("its symbolic links form a circle", "correct the links"),
    errno.ENAMETOOLONG: ("the name is too long", "choose a shorter one"),
}


class ConverterError(Exception):
    """The base of all errors that this package raises."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle all attributes; `Exception` calls `__init__` without keywords."""
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[ConverterError], args: tuple[object, ...]) -> ConverterError:
    return kind.__new__(kind, *args)


class OptionError(ConverterError):
    """An option or a combination of options is not valid."""


class SourceError(ConverterError):
    """A source is missing, unreadable, or not allowed."""


class HttpError(SourceError):
    """A server could not be reached, or did not return the document."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status, as 404; None without a complete response."""


class DocumentError(ConverterError):
    """The document is broken beyond repair."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        """Counted from 1; None if unknown."""
        self.column = column
        """Counted from 1; None if unknown."""


class UnknownFormatError(DocumentError):
    """The format of the document is unknown or ambiguous."""


class LimitError(ConverterError):
    """The input exceeds a limit against hostile input."""

    def __init__(self, message: str, *, limit: str, line: int | None = None) -> None:
        super().__init__(message)
        self.limit = limit
        """The name of the limit, as in `Limits`."""
        self.line = line


class SinkError(ConverterError):
    """The output could not be written."""


class RefusedError(ConverterError):
    """Publishing would do harm (no URLs at all, or too few); the existing output is unchanged."""


@contextmanager
def sink_errors(name: str) -> Iterator[None]:
    """Turn an `OSError` into a `SinkError` about `name`; a broken pipe stays what it is."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        system = (error.strerror or str(error), "choose another folder")
        cause, advice = _WRITE_ERRORS.get(error.errno or 0, system)
        raise SinkError(f"{name} could not be written: {cause}; {advice}") from error
