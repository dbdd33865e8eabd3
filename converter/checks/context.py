"""What the rules of one source need: its options, and a place for their findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from converter.checks.elements import Element
from converter.checks.rule import CheckRule, Finding, Place
from converter.values.urls import ParameterRules


@dataclass(slots=True, kw_only=True, eq=False)
class CheckContext:
    """The context of one source."""

    source: str
    """Its name."""
    rules: Mapping[str, CheckRule]
    """The selected rules by code; findings of others are dropped."""
    take: Callable[[Finding], None]
    now: datetime
    published_url: str | None = None
    """The URL where the source is, or will be, published."""
    entry: str | None = None
    """The URL of the page whose elements are checked."""
    parameters: ParameterRules = field(default_factory=ParameterRules)
    """Session ids and tracking parameters."""

    def report(
        self, code: str, message: str, at: Element | Place | None = None, *, path: str | None = None
    ) -> None:
        """Report that a rule is broken.

        Args:
            code: the rule.
            message: what was found and what was expected, without a full stop.
            at: the place; None for the whole source.
            path: the element, as `url/lastmod`.
        """
        rule = self.rules.get(code)
        if rule is None:
            return
        finding = Finding(
            code=code,
            severity=rule.severity,
            message=message,
            source=self.source,
            line=at.line if at else None,
            column=at.column if at else None,
            path=path or None,
            entry=self.entry,
        )
        self.take(finding)
