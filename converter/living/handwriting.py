"""Sitemaps in our own handwriting: cut into their `url` blocks without being parsed.

A part that our writer made is a known head, `url` elements that each end a line, and a known
tail; `<` stands in it for markup alone. That is checked as it is read, for all of the file. So
what does not change is copied as it stands, at the speed of `bytes.find`; what does not pass the
check is no handwriting of ours, and is read by its reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, TypeAlias

from converter.model import Feed
from converter.seams import Rendered, Writer

__all__ = ["ForeignError", "IsNormal", "Slice", "lastmod_of", "singles", "slices"]

IsNormal: TypeAlias = Callable[[list[bytes]], bool]

_SLICE_BYTES: Final = 1024 * 1024
#: A head names a few namespaces; a block (1,000 images) has its limit in the file's.
_MOST_HEAD_BYTES: Final = 4096

#: What may stand beside `loc`, each once.
_HINTS: Final = (b"<lastmod>", b"<changefreq>", b"<priority>")
_PREFIX: Final = re.compile(rb' xmlns:([a-z]+)="')
_END: Final = b"</url>\n"
_CLOCK: Final = rb"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})"
_DATE: Final = rb"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T" + _CLOCK + rb")?"
_OFTEN: Final = rb"always|hourly|daily|weekly|monthly|yearly|never"
#: All that stands in an element before its extensions, and where these begin or it ends.
_CORE: Final = re.compile(
    rb"(?:\A|</url>\n) *<url>\s*<loc>([^<]*)</loc>\s*"
    rb"(?:<lastmod>" + _DATE + rb"</lastmod>\s*)?"
    rb"(?:<changefreq>(?:" + _OFTEN + rb")</changefreq>\s*)?"
    rb"(?:<priority>[01]\.[0-9]+</priority>\s*)?"
    rb"(?=</url>|<[a-z]+:)"
)
#: A name that is neither the protocol's nor an extension's.
_STRANGE_TAG: Final = re.compile(rb"<(?!/|(?:url|loc|lastmod|changefreq|priority)>|[a-z]+:)")
#: An escape that is not ours.
_STRANGE_ESCAPE: Final = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#13);)")
_LASTMOD: Final = re.compile(rb"<lastmod>([^<]*)</lastmod>")


class ForeignError(Exception):
    """It is not in our handwriting."""


@dataclass(frozen=True, slots=True, kw_only=True)
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


def slices(stream: BinaryIO, writer: Writer, is_normal: IsNormal | None) -> Iterator[Slice]:
    """Give what a sitemap holds, in pieces of about 1 MiB.

    Args:
        stream: the sitemap, unpacked.
        writer: whose handwriting it should be.
        is_normal: do pages, as they stand there, have the spelling that we would give them? None:
            all of this was looked at before.

    Raises:
        ForeignError: at any time: it is not in our handwriting.
    """
    stream.seek(0)
    start = stream.read(_MOST_HEAD_BYTES)
    prefixes, head = _head(start, writer)
    tail = writer.tail(Feed())
    frame = head, tail
    rest = start[len(head) :]
    while chunk := stream.read(_SLICE_BYTES):
        rest += chunk
        end = rest.rfind(_END) + len(_END)
        if end >= len(_END):
            yield _slice(rest[:end], prefixes, frame, is_normal)
            rest = rest[end:]
    end = rest.rfind(_END) + len(_END)
    if end >= len(_END):
        yield _slice(rest[:end], prefixes, frame, is_normal)
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


def _slice(
    text: bytes,
    prefixes: frozenset[str],
    frame: tuple[bytes, bytes],
    is_normal: IsNormal | None,
) -> Slice:
    locs = _CORE.findall(text)
    count = len(locs)
    is_ours = is_normal is None or (
        text.count(b"</url>") == count
        and text.count(b"<url>") == count
        and _STRANGE_ESCAPE.search(text) is None
        and is_normal(locs)
        and (_is_plain(text, count) or _is_well_formed(text, frame))
    )
    if not is_ours:
        raise ForeignError
    return Slice(text=text, locs=locs, prefixes=prefixes)


def _is_plain(text: bytes, count: int) -> bool:
    """Whether there are no extensions: then all of it was looked at, to the last byte."""
    return text.count(b"<") == 4 * count + 2 * sum(map(text.count, _HINTS))


def _is_well_formed(text: bytes, frame: tuple[bytes, bytes]) -> bool:
    if _STRANGE_TAG.search(text):
        return False
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        etree.fromstring(text.join(frame), parser)
    except etree.XMLSyntaxError:
        return False
    return True
