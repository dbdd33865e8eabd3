"""What a format loses of a field is what its writer does not write: held against the writers.

Each field is taken out of an entry that has everything. If that changes not a byte of what is
written, the field was lost, and the tables must say so; if it does, they must not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from converter.extensions.field_support.rules import FieldLoss
from converter.formats.registry import FORMATS
from converter.issues import ignore
from converter.model import (
    Alternate,
    Audio,
    Category,
    Credit,
    Embed,
    Entry,
    ExtraElement,
    Feed,
    Gallery,
    Image,
    Kind,
    Link,
    News,
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

SITE = "https://ex.com"


VIDEO = Video(
    content_url=f"{SITE}/v.mp4",
    player_url=f"{SITE}/play",
    player_size=(640, 360),
    renditions=(
        Rendition(
            url=f"{SITE}/v.mp4",
            kind=Kind.VIDEO,
            mime="video/mp4",
            is_default=True,
            expression="full",
            width=640,
            height=360,
            bitrate_kbps=700,
            framerate=25,
            samplingrate_khz=44.1,
            channels=2,
            size_bytes=7,
            lang="en",
            title="HD",
            from_enclosure=True,
        ),
    ),
    title=Text(value="Title"),
    description=Text(value="Description"),
    thumbnails=(Thumbnail(url=f"{SITE}/t.jpg", width=640, height=360, time_s=3),),
    duration_s=60,
    published=at(2026, 1, 9),
    expires=at(2026, 1, 30),
    star_rating=StarRating(average=Decimal(4), count=7),
    views=7,
    favorites=3,
    tags=(Tag(name="tag", weight=3),),
    categories=(Category(term="kind"),),
    ratings=(Rating(value="nonadult"),),
    countries=Restriction(relationship="allow", codes=("DK",)),
    platforms=Restriction(relationship="allow", codes=("tv",)),
    embed_allowed=False,
    prices=(
        Price(
            type="rent", amount=Decimal(2), currency="EUR", resolution="hd", info=f"{SITE}/price"
        ),
    ),
    requires_subscription=True,
    live=True,
    credits=(Credit(name="Ida", role="director"),),
    uploader=Person(name="Up"),
    copyright="(c)",
    license=f"{SITE}/license",
    status="active",
    embed=Embed(url=f"{SITE}/embed"),
    series=Series(show="Show", season=1),
    gallery=Gallery(url=f"{SITE}/gallery"),
    autoplay="ap=1",
    ids=(("url", "x"),),
    segments=((f"{SITE}/1.mp4", 3),),
    words=(ExtraElement(name="media:hash", text="x"),),
)
AUDIO = Audio(
    content_url=f"{SITE}/a.mp3",
    renditions=(Rendition(url=f"{SITE}/a.mp3", kind=Kind.AUDIO, mime="audio/mpeg"),),
    title=Text(value="Sound"),
    description=Text(value="Of a sound"),
    thumbnails=(Thumbnail(url=f"{SITE}/s.jpg"),),
    duration_s=7,
    words=(ExtraElement(name="media:hash", text="y"),),
)
IMAGE = Image(
    url=f"{SITE}/i.jpg",
    title=Text(value="Picture"),
    caption=Text(value="Of a picture"),
    geo="Here",
    license=f"{SITE}/by",
    words=(ExtraElement(name="media:hash", text="z"),),
)
PODCAST = Podcast(
    author="Pod",
    summary="Pod summary",
    subtitle="Pod subtitle",
    keywords=("pod",),
    explicit=True,
    duration_s=99,
    season=4,
    episode=5,
    episode_type="bonus",
    images=(Thumbnail(url=f"{SITE}/art.jpg"),),
    blocked=True,
)
NEWS = News(
    name="Post",
    language="en",
    published=at(2026, 1, 15),
    title="News",
    genres="Blog",
    access="Subscription",
    keywords="key",
    stock_tickers="NASDAQ:A",
)
ENTRY = Entry(
    loc=f"{SITE}/page",
    id="tag:ex.com,2026:1",
    id_is_permalink=False,
    title="Page",
    summary=Text(value="Summary"),
    content=Text(value="Content"),
    published=at(2026, 1, 10),
    updated=at(2026, 1, 11),
    authors=(Person(name="Ann", email="ann@ex.com", uri="https://other.example/ann"),),
    categories=(Category(term="cat", scheme=f"{SITE}/cats"),),
    lang="en",
    alternates=(
        Alternate(hreflang="en", href=f"{SITE}/page"),
        Alternate(hreflang="da", href=f"{SITE}/da"),
    ),
    changefreq="daily",
    priority=Decimal("0.5"),
    mobile=True,
    comments=f"{SITE}/comments",
    copyright="(c) page",
    license=f"{SITE}/page-license",
    links=(Link(href=f"{SITE}/via", rel="via"),),
    source=Link(href=f"{SITE}/feed", rel="source", title="Feed"),
    extra=(ExtraElement(name="slash:comments", text="3"),),
)
PAGEMAP = ExtraElement(name="pagemap:PageMap", children=(ExtraElement(name="pagemap:DataObject"),))


class Taken(NamedTuple):
    """An entry with a field and without it."""

    name: str
    whole: Entry
    less: Entry


def _without(name: str, whole: Entry, items: str, fields: Iterable[str]) -> Iterable[Taken]:
    """Take each field out of the only item."""
    given = getattr(whole, items)
    each = given[0] if isinstance(given, tuple) else given
    defaults = type(each).__dataclass_fields__
    for field in fields:
        less = replace(each, **{field: defaults[field].default})
        held = (less,) if isinstance(given, tuple) else less
        yield Taken(f"{name}/{field}", whole, replace(whole, **{items: held}))


def _within(name: str, whole: Entry, field: str, details: Iterable[str]) -> Iterable[Taken]:
    """Take each detail out of the only part of a field of the only video."""
    (part,) = getattr(whole.videos[0], field)
    for detail in details:
        bare = replace(part, **{detail: type(part).__dataclass_fields__[detail].default})
        video = replace(whole.videos[0], **{field: (bare,)})
        yield Taken(f"{name}/{detail}", whole, replace(whole, videos=(video,)))


def _of(kind: type[Any], *but: str) -> list[str]:
    return [field for field in kind.__dataclass_fields__ if field not in {*but, "line"}]


SINGULAR = {"authors": "author", "categories": "category"}
WITH_VIDEO = replace(ENTRY, videos=(VIDEO,))
EMPTY = Entry(
    loc=ENTRY.loc,
    title="T",
    summary=Text(value="S"),
    id="tag:x",
    updated=at(2026, 1, 11),
    feed=Feed(title="Show"),
)
WITH_PODCAST = replace(EMPTY, podcast=PODCAST)

TAKEN = (
    *(
        Taken(
            SINGULAR.get(field, field),
            ENTRY,
            replace(ENTRY, **{field: Entry.__dataclass_fields__[field].default}),
        )
        for field in _of(
            Entry, "loc", "feed", "id", "id_is_permalink", "title", "updated", "published"
        )
        if getattr(ENTRY, field) != Entry.__dataclass_fields__[field].default
    ),
    Taken("id", ENTRY, replace(ENTRY, id="tag:ex.com,2026:2")),
    Taken("title", ENTRY, replace(ENTRY, title="Other")),
    Taken("news", replace(ENTRY, news=NEWS), ENTRY),
    Taken("extra", replace(ENTRY, extra=(PAGEMAP,)), replace(ENTRY, extra=())),
    *_without("author", ENTRY, "authors", ("email", "uri")),
    *_without("category", ENTRY, "categories", ("scheme",)),
    *_without("podcast", WITH_PODCAST, "podcast", _of(Podcast, "medium")),
    *_without(
        "podcast",
        replace(WITH_PODCAST, videos=(Video(content_url=f"{SITE}/v.mp4"),)),
        "podcast",
        _of(Podcast, "medium", "keywords", "explicit"),
    ),
    *_without(
        "news", replace(ENTRY, news=NEWS), "news", ("genres", "access", "keywords", "stock_tickers")
    ),
    *_without(
        "video",
        WITH_VIDEO,
        "videos",
        _of(
            Video,
            *("content_url", "renditions", "title", "description", "thumbnails", "published"),
            *("uploader", "categories", "ratings", "series", "tags", "keywords"),
            *("sibling_images", "youtube_id"),  # from these nothing is written as such
        ),
    ),
    *_within(
        "video/renditions",
        WITH_VIDEO,
        "renditions",
        _of(Rendition, "url", "kind", "duration_s", "medium", "from_enclosure", "mime"),
    ),
    *_within("video/thumbnails", WITH_VIDEO, "thumbnails", ("width", "height", "time_s")),
    *_within("video/tags", WITH_VIDEO, "tags", ("weight",)),
    *_within("video/prices", WITH_VIDEO, "prices", ("resolution", "info")),
    *_without(
        "audio",
        replace(ENTRY, audios=(AUDIO,)),
        "audios",
        _of(Audio, "content_url", "renditions"),
    ),
    *_without("image", replace(ENTRY, images=(IMAGE,)), "images", _of(Image, "url", "rendition")),
)

TARGETS = {
    **{name: (name, WriteOptions(now=NOW)) for name, row in FORMATS.items() if row.writer},
    "sitemap+legacy": ("sitemap", WriteOptions(now=NOW, legacy_tags=True)),
}


def _written(entry: Entry, target: str) -> bytes:
    name, options = TARGETS[target]
    writer = FORMATS[name].writer
    assert writer is not None
    rendered = writer(options).entry(entry, ignore)
    assert rendered is not None
    return rendered.body


def _losses(entry: Entry, target: str) -> set[FieldLoss]:
    name, options = TARGETS[target]
    return set(FORMATS[name].losses(options).entry_losses(entry))


def _owners(name: str) -> set[str]:
    parts = name.split("/")
    return {"/".join(parts[: end + 1]) for end in range(len(parts))}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("taken", TAKEN, ids=lambda taken: taken.name)
def test_a_loss_is_counted_exactly_when_the_output_does_not_change(
    taken: Taken, target: str
) -> None:
    is_lost = _written(taken.whole, target) == _written(taken.less, target)
    lost = {loss.name for loss in _losses(taken.whole, target) if not loss.is_altered}
    assert bool(lost & _owners(taken.name)) == is_lost


# -- the tables themselves ----------------------------------------------------------------------


def names(entry: Entry, target: str) -> set[str]:
    return {loss.name for loss in _losses(entry, target)}


def altered(entry: Entry, target: str) -> set[str]:
    return {loss.name for loss in _losses(entry, target) if loss.is_altered}


PLAIN = Entry(loc=f"{SITE}/", id=f"{SITE}/")


@pytest.mark.parametrize("target", TARGETS)
def test_of_a_page_nothing_is_lost(target: str) -> None:
    assert names(PLAIN, target) == set()


def video(**fields: Any) -> Entry:
    return replace(PLAIN, videos=(Video(content_url=f"{SITE}/v.mp4", **fields),))


@pytest.mark.parametrize(
    ("name", "target", "there", "not_there"),
    [
        (
            "published",
            "rss",
            {"published": at(2026, 1, 1, precision=Precision.DAY)},
            {"published": at(2026, 1, 1)},
        ),
        (
            "published",
            "sitemap",
            {"published": at(2026, 1, 1)},
            {"published": at(2026, 1, 1), "news": NEWS},
        ),
        (
            "updated",
            "atom",
            {"updated": at(2026, 1, 1, precision=Precision.DAY)},
            {"updated": at(2026, 1, 1)},
        ),
        (
            "updated",
            "rss",
            {"updated": at(2026, 1, 1)},
            {"published": at(2026, 1, 1), "updated": at(2026, 1, 2)},
        ),
        ("id", "atom", {"id": "no iri"}, {"id": "tag:x"}),
        ("id/is_permalink", "rss", {"id": "x", "id_is_permalink": True}, {"id_is_permalink": True}),
        (
            "category",
            "rss",
            {"categories": (Category(term="a", label="A"),)},
            {"categories": (Category(term="a"),)},
        ),
    ],
)
def test_a_field_is_altered(
    name: str, target: str, there: dict[str, Any], not_there: dict[str, Any]
) -> None:
    assert name in altered(replace(PLAIN, **there), target)
    assert name not in altered(replace(PLAIN, **not_there), target)


@pytest.mark.parametrize(
    ("field", "target", "there", "not_there"),
    [
        ("title", "sitemap", Text(value="x" * 101), Text(value="x" * 100)),
        ("title", "mrss", Text(value="<b>x</b>", is_html=True), Text(value="<b>x</b>")),
        ("description", "sitemap", Text(value="x" * 2049), Text(value="x" * 2048)),
        ("duration_s", "sitemap", 1.5, 2.0),
        ("star_rating", "sitemap", StarRating(maximum=Decimal(10)), StarRating(maximum=Decimal(5))),
        ("ratings", "sitemap", (Rating(value="pg", scheme="urn:mpaa"),), (Rating(value="adult"),)),
    ],
)
def test_a_field_of_a_video_is_altered(
    field: str, target: str, there: object, not_there: object
) -> None:
    assert f"video/{field}" in altered(video(**{field: there}), target)
    assert f"video/{field}" not in altered(video(**{field: not_there}), target)


@pytest.mark.parametrize(
    ("name", "there", "not_there"),
    [
        ("video/keywords", {"keywords": tuple(map(str, range(33)))}, {"keywords": ("a",)}),
        ("video/tags", {"keywords": ("a",), "tags": (Tag(name="b"),)}, {"tags": (Tag(name="b"),)}),
        (
            "video/prices",
            {"prices": (Price(type="package"),)},
            {"prices": (Price(type="subscription"),)},
        ),
        (
            "video/credits",
            {"credits": (Credit(name="A", role="actor"),)},
            {"credits": (Credit(name="A", role="owner"),)},
        ),
        ("title", {"title": Text(value="x")}, {}),
        ("summary", {"description": Text(value="x")}, {}),
        ("author", {"uploader": Person(name="U")}, {}),
    ],
)
@pytest.mark.parametrize("target", ["sitemap", "sitemap+legacy"])
def test_a_field_is_lost_in_an_entry_with_a_video(
    name: str, target: str, there: dict[str, Any], not_there: dict[str, Any]
) -> None:
    page = {"title": "T", "summary": Text(value="S"), "authors": (Person(name="A"),)}
    assert name in names(replace(video(**there), **page), target)
    assert name not in names(replace(video(**not_there), **page), target)


def test_an_uploader_of_an_entry_with_authors_is_lost_in_feeds() -> None:
    page = replace(video(uploader=Person(name="U")), authors=(Person(name="A"),))
    assert "video/uploader" in names(page, "mrss")
    assert "video/uploader" not in names(replace(page, authors=(Person(name="U"),)), "mrss")
    credited = video(credits=(Credit(name="U", role="uploader"),))
    assert "video/credits" not in names(credited, "atom")
    assert "video/credits" in names(replace(credited, authors=page.authors), "atom")


def test_in_rss_the_tags_of_one_video_are_categories() -> None:
    tagged = video(tags=(Tag(name="a"),))
    assert "video/tags" not in names(tagged, "rss")
    assert "video/tags" in names(replace(tagged, categories=(Category(term="c"),)), "rss")
    keyed = video(keywords=("k",), tags=(Tag(name="a"),))
    assert names(keyed, "rss") == {"video/tags"}
    both = replace(PLAIN, videos=tagged.videos + keyed.videos)
    assert names(both, "rss") == {"video/keywords"}
    assert names(replace(tagged, videos=tagged.videos + video().videos), "rss") == set()


def test_in_atom_the_title_of_a_file_is_that_of_its_link() -> None:
    one = Rendition(url=f"{SITE}/v.mp4", mime="video/mp4", title="HD")
    assert names(video(renditions=(one,)), "atom") == set()
    linked = Rendition(url=f"{SITE}/w.mp4", mime="video/mp4", from_enclosure=True)
    assert names(video(renditions=(one, linked)), "atom") == {"video/renditions/title"}


def test_rss_has_one_enclosure() -> None:
    one = replace(video(), images=())
    assert "video" not in names(one, "rss")
    assert "image" in names(replace(one, images=(IMAGE,)), "rss")
    assert "audio" in names(replace(one, audios=(AUDIO,)), "rss")
    assert names(replace(PLAIN, images=(Image(url=f"{SITE}/i.jpg"),)), "rss") == set()


@pytest.mark.parametrize("target", ["sitemap", "rss", "atom", "mrss"])
def test_media_switched_off_are_not_losses(target: str) -> None:
    entry = replace(PLAIN, videos=(VIDEO,), images=(IMAGE,))
    options = WriteOptions(now=NOW, videos=False, images=False)
    assert FORMATS[target].losses(options).entry_losses(entry) == ()


def test_news_keep_title_and_date() -> None:
    options = WriteOptions(now=NOW, news_name="Post")
    entry = replace(PLAIN, title="T", published=at(2026, 1, 15))
    support = FORMATS["sitemap"].losses(options)
    assert support.entry_losses(entry) == ()
    assert {
        loss.name for loss in support.entry_losses(replace(entry, published=at(2026, 1, 1)))
    } == {
        "title",
        "published",
    }


# -- what pages take up of a header -------------------------------------------------------------

EPISODE = Entry(
    loc=f"{SITE}/page",
    title="T",
    summary=Text(value="S"),
    published=at(2026, 1, 15),
    podcast=Podcast(season=1),
    videos=(Video(content_url=f"{SITE}/v.mp4"),),
    images=(Image(url=f"{SITE}/i.jpg"),),
)
HEADER = Feed(
    other=("ttl", "itunes:owner"),
    format="atom",
    title="Show",
    link=f"{SITE}/",
    self_url=f"{SITE}/feed",
    id="tag:ex.com,2026:feed",
    description="Of a feed",
    lang="en",
    updated=at(2026, 1, 3),
    published=at(2026, 1, 2),
    built=at(2026, 1, 4),
    authors=(Person(name="Ann", email="ann@ex.com", uri=f"{SITE}/ann"),),
    categories=(Category(term="kind"),),
    generator="Press",
    copyright="(c)",
    image=f"{SITE}/logo.png",
    license=f"{SITE}/by",
    ratings=(Rating(value="adult"),),
    links=(Link(href=f"{SITE}/hub", rel="hub"),),
)
WITH_CHANNEL = Feed(podcast=replace(PODCAST, images=()), lang="en", image=HEADER.image)

OF_HEADER = (
    *((field, HEADER, {field: None}) for field in ("link", "self_url", "id", "description")),
    *((field, HEADER, {field: None}) for field in ("title", "updated", "published", "built")),
    *((field, HEADER, {field: None}) for field in ("generator", "copyright", "image", "license")),
    *((field, HEADER, {field: ()}) for field in ("ratings", "links")),
    ("lang", HEADER, {"lang": "de"}),
    ("author", HEADER, {"authors": ()}),
    ("author/email", HEADER, {"authors": (replace(HEADER.authors[0], email=None),)}),
    ("author/uri", HEADER, {"authors": (replace(HEADER.authors[0], uri=None),)}),
    ("category", HEADER, {"categories": ()}),
    *(
        (
            f"podcast/{field}",
            WITH_CHANNEL,
            {"podcast": replace(PODCAST, images=(), **{field: given})},
        )
        for field, given in (
            *((name, None) for name in _of(Podcast, "images", "keywords", "medium")),
            ("keywords", ()),
        )
    ),
)


@pytest.mark.parametrize("target", ["sitemap", "sitemap+legacy", "txt"])
@pytest.mark.parametrize(("name", "whole", "less"), OF_HEADER, ids=[it[0] for it in OF_HEADER])
def test_header_fields_lost_are_those_that_no_entry_shows(
    name: str, whole: Feed, less: dict[str, Any], target: str
) -> None:
    of, options = TARGETS[target]
    options = replace(options, news_name="Post")
    losses = FORMATS[of].losses(options)
    lost = {loss.name: loss.kept for loss in losses.feed_losses(whole)}
    writer = FORMATS[of].writer
    assert writer is not None

    def written(feed: Feed) -> bytes:
        writing = writer(options)
        rendered = writing.entry(replace(EPISODE, feed=feed), ignore)
        assert rendered is not None
        return writing.head(feed, frozenset()) + rendered.body + writing.tail(feed)

    is_taken_up = written(whole) != written(replace(whole, **less))
    whose = f"feed/{name}" if f"feed/{name}" in lost else f"feed/{name.partition('/')[0]}"
    assert bool(lost[whose]) == is_taken_up


def test_ratings_and_other_elements_of_a_header_are_separate_losses() -> None:
    losses = FORMATS["mrss"].losses(WriteOptions(now=NOW))
    rated = Feed(ratings=HEADER.ratings, words=(ExtraElement(name="media:rating", text="adult"),))
    assert [loss.name for loss in losses.feed_losses(rated)] == ["feed/ratings"]
    worded = Feed(words=(ExtraElement(name="media:copyright", text="(c)"),))
    assert [loss.name for loss in losses.feed_losses(worded)] == ["feed/words"]


def test_other_artwork_of_a_podcast_is_lost() -> None:
    images = (Thumbnail(url=f"{SITE}/logo.png"), Thumbnail(url=f"{SITE}/wide.png"))
    losses = FORMATS["rss"].losses(WriteOptions(now=NOW))
    header = Feed(image=images[0].url, podcast=Podcast(images=images))
    assert [loss.name for loss in losses.feed_losses(header)] == ["feed/podcast/images"]
    same = replace(header, podcast=Podcast(images=images[:1]))
    assert list(losses.feed_losses(same)) == []


@pytest.mark.parametrize("target", TARGETS)
def test_the_tables_name_every_field_of_a_further_header(target: str) -> None:
    name, options = TARGETS[target]
    losses = FORMATS[name].losses(options)
    header = replace(
        HEADER,
        podcast=replace(PODCAST, medium="video"),
        words=(ExtraElement(name="media:hash", text="x"),),
    )
    lost = {loss.name for loss in losses.feed_losses(header, Feed())}
    said = {
        *(
            SINGULAR.get(field, field)
            for field in _of(Feed, "format", "source", "podcast", "other")
        ),
        *(f"podcast/{field}" for field in _of(Podcast)),
        *(f"other/{element}" for element in HEADER.other),
    }
    assert lost >= {f"feed/{field}" for field in said}
    of_podcast = {loss.name for loss in losses.feed_losses(header, replace(header, podcast=None))}
    if name in {"rss", "mrss", "atom"}:
        assert of_podcast == {f"feed/podcast/{field}" for field in _of(Podcast)}
        assert list(losses.feed_losses(header, replace(header, source="other"))) == []
