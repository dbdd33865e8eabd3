"""The sitemaps that a robots.txt names."""

from __future__ import annotations

import pytest

from converter.sources.discovery.feed_finder import sitemaps_in_robots


@pytest.mark.parametrize(
    ("robots", "sitemaps"),
    [
        ("", []),
        ("User-agent: *\nDisallow: /sitemap\n", []),
        ("Sitemap: https://ex.com/s.xml", ["https://ex.com/s.xml"]),
        ("\ufeffsitemap:https://ex.com/s.xml\r\n", ["https://ex.com/s.xml"]),
        (" SITEMAP :\thttps://ex.com/s.xml # news", ["https://ex.com/s.xml"]),
        ("Sitemap: /s.xml\rSitemap: /t.xml", ["https://ex.com/s.xml", "https://ex.com/t.xml"]),
        ("Sitemap: https://ex.com/a\nSitemap: https://ex.com/a", ["https://ex.com/a"]),
        ("Sitemap: https://cdn.ex.net/s.xml", ["https://cdn.ex.net/s.xml"]),
        ("Sitemap:\nSitemap: ftp://ex.com/s.xml\nSitemaps: /x\n# Sitemap: /y", []),
    ],
)
def test_sitemaps_are_named(robots: str, sitemaps: list[str]) -> None:
    assert sitemaps_in_robots(robots.encode(), "https://ex.com/robots.txt") == sitemaps
