"""Rules for dates of sitemaps, in the format W3C Datetime (mapping 3.2, 7)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, INFO, PROTOCOL, WARNING, CheckRule
from converter.model import Moment, Precision
from converter.values import dates
from converter.values.lazy_regex import lazy_regex

_W3C: Final = "https://www.w3.org/TR/NOTE-datetime"
_LASTMOD: Final = f"{PROTOCOL}#lastmoddef"
_GOOGLE_LASTMOD: Final = (
    "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap"
    "#additional-notes-about-xml-sitemaps"
)

RULES: Final = (
    CheckRule(
        "date-unreadable", ERROR, "a date is not in W3C Datetime format",
        why="Search engines ignore the date, or refuse the file.",
        fix="Write 2026-01-31, or 2026-01-31T10:00:00+00:00.",
        source=_W3C, convert="repaired",
    ),
    CheckRule(
        "date-impossible", ERROR, "a date or time does not exist",
        why="There is no 30 February and no 25th hour; search engines ignore the date.",
        fix="Correct the program that writes the date.",
        source=_W3C, convert="dropped",
    ),
    CheckRule(
        "date-no-zone", ERROR, "a time has no zone",
        why="W3C Datetime requires a zone with each time; without it the time is ambiguous.",
        fix="Add Z or an offset such as +01:00, or write the day alone.",
        source=_W3C, convert="repaired",
    ),
    CheckRule(
        "date-no-seconds", WARNING, "a time has no seconds",
        why="W3C Datetime allows it, but the XML Schema of sitemaps refuses it.",
        fix="Add the seconds: 10:00:00.",
        source=f"{PROTOCOL}#validating", convert="repaired",
    ),
    CheckRule(
        "date-partial", WARNING, "a date is only a year or a month",
        why="The XML Schema of sitemaps refuses it, and it says little about the page.",
        fix="Write the day: 2026-01-31.",
        source=f"{PROTOCOL}#validating", convert="dropped",
    ),
    CheckRule(
        "date-future", WARNING, "a date is in the future",
        why="Google trusts dates only if they are right; Bing rejects dates in the future.",
        fix="Write the time of the last change; check the clock and the zone of the server.",
        source=_GOOGLE_LASTMOD, convert="dropped",
    ),
    CheckRule(
        "date-placeholder", WARNING, "a date is a placeholder",
        why="1970-01-01 or 0001-01-01 is the zero of a program, not the date of a page.",
        fix="Write the date of the last change, or no date.",
        source=_GOOGLE_LASTMOD, convert="dropped",
    ),
    CheckRule(
        "date-old", WARNING, "a date is before 1990",
        why="No web page is so old; the date is that of its content, or an error.",
        fix="Write the time at which the page changed.",
        source=_GOOGLE_LASTMOD, convert="kept",
    ),
    CheckRule(
        "date-space-around", INFO, "a date has white space around it",
        why="XML Schema allows it, but not all readers remove it.",
        fix="Write the date directly between the tags.",
        source=_LASTMOD, convert="repaired", is_default=False,
    ),
)  # fmt: skip

#: Digits in the form of W3C Datetime, whose values may be impossible.
_LIKE_W3C: Final = lazy_regex(
    r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})?)?)?"
)
#: A time without seconds, with its zone; or without its zone.
_NO_SECONDS: Final = re.compile(r"T[0-9]{2}:[0-9]{2}(?![:0-9])")
_NO_ZONE: Final = lazy_regex(r"[0-9-]{10}T[0-9:]{5,8}(?:\.[0-9]+)?")
_FIRST_YEAR: Final = 1990


def check_element(
    context: CheckContext, element: Element, path: str, *, may_be_future: bool = False
) -> Moment | None:
    """Check the date in an element; return it, or None if it is not a date."""
    text = element.text.strip()
    name = f"<{element.written_name}> {dates.quoted(text)}"
    if len(text) != len(element.text):
        context.report(
            "date-space-around", f"{name}: white space around the date", element, path=path
        )
    try:
        moment = dates.parse_w3c(text)
    except ValueError:
        code, what = _fault(text)
        context.report(code, f"{name}: {what}", element, path=path)
        return None
    if moment.precision < Precision.DAY:
        what = f"only a {moment.precision.name.lower()}; expected a day"
        context.report("date-partial", f"{name}: {what}", element, path=path)
        return moment
    if moment.precision is Precision.SECOND and _NO_SECONDS.search(text):
        context.report("date-no-seconds", f"{name}: no seconds", element, path=path)
    if (problem := _implausible(moment, context.now, may_be_future=may_be_future)) is not None:
        context.report(problem[0], f"{name}: {problem[1]}", element, path=path)
    return moment


def _fault(text: str) -> tuple[str, str]:
    """Return rule and description of a text that is not W3C Datetime."""
    if not text:
        return "date-unreadable", "empty; expected a date"
    found = dates.parse(text)
    if found.moment is None and _LIKE_W3C.fullmatch(text):
        return "date-impossible", "this day or time does not exist"
    if found.moment is not None and _NO_ZONE.fullmatch(text):
        return "date-no-zone", "a time without a zone; add Z or an offset"
    advice = ""
    if found.moment is not None and found.moment.precision >= Precision.DAY:
        advice = f", as {dates.to_w3c(found.moment)}"
    return "date-unreadable", f"not in W3C Datetime format{advice}"


def _implausible(moment: Moment, now: datetime, *, may_be_future: bool) -> tuple[str, str] | None:
    year = moment.instant.year
    if year <= 1 or (year in {1969, 1970} and dates.parse(dates.to_w3c(moment)).moment is None):
        return "date-placeholder", "a placeholder"
    if year < _FIRST_YEAR:
        return "date-old", f"before {_FIRST_YEAR}"
    if not may_be_future and not dates.is_not_future(moment, now):
        return "date-future", "in the future"
    return None
