"""Claims about the store of what is new: in memory and on disk it does the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.living import tables
from converter.living.store import Store
from converter.model import Entry

OPENED = tables.opened
LOCS = [f"https://ex.com/{number}".encode() for number in range(8)]


def entry(loc: bytes) -> Entry:
    return Entry(loc=loc.decode(), title=f"Größe {loc!r}")


#: Asked for after everything is put, as a walk over what stands there does.
QUESTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("claim"), st.lists(st.sampled_from(LOCS))),
        st.tuples(st.just("among"), st.lists(st.sampled_from(LOCS))),
        st.tuples(st.just("take"), st.sampled_from(LOCS)),
        st.tuples(st.just("rest"), st.sampled_from([None, "", "2026-01", "2026-02"])),
        st.tuples(st.just("periods"), st.none()),
        st.tuples(st.just("release"), st.none()),
    ),
    max_size=12,
)


def answers(store: Store, questions: list[tuple[str, Any]]) -> Iterator[object]:
    claimed: set[bytes] = set()
    for name, what in questions:
        match name:
            case "claim":
                claimed |= store.claim(what)
                yield sorted(claimed)
            case "among":
                yield store.among(what)
            case "take" if what in claimed:
                claimed.discard(what)
                yield store.take(what)
            case "rest":
                yield list(store.rest(what))
            case "periods":
                yield store.periods()
            case "release":
                claimed.clear()
                store.release()


@given(
    put=st.lists(
        st.tuples(st.sampled_from(LOCS), st.sampled_from(["", "2026-01", "2026-02"])),
        unique_by=lambda row: row[0],
    ),
    questions=QUESTIONS,
)
@pytest.mark.property
def test_on_disk_it_is_as_in_memory(
    put: list[tuple[bytes, str]], questions: list[tuple[str, Any]]
) -> None:
    said = []
    for most_in_memory in (100, 2, 0):
        with Store(most_in_memory=most_in_memory) as store:
            for loc, period in put:
                store.put(loc, entry(loc), period)
            said.append(list(answers(store, questions)))
    assert said[0] == said[1] == said[2]


def test_what_was_claimed_is_not_among_the_rest_and_what_was_taken_not_here() -> None:
    with Store() as store:
        for loc in LOCS[:3]:
            store.put(loc, entry(loc))
        assert store.claim([*LOCS[1:], b"else"]) == set(LOCS[1:3])
        assert [e.loc for e in store.rest()] == ["https://ex.com/0"]
        assert store.take(LOCS[1]).loc == "https://ex.com/1"
        assert store.among(LOCS) == {LOCS[0], LOCS[2]}
        store.release()
        assert store.among(LOCS) == set(LOCS[:3])
        store.clear()
        assert store.among(LOCS) == set()
        assert store.periods() == []


def test_little_needs_no_database_and_much_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def opened() -> sqlite3.Connection:
        made.append(OPENED())
        return made[-1]

    monkeypatch.setattr(tables, "opened", opened)
    with Store(most_in_memory=3) as store:
        for number, loc in enumerate(LOCS):
            store.put(loc, entry(loc))
            assert bool(made) == (number >= 3)
        assert [e.loc for e in store.rest()] == [loc.decode() for loc in LOCS]
    assert len(made) == 1


def test_more_pages_than_one_statement_takes() -> None:
    locs = [f"https://ex.com/{number}".encode() for number in range(2500)]
    with Store(most_in_memory=10) as store:
        for loc in locs:
            store.put(loc, entry(loc))
        assert store.among(locs) == set(locs)
        assert store.claim(locs[100:]) == set(locs[100:])
        assert [e.loc for e in store.rest()] == [loc.decode() for loc in locs[:100]]
