"""The public functions of the library: read, convert and write."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

import converter
from converter import (
    Code,
    ConverterError,
    DocumentError,
    Entry,
    Feed,
    Image,
    Issue,
    LimitError,
    Moment,
    OptionError,
    RefusedError,
    SourceError,
    UnknownFormatError,
    Video,
)
from converter.model import Alternate, Text, Thumbnail
from tests.builders import codes

ITEM = "<item><link>https://ex.com/{0}</link><title>No. {0}</title></item>\n"

pytestmark = pytest.mark.usefixtures("in_tmp_path")


def feed(count: int, tail: str = "") -> bytes:
    items = "".join(ITEM.format(number) for number in range(count))
    return f'<rss version="2.0"><channel>\n{items}{tail}</channel></rss>'.encode()


@pytest.fixture
def blog() -> Path:
    path = Path("blog.rss")
    path.write_bytes(feed(3, "<title>Blog</title>"))
    return path


class Stream(io.RawIOBase):
    """Bytes that come once, and cannot be gone back in."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)
        self.taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._data.readinto(memoryview(buffer)[:4096])
        self.taken += count
        return count


# -- read -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["str", "path", "file", "memory", "pipe"])
def test_a_document_is_read_from_a_path_or_a_stream(blog: Path, kind: str) -> None:
    with blog.open("rb") as file:
        source = {
            "str": str(blog),
            "path": blog,
            "file": file,
            "memory": io.BytesIO(blog.read_bytes()),
            "pipe": Stream(blog.read_bytes()),
        }[kind]
        document = converter.read(source)  # type: ignore[arg-type]  # a table of several types
        assert [entry.loc for entry in document.entries] == [
            f"https://ex.com/{n}" for n in range(3)
        ]
    named = kind in {"str", "path", "file"}
    assert document.feed.source == ("blog.rss" if named else "-")


def test_entries_are_read_one_by_one_and_the_header_is_complete_at_the_end(blog: Path) -> None:
    with converter.read(blog) as document:
        entries = document.entries
        first = next(entries)
        assert (first.loc, first.title, first.line) == ("https://ex.com/0", "No. 0", 2)
        assert document.feed.title is None
        assert len(list(entries)) == 2
        assert document.feed.title == "Blog"
        assert document.children == ()


def test_entries_are_read_lazily() -> None:
    """A break far behind the first entry is no matter to whoever looks at the first only."""
    broken = io.BytesIO(feed(20_000)[:-2_000])
    with converter.read(broken) as document:
        assert next(document.entries).title == "No. 0"
        assert document.issues == []
    assert not broken.closed
    with converter.read(io.BytesIO(broken.getvalue())) as document:
        assert len(list(document.entries)) > 19_000
        assert codes(document.issues)[-1] is Code.XML_BROKEN


def test_issues_are_on_the_document_with_the_name_of_the_source() -> None:
    Path("a.txt").write_text("https://ex.com/1\nx\n", "utf-8")
    document = converter.read("a.txt")
    assert document.issues == []
    list(document.entries)
    assert [(i.code, i.source, i.line) for i in document.issues] == [
        (Code.LINE_NOT_URL, "a.txt", 2)
    ]


def test_a_report_gets_the_issues_as_they_are_found() -> None:
    issues: list[Issue] = []
    source = io.BytesIO(b"https://ex.com/1\nx\nhttps://ex.com/2\n")
    document = converter.read(source, report=issues.append)
    for entry in document.entries:
        assert entry.line != 3 or [issue.line for issue in issues] == [2]
    assert document.issues == []
    assert len(issues) == 1


@pytest.mark.parametrize(
    ("source", "options", "expected"),
    [
        (b"<rss><channel><item><link>/a</link></item></channel></rss>", {}, [None]),
        (
            b"<rss><channel><item><link>/a</link></item></channel></rss>",
            {"base_url": "https://ex.com/x"},
            ["https://ex.com/a"],
        ),
        (b"/a\n", {"format": "txt", "base_url": "https://ex.com/x"}, ["https://ex.com/a"]),
        (b"https://ex.com/\n", {"format": "auto"}, ["https://ex.com/"]),
    ],
)
def test_read_takes_the_options_of_reading(source: bytes, options: Any, expected: Any) -> None:
    document = converter.read(io.BytesIO(source), **options)
    assert [entry.loc for entry in document.entries] == expected


