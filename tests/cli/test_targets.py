"""Harmful or misnamed outputs are refused with a suggestion."""

from __future__ import annotations

import gzip
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

URLS = "https://ex.com/1\nhttps://ex.com/2\n"
RSS = """\
<rss version="2.0"><channel><title>T</title><link>https://ex.com/</link>
<item><title>1</title><link>https://ex.com/1</link></item></channel></rss>
"""


@pytest.fixture(autouse=True)
def _sources() -> None:
    Path("urls.txt").write_text(URLS)
    Path("blog.rss").write_text(RSS)


def contents() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def refused(run: Any, *words: str) -> str:
    before = contents()
    ended = run(*words)
    assert (ended.code, ended.out) == (2, "")
    assert contents() == before
    return str(ended.err)


# -- over a source ----------------------------------------------------------------------------


@pytest.mark.parametrize("output", ["blog.rss", "./blog.rss", "d/../blog.rss", "link", "hard"])
@pytest.mark.parametrize("words", [("blog.rss",), ("urls.txt", "link"), ("urls.txt", "./hard")])
def test_the_output_must_not_be_a_source(run: Any, output: str, words: tuple[str, ...]) -> None:
    Path("d").mkdir()
    Path("link").symlink_to("blog.rss")
    Path("hard").hardlink_to("blog.rss")
    said = refused(run, *words, "-t", "rss", "-o", output)
    assert f'"{output}" is a source' in said
    assert "--update" in said
    assert "--force" in said
    refused(run, *words, "-t", "rss", "-o", str(Path(output).absolute()), "--dry-run")


def test_the_output_must_not_be_a_merged_source(run: Any) -> None:
    assert run("urls.txt", "-o", "s.xml").code == 0
    refused(run, "blog.rss", "--merge", "s.xml", "-o", "s.xml")
    assert run("blog.rss", "--merge", "s.xml", "-o", "s.xml", "--force").code == 0


@pytest.mark.parametrize("words", [("--update",), ("--force",)])
def test_update_and_force_allow_the_output_as_a_source(run: Any, words: tuple[str, ...]) -> None:
    Path("s.xml").write_text("")
    assert run("urls.txt", "-o", "s.xml").code == 0
    assert run("s.xml", "-o", "s.xml", *words).code == 0
    assert b"https://ex.com/2" in Path("s.xml").read_bytes()


def test_the_output_name_is_compared_with_its_gz_suffix(run: Any) -> None:
    Path("s.xml.gz").write_bytes(gzip.compress(RSS.encode()))
    refused(run, "s.xml.gz", "--gzip", "-o", "s.xml")


def test_the_output_must_not_be_a_child_of_a_source_index(run: Any) -> None:
    url = "https://ex.com/set.xml"
    words = ("--limit-urls", "1", "--sitemap-url", url)
    assert run("urls.txt", "-o", "set.xml", *words).code == 0
    refused(run, "set.xml", "-o", "set-2.xml")
    refused(run, "blog.rss", "--merge", "set.xml", "-o", "set-2.xml")


@pytest.mark.parametrize("words", [("--limit-urls", "1"), ("--split-hosts",)])
def test_a_part_of_the_output_must_not_be_a_source(run: Any, words: tuple[str, ...]) -> None:
    for name in ("s-2.xml", "s-ex.com.xml"):
        Path(name).write_text(RSS)
    said = refused(run, "s-2.xml", "s-ex.com.xml", "urls.txt", "-o", "s.xml", *words)
    assert "is a source" in said
    assert run("s-2.xml", "urls.txt", "-o", "s.xml", "--force", *words).code == 0


def test_a_source_is_not_removed_as_a_stale_part(run: Any) -> None:
    words = ("-o", "s.xml", "--sitemap-url", "https://ex.com/s.xml")
    assert run("urls.txt", *words, "--limit-urls", "1").code == 0
    refused(run, "s-2.xml", *words)


