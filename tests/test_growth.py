"""Twice as much of anything in an entry, or between entries, is twice the work, not four times."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from converter import convert
from converter.issues import Code, Issue
from converter.pipeline.transforms import deduplicate

NAMES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "atom": "http://www.w3.org/2005/Atom",
        "content": "http://purl.org/rss/1.0/modules/content/",
        "dc": "http://purl.org/dc/elements/1.1/",
        "image": "http://www.google.com/schemas/sitemap-image/1.1",
        "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "media": "http://search.yahoo.com/mrss/",
        "podcast": "https://podcastindex.org/namespace/1.0",
        "slash": "http://purl.org/rss/1.0/modules/slash/",
        "video": "http://www.google.com/schemas/sitemap-video/1.1",
        "xhtml": "http://www.w3.org/1999/xhtml",
    }.items()
)
RSS = f"""<rss {NAMES}><channel><title>T</title><link>https://ex.com/</link>
<item><link>https://ex.com/1</link><title>1</title>%s</item>%s<item><link>https://ex.com/2</link>
<title>2</title></item></channel></rss>"""
ATOM = f"""<feed xmlns="http://www.w3.org/2005/Atom" {NAMES}><title>T</title><id>urn:x:0</id>
<entry><id>urn:x:1</id><title>1</title><link href="https://ex.com/1"/>%s</entry>%s
<entry><id>urn:x:2</id><title>2</title><link href="https://ex.com/2"/></entry></feed>"""
SITEMAP = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {NAMES}>
<url><loc>https://ex.com/1</loc>%s</url>%s<url><loc>https://ex.com/2</loc></url></urlset>"""

TARGETS = ("sitemap", "mrss", "atom")
VIDEO = '<media:content url="https://ex.com/{0}.mp4" type="video/mp4"/>'
#: What may occur many times, in RSS and in Atom alike.
OF_FEEDS = {
    "content": VIDEO,
    "content of one URL": VIDEO.replace("{0}", "0"),
    "content of one length": VIDEO.replace("/>", ' duration="5"/>'),
    "content with a title": VIDEO.replace("/>", "><media:title>{0}</media:title></media:content>"),
    "content without a URL": '<media:content type="video/mp4"/>',
    "audio": '<media:content url="https://ex.com/{0}.mp3" medium="audio"/>',
    "pictures": '<media:content url="https://ex.com/{0}.jpg" medium="image"/>',
    "videos and pictures": VIDEO + '<media:content url="https://ex.com/{0}.jpg" medium="image"/>',
    "groups": f"<media:group>{VIDEO}</media:group>",
    "groups and content": f"<media:group>{VIDEO}</media:group>" + VIDEO.replace("/{0}", "/x{0}"),
    "empty groups": "<media:group/>",
    "thumbnails": '<media:thumbnail url="https://ex.com/{0}.jpg"/>',
    "keywords": "<media:keywords>a{0}, b{0}</media:keywords>",
    "categories": "<category>{0}</category>",
    "terms": '<category term="{0}"/>',
    "creators": "<dc:creator>{0}</dc:creator>",
    "authors": "<author>{0}</author>",
    "links": "<link>https://ex.com/{0}</link>",
    "hrefs": '<link href="https://ex.com/{0}"/>',
    "related": '<atom:link rel="related" href="https://ex.com/{0}"/>',
    "languages": '<link rel="alternate" hreflang="de-{0}" href="https://ex.com/{0}"/>',
    "enclosures": '<enclosure url="https://ex.com/{0}.mp4" type="video/mp4" length="1"/>',
    "enclosure links": '<link rel="enclosure" href="https://ex.com/{0}.mp4" type="video/mp4"/>',
    "alternate enclosures": '<podcast:alternateEnclosure type="video/mp4">'
    '<podcast:source uri="https://ex.com/{0}.mp4"/></podcast:alternateEnclosure>',
    "artwork": '<itunes:image href="https://ex.com/{0}.jpg"/>',
    "dates": "<dc:date>none {0}</dc:date>",
    "texts": "<description>{0}</description><content>{0}</content>",
    "modules": "<slash:comments>{0}</slash:comments>",
    "unknown": "<x{0}/>",
    "bases": '<link xml:base="https://ex.com/{0}/">x</link>',
    "namespaces": '<x:y xmlns:x="urn:{0}"/>',
    "undeclared": "<y:z/>",
    "comments": "<!-- {0} -->",
    "references": "&amp;&#65;",
    "undefined": "&nbsp;",
    "inner": "<item><link>https://ex.com/i{0}</link></item>",
}
CLIP = """<video:video><video:title>{0}</video:title><video:description>d</video:description>
<video:thumbnail_loc>https://ex.com/t.jpg</video:thumbnail_loc>
<video:content_loc>https://ex.com/{0}.mp4</video:content_loc></video:video>"""
OF_SITEMAPS = {
    "images": "<image:image><image:loc>https://ex.com/{0}.png</image:loc></image:image>",
    "videos": CLIP,
    "locations": "<loc>https://ex.com/{0}</loc>",
    "torn": "<loc>https://ex.com/<b/></loc>",
    "languages": '<xhtml:link rel="alternate" hreflang="de" href="https://ex.com/{0}"/>',
    "strange languages": '<xhtml:link rel="alternate" hreflang="{0}" href="https://ex.com/{0}"/>',
    "unknown": "<x{0}/>",
}
BETWEEN = {
    "elements": "<x{0}/>",
    "filled": "<x><y>{0}</y></x>",
    "text": "x<x/>",
    "entries": "<item><link>https://ex.com/x{0}</link></item><url><loc>https://ex.com/x</loc></url>",
    "fields": "<category>{0}</category>",
    "containers": "<channel><x/></channel>",
    "comments": "<!-- {0} -->",
}


