"""Claims about the items of feeds: which of them are the same, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.issues import Code, Issue, ignore
from converter.model import Alternate, Entry, Feed, Moment
from converter.pipeline.transforms import deduplicate as module
from converter.pipeline.transforms.deduplicate import Deduplicator
from converter.pipeline.transforms.entry_identity import ItemIdentity
from tests.builders import NOW
from tests.transforms.two_passes import both_passes

A, B = "https://ex.com/a", "https://ex.com/b"
TAG = "tag:ex.com,2025:1"


def item(
    id: str | None,  # noqa: A002
    loc: str | None,
    title: str | None = None,
    source: str = "one.rss",
    day: int | None = None,
) -> Entry:
    date = None if day is None else Moment(instant=datetime(2025, 1, day, tzinfo=UTC))
    return Entry(id=id, loc=loc, title=title, updated=date, feed=Feed(source=source), line=7)


def merged(
    entries: Sequence[Entry], items: ItemIdentity | None = None, issues: list[Issue] | None = None
) -> list[Entry]:
    merger = Deduplicator(NOW, identity=items or ItemIdentity())
    report = ignore if issues is None else issues.append
    found = both_passes(merger, entries, report)
    assert merger.merged == len(entries) - len(found)
    return found


OTHER = "two.rss"


@pytest.mark.parametrize(
    ("first", "second", "are_same"),
    [
        # one source: the id decides, whatever the page and the title are
        (item("1", A), item("1", A), True),
        (item("1", A), item("1", B), True),
        (item("1", A, "x"), item("1", A, "y"), True),
        (item("1", None), item("1", None), True),
        (item("1", A), item(" 1\n", A), True),
        (item("1", A), item("2", A), False),
        (item(TAG, A), item(TAG, B), True),
        (item("1", A), item(None, A), False),
        (item(A, A), item(None, A), False),
        # several sources: an id that is an IRI, and the page
        (item(TAG, A), item(TAG, A, source=OTHER), True),
        (item(A, A), item(A, A, source=OTHER), True),
        (item(TAG, A), item(TAG, B, source=OTHER), False),
        (item(TAG, None), item(TAG, None, source=OTHER), False),
        (item("1", A), item("1", A, source=OTHER), False),
        # without ids: page and title, in one source or in several
        (item(None, A, "x"), item(None, A, "x"), True),
        (item(None, A, "x"), item(None, A, " x\n"), True),
        (item(None, A, "x"), item(None, A, "y"), False),
        (item(None, A, "x"), item(None, A), False),
        (item(None, A), item(None, A), True),
        (item(None, A), item(None, A, source=OTHER), True),
        (item("", A), item(None, A), True),
        (item(None, A, "x"), item(None, B, "x"), False),
        (item(None, None, "x"), item(None, None, "x"), False),
    ],
)
def test_which_items_are_the_same(first: Entry, second: Entry, are_same: bool) -> None:
    assert len(merged([first, second])) == (1 if are_same else 2)
    assert len(merged([second, first])) == (1 if are_same else 2)


def test_items_of_one_page_mix_no_fields() -> None:
    entries = [item(f"id-{n}", A, f"t{n}", day=n) for n in range(1, 20)]
    assert merged(entries) == entries


def test_the_same_items_are_merged_as_pages_are() -> None:
    (found,) = merged([item(TAG, A, day=1), item(TAG, B, "late", day=9), item(TAG, A, day=5)])
    assert (found.loc, found.title) == (A, "late")
    assert found.updated == item(TAG, A, day=9).updated


def test_items_of_one_source_are_merged_before_those_of_several() -> None:
    entries = [item(TAG, A), item(TAG, B, day=3), item(TAG, B, source=OTHER, day=9)]
    found = merged(entries)
    assert [(entry.loc, entry.updated) for entry in found] == [
        (A, entries[1].updated),
        (B, entries[2].updated),
    ]


def test_a_duplicate_names_its_page_and_both_places() -> None:
    issues: list[Issue] = []
    merged(
        [item(TAG, A), item(TAG, A, source=OTHER), item("2", None), item("2", None)], None, issues
    )
    assert [(issue.code, issue.entry, issue.message) for issue in issues] == [
        (Code.URL_DUPLICATE, A, f'"{A}": duplicate of one.rss:7; the two entries are merged'),
        (Code.URL_DUPLICATE, "2", '"2": duplicate of one.rss:7; the two entries are merged'),
    ]


def test_language_versions_are_looked_for_among_pages() -> None:
    versions = (Alternate(hreflang="de", href=A), Alternate(hreflang="en", href=B))
    pair = [
        Entry(id="1", loc=A, alternates=versions),
        Entry(id="2", loc=B, alternates=versions),
    ]
    assert merged(pair) == pair
    assert [entry.alternates for entry in merged(pair[:1])] == [()]


@pytest.mark.parametrize(
    ("items", "pairs"),
    [
        (ItemIdentity(across="any"), [(item("1", A), item("1", A, source=OTHER))]),
        (ItemIdentity(within="page"), [(item("1", A), item("1", A))]),
    ],
)
def test_other_identity_rules_merge_equal_items(
    items: ItemIdentity, pairs: list[tuple[Entry, Entry]]
) -> None:
    for pair in pairs:
        assert len(merged(pair, items)) == 1


def test_an_output_of_several_sources_keeps_items_of_one_id() -> None:
    assert len(merged([item("1", A), item("1", B)], ItemIdentity(within="page"))) == 2


# -- laws -------------------------------------------------------------------------------------

ITEMS = st.builds(
    item,
    st.sampled_from([None, "1", "2", TAG]),
    st.sampled_from([None, A, B]),
    st.sampled_from([None, "x", "y"]),
    st.just("one.rss"),
    st.none() | st.integers(1, 9),
)


def of(entry: Entry, source: str) -> Entry:
    return module.replace(entry, feed=Feed(source=source))


def classes(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Tell apart what is the same by the words of the rule, first in each source."""
    groups: list[list[Entry]] = []
    for entry in entries:
        known = next((g for g in groups if _same_in_source(g[0], entry)), None)
        if known is None:
            groups.append([entry])
        else:
            known.append(entry)
    found: list[list[Entry]] = []
    for group in groups:
        known = next((g for g in found if _same_across(g, group)), None)
        if known is None:
            found.append(group)
        else:
            known.extend(group)
    return found


