"""Lists by the slice: whatever stands in a list, what comes out is that of one line at a time."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from multiprocessing import Pipe
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

import converter
from converter import keywords, shortcut
from converter.errors import ConverterError, SourceError
from converter.formats import urllist
from converter.formats.rss.write import RssWriter
from converter.issues import Code, Issue, Report, ignore
from converter.model import Entry, Feed
from converter.moulds import lists, sieve, sizes, slices, spans
from converter.moulds.captions import Captions
from converter.moulds.crew import Crew
from converter.moulds.lists import ListDocument
from converter.moulds.sieve import Sieve, Sifted
from converter.moulds.spans import Spans
from converter.moulds.stencil import Stencil
from converter.options import Limits, PassOptions, ReadOptions, WriteOptions
from converter.passes import digests, merge
from converter.record import replace
from converter.registry import by_name
from converter.seams import Listed, Rendered
from converter.values import urls

NOW = datetime(2026, 1, 15, tzinfo=UTC)
PASSES, WRITE, RULES = PassOptions(now=NOW), WriteOptions(now=NOW), urls.Rules()


# -- both ways --------------------------------------------------------------------------------


def outcome(
    sources: Sequence[bytes], to: str, *, is_short: bool, are_files: bool = False, **options: Any
) -> tuple[Any, ...]:
    """Convert by one of the two ways; give all that can be seen of it."""
    with (
        pytest.MonkeyPatch.context() as patch,
        TemporaryDirectory() as folder,
        ExitStack() as opened,
    ):
        patch.setenv("SOURCE_DATE_EPOCH", str(int(NOW.timestamp())))
        patch.setattr(urllist, "_CHUNK_BYTES", 200)
        patch.setattr(spans, "_SPAN_BYTES", 200)
        patch.setattr(slices, "_TAIL_BYTES", 20)
        patch.setattr(sizes, "FIRST_BYTES", 1)
        patch.setattr(lists, "_SLICES_ALONE", 2)
        if not is_short:
            patch.setattr(shortcut, "is_open", lambda *_: False)
        target = Path(folder, f"out.{to}")
        issues: list[Issue] = []
        told: object
        try:
            given: list[BinaryIO] = [io.BytesIO(source) for source in sources]
            if are_files:
                given = [opened.enter_context(TemporaryFile()) for _ in sources]
                for file, source in zip(given, sources, strict=True):
                    file.write(source)
                    file.seek(0)
            result = converter.convert(given, target, report=issues.append, **options)
            told = {name: getattr(result, name) for name in ("urls", "skipped", "lost", "altered")}
            told |= {"files": [(file.kind, file.urls, file.raw_bytes) for file in result.files]}
        except ConverterError as error:
            told = str(error).replace(folder, "")
        files = {path.name: path.read_bytes() for path in Path(folder).glob("out*")}
    return files, [shown(issue, folder) for issue in issues], told


def shown(issue: Issue, folder: str) -> tuple[Any, ...]:
    source = issue.source and issue.source.replace(folder, "")
    return issue.code, issue.message.replace(folder, ""), issue.line, issue.entry, source


def assert_same(sources: Sequence[bytes], to: str = "xml", **options: Any) -> tuple[Any, ...]:
    short = outcome(sources, to, is_short=True, **options)
    assert short == outcome(sources, to, is_short=False, **options)
    return short


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Listed]:
    """Gather what comes by the slice."""
    found: list[Listed] = []
    plain = ListDocument._run

    def run(self: ListDocument, sifted: Sifted, before: int) -> Listed:
        found.append(plain(self, sifted, before))
        return found[-1]

    monkeypatch.setattr(ListDocument, "_run", run)
    return found


HOSTS = ("https://www.example.com", "http://example.org:8080", "https://a_b.example", "http://h.ex")
PAGES = st.builds(
    lambda host, path: f"{host}/{path}",
    st.sampled_from(HOSTS),
    st.text("ab/.-~$'(;&=", max_size=6),
)
ODD = st.sampled_from(
    [
        "",
        " ",
        "# a comment",
        "no URL",
        "\ufeffhttps://www.example.com/a",
        " https://www.example.com/a\t",
        "https://www.example.com/a?utm_source=x",
        "https://www.example.com/a?id=7&ref=b&utm_source=x&utm_medium=y",
        "https://www.example.com/é",
        "https://www.example.com/新闻",
        "https://www.example.com/%c3%a9",
        "https://www.example.com/a/../b",
        "https://www.example.com/./a",
        "https://www.example.com/a#b",
        "https://www.example.com/a;jsessionid=1",
        "https://www.example.com/a&amp;b",
        "https://www.example.com/a b",
        "https://www.example.com",
        "HTTPS://WWW.Example.COM/a",
        "https://www.example.com:443/a",
        "https://me:secret@www.example.com/a",
        "https://bücher.example/a",
        "http://h",
        "https:///a",
        "ftp://ftp.example.com/a",
        "mailto:a@example.com",
        "<![CDATA[https://www.example.com/a]]>",
        "/relative",
        "https://www.example.com/" + 30 * "long/",
        "https://www.example.com/" + 600 * "long/",
    ]
)
BAD = st.sampled_from([b"https://www.example.com/\xe9", b"\xff", b"https://www.example.com/\0"])
LINES = st.lists(
    st.one_of(PAGES.map(str.encode), PAGES.map(str.encode), ODD.map(str.encode), BAD), max_size=40
)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
LISTS = st.builds(
    lambda head, lines, end, tail: head + end.join(lines) + tail,
    st.sampled_from([b"https://www.example.com/\n", b"\xef\xbb\xbfhttp://h.ex/a\n"]),
    LINES,
    ENDS,
    st.sampled_from([b"", b"\n"]),
)
OPTIONS = st.sampled_from(
    [
        {},
        {"keep_tracking": True},
        {"drop_params": ("id",)},
        {"base_url": "https://www.example.com/dir/"},
        {"changefreq": "daily", "priority": "0.5", "mobile": True, "pretty": True},
        {"limit_urls": 3},
        {"limit_urls": 20},
        {"limit_bytes": 66_000},
        {"limit_bytes": 700},
        {"sort": "url"},
        {"sort": "newest"},
        {"sort": "input"},
    ]
)
TARGETS = ["xml", "txt", "rss", "atom", "mrss"]


@pytest.mark.property
@given(st.lists(LISTS, min_size=1, max_size=3), st.sampled_from(TARGETS), OPTIONS)
def test_both_ways_lead_to_the_same(sources: list[bytes], to: str, options: dict[str, Any]) -> None:
    assert_same(sources, to, **options)


SITEMAP = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://www.example.com/a</loc><lastmod>2024-01-01</lastmod></url>
<url><loc>https://www.example.com/b</loc></url></urlset>"""


