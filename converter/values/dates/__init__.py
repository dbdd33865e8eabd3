"""Dates: read in every form that feeds are seen to use, chosen between, and written.

Mapping 1.3, 3.2, 4.3 and 7. `read` never raises: what cannot be read is None and a note;
notes become issues where the line and the element are known.
"""

from __future__ import annotations

from converter.values.dates.formatting import (
    Lastmod,
    LastmodPolicy,
    choose_lastmod,
    is_not_future,
    latest,
    sort_key,
    to_rfc822,
    to_rfc3339,
    to_w3c,
)
from converter.values.dates.parsing import ParsedDate, parse, parse_w3c
from converter.values.dates.zones import Note, quoted

__all__ = [
    "ParsedDate",
    "Lastmod",
    "Note",
    "LastmodPolicy",
    "parse_w3c",
    "choose_lastmod",
    "latest",
    "is_not_future",
    "quoted",
    "parse",
    "sort_key",
    "to_rfc822",
    "to_rfc3339",
    "to_w3c",
]
