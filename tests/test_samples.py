"""Samples are good documents: each gives the sitemap in tests/samples, without a warning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from converter import ConvertOptions, Severity
from tests.builders import SAMPLES, converted

GOLDEN = Path(__file__).parent / "samples"


#: What a sample is converted with, where it is not nothing.
OPTIONS: dict[str, ConvertOptions] = {
    "news.rss": {"news": "The Harbour Courier"},
    "youtube.atom": {"loc_template": "https://boatyard.example.com/videos/{yt_id}"},
}


@pytest.mark.parametrize("sample", sorted(SAMPLES.iterdir()), ids=lambda path: path.name)
def test_a_sample_gives_its_sitemap_without_a_warning(
    sample: Path, golden: Callable[[Path, str | None], None]
) -> None:
    options = OPTIONS.get(sample.name, {})
    written, result, issues = converted(sample, pretty=True, **options)
    assert [issue for issue in issues if issue.severity >= Severity.WARNING] == []
    assert result.skipped == 0
    golden(GOLDEN / f"{sample.name}.xml", written)


def test_every_golden_file_has_its_sample() -> None:
    made = {path.name.removesuffix(".xml") for path in GOLDEN.iterdir()}
    assert made == {path.name for path in SAMPLES.iterdir()}
