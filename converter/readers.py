"""Readers around readers: one that names its source in errors, one that has a second try."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from converter.errors import DocumentError, LimitError, OptionError, SourceError
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.seams import Document, Format, Reader

__all__ = ["named", "reader_of", "salvaged", "unbroken"]


def reader_of(row: Format) -> Reader:
    """Give the reader of a format, with all that is wrapped around it.

    Raises:
        OptionError: it has none.
    """
    if row.read is None:
        raise OptionError(f"{row.title} cannot be read in this version")
    return named(row.read if row.salvage is None else salvaged(row.read, row.salvage))


def salvaged(reader: Reader, salvage: Reader) -> Reader:
    """Give a reader that turns to another one when it could make nothing of a document."""

    def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        return _Salvaged(reader, salvage, stream, options, report)

    return read


class _Salvaged:
    """A document that is read again by the second reader if the first one finds no entry."""

    def __init__(
        self,
        reader: Reader,
        salvage: Reader,
        stream: BinaryIO,
        options: ReadOptions,
        report: Report,
    ) -> None:
        self._document = reader(stream, options, report)
        self._again: Callable[[], Document] = lambda: salvage(stream, options, report)

    @property
    def feed(self) -> Feed:
        return self._document.feed

    @property
    def children(self) -> tuple[str, ...]:
        return self._document.children

    @property
    def is_late(self) -> bool:
        return self._document.is_late

    @property
    def entries(self) -> Iterator[Entry]:
        found = False
        try:
            for entry in self._document.entries:
                found = True
                yield entry
        except DocumentError as broken:
            if found:
                raise
            with suppress(DocumentError):
                self._document = self._again()
                for entry in self._document.entries:
                    found = True
                    yield entry
            if not found:
                raise broken from None


def named(reader: Reader) -> Reader:
    """Give a reader whose errors name the source, at whatever point of the walk they come."""

    def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        name = printable(options.name or "the source")
        with _naming(name):
            return _Named(reader(stream, options, report), name)

    return read


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Put the source's name before what is wrong with it, unless it stands there already."""
    try:
        yield
    except (DocumentError, LimitError) as error:
        if not str(error).startswith(f"{name}: "):
            error.args = (f"{name}: {error}",)
        raise
    except BrokenPipeError:
        raise  # of whoever listens to the report
    except OSError as error:
        said = error.strerror or str(error)
        raise SourceError(f"{name}: it cannot be read to its end: {said}") from error


class _Named:
    """A document that names its source in the errors of its walk."""

    def __init__(self, document: Document, name: str) -> None:
        self._document = document
        self._name = name

    @property
    def feed(self) -> Feed:
        return self._document.feed

    @property
    def children(self) -> tuple[str, ...]:
        with _naming(self._name):  # an index is read for them
            return self._document.children

    @property
    def is_late(self) -> bool:
        return self._document.is_late

    @property
    def entries(self) -> Iterator[Entry]:
        with _naming(self._name):
            yield from self._document.entries


def unbroken(path: str, report: Report) -> Report:
    """Refuse an output that stands there if not all of it can be read: the rest would be lost.

    Raises:
        SourceError: that is what comes of it, when something is reported.
    """

    def told(issue: Issue) -> None:
        if issue.code in {Code.XML_BROKEN, Code.GZIP_REPAIRED}:
            raise SourceError(
                f"{printable(issue.source or path)}: {issue.message}. It is part of the output "
                "that stands there: put it right, or remove all of that to write it anew"
            )
        report(issue)

    return told
