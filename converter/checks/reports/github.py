"""The output format `github`: annotations of a workflow, and the findings as text for its log.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
GitHub shows ten annotations of each kind in a step, so there is one for each rule and file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from converter.checks.checker import CheckedSource
from converter.checks.reports.base import Totals
from converter.checks.reports.plain_text import TextReport
from converter.checks.rule import Finding
from converter.checks.rules import RULES
from converter.issues import Severity, printable

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}

#: Files and rules with annotations of their own; a hostile index names more.
_MAX_ANNOTATIONS: Final = 10_000


class GithubReport(TextReport):
    """Text lines, followed by one annotation for each rule and file."""

    def __init__(self, version: str, max_per_rule: int) -> None:
        super().__init__(version, max_per_rule)
        self._first: dict[tuple[str, str], Finding] = {}
        self._others: dict[tuple[str, str], int] = {}

    def add(self, finding: Finding) -> Iterator[str]:
        key = finding.source, finding.code
        if key in self._first:
            self._others[key] += 1
        elif len(self._first) < _MAX_ANNOTATIONS:
            self._first[key], self._others[key] = finding, 0
        for line in super().add(finding):
            yield line if line.startswith(" ") else f"{_log_line(line)}"

    def end(self, sources: Sequence[CheckedSource]) -> Iterator[str]:
        yield from super().end(sources)
        for key, finding in self._first.items():
            yield _annotation(finding, self._others[key])


def _log_line(line: str) -> str:
    """Return a line that the runner does not take for a command."""
    return f" {line}" if line.startswith(("::", "##[")) else line


def _annotation(finding: Finding, others: int) -> str:
    properties = {
        "file": finding.source,
        "line": finding.line,
        "col": finding.column,
        "title": finding.code,
    }
    listed = ",".join(
        f"{name}={_escaped_property(str(value))}"
        for name, value in properties.items()
        if value is not None
    )
    more = f" ({others:,} more in this file)" if others else ""
    message = f"{printable(finding.message)}{more}. {RULES[finding.code].fix}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{_escaped(message)}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def step_summary(totals: Totals, sources: Sequence[CheckedSource]) -> str:
    """Return the table for the file that `GITHUB_STEP_SUMMARY` names, in Markdown."""
    rows = [
        f"| {RULES[code].severity.word} | `{code}` | {number:,} | {RULES[code].title} |"
        for code, number in totals.codes.most_common()
    ]
    head = ("| severity | rule | findings | what was found |", "|---|---|---:|---|")
    table = "\n".join((*head, *rows)) if rows else ""
    return f"### feed2sitemap check\n\n{totals.sentence(sources)}\n\n{table}\n"
