"""Claims about `--update` and `--merge`: existing entries keep their place and are updated."""

from __future__ import annotations

import io
import os
import re
import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import converter
from converter import Code, Entry, OptionError, RefusedError, Result, SourceError
from converter.model import Alternate, Image, Moment
from converter.update import block_copy
from converter.update.part_updater import PartUpdater
from tests.builders import NOW, codes, locs, rss, text, tree

HOUR = timedelta(hours=1)

pytestmark = pytest.mark.usefixtures("in_tmp_path")


def at(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(now.timestamp())))


def page(number: int, day: int = 0, *images: str) -> Entry:
    updated = Moment(instant=datetime(2026, 1, day, 9, tzinfo=UTC)) if day else None
    pictures = tuple(Image(url=f"https://ex.com/{name}.png") for name in images)
    return Entry(loc=f"https://ex.com/{number}", updated=updated, images=pictures)


def write(entries: Iterable[Entry], target: str = "s.xml", **options: Any) -> Result:
    return converter.write(list(entries), target, sitemap_url="https://ex.com/s.xml", **options)


def item(number: int, day: int) -> str:
    return f"<link>https://ex.com/{number}</link><pubDate>{day} Jan 2026 09:00:00 GMT</pubDate>"


def picture(name: str) -> str:
    return f"<image:image><image:loc>https://ex.com/{name}.png</image:loc></image:image>"


def pages(*paths: str) -> list[int]:
    return [int(loc.rpartition("/")[2]) for path in paths for loc in locs(path)]


def written_at() -> dict[str, int]:
    return {p.name: p.stat().st_mtime_ns for p in Path().iterdir() if p.suffix != ".lock"}


# -- existing pages --------------------------------------------------------------------------


def test_new_pages_are_appended_and_existing_ones_updated_in_place() -> None:
    write([page(1, 1, "a"), page(2, 2), page(3)])
    result = write([page(4, 8), page(1, 9, "b"), page(2, 1)], update=True)
    assert text("s.xml").splitlines()[2:-1] == [
        (
            "<url><loc>https://ex.com/1</loc><lastmod>2026-01-09T09:00:00+00:00</lastmod>"
            f"{picture('a')}{picture('b')}</url>"
        ),
        "<url><loc>https://ex.com/2</loc><lastmod>2026-01-02T09:00:00+00:00</lastmod></url>",
        "<url><loc>https://ex.com/3</loc></url>",
        "<url><loc>https://ex.com/4</loc><lastmod>2026-01-08T09:00:00+00:00</lastmod></url>",
    ]
    assert (result.urls, result.added, result.renewed, result.dropped) == (4, 1, 1, 0)


def test_without_an_existing_output_it_is_an_ordinary_run() -> None:
    result = write([page(1)], update=True)
    assert pages("s.xml") == [1]
    assert result.added is None