def _same_in_source(first: Entry, second: Entry) -> bool:
    if first.id or second.id:
        return first.id == second.id and first.feed == second.feed
    return first.loc is not None and (first.loc, first.title) == (second.loc, second.title)


def _same_across(first: list[Entry], second: list[Entry]) -> bool:
    page = next((entry.loc for entry in first if entry.loc), None)
    other = next((entry.loc for entry in second if entry.loc), None)
    return first[0].id == second[0].id == TAG and page is not None and page == other


@pytest.mark.property
@pytest.mark.parametrize("digest", [lambda _: 1, len, hash])
@given(one=st.lists(ITEMS, max_size=6), two=st.lists(ITEMS, max_size=6))
def test_items_are_merged_by_the_rule_for_any_digests(
    digest: Any, one: list[Entry], two: list[Entry]
) -> None:
    entries = [of(e, "one.rss") for e in one] + [of(e, "two.rss") for e in two]
    expected = []
    for group in classes(entries):
        first, *others = group
        for other in others:
            first = module.merge(first, other, NOW)
        expected.append(first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "digest", digest)
        assert merged(entries) == expected


@pytest.mark.property
@given(sources=st.lists(st.lists(ITEMS, max_size=3), max_size=3))
def test_the_number_of_items_does_not_depend_on_source_order(
    sources: list[list[Entry]],
) -> None:
    named = [[of(entry, f"{n}.rss") for entry in given] for n, given in enumerate(sources)]
    counts = {len(merged([e for given in order for e in given])) for order in permutations(named)}
    assert len(counts) == 1
