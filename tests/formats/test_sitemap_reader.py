"""The sitemap reader: every element, every tolerance, and the way back to the same bytes."""

from __future__ import annotations

import io
from datetime import UTC, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import DocumentError, LimitError
from converter.formats import sitemap
from converter.formats.sitemap.read import _NAMES
from converter.formats.sitemap.write import SitemapWriter
from converter.issues import Code, Issue
from converter.model import (
    Alternate,
    Category,
    Entry,
    ExtraElement,
    Feed,
    Gallery,
    Image,
    Moment,
    News,
    Person,
    Price,
    Rating,
    Rendition,
    Restriction,
    Series,
    StarRating,
    Text,
    Thumbnail,
    Video,
)
from converter.options import ReadOptions, WriteOptions
from tests.builders import NOW, codes, content_of, moment, parts_of, read_all
from tests.strategies import made, some

DECLARED = (
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
HOME = ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
LOC = "<loc>https://ex.com/a</loc>"


assert sitemap.FORMAT.read is not None
document_of = sitemap.FORMAT.read


def read(document: str, **options: Any) -> tuple[list[Entry], list[Issue]]:
    _, entries, issues = read_all(document_of, document, ReadOptions(**options))
    return entries, issues


def page(inner: str, **options: Any) -> tuple[Entry, list[Issue]]:
    document = f"<urlset{HOME}{DECLARED}>\n<url>{LOC}{inner}</url></urlset>"
    (entry,), issues = read(document, **options)
    assert entry.loc == "https://ex.com/a"
    return entry, issues


def video(inner: str) -> tuple[Video, list[Issue]]:
    entry, issues = page(f"<video:video>{inner}</video:video>")
    (found,) = entry.videos
    return found, issues


def told(issues: list[Issue]) -> list[tuple[Code, str | None, str]]:
    return [(issue.code, issue.path, issue.message) for issue in issues]


# -- url --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "root",
    [
        HOME,
        "",
        ' xmlns="https://www.sitemaps.org/schemas/sitemap/0.9/"',
        ' xmlns="http://www.sitemaps.org/schemas/sitemap/0.90"',
        ' xmlns="http://www.google.com/schemas/sitemap/0.84"',
        ' xmlns="http://www.google.com/schemas/sitemap/0.9"',
        ' xmlns="urn:nobody-knows"',
    ],
)
def test_the_namespace_may_be_any_or_none(root: str) -> None:
    document = f"<urlset{root}><url>{LOC}<lastmod>2025-01-02</lastmod></url></urlset>"
    (entry,), issues = read(document, name="x.xml")
    assert (entry.loc, entry.updated, issues) == ("https://ex.com/a", moment("2025-01-02"), [])
    assert entry.feed == Feed(format="sitemap", source="x.xml")


@pytest.mark.parametrize("declared", [HOME.replace("xmlns", "xmlns:sm"), ""])
def test_the_prefix_may_be_any_declared_or_not(declared: str) -> None:
    document = (
        f"<sm:urlset{declared}><sm:url><sm:loc>https://ex.com/a</sm:loc>"
        "<sm:priority>0.5</sm:priority></sm:url></sm:urlset>"
    )
    (entry,), _ = read(document)
    assert (entry.loc, entry.priority, entry.extra) == ("https://ex.com/a", Decimal("0.5"), ())


def test_namespaces_may_be_mixed() -> None:
    document = (
        f'<urlset{HOME}><x:url xmlns:x="urn:x"><y:loc xmlns:y="urn:y">https://ex.com/a</y:loc>'
        "</x:url></urlset>"
    )
    assert read(document) == ([Entry(loc="https://ex.com/a", line=1)], [])


def test_names_are_remembered_within_bounds() -> None:
    names = type(_NAMES)("sitemap", frozenset())
    for number in range(9000):
        assert names[f"{{urn:{number}}}loc"] == "loc"
    assert len(names) < 5000


def test_the_four_core_elements() -> None:
    entry, issues = page(
        "<lastmod>2025-01-02T03:04+02:00</lastmod><changefreq>weekly</changefreq>"
        "<priority>0.8</priority>"
    )
    assert entry.updated is not None
    assert entry.updated.instant.isoformat() == "2025-01-02T03:04:00+02:00"
    assert (entry.changefreq, entry.priority, entry.published) == ("weekly", Decimal("0.8"), None)
    assert (entry.line, issues) == (2, [])


