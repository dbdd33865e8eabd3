from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

import converter

SITEMAP = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    b"<url><loc>/a</loc><lastmod>2026-02-01</lastmod></url>\n</urlset>\n"
)


def test_findings_come_one_by_one() -> None:
    findings = converter.check(BytesIO(SITEMAP))
    first = next(findings)
    assert (first.code, first.line, first.column, first.path) == ("url-relative", 2, 6, "url/loc")


def test_rules_are_selected_by_code_or_family() -> None:
    def codes(**options: object) -> list[str]:
        return [it.code for it in converter.check(BytesIO(SITEMAP), **options)]  # type: ignore[arg-type]

    early = datetime(2026, 1, 1, tzinfo=UTC)
    assert codes(select=["date"], now=early) == ["date-future"]
    assert codes(ignore=["url"], now=early) == ["date-future"]
    assert codes(ignore=["url"], select=["url-relative"]) == ["url-relative"]
    assert "document-no-declaration" in codes(select=["all"])
    assert "document-no-declaration" not in codes()


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(converter.OptionError, match="no rule and no family 'urls'"):
        list(converter.check(BytesIO(SITEMAP), select=["urls"]))


def test_a_source_that_cannot_be_read_is_an_error_after_the_findings(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_bytes(SITEMAP)
    findings = converter.check(["missing.xml", path])
    assert next(findings).code == "url-relative"
    with pytest.raises(converter.SourceError, match=r"missing\.xml"):
        list(findings)
