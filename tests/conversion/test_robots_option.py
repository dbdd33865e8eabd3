"""Claims about robots.txt as part of a run."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import converter
from converter import OptionError, RefusedError, Result

URL = "https://ex.com/sitemap.xml"
LINE = f"Sitemap: {URL}\n"

pytestmark = pytest.mark.usefixtures("in_tmp_path")


def convert(text: str = "https://ex.com/1\nhttps://ex.com/2\n", **options: Any) -> Result:
    given = {"robots": "robots.txt", "sitemap_url": URL, **options}
    return converter.convert(io.BytesIO(text.encode()), "sitemap.xml", **given)


def test_the_sitemap_is_named_once_and_then_unchanged() -> None:
    Path("robots.txt").write_bytes(b"User-agent: *\r\nDisallow: /x")
    assert convert().robots is True
    assert Path("robots.txt").read_bytes() == (
        b"User-agent: *\r\nDisallow: /x\r\nSitemap: https://ex.com/sitemap.xml\r\n"
    )
    before = Path("robots.txt").stat()
    assert convert().robots is False
    assert Path("robots.txt").stat() == before


def test_with_several_files_the_index_is_named() -> None:
    convert(limit_urls=1)
    assert Path("robots.txt").read_text() == LINE


def test_the_name_of_a_compressed_sitemap_ends_with_gz() -> None:
    Path("robots.txt").write_text(LINE)
    assert convert(gzip=True).robots is True
    assert Path("robots.txt").read_text() == f"Sitemap: {URL}.gz\n"


def test_a_dry_run_changes_nothing() -> None:
    assert convert(dry_run=True).robots is True
    assert not Path("robots.txt").exists()
    assert converter.convert(io.BytesIO(b"https://ex.com/\n"), "s.xml").robots is None


def test_a_refused_run_changes_nothing() -> None:
    with pytest.raises(RefusedError):
        convert(min_urls=3)
    assert not Path("robots.txt").exists()


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"robots": "sitemap.xml"}, "--robots and --output"),
        ({"robots": "-"}, "no regular file"),
        ({"robots": "n.xml", "news_output": "n.xml", "news": "N"}, "--news-output and --robots"),
    ],
)
def test_it_needs_a_file_of_its_own(given: dict[str, Any], word: str) -> None:
    with pytest.raises(OptionError, match=word):
        convert(**given)
