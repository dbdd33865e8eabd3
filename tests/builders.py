"""Values, documents and files that many tests need."""

from __future__ import annotations

import gzip
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import converter
from converter import Result
from converter.formats.base import Part, PartLimits, Reader, Rendered, Spool, Writer
from converter.issues import Code, Issue, Report, ignore
from converter.model import Entry, Feed, Moment, Precision
from converter.options import ReadOptions
from converter.pipeline.splitter import pack
from converter.publish.file_names import part_name
from converter.publish.target import open_target

#: The time of every run: the environment of the tests sets it (conftest.py).
NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
NOW_EPOCH = "1768478400"

NO_LIMITS = PartLimits()

SAMPLES = Path(__file__).parents[1] / "samples"


# values


def at(
    year: int,
    month: int = 1,
    day: int = 1,
    hour: int = 0,
    minute: int = 0,
    second: int = 0,
    *,
    offset_h: float = 0,
    precision: Precision = Precision.SECOND,
) -> Moment:
    """Return a moment; in UTC unless an offset is given."""
    zone = timezone(timedelta(hours=offset_h)) if offset_h else UTC
    instant = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    return Moment(instant=instant, precision=precision)


def day(year: int, month: int = 1, day: int = 1) -> Moment:
    """Return a date without a time."""
    return at(year, month, day, precision=Precision.DAY)


def moment(text: str, precision: Precision | None = None) -> Moment:
    """Return a moment from ISO 8601, in UTC unless it has an offset; a date alone is a day."""
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=UTC)
    is_day = len(text) == len("2026-01-15")
    return Moment(
        instant=instant, precision=precision or (Precision.DAY if is_day else Precision.SECOND)
    )


# documents


def rss(*items: str, head: str = "", tail: str = "") -> io.BytesIO:
    """Return an RSS feed; each item is the content of its element, one a line."""
    inner = "".join(f"<item>{item}</item>\n" for item in items)
    text = (
        '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"'
        ' xmlns:atom="http://www.w3.org/2005/Atom"'
        ' xmlns:podcast="https://podcastindex.org/namespace/1.0">'
        f"<channel>\n{head}{inner}{tail}</channel></rss>"
    )
    return io.BytesIO(text.encode())


def urlset(*locs: str) -> str:
    """Return a sitemap, one page a line."""
    return "<urlset>" + "".join(f"<url><loc>{loc}</loc></url>\n" for loc in locs) + "</urlset>"


def index_of(*children: str) -> str:
    """Return a sitemap index, one sitemap a line."""
    listed = "".join(f"<sitemap><loc>{child}</loc></sitemap>\n" for child in children)
    return f"<sitemapindex>{listed}</sitemapindex>"


# conversions


def converted(source: Any, **options: Any) -> tuple[str, Result, list[Issue]]:
    """Convert into memory; return the document, the result and the issues."""
    target = io.BytesIO()
    issues: list[Issue] = []
    result = converter.convert(source, target, report=issues.append, **options)
    return target.getvalue().decode(), result, issues


def locs_in(document: str, under: str = "") -> list[str]:
    """Return the URLs of a sitemap that start with `under`, without it."""
    return re.findall(f"<loc>{re.escape(under)}(.*?)</loc>", document)


def codes(issues: Iterable[Issue]) -> list[Code]:
    """Return the codes of issues."""
    return [issue.code for issue in issues]


# readers and writers


def read_all(
    reader: Reader | None, document: str | bytes, options: ReadOptions | None = None
) -> tuple[Feed, list[Entry], list[Issue]]:
    """Read a document to its end; return its header, entries and issues."""
    assert reader is not None
    issues: list[Issue] = []
    data = document.encode() if isinstance(document, str) else document
    found = reader(io.BytesIO(data), options or ReadOptions(), issues.append)
    assert found.children == ()
    entries = list(found.entries)
    return found.feed, entries, issues


def rendered(
    writer: Writer, entries: Iterable[Entry], report: Report = ignore
) -> Iterator[Rendered]:
    """Render entries as the first stage of a conversion does."""
    for entry in entries:
        item = writer.entry(entry, report) or Rendered()
        item.entry, item.loc, item.line = entry, entry.loc, entry.line
        yield item


def document_of(
    writer: Writer, entries: Iterable[Entry], feed: Feed | None = None, report: Report = ignore
) -> bytes:
    """Write entries as one document, which may be without any; finish the writer."""
    feed = feed or Feed()
    made = [item for item in (writer.entry(entry, report) for entry in entries) if item]
    head = writer.head(feed, frozenset[str]().union(*(item.prefixes for item in made)))
    writer.finish(report)
    return head + b"".join(item.body for item in made) + writer.tail(feed)


def head_of(writer: Writer, feed: Feed, entries: Iterable[Entry] = ()) -> tuple[str, list[Issue]]:
    """Write entries; return the head, and the issues about the whole output."""
    issues: list[Issue] = []
    for entry in entries:
        writer.entry(entry, ignore)
    head = writer.head(feed, frozenset())
    writer.finish(issues.append)
    return head.decode(), issues


def parts_of(
    writer: Writer,
    entries: Iterable[Entry],
    limits: PartLimits = NO_LIMITS,
    *,
    feed: Callable[[], Feed] = Feed,
    spool: Spool = io.BytesIO,
    report: Report = ignore,
) -> Iterator[Part]:
    """Write entries; yield the parts, which must be read one after the other."""
    return pack(writer, rendered(writer, entries), feed, limits, spool, report)


def content_of(parts: Iterable[Part]) -> bytes:
    """Return the contents of parts, one behind the other."""
    return b"".join(chunk for part in parts for chunk in part.chunks)


class Drip(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int | None) -> None:
        super().__init__(data)
        self._size = size

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._size or size)


# files


def put(target: Path | str, content: bytes, **parts: bytes) -> None:
    """Publish one file, and parts by number as `n1=b"..."`."""
    with open_target(target) as sink:
        files = [
            (part_name(sink.name, int(number[1:])), sink.stage([part], compress=False))
            for number, part in parts.items()
        ]
        sink.publish([*files, (sink.name, sink.stage([content], compress=False))])


def make_irregular(path: Path, kind: str) -> None:
    """Create a "link" to `elsewhere`, a "fifo" or a "folder"."""
    if kind == "link":
        path.symlink_to("elsewhere")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()


def tree(folder: Path | str = ".") -> dict[str, bytes]:
    """Return the contents of all files of a folder by name, hidden ones included."""
    return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}


def text(path: Path | str) -> str:
    """Return the text of a file, which may be compressed."""
    data = Path(path).read_bytes()
    return (gzip.decompress(data) if str(path).endswith(".gz") else data).decode()


def locs(path: Path | str, under: str = "") -> list[str]:
    """Return the URLs of a sitemap that start with `under`, without it."""
    return locs_in(text(path), under)