@pytest.mark.parametrize(
    ("words", "stdin", "stdout"),
    [
        (["-t", "rss", "-o", "blog.rss"], "blog.rss", None),
        (["blog.rss"], None, "blog.rss"),
        (["blog.rss", "-o", "/dev/stdout"], None, "blog.rss"),
    ],
)
def test_a_redirected_source_is_still_recognised(
    words: list[str], stdin: str | None, stdout: str | None
) -> None:
    reading, appending = Path(stdin or os.devnull), Path(stdout or os.devnull)
    with reading.open("rb") as given, appending.open("ab") as taken:
        command = [sys.executable, "-m", "converter", *words]
        ended = subprocess.run(
            command, stdin=given, stdout=taken, stderr=subprocess.PIPE, check=False
        )
    assert ended.returncode == 2
    assert b"is a source of this run" in ended.stderr
    assert Path("blog.rss").read_text() == RSS


# -- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "output",
    [
        *("out.tsv", "out.csv", "out.html", "d.e/out.HTM.gz", "out.dat", "out.xml.zip"),
        "out.RSS.html.gz",
    ],
)
def test_an_unknown_extension_needs_a_format(run: Any, output: str) -> None:
    assert "use .xml for sitemap, .txt for txt" in refused(run, "urls.txt", "-o", output)


@pytest.mark.parametrize(
    ("to", "output", "right"),
    [
        ("txt", "s.xml", ".txt"),
        ("txt", "s.xml.gz", ".txt"),
        ("rss", "x.txt", ".rss"),
        ("rss", "x.atom", ".rss"),
        ("rss", "x.mrss", ".rss"),
        ("atom", "x.rss", ".atom"),
        ("sitemap", "x.txt", ".xml"),
        ("mrss", "x.json", ".mrss"),
        ("TXT", "x.RSS", ".txt"),
    ],
)
def test_an_extension_must_not_contradict_the_format(
    run: Any, to: str, output: str, right: str
) -> None:
    said = refused(run, "urls.txt", "-t", to, "-o", output)
    assert f"; use {right}" in said
    refused(run, "urls.txt", "-t", to, "-o", output, "--force")


def test_the_extension_of_the_news_file_must_not_contradict_the_format(run: Any) -> None:
    words = ("blog.rss", "-o", "s.xml", "--news", "N", "--news-language", "en", "--news-output")
    for name in ("n.txt", "n.rss", "n.json"):
        said = refused(run, *words, name)
        assert "--news-output n." in said
        assert "; use .xml" in said
        assert " --output" not in said


@pytest.mark.parametrize(
    ("to", "output"),
    [
        *((to, "x.xml") for to in ("rss", "mrss", "atom", "sitemap")),
        ("mrss", "x.rss"),
        ("rss", "x.rdf"),
        ("jsonfeed", "x.json"),
        (None, "x.json.gz"),
        ("txt", "x.csv"),
        ("sitemap", "x.dat"),
        ("txt", "x"),
        (None, "x"),
        (None, "x.gz"),
        (None, "x.XML.GZ"),
    ],
)
def test_matching_format_and_extension_are_accepted(run: Any, to: str | None, output: str) -> None:
    assert run("urls.txt", *(("-t", to) if to else ()), "-o", output).code == 0
    assert Path(output).stat().st_size


@pytest.mark.parametrize(
    ("file", "toml", "words", "said"),
    [
        ("feed2sitemap.toml", 'output = "s.xml"', ["-t", "txt"], "--output"),
        ("feed2sitemap.toml", 'to = "txt"', ["-o", "s.xml"], "--to"),
        ("my.toml", 'output = "s.xml"', ["-t", "txt", "--config", "my.toml"], "--output"),
        ("feed2sitemap.toml", 'to = "gif"', [], "--to"),
        ("feed2sitemap.toml", 'from = "gif"', [], "--from"),
        ("feed2sitemap.toml", 'report = "urls.txt"', [], "--report"),
        ("feed2sitemap.toml", 'report = ""', [], "--report"),
        (
            "pyproject.toml",
            '[tool.feed2sitemap]\noutput = "s.html"',
            [],
            "--output",
        ),
    ],
)
def test_an_error_in_a_configuration_file_names_the_file(
    run: Any, file: str, toml: str, words: list[str], said: str
) -> None:
    Path(file).write_text(toml)
    assert f"({said} was set in {file}" in refused(run, "urls.txt", *words)


