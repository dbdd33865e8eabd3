"""What sitemaps drop or alter: a page's texts and people, unless a video or news state them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Final

from converter.model import Category, Credit, Entry, Price, Rating, StarRating, Text
from converter.options import WriteOptions
from converter.seams import Losses, LossRule
from converter.values import urls
from converter.vocab.limits import MOST_DESCRIPTION, MOST_TAGS, MOST_TITLE
from converter.vocab.lost.tables import (
    FILE,
    HEADER,
    OTHER_ARTWORK,
    all_lost,
    altered,
    are_several,
    has_pagemap,
    has_words_of_feeds,
    is_inherited,
    is_other_id,
    lacks,
    wanted,
)
from converter.vocab.page import readable

__all__ = ["in_sitemap"]

# -- what a video takes from its page (mapping 3.7) -------------------------------------------


_scheme: Final = attrgetter("scheme")

_lends_title: Final = lacks("title")
_lends_description: Final = lacks("description")
_lends_date: Final = lacks("published")
_lends_tags: Final = lacks("keywords", "tags")
_lends_rating: Final = lacks("ratings")
_lends_thumbnail: Final = lacks("thumbnails")
_lends_series: Final = lacks("series")


def _lends_summary(entry: Entry) -> bool:
    return _lends_description(entry) and not (entry.podcast and entry.podcast.summary)


def _lends_content(entry: Entry) -> bool:
    return entry.summary is None and _lends_summary(entry)


def _lends_subtitle(entry: Entry) -> bool:
    return entry.content is None and _lends_content(entry)


def _lends_categories(entry: Entry) -> bool:
    return _lends_tags(entry) and not (entry.podcast and entry.podcast.keywords)


def _is_maker(credit: Credit) -> bool:
    return credit.role in {"uploader", "owner"}


def _lends_maker(entry: Entry) -> bool:
    return any(not v.uploader and not any(map(_is_maker, v.credits)) for v in entry.videos)


def _lends_author(entry: Entry) -> bool:
    return _lends_maker(entry) and not (entry.podcast and entry.podcast.author)


def _lends_duration(entry: Entry) -> bool:
    return len(entry.videos) == 1 and entry.videos[0].duration_s is None


def _lends_picture(entry: Entry) -> bool:
    return not entry.videos or _lends_thumbnail(entry)


def _lends_episode(entry: Entry) -> bool:
    """Tell whether a video is stated to be an episode: of a show that has a name."""
    return bool(entry.feed and entry.feed.title) and _lends_series(entry)


# -- conditions -------------------------------------------------------------------------------


def _cuts_title(entry: Entry) -> bool:
    return len(entry.title or "") > MOST_TITLE and _lends_title(entry)


def _drops_authors(entry: Entry) -> bool:
    return len(entry.authors) > (1 if entry.videos and _lends_author(entry) else 0)


def _drops_page_of_author(entry: Entry) -> bool:
    if _lends_author(entry):
        return any(p.uri and not urls.same_site(p.uri, entry.loc or "") for p in entry.authors[:1])
    return any(person.uri for person in entry.authors)


def _has_details(categories: tuple[Category, ...]) -> bool:
    for category in categories:  # `any` would take twice the time
        if category.scheme or (category.label and category.label != category.term):
            return True
    return False


def _longer_than(most: int) -> Callable[[Text], bool]:
    """Return the condition that a text is longer than it may be, or more than plain."""

    def is_too_much(text: Text) -> bool:
        value = text.value
        is_long = len(value) > most and len(readable(text) or "") > most
        return is_long or (text.is_html and "<" in value)

    return is_too_much


def _is_on_other_scale(star: StarRating) -> bool:
    has_other_maximum = star.maximum is not None and star.maximum != 5
    return has_other_maximum or star.minimum not in (1, 0, None)


def _has_other_ratings(ratings: tuple[Rating, ...]) -> bool:
    return set(map(_scheme, ratings)) != {"urn:simple"}


def _drops_tags(entry: Entry) -> bool:
    return any(v.tags and (v.keywords or len(v.tags) > MOST_TAGS) for v in entry.videos)


def _drops_embed(entry: Entry) -> bool:
    return any(v.embed and (v.player_url or v.youtube_id) for v in entry.videos)


def _has_price(prices: tuple[Price, ...]) -> bool:
    return any(price.type != "subscription" or price.amount is not None for price in prices)


def _has_other_price(prices: tuple[Price, ...]) -> bool:
    """Tell whether a price is for neither rent nor purchase, and is more than a flag."""
    others = (price for price in prices if price.type in {"package", "subscription"})
    return any(price.type == "package" or price.amount is not None for price in others)


# -- tables -----------------------------------------------------------------------------------

_DESCRIPTION: Final = "the description of a video that has none"
_MOST: Final = f"the first {MOST_TAGS}"
_RATING: Final = "the rating of a video that has none"
_SITE: Final = "that of the uploader, on the same site"
_TAGS: Final = "tags of a video that has none"
_TEXT: Final = "the description of a video that has neither that nor a summary"
_UPLOADER: Final = "the uploader of a video that names none"
_SERIES: Final = ("season", "episode", "episode_type")
_VIDEOS: Final = ("videos",)

_ALWAYS: Final = (
    altered("title", f"{MOST_TITLE} characters", whole=_cuts_title, needs=_VIDEOS),
    LossRule("summary", _DESCRIPTION, unless=_lends_summary, needs=_VIDEOS),
    LossRule("content", _TEXT, unless=_lends_content, needs=_VIDEOS),
    LossRule("id", whole=is_other_id),
    *all_lost("lang", "comments", "copyright", "links", "source", "audio"),
    LossRule("extra", value=has_words_of_feeds),
    LossRule("author", _UPLOADER, whole=_drops_authors),
    LossRule("author/email"),
    LossRule("author/uri", _SITE, whole=_drops_page_of_author),
    LossRule("category", _TAGS, unless=_lends_categories, needs=_VIDEOS),
    LossRule("category/scheme", value=_has_details, of="category"),
    altered("video/title", f"plain text, {MOST_TITLE:,} characters", _longer_than(MOST_TITLE)),
    altered(
        "video/description",
        f"plain text, {MOST_DESCRIPTION:,} characters",
        _longer_than(MOST_DESCRIPTION),
    ),
    altered("video/duration_s", "whole seconds, at most 28,800", lambda seconds: seconds % 1),
    LossRule("video/renditions", "the best", are_several),
    *all_lost(*FILE, within="video/renditions"),
    LossRule("video/thumbnails", "the first", are_several),
    *all_lost("width", "height", "time_s", within="video/thumbnails"),
    altered("video/star_rating", "0 to 5", _is_on_other_scale),
    LossRule("video/star_rating/count"),
    LossRule("video/keywords", f"the first {MOST_TAGS}", lambda words: len(words) > MOST_TAGS),
    LossRule(
        "video/tags", f"the first {MOST_TAGS}, where there are no keywords", whole=_drops_tags
    ),
    LossRule("video/tags/weight", "their order", lambda weight: weight != 1),
    altered(
        "video/ratings",
        "family-friendly or not",
        _has_other_ratings,
    ),
    LossRule("video/credits", "uploader or owner", lambda them: not all(map(_is_maker, them))),
    LossRule("video/embed", "its URL, where there is no player", whole=_drops_embed),
    *all_lost("player_size", "favorites", "copyright", "license", "status", within="video"),
    *all_lost("video/words", "video/prices/info", "image/words", "image/rendition"),
    LossRule("podcast/author", _UPLOADER, unless=_lends_maker),
    LossRule("podcast/summary", _DESCRIPTION, unless=_lends_description),
    LossRule("podcast/subtitle", _DESCRIPTION, unless=_lends_subtitle),
    LossRule("podcast/keywords", _TAGS, unless=_lends_tags),
    LossRule("podcast/explicit", _RATING, unless=_lends_rating),
    LossRule("podcast/duration_s", "the duration of a video that has none", unless=_lends_duration),
    LossRule("podcast/images", "pictures of the page or its video", unless=_lends_picture),
    LossRule("podcast/blocked"),
)
_TODAY: Final = (
    LossRule("extra", value=has_pagemap),
    LossRule("license"),
    *all_lost("access", "genres", "keywords", "stock_tickers", within="news"),
    *all_lost("autoplay", "categories", "embed_allowed", "gallery", within="video"),
    *all_lost("ids", "segments", "series", within="video"),
    LossRule("video/prices", "that it wants a subscription", _has_price),
    *all_lost("title", "caption", "geo", "license", within="image"),
    *all_lost(*_SERIES, within="podcast"),
)
_LEGACY: Final = (
    LossRule("license", "that of the page's pictures", unless=lambda entry: entry.images),
    LossRule("video/categories", "the first", are_several),
    LossRule("video/prices", "those of rent and purchase", _has_other_price),
    *(
        LossRule(f"podcast/{name}", "that of a video without a series", unless=_lends_episode)
        for name in _SERIES
    ),
)

#: What pages take up of a header, which sitemaps do not have.
_OF_HEADER: Final = {
    "lang": "the language of news",
    "author": f"{_UPLOADER}, but for RSS",
    "image": "the thumbnail of a video that has none",
    "ratings": _RATING,
    "podcast/author": _UPLOADER,
    "podcast/explicit": _RATING,
}
_OF_HEADER_LEGACY: Final = {
    "title": "the show that an episode is of",
    "license": "that of pictures",
}


def in_sitemap(options: WriteOptions) -> Losses:
    """Return what sitemaps with their extensions drop or alter."""
    name = options.news_name
    needs = () if name else ("videos", "news")
    stated_by_news = (
        LossRule(
            "title",
            "that of news, or of a video that has none",
            unless=lambda entry: (
                entry.news or _lends_title(entry) or (name and _is_new(entry, options))
            ),
            needs=needs,
        ),
        altered(
            "published",
            "merged into lastmod, but for news and videos",
            unless=lambda entry: (
                entry.news or _lends_date(entry) or (name and _is_new(entry, options))
            ),
            needs=needs,
        ),
    )
    rules = (*stated_by_news, *_ALWAYS, *(_LEGACY if options.legacy_tags else _TODAY))
    left = _OF_HEADER | (_OF_HEADER_LEGACY if options.legacy_tags else {})
    return Losses(wanted(rules, options), tuple(_of_header(left)))


def _is_new(entry: Entry, options: WriteOptions) -> bool:
    from converter.vocab.news import is_recent

    return entry.published is not None and is_recent(entry.published, options.now)


def _of_header(left: Mapping[str, str]) -> Iterator[LossRule]:
    for name in HEADER:
        if name not in {"podcast/images", "words"}:
            yield LossRule(f"feed/{name}", left.get(name, ""))
    yield LossRule("feed/author/email")
    yield LossRule("feed/author/uri", _SITE)
    yield OTHER_ARTWORK
    yield LossRule("feed/words", "what videos and pictures inherit", is_inherited)
