"""Claims about command lines that are read without click: as click would, or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from converter.cli import plain
from converter.cli.command import program, said
from converter.cli.grammar import COMMANDS, OPTIONS
from converter.cli.identity import PROGRAM
from converter.cli.said import Said

#: Tells which of the modules that it is asked about were imported by a run.
DRIVER = """
import sys
from converter.cli import main
asked, words = sys.argv[1].split(), sys.argv[2:]
code = main(words)
print(*(name for name in asked if name in sys.modules))
sys.exit(code)
"""

#: What a feed without media, and a list, can do without.
UNUSED = (
    *("click", "decimal", "email", "http", "ipaddress", "logging", "multiprocessing", "pathlib"),
    *("requests", "socket", "sqlite3", "subprocess", "tempfile", "threading", "urllib", "zoneinfo"),
    *("converter.beside.recall", "converter.cli.command", "converter.edge.children"),
    *(
        "converter.formats.soup",
        "converter.living.store",
        "converter.passes.order",
        "converter.passes.template",
        "converter.values.dates.days",
        "html",
        "converter.values.countries",
        "converter.values.ratings",
    ),
    *("converter.vocab.image", "converter.vocab.lost.feeds", "converter.vocab.media.assemble"),
    *("converter.vocab.media.gather", "converter.vocab.news", "converter.vocab.sheet"),
    *("converter.vocab.supply", "converter.vocab.video", "converter.xml.repair"),
)
RSS = """\
<rss version="2.0"><channel><title>T</title><link>https://a.example/</link>
<item><title>R&amp;D</title><link>https://a.example/1</link><guid>https://a.example/1</guid>
<pubDate>Fri, 20 Nov 2026 08:00:00 +0000</pubDate></item></channel></rss>
"""
ATOM = """\
<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:x:1</id>
<link href="https://a.example/"/><entry><title>1</title><id>urn:x:2</id>
<link href="https://a.example/1"/><updated>2026-11-20T08:00:00Z</updated></entry></feed>
"""
PICTURE = '<link rel="enclosure" type="image/jpeg" href="https://a.example/1.jpg" length="7"/>'
LIST = "https://a.example/1\nhttps://a.example/2\n"

SPELLINGS = [
    spelling
    for option in OPTIONS
    for spelling in (option.long, option.short, option.denial)
    if spelling is not None
]
VALUES = (
    *("a.rss", "-", "x.xml", "", "7", "0", "07", "+7", "-7", "1.5", ".5", "5.", ".", "1e3", "1_0"),
    *("nan", "9" * 15, "9" * 16, "9" * 5000, " 7", "\u0667", "\u00b2", "\ud83d", "http"),
    *("HTTP", "url", "newest", "daily", "Daily", "month", "keep", "a,b", "a=b", "=", "--", "-x"),
    *("https://a.example/?a=b", "true", "no", "rss", *COMMANDS),
)
word = (
    st.sampled_from(SPELLINGS)
    | st.sampled_from(VALUES)
    | st.builds("{}={}".format, st.sampled_from(SPELLINGS), st.sampled_from(VALUES))
    | st.builds("{}{}".format, st.sampled_from(SPELLINGS), st.sampled_from(VALUES))
    | st.sampled_from(("--help", "-h", "--version", "--nonsense", "--outpu", "-z"))
    | st.text(max_size=4)
)
#: Most of those above are refused; of these many can be.
pair = st.sampled_from(OPTIONS).flatmap(
    lambda option: st.tuples(
        st.just(option.long),
        *(
            []
            if option.takes in ("flag", "switch")
            else [st.sampled_from(option.choices or VALUES)]
        ),
    )
)
lines = st.lists(word, max_size=6) | st.lists(pair, max_size=6).map(
    lambda pairs: [word for pair in pairs for word in pair]
)


def clicked(words: list[str]) -> Said:
    """What click makes of the words; it raises where it refuses them, or answers at once."""
    return said(program.commands["convert"].make_context(PROGRAM, list(words)))


def told(said: Said) -> tuple[Any, ...]:
    """All there is to know of it, with types; and the order of what reaches the library."""
    order = [name for name in said.words if name in said.places and name != "color"]
    return repr(sorted(said.words.items())), sorted(said.places.items()), order, said.note


@pytest.mark.property
@given(lines)
@example(["-q", "a.rss", "--progress", "--no-progress", "-o", "x.xml", "b.rss", "--drop", "c"])
@example(["--timeout", "5.", "--timeout=.5", "--retries", "07", "--drop", "b", "--drop=c=d"])
@example(["--no-images", "--images", "--no-color", "--color", "--scheme", "http", "-o", "-"])
def test_what_is_plain_is_read_as_click_reads_it(words: list[str]) -> None:
    read = plain.read(words)
    assert read is None or told(read) == told(clicked(words))


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_but_the_file_of_options_can_be_plain(option: Any) -> None:
    value = {"whole": "7", "number": "2.5", "choice": (*option.choices, "")[0]}.get(
        option.takes, "a"
    )
    behind = [] if option.takes in ("flag", "switch") else [value]
    spellings = filter(None, (option.long, option.short, option.denial))
    for words in ([spelling, *behind, "a.rss"] for spelling in spellings):
        read = plain.read(words)
        assert (read is None) == (option.name == "config")
        assert read is None or told(read) == told(clicked(words))


@pytest.mark.parametrize(
    "words",
    [
        *(["--help"], ["-h"], ["--version"], ["a.rss", "--help"], ["--", "-a.rss"], ["-qv"]),
        *(["-ox.xml"], ["-o=x.xml"], ["--quiet=yes"], ["--outpu", "x"], ["-o"], ["-o", "-q"]),
        *(["--jobs", "few"], ["--jobs", "9" * 5000], ["--timeout", "nan"], ["--scheme", "ftp"]),
        *([command, "a.rss"] for command in COMMANDS),
    ],
)
def test_the_rest_is_left_to_click(words: list[str]) -> None:
    assert plain.read(words) is None


@pytest.mark.parametrize(
    "name", ["FEED2SITEMAP_JOBS", "FEED2SITEMAP_ANYTHING", "_FEED2SITEMAP_COMPLETE"]
)
def test_so_is_all_where_a_variable_may_speak(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain.read(["a.rss"]) is not None
    monkeypatch.setenv(name, "1")
    assert plain.read(["a.rss"]) is None


@pytest.mark.parametrize("name", ["feed2sitemap.toml", "pyproject.toml"])
def test_so_is_all_where_a_file_may_hold_options(name: str) -> None:
    assert plain.read(["a.rss"]) is not None
    Path(name).symlink_to("nowhere")
    assert plain.read(["a.rss"]) is None


def test_the_words_that_are_commands_are_those_of_click() -> None:
    assert set(program.commands) == set(COMMANDS)


def test_pictures_need_nothing_of_what_videos_do(unmeasured: dict[str, str]) -> None:
    Path("a.atom").write_text(ATOM.replace("</entry>", f"{PICTURE}</entry>"))
    asked = "converter.values.countries converter.vocab.image converter.vocab.video decimal"
    command = [sys.executable, "-c", DRIVER, asked, "a.atom", "-o", "s.xml"]
    ran = subprocess.run(command, capture_output=True, check=True, env=unmeasured, text=True)
    assert ran.stdout == "converter.vocab.image\n"


@pytest.mark.parametrize(
    ("name", "text", "more"),
    [
        ("a.rss", RSS, ()),
        ("a.atom", ATOM, ()),
        ("a.txt", LIST, ("gzip", "lxml", "converter.vocab.media", "inspect")),
    ],
)
def test_a_run_imports_no_more_than_it_needs(
    name: str, text: str, more: tuple[str, ...], unmeasured: dict[str, str]
) -> None:
    Path(name).write_text(text)
    command = [sys.executable, "-c", DRIVER, " ".join((*UNUSED, *more)), name, "-o", "s.xml"]
    for _ in ("into nothing", "over what stood there"):
        ran = subprocess.run(command, capture_output=True, check=True, env=unmeasured, text=True)
        assert ran.stdout == "\n"
        assert ran.stderr.startswith("s.xml: ")
