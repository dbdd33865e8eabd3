"""What sitemaps do not hold as the model does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from converter.model import Entry, StarRating, Text, Video
from converter.options import WriteOptions
from converter.seams import Loss, Losses
from converter.values import urls
from converter.vocab.limits import MOST_DESCRIPTION, MOST_TAGS, MOST_TITLE
from converter.vocab.lost import headers
from converter.vocab.lost.tables import (
    FILE,
    OTHER,
    altered,
    any_video,
    has_extra,
    is_marked,
    is_other_id,
    is_pagemap,
    is_weighted,
    item,
    lost,
    member,
    podcast,
    wanted,
)
from converter.vocab.page import readable

__all__ = ["in_sitemap"]

# -- what a video takes from its page (mapping 3.7) -------------------------------------------


def _lends_title(entry: Entry) -> bool:
    return any(video.title is None for video in entry.videos)


def _lends_description(entry: Entry) -> bool:
    return any(video.description is None for video in entry.videos)


def _lends_summary(entry: Entry) -> bool:
    return _lends_description(entry) and not (entry.podcast and entry.podcast.summary)


def _lends_content(entry: Entry) -> bool:
    return entry.summary is None and _lends_summary(entry)


def _lends_subtitle(entry: Entry) -> bool:
    return entry.content is None and _lends_content(entry)


def _lends_tags(entry: Entry) -> bool:
    return any(not video.keywords and not video.tags for video in entry.videos)


def _lends_categories(entry: Entry) -> bool:
    return _lends_tags(entry) and not (entry.podcast and entry.podcast.keywords)


def _is_credited(video: Video) -> bool:
    if video.uploader is not None:
        return True
    return any(credit.role in {"uploader", "owner"} for credit in video.credits)


def _lends_maker(entry: Entry) -> bool:
    return any(not _is_credited(video) for video in entry.videos)


def _lends_author(entry: Entry) -> bool:
    return _lends_maker(entry) and not (entry.podcast and entry.podcast.author)


def _lends_duration(entry: Entry) -> bool:
    return len(entry.videos) == 1 and entry.videos[0].duration_s is None


def _lends_rating(entry: Entry) -> bool:
    return any(not video.ratings for video in entry.videos)


def _lends_picture(entry: Entry) -> bool:
    return not entry.videos or any(not video.thumbnails for video in entry.videos)


def _lends_series(entry: Entry) -> bool:
    """Say whether a video is told to be an episode: of a show that has a name."""
    if entry.feed is None or not entry.feed.title:
        return False
    return any(video.series is None for video in entry.videos)


# -- what is lost or altered of a page --------------------------------------------------------


def _unnamed_authors(entry: Entry) -> bool:
    return len(entry.authors) > (1 if _lends_author(entry) else 0)


def _unlinked_author(entry: Entry) -> bool:
    """Say whether the page of an author is lost: only the uploader's on the same site is kept."""
    if _lends_author(entry):
        return any(p.uri and not urls.same_site(p.uri, entry.loc or "") for p in entry.authors[:1])
    return any(person.uri for person in entry.authors)


def _details_of_categories(entry: Entry) -> bool:
    return any(category.scheme or category.text != category.term for category in entry.categories)


def _is_lent_long(entry: Entry) -> bool:
    return _lends_title(entry) and len(entry.title or "") > MOST_TITLE


def _is_merged(entry: Entry) -> bool:
    """Say whether `published` is only told by `lastmod`: no video, no news has it."""
    if entry.published is None or entry.news is not None:
        return False
    return all(video.published is not None for video in entry.videos)


# -- of a video -------------------------------------------------------------------------------


def _exceeds(field: str, most: int) -> Callable[[Entry], object]:
    """Say whether a text is more than plain, or longer than it may be."""

    def has(video: Video) -> bool:
        value: Text | None = getattr(video, field)
        if value is None:
            return False
        long = len(value.value) > most and len(readable(value) or "") > most
        return long or is_marked(value)

    return any_video(has)


def _is_fractional(video: Video) -> bool:
    return video.duration_s is not None and video.duration_s % 1 != 0


def _is_on_other_scale(video: Video) -> bool:
    star = video.star_rating or StarRating()
    return star.maximum not in {None, 5} or star.minimum not in {None, 0, 1}


def _is_embed_passed_over(video: Video) -> bool:
    return video.embed is not None and bool(video.player_url or video.youtube_id)


def _has_price(video: Video) -> bool:
    return any(price.type != "subscription" or price.amount is not None for price in video.prices)


def _has_other_price(video: Video) -> bool:
    """Say whether a price is for neither rent nor purchase, and is more than a flag."""
    others = (price for price in video.prices if price.type in {"package", "subscription"})
    return any(price.type == "package" or price.amount is not None for price in others)


