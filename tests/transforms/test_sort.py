"""Sorting: the order of `sorted`, whatever the number of files that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryFile
from typing import BinaryIO, Final, Literal, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.formats.base import Rendered
from converter.model import Entry, Feed, Moment, Precision
from converter.pipeline import external_sort
from converter.pipeline.transforms import sort as order

_START: Final = datetime(2024, 1, 1, tzinfo=UTC)
_FEED: Final = Feed(title="t")

_Row: TypeAlias = tuple[str | None, int | None, Precision]
"""The page of an entry, its date in days, and how precise that is."""

ROWS = st.lists(
    st.tuples(
        st.none() | st.sampled_from("abcdef"),
        st.none() | st.integers(0, 9),
        st.sampled_from([Precision.DAY, Precision.SECOND]),
    ),
    max_size=60,
)


def entry(number: int, row: _Row) -> Entry:
    loc, day, precision = row
    moment = day if day is None else _START + timedelta(days=day)
    date = None if moment is None else Moment(instant=moment, precision=precision)
    return Entry(loc=loc, line=number, updated=date, feed=_FEED)


def by_url(row: _Row) -> object:
    return (row[0] is None, row[0] or "")


def by_date(row: _Row) -> object:
    _, day, precision = row
    return (True, (0, 0)) if day is None else (False, (-day, -precision))


KEYS: Final[dict[Literal["url", "newest"], Callable[[_Row], object]]] = {
    "url": by_url,
    "newest": by_date,
}


class Files:
    """Gives temporary files, and keeps them in mind."""

    def __init__(self) -> None:
        self.given: list[BinaryIO] = []

    def __call__(self) -> BinaryIO:
        self.given.append(TemporaryFile())  # noqa: SIM115 - closed by whoever asked for it
        return self.given[-1]


def item(of: Entry) -> Rendered:
    return Rendered(loc=of.loc, line=of.line, entry=of, date=order.date_key(of.updated))


def sorted_entries(
    entries: Iterable[Entry], sort: Literal["url", "newest"], files: Files, memory_bytes: int
) -> list[Entry | None]:
    found = order.ordered(map(item, entries), order.sort_key(sort), files, memory_bytes)
    return [each.entry for each in found]


@pytest.mark.property
@pytest.mark.parametrize("sort", KEYS)
@given(rows=ROWS, size=st.integers(1, 12), most_runs=st.integers(2, 4))
def test_entries_are_sorted_as_in_memory(
    sort: Literal["url", "newest"], rows: list[_Row], size: int, most_runs: int
) -> None:
    files = Files()
    entries = [entry(number, row) for number, row in enumerate(rows)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(external_sort, "_MAX_RUNS", most_runs)
        patch.setattr(external_sort, "_BLOCK_BYTES", 100)
        found = sorted_entries(entries, sort, files, size * 350)
    places = sorted(range(len(rows)), key=lambda place: KEYS[sort](rows[place]))
    assert found == [entries[place] for place in places]
    assert all(file.closed for file in files.given)


def test_entries_without_a_date_keep_their_order() -> None:
    files = Files()
    entries = [entry(n, (f"{n:03}", None, Precision.SECOND)) for n in range(500)]
    assert sorted_entries(entries, "newest", files, 8_000) == entries
    assert len(files.given) == 1


def test_entries_in_order_make_one_file() -> None:
    files = Files()
    entries = [entry(n, (f"{n:03}", 500 - n, Precision.SECOND)) for n in range(500)]
    assert sorted_entries(entries, "newest", files, 8_000) == entries
    assert len(files.given) == 1


@pytest.mark.parametrize("day", [None, 1])
def test_a_sort_that_is_given_up_closes_its_files(day: int | None) -> None:
    files = Files()
    entries = [entry(n, (f"{n:03}", day and n, Precision.SECOND)) for n in range(500)]
    stream = order.ordered(map(item, entries), order.sort_key("newest"), files, 1)
    next(stream)
    stream.close()  # type: ignore[attr-defined] # a generator
    assert files.given
    assert all(file.closed for file in files.given)


def test_entries_that_fit_into_memory_are_not_spooled() -> None:
    files = Files()
    entries = [Entry(loc=loc) for loc in "cab"]
    assert sorted_entries(entries, "url", files, 1_200) == [Entry(loc=loc) for loc in "abc"]
    assert sorted_entries([], "url", files, 1_200) == []
    assert files.given == []


def test_many_runs_are_merged_in_levels_and_few_files_are_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(external_sort, "_MAX_RUNS", 4)
    files = Files()
    entries = [Entry(loc=f"{n:05}") for n in range(300, 0, -1)]
    stream = order.ordered(map(item, entries), order.sort_key("url"), files, 600)
    assert next(stream).loc == "00001"
    assert sum(not file.closed for file in files.given) <= 4 * 4
    assert [found.loc for found in stream] == [f"{n:05}" for n in range(2, 301)]
