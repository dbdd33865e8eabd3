"""Where input and output adapters meet the rest: protocols, and the few values that cross them.

A reader turns a rewindable binary stream into a `Document`; a writer is three pure functions
from values to bytes. Neither opens, fetches, splits, compresses, prints or asks the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from operator import attrgetter
from typing import (
    Any,
    BinaryIO,
    Final,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
)

from converter.errors import OptionError
from converter.extensions.field_support.rules import FieldLoss, FieldSupport, Reason
from converter.issues import Issue, Report
from converter.model import Entry, Feed, Moment
from converter.options import ReadOptions, WriteOptions


class Header(Protocol):
    """What is before the entries of a document, and behind them."""

    @property
    def feed(self) -> Feed:
        """The header as far as it was read; complete once all entries are."""

    @property
    def header_changed(self) -> bool:
        """A header field that entries depend on came after the first of them."""


class Document(Header, Protocol):
    """What a reader gives back. `entries` can be walked once; one entry is held at a time."""

    @property
    def entries(self) -> Iterator[Entry]:
        """In document order."""

    @property
    def children(self) -> tuple[str, ...]:
        """The sitemaps that an index names; readers never open them."""


class SimpleDocument(NamedTuple):
    """A `Document` with a header that does not change, and without children."""

    feed: Feed
    entries: Iterator[Entry]
    children: tuple[str, ...] = ()
    header_changed: bool = False


class Reader(Protocol):
    """Reads a rewindable stream from its beginning."""

    def __call__(self, stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        """Begin to read.

        Raises:
            DocumentError: at any time, also while entries are walked.
            LimitError: a guard struck; likewise.
        """


#: A change of a count: which one, of what, and by how much.
CountChange: TypeAlias = tuple[
    Literal["lost", "altered", "left_out", "present"], "str | Reason", int
]


@dataclass(slots=True, eq=False)
class Rendered:
    """One entry behind the first stage: read, cleaned, filtered, and in the bytes of a format.

    What belongs to this entry alone goes with it: if a later step drops the entry, its counts and
    issues are dropped, too. A writer states the fields up to `dates_ahead`.
    """

    body: bytes = b""
    """Empty: it is not rendered yet, or the format cannot hold it."""
    prefixes: frozenset[str] = frozenset()
    """The namespace prefixes that the head must declare for it."""
    images: int = 0
    videos: int = 0
    news: int = 0
    dates: int = 0
    """How many dates were considered for it."""
    dates_ahead: int = 0
    """How many of them lie after the time of the run."""
    loc: str | None = None
    line: int | None = None
    source: str | None = None
    """The name of the document that it comes from."""
    key: bytes | None = None
    """Digest of what duplicates have in common; None: it is a duplicate of no other entry."""
    date: int = 0
    """What a sort by date compares; only where there is such a sort."""
    is_pending: bool = False
    """It has duplicates, which must be merged before it is rendered."""
    is_dropped: bool = False
    """It does not come into the output, and was taken along for its duplicates alone."""
    is_rendered: bool = False
    losses: tuple[FieldLoss, ...] = ()
    """Fields that the format does not hold, or not as they are."""
    changes: tuple[CountChange, ...] = ()
    """What else is counted because of it."""
    issues: Sequence[Issue] = ()
    """Of the writer, and of lost fields."""
    error: OptionError | None = None
    """The options do not allow to write it."""
    entry: Entry | None = None
    """None: another process has it."""

    def row(self, *, with_entry: bool) -> tuple[object, ...]:
        """Return the fields as a tuple, which is pickled quickly; `Rendered(*row)` reverses it."""
        return (*_ALL_BUT_ENTRY(self), self.entry if with_entry else None)


_ALL_BUT_ENTRY: Final = attrgetter(*(field.name for field in fields(Rendered)[:-1]))


class Writer(Protocol):
    """From values to bytes; the head is asked for last, when everything is known."""

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        """Render one entry; None: it cannot be told in this format, which was reported."""

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render what stands before the first entry."""

    def tail(self, feed: Feed, /) -> bytes:
        """Render what stands behind the last entry."""

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report what only the end of everything shows.

        Args:
            report: takes the issues.
            dates: the sums of `Rendered.dates` and `dates_ahead` of what was written; None: of
                all that this writer has rendered.
        """


Spool = Callable[[], BinaryIO]
"""Makes a temporary file for what must not stay in memory; it lies beside the output."""


class PartLimits(NamedTuple):
    """What one file of a format may hold; None: no limit."""

    max_entries: int | None = None
    max_bytes: int | None = None
    """Uncompressed, with head and tail."""
    max_news: int | None = None


_NO_LIMITS: Final = PartLimits()


class Part(NamedTuple):
    """One file's worth of output; walk `chunks` once, before the next part is asked for."""

    number: int
    """From 1."""
    chunks: Iterator[bytes]
    entries: int
    images: int
    videos: int
    news: int
    raw_bytes: int
    """Uncompressed."""


@dataclass(slots=True, kw_only=True, eq=False)
class Format:
    """A row of the registry."""

    name: str
    title: str
    extensions: tuple[str, ...]
    media_types: tuple[str, ...] = ()
    sniff: Callable[[bytes], bool] | None = None
    """Is this prefix (4 KiB, decoded to UTF-8) mine? Two claims are an error."""
    read: Reader | None = None
    salvage: Reader | None = None
    """Reads what `read` could make nothing of."""
    writer: Callable[[WriteOptions], Writer] | None = None
    separator: bytes = b""
    """Between two rendered entries."""
    part_limits: PartLimits = _NO_LIMITS
    order: Literal["input", "newest"] = "input"
    """The order of entries, where none is asked for."""
    losses: Callable[[WriteOptions], FieldSupport] = FieldSupport
    """What is lost of an entry, and of a header, that is written so."""
    needs_loc: bool = False
    """It lists pages: an entry without one cannot be told in it, and a page is listed once."""
    needs_iri: bool = False
    """Ids in it are absolute IRIs."""
    renders_alone: Callable[[WriteOptions], bool] = lambda _: False
    """Does a writer with these options render an entry without regard to the others?"""
    entry_end: str | None = None
    """Where a large document may be cut: behind elements of this name, or behind each line
    (`\n`); None: nowhere."""
    index: Callable[[list[tuple[str, Moment | None]]], Iterator[bytes]] | None = None
    """Renders the index of several parts from (public URL, time of writing, where that is known);
    None: it has none."""

    def writing(self, options: WriteOptions) -> Writer:
        """Begin to write; `registry.writable` has seen to it that there is a writer."""
        if self.writer is None:
            raise TypeError(f"{self.name} has no writer")
        return self.writer(options)


def call(module: str, name: str, *arguments: Any) -> Any:
    """Import a module when it is needed, and call a function or a class of it."""
    return getattr(import_module(module), name)(*arguments)
