"""Lists of URLs (mapping 1.6): what is a line, what is a URL, and what is said of the rest."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import converter
from converter.errors import DocumentError
from converter.formats import text_lines, urllist
from converter.issues import Code, Issue
from converter.model import Entry, Feed, Image
from converter.options import Limits, ReadOptions, WriteOptions
from tests.builders import codes, document_of, read_all

A, B, C = (f"https://www.example.com/{letter}" for letter in "abc")


def read(
    content: str | bytes, **options: Any
) -> tuple[list[tuple[int | None, str | None]], list[Issue]]:
    _, entries, issues = read_all(urllist.read, content, ReadOptions(**options))
    return [(entry.line, entry.loc) for entry in entries], issues


def told(issues: list[Issue]) -> list[tuple[int | None, str]]:
    return [(issue.line, str(issue.code)) for issue in issues]


def test_the_example_of_the_mapping() -> None:
    found, issues = read(
        "\ufeffhttps://ex.com/38a\r\n\r\n# comment\r\nhttps://ex.com/38b?x=1&y=2\r\n"
        "www.ex.com/c\r\nhttps://ex.com/38a"
    )
    assert found == [
        (1, "https://ex.com/38a"),
        (4, "https://ex.com/38b?x=1&y=2"),
        (6, "https://ex.com/38a"),
    ]
    assert told(issues) == [(3, "line-comment"), (5, "line-not-url")]


def test_an_entry_has_its_page_its_line_and_its_list() -> None:
    document = urllist.read(io.BytesIO(A.encode()), ReadOptions(), [].append)
    assert document.feed == Feed(format="txt")
    assert document.children == ()
    (entry,) = document.entries
    assert entry == Entry(loc=A, line=1)
    assert entry.feed is document.feed


def test_the_stream_is_read_from_its_beginning() -> None:
    stream = io.BytesIO(A.encode())
    stream.read()
    assert [entry.loc for entry in urllist.read(stream, ReadOptions(), [].append).entries] == [A]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\r\n", "\n\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(end: str, last: bool) -> None:
    found, issues = read(end.join([A, B, C]) + (end if last else ""))
    assert [loc for _, loc in found] == [A, B, C]
    assert issues == []


def test_a_line_end_is_one_across_the_seam_of_two_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_lines, "_CHUNK_BYTES", len(A) + 1)
    found, _ = read(f"{A}\r\n{B}é\r{C}")
    assert found == [(1, A), (2, f"{B}é"), (3, C)]


@pytest.mark.parametrize("around", [" ", "\t", " \t\v\f", "\u00a0", "\ufeff"])
def test_white_space_around_is_nothing(around: str) -> None:
    assert read(f"{around}{A}{around}\n{around}\n") == ([(1, A)], [])


@pytest.mark.parametrize(
    "line",
    [
        f"{A} {B}",
        f"{A} # tail",
        f"{A}\t2024-05-06\tdaily",
        f"{A} lastmod=2024-05-06",
        f'"{A}","x"',
        f"<{A}>",
        f"[x]({A})",
        f'<a href="{A}">x</a>',
        f"{A}\u2028{B}",
        f"{A}\u0085x",
        f"{A}\fx",
        f"{A}\0x",
        f"{A}\x1b[31mx",
        "; other",
        "// third",
        "/a",
        "b/c",
        "//www.example.com/a",
        "www.example.com/a",
        "example.com:8080/a",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "mailto:a@example.com",
        "ftp://u:secret@example.com/a",
        f"{A} 2024-05-06",
        f"{A} 2024-05-06T10:00:00+02:00 0.5",
        f"{A} daily",
        f"{A} 0.5",
        f'{A} "A title"',
        f"{A}, 2024-05-06",
        f'{A},"A title"',
        f'{A};"title"',
        "https://www.example.com is a page",
        "url,lastmod",
        "loc;lastmod;priority",
        "URL\tlastmod",
        '"loc","lastmod"',
    ],
)
def test_invalid_urls_are_reported_and_left_out(line: str) -> None:
    found, issues = read(f"{A}\n{line}\n{C}\n")
    assert found == [(1, A), (3, C)]
    assert told(issues) == [(2, "line-not-url")]
    assert issues[0].message.isprintable()
    assert "secret" not in issues[0].message


@pytest.mark.parametrize(
    ("line", "loc", "code"),
    [
        ("https://ex.com/?a=1&amp;b=2", "https://ex.com/?a=1&b=2", Code.URL_REPAIRED),
        ("<![CDATA[https://ex.com/c]]>", "https://ex.com/c", Code.URL_REPAIRED),
        ("<![CDATA[ https://ex.com/c ]]>", "https://ex.com/c", Code.URL_REPAIRED),
        ("https://u:secret@ex.com/", "https://ex.com/", Code.URL_CREDENTIALS_REMOVED),
        ("feed:https://ex.com/c", "https://ex.com/c", Code.URL_NORMALISED),
        ("HTTPS://EX.COM/C", "HTTPS://EX.COM/C", None),
        ("https://ex.com/ü", "https://ex.com/ü", None),
        ("https://ex.com/b,y", "https://ex.com/b,y", None),
        ("https://ex.com/#!/a", "https://ex.com/#!/a", None),
        ("https://ex.com/a b", "https://ex.com/a b", None),
        ("https://ex.com/a?q=b c&d", "https://ex.com/a?q=b c&d", None),
        ("https://ex.com/Windows 10", "https://ex.com/Windows 10", None),
        ("https://ex.com/Hello, world", "https://ex.com/Hello, world", None),
        ("https://ex.com/a\u00a0b\u3000c", "https://ex.com/a\u00a0b\u3000c", None),
        ("https://ex.com/?ids=1,2;3", "https://ex.com/?ids=1,2;3", None),
        ("https://ex.com/a,123.html", "https://ex.com/a,123.html", None),
        ("https://ex.com/a;v=1", "https://ex.com/a;v=1", None),
    ],
)
def test_almost_clean_lines_are_read(line: str, loc: str, code: Code | None) -> None:
    found, issues = read(line)
    assert found == [(1, loc)]
    assert codes(issues) == ([code] if code else [])
    assert not any("secret" in issue.message for issue in issues)


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize(
    "column",
    [
        "2024-05-06",
        "2024/05/06",
        "06.05.2024",
        "2024-05-06T10:00:00Z",
        "2024-05-06T10:00:00+02:00",
        "0.8",
        "daily",
        "Weekly",
        "https://www.example.com/b",
        "'title'",
        "x,2024-05-06",
        "",
    ],
)
def test_a_line_with_apparent_columns_is_left_out(separator: str, column: str) -> None:
    found, issues = read(f"{A}\n{A}{separator}{column}\n")
    assert found == [(1, A)]
    assert told(issues) == [(2, "line-not-url")]


@pytest.mark.parametrize("encode", [str.encode, lambda text: text.encode("utf-16")])
def test_spaces_in_a_url_are_encoded(encode: Callable[[str], bytes]) -> None:
    for packed in (bytes, gzip.compress):
        target = io.BytesIO()
        source = io.BytesIO(packed(encode("https://ex.com/a b\u00a0c\n")))
        converter.convert(source, target, to="txt")
        assert target.getvalue() == b"https://ex.com/a%20b%C2%A0c\n"


def test_an_empty_wrapper_is_a_blank_line() -> None:
    assert read(f"<![CDATA[ ]]>\n{A}") == ([(2, A)], [])


def test_relative_references_are_resolved_with_the_base() -> None:
    base = "https://ex.com/x/y"
    found, issues = read("/a\nb/c\n?q\n//h.com/d\nwww.ex.com\n<b>\n", base_url=base)
    assert found == [
        (1, "https://ex.com/a"),
        (2, "https://ex.com/x/b/c"),
        (3, "https://ex.com/x/y?q"),
        (4, "https://h.com/d"),
    ]
    assert told(issues) == [(5, "line-not-url"), (6, "line-not-url")]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_other_unicode_encodings_are_decoded_and_reported(codec: str) -> None:
    found, issues = read(f"{A}\r\n{B}é".encode(codec))
    assert found == [(1, A), (2, f"{B}é")]
    assert told(issues) == [(1, "encoding-assumed")]


def test_invalid_utf_8_is_read_as_windows_1252_and_reported() -> None:
    found, issues = read(
        f"{A}\n{B}é\n".encode() + b"https://ex.com/caf\xe9\n\x80\nhttps://ex.com/\x81"
    )
    assert found == [(1, A), (2, f"{B}é"), (3, "https://ex.com/café"), (5, "https://ex.com/\ufffd")]
    encoding = "encoding-assumed"
    assert told(issues) == [(3, encoding), (4, encoding), (4, "line-not-url"), (5, encoding)]


@pytest.mark.parametrize("chunk", [7, 100, 10_000])
def test_long_lines_are_left_out_and_not_held(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_lines, "_CHUNK_BYTES", chunk)
    limits = Limits(max_line_bytes=40)
    long = "https://www.example.com/" + "x" * 2000
    found, issues = read(f"{A}\n{long}\n{B}\n{long}", limits=limits)
    assert found == [(1, A), (3, B)]
    assert told(issues) == [(2, "line-not-url"), (4, "line-not-url")]
    assert "more than 40 characters" in issues[0].message


def test_a_line_of_the_longest_length_is_read() -> None:
    assert read(A, limits=Limits(max_line_bytes=len(A)))[0] == [(1, A)]


def test_urls_too_long_to_publish_are_for_others_to_judge() -> None:
    long = f"{A}?{'x' * 100_000}"
    assert read(f"{A}\n{long}") == ([(1, A), (2, long)], [])


@pytest.mark.parametrize("content", ["prose\n", f"{A} {B}\n", "<doc>\n</doc>\n", "/a"])
def test_lines_without_any_url_are_not_a_list(content: str) -> None:
    with pytest.raises(DocumentError, match="one URL on each line"):
        read(content)


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", " \r\n"])
def test_nothing_is_an_empty_list(content: str) -> None:
    assert read(content) == ([], [])


def test_comments_alone_are_an_empty_list() -> None:
    found, issues = read("# a\n  # b\n")
    assert found == []
    assert told(issues) == [(1, "line-comment"), (2, "line-comment")]


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        (A, True),
        (f"# note\n\n{A}\n", True),
        (f"; x y\n// z z\n{A}\n{B}\n", True),
        (f"javascript:x\nwww.ex.com\n/a\n{A}", True),
        ("", False),
        ("# note", False),
        ("/a\n/b", False),
        (f"See {A} for more.", False),
        (f"A title\n\nSome words.\n{A}\n", False),
        (f"<link>\n{A}\n</link>", False),
        (f"<{A}>", False),
        ("https://", False),
        ("https:///path", False),
    ],
)
def test_sniffing(text: str, is_list: bool) -> None:
    assert urllist.sniff(text.encode()) is is_list


# -- writing -----------------------------------------------------------------------------------


def written(entries: list[Entry], report: Any) -> bytes:
    writer = urllist.FORMAT.new_writer(WriteOptions(now=datetime(2024, 5, 6, tzinfo=UTC)))
    return document_of(writer, entries, report=report)


def test_an_entry_is_a_line() -> None:
    issues: list[Issue] = []
    entries = [Entry(loc=A), Entry(id="x", line=3), Entry(loc=B, title="T", images=(Image(url=C),))]
    assert written(entries, issues.append) == f"{A}\n{B}\n".encode()
    assert [(issue.code, issue.line, issue.entry) for issue in issues] == [
        (Code.ENTRY_WITHOUT_LOC, 3, "x")
    ]


def test_the_row() -> None:
    row = urllist.FORMAT
    assert (row.part_limits.max_entries, row.part_limits.max_bytes) == (50_000, 50 * 1024 * 1024)
    assert row.index is None


URL_TEXT = st.text("abcXYZ019-._~/?=&%+:é", max_size=30)


@pytest.mark.property
@given(paths=st.lists(URL_TEXT.filter(lambda text: "&amp;" not in text), max_size=20))
def test_what_was_written_is_read_again(paths: list[str]) -> None:
    entries = [Entry(loc=f"https://ex.com/{path}", line=line) for line, path in enumerate(paths, 1)]
    raw = written(entries, None)
    document = urllist.read(io.BytesIO(raw), ReadOptions(), [].append)
    assert [replace(entry, feed=None) for entry in document.entries] == entries


@pytest.mark.property
@given(raw=st.binary(max_size=300), base=st.none() | st.just("https://ex.com/"))
def test_any_bytes_are_a_list_or_refused(raw: bytes, base: str | None) -> None:
    try:
        found, issues = read(raw, base_url=base)
    except DocumentError:
        return
    assert all(loc and loc.lower().startswith(("http:", "https:")) for _, loc in found)
    assert all(issue.message.isprintable() for issue in issues)
