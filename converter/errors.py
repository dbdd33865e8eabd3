"""The exceptions that stop a run; whatever is survivable is an `Issue` instead.

    ConverterError
    ├── OptionError          the caller: an option that cannot be, or not here       exit 2
    ├── SourceError          the source could not be read                            exit 3
    │   └── HttpError            a server did not give it                            exit 3
    ├── DocumentError        it was read, and is broken beyond repair                exit 4
    │   └── UnknownFormatError   it was read, and is no document we know             exit 4
    ├── LimitError           a guard against hostile input struck                    exit 5
    ├── SinkError            the output could not be written                         exit 6
    └── RefusedError         publishing would do harm; the old output stands         exit 7

Each message says what was found, what was wanted, and what to do. Exit codes: docs/cli.md.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ConverterError",
    "DocumentError",
    "HttpError",
    "LimitError",
    "OptionError",
    "RefusedError",
    "SinkError",
    "SourceError",
    "UnknownFormatError",
]


class ConverterError(Exception):
    """Anything that this package raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle with all attributes; `Exception` calls `__init__` without keywords."""
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[ConverterError], args: tuple[object, ...]) -> ConverterError:
    return kind.__new__(kind, *args)


class OptionError(ConverterError):
    """An option, or a combination of options, that cannot be."""


class SourceError(ConverterError):
    """A source is missing, unreadable, or not what a source may be."""


class HttpError(SourceError):
    """A server could not be asked, or did not give what it was asked for.

    Attributes:
        status: what it answered, as 404; None if it gave no whole answer.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class DocumentError(ConverterError):
    """The source was read, but is broken beyond repair.

    Attributes:
        line: where, counted from 1; None if no place can be named.
        column: where in the line, counted from 1; None if unknown.
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class UnknownFormatError(DocumentError):
    """The source was read, but none of the formats claims it, or two do."""


class LimitError(ConverterError):
    """A guard against hostile input struck.

    Attributes:
        limit: the name of the limit, as in `Limits`.
    """

    def __init__(self, message: str, *, limit: str, line: int | None = None) -> None:
        super().__init__(message)
        self.limit = limit
        self.line = line


class SinkError(ConverterError):
    """The output could not be written."""


class RefusedError(ConverterError):
    """Publishing would do harm (no URLs at all, or too few); the old output stands."""