@pytest.mark.parametrize(
    ("toml", "to", "is_refused"),
    [
        ('output = "s.xml"', "rss", True),
        ('output = "s.xml"', "sitemap", True),
        ('output = "s"', "atom", True),
        ('output = "f.rss"', "atom", True),
        ('output = "f.xml"\nto = "atom"', "rss", True),
        ('output = "f.xml"\nto = "atom"', "sitemap", True),
        ('output = "-"', "rss", False),
        ('to = "rss"', "atom", False),
    ],
)
def test_format_and_output_from_a_configuration_file_must_match(
    run: Any, toml: str, to: str, is_refused: bool
) -> None:
    Path("feed2sitemap.toml").write_text(toml)
    if is_refused:
        assert "(--output was set in feed2sitemap.toml)" in refused(run, "urls.txt", "-t", to)
    assert run("urls.txt", "-t", to, "-o", "x.xml").code == 0
    assert run("urls.txt", "-t", to, "-o", "-").code == 0
    assert (run("urls.txt", "-t", to).code == 0) != is_refused


def test_an_error_in_a_variable_names_the_variable(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEED2SITEMAP_OUTPUT", "s.xml")
    monkeypatch.setenv("FEED2SITEMAP_SITEMAP_URL", "/s.xml")
    assert "(--sitemap-url was set in FEED2SITEMAP_SITEMAP_URL)" in refused(run, "urls.txt")
    assert "(--output" not in refused(run, "urls.txt", "--sitemap-url", "/s.xml")
    monkeypatch.delenv("FEED2SITEMAP_SITEMAP_URL")
    assert "(--output was set in FEED2SITEMAP_OUTPUT)" in refused(run, "urls.txt", "-t", "atom")
    monkeypatch.setenv("FEED2SITEMAP_TO", "sitemap")
    assert run("urls.txt").code == 0


# -- a terminal -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--gzip"], 2),
        (["--gzip", "-o", "-"], 2),
        (["--gzip", "-o", "/dev/stdout"], 2),
        (["--gzip", "-o", "TERMINAL"], 2),
        (["-o", "link.gz"], 2),
        (["--gzip", "-o", "s.xml"], 0),
        ([], 0),
    ],
)
def test_compressed_data_is_not_for_a_terminal(words: list[str], code: int) -> None:
    main, terminal = pty.openpty()
    try:
        Path("link.gz").symlink_to(os.ttyname(terminal))
        words = [os.ttyname(terminal) if word == "TERMINAL" else word for word in words]
        ended = subprocess.run(
            [sys.executable, "-m", "converter", "urls.txt", *words],
            stdout=terminal,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(terminal)
        os.close(main)
    assert ended.returncode == code
    assert (b"terminal" in ended.stderr) == (code == 2)


# -- standard input ---------------------------------------------------------------------------


@pytest.mark.parametrize("data", ["", " \n", "\x00\x01", "words", "<html/>", "{}"])
def test_standard_input_has_a_name_in_messages(data: str) -> None:
    command = [sys.executable, "-m", "converter"]
    ended = subprocess.run(command, input=data, capture_output=True, text=True, check=False)
    assert ended.returncode == 4
    assert ended.stderr.startswith("feed2sitemap: error: standard input: ")
    assert "-:" not in ended.stderr


def test_a_percentage_may_end_with_a_percent_sign(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("urls.txt", "-o", "s.xml").code == 0
    for percent, code in (("50%", 0), ("49%", 7), ("50 %", 0), ("12.5%", 7)):
        words = ("blog.rss", "-o", "s.xml", "--dry-run")
        assert run(*words, "--fail-if-shrinks", percent).code == code
        Path("feed2sitemap.toml").write_text(f'fail-if-shrinks = "{percent}"')
        assert run(*words).code == code
        Path("feed2sitemap.toml").unlink()
        monkeypatch.setenv("FEED2SITEMAP_FAIL_IF_SHRINKS", percent)
        assert run(*words).code == code
        monkeypatch.delenv("FEED2SITEMAP_FAIL_IF_SHRINKS")


@pytest.mark.parametrize("percent", ["%", "20%%", "x%", "101%", "nan%", "1e1%", "% 20"])
def test_an_invalid_percentage_is_refused(run: Any, percent: str) -> None:
    words = ("urls.txt", "-o", "s.xml")
    assert "--fail-if-shrinks" in refused(run, *words, f"--fail-if-shrinks={percent}")
