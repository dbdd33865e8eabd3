"""Options from configuration files and from the environment."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("toml", "options"),
    [
        ("images = false\nvideos = true", {"images": False, "videos": True}),
        ('limit-urls = 5\nlimit_bytes = "1MiB"', {"limit_urls": 5, "limit_bytes": "1MiB"}),
        ("max-bytes = 1000", {"max_bytes": 1000}),
        (
            'include = ["a,b", "c"]\nkeep-param = "x"',
            {"include": ("a,b", "c"), "keep_params": ("x",)},
        ),
        ('from = "atom"\nto = "txt"', {"format": "atom", "to": "txt"}),
        ("priority = 0.8", {"priority": 0.8}),
        (
            "since = 2025-01-31\nuntil = 2025-02-01T10:00:00Z",
            {"since": date(2025, 1, 31), "until": datetime(2025, 2, 1, 10, tzinfo=UTC)},
        ),
        ("gzip = false", {"gzip": False}),
        ("timeout = 30", {"timeout": 30.0}),
        ("timeout = 2.5\nretries = 0", {"timeout": 2.5, "retries": 0}),
        ('fail-if-shrinks = "20%"', {"fail_if_shrinks": "20%"}),
        ("fail-if-shrinks = 10\nmin-urls = 5", {"fail_if_shrinks": 10, "min_urls": 5}),
        (
            'header = ["Accept: text/xml, */*", "X: 1"]',
            {"headers": ("Accept: text/xml, */*", "X: 1")},
        ),
        ('merge = "old.xml"\ndrop = ["/a,b"]', {"merge": ("old.xml",), "drop": ("/a,b",)}),
        (
            'update = true\npart_by = "month"\nexpire = 30',
            {"update": True, "part_by": "month", "expire": 30},
        ),
        ("", {}),
    ],
)
def test_a_configuration_file_sets_defaults(
    run: Any, library: Any, toml: str, options: Any
) -> None:
    Path("feed2sitemap.toml").write_text(toml)
    assert run("a.rss").code == 0
    assert library.options == options


def test_command_line_only_options_can_be_set_in_a_file(run: Any, library: Any) -> None:
    Path("feed2sitemap.toml").write_text('output = "x.xml"\nquiet = true\nreport = "r.json"')
    ended = run("a.rss")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert library.target == "x.xml"
    assert Path("r.json").is_file()


def test_command_line_over_environment_over_file(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("feed2sitemap.toml").write_text('host = "file"\nscheme = "http"\nnews = "file"')
    monkeypatch.setenv("FEED2SITEMAP_HOST", "variable")
    monkeypatch.setenv("FEED2SITEMAP_SCHEME", "https")
    run("a.rss", "--host", "word")
    assert library.options == {"host": "word", "scheme": "https", "news": "file"}


@pytest.mark.parametrize(
    ("name", "value", "options"),
    [
        ("IMAGES", "0", {"images": False}),
        ("VIDEOS", "no", {"videos": False}),
        ("GZIP", "true", {"gzip": True}),
        ("FROM", "rss", {"format": "rss"}),
        ("KEEP_PARAM", "a, b,,c", {"keep_params": ("a", "b", "c")}),
        ("EXCLUDE", "/tag/", {"exclude": ("/tag/",)}),
        ("LIMIT_URLS", "9", {"limit_urls": "9"}),
        ("HOST", "", {}),
        ("HEADER", "Accept: a, b\n\n X: 1 2\r\n", {"headers": ("Accept: a, b", "X: 1 2")}),
        ("HEADER", " \n", {"headers": ()}),
        ("MERGE", "a.xml, https://ex.com/b", {"merge": ("a.xml", "https://ex.com/b")}),
        ("DROP", "/a/,/b", {"drop": ("/a/", "/b")}),
        ("UPDATE", "1", {"update": True}),
        ("FAIL_IF_SHRINKS", "12.5", {"fail_if_shrinks": "12.5"}),
        ("FAIL_IF_SHRINKS", "20 %", {"fail_if_shrinks": "20 %"}),
        ("TIMEOUT", "30", {"timeout": "30"}),
        ("NEWS_EMPTY", "Remove", {"news_empty": "Remove"}),
        ("VERSION", "1", {}),
        ("HELP", "1", {}),
    ],
)
def test_environment_variables_set_options(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: str, options: Any
) -> None:
    monkeypatch.setenv(f"FEED2SITEMAP_{name}", value)
    ended = run("a.rss")
    assert (ended.code, ended.out) == (0, "")
    assert library.options == options


def test_the_table_in_pyproject_is_read(run: Any, library: Any) -> None:
    Path("pyproject.toml").write_text(
        '[tool.feed2sitemap]\nhost = "a.example"\n[tool.other]\nx = 1'
    )
    assert run("a.rss").code == 0
    assert library.options == {"host": "a.example"}


@pytest.mark.parametrize("text", ["[project]\nname = 'x'", "tool = 3", ""])
def test_a_pyproject_without_a_table_is_fine(run: Any, library: Any, text: str) -> None:
    Path("pyproject.toml").write_text(text)
    assert run("a.rss").code == 0
    assert library.options == {}


def test_the_own_configuration_file_overrides_pyproject(run: Any, library: Any) -> None:
    Path("pyproject.toml").write_text('[tool.feed2sitemap]\nhost = "pyproject"\ngzip = true')
    Path("feed2sitemap.toml").write_text('host = "own"')
    assert run("a.rss").code == 0
    assert library.options == {"host": "own"}


@pytest.mark.parametrize("text", ["[tool.other]\nx = 1", "no [ toml"])
def test_an_unused_pyproject_may_be_invalid(run: Any, library: Any, text: str) -> None:
    Path("pyproject.toml").write_text(text)
    Path("feed2sitemap.toml").write_text('host = "own"')
    assert run("a.rss").code == 0


def test_a_named_file_replaces_both_default_files(run: Any, library: Any, tmp_path: Path) -> None:
    Path("feed2sitemap.toml").write_text("nonsense = 1")
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "my.toml").write_text('host = "named"')
    (tmp_path / "else" / "pyproject.toml").write_text('[tool.feed2sitemap]\nhost = "tool"')
    assert run("a.rss", "--config", "else/my.toml").code == 0
    assert library.options == {"host": "named"}
    assert run("--config=else/pyproject.toml", "a.rss").code == 0
    assert library.options == {"host": "tool"}


def test_a_variable_can_name_the_configuration_file(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("my.toml").write_text('host = "named"')
    monkeypatch.setenv("FEED2SITEMAP_CONFIG", "my.toml")
    run("a.rss")
    assert library.options == {"host": "named"}


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("limit-url = 5", 'there is no option "limit-url"; did you mean limit-urls?'),
        ("xyzzy = 5", 'there is no option "xyzzy"'),
        ("source = 'a'", 'no option "source"'),
        ("config = 'a'", 'no option "config"'),
        ("help = true", 'no option "help"'),
        ("no-images = true", 'no option "no-images"'),
        ("images = 'no'", '--images: "no" is not true or false'),
        ("images = 0", '--images: "0" is not true or false'),
        ("limit-urls = true", '--limit-urls: "True" is not a whole number'),
        ("limit-bytes = 1.5", '--limit-bytes: "1.5" is not a size'),
        ("host = 5", '--host: "5" is not a text'),
        ("timeout = true", '--timeout: "True" is not a number'),
        ("assume-tz = 5", '--assume-tz: "5" is not a time zone'),
        ("output = 5", '--output: "5" is not a path'),
        ("link = 5", '--link: "5" is not an absolute URL'),
        ("user-agent = 5", '--user-agent: "5" is not one line'),
        ("fail-if-shrinks = [1]", '--fail-if-shrinks: "[1]" is not a percentage'),
        ("expire = 1.5", '--expire: "1.5" is not a whole number'),
        ("update = 'yes'", '--update: "yes" is not true or false'),
        ("part-by = 'day'", "month, year (--part-by was set in feed2sitemap.toml)"),
        ("header = 5", "--header: wanted one line"),
        ("include = [1]", '--include: "1" is not a regular expression'),
        ("[include]\na = 1", "--include: "),
        ("[merge]\na = 1", "--merge: "),
        ("[keep-param]\na = 1", "--keep-param: "),
        ("keep-param = 'a'\nkeep_param = 'b'", 'the option "keep_param" is set twice'),
        ("sort = 'best'", '--sort: "best" is not one of input, url, newest'),
        ("a = 1\nb = ]", "line 2"),
        ("x = " + "1" * 5000, "cannot be read as TOML"),
    ],
)
def test_invalid_configuration_is_refused(run: Any, library: Any, toml: str, said: str) -> None:
    Path("feed2sitemap.toml").write_text(toml)
    ended = run("a.rss")
    assert ended.code == 2
    assert said in ended.err
    assert "internal" not in ended.err
    assert not library.called


def test_a_binary_configuration_file_is_refused(run: Any) -> None:
    Path("feed2sitemap.toml").write_bytes(b"host = '\xff'")
    ended = run("a.rss")
    assert ended.code == 2
    assert "feed2sitemap.toml cannot be read as TOML" in ended.err


def test_the_configuration_must_be_a_table(run: Any) -> None:
    Path("pyproject.toml").write_text("[tool]\nfeed2sitemap = 3")
    ended = run("a.rss")
    assert ended.code == 2
    assert "pyproject.toml [tool.feed2sitemap] is not a table" in ended.err


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_named_configuration_file_must_exist(run: Any, library: Any, name: str) -> None:
    ended = run("a.rss", "--config", name)
    assert ended.code == 2
    assert name in ended.err
    assert not library.called


def test_an_invalid_variable_is_named(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEED2SITEMAP_SORT", "best")
    ended = run("a.rss")
    assert ended.code == 2
    assert "(--sort was set in FEED2SITEMAP_SORT)" in ended.err


def test_help_works_with_a_broken_configuration_file(run: Any) -> None:
    Path("feed2sitemap.toml").write_text("no [ toml")
    assert run("--help").code == 0


@pytest.mark.parametrize(
    ("words", "infos"), [(("-v",), True), ((), False)], ids=["word over file", "file alone"]
)
def test_quiet_and_verbose_override_each_other_by_precedence(
    run: Any, library: Any, words: tuple[str, ...], infos: bool
) -> None:
    Path("feed2sitemap.toml").write_text("quiet = true")
    assert ("URL" in run("a.rss", *words).err) is infos


def test_a_variable_overrides_a_file(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("feed2sitemap.toml").write_text("verbose = true")
    monkeypatch.setenv("FEED2SITEMAP_QUIET", "1")
    assert run("a.rss").err == ""


def test_completion_ignores_a_broken_configuration_file(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("feed2sitemap.toml").write_text("no [ toml")
    monkeypatch.setenv("_FEED2SITEMAP_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "feed2sitemap --gz")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run().out == "plain,--gzip\n"
