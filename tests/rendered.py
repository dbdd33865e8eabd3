"""Entries as the first stage of a conversion hands them on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converter.formats.base import Rendered, Writer
from converter.issues import Report, ignore
from converter.model import Entry


def rendered(
    writer: Writer, entries: Iterable[Entry], report: Report = ignore
) -> Iterator[Rendered]:
    """Render entries as they are."""
    for entry in entries:
        item = writer.entry(entry, report) or Rendered()
        item.entry, item.loc, item.line = entry, entry.loc, entry.line
        yield item
