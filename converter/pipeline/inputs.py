"""Inputs, readers with a fallback, and the entries of a program as a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, Final, NamedTuple

from converter.errors import DocumentError, OptionError
from converter.formats.base import Document, Format, Reader, Spool
from converter.issues import Report, errors_naming, with_source
from converter.model import Entry, Feed
from converter.options import ReadOptions


class StoredDocument(NamedTuple):
    """An opened source and its reader."""

    stream: BinaryIO
    read: Reader
    entry_end: str | None = None
    """Where it may be cut: see `Format`."""


class Input(NamedTuple):
    """One source: how to begin to read it, as often as that is needed."""

    name: str
    open: Callable[[ReadOptions, Report], Document]
    stored: StoredDocument | None = None
    """What a worker process can read; None if it cannot read this source."""
    url: str | None = None
    """Where it was fetched from, after redirects."""
    late: Callable[[Report], AbstractContextManager[Input]] | None = None
    """Context manager that opens the source for a while; None if it is already open."""


_NOTHING: Final = nullcontext()


class DocumentProxy:
    """A document that stands for another one; subclasses change what they need to."""

    def __init__(
        self, document: Document, within: AbstractContextManager[object] = _NOTHING
    ) -> None:
        """Wrap a document, which is walked within a context."""
        self._document = document
        self._within = within

    @property
    def feed(self) -> Feed:
        """The header so far."""
        return self._document.feed

    @property
    def children(self) -> tuple[str, ...]:
        """What an index names."""
        return self._document.children

    @property
    def header_changed(self) -> bool:
        """Is it to be walked again with its complete header?"""
        return self._document.header_changed

    @property
    def entries(self) -> Iterator[Entry]:
        """Walk it; once."""
        with self._within:
            yield from self._document.entries


def by_source(report: Report, name: str) -> Report:
    """Name the source in every issue that names none."""
    return lambda issue: report(with_source(issue, name))


def reader_of(row: Format) -> Reader:
    """Return the reader of a format; where it can make nothing of a document, salvage reads it.

    Raises:
        OptionError: the format has no reader.
    """
    if row.read is None:
        raise OptionError(f"{row.title} cannot be read in this version")
    return row.read if row.salvage is None else partial(_WithFallback, row.read, row.salvage)


class _WithFallback(DocumentProxy):
    """A document that a second reader reads if the first one fails before an entry."""

    def __init__(
        self, read: Reader, salvage: Reader, stream: BinaryIO, options: ReadOptions, report: Report
    ) -> None:
        super().__init__(read(stream, options, report))
        self._again = partial(salvage, stream, options, report)
        self._name = options.name

    @property
    def entries(self) -> Iterator[Entry]:
        entries = self._document.entries
        try:
            first = list(islice(entries, 1))
        except DocumentError:
            with errors_naming(self._name), suppress(DocumentError):
                self._document = self._again()
                return self._document.entries
            raise
        return chain(first, entries)


class EntriesDocument:
    """Entries from a program, as a `Document` that can be read again.

    An iterator is read once; its entries are kept in a temporary file without a name.
    """

    children: tuple[str, ...] = ()
    header_changed: bool = False

    def __init__(self, entries: Iterable[Entry], feed: Feed, spool: Spool) -> None:
        self.feed = feed
        self._given = entries
        self._spool = spool
        self._stored: BinaryIO | None = None

    @property
    def entries(self) -> Iterator[Entry]:
        entries = iter(self._given)
        return self._kept(entries) if entries is self._given else entries

    def _kept(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        import pickle  # takes time to import

        if self._stored is None:
            self._stored = self._spool()
            for entry in entries:
                pickle.dump(entry, self._stored)
                yield entry
            return
        self._stored.seek(0)
        with suppress(EOFError):
            while True:
                yield pickle.load(self._stored)  # noqa: S301  our own, from a file without a name
