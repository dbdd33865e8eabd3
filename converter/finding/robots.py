"""The sitemaps of a host: what its robots.txt names, https://www.sitemaps.org/protocol.html#submit_robots."""

from __future__ import annotations

from typing import Final

from converter.values import urls
from converter.xml.prefix import text_of

__all__ = ["MOST_BYTES", "sitemaps_of"]

#: What a crawler must read at least: https://www.rfc-editor.org/rfc/rfc9309#section-2.5
MOST_BYTES: Final = 500 * 1024


def sitemaps_of(robots: bytes, url: str) -> tuple[str, ...]:
    """Give the sitemaps that a robots.txt names, in its order, each once.

    They must be absolute by the rules; one that is not is resolved, as search engines do.
    """
    found: dict[str, None] = {}
    for line in text_of(robots).splitlines():
        word, colon, value = line.partition(":")
        if not colon or word.strip().lower() != "sitemap":
            continue
        location = value.partition(" #")[0].strip()
        sitemap = urls.resolve(location, url).url
        if sitemap and urls.is_http(sitemap):
            found[sitemap] = None
    return tuple(found)
