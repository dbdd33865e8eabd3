"""Counts of lost and altered fields."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

import converter
from converter import Issue
from converter.conversion.result import Result
from converter.extensions.field_support.rules import attribute_path
from converter.issues import Code
from converter.model import (
    Category,
    ExtraElement,
    Feed,
    Link,
    Person,
    Podcast,
    Precision,
    Rating,
    Thumbnail,
)
from converter.pipeline.counts import Counts
from tests.builders import at, codes

FEED = b"""<rss version="2.0"><channel><title>F</title>
<item><title>A</title><link>https://ex.com/a</link><pubDate>5 Jan 2026 08:00 GMT</pubDate></item>
<item><link>https://ex.com/b</link></item>
</channel></rss>"""


def converted(**options: Any) -> tuple[Result, list[Issue]]:
    issues: list[Issue] = []
    result = converter.convert(io.BytesIO(FEED), io.BytesIO(), report=issues.append, **options)
    return result, issues


def test_fields_are_counted_by_the_entry() -> None:
    result, issues = converted()
    assert (result.lost, result.altered) == ({"title": 1, "feed/title": 1}, {"published": 1})
    assert issues == []


def test_tell_losses_names_entries() -> None:
    result, issues = converted(tell_losses=True)
    assert (result.lost, result.altered) == ({"title": 1, "feed/title": 1}, {"published": 1})
    assert {(issue.code, issue.path, issue.line, issue.entry) for issue in issues} == {
        (Code.DROPPED_FIELD, "title", 2, "https://ex.com/a"),
        (Code.ALTERED_FIELD, "published", 2, "https://ex.com/a"),
        (Code.DROPPED_FIELD, "feed/title", None, None),
    }
    assert {issue.message for issue in issues} == {
        "title is left out; sitemap keeps only that of news, or of a video that has none",
        "published is altered in sitemap: merged into lastmod, but for news and videos",
        "feed/title is left out; sitemap cannot hold it",
    }


def test_what_a_writer_drops_is_counted_too() -> None:
    entries = [
        converter.Entry(loc="https://ex.com/", authors=(converter.Person(name="A", email="no"),))
    ]
    for tells in (False, True):
        issues: list[Issue] = []
        result = converter.write(
            entries, io.BytesIO(), to="rss", report=issues.append, tell_losses=tells
        )
        assert result.lost == {"author/email": 1}
        assert (Code.DROPPED_FIELD in codes(issues)) == tells


def test_hosts_that_are_split_are_summed(tmp_path: Path) -> None:
    feed = FEED.replace(
        b"https://ex.com/b", b"https://other.example/b</link><title>B</title><link>"
    )
    target = tmp_path / "s.xml"
    result = converter.convert(io.BytesIO(feed), target, split_hosts=True)
    assert result.lost == {"title": 2, "feed/title": 1}


def test_a_hostile_document_cannot_fill_the_memory() -> None:
    counts = Counts()
    for number in range(4000):
        counts.lose(f"x{number % 3000}")
        counts.lose("x", is_altered=True)
    assert len(counts.lost) == 1001
    assert counts.lost["x0"] == 2
    assert sum(counts.lost.values()) == 4000
    assert counts.altered == {"x": 4000}


# -- the header -------------------------------------------------------------------------------

SITE = "https://ex.com"
FEEDS = ["rss", "mrss", "atom"]


#: What each field of a header may say; nothing that a writer would report, as a date that lies
#: ahead: that is no matter of the format.
SAID: dict[str, tuple[Any, ...]] = {
    "title": ("Feed", "Q & A"),
    "link": (f"{SITE}/home",),
    "self_url": (f"{SITE}/feed.xml",),
    "id": ("tag:ex.com,2026:feed", "no iri"),
    "description": ("Of a feed",),
    "lang": ("en", "en-GB", "plain English"),
    "updated": (at(2026, 1, 3),),
    "published": (at(2026, 1, 2), at(2026, 1, 2, precision=Precision.DAY)),
    "built": (at(2026, 1, 4), at(2026, 1, 4, precision=Precision.MONTH)),
    "authors": (
        (Person(name="Ann"),),
        (Person(name="Ann", email="ann@ex.com"),),
        (Person(name="Ann", uri=f"{SITE}/ann"),),
        (Person(name="Ann"), Person(name="Bo")),
        (Person(email="bo@ex.com"),),
    ),
    "categories": (
        (Category(term="a"), Category(term="b", scheme="tag:ex.com,2026:kinds")),
        (Category(term="a", label="A"),),
        (Category(term="a", scheme="kinds"),),
    ),
    "generator": ("Press 1.0",),
    "copyright": ("(c) Ann",),
    "image": (f"{SITE}/logo.png",),
    "license": (f"{SITE}/by",),
    "ratings": ((Rating(value="nonadult"),),),
    "podcast": (
        Podcast(author="Pod"),
        Podcast(images=(Thumbnail(url=f"{SITE}/logo.png"),)),
        *(
            Podcast(**{field: value})
            for field, value in (
                ("summary", "Pod summary"),
                ("subtitle", "Pod subtitle"),
                ("keywords", ("pod",)),
                ("explicit", False),
                ("duration_s", 99.0),
                ("season", 4),
                ("episode", 5),
                ("episode_type", "bonus"),
                ("blocked", True),
                ("medium", "video"),
            )
        ),
    ),
    "links": (
        (Link(href=f"{SITE}/hub", rel="hub"),),
        (Link(href=f"{SITE}/cc0", rel="license"), Link(href=f"{SITE}/2", rel="next", title="2")),
        (Link(href=f"{SITE}/by", rel="license"),),
    ),
    "words": ((ExtraElement(name="media:copyright", text="(c)"),),),
    "other": (("ttl", "docs"),),
}


def _is_held(field: str, said: Feed, read: Feed) -> bool:
    """Does the header that is read say all that the one before said, in whatever field?"""
    given, found = getattr(said, field), getattr(read, field)
    if field == "self_url":
        return given in {read.self_url, read.id}
    if field == "authors":  # a name that is missing is supplied
        return len(given) == len(found) and all(
            getattr(person, name) in {None, getattr(other, name)}
            for person, other in zip(given, found, strict=True)
            for name in ("name", "email", "uri")
        )
    if field == "links":  # a license is one more
        return set(given) <= set(found)
    if field == "podcast" and given.images:
        return {image.url for image in given.images} == {read.image}
    if field == "podcast" and given.author:
        return read.authors == (Person(name=given.author),)
    return bool(found == given)


def written_header(feed: Feed, to: str) -> tuple[Result, Feed]:
    """Write a header above a page, and read it again."""
    target = io.BytesIO()
    page = converter.Entry(
        loc=f"{SITE}/page", title="T", published=at(2026, 1, 9), updated=at(2026, 1, 9)
    )
    result = converter.write([page], target, feed=feed, to=to, report=lambda _: None)
    with converter.read(io.BytesIO(target.getvalue()), report=lambda _: None) as document:
        assert len(list(document.entries)) == 1
    return result, document.feed


def fates(result: Result) -> set[str]:
    """The fields of headers that were counted."""
    return {name for name in {**result.lost, **result.altered} if name.startswith("feed/")}


@pytest.mark.parametrize("to", FEEDS)
@hypothesis.settings(suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
@given(
    said=st.fixed_dictionaries(
        {}, optional={field: st.sampled_from(values) for field, values in SAID.items()}
    )
)
def test_a_header_field_is_counted_exactly_when_it_does_not_survive(
    said: dict[str, Any], to: str
) -> None:
    feed = Feed(**said)
    result, read = written_header(feed, to)
    counted = {name.split("/")[1] for name in fates(result)}
    assert {attribute_path(f"feed/{name}")[0] for name in counted} == {
        field for field in said if not _is_held(field, feed, read)
    }


@pytest.mark.parametrize("to", FEEDS)
@pytest.mark.parametrize("field", SAID)
def test_every_value_of_a_header_is_held_or_counted(field: str, to: str) -> None:
    for value in SAID[field]:
        feed = Feed(**{field: value})
        result, read = written_header(feed, to)
        counted = fates(result)
        assert bool(counted) != _is_held(field, feed, read)
        assert all(attribute_path(name)[0] == field for name in counted)


def test_every_header_field_is_tested() -> None:
    assert list(SAID) == [
        field.name for field in fields(Feed) if field.name not in {"format", "source"}
    ]
    tried = {name for podcast in SAID["podcast"] for name in _said(podcast)}
    assert tried == {field.name for field in fields(Podcast)}


def _said(podcast: Podcast) -> Iterator[str]:
    return (each.name for each in fields(Podcast) if getattr(podcast, each.name) not in (None, ()))


def channel(inner: str, page: str) -> io.BytesIO:
    item = f"<item><title>T</title><link>{SITE}/{page}</link></item>"
    return io.BytesIO(f'<rss version="2.0"><channel>{inner}{item}</channel></rss>'.encode())


HEADER = f"<title>F</title><link>{SITE}/</link><description>D</description>"


@pytest.mark.parametrize("to", ["sitemap", "txt"])
def test_a_format_without_a_header_loses_every_header_field(to: str) -> None:
    sources = [channel(HEADER, "1"), channel(HEADER, "2")]
    result = converter.convert(sources, io.BytesIO(), to=to, report=lambda _: None)
    counted = {name: result.lost[name] for name in fates(result)}
    assert counted == {"feed/title": 2, "feed/link": 2, "feed/description": 2}


NOWHERE = (
    "<ttl>60</ttl><docs>d</docs><managingEditor>a@ex.com</managingEditor><webMaster>w</webMaster>"
    "<cloud domain='ex.com'/><textInput/><skipHours><hour>1</hour><hour>2</hour></skipHours>"
    "<ttl>90</ttl><o:odd xmlns:o='urn:odd'/><sy:updatePeriod"
    " xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>daily</sy:updatePeriod>"
)


@pytest.mark.parametrize("to", ["sitemap", "txt", *FEEDS])
def test_unread_header_elements_are_counted_by_name(to: str) -> None:
    sources = [channel(HEADER + NOWHERE, "1"), channel(HEADER + "<ttl>1</ttl>", "2")]
    result = converter.convert(sources, io.BytesIO(), to=to, report=lambda _: None)
    once = ("docs", "managingEditor", "webMaster", "cloud", "textInput", "skipHours", "o:odd")
    assert {name: result.lost[name] for name in result.lost if name.startswith("feed/other")} == {
        "feed/other/ttl": 2,
        **{f"feed/other/{name}": 1 for name in (*once, "sy:updatePeriod")},
    }


def test_unread_atom_header_elements_are_counted_by_name() -> None:
    feed = (
        b'<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><icon>/i</icon><contributor/>'
        b"<entry><link href='https://ex.com/1'/></entry><icon/></feed>"
    )
    result = converter.convert(io.BytesIO(feed), io.BytesIO(), to="atom", report=lambda _: None)
    assert result.lost == {"feed/other/icon": 1, "feed/other/contributor": 1}


def test_the_item_index_of_rdf_is_not_counted() -> None:
    feed = (
        b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        b' xmlns="http://purl.org/rss/1.0/"><channel><title>T</title><items/></channel>'
        b"<item><link>https://ex.com/1</link></item></rdf:RDF>"
    )
    result = converter.convert(io.BytesIO(feed), io.BytesIO(), report=lambda _: None)
    assert result.lost == {"feed/title": 1}


@pytest.mark.parametrize("names", [64, 65, 1000])
def test_the_number_of_unread_names_is_bounded_and_reported(names: int) -> None:
    header = "".join(f"<odd{number}/>" for number in range(names)) + "<odd1/>"
    result = converter.convert(channel(header, "1"), io.BytesIO())
    lost = [name for name in result.lost if name.startswith("feed/other/")]
    assert len(lost) == min(names, 65)
    assert ("feed/other/*" in lost) == (names > 64)


@pytest.mark.parametrize("pages", [1, 3000], ids=["few pages", "many pages"])
def test_a_truncated_header_is_reported_once_per_name(pages: int) -> None:
    header = "".join(f"<category>{n}</category><title/>" for n in range(70))
    items = "".join(
        f"<item><title>Page {n}</title><link>{SITE}/page-{n}</link></item>\n" for n in range(pages)
    )
    feed = f'<rss version="2.0"><channel>{header}\n{items}</channel></rss>'
    result = converter.convert(io.BytesIO(feed.encode()), io.BytesIO(), to="rss")
    told = [issue for issue in result.issues if issue.code is Code.HEADER_CUT]
    assert [(issue.path, issue.line) for issue in told] == [
        ("channel/category", 1),
        ("channel/title", 1),
    ]
    assert told[0].message == "more than 64 <category>; the further ones are not read"


def test_of_a_second_header_the_differing_fields_are_lost() -> None:
    sources = [
        io.BytesIO(b"https://ex.com/0\n"),
        channel(HEADER, "1"),
        channel(HEADER, "2"),
        channel(HEADER.replace(">F<", ">G<") + "<generator>g</generator>", "3"),
    ]
    issues: list[Issue] = []
    result = converter.convert(
        sources, io.BytesIO(), to="rss", tell_losses=True, report=issues.append
    )
    assert result.lost == {"feed/title": 1, "feed/generator": 1}
    told = [issue for issue in issues if issue.code is Code.DROPPED_FIELD]
    assert [(issue.path, issue.entry, issue.line) for issue in told] == [
        ("feed/title", None, None),
        ("feed/generator", None, None),
    ]
    assert told[0].message == "feed/title is left out; rss keeps only the value of the first feed"


def test_tell_losses_names_the_source_of_a_header(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.rss", "b.rss")]
    for number, path in enumerate(paths):
        path.write_bytes(channel(f"<title>{number}</title>", str(number)).getvalue())
    issues: list[Issue] = []
    converter.convert(paths, io.BytesIO(), to="txt", tell_losses=True, report=issues.append)
    told = [issue.source for issue in issues if issue.path == "feed/title"]
    assert told == [str(path) for path in paths]


def test_an_intended_change_is_not_a_loss() -> None:
    atom = f'<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="{SITE}/f"/>'
    people = '<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">{}</dc:creator>'
    header = HEADER + atom + people.format("ann@ex.com (Ann)") + people.format("Bo")
    further = header.replace(">F<", ">G<").replace("Ann", "Cy").replace(">D<", ">E<")
    sources = [channel(header, "1"), channel(further, "2")]
    for source in sources:
        source.seek(0)
    without = converter.convert(sources, io.BytesIO(), to="rss", report=lambda _: None)
    assert without.lost == {
        "feed/title": 1,
        "feed/description": 1,
        "feed/self_url": 1,
        "feed/author": 2,
        "feed/author/email": 1,
    }
    for source in sources:
        source.seek(0)
    result = converter.convert(
        sources,
        io.BytesIO(),
        to="rss",
        title="T",
        link=f"{SITE}/other",
        description="D",
        author="A",
        self_url=f"{SITE}/self",
        report=lambda _: None,
    )
    assert result.lost == {}


def test_a_header_is_counted_once_however_often_it_is_read() -> None:
    page = f"<item><link>{SITE}/1</link></item>"
    twice = f"<item><link>{SITE}/1#a</link><pubDate>5 Jan 2026 08:00 GMT</pubDate></item>"
    feed = (
        f'<rss version="2.0"><channel>{page}{twice}{HEADER}<language>en</language></channel></rss>'
    )
    issues: list[Issue] = []
    result = converter.convert(
        io.BytesIO(feed.encode()), io.BytesIO(), report=issues.append, tell_losses=True
    )
    assert Code.HEADER_LATE in {issue.code for issue in issues}
    names = ["feed/title", "feed/link", "feed/description", "feed/lang"]
    assert {name: result.lost[name] for name in fates(result)} == dict.fromkeys(names, 1)
    assert sorted(i.path or "" for i in issues if (i.path or "").startswith("feed/")) == sorted(
        names
    )


def test_hosts_that_are_split_share_a_header(tmp_path: Path) -> None:
    pages = "".join(f"<item><link>https://{host}.example/</link></item>" for host in "abc")
    feed = f'<rss version="2.0"><channel>{HEADER}{pages}</channel></rss>'
    issues: list[Issue] = []
    result = converter.convert(
        io.BytesIO(feed.encode()),
        tmp_path / "s.xml",
        split_hosts=True,
        tell_losses=True,
        report=issues.append,
    )
    assert len(result.files) == 3
    assert result.lost == {"feed/title": 1, "feed/link": 1, "feed/description": 1}
    assert len([i for i in issues if i.code is Code.DROPPED_FIELD]) == 3


def test_a_document_that_is_left_in_the_middle_has_a_header_too() -> None:
    pages = "".join(f"<item><link>{SITE}/{number}</link></item>" for number in range(3))
    feed = f'<rss version="2.0"><channel>{HEADER}{pages}</channel></rss>'
    sources = [io.BytesIO(feed.encode()), channel(HEADER, "never-read")]
    result = converter.convert(sources, io.BytesIO(), max_entries=2, report=lambda _: None)
    assert result.lost == {"feed/title": 1, "feed/link": 1, "feed/description": 1}