@pytest.mark.property
@given(LISTS, LISTS)
def test_a_page_of_a_list_may_be_one_of_a_sitemap_too(first: bytes, second: bytes) -> None:
    assert_same([first, SITEMAP, second])
    assert_same([SITEMAP, first, second])


FEED = b"""<rss version="2.0"><channel><title>T</title><link>https://www.example.com/</link>
<description>D</description><item><title>A</title><link>https://www.example.com/a</link>
<guid isPermaLink="false">https://www.example.com/b</guid></item>
<item><title>Later</title><link>https://www.example.com/later</link>
<pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item></channel></rss>"""


@pytest.mark.property
@given(LISTS, LISTS, st.sampled_from(["rss", "atom", "xml"]))
def test_what_has_no_date_stands_behind_what_has_one(first: bytes, second: bytes, to: str) -> None:
    assert_same([first, FEED, second], to, sort="newest")
    assert_same([FEED, SITEMAP, first], to, sort="newest")


@pytest.mark.parametrize("to", ["rss", "atom", "mrss"])
def test_feeds_are_made_of_lists_by_the_slice(to: str, runs: list[Listed]) -> None:
    pages = [f"https://ex.com/a/page-no-{number}.html?a=1&b=2" for number in range(100)]
    assert_same(["\n".join(pages).encode()], to)
    assert sum(len(run.locs) for run in runs) == 100