def test_read_takes_a_time_zone_and_scan_html() -> None:
    item = (
        b"<rss><channel><item><link>https://ex.com/</link><pubDate>2025-07-01 10:00:00</pubDate>"
        b"<description>&lt;img src='/a.png'&gt;</description></item></channel></rss>"
    )
    document = converter.read(
        io.BytesIO(item), assume_tz="Europe/Berlin", scan_html=True, base_url="https://ex.com/"
    )
    (entry,) = document.entries
    assert entry.published is not None
    assert entry.published.instant.isoformat() == "2025-07-01T10:00:00+02:00"
    assert [image.url for image in entry.images] == ["https://ex.com/a.png"]


@pytest.mark.parametrize(
    ("source", "options", "error"),
    [
        ("missing.rss", {}, SourceError),
        (".", {}, SourceError),
        (io.BytesIO(b""), {}, UnknownFormatError),
        (io.BytesIO(b"{}"), {}, UnknownFormatError),
        (io.BytesIO(feed(1)), {"format": "atom"}, DocumentError),
        (io.BytesIO(feed(1)), {"format": "gif"}, OptionError),
        (io.BytesIO(feed(1)), {"base_url": "x"}, OptionError),
        (io.BytesIO(feed(1)), {"assume_tz": "Mars"}, OptionError),
        (io.StringIO("https://ex.com/"), {}, OptionError),
        (7, {}, OptionError),
    ],
)
def test_an_unreadable_source_is_an_error_at_once(source: Any, options: Any, error: Any) -> None:
    with pytest.raises(error):
        converter.read(source, **options)


BYTES = (b"<rss/>", bytearray(b"<rss/>"), memoryview(b"<rss/>"), b"")


@pytest.mark.parametrize("source", [*BYTES, *([each] for each in BYTES)], ids=str)
def test_bytes_are_refused_as_a_source(source: Any) -> None:
    given = source[0] if isinstance(source, list) else source
    for begun in (lambda: converter.read(given), lambda: converter.convert(source, "s.xml")):
        with pytest.raises(TypeError, match=r"not (bytes|bytearray|memoryview); .*io\.BytesIO"):
            begun()
    assert list(Path().glob("*.xml")) == []


@pytest.mark.parametrize(
    "text",
    [
        "<rss version='2.0'/>",
        "\ufeff \n<?xml version='1.0'?>",
        '{ "version": "https://jsonfeed.org/version/1.1"}',
        "blog.rss\nother.rss",
        "https://ex.com/1\nhttps://ex.com/2\n",
        "<" * 100_000,
    ],
    ids=lambda text: text[:5],
)
def test_the_text_of_a_document_is_refused_as_a_source(text: str) -> None:
    for begun in (lambda: converter.read(text), lambda: converter.convert(text, "s.xml")):
        with pytest.raises(ConverterError) as raised:
            begun()
        assert len(str(raised.value)) < 400


@pytest.mark.parametrize("name", ["<rss>", '{"a', "a\nb"])
def test_a_file_name_may_resemble_a_document(name: str) -> None:
    Path(name).write_text("https://ex.com/1\n")
    assert [entry.loc for entry in converter.read(name)] == ["https://ex.com/1"]


def test_a_document_is_its_entries(blog: Path) -> None:
    assert list(converter.read(blog)) == list(converter.read(blog).entries)
    document = converter.read(blog)
    _, *rest = iter(document)
    assert len(rest) == 2


def test_the_version_is_the_one_that_is_installed() -> None:
    assert converter.__version__ == metadata.version("feed2sitemap")


@pytest.mark.parametrize("is_stream", [False, True])
def test_a_source_is_replaced_only_by_force(blog: Path, is_stream: bool) -> None:
    before = blog.read_bytes()
    with blog.open("rb") as stream:
        source = stream if is_stream else blog
        with pytest.raises(OptionError, match="is a source"):
            converter.convert(source, blog, to="rss")
        assert blog.read_bytes() == before
        converter.convert(source, blog, to="rss", force=True)
    assert blog.read_bytes() != before


def test_a_merged_document_is_replaced_only_by_force() -> None:
    converter.write(ENTRIES, "s.xml")
    with pytest.raises(OptionError, match="is a source"):
        converter.write(ENTRIES, "s.xml", merge=["./s.xml"])
    converter.write(ENTRIES, "s.xml", merge=["./s.xml"], update=True)


def test_errors_while_reading_name_the_source_and_the_line() -> None:
    Path("a.rss").write_bytes(b"<rss>\n<channel>\n<item><link>x</link>")
    with pytest.raises(DocumentError, match=r"\Aa\.rss: not well-formed at line 3") as raised:
        list(converter.read("a.rss").entries)
    assert raised.value.line == 3


def test_limits_name_the_source_too() -> None:
    Path("a.rss").write_bytes(b"<rss><channel><item>" + b"<x>" * 300)
    with pytest.raises(LimitError, match=r"\Aa\.rss: "):
        list(converter.read("a.rss").entries)


