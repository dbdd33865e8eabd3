"""RSS as it is written: the item, the channel, and what is supplied where the input lacks it."""

from __future__ import annotations

from typing import Any

import pytest

from converter.formats.rss.write import RssWriter, mrss_writer
from converter.issues import Code, Issue, ignore
from converter.model import (
    Audio,
    Category,
    Credit,
    Entry,
    ExtraElement,
    Feed,
    Image,
    Kind,
    Link,
    News,
    Person,
    Podcast,
    Precision,
    Rendition,
    Tag,
    Text,
    Video,
)
from converter.options import WriteOptions
from tests.builders import NOW, at, head_of

LOC = "https://ex.com/a"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def item(entry: Entry, *, media: bool = False, **options: Any) -> tuple[str, list[Issue]]:
    issues: list[Issue] = []
    writer = RssWriter(WriteOptions(now=NOW, **options), with_media=media)
    body = writer.entry(entry, issues.append).body.decode()
    return body.removeprefix("<item>").removesuffix("</item>\n"), issues


def page(**fields: Any) -> Entry:
    return Entry(**{"loc": LOC, "id": LOC, "title": "T"} | fields)


def beyond(entry: Entry, **options: Any) -> str:
    """What stands in the item of a `page` beside title, link and guid."""
    inner, _ = item(entry, **options)
    inner = inner.removeprefix(f"<title>T</title><link>{LOC}</link>")
    return inner.replace(f'<guid isPermaLink="true">{LOC}</guid>', "")


def codes(entry: Entry, **options: Any) -> list[tuple[Code, str | None]]:
    return [(issue.code, issue.path) for issue in item(entry, **options)[1]]


def channel(feed: Feed, *entries: Entry, **options: Any) -> tuple[str, list[Issue]]:
    head, issues = head_of(RssWriter(WriteOptions(now=NOW, **options)), feed, entries)
    return head.partition("<channel>")[2].removesuffix("\n"), issues


# -- documents ----------------------------------------------------------------------------------


def test_a_bare_list_of_urls_makes_the_minimal_document() -> None:
    writer = RssWriter(WriteOptions(now=NOW, self_url="SELF"))
    feed = Feed(lang="en")
    body = writer.entry(Entry(loc="https://ex.com/a?b=1&c=2"), ignore).body
    document = writer.head(feed, frozenset()) + body + writer.tail(feed)
    assert document.decode().removeprefix(HEAD).replace("\n", "") == (
        '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>ex.com</title>'
        "<link>https://ex.com/</link><description>URLs of ex.com</description>"
        '<language>en</language><atom:link rel="self" type="application/rss+xml" href="SELF"/>'
        "<item><title>https://ex.com/a?b=1&amp;c=2</title>"
        "<link>https://ex.com/a?b=1&amp;c=2</link>"
        '<guid isPermaLink="true">https://ex.com/a?b=1&amp;c=2</guid></item></channel></rss>'
    )


def test_pretty_output_is_indented() -> None:
    writer = RssWriter(WriteOptions(now=NOW, pretty=True))
    body = writer.entry(page(), ignore).body
    document = writer.head(Feed(title="F", link=LOC, description="D"), frozenset()) + body
    assert (document + writer.tail(Feed())).decode() == (
        f'{HEAD}<rss version="2.0">\n  <channel>\n    <title>F</title>\n    <link>{LOC}</link>\n'
        "    <description>D</description>\n    <item>\n      <title>T</title>\n"
        f'      <link>{LOC}</link>\n      <guid isPermaLink="true">{LOC}</guid>\n    </item>\n'
        "  </channel>\n</rss>\n"
    )


def test_namespaces_are_declared_only_if_used() -> None:
    writer = mrss_writer(WriteOptions(now=NOW))
    video = Video(player_url="https://ex.com/p", live=True)
    rendered = writer.entry(page(videos=(video,), authors=(Person(name="Ann"),)), ignore)
    assert rendered.prefixes == {"media", "dcterms", "dc"}
    assert (rendered.videos, rendered.images) == (1, 0)
    head = writer.head(Feed(), rendered.prefixes).decode()
    assert head.count("xmlns:") == 3
    assert 'xmlns:media="http://search.yahoo.com/mrss/"' in head
    assert RssWriter(WriteOptions(now=NOW)).entry(page(), ignore).prefixes == frozenset()


# -- the item -----------------------------------------------------------------------------------

