from __future__ import annotations

from pathlib import Path

import pytest

from converter.checks.rule import CheckRule
from converter.checks.rules import RULES
from tests.checks.rule_cases import FOLDER, RuleCase, places


def test_every_rule_has_a_case() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(RULES)


@pytest.mark.parametrize("code", RULES)
def test_the_bad_document_breaks_the_rule_at_its_place(
    code: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    case = RuleCase(code)
    found = places(case.run("bad", tmp_path).findings)
    where = case.folder / "where.txt"
    if request.config.getoption("--update") and found:
        where.write_text(found, "utf-8")
    assert found
    assert where.read_text("utf-8") == found


@pytest.mark.parametrize("code", RULES)
def test_the_good_document_does_not(code: str, tmp_path: Path) -> None:
    assert RuleCase(code).run("good", tmp_path).findings == []


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: str(rule.code))
def test_a_rule_has_complete_sentences_and_a_source(rule: CheckRule) -> None:
    assert rule.source.startswith("https://")
    assert rule.why.endswith(".")
    assert rule.fix.endswith(".")
    assert not rule.title.endswith(".")
    assert rule.title[0].islower()