@pytest.mark.parametrize("to", ["rss", "atom"])
@pytest.mark.parametrize(
    "path",
    [
        "",
        "a",
        "12345",
        "12345?a=1&b=2",
        "it's-a-title",
        "rock%20%26%20roll",
        "a%3Cb%3E",
        "b%00c",
        "%C3%A9t%C3%A9",
        "%E2%80%AEmirrored",
        "a%C2%A0b",
        "%FF",
        "a%2Fb",
        "100%25-sure",
        "-".join(["word"] * 12),
        "-".join(["word"] * 90),
        "x" * 300 + "?" + "y" * 300,
        "title.html/",
        "user@host",
    ],
)
def test_titles_of_all_sorts_are_those_of_the_plain_way(path: str, to: str) -> None:
    pages = [f"https://ex.com/first-{path}", f"https://ex.com/{path}", "https://ex.com/last-one"]
    assert_same(["\n".join(pages).encode()], to)


def test_an_id_that_a_feed_gave_already_is_not_given_to_a_page() -> None:
    files, *_ = assert_same(
        [FEED, b"https://www.example.com/b\nhttps://www.example.com/c\n"], "rss"
    )
    assert files["out.rss"].count(b">https://www.example.com/b</guid>") == 1
    files, *_ = assert_same([FEED, b"https://www.example.com/c\n"], "atom")
    assert files["out.atom"].count(b"<id>https://www.example.com/c</id>") == 1


def test_a_writer_that_says_more_of_a_page_than_can_be_learnt_is_asked_for_each() -> None:
    class Counting(RssWriter):
        """Says how long a page's URL is."""

        def entry(self, entry: Entry, report: Report, /) -> Rendered:
            message = f"{len(entry.loc or '')} characters"
            report(Issue(code=Code.SUPPLIED_TITLE, message=message, line=1, entry=entry.loc))
            return super().entry(entry, report)

    usual = by_name("rss")
    assert Captions.of(usual, PASSES, WRITE, RULES) is not None
    odd = replace(usual, writer=Counting)
    assert Captions.of(odd, PASSES, WRITE, RULES) is None


def test_most_of_a_list_comes_by_the_slice(runs: list[Listed]) -> None:
    pages = [f"https://www.example.com/{number}" for number in range(100)]
    files, *_ = assert_same(["\n".join(pages).encode()], "txt")
    assert files["out.txt"].decode().split() == pages
    assert sum(len(run.locs) for run in runs) == 100


@pytest.mark.parametrize("option", [{"host": "www.example.com"}, {"include": ("a",)}])
def test_where_somebody_chooses_among_pages_they_come_one_by_one(
    option: dict[str, Any], runs: list[Listed]
) -> None:
    assert_same([b"https://www.example.com/a\n"], **option)
    assert runs == []


def test_no_line_of_the_usual_kind_is_looked_at_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    plain = Sieve._page

    def page(self: Sieve, line: str, number: int) -> str | None:
        looked_at.append(line)
        return plain(self, line, number)

    monkeypatch.setattr(Sieve, "_page", page)
    pages = [f"{host}/p/{n}-$,~.html" for n in range(50) for host in (*HOSTS, "https://ex.com")]
    assert_same(["\n".join([*pages, "https://ex.com/?a", "https://ex.com/é"]).encode()])
    assert looked_at == ["https://ex.com/?a", "https://ex.com/é"]


