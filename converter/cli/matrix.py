"""What each format can do, and what becomes of each field in it: from the code's own tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime

from converter.model import Entry, Feed
from converter.options import WriteOptions
from converter.registry import FORMATS
from converter.seams import Loss
from converter.seams.losses import CLASSES, path_of

__all__ = ["aligned", "fates", "formats", "notes"]

#: What no table names: what no format drops, and what each does.
_KEPT = "loc"
_LOST = ("entry/other", "feed/other")

Row = tuple[str, ...]


def formats() -> Iterator[Row]:
    """Yield a head, and a row for each format."""
    yield "NAME", "READ", "WRITE", "EXTENSIONS", "TITLE"
    for row in FORMATS.values():
        read, write = ("yes" if can else "-" for can in (row.read, row.writer))
        yield row.name, read, write, " ".join(row.extensions) or "-", row.title


def fates() -> Iterator[Row]:
    """Yield a head, and a row for each field: what becomes of it in each format.

    `partly` is kept in some place or in some entries, `altered` in all, but with another value.
    """
    columns = _columns()
    yield "FIELD", *columns
    for name in _names(columns):
        yield name, *(_fate(name, losses) for losses in columns.values())


def notes() -> Iterator[Row]:
    """Yield a head, and for each field that is partly kept or altered: where, and what is left."""
    yield "FIELD", "FORMATS", "WHAT IS LEFT"
    columns = _columns()
    for name in _names(columns):
        formats_by_left: dict[str, list[str]] = {}
        for column, losses in columns.items():
            for loss in losses:
                if loss.name == name and loss.left:
                    formats_by_left.setdefault(loss.left, []).append(column)
        for left, names in formats_by_left.items():
            yield name, ", ".join(names), left


def aligned(rows: Iterable[Row]) -> Iterator[str]:
    """Yield rows as lines of a table."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for cells in listed:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _columns() -> Mapping[str, Sequence[Loss]]:
    """Return the losses of each format that is written, and those with `--legacy-tags`."""
    plain = WriteOptions(now=datetime(1970, 1, 1, tzinfo=UTC))
    columns = {it.name: it.losses(plain).rows for it in FORMATS.values() if it.writer}
    legacy = FORMATS["sitemap"].losses(plain._replace(legacy_tags=True))
    return {**columns, "sitemap+legacy": legacy.rows}


def _names(columns: Mapping[str, Sequence[Loss]]) -> list[str]:
    """Return the name of every field that some format loses, in the order of the model."""
    named = {loss.name for losses in columns.values() for loss in losses}
    return sorted({_KEPT, *named, *_LOST}, key=_place)


def _place(name: str) -> list[int]:
    """Return the indexes of the attributes that lead to a field; headers are last."""
    kind: type = Feed if name.startswith("feed/") else Entry
    place = [int(kind is Feed)]
    for attribute in path_of(name):
        place.append([field.name for field in fields(kind)].index(attribute))
        kind = CLASSES.get(attribute, kind)
    return place


def _fate(name: str, losses: Sequence[Loss]) -> str:
    """Return what a format does to a field; what becomes of the whole becomes of its parts."""
    parts = name.split("/")
    owners = {"/".join(parts[:end]) for end in range(1, len(parts))}
    dropped = {loss.name for loss in losses if not (loss.left or loss.is_altered)}
    if name in _LOST or not dropped.isdisjoint({name, *owners}):
        return "lost"
    own = [loss for loss in losses if loss.name == name]
    if any(not loss.is_altered for loss in own):
        return "partly"
    return "altered" if own else "kept"
