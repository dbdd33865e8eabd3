"""XML sitemaps (`urlset`) and their indexes: https://www.sitemaps.org/protocol.html."""

from __future__ import annotations

from functools import partial
from typing import Final

from converter.extensions.field_support import field_support
from converter.formats.base import Format, PartLimits, call
from converter.xml import detect

__all__ = ["FORMAT", "MOST_SITEMAPS"]

#: Of one index: https://www.sitemaps.org/protocol.html#index
MOST_SITEMAPS: Final = 50_000

_LIMITS: Final = PartLimits(
    max_entries=50_000,  # https://www.sitemaps.org/protocol.html#index
    max_bytes=52_428_800,  # the same, uncompressed
    max_news=1_000,  # https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
)
_WRITE: Final = f"{__name__}.write"


def _sniff(prefix: bytes) -> bool:
    return detect.root_name(prefix) in {"urlset", "sitemapindex"}


FORMAT: Final = Format(
    name="sitemap",
    title="XML sitemap",
    extensions=(".xml",),
    sniff=_sniff,
    read=partial(call, f"{__name__}.read", "read"),
    writer=partial(call, _WRITE, "SitemapWriter"),
    part_limits=_LIMITS,
    index=partial(call, _WRITE, "index"),
    losses=partial(field_support, "sitemap"),
    needs_loc=True,
    renders_alone=lambda options: options.news_name is None,  # the news writer counts its entries
    entry_end="url",
)
