"""Where input and output adapters meet the rest: protocols, and the few values that cross them.

A reader turns a rewindable binary stream into a `Document`; a writer is three pure functions
from values to bytes. Neither opens, fetches, splits, compresses, prints or asks the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import (
    BinaryIO,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    runtime_checkable,
)

from converter.issues import Report
from converter.model import Entry, Feed, Moment
from converter.options import ReadOptions, WriteOptions
from converter.record import record
from converter.seams.joined import Joined
from converter.seams.losses import Loss, Losses, Omission, Reason
from converter.seams.runs import Common, Listed, Ready

__all__ = [
    "Attentive",
    "Common",
    "Document",
    "Format",
    "Item",
    "Joined",
    "Lines",
    "Listed",
    "Loss",
    "Losses",
    "Memory",
    "Omission",
    "Outline",
    "Part",
    "PartLimits",
    "Raw",
    "Reader",
    "Ready",
    "Reason",
    "Rendered",
    "Spool",
    "Writer",
]


class Document(Protocol):
    """What a reader gives back. `entries` can be walked once; one entry is held at a time."""

    @property
    def feed(self) -> Feed:
        """The header as far as it was read; complete once `entries` is exhausted."""

    @property
    def entries(self) -> Iterator[Entry]:
        """In document order."""

    @property
    def children(self) -> tuple[str, ...]:
        """The sitemaps that an index names; readers never open them."""

    @property
    def is_late(self) -> bool:
        """A header field that entries depend on came after the first of them."""


class Reader(Protocol):
    """Reads a rewindable stream from its beginning."""

    def __call__(self, stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        """Begin to read.

        Raises:
            DocumentError: at any time, also while entries are walked.
            LimitError: a guard struck; likewise.
        """


class Memory(NamedTuple):
    """What a writer remembers of an entry, for its head and for later entries."""

    id: str = ""
    """As it was written."""
    updated: Moment | None = None
    lacks_author: bool = False


@record(kw_only=False)
class Rendered:
    """One entry in the bytes of a format."""

    body: bytes
    prefixes: frozenset[str] = frozenset()
    """The namespace prefixes that the head must declare for it."""
    images: int = 0
    videos: int = 0
    news: int = 0
    memory: Memory | None = Memory()
    """None: what was written depends on earlier entries."""


Item: TypeAlias = Entry | Ready | Listed
"""What goes from pass to pass."""


class Lines(Protocol):
    """A walk over a document of which every line stands for itself."""

    @property
    def feed(self) -> Feed:
        """The header that lines do not have, for their entries."""

    def slices(self, stream: BinaryIO, begin: int = 0, /) -> Iterator[bytes]:
        """Whole lines by the thousand, in UTF-8 and each with its LF, from a place on."""

    def is_plain(self, prefix: bytes, /) -> bool:
        """Say whether a document that begins so can be cut behind any line."""

    def end_of(self, data: bytes, /) -> int:
        """Find where the last whole line ends; 0: nowhere."""

    def ended(self, lines: bytes, /) -> bytes:
        """Give lines that were cut out as a slice."""

    def split(self, data: bytes, /) -> list[str]:
        """The lines of a slice."""

    def loc(self, line: str, number: int, /) -> str | None:
        """The URL of a line; what it is else, is reported."""

    def conclude(self, found: int, /) -> None:
        """See whether that was such a document, by how many URLs were found.

        Raises:
            DocumentError: it was not.
        """


@record(kw_only=False)
class Outline:
    """How entries stand in a format's markup, for those that read ahead of its reader."""

    tag: str
    home: str
    """The prefix of the namespace whose names are written without one in `xml.names`."""
    placeholder: str
    """An entry that says nothing but `%s`, in its id or page."""


@record(kw_only=False)
class Raw:
    """A source that may be read ahead of its reader, or otherwise than by it."""

    stream: BinaryIO
    reader: Reader
    known_bytes: int
    """How much of it was looked at; a smaller source is no larger than that."""
    outline: Outline | None
    lines: Callable[[ReadOptions, Report], Lines] | None
    """Begins to read a list by its lines."""


class Writer(Protocol):
    """From values to bytes; the head is asked for last, when everything is known."""

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        """Render one entry; None: it cannot be told in this format, which was reported."""

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        """Render what stands before the first entry."""

    def tail(self, feed: Feed, /) -> bytes:
        """Render what stands behind the last entry."""

    def finish(self, report: Report, /) -> None:
        """Report what only the end of everything shows."""


@runtime_checkable
class Attentive(Protocol):
    """A writer that remembers entries: what it writes of one may depend on those before it."""

    def see(self, run: Ready, start: int, /) -> int:
        """Remember entries that are rendered already, from a place on.

        Give the place of the first that must be rendered again, of which nothing is remembered;
        how many there are, if there is none.
        """


Spool = Callable[[], BinaryIO]
"""Makes a temporary file for what must not stay in memory; it lies beside the output."""


@record
class PartLimits:
    """What one file of a format may hold; None: no limit."""

    max_entries: int | None = None
    max_bytes: int | None = None
    """Uncompressed, with head and tail."""
    max_news: int | None = None


@record
class Part:
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


@record
class Format:
    """A row of the registry."""

    name: str
    title: str
    extensions: tuple[str, ...]
    media_types: tuple[str, ...] = ()
    sniff: Callable[[bytes], bool] | None = None
    """Is this prefix (4 KiB, decoded to UTF-8) mine? Two claims are an error."""
    outline: Outline | None = None
    """None: nobody can read ahead of `read`."""
    lines: Callable[[ReadOptions, Report], Lines] | None = None
    """Begins a walk by lines; None: they do not stand for themselves."""
    read: Reader | None = None
    salvage: Reader | None = None
    """Reads what `read` could make nothing of."""
    writer: Callable[[WriteOptions], Writer] | None = None
    part_limits: PartLimits = PartLimits()
    order: Literal["input", "newest"] = "input"
    """The order of entries, where none is asked for."""
    losses: Callable[[WriteOptions], Losses] = lambda _: Losses()
    """What is lost of an entry, and of a header, that is written so."""
    needs_loc: bool = False
    """An entry without a page cannot be told in it."""
    index: Callable[[list[tuple[str, Moment | None]]], Iterator[bytes]] | None = None
    """Renders the index of several parts from (public URL, time of writing, where that is known);
    None: it has none."""

    def writing(self, options: WriteOptions) -> Writer:
        """Begin to write; `registry.writable` has seen to it that there is a writer."""
        if self.writer is None:
            raise TypeError(f"{self.name} has no writer")
        return self.writer(options)
