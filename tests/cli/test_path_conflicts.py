"""Conflicts of paths: no option overwrites a source, the output or one of its parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import converter

FEED = """\
<rss version="2.0"><channel><title>T</title><link>https://a.example/</link>
<item><title>One</title><link>https://a.example/1</link></item>
<item><title>Two</title><link>https://a.example/2</link></item>
</channel></rss>
"""
URL = ["--sitemap-url", "https://a.example/s.xml"]
BESIDE = {
    "--report": [],
    "--news-output": ["--news", "N"],
    "--robots": URL,
    "--cache": [],
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("blog.rss").write_text(FEED)
    Path("list.txt").write_text("https://a.example/3\n")


def tree() -> dict[str, bytes | None]:
    return {str(p): p.read_bytes() if p.is_file() else None for p in Path().rglob("*")}


def refused(run: Any, *words: str, says: str = "") -> None:
    before = tree()
    ended = run(*words)
    assert (ended.code, tree()) == (2, before), ended.err
    assert says in ended.err


@pytest.mark.parametrize("option", BESIDE)
@pytest.mark.parametrize(
    ("words", "path"),
    [
        (["blog.rss", "-o", "s.xml"], "blog.rss"),
        (["blog.rss", "-o", "s.xml"], "./x/../blog.rss"),
        (["./blog.rss", "list.txt", "-o", "s.xml"], "list.txt"),
        (["blog.rss", "-o", "s.xml", "--merge", "list.txt"], "list.txt"),
        (["blog.rss", "-o", "s.xml"], "s.xml"),
        (["blog.rss", "-o", "x/../s.xml"], "s.xml"),
        (["blog.rss", "-o", "s.xml"], "S.XML"),
        (["blog.rss", "-o", "s.xml", "--gzip"], "s.xml.gz"),
        (["blog.rss", "-o", "s.xml"], "s.xml.gz"),
        (["blog.rss", "-o", "s.xml.gz"], "s.xml"),
        (["blog.rss", "-o", "s.xml"], "s-1.xml"),
        (["blog.rss", "-o", "s.xml", "--limit-urls", "1"], "s-2.xml"),
        (["blog.rss", "-o", "s.xml", "--limit-urls", "1", "--gzip"], "s-2.xml.gz"),
        (["blog.rss", "-o", "s.xml", "--limit-urls", "1"], "S-2.xml"),
        (["blog.rss", "-o", "s.xml", "--part-by", "month"], "s-2026-01.xml"),
        (["blog.rss", "-o", "s.xml", "--part-by", "year"], "s-undated.2.xml"),
        (["blog.rss", "-o", "s.xml"], "s-a.example-1.xml"),
        (["blog.rss", "-o", "s.xml"], ".s.xml.lock"),
        (["blog.rss", "-o", "s.xml"], ".s.xml.journal"),
    ],
)
def test_no_option_may_name_another_file_of_the_run(
    run: Any, option: str, words: list[str], path: str
) -> None:
    Path("x").mkdir()
    refused(run, *words, option, path, *BESIDE[option], says=option)


@pytest.mark.parametrize("kind", ["symlink", "hard link", "dangling"])
@pytest.mark.parametrize("option", BESIDE)
def test_a_link_is_compared_by_its_target(run: Any, option: str, kind: str) -> None:
    words = [*BESIDE[option], "-o", "s.xml", option, "link"]
    if kind == "symlink":
        Path("link").symlink_to("blog.rss")
    elif kind == "hard link":
        Path("link").hardlink_to("blog.rss")
    else:
        Path("link").symlink_to("s.xml")
    refused(run, "blog.rss", *words, says=option)


@pytest.mark.parametrize("option", BESIDE)
def test_a_link_to_a_part_is_compared_by_its_target(run: Any, option: str) -> None:
    assert run("blog.rss", "-o", "s.xml", "--limit-urls", "1").code == 0
    Path("link").symlink_to("s-2.xml")
    refused(run, "blog.rss", "-o", "s.xml", *BESIDE[option], option, "link", says="part")


@pytest.mark.parametrize("first", BESIDE)
@pytest.mark.parametrize("second", BESIDE)
def test_two_options_must_not_name_the_same_file(run: Any, first: str, second: str) -> None:
    if first != second:
        words = [*BESIDE[first], first, "new", *BESIDE[second], second, "./new"]
        refused(run, "blog.rss", "-o", "s.xml", *words, says="one file")


@pytest.mark.parametrize("path", ["n-1.xml", "n-2.xml.gz", "n.xml.gz"])
@pytest.mark.parametrize("option", ["--report", "--robots", "--cache"])
def test_parts_of_the_news_file_conflict_with_other_files(run: Any, option: str, path: str) -> None:
    words = ["-o", "s.xml", "--news", "N", "--news-output", "n.xml", *BESIDE[option]]
    refused(run, "blog.rss", *words, option, path, says="part")


def test_robots_must_not_be_a_file_that_an_index_lists(run: Any) -> None:
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    rows = "<sitemap><loc>list.txt</loc></sitemap>"
    Path("i.xml").write_text(f'<sitemapindex xmlns="{space}">{rows}</sitemapindex>')
    refused(run, "i.xml", "-o", "s.xml", *URL, "--robots", "list.txt", says="--robots")


@pytest.mark.parametrize("option", ["news_output", "robots", "cache"])
def test_a_file_name_with_a_nul_is_an_option_error(option: str) -> None:
    words: dict[str, Any] = {"news": "N", "sitemap_url": "https://a.example/s.xml"}
    with pytest.raises(converter.OptionError, match="NUL"):
        converter.convert("blog.rss", "s.xml", **{**words, option: "a\0b"})


def test_every_output_option_accepts_dev_null(run: Any) -> None:
    assert run("blog.rss", "-o", os.devnull, "--report", os.devnull).code == 0


def test_a_report_goes_to_a_fifo(run: Any) -> None:
    os.mkfifo("fifo")
    with ThreadPoolExecutor() as reader:
        read = reader.submit(Path("fifo").read_bytes)
        assert run("blog.rss", "-o", "s.xml", "--report", "fifo").code == 0
    assert json.loads(read.result())["totals"]["urls"] == 2


def test_files_of_hosts_conflict_with_the_report(run: Any) -> None:
    words = ["blog.rss", "-o", "s.xml", "--report", "s-a.example.xml"]
    refused(run, *words, "--split-hosts", says="--report")
    assert run(*words).code == 0


def test_a_redirected_file_is_a_source_or_output() -> None:
    program = [sys.executable, "-m", "converter"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with Path("list.txt").open("rb") as source, Path("out.xml").open("wb") as output:
        for path in ("list.txt", "out.xml"):
            ended = subprocess.run(
                [*program, "-", "--report", path],
                stdin=source,
                stdout=output,
                stderr=subprocess.PIPE,
                env=environment,
                check=False,
            )
            assert ended.returncode == 2
            assert b"--report and" in ended.stderr
    assert Path("list.txt").read_text() == "https://a.example/3\n"


def test_news_is_not_written_over_a_sitemap_that_an_index_names(run: Any) -> None:
    assert run("blog.rss", "-o", "i.xml", "--limit-urls", "1", *URL).code == 0
    words = ["-o", "s.xml", "--news", "N", "--news-output", "i-2.xml"]
    refused(run, "i.xml", *words, says="--news-output")
    refused(run, "blog.rss", "--merge", "i.xml", *words, says="--news-output")


@pytest.mark.parametrize(
    "content", ["<rss/>", '{"a": 1}', '{"version": 1, "generator": "feed2sitemap"}', "text", " "]
)
def test_a_report_replaces_no_other_content(run: Any, content: str) -> None:
    Path("r.json").write_text(content)
    refused(run, "blog.rss", "-o", "s.xml", "--report", "r.json", says="r.json")


def test_a_report_replaces_a_missing_file_an_empty_file_or_a_report(run: Any) -> None:
    words = ["blog.rss", "-o", "s.xml", "--report"]
    assert run(*words, "new.json").code == 0
    assert run(*words, "new.json").code == 0
    Path("empty.json").touch()
    assert run(*words, "empty.json").code == 0
    assert run("missing.rss", "-o", "s.xml", "--report", "new.json").code == 3
    assert run(*words, "new.json").code == 0


@pytest.mark.parametrize(
    "content",
    [
        b"<?xml version='1.0'?><urlset/>",
        b"\xef\xbb\xbf\n <urlset/>",
        "<urlset/>".encode("utf-16"),
        "<urlset/>".encode("utf-16-le"),
        b"<!doctype html><p>",
        b'{"a": 1}',
        b"\n[1]",
        b"\x1f\x8b\x08\x00",
    ],
)
def test_robots_must_not_be_xml_html_or_json(run: Any, content: bytes) -> None:
    Path("r.txt").write_bytes(content)
    refused(run, "blog.rss", "-o", "s.xml", *URL, "--robots", "r.txt", says="r.txt")


def test_the_summary_distinguishes_created_and_updated_robots(run: Any) -> None:
    words = ["blog.rss", "-o", "s.xml", "--robots", "robots.txt", *URL]
    assert "would create robots.txt" in run(*words, "--dry-run").err
    assert "robots.txt created" in run(*words).err
    assert "robots.txt" not in run(*words).err.splitlines()[-1]
    Path("robots.txt").write_text("User-agent: *\n")
    assert "would renew robots.txt" in run(*words, "--dry-run").err
    assert "robots.txt renewed" in run(*words).err


def test_the_cache_must_be_a_separate_folder(run: Any) -> None:
    Path("file").touch()
    refused(run, "blog.rss", "-o", "s.xml", "--cache", "file", says="name a folder")
    refused(
        run, "blog.rss", "-o", f"{'0' * 64}-x.tmp", "-t", "sitemap", "--cache", ".", says="--cache"
    )
    name = f"{'0' * 64}.fetched"
    Path(name).write_text(FEED)
    refused(run, name, "-o", "s.xml", "--cache", ".", says="--cache")
    Path("folder").mkdir()
    for folder in (".", "folder", "new"):
        assert run("blog.rss", "-o", "folder/s.xml", "--cache", folder).code == 0
