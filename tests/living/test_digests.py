"""Claims about digests that spill: they answer as those in memory do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.living.digests import SpilledDigests
from converter.passes.digests import Digests

DIGESTS = st.integers(-3, 12).map(lambda number: number * (2**59 + 1))


@given(asked=st.lists(st.one_of(DIGESTS, st.lists(DIGESTS)), max_size=20), most=st.integers(0, 9))
@pytest.mark.property
def test_they_answer_as_those_in_memory(asked: list[int | list[int]], most: int) -> None:
    plain, spilled = Digests(), SpilledDigests(most_in_memory=most)
    for one in asked:
        if isinstance(one, int):
            assert (one in spilled) == (one in plain)
            assert spilled.is_new(one) == plain.is_new(one)
        else:
            assert spilled.add(one) == plain.add(one)


def test_memory_holds_no_more_than_it_may() -> None:
    digests = SpilledDigests(most_in_memory=1000)
    for start in range(0, 5000, 500):
        assert digests.add(range(start, start + 500)) == []
        assert len(digests) <= 1000
    assert digests.add(range(4990, 5010)) == list(range(10))
    assert digests.is_new(6000)
    assert 6000 in digests
    assert not digests.is_new(0)
