"""Claims about counting: what is lost or altered on the way, field by field."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import Issue
from converter.api import OutputFile, Result
from converter.cli.terminal import summary
from converter.issues import Code
from converter.pipeline import Tally

FEED = b"""<rss version="2.0"><channel><title>F</title>
<item><title>A</title><link>https://ex.com/a</link><pubDate>5 Jan 2026 08:00 GMT</pubDate></item>
<item><link>https://ex.com/b</link></item>
</channel></rss>"""


def converted(**options: Any) -> tuple[Result, list[Issue]]:
    issues: list[Issue] = []
    result = converter.convert(io.BytesIO(FEED), io.BytesIO(), report=issues.append, **options)
    return result, issues


def test_fields_are_counted_by_the_entry() -> None:
    result, issues = converted()
    assert (result.lost, result.altered) == ({"title": 1}, {"published": 1})
    assert issues == []


def test_entries_are_named_where_that_is_asked_for() -> None:
    result, issues = converted(tell_losses=True)
    assert (result.lost, result.altered) == ({"title": 1}, {"published": 1})
    assert {(issue.code, issue.path, issue.line, issue.entry) for issue in issues} == {
        (Code.DROPPED_FIELD, "title", 2, "https://ex.com/a"),
        (Code.ALTERED_FIELD, "published", 2, "https://ex.com/a"),
    }
    assert {issue.message for issue in issues} == {
        "title is left out; sitemap keeps only that of news, or of a video that has none",
        "published is not the same in sitemap: merged into lastmod, but for news and videos",
    }


def test_what_a_writer_drops_is_counted_too() -> None:
    entries = [
        converter.Entry(loc="https://ex.com/", authors=(converter.Person(name="A", email="no"),))
    ]
    for tells in (False, True):
        issues: list[Issue] = []
        result = converter.write(
            entries, io.BytesIO(), to="rss", report=issues.append, tell_losses=tells
        )
        assert result.lost == {"author/email": 1}
        assert (Code.DROPPED_FIELD in [issue.code for issue in issues]) == tells


def test_hosts_that_are_split_are_summed(tmp_path: Path) -> None:
    feed = FEED.replace(
        b"https://ex.com/b", b"https://other.example/b</link><title>B</title><link>"
    )
    target = tmp_path / "s.xml"
    result = converter.convert(io.BytesIO(feed), target, split_hosts=True)
    assert result.lost == {"title": 2}


def test_a_hostile_document_cannot_fill_the_memory() -> None:
    tally = Tally()
    for number in range(4000):
        tally.lose(f"x{number % 3000}")
        tally.lose("x", is_altered=True)
    assert len(tally.lost) == 1000
    assert tally.lost["x0"] == 2
    assert tally.altered == {"x": 4000}


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({}, ""),
        ({"lost": {"a": 1}}, "; 1 field not kept (--report for details)"),
        ({"lost": {"a": 9, "b": 1}, "altered": {"c": 3}}, "; 2 fields not kept, 1 altered (…)"),
        ({"altered": {"c": 3}}, "; 1 field altered (…)"),
        ({"altered": {"c": 3}, "skipped": 2}, "; 2 skipped, 1 field altered (…)"),
    ],
)
def test_the_summary_says_how_many_fields(counts: dict[str, Any], told: str) -> None:
    file = OutputFile(path="s.xml", kind="sitemap", urls=1)
    line = summary(Result(urls=1, sources=1, files=(file,), **counts), report=None, dry_run=False)
    assert line == "s.xml: 1 URL from 1 source" + told.replace("…", "--report for details")
