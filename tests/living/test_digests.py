"""Claims about digests that spill: they answer as those in memory do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.living.digests import SpilledDigests
from converter.passes.digests import Digests

DIGESTS = st.integers(-3, 12).map(lambda number: number * (2**59 + 1))


@given(asked=st.lists(DIGESTS, max_size=40), most=st.integers(0, 9))
@pytest.mark.property
def test_they_answer_as_those_in_memory(asked: list[int], most: int) -> None:
    plain, spilled = Digests(), SpilledDigests(most_in_memory=most)
    for one in asked:
        assert (one in spilled) == (one in plain)
        assert spilled.is_new(one) == plain.is_new(one)


def test_memory_holds_no_more_than_it_may() -> None:
    digests = SpilledDigests(most_in_memory=1000)
    for number in range(5000):
        assert digests.is_new(number)
        assert len(digests) <= 1000
    assert not any(map(digests.is_new, range(4990, 5000)))
    assert digests.is_new(6000)
    assert 6000 in digests
    assert not digests.is_new(0)