def test_values_may_be_pretty_printed_and_in_cdata() -> None:
    document = (
        f"<urlset{HOME}><url><loc>\n  <![CDATA[ https://ex.com/a?b=1&c=2 ]]>\n</loc>"
        "<changefreq>\n daily\n </changefreq></url></urlset>"
    )
    (entry,), issues = read(document)
    assert (entry.loc, entry.changefreq, issues) == ("https://ex.com/a?b=1&c=2", "daily", [])


@pytest.mark.parametrize(
    ("inner", "field", "value", "code"),
    [
        ("<changefreq>Weekly</changefreq>", "changefreq", "weekly", Code.CHANGEFREQ_UNKNOWN),
        ("<changefreq>often</changefreq>", "changefreq", None, Code.CHANGEFREQ_UNKNOWN),
        ("<priority>1</priority>", "priority", Decimal("1.0"), Code.PRIORITY_UNKNOWN),
        ("<priority>high</priority>", "priority", None, Code.PRIORITY_UNKNOWN),
        ("<lastmod>yesterday</lastmod>", "updated", None, Code.DATE_UNREADABLE),
    ],
)
def test_unusual_values_are_reported(inner: str, field: str, value: object, code: Code) -> None:
    entry, (issue,) = page(inner)
    assert getattr(entry, field) == value
    assert issue.code is code
    assert (issue.entry, issue.line) == ("https://ex.com/a", 2)
    assert issue.path == f"url/{inner[1:].partition('>')[0]}"


def test_the_first_readable_hint_counts() -> None:
    entry, _ = page("<changefreq/><changefreq>often</changefreq><changefreq>daily</changefreq>")
    assert entry.changefreq == "daily"


def test_relative_locations_need_a_base_that_was_given() -> None:
    document = f"<urlset{HOME}><url><loc>/a</loc></url></urlset>"
    (entry,), (issue,) = read(document, source_url="https://ex.com/sitemap.xml")
    assert (entry.loc, issue.code) == (None, Code.URL_WITHOUT_BASE)
    (entry,), issues = read(document, base_url="https://ex.com/b/")
    assert (entry.loc, issues) == ("https://ex.com/a", [])


def test_case_matters() -> None:
    document = f"<urlset{HOME}><URL>{LOC}</URL><url><Loc>https://ex.com/b</Loc></url></urlset>"
    (first, second), issues = read(document)
    assert (first.loc, second.loc) == (None, None)
    assert second.extra == (ExtraElement(name="Loc", text="https://ex.com/b"),)
    assert told(issues) == [
        (
            Code.ELEMENT_MISPLACED,
            "url",
            "<URL> is not <url>: case matters in XML; its content is not read",
        )
    ]


def test_foreign_elements_are_kept_or_passed_over() -> None:
    document = (
        f'<urlset{HOME} xmlns:g="http://www.google.com/geo/schemas/sitemap/1.0"><g:head/>'
        f"<url>{LOC}<g:geo><g:format>kml</g:format></g:geo><title>T</title></url></urlset>"
    )
    (entry,), issues = read(document)
    geo = "{http://www.google.com/geo/schemas/sitemap/1.0}"
    kept = ExtraElement(name=f"{geo}geo", children=(ExtraElement(name=f"{geo}format", text="kml"),))
    assert (entry.extra, issues) == ((kept, ExtraElement(name="title", text="T")), [])


def test_mobile() -> None:
    assert page("<mobile:mobile/>")[0].mobile
    assert not page("<lastmod>2025-01-02</lastmod>")[0].mobile


# -- hreflang ---------------------------------------------------------------------------------


def test_language_versions() -> None:
    entry, issues = page(
        '<xhtml:link rel="alternate" hreflang="en_GB" href="https://ex.com/en"/>'
        '<xhtml:link rel="Alternate" hreflang=" X-Default " href="https://ex.com/"/>'
        '<xhtml:link rel="alternate" hreflang="de" href="/de"/>'
        '<xhtml:link rel="alternate" hreflang="fr"/>'
        '<xhtml:link rel="alternate" href="android-app://com.ex/a"/>'
        '<xhtml:link rel="amphtml" hreflang="en" href="https://ex.com/amp"/>'
    )
    assert entry.alternates == (
        Alternate(hreflang="en-GB", href="https://ex.com/en"),
        Alternate(hreflang="x-default", href="https://ex.com/"),
    )
    assert [word.name for word in entry.extra] == ["xhtml:link"] * 3
    assert codes(issues) == [Code.HREFLANG_UNUSUAL, Code.URL_WITHOUT_BASE]


