"""Pages of a feed that become one document: their headers lead from page to page no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from converter.issues import Report
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.record import replace
from converter.seams import Document, Reader

__all__ = ["joined"]

#: What leads from page to page: https://www.rfc-editor.org/rfc/rfc5005
_OF_PAGES: Final = frozenset(
    ("first", "last", "next", "next-archive", "prev", "prev-archive", "previous")
)


def joined(reader: Reader) -> Reader:
    """Give the reader of a page that is read together with the others."""

    def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> Document:
        return _Page(reader(stream, options, report))

    return read


class _Page:
    """A document that does not say where its other pages are."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def feed(self) -> Feed:
        feed = self._document.feed
        kept = tuple(link for link in feed.links if link.rel not in _OF_PAGES)
        return feed if kept == feed.links else replace(feed, links=kept)

    @property
    def children(self) -> tuple[str, ...]:
        return self._document.children

    @property
    def is_late(self) -> bool:
        return self._document.is_late

    @property
    def entries(self) -> Iterator[Entry]:
        return self._document.entries