TITLES = [
    (Entry(loc=LOC, videos=(Video(title=Text(value="V")),)), "V"),
    (Entry(loc=LOC, news=News(title="N")), "N"),
    (Entry(loc=LOC, images=(Image(url=LOC, title=Text(value="I")),)), "I"),
    (Entry(loc="https://ex.com/blog/my-first_post.html?x=1"), "My first post"),
    (Entry(loc="https://ex.com/2025/"), "https://ex.com/2025/"),
    (Entry(loc="https://ex.com/a"), "https://ex.com/a"),
    (Entry(content=Text(value="One thing. Another.")), "One thing"),
    (Entry(audios=(Audio(content_url="https://ex.com/s.mp3", title=Text(value="S")),)), "S"),
    (Entry(id="42"), "42"),
    (Entry(images=(Image(url="https://ex.com/big-cat.png"),)), "Big cat"),
    (Entry(), "Untitled"),
]


@pytest.mark.parametrize(("entry", "title"), TITLES)
def test_a_missing_title_is_made_from_other_fields(entry: Entry, title: str) -> None:
    inner, issues = item(entry)
    assert inner.startswith(f"<title>{title}</title>")
    assert Code.SUPPLIED_TITLE in [issue.code for issue in issues]


def test_a_description_does_without_a_title() -> None:
    entry = Entry(loc=LOC, id="i", summary=Text(value="D"))
    assert item(entry) == (
        f'<link>{LOC}</link><description>D</description><guid isPermaLink="false">i</guid>',
        [],
    )


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("A & B", "A &amp; B"),
        ("1 < 2", "1 &lt; 2"),
        ("Vec<T> & co", "Vec&#x3C;T&gt; &#x26; co"),
        ("&eacute; &#8;", "&#x26;eacute; &#x26;#8;"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_title_that_looks_like_markup_is_spelt_as_validators_want(
    title: str, expected: str
) -> None:
    assert item(page(title=title))[0].startswith(f"<title>{expected}</title>")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"id": LOC, "id_is_permalink": True}, f'"true">{LOC}'),
        ({"id": LOC, "id_is_permalink": False}, f'"false">{LOC}'),
        ({"id": "https://ex.com/b", "id_is_permalink": True}, '"false">https://ex.com/b'),
        ({"id": " tag:x,2025:1\n"}, '"false">tag:x,2025:1'),
        ({"id": None}, f'"true">{LOC}'),
        ({"id": None, "loc": None}, '"false">urn:uuid:87db6235-64ad-5fcc-a370-15499da9c996'),
    ],
)
def test_guid_is_the_id_and_a_permalink_only_if_it_is_the_page(
    fields: dict[str, Any], expected: str
) -> None:
    inner, _ = item(page(**fields))
    assert f"<guid isPermaLink={expected}</guid>" in inner


def test_ids_of_the_input_are_kept_even_twice_and_made_ones_are_unique() -> None:
    writer = RssWriter(WriteOptions(now=NOW))
    issues: list[Issue] = []
    given = [page(id="1"), page(id="1"), Entry(), Entry(), page(id=LOC), page(id=None)]
    written = [writer.entry(entry, issues.append).body.decode() for entry in given]
    guids = [body.partition("<guid ")[2].partition("</guid>")[0] for body in written]
    assert guids[0] == guids[1] == 'isPermaLink="false">1'
    assert len(set(guids)) == 5
    assert [issue.code for issue in issues if issue.path == "id"] == [
        Code.ID_DUPLICATE,
        *[Code.SUPPLIED_ID] * 3,
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"published": at(2025, 1, 6, 10, offset_h=1)},
            "<pubDate>Mon, 06 Jan 2025 10:00:00 +0100</pubDate>",
        ),
        (
            {"published": at(2025), "updated": at(2025, 3)},
            (
                "<pubDate>Wed, 01 Jan 2025 00:00:00 +0000</pubDate>"
                "<dcterms:modified>2025-03-01T00:00:00Z</dcterms:modified>"
            ),
        ),
        (
            {"published": at(2024), "updated": at(2025, 1, 6, precision=Precision.DAY)},
            (
                "<pubDate>Mon, 01 Jan 2024 00:00:00 +0000</pubDate>"
                "<dcterms:modified>2025-01-06</dcterms:modified>"
            ),
        ),
        (
            {"published": at(2025, 3), "updated": at(2025)},
            "<pubDate>Sat, 01 Mar 2025 00:00:00 +0000</pubDate>",
        ),
        ({}, ""),
    ],
)
def test_dates(fields: dict[str, Any], expected: str) -> None:
    assert beyond(page(**fields)) == expected
    assert codes(page(**fields)) == []


