"""Cut a large document behind its entries, to read it in parts: head + slice + tail.

That is sound because a slice holds nothing but entries and white space, and the tail nothing but
end tags; and because each slice between head and tail must be well-formed, as head + tail must be.
A document that holds anything else is read as a whole.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from converter.errors import ConverterError
from converter.formats.base import Document
from converter.issues import Code, Issue, Report
from converter.options import ReadOptions
from converter.pipeline.inputs import StoredDocument
from converter.xml.detect import detect_encoding

#: Smaller documents are read as a whole.
_MIN_BYTES: Final = 512 * 1024
_SLICE_BYTES: Final = 256 * 1024
#: A slice grows up to this size to find the end of an entry.
_MAX_SLICE_BYTES: Final = 4 * 1024 * 1024
#: The largest head, and the largest tail.
_MAX_FRAME_BYTES: Final = 64 * 1024

_ENCODING: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?<\?xml\b[^>]*\bencoding\s*=\s*[\"']([^\"']*)[\"']"
)
_UTF8: Final = frozenset({b"utf-8", b"utf8", b"us-ascii", b"ascii"})
_ATTRIBUTES: Final = rb"""(?:\s+[^\s"'<>=/]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*"""
_END_TAGS: Final = re.compile(rb"(?:\s|</[^<>]*>)*")

#: Issues of documents that are damaged or not in UTF-8, which are read as a whole.
_DAMAGES: Final = frozenset(
    {Code.XML_BROKEN, Code.XML_REPAIRED, Code.ENCODING_ASSUMED, Code.ENTITY_REMOVED}
)


class NotSeparableError(Exception):
    """A source cannot be read by slices; another pass must read it as a whole."""


class Slice(NamedTuple):
    """A range of bytes of a source."""

    start: int
    end: int
    line_shift: int
    """How many lines of the source are missing before it when it is read behind the head."""


class SlicedSource:
    """A large source as an iterable of slices."""

    def __init__(self, stored: StoredDocument, options: ReadOptions) -> None:
        """Read the header from head and tail.

        Raises:
            NotSeparableError: the source is small or unusual.
        """
        self.stream, self._read = stored.stream, stored.read
        size = file_size(stored.stream)
        if stored.entry_end is None or size < _MIN_BYTES:
            raise NotSeparableError
        first = self._bytes(0, _MAX_FRAME_BYTES)
        last = self._bytes(max(0, size - _MAX_FRAME_BYTES), size)
        is_list = stored.entry_end == "\n"
        self._head, self._tail, self._entry_end, self._holds_entries = (
            _list_layout(first) if is_list else _xml_layout(first, last, stored.entry_end)
        )
        self._end = size - len(self._tail)
        self._header_issues: list[Issue] = []
        try:
            frame = BytesIO(self._head + self._tail)
            document = self._read(frame, options, self._header_issues.append)
            has_entries = any(document.entries)
        except ConverterError as error:
            raise NotSeparableError from error
        if has_entries or any(issue.code in _DAMAGES for issue in self._header_issues):
            raise NotSeparableError
        self._options = replace(options, header=document.feed)

    def __iter__(self) -> Iterator[Slice]:
        start, line_shift = len(self._head), 0
        while start < self._end:
            data = self._entries_at(start)
            # no data: the file has become shorter, and `read` raises an error
            part = Slice(start, start + len(data) if data else self._end, line_shift)
            yield part
            start, line_shift = part.end, line_shift + data.count(b"\n")

    def _entries_at(self, start: int) -> bytes:
        """Read up to the end of an entry; if none is near, `read` raises an error."""
        for size in (_SLICE_BYTES, _MAX_SLICE_BYTES):
            data = self._bytes(start, min(start + size, self._end))
            entries, end_tag, _ = data.rpartition(self._entry_end)
            if start + size >= self._end:
                break
            if end_tag:
                return entries + end_tag
        return data

    def _bytes(self, start: int, end: int) -> bytes:
        """Read a range of bytes; processes that share the stream share its position, too."""
        return os.pread(self.stream.fileno(), end - start, start)

    def read(self, part: Slice, report: Report) -> Document:
        """Begin to read a slice; issues of the header are reported with the first slice only.

        Raises:
            NotSeparableError: at any time, also while entries are read: the slice is not sound.
        """
        data = self._bytes(part.start, part.end)
        is_complete = len(data) == part.end - part.start
        is_cut_well = part.end == self._end or data.endswith(self._entry_end)
        if not (is_complete and is_cut_well and self._holds_entries(data)):
            raise NotSeparableError
        header_issues = self._header_issues[::-1] if part.start > len(self._head) else []

        def report_of_slice(issue: Issue) -> None:
            if issue.code in _DAMAGES:
                raise NotSeparableError
            if header_issues and issue == header_issues[-1]:
                header_issues.pop()
            else:
                report(issue)

        markup = BytesIO(b"".join((self._head, data, self._tail)))
        return self._read(markup, self._options, report_of_slice)


_Layout: TypeAlias = tuple[bytes, bytes, bytes, Callable[[bytes], bool]]
"""Head, tail, end of an entry, and a function that checks that a slice holds only entries."""


def _list_layout(first: bytes) -> _Layout:
    """Cut a list of URLs in UTF-8 behind each line."""
    codec, _ = detect_encoding(first[:4])
    if codec != "utf-8":
        raise NotSeparableError
    return b"", b"", b"\n", lambda data: data.count(b"\r") == data.count(b"\r\n")


def _xml_layout(first: bytes, last: bytes, name: str) -> _Layout:
    """Cut XML in UTF-8 without a DOCTYPE behind each entry."""
    start_tag = re.search(rb"<((?:[\w.\-]+:)?%s)[\s>]" % name.encode(), first)
    if start_tag is None:
        raise NotSeparableError
    start, end = b"<%s" % start_tag[1], b"</%s>" % start_tag[1]
    head, (_, found, tail) = first[: start_tag.start()], last.rpartition(end)
    encoding = _ENCODING.match(head)
    is_utf8 = encoding is None or encoding[1].lower() in _UTF8
    if not (is_utf8 and found and _END_TAGS.fullmatch(tail)) or b"<!DOCTYPE" in head:
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
