"""Tables of the formats and of the fields that each keeps, made from the code's own tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converter.extensions.field_support import COLUMNS, KEPT_BY, support_level
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
    yield "FIELD", *COLUMNS
    for name in KEPT_BY:
        yield name, *(support_level(name, column) for column in COLUMNS)


def aligned(rows: Iterable[TableRow]) -> Iterator[str]:
    """Yield rows as lines of a table with aligned columns."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for cells in listed:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join(padded).rstrip()
