"""What a format has no place for, or holds otherwise than it was (mapping 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from converter.model import Entry, Feed
from converter.record import field_names, record

__all__ = ["Loss", "Losses", "Omission", "Reason"]

T = TypeVar("T")


class Loss(NamedTuple, Generic[T]):
    """A field of an entry, or of a header, that a format has no place for, or holds otherwise."""

    name: str
    """As `video/title`; a name without a slash speaks of all that begins with it. Fields of a
    header begin with `feed/`."""
    has: Callable[[T], object]
    """Does this entry, or this header, lose it?"""
    left: str = ""
    """What remains of it, or where it does remain; empty: nothing."""
    is_altered: bool = False
    """It is there, but cut, rounded or said otherwise."""
    parts: Callable[[T], Iterable[str]] | None = None
    """Gives what is counted in its place, each as a part of it; None: it is counted itself."""

    def each(self, given: T) -> Iterator[Loss[T]]:
        """What of it this entry, or this header, loses."""
        if not self.has(given):
            return
        if self.parts is None:
            yield self
            return
        yield from (self._replace(name=f"{self.name}/{part}") for part in self.parts(given))

    def fate(self, target: str) -> str:
        """Say what becomes of it in a format."""
        if self.is_altered:
            return f"{self.name} is not the same in {target}: {self.left}"
        if self.left:
            return f"{self.name} is left out; {target} keeps only {self.left}"
        return f"{self.name} has no place in {target}; left out"


class Reason(NamedTuple):
    """Why an entry, or an item of one, is not in the output."""

    item: str
    """`entry`, `video`, `image` or `language` (a version of the page in another language)."""
    why: str
    kept_by: tuple[str, ...] = ()
    """The formats of the same family that would hold it."""


class Omission(NamedTuple):
    """Items of an entry that a format leaves out."""

    reason: Reason
    count: Callable[[Entry], int]


@record(kw_only=False)
class Losses:
    """What a format has no place for, or holds only altered (mapping 5)."""

    fields: tuple[Loss[Entry], ...] = ()
    of_media: tuple[Loss[Entry], ...] = ()
    """Looked at only where an entry has media: most have none."""
    of_podcast: tuple[Loss[Entry], ...] = ()
    """Likewise, where it is an episode of a podcast."""
    of_feed: tuple[Loss[Feed], ...] = ()
    """Looked at once a document, when its header is complete."""
    of_further_feed: tuple[Loss[Feed], ...] | None = None
    """Of a header in whose place another one is written; None: as `of_feed`, for none ever is."""

    omissions: tuple[Omission, ...] = ()
    """What readers and engines would miss: whole videos, images and language versions."""

    @property
    def rows(self) -> tuple[Loss[Any], ...]:
        """What becomes of an entry and of the header that it stands under."""
        return self.fields + self.of_media + self.of_podcast + self.of_feed

    def of(self, entry: Entry) -> Iterator[Loss[Entry]]:
        """The fields that this entry has and the format has not, or not so."""
        rows = self.fields
        if entry.videos or entry.audios or entry.images:
            rows += self.of_media
        if entry.podcast:
            rows += self.of_podcast
        for row in rows:
            if not row.has(entry):
                continue
            if row.parts is None:
                yield row
            else:
                yield from row.each(entry)

    def of_header(self, feed: Feed, written: Feed | None = None) -> Iterator[Loss[Feed]]:
        """The fields that this header has and the format has not, or not so.

        Args:
            feed: the header.
            written: the one that is written in its place, so that only what both say is kept;
                None: this one is.
        """
        if written is None or self.of_further_feed is None:
            return (loss for row in self.of_feed for loss in row.each(feed))
        rest = _beyond(feed, written)
        return (loss for row in self.of_further_feed for loss in row.each(rest))


def _beyond(feed: Feed, other: Feed) -> Feed:
    """Give what a header says that another one does not say, too."""
    said = {name: getattr(feed, name) for name in field_names(Feed)}
    return Feed(**{name: value for name, value in said.items() if value != getattr(other, name)})
