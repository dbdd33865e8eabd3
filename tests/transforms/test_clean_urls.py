from __future__ import annotations

import pytest

from converter.issues import Code, Issue
from converter.model import (
    Alternate,
    Audio,
    Embed,
    Entry,
    Gallery,
    Image,
    Person,
    Podcast,
    Rendition,
    Thumbnail,
    Video,
)
from converter.pipeline.transforms.clean_urls import UrlCleaner
from converter.values import urls
from tests.builders import codes

LOC = "https://ex.com/page"
DIRTY = "HTTPS://EX.com:443/a b"
CLEAN = "https://ex.com/a%20b"
DATA = "data:image/png;base64,AAAA"


def washed(
    *entries: Entry, rules: urls.ParameterRules | None = None
) -> tuple[list[Entry], list[Issue]]:
    issues: list[Issue] = []
    cleaner = UrlCleaner(rules or urls.ParameterRules(), issues.append)
    passed = list(filter(None, map(cleaner.clean, entries)))
    return passed, issues


def test_a_clean_entry_is_passed_on_as_the_same_object() -> None:
    video = Video(
        content_url="https://ex.com/a.mp4",
        renditions=(Rendition(url="https://ex.com/a.mp4"),),
        thumbnails=(Thumbnail(url="https://ex.com/a.jpg"),),
        segments=(("https://ex.com/1.mp4", 10),),
        uploader=Person(name="me", uri="https://ex.com/me"),
    )
    entries = [
        Entry(loc=LOC),
        Entry(loc=None, id="1"),
        Entry(
            loc="https://xn--bcher-kva.example:8080/", images=(Image(url="https://ex.com/i.png"),)
        ),
        Entry(loc=LOC, videos=(video,), alternates=(Alternate(hreflang="de", href=LOC),)),
    ]
    kept, issues = washed(*entries)
    assert all(given is passed for given, passed in zip(entries, kept, strict=True))
    assert issues == []


def test_a_loc_is_cleaned_and_reported_with_its_line() -> None:
    kept, issues = washed(Entry(loc=DIRTY, line=7))
    assert [entry.loc for entry in kept] == [CLEAN]
    assert [(issue.code, issue.line, issue.entry) for issue in issues] == [
        (Code.URL_NORMALISED, 7, CLEAN)
    ]


def test_the_rules_are_held_to() -> None:
    (entry,), _ = washed(
        Entry(loc=LOC + "?x=1&gclid=2"), rules=urls.ParameterRules(drop_params=("x",))
    )
    assert entry.loc == LOC


def test_an_entry_with_a_refused_loc_is_dropped_without_leaking_it() -> None:
    kept, issues = washed(Entry(loc="https://me:secret@ex.com:x/", id="1", line=3), Entry(loc=LOC))
    assert [entry.loc for entry in kept] == [LOC]
    assert [(issue.code, issue.line) for issue in issues] == [(Code.URL_UNUSABLE, 3)]
    assert "secret" not in str(issues)


