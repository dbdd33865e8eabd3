"""A sitemap index as a source: its sitemaps are read instead."""

from __future__ import annotations

import gzip
import io
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import Issue, Result
from converter.errors import DocumentError, OptionError, SourceError
from converter.formats import rss
from converter.issues import Code
from converter.sources import opener, sitemap_index
from converter.sources.source import Source, open_source
from tests.builders import converted, index_of, locs_in, urlset

Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)

    def write(name: str, *children: str) -> None:
        Path(name).write_text(index_of(*children), "utf-8")

    Path("a.xml").write_text(urlset("https://ex.com/2", "https://ex.com/1"), "utf-8")
    Path("b.xml.gz").write_bytes(gzip.compress(urlset("https://ex.com/3", "/4").encode()))
    Path("c.txt").write_text("https://ex.com/5\n", "utf-8")
    return write


def test_the_children_are_the_content_in_their_order(write: Write) -> None:
    write("i.xml", "https://ex.com/b.xml.gz", "a.xml", "c.txt", "a.xml")
    written, result, issues = converted("i.xml")
    assert locs_in(written) == [f"https://ex.com/{n}" for n in (3, 2, 1, 5)]
    assert (result.urls, result.sources, result.skipped) == (4, 3, 1)
    assert [(issue.code, issue.source, issue.line) for issue in issues] == [
        (Code.URL_DUPLICATE, "i.xml", 4),
        (Code.URL_WITHOUT_BASE, "b.xml.gz", 2),
        (Code.ENTRY_WITHOUT_LOC, "b.xml.gz", 2),
    ]


def test_an_index_among_other_sources_and_duplicates_between_children(write: Write) -> None:
    Path("d.xml").write_text(urlset("https://ex.com/1"), "utf-8")
    write("i.xml", "a.xml", "d.xml")
    written, _, issues = converted(["c.txt", "i.xml"])
    assert locs_in(written) == [f"https://ex.com/{n}" for n in (5, 2, 1)]
    assert [(issue.code, issue.source) for issue in issues] == [(Code.URL_DUPLICATE, "d.xml")]


def test_progress_counts_the_children(write: Write) -> None:
    many = [f"https://ex.com/{number}" for number in range(1200)]
    Path("d.xml").write_text(urlset(*many), "utf-8")
    write("i.xml", "d.xml", "a.xml")
    total = sum(Path(name).stat().st_size for name in ("d.xml", "a.xml"))
    seen: list[tuple[int, int | None]] = []
    converter.convert("i.xml", io.BytesIO(), progress=lambda *told: seen.append(told))
    assert {whole for _, whole in seen} == {total}
    done = [part for part, _ in seen]
    assert done == sorted(done)
    assert 0 < done[0] < total
    assert done[-1] > Path("d.xml").stat().st_size


def test_reading_an_index_gives_the_entries_of_its_children(write: Write) -> None:
    write("i.xml", "b.xml.gz", "https://ex.com/maps/a.xml")
    with converter.read("i.xml") as document:
        assert document.children == ("b.xml.gz", "https://ex.com/maps/a.xml")
        assert (document.feed.format, document.feed.source) == ("sitemap", "i.xml")
        found = [(entry.loc, entry.feed and entry.feed.source) for entry in document.entries]
    assert found == [
        ("https://ex.com/3", "b.xml.gz"),
        (None, "b.xml.gz"),
        ("https://ex.com/2", "a.xml"),
        ("https://ex.com/1", "a.xml"),
    ]
    assert [issue.source for issue in document.issues] == ["b.xml.gz"]


def large(first: int) -> str:
    """A sitemap of many pages."""
    return urlset(*(f"https://ex.com/page/{number}" for number in range(first, first + 2000)))


@pytest.mark.parametrize("is_merged", [False, True], ids=["read", "merged"])
@pytest.mark.parametrize("options", [{}, {"jobs": 2}, {"sort": "url"}])
def test_large_children_are_read_one_by_one_and_as_sources_are(
    write: Write, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], is_merged: bool
) -> None:
    opened, at_once = Counter[str](), list[int]()

    @contextmanager
    def counted(spec: Any, **given: Any) -> Iterator[Source]:
        with open_source(spec, **given) as source:
            opened[source.name] += 1
            at_once.append(opened.total())
            yield source
            opened[source.name] -= 1

    def convert(*names: str) -> tuple[Result, bytes]:
        target, merge = io.BytesIO(), names if is_merged else ()
        given = "c.txt" if is_merged else names
        return converter.convert(given, target, merge=merge, **options), target.getvalue()

    lines = "".join(f"https://ex.com/line/{number}\n" for number in range(3000))
    Path("e.txt").write_text(lines + lines[:200], "utf-8")  # needs a second walk
    names = ["d.xml", "a.xml", "f.xml.gz", "e.txt", "g.xml"]
    Path("d.xml").write_text(large(0), "utf-8")
    Path("f.xml.gz").write_bytes(gzip.compress(large(1500).encode()))  # 500 are known by then
    Path("g.xml").write_text(large(3500).replace("page/5400<", "page/5400?<!-- odd --><"), "utf-8")
    write("i.xml", *names)
    expected, one_by_one = convert(*names)
    for module in (opener, sitemap_index):
        monkeypatch.setattr(module, "open_source", counted)
    result, together = convert("i.xml")
    assert together == one_by_one
    assert result.issues == expected.issues
    assert len(at_once) > len(names)
    assert max(at_once) <= 3  # the index, the merged source, and one child
    assert not opened.total()


