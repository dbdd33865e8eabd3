"""Cuts large documents behind their entries: a slice is read as head + slice + tail.

That is sound because nothing but entries and white space may stand in a slice, and each slice must
be well-formed between head and tail, as head and tail must be by themselves. A document in which
anything else is found is read as a whole.
"""

from __future__ import annotations

import io
import os
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple

from converter.entry_stage import EntryStage
from converter.errors import ConverterError
from converter.issues import Code, Issue, Report
from converter.model import Feed
from converter.options import ReadOptions
from converter.readers import Stored
from converter.seams import Converted, Document
from converter.xml.prefix import encoding_of

__all__ = ["Cut", "NotSeparableError", "Slice", "descriptor_of"]

#: Smaller documents are not cut.
_FEWEST_BYTES: Final = 512 * 1024
_SLICE_BYTES: Final = 256 * 1024
#: A slice grows up to this size to find the end of an entry.
_MOST_SLICE_BYTES: Final = 4 * 1024 * 1024
#: Head and tail must each fit into so much.
_MOST_FRAME_BYTES: Final = 64 * 1024

_ENCODING: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?<\?xml\b[^>]*\bencoding\s*=\s*[\"']([^\"']*)[\"']"
)
_UTF8: Final = frozenset({b"utf-8", b"utf8", b"us-ascii", b"ascii"})
_ATTRIBUTES: Final = rb"""(?:\s+[^\s"'<>=/]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*"""

#: What a reader reports of a document that is damaged or not in UTF-8: it is not cut.
_UNCLEAN: Final = frozenset(
    {Code.XML_BROKEN, Code.XML_REPAIRED, Code.ENCODING_ASSUMED, Code.ENTITY_REMOVED}
)


class NotSeparableError(Exception):
    """A source cannot be read by parts; the pass must begin again and read it as a whole."""


class Slice(NamedTuple):
    """A part of a source: from byte to byte, behind a number of line breaks."""

    start: int
    end: int
    lines: int


@dataclass(slots=True, kw_only=True, eq=False)
class SlicedDocument:
    """A source that is cut: iterate it for its slices."""

    descriptor: int
    head: bytes
    """Everything before the first entry."""
    tail: bytes
    """Everything behind the last one."""
    end: int
    """Where the tail begins."""
    cut_behind: bytes
    other_content: tuple[re.Pattern[bytes], ...] = ()
    """Match what is neither an entry nor white space, between entries; none of a list."""

    def __iter__(self) -> Iterator[Slice]:
        start, lines = len(self.head), self.head.count(b"\n")
        while start < self.end:
            data, size = b"", _SLICE_BYTES
            cut = 0
            while not cut and len(data) < min(_MOST_SLICE_BYTES, self.end - start):
                data = os.pread(self.descriptor, min(size, self.end - start), start)
                if not data:
                    return  # somebody has cut the file off
                cut = data.rfind(self.cut_behind) + len(self.cut_behind)
                cut = 0 if cut < len(self.cut_behind) else cut
                size *= 2
            if start + len(data) >= self.end:
                cut = len(data)
            cut = cut or len(data)  # which will not be well-formed
            yield Slice(start, start + cut, lines)
            lines += data.count(b"\n", 0, cut)
            start += cut

    def markup(self, part: Slice) -> bytes:
        """Return a slice as a document.

        Raises:
            NotSeparableError: it holds more than entries.
        """
        data = os.pread(self.descriptor, part.end - part.start, part.start)
        if self.cut_behind == b"\n":
            is_sound = data.count(b"\r") == data.count(b"\r\n")
        else:
            first, *others = self.other_content
            is_sound = bool(first.match(data)) and not any(p.search(data) for p in others)
        if not is_sound or len(data) < part.end - part.start:
            raise NotSeparableError
        return b"".join((self.head, data, self.tail))


