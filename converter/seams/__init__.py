"""Where input and output adapters meet the rest: protocols, and the few values that cross them.

A reader turns a rewindable binary stream into a `Document`; a writer is three pure functions
from values to bytes. Neither opens, fetches, splits, compresses, prints or asks the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import (
    BinaryIO,
    Literal,
    Protocol,
)

from converter.issues import Report
from converter.model import Entry, Feed, Moment
from converter.options import ReadOptions, WriteOptions
from converter.seams.losses import FieldSupport, Loss, Losses, LossRule, Omission, Reason

__all__ = [
    "Document",
    "FieldSupport",
    "Format",
    "Loss",
    "LossRule",
    "Losses",
    "Omission",
    "Part",
    "PartLimits",
    "Reader",
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


@dataclass(slots=True)
class Rendered:
    """One entry in the bytes of a format."""

    body: bytes
    prefixes: frozenset[str] = frozenset()
    """The namespace prefixes that the head must declare for it."""
    images: int = 0
    videos: int = 0
    news: int = 0


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


Spool = Callable[[], BinaryIO]
"""Makes a temporary file for what must not stay in memory; it lies beside the output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLimits:
    """What one file of a format may hold; None: no limit."""

    max_entries: int | None = None
    max_bytes: int | None = None
    """Uncompressed, with head and tail."""
    max_news: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
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
    part_limits: PartLimits = PartLimits()
    order: Literal["input", "newest"] = "input"
    """The order of entries, where none is asked for."""
    losses: Callable[[WriteOptions], Losses] = lambda _: Losses()
    """What is lost of an entry, and of a header, that is written so."""
    needs_loc: bool = False
    """It lists pages: an entry without one cannot be told in it, and a page is listed once."""
    needs_iri: bool = False
    """Ids in it are absolute IRIs."""
    index: Callable[[list[tuple[str, Moment | None]]], Iterator[bytes]] | None = None
    """Renders the index of several parts from (public URL, time of writing, where that is known);
    None: it has none."""

    def writing(self, options: WriteOptions) -> Writer:
        """Begin to write; `registry.writable` has seen to it that there is a writer."""
        if self.writer is None:
            raise TypeError(f"{self.name} has no writer")
        return self.writer(options)
