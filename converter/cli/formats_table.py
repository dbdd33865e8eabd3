"""Tables of the formats and of the fields that each keeps, made from the code's own tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converter.extensions.field_support import TABLE, rules_of
from converter.formats.registry import FORMATS

TableRow = tuple[str, ...]


def formats() -> Iterator[TableRow]:
    """Yield a header and a row for each format."""
    yield "NAME", "READ", "WRITE", "EXTENSIONS", "TITLE"
    for each in FORMATS.values():
        read, write = ("yes" if can else "-" for can in (each.read, each.writer))
        yield each.name, read, write, " ".join(each.extensions) or "-", each.title


def field_support() -> Iterator[TableRow]:
    """Yield a header and a row for each field with its support in each format.

    `partly`: kept in some entries or places; `altered`: kept everywhere with another value.
    """
    yield "FIELD", *TABLE["loc"]
    for name, support in TABLE.items():
        yield name, *("lost" if each == "-" else each for each in support.values())


def partial_support() -> Iterator[TableRow]:
    """Yield a header and a row for each rule that alters a field or keeps it in part."""
    yield "FIELD", "FORMATS", "WHAT IS KEPT"
    formats: dict[tuple[str, str], list[str]] = {}
    for column in TABLE["loc"]:
        for rule in rules_of(column):
            if rule.left:
                formats.setdefault((rule.name, rule.left), []).append(column)
    for name in TABLE:
        for (field, kept), columns in formats.items():
            if field == name:
                yield name, ", ".join(columns), kept


def aligned(rows: Iterable[TableRow]) -> Iterator[str]:
    """Yield rows as lines of a table with aligned columns."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for cells in listed:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join(padded).rstrip()
