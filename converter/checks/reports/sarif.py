"""The output format `sarif`: SARIF 2.1.0, for code scanning.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final
from urllib.parse import quote

from converter.checks.checker import CheckedSource
from converter.checks.reports.base import CheckReport
from converter.checks.rule import CheckRule, Finding
from converter.checks.rules import RULES
from converter.issues import Severity, printable
from converter.values.urls import is_http

#: GitHub stores no more:
#: https://docs.github.com/en/code-security/reference/code-scanning/sarif-support-for-code-scanning
_MAX_RESULTS: Final = 5000
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


class SarifReport(CheckReport):
    """Keeps the most severe findings, at most `_MAX_RESULTS`, until the end."""

    def __init__(self, version: str, max_per_rule: int) -> None:
        super().__init__(version, max_per_rule)
        self._kept: dict[Severity, list[Finding]] = {severity: [] for severity in _LEVELS}

    def add(self, finding: Finding) -> Iterator[str]:
        self.totals.add(finding)
        kept = self._kept[finding.severity]
        if len(kept) < _MAX_RESULTS:
            kept.append(finding)
        yield from ()

    def end(self, sources: Sequence[CheckedSource]) -> Iterator[str]:
        results = [finding for severity in _LEVELS for finding in self._kept[severity]]
        results = results[:_MAX_RESULTS]
        codes = list(dict.fromkeys(finding.code for finding in results))
        driver = {
            "name": "feed2sitemap",
            "version": self.version,
            "rules": [_rule(RULES[code]) for code in codes],
        }
        run: dict[str, Any] = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": [_result(finding, codes.index(finding.code)) for finding in results],
            "invocations": [self._invocation(len(results))],
        }
        document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
        yield json.dumps(document, ensure_ascii=False, indent=1) + "\n"

    def _invocation(self, shown: int) -> Mapping[str, Any]:
        """Return the success of the run, with a note if findings were left out."""
        invocation: dict[str, Any] = {"executionSuccessful": True}
        if (more := self.totals.severities.total() - shown) > 0:
            text = f"{more:,} less severe findings are left out; {_MAX_RESULTS:,} are the maximum"
            note = {"level": "warning", "message": {"text": text}}
            invocation["toolExecutionNotifications"] = [note]
        return invocation


def _rule(rule: CheckRule) -> Mapping[str, Any]:
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"{rule.why} {rule.fix}"},
        "helpUri": rule.source,
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(finding: Finding, index: int) -> Mapping[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    location: dict[str, Any] = {"artifactLocation": _artifact(finding.source)}
    if finding.line:
        location["region"] = {name: value for name, value in region.items() if value}
    return {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": printable(finding.message)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"element/v1": _fingerprint(finding)},
    }


def _artifact(source: str) -> Mapping[str, str]:
    if is_http(source):
        return {"uri": quote(source, safe="/:?#[]@!$&'()*+,;=%-._~")}
    uri = quote("stdin" if source == "-" else source)
    return {"uri": uri} if source.startswith("/") else {"uri": uri, "uriBaseId": "%SRCROOT%"}


def _fingerprint(finding: Finding) -> str:
    """Return a digest that stays if entries before the finding are added or removed."""
    parts = "\0".join((finding.code, finding.path or "", finding.entry or ""))
    return blake2b(parts.encode(errors="surrogatepass"), digest_size=16).hexdigest()
