from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.differences.options import FIELDS
from converter.differences.rows import RowFormat
from converter.model import Alternate, Entry, Image, Moment, News, Precision, Text, Video
from tests.strategies import made

_offsets = st.integers(-14 * 60, 14 * 60).map(lambda of: timezone(timedelta(minutes=of)))
_instants = st.datetimes(timezones=_offsets | st.just(UTC)).map(
    lambda it: it.replace(microsecond=0)
)
_moments = made(Moment, instant=_instants, precision=st.sampled_from(Precision))


@pytest.mark.property
@given(published=st.none() | _moments, updated=st.none() | _moments)
def test_dates_keep_their_precision_and_offset(
    published: Moment | None, updated: Moment | None
) -> None:
    rows = RowFormat(["lastmod"])
    entry = Entry(loc="u", published=published, updated=updated)
    found = rows.load("u", rows.dump(entry))
    assert found == entry
    for one, other in (found.published, published), (found.updated, updated):
        assert one is None or other is None or one.instant.isoformat() == other.instant.isoformat()


def _entry(line: int) -> Entry:
    return Entry(
        loc="u",
        line=line,
        title="not compared",
        updated=Moment(datetime(2026, 1, 6, tzinfo=UTC), Precision.DAY),
        images=(Image("i", title=Text("t"), line=line),),
        videos=(Video(content_url="v", duration_s=0, live=False, line=line),),
        news=News(title="n", published=Moment(datetime(2026, 1, 6, tzinfo=UTC)), line=line),
        alternates=(Alternate("de", "d"),),
        priority=Decimal("0.0"),
    )


def test_all_fields_come_back_but_lines() -> None:
    rows = RowFormat(set(FIELDS) - {"title"})
    found = rows.load("u", rows.dump(_entry(7)))
    assert (found.title, found.line, found.images[0].line) == (None, None, None)
    assert found.videos == (Video(content_url="v", duration_s=0, live=False),)
    assert rows.dump(found) == rows.dump(_entry(8))
    assert found.priority == Decimal("0.0")


def test_the_row_of_an_entry_without_compared_values_is_empty() -> None:
    assert RowFormat(["lastmod", "images"]).dump(Entry(loc="u", title="t")) == b""
    assert RowFormat([]).dump(_entry(1)) == b""
