"""Digests: as one set would tell, in as many as there must be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.passes import digests
from converter.passes.digests import Digests

pytestmark = pytest.mark.property

BATCHES = st.lists(st.lists(st.integers(-20, 20), max_size=12), max_size=8)


@given(BATCHES, st.sampled_from([1, 3, 10, 1000]), st.booleans())
def test_they_tell_what_one_set_would(
    batches: list[list[int]], room: int, one_by_one: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "_FIRST_ROOM", room)
        found, seen = Digests(), set[int]()
        for batch in batches:
            known = []
            for place, digest in enumerate(batch):
                if digest in seen:
                    known.append(place)
                seen.add(digest)
            if one_by_one:
                assert [n for n, digest in enumerate(batch) if not found.is_new(digest)] == known
            else:
                assert found.add(batch) == known
            assert all((digest in found) is (digest in seen) for digest in range(-21, 22))


@given(BATCHES, st.sampled_from([1, 3, 10]))
def test_each_is_held_once_and_only_the_newest_set_grows(
    batches: list[list[int]], room: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "_FIRST_ROOM", room)
        found = Digests()
        for batch in batches:
            before = list(map(len, found._older))
            found.add(batch)
            assert list(map(len, found._older))[: len(before)] == before
        held = [*found._older, found._newest]
        assert sum(map(len, held)) == len(set().union(*held))
        assert all(len(older) <= max(room << n, 12) for n, older in enumerate(found._older))
