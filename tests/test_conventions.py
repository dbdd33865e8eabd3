"""Conventions of the project that no linter checks: sizes, names, phrases, issues."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

import converter
from converter.issues import Code

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "converter").rglob("*.py"))
TEXT_FILES = sorted(
    path
    for folder in ("converter", "docs", "samples", "tests")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".md", ".toml", ".rss", ".mrss", ".atom"}
)

MAX_LINES = 400


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_module_is_short_and_has_a_docstring(module: Path) -> None:
    source = module.read_text("utf-8")
    assert source.count("\n") <= MAX_LINES
    assert ast.get_docstring(ast.parse(source))


def test_every_public_name_of_the_package_exists_once_and_in_order() -> None:
    names = converter.__all__
    assert all(earlier < later for earlier, later in pairwise(names))
    assert all(hasattr(converter, name) for name in names)


@pytest.mark.parametrize("word", ["TO" + "DO", "FIX" + "ME", "X" + "XX"])
def test_no_work_is_left_for_later(word: str) -> None:
    pattern = re.compile(rf"\b{word}\b")
    assert [_name(path) for path in TEXT_FILES if pattern.search(path.read_text("utf-8"))] == []


# -- issues -----------------------------------------------------------------------------------

ISSUES = (ROOT / "docs" / "issues.md").read_text("utf-8")
SECTION = re.compile(r"^## (\S+)\n\n(Severity: (\w+)\. (?:(?!^## ).*\n?)*)", re.MULTILINE)


def _matches(pattern: str, paths: Iterable[Path]) -> set[str]:
    return {word for path in paths for word in re.findall(pattern, path.read_text("utf-8"))}


def test_issues_are_documented_in_their_order_with_their_severities() -> None:
    found = [(code, severity) for code, _, severity in SECTION.findall(ISSUES)]
    assert found == [(code.value, code.severity.word) for code in Code]


@pytest.mark.parametrize(("code", "text"), [match[:2] for match in SECTION.findall(ISSUES)])
def test_the_section_of_an_issue_has_an_example_and_a_fix(code: str, text: str) -> None:
    assert re.search(r"^Example: ", text, re.MULTILINE), code
    assert re.search(r"^\*\*Fix:\*\* ", text, re.MULTILINE), code


def test_every_issue_is_reported_by_the_library() -> None:
    below = [path for path in MODULES if path.name != "issues.py" and path.parent.name != "cli"]
    used = _matches(r"\bCode\.([A-Z_]+)\b", below)
    assert {code.name for code in Code} - used == set()


def test_every_issue_is_tested() -> None:
    tests = ROOT / "tests"
    programs = [path for path in tests.rglob("*.py") if path != Path(__file__)]
    values = _matches(r"\[([a-z-]+)\]", (tests / "cases").glob("*/issues.txt"))
    values |= _matches(r"[\"'\[]([a-z-]+)[\"'\]]", programs)
    names = _matches(r"\bCode\.([A-Z_]+)\b", programs)
    assert {code.value for code in Code if code not in values and code.name not in names} == set()
