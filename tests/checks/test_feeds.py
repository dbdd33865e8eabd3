from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import converter
from converter.issues import Severity
from tests.checks.rule_cases import check

SAMPLES = Path(__file__).parents[2] / "samples"
RULES = ("feed", "media", "document", "xml")

RSS = """<?xml version="1.0" encoding="{encoding}"?>
<rss version="{version}" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>Beispiel</title>
    <link>https://www.example.com/</link>
    <description>Größe</description>
    <atom:link rel="self" href="https://www.example.com/feed.xml"/>
    <item>
      <title>Ein Titel</title>
      <link>https://www.example.com/a</link>
      <guid>https://www.example.com/a</guid>
    </item>
  </channel>
</rss>
"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="{namespace}"
    xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel{about}>
    <title>Example</title>
    <link>https://www.example.com/</link>
    <description>News</description>
  </channel>
  <image{about}>
    <title>Example</title>
    <url>https://www.example.com/a.png</url>
    <link>https://www.example.com/</link>
  </image>
  <item{about}>
    <title>A title</title>
    <link>https://www.example.com/a</link>
    <dc:date>2026-01-10T08:00Z</dc:date>
  </item>
</rdf:RDF>
"""
ATOM_0_3 = """<feed version="0.3" xmlns="http://purl.org/atom/ns#">
  <title mode="escaped" type="text/html">Example</title>
  <tagline>News</tagline>
  <link rel="alternate" type="text/html" href="https://www.example.com/"/>
  <modified>2026-01-10T08:00:00Z</modified>
  <entry>
    <title>A title</title>
    <id>tag:example.com,2026:a</id>
    <issued>2026-01-10T08:00:00</issued>
    <modified>2026-01-10T08:00:00Z</modified>
    <content type="text/html" mode="escaped">A text.</content>
  </entry>
</feed>
"""


def rss(*, version: str = "2.0", encoding: str = "UTF-8") -> str:
    return RSS.format(version=version, encoding=encoding)


def codes(text: str | bytes, encoding: str = "UTF-8") -> list[str]:
    data = text.encode(encoding) if isinstance(text, str) else text
    return check(BytesIO(data), select=RULES).codes()


@pytest.mark.parametrize("source", sorted(SAMPLES.iterdir()), ids=lambda it: it.name)
@pytest.mark.parametrize("to", ["rss", "mrss", "atom"])
def test_a_feed_that_is_written_has_no_errors(source: Path, to: str, tmp_path: Path) -> None:
    output = tmp_path / f"feed.{to}"
    converter.convert(source, output, to=to, base_url="https://www.example.com/feed.xml")
    run = check(str(output))
    assert [it.kind for it in run.sources] == ["feed"]
    assert [it for it in run.findings if it.severity is Severity.ERROR] == []


@pytest.mark.parametrize("version", ["0.91", "0.92", "0.93", "0.94", "2.0"])
def test_versions_of_rss_are_known(version: str) -> None:
    assert codes(rss(version=version)) == []


def test_rss_1_has_its_items_beside_the_channel() -> None:
    about = ' rdf:about="https://www.example.com/a"'
    text = RDF.format(namespace="http://purl.org/rss/1.0/", about=about)
    run = check(BytesIO(text.encode()), select=("feed", "media"))
    assert run.findings == []
    assert run.sources[0].urls == 1


def test_rss_0_90_has_no_rdf_about() -> None:
    text = RDF.format(namespace="http://my.netscape.com/rdf/simple/0.9/", about="")
    assert check(BytesIO(text.encode()), select=("feed",)).findings == []


def test_atom_0_3_has_other_elements_and_types() -> None:
    assert check(BytesIO(ATOM_0_3.encode()), select=("feed",)).codes() == ["feed-atom-obsolete"]


ATOM = """<a:feed xmlns:a="{namespace}">
  <a:id>https://www.example.com/</a:id><a:title>Example</a:title>
  <a:updated>2026-01-10T08:00:00Z</a:updated><a:author><a:name>Ann</a:name></a:author>
  <a:link rel="self" href="feed.xml"/>
  <a:entry>
    <a:id>tag:example.com,2026:a</a:id><a:title/><a:updated>2026-01-10T08:00:00Z</a:updated>
    <a:content type="text/x-markdown">A text.</a:content>
  </a:entry>
</a:feed>
"""


def test_atom_may_have_a_prefix_and_relative_links() -> None:
    text = ATOM.format(namespace="http://www.w3.org/2005/Atom")
    assert check(BytesIO(text.encode()), select=("feed",)).findings == []


