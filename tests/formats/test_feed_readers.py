"""Feeds as the library reads them: what only the model, or a feed again, can show."""

from __future__ import annotations

import io

import pytest

import converter
from converter import Entry, Feed, Issue
from converter.formats.rss.read import read
from converter.options import ReadOptions
from tests.builders import codes, converted, read_all

NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "dc": "http://purl.org/dc/elements/1.1/",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "media": "http://search.yahoo.com/mrss/",
}
DECLARED = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())

#: What an `rss` may declare as its default namespace, and mean RSS.
DEFAULTS = [
    "https://cyber.harvard.edu/rss/rss.html",
    "https://www.rssboard.org/rss-specification",
    "http://backend.userland.com/rss2",
    "http://my.netscape.com/rdf/simple/0.9/",
    "http://purl.org/rss/1.0/",
    "http://www.w3.org/2005/Atom",
    "http://www.w3.org/1999/xhtml",
    "http://search.yahoo.com/mrss/",
    "urn:x",
]


def read_rss(channel: str, attributes: str = "") -> tuple[Feed, list[Entry], list[Issue]]:
    return read_all(read, f"<rss {DECLARED} {attributes}><channel>{channel}</channel></rss>")


CHANNEL = (
    "<title>T</title><link>https://ex.com/</link><description>D</description>"
    "<image><url>https://ex.com/logo.png</url></image>"
    "<item><title>A</title><link>https://ex.com/a</link><guid>a</guid><description>d</description>"
    "<category>c</category><author>a@b.example (Ann)</author>"
    "<itunes:duration>1:00</itunes:duration>"
    '<enclosure url="https://ex.com/a.mp4" type="video/mp4" length="1"/>'
    '<media:thumbnail url="https://ex.com/a.jpg"/></item>'
)


@pytest.mark.parametrize("uri", DEFAULTS)
def test_a_default_namespace_changes_nothing(uri: str) -> None:
    plain, (entry,), _ = read_rss(CHANNEL)
    feed, (found,), issues = read_rss(CHANNEL, f'xmlns="{uri}"')
    assert feed == plain
    assert found == entry
    assert issues == []


def test_a_prefix_changes_nothing() -> None:
    plain, (entry,), _ = read_rss(CHANNEL)
    marked = CHANNEL.replace("</", "\0").replace("<", "<r:").replace("\0", "</r:")
    for prefix in ("itunes", "media"):
        marked = marked.replace(f"r:{prefix}:", f"{prefix}:")
    source = f'<r:rss {DECLARED} xmlns:r="urn:r"><r:channel>{marked}</r:channel></r:rss>'
    document = read(io.BytesIO(source.encode()), ReadOptions(), [].append)
    assert list(document.entries) == [entry]
    assert document.feed == plain


def test_rdf_as_default_namespace_is_read_as_rss() -> None:
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    item = "<item><title>A</title></item>"
    for source, title in (
        (f'<RDF xmlns="{rdf}"><channel><title>T</title></channel>{item}</RDF>', "A"),
        (f'<r:RDF xmlns:r="{rdf}"><channel/><item><r:title>no</r:title></item></r:RDF>', None),
    ):
        document = read(io.BytesIO(source.encode()), ReadOptions(), [].append)
        assert [entry.title for entry in document.entries] == [title]


def test_a_namespace_is_that_of_its_item_alone() -> None:
    _, entries, _ = read_rss(
        '<item xmlns="urn:x"><title>A</title></item>'
        '<item><x:title xmlns:x="urn:x">B</x:title></item>'
    )
    assert [entry.title for entry in entries] == ["A", None]


ITEM = "<item><title>A &amp; B</title><link>https://ex.com/a</link></item>"


@pytest.mark.parametrize(
    ("body", "end"),
    [
        (ITEM, ""),
        (ITEM.replace("</title>", "</i></title>"), "</channel></rss>"),
        (ITEM, "</channel></rss><![CDATA["),
    ],
    ids=["breaks off", "balanced", "tag soup"],
)
def test_a_broken_document_in_a_namespace(body: str, end: str) -> None:
    source = f'<rss xmlns="urn:x"><channel>{body}{end}'
    with converter.read(io.BytesIO(source.encode()), format="rss") as document:
        entries = list(document.entries)
    assert [(entry.loc, entry.title) for entry in entries] == [("https://ex.com/a", "A & B")]


def test_an_author_may_be_written_as_in_atom() -> None:
    author = "<author><name>Ann</name><email>ann@ex.com</email></author>"
    _, (entry,), _ = read_rss(f"<item>{author}</item>", 'xmlns="http://www.w3.org/2005/Atom"')
    assert [(person.name, person.email) for person in entry.authors] == [("Ann", "ann@ex.com")]