def test_the_namespace_that_sitemaps_often_declare_for_hreflang() -> None:
    wrong = DECLARED.replace("1999/xhtml", "TR/xhtml11/xhtml11_schema.html")
    (entry,), _ = read(
        f"<urlset{HOME}{wrong}><url>{LOC}"
        '<xhtml:link rel="alternate" hreflang="de" href="https://ex.com/de"/></url></urlset>'
    )
    assert entry.alternates == (Alternate(hreflang="de", href="https://ex.com/de"),)


# -- images and news --------------------------------------------------------------------------


def test_every_element_of_an_image() -> None:
    entry, issues = page(
        "<image:image><image:loc>https://ex.com/i.jpg</image:loc><image:caption>C</image:caption>"
        "<image:geo_location>G</image:geo_location><image:title>T</image:title>"
        "<image:license>https://ex.com/l</image:license><image:size>9</image:size></image:image>"
        "<image:image><image:title>T</image:title></image:image>"
    )
    assert entry.images == (
        Image(
            url="https://ex.com/i.jpg",
            caption=Text(value="C"),
            geo="G",
            title=Text(value="T"),
            license="https://ex.com/l",
            words=(ExtraElement(name="image:size", text="9"),),
            line=2,
        ),
    )
    assert told(issues) == [
        (Code.MEDIA_DROPPED, "url/image:image", "an image without a URL; left out")
    ]


def test_every_element_of_news() -> None:
    entry, issues = page(
        "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language>"
        "</news:publication><news:access>Registration</news:access><news:genres>Blog</news:genres>"
        "<news:publication_date>2026-01-14</news:publication_date><news:title>T</news:title>"
        "<news:keywords>a, b</news:keywords><news:stock_tickers>X:Y</news:stock_tickers>"
        "<news:geo_locations>Kiel</news:geo_locations></news:news>"
    )
    assert entry.news == News(
        name="N",
        language="en",
        access="Registration",
        genres="Blog",
        published=moment("2026-01-14"),
        title="T",
        keywords="a, b",
        stock_tickers="X:Y",
        line=2,
    )
    assert (entry.extra, issues) == ((ExtraElement(name="news:geo_locations", text="Kiel"),), [])


def test_a_page_is_one_article() -> None:
    entry, (issue,) = page(
        "<news:news><news:title>A</news:title></news:news>"
        "<news:news><news:title>B</news:title></news:news>"
    )
    assert entry.news == News(title="A", line=2)
    assert (issue.code, issue.path) == (Code.NEWS_SKIPPED, "url/news:news")


