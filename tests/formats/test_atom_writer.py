"""Atom as it is written: the entry, the feed, and what is supplied where the input lacks it."""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from converter.formats import atom
from converter.formats.atom.write import AtomWriter
from converter.issues import Code, Issue, ignore
from converter.model import (
    Alternate,
    Category,
    Entry,
    ExtraElement,
    Feed,
    Kind,
    Link,
    Moment,
    Person,
    Podcast,
    Precision,
    Rendition,
    Text,
    Video,
)
from converter.options import WriteOptions
from tests.builders import NOW, at, head_of

LOC = "https://ex.com/a"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
ANN = (Person(name="Ann"),)


def entry_of(entry: Entry, **options: Any) -> tuple[str, list[Issue]]:
    issues: list[Issue] = []
    writer = AtomWriter(WriteOptions(now=NOW, **options))
    body = writer.entry(entry, issues.append).body.decode()
    return body.removesuffix("</entry>\n"), issues


def page(**fields: Any) -> Entry:
    given: dict[str, Any] = {
        "loc": LOC,
        "id": "tag:x",
        "title": "T",
        "summary": Text(value="S"),
        "authors": ANN,
    }
    return Entry(**given | {"updated": at(2025)} | fields)


def beyond(entry: Entry) -> str:
    """What stands in the entry of a `page` beside what it has anyway."""
    body, _ = entry_of(entry)
    for given in (
        "<entry>",
        "<title>T</title>",
        "<id>tag:x</id>",
        "<updated>2025-01-01T00:00:00Z</updated>",
        "<author><name>Ann</name></author>",
        f'<link rel="alternate" href="{LOC}"/>',
        "<summary>S</summary>",
    ):
        body = body.replace(given, "")
    return body


def codes(entry: Entry) -> list[tuple[Code, str | None]]:
    return [(issue.code, issue.path) for issue in entry_of(entry)[1]]


def header(feed: Feed, *entries: Entry, **options: Any) -> tuple[str, list[Issue]]:
    head, issues = head_of(AtomWriter(WriteOptions(now=NOW, **options)), feed, entries)
    return head.partition('2005/Atom"')[2].removesuffix("\n"), issues


# -- documents ----------------------------------------------------------------------------------


def test_a_bare_list_of_urls_makes_the_minimal_document() -> None:
    writer = AtomWriter(WriteOptions(now=NOW, self_url="SELF"))
    feed = Feed(lang="en")
    body = writer.entry(Entry(loc=LOC), ignore).body
    document = writer.head(feed, frozenset()) + body + writer.tail(feed)
    assert document.decode().removeprefix(HEAD).replace("\n", "") == (
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>ex.com</title>'
        "<id>https://ex.com/</id><updated>2026-01-15T12:00:00Z</updated>"
        "<author><name>ex.com</name></author>"
        '<link rel="self" type="application/atom+xml" href="SELF"/><entry>'
        "<title>https://ex.com/a</title><id>https://ex.com/a</id>"
        '<updated>2026-01-15T12:00:00Z</updated><link rel="alternate" href="https://ex.com/a"/>'
        "<summary>https://ex.com/a</summary></entry></feed>"
    )


def test_pretty_output_is_indented_and_namespaces_are_those_used() -> None:
    writer = AtomWriter(WriteOptions(now=NOW, pretty=True))
    rendered = writer.entry(page(videos=(Video(content_url="https://ex.com/v.mp4"),)), ignore)
    assert rendered.prefixes == {"media"}
    assert (rendered.images, rendered.videos) == (0, 1)
    feed = Feed(title="F", id="tag:f")
    document = writer.head(feed, rendered.prefixes) + rendered.body + writer.tail(feed)
    lines = document.decode().splitlines()
    assert lines[1] == (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">'
    )
    assert lines[2:5] == [
        "  <title>F</title>",
        "  <id>tag:f</id>",
        "  <updated>2025-01-01T00:00:00Z</updated>",
    ]
    assert lines[5:7] == ["  <entry>", "    <title>T</title>"]
    assert lines[-2:] == ["  </entry>", "</feed>"]


