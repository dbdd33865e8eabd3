"""Tag soup: what no XML parser can read, and what must not come out of it."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import DocumentError, LimitError
from converter.formats.registry import FORMATS
from converter.issues import Code, Issue
from converter.model import Category, Entry, Feed, Moment, Person, Text
from converter.options import Limits, ReadOptions
from tests.builders import codes, read_all


def read(
    document: str | bytes, options: ReadOptions | None = None
) -> tuple[Feed, list[Entry], list[Issue]]:
    return read_all(FORMATS["rss"].salvage, document, options)


def rss(item: str) -> str:
    """A feed that nothing but soup can read: the CDATA section of the header never ends."""
    return (
        "<rss version='2.0'><channel><title>T</title><link>https://x.example/f/</link>"
        f"<item>{item}</item></channel></rss><![CDATA["
    )


def test_the_header_and_the_entries_of_rss() -> None:
    feed, (entry,), issues = read(
        rss(
            "<title>A &amp;amp; &lt;b&gt;B&lt;/b&gt;</title><link>../p?a=1&b=2</link><guid>g</guid>"
            "<pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate><category domain='s'>k</category>"
            "<author>a@b.example (Ann)</author><description>&lt;p&gt;x</description>"
        )
    )
    assert (feed.format, feed.title, feed.link) == ("rss", "T", "https://x.example/f/")
    assert entry.feed is feed
    assert entry.loc == "https://x.example/p?a=1&b=2"
    assert (entry.id, entry.title) == ("g", "A & B")
    assert entry.published == Moment(instant=datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC))
    assert entry.updated is None
    assert entry.authors == (Person(name="Ann", email="a@b.example"),)
    assert entry.categories == (Category(term="k", scheme="s"),)
    assert entry.summary == Text(value="<p>x", is_html=True, base="https://x.example/f/")
    assert codes(issues) == [Code.XML_REPAIRED]
    assert "tag soup" in issues[0].message


def test_atom() -> None:
    feed, (entry,), _ = read(
        "<feed xmlns='http://www.w3.org/2005/Atom'><title type='html'>a &lt;b>x&lt;/b></title>"
        "<entry><id>urn:1</id><title>1 &lt; 2</title><updated>2024-05-06</updated>"
        "<author><name>N</name><uri>https://n.example/</uri></author>"
        "<link rel='self' href='https://x.example/no'/><link href='https://x.example/1'/>"
        "<content type='html'>&lt;i>z&lt;/i></content></entry></feed></x>"
    )
    assert (feed.format, feed.title) == ("atom", "a x")
    assert (entry.loc, entry.title) == ("https://x.example/1", "1 < 2")
    assert entry.authors == (Person(name="N", uri="https://n.example/"),)
    assert entry.content == Text(value="<i>z</i>", is_html=True)
    assert entry.updated is not None


def test_the_base_of_the_caller_precedes_that_of_the_feed() -> None:
    options = ReadOptions(base_url="https://base.example/")
    assert read(rss("<link>/p</link>"), options)[1][0].loc == "https://base.example/p"


def test_enclosures_become_media_by_their_kind() -> None:
    _, (entry,), issues = read(
        rss(
            "<title>t</title><link>https://x.example/v.mp4</link>"
            "<enclosure url='/v.mp4' type='video/mp4' length='12'/>"
            "<enclosure url='/a.mp3' type='audio/mpeg' length='many'/>"
            "<enclosure url='/i.jpg' type='image/jpeg'/>"
            "<enclosure url='https://www.youtube.com/embed/x' type='text/html'/>"
            "<enclosure url='/d.pdf' type='application/pdf'/><enclosure type='video/mp4'/>"
        )
    )
    assert entry.loc is None, "a file is no page"
    assert [(video.content_url, video.player_url) for video in entry.videos] == [
        ("https://x.example/v.mp4", "https://www.youtube.com/embed/x")
    ]
    assert entry.videos[0].renditions[0].size_bytes == 12
    assert [audio.content_url for audio in entry.audios] == ["https://x.example/a.mp3"]
    assert [image.url for image in entry.images] == ["https://x.example/i.jpg"]
    assert Code.MEDIA_UNCLASSIFIED in codes(issues)


def test_invalid_values_are_reported() -> None:
    _, (entry,), issues = read(
        rss("<title></title><pubDate>yesterday</pubDate><link>mailto:a@b.example</link>")
    )
    assert (entry.published, entry.loc, entry.title) == (None, None, None)
    assert Code.DATE_UNREADABLE in codes(issues)


def test_changes_to_a_url_are_reported() -> None:
    _, (entry,), issues = read(rss("<link>https://me:pw@x.example/p</link>"))
    assert entry.loc == "https://x.example/p"
    assert Code.URL_CREDENTIALS_REMOVED in codes(issues)


def test_an_incomplete_entry_is_left_out() -> None:
    _, entries, issues = read(
        "<rss version='2.0'><channel><item><title>1</title></item><item><title>2</title><link>https"
    )
    assert [entry.title for entry in entries] == ["1"]
    assert codes(issues) == [Code.XML_REPAIRED, Code.XML_BROKEN]


@pytest.mark.parametrize(
    "document",
    [
        "",
        "no feed",
        "<html><body>x</body></html>",
        "<rss version='2.0'><channel><title>T</title></channel></rss>",
        "<rss version='2.0'><channel><item><title>half",
        b"\x1f\x8b\x08\x00" + bytes(range(256)),
    ],
)
def test_a_broken_document_without_entries_is_refused(document: str | bytes) -> None:
    with pytest.raises(DocumentError, match="beyond repair"):
        read(document)


def test_any_exception_of_feedparser_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("feedparser.parse", fail)
    with pytest.raises(DocumentError, match="RecursionError"):
        read(rss(""))


def test_soup_that_is_too_large_is_a_limit() -> None:
    options = ReadOptions(limits=Limits(max_repair_bytes=1000))
    with pytest.raises(LimitError) as refusal:
        read(rss("x" * 2000), options)
    assert refusal.value.limit == "max_repair_bytes"


def test_tag_soup_with_too_many_tags_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("feedparser, which takes minutes, was asked")

    monkeypatch.setattr("feedparser.parse", fail)
    with pytest.raises(LimitError, match="more than 100,000 tags") as refusal:
        read(rss("<p>" * 100_001))
    assert refusal.value.limit == "max_repair_bytes"
    with pytest.raises(DocumentError, match="was asked"):
        read(rss("<p>" * 99_000))


@pytest.mark.parametrize("address", ["file:///etc/hostname", "http://127.0.0.1:9/x"])
def test_no_entity_is_ever_loaded(address: str) -> None:
    document = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "{address}">]>' + rss("<title>a&x;b</title>")
    _, (entry,), _ = read(document)
    assert entry.title == "ab"


def test_a_path_or_an_address_is_not_followed() -> None:
    for document in ("http://127.0.0.1:9/x", "/etc/hostname"):
        with pytest.raises(DocumentError):
            read(document)


@pytest.mark.property
@given(
    st.binary(max_size=200)
    | st.lists(
        st.sampled_from(
            [
                *("<", ">", "&", ";", "'", "<item>", "</item>", "<title>", "<link>", "<rss>"),
                *("<feed>", "<entry>", "<![CDATA[", "]]>", "<pubDate>", "x", "<enclosure url='"),
                *("&nbsp;", "<author>", "@"),
            ]
        )
    ).map(lambda bits: ("<rss version='2.0'><channel>" + "".join(bits)).encode())
)
def test_any_bytes_end_in_entries_or_a_refusal(document: bytes) -> None:
    with suppress(DocumentError):
        read(document)
