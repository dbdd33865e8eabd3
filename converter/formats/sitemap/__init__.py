"""XML sitemaps (`urlset`) and their indexes: https://www.sitemaps.org/protocol.html."""

from __future__ import annotations

from functools import partial
from typing import Final

from converter.extensions.field_support import field_support
from converter.formats.base import Format, PartLimits, import_and_call
from converter.sitemap_limits import MAX_BYTES, MAX_NEWS, MAX_URLS
from converter.xml import detect

__all__ = ["FORMAT"]

_WRITE: Final = f"{__name__}.write"

FORMAT: Final = Format(
    name="sitemap",
    title="XML sitemap",
    extensions=(".xml",),
    sniff=lambda prefix: detect.root_name(prefix) in {"urlset", "sitemapindex"},
    contents=("xml",),
    read=partial(import_and_call, f"{__name__}.read", "read"),
    writer=partial(import_and_call, _WRITE, "SitemapWriter"),
    part_limits=PartLimits(max_entries=MAX_URLS, max_bytes=MAX_BYTES, max_news=MAX_NEWS),
    index=partial(import_and_call, _WRITE, "index"),
    losses=partial(field_support, "sitemap"),
    needs_loc=True,
    renders_alone=lambda options: options.news_name is None,  # the news writer counts its entries
    entry_end="url",
)
