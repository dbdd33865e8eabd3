"""docs/cli.md shows the options that there are; `pytest --update` writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from converter.cli.command import program
from converter.cli.exits import Exit
from converter.cli.options import CLICK_SECTIONS
from converter.options.table import OPTIONS
from converter.passes.template import FIELDS

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BEGIN = "<!-- options: written by `pytest tests/cli --update` -->\n"
END = "<!-- end of options -->"
FIELDS_BEGIN = "<!-- fields: written by `pytest tests/cli --update` -->\n"
FIELDS_END = "<!-- end of fields -->"


def tables() -> Iterator[str]:
    ctx = click.Context(program.commands["convert"], info_name="feed2sitemap")
    for title, options in CLICK_SECTIONS:
        yield f"\n### {title}\n\n| option | meaning |\n|---|---|\n"
        for option in options:
            names, meaning = option.get_help_record(ctx) or ("", "")
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
def test_the_page_shows_what_there_is(
    pytestconfig: pytest.Config, begin: str, made: Callable[[], Iterator[str]], end: str
) -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(begin)
    _, after = rest.split(end)
    wanted = f"{before}{begin}{''.join(made())}{end}{after}"
    if pytestconfig.getoption("--update") and page != wanted:
        PAGE.write_text(wanted, encoding="utf-8")
    assert page == wanted


def test_the_help_names_the_fields_of_a_template() -> None:
    meaning = next(option.help for option in OPTIONS if option.name == "loc_template")
    assert meaning.endswith(f" Fields: {', '.join(f'{{{name}}}' for name in FIELDS)}.")


def test_the_page_explains_every_exit_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    explained = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    assert explained == set(Exit)


def test_every_option_says_what_it_is_for() -> None:
    assert all(
        (option.help and option.help.endswith(".")) or "://" in option.help for option in OPTIONS
    )
    names = [name for option in OPTIONS for name in (option.long, option.short, option.denial)]
    names = [name for name in names if name]
    assert len(names) == len(set(names))