# -- videos -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inner", "fields"),
    [
        (
            "<video:thumbnail_loc>https://ex.com/t.jpg</video:thumbnail_loc>",
            {"thumbnails": (Thumbnail(url="https://ex.com/t.jpg"),)},
        ),
        ("<video:title> A &lt;b&gt; </video:title>", {"title": Text(value="A <b>")}),
        ("<video:description>D</video:description>", {"description": Text(value="D")}),
        (
            "<video:content_loc>https://ex.com/a.mp4</video:content_loc>",
            {
                "content_url": "https://ex.com/a.mp4",
                "renditions": (Rendition(url="https://ex.com/a.mp4"),),
            },
        ),
        (
            '<video:player_loc allow_embed="No" autoplay="ap=1">https://ex.com/p</video:player_loc>',
            {"player_url": "https://ex.com/p", "embed_allowed": False, "autoplay": "ap=1"},
        ),
        ("<video:player_loc/>", {}),
        ("<video:duration>90</video:duration>", {"duration_s": 90.0}),
        (
            "<video:expiration_date>2027-01-02</video:expiration_date>",
            {"expires": moment("2027-01-02")},
        ),
        (
            "<video:publication_date>2025-01-02</video:publication_date>",
            {"published": moment("2025-01-02")},
        ),
        ("<video:rating>4.2</video:rating>", {"star_rating": StarRating(average=Decimal("4.2"))}),
        (
            (
                '<video:content_segment_loc duration="7">https://ex.com/1</video:content_segment_loc>'
                "<video:content_segment_loc>https://ex.com/2</video:content_segment_loc>"
            ),
            {"segments": (("https://ex.com/1", 7), ("https://ex.com/2", None))},
        ),
        ("<video:view_count>1,234</video:view_count>", {"views": 1234}),
        ("<video:tag>b</video:tag><video:tag/><video:tag>a</video:tag>", {"keywords": ("b", "a")}),
        ("<video:category>C</video:category>", {"categories": (Category(term="C"),)}),
        (
            "<video:family_friendly>YES</video:family_friendly>",
            {"ratings": (Rating(value="nonadult"),)},
        ),
        (
            "<video:family_friendly>no</video:family_friendly>",
            {"ratings": (Rating(value="adult"),)},
        ),
        (
            '<video:restriction relationship="ALLOW">ca Mx</video:restriction>',
            {"countries": Restriction(relationship="allow", codes=("CA", "MX"))},
        ),
        (
            '<video:restriction relationship="allow"></video:restriction>',
            {"countries": Restriction(relationship="allow")},
        ),
        ('<video:restriction relationship="deny"/>', {}),
        (
            '<video:platform relationship="Deny">TV web TV</video:platform>',
            {"platforms": Restriction(relationship="deny", codes=("tv", "web"))},
        ),
        (
            '<video:platform relationship="allow"/>',
            {"platforms": Restriction(relationship="allow")},
        ),
        ('<video:platform relationship="deny"/>', {}),
        (
            '<video:gallery_loc title="G">https://ex.com/g</video:gallery_loc>',
            {"gallery": Gallery(url="https://ex.com/g", title="G")},
        ),
        (
            (
                '<video:price currency="EUR" type="RENT" resolution="HD">1.99</video:price>'
                '<video:price currency="EUR">2</video:price>'
            ),
            {
                "prices": (
                    Price(type="rent", amount=Decimal("1.99"), currency="EUR", resolution="HD"),
                    Price(amount=Decimal(2), currency="EUR"),
                )
            },
        ),
        (
            "<video:requires_subscription>No</video:requires_subscription>",
            {"requires_subscription": False},
        ),
        ("<video:live>yes</video:live>", {"live": True}),
        (
            '<video:uploader info="https://ex.com/u">U</video:uploader>',
            {"uploader": Person(name="U", uri="https://ex.com/u")},
        ),
        (
            (
                "<video:tvshow><video:show_title>S</video:show_title>"
                "<video:video_type>clip</video:video_type>"
                "<video:episode_title>E</video:episode_title>"
                "<video:season_number>2</video:season_number>"
                "<video:episode_number>3</video:episode_number>"
                "<video:premier_date>2025-01-02</video:premier_date></video:tvshow>"
            ),
            {
                "series": Series(
                    show="S",
                    kind="clip",
                    episode_title="E",
                    season=2,
                    episode=3,
                    premiered=moment("2025-01-02"),
                )
            },
        ),
        ('<video:id type="url">x</video:id>', {"ids": (("url", "x"),)}),
        ("<video:new>n</video:new>", {"words": (ExtraElement(name="video:new", text="n"),)}),
        (
            "<video:description>with <b>markup</b></video:description>",
            {"description": Text(value="with markup")},
        ),
        (
            "<video:description>D<video:description> </video:description></video:description>",
            {"description": Text(value="D")},
        ),
    ],
)
def test_every_element_of_a_video(inner: str, fields: dict[str, Any]) -> None:
    assert video(inner) == (Video(line=2, **fields), [])


