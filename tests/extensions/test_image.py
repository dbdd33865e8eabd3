"""The `image:image` elements of a page."""

from __future__ import annotations

from typing import Any

import pytest

from converter.extensions import image
from converter.extensions.page_context import PageContext
from converter.issues import Code, Issue
from converter.model import Entry, Feed, Image, Podcast, Text, Thumbnail, Video
from converter.options import WriteOptions
from tests.builders import NOW

LOC = "https://ex.com/page"


def written(entry: Entry, shown: tuple[str, ...] = (), **options: Any) -> tuple[str, list[Issue]]:
    issues: list[Issue] = []
    settings = WriteOptions(now=NOW, **options)
    xml = "".join(
        image.write_images(
            PageContext(issues.append, entry.line, LOC, entry=entry, loc=LOC, options=settings),
            shown,
        )
    )
    return xml, [issue for issue in issues if issue.code is not Code.DROPPED_FIELD]


def images(*names: str) -> tuple[Image, ...]:
    return tuple(Image(url=f"https://ex.com/{name}") for name in names)


def locs(*names: str) -> str:
    return "".join(
        f"<image:image><image:loc>https://ex.com/{name}</image:loc></image:image>" for name in names
    )


ART = Podcast(images=(Thumbnail(url="https://ex.com/art"), Thumbnail(url="https://ex.com/a?x=1")))


@pytest.mark.parametrize(
    ("entry", "shown", "expected"),
    [
        (Entry(), (), ""),
        (Entry(images=images("a?x=1", "b", "a?x=1")), (), locs("a?x=1", "b")),
        (Entry(images=images("a&b'")), (), locs("a&amp;b&apos;")),
        (Entry(images=images("a", "b")), ("https://ex.com/a", "https://ex.com/z"), locs("b")),
        (Entry(images=images("a?x=1"), podcast=ART), (), locs("a?x=1", "art")),
        (Entry(images=images("a"), podcast=ART, videos=(Video(),)), (), locs("a")),
    ],
)
def test_pictures_of_a_page(entry: Entry, shown: tuple[str, ...], expected: str) -> None:
    assert written(entry, shown) == (expected, [])


def test_1_000_images_are_written() -> None:
    xml, [issue] = written(Entry(images=images(*map(str, range(1001))), line=4))
    assert xml.count("<image:image>") == 1_000
    assert xml.endswith(locs("999"))
    assert (issue.code, issue.line, issue.entry) == (Code.IMAGES_CUT, 4, LOC)
    assert "1,001" in issue.message
    assert written(Entry(images=images(*map(str, range(1000)))))[1] == []


FULL = Image(
    url="https://ex.com/i",
    caption=Text(value="<i>C</i>", is_html=True),
    geo="Here",
    title=Text(value="T & U"),
    license="https://ex.com/own",
)


def test_legacy_children_are_in_schema_order() -> None:
    entry = Entry(images=(FULL,))
    assert written(entry)[0] == locs("i")
    assert written(entry, legacy_tags=True)[0] == (
        "<image:image><image:loc>https://ex.com/i</image:loc><image:caption>C</image:caption>"
        "<image:geo_location>Here</image:geo_location><image:title>T &amp; U</image:title>"
        "<image:license>https://ex.com/own</image:license></image:image>"
    )


@pytest.mark.parametrize(
    ("entrys", "feeds", "license_"),
    [
        ("https://ex.com/e", "https://ex.com/f", "https://ex.com/e"),
        ("all rights reserved", "https://ex.com/f", "https://ex.com/f"),
        (None, "https://ex.com/f", "https://ex.com/f"),
        (None, None, None),
    ],
)
def test_a_license_is_the_nearest_link(
    entrys: str | None, feeds: str | None, license_: str | None
) -> None:
    entry = Entry(images=images("i"), license=entrys, feed=Feed(license=feeds))
    xml, _ = written(entry, legacy_tags=True)
    assert ("license" in xml) == bool(license_)
    assert (license_ or "") in xml
