"""No result depends on `hash()`, which differs from process to process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FEED = """<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
 xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:x="urn:x" xmlns:y="urn:y">
<channel><title>T</title><link>https://ex.com/</link><x:a>1</x:a><y:b>2</y:b>
<item><title>A</title><link>https://ex.com/a?utm_source=1&amp;sid=2</link><guid>1</guid>
<category>one</category><category>two</category><itunes:keywords>c, b, a</itunes:keywords>
<media:content url="https://ex.com/a.mp4" type="video/mp4"><media:restriction type="country"
 relationship="allow">de fr at ch</media:restriction></media:content><x:c/><y:d/></item>
<item><title>A again</title><link>https://ex.com/a</link><guid>1</guid></item>
<item><title>B</title><link>https://other.org/b</link><pubDate>never</pubDate></item>
</channel></rss>
"""


def ran(folder: Path, seed: str, target: str) -> dict[str, bytes]:
    """Convert in a process of its own; return all files that it wrote, and what it said."""
    folder.mkdir()
    (folder / "blog.rss").write_text(FEED)
    words = ["blog.rss", "-t", target, "-o", f"out.{target}", "--report", "report.json", "-v"]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": "1700000000"}
    ended = subprocess.run(
        [sys.executable, "-m", "converter", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return {**files, "said": ended.stdout + ended.stderr}


@pytest.mark.parametrize("target", ["sitemap", "rss", "mrss", "atom", "txt"])
def test_files_issues_and_report_are_the_same_for_every_seed(tmp_path: Path, target: str) -> None:
    first, *others = (ran(tmp_path / seed, seed, target) for seed in ("0", "1", "4711"))
    assert all(other == first for other in others)
