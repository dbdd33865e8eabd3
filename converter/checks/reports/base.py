"""The interface of the output formats, and the totals that all of them show."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from converter.checks.checker import CheckedSource
from converter.checks.rule import Finding
from converter.issues import Severity


@dataclass(slots=True)
class Totals:
    """The numbers of a run."""

    severities: Counter[Severity] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)

    def add(self, finding: Finding) -> None:
        """Count a finding."""
        self.severities[finding.severity] += 1
        self.codes[finding.code] += 1

    def sentence(self, sources: Sequence[CheckedSource]) -> str:
        """Return the summary, as `1 error, 3 warnings in 2 sources (20 URLs)`."""
        found = ", ".join(
            f"{number:,} {severity.word}{'s' * (number != 1)}"
            for severity in sorted(self.severities, reverse=True)
            if (number := self.severities[severity])
        )
        count, urls = len(sources), sum(source.urls for source in sources)
        where = f"{count:,} source{'s' * (count != 1)} ({urls:,} URL{'s' * (urls != 1)})"
        return f"{found or 'nothing found'} in {where}"


class CheckReport(ABC):
    """Turns findings into the text of a report; constant memory, unless stated."""

    def __init__(self, version: str, max_per_rule: int) -> None:
        self.totals = Totals()
        self.version = version
        """Of this program."""
        self.max_per_rule = max_per_rule
        """Findings of one rule that formats for people show."""

    def begin(self) -> Iterator[str]:
        """Yield what precedes the findings."""
        yield from ()

    @abstractmethod
    def add(self, finding: Finding) -> Iterator[str]:
        """Count a finding, and yield its text."""

    @abstractmethod
    def end(self, sources: Sequence[CheckedSource]) -> Iterator[str]:
        """Yield what follows the findings."""
