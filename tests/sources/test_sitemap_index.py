"""The files that an index may name: beside it or below, and nothing else on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from converter.errors import SourceError
from converter.sources.sitemap_index import find_files


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "maps"
    (folder / "sub").mkdir(parents=True)
    for name in ("index.xml", "a.xml", "sub/b.xml.gz", "c d.xml", "s.php?page=2"):
        (folder / name).write_bytes(b"12345")
    (tmp_path / "secret.xml").write_bytes(b"secret")
    (folder / "leak.xml").symlink_to(tmp_path / "secret.xml")
    (folder / "inner.xml").symlink_to(folder / "a.xml")
    (folder / "circle.xml").symlink_to(folder / "circle.xml")
    os.mkfifo(folder / "pipe.xml")
    monkeypatch.chdir(folder)
    return str(folder / "index.xml")


@pytest.mark.parametrize(
    ("child", "name"),
    [
        ("https://ex.com/maps/a.xml", "a.xml"),
        ("HTTP://ex.com/a.xml#x", "a.xml"),
        ("https://ex.com/deep/down/c%20d.xml", "c d.xml"),
        ("https://ex.com/s.php?page=2", "s.php?page=2"),
        ("a.xml", "a.xml"),
        ("./sub/b.xml.gz", "sub/b.xml.gz"),
        ("c%20d.xml", "c d.xml"),
        ("inner.xml", "inner.xml"),
        ("sub/../a.xml", "sub/../a.xml"),
    ],
)
def test_children_are_found_next_to_their_index(index: str, child: str, name: str) -> None:
    assert find_files(index, [child]) == [Path(index).parent / name]
    assert find_files("index.xml", [child]) == [Path(name)]


def test_order_is_kept(index: str) -> None:
    found = find_files("index.xml", ["sub/b.xml.gz", "https://ex.com/a.xml"])
    assert found == [Path("sub/b.xml.gz"), Path("a.xml")]


@pytest.mark.parametrize(
    "child",
    [
        "https://ex.com/z.xml",
        "https://ex.com/s.php?page=3",
        "https://ex.com/",
        "https://ex.com",
        "https://ex.com/a/..",
        "https://ex.com/sub%2fb.xml.gz",
        "https://ex.com/%2e%2e%2fsecret.xml",
        "https://ex.com/a.xml?/../../secret.xml",
        "https://ex.com/circle.xml",
        "https://ex.com/a%00.xml",
        "https://ex.com/" + "n" * 5000,
    ],
)
def test_a_url_without_a_local_file_stays_a_url(index: str, child: str) -> None:
    assert find_files("index.xml", ["a.xml", child]) == [Path("a.xml"), child]


@pytest.mark.parametrize(
    ("child", "said"),
    [
        ("n" * 5000, "no file nnn"),
        ("https://ex.com/a.xml", "another child is already the file a.xml"),
        ("inner.xml", "another child is already the file inner.xml"),
        ("z.xml", "no file z.xml"),
        ("/etc/passwd", "no regular file in its folder"),
        ("%2fetc/passwd", "no regular file in its folder"),
        ("../secret.xml", "no regular file in its folder"),
        ("sub/%2e%2e/../secret.xml", "no regular file in its folder"),
        ("leak.xml", "no regular file in its folder"),
        ("https://ex.com/leak.xml", "no regular file in its folder"),
        ("circle.xml", "no file circle.xml"),
        ("pipe.xml", "no regular file in its folder"),
        ("sub", "no regular file in its folder"),
        ("index.xml", "the index itself"),
        ("https://ex.com/index.xml", "the index itself"),
        ("file:///etc/passwd", "neither an http(s) URL nor a path"),
        ("ftp://ex.com/a.xml", "neither an http(s) URL nor a path"),
        ("a%00.xml", "no file a\\x00.xml"),
    ],
)
def test_a_missing_or_forbidden_file_is_an_error(index: str, child: str, said: str) -> None:
    with pytest.raises(SourceError) as caught:
        find_files("index.xml", ["a.xml", child])
    message = str(caught.value)
    assert message.startswith("index.xml: the index names ")
    assert said in message