def work(tmp_path: Path, document: str, target: str) -> int:
    """Count the calls of a conversion: of functions of Python, and of those of C by them."""
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    source = tmp_path / "source"
    source.write_text(document, encoding="utf-8")
    sys.setprofile(count)
    try:
        convert(str(source), str(tmp_path / "out.xml"), to=target, report=lambda _: None)
    finally:
        sys.setprofile(None)
    return calls


CASES = [
    *(
        (f"{name} in {kind}", frame, in_entry, "")
        for kind, frame in (("RSS", RSS), ("Atom", ATOM))
        for name, in_entry in OF_FEEDS.items()
    ),
    *((f"{name} in a sitemap", SITEMAP, in_entry, "") for name, in_entry in OF_SITEMAPS.items()),
    *(
        (f"{name} between entries of {kind}", frame, "", between)
        for kind, frame in (("RSS", RSS), ("Atom", ATOM), ("a sitemap", SITEMAP))
        for name, between in BETWEEN.items()
    ),
]


@pytest.mark.parametrize(
    ("frame", "inner", "between"), [pytest.param(*case, id=name) for name, *case in CASES]
)
def test_twice_as_much_is_twice_the_work(
    tmp_path: Path, frame: str, inner: str, between: str
) -> None:
    def document(count: int) -> str:
        numbers = range(1000 * count, 1001 * count)  # none that a cache knows from the run before
        return frame % tuple("".join(map(part.format, numbers)) for part in (inner, between))

    for target in TARGETS if inner else TARGETS[:1]:
        work(tmp_path, document(2), target)  # what is imported once is not counted
        few, more, many = (work(tmp_path, document(count), target) for count in (40, 80, 160))
        assert many - more < 3 * max(more - few, 500), target


def test_twice_as_many_entries_of_one_page_are_twice_the_work() -> None:
    """What an entry learns from another is copied; that it is copied often shows in the sum."""
    item = "<url><loc>https://ex.com/</loc>{}</url>".format
    copied = []
    for count in (200, 400, 800):
        items = (item(OF_SITEMAPS["images"].format(number)) for number in range(count))
        document = SITEMAP[: SITEMAP.index("<url>")] + "".join(items)
        merged: list[int] = []
        unite = deduplicate._unique

        def counted(images: Any, key: Any, *, unite: Any = unite, merged: Any = merged) -> Any:
            merged.append(len(images))
            return unite(images, key=key)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(deduplicate, "_unique", counted)
            result = convert(
                io.BytesIO(f"{document}</urlset>".encode()), io.BytesIO(), to="sitemap"
            )
        assert result.images == count
        copied.append(sum(merged))
    few, more, many = copied
    assert many - more < 3 * (more - few)


@pytest.mark.parametrize("target", ["sitemap", "mrss"])
@pytest.mark.parametrize(
    "around", ["<media:category>{0}</media:category>", "<media:hash>{0}</media:hash>"]
)
def test_inherited_fields_of_many_objects_are_bounded_and_reported(
    tmp_path: Path, around: str, target: str
) -> None:
    issues: list[Issue] = []
    item = "".join((VIDEO + around).format(number) for number in range(1_000))
    (tmp_path / "a.rss").write_text(RSS % (item, ""), encoding="utf-8")
    convert(str(tmp_path / "a.rss"), str(tmp_path / "out.xml"), to=target, report=issues.append)
    (cut,) = (issue for issue in issues if issue.code is Code.INHERITED_CUT)
    assert "the first" in cut.message
    name = around[1 : around.index(">")]
    assert (tmp_path / "out.xml").read_text(encoding="utf-8").count(f"<{name}>") <= 100_000
