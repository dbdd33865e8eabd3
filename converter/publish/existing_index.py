"""Reads the sitemap index that an earlier run, or another program, wrote."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple, cast

from converter.publish.file_names import FileNames
from converter.sitemap_limits import MAX_BYTES
from converter.xml import detect
from converter.xml.escape import INDEX_START

_START_BYTES: Final = 1 << 16
_GZIP_MAGIC: Final = b"\x1f\x8b"

_OWN_INDEX: Final = INDEX_START.encode()


class IndexRow(NamedTuple):
    """A `sitemap` element of an index."""

    loc: str
    lastmod: str | None
    name: str
    """The file name: the last segment of `loc`."""


class ExistingIndex(NamedTuple):
    """The content of an index."""

    rows: tuple[IndexRow, ...]
    is_own: bool
    """This program wrote it: it begins with our comment."""
    parts: tuple[str, ...]
    """The names of our parts among the rows, as far as the files exist."""


def index_at(path: str, names: FileNames) -> ExistingIndex | None:
    """Read an index; return None if the file is missing, not an index, broken or too large."""
    try:
        with open(path, "rb") as file:
            stream: BinaryIO = file
            if file.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC):
                from gzip import GzipFile  # most outputs are not compressed

                stream = cast("BinaryIO", GzipFile(fileobj=file))
            start = stream.read(_START_BYTES)
            if detect.root_name(start) != "sitemapindex":
                return None
            content = start + stream.read(MAX_BYTES - len(start))  # a larger one breaks off
        rows = tuple(_rows(content))
    except (OSError, EOFError, zlib.error, SyntaxError):  # lxml's errors are SyntaxErrors
        return None
    folder = os.path.dirname(path)
    listed = dict.fromkeys(row.name for row in rows if names.is_part(row.name))
    parts = tuple(name for name in listed if os.path.isfile(os.path.join(folder, name)))
    return ExistingIndex(rows, start.startswith(_OWN_INDEX), parts)


def _rows(content: bytes) -> Iterator[IndexRow]:
    """Parse an index; raise SyntaxError if it is broken."""
    from urllib.parse import unquote  # most outputs are no index

    from lxml import etree

    for _, element in etree.iterparse(BytesIO(content), tag="{*}sitemap", resolve_entities=False):
        loc = element.findtext("{*}loc", "").strip()
        lastmod = element.findtext("{*}lastmod", "").strip()
        yield IndexRow(loc, lastmod or None, unquote(loc.rpartition("/")[2]))
        element.clear()
        parent = element.getparent()
        while parent is not None and element.getprevious() is not None:
            del parent[0]