@pytest.mark.parametrize(
    ("fields", "expected", "issue"),
    [
        (
            {"updated": at(2025)},
            "<pubDate>Wed, 01 Jan 2025 00:00:00 +0000</pubDate>",
            (Code.DATE_ASSUMED, "pubDate"),
        ),
        (
            {"published": at(2025, 1, 6, precision=Precision.DAY)},
            "<pubDate>Mon, 06 Jan 2025 00:00:00 +0000</pubDate>",
            (Code.DATE_ASSUMED, "published"),
        ),
        (
            {"published": at(2024), "updated": at(2025, 1, 6, precision=Precision.MONTH)},
            (
                "<pubDate>Mon, 01 Jan 2024 00:00:00 +0000</pubDate>"
                "<dcterms:modified>2025-01-06T00:00:00Z</dcterms:modified>"
            ),
            (Code.DATE_PARTIAL, "updated"),
        ),
        ({"published": at(2027)}, "", (Code.DATE_FUTURE, "published")),
    ],
)
def test_dates_that_are_altered_are_reported(
    fields: dict[str, Any], expected: str, issue: tuple[Code, str]
) -> None:
    assert beyond(page(**fields)) == expected
    assert codes(page(**fields)) == [issue]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"authors": (Person(name="Ann"),)}, "<dc:creator>Ann</dc:creator>"),
        ({"authors": (Person(email="a@ex.com"),)}, "<author>a@ex.com</author>"),
        (
            {"authors": (Person(name="Ann", email="a@ex.com"), Person(name="Bob"))},
            "<author>a@ex.com (Ann)</author>",
        ),
        ({"authors": (Person(name="Ann", email="nobody"),)}, "<dc:creator>Ann</dc:creator>"),
        ({"podcast": Podcast(author="Pod")}, "<dc:creator>Pod</dc:creator>"),
        ({"videos": (Video(uploader=Person(name="Up")),)}, "<dc:creator>Up</dc:creator>"),
        (
            {"videos": (Video(credits=(Credit(name="Up", role="uploader"),)),)},
            "<dc:creator>Up</dc:creator>",
        ),
        (
            {"categories": (Category(term="t", label="L", scheme="s"),)},
            '<category domain="s">L</category>',
        ),
        ({"categories": (Category(term=" "),)}, ""),
        (
            {"videos": (Video(keywords=("a", "A", "b")),)},
            "<category>a</category><category>b</category>",
        ),
        ({"videos": (Video(tags=(Tag(name="x"),)),)}, "<category>x</category>"),
        ({"podcast": Podcast(keywords=("k",))}, "<category>k</category>"),
        ({"comments": "https://ex.com/a#c"}, "<comments>https://ex.com/a#c</comments>"),
        (
            {"source": Link(href="https://o.com/f", rel="source", title="O")},
            '<source url="https://o.com/f">O</source>',
        ),
        (
            {"source": Link(href="https://o.com/f", rel="source")},
            '<source url="https://o.com/f">https://o.com/f</source>',
        ),
        ({"source": Link(href="nowhere", rel="source")}, ""),
        (
            {"lang": "en_US", "copyright": "C"},
            "<dc:language>en-US</dc:language><dc:rights>C</dc:rights>",
        ),
        ({"lang": "?"}, ""),
        (
            {"links": (Link(href="https://ex.com/r", rel="via", type="text/html", title="R"),)},
            '<atom:link rel="via" type="text/html" title="R" href="https://ex.com/r"/>',
        ),
        ({"links": (Link(href="javascript: x", rel="via"),)}, ""),
        (
            {
                "extra": (
                    ExtraElement(name="slash:comments", text="3"),
                    ExtraElement(name="pagemap:PageMap"),
                )
            },
            "<slash:comments>3</slash:comments>",
        ),
    ],
)
def test_elements_of_an_item(fields: dict[str, Any], expected: str) -> None:
    assert beyond(page(**fields)) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"summary": Text(value="a < b & c")},
            "<description>a &amp;lt; b &amp;amp; c</description>",
        ),
        (
            {"summary": Text(value='<a href="/b?x=1&amp;y">l</a> href="/c"', is_html=True)},
            (
                "<description>&lt;a href=&quot;https://ex.com/b?x=1&amp;amp;y&quot;&gt;l&lt;/a&gt;"
                " href=&quot;/c&quot;</description>"
            ),
        ),
        (
            {"summary": Text(value="<img src='c.png' alt=\"\"><a href='mailto:x'>", is_html=True)},
            (
                "<description>&lt;img src=&quot;https://ex.com/c.png&quot; alt=&quot;&quot;&gt;"
                "&lt;a href=&apos;mailto:x&apos;&gt;</description>"
            ),
        ),
        (
            {"summary": Text(value="D"), "content": Text(value="C")},
            "<description>D</description><content:encoded>C</content:encoded>",
        ),
    ],
)
def test_texts_are_html_with_absolute_links(fields: dict[str, Any], expected: str) -> None:
    assert beyond(page(**fields)) == expected
    assert codes(page(**fields)) == []