def test_a_line_that_is_too_long_is_told_in_its_place() -> None:
    long = b"https://www.example.com/" + b"a" * 100
    text = b"\n".join([b"https://www.example.com/\xc3\xa9", long, b"http://h.ex/a", b"# c"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keywords, "ReadOptions", _short_lines)
        files, told, _ = assert_same([text], "txt", format="txt")
    assert [(code, line) for code, _, line, *_ in told][:3] == [
        (Code.URL_NORMALISED, 1),
        (Code.LINE_NOT_URL, 2),
        (Code.LINE_COMMENT, 4),
    ]
    assert files["out.txt"].decode().split() == ["https://www.example.com/%C3%A9", "http://h.ex/a"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("behind", [b"", b"a", b"\xc3\xa9"])
def test_a_line_without_end_is_one_line_of_which_little_is_held(end: bytes, behind: bytes) -> None:
    lines = [b"http://h.ex/a", b"http://h.ex/" + 5000 * b"\xe6\x96\xb0" + behind, b"http://h.ex/b"]
    read = urllist.Lines(ReadOptions(limits=Limits(max_line_bytes=100)), ignore)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(urllist, "_CHUNK_BYTES", 64)
        slices = list(read.slices(io.BytesIO(end.join(lines))))
    found = [line for data in slices for line in read.split(data)]
    assert [found[0], *found[2:]] == ["http://h.ex/a", "http://h.ex/b"]
    assert 100 < len(found[1]) < 1000


@pytest.mark.property
@given(st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "é", "\udcff"])), st.integers(1, 9))
def test_slices_are_whole_lines_wherever_they_are_cut(pieces: list[str], size: int) -> None:
    text = "".join(["http://h.ex/", *pieces])
    read = urllist.Lines(ReadOptions(), ignore)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(urllist, "_CHUNK_BYTES", size)
        slices = list(read.slices(io.BytesIO(text.encode("utf-8", "surrogateescape"))))
    assert all(data.endswith(b"\n") for data in slices)
    found = [line for data in slices for line in read.split(data)]
    expected = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    assert found == expected.split("\n")


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-32-be"])
def test_a_list_in_another_encoding_is_read_as_ever(codec: str) -> None:
    pages = [f"https://www.example.com/{n}-é\r" for n in range(40)]
    files, told, _ = assert_same(["\n".join(pages).encode(codec)], "txt", format="txt", jobs=2)
    assert len(files["out.txt"].split()) == 40
    assert told[0][0] == Code.ENCODING_ASSUMED


def _short_lines(**given: Any) -> ReadOptions:
    return ReadOptions(**given | {"limits": Limits(max_line_bytes=100)})


def document_of(stream: io.BytesIO, jobs: int = 1) -> ListDocument:
    stencil = Stencil.of(by_name("sitemap"), PASSES, WRITE, RULES)
    assert stencil is not None
    lines = partial(urllist.Lines, ReadOptions())
    return ListDocument(stream, lines, Sieve(lines, stencil, RULES, 1000), stencil, RULES, (), jobs)


# -- other processes --------------------------------------------------------------------------

