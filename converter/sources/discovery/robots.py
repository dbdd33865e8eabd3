"""The sitemaps that a robots.txt names: https://www.sitemaps.org/protocol.html#submit_robots."""

from __future__ import annotations

from typing import Final

from converter.values import urls
from converter.xml.detect import text_of

#: What a crawler must read at least: https://www.rfc-editor.org/rfc/rfc9309#section-2.5
MAX_BYTES: Final = 500 * 1024


def sitemaps_in_robots(robots: bytes, url: str) -> list[str]:
    """Return the URLs of all `Sitemap` lines in their order, each once.

    The protocol wants absolute URLs; others are resolved against `url`, as search engines do.
    """
    lines = (line.partition(":") for line in text_of(robots).splitlines())
    values = (
        value.partition(" #")[0] for key, _, value in lines if key.strip().lower() == "sitemap"
    )
    found = (urls.resolve(value, url).url for value in values)
    return list(dict.fromkeys(each for each in found if each and urls.is_http(each)))
