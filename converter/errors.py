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

#: What to do about a failed write, by the number of the system's error.
_ADVICE: Final[Mapping[int, str]] = {
    errno.ENOSPC: "make room there and run again",
    errno.EDQUOT: "make room there and run again",
    errno.EMFILE: "raise the limit (ulimit -n) or use fewer --jobs",
    errno.ENFILE: "raise the limit (ulimit -n) or use fewer --jobs",
    errno.EFBIG: "raise the limit (ulimit -f) or choose another folder",
    errno.ENOENT: "create its folder and run again",
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
        advice = _ADVICE.get(error.errno or 0, "choose another folder")
        found = error.strerror or str(error)
        raise SinkError(f"{name} could not be written: {found}; {advice}") from error
