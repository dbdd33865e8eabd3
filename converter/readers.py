"""Readers around readers, and the entries of a program as a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import BinaryIO, NamedTuple

from converter import registry
from converter.edge.sources import Source
from converter.errors import DocumentError, LimitError, OptionError, SourceError
from converter.issues import Report, printable, with_source
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.seams import Document, Format, Reader, Spool

__all__ = [
    "Around",
    "GivenEntries",
    "Input",
    "Stored",
    "by_source",
    "format_of",
    "reader_of",
    "reading",
]


class Stored(NamedTuple):
    """An opened source and its reader."""

    stream: BinaryIO
    read: Reader
    entry_end: str | None = None
    """Where it may be cut: see `Format`."""


class Input(NamedTuple):
    """One source: how to begin to read it, as often as that is needed."""

    name: str
    open: Callable[[ReadOptions, Report], Document]
    stored: Stored | None = None
    """What a worker process can read; None if it cannot read this source."""
    url: str | None = None
    """Where it was fetched from, after redirects."""
    late: Callable[[Report], AbstractContextManager[Input]] | None = None
    """Opens it while it is read, so that more of it may be known; None: it is open, or opens itself
    when it is read."""


class Around:
    """A document as another one gives it; who changes something about it says that alone."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def feed(self) -> Feed:
        """The header so far."""
        return self._document.feed

    @property
    def children(self) -> tuple[str, ...]:
        """What an index names."""
        return self._document.children

    @property
    def is_late(self) -> bool:
        """Is it to be walked again with its complete header?"""
        return self._document.is_late

    @property
    def entries(self) -> Iterator[Entry]:
        """Walk it; once."""
        return self._document.entries


def format_of(source: Source, told: str | None) -> Format:
    """Find out the format of a source: as `--from` says, else by its content and its names.

    Raises:
        DocumentError: it is of no format that is known, or not of the one that was told.
        OptionError: there is no format of that name.
    """
    seen = source.prefix()
    if told is None:
        of, extension = source.media_type, source.extension
        return registry.detect(seen, name=source.name, media_type=of, extension=extension)
    row = registry.by_name(told, "--from")
    registry.claimed(seen, row, name=source.name)
    return row


def by_source(report: Report, name: str) -> Report:
    """Name the source in every issue that names none."""
    return lambda issue: report(with_source(issue, name))


def reader_of(row: Format) -> Reader:
    """Give the reader of a format, with all that is wrapped around it.

    Raises:
        OptionError: it has none.
    """
    if row.read is None:
        raise OptionError(f"{row.title} cannot be read in this version")
    return reading(row.read, row.salvage)


def reading(reader: Reader, salvage: Reader | None = None) -> Reader:
    """Give a reader whose errors name the source, at whatever point of the pass they come.

    Where it could make nothing of a broken document, `salvage` reads that again.
    """

    def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        name = printable(options.name or "the source")
        again = partial(salvage, stream, options, report) if salvage else None
        with _naming(name):
            return _OfSource(reader(stream, options, report), name, again)

    return read


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Put the source's name before what is wrong with it, unless it is there already."""
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


class _OfSource(Around):
    """A document whose errors name its source, and that a second reader may read again."""

    def __init__(self, document: Document, name: str, again: Callable[[], Document] | None) -> None:
        super().__init__(document)
        self._name = name
        self._again = again

    @property
    def children(self) -> tuple[str, ...]:
        with _naming(self._name):  # an index is read for them
            return self._document.children

    @property
    def entries(self) -> Iterator[Entry]:
        found = False
        with _naming(self._name):
            try:
                for entry in self._document.entries:
                    found = True
                    yield entry
            except DocumentError:
                if found or self._again is None:
                    raise
                with suppress(DocumentError):
                    self._document = self._again()
                    for entry in self._document.entries:
                        found = True
                        yield entry
                if not found:
                    raise


class GivenEntries:
    """Entries from a program, as a `Document` that can be read again.

    An iterator is read once; its entries are kept in a temporary file without a name.
    """

    children: tuple[str, ...] = ()
    is_late: bool = False

    def __init__(self, entries: Iterable[Entry], feed: Feed, spool: Spool) -> None:
        self.feed = feed
        self._given = entries
        self._spool = spool
        self._stored: BinaryIO | None = None

    @property
    def entries(self) -> Iterator[Entry]:
        entries = iter(self._given)
        if entries is not self._given:
            return entries
        if self._stored is not None:
            return _load(self._stored)
        self._stored = self._spool()
        return _store(entries, self._stored)


def _store(entries: Iterator[Entry], file: BinaryIO) -> Iterator[Entry]:
    import pickle

    for entry in entries:
        pickle.dump(entry, file)
        yield entry


def _load(file: BinaryIO) -> Iterator[Entry]:
    import pickle

    file.seek(0)
    with suppress(EOFError):
        while True:
            yield pickle.load(file)  # noqa: S301  our own, from a file without a name
