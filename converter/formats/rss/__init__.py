"""RSS 2.0, 1.1, 1.0 and 0.9x, and Media RSS.

https://www.rssboard.org/rss-specification, http://web.resource.org/rss/1.0/spec
"""

from __future__ import annotations

from functools import partial
from typing import Final

from converter.extensions.field_support import field_support
from converter.formats.base import Format, import_and_call
from converter.xml import detect

__all__ = ["FORMAT", "MRSS"]

_READ: Final = partial(import_and_call, f"{__name__}.read", "read")
_WRITE: Final = f"{__name__}.write"

FORMAT: Final = Format(
    name="rss",
    title="RSS 2.0, 1.1, 1.0, 0.9x",
    extensions=(".rss", ".rdf"),
    other_extensions=(".xml",),
    media_types=("application/rss+xml", "application/rdf+xml"),
    sniff=detect.is_rss,
    read=_READ,
    writer=partial(import_and_call, _WRITE, "RssWriter"),
    is_feed=True,
    losses=partial(field_support, "rss"),
    entry_end="item",
)

#: Media RSS is a namespace extension of RSS: the same reader, and a writer that writes it.
MRSS: Final = Format(
    name="mrss",
    title="RSS 2.0 with Media RSS",
    extensions=(".mrss",),
    other_extensions=(".rss", ".xml"),
    read=_READ,
    writer=partial(import_and_call, _WRITE, "mrss_writer"),
    is_feed=True,
    losses=partial(field_support, "mrss"),
    entry_end="item",
)
