"""JSON Feed: read in pieces, written, and read again; which member becomes what, cases prove."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import converter
from converter.errors import DocumentError, LimitError
from converter.formats.registry import FORMATS
from converter.issues import Issue
from converter.model import Entry, Feed
from converter.options import WriteOptions
from tests.builders import NOW, read_all
from tests.formats.test_feed_law import any_entries, feeds_of

FORMAT = FORMATS["jsonfeed"]
VERSION = "https://jsonfeed.org/version/1.1"


def read(document: bytes | dict[str, Any]) -> tuple[Feed, list[Entry], list[Issue]]:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return read_all(FORMAT.read, data)


def feed(*items: Any, **members: Any) -> dict[str, Any]:
    return {"version": VERSION, "title": "T", **members, "items": list(items)}


def item(number: int, **members: Any) -> dict[str, Any]:
    return {"id": str(number), "url": f"https://ex.com/{number}", **members}


def paths(issues: list[Issue]) -> list[tuple[str, str | None]]:
    return [(str(issue.code), issue.path) for issue in issues]


def test_items_longer_than_a_chunk_are_whole() -> None:
    text = 'a "word", ü, \U0001f600, \\ and a line\n' * 20_000
    document = feed(*(item(number, content_text=text) for number in range(3)))
    for data in (json.dumps(document), json.dumps(document, ensure_ascii=False, indent=3)):
        _, entries, issues = read(data.encode())
        assert [entry.content.value if entry.content else "" for entry in entries] == [
            text.strip()
        ] * 3
        assert issues == []


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32-le"])
def test_many_items_in_any_encoding_keep_their_lines(codec: str) -> None:
    document = json.dumps(feed(*(item(n, title="ü") for n in range(5000))), indent=1)
    _, entries, _ = read(document.encode(codec))
    assert [entry.title for entry in entries] == ["ü"] * 5000
    lines = document.splitlines()
    assert all(lines[(entry.line or 0) - 1] == "  {" for entry in entries)


def test_faults_in_the_header_have_a_path() -> None:
    document = feed(item(1), language=1, authors=[{"name": []}], hubs="x", icon="//", next_url={})
    _, _, issues = read(document)
    assert {path for _, path in paths(issues)} == {
        *("language", "authors/0/name", "hubs", "feed/logo", "next_url")
    }


def test_bytes_that_are_not_utf_8_are_reported() -> None:
    document = json.dumps(feed(item(1, title="a??"))).encode()
    document = document.replace(b"a??", b"a\xff" + rb"\ud800")
    _, [entry], issues = read(document)
    assert entry.title == "a"
    assert paths(issues) == [("text-cleaned", "items/0/title")]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (b"[]", "line 1, column 1: found '[]'; wanted {"),
        (b'{"items": ["a"', "line 1, column 15: the document breaks off; wanted , or ]"),
        (b'{"title" "x"}', "line 1, column 10: found '\"x\"}'; wanted :"),
        (b'{\n "a": 1,\n b: 2}', "line 3, column 2: found 'b: 2}'; Expecting value"),
        (b'{"a": 1} x', "line 1, column 10: found 'x'; wanted nothing after the feed"),
        (b'{"a": nul}', "line 1, column 7: found 'nul}'; Expecting value"),
    ],
)
def test_broken_json_is_named_with_its_place(document: bytes, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read(document)
    assert problem in str(caught.value)


def test_content_after_a_fault_is_not_read() -> None:
    document = json.dumps(feed(item(1), item(2))).replace('"id": "2"', '"id" "2"').encode()
    _, entries, issues = read(document + b" " * 20_000_000)
    assert [entry.id for entry in entries] == ["1"]
    assert [str(issue.code) for issue in issues] == ["xml-broken"]


def test_an_item_has_a_largest_size() -> None:
    document = json.dumps(feed(item(1), item(2, content_text="x" * 9_000_000))).encode()
    with pytest.raises(LimitError, match="line 1: items/1 holds more than 8 MiB"):
        read(document)


def test_names_that_nothing_reads_are_bounded() -> None:
    header, [entry], issues = read(
        feed(item(1, **{f"_{n}": n for n in range(100)}), **{f"_{n}": n for n in range(100)})
    )
    assert len(entry.other) == 65
    assert len(header.other) == 65
    assert issues == []


def test_a_second_array_of_items_is_read_too() -> None:
    _, entries, _ = read(b'{"items": [{"id": "1"}], "items": [{"id": "2"}]}')
    assert [entry.id for entry in entries] == ["1", "2"]


# -- written --------------------------------------------------------------------------------------


def written(entries: list[Entry], header: Feed | None = None) -> dict[str, Any]:
    target = io.BytesIO()
    converter.write(entries, target, to="jsonfeed", header=header, report=lambda _: None)
    return dict(json.loads(target.getvalue()))


@pytest.mark.property
@given(entries=st.lists(any_entries, min_size=1, max_size=3), pretty=st.booleans())
@settings(max_examples=40)
def test_any_text_makes_json(entries: list[Entry], pretty: bool) -> None:
    assert FORMAT.writer
    writer = FORMAT.writer(WriteOptions(now=NOW, pretty=pretty))
    rendered = [writer.entry(entry, lambda _: None) for entry in entries]
    body = FORMAT.separator.join(one.body for one in rendered if one)
    document = json.loads(writer.head(Feed(), frozenset()) + body + writer.tail(Feed()))
    assert len(document["items"]) == len(entries)
    for item_ in document["items"]:
        assert item_["id"]
        assert ("content_html" in item_) != ("content_text" in item_)


@pytest.mark.property
@given(entries=feeds_of)
@settings(max_examples=40)
def test_kept_fields_survive_a_round_trip(entries: list[Entry]) -> None:
    assert FORMAT.writer
    writer = FORMAT.writer(WriteOptions(now=NOW))
    rendered = [writer.entry(entry, lambda _: None) for entry in entries]
    body = FORMAT.separator.join(one.body for one in rendered if one)
    _, back, issues = read(writer.head(Feed(), frozenset()) + body + writer.tail(Feed()))
    assert [code for code, _ in paths(issues) if code != "loc-passed-over"] == []
    for entry, again in zip(entries, back, strict=True):
        for name in ("id", "loc", "title", "published", "updated", "lang"):
            assert getattr(again, name) == getattr(entry, name), name
        assert [it.text for it in again.categories] == [it.text for it in entry.categories]
        # of several videos with one title the files are renditions of one
        assert {file.url for it in entry.audios for file in it.renditions} == {
            file.url for it in again.audios for file in it.renditions
        }


@pytest.mark.property
@given(
    st.binary(max_size=300)
    | st.lists(
        st.sampled_from(
            [
                *("{", "}", "[", "]", ",", ":", '"items"', '"id"', '"url"', '"https://ex.com/1"'),
                *(
                    '"attachments"',
                    '"authors"',
                    "1",
                    "null",
                    "true",
                    '"\\ud800"',
                    "NaN",
                    "9" * 5000,
                ),
                *('"date_published"', '"tags"', "1e999", "-", "\\", '"', "\n"),
            ]
        )
    ).map(lambda bits: ('{"version": "x", "items": [{' + "".join(bits)).encode())
)
@settings(max_examples=300)
def test_any_bytes_end_in_entries_or_a_refusal(document: bytes) -> None:
    with suppress(DocumentError, LimitError):
        read(document)


@pytest.mark.parametrize("read_of_number", range(1, 8))
def test_a_number_may_be_cut_by_a_chunk(read_of_number: int) -> None:
    start = '{"version": "https://jsonfeed.org/version/1.1", "title": "'
    middle = '", "_n": '
    title = "x" * (64 * 1024 - len(start) - len(middle) - read_of_number)
    document = f'{start}{title}{middle}1.25e-3, "items": [{{"id": "1"}}]}}'
    _, entries, issues = read(document.encode())
    assert [entry.id for entry in entries] == ["1"]
    assert [issue for issue in issues if issue.code.value != "dropped-field"] == []


def test_an_update_with_nothing_new_changes_nothing(tmp_path: Any) -> None:
    target = tmp_path / "feed.json"
    for number in (2, 1, 1):
        atom = (
            f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:x:{number}</id>'
            f'<link href="https://ex.com/{number}"/><summary>s</summary></entry></feed>'
        )
        result = converter.convert(io.BytesIO(atom.encode()), target, to="jsonfeed", update=True)
    assert result.unchanged
    assert "summary" not in target.read_text("utf-8")


def test_numbers_that_json_does_not_know_are_reported() -> None:
    data = '"attachments": [{"url": "https://ex.com/a.mp3", "duration_in_seconds": Infinity}]'
    version = '"version": "https://jsonfeed.org/version/1.1"'
    document = f'{{{version}, "items": [{{"title": NaN, {data}}}]}}'
    _, [entry], issues = read(document.encode())
    assert (entry.title, entry.audios[0].duration_s) == (None, None)
    codes = [issue.code.value for issue in issues]
    assert {"value-type", "duration-unreadable"} <= set(codes)
