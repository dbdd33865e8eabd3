"""Entries as the first stage of a conversion hands them on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converter.issues import Report, ignore
from converter.model import Entry
from converter.seams import Converted, Writer


def rendered(
    writer: Writer, entries: Iterable[Entry], report: Report = ignore
) -> Iterator[Converted]:
    """Render entries as they are."""
    for entry in entries:
        body = writer.entry(entry, report)
        yield Converted(entry.loc, entry.line, None, entry.loc or entry.id, entry, rendered=body)
