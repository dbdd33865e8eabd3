"""What sitemaps and lists of URLs hold in part, alter, or drop under a condition.

The texts and people of a page are lost, unless a video or news takes them (mapping 3.7).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from converter.extensions.field_support.rules import (
    LossRule,
    OmissionReason,
    all_have,
    altered,
    are_several,
    has_artwork,
    has_label,
    has_pagemap,
    is_inherited,
    other_versions,
)
from converter.extensions.page_context import PageContext, to_plain_text
from converter.issues import ignore
from converter.model import Credit, Entry, ExtraElement, Price, StarRating, Text, Video
from converter.options import WriteOptions
from converter.sitemap_limits import MAX_VIDEO_DESCRIPTION, MAX_VIDEO_TAGS, MAX_VIDEO_TITLE
from converter.values import urls

# -- conditions -------------------------------------------------------------------------------

_are_dated: Final = all_have("published")
_are_described: Final = all_have("description")
_are_of_series: Final = all_have("series")
_are_tagged: Final = all_have("keywords", "tags")
_are_titled: Final = all_have("title")


def _is_news(entry: Entry, options: WriteOptions) -> bool:
    """Whether there is news of the page, or --news makes some."""
    if entry.news is not None or options.news_name is None or entry.published is None:
        return entry.news is not None
    from converter.extensions.news import is_recent

    return is_recent(entry.published, options.now)


def _drops_title(entry: Entry, options: WriteOptions) -> object:
    return not _is_news(entry, options) and _are_titled(entry, options)


def _merges_date(entry: Entry, options: WriteOptions) -> object:
    return not _is_news(entry, options) and _are_dated(entry, options)


def _drops_summary(entry: Entry, options: WriteOptions) -> object:
    return _are_described(entry, options) or (entry.podcast and entry.podcast.summary)


def _drops_content(entry: Entry, options: WriteOptions) -> object:
    return entry.summary is not None or _drops_summary(entry, options)


def _drops_subtitle(entry: Entry, options: WriteOptions) -> object:
    return entry.content is not None or _drops_content(entry, options)


def _drops_categories(entry: Entry, options: WriteOptions) -> object:
    """Whether no video takes the categories, or it takes their labels only."""
    is_taken = not (_are_tagged(entry, options) or (entry.podcast and entry.podcast.keywords))
    return not is_taken or has_label(entry.categories)


def _cuts_title(entry: Entry, options: WriteOptions) -> bool:
    return len(entry.title or "") > MAX_VIDEO_TITLE and not _are_titled(entry, options)


def _is_maker(credit: Credit) -> bool:
    return credit.role in {"uploader", "owner"}


def _have_makers(entry: Entry, _options: WriteOptions) -> bool:
    return all(video.uploader or any(map(_is_maker, video.credits)) for video in entry.videos)


def _drops_authors(entry: Entry, options: WriteOptions) -> object:
    """Whether no video takes an author of the page, or there are more authors."""
    is_taken = not (_have_makers(entry, options) or (entry.podcast and entry.podcast.author))
    return len(entry.authors) > 1 or not is_taken


def _drops_page_of_author(entry: Entry, options: WriteOptions) -> object:
    page = entry.authors[0].uri or ""
    return _drops_authors(entry, options) or not urls.same_site(page, entry.loc or "")


def _takes_no_duration(entry: Entry, _options: WriteOptions) -> bool:
    return len(entry.videos) != 1 or entry.videos[0].duration_s is not None


def _is_no_episode(entry: Entry, options: WriteOptions) -> object:
    """Whether no video is stated to be an episode: of a show that has a name."""
    return not (entry.feed and entry.feed.title) or _are_of_series(entry, options)


def _is_cut(text: Text, most: int) -> bool:
    """Whether a text is longer than it may be, or more than plain."""
    is_long = len(text.value) > most and len(to_plain_text(text) or "") > most
    return is_long or (text.is_html and "<" in text.value)


def _is_on_other_scale(star: StarRating) -> bool:
    has_other_maximum = star.maximum is not None and star.maximum != 5
    return has_other_maximum or star.minimum not in (1, 0, None)


def _has_other_price(prices: tuple[Price, ...]) -> bool:
    """Whether a price is for neither rent nor purchase, and is more than a flag."""
    others = (price for price in prices if price.type in {"package", "subscription"})
    return any(price.type == "package" or price.amount is not None for price in others)


#: What of `Entry.extra` no sitemap holds; `Entry.other` counts the rest.
_OF_FEEDS: Final = ("news:", "slash:", "thr:", "wfw:", "xhtml:")


def _is_of_feeds(words: tuple[ExtraElement, ...]) -> bool:
    """Whether there are elements that only feeds hold."""
    return any(word.name.startswith(_OF_FEEDS) for word in words)


# -- the rules --------------------------------------------------------------------------------

_DESCRIPTION: Final = "the description of a video that has none"
_DURATION: Final = "the duration of a video that has none"
_EPISODE: Final = "that of a video without a series"
_LASTMOD: Final = "merged into lastmod, but for news and videos"
_MAKERS: Final = "uploader or owner"
_NEWS: Final = "that of news, or of a video that has none"
_PICTURE: Final = "the picture of the feed"
_RATING: Final = "the rating of a video that has none"
_SITE: Final = "that of the uploader, on the same site"
_TAGS: Final = "tags of a video that has none"
_TEXT: Final = "the description of a video that has neither that nor a summary"
_UPLOADER: Final = "the uploader of a video that names none"
_PAGE_PICTURES: Final = "pictures of the page or its video"
_FIRST_TAGS: Final = f"the first {MAX_VIDEO_TAGS}"

RULES: Final = {
    "txt sitemap sitemap+legacy": (LossRule("id", if_item=lambda it, _: it.id != it.loc),),
    "txt sitemap": (LossRule("extra", if_value=lambda it: _is_of_feeds(it) or has_pagemap(it)),),
    "sitemap sitemap+legacy": (
        LossRule("title", _NEWS, _drops_title, kept_with="video news"),
        altered("title", "100 characters", _cuts_title),
        LossRule("summary", _DESCRIPTION, _drops_summary, kept_with="video"),
        LossRule("content", _TEXT, _drops_content, kept_with="video"),
        altered("published", _LASTMOD, _merges_date, kept_with="video news"),
        LossRule("author", _UPLOADER, _drops_authors, kept_with="video"),
        LossRule("author/uri", _SITE, _drops_page_of_author),
        LossRule("category", _TAGS, _drops_categories, kept_with="video"),
        altered(
            "video/title",
            "plain text, 100 characters",
            if_value=partial(_is_cut, most=MAX_VIDEO_TITLE),
        ),
        altered(
            "video/description",
            "plain text, 2,048 characters",
            if_value=partial(_is_cut, most=MAX_VIDEO_DESCRIPTION),
        ),
        altered("video/duration_s", "whole seconds, at most 28,800", if_value=lambda it: it % 1),
        LossRule("video/renditions", "the best", if_value=are_several),
        LossRule("video/thumbnails", "the first", if_value=are_several),
        altered("video/star_rating", "0 to 5", if_value=_is_on_other_scale),
        LossRule("video/keywords", _FIRST_TAGS, if_value=lambda words: len(words) > MAX_VIDEO_TAGS),
        LossRule(
            "video/tags",
            f"{_FIRST_TAGS}, where there are no keywords",
            lambda it, _: any(
                v.tags and (v.keywords or len(v.tags) > MAX_VIDEO_TAGS) for v in it.videos
            ),
        ),
        LossRule("video/tags/weight", "their order", if_value=lambda weight: weight != 1),
        altered(
            "video/ratings",
            "family-friendly or not",
            if_value=lambda ratings: any(rating.scheme != "urn:simple" for rating in ratings),
        ),
        LossRule("video/credits", _MAKERS, if_value=lambda it: not all(map(_is_maker, it))),
        LossRule(
            "video/embed",
            "its URL, where there is no player",
            lambda it, _: any(v.embed and (v.player_url or v.youtube_id) for v in it.videos),
        ),
        LossRule("podcast/author", _UPLOADER, _have_makers),
        LossRule("podcast/summary", _DESCRIPTION, _are_described),
        LossRule("podcast/subtitle", _DESCRIPTION, _drops_subtitle),
        LossRule("podcast/keywords", _TAGS, _are_tagged),
        LossRule("podcast/explicit", _RATING, all_have("ratings")),
        LossRule("podcast/duration_s", _DURATION, _takes_no_duration),
        LossRule(
            "podcast/images",
            _PAGE_PICTURES,
            lambda it, _: it.videos and all(video.thumbnails for video in it.videos),
        ),
        LossRule("feed/lang", "the language of news"),
        LossRule("feed/author", f"{_UPLOADER}, but for RSS"),
        LossRule("feed/author/uri", _SITE),
        LossRule("feed/image", "the thumbnail of a video that has none"),
        LossRule("feed/ratings", _RATING),
        LossRule("feed/podcast/author", _UPLOADER),
        LossRule("feed/podcast/explicit", _RATING),
        LossRule("feed/podcast/images", _PICTURE, has_artwork),
        LossRule("feed/words", "what videos and pictures inherit", if_value=is_inherited),
    ),
    "sitemap": (
        LossRule(
            "video/prices",
            "that it wants a subscription",
            if_value=lambda prices: any(
                price.type != "subscription" or price.amount is not None for price in prices
            ),
        ),
    ),
    "sitemap+legacy": (
        LossRule("video/categories", "the first", if_value=are_several),
        LossRule("video/prices", "those of rent and purchase", if_value=_has_other_price),
        LossRule("podcast/season", _EPISODE, _is_no_episode),
        LossRule("podcast/episode", _EPISODE, _is_no_episode),
        LossRule("podcast/episode_type", _EPISODE, _is_no_episode),
        LossRule("license", "that of the page's pictures", lambda it, _: not it.images),
        LossRule("extra", if_value=_is_of_feeds),
        LossRule("feed/title", "the show that an episode is of"),
        LossRule("feed/license", "that of pictures"),
    ),
}

# -- what a list leaves out ---------------------------------------------------------------------

_ONLY_URLS: Final = "a list holds URLs only"


def _listable(entry: Entry, options: WriteOptions) -> list[Video]:
    """Return the videos that a sitemap would hold."""
    # hardly any list is made of videos
    from converter.extensions.video.required_tags import PageDefaults, publishable

    page = PageContext(ignore, entry=entry, loc=entry.loc or "", options=options)
    defaults = PageDefaults(page)
    return [video for video in entry.videos if publishable(video, page, defaults)]


def _unlistable(entry: Entry, options: WriteOptions) -> range:
    return range(len(entry.videos) - len(_listable(entry, options)))


OMISSIONS: Final = {
    "txt": {
        OmissionReason("video", _ONLY_URLS, ("sitemap",)): _listable,
        OmissionReason("video", f"{_ONLY_URLS}, and no sitemap would hold it"): _unlistable,
        OmissionReason("image", _ONLY_URLS, ("sitemap",)): lambda it, _: {i.url for i in it.images},
        OmissionReason("language", _ONLY_URLS, ("sitemap",)): other_versions,
    }
}
