"""A set of numbers behaves as one, whatever its numbers are and however many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.values.digests import DigestSet

NUMBERS = st.integers(-(2**63), 2**63 - 1).filter(bool)
#: These lie in one another's places.
CROWDED = st.integers(1, 40).map(lambda number: number << 40)


@pytest.mark.property
@given(st.lists(NUMBERS | CROWDED, max_size=60))
def test_a_set_holds_exactly_the_added_digests(numbers: list[int]) -> None:
    marks, known = DigestSet(), set[int]()
    for number in numbers:
        assert (number in marks) == (number in known)
        marks.add(number)
        known.add(number)
        assert number in marks
        assert (number + 1 in marks) == (number + 1 in known)


def test_a_number_is_found_once_it_was_added() -> None:
    marks = DigestSet()
    assert 7 not in marks
    marks.add(7)
    marks.add(7)
    assert 7 in marks
    assert 3 not in marks


def test_many_numbers_move_to_larger_tables_and_are_all_found_there() -> None:
    marks, numbers = DigestSet(), [hash(f"{number}") for number in range(5_000)]
    for number in numbers:
        marks.add(number)
    assert all(number in marks for number in numbers)
    assert not any(number + 1 in marks for number in numbers)
