"""Unread elements of entries are counted as lost, by name."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pytest

import converter
from converter.conversion.result import Result
from converter.model import MOST_OTHER, OTHER_REST, Entry
from converter.pipeline.transforms.deduplicate import merge

FORMATS = ["rss", "mrss", "atom", "jsonfeed", "txt", "sitemap"]
NAMESPACES = (
    'xmlns:x="urn:x" xmlns:media="http://search.yahoo.com/mrss/" '
    'xmlns:g="http://www.georss.org/georss" xmlns:slash="http://purl.org/rss/1.0/modules/slash/" '
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
)


def rss(*items: str) -> io.BytesIO:
    inner = "".join(f"<item>{item}</item>" for item in items)
    return io.BytesIO(f'<rss version="2.0" {NAMESPACES}><channel>{inner}</channel></rss>'.encode())


def page(name: str, inner: str) -> str:
    return f"<title>{name}</title><link>https://ex.com/{name}</link>{inner}"


def unread(source: io.BytesIO, **options: Any) -> dict[str, int]:
    result = converter.convert(source, io.BytesIO(), report=lambda _: None, **options)
    return of_entries(result)


def of_entries(result: Result) -> dict[str, int]:
    start = "entry/other/"
    counts = {**result.lost, **result.altered}
    return {name.removeprefix(start): counts[name] for name in counts if name.startswith(start)}


@pytest.mark.parametrize("to", FORMATS)
def test_each_unread_name_counts_once_per_item(to: str) -> None:
    first = "<x:price>1</x:price><x:price>2</x:price><g:point>1 2</g:point><ttl>6</ttl>"
    source = rss(page("a", first), page("b", "<x:price>3</x:price><p xmlns='urn:y'/>"))
    assert unread(source, to=to) == {"x:price": 2, "georss:point": 1, "ttl": 1, "p": 1}


@pytest.mark.parametrize("to", FORMATS)
def test_each_unread_name_counts_once_per_entry_of_atom_and_sitemaps(to: str) -> None:
    atom = (
        f'<feed xmlns="http://www.w3.org/2005/Atom" {NAMESPACES}><entry><id>tag:ex.com,2026:1</id>'
        "<link href='https://ex.com/1'/><contributor/><x:price/></entry></feed>"
    )
    assert unread(io.BytesIO(atom.encode()), to=to) == {"contributor": 1, "x:price": 1}
    sitemap = (
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {NAMESPACES}>'
        "<url><loc>https://ex.com/1</loc><x:price/><expires/></url></urlset>"
    )
    assert unread(io.BytesIO(sitemap.encode()), to=to) == {"x:price": 1, "expires": 1}


def test_read_and_kept_elements_are_not_counted() -> None:
    inner = (
        "<comments>https://ex.com/c</comments><source url='https://ex.com/f'>F</source>"
        "<slash:comments>3</slash:comments><itunes:title>T</itunes:title><dc:title "
        "xmlns:dc='http://purl.org/dc/elements/1.1/'>T</dc:title><pubdate>no date</pubdate>"
    )
    assert unread(rss(page("a", inner)), to="rss") == {}


VIDEO = "<media:content url='https://ex.com/v.mp4'>{}</media:content>"


@pytest.mark.parametrize(
    ("inner", "names"),
    [
        (VIDEO.format("<x:track/>"), ["x:track"]),
        ("<media:group><x:a/>" + VIDEO.format("<x:b/>") + "</media:group>", ["x:a", "x:b"]),
        ("<media:content medium='image'/>", ["media:content"]),
        # said of a medium, and there is none
        ("<media:rating>adult</media:rating>", ["media:rating"]),
        (VIDEO.format("") + "<media:rating>adult</media:rating>", []),
        # of a picture, Media RSS's people are not read
        ("<media:content url='https://ex.com/p.png'><media:credit>A</media:credit></media:content>",
         ["media:credit"]),
        ("<itunes:owner/>", ["itunes:owner"]),
        ("<enclosure url='' type='video/mp4' length='1'/>", ["enclosure"]),
        ("<enclosure type='video/mp4'/>", ["enclosure"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("to", ["mrss", "sitemap"])
def test_unread_names_inside_media_are_counted(inner: str, names: list[str], to: str) -> None:
    assert unread(rss(page("a", inner)), to=to) == dict.fromkeys(names, 1)


def test_entries_that_are_merged_count_both_and_those_left_out_do_not() -> None:
    items = (
        page("a", "<x:price/>"),
        page("a", "<x:price/><x:stock/>"),
        page("b", "<x:price/>"),
    )
    assert unread(rss(*items)) == {"x:price": 3, "x:stock": 1}
    assert unread(rss(*items), exclude=["/a"]) == {"x:price": 1}
    assert unread(rss(items[2], *items[:2]), max_entries=1) == {"x:price": 1}
    assert unread(rss("<title>no page</title><x:price/>", items[2])) == {"x:price": 1}


def test_names_past_a_bound_are_counted_in_one_row() -> None:
    many = "".join(f"<x:n{number}/>" for number in range(MOST_OTHER + 9))
    counts = unread(rss(page("a", many)))
    assert len(counts) == MOST_OTHER + 1
    assert (counts["x:n0"], counts[OTHER_REST]) == (1, 9)


def test_names_past_a_bound_of_a_run_are_counted_in_one_row() -> None:
    items = (
        page(str(number), "".join(f"<x:n{number}-{at}/>" for at in range(50)))
        for number in range(20)
    )
    counts = unread(rss(*items))
    assert sum(counts.values()) == 1000
    assert 400 < len(counts) <= 501
    assert counts[OTHER_REST] >= 499


def test_model_fields_are_counted_despite_a_thousand_names() -> None:
    items = [
        page(str(number), "".join(f"<x:n{number}-{at}/>" for at in range(60)))
        for number in range(20)
    ]
    late = page("late", "<author>a@ex.com</author>")
    result = converter.convert(rss(*items, late), io.BytesIO())
    assert result.lost["author/email"] == 1


def test_merging_is_bounded_and_adds_up() -> None:
    entries = [
        Entry(loc="https://ex.com/", other=tuple((f"x:n{n}-{at}", 1) for at in range(60)))
        for n in range(4)
    ]
    merged = entries[0]
    for entry in entries[1:]:
        merged = merge(merged, entry, datetime(2026, 1, 1, tzinfo=UTC))
    assert len(merged.other) == MOST_OTHER + 1
    assert sum(number for _, number in merged.other) == 240


def test_unread_elements_do_not_affect_equality() -> None:
    assert Entry(loc="https://ex.com/") == Entry(loc="https://ex.com/", other=(("x:a", 1),))
