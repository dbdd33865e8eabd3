"""The house rules that no linter knows."""

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
WRITTEN = sorted(
    path
    for folder in ("converter", "docs", "samples", "tests")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".md", ".toml", ".rss", ".mrss", ".atom"}
)

MOST_LINES = 400


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_module_is_short_and_says_what_it_is_for(module: Path) -> None:
    source = module.read_text("utf-8")
    assert source.count("\n") <= MOST_LINES
    assert ast.get_docstring(ast.parse(source))


def test_every_public_name_of_the_package_exists_once_and_in_order() -> None:
    names = converter.__all__
    assert all(earlier < later for earlier, later in pairwise(names))
    assert all(hasattr(converter, name) for name in names)


@pytest.mark.parametrize("word", ["TO" + "DO", "FIX" + "ME", "X" + "XX"])
def test_nothing_is_left_for_later(word: str) -> None:
    found = [_name(path) for path in WRITTEN if re.search(rf"\b{word}\b", path.read_text("utf-8"))]
    assert found == []


# -- issues -----------------------------------------------------------------------------------

ISSUES = (ROOT / "docs" / "issues.md").read_text("utf-8")
SECTION = re.compile(r"^## (\S+)\n\n(Severity: (\w+)\. (?:(?!^## ).*\n?)*)", re.MULTILINE)

#: What a section says of a code that nothing reports yet.
UNUSED = "Not reported by this version."


def _mentions(pattern: str, paths: Iterable[Path]) -> set[str]:
    return {word for path in paths for word in re.findall(pattern, path.read_text("utf-8"))}


def _said_to_be_unused() -> set[str]:
    return {code for code, told, _ in SECTION.findall(ISSUES) if UNUSED in " ".join(told.split())}


def test_issues_are_documented_in_their_order_with_their_severities() -> None:
    found = [(code, severity) for code, _, severity in SECTION.findall(ISSUES)]
    assert found == [(code.value, code.severity.word) for code in Code]


def test_an_issue_is_reported_somewhere_or_its_section_says_that_it_is_not() -> None:
    below = [path for path in MODULES if path.name != "issues.py" and path.parent.name != "cli"]
    used = _mentions(r"\bCode\.([A-Z_]+)\b", below)
    assert _said_to_be_unused() == {code.value for code in Code if code.name not in used}


def test_every_issue_that_is_reported_is_tried() -> None:
    tests = ROOT / "tests"
    programs = [path for path in tests.rglob("*.py") if path != Path(__file__)]
    tried = _mentions(r"\[([a-z-]+)\]", (tests / "cases").glob("*/issues.txt"))
    tried |= _mentions(r"[\"'\[]([a-z-]+)[\"'\]]", programs)
    named = _mentions(r"\bCode\.([A-Z_]+)\b", programs)
    wanted = {code for code in Code if code.value not in _said_to_be_unused()}
    assert {code.value for code in wanted if code not in tried and code.name not in named} == set()
