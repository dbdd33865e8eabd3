"""Output formats of `check`: each turns findings into text, one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from converter.checks.reports.base import CheckReport
from converter.checks.reports.github import GithubReport
from converter.checks.reports.json_document import JsonDocument
from converter.checks.reports.plain_text import TextReport
from converter.checks.reports.sarif import SarifReport

#: By the values of `--format`.
REPORTS: Final[Mapping[str, type[CheckReport]]] = MappingProxyType(
    {"text": TextReport, "json": JsonDocument, "github": GithubReport, "sarif": SarifReport}
)
