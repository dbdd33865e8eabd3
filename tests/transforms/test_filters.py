from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from converter.errors import OptionError
from converter.issues import Code, Issue
from converter.model import Entry, Moment, Precision, Video
from converter.options import TransformOptions
from converter.pipeline.transforms import Transform, filters
from converter.pipeline.transforms.url_template import template as located
from tests.builders import codes, moment

DAY = Precision.DAY


def updated(entry: Entry) -> Moment | None:
    return entry.updated


def through(entries: Iterable[Entry], *transforms: Transform) -> list[Entry]:
    for transform in transforms:
        entries = filter(None, map(transform, entries))
    return list(entries)


def locs(entries: object) -> list[str | None]:
    return [entry.loc for entry in entries]  # type: ignore[attr-defined] # any iterable of entries


# ----- matching


@pytest.mark.parametrize(
    ("include", "exclude", "kept"),
    [
        ((), (), ["https://ex.com/a", "https://ex.com/b", None]),
        (("/a",), (), ["https://ex.com/a"]),
        (("/a$", "b"), (), ["https://ex.com/a", "https://ex.com/b"]),
        ((), ("/a",), ["https://ex.com/b", None]),
        (("ex",), ("/a",), ["https://ex.com/b"]),
    ],
)
def test_patterns_search_the_url_and_exclude_wins(
    include: tuple[str, ...], exclude: tuple[str, ...], kept: list[str | None]
) -> None:
    entries = [Entry(loc="https://ex.com/a"), Entry(loc="https://ex.com/b"), Entry(id="1", line=3)]
    issues: list[Issue] = []
    assert locs(through(entries, filters.matching(include, exclude, issues.append))) == kept
    assert codes(issues) == [Code.ENTRY_FILTERED] * (3 - len(kept))
    assert all(issue.entry for issue in issues)


def test_an_invalid_pattern_is_refused_at_once() -> None:
    with pytest.raises(OptionError, match=r'exclude "\(" is no regular expression'):
        filters.matching((), ("(",), lambda issue: None)


# ----- between


@pytest.mark.parametrize(
    ("since", "until", "kept"),
    [
        (None, None, "abcd-"),
        (moment("2025-03-05", DAY), None, "bcd-"),
        (moment("2025-03-05T00:00:01"), None, "cd-"),
        (None, moment("2025-03-05", DAY), "abc-"),
        (None, moment("2025-03-05T23:59:58"), "ab-"),
        (moment("2025-03-05", DAY), moment("2025-03-05", DAY), "bc-"),
        (None, moment("2025-03-01", Precision.MONTH), "abc-"),
        (None, moment("2025-01-01", Precision.YEAR), "abcd-"),
        (None, moment("9999-12-31", DAY), "abcd-"),
        (None, moment("9999-12-01", Precision.MONTH), "abcd-"),
        (None, moment("2024-01-01", Precision.YEAR), "-"),
    ],
)
def test_bounds_are_inclusive_and_plain_days_whole(
    since: Moment | None, until: Moment | None, kept: str
) -> None:
    entries = [
        Entry(loc="a", updated=moment("2025-03-04T23:59:59")),
        Entry(loc="b", updated=moment("2025-03-05", DAY)),
        Entry(loc="c", updated=moment("2025-03-05T23:59:59")),
        Entry(loc="d", updated=moment("2025-04-01")),
        Entry(loc="-"),
    ]
    issues: list[Issue] = []
    passed = through(entries, filters.between(since, until, False, updated, issues.append))
    assert "".join(loc or "" for loc in locs(passed)) == kept
    assert len(issues) == len(entries) - len(kept)
    undated = through(entries, filters.between(since, until, True, updated, issues.append))
    assert "".join(loc or "" for loc in locs(undated)) == kept[:-1]


# ----- Expiry


