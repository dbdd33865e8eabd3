"""Dates: parsed in every form that feeds use, chosen between, and formatted.

Mapping 1.3, 3.2, 4.3 and 7. `parse` never raises: an unreadable date is None and a note.
"""

from converter.values.dates.formatting import (
    WEEKDAYS,
    DateResult,
    LastmodPolicy,
    choose_lastmod,
    is_not_future,
    latest,
    sort_key,
    to_rfc822,
    to_rfc3339,
    to_w3c,
)
from converter.values.dates.parsing import parse, parse_rfc822, parse_w3c
from converter.values.dates.zones import quoted

__all__ = [
    "WEEKDAYS",
    "DateResult",
    "LastmodPolicy",
    "choose_lastmod",
    "is_not_future",
    "latest",
    "parse",
    "parse_rfc822",
    "parse_w3c",
    "quoted",
    "sort_key",
    "to_rfc822",
    "to_rfc3339",
    "to_w3c",
]
