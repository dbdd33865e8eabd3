"""Sources of a conversion, readers with a fallback, and entries of a program as a document."""

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
    """See `Format.entry_end`."""


class Input(NamedTuple):
    """A source that can be read several times."""

    name: str
    open: Callable[[ReadOptions, Report], Document]
    url: str | None = None
    """The URL after redirects."""
    stored: StoredDocument | None = None
    """None if worker processes cannot read this source."""
    total_bytes: int | None = None
    """As stored, so perhaps compressed; None if unknown."""
    consumed: Callable[[], int] = int
    """Returns how many of these bytes were read; fewer again after a rewind."""


_NOTHING: Final = nullcontext()


class DocumentProxy:
    """A document with the properties of another one, which subclasses change."""

    def __init__(
        self, document: Document, within: AbstractContextManager[object] = _NOTHING
    ) -> None:
        """Wrap a document, whose entries are read within a context."""
        self._document = document
        self._within = within

    @property
    def feed(self) -> Feed:
        """See `Document`."""
        return self._document.feed

    @property
    def children(self) -> tuple[str, ...]:
        """See `Document`."""
        return self._document.children

    @property
    def header_changed(self) -> bool:
        """See `Document`."""
        return self._document.header_changed

    @property
    def entries(self) -> Iterator[Entry]:
        """See `Document`."""
        with self._within:
            yield from self._document.entries


def by_source(report: Report, name: str) -> Report:
    """Return a report that adds the name of the source to issues without one."""
    return lambda issue: report(with_source(issue, name))


def reader_of(source: Format) -> Reader:
    """Return the reader of a format, with the reader for damaged documents as a fallback.

    Raises:
        OptionError: the format has no reader.
    """
    if source.read is None:
        raise OptionError(f"{source.title} cannot be read in this version")
    if source.salvage is None:
        return source.read
    return partial(_WithFallback, source.read, source.salvage)


class _WithFallback(DocumentProxy):
    """A document that a second reader reads if the first one finds no entry."""

    def __init__(
        self, read: Reader, salvage: Reader, stream: BinaryIO, options: ReadOptions, report: Report
    ) -> None:
        super().__init__(read(stream, options, report))
        self._salvage = partial(salvage, stream, options, report)
        self._name = options.name

    @property
    def entries(self) -> Iterator[Entry]:
        entries = self._document.entries
        try:
            first = list(islice(entries, 1))
        except DocumentError:
            with errors_naming(self._name), suppress(DocumentError):
                self._document = self._salvage()
                return self._document.entries
            raise
        return chain(first, entries)


class EntriesDocument:
    """Entries of a program as a `Document` that can be read again.

    The entries of an iterator, which can be read once, are kept in a temporary file.
    """

    children: tuple[str, ...] = ()
    header_changed: bool = False

    def __init__(self, entries: Iterable[Entry], feed: Feed, spool: Spool) -> None:
        self.feed = feed
        self._entries = entries
        self._spool = spool
        self._stored: BinaryIO | None = None

    @property
    def entries(self) -> Iterator[Entry]:
        entries = iter(self._entries)
        return self._stored_entries(entries) if entries is self._entries else entries

    def _stored_entries(self, entries: Iterator[Entry]) -> Iterator[Entry]:
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