def _sliced(stream: BinaryIO, entry_end: str | None) -> SlicedDocument | None:
    """Return a source as a document that can be cut; None: it is small, or unusual.

    Args:
        stream: the source, unpacked.
        entry_end: as `Format.entry_end`.
    """
    descriptor = descriptor_of(stream)
    if descriptor is None or entry_end is None:
        return None
    size = os.fstat(descriptor).st_size
    if size < _FEWEST_BYTES:
        return None
    begin = os.pread(descriptor, _MOST_FRAME_BYTES, 0)
    if entry_end == "\n":
        codec, _ = encoding_of(begin[:4])
        plain = SlicedDocument(
            descriptor=descriptor, head=b"", tail=b"", end=size, cut_behind=b"\n"
        )
        return plain if codec == "utf-8" else None
    return _sliced_xml(descriptor, size, begin, entry_end.encode())


def _sliced_xml(descriptor: int, size: int, begin: bytes, name: bytes) -> SlicedDocument | None:
    first = re.search(rb"<((?:[\w.\-]+:)?%s)[\s>]" % name, begin)
    if first is None:
        return None
    tag = first[1]
    last = os.pread(descriptor, _MOST_FRAME_BYTES, max(0, size - _MOST_FRAME_BYTES))
    behind = last.rfind(b"</%s>" % tag)
    head, tail = begin[: first.start()], last[behind + len(tag) + 3 :]
    encoding = _ENCODING.match(head)
    if behind < 0 or b"<!DOCTYPE" in head or (encoding and encoding[1].lower() not in _UTF8):
        return None
    shown = re.escape(tag)
    return SlicedDocument(
        descriptor=descriptor,
        head=head,
        tail=tail,
        end=size - len(tail),
        cut_behind=b"</%s>" % tag,
        other_content=(
            re.compile(rb"\s*<%s[\s>]" % shown),
            re.compile(rb"</%s(?!>\s*(?:<%s[\s>]|\Z))" % (shown, shown)),
            re.compile(rb"<%s(?=[\s/>])(?!%s>)" % (shown, _ATTRIBUTES)),
        ),
    )


class Cut(NamedTuple):
    """A stored source that is cut, and what its head and tail say by themselves."""

    stored: Stored
    options: ReadOptions
    document: SlicedDocument
    header: Feed
    issues: Sequence[Issue]
    """Of the header."""
    is_late: bool = False

    @classmethod
    def of(cls, stored: Stored, options: ReadOptions) -> Cut | None:
        """Cut a source; None: it must be read as a whole."""
        document = _sliced(stored.stream, stored.entry_end)
        if document is None:
            return None
        issues: list[Issue] = []
        try:
            frame = stored.read(BytesIO(document.head + document.tail), options, issues.append)
            is_sound = not any(frame.entries)
        except ConverterError:
            return None
        if not is_sound or frame.is_late or any(issue.code in _UNCLEAN for issue in issues):
            return None
        options = options._replace(header=frame.feed)
        return cls(
            stored=stored, options=options, document=document, header=frame.feed, issues=issues
        )

    @property
    def feed(self) -> Feed:
        """The header."""
        return self.header

    def lines_before(self, part: Slice) -> int:
        """Return how many lines of the source are missing before a slice when it is read."""
        return part.lines - self.document.head.count(b"\n")

    def converted(self, stage: EntryStage) -> Iterator[Iterator[Converted]]:
        """Read the slices one after the other in this process."""
        for part in self.document:
            stage.line_shift = self.lines_before(part)
            yield stage.converted(self.read(part, stage.of_reader))
            self.stored.stream.seek(part.end)  # for whoever shows the progress
        stage.line_shift = 0

    def read(self, part: Slice, report: Report) -> Document:
        """Begin to read a slice; what there is to say of the header is not reported again.

        Raises:
            NotSeparableError: at any time, also while it is walked: the source is not sound.
        """
        expected = deque(self.issues)

        def of_slice(issue: Issue) -> None:
            if issue.code in _UNCLEAN:
                raise NotSeparableError
            if expected and issue == expected[0]:
                expected.popleft()
            else:
                report(issue)

        return self.stored.read(BytesIO(self.document.markup(part)), self.options, of_slice)


def descriptor_of(stream: BinaryIO) -> int | None:
    """Return the descriptor of a plain file, which other processes can read; None: it is not."""
    if isinstance(stream, io.BufferedReader | io.BufferedRandom) and type(stream.raw) is io.FileIO:
        return stream.fileno()
    return None
