"""Pack entries into parts that hold a format's limits, in constant memory; knows no format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO, Final, Protocol, TypeAlias, runtime_checkable

from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed
from converter.options import WriteOptions
from converter.record import record, replace
from converter.seams import (
    Attentive,
    Format,
    Item,
    Listed,
    Part,
    PartLimits,
    Ready,
    Rendered,
    Spool,
    Writer,
)

__all__ = ["Box", "cut", "limits_of", "pack", "stretch", "too_large"]

#: How much is held before it goes to the spool, and read back from it at once.
_CHUNK_BYTES: Final = 1024 * 1024
#: So many lines of a list are tried one by one where a part is nearly full.
_FEW: Final = 16


def pack(
    writer: Writer,
    entries: Iterable[Item],
    feed: Callable[[], Feed],
    limits: PartLimits,
    spool: Spool,
    report: Report,
) -> Iterator[Part]:
    """Render each entry once and give it out in parts that never exceed the limits.

    A part's head is written last, when its namespaces and the document's header are known; so its
    body waits in memory up to 1 MiB, beyond that in a file of `spool`. No entries, no parts. An
    entry that alone is larger than a part may be is reported and left out.

    Raises:
        RuntimeError: a part was not walked to its end before the next was asked for.
    """
    shelf = _Shelf(Box(1, writer, feed, limits, spool))
    try:
        for item, told in _seen(writer, entries, report):
            for name, rendered in _left(item, writer, told, shelf):
                if not shelf.box.holds(rendered):
                    following = Box(shelf.box.number + 1, writer, feed, limits, spool)
                    if not following.holds(rendered):
                        report(too_large(*name, rendered))
                        continue
                    yield from shelf.box.parts()
                    shelf.box = following
                shelf.box.add(rendered)
        yield from shelf.box.parts()
    finally:
        shelf.box.close()


def _seen(writer: Writer, items: Iterable[Item], report: Report) -> Iterator[tuple[Item, Report]]:
    """Show the writer the runs; what of them must be rendered again becomes entries."""
    attentive = writer if isinstance(writer, Attentive) else None

    def once(issue: Issue) -> None:
        if issue.code is not Code.DROPPED_FIELD:  # counted already, as that of the run
            report(issue)

    for item in _captioned(items):
        if attentive is None or not isinstance(item, Ready):
            yield item, report
            continue
        start, count = 0, len(item.locs)
        while start < count:
            stop = attentive.see(item, start)
            if start < stop:
                whole = item if stop - start == count else stretch(item, start, stop)
                _tell(whole, report)
                yield whole, report
            if stop < count:
                yield item.entry_of(stop), once
            start = stop + 1


def _captioned(items: Iterable[Item]) -> Iterator[Item]:
    """Render pages of lists where that was left for the end."""
    for item in items:
        if isinstance(item, Listed) and item.captioned is not None:
            yield from item.captioned(item)
        else:
            yield item


def stretch(run: Ready, start: int, stop: int) -> Ready:
    """Give a part of a run, which stays as it is."""
    part = replace(run)
    part.keep(range(start, stop))
    return part


@runtime_checkable
class Counting(Protocol):
    """A `Report` that takes the number of issues, where nobody would see more of them."""

    def count(self, numbers: Mapping[Code, int], /) -> bool:
        """Count issues; False: they are to be told one by one."""


def _tell(run: Ready, report: Report) -> None:
    """Tell what the writer has to say; mostly that is the same of all entries of a feed."""
    numbers: Counter[Code] = Counter()
    for common, number, _ in run.counted():
        for code, _ in common.codes:
            numbers[code] += number
    if not (isinstance(report, Counting) and report.count(numbers)):
        _tell_each(run, report)


def _tell_each(run: Ready, report: Report) -> None:
    for place, messages in enumerate(run.messages):
        line, loc = run.line_of(place), run.locs[place]
        codes = run.common_of(place).codes
        for (code, path), message in zip(codes, messages, strict=False):
            issue = Issue(
                code=code, message=message, line=line, path=path, entry=loc, source=run.source
            )
            report(issue)


_Named: TypeAlias = tuple[tuple[int | None, str | None], Rendered]
"""Line and name of an entry, and what became of it."""


def _left(item: Item, writer: Writer, report: Report, shelf: _Shelf) -> Iterator[_Named]:
    """Give what must be added one by one; of runs, what the part has no room for as a whole."""
    if isinstance(item, Entry):
        yield from _rendered(writer, item, report)
    elif isinstance(item, Ready):
        if not shelf.box.takes(item):
            yield from _one_by_one(item)
    else:
        rest: Listed | None = shelf.box.filled(item)
        while rest is not None:
            yield from _lines(cut(rest, 0, _FEW))
            rest = shelf.box.filled(cut(rest, _FEW, len(rest.locs)))


def _lines(run: Listed) -> Iterator[_Named]:
    for place, text in enumerate(run.texts):
        body = f"{run.before}{text}{run.behind}".encode()
        yield (run.lines[place], run.locs[place]), Rendered(body, run.prefixes)


def cut(run: Listed, start: int, stop: int) -> Listed:
    """Give a stretch of a run, with all that is written of it."""
    locs, texts, lines = run.locs[start:stop], run.texts[start:stop], run.lines[start:stop]
    return replace(run, locs=locs, texts=texts, lines=lines)


def _rendered(writer: Writer, entry: Entry, report: Report) -> Iterator[_Named]:
    if (rendered := writer.entry(entry, report)) is not None:
        yield (entry.line, entry.loc or entry.id), rendered


def _one_by_one(run: Ready) -> Iterator[_Named]:
    for place, text in enumerate(run.texts):
        common = run.common_of(place)
        rendered = Rendered(text.encode(), common.prefixes, common.images, common.videos)
        yield (run.line_of(place), run.locs[place]), rendered


def too_large(line: int | None, name: str | None, rendered: Rendered) -> Issue:
    """Say of an entry that it is larger than a part may be."""
    return Issue(
        code=Code.ENTRY_TOO_LARGE,
        message=f"no file has room for the {len(rendered.body):,} bytes of this entry; left out",
        line=line,
        entry=name,
    )


def _within(count: int, limit: int | None) -> bool:
    return limit is None or count <= limit


@record(frozen=False, kw_only=False)
class _Shelf:
    """Where a part stands while it is filled; when it is full, the next one takes its place."""

    box: Box


class Box:
    """The body of one part, on its way through memory or disk."""

    __slots__ = (
        "_body_bytes",
        "_drained",
        "_entries",
        "_feed",
        "_file",
        "_frames",
        "_held",
        "_held_bytes",
        "_images",
        "_limits",
        "_news",
        "_prefixes",
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
    ) -> None:
        self.number = number
        self._writer = writer
        self._feed = feed
        self._limits = limits
        self._spool = spool
        self._file: BinaryIO | None = None
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._body_bytes = 0
        self._prefixes: frozenset[str] = frozenset()
        self._frames: dict[frozenset[str], int] = {}
        self._entries = self._images = self._videos = self._news = 0
        self._drained = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return not self._entries

    # -- filling ------------------------------------------------------------------------------

    def holds(self, rendered: Rendered, entries: int = 1) -> bool:
        """Whether the part stays within its limits with this entry, or these, in it."""
        limits = self._limits
        return (
            _within(self._entries + entries, limits.max_entries)
            and _within(self._news + rendered.news, limits.max_news)
            and (
                limits.max_bytes is None
                or self._body_bytes + len(rendered.body) + self._frame(rendered.prefixes)
                <= limits.max_bytes
            )
        )

    def _frame(self, prefixes: frozenset[str]) -> int:
        """The bytes of head and tail once these prefixes are declared too."""
        declared = self._prefixes | prefixes
        if (known := self._frames.get(declared)) is not None:
            return known
        feed = self._feed()
        frame_bytes = len(self._writer.head(feed, declared)) + len(self._writer.tail(feed))
        self._frames[declared] = frame_bytes
        return frame_bytes

    def takes(self, run: Ready | Listed) -> bool:
        """Add a whole run, if there is room for all of it."""
        if isinstance(run, Listed):
            whole = Rendered(run.body.encode(), run.prefixes)
        else:
            counted = run.counted()
            whole = Rendered(
                "".join(run.texts).encode(),
                frozenset().union(*(common.prefixes for common, _, _ in counted)),
                sum(common.images * number for common, number, _ in counted),
                sum(common.videos * number for common, number, _ in counted),
            )
        if not self.holds(whole, len(run.texts)):
            return False
        self.add(whole, len(run.texts))
        return True

    def filled(self, run: Listed) -> Listed | None:
        """Add as much of a run as there surely is room for; give the rest, None: there is none."""
        most, count = self._limits.max_entries, len(run.locs)
        if most is not None:
            count = min(count, most - self._entries)
        while count > _FEW or count == len(run.locs):
            if self.takes(run if count == len(run.locs) else cut(run, 0, count)):
                return cut(run, count, len(run.locs)) if count < len(run.locs) else None
            if count <= _FEW:
                break
            count //= 2
        return run

    def add(self, rendered: Rendered, entries: int = 1) -> None:
        self._prefixes |= rendered.prefixes
        self._entries += entries
        self._images += rendered.images
        self._videos += rendered.videos
        self._news += rendered.news
        self._body_bytes += len(rendered.body)
        self._held.append(rendered.body)
        self._held_bytes += len(rendered.body)
        if self._held_bytes >= _CHUNK_BYTES:
            self._spill()

    def _spill(self) -> None:
        if self._file is None:
            self._file = self._spool()
        self._file.write(b"".join(self._held))
        self._held.clear()
        self._held_bytes = 0

    # -- giving out ---------------------------------------------------------------------------

    def parts(self) -> Iterator[Part]:
        """Give out the part, if there is anything in it, and see that it is taken."""
        if not self._entries:
            return
        feed = self._feed()
        head = self._writer.head(feed, self._prefixes)
        tail = self._writer.tail(feed)
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
    return replace(
        limits,
        max_entries=options.limit_urls or limits.max_entries,
        max_bytes=options.limit_bytes or limits.max_bytes,
    )
