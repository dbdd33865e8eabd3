"""Passes of the pipeline: counts, issues, second passes, and the source of errors."""

from __future__ import annotations

import errno
import io
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import DocumentError, LimitError, SourceError, UnknownFormatError
from converter.formats import registry
from converter.formats.base import Document, Part
from converter.issues import Code, Issue, errors_naming, ignore
from converter.model import Entry, Feed
from converter.options import ReadOptions, TransformOptions, WriteOptions
from converter.pipeline.inputs import reader_of
from converter.pipeline.issue_buffer import IssueBuffer
from converter.pipeline.pipeline import Input, Pipeline
from tests.builders import NOW


def spool() -> BinaryIO:
    return cast("BinaryIO", tempfile.TemporaryFile())


def issue(number: int, code: Code = Code.DATE_UNREADABLE) -> Issue:
    return Issue(
        code=code,
        message=f"no. {number} \udc80",  # of a name that is no UTF-8
        line=number,
        path="item/pubDate",
        entry=f"https://ex.com/{number}",
        source="a.rss",
    )


# -- issue buffers -------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 1999, 2000, 2001, 4001])
def test_an_issue_buffer_replays_every_issue_once_in_order(count: int) -> None:
    issue_buffer, told = IssueBuffer(spool), list[Issue]()
    issues = [issue(number) for number in range(count)]
    for one in issues:
        issue_buffer(one)
    assert issue_buffer.counts[Code.DATE_UNREADABLE] == count
    issue_buffer.replay(told.append)
    assert told == issues
    issue_buffer.replay(told.append)
    assert told == issues


def test_an_issue_buffer_drops_spooled_issues_too() -> None:
    issue_buffer, told = IssueBuffer(spool), list[Issue]()
    for number in range(2500):
        issue_buffer(issue(number))
    issue_buffer.forget()
    issue_buffer(issue(1))
    assert issue_buffer.counts == {Code.DATE_UNREADABLE: 1}
    issue_buffer.replay(told.append)
    assert told == [issue(1)]


class Few:
    """Wants two of each code."""

    most = 2

    def __init__(self) -> None:
        self.told: list[Issue] = []
        self.others: dict[Code, int] = {}

    def __call__(self, issue: Issue) -> None:
        self.told.append(issue)

    def more(self, code: Code, number: int) -> None:
        self.others[code] = number


@pytest.mark.parametrize("count", [1, 2, 3, 4001])
def test_max_entries_reports_the_number_of_other_entries(count: int) -> None:
    few = Few()
    issue_buffer = IssueBuffer(spool, few.most)
    issues = [issue(number) for number in range(count)]
    single = replace(issues[0], code=Code.URL_TRACKING_REMOVED)
    for one in (*issues, single):
        issue_buffer(one)
    assert issue_buffer.counts == {Code.DATE_UNREADABLE: count, Code.URL_TRACKING_REMOVED: 1}
    issue_buffer.replay(few)
    assert few.told == [*issues[:2], single]
    assert few.others == ({Code.DATE_UNREADABLE: count - 2} if count > 2 else {})


def test_a_ledger_needs_no_file_for_a_few() -> None:
    def none() -> BinaryIO:
        raise AssertionError("no file was needed")

    issue_buffer = IssueBuffer(none)
    issue_buffer(issue(1))
    issue_buffer.replay(ignore)


# -- readers ----------------------------------------------------------------------------------


@dataclass
class Told:
    """A document that gives entries, and then an error if it has one."""

    given: Sequence[Entry] = ()
    error: Exception | None = None
    feed: Feed = field(default_factory=lambda: Feed(format="rss"))
    children: tuple[str, ...] = ()
    header_changed: bool = False

    @property
    def entries(self) -> Iterator[Entry]:
        yield from self.given
        if self.error:
            raise self.error


def reader(document: Document) -> Any:
    return lambda *_: document


def failing(error: Exception) -> Any:
    def read(*_: object) -> Document:
        raise error

    return read


def entry(number: int) -> Entry:
    return Entry(loc=f"https://ex.com/{number}", line=number)


OPTIONS = ReadOptions(name="a\x1b.rss")

