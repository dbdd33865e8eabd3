"""Rules, which say what is checked and why, and findings, which say where a rule is broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from converter.issues import Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

#: Sources of rules.
PROTOCOL: Final = "https://www.sitemaps.org/protocol.html"
GOOGLE: Final = "https://developers.google.com/search/docs"
SITEMAPS: Final = f"{GOOGLE}/crawling-indexing/sitemaps"


class CheckRule(NamedTuple):
    """One rule; the pages of docs/rules are made from these texts."""

    code: str
    severity: Severity
    title: str
    """What is found: half a sentence without a full stop."""
    why: str
    """What happens if it stays."""
    fix: str
    """What to do."""
    source: str
    """The URL of the text that states the rule."""
    convert: Literal["repaired", "dropped", "kept", ""] = ""
    """What a conversion does with it; empty if it cannot occur in one entry."""
    is_default: bool = True
    profiles: frozenset[str] = frozenset()
    """The search engines that have the rule; empty if the protocol or the file format has it."""

    @property
    def family(self) -> str:
        """The first word of the code."""
        return self.code.partition("-")[0]


class Place(NamedTuple):
    """A place in a source, in the decompressed text."""

    line: int | None = None
    column: int | None = None
    """The first code point of a line is 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A place at which a rule is broken."""

    code: str
    severity: Severity
    message: str
    """What was found, and what was expected, without a full stop."""
    source: str
    """The name of the source."""
    line: int | None = None
    column: int | None = None
    path: str | None = None
    """The element, as `url/video:video/video:title`."""
    entry: str | None = None
    """The URL of the page."""