@pytest.mark.parametrize(
    ("inner", "fields", "code", "message"),
    [
        ("<video:live>true</video:live>", {"live": True}, Code.FLAG_UNUSUAL, '"true" read as yes'),
        ("<video:live>0</video:live>", {"live": False}, Code.FLAG_UNUSUAL, '"0" read as no'),
        (
            "<video:family_friendly>maybe</video:family_friendly>",
            {},
            Code.FLAG_UNUSUAL,
            '"maybe" is not yes or no; left out',
        ),
        (
            "<video:duration>long</video:duration>",
            {},
            Code.DURATION_UNREADABLE,
            '"long" is not a length of time; left out',
        ),
        (
            "<video:view_count>1.2K</video:view_count>",
            {},
            Code.NUMBER_UNREADABLE,
            '"1.2K" is not a whole number; left out',
        ),
        (
            "<video:rating>good</video:rating>",
            {},
            Code.NUMBER_UNREADABLE,
            '"good" is not a number; left out',
        ),
        (
            "<video:price>free</video:price>",
            {},
            Code.NUMBER_UNREADABLE,
            '"free" is not a number; left out',
        ),
        (
            '<video:player_loc allow_embed="perhaps">https://ex.com/p</video:player_loc>',
            {"player_url": "https://ex.com/p"},
            Code.FLAG_UNUSUAL,
            '"perhaps" is not yes or no; left out',
        ),
        (
            '<video:restriction relationship="allow">US xx</video:restriction>',
            {"countries": Restriction(relationship="allow", codes=("US",))},
            Code.COUNTRY_UNKNOWN,
            'unknown country codes "xx"; left out of the allow list',
        ),
        (
            "<video:restriction>US</video:restriction>",
            {},
            Code.RESTRICTION_UNUSABLE,
            "restriction ignored: no relationship; it must be allow or deny",
        ),
        (
            (
                '<video:restriction relationship="deny">US</video:restriction>'
                '<video:restriction relationship="deny">DE</video:restriction>'
            ),
            {"countries": Restriction(relationship="deny", codes=("US",))},
            Code.RESTRICTION_IGNORED,
            "more than one element of this name; only the first is read",
        ),
        (
            "<video:platform>tv</video:platform>",
            {},
            Code.RESTRICTION_UNUSABLE,
            "no relationship attribute of allow or deny, which is required; left out",
        ),
        (
            '<video:platform relationship="allow">desktop</video:platform>',
            {"platforms": Restriction(relationship="allow", unknown=("desktop",))},
            Code.RESTRICTION_UNUSABLE,
            '"desktop" is not a platform; left out of the allow list',
        ),
        (
            "<video:content_loc>a.mp4</video:content_loc>",
            {},
            Code.URL_WITHOUT_BASE,
            '"a.mp4" is relative and the base URL is unknown; dropped',
        ),
        (
            "<video:thumbnail_loc>t.jpg</video:thumbnail_loc>",
            {},
            Code.URL_WITHOUT_BASE,
            '"t.jpg" is relative and the base URL is unknown; dropped',
        ),
        (
            "<video:gallery_loc>g</video:gallery_loc>",
            {},
            Code.URL_WITHOUT_BASE,
            '"g" is relative and the base URL is unknown; dropped',
        ),
        (
            "<video:content_segment_loc>s</video:content_segment_loc>",
            {},
            Code.URL_WITHOUT_BASE,
            '"s" is relative and the base URL is unknown; dropped',
        ),
    ],
)
def test_unusual_values_of_a_video_are_reported(
    inner: str, fields: dict[str, Any], code: Code, message: str
) -> None:
    found, (issue,) = video(inner)
    assert found == Video(line=2, **fields)
    assert (issue.code, issue.message, issue.entry) == (code, message, "https://ex.com/a")


# -- malformed --------------------------------------------------------------------------------

#: The old guideline's sample in small: the second start tag should be an end tag.
TYPED_AS_START = """<url>
  <loc>https://ex.com/a</loc>
  <video:video>
    <video:title>T</video:title>
    <video:description>
      D
    <video:description>
  </video:video>
</url>
<url><loc>https://ex.com/b</loc></url>
"""


def malformed(inner: str) -> tuple[list[Entry], list[Issue]]:
    return read(f"<urlset{HOME}{DECLARED}>\n{inner}</urlset>")


def test_a_start_tag_instead_of_an_end_tag_is_only_reported() -> None:
    (first, second), (issue,) = malformed(TYPED_AS_START)
    (found,) = first.videos
    assert (found.title, found.description) == (Text(value="T"), Text(value="D"))
    assert second.loc == "https://ex.com/b"
    assert (issue.code, issue.line) == (Code.XML_REPAIRED, 9)


