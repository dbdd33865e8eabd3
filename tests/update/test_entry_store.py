"""Claims about the store of new entries: it finds them by their keys, whatever their number."""

from __future__ import annotations

import tempfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.update import entry_store
from converter.update.entry_store import EntryStore

KEYS = [f"https://ex.com/{number}".encode() for number in range(8)]
PERIODS = ["", "2026-01", "2026-02"]

ROWS = st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(PERIODS)), max_size=12)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["take", "claim"]), st.sampled_from(KEYS)),
        st.tuples(st.just("release"), st.none()),
    ),
    max_size=8,
)


def key_of(record: bytes) -> bytes:
    return record.partition(b" ")[0]


def filled(rows: list[tuple[bytes, str]]) -> EntryStore:
    made = EntryStore(tempfile.TemporaryFile, key_of)
    for number, (key, period) in enumerate(rows):
        made.put(key, key + b" %d" % number, period)
    made.seal()
    return made


@given(
    rows=ROWS,
    steps=STEPS,
    asked=st.lists(st.sampled_from(KEYS), max_size=9),
    has_one_hash=st.booleans(),
)
@pytest.mark.property
def test_it_finds_the_same_entries_as_a_list(
    rows: list[tuple[bytes, str]], steps: Any, asked: list[bytes], has_one_hash: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            entry_store, "hash", lambda key: -7 if has_one_hash else hash(key), raising=False
        )
        kept = filled(rows)
        states = ["waiting"] * len(rows)
        for step, key in steps:
            if step == "release":
                kept.release()
                states = ["waiting"] * len(rows)
                continue
            for _, number, _ in kept.find([key]):
                getattr(kept, step)(number)
                states[number] = step
        found = {(place, number) for place, number, _ in kept.find(asked)}
        assert found == {
            (place, number)
            for place, key in enumerate(asked)
            for number, (known, _) in enumerate(rows)
            if known == key and states[number] != "take"
        }
        for period in PERIODS:
            assert list(kept.rest(period)) == [
                key + b" %d" % number
                for number, (key, of) in enumerate(rows)
                if of == period and states[number] == "waiting"
            ]
        assert kept.periods == {period for _, period in rows}
        kept.close()
