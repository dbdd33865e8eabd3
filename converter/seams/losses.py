"""What a format has no place for, or holds otherwise than it was (mapping 5).

Tables of rows say so, each with a predicate. `FieldSupport` asks only the predicates that the
fields of an entry can concern, and works that out once for each set of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, cast

from converter.model import Audio, Entry, Feed, Image, Video

__all__ = ["AnyItem", "FieldSupport", "Loss", "Losses", "Omission", "Reason", "reads"]

T = TypeVar("T")


#: Which fields are present: of an entry, and if it has media, of its videos, audios and images.
_Signature: TypeAlias = tuple[tuple[bool, ...], ...]


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


@dataclass(frozen=True, slots=True)
class Losses:
    """What a format has no place for, or holds only altered (mapping 5)."""

    fields: tuple[Loss[Entry], ...] = ()
    of_feed: tuple[Loss[Feed], ...] = ()
    """Looked at once a document, when its header is complete."""
    of_further_feed: tuple[Loss[Feed], ...] | None = None
    """Of a header in whose place another one is written; None: as `of_feed`, for none ever is."""

    omissions: tuple[Omission, ...] = ()
    """What readers and engines would miss: whole videos, images and language versions."""

    @property
    def rows(self) -> tuple[Loss[Any], ...]:
        """What becomes of an entry and of the header that it stands under."""
        return self.fields + self.of_feed

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
    said = {field.name: getattr(feed, field.name) for field in fields(Feed)}
    return Feed(**{name: value for name, value in said.items() if value != getattr(other, name)})


# -- one entry --------------------------------------------------------------------------------

_EMPTY: Final = Entry()

#: How many sets of fields are remembered; documents have a few, a hostile one may have millions.
_MOST_SIGNATURES: Final = 1_000


#: Items without any field that they can do without.
_EMPTY_ITEMS: Final = {"videos": Video(), "audios": Audio(content_url=""), "images": Image(url="")}


@dataclass(frozen=True, slots=True)
class AnyItem:
    """The predicate that one of an entry's videos, audios or images has something."""

    items: str
    has: Callable[[Any], object]

    def __call__(self, entry: Entry) -> bool:
        """Ask each item."""
        for item in getattr(entry, self.items):  # noqa: SIM110  faster than a generator
            if self.has(item):
                return True
        return False


class _Recorder:
    """An entry or an item without any field, which records the fields that are read."""

    def __init__(self, empty: object) -> None:
        self.names: set[str] = set()
        self._empty = empty

    def __getattr__(self, name: str) -> Any:
        self.names.add(name)
        return getattr(self._empty, name)


def reads(predicate: Callable[[Entry], object]) -> frozenset[str] | None:
    """Return the fields that a predicate reads of an empty entry; None if it is true of that.

    As long as an entry has none of these, the predicate reads no other field, and is false. A
    field of items is `videos.title`.
    """
    if isinstance(predicate, AnyItem):
        recorder = _Recorder(_EMPTY_ITEMS[predicate.items])
        if predicate.has(recorder):
            return frozenset((predicate.items,))
        return frozenset(f"{predicate.items}.{name}" for name in recorder.names)
    recorder = _Recorder(_EMPTY)
    if predicate(cast("Entry", recorder)):
        return None
    return frozenset(recorder.names)


class _Fields:
    """The fields of an entry, or of one kind of items, whose presence matters."""

    def __init__(self, names: Iterable[str], empty: object) -> None:
        self.names = sorted(names)
        self._values = attrgetter(*self.names)
        self._defaults = self._values(empty)

    def present(self, given: object) -> tuple[bool, ...]:
        """Say of each field whether it is set."""
        return tuple(map(is_not, self._values(given), self._defaults))


class FieldSupport:
    """Which rows of a table apply to an entry."""

    def __init__(self, losses: Losses) -> None:
        self._rows = [(row, reads(row.has)) for row in losses.fields]
        self._omissions = [(omission, reads(omission.count)) for omission in losses.omissions]
        read = set[str]().union(*(names or () for _, names in (*self._rows, *self._omissions)))
        # two more: of one name, attrgetter gives no tuple
        self._fields = _Fields({"id", "loc"} | {n for n in read if "." not in n}, _EMPTY)
        self._items = {
            kind: _Fields({"title", "words"} | _after(f"{kind}.", read), empty)
            for kind, empty in _EMPTY_ITEMS.items()
        }
        self._known: dict[_Signature, tuple[Sequence[Loss[Entry]], Sequence[Omission]]] = {}

    def of(self, entry: Entry) -> tuple[list[Loss[Entry]], Sequence[Omission]]:
        """Return the losses of an entry, and the omissions whose items it may have."""
        signature: _Signature = (self._fields.present(entry),)
        if entry.videos or entry.audios or entry.images:
            signature = (*signature, *self._of_items(entry))
        known = self._known.get(signature)
        if known is None:
            known = self._select(signature)
        losses: list[Loss[Entry]] = []
        for row in known[0]:
            if row.has(entry):
                if row.parts is None:
                    losses.append(row)
                else:
                    losses += row.each(entry)
        return losses, known[1]

    def _of_items(self, entry: Entry) -> Iterator[tuple[bool, ...]]:
        """Say of each field of each kind of items whether one of them has it."""
        for kind, of_kind in self._items.items():
            present = [of_kind.present(item) for item in getattr(entry, kind)]
            yield present[0] if len(present) == 1 else tuple(map(any, zip(*present, strict=True)))

    def _select(self, signature: _Signature) -> tuple[Sequence[Loss[Entry]], Sequence[Omission]]:
        """Select what the present fields can concern."""
        present = set(compress(self._fields.names, signature[0]))
        for flags, (kind, of_kind) in zip(signature[1:], self._items.items(), strict=False):
            present.update(f"{kind}.{name}" for name in compress(of_kind.names, flags))
            if flags:
                present.add(kind)
        if len(self._known) >= _MOST_SIGNATURES:
            self._known.clear()
        self._known[signature] = selected = (
            [row for row, names in self._rows if names is None or names & present],
            [omission for omission, names in self._omissions if names is None or names & present],
        )
        return selected


def _after(prefix: str, names: Iterable[str]) -> set[str]:
    return {name.removeprefix(prefix) for name in names if name.startswith(prefix)}
