"""Existing files at a target: the parts of an index, unchanged files, links."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from converter.publish.file_names import host_name
from converter.publish.publisher import Publisher
from converter.publish.target import open_target
from tests.builders import put, tree

INDEX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{}</sitemapindex>\n'
)


def index_of(*locs: str) -> bytes:
    return INDEX.format("".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in locs)).encode()


def parts_of(sink: Publisher, name: str | None = None) -> tuple[str, ...]:
    index = sink.index(name)
    return index.parts if index else ()


# existing indexes


def test_existing_parts_are_the_files_that_the_index_lists(tmp_path: Path) -> None:
    index = index_of(
        "https://ex.com/maps/s-1.xml",
        " https://ex.com/s-2.xml\n",
        "https://ex.com/s-2.xml",
        "https://ex.com/s-7.xml",
        "https://ex.com/other-1.xml",
        "https://ex.com/s%2D3.xml",
        "https://ex.com/s-4.xml.gz",
        "",
    )
    put(tmp_path / "s.xml", index)
    for name in ("s-1.xml", "s-2.xml", "s-3.xml", "s-4.xml.gz", "s-5.xml", "other-1.xml"):
        (tmp_path / name).write_bytes(b"")
    with open_target(tmp_path / "s.xml") as sink:
        assert parts_of(sink) == ("s-1.xml", "s-2.xml", "s-3.xml", "s-4.xml.gz")


def test_each_host_has_its_own_index_and_parts(tmp_path: Path) -> None:
    (tmp_path / "s-ex.com.xml").write_bytes(index_of("https://ex.com/s-ex.com-1.xml"))
    (tmp_path / "s-ex.com-1.xml").write_bytes(b"")
    with open_target(tmp_path / "s.xml") as sink:
        assert parts_of(sink, host_name(sink.name, "ex.com")) == ("s-ex.com-1.xml",)
        assert parts_of(sink) == ()


def test_a_compressed_index_is_detected_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "s.xml.gz").write_bytes(gzip.compress(index_of("https://ex.com/s-1.xml.gz")))
    (tmp_path / "s-1.xml.gz").write_bytes(b"")
    with open_target(tmp_path / "s.xml.gz") as sink:
        assert parts_of(sink) == ("s-1.xml.gz",)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not XML",
        b"<urlset><url><loc>https://ex.com/s-1.xml</loc></url></urlset>",
        b"<urlset><sitemap><loc>https://ex.com/s-1.xml</loc></sitemap></urlset>",
        index_of("https://ex.com/s-1.xml")[:-10],
        gzip.compress(index_of("https://ex.com/s-1.xml"))[:-12],
        b"\x1f\x8bnot gzip",
        b"\x1f\x8b\x08\0\0\0\0\0\0\xff\xff\xff\xff",
        b'<!DOCTYPE x [<!ENTITY n SYSTEM "s-1.xml">]>' + index_of("&n;").partition(b"\n")[2],
        gzip.compress(index_of("https://ex.com/s-1.xml", " " * 52_500_000)),
    ],
    ids=[
        "empty",
        "text",
        "urlset",
        "fake",
        "cut",
        "gz-cut",
        "gz-fake",
        "gz-broken",
        "entity",
        "huge",
    ],
)
def test_an_incomplete_index_has_no_parts(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "s.xml").write_bytes(content)
    (tmp_path / "s-1.xml").write_bytes(b"https://ex.com/s-1.xml")
    with open_target(tmp_path / "s.xml") as sink:
        assert parts_of(sink) == ()


def test_a_missing_index_has_no_parts(tmp_path: Path) -> None:
    with open_target(tmp_path / "s.xml") as sink:
        assert parts_of(sink) == ()


@pytest.mark.parametrize(("content", "same"), [(b"old", True), (b"new", False), (b"longer", False)])
def test_is_unchanged_compares_every_byte(tmp_path: Path, content: bytes, same: bool) -> None:
    put(tmp_path / "s.xml", b"old", n1=b"part")
    with open_target(tmp_path / "s.xml") as sink:
        part = ("s-1.xml", sink.stage([b"part"], compress=False))
        index = ("s.xml", sink.stage([content], compress=False))
        assert sink.is_unchanged(*part)
        assert sink.is_unchanged(*index) is same
    assert tree(tmp_path) == {"s.xml": b"old", "s-1.xml": b"part"}


def test_a_missing_file_is_not_unchanged(tmp_path: Path) -> None:
    with open_target(tmp_path / "s.xml") as sink:
        assert sink.is_unchanged("s.xml", sink.stage([], compress=False)) is False


@pytest.mark.parametrize(
    ("target", "beside"), [("s.xml", "s.xml.gz"), ("s.xml.gz", "s.xml"), ("s", "s.gz")]
)
def test_the_same_file_with_or_without_gz_is_reported_and_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, beside: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_target(target) as sink:
        assert sink.existing_sibling() is None
        (tmp_path / beside).write_bytes(b"earlier")
        assert sink.existing_sibling() == beside
    assert tree(tmp_path) == {beside: b"earlier"}


# links


def test_the_file_that_a_link_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "www").mkdir()
    link = tmp_path / "www" / "s.xml"
    link.symlink_to("../data/real.xml")
    for content in (b"dangling", b"standing"):
        put(link, content, n1=b"part")
        assert link.is_symlink()
        assert tree(tmp_path / "data") == {"real.xml": content, "real-1.xml": b"part"}
        assert set(tree(tmp_path / "www")) == {"s.xml"}
    (tmp_path / "data" / "real.xml.gz").write_bytes(b"")
    with open_target(link) as sink:
        assert sink.existing_sibling() == str(tmp_path / "data" / "real.xml.gz")


def test_a_linked_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "www").symlink_to("data")
    put(tmp_path / "www" / "s.xml", b"x")
    assert tree(tmp_path / "data") == {"s.xml": b"x"}
