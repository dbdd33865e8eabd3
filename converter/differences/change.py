"""The result of a comparison: changes of pages, and totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

ChangeKind: TypeAlias = Literal["added", "removed", "changed", "older", "same"]
"""`older`: the lastmod went back. Only with `--lastmod-order newer`; else that is `changed`."""

KINDS: Final[tuple[ChangeKind, ...]] = ("added", "removed", "changed", "older", "same")
SHOWN_KINDS: Final = frozenset(KINDS) - {"same"}


class FieldChange(NamedTuple):
    """One value of a page that differs."""

    field: str
    """`lastmod`, `title`, `images`, `videos`, `news`, `alternates` or `hints`."""
    old: str | None
    """None if the old side has no value. Of a set, such as the images: the member that is new."""
    new: str | None
    item: str | None = None
    """The image or video that has the value; None for values of the page."""
    name: str | None = None
    """The name of the value in an image, a video, the news or the hints, as `title`."""

    @property
    def label(self) -> str:
        """The path of the value: `lastmod`, `news/title`, `images[https://…]/title`."""
        item = f"[{self.item}]" if self.item else ""
        return f"{self.field}{item}{f'/{self.name}' if self.name else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A page that differs, or is the same."""

    kind: ChangeKind
    url: str
    fields: tuple[FieldChange, ...] = ()
    """What differs in a page of both sides."""


@dataclass(slots=True, kw_only=True)
class SideTotals:
    """The numbers of one side."""

    names: tuple[str, ...] = ()
    """The sources."""
    formats: set[str] = field(default_factory=set)
    """The formats of its documents, as `sitemap`."""
    urls: int = 0
    """Pages, each once."""
    duplicates: int = 0
    """Entries that were merged with another one of the same page."""
    left_out: int = 0
    """Entries without a usable URL."""
    filtered: int = 0
    """Entries that `--include` and `--exclude` leave out."""


@dataclass(slots=True, kw_only=True)
class DiffTotals:
    """The numbers of a comparison; they are complete when all changes are read."""

    old: SideTotals = field(default_factory=SideTotals)
    new: SideTotals = field(default_factory=SideTotals)
    kinds: Counter[str] = field(default_factory=Counter)
    compared: tuple[str, ...] = ()
    """The fields that were compared, besides the URL."""
    not_compared: tuple[str, ...] = ()
    """The requested fields that a format of a side cannot hold."""
    less_precise: int = 0
    """Pages with an equal lastmod that is less precise on one side."""

    @property
    def is_different(self) -> bool:
        """Return True if a page was added, removed or changed."""
        return any(self.kinds[kind] for kind in SHOWN_KINDS)

    @property
    def removed_percent(self) -> float:
        """The pages that were removed, in percent of the old side."""
        return 100 * self.kinds["removed"] / self.old.urls if self.old.urls else 0.0

    def sentence(self) -> str:
        """Return the summary, as `12 added, 3 removed, 41 changed (2 older), 20,005 same`."""
        number = self.kinds
        older = f" ({number['older']:,} older)" if number["older"] else ""
        changed = number["changed"] + number["older"]
        return (
            f"{number['added']:,} added, {number['removed']:,} removed, "
            f"{changed:,} changed{older}, {number['same']:,} same"
        )

    def count(self, kinds: Iterable[ChangeKind]) -> int:
        """Return the number of pages of these kinds."""
        return sum(self.kinds[kind] for kind in kinds)
