"""Looks into the index that stands at a path for the parts that an earlier run made."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from converter.edge.sinks.names import Names
from converter.xml.emit import DECLARATION, INDEX_START

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["Row", "is_own_index", "parts_named_by", "rows_of"]

#: Of an index, unpacked: https://www.sitemaps.org/protocol.html#index. A larger one is not ours.
_MAX_BYTES = 52_428_800
_GZIP_MAGIC = b"\x1f\x8b"

#: How our own sitemaps and lists begin: of these no parser need be asked.
_NO_INDEX = (f"{DECLARATION}<urlset ".encode(), b"http")
_LONGEST = max(map(len, _NO_INDEX))

_OWN_INDEX = INDEX_START.encode()


class Row(NamedTuple):
    """A sitemap, as an index lists it."""

    loc: str
    lastmod: str | None
    name: str
    """Of the file: the last segment of `loc`."""


def parts_named_by(index: str, names: Names) -> tuple[str, ...]:
    """Names of parts, in the order of the index; empty if it is no index, or a broken one."""
    rows = rows_of(index) or ()
    return tuple(dict.fromkeys(row.name for row in rows if names.is_part(row.name)))


def is_own_index(path: str) -> bool:
    """Whether an index was written by this program: then it begins with our comment."""
    try:
        with open(path, "rb") as file:
            stream = _unpacked(file) if file.peek().startswith(_GZIP_MAGIC) else file
            return stream.read(len(_OWN_INDEX)) == _OWN_INDEX
    except (OSError, EOFError, zlib.error):
        return False


def rows_of(index: str) -> tuple[Row, ...] | None:
    """What an index lists, in its order; None if it is no index, or a broken one."""
    try:
        with open(index, "rb") as file:
            head = file.peek(_LONGEST)
            if head.startswith(_NO_INDEX):
                return None
            stream = _unpacked(file) if head.startswith(_GZIP_MAGIC) else file
            return tuple(_rows(_Bounded(stream)))
    except (OSError, EOFError, zlib.error, _NoIndexError):
        return None


def _unpacked(file: BinaryIO) -> BinaryIO:
    from gzip import GzipFile  # most outputs are not compressed

    return cast("BinaryIO", GzipFile(fileobj=file))


class _NoIndexError(Exception):
    """Its root is another one, or it is broken."""


class _Bounded:
    """Ends early, which leaves XML that is larger than the protocol allows broken."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = _MAX_BYTES

    def read(self, size: int = -1, /) -> bytes:
        size = self._left if size < 0 else min(size, self._left)
        data = self._stream.read(size)
        self._left -= len(data)
        return data


def _rows(stream: _Bounded) -> Iterator[Row]:
    from urllib.parse import unquote  # most outputs are no index

    from lxml import etree

    walk = etree.iterparse(
        stream,
        events=("start", "end"),
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
    )
    for event, element in _unbroken(walk):
        name = etree.QName(element).localname
        if event == "start":
            if element.getparent() is None and name != "sitemapindex":
                raise _NoIndexError
        elif name == "sitemap":
            loc = (element.findtext("{*}loc") or "").strip()
            lastmod = (element.findtext("{*}lastmod") or "").strip()
            yield Row(loc=loc, lastmod=lastmod or None, name=unquote(loc.rpartition("/")[2]))
            _forget(element)


def _unbroken(walk: Iterable[tuple[str, _Element]]) -> Iterator[tuple[str, _Element]]:
    from lxml.etree import XMLSyntaxError

    try:
        yield from walk
    except XMLSyntaxError as error:
        raise _NoIndexError from error


def _forget(element: _Element) -> None:
    """Free what has been read; the element itself is still the parser's, it goes with the next."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
