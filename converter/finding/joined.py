"""Pages of a feed that become one document: their headers lead from page to page no more."""

from __future__ import annotations

from dataclasses import replace
from typing import BinaryIO, Final

from converter.issues import Report
from converter.model import Feed
from converter.options import ReadOptions
from converter.readers import Around
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


class _Page(Around):
    """A document that does not say where its other pages are."""

    @property
    def feed(self) -> Feed:
        feed = self._document.feed
        kept = tuple(link for link in feed.links if link.rel not in _OF_PAGES)
        return feed if kept == feed.links else replace(feed, links=kept)
