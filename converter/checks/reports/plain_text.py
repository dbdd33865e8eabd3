"""The output format `text`: one line for each finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from converter.checks.checker import CheckedSource
from converter.checks.reports.base import CheckReport
from converter.checks.rule import Finding
from converter.checks.rules import RULES
from converter.issues import printable


class TextReport(CheckReport):
    """Lines such as `sitemap.xml:12:7: error [url-relative] …`; the first of a rule has its fix."""

    def add(self, finding: Finding) -> Iterator[str]:
        self.totals.add(finding)
        number, rule = self.totals.codes[finding.code], RULES[finding.code]
        if number > self.max_per_rule:
            return
        convert = f" (convert: {rule.convert})" if rule.convert else ""
        yield f"{line_of(finding)}{convert}\n"
        if number == 1:
            yield f"    Fix: {rule.fix}\n"

    def end(self, sources: Sequence[CheckedSource]) -> Iterator[str]:
        for code, number in self.totals.codes.items():
            if (more := number - self.max_per_rule) > 0:
                yield f"[{code}] {more:,} more not shown (--max-per-rule)\n"


def line_of(finding: Finding) -> str:
    """Return place, severity, code and message of a finding on one line."""
    place = ":".join(
        str(part)
        for part in (printable(finding.source), finding.line, finding.column)
        if part is not None
    )
    return f"{place}: {finding.severity.word} [{finding.code}] {printable(finding.message)}"