@pytest.mark.parametrize(
    ("block", "torn"),
    [
        ("<video:title>T<video:duration>9</video:duration>", "video:title"),
        ("<video:title>T<video:title><video:duration>9</video:duration>", "video:title"),
        (
            "<video:tvshow><video:show_title>S</video:show_title><video:live>no</video:live>",
            "video:tvshow",
        ),
        (
            (
                "<video:tvshow><video:show_title>S<video:season_number>1</video:season_number>"
                "</video:tvshow>"
            ),
            "video:show_title",
        ),
    ],
)
def test_an_incomplete_video_is_left_out(block: str, torn: str) -> None:
    inner = f"<url>{LOC}<video:video>{block}</video:video></url><url>{LOC}</url>"
    (first, second), issues = malformed(inner)
    assert (first.loc, first.videos, second.loc) == ("https://ex.com/a", (), "https://ex.com/a")
    issue = next(issue for issue in issues if issue.code is Code.VIDEO_SKIPPED)
    assert issue.message == (f"<{torn}> is not closed in its place; this video:video is left out")
    assert (issue.line, issue.path) == (2, "url/video:video")


def test_unclosed_blocks_that_contain_others_are_left_out() -> None:
    (entry,), issues = malformed(
        f"<url>{LOC}<image:image><image:loc>https://ex.com/i.jpg</image:loc>"
        "<news:news><news:title>A</news:title></news:news></url>"
    )
    assert (entry.images, entry.news) == ((), None)
    assert Code.MEDIA_DROPPED in {issue.code for issue in issues}
    (entry,), issues = malformed(
        f"<url>{LOC}<news:news><news:title>A<news:keywords>k</news:keywords></news:news></url>"
    )
    assert entry.news is None
    assert Code.NEWS_SKIPPED in {issue.code for issue in issues}


def test_an_unclosed_location_is_ignored() -> None:
    (first, second), issues = malformed(
        f"<url><loc>https://ex.com/a<lastmod>2025-01-02</lastmod></url><url>{LOC}</url>"
    )
    assert (first.loc, second.loc) == (None, "https://ex.com/a")
    assert (Code.ELEMENT_MISPLACED, "url/loc", "<loc> holds <lastmod>; left out") in told(issues)


def test_a_truncated_document_keeps_its_complete_entries() -> None:
    document = f"<urlset{HOME}><url>{LOC}</url>\n<url><loc>https://ex.com/b</loc><lastm"
    (entry,), (issue,) = read(document)
    assert (entry.loc, issue.code, issue.line) == ("https://ex.com/a", Code.XML_BROKEN, 2)


def test_nothing_whole_is_an_error() -> None:
    with pytest.raises(DocumentError):
        read(f"<urlset{HOME}><url><loc>https://ex.com/b</loc>")


# -- the index --------------------------------------------------------------------------------


def index(inner: str) -> tuple[tuple[str, ...], list[Issue]]:
    issues: list[Issue] = []
    stream = io.BytesIO(f"<sitemapindex{HOME}>\n{inner}</sitemapindex>".encode())
    document = document_of(stream, ReadOptions(name="i.xml"), issues.append)
    assert list(document.entries) == []
    assert document.feed == Feed(format="sitemap", source="i.xml")
    assert document.children == document.children
    return document.children, issues


def test_an_index_names_its_children_in_order() -> None:
    children, issues = index(
        "<sitemap><lastmod>2025-01-02</lastmod><loc> https://ex.com/b.xml\n</loc></sitemap>"
        "<sitemap><x:loc xmlns:x='urn:x'><![CDATA[a.xml?b&c]]></x:loc></sitemap>"
    )
    assert (children, issues) == (("https://ex.com/b.xml", "a.xml?b&c"), [])


def test_an_index_reports_what_it_cannot_use() -> None:
    children, issues = index(
        "<sitemap><loc>a.xml</loc></sitemap>\n<sitemap><loc>a.xml</loc></sitemap>\n"
        "<sitemap><LOC>b.xml</LOC></sitemap>"
    )
    assert children == ("a.xml",)
    assert [(issue.code, issue.line) for issue in issues] == [
        (Code.URL_DUPLICATE, 3),
        (Code.ENTRY_WITHOUT_LOC, 4),
    ]


def test_an_index_of_too_many_is_refused() -> None:
    with pytest.raises(LimitError, match="more than 50,000 sitemaps"):
        index("".join(f"<sitemap><loc>{n}</loc></sitemap>" for n in range(50_001)))


