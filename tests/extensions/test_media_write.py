"""Media RSS as it is written: one claim an element, and what is never written."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from converter.extensions.element_writer import ElementWriter
from converter.extensions.mediarss.write import media_elements
from converter.issues import Code, Issue
from converter.model import (
    Audio,
    Category,
    Credit,
    Embed,
    Entry,
    ExtraElement,
    Feed,
    Image,
    Kind,
    Moment,
    Person,
    Podcast,
    Precision,
    Price,
    Rating,
    Rendition,
    Restriction,
    StarRating,
    Tag,
    Text,
    Thumbnail,
    Video,
)
from converter.options import WriteOptions
from tests.builders import NOW, at

OPTIONS = WriteOptions(now=NOW)
MP4 = "https://ex.com/v.mp4"
OPENING = f'<media:content url="{MP4}" medium="video">'


def written(entry: Entry, options: WriteOptions = OPTIONS) -> tuple[str, list[Issue]]:
    issues: list[Issue] = []
    return media_elements(entry, ElementWriter.for_entry(entry, issues.append), options).xml, issues


def said(**fields: Any) -> str:
    """What is said inside the one `media:content` of a video."""
    video = Video(renditions=(Rendition(url=MP4, kind=Kind.VIDEO),), **fields)
    xml, _ = written(Entry(loc="https://ex.com/a", videos=(video,)))
    return xml.removeprefix(OPENING).removesuffix("</media:content>")


# -- one element a row --------------------------------------------------------------------------

ROWS: list[tuple[dict[str, Any], str]] = [
    ({"title": Text(value="<b>T</b>", is_html=True)}, '<media:title type="plain">T</media:title>'),
    (
        {"description": Text(value="a\nb < c")},
        '<media:description type="plain">a\nb &lt; c</media:description>',
    ),
    ({"description": Text(value=" ")}, ""),
    ({"keywords": ("a", "b", "A")}, "<media:keywords>a, b</media:keywords>"),
    ({"keywords": ("Paris, Texas",)}, "<media:keywords>Paris Texas</media:keywords>"),
    (
        {
            "thumbnails": (
                Thumbnail(url="https://ex.com/t.png", width=4, height=0, time_s=5.5),
                Thumbnail(url="none"),
            )
        },
        '<media:thumbnail url="https://ex.com/t.png" width="4" time="5.5"/>',
    ),
    (
        {"ratings": (Rating(value="pg", scheme="urn:mpaa"),)},
        '<media:rating scheme="urn:mpaa">pg</media:rating>',
    ),
    (
        {"categories": (Category(term="c", label="L", scheme="urn:s"),)},
        '<media:category scheme="urn:s" label="L">c</media:category>',
    ),
    (
        {"player_url": "https://ex.com/p#1", "player_size": (4, None)},
        '<media:player url="https://ex.com/p#1" width="4"/>',
    ),
    (
        {"credits": (Credit(name="A", role="actor", scheme="urn:ebu"), Credit(name="B"))},
        (
            '<media:credit role="actor" scheme="urn:ebu">A</media:credit>'
            "<media:credit>B</media:credit>"
        ),
    ),
    ({"credits": (Credit(name="U", role="uploader", scheme="urn:yvs"),)}, ""),
    ({"credits": (Credit(name="U", role="owner", scheme="urn:yvs"),)}, ""),
    ({"uploader": Person(name="U")}, ""),
    ({"prices": (Price(amount=Decimal(5), currency="EURO"),)}, ""),
    (
        {"prices": (Price(type="rent", amount=Decimal(5), currency="EURO"),)},
        '<media:price type="rent"/>',
    ),
    ({"ratings": (Rating(value="other"),)}, ""),
    ({"ratings": (Rating(value="nonadult", scheme="urn:mpaa"),)}, ""),
    (
        {"ratings": (Rating(value="of its own", scheme="urn:example"),)},
        '<media:rating scheme="urn:example">of its own</media:rating>',
    ),
    ({"copyright": "C"}, "<media:copyright>C</media:copyright>"),
    (
        {"countries": Restriction(relationship="allow", codes=("US", "CA"))},
        '<media:restriction relationship="allow" type="country">us ca</media:restriction>',
    ),
    (
        {"countries": Restriction(relationship="allow")},
        '<media:restriction relationship="allow" type="country"></media:restriction>',
    ),
    (
        {"countries": Restriction(relationship="allow", unknown=("xx",))},
        '<media:restriction relationship="allow" type="country"></media:restriction>',
    ),
    ({"countries": Restriction(relationship="deny")}, ""),
    ({"embed_allowed": False}, '<media:restriction relationship="deny" type="sharing"/>'),
    ({"embed_allowed": True}, '<media:restriction relationship="allow" type="sharing"/>'),
    (
        {
            "star_rating": StarRating(
                average=Decimal("8.70"), count=3, minimum=Decimal(0), maximum=Decimal(10)
            )
        },
        (
            '<media:community><media:starRating average="8.7" count="3" min="0" max="10"/>'
            "</media:community>"
        ),
    ),
    (
        {"star_rating": StarRating(average=Decimal("4.5"))},
        '<media:community><media:starRating average="4.5" min="0" max="5"/></media:community>',
    ),
    (
        {"star_rating": StarRating(average=Decimal(50))},
        '<media:community><media:starRating average="50"/></media:community>',
    ),
    ({"star_rating": StarRating(count=3)}, ""),
    (
        {"views": 10**400},
        f'<media:community><media:statistics views="1{"0" * 400}"/></media:community>',
    ),
    (
        {"star_rating": StarRating(average=Decimal("5E-7"), maximum=Decimal("1.50E+1"))},
        '<media:community><media:starRating average="0.0000005" max="15"/></media:community>',
    ),
    (
        {"views": 0, "favorites": 5},
        '<media:community><media:statistics views="0" favorites="5"/></media:community>',
    ),
    (
        {"tags": (Tag(name="a", weight=2.0), Tag(name="b;c", weight=0.5))},
        "<media:community><media:tags>a:2, b c:0.5</media:tags></media:community>",
    ),
    (
        {"embed": Embed(url="https://ex.com/e", width=9, params=(("k", "v"),))},
        (
            '<media:embed url="https://ex.com/e" width="9"><media:param name="k">v</media:param>'
            "</media:embed>"
        ),
    ),
    ({"embed": Embed(url="https://ex.com/e")}, '<media:embed url="https://ex.com/e"/>'),
    ({"embed": Embed(url="e")}, ""),
    ({"status": "blocked"}, '<media:status state="blocked"/>'),
    (
        {
            "prices": (
                Price(type="rent", amount=Decimal("1E+1"), currency="EUR", info="https://i/"),
            )
        },
        '<media:price type="rent" price="10" currency="EUR" info="https://i/"/>',
    ),
    ({"requires_subscription": True}, '<media:price type="subscription"/>'),
    (
        {"requires_subscription": True, "prices": (Price(type="subscription"),)},
        '<media:price type="subscription"/>',
    ),
    ({"license": "https://cc.org/by"}, '<media:license href="https://cc.org/by"/>'),
]


@pytest.mark.parametrize(("fields", "expected"), ROWS)
def test_the_fields_of_a_video(fields: dict[str, Any], expected: str) -> None:
    assert said(**fields) == expected or (
        not expected and said(**fields) == f'<media:content url="{MP4}" medium="video"/>'
    )


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"ratings": (Rating(value="other"),)}, Code.RATING_UNUSABLE),
        ({"words": (ExtraElement(name="media:rating", text="other"),)}, Code.RATING_UNUSABLE),
        ({"published": at(2026), "expires": at(2025)}, Code.DROPPED_FIELD),
        ({"prices": (Price(amount=Decimal(5), currency="EURO"),)}, Code.PRICE_UNUSABLE),
        ({"keywords": ("a,b",)}, Code.TEXT_CLEANED),
        ({"countries": Restriction(relationship="allow", unknown=("xx",))}, Code.DROPPED_FIELD),
    ],
)
def test_values_that_media_rss_cannot_hold_are_reported(fields: dict[str, Any], code: Code) -> None:
    _, [issue] = written(Entry(videos=(Video(content_url=MP4, **fields),)))
    assert issue.code is code


WORDS = [
    (
        ExtraElement(name="media:hash", text="x", attributes=(("algo", "md5"),)),
        '<media:hash algo="md5">x</media:hash>',
    ),
    (
        ExtraElement(name="media:subTitle", attributes=(("href", "s.srt"),)),
        '<media:subTitle href="https://ex.com/s.srt"></media:subTitle>',
    ),
    (
        ExtraElement(
            name="media:scenes",
            text="t",
            children=(ExtraElement(name="media:scene", text="&"), ExtraElement(name="own")),
        ),
        "<media:scenes>t<media:scene>&amp;</media:scene></media:scenes>",
    ),
    (
        ExtraElement(
            name="media:text",
            attributes=(
                ("{http://www.w3.org/XML/1998/namespace}lang", "de"),
                ("{http://purl.org/dc/terms/}x", "1"),
                ("{http://nobody/}y", "2"),
                ("lost:z", "3"),
            ),
        ),
        '<media:text xml:lang="de" dcterms:x="1"></media:text>',
    ),
    (ExtraElement(name="media:credit", text="U", attributes=(("role", " Uploader "),)), ""),
    (
        ExtraElement(name="media:credit", text="A", attributes=(("role", "actor"),)),
        '<media:credit role="actor">A</media:credit>',
    ),
    (ExtraElement(name="{http://nobody/}y"), ""),
    (
        ExtraElement(name="media:adult", text="True"),
        '<media:rating scheme="urn:simple">adult</media:rating>',
    ),
    (
        ExtraElement(name="media:adult", text="false"),
        '<media:rating scheme="urn:simple">nonadult</media:rating>',
    ),
    (
        ExtraElement(name="media:rating", text="PG", attributes=(("scheme", "urn:mpaa"),)),
        '<media:rating scheme="urn:mpaa">pg</media:rating>',
    ),
    (ExtraElement(name="media:rating", text="nonadult", attributes=(("scheme", "urn:mpaa"),)), ""),
]


@pytest.mark.parametrize(("word", "expected"), WORDS)
def test_kept_words_come_back_as_they_were(word: ExtraElement, expected: str) -> None:
    assert said(title=Text(value="T"), words=(word,)).partition("</media:title>")[2] == expected


def test_words_that_cannot_be_written_are_reported() -> None:
    video = Video(content_url=MP4, words=(ExtraElement(name="{http://nobody/}y"),))
    [issue] = written(Entry(videos=(video,)))[1]
    assert (issue.code, issue.path) == (Code.DROPPED_FIELD, "{http://nobody/}y")


# -- what holds where a video says nothing itself -----------------------------------------------


@pytest.mark.parametrize(
    ("podcast", "feed", "expected"),
    [
        (Podcast(explicit=True), Feed(), "adult"),
        (Podcast(explicit=False), Feed(ratings=(Rating(value="adult"),)), "nonadult"),
        (None, Feed(ratings=(Rating(value="adult"),)), "adult"),
        (None, Feed(podcast=Podcast(explicit=False)), "nonadult"),
    ],
)
def test_a_rating_comes_from_the_nearest_place(
    podcast: Podcast | None, feed: Feed, expected: str
) -> None:
    entry = Entry(videos=(Video(content_url=MP4),), podcast=podcast, feed=feed)
    assert f'<media:rating scheme="urn:simple">{expected}</media:rating>' in written(entry)[0]


def test_a_podcasts_artwork_and_keywords_are_its_videos() -> None:
    podcast = Podcast(images=(Thumbnail(url="https://ex.com/t.png"),), keywords=("k",))
    xml, _ = written(Entry(videos=(Video(content_url=MP4),), podcast=podcast))
    assert (
        "<media:keywords>k</media:keywords><media:thumbnail "
        'url="https://ex.com/t.png"/>'
    ) in xml  # fmt: skip
    xml, _ = written(
        Entry(videos=(Video(content_url=MP4, tags=(Tag(name="t"),)),), podcast=podcast)
    )
    assert "media:keywords" not in xml
    assert written(Entry(podcast=podcast))[0] == '<media:thumbnail url="https://ex.com/t.png"/>'


# -- objects ------------------------------------------------------------------------------------


def test_every_attribute_of_a_rendition() -> None:
    rendition = Rendition(
        url=MP4,
        kind=Kind.VIDEO,
        mime="video/mp4",
        medium="Video",
        is_default=True,
        expression="full",
        width=640,
        height=360,
        bitrate_kbps=64.5,
        framerate=25.0,
        samplingrate_khz=44.1,
        channels=2,
        duration_s=1e-7,
        size_bytes=123,
        lang="en",
    )
    assert written(Entry(videos=(Video(renditions=(rendition,)),)))[0] == (
        f'<media:content url="{MP4}" fileSize="123" type="video/mp4" medium="video"'
        ' isDefault="true" expression="full" bitrate="64.5" framerate="25" samplingrate="44.1"'
        ' channels="2" duration="0.0000001" height="360" width="640" lang="en"/>'
    )


def test_values_that_validators_refuse_are_left_out() -> None:
    rendition = Rendition(
        url=MP4, kind=Kind.PLAYER, size_bytes=0, expression="odd", width=0, duration_s=float("inf")
    )
    xml, _ = written(Entry(videos=(Video(renditions=(rendition,)),)))
    assert xml == f'<media:content url="{MP4}"/>'


def test_a_group_is_of_two_or_more_and_has_one_default() -> None:
    files = [
        Rendition(url=f"https://ex.com/{n}.mp4", kind=Kind.VIDEO, is_default=True) for n in "12"
    ]
    video = Video(
        renditions=(*files, Rendition(url="gone", kind=Kind.VIDEO)),
        content_url=files[0].url,
        duration_s=9.0,
        copyright="C",
    )
    xml, [issue] = written(Entry(videos=(video,)))
    assert xml == (
        '<media:group><media:content url="https://ex.com/1.mp4" medium="video" isDefault="true"'
        ' duration="9"/><media:content url="https://ex.com/2.mp4" medium="video"/>'
        "<media:copyright>C</media:copyright></media:group>"
    )
    assert issue.code is Code.URL_UNUSABLE


def test_a_sitemaps_video_has_only_urls() -> None:
    video = Video(content_url=MP4, player_url="https://ex.com/p", duration_s=9.0)
    assert written(Entry(videos=(video,)))[0] == (
        f'<media:content url="{MP4}" type="video/mp4" medium="video" duration="9">'
        '<media:player url="https://ex.com/p"/></media:content>'
    )


def test_a_file_is_of_the_kind_that_its_object_is() -> None:
    """Its URL may not show it, and without a medium readers take it for nothing."""
    download = Rendition(url="https://ex.com/download?id=1")
    xml, _ = written(Entry(videos=(Video(content_url=download.url, renditions=(download,)),)))
    assert xml == f'<media:content url="{download.url}" medium="video"/>'


def test_a_video_without_a_file_needs_a_player() -> None:
    playable = Video(player_url="https://ex.com/p", duration_s=9.0)
    xml, issues = written(Entry(videos=(playable, Video(copyright="C"))))
    assert xml == (
        '<media:content medium="video" duration="9"><media:player url="https://ex.com/p"/>'
        "</media:content>"
    )
    assert [(issue.code, issue.path) for issue in issues] == [(Code.DROPPED_FIELD, "video")]


def test_a_player_that_is_a_rendition_is_written_once() -> None:
    page = Rendition(url="https://ex.com/p", kind=Kind.PLAYER, mime="text/html")
    video = Video(renditions=(page,), player_url=page.url)
    assert written(Entry(videos=(video,)))[0] == (
        '<media:content url="https://ex.com/p" type="text/html"/>'
    )


def test_validity_and_liveness_are_written_in_the_item_if_all_videos_share_them() -> None:
    video = Video(content_url=MP4, published=at(2025), expires=at(2027), live=True)
    valid = (
        "<dcterms:valid>start=2025-01-01T00:00:00Z; end=2027-01-01T00:00:00Z; scheme=W3C-DTF"
        "</dcterms:valid>"
    )
    live = "<dcterms:type>live-video</dcterms:type>"
    assert written(Entry(videos=(video,)))[0].endswith(f"/>{valid}{live}")
    both = written(Entry(videos=(video, Video(content_url="https://ex.com/w.mp4"))))[0]
    assert both.startswith(f'<media:content url="{MP4}" type="video/mp4" medium="video">{valid}')
    assert both.count("dcterms:") == 4


@pytest.mark.parametrize(
    ("published", "expires", "expected"),
    [
        (at(2025), None, ""),
        (at(2024), None, "start=2024-01-01T00:00:00Z; scheme=W3C-DTF"),
        (at(2025), at(2026, precision=Precision.DAY), "end=2026-01-01; scheme=W3C-DTF"),
        (None, at(2026, precision=Precision.MONTH), ""),
        # a period that ends before it starts is void, and its end with it
        (at(2026), at(2024), "end=2024-01-01T00:00:00Z; scheme=W3C-DTF"),
        (
            at(2024, 1, 1, 10),
            at(2024, precision=Precision.DAY),
            "start=2024-01-01T10:00:00Z; end=2024-01-01; scheme=W3C-DTF",
        ),
    ],
)
def test_validity_omits_the_dates_of_the_entry(
    published: Moment | None, expires: Moment | None, expected: str
) -> None:
    video = Video(content_url=MP4, published=published, expires=expires)
    xml, _ = written(Entry(videos=(video,), published=at(2025)))
    found = xml.partition("<dcterms:valid>")[2].partition("</dcterms:valid>")[0]
    assert found == expected


def test_sounds() -> None:
    podcast = Podcast(images=(Thumbnail(url="https://ex.com/t.png"),))
    audio = Audio(
        content_url="https://ex.com/s.mp3",
        title=Text(value="S"),
        duration_s=61.5,
        words=(ExtraElement(name="media:copyright", text="C"),),
    )
    assert written(Entry(audios=(audio,), podcast=podcast))[0] == (
        '<media:content url="https://ex.com/s.mp3" type="audio/mpeg" medium="audio"'
        ' duration="61.5"><media:title type="plain">S</media:title>'
        '<media:thumbnail url="https://ex.com/t.png"/><media:copyright>C</media:copyright>'
        "</media:content>"
    )
    assert written(Entry(audios=(Audio(content_url="none"),)))[0] == ""


def test_pictures() -> None:
    image = Image(
        url="https://ex.com/p.png",
        title=Text(value="T"),
        caption=Text(value="C"),
        geo="Here",
        license="https://cc.org/by",
    )
    inner = (
        '<media:title type="plain">T</media:title>'
        '<media:description type="plain">C</media:description>'
        '<media:license href="https://cc.org/by"/>'
    )
    opening = '<media:content url="https://ex.com/p.png" type="image/png" medium="image">'
    assert written(Entry(images=(image,)))[0] == (
        f'{opening}{inner}<media:location description="Here"/></media:content>'
    )


def test_a_preserved_location_is_written_once() -> None:
    place = ExtraElement(name="media:location", attributes=(("description", "Here"),))
    rendition = Rendition(url="https://ex.com/p", kind=Kind.IMAGE, width=9)
    image = Image(url=rendition.url, rendition=rendition, geo="Here", words=(place,))
    assert written(Entry(images=(image,)))[0] == (
        '<media:content url="https://ex.com/p" medium="image" width="9">'
        '<media:location description="Here"></media:location></media:content>'
    )


def test_media_that_are_not_wanted() -> None:
    options = WriteOptions(now=OPTIONS.now, videos=False, images=False)
    podcast = Podcast(images=(Thumbnail(url="https://ex.com/t.png"),))
    entry = Entry(
        videos=(Video(content_url=MP4),), images=(Image(url="https://ex.com/p.png"),)
    )  # fmt: skip
    assert written(entry, options)[0] == ""
    assert written(Entry(podcast=podcast), options)[0] == ""


def test_a_text_of_controls_is_reported_once_a_place() -> None:
    video = Video(content_url=MP4, copyright="a\x00b\x01")
    xml, [issue] = written(Entry(videos=(video, video)))
    assert xml.count("<media:copyright>ab</media:copyright>") == 2
    assert (issue.code, issue.path) == (Code.TEXT_CLEANED, "media:copyright")