NAMED = [
    (DocumentError("broken", line=3, column=5), DocumentError, "a\\x1b.rss: broken"),
    (UnknownFormatError("what?"), UnknownFormatError, "a\\x1b.rss: what?"),
    (LimitError("deep", limit="depth", line=3), LimitError, "a\\x1b.rss: deep"),
    (DocumentError("a\\x1b.rss: gzip"), DocumentError, "a\\x1b.rss: gzip"),
    (
        OSError(errno.EIO, "Input/output error"),
        SourceError,
        "a\\x1b.rss: cannot be read to its end: Input/output error",
    ),
    (OSError("odd"), SourceError, "a\\x1b.rss: cannot be read to its end: odd"),
]


@pytest.mark.parametrize(("error", "kind", "message"), NAMED)
def test_errors_name_their_source_once(
    error: Exception, kind: type[Exception], message: str
) -> None:
    error = type(error)(*error.args, **vars(error)) if vars(error) else type(error)(*error.args)
    with pytest.raises(kind) as raised, errors_naming("a\x1b.rss"):
        raise error
    assert type(raised.value) is kind
    assert str(raised.value) == message
    assert getattr(raised.value, "line", None) == getattr(error, "line", None)


@pytest.mark.parametrize("error", [BrokenPipeError(errno.EPIPE, "Broken pipe"), KeyError("x")])
def test_errors_of_other_origin_are_not_attributed_to_the_source(error: Exception) -> None:
    """A report that prints may find its pipe closed."""
    with pytest.raises(type(error)) as raised, errors_naming("a"):
        raise error
    assert raised.value is error


class Torn(io.BytesIO):
    """A stream that breaks where its content ends."""

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        if size and not data:
            raise OSError(errno.EIO, "Input/output error")
        return data


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rss", b"<rss><channel><item><link>https://ex.com/1</link></item>"),
        ("atom", b"<feed><entry><link href='https://ex.com/1'/></entry>"),
        ("sitemap", b"<urlset><url><loc>https://ex.com/1</loc></url>"),
        ("sitemap", b"<sitemapindex><sitemap><loc>https://ex.com/1</loc></sitemap>"),
        ("txt", b"https://ex.com/1\n"),
    ],
)
def test_every_reader_names_its_source(name: str, content: bytes) -> None:
    with pytest.raises(SourceError, match=r"\Athe source: cannot be read to its end: Input/"):
        list(reader_of(registry.by_name(name))(Torn(content), ReadOptions(), ignore).entries)


@pytest.mark.parametrize("salvage", [None, failing(AssertionError())])
def test_a_document_that_could_be_read_again_is_the_document(salvage: Any) -> None:
    told = Told([entry(1)], feed=Feed(title="T"), children=("x",), header_changed=True)
    document = reader_of(row(reader(told), salvage))(io.BytesIO(), OPTIONS, ignore)
    assert (document.feed, document.children, document.header_changed) == (told.feed, ("x",), True)
    assert list(document.entries) == [entry(1)]


def row(read: Any, salvage: Any) -> Any:
    return replace(registry.by_name("rss"), read=read, salvage=salvage)


BROKEN = DocumentError("broken")


@pytest.mark.parametrize(
    ("first", "second", "expected", "title"),
    [
        (Told([entry(1)]), None, [1], "first"),
        (Told([]), None, [], "first"),  # nothing is wrong with it: there is nothing in it
        (Told([], BROKEN), Told([entry(2)]), [2], "second"),
        (Told([entry(1)], BROKEN), None, BROKEN, "first"),
    ],
)
def test_salvage_is_used_if_nothing_could_be_read(
    first: Told, second: Told | None, expected: Any, title: str
) -> None:
    first = replace(first, feed=Feed(title="first"))
    rescue = reader(replace(second, feed=Feed(title="second"))) if second else failing(KeyError())
    document = reader_of(row(reader(first), rescue))(io.BytesIO(), OPTIONS, ignore)
    if isinstance(expected, DocumentError):
        with pytest.raises(DocumentError) as raised:
            list(document.entries)
        assert raised.value is expected
    else:
        assert [found.line for found in document.entries] == expected
    assert document.feed.title == title


