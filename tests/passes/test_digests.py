"""The digests of a first pass: as one set would tell, in as many dicts as there must be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.passes import merge
from converter.passes.merge import Deduplicator
from converter.seams import Rendered

pytestmark = pytest.mark.property

NUMBERS = st.lists(st.integers(-20, 20), max_size=60)


def item(digest: int) -> Rendered:
    return Rendered("https://ex.com/", None, None, None, key=digest)


@given(NUMBERS, st.sampled_from([1, 3, 10, 1000]))
def test_they_tell_what_one_set_would(numbers: list[int], room: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merge, "_FIRST_ROOM", room)
        found, seen = Deduplicator(now=None), set[int]()  # type: ignore[arg-type]  # no dates
        for digest in numbers:
            assert found.is_new(item(digest)) == (digest not in seen)
            seen.add(digest)
        assert not any(found.is_new(item(digest)) for digest in seen)


@given(NUMBERS, st.sampled_from([1, 3, 10]))
def test_each_is_held_once_and_only_the_newest_dict_grows(numbers: list[int], room: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merge, "_FIRST_ROOM", room)
        found = Deduplicator(now=None)  # type: ignore[arg-type]  # likewise
        for digest in numbers:
            before = list(map(len, found._older))
            found.is_new(item(digest))
            assert list(map(len, found._older))[: len(before)] == before
        held = [*found._older, found._newest]
        assert sum(map(len, held)) == len(set().union(*held))
        assert all(len(older) <= room << n for n, older in enumerate(found._older))
