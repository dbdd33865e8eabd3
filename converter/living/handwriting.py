"""Sitemaps in our own handwriting: cut into their `url` blocks without being parsed.

A part that our writer made is a known head, `url` elements that each end a line, and a known
tail; `<` stands in it for markup alone. That is checked as it is read, for all of the file. So
what does not change is copied as it stands, at the speed of `bytes.find`; what does not pass the
check is no handwriting of ours, and is read by its reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from converter.model import Feed
from converter.record import record
from converter.seams import Rendered, Writer

__all__ = ["ForeignError", "Slice", "lastmod_of", "singles", "slices"]

_SLICE_BYTES: Final = 1024 * 1024
#: A head names a few namespaces; a block (1,000 images) has its limit in the file's.
_MOST_HEAD_BYTES: Final = 4096

_PREFIX: Final = re.compile(rb' xmlns:([a-z]+)="')
_END: Final = b"</url>\n"
_LOC: Final = re.compile(rb"(?:\A|</url>\n) *<url>\s*<loc>([^<]*)</loc>")
_LASTMOD: Final = re.compile(rb"<lastmod>([^<]*)</lastmod>")


class ForeignError(Exception):
    """It is not in our handwriting."""


@record
class Slice:
    """Some whole `url` elements, as they stand there."""

    text: bytes
    locs: list[bytes]
    """Of each, escaped as it is in `text`."""
    prefixes: frozenset[str]
    """All that the head of the file declares."""

    @property
    def has_news(self) -> bool:
        """Whether there is news among them, which has its time."""
        return b"<news:news>" in self.text

    def blocks(self) -> list[bytes]:
        """Each by itself."""
        return _blocks(self.text)

    def rendered(self, blocks: list[bytes] | None = None) -> Rendered:
        """All of it, or some blocks of it, as what a writer would have given."""
        return _counted(self.text if blocks is None else b"".join(blocks), self.prefixes)


def _counted(body: bytes, prefixes: frozenset[str]) -> Rendered:
    return Rendered(
        body,
        prefixes,
        images=body.count(b"<image:image>"),
        videos=body.count(b"<video:video>"),
        news=body.count(b"<news:news>"),
    )


def _blocks(text: bytes) -> list[bytes]:
    return [block + _END for block in text.split(_END)[:-1]]


def singles(rendered: Rendered) -> Iterator[Rendered]:
    """Give elements that were rendered together one by one."""
    for block in _blocks(rendered.body):
        yield _counted(block, rendered.prefixes)


def lastmod_of(block: bytes) -> str | None:
    """Give the date of an element, as it stands there."""
    found = _LASTMOD.search(block)
    return found[1].decode() if found else None


def slices(stream: BinaryIO, writer: Writer) -> Iterator[Slice]:
    """Give what a sitemap holds, in pieces of about 1 MiB.

    Raises:
        ForeignError: at any time: it is not in our handwriting.
    """
    stream.seek(0)
    start = stream.read(_MOST_HEAD_BYTES)
    prefixes, head = _head(start, writer)
    tail = writer.tail(Feed())
    rest = start[len(head) :]
    while chunk := stream.read(_SLICE_BYTES):
        rest += chunk
        end = rest.rfind(_END) + len(_END)
        if end >= len(_END):
            yield _slice(rest[:end], prefixes)
            rest = rest[end:]
    end = rest.rfind(_END) + len(_END)
    if end >= len(_END):
        yield _slice(rest[:end], prefixes)
        rest = rest[end:]
    if rest != tail:
        raise ForeignError


def _head(start: bytes, writer: Writer) -> tuple[frozenset[str], bytes]:
    """Find out what the head declares, by writing it ourselves."""
    opening, bracket, _ = start.partition(b">\n<urlset")
    root = start[len(opening) + len(bracket) :].partition(b">")[0]
    prefixes = frozenset(prefix.decode() for prefix in _PREFIX.findall(root))
    head = writer.head(Feed(), prefixes)
    if not start.startswith(head):
        raise ForeignError
    return prefixes, head


def _slice(text: bytes, prefixes: frozenset[str]) -> Slice:
    locs = _LOC.findall(text)
    count = len(locs)
    is_ours = (
        text.count(b"</url>") == count
        and text.count(b"<url") == count
        and b"<!" not in text
        and b"<?" not in text
    )
    if not is_ours:
        raise ForeignError
    return Slice(text=text, locs=locs, prefixes=prefixes)
