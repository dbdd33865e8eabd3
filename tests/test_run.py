"""Runs: parts, their index, names, removed files, and counts."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import Code, Entry, OptionError, RefusedError, Result, SinkError
from converter.conversion import publication
from converter.issues import Issue, Severity
from converter.pipeline import pipeline
from converter.pipeline.transforms.deduplicate import Deduplicator
from tests.builders import codes, locs, rss, tree

INDEX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    "<!-- feed2sitemap -->\n"
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
)

pytestmark = pytest.mark.usefixtures("in_tmp_path")


def listed(*locs: str) -> io.BytesIO:
    return io.BytesIO("".join(f"{loc}\n" for loc in locs).encode())


def numbered(count: int, host: str = "ex.com") -> list[str]:
    return [f"https://{host}/{number}" for number in range(1, count + 1)]


def plain(result: Result) -> list[tuple[str, str, int]]:
    return [(file.path, file.kind, file.urls) for file in result.files]


# -- parts and their index --------------------------------------------------------------------


def test_one_url_above_the_limit_makes_two_files_and_an_index() -> None:
    pages = numbered(50_001, "ex.com/maps")
    result = converter.convert(
        listed(*pages), "sitemap.xml", sitemap_url="https://ex.com/maps/sitemap.xml"
    )
    assert plain(result) == [
        ("sitemap.xml", "index", 0),
        ("sitemap-1.xml", "sitemap", 50_000),
        ("sitemap-2.xml", "sitemap", 1),
    ]
    assert (result.urls, result.skipped, result.issues) == (50_001, 0, ())
    assert Path("sitemap.xml").read_text("utf-8") == (
        f"{INDEX}"
        "<sitemap><loc>https://ex.com/maps/sitemap-1.xml</loc>"
        "<lastmod>2026-01-15T12:00:00+00:00</lastmod></sitemap>\n"
        "<sitemap><loc>https://ex.com/maps/sitemap-2.xml</loc>"
        "<lastmod>2026-01-15T12:00:00+00:00</lastmod></sitemap>\n"
        "</sitemapindex>\n"
    )
    assert locs("sitemap-1.xml") + locs("sitemap-2.xml") == pages
    for file in result.files:
        assert file.bytes == file.raw_bytes == Path(file.path).stat().st_size


def test_the_maximum_number_of_urls_makes_one_file() -> None:
    result = converter.convert(listed(*numbered(50_000)), "sitemap.xml")
    assert plain(result) == [("sitemap.xml", "sitemap", 50_000)]
    assert set(tree()) == {"sitemap.xml"}


def test_pages_outside_the_folder_of_the_sitemap_are_reported_and_kept() -> None:
    result = converter.convert(
        listed("https://ex.com/maps/a", "https://ex.com/b"),
        "sitemap.xml",
        sitemap_url="https://ex.com/maps/sitemap.xml",
    )
    assert [(issue.code, issue.line) for issue in result.issues] == [(Code.SCOPE_OUTSIDE, 2)]
    assert locs("sitemap.xml") == ["https://ex.com/maps/a", "https://ex.com/b"]


@pytest.mark.parametrize(
    ("sitemap_url", "base"),
    [
        (None, "https://ex.com/"),
        ("https://ex.com/sitemap.xml", "https://ex.com/"),
        ("https://ex.com/maps/", "https://ex.com/maps/"),
        ("https://ex.com/maps/other.xml?v=1", "https://ex.com/maps/"),
        ("https://cdn.example/a/b.xml", "https://cdn.example/a/"),
    ],
)
def test_an_index_names_its_parts_where_they_will_stand(sitemap_url: Any, base: str) -> None:
    result = converter.convert(
        listed(*numbered(2)), "sitemap.xml", limit_urls=1, sitemap_url=sitemap_url
    )
    assert locs("sitemap.xml") == [f"{base}sitemap-{n}.xml" for n in (1, 2)]
    told = [issue for issue in result.issues if issue.code is Code.SITEMAP_URL_ASSUMED]
    assert bool(told) == (sitemap_url is None)
    assert all(base in issue.message and issue.source == "sitemap.xml" for issue in told)


@pytest.mark.parametrize(
    ("name", "spelt"),
    [("my map.xml", "my%20map"), ("a:b&c.xml", "a%3Ab%26c"), ("ü#?.xml", "%C3%BC%23%3F")],
)
def test_names_of_parts_are_percent_encoded_in_the_index(name: str, spelt: str) -> None:
    converter.convert(listed(*numbered(2)), name, limit_urls=1)
    assert locs(name) == [f"https://ex.com/{spelt}-{n}.xml" for n in (1, 2)]
    result = converter.convert(listed("https://ex.com/1"), name)
    assert len(result.removed) == 2  # so they are found again


def test_fewer_parts_than_before_remove_those_that_the_old_index_named_and_only_those() -> None:
    def convert(count: int) -> Result:
        return converter.convert(listed(*numbered(count)), "s.xml", limit_urls=1)

    convert(4)
    strangers = {"s-9.xml": b"not ours", "s-notes.xml": b"nor this", "other-3.xml": b"nor that"}
    for name, content in strangers.items():
        Path(name).write_bytes(content)
    result = convert(2)
    assert result.removed == ("s-3.xml", "s-4.xml")
    assert set(tree()) == {"s.xml", "s-1.xml", "s-2.xml", *strangers}
    result = convert(1)
    assert result.removed == ("s-1.xml", "s-2.xml")
    assert tree().keys() == {"s.xml", *strangers}
    assert locs("s.xml") == ["https://ex.com/1"]
    assert {name: tree()[name] for name in strangers} == strangers


def test_paths_are_shown_as_they_were_given() -> None:
    Path("out").mkdir()
    for _ in range(2):
        result = converter.convert(listed(*numbered(2)), "./out/s.xml", limit_urls=1)
    assert [file.path for file in result.files] == ["./out/s.xml", "./out/s-1.xml", "./out/s-2.xml"]
    result = converter.convert(listed(*numbered(1)), Path("out/s.xml"))
    assert result.removed == ("out/s-1.xml", "out/s-2.xml")


def test_a_linked_output_is_reported_at_its_target(tmp_path: Path) -> None:
    Path("real").mkdir()
    Path("real/there.xml").touch()
    Path("s.xml").symlink_to("real/there.xml")
    result = converter.convert(listed(*numbered(1)), "s.xml")
    assert [file.path for file in result.files] == [str(tmp_path / "real/there.xml")]
    Path("near.xml").symlink_to("beside.xml")
    result = converter.convert(listed(*numbered(1)), "near.xml")
    assert [file.path for file in result.files] == ["beside.xml"]


@pytest.mark.parametrize(
    ("target", "gz"), [("s.xml", True), ("s.xml.gz", False), ("s.xml.gz", True), ("s.XML.GZ", True)]
)
def test_compressed_files_have_gz_names_also_in_the_index(target: str, gz: bool) -> None:
    result = converter.convert(listed(*numbered(2)), target, gzip=gz, limit_urls=1)
    name = target if target.lower().endswith(".gz") else f"{target}.gz"
    stem, extension = name[:1], name[1:]
    assert [file.path for file in result.files] == [name, *(f"s-{n}{extension}" for n in (1, 2))]
    assert stem == "s"
    for file in result.files:
        data = Path(file.path).read_bytes()
        assert (file.bytes, file.raw_bytes) == (len(data), len(gzip.decompress(data)))
    assert re.findall("<loc>(.*?)</loc>", gzip.decompress(Path(name).read_bytes()).decode()) == [
        f"https://ex.com/s-{n}{extension}" for n in (1, 2)
    ]


def test_the_same_file_without_gz_is_kept_and_reported() -> None:
    Path("s.xml").write_bytes(b"old")
    result = converter.convert(listed(*numbered(1)), "s.xml", gzip=True)
    assert codes(result.issues) == [Code.FILE_LEFT_OVER]
    assert Path("s.xml").read_bytes() == b"old"


def test_files_are_cut_before_they_grow_too_large() -> None:
    result = converter.convert(listed(*numbered(100)), "s.xml", limit_bytes="1KiB")
    sizes = [file.raw_bytes for file in result.files if file.kind != "index"]
    assert len(sizes) > 3
    assert all(900 < size <= 1024 for size in sizes[:-1])
    assert [loc for n, _ in enumerate(sizes, 1) for loc in locs(f"s-{n}.xml")] == numbered(100)


def test_a_list_in_parts_has_no_index_and_a_message_lists_them() -> None:
    result = converter.convert(listed(*numbered(3)), "s.txt", limit_urls=2)
    assert plain(result) == [("s-1.txt", "txt", 2), ("s-2.txt", "txt", 1)]
    assert [(i.code, i.message) for i in result.issues] == [
        (Code.PARTS_SPLIT, "2 files without an index: s-1.txt, s-2.txt")
    ]


@pytest.mark.parametrize("target", ["-", None, "stream", "/dev/stdout"])
def test_several_files_do_not_fit_into_one_stream(target: Any) -> None:
    target = io.BytesIO() if target == "stream" else target
    with pytest.raises(OptionError, match="-o PATH"):
        converter.convert(listed(*numbered(2)), target, limit_urls=1)
    assert not isinstance(target, io.BytesIO) or target.getvalue() == b""


def test_an_index_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publication, "MAX_SITEMAPS", 2)
    with pytest.raises(OptionError, match="raise --limit-urls"):
        converter.convert(listed(*numbered(3)), "s.xml", limit_urls=1)
    assert tree() == {}


# -- hosts ------------------------------------------------------------------------------------

MIXED = [
    "https://b.example/1",
    "https://a.example/1",
    "https://b.example/2",
    "https://b.example/1#x",
    "https://b.example/3",
]


def test_every_host_gets_its_files() -> None:
    result = converter.convert(listed(*MIXED), "s.xml", split_hosts=True, limit_urls=2)
    assert plain(result) == [
        ("s-b.example.xml", "index", 0),
        ("s-b.example-1.xml", "sitemap", 2),
        ("s-b.example-2.xml", "sitemap", 1),
        ("s-a.example.xml", "sitemap", 1),
    ]
    assert locs("s-b.example.xml") == [f"https://b.example/s-b.example-{n}.xml" for n in (1, 2)]
    assert locs("s-b.example-1.xml") + locs("s-b.example-2.xml") == [
        f"https://b.example/{n}" for n in (1, 2, 3)
    ]
    assert locs("s-a.example.xml") == ["https://a.example/1"]
    assert (result.urls, result.skipped) == (4, 0)
    assert codes(result.issues) == [
        Code.URL_NORMALISED,
        Code.URL_DUPLICATE,
        Code.SITEMAP_URL_ASSUMED,
    ]


def test_items_of_one_id_are_on_one_host() -> None:
    items = [f"<guid isPermaLink='false'>1</guid><link>{loc}</link>" for loc in MIXED[:2]]
    other = "<guid isPermaLink='false'>2</guid><link>https://a.example/2</link>"
    result = converter.convert(rss(*items, other), "s.rss", split_hosts=True)
    assert (result.urls, result.merged, result.skipped) == (2, 1, 0)
    assert "https://a.example/1" not in Path("s-a.example.rss").read_text()


def test_a_host_that_shrinks_loses_its_own_stale_parts() -> None:
    converter.convert(listed(*MIXED), "s.xml", split_hosts=True, limit_urls=1)
    result = converter.convert(listed(*MIXED[:2]), "s.xml", split_hosts=True, limit_urls=1)
    assert set(result.removed) == {f"s-b.example-{n}.xml" for n in (1, 2, 3)}
    assert tree().keys() == {"s-a.example.xml", "s-b.example.xml"}


def test_with_split_hosts_entries_without_a_page_are_reported_once() -> None:
    items = [f"<link>{loc}</link>" for loc in MIXED[:2]]
    result = converter.convert(rss(*items, "<guid>x</guid>"), "s.xml", split_hosts=True)
    assert codes(result.issues) == [Code.ENTRY_WITHOUT_LOC]
    assert (result.urls, result.skipped) == (2, 1)


def test_without_any_page_the_run_is_refused_with_a_reason() -> None:
    issues: list[Issue] = []
    with pytest.raises(RefusedError):
        converter.convert(rss("<guid>x</guid>"), "s.xml", split_hosts=True, report=issues.append)
    assert codes(issues) == [Code.ENTRY_WITHOUT_LOC]
    assert tree() == {}


@pytest.mark.parametrize(
    ("items", "advice"),
    [
        ((), "The sources contain no entries"),
        (("<link>/relative</link>",), "give it with --base-url"),
        (("<guid>x</guid>",), "See the messages above, or use -v"),
    ],
)
def test_a_refusal_names_a_remedy(items: tuple[str, ...], advice: str) -> None:
    with pytest.raises(RefusedError, match=advice):
        converter.convert(rss(*items), "s.xml", report=lambda issue: None)


def test_issues_of_the_writer_come_once_for_each_host() -> None:
    item = "<link>{}</link><enclosure url='/v.mp4' type='video/mp4'/><title>T</title>"
    result = converter.convert(
        rss(*(item.format(loc) for loc in MIXED[:3])),
        "s.xml",
        split_hosts=True,
        base_url="https://ex.com/",
    )
    assert sorted(issue.line or 0 for issue in result.issues) == [2, 3, 4]


def test_hosts_are_not_split_into_a_stream() -> None:
    with pytest.raises(OptionError, match="-o PATH"):
        converter.convert(listed(*MIXED), io.BytesIO(), split_hosts=True)


def test_a_site_of_endless_hosts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "MOST_HOSTS", 1)
    with pytest.raises(OptionError, match="more than 1 hosts"):
        converter.convert(listed(*MIXED), "s.xml", split_hosts=True)


def test_a_template_makes_the_page_before_the_host_is_looked_at() -> None:
    result = converter.convert(
        listed("https://elsewhere.example/first"),
        "s.xml",
        host="ex.com",
        loc_template="https://ex.com/v/{slug}",
    )
    assert locs("s.xml") == ["https://ex.com/v/first"]
    assert result.issues == ()


# -- what is counted --------------------------------------------------------------------------

PAGE = "<link>https://ex.com/{}</link>"
DRAFT = (
    b'<feed xmlns="http://www.w3.org/2005/Atom" xmlns:app="http://www.w3.org/2007/app">'
    b"<entry><link href='https://ex.com/1'/></entry>"
    b"<entry><link href='https://ex.com/2'/><app:control><app:draft>yes</app:draft>"
    b"</app:control></entry></feed>"
)


@pytest.mark.parametrize(
    ("source", "options", "urls", "skipped"),
    [
        (listed(*numbered(3)), {}, 3, 0),
        (listed("https://ex.com/1", "# a comment", "", "https://ex.com/2"), {}, 2, 0),
        (listed("https://ex.com/1", "www.ex.com", "mailto:x"), {}, 1, 2),
        (listed("https://ex.com/1", "https://[x/", "https://ex.com/1#a"), {}, 1, 1),
        (rss(PAGE.format(1), "<guid>x</guid>"), {}, 1, 1),
        (rss(PAGE.format(1), PAGE.format(1), PAGE.format(2)), {}, 2, 0),
        (rss(PAGE.format(1), tail='<podcast:liveItem status="ended"/>'), {}, 1, 1),
        (io.BytesIO(DRAFT), {}, 1, 1),
        (listed(*numbered(5)), {"exclude": "/[23]$"}, 3, 2),
        (listed(*numbered(5)), {"host": "ex.com"}, 5, 0),
        (listed(*numbered(5), "https://b.example/"), {"host": "ex.com"}, 5, 1),
        # what is cut off as asked is no loss, however much of it was read
        (listed(*numbered(5)), {"max_entries": 2}, 2, 0),
        (listed(*numbered(5)), {"max_entries": 2, "sort": "url"}, 2, 0),
        (listed(*MIXED, "x"), {"split_hosts": True, "max_entries": 1}, 2, 1),
        (listed(*numbered(2), f"https://ex.com/{'x' * 1000}"), {"limit_bytes": 1024}, 2, 1),
    ],
)
@pytest.mark.parametrize("walks", [1, 2])
def test_skipped_counts_input_entries_not_in_the_output(
    source: io.BytesIO, options: Any, urls: int, skipped: int, walks: int
) -> None:
    sources: list[Any] = [io.BytesIO(source.getvalue())]
    if walks == 2 and "max_entries" not in options:  # a duplicate asks for a second walk
        first = "https://ex.com/1"
        sources += [listed(first, first)]
    result = converter.convert(sources, "s.xml", **options)
    assert (result.urls, result.skipped) == (urls, skipped)
    assert result.sources == len(sources)


def test_the_counts_are_those_of_the_files() -> None:
    item = (
        "<link>https://ex.com/{0}</link><title>T</title><description>D</description>"
        '<media:content url="https://ex.com/{0}.mp4" medium="video"/>'
        '<media:content url="https://ex.com/{0}.png" medium="image"/>'
        '<media:thumbnail url="https://ex.com/t.png"/>'
    )
    result = converter.convert(rss(*map(item.format, range(3))), "s.xml", limit_urls=2)
    assert (result.urls, result.videos, result.images, result.news) == (3, 3, 3, 0)
    assert [(file.urls, file.videos, file.images) for file in result.files] == [
        (0, 0, 0),
        (2, 2, 2),
        (1, 1, 1),
    ]


# -- dry runs, failures -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "changed", "removed"),
    [
        (0, 1, None, ()),
        (1, 1, False, ()),
        (1, 2, True, ()),
        (2, 1, True, ("s-1.xml", "s-2.xml")),
        (3, 2, True, ("s-3.xml",)),
        (2, 2, False, ()),
    ],
)
def test_a_dry_run_only_reports_changes(
    before: int, after: int, changed: bool | None, removed: Any
) -> None:
    if before:
        converter.convert(listed(*numbered(before)), "s.xml", limit_urls=1)
    standing = tree()
    result = converter.convert(listed(*numbered(after)), "s.xml", limit_urls=1, dry_run=True)
    assert tree() == standing
    assert (result.changed, result.removed, result.urls) == (changed, removed, after)
    assert sum(file.urls for file in result.files) == after


def test_a_dry_run_into_a_stream_writes_nothing() -> None:
    target = io.BytesIO()
    result = converter.convert(listed(*numbered(1)), target, dry_run=True)
    assert (target.getvalue(), result.changed) == (b"", None)
    assert plain(result) == [("-", "sitemap", 1)]


def test_a_normal_run_reports_no_changes() -> None:
    assert converter.convert(listed(*numbered(1)), "s.xml").changed is None


class Stop(BaseException):
    """Neither an error nor Ctrl-C."""


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Stop, MemoryError, ZeroDivisionError])
@pytest.mark.parametrize("options", [{}, {"split_hosts": True}, {"sort": "url"}])
def test_a_stopped_run_leaves_only_the_old_output(stop: type[BaseException], options: Any) -> None:
    converter.convert(listed(*numbered(3)), "s.xml", limit_urls=1)
    standing = tree()

    def entries() -> Any:
        for number in range(30_000):
            yield Entry(loc=f"https://ex.com/{number}")
        raise stop

    with pytest.raises(stop):
        converter.write(entries(), "s.xml", limit_urls=10_000, **options)
    assert tree() == standing


@pytest.mark.parametrize("options", [{}, {"dry_run": True}])
def test_completing_a_killed_run_is_reported_once(options: dict[str, Any]) -> None:
    names = [f".s.xml.{digit * 16}.tmp" for digit in "01"]
    for name in names:
        Path(name).write_bytes(b"of the run that was killed")
    renames = list(zip(names, ["s-1.xml", "s.xml"], strict=True))
    left = {"version": 1, "target": "s.xml", "renames": renames, "removals": []}
    Path(".s.xml.journal").write_text(json.dumps(left))
    result = converter.convert(listed("https://ex.com/1"), "s.xml", **options)
    (told,) = result.issues
    assert (told.code, told.severity, told.source) == (
        Code.OUTPUT_COMPLETED,
        Severity.INFO,
        "s.xml",
    )
    assert "all of its 2 files" in told.message
    again = converter.convert(listed("https://ex.com/2"), "s.xml", **options)
    assert again.issues == ()


def test_an_unusable_target_is_refused_before_reading() -> None:
    Path("s.xml").mkdir()
    with pytest.raises(SinkError, match="folder"):
        converter.convert("there is no such source", "s.xml")


def test_an_output_may_be_its_own_source() -> None:
    Path("urls.txt").write_text("https://ex.com/b\nhttps://ex.com/a\nhttps://ex.com/b\n", "utf-8")
    result = converter.convert("urls.txt", "urls.txt", force=True)
    assert Path("urls.txt").read_text("utf-8") == "https://ex.com/b\nhttps://ex.com/a\n"
    assert codes(result.issues) == [Code.URL_DUPLICATE]


# -- sources, headers, duplicates -------------------------------------------------------------


def test_sources_are_read_in_the_order_given_and_duplicates_found_across_them() -> None:
    Path("b.txt").write_text("https://ex.com/2\nhttps://ex.com/1#x\n", "utf-8")
    Path("a.txt").write_text("https://ex.com/1\n", "utf-8")
    result = converter.convert(["b.txt", Path("a.txt")], "s.xml")
    assert locs("s.xml") == ["https://ex.com/2", "https://ex.com/1"]
    assert [(i.code, i.source, i.line) for i in result.issues] == [
        (Code.URL_NORMALISED, "b.txt", 2),
        (Code.URL_DUPLICATE, "a.txt", 1),
    ]
    assert result.sources == 2


#: What holds no entry, in every format.
EMPTY = {
    "e.rss": b'<rss version="2.0"><channel><title>E</title></channel></rss>',
    "e.atom": b'<feed xmlns="http://www.w3.org/2005/Atom"><title>E</title></feed>',
    "e.xml": b"<urlset></urlset>",
    "e.txt": b"# nothing yet\n",
}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("options", [{}, {"jobs": 2}, {"sort": "url"}, {"to": "atom"}])
def test_each_source_without_an_entry_is_reported_once(order: int, options: dict[str, Any]) -> None:
    for name, content in EMPTY.items():
        Path(name).write_bytes(content)
    Path("a.txt").write_text("https://ex.com/1\nhttps://ex.com/1\n")  # is walked twice
    names = [*EMPTY, "a.txt"][::order]
    result = converter.convert(names, "s.xml", title="T", author="A", **options)
    told = [issue.source for issue in result.issues if issue.code is Code.SOURCE_EMPTY]
    assert told == [name for name in names if name in EMPTY]
    assert result.urls == 1


def test_with_split_hosts_an_empty_source_is_reported_once() -> None:
    result = converter.convert(
        [listed("https://a.ex/1", "https://b.ex/1"), rss()], "s.xml", split_hosts=True
    )
    assert codes(result.issues) == [Code.SOURCE_EMPTY]


def test_summed_up_issues_name_the_source_of_the_line_that_they_name() -> None:
    Path("a.txt").write_text("https://ex.com/1\nhttps://other.example/\nhttps://ex.com/2\n")
    Path("b.txt").write_text("https://ex.com/3\n")
    result = converter.convert(["a.txt", "b.txt"], "s.xml")
    assert [(i.code, i.source, i.line) for i in result.issues] == [(Code.HOST_OTHER, "a.txt", 2)]


def _lists_with_duplicates() -> tuple[list[str], list[str]]:
    Path("a.txt").write_text("https://ex.com/1\nhttps://ex.com/2#x\n\nhttps://ex.com/1#y\n")
    Path("b.txt").write_text("https://ex.com/33\nhttps://ex.com/2\nhttps://ex.com/4\n")
    expected = [
        'a.txt:4 "https://ex.com/1": duplicate of a.txt:1; the two entries are merged',
        'b.txt:2 "https://ex.com/2": duplicate of a.txt:2; the two entries are merged',
    ]
    return ["a.txt", "b.txt"], expected


def _duplicates(result: Result) -> list[str]:
    found = (issue for issue in result.issues if issue.code is Code.URL_DUPLICATE)
    return [f"{issue.source}:{issue.line} {issue.message}" for issue in found]


@pytest.mark.parametrize("options", [{}, {"sort": "url"}, {"to": "txt"}, {"host": "ex.com"}])
def test_duplicates_in_lists_need_no_second_pass(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources, expected = _lists_with_duplicates()
    monkeypatch.delattr(Deduplicator, "begin_second_pass")
    result = converter.convert(sources, "out", **options)
    assert _duplicates(result) == expected
    assert (result.urls, result.skipped) == (4, 0)


def test_a_line_longer_than_a_slice_cuts_no_other_line() -> None:
    pages = [f"https://ex.com/article/number-{number:07}/and/more" for number in range(60_000)]
    Path("a.txt").write_text("\n".join(["x" * (2 * 1024 * 1024 + 50_000), *pages, ""]))
    result = converter.convert(
        "a.txt", "s.xml", limit_urls=50_000, sitemap_url="https://ex.com/s.xml"
    )
    assert codes(result.issues) == [Code.LINE_NOT_URL]
    assert locs("s-1.xml") + locs("s-2.xml") == pages


@pytest.mark.parametrize("options", [{}, {"sort": "url"}, {"to": "rss"}])
def test_entries_that_lose_something_else_each_are_counted(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "MAX_COMBINATIONS", 2)
    items = [PAGE.format(number) + f"<x{number}>x</x{number}>" for number in range(9)]
    lost = converter.convert(rss(*items), "out", **options).lost
    assert [lost[f"entry/other/x{number}"] for number in range(9)] == [1] * 9


def test_hosts_are_split_where_no_entry_has_a_page() -> None:
    result = converter.convert(
        rss("<title>A</title>", "<title>B</title>"), "s.rss", split_hosts=True
    )
    assert (result.urls, [Path(it.path).name for it in result.files]) == (2, ["s.rss"])


def test_a_feed_is_merged_with_lists() -> None:
    sources, expected = _lists_with_duplicates()
    feed = rss(PAGE.format(33) + "<pubDate>Wed, 01 Jan 2025 10:00:00 GMT</pubDate>")
    result = converter.convert([*sources, feed], "s.xml")
    assert _duplicates(result)[:2] == expected
    assert codes(result.issues).count(Code.URL_DUPLICATE) == 3
    assert "<lastmod>2025-01-01T10:00:00+00:00</lastmod>" in Path("s.xml").read_text("utf-8")


def test_a_duplicate_with_more_fields_is_merged_with_the_first() -> None:
    first = PAGE.format(1) + "<pubDate>Wed, 01 Jan 2025 10:00:00 GMT</pubDate>"
    image = '<media:content url="https://ex.com/{}.png" medium="image"/>'
    again = PAGE.format("1#c") + "<pubDate>Sat, 01 Feb 2025 10:00:00 GMT</pubDate>"
    result = converter.convert(
        rss(first + image.format("a"), PAGE.format(2), again + image.format("b")), "s.xml"
    )
    text = Path("s.xml").read_text("utf-8")
    assert text.index("ex.com/1<") < text.index("ex.com/2<")
    assert re.findall("<lastmod>(.*?)<", text) == ["2025-02-01T10:00:00+00:00"]
    assert re.findall("<image:loc>(.*?)<", text) == [f"https://ex.com/{n}.png" for n in "ab"]
    assert (result.urls, result.images, result.skipped) == (2, 2, 0)


def atom(*entries: tuple[str, str]) -> io.BytesIO:
    """Entries of a language, and the versions that each says there are."""
    inner = "".join(
        f'<entry xml:lang="{own}">'
        + "".join(
            f'<link rel="alternate" hreflang="{name}" href="https://ex.com/{name}"/>'
            for name in names
        )
        + "</entry>"
        for own, names in ((own, names.split()) for own, names in entries)
    )
    return io.BytesIO(f'<feed xmlns="http://www.w3.org/2005/Atom">{inner}</feed>'.encode())


@pytest.mark.parametrize(
    ("sources", "links", "incomplete"),
    [
        ([[("de", "de en"), ("en", "de en")]], 4, 0),
        ([[("de", "de en")], [("en", "de en")]], 4, 0),  # over two sources
        ([[("de", "de en")]], 0, 1),
        ([[("de", "de en fr"), ("en", "de en")]], 2, 1),
        ([[("de", "de en"), ("en", "de en"), ("en", "de en")]], 4, 0),  # and a duplicate
    ],
)
def test_language_versions_are_written_where_all_of_them_are_there(
    sources: Any, links: int, incomplete: int
) -> None:
    result = converter.convert([atom(*entries) for entries in sources], "s.xml")
    assert Path("s.xml").read_text("utf-8").count("<xhtml:link") == links
    assert codes(result.issues).count(Code.HREFLANG_INCOMPLETE) == incomplete


VIDEO = (
    "<link>/v</link><title>T</title><description>D</description>"
    '<enclosure url="/v.mp4" type="video/mp4"/>'
)
LATE = {
    "<image><url>https://ex.com/logo.png</url></image>": "https://ex.com/logo.png<",
    '<atom:link rel="self" href="https://ex.com/sub/feed"/>': "<loc>https://ex.com/v<",
    "<media:rating>adult</media:rating>": "family_friendly>no<",
}


@pytest.mark.parametrize("field", LATE)
def test_a_header_after_the_items_counts_like_one_before(field: str) -> None:
    thumbnail = "" if "image" in field else '<media:thumbnail url="https://ex.com/t.png"/>'
    options: Any = {} if "self" in field else {"base_url": "https://ex.com/feed"}
    late = converter.convert(rss(VIDEO + thumbnail, tail=f"{field}\n"), "late.xml", **options)
    early = converter.convert(rss(VIDEO + thumbnail, head=f"{field}\n"), "early.xml", **options)
    assert LATE[field] in Path("late.xml").read_text("utf-8")
    assert Path("late.xml").read_bytes() == Path("early.xml").read_bytes()
    assert early.issues == ()
    assert codes(late.issues) == [Code.HEADER_LATE]
    assert late.issues[0].severity is Severity.INFO
    assert late.issues[0].line == 3


def test_a_late_language_is_that_of_the_news() -> None:
    item = "<link>https://ex.com/1</link><title>T</title><pubDate>2026-01-15T08:00Z</pubDate>"
    late = "<language>de-AT</language>"
    result = converter.convert(rss(item, tail=late), "s.xml", news="N")
    assert "<news:language>de<" in Path("s.xml").read_text("utf-8")
    assert codes(result.issues) == [Code.HEADER_LATE]
    with pytest.raises(OptionError, match="--news-language"):
        converter.convert(rss(item, tail="<title>T</title>"), "s.xml", news="N")


def test_faults_in_a_late_header_are_reported_once() -> None:
    tail = (
        "<lastBuildDate>yesterday</lastBuildDate>\n"
        "<image><url>https://ex.com/logo.png</url></image>\n<pubDate>today</pubDate>\n"
    )
    result = converter.convert(rss(VIDEO, tail=tail), "s.xml", base_url="https://ex.com/")
    assert sorted(codes(result.issues)) == sorted(
        [Code.DATE_UNREADABLE, Code.HEADER_LATE, Code.DATE_UNREADABLE]
    )


def test_a_late_field_without_effect_needs_no_second_pass() -> None:
    result = converter.convert(rss(PAGE.format(1), tail="<ttl>60</ttl><title>T</title>"), "s.xml")
    assert result.issues == ()


# -- the same bytes ---------------------------------------------------------------------------


def test_the_output_does_not_depend_on_the_hash_seed() -> None:
    pages = [*numbered(300), *numbered(50), "https://b.example/"]
    Path("urls.txt").write_text("\n".join(pages), "utf-8")
    Path("feed.atom").write_bytes(atom(("de", "de en"), ("en", "en de"), ("fr", "en")).getvalue())
    words = [sys.executable, "-m", "converter", "urls.txt", "feed.atom", "--gzip"]
    words += ["--limit-urls", "100", "--verbose"]
    outputs, said = [], []
    for seed in ("0", "1"):
        Path(seed).mkdir()
        done = subprocess.run(
            [*words, "-o", f"{seed}/s.xml"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        outputs.append({p.name: p.read_bytes() for p in Path(seed).iterdir() if p.suffix == ".gz"})
        said.append(done.stderr.replace(f"{seed}/".encode(), b""))
    assert len(outputs[0]) == 5
    assert outputs[0] == outputs[1]
    assert said[0] == said[1]
