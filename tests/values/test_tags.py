"""Tags and keywords: split, trimmed, without duplicates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.model import Tag
from converter.values import tags


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("steak, summer", ("steak", "summer")),
        ("a;b ; c", ("a", "b", "c")),
        ("a;b, c", ("a;b", "c")),
        ("one tag", ("one tag",)),
        ("Grill, grill , GRILL, STRASSE, Straße", ("Grill", "STRASSE")),
        (" a \n b\u00a0,, ,", ("a b",)),
        ("", ()),
    ],
)
def test_keywords(text: str, names: tuple[str, ...]) -> None:
    assert tags.split_keywords(text) == names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("b:2, a:9, c", (("b", 2), ("a", 9), ("c", 1))),
        ("a:b:3", (("a:b", 3),)),
        ("a : 0.5", (("a", 0.5),)),
        ("a:.5, b:-1, c:+2.", (("a", 0.5), ("b", -1), ("c", 2))),
        ("a:many", (("a:many", 1),)),
        ("a:", (("a:", 1),)),
        (":3", ((":3", 1),)),
        ("a:nan, b:inf, c:1e5", (("a:nan", 1), ("b:inf", 1), ("c:1e5", 1))),
        ("a:" + "9" * 5000, (("a:" + "9" * 5000, 1),)),
        ("a:1, A:5", (("a", 1),)),
        ("a:1;b:2", (("a", 1), ("b", 2))),
        ("", ()),
    ],
)
def test_weighted(text: str, found: tuple[tuple[str, float], ...]) -> None:
    assert tags.parse_weighted(text) == tuple(
        Tag(name=name, weight=weight) for name, weight in found
    )


def test_heavier_tags_come_first_and_equal_ones_keep_their_order() -> None:
    assert tags.names_by_weight(tags.parse_weighted("b:2, a:9, d, c")) == ("a", "b", "d", "c")


def test_unique_keeps_the_first_spelling() -> None:
    assert tags.unique(["B", "a", "b", "A"]) == ("B", "a")


@pytest.mark.property
@given(st.text(st.sampled_from("aAbß ,;:1.")))
def test_tags_are_tidy_and_unique(text: str) -> None:
    for names in (tags.split_keywords(text), tuple(tag.name for tag in tags.parse_weighted(text))):
        assert all(name == " ".join(name.split()) != "" for name in names)
        assert len({name.casefold() for name in names}) == len(names)


@pytest.mark.property
@given(st.lists(st.from_regex(r"[a-z]{1,5}( [a-z]{1,5})?", fullmatch=True), unique=True))
def test_what_was_joined_is_split_again(names: list[str]) -> None:
    assert tags.split_keywords(", ".join(names)) == tuple(names)
