"""Claims about our line in a robots.txt, and about every line that is not ours."""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import OptionError, SinkError
from converter.publish.robots_txt import RobotsTxt, with_sitemap_line

URL = "https://www.example.org/sitemap.xml"
OURS = b"Sitemap: https://www.example.org/sitemap.xml"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", OURS + b"\n"),
        (b"User-agent: *\nDisallow: /x\n", b"User-agent: *\nDisallow: /x\n" + OURS + b"\n"),
        (b"User-agent: *", b"User-agent: *\n" + OURS + b"\n"),
        (b"User-agent: *\r\nAllow: /", b"User-agent: *\r\nAllow: /\r\n" + OURS + b"\r\n"),
        (b"User-agent: *\r\n", b"User-agent: *\r\n" + OURS + b"\r\n"),
        (b"User-agent: *\rAllow: /\r", b"User-agent: *\rAllow: /\r" + OURS + b"\n"),
        (b"\xef\xbb\xbfAllow: /\n", b"\xef\xbb\xbfAllow: /\n" + OURS + b"\n"),
        (b"# caf\xe9\n", b"# caf\xe9\n" + OURS + b"\n"),  # Latin-1
    ],
)
def test_a_line_is_added_at_the_end(before: bytes, after: bytes) -> None:
    assert with_sitemap_line(before, URL) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (OURS, OURS),
        (b"a: b\n" + OURS + b"\nc: d", b"a: b\n" + OURS + b"\nc: d"),
        (
            b"sitemap:https://www.example.org/sitemap.xml",
            b"sitemap:https://www.example.org/sitemap.xml",
        ),
        (b"SITEMAP : http://www.example.org/sitemap.xml\r\n", b"SITEMAP : %s\r\n"),
        (b"Sitemap: https://example.org/sitemap.xml # ours\nx", b"Sitemap: %s # ours\nx"),
        (b"\xef\xbb\xbfSitemap: http://EXAMPLE.org/sitemap.xml", b"\xef\xbb\xbfSitemap: %s"),
        (b"\t site-map: https://www.example.org:443/sitemap.xml.gz", b"\t site-map: %s"),
        (b"Sitemap: https://www.example.org/site%6dap.xml\n", b"Sitemap: %s\n"),
        (
            b"Sitemap: http://example.org/sitemap.xml\nUser-agent: *\n" + OURS + b"\nAllow: /\n",
            b"Sitemap: %s\nUser-agent: *\nAllow: /\n",
        ),
    ],
)
def test_our_line_is_updated_in_its_place(before: bytes, after: bytes) -> None:
    assert with_sitemap_line(before, URL) == after.replace(b"%s", URL.encode())


@pytest.mark.parametrize(
    "line",
    [
        b"Sitemap: https://www.example.org/blog/sitemap.xml",
        b"Sitemap: https://www.example.org/sitemap-news.xml",
        b"Sitemap: https://shop.example.org/sitemap.xml",
        b"Sitemap: https://www.example.org/sitemap.xml?lang=de",
        b"# Sitemap: https://www.example.org/sitemap.xml",
        b"Sitemaps: https://www.example.org/sitemap.xml",
        b"Sitemap: /sitemap.xml",
        b"Sitemap: http://[",
        b"Sitemap:",
        b"Sitemap: caf\xe9",
    ],
)
def test_lines_of_other_sitemaps_stay(line: bytes) -> None:
    assert with_sitemap_line(line + b"\n", URL) == line + b"\n" + OURS + b"\n"


def test_an_index_that_is_compressed_now_is_still_ours() -> None:
    assert with_sitemap_line(OURS + b"\n", URL + ".gz") == OURS + b".gz\n"


def test_a_url_is_written_as_crawlers_read_it() -> None:
    assert with_sitemap_line(b"", "https://exämple.org/maß.xml") == (
        b"Sitemap: https://xn--exmple-cua.org/ma%C3%9F.xml\n"
    )


@pytest.mark.property
@given(
    st.binary() | st.lists(st.sampled_from([OURS, b"A: b", b"\n", b"\r\n", b"\r"])).map(b"".join)
)
def test_all_other_bytes_stay(content: bytes) -> None:
    once = with_sitemap_line(content, URL)
    assert with_sitemap_line(once, URL) == once
    assert once.count(OURS) >= 1
    others = [
        line for line in content.splitlines() if not line.lower().lstrip().startswith(b"site")
    ]
    kept = iter(once.splitlines())
    assert all(line in kept for line in others)


# -- the file ---------------------------------------------------------------------------------


def named(path: Path) -> bool:
    """Name our sitemap; was there anything to change?"""
    with ExitStack() as closing:
        robots = RobotsTxt(str(path), closing)
        changes = robots.stage(URL)
        robots.publish()
        return changes


def test_a_missing_file_is_created(tmp_path: Path) -> None:
    assert named(tmp_path / "robots.txt")
    assert (tmp_path / "robots.txt").read_bytes() == OURS + b"\n"


def test_a_file_that_is_up_to_date_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "robots.txt"
    path.write_bytes(OURS)
    before = path.stat()
    assert not named(path)
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_file_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"Allow: /\n")
    (tmp_path / "real.txt").chmod(0o640)
    (tmp_path / "robots.txt").symlink_to("real.txt")
    assert named(tmp_path / "robots.txt")
    assert (tmp_path / "robots.txt").is_symlink()
    assert stat.S_IMODE((tmp_path / "real.txt").stat().st_mode) == 0o640
    assert (tmp_path / "real.txt").read_bytes() == b"Allow: /\n" + OURS + b"\n"


def test_a_staged_file_that_is_not_published_is_removed(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"Allow: /\n")
    with ExitStack() as closing:
        assert RobotsTxt(str(tmp_path / "robots.txt"), closing).stage(URL)
    assert (tmp_path / "robots.txt").read_bytes() == b"Allow: /\n"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []


@pytest.mark.parametrize("content", ["Allow: /".encode("utf-16"), b"#" * (8 << 20) + b"#"])
def test_files_that_crawlers_do_not_read_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "robots.txt").write_bytes(content)
    with pytest.raises(OptionError, match="UTF-16, compressed or very large"):
        named(tmp_path / "robots.txt")


def test_only_a_file_is_a_robots_txt(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (Path("-"), tmp_path / "fifo"):
        with pytest.raises(OptionError, match="no regular file"):
            named(path)
    with pytest.raises(SinkError, match="folder"):
        named(tmp_path)
