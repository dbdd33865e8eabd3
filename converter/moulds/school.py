"""What the plain way teaches of entries, and what is the same for all of one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from converter.issues import Code, Issue
from converter.model import Audio, Entry, Image, News, Video
from converter.moulds.mould import Days, Note, Pages
from converter.record import record, replace
from converter.seams import Common

__all__ = ["Outcome", "School", "Words", "moved"]

T = TypeVar("T", Entry, Image, Video, Audio, News)


class Words(NamedTuple):
    """What a target wants to know of an entry besides its bytes; see `seams.Ready`."""

    moment: str = ""
    id: str = ""
    updated: str = ""
    lacks_author: bool = False
    codes: tuple[tuple[Code, str | None], ...] = ()
    """Codes and paths of what the writer has to say."""
    messages: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What became of one entry on the plain way."""

    entry: Entry
    loc: str
    text: str
    images: int
    videos: int
    prefixes: frozenset[str]
    lost: tuple[tuple[str, bool], ...]
    issues: tuple[Issue, ...]
    words: Words | None = None
    """None: the target does not want to know."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All that differs between entries of one mould."""
        if self.words is None:
            return (self.text,)
        words = self.words
        return (self.text, words.moment, words.id, words.updated, *words.messages)

    def common(self, origin: str) -> Common:
        """Give what it has in common with all entries of its mould."""
        return Common(
            origin=origin,
            images=self.images,
            videos=self.videos,
            prefixes=self.prefixes,
            lost=self.lost,
            lacks_author=self.words is not None and self.words.lacks_author,
            codes=self.words.codes if self.words else (),
        )


@record(frozen=False, kw_only=False)
class School:
    """Where entries are learnt."""

    teach: Callable[[str], Outcome | None]
    """Sends the markup of one entry the plain way."""
    name_of: Callable[[str], str | None]
    """Gives the canonical name of a tag as it is written; None: its prefix is not declared."""
    source: str | None
    """The name of the document."""
    pages: Pages
    days: Days
    issues_of: Callable[[tuple[Note, ...], int | None, str], Iterable[Issue]]
    """Gives what is reported of what is said of a page, from its line and URL."""


def moved(entry: Entry, line: int) -> Entry:
    """Give an entry as it is on another line, with all that stands in it."""
    lines = line - (entry.line or line)

    def down(it: T) -> T:
        return replace(it, line=it.line + lines) if it.line is not None else it

    return replace(
        down(entry),
        images=tuple(map(down, entry.images)),
        videos=tuple(map(down, entry.videos)),
        audios=tuple(map(down, entry.audios)),
        news=None if entry.news is None else down(entry.news),
    )
