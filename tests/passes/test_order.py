"""Sorting of what comes in runs: the order is that of entries that come one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final, Literal, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.model import Entry, Feed, Moment, Precision
from converter.passes import order
from converter.seams import Common, Item, Listed, Ready

_START: Final = datetime(2024, 1, 1, tzinfo=UTC)
_FEED: Final = Feed(title="t")

_Row: TypeAlias = tuple[Literal["entry", "ready", "listed"], int | None, Precision]
"""How something comes, its date in half days, and how precise that is."""

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["entry", "ready", "listed"]),
        st.none() | st.integers(0, 9).map(lambda half: half * 2),
        st.sampled_from([Precision.DAY, Precision.SECOND]),
    ),
    max_size=60,
)


def moment(half: int, precision: Precision) -> Moment:
    return Moment(instant=_START + timedelta(hours=12 * half), precision=precision)


def written(row: _Row) -> str:
    _, half, precision = row
    if half is None:
        return ""
    text = moment(half, precision).instant.isoformat()
    return text[:10] if precision is Precision.DAY else text


def entry(number: int, row: _Row) -> Entry:
    _, half, precision = row
    date = None if half is None else moment(half, precision)
    return Entry(loc=f"{number:03}", line=number, updated=date, feed=_FEED)


def ready(first: int, rows: list[_Row]) -> Ready:
    """Give rows as a run of entries that are rendered already."""
    count = len(rows)
    return Ready(
        locs=[f"{first + place:03}" for place in range(count)],
        texts=[f"text of {first + place:03}" for place in range(count)],
        moulds=bytes(count),
        common=(Common(images=1, videos=2),),
        moments=list(map(written, rows)),
        ids=[f"id {first + place}" for place in range(count)],
        updates=[""] * count,
        messages=[(f"of {first + place}",) for place in range(count)],
        source="a.rss",
        line_of=lambda number: first + number,
        markup_of=lambda number: f"{first + number:03}",
        read=_read,
    )


def _read(markup: str, line: int) -> Entry:
    return Entry(loc=markup, line=line)


def listed(first: int, rows: list[_Row]) -> Listed:
    """Give rows as lines of a list."""
    locs = [f"{first + place:03}" for place in range(len(rows))]
    lines = range(first, first + len(rows))
    return Listed(
        locs=locs,
        texts=[f"text of {loc}" for loc in locs],
        before="<",
        behind=">",
        prefixes=frozenset(),
        lines=lines,
        feed=_FEED,
        stand=_stand,
    )


def _stand(pages: object) -> bool:
    return pages is not None


def items(rows: list[_Row]) -> Iterator[Item]:
    """Give rows, those of one kind that follow one another as a run."""
    runs: dict[str, Callable[[int, list[_Row]], Item]] = {"ready": ready, "listed": listed}
    at = 0
    while at < len(rows):
        kind, stop = rows[at][0], at + 1
        while kind != "entry" and stop < len(rows) and rows[stop][0] == kind:
            stop += 1
        yield runs[kind](at, rows[at:stop]) if kind in runs else entry(at, rows[at])
        at = stop


def taken(given: Iterator[Item]) -> Iterator[tuple[str | None, int | None]]:
    """Take runs apart; each entry must still be whole."""
    for item in given:
        if isinstance(item, Entry):
            assert item.feed is _FEED or item.feed == _FEED
            yield item.loc, item.line
            continue
        assert item.texts == [f"text of {loc}" for loc in item.locs]
        for place, loc in enumerate(item.locs):
            whole = item.entry_of(place)
            assert whole.loc == loc
            yield loc, whole.line
        if isinstance(item, Ready):
            assert item.ids == [f"id {int(loc)}" for loc in item.locs]
            assert item.messages == [(f"of {int(loc)}",) for loc in item.locs]
            common = Common(images=1, videos=2)
            assert item.counted() == [(common, len(item.locs), 0)]
            assert item.source == "a.rss"


def key(row: _Row) -> tuple[bool, Any]:
    kind, half, precision = row
    if half is None or kind == "listed":
        return (True, 0)
    return (False, (-half, -precision))


class Files:
    """Gives temporary files, and keeps them in mind."""

    def __init__(self) -> None:
        self.given: list[BinaryIO] = []

    def __call__(self) -> BinaryIO:
        self.given.append(TemporaryFile())  # noqa: SIM115 - closed by whoever asked for it
        return self.given[-1]


@pytest.mark.property
@given(ROWS, st.integers(1, 12), st.integers(2, 4))
def test_runs_are_sorted_as_their_entries_would_be(
    rows: list[_Row], size: int, most_runs: int
) -> None:
    files = Files()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "_MAX_RUNS", most_runs)
        patch.setattr(order, "_BLOCK", 2)
        patch.setattr(order, "_ENTRY_CHARS", 400)
        stream = order.ordered(items(rows), "newest", lambda e: e.updated, files, size)
        found = list(taken(stream))
    places = sorted(range(len(rows)), key=lambda place: key(rows[place]))
    assert found == [(f"{place:03}", place) for place in places]
    assert all(file.closed for file in files.given)


def test_what_has_no_date_is_streamed_and_not_sorted() -> None:
    files = Files()
    rows: list[_Row] = [("ready", None, Precision.SECOND)] * 500
    given = (ready(at, rows[at : at + 10]) for at in range(0, 500, 10))
    found = list(taken(order.ordered(given, "newest", lambda e: e.updated, files, 20)))
    assert found == [(f"{place:03}", place) for place in range(500)]
    assert len(files.given) == 1


def test_a_sort_that_is_given_up_closes_what_was_laid_aside() -> None:
    files = Files()
    rows: list[_Row] = [("listed", None, Precision.SECOND)] * 500
    stream = order.ordered(items(rows), "newest", lambda e: e.updated, files, 1)
    next(stream)
    stream.close()  # type: ignore[attr-defined] # a generator
    assert files.given
    assert all(file.closed for file in files.given)