def test_where_salvage_fails_too_the_first_error_counts() -> None:
    rescue = failing(DocumentError("worse"))
    document = reader_of(row(reader(Told([], BROKEN)), rescue))(io.BytesIO(), OPTIONS, ignore)
    with pytest.raises(DocumentError) as raised:
        list(document.entries)
    assert raised.value is BROKEN


# -- a conversion -----------------------------------------------------------------------------


def conversion(
    *documents: Told, transforms: TransformOptions | None = None, **given: Any
) -> Pipeline:
    """Each document under the name of its place: `0`, `1`, …; issues go to `told`."""
    names = [str(number) for number in range(len(documents))]
    return Pipeline(
        inputs=[
            Input(name=name, open=cast("Any", reader(told)))
            for name, told in zip(names, documents, strict=True)
        ],
        target=registry.by_name("sitemap"),
        read=ReadOptions(),
        transforms=transforms or TransformOptions(now=NOW),
        write=WriteOptions(now=NOW),
        spool=spool,
        **({"report": ignore, "report_written": ignore} | given),
    )


def parts_of(walk: Pipeline) -> Iterator[Part]:
    """Give the parts of all outputs."""
    return (part for _, parts in walk.outputs() for part in parts)


def test_a_format_without_a_writer_is_the_callers_fault() -> None:
    walk = replace(conversion(Told()), target=registry.by_name("rss"))
    if walk.target.writer is None:
        with pytest.raises(TypeError):
            next(parts_of(walk))


@pytest.mark.parametrize(
    ("formats", "expected"),
    [
        ((), None),
        (("rss",), 0),
        (("txt", "rss", "atom"), 1),
        (("txt", "txt"), 1),
        ((None, "atom"), 1),
    ],
)
def test_the_header_is_that_of_the_first_feed(formats: Any, expected: int | None) -> None:
    documents = [
        Told([entry(number)], feed=Feed(format=name, title=str(number)))
        for number, name in enumerate(formats)
    ]
    walk = conversion(*documents)
    list(walk.entries())
    assert walk.feed.title == (None if expected is None else str(expected))


def test_the_header_is_read_with_max_entries() -> None:
    document = Told([entry(1), entry(2)], feed=Feed(format="rss", title="T"))
    walk = conversion(document, transforms=TransformOptions(now=NOW, max_entries=1))
    assert len(list(walk.entries())) == 1
    assert walk.feed.title == "T"


def test_hosts_are_reported_with_max_entries() -> None:
    told: list[Issue] = []
    other = Entry(loc="https://other.example/", line=2, feed=Feed(source="list"))
    walk = conversion(
        Told([entry(1), other, entry(3)]),
        transforms=TransformOptions(now=NOW, max_entries=2),
        report=told.append,
    )
    assert len(list(walk.entries())) == 2
    assert [(one.code, one.line, one.source) for one in told] == [(Code.HOST_OTHER, 2, "list")]


@pytest.mark.parametrize(
    ("passes", "read", "distinct", "offered"),
    [
        ({}, 5, 3, 3),
        ({"max_entries": 2}, 2, 2, 2),
        ({"max_entries": 2, "sort": "url"}, 5, 3, 2),
        ({"exclude": ("/1",)}, 5, 2, 2),
    ],
)
def test_entries_are_counted_per_stage(passes: Any, read: int, distinct: int, offered: int) -> None:
    document = Told([entry(1), entry(2), entry(1), Entry(loc="mailto:x"), entry(3)])
    walk = conversion(document, transforms=TransformOptions(now=NOW, **passes))
    list(walk.entries())
    counts = walk.counts
    assert (counts.read, counts.distinct, counts.offered) == (read, distinct, offered)
    walk.begin_another_pass()
    assert walk.counts.read == 0


def test_issues_name_the_source_that_is_being_read_or_written() -> None:
    told: list[Issue] = []
    documents = [
        Told([Entry(loc="mailto:a", line=1), Entry(id="x", line=2)]),
        Told([Entry(loc="mailto:b", line=1), Entry(id="y", line=3, feed=Feed(source="mine"))]),
    ]
    walk = conversion(*documents, report=told.append, report_written=told.append)
    assert list(parts_of(walk)) == []
    assert [(one.source, one.code) for one in told] == [
        ("0", Code.URL_SCHEME_DROPPED),
        ("0", Code.ENTRY_WITHOUT_LOC),
        ("1", Code.URL_SCHEME_DROPPED),
        ("mine", Code.ENTRY_WITHOUT_LOC),
    ]