forks = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks safely")


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Gather the slices that others are given."""
    found: list[bytes] = []
    plain = Crew.give

    def give(self: Crew[Any], data: bytes) -> None:
        found.append(data)
        plain(self, data)

    monkeypatch.setattr(Crew, "give", give)
    return found


@forks
@pytest.mark.property
@given(st.lists(LISTS, min_size=1, max_size=3), st.sampled_from(TARGETS), OPTIONS)
def test_slices_by_others_are_the_same(
    sources: list[bytes], to: str, options: dict[str, Any]
) -> None:
    alone = outcome(sources, to, is_short=True, jobs=1, **options)
    assert outcome(sources, to, is_short=True, jobs=2, **options) == alone
    assert outcome(sources, to, is_short=True, jobs=1, are_files=True, **options) == alone
    assert outcome(sources, to, is_short=True, jobs=2, are_files=True, **options) == alone


@forks
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(b"http://h.ex/a", id="like the others"),
        pytest.param(b"http://h.ex/" + b"long/" * 100, id="longer than a slice"),
        pytest.param(b"http://h.ex/\xe9", id="no UTF-8"),
        pytest.param(b"", id="nothing"),
    ],
)
@pytest.mark.parametrize("behind", [b"", b"http://h.ex/no-end"])
def test_of_a_plain_file_others_get_no_more_than_the_places(
    odd: bytes, end: bytes, behind: bytes, handed: list[bytes]
) -> None:
    pages = [b"http://h.ex/%d?a&b" % (n % 90) for n in range(160)]
    source = end.join([*pages[:100], odd, *pages[100:], behind])
    short = outcome([source], "xml", is_short=True, are_files=True, jobs=2)
    assert handed
    assert all(re.fullmatch(rb"\d+ \d+", data) for data in handed)
    assert short == outcome([source], "xml", is_short=False)
    assert short == outcome([source], "xml", is_short=True, jobs=2)


@forks
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_in_another_encoding_has_no_places(jobs: int, handed: list[bytes]) -> None:
    source = "".join(f"http://h.ex/{n}-é\r\n" for n in range(120)).encode("utf-16")
    options = {"format": "txt", "jobs": jobs}
    short = outcome([source], "txt", is_short=True, are_files=True, **options)
    assert not handed
    assert short == outcome([source], "txt", is_short=False, **options)


def test_a_file_that_was_cut_meanwhile_ends_where_it_was_cut() -> None:
    with pytest.MonkeyPatch.context() as patch, TemporaryFile() as file:
        patch.setattr(urllist, "_CHUNK_BYTES", 200)
        patch.setattr(spans, "_SPAN_BYTES", 200)
        file.write(b"".join(b"http://h.ex/%03d\n" % n for n in range(100)))
        file.flush()
        lines = urllist.Lines(ReadOptions(), ignore)
        given = Spans(file, lines)
        names = [next(given), next(given)]
        file.truncate(8)
        assert [lines.split(given.read(name)) for name in names] == [["http://h"], [""]]
        assert not list(given)


@pytest.mark.parametrize("lines", [("a", "é", "# c", "b?a&b"), ("# nothing",), ("",)])
def test_what_is_sent_back_is_what_was_found(lines: tuple[str, ...]) -> None:
    data = "".join(f"http://h.ex/{line}\n" if line else "# c\n" for line in lines).encode()
    alone, other = document_of(io.BytesIO())._sieve, document_of(io.BytesIO())._sieve
    here, there = Pipe()
    here.send(other.strike(data))
    sent, kept = there.recv(), alone.sift(data)
    assert list(sent.locs) == kept.locs
    assert list(sent.written) == list(kept.written)
    assert list(sent.digests) == list(map(hash, kept.locs))
    assert sent._replace(locs=kept.locs, texts=kept.texts, digests=None) == kept


@forks
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_others_do_the_slices_of_a_long_list(end: str, handed: list[bytes]) -> None:
    pages = [f"https://www.example.com/{n % 130}?a={n % 7}&utm_source=x" for n in range(200)]
    pages[150:150] = ["# a comment", "no URL", "http://h.ex/'&", "https://ex.com/é", ""]
    assert_same([f"\ufeff{end.join(pages)}".encode()], jobs=3)
    assert handed


@forks
def test_bytes_that_are_no_utf_8_are_told_of_where_they_come_first(handed: list[bytes]) -> None:
    odd = {60, 120, 121, 190}
    pages = [b"http://h.ex/%d%s" % (n, b"\xe9" * (n in odd)) for n in range(200)]
    _, told, _ = assert_same([b"\n".join(pages)], jobs=2)
    assert [line for code, _, line, *_ in told if code == Code.ENCODING_ASSUMED] == [61]
    assert any(b"\xe9" in data for data in handed)


@forks
def test_a_list_that_holds_no_url_for_long_is_read_by_one_process(handed: list[bytes]) -> None:
    _, told, error = assert_same([b"no URL\n" * 200], jobs=2, format="txt")
    assert "lines left out: 200" in str(error)
    assert len(told) == 200
    assert not handed


@forks
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_stands_before_a_fault_is_told_of(jobs: int) -> None:
    class Failing(io.BytesIO):
        """Ends with an error."""

        def read(self, size: int | None = -1, /) -> bytes:
            if data := super().read(size):
                return data
            raise SourceError("the line is dead")

    text = b"".join(b"http://h.ex/%d?utm_source=x\n" % n for n in range(100))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(urllist, "_CHUNK_BYTES", 200)
        patch.setattr(spans, "_SPAN_BYTES", 200)
        patch.setattr(lists, "_SLICES_ALONE", 2)
        document = document_of(Failing(text), jobs)
        runs: list[Listed] = []
        with pytest.raises(SourceError):
            runs.extend(run for run in document.entries if isinstance(run, Listed))
    assert [issue.line for run in runs for issue in run.issues] == list(range(1, 101))


# -- duplicates -------------------------------------------------------------------------------


def lines_of(*names: str) -> bytes:
    return "".join(f"https://www.example.com/{name}\n" for name in names).encode()


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the walks that need not have been."""
    begun: list[int] = []
    plain = merge.Merger.begin_second_walk

    def begin(self: merge.Merger) -> None:
        begun.append(1)
        plain(self)

    monkeypatch.setattr(merge.Merger, "begin_second_walk", begin)
    return begun


