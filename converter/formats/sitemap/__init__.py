"""XML sitemaps and their indexes: https://www.sitemaps.org/protocol.html.

`read` and `write` are the two directions of both a `urlset` and a `sitemapindex`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import BinaryIO, Final

from converter.extensions.field_support import field_support
from converter.formats.base import Document, Format, PartLimits, Writer
from converter.issues import Report
from converter.model import Moment
from converter.options import ReadOptions, WriteOptions
from converter.xml import detect

__all__ = ["FORMAT", "MOST_SITEMAPS"]

#: Of one index: https://www.sitemaps.org/protocol.html#index
MOST_SITEMAPS: Final = 50_000

_LIMITS: Final = PartLimits(
    max_entries=50_000,  # https://www.sitemaps.org/protocol.html#index
    max_bytes=52_428_800,  # the same, uncompressed
    max_news=1_000,  # https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
)

#: Of a document, to tell a sitemap from an index; as much as detection sees.
_PREFIX_BYTES: Final = 64 * 1024


def _sniff(prefix: bytes) -> bool:
    """A `urlset` or a `sitemapindex`."""
    return detect.is_sitemap(prefix) or detect.is_sitemapindex(prefix)


# Reader, writer and losses are imported by a run that needs them.


def _read(stream: BinaryIO, options: ReadOptions, report: Report) -> Document:
    """Read a sitemap, or list the children of an index; see `seams.Reader`."""
    stream.seek(0)
    is_index = detect.is_sitemapindex(stream.read(_PREFIX_BYTES))
    from converter.formats.sitemap.read import IndexDocument, SitemapDocument

    return (IndexDocument if is_index else SitemapDocument)(stream, options, report)


def _writer(options: WriteOptions) -> Writer:
    from converter.formats.sitemap.write import SitemapWriter

    return SitemapWriter(options)


def _index(parts: list[tuple[str, Moment | None]]) -> Iterator[bytes]:
    from converter.formats.sitemap.write import index

    return index(parts)


FORMAT: Final = Format(
    name="sitemap",
    title="XML sitemap",
    extensions=(".xml",),
    sniff=_sniff,
    read=_read,
    writer=_writer,
    part_limits=_LIMITS,
    index=_index,
    losses=partial(field_support, "sitemap"),
    needs_loc=True,
    renders_alone=lambda options: options.news_name is None,  # of news it remembers what it said
    entry_end="url",
)
