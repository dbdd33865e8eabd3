"""DCMI Period as `dcterms:valid` has it (mapping 3.8)."""

from __future__ import annotations

import time
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.issues import Code
from converter.model import Moment
from converter.values import dates, periods

START, END = "2025-10-15T00:00:00+01:00", "2026-10-15T00:00:00+01:00"


def written(moment: Moment | None) -> str | None:
    return dates.to_w3c(moment) if moment else None


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("start=2025-10-15T00:00+01:00; end=2026-10-15T00:00+01:00; scheme=W3C-DTF", START, END),
        ("END = 2026-10-15T00:00+01:00;\n Start = 2025-10-15T00:00+01:00;", START, END),
        ("start=2025-10-15T00:00+01:00 end=2026-10-15T00:00+01:00", START, END),
        ("name=The end; end=2026-10-15", None, "2026-10-15"),
        ("scheme=w3c-dtf;start=2025-10-15", "2025-10-15", None),
        ("scheme=dcterms:W3CDTF;start=2025-10-15", "2025-10-15", None),
        ("end=2026-10-15; end=2027-10-15", None, "2026-10-15"),
        ("start=; end=2026-10-15", None, "2026-10-15"),
        ("2026-10-15T00:00:00+01:00", None, END),
        (" 2026-10-15 ", None, "2026-10-15"),
        ("start=2025-10-15; end=2025-10-15", "2025-10-15", "2025-10-15"),
        ("start=2025-10-15T08:00Z; end=2025-10-15", "2025-10-15T08:00:00+00:00", "2025-10-15"),
        ("start=9999-12-31T23:00Z; end=9999-12-31", "9999-12-31T23:00:00+00:00", "9999-12-31"),
    ],
)
def test_read(text: str, start: str | None, end: str | None) -> None:
    period = periods.parse(text)
    assert (written(period.start), written(period.end)) == (start, end)
    assert period.notes == ()


@pytest.mark.parametrize(
    ("text", "start", "end", "code", "words"),
    [
        (
            "start=soon; end=2026-10-15",
            None,
            "2026-10-15",
            Code.PERIOD_UNREADABLE,
            'start "soon" is not a date; left out',
        ),
        (
            "start=2025; end=2026-10-15",
            None,
            "2026-10-15",
            Code.DATE_PARTIAL,
            'start "2025" has no more than a year; left out',
        ),
        ("2026-10", None, None, Code.DATE_PARTIAL, 'end "2026-10" has no more than a month'),
        ("forever", None, None, Code.PERIOD_UNREADABLE, 'end "forever" is not a date'),
        (
            "start=2026-10-15; end=2025-10-15",
            None,
            None,
            Code.PERIOD_UNREADABLE,
            '"start=2026-10-15; end=2025-10-15" ends before it starts; left out',
        ),
        (
            "end=15 Oct 2026; scheme=RFC-822",
            None,
            "2026-10-15",
            Code.PERIOD_UNREADABLE,
            'scheme=RFC-822" is not a period of W3C-DTF dates',
        ),
        (
            "until 2027; end=2026-10-15",
            None,
            "2026-10-15",
            Code.PERIOD_UNREADABLE,
            '"until 2027; end=2026-10-15" is not a period of',
        ),
        ("name=Summer", None, None, Code.PERIOD_UNREADABLE, '"name=Summer" is not a period'),
        ("x" * 5000, None, None, Code.PERIOD_UNREADABLE, "is not a period of"),
    ],
)
def test_read_with_a_remark(
    text: str, start: str | None, end: str | None, code: Code, words: str
) -> None:
    period = periods.parse(text)
    assert (written(period.start), written(period.end)) == (start, end)
    ((found, message),) = period.notes
    assert found is code
    assert words in message


def test_an_empty_bound_is_open() -> None:
    assert periods.parse("start=; end=") == periods.Period()
    assert [code for code, _ in periods.parse(" \n").notes] == [Code.PERIOD_UNREADABLE]


def test_the_zone_that_is_missing_is_assumed() -> None:
    period = periods.parse("end=2026-10-15T00:00", timezone(timedelta(hours=1)))
    assert written(period.end) == END
    assert [code for code, _ in period.notes] == [Code.DATE_ASSUMED]


@pytest.mark.property
@given(
    st.text()
    | st.lists(st.sampled_from(("start=", "end", "=", ";", " ", "2025", "-01-01"))).map("".join)
)
def test_any_text_is_a_period_of_whole_dates(text: str) -> None:
    period = periods.parse(text)
    for bound in (period.start, period.end):
        assert bound is None or dates.to_w3c(bound)


@pytest.mark.parametrize("piece", ["start=", "start", " ", "=", ";", "end=2025;"])
def test_hostile_texts_are_refused_at_once(piece: str) -> None:
    begun = time.process_time()
    periods.parse(piece * 30_000)
    periods.parse(piece * 300)
    assert time.process_time() - begun < 0.2
