"""Copies `url` elements of a sitemap that our writer made, without parsing them.

Such a file has a known head, `url` elements that each end a line, and a known tail; `<` in it only
begins markup. The whole file is checked for that while it is read. Elements that do not change
are then copied byte for byte; a file that fails the check is read by its reader instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import unescape
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from converter.formats.base import Rendered, Writer
from converter.issues import Code
from converter.model import Feed, Moment
from converter.options import TransformOptions
from converter.pipeline.transforms.filters import Expiry
from converter.values import dates, urls
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import hosts

IsNormal: TypeAlias = Callable[[list[bytes]], bool]
"""Returns True if URLs, escaped as in markup, are written as this run would write them."""

_PIECE_BYTES: Final = 1024 * 1024
#: Of head and tail, which declare a few namespaces.
MOST_HEAD_BYTES: Final = 4096

#: The elements that may follow `loc`, each once.
_HINTS: Final = (b"<lastmod>", b"<changefreq>", b"<priority>")
_PREFIX: Final = re.compile(rb' xmlns:([a-z]+)="')
_END: Final = b"</url>\n"
NEWS: Final = b"<news:news>"
_COUNTED: Final = (b"<image:image>", b"<video:video>", NEWS)
_CLOCK: Final = rb"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})"
_DATE: Final = rb"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T" + _CLOCK + rb")?"
_OFTEN: Final = rb"always|hourly|daily|weekly|monthly|yearly|never"
#: A `url` element up to its first extension or its end tag.
_CORE: Final = re.compile(
    rb"(?:\A|</url>\n) *<url>\s*<loc>([^<]*)</loc>\s*"
    rb"(?:<lastmod>" + _DATE + rb"</lastmod>\s*)?"
    rb"(?:<changefreq>(?:" + _OFTEN + rb")</changefreq>\s*)?"
    rb"(?:<priority>[01]\.[0-9]+</priority>\s*)?"
    rb"(?=</url>|<[a-z]+:)"
)
#: A start tag that is neither the protocol's nor an extension's.
_FOREIGN_TAG: Final = re.compile(rb"<(?!/|(?:url|loc|lastmod|changefreq|priority)>|[a-z]+:)")
#: An entity that our writer does not use.
_FOREIGN_ENTITY: Final = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#13);)")
_LOC: Final = re.compile(rb"<loc>([^<]*)")
_EXTENSION: Final = re.compile(rb"<([a-z]+):")
_LASTMOD: Final = re.compile(rb"<lastmod>([^<]*)</lastmod>")


class NotOwnOutputError(Exception):
    """A file differs from what our writer makes."""


class UrlBlocks(NamedTuple):
    """Several whole `url` elements, as they are in the file."""

    text: bytes
    locs: list[bytes]
    """The URL of each, escaped as in `text`."""
    prefixes: frozenset[str]
    """Those that the head of the file declares."""

    def with_news(self) -> set[int]:
        """Return the positions of elements with a block of news, which ages."""
        if NEWS not in self.text:
            return set()
        return {place for place, block in enumerate(blocks_of(self.text)) if NEWS in block}

    def expired(self, expiry: Expiry) -> set[int]:
        """Return the positions of elements that `--drop` and `--expire` remove."""
        if not expiry:
            return set()
        pages = enumerate(zip(self.locs, blocks_of(self.text), strict=True))
        return {place for place, (loc, block) in pages if removal_reason(loc, block, expiry)}


def removal_reason(loc: bytes, block: bytes, expiry: Expiry) -> tuple[Code, str] | None:
    """Return why an element is removed; None if it stays."""
    lastmod = _LASTMOD.search(block)
    return expiry.reason(unescape(loc.decode()), _moment(lastmod[1]) if lastmod else None)


@lru_cache(maxsize=4096)
def _moment(text: bytes) -> Moment | None:
    try:
        return dates.parse_w3c(text.decode())
    except ValueError:
        return None


def blocks_of(text: bytes) -> list[bytes]:
    """Split markup into its elements."""
    return [block + _END for block in text.split(_END)[:-1]]


def as_rendered(body: bytes, prefixes: frozenset[str] | None = None) -> Rendered:
    """Return existing elements as our writer rendered them.

    Args:
        body: the elements.
        prefixes: those to declare; None for those that occur.
    """
    if prefixes is None:
        prefixes = frozenset(name.decode() for name in _EXTENSION.findall(body))
    return Rendered(body, prefixes, *(map(body.count, _COUNTED) if prefixes else ()))


def loc_of(block: bytes) -> bytes:
    """Return the URL of an element, escaped as in the element."""
    found = _LOC.search(block)
    return found[1] if found else b""


def url_blocks(stream: BinaryIO, writer: Writer, is_normal: IsNormal | None) -> Iterator[UrlBlocks]:
    """Cut a sitemap into pieces of about 1 MiB.

    Args:
        stream: the uncompressed sitemap.
        writer: the writer that should have made it.
        is_normal: checks URLs; None if the whole file has been checked before.

    Raises:
        NotOwnOutputError: at any time: the file differs from what the writer makes.
    """
    stream.seek(0)
    start = stream.read(MOST_HEAD_BYTES)
    prefixes, head = _head(start, writer)
    tail = writer.tail(Feed())
    rest = start[len(head) :]
    while True:
        text, end, rest = rest.rpartition(_END)
        if text := text + end:
            locs = _CORE.findall(text)
            if not (is_normal is None or _is_own(text, locs, (head, tail), is_normal)):
                raise NotOwnOutputError
            yield UrlBlocks(text, locs, prefixes)
        if not (chunk := stream.read(_PIECE_BYTES)):
            break
        rest += chunk
    if rest != tail:
        raise NotOwnOutputError


def _head(start: bytes, writer: Writer) -> tuple[frozenset[str], bytes]:
    """Return the prefixes that the head declares, and the head, which must be our writer's."""
    opening, bracket, _ = start.partition(b">\n<urlset")
    root = start[len(opening) + len(bracket) :].partition(b">")[0]
    prefixes = frozenset(prefix.decode() for prefix in _PREFIX.findall(root))
    head = writer.head(Feed(), prefixes)
    if not start.startswith(head):
        raise NotOwnOutputError
    return prefixes, head


