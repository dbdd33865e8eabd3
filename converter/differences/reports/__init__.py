"""Output formats of `diff`: each is a function from changes to text, one piece at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from converter.differences.change import Change, DiffTotals
from converter.differences.reports import csv_table, json_document, markdown, plain_text

DiffReport: TypeAlias = Callable[[Iterable[Change], DiffTotals], Iterator[str]]
"""Takes changes and their totals, which are complete when all changes are read."""

#: By the values of `--format`.
REPORTS: Final[Mapping[str, DiffReport]] = MappingProxyType(
    {
        "text": plain_text.lines,
        "json": json_document.document,
        "jsonl": json_document.lines,
        "txt": plain_text.urls,
        "csv": csv_table.rows,
        "markdown": markdown.comment,
    }
)
