"""Arguments that are probably mistakes are refused before anything is read or written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from converter.formats.registry import FORMATS
from converter.options.parsing import OPTIONS

VALUED = [option for option in OPTIONS if option.type.takes_value]
PATHS = {option.name for option in VALUED if option.type.completes == "path"}
BOUND = [
    (spelling, option) for option in VALUED for spelling in (option.long, option.short) if spelling
]


def refused(run: Any, library: Any, *words: str) -> str:
    ended = run(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("feed2sitemap: error: ")
    assert not library.called
    assert list(Path().iterdir()) == []
    return str(ended.err)


@pytest.mark.parametrize("value", ["-o", "--pretty", "--nonsense", "-1", "--", "-x=y"])
@pytest.mark.parametrize(("spelling", "option"), BOUND, ids=str)
def test_an_option_is_not_taken_as_the_value_of_another(
    run: Any, library: Any, spelling: str, option: Any, value: str
) -> None:
    said = refused(run, library, "a.rss", spelling, value, "s.xml")
    assert f"{option.long} needs a value" in said
    assert f"{option.long}={value}" in said
    refused(run, library, spelling, value)
    if spelling == option.short:
        refused(run, library, "a.rss", f"{spelling}{value}")
        refused(run, library, "a.rss", f"-qv{spelling[1:]}", value)


@pytest.mark.parametrize(("spelling", "option"), BOUND, ids=str)
def test_a_single_dash_is_a_path_value(run: Any, library: Any, spelling: str, option: Any) -> None:
    said = run("a.rss", spelling, "-").err
    assert ("needs a value" in said) == (option.name not in PATHS)


def test_path_options_take_file_names() -> None:
    assert {"output", "report", "merge", "cache", "config", "news_output", "robots"} == PATHS


@pytest.mark.parametrize(
    ("word", "name", "value"),
    [
        ("--title=-x", "title", "-x"),
        ("--title=--pretty", "title", "--pretty"),
        ("--drop=-b", "drop", ("-b",)),
        ("--title=", "title", ""),
    ],
)
def test_any_value_is_accepted_after_an_equals_sign(
    run: Any, library: Any, word: str, name: str, value: object
) -> None:
    assert run("a.rss", word).code == 0
    assert library.options[name] == value


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (("-o", "-"), "-"),
        (("-o-",), "-"),
        (("--output=-x.xml",), "-x.xml"),
        (("-ofile.xml",), "file.xml"),
        (("-ooutput.xml",), "output.xml"),
        (("-onews.xml",), "news.xml"),
        (("-ourls.xml",), "urls.xml"),
        (("-ofrom.xml",), "from.xml"),
        (("-qoupdate.xml",), "update.xml"),
        (("-qosub/s.xml",), "sub/s.xml"),
    ],
)
def test_short_options_can_be_joined_with_their_value(
    run: Any, library: Any, words: tuple[str, ...], target: str
) -> None:
    assert run("a.rss", *words).code == 0
    assert library.target == target


@pytest.mark.parametrize("letter", ["-f", "-t"])
@pytest.mark.parametrize("name", [*FORMATS, "jsonfeed", "csv"])
def test_a_format_can_follow_its_short_option(
    run: Any, library: Any, letter: str, name: str
) -> None:
    assert run("a.rss", f"{letter}{name}").code == 0
    assert name in library.options.values()


def test_a_number_can_follow_its_short_option(run: Any, library: Any) -> None:
    assert run("a.rss", "-j4").code == 0
    assert library.jobs == "4"


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_a_long_option_with_one_dash_is_refused(run: Any, library: Any, option: Any) -> None:
    for long in filter(None, (option.long, option.negative)):
        for word in (long[1:], f"-{long[2:].replace('-', '_')}"):
            assert f" {long}?" in refused(run, library, "a.rss", word, "x.xml")
            assert f" {long}?" in refused(run, library, "a.rss", f"{word}=x.xml")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("-out", " --output?"),
        ("-ou", " --output?"),
        ("-out.xml", " --output?"),
        ("-output.xml", " --output?"),
        ("-OUT", " --output?"),
        ("-fro", " --from?"),
        ("-tit", " --title?"),
        ("-pret", " --pretty?"),
        ("-no-im", " --no-images?"),
        ("-help", " --help?"),
        ("-version", " --version?"),
    ],
)
def test_an_abbreviated_long_option_is_refused(
    run: Any, library: Any, word: str, meant: str
) -> None:
    assert f"did you mean {meant.strip()}" in refused(run, library, "a.rss", word, "x.xml")


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("-o=x.xml", "--output=x.xml"),
        ("-t=rss", "--to=rss"),
        ("-j=4", "--jobs=4"),
        ("-qo=x.xml", "--output=x.xml"),
    ],
)
def test_a_short_option_with_an_equals_sign_is_refused(
    run: Any, library: Any, word: str, right: str
) -> None:
    assert f"write {right}\n" in refused(run, library, "a.rss", word)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("--ouput", "--output"),
        ("--OUTPUT", "--output"),
        ("--outptu=x", "--output"),
        ("--sitemap_url", "--sitemap-url"),
        ("--no-image", "--no-images"),
        ("--versoin", "--version"),
    ],
)
def test_an_unknown_option_suggests_the_nearest(
    run: Any, library: Any, word: str, meant: str
) -> None:
    assert f"; did you mean {meant}?\n" in refused(run, library, "a.rss", word, "x")


NEVER_EMPTY = ["to", "report", "cache", "news-output", "robots", "config", "loc-template"]


@pytest.mark.parametrize("name", NEVER_EMPTY)
def test_an_empty_value_is_not_a_missing_value(run: Any, library: Any, name: str) -> None:
    assert f"--{name}" in refused(run, library, "a.rss", f"--{name}=")
    assert f"--{name}" in refused(run, library, "a.rss", f"--{name}", "")


def test_an_empty_variable_is_ignored(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NEVER_EMPTY:
        monkeypatch.setenv(f"FEED2SITEMAP_{name.upper().replace('-', '_')}", "")
    assert run("a.rss").code == 0
    assert library.called


@pytest.mark.parametrize("word", ["--xyzzy", "--bogus", "--foo"])
def test_a_dissimilar_option_gets_no_suggestion(run: Any, library: Any, word: str) -> None:
    assert f"there is no option {word}\n" in refused(run, library, word)
    assert "-z" in refused(run, library, "-z")


def test_after_double_dash_all_arguments_are_sources(run: Any, library: Any) -> None:
    Path("-o").touch()
    assert run("--", "-out", "--report", "-o").code == 0
    assert library.sources == ("-out", "--report", "-o")


def test_checks_of_arguments_do_not_apply_to_files_and_variables(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("feed2sitemap.toml").write_text('title = "-x"')
    monkeypatch.setenv("FEED2SITEMAP_AUTHOR", "-y")
    assert run("a.rss").code == 0
    assert library.options == {"title": "-x", "author": "-y"}


# -- the first word ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("help", "--help"),
        ("HELP", "--help"),
        ("version", "--version"),
        ("format", "formats"),
        ("covert", "convert"),
        ("chek", "check"),
        ("update", "--update"),
        ("merge", "--merge"),
        ("to", "--to"),
    ],
)
@pytest.mark.parametrize("rest", [(), ("a.rss",), ("-o", "x.xml")])
def test_a_mistyped_command_is_corrected(
    run: Any, library: Any, word: str, meant: str, rest: tuple[str, ...]
) -> None:
    assert f"did you mean {meant}?\n" in refused(run, library, word, *rest)


@pytest.mark.parametrize("word", ["help", "version", "format"])
def test_an_existing_file_named_like_a_command_is_a_source(
    run: Any, library: Any, word: str
) -> None:
    Path(word).touch()
    assert run(word).code == 0
    assert library.sources == (word,)


@pytest.mark.parametrize("word", ["blog", "help.rss", "./help", "https://ex.com/help"])
def test_other_first_arguments_are_sources(run: Any, library: Any, word: str) -> None:
    assert run(word).code == 0
    assert library.sources == (word,)


@pytest.mark.parametrize("word", ["view", "submit", "spark"])
def test_commands_of_later_versions_are_not_in_the_help(run: Any, word: str) -> None:
    assert f"feed2sitemap {word}" not in run("--help").out
    assert run(word).code == 2
    Path(word).touch()
    assert f"write ./{word}" in run(word).err


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_formats_has_a_help(run: Any, word: str) -> None:
    ended = run("formats", word)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Usage: feed2sitemap formats")


# -- a source that is an output ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["out.xml", "out.RSS", "out.mrss", "a/out.atom.gz", "out"])
def test_a_missing_last_source_suggests_the_output_option(
    run: Any, library: Any, name: str
) -> None:
    ended = run("blog.rss", name)
    assert ended.code == 3
    assert f"did you mean -o {name}?" in ended.err
    assert not library.called


@pytest.mark.parametrize(
    "words",
    [
        ("out.xml",),
        ("blog.rss", "out.xml", "-o", "x.xml"),
        ("blog.rss", "https://ex.com/out.xml"),
        ("blog.rss", "-"),
    ],
)
def test_other_missing_sources_get_no_suggestion(
    run: Any, library: Any, words: tuple[str, ...]
) -> None:
    assert run(*words).code == 0
    Path("out.xml").touch()
    assert run("blog.rss", "out.xml").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--gzip=1",), "Option '--gzip' does not take a value."),
        (("--no-images=x",), "Option '--no-images' does not take a value."),
        (("-o",), "Option '-o' requires an argument."),
        (("--since",), "Option '--since' requires an argument."),
    ],
)
def test_an_option_without_its_value_or_with_one_too_many_is_refused(
    run: Any, library: Any, words: tuple[str, ...], message: str
) -> None:
    assert f"error: {message}\n" in refused(run, library, "a.rss", *words)
