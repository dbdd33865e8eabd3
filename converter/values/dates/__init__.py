"""Dates: read in every form that feeds are seen to use, chosen between, and written.

Mapping 1.3, 3.2, 4.3 and 7. `read` never raises: what cannot be read is None and a note;
notes become issues where the line and the element are known.
"""

from __future__ import annotations

from converter.values.dates.reading import DateReading, from_w3c, read
from converter.values.dates.writing import (
    Lastmod,
    Policy,
    lastmod,
    latest,
    not_future,
    sort_key,
    to_rfc822,
    to_rfc3339,
    to_w3c,
)
from converter.values.dates.zones import Note, quoted

__all__ = [
    "DateReading",
    "Lastmod",
    "Note",
    "Policy",
    "from_w3c",
    "lastmod",
    "latest",
    "not_future",
    "quoted",
    "read",
    "sort_key",
    "to_rfc822",
    "to_rfc3339",
    "to_w3c",
]
