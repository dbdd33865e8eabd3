"""The output format `csv`: a row for each value that differs.

https://www.rfc-editor.org/rfc/rfc4180
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from converter.differences.change import Change, DiffTotals

_COLUMNS = ("change", "url", "field", "old", "new")


def rows(changes: Iterable[Change], _totals: DiffTotals) -> Iterator[str]:
    """Yield the names of the columns, then the rows; a page without details has one row."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(_COLUMNS)
    for change in changes:
        start = change.kind, change.url
        values = [(each.label, each.old, each.new) for each in change.fields]
        writer.writerows((*start, *value) for value in values or [("", "", "")])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()