def test_sitemaps_and_indexes_may_be_named_as_such(write: Write) -> None:
    write("i.xml", "a.xml", "c.txt")
    for source, found in (("a.xml", 2), ("i.xml", 3)):
        with converter.read(source, format="sitemap") as document:
            assert len(list(document.entries)) == found
    with pytest.raises(DocumentError, match="--from says XML sitemap, but the content is List"):
        converter.read("c.txt", format="sitemap")


def test_a_child_that_is_a_feed_has_its_late_header_too(write: Write) -> None:
    feed = "<rss><channel><item><link>/1</link></item><link>https://ex.com/</link></channel></rss>"
    Path("f.rss").write_text(feed, "utf-8")
    write("i.xml", "f.rss")
    written, _, _ = converted("i.xml")
    assert locs_in(written) == ["https://ex.com/1"]


@pytest.mark.parametrize(
    ("children", "said"),
    [
        (["a.xml", "z.xml"], 'i.xml: the index names "z.xml"'),
        (["a.xml", "j.xml"], "j.xml: this is a sitemap index, but the index i.xml names it"),
        (["i.xml"], "the index itself"),
    ],
)
def test_a_source_that_cannot_be_followed_ends_the_run(
    write: Write, children: list[str], said: str
) -> None:
    write("j.xml", "i.xml")
    write("i.xml", *children)
    Path("out.xml").write_text("old", "utf-8")
    with pytest.raises(SourceError) as caught:
        converter.convert("i.xml", "out.xml")
    assert said in str(caught.value)
    assert Path("out.xml").read_text("utf-8") == "old"


def test_broken_documents_are_named(write: Write) -> None:
    Path("h.xml").write_text("<html>", "utf-8")
    write("i.xml", "h.xml")
    with pytest.raises(DocumentError, match=r"^h\.xml: an HTML page"):
        converter.convert("i.xml", io.BytesIO())
    Path("i.xml").write_text("<sitemapindex><sitemap><loc>a.xml</loc>", "utf-8")
    with pytest.raises(DocumentError, match=r"^i\.xml: not well-formed"):
        converter.convert("i.xml", io.BytesIO())


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_broken_child_after_a_large_source_ends_the_run(write: Write, jobs: int) -> None:
    urls = (f"https://ex.com/page/{number}" for number in range(12_000))
    Path("large.xml").write_text(urlset(*urls), "utf-8")  # workers read it by slices
    Path("bad.xml").write_text("hello, what is this\n", "utf-8")
    write("i.xml", "a.xml", "bad.xml")
    with pytest.raises(DocumentError, match=r"bad\.xml"):
        converter.convert(["large.xml", "i.xml"], io.BytesIO(), jobs=jobs)


def test_an_index_from_a_stream_has_no_local_children(write: Write) -> None:
    write("i.xml", "a.xml")
    with pytest.raises(SourceError, match="only read beside an index"):
        converter.convert(io.BytesIO(Path("i.xml").read_bytes()), io.BytesIO())
    with Path("i.xml").open("rb") as named, pytest.raises(SourceError, match=r"^i\.xml: .* beside"):
        converter.convert(named, io.BytesIO())


def test_an_empty_index_yields_no_url(write: Write) -> None:
    write("i.xml")
    issues: list[Issue] = []
    with pytest.raises(converter.RefusedError):
        converter.convert(
            io.BytesIO(Path("i.xml").read_bytes()), io.BytesIO(), report=issues.append
        )
    assert [(issue.code, issue.message) for issue in issues] == [
        (Code.SOURCE_EMPTY, "the index names no sitemap")
    ]


def test_a_child_without_urls_is_reported(write: Write) -> None:
    Path("d.xml").write_text(urlset(), "utf-8")
    write("i.xml", "a.xml", "d.xml")
    result = converter.convert("i.xml", io.BytesIO())
    assert [(issue.code, issue.source) for issue in result.issues] == [(Code.SOURCE_EMPTY, "d.xml")]


def test_formats_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from converter.formats import registry
    from converter.formats.base import Format

    mute = Format(name="rss", title="RSS", extensions=(), sniff=rss.FORMAT.sniff)
    monkeypatch.setattr(registry, "detect", lambda *_, **__: mute)
    with pytest.raises(OptionError, match="RSS cannot be read in this version"):
        converter.convert(io.BytesIO(b"<rss/>"), io.BytesIO())
