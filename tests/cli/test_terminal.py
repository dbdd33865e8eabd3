"""What is printed: issues, omissions, the summary, colours, the progress bar."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import converter
from converter.cli.output import ProgressBar, issue_line, print_raw, visible
from converter.cli.summary import summary_line
from converter.conversion.result import OutputFile, Result
from converter.errors import SourceError
from converter.issues import Code, Issue
from tests.cli.conftest import output_file, result

WARNING = Issue(code=Code.URL_DUPLICATE, message="again", source="blog.rss", line=118)
INFO = Issue(code=Code.URL_NORMALISED, message="cleaned", source="blog.rss", line=3)
ERROR = Issue(code=Code.URL_UNUSABLE, message="dropped", source="blog.rss")
SUMMARY = "standard output: 0 URLs (from 1 source)\n"


@pytest.mark.parametrize(
    ("issue", "line"),
    [
        (WARNING, "blog.rss:118: warning [url-duplicate] again"),
        (ERROR, "blog.rss: error [url-unusable] dropped"),
        (Issue(code=Code.PARTS_SPLIT, message="in 3"), "feed2sitemap: info [parts-split] in 3"),
        (
            Issue(code=Code.URL_DUPLICATE, message="a\x1b[2Jb\nc", source="x\r.rss"),
            r"x\r.rss: warning [url-duplicate] a\x1b[2Jb\nc",
        ),
    ],
)
def test_an_issue_line_starts_with_file_and_line_number(issue: Issue, line: str) -> None:
    assert issue_line(issue) == line


@pytest.mark.property
@given(st.text())
def test_control_characters_are_escaped(text: str) -> None:
    issue = Issue(code=Code.URL_DUPLICATE, message=text, source=text)
    assert issue_line(issue).isprintable()


def test_long_messages_are_truncated() -> None:
    assert len(visible("x" * 100_000)) < 1000


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((), [WARNING, ERROR]),
        (("-q",), [ERROR]),
        (("-v",), [WARNING, INFO, ERROR]),
    ],
)
def test_verbosity_selects_the_issues_shown(
    run: Any, library: Any, words: Any, shown: list[Issue]
) -> None:
    library.issues = [WARNING, INFO, ERROR]
    lines = "".join(f"{issue_line(issue)}\n" for issue in shown)
    library.outcome = result(output_file("-"))
    ended = run("blog.rss", *words)
    assert ended.out == ""
    assert ended.err == lines + ("" if "-q" in words else SUMMARY)


def test_issues_after_ten_of_a_code_are_only_counted(run: Any, library: Any) -> None:
    library.issues = [WARNING] * 1213 + [ERROR] * 10 + [INFO] * 11
    ended = run("blog.rss")
    assert ended.err.count("warning [url-duplicate]") == 10
    assert ended.err.count("error [url-unusable]") == 10
    assert "… and 1,203 more of [url-duplicate]\n" in ended.err
    assert ended.err.count("more of") == 1


def test_verbose_shows_every_issue(run: Any, library: Any) -> None:
    library.issues = [WARNING] * 30
    ended = run("blog.rss", "-v")
    assert ended.err.count("warning [url-duplicate]") == 30
    assert "more of" not in ended.err


def test_a_failed_run_counts_the_issues_not_shown(run: Any, library: Any) -> None:
    library.issues = [WARNING] * 12
    library.outcome = RuntimeError("boom")
    lines = run("blog.rss").err.splitlines()
    assert lines[10] == "… and 2 more of [url-duplicate]"
    assert lines[11].startswith("feed2sitemap: error: ")


@pytest.mark.parametrize(
    ("words", "issues", "code"),
    [
        (["--strict"], [INFO] * 20, 0),
        (["--strict"], [WARNING], 1),
        (["--strict", "-q"], [ERROR], 1),
        (["--strict", "-q"], [INFO, WARNING, INFO], 1),
        ([], [ERROR, WARNING], 0),
    ],
)
def test_strict_fails_on_warnings(
    run: Any, library: Any, words: Any, issues: Any, code: int
) -> None:
    library.issues = issues
    assert run("a.rss", *words).code == code


def standing(*kept: str, **given: Any) -> Result:
    """A run that found everything as it should be."""
    return replace(result(kept=kept, unchanged=True, **given), files=())


@pytest.mark.parametrize(
    ("given", "dry_run", "line"),
    [
        (
            result(urls=1204, videos=37, images=310, sources=2, skipped=3, lost={"id": 9}),
            False,
            "sitemap.xml: 1,204 URLs, 37 videos, 310 images (from 2 sources)",
        ),
        (
            result(urls=1, videos=1, images=1, news=1, read_apart={"page": 12, "feed": 1}),
            False,
            (
                "sitemap.xml: 1 URL, 1 video, 1 image, 1 news article"
                " (from 1 source, 12 pages, 1 feed)"
            ),
        ),
        (result(output_file("-")), False, "standard output: 0 URLs (from 1 source)"),
        (
            result(
                output_file("s.xml", "index"),
                output_file("s-1.xml"),
                output_file("s-2.xml"),
                urls=60_000,
                removed=("s-3.xml",),
            ),
            False,
            "s.xml: index of 2 files, 60,000 URLs (from 1 source); removed 1 stale file",
        ),
        (
            result(output_file("u-1.txt"), output_file("u-2.txt"), urls=2),
            False,
            "u-1.txt: first of 2 files, 2 URLs (from 1 source)",
        ),
        (result(), True, "sitemap.xml: 0 URLs (from 1 source); dry run: would be created"),
        (
            result(changed=True, removed=("a", "b")),
            True,
            (
                "sitemap.xml: 0 URLs (from 1 source); dry run: would change;"
                " would remove 2 stale files"
            ),
        ),
        (
            result(changed=False),
            True,
            "sitemap.xml: 0 URLs (from 1 source); dry run: would not change",
        ),
        (
            result(urls=20_005, added=5, renewed=5, dropped=0),
            False,
            "sitemap.xml: 20,005 URLs (5 added, 5 changed; from 1 source)",
        ),
        (
            result(urls=3, images=1, added=0, renewed=0, dropped=2, sources=3, unchanged_sources=2),
            False,
            "sitemap.xml: 3 URLs, 1 image (2 removed; from 3 sources, 2 unchanged)",
        ),
        (
            result(urls=3, added=0, renewed=0, dropped=0),
            False,
            "sitemap.xml: 3 URLs (from 1 source)",
        ),
        (
            result(
                output_file("s.xml", "index"),
                output_file("s-2.xml"),
                kept=("s-1.xml", "s-3.xml"),
                urls=9,
                added=1,
            ),
            False,
            "s.xml: index of 3 files, 9 URLs (1 added; from 1 source)",
        ),
        (
            standing("s-1.xml", "s-2.xml", "s.xml", urls=20_005),
            False,
            "s.xml: unchanged, index of 2 files, 20,005 URLs (from 1 source); nothing was written",
        ),
        (
            standing("s.xml", urls=5, skipped=1),
            False,
            "s.xml: unchanged, 5 URLs (from 1 source); nothing was written",
        ),
        (
            standing("s.xml", urls=5, robots=True),
            False,
            "s.xml: unchanged, 5 URLs (from 1 source); robots.txt renewed",
        ),
        (
            standing("s.xml", urls=5, added=0, changed=False, robots=False),
            True,
            "s.xml: unchanged, 5 URLs (from 1 source); dry run: would not change",
        ),
        (
            result(urls=20_005, added=5, renewed=5, dropped=0, changed=True, robots=True),
            True,
            (
                "sitemap.xml: 20,005 URLs (from 1 source); dry run: would add 5, change 5,"
                " remove 0; would renew robots.txt"
            ),
        ),
        (
            result(
                output_file("s.xml"),
                output_file("n.xml", "news-index"),
                output_file("n-1.xml", "news"),
                urls=9,
                news=3,
                robots=True,
            ),
            False,
            "s.xml: 9 URLs (from 1 source); robots.txt renewed; n.xml: 3 news articles",
        ),
        (
            result(
                output_file("u.txt"), output_file("n\n.xml", "news"), urls=9, news=1, removed=("a",)
            ),
            False,
            "u.txt: 9 URLs (from 1 source); removed 1 stale file; n\\n.xml: 1 news article",
        ),
        (
            result(output_file("\x1b[31mred.xml")),
            False,
            "\\x1b[31mred.xml: 0 URLs (from 1 source)",
        ),
    ],
)
def test_the_summary_line(given: Any, dry_run: bool, line: str) -> None:
    assert summary_line(given, dry_run=dry_run) == line


INDEX = output_file("d/s.xml", "index")


@pytest.mark.parametrize(
    ("written", "kept", "told"),
    [
        ((output_file("d/s-3.xml"),), ("d/s-1.xml", "d/s.xml"), "d/s.xml: index of 2 files, "),
        ((INDEX,), ("d/s-1.xml", "d/s-2.xml"), "d/s.xml: index of 2 files, "),
        ((INDEX, output_file("d/s-2.xml")), ("d/s-1.xml",), "d/s.xml: index of 2 files, "),
        ((INDEX, output_file("d/s-1.xml")), (), "d/s.xml: index of 1 file, "),
        ((), ("d/s-1.xml", "d/s.xml"), "d/s.xml: unchanged, index of 1 file, "),
        (
            (output_file("s-2026-11.2.xml"),),
            ("s-2026-11.xml", "s-undated.xml", "s.xml"),
            "s.xml: index of 3 files, ",
        ),
        ((output_file("s-2.xml.gz"),), ("s-1.xml.gz", "s.xml.gz"), "s.xml.gz: index of 2 files, "),
        ((output_file("s-2.xml"),), ("s-1.xml", "s.xml.gz"), "s.xml.gz: index of 2 files, "),
        ((INDEX, output_file("n.xml", "news")), ("d/s-1.xml",), "d/s.xml: index of 1 file, "),
        ((output_file("n.xml", "news"),), ("d/s.xml",), "d/s.xml: unchanged, "),
        ((output_file("u-2.txt"),), ("u-1.txt",), "u-1.txt: first of 2 files, "),
        ((output_file("u-1.txt"),), ("u-2.txt",), "u-1.txt: first of 2 files, "),
        ((output_file("u-10.txt"),), ("u-9.txt",), "u-9.txt: first of 2 files, "),
        ((), ("u-1.txt", "u-2.txt"), "u-1.txt: unchanged, first of 2 files, "),
        ((output_file("s-1.xml"),), (), "s-1.xml: "),
        ((), ("s-1.xml",), "s-1.xml: unchanged, "),
        (
            (output_file("s-a.xml", "index"), output_file("s-a-1.xml"), output_file("s-b.xml")),
            (),
            "s-a.xml: first of 3 files, ",
        ),
    ],
)
def test_the_summary_names_the_file_to_submit(
    written: tuple[OutputFile, ...], kept: tuple[str, ...], told: str
) -> None:
    is_unchanged = not any(file.kind in {"sitemap", "index"} for file in written)
    ended = replace(result(kept=kept, unchanged=is_unchanged), files=written)
    line = summary_line(ended, dry_run=False)
    assert line.startswith(f"{told}0 URLs (from 1 source)")


@pytest.mark.parametrize(
    ("news", "told"),
    [
        (
            "4",
            "s.xml: index of 2 files, 4 URLs (1 added; from 1 source)",
        ),  # in the second, at the same second
        ("4 5", "s.xml: index of 3 files, 5 URLs (2 added; from 1 source)"),
        ("3", "s.xml: unchanged, index of 2 files, 3 URLs"),
    ],
)
def test_the_summary_names_an_unchanged_index(news: str, told: str) -> None:
    options: Any = {"update": True, "limit_urls": 2, "format": "txt"}
    for pages in ("1 2 3", news):
        lines = "".join(f"https://ex.com/{page}\n" for page in pages.split())
        ended = converter.convert(io.BytesIO(lines.encode()), "s.xml", **options)
    assert summary_line(ended, dry_run=False).startswith(told)


def test_notes_about_discovery_precede_the_summary(run: Any, library: Any) -> None:
    library.outcome = result(found=("https://a.example/: a page\x1b; reading its feed",))
    assert run("a.rss", "-o", "sitemap.xml").err == (
        "feed2sitemap: note: https://a.example/: a page\\x1b; reading its feed\n"
        "sitemap.xml: 0 URLs (from 1 source)\n"
    )
    assert run("a.rss", "-o", "sitemap.xml", "-q").err == ""


def test_the_summary_is_on_standard_error(run: Any, library: Any) -> None:
    library.outcome = result(urls=2)
    ended = run("a.rss", "-o", "sitemap.xml", "--report", "r.json", "--dry-run")
    assert ended.out == ""
    assert ended.err == "sitemap.xml: 2 URLs (from 1 source); dry run: would be created\n"


@pytest.mark.parametrize(
    ("words", "variables", "terminal", "coloured"),
    [
        ([], {}, False, False),
        ([], {}, True, True),
        ([], {"TERM": "dumb"}, True, False),
        ([], {"NO_COLOR": "1"}, True, False),
        ([], {"NO_COLOR": ""}, True, True),
        ([], {"FORCE_COLOR": "1"}, False, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        (["--color"], {"NO_COLOR": "1"}, False, True),
        (["--no-color"], {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_the_colour_options(
    run: Any,
    library: Any,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    variables: dict[str, str],
    terminal: bool,
    coloured: bool,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    library.issues = [WARNING]
    first = run("a.rss", *words).err.splitlines()[0]
    styled = "blog.rss:118: \x1b[33mwarning\x1b[0m [url-duplicate] again"
    assert first == (styled if coloured else issue_line(WARNING))


@pytest.mark.parametrize(
    ("words", "terminal", "shown"),
    [
        ([], False, False),
        ([], True, True),
        (["-q"], True, False),
        (["--no-progress"], True, False),
        (["--progress"], False, True),
        (["--progress", "-q"], False, True),
    ],
)
def test_the_progress_bar_needs_a_terminal_or_its_option(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch, words: Any, terminal: bool, shown: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    run("a.rss", *words)
    assert (library.progress is not None) is shown


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def set_clock(*seconds: float) -> None:
        monkeypatch.setattr("converter.cli.output.time.monotonic", iter(seconds).__next__)

    return set_clock


def test_the_bar_starts_after_a_second_and_draws_ten_times_a_second(
    capsys: pytest.CaptureFixture[str], clock: Callable[..., None]
) -> None:
    clock(0, 0.9, 1.0, 1.05, 1.2)
    bar = ProgressBar()
    for done in (1, 2, 3, 4):
        bar(done * 1_000_000, 4_000_000)
    lines = capsys.readouterr().err.split("\r")
    assert lines == [
        "",
        "[############------------]  50%  2.0 of 4.0 MB",
        "[########################] 100%  4.0 of 4.0 MB",
    ]


def test_the_bar_is_erased_before_a_line(
    capsys: pytest.CaptureFixture[str], clock: Callable[..., None]
) -> None:
    clock(0, 2)
    bar = ProgressBar()
    bar.clear()
    assert capsys.readouterr().err == ""
    bar(2_500_000, None)
    bar.clear()
    assert capsys.readouterr().err == "\r2.5 MB read\r           \r"


def test_the_bar_of_a_growing_source_is_bounded(
    capsys: pytest.CaptureFixture[str], clock: Callable[..., None]
) -> None:
    clock(0, 2)
    ProgressBar()(9, 3)
    assert "100%" in capsys.readouterr().err


def test_issues_are_printed_above_the_bar(
    run: Any, library: Any, clock: Callable[..., None]
) -> None:
    clock(*range(0, 500, 5))
    library.act = lambda: library.progress(1_000_000, None)
    assert "\r1.0 MB read\r           \r" in run("a.rss", "--progress").err


def test_a_run_without_standard_error_prints_nothing(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    library.issues = [WARNING]
    monkeypatch.setattr(sys, "stderr", None)
    assert run("a.rss", "-o", str(tmp_path / "x")).code == 0


@pytest.mark.parametrize("words", [("--sort", "x", "--no-color"), ("a.rss", "--no-color")])
def test_errors_are_coloured(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    library.outcome = SourceError("no")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert "\x1b" not in run(*words).err
    assert "\x1b[31merror\x1b[0m" in run("a.rss").err


def test_quiet_overrides_verbose_in_a_file_and_keeps_the_summary(run: Any, library: Any) -> None:
    Path("feed2sitemap.toml").write_text("verbose = true")
    library.issues = [ERROR] * 12
    assert run("a.rss", "-q").err.splitlines()[10:] == ["… and 2 more of [url-unusable]"]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_standard_error_accepts_all_of_unicode(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, encoding=encoding))
    print_raw("… \x1b[31mü\x1b[0m\n")
    assert raw.getvalue() == "… \x1b[31mü\x1b[0m\n".encode()
