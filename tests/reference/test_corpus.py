"""Documents of many projects become sitemaps that others accept and read as we wrote them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # pragma: no cover
    from conftest import Outcome, Reference

Listed = Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="session")
def sitemaps(converted: Mapping[str, Outcome], everything: Path) -> tuple[Path, ...]:
    made = [outcome.sitemap for outcome in converted.values() if outcome.sitemap]
    return (*made, everything)


def test_exactly_the_listed_are_refused(converted: Mapping[str, Outcome], listed: Listed) -> None:
    refused = {name: outcome.exit for name, outcome in converted.items() if outcome.exit}
    expected = {
        name: group["exit"] for group in listed["refused"]["refused"] for name in group["files"]
    }
    assert refused == expected


def test_a_refusal_is_a_sentence_or_two(converted: Mapping[str, Outcome]) -> None:
    for name, outcome in converted.items():
        if outcome.exit:
            assert 2 <= outcome.exit <= 7, (name, outcome.said)
            assert outcome.said
            assert len(outcome.said.splitlines()) <= 2, (name, outcome.said)
            assert len(outcome.said) < 400, (name, outcome.said)
            assert "Traceback" not in outcome.said


def test_every_sitemap_is_valid(sitemaps: tuple[Path, ...], reference: Reference) -> None:
    verdicts = reference.judged("validate_sitemap.py", sitemaps, "--cross-host", fine=(0, 1))
    assert len(verdicts) == len(sitemaps)
    assert [verdict for verdict in verdicts if not verdict["valid"]] == []


def test_other_readers_read_what_was_written(
    sitemaps: tuple[Path, ...], reference: Reference, listed: Listed
) -> None:
    verdicts = reference.judged("read_back.py", sitemaps, "--full", "--brief")
    assert len(verdicts) == len(sitemaps)
    assert {v["file"]: v["unreadable_by"] for v in verdicts if v["unreadable_by"]} == {}
    found = Counter(difference for verdict in verdicts for difference in _differences(verdict))
    expected = Counter(
        (quirk["file"], quirk["page"], quirk["field"]) for quirk in listed["read_back"]["quirk"]
    )
    assert found == expected


def _differences(verdict: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Give each difference as file, page and field: `lastmod`, `video[0].tvshow`."""
    name = Path(verdict["file"]).name.removesuffix(".xml")
    for difference in verdict["differences"]:
        is_video = difference["field"] == "videos"
        fields = difference["values"] if is_video else [difference["field"]]
        for field in fields:
            yield name, difference.get("loc", ""), field
