"""Protocols of readers and writers, the values that they exchange, and `Format`.

A reader turns a rewindable binary stream into a `Document`; a writer turns entries and headers
into bytes. Neither opens, fetches, splits, compresses, prints or asks the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, BinaryIO, Final, Literal, NamedTuple, Protocol, TypeAlias

from converter.errors import OptionError
from converter.extensions.field_support.rules import FieldLoss, FieldSupport, OmissionReason
from converter.issues import Issue, Report
from converter.model import Entry, Feed, Moment
from converter.options import ReadOptions, WriteOptions


class Header(Protocol):
    """The header of a document."""

    @property
    def feed(self) -> Feed:
        """The header as far as it was read; it is complete when all entries are read."""

    @property
    def header_changed(self) -> bool:
        """True if a header field that entries depend on came after the first entry."""


class Document(Header, Protocol):
    """A document that a reader has begun to read."""

    @property
    def entries(self) -> Iterator[Entry]:
        """The entries in document order; they can be read once, one at a time."""

    @property
    def children(self) -> tuple[str, ...]:
        """The URLs of the sitemaps of an index; readers do not open them."""


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
            DocumentError: the document cannot be read; at any time, also while entries are read.
            LimitError: a limit is exceeded; likewise.
        """


CountChange: TypeAlias = tuple[
    Literal["lost", "altered", "left_out", "present"], "str | OmissionReason", int
]
"""The name of a count, the field or reason that it counts, and the number to add."""


@dataclass(slots=True, eq=False)
class Rendered:
    """One entry after the first stage: read, cleaned, filtered, and in the bytes of a format.

    It has its own counts and issues: a later step that drops the entry drops them, too. A writer
    sets the fields up to `dates_ahead`.
    """

    body: bytes = b""
    """Empty if the entry is not rendered yet, or the format cannot hold it."""
    prefixes: frozenset[str] = frozenset()
    """The namespace prefixes in it, which the head must declare."""
    images: int = 0
    videos: int = 0
    news: int = 0
    dates: int = 0
    """The number of dates that were considered."""
    dates_ahead: int = 0
    """The number of these dates that are after the time of the run."""
    loc: str | None = None
    line: int | None = None
    source: str | None = None
    """The name of the document of the entry."""
    key: bytes | None = None
    """Digest of what duplicates have in common; None if the entry cannot have duplicates."""
    date: int = 0
    """The key of a sort by date."""
    has_duplicates: bool = False
    """It must be merged with its duplicates before it is rendered."""
    is_dropped: bool = False
    """It does not come into the output; only its duplicates may."""
    is_rendered: bool = False
    losses: tuple[FieldLoss, ...] = ()
    """Fields that the format drops or alters."""
    changes: tuple[CountChange, ...] = ()
    """Other counts that change with it."""
    issues: Sequence[Issue] = ()
    """The issues of the writer and about lost fields."""
    error: OptionError | None = None
    """The options do not allow to write it."""
    entry: Entry | None = None
    """None if another process has it."""


class Writer(Protocol):
    """Renders entries, and last the head, when header and prefixes are known."""

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        """Render one entry; report why and return None if the format cannot hold it."""

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render the part of a file before the first entry."""

    def tail(self, feed: Feed, /) -> bytes:
        """Render the part of a file after the last entry."""

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report what only the end of the output shows.

        Args:
            report: takes the issues.
            dates: the sums of `Rendered.dates` and `dates_ahead` of the written entries; None: of
                all entries that this writer has rendered.
        """


Spool = Callable[[], BinaryIO]
"""Makes a temporary file for what must not stay in memory; it lies beside the output."""


class PartLimits(NamedTuple):
    """The limits of one file of a format; None: no limit."""

    max_entries: int | None = None
    max_bytes: int | None = None
    """Uncompressed, with head and tail."""
    max_news: int | None = None


_NO_LIMITS: Final = PartLimits()

Content: TypeAlias = Literal["xml", "json", "html", "text", "binary", "nothing"]
"""What a document holds, as far as its beginning shows."""


class Part(NamedTuple):
    """One file of the output; its `chunks` must be read before the next part is requested."""

    number: int
    """The first part is 1."""
    chunks: Iterator[bytes]
    entries: int
    images: int
    videos: int
    news: int
    raw_bytes: int
    """Uncompressed."""


@dataclass(slots=True, kw_only=True, eq=False)
class Format:
    """A format of the registry."""

    name: str
    title: str
    extensions: tuple[str, ...]
    other_extensions: tuple[str, ...] = ()
    """Extensions of other formats that its outputs may have, too."""
    media_types: tuple[str, ...] = ()
    sniff: Callable[[bytes], bool] | None = None
    """Returns True if a document with this prefix (4 KiB in UTF-8) has the format."""
    contents: tuple[Content, ...] = ("xml", "text")
    """What a document without such a prefix may hold, if `--from` names the format."""
    read: Reader | None = None
    salvage: Reader | None = None
    """Reads documents of which `read` finds no entry."""
    writer: Callable[[WriteOptions], Writer] | None = None
    separator: bytes = b""
    """Between two rendered entries."""
    part_limits: PartLimits = _NO_LIMITS
    is_feed: bool = False
    """It has a header, and its entries are in the order of their dates, the newest first."""
    losses: Callable[[WriteOptions], FieldSupport] = FieldSupport
    """Returns what the format drops or alters."""
    needs_loc: bool = False
    """It lists pages: it cannot hold an entry without a page, and lists a page once."""
    needs_iri: bool = False
    """Its ids are absolute IRIs."""
    renders_alone: Callable[[WriteOptions], bool] = lambda _: False
    """Returns True if a writer with these options renders each entry by itself."""
    entry_end: str | None = None
    """The element after which a large document may be cut, or a line feed; None if it may not."""
    index: Callable[[list[tuple[str, Moment | None]]], Iterator[bytes]] | None = None
    """Renders the index of several parts from public URLs and times of writing, if known."""

    def new_writer(self, options: WriteOptions) -> Writer:
        """Return a writer; `registry.writable` checks that the format has one."""
        if self.writer is None:
            raise TypeError(f"{self.name} has no writer")
        return self.writer(options)


def import_and_call(module: str, name: str, *arguments: Any) -> Any:
    """Import a module when it is needed, and call a function or a class of it."""
    return getattr(import_module(module), name)(*arguments)
