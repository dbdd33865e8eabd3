"""The exceptions that stop a run; what a run survives is an `Issue` instead.

    ConverterError
    ├── OptionError                exit 2
    ├── SourceError                     3
    │   └── HttpError                   3
    ├── DocumentError                   4
    │   └── UnknownFormatError          4
    ├── LimitError                      5
    ├── SinkError                       6
    └── RefusedError                    7

Each message says what was found, what was wanted, and what to do. Exit codes: docs/cli.md.
"""

from __future__ import annotations

from typing import Any


class ConverterError(Exception):
    """Anything that this package raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle with all attributes; `Exception` calls `__init__` without keywords."""
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[ConverterError], args: tuple[object, ...]) -> ConverterError:
    return kind.__new__(kind, *args)


class OptionError(ConverterError):
    """An option, or a combination of options, is not possible; the caller's fault."""


class SourceError(ConverterError):
    """A source is missing, unreadable, or not what a source may be."""


class HttpError(SourceError):
    """A server could not be reached, or did not give what it was asked for."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """What it answered, as 404; None if it gave no whole answer."""


class DocumentError(ConverterError):
    """The source was read, but is broken beyond repair."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        """Counted from 1; None if no place can be named."""
        self.column = column
        """In the line, counted from 1; None if unknown."""


class UnknownFormatError(DocumentError):
    """The source was read, but its format is not known, or is ambiguous."""


class LimitError(ConverterError):
    """The input is beyond a limit that guards against hostile input."""

    def __init__(self, message: str, *, limit: str, line: int | None = None) -> None:
        super().__init__(message)
        self.limit = limit
        """The name of the limit, as in `Limits`."""
        self.line = line


class SinkError(ConverterError):
    """The output could not be written."""


class RefusedError(ConverterError):
    """Publishing would do harm (no URLs at all, or too few); the existing output is unchanged."""
