"""`--drop` and `--expire` remove entries on purpose."""

from __future__ import annotations

import io
from typing import Any

import pytest

import converter
from converter import Code, RefusedError
from tests.builders import codes, locs

pytestmark = pytest.mark.usefixtures("in_tmp_path")


def sitemap(dates: dict[str, str | None]) -> io.BytesIO:
    urls = "".join(
        f"<url><loc>https://ex.com/{name}</loc>"
        + (f"<lastmod>{date}</lastmod>" if date else "")
        + "</url>\n"
        for name, date in dates.items()
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return io.BytesIO(f'<urlset xmlns="{space}">\n{urls}</urlset>\n'.encode())


def test_old_entries_are_dropped_and_undated_ones_kept() -> None:
    dates = {"a": "2026-01-10", "b": "2026-01-04", "c": None, "d": "2026-01-05T11:59:59Z"}
    result = converter.convert(sitemap(dates), "s.xml", expire=10)
    assert locs("s.xml", "https://ex.com/") == ["a", "c"]
    assert codes(result.issues) == [Code.ENTRY_EXPIRED] * 2
    assert result.skipped == 2


@pytest.mark.parametrize("order", [1, -1])
def test_a_duplicate_page_has_its_newest_date(order: int) -> None:
    old, new = sitemap({"a": "2020-01-01", "b": "2020-01-01"}), sitemap({"a": "2026-01-14"})
    converter.convert([old, new][::order], "s.xml", expire=10)
    assert locs("s.xml", "https://ex.com/") == ["a"]


def test_drop_applies_to_every_source() -> None:
    sources = [sitemap({"a": None, "draft-1": None}), sitemap({"b": None, "draft-2": "2026-01-01"})]
    result = converter.convert(sources, "s.xml", drop=["/draft-"])
    assert locs("s.xml", "https://ex.com/") == ["a", "b"]
    assert codes(result.issues) == [Code.ENTRY_DROPPED] * 2


@pytest.mark.parametrize("options", [{"drop": ["/1999$"]}, {"expire": 36_525}])
def test_a_large_source_is_filtered_entry_by_entry(options: dict[str, Any]) -> None:
    dates: dict[str, str | None] = dict.fromkeys(map(str, range(20_000)), "2026-01-01")
    dates["1999"] = "1920-01-01"
    converter.convert(sitemap(dates), "s.xml", **options)
    assert len(locs("s.xml", "https://ex.com/")) == 19_999


@pytest.mark.parametrize("options", [{"drop": "/[0-8]$"}, {"expire": 10}])
def test_existing_entries_are_dropped_without_triggering_a_guard(options: dict[str, Any]) -> None:
    stood = {str(n): "2026-01-14" if n == 9 else "2025-01-01" for n in range(10)}
    converter.convert(sitemap(stood), "s.xml")
    fresh = sitemap({"new": "2026-01-15"})
    result = converter.convert(fresh, "s.xml", update=True, fail_if_shrinks=0, **options)
    assert locs("s.xml", "https://ex.com/") == ["9", "new"]
    assert (result.added, result.dropped, result.urls) == (1, 9, 2)


def test_the_guard_refuses_an_output_that_shrinks() -> None:
    converter.convert(sitemap(dict.fromkeys("abcd")), "s.xml")
    with pytest.raises(RefusedError, match=r"2 URLs, the existing one 4 \(−50 %;"):
        converter.convert(sitemap(dict.fromkeys("ab")), "s.xml", fail_if_shrinks=49.9)
    with pytest.raises(RefusedError, match=r"2 URLs, the existing one 4; --min-urls wants 3"):
        converter.convert(sitemap(dict.fromkeys("ab")), "s.xml", min_urls=3, fail_if_shrinks=100)
    assert locs("s.xml", "https://ex.com/") == ["a", "b", "c", "d"]
    converter.convert(sitemap(dict.fromkeys("ab")), "s.xml", fail_if_shrinks=50)
    assert locs("s.xml", "https://ex.com/") == ["a", "b"]
