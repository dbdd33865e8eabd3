"""Runs of entries that took the short way: what crosses from one pass to the next all at once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from converter.issues import Code, Issue
from converter.model import Entry, Feed
from converter.record import field, record
from converter.seams.joined import Joined

__all__ = ["Common", "Listed", "Ready"]

T = TypeVar("T")


@record
class Common:
    """What entries that came out of one mould have in common."""

    origin: str = ""
    """Scheme and host of each `loc`."""
    images: int = 0
    videos: int = 0
    prefixes: frozenset[str] = frozenset()
    """The namespace prefixes that the head must declare."""
    lost: tuple[tuple[str, bool], ...] = ()
    """Names of the fields that the target does not hold; True: only altered."""
    lacks_author: bool = False
    codes: tuple[tuple[Code, str | None], ...] = ()
    """Codes and paths of what the writer has to say of each."""


@record(frozen=False)
class Ready:
    """A run of entries that are rendered already, in the order of the document.

    They took the short way (`moulds`). What the passes must still know of them stands here, in
    columns: all lists have one item for each entry, or none where nobody asks for them.
    """

    locs: list[str]
    texts: list[str]
    """As `Rendered.body`, not yet encoded."""
    moulds: Sequence[int]
    """The number of each one's mould."""
    common: Sequence[Common]
    """By these numbers."""
    moments: list[str] = field(default_factory=list)
    """The dates that order them, as RFC 3339 writes them, a day as that; empty text: none."""
    ids: list[str] = field(default_factory=list)
    """As they were written."""
    updates: list[str] = field(default_factory=list)
    """What the writer's `Memory` holds, as RFC 3339 writes it."""
    messages: list[tuple[str, ...]] = field(default_factory=list)
    """What the writer has to say of each: the texts of `Common.codes`."""
    issues: tuple[Issue, ...] = ()
    """Of readers and passes, of any of them."""
    source: str | None = None
    line_of: Callable[[int], int]
    """Gives the line of an entry by its place in the lists."""
    markup_of: Callable[[int], str]
    """Gives the markup of an entry by its place, or where it stands: what `read` takes."""
    read: Callable[[str, int], Entry]
    """Reads an entry the plain way, from its markup and line."""

    def entry_of(self, number: int) -> Entry:
        """Read an entry the plain way, by its place in the lists."""
        return self.read(self.markup_of(number), self.line_of(number))

    def common_of(self, number: int) -> Common:
        """Give what an entry has in common with others, by its place in the lists."""
        return self.common[self.moulds[number]]

    def counted(self) -> list[tuple[Common, int, int]]:
        """Give what entries have in common, how many do, and the place of the first of these."""
        firsts = sorted(map(self.moulds.index, set(self.moulds)))
        return [
            (self.common_of(first), self.moulds.count(self.moulds[first]), first)
            for first in firsts
        ]

    def keep(self, places: Sequence[int]) -> None:
        """Drop all entries but some."""
        line_of, markup_of = self.line_of, self.markup_of
        for name in _COLUMNS:
            if given := getattr(self, name):
                setattr(self, name, [given[place] for place in places])
        self.line_of = lambda number: line_of(places[number])
        self.markup_of = lambda number: markup_of(places[number])


_COLUMNS: Final = ("locs", "texts", "moulds", "moments", "ids", "updates", "messages")


@record(frozen=False)
class Listed:
    """A run of pages of which nothing else is known, and which are rendered already.

    They are lines of a list that took the short way (`moulds.lists`); all lists have one item for
    each page.
    """

    locs: Sequence[str]
    texts: Sequence[str]
    """What is written of each `loc`; the same where that is the `loc` itself."""
    before: str
    behind: str
    """What stands on both sides of each text, in `Rendered.body`."""
    prefixes: frozenset[str]
    """Those that each of them needs."""
    origins: Mapping[str, int] = field(default_factory=dict)
    """How many there are of each scheme and host, in the order in which these come first."""
    lines: Sequence[int]
    feed: Feed
    digests: array[int] | None = None
    """`hash` of each `loc`, where others have made them."""
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
        if isinstance(self.texts, Joined):
            return self.texts.whole
        if not self.texts:
            return ""
        between = self.behind + self.before
        return f"{self.before}{between.join(self.texts)}{self.behind}"

    def entry_of(self, place: int) -> Entry:
        """Give one of them as an entry."""
        return Entry(loc=self.locs[place], line=self.lines[place], feed=self.feed)

    def drop(self, places: Sequence[int]) -> None:
        """Drop some, by their places in order."""
        if isinstance(self.locs, Joined):
            self.locs = self.locs.without(places)
            self.texts = self.locs.written
        else:
            self.locs = _without(self.locs, places)
            self.texts = _without(self.texts, places)
        self.lines = _without(self.lines, places)


def _without(column: Sequence[T], places: Sequence[int]) -> list[T]:
    """Give all but some, by their places in order."""
    left = list(column)
    for place in reversed(places):
        del left[place]
    return left
