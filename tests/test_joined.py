"""Texts in one piece: whatever is asked of them, they answer as a list of them would."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.seams import Joined

AROUND = st.sampled_from([("", "\n"), ("<url><loc>", "</loc></url>\n"), (" ", " -\n")])
TEXTS = st.lists(st.text("ab/&é", max_size=4), max_size=9)


def joined(texts: list[str], around: tuple[str, str]) -> tuple[Joined, list[str]]:
    """Join what is written of pages, and give the pages."""
    others = {place: text for place, text in enumerate(texts) if "&" in text}
    written = [text.replace("&", "&amp;") for text in texts]
    return Joined.of(written, around, others), written


@pytest.mark.property
@given(TEXTS, AROUND, st.data())
def test_what_is_joined_is_a_list_still(
    texts: list[str], around: tuple[str, str], data: st.DataObject
) -> None:
    found, written = joined(texts, around)
    for _ in range(3):
        assert len(found) == len(texts)
        assert list(found) == texts
        assert [found[place] for place in range(len(found))] == texts
        assert list(found.written) == written
        assert found.whole == "".join(f"{around[0]}{text}{around[1]}" for text in written)
        sent = pickle.loads(pickle.dumps(found))  # noqa: S301  our own
        assert list(sent) == texts
        if data.draw(st.booleans()):
            start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(texts))] * 2)))
            found, texts, written = found[start:stop], texts[start:stop], written[start:stop]
        else:
            gone = data.draw(st.sets(st.integers(0, len(texts) - 1)) if texts else st.just(set()))
            left = [place for place in range(len(texts)) if place not in gone]
            found = found.without(sorted(gone))
            texts, written = [texts[at] for at in left], [written[at] for at in left]


@pytest.mark.parametrize("place", [-1, 2, 9])
def test_there_is_nothing_outside(place: int) -> None:
    found, _ = joined(["a", "b"], ("<", ">\n"))
    with pytest.raises(IndexError):
        found[place]


def test_only_stretches_are_cut_out() -> None:
    found, _ = joined(["a", "b"], ("<", ">\n"))
    with pytest.raises(ValueError, match="without a step"):
        found[::2]