def test_ten_new_entries_are_added_to_twenty_thousand_pages() -> None:
    known = [page(n, 1 + n % 9, *(["a"] if n % 100 == 0 else [])) for n in range(1, 20_001)]
    write(known)
    items = [item(n, 14) for n in (*range(20_001, 20_006), 100, 200, 300, 400, 20_000)]
    result = converter.convert(rss(*items), "s.xml", update=True)
    assert (result.urls, result.added, result.renewed) == (20_005, 5, 5)
    assert pages("s.xml") == list(range(1, 20_006))
    assert text("s.xml").count("2026-01-14T09:00:00+00:00") == 10
    assert text("s.xml").count("<image:image>") == 200
    before = written_at(), tree()
    again = converter.convert(rss(*items), "s.xml", update=True)
    empty = converter.convert(rss(), "s.xml", update=True)
    assert (written_at(), tree()) == before
    for result in (again, empty):
        assert (result.urls, result.added, result.renewed) == (20_005, 0, 0)
        assert result.unchanged
        assert result.files == ()
        assert result.kept == ("s.xml",)
    assert codes(empty.issues) == [Code.SOURCE_EMPTY]


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_only_parts_that_change_are_written_and_get_a_new_date(
    monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    target = f"s.xml{suffix}"
    write([page(n) for n in range(1, 8)], target, limit_urls=3)
    before = tree()
    at(monkeypatch, NOW + HOUR)
    result = write([page(8), page(4, 9)], target, update=True, limit_urls=3)
    parts = [f"s-{n}.xml{suffix}" for n in (1, 2, 3)]
    assert pages(*parts) == [*range(1, 9)]
    assert [len(locs(part)) for part in parts] == [3, 3, 2]
    assert {name for name, data in tree().items() if before.get(name) != data} == {
        target,
        *parts[1:],
    }
    dates = re.findall("<lastmod>(.*?)</lastmod>", text(target))
    assert [date[11:16] for date in dates] == ["12:00", "13:00", "13:00"]
    assert result.kept == (parts[0],)
    assert [file.path for file in result.files] == [target, *parts[1:]]
    at(monkeypatch, NOW + 2 * HOUR)
    after = written_at()
    assert write([page(8), page(4, 9)], target, update=True, limit_urls=3).unchanged
    assert written_at() == after


@pytest.mark.parametrize("said", ["", "<lastmod>soon</lastmod>", "<lastmod>2026-01</lastmod>"])
def test_an_unchanged_part_gets_no_date_in_the_index(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    write([page(n) for n in range(1, 4)], limit_urls=2)
    rows = text("s.xml").replace("<lastmod>2026-01-15T12:00:00+00:00</lastmod>", said, 1)
    Path("s.xml").write_text(rows)
    at(monkeypatch, NOW + HOUR)
    for added in (4, 5):
        write([page(added)], update=True, limit_urls=2)
        first, *others = text("s.xml").splitlines()[3:-1]
        assert first == "<sitemap><loc>https://ex.com/s-1.xml</loc></sitemap>"
        assert all("<lastmod>2026-01-15T13:00:00+00:00<" in row for row in others)


def test_a_full_last_part_is_unchanged_and_new_parts_follow() -> None:
    write([page(n) for n in range(1, 5)], limit_urls=2)
    before = written_at()
    write([page(n) for n in range(5, 10)], update=True, limit_urls=2)
    parts = [f"s-{n}.xml" for n in range(1, 6)]
    assert [pages(part) for part in parts] == [[1, 2], [3, 4], [5, 6], [7, 8], [9]]
    assert {name for name, time in before.items() if written_at()[name] == time} == set(parts[:2])
    assert locs("s.xml") == [f"https://ex.com/{part}" for part in parts]


def test_a_file_that_grows_too_large_is_split_into_parts() -> None:
    write([page(1), page(2)])
    result = write([page(3)], update=True, limit_urls=2)
    assert sorted(tree()) == ["s-1.xml", "s-2.xml", "s.xml"]
    assert [pages("s-1.xml"), pages("s-2.xml")] == [[1, 2], [3]]
    assert result.urls == 3


def test_entries_that_no_longer_fit_in_a_part_move_to_a_new_one() -> None:
    limit = 1024
    write([page(n) for n in range(1, 31)], limit_bytes=limit)
    first, last = pages("s-1.xml"), pages("s-2.xml")
    many = [f"picture-{n:03}" for n in range(8)]
    result = write([page(first[0], 9, *many)], update=True, limit_bytes=limit)
    after = [pages(f"s-{n}.xml") for n in (1, 2, 3)]
    assert after[0] == first[: len(after[0])]
    moved = first[len(after[0]) :]
    assert moved
    assert after[1] + after[2] == [*last, *moved]
    assert (result.added, result.renewed, result.urls) == (0, 1, 30)
    assert all(len(data) <= limit for data in tree().values())


def test_an_index_whose_parts_are_missing_is_an_error() -> None:
    write([page(n) for n in range(1, 5)], limit_urls=2)
    Path("s-1.xml").unlink()
    before = tree()
    with pytest.raises(SourceError, match=r"s-1\.xml"):
        write([page(9)], update=True)
    assert tree() == before


def test_a_damaged_part_is_an_error() -> None:
    write([page(n) for n in range(1, 5)], "s.xml.gz", limit_urls=2)
    Path("s-1.xml.gz").write_bytes(Path("s-1.xml.gz").read_bytes()[:-30])
    before = tree()
    with pytest.raises(SourceError, match=r"s-1\.xml\.gz.*fix it"):
        write([page(9)], "s.xml.gz", update=True)
    assert tree() == before


@pytest.mark.parametrize("broken", ["s.xml", "s-1.xml", "s-2.xml"])
@pytest.mark.parametrize("limit", [2, 50_000])
def test_a_truncated_output_is_an_error(broken: str, limit: int) -> None:
    write([page(n) for n in range(1, 5)], limit_urls=limit)
    if not Path(broken).exists():
        return
    Path(broken).write_bytes(Path(broken).read_bytes()[:-40])
    before = tree()
    for options in ({"update": True}, {"fail_if_shrinks": 90.0}):
        with pytest.raises(SourceError, match=f"{broken}: .*fix it"):
            write([page(n) for n in range(5)], limit_urls=limit, **options)
        assert tree() == before


HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
ONE = "<url><loc>https://ex.com/1</loc></url>"
TWO = "<url><loc>https://ex.com/2&x;</loc></url></urlset>"


@pytest.mark.parametrize("options", [{"update": True}, {"fail_if_shrinks": 90.0}])
@pytest.mark.parametrize(
    ("existing", "found"),
    [
        (f"{HEAD}{ONE}<url><loc>https://ex.com/2?a&b</loc></url></urlset>", "bare &"),
        (f"{HEAD}{ONE}<url><loc>https://ex.com/2</loc>{ONE}</urlset>", "<url> without an end tag"),
        (f"{HEAD}{ONE}{ONE.upper()}</urlset>", "<URL> is not <url>"),
        (f"{HEAD}{ONE}<url><loc>https://ex.com/\udcff</loc></url></urlset>", "UTF-8"),
        (
            f'<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/hostname">]>{HEAD}{ONE}{TWO}',
            "&x; is external",
        ),
        (f"{HEAD}{ONE}", "not well-formed"),
        (HEAD, "not well-formed"),
        ("see other file", "neither markup nor URLs"),
        ("", "empty (0 bytes)"),
    ],
)
def test_a_damaged_output_is_an_error(existing: str, found: str, options: dict[str, Any]) -> None:
    Path("s.xml").write_bytes(existing.encode(errors="surrogateescape"))
    with pytest.raises(SourceError) as raised:
        write([page(9)], **options)
    assert str(raised.value).startswith("s.xml: ")
    assert found in str(raised.value)
    assert str(raised.value).count("fix it, or remove the whole output") == 1
    assert Path("s.xml").read_bytes() == existing.encode(errors="surrogateescape")


@pytest.mark.parametrize("count", [2, 9_999], ids=["by the line", "by the block"])
def test_a_list_that_is_not_utf8_is_an_error(count: int) -> None:
    lines = [f"https://ex.com/{n}" for n in range(count)]
    Path("s.txt").write_bytes("\n".join([*lines, "https://ex.com/\xe4"]).encode("latin-1"))
    with pytest.raises(SourceError, match=r"s\.txt: this line is not UTF-8.*fix it"):
        write([page(1)], "s.txt", to="txt", update=True)


@pytest.mark.parametrize(("existing", "asked"), [("s.xml", "s.xml.gz"), ("s.xml.gz", "s.xml")])
def test_an_output_that_exists_with_or_without_gz_is_an_error(existing: str, asked: str) -> None:
    write([page(1), page(2)], existing)
    with pytest.raises(OptionError, match="--merge"):
        write([page(3)], asked, update=True)
    assert set(tree()) == {existing}
    assert write([page(3)], asked, merge=[existing]).urls == 3


@pytest.mark.parametrize("policy", ["published", "none", "updated"])
@pytest.mark.parametrize(
    "options",
    [{"update": True}, {"merge": ["s.xml"], "force": True}, {"update": True, "part_by": "year"}],
)
def test_existing_dates_stay_with_any_lastmod_policy(policy: str, options: dict[str, Any]) -> None:
    write([page(1, 5), page(2, 6), page(3, 1)])
    dated = {day: Moment(instant=datetime(2026, 1, day, 9, tzinfo=UTC)) for day in (4, 8, 9)}
    new = [
        Entry(loc="https://ex.com/1"),
        Entry(loc="https://ex.com/3", published=dated[8], updated=dated[9]),
        Entry(loc="https://ex.com/2", published=dated[4]),
    ]
    write(new, lastmod=policy, **options)
    part = "s-2026.xml" if "part_by" in options else "s.xml"
    days = re.findall("<lastmod>2026-01-([0-9]+)", text(part))
    assert days == ["05", "06", {"published": "08", "none": "01", "updated": "09"}[policy]]


def test_a_future_date_is_reported_once() -> None:
    write([page(1, 5)])
    ahead = Entry(loc="https://ex.com/1", published=Moment(instant=NOW + 40 * HOUR))
    twice = [ahead, page(2), page(2, 3)]
    result = write(twice, update=True, lastmod="published")
    found = codes(result.issues)
    assert sorted(found) == [Code.DATE_FUTURE, Code.URL_DUPLICATE]
    assert "2026-01-05" in text("s.xml")


def test_the_number_of_a_part_may_look_like_a_year() -> None:
    write([page(n) for n in range(1, 1003)], limit_urls=1)
    before = written_at()
    write([page(2, 9)], update=True, limit_urls=1)
    changed = {name for name, time in written_at().items() if before[name] != time}
    assert changed == {"s-2.xml"}  # at the same time of the same day


def test_alternating_sources_change_nothing() -> None:
    first, second = page(1, 5, "a", "b"), page(1, 5, "c", "b")
    write([first])
    write([second], update=True)
    assert re.findall("([a-z]).png", text("s.xml")) == ["a", "b", "c"]
    for entry in (first, second, first):
        assert write([entry], update=True).unchanged


def test_an_older_entry_changes_no_values() -> None:
    hints = {"loc": "https://ex.com/1", "changefreq": "daily"}
    write([Entry(**hints, updated=Moment(instant=NOW - HOUR))])
    stale = Entry(
        loc="https://ex.com/1", changefreq="never", updated=Moment(instant=NOW - 9 * HOUR)
    )
    assert write([stale], update=True).unchanged
    fresh = replace(stale, updated=Moment(instant=NOW))
    assert write([fresh], update=True).renewed == 1
    assert "never" in text("s.xml")


@pytest.mark.parametrize(
    "options", [{"scheme": "https"}, {"unify_host": True}, {"merge": ["m.txt"]}, {"pretty": True}]
)
def test_pages_keep_their_place_with_other_options(options: dict[str, Any]) -> None:
    write([page(n) for n in range(1, 8)], limit_urls=3)
    write([], update=True, limit_urls=3, drop=["/2$"])
    Path("m.txt").write_text("https://ex.com/9\n")
    before = written_at()
    write([page(8)], update=True, limit_urls=3, **options)
    assert [pages(f"s-{n}.xml") for n in (1, 2)] == [[1, 3], [4, 5, 6]]
    assert pages("s-3.xml")[:2] == [7, 8]
    assert {n: written_at()[n] for n in ("s-1.xml", "s-2.xml")}.items() <= before.items()


def test_urls_of_the_other_scheme_are_rewritten_in_place() -> None:
    write([Entry(loc=f"http://ex.com/{n}") for n in (1, 2)])
    write([page(3), page(1, 9)], update=True, scheme="https")
    assert locs("s.xml") == [f"https://ex.com/{n}" for n in (1, 2, 3)]


# -- headers of new documents ------------------------------------------------------------------

HEADER = (
    "<title>News</title><link>https://ex.com/</link><description>All</description>"
    "<copyright>Us</copyright>"
)


@pytest.mark.parametrize(
    "options",
    [
        {"update": True},
        {"update": True, "part_by": "year"},
        {"merge": ["m.txt"]},
        {"merge": ["m.txt"], "part_by": "year"},
        {"merge": ["m.txt"], "update": True},
    ],
)
@pytest.mark.parametrize("existing", ["ours", "of others", "nothing"])
def test_lost_header_fields_are_counted_with_any_existing_output(
    options: dict[str, Any], existing: str
) -> None:
    Path("m.txt").write_text("https://ex.com/8\n")
    if existing != "nothing":
        write([page(1)])
    if existing == "of others":
        Path("s.xml").write_text(FOREIGN)
    result = converter.convert(rss(item(2, 9), head=HEADER), "s.xml", **options)
    lost = {"feed/title": 1, "feed/link": 1, "feed/description": 1, "feed/copyright": 1}
    assert {name: result.lost[name] for name in result.lost if "/" in name} == lost


def test_a_header_field_that_the_new_header_lacks_is_lost() -> None:
    converter.convert(rss(item(1, 8), head=HEADER), "s.rss")
    result = converter.convert(rss(item(2, 9), head="<title>Other</title>"), "s.rss", update=True)
    assert "<title>Other</title>" in text("s.rss")
    assert result.lost == dict.fromkeys(
        ("feed/title", "feed/link", "feed/description", "feed/copyright"), 1
    )


@pytest.mark.parametrize("options", [{"update": True}, {"merge": ["s.rss"], "force": True}])
def test_a_source_without_a_header_keeps_the_existing_one(options: dict[str, Any]) -> None:
    converter.convert(rss(item(1, 8), head=HEADER), "s.rss")
    Path("m.txt").write_text("https://ex.com/8\n")
    result = converter.convert("m.txt", "s.rss", **options)
    assert f"<channel>{HEADER}" in text("s.rss").replace("\n", "")
    assert not result.lost


# -- guards compare with the existing output, not with merged documents ------------------------


@pytest.mark.parametrize("options", [{"merge": ["m.xml"]}, {"part_by": "year"}, {}])
def test_the_guard_compares_a_new_set_with_the_existing_one(
    options: dict[str, Any],
) -> None:
    write([page(n) for n in range(1, 101)])
    write([page(1), page(2)], "m.xml")
    before = tree()
    with pytest.raises(RefusedError, match=r"existing one 100 .*--fail-if-shrinks"):
        write([page(3)], **options, fail_if_shrinks=10)
    assert tree() == before


# -- sitemaps of other programs -----------------------------------------------------------------

FOREIGN = """<?xml version='1.0'?><!-- by hand -->
<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'
  xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>
<url><lastmod>2026-01-09</lastmod><loc>HTTPS://EX.com/1</loc>
  <i:image><i:loc>https://ex.com/a.png</i:loc></i:image></url>
<url><loc>https://ex.com/2?utm_source=x</loc><priority>0.5</priority></url>
</urlset>
"""


def test_a_sitemap_of_another_program_can_be_updated() -> None:
    Path("s.xml").write_text(FOREIGN)
    result = write([page(3), page(1, 12)], update=True)
    assert text("s.xml").splitlines()[2:-1] == [
        (
            "<url><loc>https://ex.com/1</loc><lastmod>2026-01-12T09:00:00+00:00</lastmod>"
            f"{picture('a')}</url>"
        ),
        "<url><loc>https://ex.com/2</loc><priority>0.5</priority></url>",
        "<url><loc>https://ex.com/3</loc></url>",
    ]
    assert (result.urls, result.added, result.renewed) == (3, 1, 1)
    again = write([page(3), page(1, 12)], update=True)
    assert again.unchanged


def test_an_index_of_another_program_is_replaced_and_its_files_stay() -> None:
    write([page(1), page(2)], "posts.xml")
    write([page(3)], "pages.xml")
    rows = "".join(
        f"<sitemap><loc>https://ex.com/{name}.xml</loc></sitemap>" for name in ("posts", "pages")
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    Path("s.xml").write_text(f'<sitemapindex xmlns="{space}">{rows}</sitemapindex>')
    result = write([page(4)], update=True)
    assert pages("s-1.xml") == [1, 2, 3, 4]
    assert locs("s.xml") == ["https://ex.com/s-1.xml"]
    assert {"posts.xml", "pages.xml"} < set(tree())
    (told,) = result.issues
    assert told.code is Code.FILE_LEFT_OVER
    assert "posts.xml, pages.xml" in told.message
    again = write([page(4)], update=True)
    assert again.unchanged
    assert again.issues == ()


def test_merged_entries_come_first_and_new_values_win() -> None:
    write([page(1, 1, "a"), page(2)], "old.xml")
    Path("more.txt").write_text("https://ex.com/2\nhttps://ex.com/5\n")
    options = {"merge": ["old.xml", "more.txt"]}
    result = write([page(6), page(1, 9)], **options)
    assert pages("s.xml") == [1, 2, 5, 6]
    assert "2026-01-09" in text("s.xml")
    assert "a.png" in text("s.xml")
    assert (result.added, result.renewed) == (1, 1)
    assert result.issues == ()


def test_merging_the_same_entries_again_changes_no_byte() -> None:
    write([page(n, n) for n in range(1, 9)], "old.xml", limit_urls=3)
    new = [page(3, 12), page(12, 12), page(13)]
    write(new, merge=["old.xml"], limit_urls=4)
    first = tree()
    write(new, merge=["old.xml"], limit_urls=4)
    write(new, merge=["s.xml"], limit_urls=4, force=True)
    assert tree() == first


PAGES = st.lists(
    st.builds(
        page,
        st.integers(1, 12),
        st.integers(0, 14),
        st.sampled_from(["a", "b"]),
    ),
    max_size=12,
)


@given(known=PAGES.filter(bool), fresh=PAGES, limit=st.integers(2, 5))
@pytest.mark.property
def test_updates_by_part_and_by_entry_give_the_same_result(
    tmp_path_factory: pytest.TempPathFactory,
    known: list[Entry],
    fresh: list[Entry],
    limit: int,
) -> None:
    folder = tmp_path_factory.mktemp("both")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(block_copy, "_PIECE_BYTES", 200)
        write(known, "s.xml", limit_urls=limit)
        write(known, "t.xml", limit_urls=limit)
        one = write(fresh, "s.xml", update=True, limit_urls=limit)
        other = write(fresh, "t.xml", merge=["t.xml"], limit_urls=limit, force=True)
        assert inside("s") == inside("t")
        assert (one.added, one.renewed, one.urls) == (other.added, other.renewed, other.urls)
        assert (one.images, one.skipped) == (other.images, other.skipped)
        before = tree()
        assert write(fresh, "s.xml", update=True, limit_urls=limit).unchanged
        assert tree() == before


def inside(stem: str) -> list[str]:
    """The pages of a set, in order."""
    parts = sorted(Path().glob(f"{stem}-*.xml"), key=lambda p: int(p.stem[2:]))
    found = [line for part in parts for line in text(part.name).splitlines()[2:-1]]
    return found or text(f"{stem}.xml").splitlines()[2:-1]


# -- existing pages without changes -------------------------------------------------------------


def test_an_existing_page_without_new_values_is_not_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write([page(1, 1, "a", "b"), page(2, 2), page(3)])

    def read(*_: object) -> None:
        raise AssertionError("an element was parsed")

    monkeypatch.setattr(PartUpdater, "_read", read)
    same = [page(1, 1, "a", "b"), page(2, 2), page(3)]
    less = [page(1, 1, "a"), page(2), page(1)]
    for entries in (same, less, less[::-1]):
        result = write(entries, update=True)
        assert (result.added, result.renewed, result.unchanged) == (0, 0, True)


def video(number: int, *said: str) -> str:
    inner = "".join(said)
    return (
        f"<link>https://ex.com/{number}</link><title>t</title><description>d</description>"
        f'<media:content url="https://ex.com/{number}.mp4" type="video/mp4">{inner}'
        f'<media:thumbnail url="https://ex.com/{number}.png"/></media:content>'
    )


def test_an_expired_video_is_removed_and_its_page_stays() -> None:
    converter.convert(rss(video(1), video(2)), "s.xml")
    withdrawn = rss(video(1, '<media:status state="deleted"/>'), video(2))
    for renewed in (1, 0):
        withdrawn.seek(0)
        result = converter.convert(withdrawn, "s.xml", update=True)
        assert (result.renewed, result.added) == (renewed, 0)
        assert codes(result.issues) == [Code.VIDEO_BLOCKED]
        assert pages("s.xml") == [1, 2]
        assert text("s.xml").count("<video:video>") == 1


def test_the_values_of_an_existing_page_win_over_options() -> None:
    write([replace(page(1), changefreq="weekly"), page(2)])
    write([page(1, 9), page(2), page(3)], update=True, changefreq="daily")
    assert re.findall("<changefreq>([a-z]+)", text("s.xml")) == ["weekly", "daily", "daily"]


def test_issues_of_the_writer_name_the_source() -> None:
    Path("f.rss").write_bytes(rss(video(1, '<media:status state="deleted"/>')).getvalue())
    write([page(1)])
    (issue,) = converter.convert("f.rss", "s.xml", update=True).issues
    assert (issue.code, issue.source) == (Code.VIDEO_BLOCKED, "f.rss")


def test_a_new_entry_that_is_too_large_leaves_the_existing_page_unchanged() -> None:
    write([page(1), page(2)])
    before = tree()
    many = page(1, 9, *(f"picture-{n:03}" for n in range(30)))
    result = write([many], update=True, limit_bytes=1024)
    assert codes(result.issues) == [Code.ENTRY_TOO_LARGE]
    assert tree() == before


def test_existing_language_versions_are_not_a_change() -> None:
    versions = tuple(
        Alternate(href=f"https://ex.com/{n}", hreflang=lang) for n, lang in ((1, "de"), (2, "en"))
    )
    both = [replace(page(n), alternates=versions) for n in (1, 2)]
    write(both)
    assert write(both, update=True).unchanged
    assert write(both[:1], update=True).unchanged
    assert write([page(1), both[1]], update=True).unchanged


# -- language versions, filters, time ---------------------------------------------------------


def test_a_language_version_may_be_an_existing_page() -> None:
    write([page(1), page(2)])
    versions = tuple(
        Alternate(href=f"https://ex.com/{n}", hreflang=lang) for n, lang in ((2, "de"), (3, "en"))
    )
    new = Entry(loc="https://ex.com/3", alternates=versions)
    elsewhere = Alternate(href="https://ex.com/9", hreflang="fr")
    lone = Entry(loc="https://ex.com/4", alternates=(elsewhere,))
    result = write([new, lone], update=True)
    assert text("s.xml").count("<xhtml:link") == 2
    assert codes(result.issues) == [Code.HREFLANG_INCOMPLETE]


def test_filters_apply_to_new_entries_only() -> None:
    write([page(1), page(2)])
    write([page(3), page(4)], update=True, exclude=["/1$", "/3$"], require_lastmod=False)
    assert pages("s.xml") == [1, 2, 4]


def test_drop_and_expire_also_remove_existing_pages() -> None:
    write([page(n, n) for n in range(1, 13)], limit_urls=4)
    result = write([page(13, 13)], update=True, limit_urls=4, drop=["/1[02]?$"], expire=10)
    # /1, /10 and /12 by name; /2 to /5 were last changed more than ten days ago
    assert [pages(f"s-{n}.xml") for n in (2, 3)] == [[6, 7, 8], [9, 11, 13]]
    assert "s-1.xml" not in tree()
    assert locs("s.xml") == ["https://ex.com/s-2.xml", "https://ex.com/s-3.xml"]
    assert (result.urls, result.added, result.dropped) == (6, 1, 7)
    assert result.removed == ("s-1.xml",)
    found = codes(result.issues)
    assert (found.count(Code.ENTRY_DROPPED), found.count(Code.ENTRY_EXPIRED)) == (3, 4)


def test_a_page_with_a_new_date_does_not_expire() -> None:
    write([page(1, 1, "a"), page(2, 1)])
    for _ in range(2):
        write([page(1, 14)], update=True, expire=5)
        assert pages("s.xml") == [1]
        assert "a.png" in text("s.xml")


def test_an_output_without_pages_after_expiry_is_refused() -> None:
    write([page(1, 1)])
    before = tree()
    with pytest.raises(RefusedError, match="no URLs"):
        write([], update=True, expire=5)
    assert tree() == before


def test_old_news_is_removed_without_a_new_entry_of_its_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    story = Entry(
        loc="https://ex.com/1", title="T", published=Moment(instant=NOW - HOUR), updated=None
    )
    write([story, page(2)], news="The Times", news_language="en")
    assert "<news:news>" in text("s.xml")
    write([], update=True)
    assert "<news:news>" in text("s.xml")
    at(monkeypatch, NOW + 60 * HOUR)
    write([], update=True)
    assert "<news:news>" not in text("s.xml")
    assert pages("s.xml") == [1, 2]


def test_a_dry_run_reports_changes_and_writes_nothing() -> None:
    write([page(1), page(2)])
    before = written_at(), tree()
    result = write([page(2, 9), page(3)], update=True, dry_run=True)
    assert (result.added, result.renewed, result.dropped, result.changed) == (1, 1, 0, True)
    assert not write([page(2)], update=True, dry_run=True).changed
    assert (written_at(), tree()) == before


@pytest.mark.parametrize("options", [{"update": True}, {"merge": ["s.xml"], "force": True}, {}])
def test_dropped_and_expired_pages_do_not_count_as_shrinking(options: dict[str, Any]) -> None:
    known = [page(n, 1 + n % 14) for n in range(1, 101)]
    write(known)
    gone = {"drop": ["/9[0-9]?$"], "expire": 9, "fail_if_shrinks": 1}
    result = write([] if options else known, **options, **gone)
    left = [n for n in range(1, 101) if not str(n).startswith("9") and 1 + n % 14 > 6]
    assert pages("s.xml") == left
    assert result.dropped == (100 - len(left) if options else None)
    with pytest.raises(RefusedError, match="--fail-if-shrinks"):
        write(known[:10], fail_if_shrinks=1)


# -- other formats ----------------------------------------------------------------------------


def test_a_feed_can_be_updated() -> None:
    converter.convert(rss(item(1, 1), item(2, 2)), "f.rss")
    converter.convert(rss(item(3, 3), item(2, 5)), "f.rss", update=True)
    assert re.findall("ex.com/([0-9])</link>", text("f.rss")) == ["2", "3", "1"]
    converter.convert(rss(item(4, 4)), "f.rss", update=True, max_entries=2)
    assert re.findall("ex.com/([0-9])</link>", text("f.rss")) == ["2", "4"]


def test_a_list_can_be_updated() -> None:
    Path("l.txt").write_text("https://ex.com/1\nhttps://ex.com/2\n")
    result = converter.convert(rss(item(2, 2), item(3, 3)), "l.txt", update=True)
    assert text("l.txt") == "https://ex.com/1\nhttps://ex.com/2\nhttps://ex.com/3\n"
    assert result.added == 1
    before = os.stat("l.txt").st_mtime_ns  # noqa: PTH116
    assert converter.convert(rss(item(3, 3)), "l.txt", update=True).unchanged
    assert os.stat("l.txt").st_mtime_ns == before  # noqa: PTH116


def test_an_update_of_a_list_that_needs_several_files_is_refused() -> None:
    text_list = io.BytesIO(b"https://ex.com/1\nhttps://ex.com/2\n")
    converter.convert(text_list, "l.txt")
    before = tree()
    with pytest.raises(OptionError, match="could not find them again"):
        converter.convert(rss(item(3, 3)), "l.txt", update=True, limit_urls=2)
    assert tree() == before


@pytest.mark.parametrize("count", [3, 5000])
def test_items_of_one_id_and_no_page_are_one_item(count: int) -> None:
    ids = [f"id-{number % (count - 1)}" for number in range(count)]
    items = [f'<title>t</title><guid isPermaLink="false">{i}</guid>' for i in ids]
    converter.convert(rss("<title>old</title><guid>x-1</guid>"), "f.rss")
    result = converter.convert(rss(*items), "f.rss", update=True)
    assert (result.urls, result.added, result.merged) == (count, count - 1, 1)


def ids(target: str) -> list[str]:
    """Give the ids of items, or entries, in their order."""
    items = text(target).partition("<entry>" if target.endswith(".atom") else "<item>")[2]
    return re.findall("<(?:guid[^>]*|id)>([^<]*)</", items)


def of_page(guid: str, title: str) -> str:
    said = f"<link>https://ex.com/a</link><title>{title}</title>" if title else ""
    said = said or "<link>https://ex.com/a</link>"
    return said + (f'<guid isPermaLink="false">{guid}</guid>' if guid else "")


@pytest.mark.parametrize("target", ["f.rss", "f.mrss", "f.atom"])
def test_items_with_a_page_are_recognised(target: str) -> None:
    given = [("1", "a"), ("2", "b"), ("tag:x,1:1", "c"), ("", "d"), ("", "e"), ("", "")]
    given += [("https://ex.com/x", "&lt;b&gt;f&lt;/b&gt;")]
    source = rss(*(of_page(*each) for each in given))
    converter.convert(source, target, sort="input")
    before = text(target)
    assert len(set(ids(target))) == len(given)
    for _ in range(2):
        source.seek(0)
        result = converter.convert(source, target, update=True, sort="input")
        assert (result.added, result.renewed, result.merged) == (0, 0, 0)
        assert text(target) == before


WITHOUT_PAGE = [
    '<title>a</title><guid isPermaLink="false">1</guid>',
    '<title>a</title><guid isPermaLink="false">tag:x,1:1</guid>',
    "<title>a</title>",
    "<title>a</title><description>&lt;p&gt;words &amp;amp; more&lt;/p&gt;</description>",
    "<title>b</title>",
    "<description>words</description>",
    "<description>other words</description>",
    '<title>p</title><enclosure url="https://ex.com/p.mp3" type="audio/mpeg" length="1"/>',
]


@pytest.mark.parametrize("target", ["f.rss", "f.mrss", "f.atom"])
def test_items_without_a_page_are_recognised(target: str) -> None:
    sources = [rss(*WITHOUT_PAGE), rss(*WITHOUT_PAGE)]
    for number, source in enumerate(sources):
        Path(f"{number}.rss").write_bytes(source.getvalue())
    both = ["0.rss", "1.rss"]
    converter.convert(both, target, sort="input")
    converter.convert(both, target, update=True, sort="input")
    before = text(target)
    for again in (both, both[:1], both[::-1]):
        result = converter.convert(again, target, update=True, sort="input")
        assert (result.added, result.renewed) == (0, 0)
    assert text(target) == before


@pytest.mark.parametrize("target", ["f.rss", "f.mrss", "f.atom"])
def test_items_without_a_page_are_added_once(target: str) -> None:
    first, *others = WITHOUT_PAGE
    converter.convert(rss(first), target, sort="input")
    for added in (len(others), 0):
        result = converter.convert(rss(*WITHOUT_PAGE), target, update=True, sort="input")
        assert (result.urls, result.added) == (len(WITHOUT_PAGE), added)


@pytest.mark.parametrize("target", ["f.rss", "f.atom"])
def test_a_new_item_of_an_existing_page_gets_its_own_id(target: str) -> None:
    converter.convert(rss(of_page("", "a")), target)
    new = rss("<pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate>" + of_page("", "b"))
    for added in (1, 0):
        new.seek(0)
        result = converter.convert(new, target, update=True)
        assert (result.urls, result.added) == (2, added)
        made = uuid.uuid5(uuid.NAMESPACE_URL, "https://ex.com/a#b").urn
        assert sorted(ids(target)) == ["https://ex.com/a", made]


@pytest.mark.parametrize("target", ["f.rss", "f.atom"])
def test_an_item_keeps_its_id(target: str) -> None:
    converter.convert(rss(of_page("tag:x,1:1", "a"), of_page("12", "b")), target)
    before = ids(target)
    late = "<pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate>"
    new = rss(late + of_page("tag:x,1:1", "c"), late + of_page("12", "b"))
    result = converter.convert(new, target, update=True)
    assert (result.urls, result.added, result.renewed) == (2, 0, 2)
    assert sorted(ids(target)) == sorted(before)


def test_items_of_several_sources_with_one_id_stay_separate() -> None:
    for name in "ab":
        inner = f'<link>https://ex.com/{name}</link><guid isPermaLink="false">1</guid>'
        Path(f"{name}.rss").write_bytes(rss(f"<title>{name}</title>{inner}").getvalue())
    both = ["a.rss", "b.rss"]
    result = converter.convert(both, "f.rss", sort="input")
    assert (result.urls, result.merged) == (2, 0)
    before = text("f.rss")
    again = converter.convert(both, "f.rss", update=True, sort="input")
    assert (again.urls, again.added, again.renewed, again.merged) == (2, 0, 0, 0)
    assert text("f.rss") == before


@pytest.mark.parametrize("target", ["f.rss", "f.atom"])
@pytest.mark.parametrize(
    ("new", "known", "count"),
    [
        (("tag:x,1:1", "a"), ("tag:x,1:1", "b"), 1),
        (("1", "a"), ("1", "a"), 2),
        (("", "a"), ("", "a"), 1),
        (("", "a"), ("", "b"), 2),
        (("", "a"), ("https://ex.com/a", "a"), 2),
        (("tag:x,1:1", "a"), ("tag:x,1:2", "a"), 2),
    ],
)
def test_items_that_are_merged_are_those_of_another_source(
    new: tuple[str, str], known: tuple[str, str], count: int, target: str
) -> None:
    Path("known.rss").write_bytes(rss(of_page(*known)).getvalue())
    result = converter.convert(rss(of_page(*new)), target, merge=["known.rss"])
    assert (result.urls, result.added) == (count, count - 1)
    assert len(ids(target)) == count
    assert len(set(ids(target))) == count or new[0] == "1"


def test_a_list_in_parts_cannot_be_updated() -> None:
    text_list = io.BytesIO(b"https://ex.com/1\nhttps://ex.com/2\n")
    converter.convert(text_list, "l.txt", limit_urls=1)
    with pytest.raises(OptionError, match=r"l-1\.txt.*--merge"):
        converter.convert(rss(item(3, 3)), "l.txt", update=True)
    result = converter.convert(rss(item(3, 3)), "all.txt", merge=["l-1.txt", "l-2.txt"])
    assert result.urls == 3


# -- parts by date ----------------------------------------------------------------------------


def dated(number: int, month: int, year: int = 2025, changed: int = 0) -> Entry:
    updated = Moment(instant=datetime(2026, 1, changed, tzinfo=UTC)) if changed else None
    published = Moment(instant=datetime(year, month, 5, tzinfo=UTC)) if month else None
    return Entry(loc=f"https://ex.com/{number}", published=published, updated=updated)


@pytest.mark.parametrize(
    ("by", "parts"),
    [
        ("month", {"2024-12": [3], "2025-03": [1, 5], "2025-04": [2], "undated": [4]}),
        ("year", {"2024": [3], "2025": [1, 2, 5], "undated": [4]}),
    ],
)
def test_parts_by_date(by: str, parts: dict[str, list[int]]) -> None:
    entries = [dated(1, 3), dated(2, 4), dated(3, 12, 2024), dated(4, 0), dated(5, 3, changed=9)]
    result = write(entries, part_by=by)
    assert {name: pages(f"s-{name}.xml") for name in parts} == parts
    assert locs("s.xml") == [f"https://ex.com/s-{name}.xml" for name in parts]
    assert len(tree()) == len(parts) + 1
    assert result.urls == 5


def test_one_period_is_a_part_and_an_index_too() -> None:
    write([dated(1, 3)], part_by="month")
    assert sorted(tree()) == ["s-2025-03.xml", "s.xml"]


def test_a_period_that_is_too_large_has_several_parts() -> None:
    write([dated(n, 3 + n % 2) for n in range(1, 8)], part_by="month", limit_urls=2)
    assert pages("s-2025-03.xml", "s-2025-03.2.xml") == [2, 4, 6]
    assert pages("s-2025-04.xml", "s-2025-04.2.xml") == [1, 3, 5, 7]
    before = written_at()
    write([dated(8, 3), dated(9, 5), dated(1, 9)], part_by="month", limit_urls=2, update=True)
    assert pages("s-2025-03.2.xml") == [6, 8]
    assert pages("s-2025-05.xml") == [9]
    assert pages("s-2025-04.xml") == [1, 3]
    names = ("03", "03.2", "04", "04.2", "05")
    assert locs("s.xml") == [f"https://ex.com/s-2025-{name}.xml" for name in names]
    rewritten = {"s-2025-03.2.xml", "s-2025-04.xml", "s-2025-05.xml", "s.xml"}
    assert {name for name, time in written_at().items() if before.get(name) != time} == rewritten


@pytest.mark.parametrize(("before", "after"), [(None, "year"), ("year", "month"), ("month", None)])
def test_another_part_by_writes_all_parts_again(before: str | None, after: str | None) -> None:
    write([dated(n, n, changed=n) for n in range(1, 5)], part_by=before, limit_urls=3)
    result = write([dated(5, 5, changed=5)], part_by=after, limit_urls=3, update=True)
    assert sorted(pages(*[n for n in tree() if n.startswith("s-")])) == [1, 2, 3, 4, 5]
    assert (result.urls, result.added) == (5, 1)
    named = {loc.rpartition("/")[2] for loc in locs("s.xml")}
    assert set(tree()) == {*named, "s.xml"}
