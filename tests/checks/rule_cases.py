"""The cases of rules: tests/rules/CODE/{bad,good}.*, where.txt, options.toml."""

from __future__ import annotations

import tomllib
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from converter.checks.checker import CheckedSource, Checker, CheckOptions
from converter.checks.rule import Finding
from converter.checks.rules import PROFILES, selected
from converter.errors import ConverterError
from converter.publish.publisher import temporary_file
from tests.builders import NOW

FOLDER = Path(__file__).parents[1] / "rules"

_URLSET = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">\n'
)
_NEWS = (
    "<news:news><news:publication><news:name>Times</news:name><news:language>en</news:language>"
    "</news:publication><news:publication_date>2026-01-14</news:publication_date>"
    "<news:title>A</news:title></news:news>"
)


@dataclass
class Run:
    """A run of the checker."""

    findings: list[Finding]
    sources: list[CheckedSource]
    errors: list[ConverterError]

    def codes(self) -> list[str]:
        """Return the codes of the findings, each once."""
        return list(dict.fromkeys(finding.code for finding in self.findings))


def check(
    *sources: Any,
    select: tuple[str, ...] = (),
    profiles: tuple[str, ...] = ("google", "bing"),
    sitemap_url: str | None = None,
) -> Run:
    """Check sources with the rules that are selected."""
    findings: list[Finding] = []
    options = CheckOptions(rules=selected(select, (), profiles), now=NOW, sitemap_url=sitemap_url)
    with ExitStack() as closing:
        checker = Checker(options, findings.append, temporary_file, closing)
        for _ in checker.check_each(sources):
            pass
    return Run(findings, checker.sources, checker.errors)


def generated(kind: str, number: int) -> str:
    """Return a large document: of so many entries, or of so many bytes."""
    entry, end = "<url><loc>https://www.example.com/{}</loc>{}</url>\n", "</urlset>\n"
    match kind:
        case "many":
            return _URLSET + "".join(entry.format(n, "") for n in range(number)) + end
        case "large":
            comment = f"<!-- {'x' * 1000} -->\n"
            return _URLSET + entry.format(0, "") + comment * (number // len(comment) + 1) + end
        case "news":
            return _URLSET + "".join(entry.format(n, _NEWS) for n in range(number)) + end
        case "images":
            image = (
                "<image:image><image:loc>https://www.example.com/{}.jpg</image:loc></image:image>\n"
            )
            images = "".join(image.format(n) for n in range(number))
            return _URLSET + entry.format(0, images) + end
        case "index":
            head = _URLSET.replace("urlset", "sitemapindex")
            child = "<sitemap><loc>https://www.example.com/{}.xml</loc></sitemap>\n"
            return head + "".join(map(child.format, range(number))) + "</sitemapindex>\n"
        case _:
            line = "# a comment\n"
            return "User-agent: *\nDisallow:\n" + line * (number // len(line))


@dataclass
class RuleCase:
    """The case of one rule."""

    code: str

    @property
    def folder(self) -> Path:
        return FOLDER / self.code

    @property
    def options(self) -> dict[str, Any]:
        path = self.folder / "options.toml"
        return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}

    def run(self, which: str, work: Path) -> Run:
        """Check the bad or the good document with this rule only."""
        options = self.options
        profiles = tuple(options.get("profiles", PROFILES))
        source = self._source(which, work)
        with pytest.MonkeyPatch.context() as patch:
            for name, most in options.get("limits", {}).items():
                patch.setattr(f"converter.checks.{name}", most)
            return check(
                source,
                select=(self.code,),
                profiles=profiles,
                sitemap_url=options.get("sitemap_url"),
            )

    def _source(self, which: str, work: Path) -> str:
        if which in self.options:
            path = work / ("robots.txt" if self.code.startswith("robots") else "sitemap.xml")
            path.write_text(generated(*self.options[which]), "utf-8")
            return str(path)
        (found,) = self.folder.glob(f"{which}*")
        for name in ("index.xml", "robots.txt"):
            if (found / name).exists():
                return str(found / name)
        return str(found)


def places(findings: list[Finding]) -> str:
    """Return the places of findings, one on each line."""
    return "".join(
        f"{it.line or '-'}:{it.column or '-'} {Path(it.source).name}\n" for it in findings
    )
