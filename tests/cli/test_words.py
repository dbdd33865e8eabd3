"""Claims about what the words of the command line become."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from converter.cli.words import (
    complete_path,
    complete_readable,
    complete_writable,
    count,
    size_bytes,
)
from converter.registry import FORMATS


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ([], {}),
        (["--from", "auto"], {}),
        (["-f", "RSS"], {"format": "rss"}),
        (["-t", "txt"], {"to": "txt"}),
        (["--gzip"], {"gzip": True}),
        (["--no-images", "--no-videos"], {"images": False, "videos": False}),
        (["--images"], {"images": True}),
        (
            ["--keep-param", "a", "--keep-param=b", "--drop-param", "utm_*"],
            {"keep_params": ("a", "b"), "drop_params": ("utm_*",)},
        ),
        (["--include", "a{1,2}"], {"include": ("a{1,2}",)}),
        (
            ["--limit-bytes", "10MiB", "--limit-urls", "7"],
            {"limit_bytes": 10485760, "limit_urls": 7},
        ),
        (["--max-bytes", "1k"], {"max_bytes": 1000}),
        (
            ["--changefreq", "Daily", "--priority", "0.5"],
            {"changefreq": "daily", "priority": "0.5"},
        ),
        (["--sort", "url", "--max-entries", "3"], {"sort": "url", "max_entries": 3}),
        (
            ["--news", "The Times", "--news-language", "en"],
            {"news": "The Times", "news_language": "en"},
        ),
        (["--dry-run", "--strict", "--progress", "--color"], {"dry_run": True}),
        (["--self-url", "https://a.example/f"], {"self_url": "https://a.example/f"}),
    ],
)
def test_words_become_keywords_of_the_library(
    run: Any, library: Any, words: list[str], options: dict[str, Any]
) -> None:
    assert run("a.rss", *words).code == 0
    assert library.options == options


@pytest.mark.parametrize("named", [(), ("convert",)])
def test_convert_goes_without_saying(run: Any, library: Any, named: tuple[str, ...]) -> None:
    assert run(*named, "a.rss", "b.rss", "-o", "x.xml").code == 0
    assert library.sources == ("a.rss", "b.rss")
    assert library.target == "x.xml"


def test_a_command_counts_only_as_the_first_word(run: Any, library: Any) -> None:
    assert run("a.rss", "formats", "check").code == 0
    assert library.sources == ("a.rss", "formats", "check")
    assert run("./diff").code == 0
    assert library.sources == ("./diff",)


def test_words_behind_two_dashes_are_sources(run: Any, library: Any) -> None:
    assert run("--", "-odd.rss").code == 0
    assert library.sources == ("-odd.rss",)


def test_standard_streams_stand_for_what_is_not_named(run: Any, library: Any) -> None:
    assert run().code == 0
    assert (library.sources, library.target) == (("-",), "-")


def test_nobody_waits_for_a_terminal(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    ended = run()
    assert ended.code == 2
    assert "no SOURCE" in ended.err
    assert not library.called


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--frm", "rss"], "--from"),
        (["--merge", "old.xml"], "--merge"),
        (["--timeout", "3"], "--timeout"),
        (["-f", "rsss"], "not a format that is read: auto, rss"),
        (["-t", "pdf"], "not a format that is written: "),
        (["-t", "auto"], "auto"),
        (["--limit-urls", "0"], "from 1 on"),
        (["--max-entries", "9" * 5000], "from 1 on"),
        (["--limit-bytes", "10 parrots"], "10MiB"),
        (["--changefreq", "often"], "weekly"),
        (["--scheme", "ftp"], "https"),
        (["-q", "-v"], "contradict"),
        (["--report", "-"], "--report"),
        (["--report", "a.rss"], "replace"),
        (["--report", "./x.xml", "-o", "x.xml"], "replace"),
    ],
)
def test_words_that_cannot_be_are_refused(
    run: Any, library: Any, words: list[str], said: str
) -> None:
    ended = run("a.rss", *words)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("feed2sitemap: error: ")
    assert said in ended.err
    assert ended.err.endswith("Try 'feed2sitemap --help'.\n")
    assert not library.called


@pytest.mark.parametrize("word", ["check", "diff"])
@pytest.mark.parametrize("rest", [(), ("a", "b"), ("--help",), ("--strict", "-x")])
def test_reserved_words_say_that_they_come_later(
    run: Any, library: Any, word: str, rest: tuple[str, ...]
) -> None:
    ended = run(word, *rest)
    assert ended.code == 2
    assert f"{word} comes in a later version" in ended.err
    assert f"./{word}" in ended.err
    assert not library.called


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("a.rss", "--help"), ("convert", "-h")])
def test_help_shows_the_options_of_convert(run: Any, words: tuple[str, ...]) -> None:
    ended = run(*words)
    assert ended.code == 0
    assert ended.out.startswith("Usage: feed2sitemap [OPTIONS] [SOURCE]...\n")
    for word in ("-f, --from", "--no-images", "--report FILE", "feed2sitemap formats"):
        assert word in ended.out


def test_version_is_one_line(run: Any) -> None:
    ended = run("--version")
    assert ended.code == 0
    program, version = ended.out.split()
    assert program == "feed2sitemap"
    assert version[0].isdigit()


def test_formats_are_a_table_of_the_registry(run: Any) -> None:
    ended = run("formats")
    assert ended.code == 0
    head, *rows = ended.out.splitlines()
    assert head.split() == ["NAME", "READ", "WRITE", "EXTENSIONS", "TITLE"]
    assert [row.split()[0] for row in rows] == list(FORMATS)
    for row, known in zip(rows, FORMATS.values(), strict=True):
        said = ["yes" if can else "-" for can in (known.read, known.writer)]
        assert row.split()[1:3] == said
        assert row.endswith(known.title)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("500B", 500),
        ("10k", 10_000),
        ("10KB", 10_000),
        ("10kib", 10_240),
        ("10 MiB", 10_485_760),
        ("3m", 3_000_000),
        ("2Gi", 2_147_483_648),
        (" 7 ", 7),
        (8, 8),
        ("0", 0),
    ],
)
def test_sizes(text: str | int, size: int) -> None:
    assert size_bytes(text) == size


@pytest.mark.parametrize("text", ["", "MB", "1.5MB", "-1", "10TB", "1iB", "1" * 16, "٣", True])
def test_no_sizes(text: Any) -> None:
    with pytest.raises(Exception, match="is not a size"):
        size_bytes(text)


def test_counts() -> None:
    assert count("007") == 7
    assert count(50_000) == 50_000
    for text in ("0", "00", "-1", "1.0", "", "1" * 16, "٣"):
        with pytest.raises(Exception, match="from 1 on"):
            count(text)


def test_completion_knows_formats_and_leaves_files_to_the_shell() -> None:
    nothing: Any = None
    assert complete_readable(nothing, nothing, "a")[0] == "auto"
    assert "rss" in complete_readable(nothing, nothing, "rs")
    assert complete_readable(nothing, nothing, "x") == []
    assert "auto" not in complete_writable(nothing, nothing, "")
    assert [item.type for item in complete_path(nothing, nothing, "blog")] == ["file"]


def test_completion_speaks_bash(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_FEED2SITEMAP_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "feed2sitemap --limit")
    monkeypatch.setenv("COMP_CWORD", "1")
    ended = run()
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.split() == ["plain,--limit-urls", "plain,--limit-bytes"]


def test_completion_offers_files(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_FEED2SITEMAP_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "feed2sitemap bl")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run().out == "file,bl\n"
