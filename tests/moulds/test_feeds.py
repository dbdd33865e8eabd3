"""Feeds as targets: order, ids, dates, HTML and what the writer says are those of the plain way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from conftest import Both

TARGETS: Final = ("rss", "mrss", "atom")

_RSS: Final = """<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"
 xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
><channel><title>T</title><link>https://e.example/</link><description>D</description>
"""
_ATOM: Final = """<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>
<link href="https://e.example/"/>
"""


def rss(*items: str) -> str:
    """Give a document with these items."""
    return f"{_RSS}{''.join(f'<item>{item}</item>{chr(10)}' for item in items)}</channel></rss>"


def atom(*entries: str) -> str:
    """Give a document with these entries."""
    return f"{_ATOM}{''.join(f'<entry>{entry}</entry>{chr(10)}' for entry in entries)}</feed>"


def item(number: int, rest: str = "") -> str:
    """Give an item that is like all others but for the rest; `~` is its number there."""
    rest = rest.replace("~", str(number))
    return f"<title>Title {number}</title><link>https://e.example/p{number}</link>{rest}"


def entry(number: int, rest: str = "") -> str:
    """Give an entry, likewise."""
    rest = rest.replace("~", str(number))
    return f'<title>Title {number}</title><link href="https://e.example/p{number}"/>{rest}'


GUID: Final = '<guid isPermaLink="false">https://e.example/?p=~</guid>'
DATE: Final = "<pubDate>Mon, 01 Jan 2024 00:00:0~ GMT</pubDate>"


def alike(rest: str, count: int = 9) -> list[str]:
    return [item(number, rest) for number in range(count)]


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(
    "rest",
    [
        GUID + DATE,
        '<guid isPermaLink="false">video-~</guid>' + DATE,
        '<guid isPermaLink="true">https://e.example/p~</guid>' + DATE,
        DATE,
        "<pubDate>Tue, 01 Jan 2024 00:00:0~ +0530</pubDate>",
        "<dc:date>2023-01-01T00:00:0~-03:00</dc:date>",
        "<description>Some words ~</description>" + DATE,
        "<description>&lt;p&gt;it's &quot;~&quot; &amp;amp; more&lt;/p&gt;</description>",
        '<description><![CDATA[<a href="https://e.example/~">it\'s</a> > ~]]></description>',
        "<description>D ~</description><content:encoded><![CDATA[<b>~</b>\n]]></content:encoded>",
        "<dc:creator>Jane ~</dc:creator>" + GUID,
        "<category>C ~</category><category><![CDATA[D ~]]></category>",
        "<comments>https://e.example/p~#comments</comments><slash:comments>1~</slash:comments>",
        "<wfw:commentRss>https://e.example/p~/feed</wfw:commentRss>",
        '<enclosure url="https://e.example/~.mp3" length="1~" type="audio/mpeg"/>' + DATE,
        (
            '<media:content url="https://e.example/~.mp4" duration="1~" type="video/mp4"/>'
            "<media:keywords>a~, b~</media:keywords><media:description>About ~</media:description>"
        ),
        (
            '<media:content url="https://e.example/~.mp4" type="video/mp4"/><media:community>'
            '<media:starRating average="4.~" count="1~" min="1" max="5"/></media:community>'
        ),
    ],
)
def test_items_that_are_alike_are_cast(both: Both, to: str, rest: str) -> None:
    assert both(rss(*alike(rest)), to=to)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(
    "rest",
    [
        "<id>tag:e.example,2020:~</id><updated>2024-01-01T00:00:0~Z</updated>",
        (
            "<id>urn:x:~</id><published>2024-01-01T00:00:0~+01:00</published>"
            "<updated>2024-01-02T00:00:0~+01:00</updated>"
        ),
        '<id>https://e.example/p~</id><summary type="html">&lt;b&gt;~&lt;/b&gt;</summary>',
        '<summary>Text &lt; ~</summary><category term="C ~"/>',
        "<author><name>Jane ~</name></author>",
        '<link rel="enclosure" href="https://e.example/~.jpg" length="1~" type="image/jpeg"/>',
        '<link rel="replies" href="https://e.example/p~?a=1#c"/>',
    ],
)
def test_entries_that_are_alike_are_cast(both: Both, to: str, rest: str) -> None:
    assert both(atom(*(entry(number, rest) for number in range(9))), to=to) or "urn:x" in rest


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("sort", ["input", "newest", "url"])
def test_order_is_that_of_the_plain_way(both: Both, to: str, sort: str) -> None:
    dates = ("01 Jan 2024", "03 Mar 2023", "02 Feb 2025", "30 Feb 2024", "03 Mar 2023")
    rest = "<pubDate>Mon, {} 00:00:00 {}</pubDate>".format
    items = [
        item(number, GUID + rest(dates[number % 5], ("GMT", "+0100")[number % 2]))
        for number in range(40, 0, -1)
    ]
    casts = both(rss(*items), to=to, sort=sort)
    assert casts or (to, sort) == ("atom", "input")  # there, readers and writer tell by turns


@pytest.mark.parametrize("sort", ["newest", "url"])
def test_sitemaps_are_sorted_too(both: Both, sort: str) -> None:
    assert both(rss(*reversed(alike(GUID + DATE))), to="sitemap", sort=sort)
    assert both(rss(*reversed(alike(GUID + DATE))), to="sitemap", sort=sort, limit_urls=2)


def sitemap(*urls: str) -> str:
    """Give a sitemap with these pages, and what stands beside them."""
    rows = "".join(f"<url>{url}</url>\n" for url in urls)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'


@pytest.mark.parametrize("to", [*TARGETS, "sitemap", "txt"])
@pytest.mark.parametrize(
    "rest",
    [
        "",
        "<lastmod>2024-01-0{0}</lastmod>",
        "<lastmod>2024-01-01T00:00:0{0}Z</lastmod>",
        "<lastmod>2024-01-01T00:00:0{0}+02:00</lastmod><priority>0.5</priority>",
    ],
    ids=["undated", "days", "UTC", "elsewhere"],
)
def test_pages_of_sitemaps_are_cast_with_titles_made_of_them(
    both: Both, to: str, rest: str
) -> None:
    pages = [
        f"<loc>https://e.example/p{n}/{'a-title-of-words-' * (n % 7)}{n}.html</loc>"
        + rest.format(n * 4 % 9 + 1)
        for n in range(30)
    ]
    assert both(sitemap(*pages), to=to) or to == "txt"
    assert both(sitemap(*pages), to=to, sort="newest") or to == "txt"


@pytest.mark.parametrize("to", TARGETS)
def test_days_and_times_of_one_day_keep_their_order(both: Both, to: str) -> None:
    dates = ("2024-01-02", "2024-01-02T00:00:00Z", "2024-01-01T23:59:59Z", "", "2024-01", "2024")
    pages = [
        f"<loc>https://e.example/page-{n}</loc><lastmod>{dates[n % 6]}</lastmod>" for n in range(60)
    ]
    assert both(sitemap(*pages), to=to)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(
    "path",
    [
        "",
        "x",
        "12",
        "it's",
        "%C3%A9t%C3%A9",
        "%26lt;b",
        "%00",
        "%E2%80%AEb",
        "a?b=1&amp;c=2",
        "+++",
        "w" * 500,
        "w-" * 300,
    ],
)
def test_titles_that_are_made_are_those_of_the_plain_way(both: Both, to: str, path: str) -> None:
    unlike = [f"<loc>https://e.example/a/page-no-{number}</loc>" for number in range(9)]
    assert both(sitemap(*unlike, f"<loc>https://e.example/a/{path}</loc>", *unlike[:3]), to=to)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(
    "ids",
    [
        ["one", "two", "one", "one", "two", "three"],
        ["https://e.example/p5"] * 3 + [f"https://e.example/p{n}" for n in range(3)],
        ["https://e.example/p9", "https://e.example/p8", "urn:x:1", "urn:x:1"],
    ],
    ids=["given", "of-other-pages", "urns"],
)
def test_an_id_that_was_there_before_is_told(both: Both, to: str, ids: list[str]) -> None:
    guid = '<guid isPermaLink="false">{}</guid>'.format
    unlike = [item(number, DATE + guid(f"https://e.example/{number}")) for number in range(20, 25)]
    items = [item(number, DATE + guid(ids[number % len(ids)])) for number in range(12)]
    assert both(rss(*unlike, *items), to=to)


@pytest.mark.parametrize("to", [*TARGETS, "sitemap", "txt"])
def test_a_page_that_becomes_another_id_is_none(both: Both, to: str) -> None:
    """What is stripped of a page can make it equal to the id, which makes it a permalink."""
    items = [
        f"<title>T {n}</title><link>https://e.example/{n}?utm_source=rss</link>"
        f"<guid>https://e.example/{'' if n % 3 else 'x'}{n}</guid>"
        for n in range(9)
    ]
    both(rss(*items), to=to)


@pytest.mark.parametrize("to", TARGETS)
def test_names_are_cut_in_messages_as_the_writer_cuts_them(both: Both, to: str) -> None:
    lengths = [3, 200, 30, 59, 60, 61, 70, 80, 81, 130, 140, 3, 5]
    items = [
        f"<title>T {n}</title><link>https://e.example/{'p' * length}{n}</link>"
        f'<guid isPermaLink="false">{"g" * length}{n}</guid>'
        for n, length in enumerate(lengths)
    ]
    assert both(rss(*items), to=to)


@pytest.mark.parametrize("to", TARGETS)
def test_references_are_made_absolute(both: Both, to: str) -> None:
    html = [
        '<a href="https://e.example/">x</a>',
        '<a href="/relative">x</a>',
        "<img src=' /i.png'>",
        '<img SRC="i.png" srcset="a 1x">',
        '<a HREF="HTTPS://E.EXAMPLE/">x</a>',
        '<a href="mailto:a@e.example">x</a>',
        "href and src are words",
        '<a data-href="/x" href="https://e.example/?a=1&amp;b=2">x</a>',
    ]
    for form in ("<![CDATA[{}]]>", "{}"):
        given = [
            h if "CDATA" in form else h.replace("&", "&amp;").replace("<", "&lt;") for h in html
        ]
        items = [
            item(n, f"<description>{form.format(given[n % len(given)])}</description>")
            for n in range(20)
        ]
        assert both(rss(*items), to=to)


@pytest.mark.parametrize("to", TARGETS)
def test_what_depends_on_earlier_entries_is_not_cast(both: Both, to: str) -> None:
    nameless = "<author><email>a@e.example</email></author>"
    entries = [
        entry(n, nameless if n > 4 else "<author><name>J</name></author>") for n in range(12)
    ]
    other = entries[0].replace("e.example", "other.example")
    both(atom(other, *entries[1:]), to=to)


@pytest.mark.parametrize("to", TARGETS)
def test_pages_that_come_twice_are_united(both: Both, to: str) -> None:
    items = alike(GUID + DATE, 12)
    assert both(rss(*items, item(3, "<description>More</description>"), *items[:2]), to=to)


@pytest.mark.parametrize(
    "rest",
    [
        "<published>2024-01-05T00:00:00.000Z</published><updated>2024-01-0~T00:00:00Z</updated>",
        "<published>2024-01-0~T00:00:00Z</published><updated>2024-01-05T00:00Z</updated>",
        "<issued>2024-01-05T00:00:00Z</issued><updated>2024-01-0~T00:00:00Z</updated>",
    ],
)
def test_a_date_that_is_the_same_in_all_is_compared_too(both: Both, rest: str) -> None:
    """The later of two is written, whichever of them no mould has a gap for."""
    both(atom(*(entry(number, rest) for number in range(1, 10))), to="sitemap")


def test_a_start_tag_of_several_lines_counts_from_its_end(both: Both) -> None:
    """That is the line the parser gives an element."""
    items = (item(number, DATE).replace("</link>", "?utm_source=x</link>") for number in range(9))
    both(rss(*items).replace("<item>", "<item\n>"), to="sitemap")


def test_a_document_that_breaks_off_has_its_header(both: Both) -> None:
    both(rss(*alike(GUID)).replace("</channel></rss>", ""), to="rss")


# -- the law ----------------------------------------------------------------------------------

_DAYS: Final = st.sampled_from(["01 Jan 2024", "02 Jan 2024", "28 Feb 2023", "31 Feb 2023"])
_PIECES: Final = {
    "title": st.sampled_from(["Title ~", "It's ~", 'A "~"', "R&amp;D ~", "AT&amp;T; ~", "~ &#39;"]),
    "guid": st.sampled_from(["g-~", "https://e.example/?p=~", "https://e.example/p~", "same", "g"]),
    "description": st.sampled_from(
        ["Words ~", "&lt;b&gt;~&lt;/b&gt;", "<![CDATA[<i>~</i> & \"'>]]>", "&lt;a href='/~'&gt;"]
    ),
    "dc:creator": st.sampled_from(["Jane ~", "<![CDATA[Jane ~]]>", "J'~"]),
    "category": st.sampled_from(["C ~", "<![CDATA[C &amp; ~]]>", "C &amp; ~"]),
    "pubDate": st.builds("Mon, {} 0{}:00:00 {}".format, _DAYS, st.integers(0, 9), st.just("GMT")),
}
_SHAPES: Final = st.lists(st.sampled_from(sorted(_PIECES)), unique=True, min_size=1)


@st.composite
def _documents(draw: st.DrawFn) -> str:
    shapes = draw(st.lists(_SHAPES, min_size=1, max_size=2))
    items = []
    for number in range(draw(st.integers(6, 16))):
        names = draw(st.sampled_from(shapes))
        link = draw(st.sampled_from(["~", "~", "~", "~?utm_source=x", "1"]))
        rest = f"<link>https://e.example/p{link}</link>"
        rest += "".join(f"<{name}>{draw(_PIECES[name])}</{name}>" for name in names)
        items.append(rest.replace("~", str(number)))
    return rss(*items)


@pytest.mark.property
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    document=_documents(),
    to=st.sampled_from(TARGETS),
    options=st.sampled_from([{}, {"sort": "url"}]),
)
def test_both_ways_lead_to_the_same(
    both: Both, document: str, to: str, options: dict[str, Any]
) -> None:
    both(document, first_bytes=len(_RSS) + 150, slice_bytes=300, to=to, **options)


@pytest.mark.parametrize("to", [*TARGETS, "sitemap"])
def test_what_there_is_to_say_of_a_header_is_none_of_its_entries(both: Both, to: str) -> None:
    document = rss(*alike(GUID + DATE)).replace(
        "<description>D", "<pubDate>the day before yesterday</pubDate><description>D", 1
    )
    assert both(document, to=to)