# -- the entry ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ""),
        ({"published": at(2024, offset_h=-5)}, "<published>2024-01-01T00:00:00-05:00</published>"),
        (
            {"summary": Text(value='<a href="b">', is_html=True)},
            '<summary type="html">&lt;a href=&quot;https://ex.com/b&quot;&gt;</summary>',
        ),
        ({"content": Text(value="C < D")}, "<content>C &lt; D</content>"),
        ({"copyright": "C"}, "<rights>C</rights>"),
        (
            {
                "categories": (
                    Category(term="t", scheme="https://s/", label="L"),
                    Category(term=" "),
                )
            },
            '<category term="t" scheme="https://s/" label="L"/>',
        ),
        ({"categories": (Category(term="t", scheme="no uri"),)}, '<category term="t"/>'),
        (
            {
                "alternates": (
                    Alternate(hreflang="en", href=LOC),
                    Alternate(hreflang="EN", href="https://ex.com/b"),
                )
            },
            f'<link rel="alternate" hreflang="en" href="{LOC}"/>',
        ),
        ({"alternates": (Alternate(hreflang="en", href="b"),)}, ""),
        (
            {
                "links": (
                    Link(href="https://ex.com/r", rel="via", type="a/b", hreflang="de"),
                    Link(href="r", rel="x"),
                )
            },
            '<link rel="via" type="a/b" hreflang="de" href="https://ex.com/r"/>',
        ),
        ({"license": "https://cc.org/by"}, '<link rel="license" href="https://cc.org/by"/>'),
        (
            {
                "license": "https://cc.org/by",
                "links": (Link(href="https://cc.org/by", rel="license"),),
            },
            '<link rel="license" href="https://cc.org/by"/>',
        ),
        (
            {"source": Link(href="https://o.com/f", rel="source", title="O")},
            '<source><title>O</title><link rel="self" href="https://o.com/f"/></source>',
        ),
        ({"source": Link(href="", rel="source")}, ""),
        ({"extra": (ExtraElement(name="thr:total", text="2"),)}, "<thr:total>2</thr:total>"),
    ],
)
def test_elements_of_an_entry(fields: dict[str, Any], expected: str) -> None:
    assert beyond(page(**fields)) == expected


def test_enclosures_are_all_of_the_input() -> None:
    files = (
        Rendition(url="https://ex.com/1.mp4", kind=Kind.VIDEO, from_enclosure=True, size_bytes=5),
        Rendition(url="https://ex.com/2.mp4", kind=Kind.VIDEO, from_enclosure=True, title="2"),
        Rendition(url="nothing", kind=Kind.VIDEO, from_enclosure=True),
        Rendition(url="https://ex.com/3.mp4", kind=Kind.VIDEO),
    )
    body, _ = entry_of(page(videos=(Video(renditions=files),)))
    assert (
        '<link rel="enclosure" length="5" href="https://ex.com/1.mp4"/>'
        '<link rel="enclosure" title="2" href="https://ex.com/2.mp4"/><summary>'
    ) in body
    assert body.count('rel="enclosure"') == 2


@pytest.mark.parametrize(
    ("lang", "start"), [("de_AT", '<entry xml:lang="de-AT">'), ("no language", "<entry>")]
)
def test_language(lang: str, start: str) -> None:
    assert entry_of(page(lang=lang))[0].startswith(start)


