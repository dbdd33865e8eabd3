"""The page shows what a file of results holds, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import table
from benchmarks.__main__ import program
from benchmarks.results import load, save

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"

PAGE = "Before\n" + "".join(
    f"<!-- {part}: written by `python -m benchmarks table` -->\n<!-- end -->\nBetween\n"
    for part in table.PARTS
)


def test_results_become_tables(golden: Callable[[Path, str | None], None]) -> None:
    golden(HERE / "page.md", table.rendered(PAGE, load(RESULTS)))


def test_writing_again_changes_nothing() -> None:
    results = load(RESULTS)
    once = table.rendered(PAGE, results)
    assert table.rendered(once, results) == once


def test_missing_measurements_are_marked() -> None:
    nothing = replace(load(RESULTS), outcomes=())
    page = table.rendered(PAGE, nothing)
    assert "|" not in page
    assert "Not measured in this run." in page


def test_saved_results_can_be_read(tmp_path: Path) -> None:
    results = load(RESULTS)
    save(results, tmp_path / "results.json")
    assert load(tmp_path / "results.json") == results


def test_the_page_has_every_part_once() -> None:
    page = table.PAGE.read_text("utf-8")
    marks = [f"<!-- {part}: written by `python -m benchmarks table` -->" for part in table.PARTS]
    assert [page.count(mark) for mark in marks] == [1] * len(marks)
    assert page.count("<!-- end -->") == len(marks)


def test_the_command_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    page.write_text(PAGE, "utf-8")
    monkeypatch.setattr(table, "PAGE", page)
    done = CliRunner().invoke(program, ["table", str(RESULTS)])
    assert done.exit_code == 0, done.output
    assert page.read_text("utf-8") == (HERE / "page.md").read_text("utf-8")
