"""RSS 2.0 with its ancestors, and with the vocabularies that live in it.

https://www.rssboard.org/rss-specification, http://web.resource.org/rss/1.0/spec
"""

from __future__ import annotations

from typing import Final

from converter.formats.rss.read import read
from converter.formats.rss.write import RssWriter, mrss_writer
from converter.seams import Format
from converter.vocab import lost
from converter.xml import prefix

__all__ = ["FORMAT", "MRSS", "RssWriter", "mrss_writer", "read"]

FORMAT: Final = Format(
    name="rss",
    title="RSS 2.0, 1.0, 0.9x",
    extensions=(".rss", ".rdf"),
    media_types=("application/rss+xml", "application/rdf+xml"),
    sniff=prefix.is_rss,
    read=read,
    writer=RssWriter,
    order="newest",
    losses=lost.in_rss,
)

#: Media RSS is a vocabulary inside RSS: the same reader under a second name, a richer writer.
MRSS: Final = Format(
    name="mrss",
    title="RSS 2.0 with Media RSS",
    extensions=(".mrss",),
    read=read,
    writer=mrss_writer,
    order="newest",
    losses=lost.in_mrss,
)