@pytest.mark.parametrize(
    ("fields", "updated", "issues"),
    [
        ({}, "2025-01-01T00:00:00Z", []),
        (
            {"updated": None, "published": at(2024)},
            "2024-01-01T00:00:00Z",
            [(Code.SUPPLIED_UPDATED, "updated")],
        ),
        (
            {"updated": None, "feed": Feed(updated=at(2023))},
            "2023-01-01T00:00:00Z",
            [(Code.SUPPLIED_UPDATED, "updated")],
        ),
        ({"updated": None}, "2026-01-15T12:00:00Z", [(Code.SUPPLIED_NOW, "updated")]),
        (
            {"updated": at(2027)},
            "2026-01-15T12:00:00Z",
            [(Code.DATE_FUTURE, "updated"), (Code.SUPPLIED_NOW, "updated")],
        ),
        (
            {"updated": Moment(instant=at(2025, 2).instant, precision=Precision.DAY)},
            "2025-02-01T00:00:00Z",
            [(Code.DATE_ASSUMED, "updated")],
        ),
        (
            {"updated": Moment(instant=at(2025).instant, precision=Precision.YEAR)},
            "2025-01-01T00:00:00Z",
            [(Code.DATE_PARTIAL, "updated")],
        ),
    ],
)
def test_updated_is_the_nearest_available_date(
    fields: dict[str, Any], updated: str, issues: list[tuple[Code, str]]
) -> None:
    assert f"<updated>{updated}</updated>" in entry_of(page(**fields))[0]
    assert codes(page(**fields)) == issues


@pytest.mark.parametrize(
    ("fields", "expected", "issues"),
    [
        ({"id": "urn:x:Ü"}, "urn:x:Ü", []),
        ({"id": "42"}, LOC, [(Code.SUPPLIED_ID, "id")]),
        ({"id": "a: b"}, LOC, [(Code.SUPPLIED_ID, "id")]),
        ({"id": None}, LOC, [(Code.SUPPLIED_ID, "id")]),
    ],
)
def test_an_id_is_an_iri(
    fields: dict[str, Any], expected: str, issues: list[tuple[Code, str]]
) -> None:
    assert f"<id>{expected}</id>" in entry_of(page(**fields))[0]
    assert codes(page(**fields)) == issues


def test_ids_that_are_made_are_unique_and_the_same_every_time() -> None:
    def made() -> list[str]:
        writer = AtomWriter(WriteOptions(now=NOW))
        given = [page(id=name) for name in ("1", "2", "1", "1\ud800")]
        bodies = [writer.entry(entry, ignore).body.decode() for entry in given]
        return [body.partition("<id>")[2].partition("</id>")[0] for body in bodies]

    ids = made()
    assert ids[:2] == [LOC, f"urn:uuid:{uuid5(NAMESPACE_URL, f'{LOC}#2')}"]
    assert len(set(ids)) == 4
    assert ids == made()


def test_ids_that_are_made_without_a_page_are_those_of_former_versions() -> None:
    writer = AtomWriter(WriteOptions(now=NOW))
    bodies = [
        writer.entry(page(id=None, loc=None, title=title), ignore).body.decode() for title in "ABC"
    ]
    ids = [body.partition("<id>")[2].partition("</id>")[0] for body in bodies]
    assert ids == [f"urn:uuid:{uuid5(NAMESPACE_URL, name)}" for name in ("#", "##2", "##3")]


@pytest.mark.parametrize(
    ("fields", "expected", "issues"),
    [
        (
            {"authors": (*ANN, Person(name="Bob", uri="https://b.com/"))},
            "<author><name>Ann</name></author><author><name>Bob</name><uri>https://b.com/</uri></author>",
            [],
        ),
        (
            {"authors": (Person(email="a@ex.com"),)},
            "<author><name>ex.com</name><email>a@ex.com</email></author>",
            [(Code.SUPPLIED_AUTHOR, "author")],
        ),
        (
            {"authors": (), "podcast": Podcast(author="Pod")},
            "<author><name>Pod</name></author>",
            [],
        ),
        ({"authors": ()}, "", []),
    ],
)
def test_authors_have_names(
    fields: dict[str, Any], expected: str, issues: list[tuple[Code, str]]
) -> None:
    body, _ = entry_of(page(**fields))
    assert body.partition("</updated>")[2].partition("<link")[0] == expected
    assert codes(page(**fields)) == issues


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "<summary>T</summary>"),
        ({"content": Text(value="C")}, "<content>C</content>"),
        ({"loc": None, "summary": Text(value="S")}, "<summary>S</summary><content>S</content>"),
        ({"loc": None}, "<summary>T</summary><content>T</content>"),
        (
            {"videos": (Video(description=Text(value="D")),)},
            "<summary>D</summary>",
        ),
    ],
)
def test_an_entry_always_has_text(fields: dict[str, Any], expected: str) -> None:
    body, issues = entry_of(page(**{"summary": None} | fields))
    assert body.endswith(expected)
    supplied = Code.SUPPLIED_DESCRIPTION in [issue.code for issue in issues]
    assert supplied == ("summary" not in fields and "content" not in fields)