class Failing(io.BytesIO):
    """A disk that breaks."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() >= 64 * 1024:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().read(size)


@pytest.mark.parametrize("data", [feed(5000), b"https://ex.com/\n" * 50_000])
def test_a_read_error_of_the_disk_is_a_source_error(data: bytes) -> None:
    with pytest.raises(SourceError, match="-: cannot be read to its end: Input/output error"):
        list(converter.read(Failing(data)).entries)
    with pytest.raises(SourceError):
        converter.convert(Failing(data), "s.xml")
    assert not Path("s.xml").exists()


def test_the_source_is_closed_at_the_end_or_when_asked(blog: Path) -> None:
    def is_open() -> bool:
        return any(
            os.path.realpath(fd) == str(blog.absolute()) for fd in Path("/proc/self/fd").iterdir()
        )

    document = converter.read(blog)
    assert is_open()
    list(document.entries)
    assert not is_open()
    document = converter.read(blog)
    next(document.entries)
    document.close()
    assert not is_open()
    with pytest.raises(OptionError):
        converter.read(blog, format="gif")
    assert not is_open()


# -- convert ----------------------------------------------------------------------------------


def published(path: str = "s.xml") -> list[str]:
    return [loc.text or "" for loc in etree.parse(path).iterfind("{*}url/{*}loc")]


def test_options_of_the_command_line_are_keywords(blog: Path) -> None:
    result = converter.convert(blog, "s.xml", exclude=["/1"], changefreq="daily", format="rss")
    assert published() == ["https://ex.com/0", "https://ex.com/2"]
    assert Path("s.xml").read_text("utf-8").count("<changefreq>daily</changefreq>") == 2
    assert (result.urls, result.skipped, result.sources) == (2, 1, 1)
    assert codes(result.issues) == [Code.ENTRY_FILTERED]


def test_an_unknown_keyword_is_a_type_error(blog: Path) -> None:
    with pytest.raises(TypeError, match="no keyword 'colour'"):
        converter.convert(blog, "s.xml", colour="red")  # type: ignore[call-arg]  # that is it


@pytest.mark.parametrize("as_list", [False, True])
def test_one_source_or_several(blog: Path, as_list: bool) -> None:
    given: Any = [blog, io.BytesIO(b"https://ex.com/9\n")] if as_list else io.BytesIO(feed(2))
    result = converter.convert(given, "s.xml")
    assert result.sources == (2 if as_list else 1)
    assert len(published()) == (4 if as_list else 2)


def test_no_source_at_all_is_refused() -> None:
    with pytest.raises(OptionError, match="no source"):
        converter.convert([], "s.xml")


def test_a_pipe_is_read_and_a_stream_is_written(blog: Path) -> None:
    target = io.BytesIO()
    result = converter.convert(Stream(blog.read_bytes()), target)
    assert target.getvalue().count(b"<loc>") == 3
    assert [(file.path, file.bytes) for file in result.files] == [("-", len(target.getvalue()))]
    assert not target.closed


def test_standard_input_is_a_source(blog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(blog.read_bytes())))
    issues: list[Issue] = []
    converter.convert("-", "s.xml", report=issues.append)
    assert len(published()) == 3


def test_with_a_report_the_result_has_no_issues() -> None:
    issues: list[Issue] = []
    source = io.BytesIO(b"https://ex.com/\nx\n")
    result = converter.convert(source, "s.xml", report=issues.append)
    assert [issue.source for issue in issues] == ["-"]
    assert result.issues == ()


def test_issues_are_reported_before_a_refusal() -> None:
    issues: list[Issue] = []
    with pytest.raises(RefusedError):
        converter.convert(
            io.BytesIO(b"https://ex.com/\n"), "s.xml", exclude=["."], report=issues.append
        )
    assert codes(issues) == [Code.ENTRY_FILTERED]


def test_progress_ends_with_everything_read() -> None:
    told: list[tuple[int, int | None]] = []
    big, more = Path("big.rss"), Path("more.txt")
    big.write_bytes(feed(3000))
    more.write_bytes(b"https://ex.com/more\n")
    size = big.stat().st_size + more.stat().st_size
    converter.convert([big, more], "s.xml", progress=lambda *call: told.append(call))
    assert len(told) > 3
    assert told == sorted(told)
    assert told[-1] == (size, size)


def test_progress_has_no_total_if_a_size_is_unknown(blog: Path) -> None:
    told: list[tuple[int, int | None]] = []
    empty = Path("empty.txt")
    empty.touch()
    converter.convert([blog, empty], "s.xml", progress=lambda *call: told.append(call))
    assert {total for _, total in told} == {None}


# -- write ------------------------------------------------------------------------------------

AT = Moment(instant=datetime.fromisoformat("2025-01-01T10:00:00+00:00"))
ENTRIES = (
    Entry(
        loc="https://ex.com/a?utm_source=x",
        published=AT,
        images=(Image(url="https://ex.com/a.png"),),
        videos=(
            Video(
                content_url="https://ex.com/a.mp4",
                title=Text(value="T"),
                description=Text(value="D"),
                thumbnails=(Thumbnail(url="https://ex.com/t.png"),),
            ),
        ),
    ),
    Entry(loc="https://ex.com/b"),
)


def versions(*names: str) -> tuple[Alternate, ...]:
    return tuple(Alternate(hreflang=name, href=f"https://ex.com/{name}") for name in names)


def generated(entries: Iterable[Entry]) -> Iterator[Entry]:
    yield from entries


@pytest.mark.parametrize("given", [list, tuple, generated])
@pytest.mark.parametrize("feed", [None, Feed(title="T")])
def test_any_iterable_of_entries_can_be_written(given: Any, feed: Any) -> None:
    result = converter.write(given(ENTRIES), "s.xml", feed=feed)
    assert published() == ["https://ex.com/a", "https://ex.com/b"]
    assert (result.urls, result.images, result.videos) == (2, 1, 1)
    assert [(issue.code, issue.source) for issue in result.issues] == [
        (Code.URL_TRACKING_REMOVED, "entries")
    ]


@pytest.mark.parametrize("given", [list, generated])
@pytest.mark.parametrize("options", [{}, {"split_hosts": True}, {"sort": "url"}])
def test_entries_of_a_generator_can_be_read_again(given: Any, options: Any) -> None:
    entries = [
        Entry(loc="https://ex.com/de", alternates=versions("de", "en")),
        Entry(loc="https://ex.com/en", alternates=versions("de", "en")),
        Entry(loc="https://ex.com/fr", alternates=versions("fr", "it")),
        Entry(loc="https://ex.com/fr", images=(Image(url="https://ex.com/a.png"),)),
    ]
    result = converter.write(given(entries), "s.xml", **options)
    name = "s-ex.com.xml" if "split_hosts" in options else "s.xml"
    assert published(name) == [f"https://ex.com/{name}" for name in ("de", "en", "fr")]
    assert Path(name).read_text("utf-8").count("<xhtml:link") == 4
    assert result.images == 1
    assert sorted(issue.code for issue in result.issues) == [
        Code.HREFLANG_INCOMPLETE,
        Code.URL_DUPLICATE,
    ]


def test_entries_can_be_read_filtered_and_written(blog: Path) -> None:
    document = converter.read(blog)
    wanted = (entry for entry in document.entries if entry.title != "No. 1")
    result = converter.write(wanted, "s.xml", feed=document.feed)
    assert published() == ["https://ex.com/0", "https://ex.com/2"]
    assert result.skipped == 0


def test_an_exception_of_the_caller_is_raised_unchanged() -> None:
    def entries() -> Iterator[Entry]:
        yield ENTRIES[0]
        raise FileNotFoundError("mine")

    with pytest.raises(FileNotFoundError, match="mine"):
        converter.write(entries(), "s.xml")
    assert list(Path().glob("*.xml")) == []


def test_no_entries_are_refused() -> None:
    with pytest.raises(RefusedError):
        converter.write([], "s.xml")


def test_an_error_of_a_source_names_it_once_in_write() -> None:
    Path("a.rss").write_bytes(b"<rss>\n<channel>\n<item><link>x</link>")
    with pytest.raises(ConverterError, match=r"\Aa\.rss: not well-formed"):
        converter.write(converter.read("a.rss").entries, "s.xml")


@pytest.mark.parametrize("name", converter.__all__)
def test_every_public_name_exists(name: str) -> None:
    assert getattr(converter, name).__module__.startswith("converter")


def test_streams_without_names_are_separate_sources() -> None:
    def feed_of(*pages: str) -> io.BytesIO:
        inner = (
            '<title>{0}</title><link>https://ex.com/{0}</link><guid isPermaLink="false">1</guid>'
        )
        items = "".join(f"<item>{inner.format(page)}</item>" for page in pages)
        return io.BytesIO(f"<rss><channel>{items}</channel></rss>".encode())

    result = converter.convert([feed_of("a", "b"), feed_of("c"), feed_of("d")], "f.rss")
    assert (result.urls, result.merged) == (3, 1)
    assert {issue.source for issue in result.issues} == {"-"}
