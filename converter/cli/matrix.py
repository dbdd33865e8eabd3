"""What each format can do, and what becomes of each field in it: from the code's own tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime

from converter.model import Entry, Feed
from converter.options import WriteOptions
from converter.registry import FORMATS
from converter.seams import Format, Losses
from converter.vocab.lost.tables import singular

__all__ = ["aligned", "fates", "formats", "notes"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PLAIN = WriteOptions(now=_EPOCH)
_LEGACY = WriteOptions(now=_EPOCH, legacy_tags=True)

#: The fields of an entry, and of its header, in the order of the model, as the tables call them.
_ORDER = ["entry" if field.name == "other" else singular(field.name) for field in fields(Entry)]
_ORDER += [f"feed/{singular(field.name)}" for field in fields(Feed)]

#: What no format loses, and no table names therefore.
_EVERYWHERE = "loc"

Row = tuple[str, ...]


def formats() -> Iterator[Row]:
    """Give a head, and a row for each format."""
    yield "NAME", "READ", "WRITE", "EXTENSIONS", "TITLE"
    for row in FORMATS.values():
        read, write = ("yes" if can else "-" for can in (row.read, row.writer))
        yield row.name, read, write, " ".join(row.extensions) or "-", row.title


def fates() -> Iterator[Row]:
    """Give a head, and a row for each field: what becomes of it in each format.

    `partly` is kept in some place or in some entries, `altered` in all, but otherwise than it was.
    """
    columns = _columns()
    yield "FIELD", *columns
    for field in _fields(columns.values()):
        yield field, *(_fate(field, losses) for losses in columns.values())


def notes() -> Iterator[Row]:
    """Give a head, and for each field that is partly kept or altered: where, and what is left."""
    yield "FIELD", "FORMATS", "WHAT IS LEFT"
    columns = _columns()
    for field in _fields(columns.values()):
        told: dict[str, list[str]] = {}
        for name, losses in columns.items():
            for row in losses.rows:
                if row.name == field and row.left:
                    told.setdefault(row.left, []).append(name)
        for left, names in told.items():
            yield field, ", ".join(names), left


def aligned(rows: Iterable[Row]) -> Iterator[str]:
    """Give rows as lines of a table."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for cells in listed:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _columns() -> Mapping[str, Losses]:
    """Give what each format that is written loses; twice where `--legacy-tags` keeps more."""
    columns: dict[str, Losses] = {}
    for row in FORMATS.values():
        if row.writer is not None:
            columns |= _of_format(row)
    return columns


def _of_format(row: Format) -> Mapping[str, Losses]:
    plain, legacy = row.losses(_PLAIN), row.losses(_LEGACY)
    if {each.name for each in plain.rows} == {each.name for each in legacy.rows}:
        return {row.name: plain}
    return {row.name: plain, f"{row.name}+legacy": legacy}


def _fields(tables: Iterable[Losses]) -> list[str]:
    """Give the name of every field that some format loses: each behind what it is a part of."""
    named = dict.fromkeys((_EVERYWHERE, *(row.name for table in tables for row in table.rows)))
    order = list(dict.fromkeys((*_ORDER, *named)))
    places = {name: at for at, name in enumerate(order)}
    return sorted(named, key=lambda name: [places.get(each, 0) for each in _with_owners(name)])


def _with_owners(name: str) -> list[str]:
    """Give `video`, `video/tags`, `video/tags/weight` for the last of these."""
    parts = name.split("/")
    return ["/".join(parts[: at + 1]) for at in range(len(parts))]


def _fate(field: str, losses: Losses) -> str:
    """Say what a format does to a field; what becomes of the whole becomes of its parts."""
    for name in _with_owners(field):
        rows = [row for row in losses.rows if row.name == name]
        gone = [row for row in rows if not row.is_altered]
        if any(not row.left for row in gone):
            return "lost"
        if name == field and rows:
            return "partly" if gone else "altered"
    return "kept"