def test_drop_removes_entries_by_url() -> None:
    entries = [Entry(loc="https://ex.com/a"), Entry(loc="https://ex.com/b"), Entry(id="1")]
    issues: list[Issue] = []
    assert locs(through(entries, filters.Expiry(("/a$", "/c")).filter(updated, issues.append))) == [
        "https://ex.com/b",
        None,
    ]
    assert [(issue.code, issue.entry) for issue in issues] == [
        (Code.ENTRY_DROPPED, "https://ex.com/a")
    ]
    assert "--drop" in issues[0].message


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        ("2025-03-05T00:00:00", "abcd-"),
        ("2025-03-05T00:00:01", "bcd-"),
        ("2025-03-05T23:59:59", "bcd-"),
        ("2025-03-06T00:00:00", "d-"),
        ("2025-05-01T00:00:00", "-"),
    ],
)
def test_a_page_expires_when_its_last_day_is_over(before: str, kept: str) -> None:
    entries: list[Entry] = [
        Entry(loc="a", updated=moment("2025-03-05T00:00:00")),
        Entry(loc="b", updated=moment("2025-03-05", DAY)),
        Entry(loc="c", updated=moment("2025-03-05T23:59:59")),
        Entry(loc="d", updated=moment("2025-04-01")),
        Entry(loc="-"),
    ]
    bound = moment(before).instant
    issues: list[Issue] = []
    passed = through(entries, filters.Expiry(before=bound).filter(updated, issues.append))
    assert "".join(loc or "" for loc in locs(passed)) == kept
    assert codes(issues) == [Code.ENTRY_EXPIRED] * (5 - len(kept))


def test_everything_that_chooses_is_asked() -> None:
    entries: list[Entry] = [Entry(loc=letter) for letter in "abcd"]
    passes = TransformOptions(
        now=datetime(2025, 1, 1, tzinfo=UTC), drop=("a",), include=("[a-c]",), exclude=("b",)
    )
    issues: list[Issue] = []
    assert locs(through(entries, *filters.filters(passes, updated, issues.append))) == ["c"]
    strict = replace(passes, require_lastmod=True)
    assert locs(through(entries, *filters.filters(strict, updated, issues.append))) == []


# ----- template


ENTRY = Entry(
    loc="https://www.youtube.com/shows/Die%20Stra%C3%9Fe.html?v=1#t",
    id="yt:video:a/b",
    title="  Größe & _Wahn_!",
    videos=(Video(), Video(youtube_id="0A1o-V7_D8o")),
)


@pytest.mark.parametrize(
    ("template", "loc"),
    [
        ("https://ex.com/v/{yt_id}", "https://ex.com/v/0A1o-V7_D8o"),
        ("https://ex.com/{id}?{{x}}", "https://ex.com/yt%3Avideo%3Aa%2Fb?{x}"),
        ("https://ex.com/{slug}/{slug}", "https://ex.com/Die%20Stra%C3%9Fe/Die%20Stra%C3%9Fe"),
        ("https://ex.com/{title_slug}", "https://ex.com/gr%C3%B6sse-wahn"),
        (
            "https://ex.com/?u={loc}",
            "https://ex.com/?u=https%3A%2F%2Fwww.youtube.com%2Fshows%2FDie%2520Stra%25C3%259Fe.html%3Fv%3D1%23t",
        ),
    ],
)
def test_a_template_makes_the_url_of_the_fields(template: str, loc: str) -> None:
    issues: list[Issue] = []
    assert locs(through([ENTRY], located(template, issues.append))) == [loc]
    assert issues == []


@pytest.mark.parametrize("field", ["yt_id", "id", "loc", "slug", "title_slug"])
def test_an_entry_that_lacks_a_field_keeps_its_url(field: str) -> None:
    issues: list[Issue] = []
    entry = Entry(line=5)
    (kept,) = through([entry], located(f"https://ex.com/{{{field}}}", issues.append))
    assert kept is entry
    assert [(issue.code, issue.line) for issue in issues] == [(Code.LOC_TEMPLATE_UNFILLED, 5)]
    assert field in issues[0].message


def test_a_host_alone_has_no_slug() -> None:
    entry = Entry(loc="https://ex.com/")
    issues: list[Issue] = []
    assert list(through([entry], located("https://ex.com/{slug}", issues.append))) == [entry]
    assert len(issues) == 1


@pytest.mark.parametrize(
    "template",
    [
        "https://ex.com/{",
        "https://ex.com/{title}",
        "https://ex.com/{}",
        "https://ex.com/{yt_id.__class__}",
        "https://ex.com/{yt_id!r}",
        "https://ex.com/{yt_id:>{id}}",
        "https://ex.com/all-the-same",
        "/videos/{yt_id}",
    ],
)
def test_a_template_that_cannot_be_is_refused_at_once(template: str) -> None:
    with pytest.raises(OptionError, match="--loc-template"):
        located(template, lambda issue: None)
