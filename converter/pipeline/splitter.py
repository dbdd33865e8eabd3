"""Pack entries into parts within the limits of a format, in constant memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final

from converter.formats.base import Format, Part, PartLimits, Rendered, Spool, Writer
from converter.issues import Code, Issue, Report
from converter.model import Feed
from converter.options import WriteOptions

#: The spool is written and read in chunks of this size.
_CHUNK_BYTES: Final = 1024 * 1024


def pack(
    writer: Writer,
    items: Iterable[Rendered],
    feed: Callable[[], Feed],
    limits: PartLimits,
    spool: Spool,
    report: Report,
    separator: bytes = b"",
) -> Iterator[Part]:
    """Yield rendered entries in parts within the limits; without entries there are no parts.

    The head of a part is written last, when its namespaces and the header of the document are
    known. Until then 1 MiB of the body is in memory, and the rest in a file of `spool`. An entry
    that no part has room for is reported and left out.
    """
    items, buffer = iter(items), PartBuffer(1, writer, feed, limits, spool, separator)
    try:
        while (item := buffer.fill(items)) is not None:
            following = replace(buffer, number=buffer.number + 1)
            if not following.add(item):
                report(too_large(item.line, item.loc, len(item.body)))
                continue
            full, buffer = buffer, following
            yield from full.parts()
        yield from buffer.parts()
    finally:
        buffer.close()


def too_large(line: int | None, name: str | None, size: int) -> Issue:
    """Return the issue about an entry that is larger than a part may be."""
    return Issue(
        code=Code.ENTRY_TOO_LARGE,
        message=f"no file has room for the {size:,} bytes of this entry; left out",
        line=line,
        entry=name,
    )


@dataclass(eq=False)
class PartBuffer:
    """The body of one part, in memory or on disk."""

    number: int
    writer: Writer
    feed: Callable[[], Feed]
    limits: PartLimits
    spool: Spool
    separator: bytes = b""
    _file: BinaryIO | None = field(default=None, init=False)
    _chunks: list[bytes] = field(default_factory=list, init=False)
    _body_bytes: int = field(default=0, init=False)
    _spilled_bytes: int = field(default=0, init=False)
    _prefixes: frozenset[str] = field(default=frozenset(), init=False)
    _frame_bytes: int | None = field(default=None, init=False)
    """Of head and tail."""
    _entries: int = field(default=0, init=False)
    _images: int = field(default=0, init=False)
    _videos: int = field(default=0, init=False)
    _news: int = field(default=0, init=False)

    # -- filling ------------------------------------------------------------------------------

    def add(self, item: Rendered, entries: int = 1) -> bool:
        """Add an entry, or several as one item; return False if the part has no room for them."""
        return self.fill((item,), entries) is None

    def fill(self, items: Iterable[Rendered], entries: int = 1) -> Rendered | None:
        """Add items of so many entries; return the first that has no room, or None at the end."""
        most, separator = self.limits, self.separator
        max_entries, max_bytes = most.max_entries or math.inf, most.max_bytes or math.inf
        max_news = most.max_news or math.inf
        for item in items:
            body, declared, frame_bytes = item.body, self._prefixes, self._frame_bytes
            if not body:
                continue
            if frame_bytes is None or not item.prefixes <= declared:
                declared |= item.prefixes
                frame_bytes = self._frame(declared)
            if separator and self._entries:
                body = separator + body
            body_bytes = self._body_bytes + len(body)
            if (
                self._entries + entries > max_entries
                or body_bytes + frame_bytes > max_bytes
                or self._news + item.news > max_news
            ):
                return item
            self._prefixes, self._frame_bytes, self._body_bytes = declared, frame_bytes, body_bytes
            self._entries += entries
            self._images += item.images
            self._videos += item.videos
            self._news += item.news
            self._chunks.append(body)
            if body_bytes - self._spilled_bytes >= _CHUNK_BYTES:
                self._spill()
        return None

    def _frame(self, declared: frozenset[str]) -> int:
        """Return the size of head and tail that declare these prefixes."""
        if not self.limits.max_bytes:
            return 0  # the size does not matter, and the header of a feed may be incomplete
        head = self.writer.head(self.feed(), declared)
        return len(head) + len(self.writer.tail(self.feed()))

    def _spill(self) -> None:
        if self._file is None:
            self._file = self.spool()
        self._file.write(b"".join(self._chunks))
        self._chunks.clear()
        self._spilled_bytes = self._body_bytes

    # -- parts --------------------------------------------------------------------------------

    def parts(self) -> Iterator[Part]:
        """Yield the part, unless it is empty."""
        if not self._entries:
            return
        feed = self.feed()
        head = self.writer.head(feed, self._prefixes)
        tail = self.writer.tail(feed)
        try:
            yield Part(
                number=self.number,
                chunks=self._content(head, tail),
                entries=self._entries,
                images=self._images,
                videos=self._videos,
                news=self._news,
                raw_bytes=len(head) + self._body_bytes + len(tail),
            )
        finally:
            self.close()

    def _content(self, head: bytes, tail: bytes) -> Iterator[bytes]:
        yield head
        if self._file is not None:
            self._file.seek(0)
            while chunk := self._file.read(_CHUNK_BYTES):
                yield chunk
        if self._chunks:
            yield b"".join(self._chunks)
        yield tail

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def limits_of(target: Format, options: WriteOptions) -> PartLimits:
    """Return the limits of a format, lowered by the options if the format has limits."""
    limits = target.part_limits
    if limits == PartLimits():
        return limits
    return limits._replace(
        max_entries=options.limit_urls or limits.max_entries,
        max_bytes=options.limit_bytes or limits.max_bytes,
    )
