"""The examples and tables of the README and the docs are correct."""

from __future__ import annotations

import doctest
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from converter.cli import formats_table
from converter.cli.commands import main
from converter.extensions.field_support import COLUMNS, KEPT_BY, loss_rules
from converter.formats.registry import FORMATS
from tests.builders import converted

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = PAGES[0].read_text("utf-8")


#: `[text](target)`; a target with a scheme lies elsewhere.
LINK = re.compile(r"\]\(((?![a-z]+:)[^)#\s]*)(?:#([^)\s]*))?\)")


@pytest.fixture
def beside_samples(in_tmp_path: Path) -> Path:
    """A folder where the examples can be tried."""
    (in_tmp_path / "samples").symlink_to(ROOT / "samples")
    return in_tmp_path


@pytest.mark.usefixtures("beside_samples")
@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_the_examples_in_python_run(page: str) -> None:
    outcome = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_the_first_command_of_the_readme_has_the_documented_output(
    beside_samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = re.search(r"&& \.venv/bin/feed2sitemap (.+)\n", README)
    assert command
    assert main(command[1].split()) == 0
    assert f"```\n{capsys.readouterr().err}```\n" in README
    shown = re.search(r"starts with:\n\n```xml\n(.*?)```", README, re.DOTALL)
    assert shown
    assert (beside_samples / "sitemap.xml").read_text("utf-8").startswith(shown[1])


def test_the_readme_has_the_test_command() -> None:
    assert (
        "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/pytest\n" in README
    )


PAGE_OF_FORMATS = ROOT / "docs" / "formats.md"

#: A part of a page that is written by these tests: its name, and what it holds.
GENERATED = re.compile(
    r"<!-- ([a-z ]+): written by `pytest tests/test_docs.py --update` -->\n(.*?)<!-- end -->",
    re.DOTALL,
)


def _table(rows: Iterable[tuple[str, ...]], *, code: int = 0) -> Iterator[str]:
    """Show rows; their first `code` columns are words of the program."""
    head, *rest = rows
    yield "| " + " | ".join(cell.lower() for cell in head) + " |\n" + "|---" * len(head) + "|\n"
    for row in rest:
        names = (f"`{cell}`" for cell in row[:code])
        yield "| " + " | ".join((*names, *row[code:])) + " |\n"


def _formats() -> Iterator[str]:
    head, *rows = formats_table.formats()
    shown = [head]
    for name, read, written, extensions, title in rows:
        listed = " ".join(f"`{extension}`" for extension in extensions.split())
        shown.append((name, read, written, listed, title))
    return _table(shown, code=1)


def _one_entry() -> Iterator[str]:
    """Show an entry of a sample in every format."""
    sample = ROOT / "samples" / "videos.mrss"
    for name in [name for name, row in FORMATS.items() if row.writer]:
        written, _, _ = converted(sample, to=name, include=["/knives/"], pretty=True)
        entry = re.search(r" *<(item|entry|url)>.*</\1>\n", written, re.DOTALL)
        language, shown = ("xml", entry[0]) if entry else ("text", written)
        yield f"\n`{name}`:\n\n```{language}\n{textwrap.dedent(shown)}```\n"
    yield "\n"


def _partial_support() -> Iterator[tuple[str, ...]]:
    """Yield a header and a row for each rule that alters a field or keeps it in part."""
    yield "FIELD", "FORMATS", "WHAT IS KEPT"
    formats: dict[tuple[str, str], list[str]] = {}
    for column in COLUMNS:
        for rule in loss_rules(column):
            if rule.kept:
                formats.setdefault((rule.name, rule.kept), []).append(column)
    for name in KEPT_BY:
        for (field, kept), columns in formats.items():
            if field == name:
                yield name, ", ".join(columns), kept


PARTS: dict[str, Callable[[], Iterable[str]]] = {
    "formats": _formats,
    "fields": lambda: _table(formats_table.field_support(), code=1),
    "partial support": lambda: _table(_partial_support(), code=1),
    "one entry": _one_entry,
}


def test_the_page_of_formats_is_up_to_date(
    golden: Callable[[Path, str | None], None],
) -> None:
    page = PAGE_OF_FORMATS.read_text("utf-8")
    assert [name for name, _ in GENERATED.findall(page)] == list(PARTS)

    def written(part: re.Match[str]) -> str:
        head = part[0].partition("\n")[0]
        return f"{head}\n\n{''.join(PARTS[part[1]]()).strip()}\n\n<!-- end -->"

    golden(PAGE_OF_FORMATS, GENERATED.sub(written, page))


def test_the_readme_lists_every_format_with_its_directions() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (yes|–) \| (yes|–) \|", README, re.MULTILINE)
    can = {True: "yes", False: "–"}
    rows = FORMATS.values()
    assert listed == [(row.name, can[bool(row.read)], can[bool(row.writer)]) for row in rows]


def _anchors(page: Path) -> Iterator[str]:
    """The anchors of a page's headings, as forges make them."""
    for feed_header in re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", feed_header.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_have_existing_targets(page: Path) -> None:
    for path, anchor in LINK.findall(page.read_text("utf-8")):
        target = (page.parent / path) if path else page
        assert target.exists(), path
        assert not anchor or anchor in _anchors(target), f"{path}#{anchor}"
