"""XML sitemaps and their indexes: https://www.sitemaps.org/protocol.html.

`read` and `write` are the two directions of a `urlset`, `indexes` both of a `sitemapindex`.
"""

from __future__ import annotations

from typing import BinaryIO, Final

from converter.formats.sitemap.indexes import IndexDocument, index
from converter.formats.sitemap.read import SitemapDocument
from converter.formats.sitemap.write import LIMITS, SitemapWriter
from converter.issues import Report
from converter.options import ReadOptions
from converter.seams import Document, Format
from converter.vocab import lost
from converter.xml import prefix as look

__all__ = ["FORMAT", "SitemapWriter", "index", "read", "sniff"]

#: Of a document, to tell a sitemap from an index; as much as detection sees.
_PREFIX_BYTES: Final = 64 * 1024


def sniff(prefix: bytes) -> bool:
    """A `urlset` or a `sitemapindex`."""
    return look.is_sitemap(prefix) or look.is_sitemapindex(prefix)


def read(stream: BinaryIO, options: ReadOptions, report: Report) -> Document:
    """Read a sitemap, or list the children of an index; see `seams.Reader`."""
    stream.seek(0)
    is_index = look.is_sitemapindex(stream.read(_PREFIX_BYTES))
    return (IndexDocument if is_index else SitemapDocument)(stream, options, report)


FORMAT: Final = Format(
    name="sitemap",
    title="XML sitemap",
    extensions=(".xml",),
    sniff=sniff,
    read=read,
    writer=SitemapWriter,
    part_limits=LIMITS,
    index=index,
    losses=lost.in_sitemap,
    needs_loc=True,
)