def test_comments_have_no_place() -> None:
    support = atom.FORMAT.losses(WriteOptions(now=NOW))
    assert [loss.name for loss in support.entry_losses(page(comments=LOC))] == ["comments"]
    assert support.entry_losses(page()) == ()


# -- the feed -----------------------------------------------------------------------------------

START = "<title>F</title><id>tag:f</id><updated>2025-01-01T00:00:00Z</updated>"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ""),
        ({"authors": ANN}, "<author><name>Ann</name></author>"),
        ({"podcast": Podcast(author="Pod")}, "<author><name>Pod</name></author>"),
        ({"link": "https://ex.com/b"}, '<link rel="alternate" href="https://ex.com/b"/>'),
        ({"description": "D", "copyright": "C"}, "<subtitle>D</subtitle><rights>C</rights>"),
        ({"license": "https://cc.org/"}, '<link rel="license" href="https://cc.org/"/>'),
        (
            {"links": (Link(href="https://h.com/", rel="hub"),)},
            '<link rel="hub" href="https://h.com/"/>',
        ),
        ({"categories": (Category(term="c"),)}, '<category term="c"/>'),
        (
            {"generator": "G", "image": "https://ex.com/l.png"},
            "<generator>G</generator><logo>https://ex.com/l.png</logo>",
        ),
        ({"updated": at(2020)}, ""),
    ],
)
def test_elements_of_the_feed(fields: dict[str, Any], expected: str) -> None:
    head, issues = header(Feed(title="F", id="tag:f", **fields), page())
    assert head == f">{START}{expected}"
    assert issues == []


def test_options_win_over_the_header() -> None:
    feed = Feed(title="F", id="tag:f", link="https://f.com/", description="D", authors=ANN)
    options = {"title": "O", "link": "https://o.com/", "description": "P", "author": "Q"}
    assert header(feed, page(), **options)[0] == (
        "><title>O</title><id>tag:f</id><updated>2025-01-01T00:00:00Z</updated>"
        '<author><name>Q</name></author><link rel="alternate" href="https://o.com/"/>'
        "<subtitle>P</subtitle>"
    )


@pytest.mark.parametrize(
    ("feed", "entry", "expected"),
    [
        (Feed(id="blog", title="F"), page(), "https://ex.com/"),
        (Feed(self_url="HTTPS://EX.com:443/feed", title="F"), page(), "https://ex.com/feed"),
        (Feed(title="F"), page(loc=None), f"urn:uuid:{uuid5(NAMESPACE_URL, '#F')}"),
    ],
)
def test_a_feed_has_an_id(feed: Feed, entry: Entry, expected: str) -> None:
    head, issues = header(feed, entry)
    found = head.partition("<id>")[2].partition("</id>")[0]
    assert found == expected
    assert [issue.code for issue in issues] == [Code.SUPPLIED_ID]


def test_updated_is_the_latest_of_the_entries_and_without_any_the_feeds() -> None:
    entries = [page(updated=at(2024)), page(updated=at(2025, 6)), page(updated=at(2025, 2))]
    assert "<updated>2025-06-01T00:00:00Z</updated>" in header(Feed(), *entries)[0]
    assert "<updated>2020-01-01T00:00:00Z</updated>" in header(Feed(updated=at(2020)))[0]
    assert "<updated>2026-01-15T12:00:00Z</updated>" in header(Feed())[0]


def test_a_feed_names_an_author_only_where_an_entry_does_not() -> None:
    head, issues = header(Feed(title="F", id="tag:f"), page(), page(authors=()))
    assert "<author><name>ex.com</name></author>" in head
    assert [issue.code for issue in issues] == [Code.SUPPLIED_AUTHOR]
