"""The law that whatever goes into the sitemap writer, what comes out is a sitemap."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from converter.formats.sitemap import FORMAT
from converter.formats.sitemap.write import SitemapWriter
from converter.model import (
    Alternate,
    Category,
    Credit,
    Embed,
    Entry,
    Feed,
    Gallery,
    Image,
    Moment,
    News,
    Person,
    Podcast,
    Precision,
    Price,
    Rating,
    Restriction,
    Series,
    StarRating,
    Tag,
    Text,
    Thumbnail,
    Video,
)
from converter.options import WriteOptions
from tests.builders import NOW, content_of, parts_of
from tests.strategies import made, some

texts = st.text(st.characters(), max_size=300)
maybe_text = st.none() | made(Text, value=texts, is_html=st.booleans())
tails = st.lists(st.sampled_from([*"abc/?=&'.", "%20"]), max_size=8).map("".join)
clean = st.builds(
    "https://ex.com/{}{}".format, tails, st.sampled_from(["", ".mp4", ".swf", ".flv"])
)
moments = made(
    Moment,
    instant=st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5.5))])),
    precision=st.sampled_from(Precision),
)
dates_now = made(
    Moment,
    instant=st.datetimes(
        datetime(2026, 1, 12), datetime(2026, 1, 16), timezones=st.just(UTC)  # noqa: DTZ001
    ),
)  # fmt: skip
dates = st.none() | moments | dates_now
decimals = st.none() | st.decimals(allow_nan=False, min_value=-2, max_value=12, places=3)
thumbnails = st.lists(
    st.builds(
        Thumbnail,
        url=clean,
        width=st.none() | st.integers(0, 99),
        time_s=st.none() | st.floats(0, 9),
    ),
    max_size=3,
).map(tuple)


def restrictions(codes: list[str]) -> st.SearchStrategy[Restriction | None]:
    return st.none() | made(
        Restriction,
        relationship=st.sampled_from(["allow", "deny"]),
        codes=some(st.sampled_from(codes)),
        unknown=some(texts, 1),
    )


videos = st.builds(
    Video,
    content_url=st.none() | clean,
    player_url=st.none() | clean,
    title=maybe_text,
    description=maybe_text,
    thumbnails=thumbnails,
    sibling_images=some(clean, 1),
    youtube_id=st.none() | st.just("0A1ouV7iD8o") | texts,
    duration_s=st.none() | st.floats(),
    published=dates,
    expires=dates,
    star_rating=st.none() | st.builds(StarRating, average=decimals, maximum=decimals),
    views=st.none() | st.integers(0, 10**12),
    keywords=some(st.text(st.characters(), min_size=1), 40),
    tags=some(st.builds(Tag, name=texts, weight=st.floats(0, 9))),
    categories=some(st.builds(Category, term=texts)),
    ratings=some(made(Rating, value=texts)),
    countries=restrictions(["DE", "US"]),
    platforms=restrictions(["tv", "web"]),
    embed_allowed=st.none() | st.booleans(),
    prices=some(
        st.builds(
            Price,
            type=st.sampled_from([None, "rent", "subscription"]),
            amount=decimals,
            currency=st.sampled_from([None, "eur", "EURO"]),
            resolution=st.sampled_from([None, "HD", "4k"]),
        )
    ),
    requires_subscription=st.none() | st.booleans(),
    live=st.none() | st.booleans(),
    credits=some(made(Credit, name=texts, role=st.sampled_from([None, "uploader"]))),
    status=st.sampled_from([None, "active", "blocked"]),
    embed=st.none() | st.builds(Embed, url=clean),
    series=st.none()
    | made(Series, show=texts, season=st.integers(-1, 3), kind=texts, premiered=dates),
    gallery=st.none() | st.builds(Gallery, url=clean, title=texts),
    autoplay=st.none() | texts,
    ids=some(st.tuples(st.sampled_from(["url", "x"]), texts)),
    segments=some(st.tuples(clean, st.none() | st.integers(-1, 30_000))),
)

podcasts = st.none() | st.builds(
    Podcast,
    summary=st.none() | texts,
    explicit=st.none() | st.booleans(),
    duration_s=st.none() | st.floats(),
    season=st.none() | st.integers(1, 9),
    images=thumbnails,
    keywords=some(st.text(st.characters(), min_size=1)),
)

feeds = st.none() | st.builds(
    Feed,
    format=st.sampled_from(["rss", "atom", "sitemap"]),
    title=st.none() | texts,
    lang=st.none() | st.sampled_from(["de", "zh"]),
    image=st.none() | clean | texts,
    license=st.none() | clean | texts,
)

entries = st.builds(
    Entry,
    loc=clean,
    title=st.none() | texts,
    summary=maybe_text,
    content=maybe_text,
    published=dates,
    updated=dates,
    authors=some(st.builds(Person, name=texts, uri=st.none() | clean | texts)),
    categories=some(st.builds(Category, term=texts, label=st.none() | texts)),
    alternates=some(st.builds(Alternate, hreflang=st.sampled_from(["de", "en"]), href=clean)),
    changefreq=st.sampled_from([None, "daily", "Often"]),
    priority=decimals,
    videos=some(videos),
    images=some(
        st.builds(Image, url=clean, title=maybe_text, caption=maybe_text, license=st.none() | texts)
    ),
    podcast=podcasts,
    news=st.none()
    | st.builds(
        News,
        name=texts,
        language=st.sampled_from(["de", "pt-BR"]),
        published=dates,
        title=st.none() | texts,
        access=texts,
        genres=st.just("Blog, OpEd"),
        stock_tickers=texts,
    ),
    mobile=st.booleans(),
    feed=feeds,
)

#: Children of `url` and of `video:video`, in the order of their schemas.
URL_ORDER = ["loc", "lastmod", "changefreq", "priority", "image", "video", "news", "mobile", "link"]
VIDEO_ORDER = [
    "thumbnail_loc",
    "title",
    "description",
    "content_loc",
    "player_loc",
    "duration",
    "expiration_date",
    "rating",
    "content_segment_loc",
    "view_count",
    "publication_date",
    "tag",
    "category",
    "family_friendly",
    "restriction",
    "gallery_loc",
    "price",
    "requires_subscription",
    "uploader",
    "tvshow",
    "platform",
    "live",
    "id",
]
NEWS_ORDER = [
    "publication",
    "access",
    "genres",
    "publication_date",
    "title",
    "keywords",
    "stock_tickers",
]


def in_order(element: etree._Element, order: list[str]) -> bool:
    places = [order.index(etree.QName(child).localname) for child in element]
    return places == sorted(places)


@pytest.mark.property
@given(
    st.lists(entries, min_size=1, max_size=3),
    st.fixed_dictionaries(
        {
            "legacy_tags": st.booleans(),
            "pretty": st.booleans(),
            "images": st.booleans(),
            "lastmod": st.sampled_from(["auto", "updated", "none"]),
            "news_name": st.sampled_from([None, "The Times (UK)"]),
            "news_language": st.just("en"),
        }
    ),
)
def test_any_output_is_a_valid_sitemap(given_entries: list[Entry], options: Any) -> None:
    writer = SitemapWriter(WriteOptions(now=NOW, **options))
    parts = parts_of(writer, given_entries, FORMAT.part_limits)
    urlset = etree.fromstring(content_of(parts))
    assert len(urlset) == len(given_entries)
    for url, entry in zip(urlset, given_entries, strict=True):
        assert in_order(url, URL_ORDER)
        assert url[0].text == entry.loc
        for news in url.findall("{*}news"):
            assert in_order(news, NEWS_ORDER)
            assert news.findtext("{*}title")
        for video in url.findall("{*}video"):
            assert in_order(video, VIDEO_ORDER)
            assert_is_a_video(video, entry)


def assert_is_a_video(video: etree._Element, entry: Entry) -> None:
    assert 1 <= len(video.findtext("{*}title", "")) <= 100
    assert 1 <= len(video.findtext("{*}description", "")) <= 2048
    assert video.findtext("{*}thumbnail_loc")
    places = [video.findtext("{*}content_loc"), video.findtext("{*}player_loc")]
    assert any(places)
    assert entry.loc not in places
    assert len(video.findall("{*}tag")) <= 32
    assert 1 <= int(video.findtext("{*}duration", "1")) <= 28_800
    assert 0 <= Decimal(video.findtext("{*}rating", "0")) <= 5