@pytest.mark.parametrize("end", ["", ">"])
@pytest.mark.parametrize("start", ["<a", "<a href", '<a href="', "<a href='", "<a href=x ", "<a "])
def test_hostile_html_takes_linear_time(start: str, end: str) -> None:
    text = start + start.removeprefix("<a") * 30_000 + start * 30_000 + end
    inner, _ = item(page(summary=Text(value=text, is_html=True)))
    assert "<description>" in inner


def test_html_without_a_page_has_the_feeds_for_its_base() -> None:
    text = Text(value="<a href=/b>", is_html=True)
    inner, _ = item(page(loc=None, summary=text, feed=Feed(link="https://ex.com/")))
    assert "href=&quot;https://ex.com/b&quot;" in inner


def test_html_without_any_base_keeps_its_links() -> None:
    text = Text(value='<a href="/b">', is_html=True)
    inner, _ = item(page(loc=None, summary=text))
    assert "href=&quot;/b&quot;" in inner


def test_content_has_a_description_before_it() -> None:
    entry = page(content=Text(value="C"))
    assert beyond(entry) == "<description>T</description><content:encoded>C</content:encoded>"
    assert codes(entry) == [(Code.SUPPLIED_DESCRIPTION, "description")]


def file(url: str, kind: Kind = Kind.VIDEO, **fields: Any) -> Rendition:
    return Rendition(url=f"https://ex.com/{url}", kind=kind, **fields)


VIDEO = Video(content_url="https://ex.com/v.mp4", renditions=(file("v.mp4", size_bytes=9),))
SOUND = Audio(content_url="https://ex.com/s.mp3", renditions=(file("s.mp3", Kind.AUDIO),))
PICTURE = Image(url="https://ex.com/p.png")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"videos": (VIDEO,), "audios": (SOUND,)}, ("v.mp4", "9", "video/mp4")),
        ({"videos": (Video(content_url="https://ex.com/w.webm"),)}, ("w.webm", "0", "video/webm")),
        ({"audios": (SOUND,), "images": (PICTURE,)}, ("s.mp3", "0", "audio/mpeg")),
        ({"audios": (Audio(content_url="https://ex.com/z.mp3"),)}, ("z.mp3", "0", "audio/mpeg")),
        ({"images": (PICTURE,)}, ("p.png", "0", "image/png")),
        (
            {
                "videos": (VIDEO,),
                "audios": (
                    Audio(
                        content_url="https://ex.com/e",
                        renditions=(
                            file(
                                "e", Kind.AUDIO, mime="audio/x", from_enclosure=True, size_bytes=7
                            ),
                        ),
                    ),
                ),
            },
            ("e", "7", "audio/x"),
        ),
        (
            {
                "videos": (
                    Video(
                        renditions=(
                            file("x", from_enclosure=True),
                            file("y.mp4", from_enclosure=True),
                        )
                    ),
                )
            },
            ("y.mp4", "0", "video/mp4"),
        ),
    ],
)
def test_the_one_enclosure_is_the_inputs_first_else_the_best_file(
    fields: dict[str, Any], expected: tuple[str, str, str]
) -> None:
    name, length, mime = expected
    assert beyond(page(**fields)) == (
        f'<enclosure url="https://ex.com/{name}" length="{length}" type="{mime}"/>'
    )


