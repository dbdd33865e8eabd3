"""The laws of feeds that are written: they are valid, the same every time, and say it all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from converter.extensions.mediarss import best_rendition
from converter.formats.atom.read import read as read_atom
from converter.formats.atom.write import AtomWriter
from converter.formats.rss.read import read as read_rss
from converter.formats.rss.write import RssWriter, mrss_writer
from converter.issues import Issue
from converter.model import (
    Alternate,
    Audio,
    Category,
    Credit,
    Embed,
    Entry,
    ExtraElement,
    Feed,
    Image,
    Kind,
    Link,
    Moment,
    Person,
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
from tests.builders import NOW, document_of, read_all
from tests.feedrules import check
from tests.formats.fields import FIELDS
from tests.strategies import made, some

WRITERS = {"rss": RssWriter, "mrss": mrss_writer, "atom": AtomWriter}
READERS = {"rss": read_rss, "mrss": read_rss, "atom": read_atom}


def written(
    target: str, entries: Iterable[Entry], feed: Feed | None = None, **options: Any
) -> tuple[bytes, list[Issue]]:
    issues: list[Issue] = []
    writer = WRITERS[target](WriteOptions(now=NOW, **options))
    return document_of(writer, entries, feed, issues.append), issues


# -- entries as readers make them -------------------------------------------------------------

words = st.text(st.sampled_from("abcdefgäß漢𝄞 .!?'\"-/&;<>"), min_size=1, max_size=20)
#: What no reader takes for markup.
plain = st.text(st.sampled_from("abcäß漢𝄞 .!?'\"-/"), min_size=1, max_size=20).map(
    lambda value: "x" + " ".join(value.split()) + "y"
)
names = st.text(st.sampled_from("abcABCäß漢"), min_size=1, max_size=8)
htmls = made(Text, value=plain.map(lambda value: f"<p>{value} &amp; <b>more</b></p>"),
                  is_html=st.just(True))  # fmt: skip
plains = made(Text, value=plain)
offsets = st.sampled_from([UTC, timezone(timedelta(hours=-5)), timezone(timedelta(hours=5.5))])
moments = made(
    Moment,
    instant=st.datetimes(
        datetime(2001, 1, 1),  # noqa: DTZ001
        datetime(2025, 12, 30),  # noqa: DTZ001
        timezones=offsets,
    ).map(lambda instant: instant.replace(microsecond=0)),
)
sizes = st.none() | st.integers(1, 4000)
decimals = st.decimals(0, 5, places=2)


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


def urls(kind: str) -> st.SearchStrategy[str]:
    return st.integers(0, 10**9).map(f"https://ex.com/{{}}.{kind}".format)


def renditions(kind: Kind, end: str, mime: str) -> st.SearchStrategy[Rendition]:
    rate = maybe(st.integers(1, 5000).map(lambda number: number / 4))
    return st.builds(
        Rendition,
        url=urls(end),
        kind=st.just(kind),
        mime=maybe(st.just(mime)),
        is_default=st.booleans(),
        expression=st.sampled_from([None, "full", "sample", "nonstop"]),
        width=sizes,
        height=sizes,
        bitrate_kbps=rate,
        framerate=rate,
        samplingrate_khz=rate,
        channels=sizes,
        duration_s=st.just(8.5),
        size_bytes=maybe(st.integers(2, 10**12)),
        lang=st.sampled_from([None, "en", "de-AT"]),
    )


thumbnails = st.builds(
    Thumbnail, url=urls("png"), width=sizes, height=sizes, time_s=maybe(st.integers(0, 99))
)
restrictions = made(
    Restriction,
    relationship=st.sampled_from(["allow", "deny"]),
    codes=st.sampled_from([("DE",), ("US", "CA")]),
) | st.sampled_from([Restriction(relationship="allow")])
hashes = made(
    ExtraElement,
    name=st.just("media:hash"),
    text=st.just("dfdec888b72151965a34b4b59031290a"),
    attributes=st.just((("algo", "md5"),)),
)
videos = st.builds(
    Video,
    renditions=some(renditions(Kind.VIDEO, "mp4", "video/mp4"), 3, unique_by=lambda r: r.url),
    player_url=urls("html"),
    player_size=maybe(st.tuples(st.integers(1, 99), st.integers(1, 99))),
    title=plains,
    description=maybe(plains),
    thumbnails=some(thumbnails),
    published=maybe(moments),
    expires=maybe(moments),
    star_rating=maybe(
        st.builds(
            StarRating,
            average=decimals,
            count=st.integers(0, 99),
            minimum=st.just(Decimal(1)),
            maximum=st.just(Decimal(5)),
        )
    ),
    views=maybe(st.integers(0, 10**9)),
    favorites=maybe(st.integers(0, 10**9)),
    keywords=some(names, unique_by=str.casefold),
    tags=some(
        st.builds(Tag, name=names, weight=st.integers(0, 99).map(float)),
        unique_by=lambda tag: tag.name.casefold(),
    ),
    categories=some(st.builds(Category, term=names, label=maybe(names), scheme=maybe(names))),
    ratings=some(
        st.sampled_from(
            [Rating(value="adult"), Rating(value="pg-13", scheme="urn:mpaa")]
        ), unique=True
    ),
    countries=maybe(restrictions),
    embed_allowed=maybe(st.booleans()),
    prices=some(
        st.builds(
            Price,
            type=st.sampled_from(["rent", "subscription"]),
            amount=maybe(decimals),
            currency=maybe(st.just("EUR")),
            info=maybe(urls("html")),
        )
    ),
    live=maybe(st.just(True)),
    credits=some(made(Credit, name=plain, role=st.just("actor"), scheme=st.just("urn:ebu"))),
    copyright=maybe(plain),
    license=maybe(urls("html")),
    status=st.sampled_from([None, "active", "blocked"]),
    embed=maybe(st.builds(Embed, url=urls("swf"), width=sizes, height=sizes,
                          params=some(st.tuples(names, names)))),
    words=some(hashes, 1),
)  # fmt: skip


def with_one_default(item: Any) -> Any:
    """A group has one default."""
    first = next((r for r in item.renditions if r.is_default), None)
    renditions = (replace(r, is_default=r is first) for r in item.renditions)
    return replace(item, renditions=tuple(renditions))


def as_read(video: Video) -> Video:
    """What follows from the rest, as readers have it; an end comes after its start."""
    best = best_rendition.best(video.renditions)
    start, end = video.published, video.expires
    if start and end and end.instant < start.instant:
        start, end = end, start
    return replace(
        video,
        content_url=best and best.url,
        duration_s=8.5 if video.renditions else None,
        live=True if video.live or (best and best.expression == "nonstop") else None,
        published=start,
        expires=end,
    )


pictures = st.builds(
    Image,
    url=urls("jpg"),
    title=maybe(plains),
    caption=maybe(plains),
    geo=maybe(plain),
    license=maybe(urls("html")),
)
audios = st.builds(
    Audio,
    content_url=st.just(""),
    renditions=some(
        renditions(Kind.AUDIO, "mp3", "audio/mpeg"), 2, min_size=1, unique_by=lambda r: r.url
    ),
    title=maybe(plains),
    thumbnails=some(thumbnails),
).map(
    lambda audio: replace(
        with_one_default(audio),
        content_url=next(
            (r.url for r in audio.renditions if r.is_default), audio.renditions[0].url
        ),
    )
)
entries = st.builds(
    Entry,
    loc=urls("html"),
    id=st.integers(0, 10**9).map("tag:ex.com,2025:{}".format),
    id_is_permalink=st.just(False),
    title=plain,
    summary=htmls | plains,
    content=maybe(htmls | plains),
    published=moments,
    updated=moments,
    authors=some(
        st.builds(Person, name=plain, email=maybe(st.just("a@ex.com")), uri=maybe(urls("html"))),
        unique=True,
    ),
    categories=some(st.builds(Category, term=names, scheme=maybe(urls("html"))), min_size=1),
    lang=st.sampled_from([None, "en", "de-AT"]),
    videos=some(videos.map(with_one_default).map(as_read)),
    images=some(pictures),
    audios=some(audios),
    copyright=maybe(plain),
    links=some(made(Link, href=urls("html"), rel=st.sampled_from(["related", "via"]),
                         type=maybe(st.just("text/html")), title=maybe(plain))),
    source=maybe(made(Link, href=urls("xml"), rel=st.just("source"), title=plain)),
    extra=some(made(ExtraElement, name=st.just("slash:comments"), text=st.just("3")), 1),
)  # fmt: skip


def with_artwork(entry: Entry) -> Entry:
    """Where there is no video, the thumbnails of sounds are pictures of the page."""
    if entry.videos:
        return entry
    artwork = {t.url: t for audio in entry.audios for t in audio.thumbnails}
    shown = tuple(Image(url=url) for url in artwork if url not in urls_of(entry))
    return replace(entry, images=(*entry.images, *shown))


def with_languages(entry: Entry) -> Entry:
    versions = (
        ("en", entry.loc or ""),
        ("de", "https://ex.com/de"),
        ("x-default", "https://ex.com/x"),
    )
    return replace(
        entry, alternates=tuple(Alternate(hreflang=lang, href=href) for lang, href in versions)
    )


def urls_of(entry: Entry) -> list[str]:
    renditions_ = [r for item in (*entry.videos, *entry.audios) for r in item.renditions]
    return [r.url for r in renditions_] + [image.url for image in entry.images]


feeds_of = st.lists(
    (entries | entries.map(with_languages))
    .map(with_artwork)
    .filter(lambda entry: len(set(urls_of(entry))) == len(urls_of(entry))),
    min_size=1,
    max_size=3,
    unique_by=(lambda entry: entry.id, lambda entry: entry.loc),
)


def _is_only_file(entry: Entry) -> bool:
    """RSS has one enclosure, and a video comes before a sound."""
    return not entry.videos and len(urls_of(entry)) == len(entry.audios) == 1


# -- the laws -----------------------------------------------------------------------------------


@pytest.mark.property
@pytest.mark.parametrize("target", WRITERS)
@given(given_entries=feeds_of)
@settings(max_examples=20)
def test_exact_fields_survive_a_round_trip(target: str, given_entries: list[Entry]) -> None:
    data, _ = written(target, given_entries)
    _, back, _ = read_all(READERS[target], data)
    exact = [field for field in FIELDS if field.is_exact(target)]
    for entry, again in zip(given_entries, back, strict=True):
        for field in exact:
            if (
                target == "rss"
                and field.name == "audio url"
                and (entry.videos or len(entry.audios) > 1)
            ):
                continue  # there is one enclosure
            expected, found = field.of(entry), field.of(again)
            if field.name == "start":  # one that the entry's own date says is not said again
                published = entry.published and entry.published.instant.isoformat()
                expected = [None if date == published else date for date in expected]
            assert found == expected, field.name


@pytest.mark.property
@pytest.mark.parametrize("target", WRITERS)
@given(given_entries=feeds_of, pretty=st.booleans())
@settings(max_examples=20)
def test_a_strict_judge_finds_nothing_wrong(
    target: str, given_entries: list[Entry], pretty: bool
) -> None:
    data, _ = written(target, given_entries, pretty=pretty, self_url="https://ex.com/feed.xml")
    found = [str(finding) for finding in check(data, now=NOW)]
    assert found == []


any_text = st.text(st.characters(), max_size=40)
any_person = st.builds(Person, name=maybe(any_text), email=maybe(any_text), uri=maybe(any_text))
any_category = st.builds(Category, term=any_text, label=maybe(any_text), scheme=maybe(any_text))
any_entries = st.builds(
    Entry,
    loc=st.none() | urls("html"),
    id=st.none() | any_text,
    title=st.none() | any_text,
    summary=st.none() | made(Text, value=any_text, is_html=st.booleans()),
    content=st.none() | made(Text, value=any_text, is_html=st.booleans()),
    authors=some(any_person),
    categories=some(any_category),
    comments=maybe(any_text),
    lang=maybe(any_text),
    copyright=maybe(any_text),
    links=some(made(Link, href=any_text, rel=names)),
    images=some(st.builds(Image, url=any_text | urls("png"), title=maybe(plains))),
    videos=some(
        st.builds(
            Video,
            content_url=maybe(any_text),
            player_url=maybe(any_text),
            title=maybe(made(Text, value=any_text, is_html=st.booleans())),
            keywords=some(any_text),
            tags=some(st.builds(Tag, name=any_text, weight=st.floats())),
            duration_s=maybe(st.floats()),
            copyright=maybe(any_text),
            thumbnails=some(st.builds(Thumbnail, url=any_text, time_s=maybe(st.floats()))),
            words=some(made(ExtraElement, name=names, text=maybe(any_text))),
        )
    ),
)  # fmt: skip


@pytest.mark.property
@pytest.mark.parametrize("target", WRITERS)
@given(given_entries=st.lists(any_entries, max_size=3), title=maybe(any_text), pretty=st.booleans())
@settings(max_examples=20)
def test_any_text_makes_a_document_and_the_same_one_again(
    target: str, given_entries: list[Entry], title: str | None, pretty: bool
) -> None:
    feed = Feed(title=title, description=title, lang=title, link=title, copyright=title)
    data, issues = written(target, given_entries, feed, pretty=pretty)
    assert (data, issues) == written(target, given_entries, feed, pretty=pretty)
    root = etree.fromstring(data)
    found = root.findall(".//item") + root.findall(".//{http://www.w3.org/2005/Atom}entry")
    assert len(found) == len(given_entries)


@pytest.mark.property
@pytest.mark.parametrize("target", WRITERS)
@given(value=st.text(st.characters(exclude_characters="\r"), min_size=1))
def test_any_text_survives_or_is_reported(target: str, value: str) -> None:
    entry = Entry(loc="https://ex.com/a", title="T", content=Text(value=value))
    data, issues = written(target, [entry])
    [content] = [
        element.text or ""
        for element in etree.fromstring(data).iter()
        if etree.QName(element).localname in {"encoded", "content"}
    ]
    if target != "atom":
        content = content.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert (content == value) != ("text-cleaned" in [issue.code.value for issue in issues])