def _is_own(
    text: bytes, locs: list[bytes], frame: tuple[bytes, bytes], is_normal: IsNormal
) -> bool:
    count = len(locs)
    if not (
        text.count(b"</url>") == count
        and text.count(b"<url>") == count
        and _FOREIGN_ENTITY.search(text) is None
        and is_normal(locs)
    ):
        return False
    # Without extensions, `_CORE` has matched every byte.
    has_no_extensions = text.count(b"<") == 4 * count + 2 * sum(map(text.count, _HINTS))
    return has_no_extensions or _is_well_formed(text, frame)


def _is_well_formed(text: bytes, frame: tuple[bytes, bytes]) -> bool:
    if _FOREIGN_TAG.search(text):
        return False
    from lxml import etree

    try:
        etree.fromstring(text.join(frame), etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError:
        return False
    return True


# -- URLs -------------------------------------------------------------------------------------

#: URLs that no option changes, one a line.
_ALL_CANONICAL: Final = lazy_regex(rf"(?:{urls.CANONICAL_PAGE}(?:\n|\Z))*+".encode())


class UrlCheck:
    """Checks that the options of a run would not change existing URLs; an `IsNormal`."""

    def __init__(self, transforms: TransformOptions) -> None:
        self._rules = urls.ParameterRules.from_options(transforms)
        self._start = f"{transforms.scheme}://" if transforms.scheme else ""
        self._unify = transforms.unify_host
        self._host = ""
        """Of the first page; `--unify-host` would rewrite its siblings."""

    def __call__(self, locs: list[bytes]) -> bool:
        if not (self._start or self._unify) and _ALL_CANONICAL.fullmatch(b"\n".join(locs)):
            return True
        return all(map(self._is_normal, locs))

    def _is_normal(self, markup: bytes) -> bool:
        try:
            loc = unescape(markup.decode())
        except UnicodeDecodeError:
            return False
        is_clean = urls.is_canonical_page(loc) or urls.clean_page(loc, self._rules).url == loc
        if not (self._unify and is_clean):
            return is_clean and loc.startswith(self._start)
        host = urls.host_of(loc) or ""
        self._host = self._host or host
        is_first = host == self._host or not hosts.differ_by_www(host, self._host)
        return is_first and loc.startswith(self._start)