@pytest.mark.parametrize("url", ["https://ex.com/unknown", "ftp://ex.com/v.mp4"])
def test_an_enclosure_without_a_type_or_http_is_lost(url: str) -> None:
    entry = page(videos=(Video(content_url=url),))
    assert beyond(entry) == ""
    assert codes(entry) == [(Code.DROPPED_FIELD, "enclosure")]


def test_unwanted_media_are_not_enclosures() -> None:
    entry = page(videos=(VIDEO,), images=(PICTURE,))
    assert beyond(entry, videos=False, images=False) == ""
    assert beyond(entry, videos=False, images=False, media=True) == ""


def test_an_invalid_mail_address_is_lost() -> None:
    entry = page(authors=(Person(name="A", email="no mail"),))
    assert codes(entry) == [(Code.DROPPED_FIELD, "author/email")]


def test_text_that_xml_cannot_hold_is_removed_and_reported_once() -> None:
    entry = page(copyright="a\x00b\x01", title="T\x02")
    assert beyond(entry) == "<dc:rights>ab</dc:rights>"
    assert codes(entry) == [(Code.TEXT_CLEANED, "title"), (Code.TEXT_CLEANED, "dc:rights")]


def test_links_are_absolute_and_ascii() -> None:
    inner, issues = item(Entry(loc="https://bücher.example/ß x", id="1", title="T"))
    assert "<link>https://xn--bcher-kva.example/%C3%9F%20x</link>" in inner
    assert [issue.code for issue in issues] == [Code.URL_NORMALISED]


# -- the channel --------------------------------------------------------------------------------

FEED = Feed(title="F", link="https://ex.com/blog/", description="D")
START = "<title>F</title><link>https://ex.com/blog/</link><description>D</description>"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ""),
        ({"lang": "de"}, "<language>de</language>"),
        ({"copyright": "C", "generator": "G"}, "<copyright>C</copyright><generator>G</generator>"),
        ({"authors": (Person(name="Ann"),)}, "<dc:creator>Ann</dc:creator>"),
        ({"published": at(2025)}, "<pubDate>Wed, 01 Jan 2025 00:00:00 +0000</pubDate>"),
        ({"built": at(2025)}, "<lastBuildDate>Wed, 01 Jan 2025 00:00:00 +0000</lastBuildDate>"),
        ({"categories": (Category(term="c", scheme="s"),)}, '<category domain="s">c</category>'),
        (
            {"license": "https://cc.org/by/"},
            "<creativeCommons:license>https://cc.org/by/</creativeCommons:license>",
        ),
        (
            {"image": "https://ex.com/logo.png"},
            (
                "<image><url>https://ex.com/logo.png</url><title>F</title>"
                "<link>https://ex.com/blog/</link></image>"
            ),
        ),
        (
            {"links": (Link(href="https://hub.com/", rel="hub"),), "self_url": "https://old.com/"},
            '<atom:link rel="hub" href="https://hub.com/"/>',
        ),
    ],
)
def test_elements_of_the_channel(fields: dict[str, Any], expected: str) -> None:
    feed = Feed(title="F", link="https://ex.com/blog/", description="D", **fields)
    assert channel(feed, page()) == (START + expected, [])


def test_options_win_over_the_header() -> None:
    options = {"title": "O", "link": "https://o.com/", "description": "P", "author": "Q"}
    assert channel(FEED, page(), **options)[0] == (
        "<title>O</title><link>https://o.com/</link><description>P</description>"
        "<dc:creator>Q</dc:creator>"
    )


@pytest.mark.parametrize(
    ("entries", "host", "link"),
    [
        ((page(),), "ex.com", "https://ex.com/"),
        ((page(loc=None), page(loc="http://b.org:81/x/y")), "b.org", "http://b.org:81/"),
        ((page(loc=None, audios=(SOUND,)), page(loc=None)), "ex.com", "https://ex.com/"),
        ((page(loc=None),), "Untitled", "about:blank"),
    ],
)
def test_a_channel_is_supplied_from_the_first_page(
    entries: tuple[Entry, ...], host: str, link: str
) -> None:
    head, issues = channel(Feed(), *entries)
    assert head == (
        f"<title>{host}</title><link>{link}</link><description>URLs of {host}</description>"
    )
    assert [issue.code for issue in issues] == [
        Code.SUPPLIED_TITLE,
        Code.SUPPLIED_LINK,
        Code.SUPPLIED_DESCRIPTION,
    ]
