"""Every `video:*` element: where its value comes from, and when there is no video at all."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from converter.extensions import video
from converter.extensions.page_context import PageContext
from converter.issues import Code, Issue, Severity
from converter.model import (
    Category,
    Credit,
    Embed,
    Entry,
    Feed,
    Gallery,
    Moment,
    Person,
    Podcast,
    Precision,
    Price,
    Rating,
    Rendition,
    Restriction,
    Series,
    StarRating,
    Tag,
    Text,
    Thumbnail,
    Video,
)
from converter.options import WriteOptions
from tests.builders import NOW, at

LOC = "https://ex.com/page"
MP4 = "https://ex.com/a.mp4"
REQUIRED = (
    "<video:thumbnail_loc>https://ex.com/t.jpg</video:thumbnail_loc>"
    "<video:title>T</video:title><video:description>D</video:description>"
)
CONTENT = f"<video:content_loc>{MP4}</video:content_loc>"


def thumbnails(*urls: str) -> tuple[Thumbnail, ...]:
    return tuple(Thumbnail(url=url) for url in urls)


PLAIN = Video(
    content_url=MP4,
    title=Text(value="T"),
    description=Text(value="D"),
    thumbnails=thumbnails("https://ex.com/t.jpg"),
)


def text(value: str, *, is_html: bool = False) -> Text:
    return Text(value=value, is_html=is_html)


def rendered(
    clip: Video, entry: Entry | None = None, **options: Any
) -> tuple[str | None, list[Issue]]:
    issues: list[Issue] = []
    entry = replace(entry or Entry(), loc=LOC, videos=(clip,), line=7)
    page = PageContext(
        issues.append, 7, LOC, entry=entry, loc=LOC, options=WriteOptions(now=NOW, **options)
    )
    elements, _ = video.write_videos(page)
    found = [issue for issue in issues if issue.code is not Code.DROPPED_FIELD]
    return (elements[0] if elements else None), found


def told(clip: Video, entry: Entry | None = None, **options: Any) -> str:
    """What stands behind the addresses of a plain video."""
    xml, _ = rendered(clip, entry, **options)
    assert xml is not None
    return xml.partition(CONTENT)[2].removesuffix("</video:video>")


def value(name: str, clip: Video, entry: Entry | None = None, **options: Any) -> str | None:
    xml, _ = rendered(clip, entry, **options)
    assert xml is not None
    _, found, rest = xml.partition(f"<video:{name}>")
    return rest.partition("<")[0] if found else None


def codes(clip: Video, entry: Entry | None = None, **options: Any) -> list[Code]:
    return [issue.code for issue in rendered(clip, entry, **options)[1]]


def test_a_plain_video() -> None:
    assert rendered(PLAIN) == (f"<video:video>{REQUIRED}{CONTENT}</video:video>", [])


def test_everything_in_the_order_of_the_schema() -> None:
    full = replace(
        PLAIN,
        player_url="https://ex.com/p?v=19",
        duration_s=119.5,
        expires=Moment(instant=datetime(2026, 10, 15, tzinfo=timezone(timedelta(hours=1)))),
        star_rating=StarRating(average=Decimal("8.7"), count=3, maximum=Decimal(10)),
        segments=(("https://ex.com/s.mp4", 600), ("https://ex.com/s2.mp4", None)),
        views=1234,
        published=at(2027, 1, 1),  # its own start may lie ahead
        keywords=("a", "b"),
        categories=(Category(term="c", label="Cooking"),),
        ratings=(Rating(value="nonadult"),),
        countries=Restriction(relationship="deny", codes=("DE", "GB")),
        gallery=Gallery(url="https://ex.com/g", title="G"),
        prices=(
            Price(type="rent", amount=Decimal("1.99"), currency="eur", resolution="HD"),
            Price(type="purchase", amount=Decimal(10), currency="EUR"),
            Price(type="subscription"),
        ),
        uploader=Person(name="U", uri="https://www.ex.com/u"),
        series=Series(
            show="Show",
            season=2,
            episode=0,
            episode_title="E",
            kind="clip",
            premiered=at(2025, 1, 1),
        ),
        platforms=Restriction(relationship="allow", codes=("web", "tv")),
        live=True,
        ids=(("url", "https://ex.com/x"), ("isan", "1")),
        embed_allowed=False,
        autoplay="ap=1",
    )
    xml, issues = rendered(full, legacy_tags=True)
    assert issues == []
    assert xml == (
        f"<video:video>{REQUIRED}{CONTENT}"
        '<video:player_loc allow_embed="no" autoplay="ap=1">https://ex.com/p?v=19</video:player_loc>'
        "<video:duration>120</video:duration>"
        "<video:expiration_date>2026-10-15T00:00:00+01:00</video:expiration_date>"
        "<video:rating>4.35</video:rating>"
        '<video:content_segment_loc duration="600">https://ex.com/s.mp4</video:content_segment_loc>'
        "<video:content_segment_loc>https://ex.com/s2.mp4</video:content_segment_loc>"
        "<video:view_count>1234</video:view_count>"
        "<video:publication_date>2027-01-01T00:00:00+00:00</video:publication_date>"
        "<video:tag>a</video:tag><video:tag>b</video:tag>"
        "<video:category>Cooking</video:category>"
        "<video:family_friendly>yes</video:family_friendly>"
        '<video:restriction relationship="deny">DE GB</video:restriction>'
        '<video:gallery_loc title="G">https://ex.com/g</video:gallery_loc>'
        '<video:price currency="EUR" type="rent" resolution="hd">1.99</video:price>'
        '<video:price currency="EUR" type="purchase">10</video:price>'
        "<video:requires_subscription>yes</video:requires_subscription>"
        '<video:uploader info="https://www.ex.com/u">U</video:uploader>'
        "<video:tvshow><video:show_title>Show</video:show_title>"
        "<video:video_type>clip</video:video_type><video:episode_title>E</video:episode_title>"
        "<video:season_number>2</video:season_number>"
        "<video:premier_date>2025-01-01T00:00:00+00:00</video:premier_date></video:tvshow>"
        '<video:platform relationship="allow">web tv</video:platform>'
        "<video:live>yes</video:live>"
        '<video:id type="url">https://ex.com/x</video:id></video:video>'
    )
    without, _ = rendered(full)
    assert without is not None
    for legacy in ("segment", "category", "gallery", "price", "tvshow", "video:id", "allow_embed"):
        assert legacy not in without


# -- no video at all ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clip", "code", "severity", "words"),
    [
        (replace(PLAIN, content_url=None), Code.VIDEO_SKIPPED, Severity.WARNING, "neither a file"),
        (replace(PLAIN, thumbnails=()), Code.VIDEO_SKIPPED, Severity.WARNING, "no thumbnail"),
        (
            replace(PLAIN, title=None, description=None),
            Code.VIDEO_SKIPPED,
            Severity.WARNING,
            "no title",
        ),
        (replace(PLAIN, status="blocked"), Code.VIDEO_BLOCKED, Severity.INFO, "blocked"),
        (replace(PLAIN, status="deleted"), Code.VIDEO_BLOCKED, Severity.INFO, "deleted"),
        (
            replace(PLAIN, countries=Restriction(relationship="allow", unknown=("xx",))),
            Code.VIDEO_WITHHELD,
            Severity.ERROR,
            '"xx"',
        ),
        (
            replace(PLAIN, platforms=Restriction(relationship="allow")),
            Code.VIDEO_WITHHELD,
            Severity.ERROR,
            "no platform",
        ),
    ],
)
def test_an_unpublishable_video_is_left_out(
    clip: Video, code: Code, severity: Severity, words: str
) -> None:
    xml, [issue] = rendered(clip)
    assert xml is None
    assert (issue.code, issue.severity, issue.line, issue.entry) == (code, severity, 7, LOC)
    assert words in issue.message


def test_an_active_video_is_written() -> None:
    assert told(replace(PLAIN, status="active")) == ""


# -- the picture --------------------------------------------------------------------------------

TIMED = (
    Thumbnail(url="https://ex.com/k2.jpg", time_s=20),
    Thumbnail(url="https://ex.com/cover.jpg"),
    Thumbnail(url="https://ex.com/k1.jpg", time_s=5.5),
)
ART = Entry(
    podcast=Podcast(images=thumbnails("https://ex.com/art.jpg")),
    content=text('<img src="/rel.png"><img src="https://ex.com/in.png">', is_html=True),
    summary=text('<img src="https://ex.com/summary.png">', is_html=True),
    feed=Feed(image="https://ex.com/logo.png#x"),
)


@pytest.mark.parametrize(
    ("clip", "entry", "picture"),
    [
        (replace(PLAIN, thumbnails=TIMED), Entry(), "cover.jpg"),
        (replace(PLAIN, thumbnails=(TIMED[0], TIMED[2])), Entry(), "k1.jpg"),
        (
            replace(
                PLAIN,
                thumbnails=(
                    Thumbnail(url="https://ex.com/low.jpg", height=29),
                    Thumbnail(url="https://ex.com/slim.jpg", width=59, height=300),
                    Thumbnail(url="https://ex.com/ok.jpg", width=60, height=30),
                ),
            ),
            ART,
            "ok.jpg",
        ),
        (replace(PLAIN, thumbnails=()), ART, "art.jpg"),
        (
            replace(PLAIN, thumbnails=(), sibling_images=("https://ex.com/s.png",)),
            replace(ART, podcast=None),
            "s.png",
        ),
        (replace(PLAIN, thumbnails=()), replace(ART, podcast=None), "in.png"),
        (replace(PLAIN, thumbnails=()), replace(ART, podcast=None, content=None), "summary.png"),
        (
            replace(PLAIN, thumbnails=()),
            replace(ART, podcast=None, content=None, summary=text('<img src="https://ex.com/x">')),
            "logo.png",
        ),
    ],
)
def test_the_thumbnail_is_the_nearest_picture(clip: Video, entry: Entry, picture: str) -> None:
    assert value("thumbnail_loc", clip, entry) == f"https://ex.com/{picture}"


def test_youtube_has_a_picture_of_each_video() -> None:
    clip = replace(PLAIN, thumbnails=(), youtube_id="0A1ouV7iD8o")
    assert value("thumbnail_loc", clip, Entry(feed=ART.feed)) == (
        "https://i.ytimg.com/vi/0A1ouV7iD8o/hqdefault.jpg"
    )


def test_an_invalid_youtube_id_makes_no_urls() -> None:
    clip = replace(PLAIN, youtube_id="../x")
    assert rendered(clip) == rendered(PLAIN)
    assert value("thumbnail_loc", replace(clip, thumbnails=()), ART) == "https://ex.com/art.jpg"
    assert rendered(replace(clip, thumbnails=()))[0] is None


# -- the words ----------------------------------------------------------------------------------

BARE = replace(PLAIN, title=None, description=None)


@pytest.mark.parametrize(
    ("clip", "entry", "title", "description"),
    [
        (PLAIN, Entry(title="E", summary=text("S")), "T", "D"),
        (BARE, Entry(title="E", summary=text("S")), "E", "S"),
        (BARE, Entry(title="E", content=text("<p>C</p>", is_html=True)), "E", "C"),
        (
            BARE,
            Entry(title="E", summary=text("S"), podcast=Podcast(summary="A &amp; <b>B</b>")),
            "E",
            "A &amp; B",
        ),
        (BARE, Entry(title="E", podcast=Podcast(subtitle="sub")), "E", "sub"),
        (BARE, Entry(title="E"), "E", "E"),
        (BARE, Entry(summary=text("One. Two.")), "One", "One. Two."),
        (BARE, Entry(summary=text(".")), ".", "."),
        (replace(BARE, title=text(" ")), Entry(title="E", summary=text("<p></p>", is_html=True)),
         "E", "E"),
        (replace(BARE, title=text("a < b &amp; c")), Entry(), "a &lt; b &amp;amp; c",
         "a &lt; b &amp;amp; c"),
    ],
)  # fmt: skip
def test_title_and_description_come_from_the_nearest_text(
    clip: Video, entry: Entry, title: str, description: str
) -> None:
    assert value("title", clip, entry) == title
    assert value("description", clip, entry) == description


def test_long_texts_are_cut_in_code_points() -> None:
    long = replace(
        PLAIN, title=text("word " * 26), description=text("<p>ü</p>" * 3000, is_html=True)
    )
    title, description = value("title", long), value("description", long)
    assert title is not None
    assert description is not None
    assert title.endswith("word…")
    assert len(title) <= 100
    assert len(description) <= 2048
    assert codes(long) == [Code.TEXT_CUT, Code.TEXT_CUT]


def test_an_issue_that_several_videos_share_is_reported_once() -> None:
    issues: list[Issue] = []
    entry = Entry(loc=LOC, summary=text("x" * 3000), videos=(replace(PLAIN, description=None),) * 3)
    page = PageContext(
        issues.append, entry.line, LOC, entry=entry, loc=LOC, options=WriteOptions(now=NOW)
    )
    assert len(video.write_videos(page)[0]) == 3
    assert [issue.code for issue in issues] == [Code.TEXT_CUT]


# -- file and player ----------------------------------------------------------------------------

FLASH = "application/x-shockwave-flash"
PLAYER = "https://ex.com/p?v=1"
SWF = "https://ex.com/x.swf"


@pytest.mark.parametrize(
    ("clip", "content", "player", "expected"),
    [
        (PLAIN, MP4, None, []),
        (replace(PLAIN, player_url=PLAYER), MP4, PLAYER, []),
        (replace(PLAIN, content_url=None, player_url=PLAYER), None, PLAYER, []),
        (replace(PLAIN, content_url="ftp://ex.com/a.mp4"), "ftp://ex.com/a.mp4", None, []),
        # what is the page itself
        (replace(PLAIN, player_url=f"{LOC}#play"), MP4, None, [Code.MEDIA_DROPPED]),
        (replace(PLAIN, content_url=LOC, player_url=PLAYER), None, PLAYER, [Code.MEDIA_DROPPED]),
        (
            replace(PLAIN, player_url=LOC, embed=Embed(url=PLAYER)),
            MP4,
            PLAYER,
            [Code.MEDIA_DROPPED],
        ),
        # types that Google does not list
        (
            replace(PLAIN, content_url="https://ex.com/a.flv"),
            "https://ex.com/a.flv",
            None,
            [Code.VIDEO_TYPE_UNLISTED],
        ),
        (
            replace(
                PLAIN,
                renditions=(
                    Rendition(url="https://ex.com/b.mp4", mime="text/html"),
                    Rendition(url=MP4, mime="application/dash+xml"),
                ),
            ),
            MP4,
            None,
            [Code.VIDEO_TYPE_UNLISTED],
        ),
        # players in the place of files
        (replace(PLAIN, content_url="https://player.vimeo.com/video/1"), None,
         "https://player.vimeo.com/video/1", []),
        (replace(PLAIN, renditions=(Rendition(url=MP4, mime="text/html"),)), None, MP4, []),
        # the order of players
        (replace(PLAIN, youtube_id="0A1ouV7iD8o", embed=Embed(url=PLAYER)), MP4,
         "https://www.youtube.com/embed/0A1ouV7iD8o", []),
        (replace(PLAIN, embed=Embed(url=PLAYER)), MP4, PLAYER, []),
        # Flash comes last, and only where nothing else is
        (replace(PLAIN, player_url=SWF), MP4, SWF, [Code.VIDEO_TYPE_UNLISTED]),
        (replace(PLAIN, player_url=SWF, embed=Embed(url=PLAYER)), MP4, PLAYER, []),
        (replace(PLAIN, embed=Embed(url=SWF)), MP4, None, []),
        (replace(PLAIN, content_url=SWF, embed=Embed(url=PLAYER)), None, PLAYER, []),
        (replace(PLAIN, content_url=None, player_url=SWF), None, SWF, [Code.VIDEO_TYPE_UNLISTED]),
        (replace(PLAIN, content_url=SWF), None, SWF, [Code.VIDEO_TYPE_UNLISTED]),
        (
            replace(PLAIN, renditions=(Rendition(url=MP4, mime=FLASH),)),
            None,
            MP4,
            [Code.VIDEO_TYPE_UNLISTED],
        ),
        (replace(PLAIN, content_url=None, embed=Embed(url=SWF)), None, SWF,
         [Code.VIDEO_TYPE_UNLISTED]),
    ],
)  # fmt: skip
def test_file_and_player(
    clip: Video, content: str | None, player: str | None, expected: list[Code]
) -> None:
    assert value("content_loc", clip) == content
    assert value("player_loc", clip) == player
    assert codes(clip) == expected


def test_the_page_itself_is_not_a_player() -> None:
    clip = replace(PLAIN, content_url=None, player_url=f"{LOC}#play")
    assert codes(clip) == [Code.MEDIA_DROPPED, Code.VIDEO_SKIPPED]


def test_a_segment_needs_a_player() -> None:
    clip = replace(PLAIN, segments=(("https://ex.com/s.mp4", 9),))
    assert told(clip, legacy_tags=True) == ""


# -- numbers and dates --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(119.5, "120"), (0.5, "1"), (28_800.4, "28800"), (1, "1")],
)
def test_duration_is_rounded_half_up(seconds: float, written: str) -> None:
    assert value("duration", replace(PLAIN, duration_s=seconds)) == written


@pytest.mark.parametrize("seconds", [0, 0.4, 28_800.5, 28_801, 1e30, -1, math.inf, math.nan])
def test_a_duration_out_of_range_is_left_out_not_clamped(seconds: float) -> None:
    clip = replace(PLAIN, duration_s=seconds)
    assert value("duration", clip) is None
    assert codes(clip) == [Code.DURATION_OUT_OF_RANGE]


def test_the_duration_of_a_podcast_is_that_of_its_only_video() -> None:
    entry = Entry(podcast=Podcast(duration_s=60))
    assert value("duration", PLAIN, entry) == "60"
    two = replace(entry, loc=LOC, videos=(PLAIN, PLAIN))
    page = PageContext(lambda _: None, entry=two, loc=LOC, options=WriteOptions(now=NOW))
    assert all("duration" not in xml for xml in video.write_videos(page)[0])


@pytest.mark.parametrize(
    ("given", "written", "expected"),
    [
        (StarRating(average=Decimal("4.95"), maximum=Decimal(5)), "4.95", []),
        (StarRating(average=Decimal(4)), "4.0", []),
        (StarRating(average=Decimal(4), count=0), None, []),
        (StarRating(count=4), None, []),
        (StarRating(average=Decimal(7)), None, [Code.RATING_UNUSABLE]),
    ],
)
def test_rating(given: StarRating, written: str | None, expected: list[Code]) -> None:
    clip = replace(PLAIN, star_rating=given)
    assert value("rating", clip) == written
    assert codes(clip) == expected


@pytest.mark.parametrize(
    ("own", "entrys", "written"),
    [
        (at(2025, 1, 1), at(2024, 1, 1), "2025-01-01T00:00:00+00:00"),
        (None, at(2024, 1, 1), "2024-01-01T00:00:00+00:00"),
        (None, at(2024, 1, 1, precision=Precision.DAY), "2024-01-01"),
        (at(2025, 1, 1, precision=Precision.YEAR), at(2024, 1, 1), "2024-01-01T00:00:00+00:00"),
        (None, at(2027, 1, 1), None),
        (None, at(2026, 1, 15, 12, 5), "2026-01-15T12:00:00+00:00"),
        (None, None, None),
    ],
)
def test_publication_date(own: Moment | None, entrys: Moment | None, written: str | None) -> None:
    entry = Entry(published=entrys)
    assert value("publication_date", replace(PLAIN, published=own), entry) == written


def test_a_future_publication_is_reported_where_lastmod_did_not() -> None:
    entry = Entry(published=at(2027, 1, 1))
    assert codes(PLAIN, entry) == []  # lastmod has told it
    assert codes(PLAIN, entry, lastmod="none") == [Code.DATE_FUTURE]


def test_an_expiry_may_be_any_date_with_a_day() -> None:
    assert told(replace(PLAIN, expires=at(2020, 1, 1, precision=Precision.DAY))) == (
        "<video:expiration_date>2020-01-01</video:expiration_date>"
    )
    assert told(replace(PLAIN, expires=at(2030, 1, 1, precision=Precision.MONTH))) == ""


def test_no_views_are_views_too() -> None:
    assert told(replace(PLAIN, views=0)) == "<video:view_count>0</video:view_count>"


# -- tags, categories, ratings ------------------------------------------------------------------

TAGGED = Entry(
    podcast=Podcast(keywords=("p",)), categories=(Category(term="one,  tag"), Category(term=" "))
)


@pytest.mark.parametrize(
    ("clip", "entry", "tags"),
    [
        (replace(PLAIN, keywords=("Grill", "GRILL", "x")), TAGGED, ["Grill", "x"]),
        (
            replace(PLAIN, tags=(Tag(name="b", weight=2), Tag(name="a", weight=9), Tag(name="c"))),
            TAGGED,
            ["a", "b", "c"],
        ),
        (PLAIN, TAGGED, ["p"]),
        (PLAIN, replace(TAGGED, podcast=None), ["one, tag"]),
        (PLAIN, Entry(), []),
    ],
)
def test_tags_come_from_the_first_source_that_has_any(
    clip: Video, entry: Entry, tags: list[str]
) -> None:
    assert told(clip, entry) == "".join(f"<video:tag>{tag}</video:tag>" for tag in tags)


def test_32_tags_are_written() -> None:
    clip = replace(PLAIN, keywords=tuple(str(number) for number in range(40)))
    xml, [issue] = rendered(clip)
    assert xml is not None
    assert xml.count("<video:tag>") == 32
    assert issue.code is Code.TAGS_CUT
    assert "40" in issue.message


def test_a_category_is_cut_hard() -> None:
    clip = replace(PLAIN, categories=(Category(term=" "), Category(term="c" * 300)))
    assert value("category", clip, legacy_tags=True) == "c" * 256
    assert codes(clip, legacy_tags=True) == [Code.TEXT_CUT]
    entry = Entry(categories=(Category(term="page"),))
    assert value("category", PLAIN, entry, legacy_tags=True) == "page"


ADULT, FIT = (Rating(value="adult"),), (Rating(value="nonadult"),)
OPEN = (Rating(value="r", scheme="urn:mpaa"),)


@pytest.mark.parametrize(
    ("video_ratings", "explicit", "feed_ratings", "feed_explicit", "written"),
    [
        (FIT, True, ADULT, True, "yes"),
        (ADULT, False, FIT, False, "no"),
        ((), True, FIT, False, "no"),
        ((), False, ADULT, True, "yes"),
        ((), None, ADULT, False, "no"),
        ((), None, (), True, "no"),
        ((), None, (), False, "yes"),
        ((), None, (), None, None),
        (OPEN, None, (), False, "yes"),
    ],
)
def test_family_friendly_asks_from_near_to_far(
    video_ratings: tuple[Rating, ...],
    explicit: bool | None,
    feed_ratings: tuple[Rating, ...],
    feed_explicit: bool | None,
    written: str | None,
) -> None:
    entry = Entry(
        podcast=Podcast(explicit=explicit),
        feed=Feed(ratings=feed_ratings, podcast=Podcast(explicit=feed_explicit)),
    )
    assert value("family_friendly", replace(PLAIN, ratings=video_ratings), entry) == written


def test_an_uninformative_rating_is_reported() -> None:
    assert codes(replace(PLAIN, ratings=OPEN)) == [Code.RATING_UNMAPPED]


# -- restrictions, subscription, live -----------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "given", "written"),
    [
        ("countries", Restriction(relationship="allow", codes=("US", "CA")),
         '<video:restriction relationship="allow">US CA</video:restriction>'),
        ("countries", Restriction(relationship="allow"),
         '<video:restriction relationship="allow"></video:restriction>'),
        ("countries", Restriction(relationship="deny", unknown=("xx",)), ""),
        ("countries", Restriction(relationship="allow", codes=("US",), unknown=("xx",)),
         '<video:restriction relationship="allow">US</video:restriction>'),
        ("platforms", Restriction(relationship="deny", codes=("tv", "mobile", "web")),
         '<video:platform relationship="deny">tv mobile web</video:platform>'),
        ("platforms", Restriction(relationship="deny"), ""),
    ],
)  # fmt: skip
def test_restrictions(field: str, given: Restriction, written: str) -> None:
    assert told(replace(PLAIN, **{field: given})) == written


@pytest.mark.parametrize(
    ("clip", "format_", "written"),
    [
        (replace(PLAIN, live=True), "rss", "<video:live>yes</video:live>"),
        (replace(PLAIN, live=False), "rss", ""),
        (replace(PLAIN, live=False), "sitemap", "<video:live>no</video:live>"),
        (
            replace(PLAIN, requires_subscription=False),
            "sitemap",
            "<video:requires_subscription>no</video:requires_subscription>",
        ),
        (replace(PLAIN, requires_subscription=False), "atom", ""),
        (
            replace(PLAIN, requires_subscription=True),
            "atom",
            "<video:requires_subscription>yes</video:requires_subscription>",
        ),
        (
            replace(PLAIN, prices=(Price(type="rent"), Price(type="subscription"))),
            "rss",
            "<video:requires_subscription>yes</video:requires_subscription>",
        ),
        (replace(PLAIN, prices=(Price(type="package"),)), "rss", ""),
    ],
)
def test_no_is_written_only_if_a_sitemap_contained_it(
    clip: Video, format_: str, written: str
) -> None:
    assert told(clip, Entry(feed=Feed(format=format_))) == written


# -- legacy -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "written", "expected"),
    [
        (Price(amount=Decimal("19.99"), currency="EUR"),
         '<video:price currency="EUR">19.99</video:price>', []),
        (Price(type="package", amount=Decimal(1), currency="EUR"), "", []),
        (Price(type="rent", amount=Decimal("1E+2"), currency="EUR", resolution="4k"),
         '<video:price currency="EUR" type="rent">100</video:price>', []),
        (Price(type="rent", currency="EUR"), "", [Code.PRICE_UNUSABLE]),
        (Price(type="rent", amount=Decimal(-1), currency="EUR"), "", [Code.PRICE_UNUSABLE]),
        (Price(type="rent", amount=Decimal("NaN"), currency="EUR"), "", [Code.PRICE_UNUSABLE]),
        (Price(type="rent", amount=Decimal(1), currency="€"), "", [Code.PRICE_UNUSABLE]),
        (Price(type="rent", amount=Decimal(1)), "", [Code.PRICE_UNUSABLE]),
    ],
)  # fmt: skip
def test_prices(price: Price, written: str, expected: list[Code]) -> None:
    clip = replace(PLAIN, prices=(price,))
    assert told(clip, legacy_tags=True) == written
    assert codes(clip, legacy_tags=True) == expected


def test_a_podcast_episode_is_part_of_a_show() -> None:
    entry = Entry(
        podcast=Podcast(season=2, episode=3, episode_type="trailer"), feed=Feed(title="Show")
    )
    assert told(PLAIN, entry, legacy_tags=True) == (
        "<video:tvshow><video:show_title>Show</video:show_title>"
        "<video:video_type>preview</video:video_type>"
        "<video:season_number>2</video:season_number>"
        "<video:episode_number>3</video:episode_number></video:tvshow>"
    )
    assert told(PLAIN, replace(entry, feed=None), legacy_tags=True) == ""
    unknown = replace(entry, podcast=Podcast(episode=1, episode_type="odd"))
    assert "<video:video_type>full<" in told(PLAIN, unknown, legacy_tags=True)


# -- the uploader -------------------------------------------------------------------------------

PEOPLE = Entry(
    podcast=Podcast(author="Podcaster"),
    authors=(Person(email="x@ex.com"), Person(name="Author", uri="https://other.org/")),
    feed=Feed(
        format="atom",
        authors=(Person(name="Feed", uri="https://www.ex.com/f"),),
        podcast=Podcast(author="Channel"),
    ),
)
CREDITED = replace(
    PLAIN,
    credits=(
        Credit(name="Owner", role="owner"),
        Credit(name=" ", role="uploader"),
        Credit(name="Uploader", role="uploader"),
    ),
)


def uploader(name: str, info: str | None = None) -> str:
    start = f'video:uploader info="{info}"' if info else "video:uploader"
    return f"<{start}>{name}</video:uploader>"


@pytest.mark.parametrize(
    ("clip", "entry", "written"),
    [
        (replace(CREDITED, uploader=Person(name="Said")), PEOPLE, uploader("Said")),
        (CREDITED, PEOPLE, uploader("Uploader")),
        (replace(CREDITED, credits=CREDITED.credits[:1]), PEOPLE, uploader("Owner")),
        (PLAIN, PEOPLE, uploader("Podcaster")),
        (PLAIN, replace(PEOPLE, podcast=None), uploader("Author")),
        (PLAIN, Entry(feed=PEOPLE.feed), uploader("Channel")),
        (
            PLAIN,
            Entry(feed=Feed(format="atom", authors=PEOPLE.feed.authors if PEOPLE.feed else ())),
            uploader("Feed", "https://www.ex.com/f"),
        ),
        (PLAIN, Entry(feed=Feed(format="rss", authors=(Person(name="Editor"),))), ""),
        (PLAIN, Entry(authors=(Person(email="x@ex.com"),)), ""),
        (replace(PLAIN, uploader=Person(name=" ")), Entry(), ""),
        (
            PLAIN,
            Entry(authors=(Person(name="A", uri="javascript:alert(1)"),)),
            uploader("A"),
        ),
    ],
)
def test_the_uploader_is_the_nearest_person_with_a_name(
    clip: Video, entry: Entry, written: str
) -> None:
    assert told(clip, entry) == written


def test_an_uploader_is_cut_hard() -> None:
    clip = replace(PLAIN, uploader=Person(name="u" * 300))
    assert value("uploader", clip) == "u" * 255
    assert codes(clip) == [Code.TEXT_CUT]
