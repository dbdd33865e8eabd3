"""Every case in tests/cases: a source, what it proves, and the sitemap and issues that it gives.

A case is a folder:

    case.toml     claim, proves = [ids of docs/mapping.md], options = {keywords of convert()}
    source.*      what is converted; its extension tells the format where the content does not.
                  Several sources are source-1.*, source-2.*, in this order
    urlset.xml    the content of <urlset>, or absent where nothing may be published
    output.*      the whole output in its place, where options name another target (`to`)
    issues.txt    each issue as `line: severity [code] message`, or the error that ended the run

`pytest --update` rewrites urlset.xml and issues.txt from what the converter does, and then fails,
so that an update cannot pass unseen: read the difference before you commit it.
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import ConverterError, Issue

CASES = Path(__file__).parent / "cases"
MAPPING = Path(__file__).parents[1] / "docs" / "mapping.md"

BASE_URL = "https://ex.com/blog/feed.xml"

#: A rule of docs/mapping.md: a table row whose first cell is its id.
RULE = re.compile(r"^\| `(\d\.\d+-[a-z0-9-]+)` \|", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    folder: Path
    proves: tuple[str, ...]
    options: dict[str, Any]

    @property
    def sources(self) -> list[Path]:
        return sorted([*self.folder.glob("source.*"), *self.folder.glob("source-*")])


def _load(folder: Path) -> Case:
    told = tomllib.loads((folder / "case.toml").read_text("utf-8"))
    assert told["claim"], folder
    options = {"base_url": BASE_URL} | told.get("options", {})
    options["base_url"] = options["base_url"] or None  # TOML cannot say None; "" does
    return Case(folder, tuple(told["proves"]), options)


ALL = [_load(toml.parent) for toml in sorted(CASES.glob("*/case.toml"))]


def _converted(case: Case) -> tuple[str | None, str]:
    """Give the content of the urlset, or another output, and the issues; None: there is none."""
    target = io.BytesIO()
    issues: list[Issue] = []
    lines: list[str]
    try:
        converter.convert(case.sources, target, report=issues.append, **case.options)
    except ConverterError as error:
        lines, content = [f"{type(error).__name__}: {_without_folder(str(error), case)}"], None
    else:
        document = target.getvalue().decode()
        lines, content = [], document if "to" in case.options else _content(document)
    told = [
        f"{i.line or ''}: {i.severity.word} [{i.code}] {_without_folder(i.message, case)}"
        for i in issues
    ]
    return content, "\n".join([*told, *lines]) + "\n" if told or lines else ""


def _without_folder(message: str, case: Case) -> str:
    return message.replace(f"{case.folder}/", "")


def _content(document: str) -> str:
    """Give what stands between the tags of urlset."""
    return document.partition("<urlset")[2].partition(">\n")[2].rpartition("</urlset>")[0]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.folder.name)
def test_case(case: Case, golden: Callable[[Path, str | None], None]) -> None:
    content, issues = _converted(case)
    name = f"output.{case.options['to']}" if "to" in case.options else "urlset.xml"
    golden(case.folder / name, content)
    golden(case.folder / "issues.txt", issues or None)


def test_every_section_that_the_code_cites_is_there() -> None:
    sections = set(re.findall(r"^#+ (\d(?:\.\d+)?) ", MAPPING.read_text("utf-8"), re.MULTILINE))
    code = "".join(path.read_text("utf-8") for path in Path(converter.__path__[0]).rglob("*.py"))
    cited = set(re.findall(r"mapping (\d(?:\.\d+)?)\b", code))
    assert "3.1" in cited
    assert cited - sections == set()


def test_every_rule_has_a_case_and_every_case_a_rule() -> None:
    rules = RULE.findall(MAPPING.read_text("utf-8"))
    assert len(rules) == len(set(rules)), "an id stands twice"
    proven = {rule for case in ALL for rule in case.proves}
    assert proven - set(rules) == set(), "cases name rules that are not in docs/mapping.md"
    assert set(rules) - proven == set(), "rules without a case"