_VIDEO: Final = (
    altered("video/title", _exceeds("title", MOST_TITLE), f"plain text, {MOST_TITLE} characters"),
    altered(
        "video/description",
        _exceeds("description", MOST_DESCRIPTION),
        f"plain text, {MOST_DESCRIPTION:,} characters",
    ),
    altered("video/duration_s", any_video(_is_fractional), "whole seconds, at most 28,800"),
    lost("video/renditions", any_video(lambda video: len(video.renditions) > 1), "the best"),
    *(member(f"video/renditions/{name}") for name in FILE),
    lost("video/thumbnails", any_video(lambda video: len(video.thumbnails) > 1), "the first"),
    *(member(f"video/thumbnails/{name}") for name in ("width", "height", "time_s")),
    altered("video/star_rating", any_video(_is_on_other_scale), "0 to 5"),
    lost(
        "video/star_rating/count",
        any_video(lambda video: video.star_rating and video.star_rating.count is not None),
    ),
    lost(
        "video/keywords",
        any_video(lambda video: len(video.keywords) > MOST_TAGS),
        f"the first {MOST_TAGS}",
    ),
    lost(
        "video/tags",
        any_video(lambda video: video.tags and (video.keywords or len(video.tags) > MOST_TAGS)),
        f"the first {MOST_TAGS}, where there are no keywords",
    ),
    lost(
        "video/tags/weight",
        any_video(is_weighted),
        "their order",
    ),
    altered(
        "video/ratings",
        any_video(lambda video: any(rating.scheme != "urn:simple" for rating in video.ratings)),
        "family-friendly or not",
    ),
    lost(
        "video/credits",
        any_video(lambda v: {credit.role for credit in v.credits} - {"uploader", "owner"}),
        "uploader or owner",
    ),
    lost("video/embed", any_video(_is_embed_passed_over), "its URL, where there is no player"),
    *(
        item(f"video/{name}")
        for name in ("player_size", "favorites", "copyright", "license", "status", "words")
    ),
)

_IMAGE: Final = (item("image/words"), item("image/rendition"))

# -- with and without the tags that have no effect any more -------------------------------------

_PAGE: Final = (
    lost("id", is_other_id),
    lost("lang"),
    lost("comments"),
    lost("copyright"),
    lost("links"),
    lost("source"),
    lost("extra", has_extra),
    lost("audio"),
    lost("author", _unnamed_authors, "the uploader of a video that names none"),
    lost("author/email", lambda entry: any(person.email for person in entry.authors)),
    lost("author/uri", _unlinked_author, "that of the uploader, on the same site"),
    lost(
        "category",
        lambda entry: entry.categories and not _lends_categories(entry),
        "tags of a video that has none",
    ),
    lost("category/scheme", _details_of_categories),
    OTHER,
)
_OF_PODCAST: Final = (
    podcast("author", _lends_maker, "the uploader of a video that names none"),
    podcast("summary", _lends_description, "the description of a video that has none"),
    podcast("subtitle", _lends_subtitle, "the description of a video that has none"),
    podcast("keywords", _lends_tags, "tags of a video that has none"),
    podcast("explicit", _lends_rating, "the rating of a video that has none"),
    podcast("duration_s", _lends_duration, "the duration of a video that has none"),
    podcast("images", _lends_picture, "pictures of the page or its video"),
    podcast("blocked"),
)
_SERIES: Final = ("season", "episode", "episode_type")


def _texts(options: WriteOptions) -> tuple[Loss[Entry], ...]:
    """Make the rows of title, text and date, which a news block may tell of, too."""

    def is_news(entry: Entry) -> bool:
        if entry.news is not None:
            return True
        return bool(options.news_name) and _is_new(entry, options.now)

    return (
        lost(
            "title",
            lambda entry: entry.title and not _lends_title(entry) and not is_news(entry),
            "that of news, or of a video that has none",
        ),
        altered("title", _is_lent_long, f"{MOST_TITLE} characters"),
        lost(
            "summary",
            lambda entry: entry.summary and not _lends_summary(entry),
            "the description of a video that has none",
        ),
        lost(
            "content",
            lambda entry: entry.content and not _lends_content(entry),
            "the description of a video that has neither that nor a summary",
        ),
        altered(
            "published",
            lambda entry: _is_merged(entry) and not is_news(entry),
            "merged into lastmod, but for news and videos",
        ),
    )


def _is_new(entry: Entry, now: datetime) -> bool:
    from converter.vocab.news import is_recent

    return entry.published is not None and is_recent(entry.published, now)


def _of_news(name: str) -> Loss[Entry]:
    return lost(f"news/{name}", lambda entry: entry.news and getattr(entry.news, name))


#: What `--legacy-tags` would keep: of the page, of media, of a podcast.
_TODAY: Final = (
    (
        lost("extra", is_pagemap),
        lost("license"),
        *(_of_news(name) for name in ("access", "genres", "keywords", "stock_tickers")),
    ),
    (
        *(
            item(f"video/{name}")
            for name in (
                "autoplay",
                "categories",
                "embed_allowed",
                "gallery",
                "ids",
                "segments",
                "series",
            )
        ),
        lost("video/prices", any_video(_has_price), "that it wants a subscription"),
        member("video/prices/info"),
        *(item(f"image/{name}") for name in ("title", "caption", "geo", "license")),
    ),
    tuple(podcast(name) for name in _SERIES),
)
_LEGACY: Final = (
    (
        lost(
            "license",
            lambda entry: entry.license and not entry.images,
            "that of the page's pictures",
        ),
    ),
    (
        lost("video/categories", any_video(lambda video: len(video.categories) > 1), "the first"),
        lost("video/prices", any_video(_has_other_price), "those of rent and purchase"),
        member("video/prices/info"),
    ),
    tuple(podcast(name, _lends_series, "that of a video without a series") for name in _SERIES),
)


def in_sitemap(options: WriteOptions) -> Losses:
    """Sitemaps with their extensions."""
    page, media, episode = _LEGACY if options.legacy_tags else _TODAY
    rows = (*_texts(options), *_PAGE, *page, *_VIDEO, *_IMAGE, *media, *_OF_PODCAST, *episode)
    return headers.in_sitemap(wanted(Losses(rows), options), options)