def test_duplicates_of_lines_need_no_second_walk(walks: list[int]) -> None:
    source = lines_of("a", "b", "a?utm_source=x", "é", *"cdefghijk", "a", "é", "c")
    _, told, _ = outcome([source, lines_of("b", "z")], "xml", is_short=True)
    assert not walks
    assert [(line, entry, message) for code, message, line, entry, _ in told if "dup" in code] == [
        (3, "https://www.example.com/a", "the same page as on line 1; the two are united"),
        (14, "https://www.example.com/a", "the same page as on line 1; the two are united"),
        (15, "https://www.example.com/%C3%A9", "the same page as on line 4; the two are united"),
        (16, "https://www.example.com/c", "the same page as on line 5; the two are united"),
        (1, "https://www.example.com/b", "the same page as on line 2; the two are united"),
    ]
    assert_same([source, lines_of("b", "z")])


@pytest.mark.parametrize("same", ["first", "last", "all"])
def test_pages_of_one_digest_are_told_apart(
    same: str, monkeypatch: pytest.MonkeyPatch, walks: list[int]
) -> None:
    alike = {"first": "ab", "last": "cd", "all": "abcdefgh"}[same]
    monkeypatch.setattr(
        merge, "hash", lambda loc: 0 if loc[-1] in alike else hash(loc), raising=False
    )
    files, told, _ = outcome([lines_of(*"abcdefgh", *"abc")], "txt", is_short=True)
    assert files["out.txt"] == lines_of(*"abcdefgh")
    assert [(line, entry[-1], message[-32:]) for _, message, line, entry, _ in told] == [
        (9, "a", "on line 1; the two are united"[-32:]),
        (10, "b", "on line 2; the two are united"[-32:]),
        (11, "c", "on line 3; the two are united"[-32:]),
    ] or same
    assert walks
    assert sum("dup" in code for code, *_ in told) == 3


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ({}, True),
        ({1: "https://www.example.com/a"}, True),
        ({2: "https://www.example.com/%C3%A9", 5: "https://www.example.com/b"}, True),
        ({1: "https://www.example.com/a", 5: "https://www.example.com/c"}, False),
        ({3: "https://www.example.com/a"}, False),
        ({6: "https://www.example.com/b"}, False),
        ({9: "https://www.example.com/b"}, False),
    ],
)
def test_a_list_is_read_again_to_see_what_stands_in_it(
    pages: dict[int, str], expected: bool
) -> None:
    text = lines_of("a", "é") + b"# c\n\n" + lines_of("b")
    assert document_of(io.BytesIO(text)).stand(pages) is expected


