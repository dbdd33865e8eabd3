"""Dates: parsed in every form that feeds use, chosen between, and formatted.

Mapping 1.3, 3.2, 4.3 and 7. `parse` never raises: an unreadable date is None and a note.
"""

# ruff: noqa: I001  # ruff would write one import for each name

from converter.values.dates.formatting import (
    WEEKDAYS as WEEKDAYS,
    DateResult as DateResult,
    LastmodPolicy as LastmodPolicy,
    choose_lastmod as choose_lastmod,
    is_not_future as is_not_future,
    last_second as last_second,
    latest as latest,
    sort_key as sort_key,
    to_rfc822 as to_rfc822,
    to_rfc3339 as to_rfc3339,
    to_w3c as to_w3c,
)
from converter.values.dates.parsing import (
    parse as parse,
    parse_rfc822 as parse_rfc822,
    parse_w3c as parse_w3c,
)
from converter.values.dates.zones import quoted as quoted
