"""RSS 2.0 with its ancestors, and with the vocabularies that live in it.

https://www.rssboard.org/rss-specification, http://web.resource.org/rss/1.0/spec
"""

from __future__ import annotations

from functools import partial
from typing import BinaryIO, Final

from converter.extensions.field_support import field_support
from converter.formats.base import Document, Format, Writer
from converter.issues import Report
from converter.options import ReadOptions, WriteOptions
from converter.xml import detect

__all__ = ["FORMAT", "MRSS"]

# Reader, writers and losses are imported by a run that needs them.


def _read(stream: BinaryIO, options: ReadOptions, report: Report) -> Document:
    from converter.formats.rss.read import read

    return read(stream, options, report)


def _writer(options: WriteOptions) -> Writer:
    from converter.formats.rss.write import RssWriter

    return RssWriter(options)


def _mrss_writer(options: WriteOptions) -> Writer:
    from converter.formats.rss.write import mrss_writer

    return mrss_writer(options)


FORMAT: Final = Format(
    name="rss",
    title="RSS 2.0, 1.1, 1.0, 0.9x",
    extensions=(".rss", ".rdf"),
    media_types=("application/rss+xml", "application/rdf+xml"),
    sniff=detect.is_rss,
    read=_read,
    writer=_writer,
    order="newest",
    losses=partial(field_support, "rss"),
    entry_end="item",
)

#: Media RSS is a vocabulary inside RSS: the same reader under a second name, a richer writer.
MRSS: Final = Format(
    name="mrss",
    title="RSS 2.0 with Media RSS",
    extensions=(".mrss",),
    read=_read,
    writer=_mrss_writer,
    order="newest",
    losses=partial(field_support, "mrss"),
    entry_end="item",
)
