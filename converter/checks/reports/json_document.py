"""The output format `json`: one document with all findings, written while they are found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from converter.checks.checker import CheckedSource
from converter.checks.reports.base import CheckReport
from converter.checks.rule import Finding
from converter.checks.rules import RULES


class JsonDocument(CheckReport):
    """Findings first, because sources and counts are known last."""

    def begin(self) -> Iterator[str]:
        head = {"generator": "feed2sitemap", "version": self.version, "layout": 1}
        yield f'{json.dumps(head)[:-1]}, "findings": ['

    def add(self, finding: Finding) -> Iterator[str]:
        self.totals.add(finding)
        separator = ",\n" if self.totals.severities.total() > 1 else "\n"
        yield separator + json.dumps(as_dict(finding), ensure_ascii=False)

    def end(self, sources: Sequence[CheckedSource]) -> Iterator[str]:
        listed = [
            {"name": name, "kind": kind, "urls": urls, "bytes": size}
            for name, kind, urls, size in sources
        ]
        counts = {severity.word: n for severity, n in sorted(self.totals.severities.items())}
        tail = {"sources": listed, "counts": {**counts, "rules": dict(self.totals.codes)}}
        yield f"\n], {json.dumps(tail, ensure_ascii=False)[1:]}\n"


def as_dict(finding: Finding) -> dict[str, Any]:
    """Return the keys of a finding; they are public."""
    rule = RULES[finding.code]
    return {
        "code": finding.code,
        "severity": finding.severity.word,
        "source": finding.source,
        "line": finding.line,
        "column": finding.column,
        "path": finding.path,
        "entry": finding.entry,
        "message": finding.message,
        "fix": rule.fix,
        "convert": rule.convert or None,
        "source_rule": rule.source,
    }
