"""Tables of URLs: rows, limits and encodings; which column becomes what, cases prove."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import DocumentError, LimitError
from converter.formats.registry import FORMATS
from converter.issues import Issue
from converter.model import Entry
from converter.options import Limits, ReadOptions
from tests.builders import read_all

LIMITS = Limits()


def read(document: str | bytes, limits: Limits = LIMITS) -> tuple[list[Entry], list[Issue]]:
    _, entries, issues = read_all(FORMATS["csv"].read, document, ReadOptions(limits=limits))
    return entries, issues


def test_lines_are_counted_over_line_breaks_in_cells() -> None:
    entries, _ = read('url,title\nhttps://ex.com/1,"a\n\nb"\n\nhttps://ex.com/2,x\r\n')
    assert [(entry.line, entry.title) for entry in entries] == [(2, "a b"), (6, "x")]


def test_many_rows_are_read_in_pieces() -> None:
    rows = "".join(f'https://ex.com/{n};"ü;{n}"\r' for n in range(50_000))
    entries, issues = read(f"url;title\r{rows}")
    assert (len(entries), issues) == (50_000, [])
    assert (entries[-1].line, entries[-1].title) == (50_001, "ü;49999")


@pytest.mark.parametrize(
    ("document", "codes"),
    [
        ("url;title\nhttps://ex.com/1;ä".encode("utf-16"), ["encoding-assumed"]),
        ("url;title\nhttps://ex.com/1;ä".encode("windows-1252"), ["encoding-assumed"]),
        (b"\xef\xbb\xbf" + "url;title\nhttps://ex.com/1;ä".encode(), []),
    ],
)
def test_other_encodings_are_reported(document: bytes, codes: list[str]) -> None:
    [entry], issues = read(document)
    assert (entry.title, [str(issue.code) for issue in issues]) == ("ä", codes)


def test_a_first_row_without_a_column_of_urls_is_refused() -> None:
    with pytest.raises(DocumentError, match="wanted one called url, loc or link"):
        read("title,price\nT,https://ex.com/\n")


def test_a_row_has_a_longest_length() -> None:
    with pytest.raises(LimitError, match=r"line 2: a row of more than 50 characters\. Look for"):
        read('url,title\nhttps://ex.com/1,"' + "x\n" * 100, Limits(max_line_bytes=50))


@pytest.mark.property
@given(
    st.binary(max_size=200)
    | st.lists(
        st.sampled_from(["url", ",", ";", '"', "\n", "\r", "https://ex.com/1", "\0", "x"])
    ).map(lambda bits: ("url,date,image\n" + "".join(bits)).encode())
)
def test_any_bytes_end_in_entries_or_a_refusal(document: bytes) -> None:
    with suppress(DocumentError, LimitError):
        read(document)


def test_a_quotation_mark_that_is_not_closed_is_an_error() -> None:
    rows = "".join(f"https://ex.com/{number},t\n" for number in range(9))
    entries, [issue] = read(f'url,title\n{rows}https://ex.com/9,"oops\n{rows}')
    assert (len(entries), issue.line, issue.severity.word) == (9, 11, "error")
    assert "this line and all further ones are not read" in issue.message


@pytest.mark.parametrize(
    ("document", "is_table"),
    [
        ("url,title\nhttps://ex.com/,T", True),
        ('"title","link"\n"a, b","https://ex.com/"', True),
        ("url\nhttps://ex.com/", True),
        ("# one URL per line, url\nhttps://ex.com/a\nhttps://ex.com/b?x=1,2", False),
        ("See the page, url\nhttps://ex.com/a\nhttps://ex.com/b", False),
    ],
)
def test_a_table_has_urls_in_the_column_that_its_first_row_names(
    document: str, is_table: bool
) -> None:
    sniff = FORMATS["csv"].sniff
    assert sniff
    assert sniff(document.encode()) is is_table
