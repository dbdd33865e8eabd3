"""Where input and output adapters meet the rest: protocols, and the few values that cross them.

A reader turns a rewindable binary stream into a `Document`; a writer is three pure functions
from values to bytes. Neither opens, fetches, splits, compresses, prints or asks the time.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import (
    BinaryIO,
    Final,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    runtime_checkable,
)

from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed, Moment
from converter.options import ReadOptions, WriteOptions
from converter.record import field, record
from converter.seams.losses import Loss, Losses

__all__ = [
    "Attentive",
    "Document",
    "Format",
    "Item",
    "Lines",
    "Listed",
    "Loss",
    "Losses",
    "Memory",
    "Outline",
    "Part",
    "PartLimits",
    "Raw",
    "Reader",
    "Ready",
    "Rendered",
    "Spool",
    "Told",
    "Trace",
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


Told: TypeAlias = tuple[Code, str, str | None]
"""What a writer has to say of an entry: code, message, path."""

Trace: TypeAlias = tuple[str, str, str, bool, tuple[Told, ...]]
"""What is left of an entry that is rendered already, besides its bytes: the date that orders it and
the `Memory` of its writer, dates as RFC 3339 writes them (a day that orders it, as that), and what
the writer has to say."""


@record(frozen=False)
class Ready:
    """A run of entries that are rendered already, in the order of the document.

    They took the short way (`moulds`). What the passes must still know of them stands here; all
    lists have one item for each entry.
    """

    locs: list[str]
    texts: list[str]
    """As `Rendered.body`, not yet encoded."""
    images: list[int]
    videos: list[int]
    prefixes: list[frozenset[str]]
    origins: list[str]
    """Scheme and host of each `loc`."""
    lost: list[tuple[tuple[str, bool], ...]]
    """Of each, the names of the fields that the target does not hold; True: only altered."""
    traces: list[Trace] = field(default_factory=list)
    """Empty where nobody asks for them: entries keep their order, and the writer forgets them."""
    issues: tuple[Issue, ...] = ()
    """Of readers and passes, of any of them."""
    source: str | None = None
    line_of: Callable[[int], int]
    """Gives the line of an entry by its place in the lists."""
    markup_of: Callable[[int], str]
    """Gives the markup of an entry by its place."""
    read: Callable[[str, int], Entry]
    """Reads an entry the plain way, from its markup and line."""

    def entry_of(self, number: int) -> Entry:
        """Read an entry the plain way, by its place in the lists."""
        return self.read(self.markup_of(number), self.line_of(number))

    def keep(self, places: Sequence[int]) -> None:
        """Drop all entries but some."""
        line_of, markup_of = self.line_of, self.markup_of
        for name in _LISTS:
            if given := getattr(self, name):
                setattr(self, name, [given[place] for place in places])
        self.line_of = lambda number: line_of(places[number])
        self.markup_of = lambda number: markup_of(places[number])


_LISTS: Final = ("locs", "texts", "images", "videos", "prefixes", "origins", "lost", "traces")


@record(frozen=False)
class Listed:
    """A run of pages of which nothing else is known, and which are rendered already.

    They are lines of a list that took the short way (`moulds.lists`); all lists have one item for
    each page.
    """

    locs: list[str]
    texts: list[str]
    """What is written of each `loc`; the same list where that is the `loc` itself."""
    before: str
    behind: str
    """What stands on both sides of each text, in `Rendered.body`."""
    prefixes: frozenset[str]
    """Those that each of them needs."""
    origins: Mapping[str, int] = field(default_factory=dict)
    """How many there are of each scheme and host, in the order in which these come first."""
    lines: Sequence[int]
    feed: Feed
    refused: int = 0
    """How many more lines held a URL, of which none can be published."""
    issues: Sequence[Issue] = ()
    """Of readers and passes, in the order of their lines."""
    stand: Callable[[Mapping[int, str]], bool]
    """Reads the list again, and says whether these pages stand on these lines."""
    captioned: Callable[[Listed], Iterator[Ready | Entry]] | None = None
    """Renders them for a writer that remembers; None: they are rendered as it is said above."""

    @property
    def body(self) -> str:
        """All of it as it is written."""
        if not self.texts:
            return ""
        between = self.behind + self.before
        return f"{self.before}{between.join(self.texts)}{self.behind}"

    def entry_of(self, place: int) -> Entry:
        """Give one of them as an entry."""
        return Entry(loc=self.locs[place], line=self.lines[place], feed=self.feed)

    def drop(self, places: Sequence[int]) -> None:
        """Drop some, by their places in order."""
        self.locs, self.texts = self.locs.copy(), self.texts.copy()
        self.lines = array("Q", self.lines)
        for place in reversed(places):
            del self.locs[place], self.texts[place], self.lines[place]


Item: TypeAlias = Entry | Ready | Listed
"""What goes from pass to pass."""


class Lines(Protocol):
    """A walk over a document of which every line stands for itself."""

    @property
    def feed(self) -> Feed:
        """The header that lines do not have, for their entries."""

    def blocks(self, stream: BinaryIO, /) -> Iterator[tuple[int, list[str]]]:
        """Whole lines by the thousand, with the number of the first of them."""

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
    index: Callable[[list[tuple[str, Moment]]], Iterator[bytes]] | None = None
    """Renders the index of several parts from (public URL, time of writing); None: it has none."""

    def writing(self, options: WriteOptions) -> Writer:
        """Begin to write; `registry.writable` has seen to it that there is a writer."""
        if self.writer is None:
            raise TypeError(f"{self.name} has no writer")
        return self.writer(options)
