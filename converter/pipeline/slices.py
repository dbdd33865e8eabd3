"""Cuts large documents behind their entries: a slice is read as head + slice + tail.

That is sound because nothing but entries and white space may stand in a slice, and nothing but end
tags in the tail; and each slice must be well-formed between head and tail, as head and tail must be
by themselves. A document in which anything else is found is read as a whole.
"""

from __future__ import annotations

import io
import os
import re
from collections import deque
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from converter.errors import ConverterError
from converter.formats.base import Document
from converter.issues import Code, Issue, Report
from converter.options import ReadOptions
from converter.pipeline.inputs import StoredDocument
from converter.xml.detect import detect_encoding

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
_END_TAGS: Final = re.compile(rb"(?:\s|</[^<>]*>)*")

#: What a reader reports of a document that is damaged or not in UTF-8: it is not cut.
_UNCLEAN: Final = frozenset(
    {Code.XML_BROKEN, Code.XML_REPAIRED, Code.ENCODING_ASSUMED, Code.ENTITY_REMOVED}
)


class NotSeparableError(Exception):
    """A source cannot be read by slices; the pass must begin again and read it as a whole."""


class Slice(NamedTuple):
    """A part of a source, from byte to byte."""

    start: int
    end: int
    line_shift: int
    """How many lines of the source are missing before it when it is read behind the head."""


class SlicedSource:
    """A large source that is cut: iterate it for its slices."""

    def __init__(self, stored: StoredDocument, options: ReadOptions) -> None:
        """Read the header from head and tail.

        Raises:
            NotSeparableError: the source is small or unusual.
        """
        self.stream, self._read = stored.stream, stored.read
        self._size = file_size(stored.stream)
        if stored.entry_end is None or self._size < _FEWEST_BYTES:
            raise NotSeparableError
        begin = self._bytes(0, _MOST_FRAME_BYTES)
        last = self._bytes(max(0, self._size - _MOST_FRAME_BYTES), self._size)
        self._head, self._tail, self._cut_behind, self._holds_entries = (
            _list_layout(begin)
            if stored.entry_end == "\n"
            else _xml_layout(begin, last, stored.entry_end)
        )
        self._header_issues: list[Issue] = []
        frame = BytesIO(self._head + self._tail)
        try:
            document = self._read(frame, options, self._header_issues.append)
            has_entries = any(document.entries)
        except ConverterError as error:
            raise NotSeparableError from error
        if has_entries or any(issue.code in _UNCLEAN for issue in self._header_issues):
            raise NotSeparableError
        self._options = options._replace(header=document.feed)

    def __iter__(self) -> Iterator[Slice]:
        start, end, line_shift = len(self._head), self._size - len(self._tail), 0
        while start < end:
            data = self._entries_at(start, end)
            # nothing is there if the file was cut off: `read` finds out
            part = Slice(start, start + len(data) if data else end, line_shift)
            yield part
            start, line_shift = part.end, line_shift + data.count(b"\n")

    def _entries_at(self, start: int, end: int) -> bytes:
        """Read from a place to the end of an entry; if none is near, the slice is not sound."""
        size = _SLICE_BYTES
        while True:
            data = self._bytes(start, min(start + size, end))
            if start + size >= end:
                return data
            if (behind := data.rfind(self._cut_behind)) >= 0:
                return data[: behind + len(self._cut_behind)]
            if size >= _MOST_SLICE_BYTES:
                return data
            size *= 2

    def _bytes(self, start: int, end: int) -> bytes:
        """Read some bytes; processes that share the stream would move each other's place in it."""
        return os.pread(self.stream.fileno(), end - start, start)

    def read(self, part: Slice, report: Report) -> Document:
        """Begin to read a slice; issues of the header are reported with the first.

        Raises:
            NotSeparableError: at any time, also while it is walked: the source is not sound.
        """
        known = deque(self._header_issues if part.start > len(self._head) else ())

        def of_slice(issue: Issue) -> None:
            if issue.code in _UNCLEAN:
                raise NotSeparableError
            if known and issue == known[0]:
                known.popleft()
            else:
                report(issue)

        data = self._bytes(part.start, part.end)
        is_last = part.end == self._size - len(self._tail)
        if len(data) < part.end - part.start or not self._holds_entries(data):
            raise NotSeparableError
        if not (is_last or data.endswith(self._cut_behind)):
            raise NotSeparableError
        markup = BytesIO(b"".join((self._head, data, self._tail)))
        return self._read(markup, self._options, of_slice)


#: Head, tail, what a slice ends with, and what says if there is nothing but entries in a slice.
_Layout: TypeAlias = tuple[bytes, bytes, bytes, Callable[[bytes], bool]]


def _list_layout(begin: bytes) -> _Layout:
    """Cut a list of URLs, if it is in UTF-8, behind each line."""
    codec, _ = detect_encoding(begin[:4])
    if codec != "utf-8":
        raise NotSeparableError
    return b"", b"", b"\n", lambda data: data.count(b"\r") == data.count(b"\r\n")


def _xml_layout(begin: bytes, last: bytes, name: str) -> _Layout:
    """Cut XML, if it is in UTF-8 without a DOCTYPE, behind each entry."""
    first = re.search(rb"<((?:[\w.\-]+:)?%s)[\s>]" % name.encode(), begin)
    if first is None:
        raise NotSeparableError
    start, end = b"<%s" % first[1], b"</%s>" % first[1]
    _, found, tail = last.rpartition(end)
    head = begin[: first.start()]
    encoding = _ENCODING.match(head)
    if b"<!DOCTYPE" in head or (encoding and encoding[1].lower() not in _UTF8):
        raise NotSeparableError
    if not found or not _END_TAGS.fullmatch(tail):
        raise NotSeparableError
    entry = re.compile(rb"\s*%s%s>" % (re.escape(start), _ATTRIBUTES))

    def holds_entries(data: bytes) -> bool:
        *entries, rest = data.split(end)
        is_whole = data.count(start) == len(entries) and not rest.strip()
        return is_whole and all(map(entry.match, entries))

    return head, tail, end, holds_entries


def file_size(stream: BinaryIO) -> int:
    """Return the size of a plain file, which other processes can read; 0 for anything else."""
    if isinstance(stream, io.BufferedReader | io.BufferedRandom) and type(stream.raw) is io.FileIO:
        return os.fstat(stream.fileno()).st_size
    return 0