def test_the_namespace_of_atom_is_compared_letter_by_letter() -> None:
    text = ATOM.format(namespace="http://www.w3.org/2005/atom")
    assert check(BytesIO(text.encode()), select=("feed",)).codes() == ["feed-version-unknown"]


@pytest.mark.parametrize(
    "encoding", ["ISO-8859-1", "windows-1252", "UTF-16", "iso-8859-15", "us-ascii"]
)
def test_feeds_may_have_other_encodings(encoding: str) -> None:
    text = rss(encoding=encoding)
    if encoding == "us-ascii":
        text = text.replace("ö", "oe").replace("ß", "ss")
    assert codes(text, encoding) == []


def test_an_encoding_that_cannot_be_read_ends_the_check() -> None:
    text = rss(encoding="EUC-JP").replace("Größe", "日本")
    assert codes(text, "EUC-JP") == ["document-not-utf8"]


def test_nothing_is_missing_from_the_part_that_was_not_read() -> None:
    text = rss().replace("<link>https://www.example.com/</link>", "<link>&nbsp;</link>")
    assert codes(text) == ["xml-entity-undefined"]


def test_a_doctype_belongs_to_rss_0_91() -> None:
    doctype = '<!DOCTYPE rss SYSTEM "http://my.netscape.com/publish/formats/rss-0.91.dtd">'
    assert codes(rss(version="0.91").replace("<rss", f"{doctype}<rss")) == []


@pytest.mark.parametrize(
    "root", ['rss version="2.0" xmlns="http://www.w3.org/2005/Atom"', 'RSS version="2.0"']
)
def test_elements_of_an_unknown_root_are_not_checked(root: str) -> None:
    name = root.partition(" ")[0]
    text = f"<{root}><channel><item><link>/a</link></item></channel></{name}>"
    assert check(BytesIO(text.encode()), select=("feed",)).codes() == ["feed-version-unknown"]


def test_findings_of_an_item_name_its_page() -> None:
    text = rss().replace("<guid>", "<pubDate>today</pubDate><guid>")
    (finding,) = check(BytesIO(text.encode()), select=("feed",)).findings
    assert (finding.entry, finding.path) == ("https://www.example.com/a", "item/pubDate")
    assert finding.severity is Severity.ERROR


def test_findings_of_an_entry_name_its_page() -> None:
    text = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>a</id>'
        '<link href="https://www.example.com/a"/></entry></feed>'
    )
    run = check(BytesIO(text.encode()), select=("feed-atom-id-relative",))
    assert [it.entry for it in run.findings] == ["https://www.example.com/a"]


def test_a_default_namespace_may_end() -> None:
    assert codes(rss().replace("Größe", '<p xmlns="">a</p>')) == []


MEDIA = (
    '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>{}<item>{}</item>'
    "</channel></rss>"
)
VIDEO = '<media:content url="https://www.example.com/a.mp4" type="video/mp4"/>'
THUMBNAIL = '<media:thumbnail url="https://www.example.com/a.jpg"/>'


@pytest.mark.parametrize(
    ("channel", "item"),
    [
        (THUMBNAIL, VIDEO),
        ("", VIDEO + THUMBNAIL),
        ("", f"<media:group>{VIDEO}{THUMBNAIL}</media:group>"),
        ("", f"<media:group>{VIDEO}</media:group>{THUMBNAIL}"),
        ("", VIDEO.replace("/>", f">{THUMBNAIL}</media:content>")),
    ],
)
def test_a_video_inherits_its_thumbnail(channel: str, item: str) -> None:
    text = MEDIA.format(channel, item)
    assert check(BytesIO(text.encode()), select=("media-thumbnail-missing",)).findings == []


def test_a_file_without_url_inherits_its_player() -> None:
    player = '<media:player url="https://www.example.com/play"/>'
    text = MEDIA.format("", f"<media:group><media:content/></media:group>{player}")
    code = "media-content-without-url-or-player"
    assert check(BytesIO(text.encode()), select=(code,)).findings == []


@pytest.mark.property
@given(
    name=st.sampled_from(["blog.rss", "feed.atom", "videos.mrss"]),
    at=st.integers(0, 4000),
    length=st.integers(0, 40),
    inserted=st.sampled_from(
        [b"<item>", b"</channel>", b"<channel>", b"<media:group>", b"]]>", b"&", b"\0", b'x="'],
    ),
)
def test_a_damaged_feed_ends_in_findings(name: str, at: int, length: int, inserted: bytes) -> None:
    data = (SAMPLES / name).read_bytes()
    assert check(BytesIO(data[:at] + inserted + data[at + length :])).errors == []
