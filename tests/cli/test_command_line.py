"""Arguments of the command line become keywords of the library."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from converter.cli.click_options import CLICK_OPTIONS
from converter.formats.registry import FORMATS

FEED = """\
<rss version="2.0"><channel><title>T</title><link>https://a.example/</link>
<item><link>https://a.example/1</link><pubDate>yesterday</pubDate></item>
</channel></rss>
"""


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ([], {}),
        (["--from", "auto"], {"format": "auto"}),
        (["-f", "rss"], {"format": "rss"}),
        (["-f", "AUTO"], {"format": "AUTO"}),
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
            {"limit_bytes": "10MiB", "limit_urls": "7"},
        ),
        (["--max-bytes", "1kB"], {"max_bytes": "1kB"}),
        (["--fail-if-shrinks", "12.5%", "--force"], {"fail_if_shrinks": "12.5%", "force": True}),
        (
            ["--changefreq", "Daily", "--priority", "0.5"],
            {"changefreq": "Daily", "priority": "0.5"},
        ),
        (["--sort", "url", "--max-entries", "3"], {"sort": "url", "max_entries": "3"}),
        (
            ["--news", "The Times", "--news-language", "en"],
            {"news": "The Times", "news_language": "en"},
        ),
        (["--dry-run", "--strict", "--progress", "--color"], {"dry_run": True}),
        (["--self-url", "https://a.example/f"], {"self_url": "https://a.example/f"}),
        (
            ["--timeout", "2.5", "--retries", "0", "--user-agent", "me", "--cache", "dir"],
            {"timeout": "2.5", "retries": "0", "user_agent": "me", "cache": "dir"},
        ),
        (
            ["--header", "A: b, c", "--header=D: e"],
            {"headers": ("A: b, c", "D: e")},
        ),
        (
            ["--all-feeds", "--follow-pages", "--max-pages", "7", "--keep-going"],
            {"all_feeds": True, "follow_pages": True, "max_pages": "7", "keep_going": True},
        ),
        (["--allow-private-hosts"], {"allow_private_hosts": True}),
        (
            ["--update", "--merge", "a.xml", "--merge", "b.xml", "--part-by", "Month"],
            {"update": True, "merge": ("a.xml", "b.xml"), "part_by": "Month"},
        ),
        (
            ["--min-urls", "3", "--fail-if-shrinks", "10", "--expire", "30", "--drop", "/a,b"],
            {"min_urls": "3", "fail_if_shrinks": "10", "expire": "30", "drop": ("/a,b",)},
        ),
        (
            ["--news-output", "n.xml", "--news-empty", "remove", "--news", "N"],
            {"news_output": "n.xml", "news_empty": "remove", "news": "N"},
        ),
        (
            ["--robots", "robots.txt", "--sitemap-url", "https://a.example/s.xml"],
            {"robots": "robots.txt", "sitemap_url": "https://a.example/s.xml"},
        ),
    ],
)
def test_arguments_become_library_keywords(
    run: Any, library: Any, words: list[str], options: dict[str, Any]
) -> None:
    assert run("a.rss", *words).code == 0
    assert library.options == options


def test_jobs_defaults_to_the_number_of_cores(run: Any, library: Any) -> None:
    assert run("a.rss").code == 0
    assert 1 <= library.jobs <= (os.cpu_count() or 1)
    for words in (("-j", "3"), ("--jobs", "3")):
        assert run("a.rss", *words).code == 0
        assert library.jobs == "3"


@pytest.mark.parametrize("named", [(), ("convert",)])
def test_convert_is_the_default_command(run: Any, library: Any, named: tuple[str, ...]) -> None:
    assert run(*named, "a.rss", "b.rss", "-o", "x.xml").code == 0
    assert library.sources == ("a.rss", "b.rss")
    assert library.target == "x.xml"


def test_a_command_is_only_recognised_as_the_first_argument(run: Any, library: Any) -> None:
    assert run("a.rss", "check", "-").code == 0
    assert library.sources == ("a.rss", "check", "-")
    assert run("./diff").code == 0
    assert library.sources == ("./diff",)


def test_arguments_after_double_dash_are_sources(run: Any, library: Any) -> None:
    assert run("--", "-odd.rss").code == 0
    assert library.sources == ("-odd.rss",)


def test_missing_source_and_output_are_standard_streams(run: Any, library: Any) -> None:
    assert run().code == 0
    assert (library.sources, library.target) == (("-",), "-")


def test_input_is_not_read_from_a_terminal(
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
        (["--timeout", "soon"], "--timeout"),
        (["--expire", "1.5"], "--expire"),
        (["--part-by", "day"], "month"),
        (["--news-empty", "no"], "keep"),
        (["--limit-urls", "few"], "--limit-urls"),
        (["--max-entries", "9" * 5000], "--max-entries"),
        (["--changefreq", "often"], "weekly"),
        (["--scheme", "ftp"], "https"),
        (["--report", "-"], "--report"),
    ],
)
def test_invalid_arguments_are_refused(run: Any, library: Any, words: list[str], said: str) -> None:
    ended = run("a.rss", *words)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("feed2sitemap: error: ")
    assert said in ended.err
    assert not library.called


@pytest.mark.parametrize("word", ["view", "submit"])
@pytest.mark.parametrize("rest", [(), ("a", "b"), ("--help",), ("--strict", "-x")])
def test_reserved_commands_are_refused_as_planned(
    run: Any, library: Any, word: str, rest: tuple[str, ...]
) -> None:
    ended = run(word, *rest)
    assert ended.code == 2
    assert f"the command {word} is reserved for a later version" in ended.err
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
    shown, _, fields = ended.out.partition("\n\n")
    head, *rows = shown.splitlines()
    assert head.split() == ["NAME", "READ", "WRITE", "EXTENSIONS", "TITLE"]
    assert [row.split()[0] for row in rows] == list(FORMATS)
    for row, known in zip(rows, FORMATS.values(), strict=True):
        said = ["yes" if can else "-" for can in (known.read, known.writer)]
        assert row.split()[1:3] == said
        assert row.endswith(known.title)
    head, *rows = fields.splitlines()
    assert head.split() == [
        *("FIELD", "rss", "mrss", "atom", "jsonfeed", "txt", "sitemap", "sitemap+legacy")
    ]
    fates = {name: " ".join(cells) for name, *cells in (row.split() for row in rows)}
    assert fates["loc"] == "kept kept kept kept kept kept kept"
    assert fates["comments"] == "kept kept lost lost lost lost lost"
    assert fates["changefreq"] == "lost lost lost lost lost kept kept"
    assert fates["video/title"] == "lost altered altered altered lost altered altered"
    assert fates["video/gallery"] == "lost lost lost lost lost lost kept"
    assert fates["feed/title"] == "kept kept kept kept lost lost partly"
    assert fates["feed/id"] == "lost lost altered lost lost lost lost"
    assert "feed" not in fates


def test_completion_knows_formats_and_choices_and_leaves_files_to_the_shell() -> None:
    nothing: Any = None
    params = {it.name: it for it in CLICK_OPTIONS.values()}

    def completed(name: str, start: str) -> list[str]:
        items = params[name].type.shell_complete(nothing, params[name], start)
        return [item.value if item.type == "plain" else item.type for item in items]

    assert completed("from", "rs") == ["rss"]
    assert completed("from", "c") == ["csv"]
    assert completed("from", "x") == []
    assert "csv" not in completed("to", "")
    assert completed("sort", "n") == ["newest"]
    assert completed("title", "") == []
    assert completed("output", "blog") == ["file"]


def test_completion_ignores_invalid_arguments(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_FEED2SITEMAP_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "feed2sitemap help -out --report -o --gz")
    monkeypatch.setenv("COMP_CWORD", "5")
    ended = run()
    assert (ended.code, ended.out, ended.err) == (0, "plain,--gzip\n", "")


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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-f", "rsss"), "rsss"),
        (("-t", "pdf"), "pdf"),
        (("--limit-urls", "0"), "--limit-urls"),
        (("--limit-bytes", "10 parrots"), "--limit-bytes"),
        (("--max-entries", "-1"), "--max-entries"),
        (("--priority", "2"), "--priority"),
        (("--since", "soon"), "--since"),
        (("--include", "("), "--include"),
        (("--base-url", "/relative"), "--base-url"),
        (("--header", "no colon"), "--header"),
        (("--drop", "*"), "--drop"),
        (("--expire", "0"), "--expire"),
        (("--fail-if-shrinks", "200"), "--fail-if-shrinks"),
        (("--robots", "robots.txt"), "--sitemap-url"),
        (("--news-output", "n.xml"), "--news NAME"),
        (("--update", "--split-hosts", "-o", "s.xml"), "--split-hosts"),
    ],
)
def test_an_option_error_of_the_library_is_a_usage_error(run: Any, words: Any, said: str) -> None:
    Path("a.rss").write_text(FEED)
    ended = run("a.rss", *words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("feed2sitemap: error: ")
    assert said in ended.err


def test_a_feed_becomes_a_sitemap(run: Any) -> None:
    Path("blog.rss").write_text(FEED)
    ended = run("blog.rss", "-o", "sitemap.xml", "--strict", "--report", "r.json")
    assert ended.code == 1
    warning, summary = ended.err.splitlines()
    assert warning.startswith("blog.rss:2: warning [date-unreadable] ")
    assert summary == "sitemap.xml: 1 URL (from 1 source)"
    assert "<loc>https://a.example/1</loc>" in Path("sitemap.xml").read_text()
    assert json.loads(Path("r.json").read_text())["totals"]["urls"] == 1
