"""Every sample in every format: what is written stands beside this file, `SAMPLE.FORMAT`.

`pytest --update` writes it; that a sample becomes a good sitemap is tried in tests/test_samples.py.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lxml import etree

import converter
from converter import ConvertOptions
from converter.formats import registry
from tests import builders
from tests.builders import NOW, converted
from tests.feedrules import check

HERE = Path(__file__).parent
SAMPLES = sorted(builders.SAMPLES.iterdir())

FORMATS = [name for name, row in registry.FORMATS.items() if row.writer]

#: What a sample is converted with, where it is not nothing.
OPTIONS: dict[str, ConvertOptions] = {
    "news.rss": {"news": "The Harbour Courier"},
    "youtube.atom": {"loc_template": "https://boatyard.example.com/videos/{yt_id}"},
}


def _is_good_feed(written: bytes, entries: int) -> None:
    assert [finding for finding in check(written, now=NOW) if finding.severity == "error"] == []
    root = etree.fromstring(written)
    assert len(root.findall("channel/item") + root.findall("{*}entry")) == entries


def _is_json_feed(written: bytes, entries: int) -> None:
    feed = json.loads(written)
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["title"]
    assert len(feed["items"]) == entries
    for item in feed["items"]:
        assert item["id"]
        assert ("content_html" in item) != ("content_text" in item)
        assert all(it["url"] and it["mime_type"] for it in item.get("attachments", ()))


def _is_sitemap(written: bytes, entries: int) -> None:
    assert len(etree.fromstring(written).findall("{*}url")) == entries


def _is_list(written: bytes, entries: int) -> None:
    lines = written.decode("ascii").splitlines()
    assert len(lines) == entries
    assert all(urlsplit(line).scheme == "https" and urlsplit(line).netloc for line in lines)


GOOD: dict[str, Callable[[bytes, int], None]] = {
    "rss": _is_good_feed,
    "mrss": _is_good_feed,
    "atom": _is_good_feed,
    "jsonfeed": _is_json_feed,
    "sitemap": _is_sitemap,
    "txt": _is_list,
}


def _converted(sample: Path, target: str, **more: bool) -> tuple[bytes, converter.Result]:
    options = OPTIONS.get(sample.name, {}) | {"to": target, "pretty": True}
    written, result, _ = converted(sample, **options, **more)
    return written.encode(), result


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_becomes_each_format(
    sample: Path,
    target: str,
    golden: Callable[[Path, str | None], None],
) -> None:
    written, result = _converted(sample, target)
    assert result.skipped == 0
    GOOD[target](written, result.urls)
    golden(HERE / f"{sample.name}.{target}", written.decode())


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_second_round_trip_changes_nothing(sample: Path, target: str) -> None:
    """The first way supplies what is missing; all further ways through a format change nothing."""
    first, _ = _converted(sample, target)
    second = _again(first, target)
    assert _again(second, target) == second


def _again(written: bytes, target: str) -> bytes:
    read = "rss" if target == "mrss" else target
    again, _, _ = converted(io.BytesIO(written), format=read, to=target, pretty=True)
    return again.encode()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_legacy_tags_keep_more(sample: Path) -> None:
    _, today = _converted(sample, "sitemap")
    _, legacy = _converted(sample, "sitemap", legacy_tags=True)
    assert legacy.lost.keys() <= today.lost.keys()


def test_every_golden_file_has_its_pair() -> None:
    made = {path.name for path in HERE.iterdir() if path.is_file() and path.suffix != ".py"}
    assert made == {f"{sample.name}.{target}" for sample in SAMPLES for target in FORMATS}