# -- there and back ---------------------------------------------------------------------------


def written(entries: list[Entry], options: WriteOptions) -> bytes:
    return content_of(parts_of(SitemapWriter(options), entries, sitemap.FORMAT.part_limits))


#: Without what XML cannot hold, and trimmed where readers trim.
characters = st.characters(exclude_categories=["Cc", "Cs", "Cn"])
texts = st.text(characters, min_size=1, max_size=120).map(lambda text: Text(value=text))
names = st.text(characters, min_size=1, max_size=40).map(str.strip).filter(bool)
urls = st.integers(0, 99).map("https://ex.com/p/{}?a=1&b='2'".format)
moments = made(
    Moment,
    instant=st.datetimes(
        NOW.replace(tzinfo=None) - timedelta(days=9),
        NOW.replace(tzinfo=None),
        timezones=st.just(UTC),
    ),
)


def restrictions(codes: tuple[str, ...]) -> st.SearchStrategy[Restriction | None]:
    lists = st.lists(st.sampled_from(codes), max_size=2, unique=True).map(tuple)
    sides = st.sampled_from(["allow", "deny"])
    return st.none() | made(Restriction, relationship=sides, codes=lists)


videos = st.builds(
    Video,
    content_url=st.none() | urls,
    player_url=st.none() | urls,
    title=texts,
    description=texts,
    thumbnails=st.builds(Thumbnail, url=urls).map(lambda one: (one,)),
    duration_s=st.none() | st.floats(0, 30_000),
    published=st.none() | moments,
    expires=st.none() | moments,
    star_rating=st.none() | st.builds(StarRating, average=st.decimals(0, 5, places=4)),
    views=st.none() | st.integers(0, 10**12),
    keywords=some(names),
    categories=some(st.builds(Category, term=names)),
    ratings=some(made(Rating, value=st.sampled_from(["adult", "nonadult"]))),
    countries=restrictions(("DE", "US", "GB")),
    platforms=restrictions(("tv", "web", "mobile")),
    embed_allowed=st.none() | st.booleans(),
    autoplay=st.none() | names,
    prices=some(
        st.builds(
            Price,
            type=st.sampled_from([None, "rent", "purchase", "subscription"]),
            amount=st.decimals(0, 99, places=2),
            currency=st.just("EUR"),
        )
    ),
    requires_subscription=st.none() | st.booleans(),
    live=st.none() | st.booleans(),
    uploader=st.none() | st.builds(Person, name=names, uri=st.none() | urls),
    series=st.none()
    | made(Series, show=names, season=st.integers(0, 3), premiered=st.none() | moments),
    gallery=st.none() | st.builds(Gallery, url=urls, title=st.none() | names),
    ids=some(st.tuples(st.just("url"), names)),
    segments=some(st.tuples(urls, st.none() | st.integers(0, 30_000))),
)
entries = st.builds(
    Entry,
    loc=st.integers(100, 999).map("https://ex.com/{}?x=<&>".format),
    updated=st.none() | moments,
    published=st.none() | moments,
    changefreq=st.sampled_from([None, "daily"]),
    priority=st.none() | st.decimals(0, 1, places=2),
    images=some(st.builds(Image, url=urls, caption=texts, title=texts, geo=names, license=urls)),
    videos=some(videos),
    news=st.none()
    | st.builds(
        News, name=names, language=st.just("en"), published=moments, title=names, keywords=names
    ),
    mobile=st.booleans(),
    alternates=some(st.builds(Alternate, hreflang=st.sampled_from(["de", "x-default"]), href=urls)),
    extra=some(
        st.just(
            ExtraElement(
                name="pagemap:PageMap",
                children=(ExtraElement(name="pagemap:DataObject", attributes=(("type", "x"),)),),
            )
        )
    ),
)


@pytest.mark.property
@given(st.lists(entries, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_written_documents_are_read_and_written_as_the_same_bytes(
    given_entries: list[Entry], legacy: bool, pretty: bool
) -> None:
    options = WriteOptions(now=NOW, legacy_tags=legacy, pretty=pretty)
    once = written(given_entries, options)
    issues: list[Issue] = []
    again = list(document_of(io.BytesIO(once), ReadOptions(), issues.append).entries)
    assert issues == []
    assert written(again, options) == once