def test_a_sorted_entry_keeps_its_source() -> None:
    told: list[Issue] = []
    of_first = Entry(id="x", line=2, feed=Feed(source="first"))
    walk = conversion(
        Told([of_first]),
        Told([entry(1)]),
        transforms=TransformOptions(now=NOW, sort="url"),
        report_written=told.append,
    )
    for part in parts_of(walk):
        list(part.chunks)
    assert [(one.source, one.line) for one in told] == [("first", 2)]


def test_a_late_header_is_used_in_the_second_pass() -> None:
    seen: list[Feed | None] = []
    complete = Feed(format="rss", title="T")
    walk = conversion()
    walk.inputs = [
        Input(
            name="a",
            open=lambda options, _: (
                seen.append(options.header)  # type: ignore[func-returns-value]  # that is None
                or Told(
                    [entry(1), replace(entry(1), title="T")],
                    feed=complete,
                    header_changed=options.header is None,
                )
            ),
        )
    ]
    walks = 0
    while not walks or walk.needs_another_pass:
        if walks:
            walk.begin_another_pass()
        assert [found.line for found in walk.entries()] == [1]
        walks += 1
    # the first learns of the header, the second of the duplicate, the third settles that
    assert seen == [None, complete, complete]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [({}, [5]), ({"limit_urls": 2}, [2, 2, 1]), ({"limit_bytes": 1024}, [5])],
)
def test_limits_are_narrowed_as_asked(limits: Any, expected: list[int]) -> None:
    walk = conversion(Told([entry(number) for number in range(5)]))
    walk.write = WriteOptions(now=NOW, **limits)
    found = []
    for part in parts_of(walk):
        found.append(part.entries)
        assert sum(map(len, part.chunks)) == part.raw_bytes
    assert found == expected


@pytest.mark.property
@given(
    names=st.lists(st.integers(0, 30), max_size=40),
    limit=st.integers(1, 10),
    sort=st.sampled_from(["input", "url", "newest"]),
)
def test_parts_lose_nothing_and_keep_the_order(names: list[int], limit: int, sort: Any) -> None:
    walk = conversion(
        Told([entry(number) for number in names]), transforms=TransformOptions(now=NOW, sort=sort)
    )
    walk.write = WriteOptions(now=NOW, limit_urls=limit)
    if list(walk.entries()) and walk.needs_another_pass:
        walk.begin_another_pass()
    else:
        walk.begin_second_pass()
    bodies = [b"".join(part.chunks) for part in parts_of(walk)]
    found = [line for body in bodies for line in body.split(b"\n") if line.startswith(b"<url>")]
    distinct = list(dict.fromkeys(f"https://ex.com/{number}" for number in names))
    wanted = sorted(distinct) if sort == "url" else distinct
    assert found == [f"<url><loc>{loc}</loc></url>".encode() for loc in wanted]
    assert len(bodies) == -(-len(wanted) // limit)


def test_each_output_of_a_host_has_its_own_limit_and_order() -> None:
    locs = [f"https://{host}.example/{n}" for n in range(3) for host in "ab"]
    walk = conversion(
        Told([Entry(loc=loc) for loc in locs]), transforms=TransformOptions(now=NOW, max_entries=2)
    )
    walk.is_split = True
    found = {host: [b"".join(part.chunks) for part in parts] for host, parts in walk.outputs()}
    assert list(found) == ["a.example", "b.example"]
    for host, (part,) in found.items():
        written = [line for line in part.decode().split("\n") if line.startswith("<url>")]
        assert written == [f"<url><loc>https://{host}/{n}</loc></url>" for n in range(2)]


def test_progress_is_reported_regularly_and_at_the_end_of_each_source() -> None:
    calls: list[int] = []
    walk = conversion(Told([entry(number) for number in range(1100)]), Told([entry(1)]))
    walk.progress = lambda: calls.append(walk.counts.read)
    list(walk.entries())
    assert calls == [500, 1000, 1100, 1101]
