"""The public types as a user sees them: checked by mypy --strict, never run."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, assert_type

import converter
from converter import (
    Code,
    ConvertOptions,
    Entry,
    Feed,
    Finding,
    Issue,
    OutputFile,
    Result,
    Severity,
    Video,
)


def reading(path: Path, stream: BinaryIO) -> Iterator[str]:
    """From a path, a name or a stream; with or without a report of one's own."""
    with converter.read(path) as document:
        assert_type(document.entries, Iterator[Entry])
        assert_type(document.feed, Feed)
        assert_type(document.issues, list[Issue])
        assert_type(iter(document), Iterator[Entry])
        for entry in document:
            assert_type(entry.loc, str | None)
            assert_type(entry.videos, tuple[Video, ...])
            moment = entry.updated or entry.published
            yield f"{entry.loc} {moment.instant if moment else None}"
    assert_type(converter.__version__, str)
    converter.read("-", format="txt")
    converter.read("https://example.com/", follow_pages=True, headers=["Accept-Language: en"])
    converter.read(stream, base_url="https://example.com/", report=print)


def converting(stream: BinaryIO) -> tuple[OutputFile, ...]:
    """One source or several; a path, standard output or a stream."""
    issues: list[Issue] = []
    result = converter.convert(["a.rss", Path("b.atom"), stream], "s.xml", report=issues.append)
    assert_type(result, Result)
    assert_type(result.urls, int)
    assert_type(result.changed, bool | None)
    converter.convert("a.rss")
    converter.convert(
        stream, io.BytesIO(), limit_bytes="10MB", fail_if_shrinks="20%", keep_params=["page"]
    )
    options: ConvertOptions = {"news": "The Example Times", "since": "2026-01-01"}
    converter.convert("a.rss", "s.xml.gz", progress=lambda done, total: None, **options)
    if any(issue.severity >= Severity.WARNING and issue.code is Code.DATE_OLD for issue in issues):
        assert_type(issues[0].line, int | None)
    return result.files


def writing(urls: Iterator[str]) -> Result:
    """From anything that makes entries."""
    entries = (Entry(loc=url, title="A page") for url in urls)
    try:
        return converter.write(entries, "s.xml", feed=Feed(title="A site"))
    except converter.DocumentError as error:
        assert_type(error.line, int | None)
        raise
    except converter.ConverterError as error:
        raise SystemExit(str(error)) from error


def checking(stream: BinaryIO) -> Iterator[str]:
    """Findings one by one, with the rules that are selected."""
    findings = converter.check([stream, "sitemap.xml"], select=["url"], ignore={"url-fragment"})
    assert_type(findings, Iterator[Finding])
    for finding in findings:
        assert_type(finding.severity, Severity)
        assert_type(finding.column, int | None)
        yield f"{finding.source}:{finding.line}: [{finding.code}] {finding.message}"
    converter.check("https://example.com/robots.txt", profiles=["google"], timeout=10)
