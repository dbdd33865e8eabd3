"""Conventions of the project that no linter checks: sizes, names, phrases, issues."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import converter
from converter.cli import main
from converter.issues import Code

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "converter").rglob("*.py"))
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
TEXT_FILES = sorted(
    path
    for folder in ("benchmarks", "converter", "docs", "samples", "tests")
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


# -- names ------------------------------------------------------------------------------------

#: Private metaphors of earlier versions: not even a part of the name of a module or class.
BANNED_WORDS = set(
    """
    beside brief bundle captions caster castings clicked collector crew door edge errand fate
    foundry gaps grammar handwriting homeless intact landing leaves ledger living marks matrix
    meant mould moulds outcome passes press recall renewal rung said school scout seams sheet shelf
    shortcut sieve standing stencil supply tally tell teller told union vocab
    """.split()  # noqa: SIM905
)

#: Short English words that are no name by themselves; `lazy_regex` is one.
BANNED_NAMES = set(
    """
    clip common heading held helpers history joined keys kept keywords late lazy look means
    member misc passing pieces plain run setting take utils ways window
    """.split()  # noqa: SIM905
)


def _words(name: str) -> list[str]:
    """Split `snake_case` and `CamelCase`."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)


def _is_banned(name: str) -> bool:
    words = [word.lower() for word in _words(name)]
    return "_".join(words) in BANNED_NAMES or not BANNED_WORDS.isdisjoint(words)


def _class_names() -> list[str]:
    """The names of all classes, also of private and nested ones."""
    return [
        node.name.lstrip("_")
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]


def test_no_class_name_is_used_twice() -> None:
    assert {name for name, count in Counter(_class_names()).items() if count > 1} == set()


def test_modules_and_classes_have_the_names_of_the_field() -> None:
    paths = [path.relative_to(ROOT).with_suffix("") for path in MODULES]
    names = {*_class_names(), *(part for path in paths for part in path.parts)}
    assert {name for name in names if _is_banned(name)} == set()


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


# -- phrases ----------------------------------------------------------------------------------

#: Regular expressions, without regard to case, for phrases that plain technical English avoids.
BANNED_PHRASES = (
    r"what (?:stands|stood|lies|is) there",
    r"st(?:ands|ood|and) there",
    r"still stands?",
    r"the old \w+ stands",
    r"whoever",
    r"nobody",
    r"(?:of|as) what there is",
    r"(?:as|where) there is none",
    r"None: there is",
    r"it is none",
    r"may be none",
    r"(?:which|that) none may",
    r"(?:is|are|was|were) told(?! apart)",
    r"mend(?:s|ed|ing)?",
    r"say of",
    r"as often as one likes",
    r"(?:first|second|one|another|whole) walk",
    r"rungs?",
    r"struck|strikes",
    r"heed(?:s|ed)?",
    r"had better",
    r"makes? do",
    r"lets? go",
    r"laid aside",
    r"comes? to nothing",
    r"somebody|anybody",
    r"no more of it",
)

_PHRASE = re.compile(rf"\b(?:{'|'.join(BANNED_PHRASES)})\b", re.IGNORECASE)

PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "benchmarks/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]


def _prose(path: Path) -> str:
    """The text of a file; sentences that are split over lines or string literals are joined."""
    text = path.read_text("utf-8")
    if path.name == "CHANGELOG.md":
        text = text.partition("\n## [0")[0]
    if path.suffix == ".py":
        text = re.sub(r"\n\s*#:? ?", " ", text)
        text = re.sub(r"[\"']\n\s*f?r?[\"']", "", text)
    else:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    return " ".join(text.split())


def _phrases(text: str) -> Iterator[str]:
    for match in _PHRASE.finditer(text):
        yield f"{match[0]}: …{text[max(match.start() - 40, 0) : match.end() + 40]}…"


@pytest.mark.parametrize("path", [*MODULES, *BENCHMARKS, *PAGES], ids=_name)
def test_sentences_are_plain_technical_english(path: Path) -> None:
    assert list(_phrases(_prose(path))) == []


@pytest.mark.parametrize("module", [*MODULES, *BENCHMARKS], ids=_name)
def test_docstrings_do_not_begin_with_give_or_tell(module: Path) -> None:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
    nodes = [it for it in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(it, kinds)]
    first = [(ast.get_docstring(node) or "").partition(" ")[0] for node in nodes]
    assert [word for word in first if word in {"Give", "Gives", "Tell", "Tells"}] == []


@pytest.mark.parametrize("words", [["--help"], ["formats", "--help"]])
def test_the_help_is_plain_technical_english(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    assert list(_phrases(" ".join(capsys.readouterr().out.split()))) == []
