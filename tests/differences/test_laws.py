"""What holds for all sides."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import converter
from converter import FieldChange
from converter.differences.reports import REPORTS
from tests.differences.sitemaps import Page, differences, distinct_sides, sides, sitemap

pytestmark = pytest.mark.property


def _swapped(change: FieldChange) -> FieldChange:
    return change._replace(old=change.new, new=change.old)


@given(side=sides)
def test_a_side_equals_itself(side: list[Page]) -> None:
    assert differences(side, side) == []


@given(old=sides, new=sides)
def test_swapped_sides_give_the_opposite_changes(old: list[Page], new: list[Page]) -> None:
    opposite = {"added": "removed", "removed": "added"}
    there = {
        (
            change.url,
            opposite.get(change.kind, change.kind),
            frozenset(map(_swapped, change.fields)),
        )
        for change in differences(old, new)
    }
    back = {(it.url, it.kind, frozenset(it.fields)) for it in differences(new, old)}
    assert there == back


@given(old=sides, new=sides)
def test_applied_to_the_old_urls_the_changes_give_the_new_ones(
    old: list[Page], new: list[Page]
) -> None:
    def urls(kind: str) -> set[str]:
        changes = converter.diff(sitemap(old), sitemap(new), only=[kind])  # type: ignore[list-item]
        return set("".join(REPORTS["txt"](changes, changes.totals)).split())

    found = {url for url, _ in old} - urls("removed") | urls("added")
    assert found == {url for url, _ in new}


@given(
    old=distinct_sides,
    new=distinct_sides,
    random=st.randoms(use_true_random=False),
    name=st.sampled_from(sorted(REPORTS)),
)
def test_the_order_of_a_side_changes_no_byte(
    old: list[Page], new: list[Page], random: Random, name: str
) -> None:
    def report(one: list[Page], other: list[Page]) -> str:
        changes = converter.diff(sitemap(one), sitemap(other), compare=["all"])
        return "".join(REPORTS[name](changes, changes.totals))

    shuffled = random.sample(old, len(old)), random.sample(new, len(new))
    assert report(old, new) == report(*shuffled)


@given(old=sides, new=sides)
def test_changes_are_in_the_order_of_the_bytes_of_urls(old: list[Page], new: list[Page]) -> None:
    urls = [change.url.encode() for change in differences(old, new)]
    assert urls == sorted(set(urls))


@given(old=sides, new=sides)
def test_the_memory_changes_nothing(old: list[Page], new: list[Page]) -> None:
    assert differences(old, new) == differences(old, new, max_in_memory=600)


@given(old=sides, new=sides)
def test_every_page_is_counted_once(old: list[Page], new: list[Page]) -> None:
    changes = converter.diff(sitemap(old), sitemap(new), lastmod_order="newer")
    shown = list(changes)
    totals = changes.totals
    assert totals.kinds.total() == len({url for url, _ in (*old, *new)})
    assert totals.old.urls == len({url for url, _ in old})
    assert totals.old.duplicates == len(old) - totals.old.urls
    assert len(shown) == totals.kinds.total() - totals.kinds["same"]


@settings(max_examples=30)  # each makes three conversions
@given(
    side=distinct_sides.filter(bool),
    target=st.sampled_from(["sitemap", "mrss", "atom", "jsonfeed"]),
)
def test_a_side_equals_its_conversion_and_that_converted_back(
    side: list[Page], target: str
) -> None:
    # a month is no date of a sitemap; an entry of Atom always has a date
    side = [(url, others.replace(">2026-02<", ">2026-01-02<")) for url, others in side]
    assume(target != "atom" or all("<lastmod>" in others for _, others in side))
    there, back = BytesIO(), BytesIO()
    converter.convert(sitemap(side), there, to=target, legacy_tags=True)
    # news that is older than two days is left out
    held = ["lastmod", "images", "videos", *(["alternates"] * (target == "sitemap"))]
    assert list(converter.diff(sitemap(side), BytesIO(there.getvalue()), compare=held)) == []
    converter.convert(BytesIO(there.getvalue()), back, to="sitemap", legacy_tags=True)
    changes = converter.diff(BytesIO(there.getvalue()), BytesIO(back.getvalue()), compare=held)
    assert list(changes) == []
