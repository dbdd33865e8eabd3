"""docs/rules has one page for each rule, made from its texts and its case."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter.checks.rule import CheckRule
from converter.checks.rules import RULES
from tests.checks.rule_cases import FOLDER
from tests.conftest import Golden

PAGES = Path(__file__).parents[2] / "docs" / "rules"

#: What a conversion of the file does with the fault.
CONVERT = {
    "repaired": "repairs it in its output",
    "dropped": "leaves it out of its output, and reports an issue",
    "kept": "writes it as it is",
}

#: Larger examples do not fit on a page.
MAX_CHARS = 900


def _engines(rule: CheckRule) -> str:
    names = " and ".join(sorted(rule.profiles)).title()
    return f" A rule of {names}." if rule.profiles else ""


def _example(code: str, which: str) -> str | None:
    """Return the text of a small case in one file."""
    found = [path for path in (FOLDER / code).glob(f"{which}.*") if path.suffix != ".gz"]
    text = found[0].read_bytes().decode("utf-8", "replace") if found else ""
    if not text or len(text) > MAX_CHARS or not text.replace("\n", "").isprintable():
        return None
    return f"```\n{text.rstrip()}\n```"


def _page(rule: CheckRule) -> str:
    lines = [f"# {rule.code}", "", f"{rule.title[0].upper()}{rule.title[1:]}.", ""]
    when = "Checked by default" if rule.is_default else f"Checked with `--select {rule.code}`"
    lines += [f"Severity: {rule.severity.word}.{_engines(rule)} {when}.", ""]
    lines += [f"**Why it matters:** {rule.why}", "", f"**Fix:** {rule.fix}", ""]
    if rule.convert:
        lines += [f"**`feed2sitemap convert`** {CONVERT[rule.convert]}.", ""]
    lines += [f"**Source:** <{rule.source}>"]
    for title, which in (("Wrong", "bad"), ("Right", "good")):
        if (example := _example(rule.code, which)) is not None:
            lines += ["", f"{title}:", "", example]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: str(rule.code))
def test_the_page_of_a_rule_is_current(rule: CheckRule, golden: Golden) -> None:
    golden(PAGES / f"{rule.code}.md", _page(rule))


def test_the_index_lists_all_rules(golden: Golden) -> None:
    lines = [
        "# Rules of `feed2sitemap check`",
        "",
        "See [checking.md](../checking.md) for the command.",
    ]
    families: dict[str, list[CheckRule]] = {}
    for rule in RULES.values():
        families.setdefault(rule.family, []).append(rule)
    for family, rules in families.items():
        lines += [
            "",
            f"## {family}",
            "",
            "| rule | severity | default | what is found |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| [{rule.code}]({rule.code}.md) | {rule.severity.word} |"
            f" {'yes' if rule.is_default else 'no'} | {rule.title} |"
            for rule in rules
        ]
    golden(PAGES / "README.md", "\n".join(lines) + "\n")


def test_there_is_no_page_without_a_rule() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} - {"README"} == set(RULES)
