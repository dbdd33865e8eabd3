"""docs/cli.md lists all options; `pytest --update` writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from converter import options
from converter.cli.click_options import CLICK_OPTIONS
from converter.cli.commands import main_group
from converter.cli.exit_codes import Exit
from converter.options.option_types import Option, options_of
from converter.options.parsing import KEYWORDS, OPTIONS, SECTIONS
from converter.options.typed_dicts import ConvertOptions
from converter.pipeline.transforms.url_template import FIELDS

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BEGIN = "<!-- options: written by `pytest tests/cli --update` -->\n"
END = "<!-- end of options -->"
FIELDS_BEGIN = "<!-- fields: written by `pytest tests/cli --update` -->\n"
FIELDS_END = "<!-- end of fields -->"


def tables() -> Iterator[str]:
    ctx = click.Context(main_group.commands["convert"], info_name="feed2sitemap")
    for title in SECTIONS:
        yield f"\n### {title}\n\n| option | meaning |\n|---|---|\n"
        for option in (it for it in OPTIONS if it.section == title):
            names, meaning = CLICK_OPTIONS[option].get_help_record(ctx) or ("", "")
            code = names.replace(" / ", "/").replace(", ", "`, `").replace("|", r"\|")
            meaning = meaning.replace("<", r"\<")
            yield f"| `{code}` | {meaning} |\n"
    yield "\n"


def fields() -> Iterator[str]:
    yield "\n| field | what it holds |\n|---|---|\n"
    for name, field in FIELDS.items():
        yield f"| `{{{name}}}` | {field.meaning} |\n"
    yield "\n"


@pytest.mark.parametrize(
    ("begin", "made", "end"), [(BEGIN, tables, END), (FIELDS_BEGIN, fields, FIELDS_END)]
)
def test_the_page_lists_every_option(
    pytestconfig: pytest.Config, begin: str, made: Callable[[], Iterator[str]], end: str
) -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(begin)
    _, after = rest.split(end)
    wanted = f"{before}{begin}{''.join(made())}{end}{after}"
    if pytestconfig.getoption("--update") and page != wanted:
        PAGE.write_text(wanted, encoding="utf-8")
    assert page == wanted


def test_the_help_lists_the_fields_of_a_template() -> None:
    meaning = next(option.help for option in OPTIONS if option.name == "loc_template")
    assert meaning.endswith(f" Fields: {', '.join(f'{{{name}}}' for name in FIELDS)}.")


def test_the_page_explains_every_exit_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    explained = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    assert explained == set(Exit)


def test_every_option_has_a_help_and_a_name_of_its_own() -> None:
    assert all(option.help.endswith(".") for option in OPTIONS)
    names = [name for option in OPTIONS for name in (option.long, option.short, option.negative)]
    names = [name for name in names if name]
    assert len(names) == len(set(names))


# -- an option is declared in one place: a field of a class in converter.options --------------

GROUPS = [
    group
    for group in vars(options).values()
    if is_dataclass(group)
    and group not in {options.CheckCommandOptions, options.DiffCommandOptions}
]
DECLARED = [option for group in GROUPS for option in options_of(group)]

#: A value that each type accepts.
VALUES: dict[str | None, Any] = {
    "--expire": 30,
    "--priority": "0.5",
    "DATE": "2026-01-31",
    "FORMAT": "txt",
    "N": 7,
    "PERCENT": "20",
    "REGEX": "/a/",
    "SECONDS": 2.5,
    "SIZE": "10MB",
    "URL": "https://a.example/",
    "ZONE": "Europe/Berlin",
    "'NAME: VALUE'": "Accept: text/xml",
}


def value_of(option: Option) -> Any:
    if not option.type.takes_value:
        return True
    named = VALUES.get(option.long) or VALUES.get(option.type.metavar)
    choices = option.type.completes
    return named or (choices[0] if choices and isinstance(choices, tuple) else "x")


def test_every_declared_option_is_an_option_of_the_command_line() -> None:
    assert {it.long for it in DECLARED if it.section} == {it.long for it in OPTIONS}
    assert {it.keyword for it in DECLARED} >= set(KEYWORDS)
    assert set(ConvertOptions.__annotations__) == set(KEYWORDS)


def test_every_option_is_in_the_help_and_on_the_page(run: Any) -> None:
    shown, page = run("--help").out, PAGE.read_text(encoding="utf-8")
    for option in OPTIONS:
        assert re.search(rf"{option.long}\b", shown)
        assert re.search(rf"^\| .*`?{option.long}\b", page, re.MULTILINE)


@pytest.mark.parametrize(
    "option", [it for it in OPTIONS if it.keyword in KEYWORDS], ids=lambda option: option.long
)
def test_every_option_is_read_from_arguments_variables_and_files(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch, option: Option
) -> None:
    value = value_of(option)
    needed = {"--news": "N", "--sitemap-url": "https://a.example/s.xml"}
    more = [word for pair in needed.items() if pair[0] != option.long for word in pair]

    def given() -> Any:
        assert library.called
        library.called = False
        return option.check((library.options | {"jobs": library.jobs})[option.keyword])

    run("a.rss", *more, option.long, *([str(value)] if option.type.takes_value else []))
    expected = given()
    monkeypatch.setenv(f"FEED2SITEMAP_{option.name.upper()}", str(value))
    run("a.rss", *more)
    assert given() == expected
    monkeypatch.delenv(f"FEED2SITEMAP_{option.name.upper()}")
    Path("feed2sitemap.toml").write_text(f"{option.long[2:]} = {json.dumps(value)}")
    run("a.rss", *more)
    assert given() == expected
