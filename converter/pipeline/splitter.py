"""Pack entries into parts that hold a format's limits, in constant memory; knows no format."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final

from converter.formats.base import Format, Part, PartLimits, Rendered, Spool, Writer
from converter.issues import Code, Issue, Report
from converter.model import Feed
from converter.options import WriteOptions

#: How much is held before it goes to the spool, and read back from it at once.
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
    """Give rendered entries out in parts that never exceed the limits.

    A part's head is written last, when its namespaces and the document's header are known; so its
    body waits in memory up to 1 MiB, beyond that in a file of `spool`. No entries, no parts. An
    entry that alone is larger than a part may be is reported and left out.

    Raises:
        RuntimeError: a part was not walked to its end before the next was asked for.
    """
    box = PartBuffer(1, writer, feed, limits, spool, separator)
    try:
        for item in items:
            if item.body and not box.add(item):
                following = PartBuffer(box.number + 1, writer, feed, limits, spool, separator)
                if not following.add(item):
                    report(too_large(item.line, item.loc, len(item.body)))
                    continue
                full, box = box, following
                yield from full.parts()
        yield from box.parts()
    finally:
        box.close()


def too_large(line: int | None, name: str | None, size: int) -> Issue:
    """Say of an entry that it is larger than a part may be."""
    return Issue(
        code=Code.ENTRY_TOO_LARGE,
        message=f"no file has room for the {size:,} bytes of this entry; left out",
        line=line,
        entry=name,
    )


def _limit(given: int | None) -> float:
    return math.inf if given is None else given


class PartBuffer:
    """The body of one part, on its way through memory or disk."""

    __slots__ = (
        "_body_bytes",
        "_drained",
        "_entries",
        "_feed",
        "_file",
        "_frame_bytes",
        "_held",
        "_images",
        "_max_bytes",
        "_max_entries",
        "_max_news",
        "_news",
        "_prefixes",
        "_separator",
        "_spilled_bytes",
        "_spool",
        "_videos",
        "_writer",
        "number",
    )

    def __init__(
        self,
        number: int,
        writer: Writer,
        feed: Callable[[], Feed],
        limits: PartLimits,
        spool: Spool,
        separator: bytes = b"",
    ) -> None:
        self.number = number
        self._writer = writer
        self._separator = separator
        self._feed = feed
        self._max_entries = _limit(limits.max_entries)
        self._max_news = _limit(limits.max_news)
        self._max_bytes = _limit(limits.max_bytes)
        self._spool = spool
        self._file: BinaryIO | None = None
        self._held: list[bytes] = []
        self._body_bytes = self._spilled_bytes = 0
        self._prefixes: frozenset[str] = frozenset()
        self._frame_bytes: int | None = None
        """Of head and tail."""
        self._entries = self._images = self._videos = self._news = 0
        self._drained = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return not self._entries

    # -- filling ------------------------------------------------------------------------------

    def add(self, rendered: Rendered, entries: int = 1) -> bool:
        """Add an entry, or several; return False if the part has no room for them."""
        body, declared, frame_bytes = rendered.body, self._prefixes, self._frame_bytes
        if self._entries and self._separator:
            body = self._separator + body
        if frame_bytes is None or not rendered.prefixes <= declared:
            declared |= rendered.prefixes
            frame_bytes = self._frame(declared)
        body_bytes = self._body_bytes + len(body)
        if (
            self._entries + entries > self._max_entries
            or body_bytes + frame_bytes > self._max_bytes
            or self._news + rendered.news > self._max_news
        ):
            return False
        self._prefixes, self._frame_bytes, self._body_bytes = declared, frame_bytes, body_bytes
        self._entries += entries
        self._images += rendered.images
        self._videos += rendered.videos
        self._news += rendered.news
        self._held.append(body)
        if body_bytes - self._spilled_bytes >= _CHUNK_BYTES:
            self._spill()
        return True

    def _frame(self, declared: frozenset[str]) -> int:
        """Return the bytes of head and tail where these prefixes are declared."""
        if self._max_bytes == math.inf:
            return 0  # a feed's header may be incomplete yet, and nobody asks for its size
        head = self._writer.head(self._feed(), declared)
        return len(head) + len(self._writer.tail(self._feed()))

    def _spill(self) -> None:
        if self._file is None:
            self._file = self._spool()
        self._file.write(b"".join(self._held))
        self._held.clear()
        self._spilled_bytes = self._body_bytes

    # -- giving out ---------------------------------------------------------------------------

    def parts(self) -> Iterator[Part]:
        """Give out the part, if there is anything in it, and see that it is taken."""
        if not self._entries:
            return
        feed = self._feed()
        head = self._writer.head(feed, self._prefixes)
        tail = self._writer.tail(feed)
        try:
            yield Part(
                number=self.number,
                chunks=self._chunks(head, tail),
                entries=self._entries,
                images=self._images,
                videos=self._videos,
                news=self._news,
                raw_bytes=len(head) + self._body_bytes + len(tail),
            )
            if not self._drained:
                raise RuntimeError(f"part {self.number} was not walked to its end")
        finally:
            self.close()

    def _chunks(self, head: bytes, tail: bytes) -> Iterator[bytes]:
        yield head
        if self._file is not None:
            self._file.seek(0)
            while chunk := self._file.read(_CHUNK_BYTES):
                yield chunk
        if self._held:
            yield b"".join(self._held)
        self._drained = True
        yield tail

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def limits_of(target: Format, options: WriteOptions) -> PartLimits:
    """Make a format's limits smaller, where that is asked for and the format has any."""
    limits = target.part_limits
    if limits == PartLimits():
        return limits
    return limits._replace(
        max_entries=options.limit_urls or limits.max_entries,
        max_bytes=options.limit_bytes or limits.max_bytes,
    )
