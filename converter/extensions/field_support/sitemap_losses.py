"""What sitemaps and lists of URLs hold in part, alter, or drop under a condition.

The texts and people of a page are lost, unless a video or news takes them (mapping 3.7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from converter.extensions.field_support.rules import (
    LossRule,
    OmissionReason,
    OmittedItem,
    all_have,
    are_several,
    has_artwork,
    has_pagemap,
    is_inherited,
    omitted_languages,
)
from converter.extensions.page_context import PageContext, to_plain_text
from converter.model import Credit, Entry, ExtraElement, Price, Rating, StarRating, Text
from converter.options import WriteOptions
from converter.sitemap_limits import MAX_VIDEO_DESCRIPTION, MAX_VIDEO_TAGS, MAX_VIDEO_TITLE
from converter.values import urls

# -- conditions: no video takes a field of its page ---------------------------------------------

_are_titled: Final = all_have("title")
_are_dated: Final = all_have("published")
_are_described: Final = all_have("description")
_are_tagged: Final = all_have("keywords", "tags")
_are_pictured: Final = all_have("thumbnails")
_are_of_series: Final = all_have("series")


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


def _cuts_title(entry: Entry, options: WriteOptions) -> bool:
    return len(entry.title or "") > MAX_VIDEO_TITLE and not _are_titled(entry, options)


def _drops_summary(entry: Entry, options: WriteOptions) -> object:
    return _are_described(entry, options) or (entry.podcast and entry.podcast.summary)


def _drops_content(entry: Entry, options: WriteOptions) -> object:
    return entry.summary is not None or _drops_summary(entry, options)


def _drops_subtitle(entry: Entry, options: WriteOptions) -> object:
    return entry.content is not None or _drops_content(entry, options)


def _drops_categories(entry: Entry, options: WriteOptions) -> object:
    return _are_tagged(entry, options) or (entry.podcast and entry.podcast.keywords)


def _is_maker(credit: Credit) -> bool:
    return credit.role in {"uploader", "owner"}


def _have_makers(entry: Entry, _options: WriteOptions) -> bool:
    return all(video.uploader or any(map(_is_maker, video.credits)) for video in entry.videos)


def _names_no_author(entry: Entry, options: WriteOptions) -> object:
    """Whether no video takes the author of the page."""
    return _have_makers(entry, options) or (entry.podcast and entry.podcast.author)


def _drops_authors(entry: Entry, options: WriteOptions) -> object:
    return len(entry.authors) > 1 or _names_no_author(entry, options)


def _drops_page_of_author(entry: Entry, options: WriteOptions) -> bool:
    if _names_no_author(entry, options):
        return any(person.uri for person in entry.authors)
    return any(p.uri and not urls.same_site(p.uri, entry.loc or "") for p in entry.authors[:1])


def _takes_no_duration(entry: Entry, _options: WriteOptions) -> bool:
    return len(entry.videos) != 1 or entry.videos[0].duration_s is not None


def _is_no_episode(entry: Entry, options: WriteOptions) -> object:
    """Whether no video is stated to be an episode: of a show that has a name."""
    return not (entry.feed and entry.feed.title) or _are_of_series(entry, options)


# -- conditions: what the elements of sitemaps cannot hold --------------------------------------


def _have_details(entry: Entry, _options: WriteOptions) -> bool:
    """Whether categories have more than a term."""
    for category in entry.categories:  # `any` would take twice the time
        if category.scheme or (category.label and category.label != category.term):
            return True
    return False


def _is_cut(text: Text, most: int) -> bool:
    """Whether a text is longer than it may be, or more than plain."""
    is_long = len(text.value) > most and len(to_plain_text(text) or "") > most
    return is_long or (text.is_html and "<" in text.value)


def _is_on_other_scale(star: StarRating) -> bool:
    has_other_maximum = star.maximum is not None and star.maximum != 5
    return has_other_maximum or star.minimum not in (1, 0, None)


def _have_other_schemes(ratings: tuple[Rating, ...]) -> bool:
    return any(rating.scheme != "urn:simple" for rating in ratings)


def _drops_tags(entry: Entry, _options: WriteOptions) -> bool:
    return any(v.tags and (v.keywords or len(v.tags) > MAX_VIDEO_TAGS) for v in entry.videos)


def _drops_embed(entry: Entry, _options: WriteOptions) -> bool:
    return any(v.embed and (v.player_url or v.youtube_id) for v in entry.videos)


def _has_price(prices: tuple[Price, ...]) -> bool:
    return any(price.type != "subscription" or price.amount is not None for price in prices)


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
_PLAIN_100: Final = "plain text, 100 characters"
_PLAIN_2048: Final = "plain text, 2,048 characters"
_FIRST_TAGS: Final = f"the first {MAX_VIDEO_TAGS}"

RULES: Final = {
    "txt sitemap sitemap+legacy": (LossRule("id", if_item=lambda it, _: it.id != it.loc),),
    "txt sitemap": (LossRule("extra", if_value=lambda it: _is_of_feeds(it) or has_pagemap(it)),),
    "sitemap sitemap+legacy": (
        LossRule("title", _NEWS, _drops_title, kept_with="video news"),
        LossRule("title", "100 characters", _cuts_title, fields="video", is_altered=True),
        LossRule("summary", _DESCRIPTION, _drops_summary, kept_with="video"),
        LossRule("content", _TEXT, _drops_content, kept_with="video"),
        LossRule("published", _LASTMOD, _merges_date, kept_with="video news"),
        LossRule("author", _UPLOADER, _drops_authors, kept_with="video"),
        LossRule("author/uri", _SITE, _drops_page_of_author),
        LossRule("category", _TAGS, _drops_categories, kept_with="video"),
        LossRule("category/scheme", if_item=_have_details, fields="category"),
        LossRule("video/title", _PLAIN_100, if_value=partial(_is_cut, most=MAX_VIDEO_TITLE)),
        LossRule(
            "video/description", _PLAIN_2048, if_value=partial(_is_cut, most=MAX_VIDEO_DESCRIPTION)
        ),
        LossRule("video/duration_s", "whole seconds, at most 28,800", if_value=lambda it: it % 1),
        LossRule("video/renditions", "the best", if_value=are_several),
        LossRule("video/thumbnails", "the first", if_value=are_several),
        LossRule("video/star_rating", "0 to 5", if_value=_is_on_other_scale),
        LossRule("video/keywords", _FIRST_TAGS, if_value=lambda words: len(words) > MAX_VIDEO_TAGS),
        LossRule("video/tags", f"{_FIRST_TAGS}, where there are no keywords", _drops_tags),
        LossRule("video/tags/weight", "their order", if_value=lambda weight: weight != 1),
        LossRule("video/ratings", "family-friendly or not", if_value=_have_other_schemes),
        LossRule("video/credits", _MAKERS, if_value=lambda it: not all(map(_is_maker, it))),
        LossRule("video/embed", "its URL, where there is no player", _drops_embed),
        LossRule("podcast/author", _UPLOADER, _have_makers),
        LossRule("podcast/summary", _DESCRIPTION, _are_described),
        LossRule("podcast/subtitle", _DESCRIPTION, _drops_subtitle),
        LossRule("podcast/keywords", _TAGS, _are_tagged),
        LossRule("podcast/explicit", _RATING, all_have("ratings")),
        LossRule("podcast/duration_s", _DURATION, _takes_no_duration),
        LossRule(
            "podcast/images", _PAGE_PICTURES, lambda it, o: it.videos and _are_pictured(it, o)
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
    "sitemap": (LossRule("video/prices", "that it wants a subscription", if_value=_has_price),),
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
_VIDEO: Final = OmissionReason("video", _ONLY_URLS, ("sitemap",))
_OTHER_VIDEO: Final = OmissionReason("video", f"{_ONLY_URLS}, and no sitemap would hold it")
_IMAGE: Final = OmissionReason("image", _ONLY_URLS, ("sitemap",))


def _left_out_of_list(entry: Entry, options: WriteOptions) -> Iterator[OmittedItem]:
    """Count what a list leaves out that a sitemap would hold, and the other videos."""
    if options.videos:
        listable = _listable(entry, options) if entry.videos else 0
        yield OmittedItem(_VIDEO, listable)
        yield OmittedItem(_OTHER_VIDEO, len(entry.videos) - listable)
    if options.images:
        yield OmittedItem(_IMAGE, len({image.url for image in entry.images}))
    yield omitted_languages(entry, _ONLY_URLS, "sitemap")


def _listable(entry: Entry, options: WriteOptions) -> int:
    """Count the videos that a sitemap would hold."""
    # hardly any list is made of videos
    from converter.extensions.video.required_tags import PageDefaults, publishable

    page = PageContext(entry, entry.loc or "", options, report=lambda _: None)
    defaults = PageDefaults(page)
    return sum(publishable(video, page, defaults) is not None for video in entry.videos)


OMISSIONS: Final[Mapping[str, Callable[[Entry, WriteOptions], Iterable[OmittedItem]]]] = {
    "txt": _left_out_of_list
}
