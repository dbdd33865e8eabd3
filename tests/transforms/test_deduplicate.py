"""Claims about duplicates: each page once, with all that any of its entries says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.issues import Code, Issue, ignore
from converter.model import (
    Alternate,
    Audio,
    Entry,
    Feed,
    Image,
    Moment,
    News,
    Precision,
    Text,
    Video,
)
from converter.pipeline.transforms import deduplicate as module
from converter.pipeline.transforms.deduplicate import Deduplicator, merge
from tests.builders import NOW, moment
from tests.strategies import made
from tests.transforms.two_passes import both_passes, deduplicated

LOC = "https://ex.com/a"


def united(**given: tuple[Any, Any]) -> Entry:
    first = Entry(loc=LOC, **{name: pair[0] for name, pair in given.items()})
    second = Entry(loc=LOC, **{name: pair[1] for name, pair in given.items()})
    return merge(first, second, NOW)


EARLY, LATE = moment("2025-01-01T10:00"), moment("2025-02-01T10:00")
FUTURE, FAR = moment("2027-01-01T00:00"), moment("2028-01-01T00:00")
DAY = moment("2025-03-05", Precision.DAY)
YEAR = moment("2025-06-01", Precision.YEAR)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (EARLY, LATE, LATE),
        (LATE, EARLY, LATE),
        (None, EARLY, EARLY),
        (EARLY, None, EARLY),
        (None, None, None),
        (EARLY, FUTURE, EARLY),  # the future is no date of a page
        (FUTURE, EARLY, EARLY),
        (FUTURE, FAR, FUTURE),  # and is kept to be reported, where there is nothing else
        (EARLY, YEAR, EARLY),  # a year would be left out, and the full date with it
        (YEAR, EARLY, EARLY),
        (None, YEAR, YEAR),
        (DAY, moment("2025-03-05T00:00"), moment("2025-03-05T00:00")),  # a tie: the more precise
        (
            moment("2025-03-05T01:00+02:00"),
            moment("2025-03-04T23:30"),
            moment("2025-03-04T23:30"),
        ),  # in UTC
        (
            moment("2025-03-05T01:00+02:00"),
            moment("2025-03-04T23:00"),
            moment("2025-03-05T01:00+02:00"),
        ),
        (EARLY, moment("2026-01-15T12:09"), moment("2026-01-15T12:09")),  # clocks may differ
    ],
)
@pytest.mark.parametrize("field", ["published", "updated"])
def test_the_latest_date_not_in_the_future_is_kept(
    field: str, first: Moment | None, second: Moment | None, expected: Moment | None
) -> None:
    date = getattr(united(**{field: (first, second)}), field)
    assert date == expected
    assert (date and date.instant.utcoffset()) == (expected and expected.instant.utcoffset())


@pytest.mark.parametrize(
    ("name", "first", "second", "expected"),
    [
        ("title", "A", "B", "A"),
        ("title", None, "B", "B"),
        ("priority", Decimal("0.0"), Decimal("0.5"), Decimal("0.0")),  # nought is something
        ("priority", None, Decimal("0.0"), Decimal("0.0")),
        ("changefreq", "daily", "weekly", "daily"),
        ("summary", None, Text(value="s"), Text(value="s")),
        ("mobile", False, True, True),
        ("mobile", True, False, True),
        ("line", 3, 9, 3),
    ],
)
def test_other_fields_take_the_first_value(
    name: str, first: Any, second: Any, expected: Any
) -> None:
    assert getattr(united(**{name: (first, second)}), name) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("a", False), ("b", True), ("a", False)),
        (("a", None), ("b", True), ("a", None)),
        ((None, None), ("b", False), ("b", False)),
        ((None, None), (None, None), (None, None)),
    ],
)
def test_is_permalink_stays_with_its_id(first: Any, second: Any, expected: Any) -> None:
    entry = united(id=(first[0], second[0]), id_is_permalink=(first[1], second[1]))
    assert (entry.id, entry.id_is_permalink) == expected


def test_media_are_merged_in_the_order_of_first_occurrence() -> None:
    one, two, again = Image(url="1"), Image(url="2"), Image(url="1", geo="x")
    assert united(images=((one,), (two, again))).images == (one, two)
    a, b = Video(content_url="a", player_url="p"), Video(content_url="b", player_url="p")
    player = Video(player_url="p")
    videos = united(videos=((a, player), (b, replace(a, views=3), player))).videos
    assert videos == (a, player, b)
    sound = Audio(content_url="a")
    assert united(audios=((sound,), (sound, Audio(content_url="b")))).audios == (
        sound,
        Audio(content_url="b"),
    )


def test_videos_without_urls_are_distinguished_by_their_fields() -> None:
    known = Video(title=Text(value="A"), line=3)
    again, other = replace(known, line=9), Video(title=Text(value="B"), line=9)
    assert united(videos=((known,), (again, other))).videos == (known, other)


def test_language_versions_are_merged_by_language() -> None:
    en, de = Alternate(hreflang="en", href="1"), Alternate(hreflang="de", href="2")
    EN = Alternate(hreflang="EN", href="3")  # noqa: N806
    assert united(alternates=((en,), (EN, de))).alternates == (en, de)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (None, News(title="b"), "b"),
        (News(title="a"), None, "a"),
        (News(title="a"), News(title="b"), "a"),
        (News(title="a", published=EARLY), News(title="b", published=LATE), "b"),
        (News(title="a", published=LATE), News(title="b", published=EARLY), "a"),
        (News(title="a", published=LATE), News(title="b", published=LATE), "a"),
        (News(title="a"), News(title="b", published=EARLY), "b"),
        (News(title="a", published=EARLY), News(title="b"), "a"),
    ],
)
def test_of_news_the_newest(first: Any, second: Any, expected: str) -> None:
    news = united(news=(first, second)).news
    assert news is not None
    assert news.title == expected


MOMENTS = made(
    Moment,
    instant=st.builds(
        lambda hours, offset: (NOW + timedelta(hours=hours)).astimezone(
            timezone(timedelta(hours=offset))
        ),
        st.integers(-3, 3),
        st.integers(-1, 1),
    ),
    precision=st.sampled_from(Precision),
)


def some(kind: Any, **fields: Any) -> st.SearchStrategy[tuple[Any, ...]]:
    """Few different values, none twice in one entry, so that entries often share them."""
    return st.lists(
        st.builds(kind, **fields),
        max_size=2,
        unique_by=lambda item: next(getattr(item, name) for name in fields),
    ).map(tuple)


FEW = st.sampled_from("ab")
ENTRIES = st.builds(
    Entry,
    loc=st.just(LOC),
    id=st.none() | FEW,
    id_is_permalink=st.none() | st.booleans(),
    title=st.none() | FEW,
    priority=st.none() | st.sampled_from([Decimal(0), Decimal("0.5")]),
    mobile=st.booleans(),
    published=st.none() | MOMENTS,
    updated=st.none() | MOMENTS,
    images=some(Image, url=FEW, geo=st.none() | FEW),
    videos=some(Video, content_url=FEW, license=st.none() | FEW),
    alternates=some(Alternate, hreflang=FEW, href=FEW),
    news=st.none() | st.builds(News, title=FEW, published=st.none() | MOMENTS),
    line=st.integers(1, 9),
)


def exactly(entry: Entry) -> Any:
    """An entry with the offsets of its dates, which do not count when they are compared."""
    news = entry.news and entry.news.published
    dates = (entry.published, entry.updated, news)
    return entry, [date and date.instant.utcoffset() for date in dates]


@pytest.mark.property
@given(ENTRIES, ENTRIES, ENTRIES)
def test_merging_is_associative(a: Entry, b: Entry, c: Entry) -> None:
    left = merge(merge(a, b, NOW), c, NOW)
    right = merge(a, merge(b, c, NOW), NOW)
    assert exactly(left) == exactly(right)


@pytest.mark.property
@given(ENTRIES, ENTRIES)
def test_merging_again_changes_nothing(a: Entry, b: Entry) -> None:
    assert exactly(merge(a, a, NOW)) == exactly(a)
    once = merge(a, b, NOW)
    assert exactly(merge(once, b, NOW)) == exactly(once)


# -- the walks --------------------------------------------------------------------------------


def walked(
    entries: Sequence[Entry], issues: list[Issue] | None = None
) -> tuple[list[Entry], Deduplicator]:
    merger = Deduplicator(NOW)
    report = ignore if issues is None else issues.append
    return both_passes(merger, entries, report), merger


def pages(*names: str) -> list[Entry]:
    return [Entry(loc=f"https://ex.com/{name}", line=n) for n, name in enumerate(names, 1)]


def test_input_without_duplicates_is_read_once_and_unchanged() -> None:
    entries = [*pages("a", "b"), Entry(id="x"), Entry(id="x")]
    merger = Deduplicator(NOW)
    found = deduplicated(merger, entries, ignore)
    assert [id(entry) for entry in found] == [id(entry) for entry in entries]
    assert not merger.needs_second_pass
    assert merger.merged == 0


def test_a_page_stays_where_it_came_first_and_each_other_entry_is_reported() -> None:
    issues: list[Issue] = []
    found, merger = walked(pages("a", "b", "a", "c", "a"), issues)
    assert [entry.loc for entry in found] == [f"https://ex.com/{name}" for name in "abc"]
    assert merger.merged == 2
    assert [(issue.code, issue.line, issue.entry) for issue in issues] == [
        (Code.URL_DUPLICATE, 3, LOC),
        (Code.URL_DUPLICATE, 5, LOC),
    ]
    assert issues[0].message == f'"{LOC}": duplicate of line 1; the two entries are merged'
    assert not merger.needs_second_pass


def test_a_duplicate_of_an_entry_without_a_line_is_reported() -> None:
    issues: list[Issue] = []
    walked([Entry(loc=LOC), Entry(loc=LOC)], issues)
    assert [issue.message for issue in issues] == [
        f'"{LOC}": duplicate of an earlier entry; the two entries are merged'
    ]


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("blog.rss", "blog.rss:1"),
        ("other.rss", "other.rss:1"),
        ("https://me:secret@ex.com/feed", "https://ex.com/feed:1"),
        ("a\x1b[31m.rss", "a\\x1b[31m.rss:1"),
    ],
)
def test_a_duplicate_names_the_file_of_the_first(source: str, place: str) -> None:
    issues: list[Issue] = []
    first = Entry(loc=LOC, line=1, feed=Feed(source=source))
    walked([first, Entry(loc=LOC, line=40, feed=Feed(source="blog.rss"))], issues)
    assert [(issue.line, issue.message) for issue in issues] == [
        (40, f'"{LOC}": duplicate of {place}; the two entries are merged')
    ]


def version(language: str, *languages: str, format: str = "atom") -> Entry:  # noqa: A002
    return Entry(
        loc=f"https://ex.com/{language}",
        line=7,
        feed=Feed(format=format),
        alternates=tuple(
            Alternate(hreflang=name, href=f"https://ex.com/{name}") for name in languages
        ),
    )


def test_language_versions_stay_where_all_of_them_are_in_the_output() -> None:
    issues: list[Issue] = []
    entries = [version("de", "de", "en"), version("en", "de", "en")]
    assert walked(entries, issues)[0] == entries
    assert issues == []


def test_language_versions_go_where_one_is_missing() -> None:
    issues: list[Issue] = []
    found, _ = walked([version("de", "de", "en"), version("fr", "fr")], issues)
    assert [entry.alternates for entry in found] == [(), version("fr", "fr").alternates]
    assert [(issue.code, issue.line) for issue in issues] == [(Code.HREFLANG_INCOMPLETE, 7)]
    assert issues[0].message == "the en version is not in the output; the versions are left out"


def test_a_sitemaps_language_versions_stay_as_they_are() -> None:
    issues: list[Issue] = []
    entries = [version("de", "de", "en", format="sitemap")]
    assert walked(entries, issues)[0] == entries
    assert [issue.message for issue in issues] == [
        "the en version is not in the output; the versions are kept as they are in the sitemap"
    ]


# Names with the first letter's digest: constants, pairs, and all of them apart.
@pytest.mark.parametrize("digest", [lambda _: 1, lambda loc: len(loc) % 2, hash])
@pytest.mark.property
@given(names=st.lists(st.sampled_from(["a", "b", "cc", "dd", "eee"]), max_size=12))
def test_equal_digests_never_lose_a_page(digest: Any, names: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "digest", digest)
        found, merger = walked(pages(*names))
    assert [entry.loc for entry in found] == [
        f"https://ex.com/{name}" for name in dict.fromkeys(names)
    ]
    assert merger.merged == len(names) - len(set(names))


def test_equal_digests_do_not_mix_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "digest", lambda _: 1)
    a, b, again = pages("a", "b", "b")
    video = Video(title=Text(value="nowhere"), line=2)
    found, _ = walked([a, replace(b, title="B", videos=(video,)), replace(again, title="Again")])
    assert found == [a, replace(b, title="B", videos=(video,))]