def test_an_entry_without_loc_is_named_by_its_id() -> None:
    _, issues = washed(Entry(id="urn:1", images=(Image(url=DATA),)))
    assert [(issue.code, issue.entry) for issue in issues] == [(Code.URL_SCHEME_DROPPED, "urn:1")]


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        (
            Entry(alternates=(Alternate(hreflang="de", href=DIRTY + "?gclid=1"),)),
            Entry(alternates=(Alternate(hreflang="de", href=CLEAN),)),
        ),
        (
            Entry(images=(Image(url=DIRTY, license=DIRTY, rendition=Rendition(url=DIRTY)),)),
            Entry(images=(Image(url=CLEAN, license=CLEAN, rendition=Rendition(url=CLEAN)),)),
        ),
        (
            Entry(audios=(Audio(content_url=DIRTY, renditions=(Rendition(url=DIRTY),)),)),
            Entry(audios=(Audio(content_url=CLEAN, renditions=(Rendition(url=CLEAN),)),)),
        ),
        (
            Entry(podcast=Podcast(author="me", images=(Thumbnail(url=DIRTY), Thumbnail(url=DATA)))),
            Entry(podcast=Podcast(author="me", images=(Thumbnail(url=CLEAN),))),
        ),
        (
            Entry(
                videos=(
                    Video(
                        content_url=DIRTY,
                        player_url=DIRTY + "#t=1",
                        renditions=(
                            Rendition(url=DIRTY, height=1),
                            Rendition(url="rtmp://ex.com/a"),
                        ),
                        thumbnails=(Thumbnail(url=DIRTY, width=1), Thumbnail(url=CLEAN)),
                        sibling_images=(DIRTY, DATA, LOC),
                        embed=Embed(url=DIRTY, width=1),
                        gallery=Gallery(url=DIRTY, title="g"),
                        segments=((DIRTY, 1), (DATA, 2), (LOC, None)),
                        uploader=Person(name="me", uri=DIRTY),
                    ),
                )
            ),
            Entry(
                videos=(
                    Video(
                        content_url=CLEAN,
                        player_url=CLEAN + "#t=1",
                        renditions=(Rendition(url=CLEAN, height=1),),
                        thumbnails=(Thumbnail(url=CLEAN, width=1), Thumbnail(url=CLEAN)),
                        sibling_images=(CLEAN, LOC),
                        embed=Embed(url=CLEAN, width=1),
                        gallery=Gallery(url=CLEAN, title="g"),
                        segments=((CLEAN, 1), (LOC, None)),
                        uploader=Person(name="me", uri=CLEAN),
                    ),
                )
            ),
        ),
        (
            Entry(
                videos=(
                    Video(
                        title=None,
                        content_url=DATA,
                        player_url=DATA,
                        embed=Embed(url=DATA),
                        gallery=Gallery(url=DATA),
                        uploader=Person(name="me", uri=DATA),
                    ),
                )
            ),
            Entry(videos=(Video(uploader=Person(name="me")),)),
        ),
        (Entry(images=(Image(url=DATA), Image(url=LOC))), Entry(images=(Image(url=LOC),))),
        (Entry(audios=(Audio(content_url=DATA),)), Entry()),
        (Entry(alternates=(Alternate(hreflang="de", href="mailto:x"),)), Entry()),
        (
            Entry(images=(Image(url=LOC, rendition=Rendition(url=DATA), license=DATA),)),
            Entry(images=(Image(url=LOC),)),
        ),
    ],
)
def test_media_urls_are_cleaned_and_refused_ones_dropped(dirty: Entry, clean: Entry) -> None:
    (kept,), issues = washed(dirty)
    assert kept == clean
    assert issues


def test_only_videos_may_have_ftp_urls() -> None:
    ftp = "ftp://ex.com/a.mp4"
    video = Video(
        content_url=ftp,
        renditions=(Rendition(url=ftp),),
        segments=((ftp, 1),),
        thumbnails=(Thumbnail(url=ftp),),
        player_url=ftp,
    )
    (kept,), _ = washed(Entry(loc=LOC, videos=(video,), images=(Image(url=ftp),)))
    assert kept.images == ()
    assert kept.videos == (
        Video(content_url=ftp, renditions=(Rendition(url=ftp),), segments=((ftp, 1),)),
    )


def test_a_url_that_occurs_twice_in_an_entry_is_reported_once() -> None:
    video = Video(content_url=DIRTY, renditions=(Rendition(url=DIRTY), Rendition(url=DIRTY)))
    _, issues = washed(Entry(loc=LOC, videos=(video,)), Entry(loc=LOC, videos=(video,)))
    assert codes(issues) == [Code.URL_NORMALISED, Code.URL_NORMALISED]


def test_signed_media_keep_their_parameters() -> None:
    signed = "https://cdn.ex.com/a.mp4?sid=0123456789abcdef&utm_source=x"
    (kept,), issues = washed(Entry(loc=LOC, videos=(Video(content_url=signed),)))
    assert kept.videos[0].content_url == signed
    assert issues == []
