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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple

from converter.errors import ConverterError
from converter.issues import Code, Issue, Report
from converter.model import Feed
from converter.options import ReadOptions
from converter.readers import Stored
from converter.seams import Document
from converter.xml.prefix import encoding_of

__all__ = ["NotSeparableError", "Slice", "SlicedSource", "descriptor_of"]

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


class _Layout(NamedTuple):
    """Where a document may be cut."""

    head: bytes
    """Everything before the first entry."""
    tail: bytes
    """Everything behind the last one."""
    cut_behind: bytes
    holds_entries: Callable[[bytes], bool]
    """Is there nothing but white space between the entries of a slice?"""


@dataclass(slots=True, kw_only=True, eq=False)
class SlicedSource:
    """A large source that is cut: iterate it for its slices. It is a `Header`, too."""

    stored: Stored
    options: ReadOptions
    descriptor: int
    end: int
    """Where the tail begins."""
    layout: _Layout
    feed: Feed = field(default_factory=Feed)
    """What head and tail say by themselves."""
    issues: Sequence[Issue] = ()
    """Of the header."""
    is_late: bool = False

    @classmethod
    def of(cls, stored: Stored, options: ReadOptions) -> SlicedSource | None:
        """Cut a source; None: it is small or unusual, and must be read as a whole."""
        descriptor, name = descriptor_of(stored.stream), stored.entry_end
        size = 0 if descriptor is None else os.fstat(descriptor).st_size
        if descriptor is None or name is None or size < _FEWEST_BYTES:
            return None
        begin = os.pread(descriptor, _MOST_FRAME_BYTES, 0)
        last = os.pread(descriptor, _MOST_FRAME_BYTES, max(0, size - _MOST_FRAME_BYTES))
        layout = _of_list(begin) if name == "\n" else _of_xml(begin, last, name.encode())
        if layout is None:
            return None
        source = cls(
            stored=stored,
            options=options,
            descriptor=descriptor,
            end=size - len(layout.tail),
            layout=layout,
        )
        return source if source._is_readable() else None

    def _is_readable(self) -> bool:
        """Read the header from head and tail; False: they are not sound by themselves."""
        issues: list[Issue] = []
        frame = BytesIO(self.layout.head + self.layout.tail)
        try:
            document = self.stored.read(frame, self.options, issues.append)
            is_sound = not any(document.entries)
        except ConverterError:
            return False
        self.feed, self.issues = document.feed, issues
        self.options = self.options._replace(header=document.feed)
        is_clean = not any(issue.code in _UNCLEAN for issue in issues)
        return is_sound and is_clean and not document.is_late

    def __iter__(self) -> Iterator[Slice]:
        start, lines = len(self.layout.head), self.layout.head.count(b"\n")
        while start < self.end:
            data, size = b"", _SLICE_BYTES
            cut = 0
            while not cut and len(data) < min(_MOST_SLICE_BYTES, self.end - start):
                data = os.pread(self.descriptor, min(size, self.end - start), start)
                if not data:
                    return  # somebody has cut the file off
                behind = data.rfind(self.layout.cut_behind)
                cut = behind + len(self.layout.cut_behind) if behind >= 0 else 0
                size *= 2
            if start + len(data) >= self.end:
                cut = len(data)
            cut = cut or len(data)  # which will not be well-formed
            yield Slice(start, start + cut, lines)
            lines += data.count(b"\n", 0, cut)
            start += cut

    def lines_before(self, part: Slice) -> int:
        """Return how many lines of the source are missing before a slice when it is read."""
        return part.lines - self.layout.head.count(b"\n")

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

        data = os.pread(self.descriptor, part.end - part.start, part.start)
        if len(data) < part.end - part.start or not self.layout.holds_entries(data):
            raise NotSeparableError
        markup = BytesIO(b"".join((self.layout.head, data, self.layout.tail)))
        return self.stored.read(markup, self.options, of_slice)


def _of_list(begin: bytes) -> _Layout | None:
    """Return where a list of URLs may be cut, if it is in UTF-8: behind each line."""

    def holds_lines(data: bytes) -> bool:
        return data.count(b"\r") == data.count(b"\r\n")

    codec, _ = encoding_of(begin[:4])
    return _Layout(b"", b"", b"\n", holds_lines) if codec == "utf-8" else None


def _of_xml(begin: bytes, last: bytes, name: bytes) -> _Layout | None:
    """Return where XML may be cut, if it is in UTF-8 without a DOCTYPE: behind each entry."""
    first = re.search(rb"<((?:[\w.\-]+:)?%s)[\s>]" % name, begin)
    if first is None:
        return None
    start, end = b"<%s" % first[1], b"</%s>" % first[1]
    _, found, tail = last.rpartition(end)
    head = begin[: first.start()]
    encoding = _ENCODING.match(head)
    if not found or b"<!DOCTYPE" in head or (encoding and encoding[1].lower() not in _UTF8):
        return None
    entry = re.compile(rb"\s*%s%s>" % (re.escape(start), _ATTRIBUTES))
    longer_name = re.compile(rb"%s[^\s/>]" % re.escape(start))

    def holds_entries(data: bytes) -> bool:
        *entries, rest = data.split(end)
        starts = data.count(start)
        if starts != len(entries):
            starts -= len(longer_name.findall(data))
        return starts == len(entries) and all(map(entry.match, entries)) and not rest.strip()

    return _Layout(head, tail, end, holds_entries)


def descriptor_of(stream: BinaryIO) -> int | None:
    """Return the descriptor of a plain file, which other processes can read; None: it is not."""
    if isinstance(stream, io.BufferedReader | io.BufferedRandom) and type(stream.raw) is io.FileIO:
        return stream.fileno()
    return None
