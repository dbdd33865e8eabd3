"""The month or the year of an entry, for parts by date."""

from __future__ import annotations

from typing import Final, Literal

from converter.model import Entry

__all__ = ["UNDATED", "period_of"]

#: In the name of the part for entries without a date.
UNDATED: Final = "undated"

_FORMATS: Final = {"month": "%Y-%m", "year": "%Y"}


def period_of(entry: Entry, by: Literal["month", "year"] | None) -> str:
    """Give the period of an entry by the day it was published, in its source's own zone.

    Of a page that tells no more, by the day it was last changed. Empty: nobody asks for it.
    """
    if by is None:
        return ""
    for moment in (entry.published, entry.updated):
        if moment is not None and not moment.is_partial:
            return f"{moment.instant:{_FORMATS[by]}}"
    return UNDATED
