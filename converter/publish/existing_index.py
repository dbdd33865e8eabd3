"""Reads the index that an earlier run, or another program, wrote."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple, cast

from converter.publish.file_names import FileNames
from converter.xml.escape import DECLARATION, INDEX_START

#: Of an index, unpacked: https://www.sitemaps.org/protocol.html#index. A larger one is not ours.
_MAX_BYTES: Final = 52_428_800
_CHUNK_BYTES: Final = 1 << 16
_GZIP_MAGIC: Final = b"\x1f\x8b"

#: How our own sitemaps and lists begin: of these no parser need be asked.
_NO_INDEX: Final = (f"{DECLARATION}<urlset ".encode(), b"http")
_OWN_INDEX: Final = INDEX_START.encode()


class IndexRow(NamedTuple):
    """A sitemap, as an index lists it."""

    loc: str
    lastmod: str | None
    name: str
    """Of the file: the last segment of `loc`."""


class ExistingIndex(NamedTuple):
    """What an index lists."""

    rows: tuple[IndexRow, ...]
    is_own: bool
    """This program wrote it: it begins with our comment."""
    parts: tuple[str, ...]
    """The names of the parts among the rows that exist beside it."""


def index_at(path: str, names: FileNames) -> ExistingIndex | None:
    """Read an index; return None if there is none, or it is broken or larger than one may be."""
    try:
        with open(path, "rb") as file:
            stream: BinaryIO = file
            if file.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC):
                from gzip import GzipFile  # most outputs are not compressed

                stream = cast("BinaryIO", GzipFile(fileobj=file))
            start = stream.read(_CHUNK_BYTES)
            if start.startswith(_NO_INDEX):
                return None
            rows = tuple(_rows(start, stream))
    except (OSError, EOFError, zlib.error, SyntaxError):  # the last one: XML that is broken
        return None
    folder = os.path.dirname(path)
    named = dict.fromkeys(row.name for row in rows if names.is_part(row.name))
    parts = tuple(name for name in named if os.path.isfile(os.path.join(folder, name)))
    return ExistingIndex(rows, start.startswith(_OWN_INDEX), parts)


def _rows(chunk: bytes, stream: BinaryIO) -> Iterator[IndexRow]:
    """Parse an index of which the first chunk was read.

    Raises:
        SyntaxError: it is none, or broken, or too large, whose rest is not read.
    """
    from urllib.parse import unquote  # most outputs are no index

    from lxml import etree

    parser = etree.XMLPullParser(("start", "end"), resolve_entities=False)
    left = _MAX_BYTES
    while chunk and left > 0:
        parser.feed(chunk[:left])
        left -= len(chunk)
        for event, element in parser.read_events():
            name, parent = etree.QName(element).localname, element.getparent()
            if event == "start" and parent is None and name != "sitemapindex":
                raise SyntaxError(name)
            if event == "end" and name == "sitemap":
                loc = (element.findtext("{*}loc") or "").strip()
                lastmod = (element.findtext("{*}lastmod") or "").strip()
                yield IndexRow(
                    loc=loc, lastmod=lastmod or None, name=unquote(loc.rpartition("/")[2])
                )
                element.clear()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]  # but for the element itself, which is still the parser's
        chunk = stream.read(_CHUNK_BYTES)
    parser.close()
