"""What each format can do, and what becomes of each field in it: from the code's own tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converter.extensions.field_support import TABLE, loss_rules
from converter.formats.registry import FORMATS

IndexRow = tuple[str, ...]


def formats() -> Iterator[IndexRow]:
    """Yield a head, and a row for each format."""
    yield "NAME", "READ", "WRITE", "EXTENSIONS", "TITLE"
    for row in FORMATS.values():
        read, write = ("yes" if can else "-" for can in (row.read, row.writer))
        yield row.name, read, write, " ".join(row.extensions) or "-", row.title


def fates() -> Iterator[IndexRow]:
    """Yield a head, and a row for each field: what becomes of it in each format.

    `partly` is kept in some place or in some entries, `altered` in all, but with another value.
    """
    yield "FIELD", *TABLE["loc"]
    for name, fates in TABLE.items():
        yield name, *("lost" if fate == "-" else fate for fate in fates.values())


def notes() -> Iterator[IndexRow]:
    """Yield a head, and for each field that is partly kept or altered: where, and what is left."""
    yield "FIELD", "FORMATS", "WHAT IS LEFT"
    formats: dict[tuple[str, str], list[str]] = {}
    for column in TABLE["loc"]:
        for rule in loss_rules(column):
            if rule.kept:
                formats.setdefault((rule.name, rule.kept), []).append(column)
    for name in TABLE:
        for (of, left), columns in formats.items():
            if of == name:
                yield name, ", ".join(columns), left


def aligned(rows: Iterable[IndexRow]) -> Iterator[str]:
    """Yield rows as lines of a table."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for cells in listed:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join(padded).rstrip()