def test_a_creator_may_hold_elements() -> None:
    _, (entry,), _ = read_rss("<item><dc:creator><a><b>Ann</b></a></dc:creator></item>")
    assert [person.name for person in entry.authors] == ["Ann"]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("<title>T</title><dc:title>no</dc:title>", "T"),
        ("<dc:title>T</dc:title>", "T"),
        ("<title/><atom:title>T</atom:title>", "T"),
    ],
)
def test_the_title_of_a_channel(header: str, expected: str) -> None:
    assert read_rss(header)[0].title == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ('<atom:link href="https://ex.com/no"/><link>https://ex.com/</link>', "https://ex.com/"),
        ('<atom:link rel="self" href="no"/><atom:link href="https://ex.com/"/>', "https://ex.com/"),
        ('<atom:link rel="alternate" href="https://ex.com/"/>', "https://ex.com/"),
        (
            '<link rel="self" href="https://ex.com/feed"/><link>https://ex.com/</link>',
            "https://ex.com/",
        ),
        ('<atom:link rel="hub" href="https://ex.com/hub"/>', None),
    ],
)
def test_the_page_of_a_channel(header: str, expected: str | None) -> None:
    assert read_rss(header)[0].link == expected


def test_a_relative_guid_that_repeats_a_failed_link_is_reported_once() -> None:
    _, (entry,), issues = read_rss("<item><link>/a/</link><guid>/a/</guid></item>")
    assert entry.loc is None
    assert codes(issues) == [converter.Code.URL_WITHOUT_BASE]


def test_dublin_core_and_atom_describe_a_channel() -> None:
    feed, _, _ = read_rss("<dc:description>D</dc:description><dc:language>de</dc:language>")
    assert (feed.description, feed.lang) == ("D", "de")
    assert read_rss("<atom:subtitle>S</atom:subtitle>")[0].description == "S"


@pytest.mark.parametrize(
    ("media", "title", "summary"),
    [
        ("", "M", "D"),
        ('<media:thumbnail url="https://ex.com/t.jpg"/>', "M", "D"),
        ('<media:content url="https://ex.com/a.mp4" type="video/mp4"/>', None, None),
        ("<title>Own</title><description>own</description>", "Own", "own"),
    ],
)
@pytest.mark.parametrize("is_atom", [False, True])
def test_words_of_media_rss_without_media(
    media: str, title: str | None, summary: str | None, is_atom: bool
) -> None:
    words = "<media:title>M</media:title><media:description>D</media:description>"
    if is_atom:
        media = media.replace("description>", "summary>")
        source = (
            f'<feed xmlns="{NAMESPACES["atom"]}" {DECLARED}><entry>{words}{media}</entry></feed>'
        )
    else:
        source = f"<rss {DECLARED}><channel><item>{words}{media}</item></channel></rss>"
    (entry,) = converter.read(io.BytesIO(source.encode())).entries
    assert entry.title == title
    assert (entry.summary and entry.summary.value) == summary


MARKUP = 'Hello <b>bold</b> <x:i xmlns:x="http://www.w3.org/1999/xhtml">it</x:i>'
WRITTEN = "Hello &lt;b&gt;bold&lt;/b&gt; &lt;i&gt;it&lt;/i&gt;"


@pytest.mark.parametrize("to", ["rss", "mrss", "atom"])
@pytest.mark.parametrize("default", ["", 'xmlns="urn:x"', 'xmlns="http://www.w3.org/1999/xhtml"'])
def test_written_markup_declares_no_namespaces(to: str, default: str) -> None:
    item = f"<item><link>https://ex.com/a</link><description>{MARKUP}</description></item>"
    source = f"<rss {DECLARED} {default}><channel>{item}</channel></rss>"
    assert WRITTEN in converted(io.BytesIO(source.encode()), to=to)[0]


@pytest.mark.parametrize("to", ["rss", "mrss", "atom"])
def test_written_xhtml_of_atom_declares_no_namespaces(to: str) -> None:
    xhtml = f'<x:div xmlns:x="http://www.w3.org/1999/xhtml">{MARKUP}</x:div>'
    source = (
        f'<feed xmlns="{NAMESPACES["atom"]}" {DECLARED}><entry><link href="https://ex.com/a"/>'
        f'<content type="xhtml">{xhtml}</content></entry></feed>'
    )
    assert WRITTEN in converted(io.BytesIO(source.encode()), to=to)[0]


@pytest.mark.parametrize("host", ["0x7f.1", "2130706433", "xn--.com"])
@pytest.mark.parametrize("to", ["rss", "mrss", "atom", "sitemap"])
def test_no_url_with_an_impossible_host_is_written(host: str, to: str) -> None:
    bad = f"http://{host}"
    source = (
        f"<rss {DECLARED}><channel><title>T</title><link>{bad}/</link>"
        f"<image><url>{bad}/logo.png</url></image>"
        "<item><title>A</title><link>https://ex.com/a</link>"
        f'<enclosure url="{bad}/a.mp4" type="video/mp4" length="1"/><comments>{bad}/c</comments>'
        f'<media:thumbnail url="{bad}/a.jpg"/><atom:link rel="related" href="{bad}/r"/>'
        f"</item><item><title>B</title><link>{bad}/b</link></item></channel></rss>"
    )
    written, _, _ = converted(io.BytesIO(source.encode()), to=to)
    assert host not in written
    assert "https://ex.com/a" in written
