"""Digests: as one dict would tell, in as many as there must be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.passes import digests
from converter.passes.digests import Digests

pytestmark = pytest.mark.property

NUMBERS = st.lists(st.integers(-20, 20), max_size=60)


@given(NUMBERS, st.sampled_from([1, 3, 10, 1000]))
def test_they_tell_what_one_dict_would(numbers: list[int], room: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "_FIRST_ROOM", room)
        found, seen = Digests(), dict[int, int]()
        for place, digest in enumerate(numbers):
            assert found.is_new(digest, place) == (digest not in seen)
            seen.setdefault(digest, place)
            assert all((digest in found) is (digest in seen) for digest in range(-21, 22))
            assert all(found.place(digest) == seen.get(digest) for digest in range(-21, 22))


@given(NUMBERS, st.sampled_from([1, 3, 10]))
def test_each_is_held_once_and_only_the_newest_dict_grows(numbers: list[int], room: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "_FIRST_ROOM", room)
        found = Digests()
        for digest in numbers:
            before = list(map(len, found._older))
            found.is_new(digest)
            assert list(map(len, found._older))[: len(before)] == before
        held = [*found._older, found._newest]
        assert sum(map(len, held)) == len(set().union(*held))
        assert all(len(older) <= room << n for n, older in enumerate(found._older))
