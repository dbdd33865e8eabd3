"""JSON Feed 1.1 and 1.0: https://www.jsonfeed.org/version/1.1/."""

from __future__ import annotations

from functools import partial
from typing import BinaryIO, Final

from converter.extensions.field_support import field_support
from converter.formats.base import Document, Format, Writer
from converter.issues import Report
from converter.options import ReadOptions, WriteOptions
from converter.xml import detect

__all__ = ["FORMAT"]

# Reader and writer are imported by a run that needs them.


def _read(stream: BinaryIO, options: ReadOptions, report: Report) -> Document:
    from converter.formats.jsonfeed.read import JsonFeedDocument

    return JsonFeedDocument(stream, options, report)


def _writer(options: WriteOptions) -> Writer:
    from converter.formats.jsonfeed.write import JsonFeedWriter

    return JsonFeedWriter(options)


FORMAT: Final = Format(
    name="jsonfeed",
    title="JSON Feed 1.1, 1.0",
    extensions=(".json",),
    media_types=("application/feed+json",),
    sniff=detect.is_json_feed,
    read=_read,
    writer=_writer,
    separator=b",\n",
    order="newest",
    losses=partial(field_support, "jsonfeed"),
)
