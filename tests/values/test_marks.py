"""A set of numbers behaves as one, whatever its numbers are and however many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.values.marks import Marks

NUMBERS = st.integers(-(2**63), 2**63 - 1).filter(bool)
#: These lie in one another's places.
CROWDED = st.integers(1, 40).map(lambda number: number << 40)


@pytest.mark.property
@given(st.lists(st.lists(NUMBERS | CROWDED, unique=True, max_size=30)))
def test_what_was_added_is_there_and_nothing_else(batches: list[list[int]]) -> None:
    marks, known = Marks(), set[int]()
    for batch in batches:
        first = next((n for n, number in enumerate(batch) if number in known), len(batch))
        assert marks.add_new(batch) == first
        known.update(batch[:first])
        assert all((number in marks) == (number in known) for number in batch)


def test_a_number_is_found_once_it_was_added() -> None:
    marks = Marks()
    assert 7 not in marks
    marks.add(7)
    marks.add(7)
    assert 7 in marks
    assert marks.add_new([1, 2, 2, 3]) == 2
    assert 3 not in marks


def test_many_numbers_move_to_larger_tables_and_are_all_found_there() -> None:
    marks, numbers = Marks(), [hash(f"{number}") for number in range(5_000)]
    assert marks.add_new(numbers) == 5_000
    assert all(number in marks for number in numbers)
    assert not any(number + 1 in marks for number in numbers)
