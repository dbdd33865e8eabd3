"""The `url` element, the head, the index, and what they hold."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from lxml import etree

from converter.errors import OptionError
from converter.formats.sitemap import FORMAT
from converter.formats.sitemap.write import SitemapWriter, index
from converter.issues import Code, Issue, ignore
from converter.model import (
    Alternate,
    Entry,
    ExtraElement,
    Feed,
    Image,
    Moment,
    News,
    Text,
    Thumbnail,
    Video,
)
from converter.options import WriteOptions
from tests.builders import NOW, at, day, parts_of

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"

VIDEO = Video(
    content_url="https://ex.com/a.mp4",
    title=Text(value="T"),
    description=Text(value="D"),
    thumbnails=(Thumbnail(url="https://ex.com/t.jpg"),),
)


def written(entry: Entry, **options: Any) -> tuple[str, list[Issue]]:
    issues: list[Issue] = []
    rendered = SitemapWriter(WriteOptions(now=NOW, **options)).entry(entry, issues.append)
    assert rendered is not None
    return rendered.body.decode(), issues


def inner(entry: Entry, **options: Any) -> str:
    """What stands in the url behind its loc."""
    body, _ = written(entry, **options)
    return body.removeprefix("<url>").partition("</loc>")[2].removesuffix("</url>\n")


def codes(entry: Entry, **options: Any) -> list[Code]:
    return [issue.code for issue in written(entry, **options)[1]]


# -- loc, lastmod, changefreq, priority ---------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        (Entry(loc="https://ex.com/2"), "<loc>https://ex.com/2</loc>"),
        (
            Entry(loc="https://ex.com/1", published=at(2025, 1, 6, 10, offset_h=1)),
            "<loc>https://ex.com/1</loc><lastmod>2025-01-06T10:00:00+01:00</lastmod>",
        ),
        (
            Entry(loc="https://ex.com/12", published=day(2025, 1, 6)),
            "<loc>https://ex.com/12</loc><lastmod>2025-01-06</lastmod>",
        ),
        (
            Entry(loc="https://ex.com/9", published=at(2025, 1, 1), updated=at(2025, 3, 5)),
            "<loc>https://ex.com/9</loc><lastmod>2025-03-05T00:00:00+00:00</lastmod>",
        ),
        (
            Entry(loc="https://xn--bcher-kva.example/?b=%22x%20y%22&c='z'"),
            "<loc>https://xn--bcher-kva.example/?b=%22x%20y%22&amp;c=&apos;z&apos;</loc>",
        ),
    ],
)
def test_a_plain_page_is_one_line(entry: Entry, url: str) -> None:
    assert written(entry) == (f"<url>{url}</url>\n", [])


def test_a_future_date_is_left_out_and_reported() -> None:
    body, [issue] = written(Entry(loc="https://ex.com/14", updated=at(2027, 1, 15), line=3))
    assert body == "<url><loc>https://ex.com/14</loc></url>\n"
    assert (issue.code, issue.line, issue.path) == (Code.DATE_FUTURE, 3, "lastmod")
    assert issue.entry == "https://ex.com/14"


@pytest.mark.parametrize(
    ("ahead", "behind", "expected"),
    [(1, 0, []), (2, 2, []), (3, 2, [Code.CLOCK_OLD]), (2, 0, [Code.CLOCK_OLD]), (0, 9, [])],
)
def test_a_clock_that_most_dates_are_ahead_of_is_reported_once(
    ahead: int, behind: int, expected: list[Code]
) -> None:
    issues: list[Issue] = []
    writer = SitemapWriter(WriteOptions(now=NOW))
    for moment in [at(2027, 1, 1)] * ahead + [at(2025, 1, 1)] * behind:
        writer.entry(Entry(loc="https://ex.com/", published=moment), ignore)
    writer.entry(Entry(loc="https://ex.com/"), ignore)
    writer.finish(issues.append)
    assert [issue.code for issue in issues] == expected
    assert all(f"{ahead} of {ahead + behind}" in issue.message for issue in issues)


def test_lastmod_can_be_switched_off() -> None:
    entry = Entry(loc="https://ex.com/", published=at(2025, 1, 1), updated=at(2025, 3, 5))
    assert inner(entry, lastmod="none") == ""
    assert inner(entry, lastmod="published") == "<lastmod>2025-01-01T00:00:00+00:00</lastmod>"


@pytest.mark.parametrize(
    ("entry", "issue"),
    [
        (Entry(title="x", id="42", line=5), ('"x" has no page URL; left out', 5)),
        (Entry(id="42"), ('"42" has no page URL; left out', None)),
        (Entry(loc=""), ("an entry without title and id has no page", None)),
    ],
)
def test_an_entry_without_a_page_is_reported(entry: Entry, issue: tuple[str, int | None]) -> None:
    issues: list[Issue] = []
    assert SitemapWriter(WriteOptions(now=NOW)).entry(entry, issues.append) is None
    [told] = issues
    assert told.code is Code.ENTRY_WITHOUT_LOC
    assert told.message.startswith(issue[0])
    assert (told.line, told.entry) == (issue[1], entry.id)


@pytest.mark.parametrize(
    ("priority", "text"),
    [("0.8", "0.8"), ("1", "1.0"), ("0", "0.0"), ("0.50", "0.50"), ("1E-2", "0.01")],
)
def test_priority_is_a_decimal(priority: str, text: str) -> None:
    entry = Entry(loc="https://ex.com/", priority=Decimal(priority))
    assert inner(entry) == f"<priority>{text}</priority>"


@pytest.mark.parametrize("priority", ["1.1", "-0.1", "NaN", "Infinity"])
def test_an_invalid_priority_is_left_out(priority: str) -> None:
    entry = Entry(loc="https://ex.com/", priority=Decimal(priority))
    assert inner(entry) == ""
    assert codes(entry) == [Code.PRIORITY_UNKNOWN]


def test_an_invalid_changefreq_is_left_out() -> None:
    entry = Entry(loc="https://ex.com/", changefreq="Weekly")
    assert inner(entry) == ""
    assert codes(entry) == [Code.CHANGEFREQ_UNKNOWN]


def test_hints_of_the_options_apply_to_entries_without_hints() -> None:
    bare = Entry(loc="https://ex.com/", updated=day(2025, 1, 1))
    own = Entry(loc="https://ex.com/", changefreq="never", priority=Decimal("0.1"))
    options = {"changefreq": "daily", "priority": "0.7"}
    assert inner(bare, **options) == (
        "<lastmod>2025-01-01</lastmod><changefreq>daily</changefreq><priority>0.7</priority>"
    )
    assert inner(own, **options) == "<changefreq>never</changefreq><priority>0.1</priority>"


# -- extensions ---------------------------------------------------------------------------------

PAGEMAP = ExtraElement(
    name="pagemap:PageMap",
    children=(
        ExtraElement(
            name="pagemap:DataObject",
            attributes=(("type", "doc"),),
            children=(
                ExtraElement(name="pagemap:Attribute", text="a<b", attributes=(("name", "x"),)),
                ExtraElement(name="media:hash", text="no"),
            ),
        ),
    ),
)

EVERYTHING = Entry(
    loc="https://ex.com/all",
    updated=day(2026, 1, 14),
    changefreq="daily",
    priority=Decimal("0.5"),
    images=(Image(url="https://ex.com/i.jpg"),),
    videos=(VIDEO,),
    news=News(name="N", language="en", published=day(2026, 1, 14), title="T"),
    mobile=True,
    alternates=(Alternate(hreflang="de", href="https://ex.com/de"),),
    extra=(ExtraElement(name="slash:comments", text="3"), PAGEMAP),
)


def test_children_of_url_are_in_schema_order() -> None:
    body, _ = written(EVERYTHING, legacy_tags=True)
    url = etree.fromstring(envelope(body, "image", "video", "news", "mobile", "xhtml", "pagemap"))[
        0
    ]
    assert [etree.QName(child).localname for child in url] == [
        "loc", "lastmod", "changefreq", "priority",
        "image", "video", "news", "mobile", "link", "PageMap",
    ]  # fmt: skip


def envelope(body: str, *prefixes: str) -> bytes:
    writer = SitemapWriter(WriteOptions(now=NOW))
    return writer.head(Feed(), frozenset(prefixes)) + body.encode() + writer.tail(Feed())


def test_counts_and_namespaces_are_those_of_what_is_written() -> None:
    rendered = SitemapWriter(WriteOptions(now=NOW)).entry(EVERYTHING, ignore)
    assert rendered is not None
    assert rendered.prefixes == {"image", "video", "news", "mobile", "xhtml"}
    assert (rendered.images, rendered.videos, rendered.news) == (1, 1, 1)
    fewer = WriteOptions(now=NOW, images=False, videos=False)
    rendered = SitemapWriter(fewer).entry(EVERYTHING, ignore)
    assert rendered is not None
    assert rendered.prefixes == {"news", "mobile", "xhtml"}
    assert (rendered.images, rendered.videos, rendered.news) == (0, 0, 1)


def test_mobile_is_written_on_request() -> None:
    assert inner(Entry(loc="https://ex.com/"), mobile=True) == "<mobile:mobile/>"


def test_pagemap_is_legacy_and_keeps_to_its_schema() -> None:
    entry = Entry(
        loc="https://ex.com/", extra=(PAGEMAP, ExtraElement(name="slash:comments", text="3"))
    )
    assert inner(entry) == ""
    assert inner(entry, legacy_tags=True) == (
        '<pagemap:PageMap><pagemap:DataObject type="doc">'
        '<pagemap:Attribute name="x">a&lt;b</pagemap:Attribute>'
        "</pagemap:DataObject></pagemap:PageMap>"
    )


def test_alternates_are_sorted_with_the_default_last() -> None:
    entry = Entry(
        loc="https://ex.com/en",
        alternates=(
            Alternate(hreflang="x-default", href="https://ex.com/"),
            Alternate(hreflang="en", href="https://ex.com/en?a&b"),
            Alternate(hreflang="de", href="https://ex.com/de"),
            Alternate(hreflang="de", href="https://ex.com/de"),
        ),
    )
    assert inner(entry) == (
        '<xhtml:link rel="alternate" hreflang="de" href="https://ex.com/de"/>'
        '<xhtml:link rel="alternate" hreflang="en" href="https://ex.com/en?a&amp;b"/>'
        '<xhtml:link rel="alternate" hreflang="x-default" href="https://ex.com/"/>'
    )


def test_pretty_indents_and_keeps_leaves_on_their_line() -> None:
    entry = Entry(
        loc="https://ex.com/p", updated=day(2025, 1, 1), images=(Image(url="https://ex.com/i"),)
    )
    body, _ = written(entry, pretty=True)
    assert body == (
        "  <url>\n"
        "    <loc>https://ex.com/p</loc>\n"
        "    <lastmod>2025-01-01</lastmod>\n"
        "    <image:image>\n"
        "      <image:loc>https://ex.com/i</image:loc>\n"
        "    </image:image>\n"
        "  </url>\n"
    )
    plain, _ = written(Entry(loc="https://ex.com/p"), pretty=True)
    assert plain == "  <url>\n    <loc>https://ex.com/p</loc>\n  </url>\n"


# -- head, tail, parts, index -------------------------------------------------------------------


def test_the_head_declares_exactly_the_used_namespaces() -> None:
    writer = SitemapWriter(WriteOptions(now=NOW))
    assert writer.head(Feed(), frozenset()).decode() == f'{HEAD}<urlset xmlns="{SITEMAP}">\n'
    assert writer.head(Feed(), frozenset({"xhtml", "image"})).decode() == (
        f'{HEAD}<urlset xmlns="{SITEMAP}"'
        ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
    )
    assert writer.tail(Feed()) == b"</urlset>\n"


def files_of(entries: list[Entry], **options: Any) -> list[bytes]:
    writer = SitemapWriter(WriteOptions(now=NOW, **options))
    return [b"".join(part.chunks) for part in parts_of(writer, entries, FORMAT.part_limits)]


def test_a_file_holds_50_000_pages() -> None:
    files = files_of([Entry(loc="https://ex.com/")] * 50_001)
    assert [file.count(b"<url>") for file in files] == [50_000, 1]


def test_a_file_holds_50_mebibytes() -> None:
    entry = Entry(loc="https://ex.com/" + "x" * 2_000)
    files = files_of([entry] * 26_000)
    assert len(files) == 2
    assert len(files[0]) <= 52_428_800 < len(files[0]) + 2_100


def test_a_file_holds_1_000_news() -> None:
    entry = Entry(loc="https://ex.com/", title="T", published=at(2026, 1, 15))
    files = files_of([entry] * 1_001, news_name="N", news_language="en")
    assert [file.count(b"<news:news>") for file in files] == [1_000, 1]


def test_the_index_lists_files_with_the_time_of_the_run() -> None:
    written = Moment(instant=NOW)
    names = ("https://ex.com/maps/sitemap-1.xml", "https://ex.com/maps/s?a&b")
    assert b"".join(index([(name, written) for name in names])).decode() == (
        f'{HEAD}<!-- feed2sitemap -->\n<sitemapindex xmlns="{SITEMAP}">\n'
        "<sitemap><loc>https://ex.com/maps/sitemap-1.xml</loc>"
        "<lastmod>2026-01-15T12:00:00+00:00</lastmod></sitemap>\n"
        "<sitemap><loc>https://ex.com/maps/s?a&amp;b</loc>"
        "<lastmod>2026-01-15T12:00:00+00:00</lastmod></sitemap>\n"
        "</sitemapindex>\n"
    )


def test_an_index_lists_50_000_files_at_most() -> None:
    row = ("https://ex.com/s.xml", Moment(instant=NOW))
    assert sum(1 for _ in index([row] * 50_000)) == 50_002
    with pytest.raises(OptionError, match="50,001 files"):
        next(index([row] * 50_001))


def test_the_row_of_the_registry() -> None:
    assert FORMAT.name == "sitemap"
    assert FORMAT.writer is not None
    assert isinstance(FORMAT.writer(WriteOptions(now=NOW)), SitemapWriter)
    assert FORMAT.index is not None
    assert list(FORMAT.index([])) == list(index([]))
    limits = FORMAT.part_limits
    assert (limits.max_entries, limits.max_bytes, limits.max_news) == (50_000, 52_428_800, 1_000)