class Torn(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


def test_what_cannot_be_read_again_stands_nowhere() -> None:
    assert not document_of(Torn()).stand({1: "https://www.example.com/a"})


def test_what_cannot_be_settled_is_walked_again(
    monkeypatch: pytest.MonkeyPatch, walks: list[int]
) -> None:
    monkeypatch.setattr(ListDocument, "stand", lambda *_: False)
    assert_same([lines_of("a", "é", *"bcdefgh", "é", "a")])
    assert len(walks) == 2  # one on each way


def test_what_was_not_settled_is_not_told() -> None:
    sources = [lines_of("a", "a"), b"no URL\n"]
    _, told, error = assert_same(sources, format="txt")
    assert "no http(s) URL" in str(error)
    assert Code.URL_DUPLICATE not in [code for code, *_ in told]


# -- the stencil ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "before", "behind", "changed"),
    [
        ("txt", "", "\n", ()),
        ("sitemap", "<url><loc>", "</loc></url>\n", (("&", "&amp;"), ("'", "&apos;"))),
    ],
)
def test_a_stencil_is_learnt_of_the_plain_way(
    to: str, before: str, behind: str, changed: tuple[tuple[str, str], ...]
) -> None:
    stencil = Stencil.of(by_name(to), PASSES, WRITE, RULES)
    assert stencil == Stencil(before, behind, frozenset(), changed)


@pytest.mark.property
@given(st.text("abcABC019-._~:@!$&'()*+,;=/?", max_size=30))
def test_a_stencil_says_how_any_clean_page_is_written(path: str) -> None:
    loc = urls.page(f"https://ex.com/{path}", RULES).url
    assert loc is not None
    for to in ("txt", "sitemap"):
        row = by_name(to)
        stencil = Stencil.of(row, PASSES, WRITE, RULES)
        assert stencil is not None
        assert row.writer is not None
        rendered = row.writer(WRITE).entry(Entry(loc=loc, feed=Feed(format="txt")), ignore)
        assert rendered is not None
        assert rendered.body.decode() == stencil.cast(loc)


@pytest.mark.parametrize(
    "render",
    [
        lambda _: None,
        lambda loc: (f"{loc} {loc}", frozenset()),
        lambda loc: (loc.upper(), frozenset()),
        lambda loc: (loc.replace("A", "B"), frozenset()),
        lambda loc: (loc.replace("://", ":"), frozenset()),
        lambda loc: ("" if "8080" in loc else loc, frozenset()),
        lambda loc: (loc, frozenset({"x"} if "8080" in loc else ())),
    ],
)
def test_no_stencil_is_made_of_what_is_not_plain(render: Callable[[str], Any]) -> None:
    assert Stencil._learnt(render) is None


QUIET = "abcXYZ019-._~:@!$*+,=/"


@pytest.mark.property
@given(
    st.lists(
        st.tuples(st.sampled_from(HOSTS), st.text(QUIET + "'&;%?# é\udcff", max_size=9)),
        min_size=1,
    )
)
def test_what_is_not_odd_is_published_as_it_stands(found: list[tuple[str, str]]) -> None:
    lines = [f"{host}/{path}" for host, path in found]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    sift = document_of(io.BytesIO())._sieve
    for _ in range(2):  # with origins that are known, too
        odd, counts = sift._odd(data, lines)
        for place in set(range(len(lines))).difference(odd):
            assert sift._is_clean(lines[place])
            assert sift._stencil.text(lines[place]) == lines[place]
        if counts is not None:
            assert counts.total() + len(odd) == len(lines)


def test_many_origins_are_not_remembered_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sieve, "_MOST_ORIGINS", 5)
    monkeypatch.setattr(digests, "_FIRST_ROOM", 7)
    source = "".join(f"https://h{n % 23}.example/{n % 90}\n" for n in range(200)).encode()
    assert_same([source, source])
