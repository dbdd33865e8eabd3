"""Writes `video:video` elements, their children in the order of the schema.

The schema: https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd
Its legacy elements are without effect since 2022-08-06:
https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from converter.extensions.page_context import PageContext, to_plain_text, to_w3c
from converter.extensions.video.required_tags import PageDefaults, PublishableVideo, publishable
from converter.issues import Code
from converter.model import Person, Restriction, Series, Video
from converter.sitemap_limits import MAX_VIDEO_TAGS
from converter.values import ratings, tags, urls
from converter.values.lazy_regex import lazy_regex
from converter.xml.escape import escape, text_element

if TYPE_CHECKING:
    from decimal import Decimal

_MAX_CATEGORY: Final = 256
_MAX_UPLOADER: Final = 255
_MAX_DURATION_S: Final = 28_800

#: The values that the schema allows.
_PRICE_TYPES: Final = frozenset({"rent", "purchase"})
_RESOLUTIONS: Final = frozenset({"sd", "hd"})
_ID_TYPES: Final = frozenset(
    {"tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url"}
)
_CURRENCY: Final = lazy_regex("[A-Z]{3}")

#: The schema's values of `video:video_type`, and those of `itunes:episodeType`.
_VIDEO_TYPE: Final[Mapping[str, str]] = MappingProxyType(
    {kind: kind for kind in ("full", "preview", "clip", "interview", "news", "other")}
    | {"trailer": "preview", "bonus": "other"}
)


def write_videos(page: PageContext) -> tuple[list[str], set[str]]:
    """Write the publishable videos of a page.

    Returns:
        The elements, and the URLs of their thumbnails.
    """
    defaults = PageDefaults(page)
    elements, thumbnails = [], set()
    for video in page.entry.videos:
        item = publishable(video, page, defaults)
        if item is not None:
            elements.append(f"<video:video>{_children(item)}</video:video>")
            thumbnails.add(item.thumbnail)
    return elements, thumbnails


def _children(item: PublishableVideo) -> str:
    """Write the children in the order of the schema's xsd:sequence, which validators require.

    Google's own samples do not follow it.
    """
    page, video = item.page, item.video
    is_legacy = page.options.legacy_tags
    date = to_w3c(video.published) or to_w3c(page.published())  # the own one may lie ahead
    children = (
        text_element("video:thumbnail_loc", item.thumbnail),
        text_element("video:title", item.title),
        text_element("video:description", item.description),
        text_element("video:content_loc", item.content),
        _legacy_player(item) if is_legacy else text_element("video:player_loc", item.player),
        _leaf("duration", _duration(item)),
        _leaf("expiration_date", to_w3c(video.expires)),
        _leaf("rating", _rating(item)),
        _segments(item) if is_legacy else "",
        _leaf("view_count", video.views),
        _leaf("publication_date", date),
        _tags(item),
        text_element("video:category", _category(item)) if is_legacy else "",
        _leaf("family_friendly", _yes_no(_is_family_friendly(item))),
        _restriction("video:restriction", video.countries),
        _gallery(video) if is_legacy else "",
        _prices(item) if is_legacy else "",
        _leaf("requires_subscription", _stated(_needs_subscription(video), item)),
        _uploader(item),
        _tvshow(item) if is_legacy else "",
        _restriction("video:platform", video.platforms),
        _leaf("live", _stated(video.live, item)),
        _ids(video) if is_legacy else "",
    )
    return "".join(children)


def _leaf(name: str, value: str | int | None) -> str:
    """Write a number, a date or a word, which need no escaping; None writes nothing."""
    return "" if value is None else f"<video:{name}>{value}</video:{name}>"


# -- the player -------------------------------------------------------------------------------


def _legacy_player(item: PublishableVideo) -> str:
    allowed, autoplay = _yes_no(item.video.embed_allowed), to_plain_text(item.video.autoplay)
    return text_element(
        "video:player_loc", item.player, (("allow_embed", allowed), ("autoplay", autoplay))
    )


def _segments(item: PublishableVideo) -> str:
    """Write the parts of a film, which the schema allows only beside a player."""
    xml = ""
    for url, seconds in item.video.segments if item.player is not None else ():
        is_valid = seconds is not None and 0 <= seconds <= _MAX_DURATION_S
        duration = str(seconds) if is_valid else None
        xml += text_element("video:content_segment_loc", url, (("duration", duration),))
    return xml


# -- numbers, topics and ratings --------------------------------------------------------------


def _duration(item: PublishableVideo) -> int | None:
    """Round the duration; a wrong one is not clamped, for the limit would be wrong too."""
    duration_s = item.video.duration_s
    if duration_s is None and (duration_s := item.defaults.duration_s) is None:
        return None
    if 0.5 <= duration_s < _MAX_DURATION_S + 0.5:
        return int(duration_s + 0.5)
    message = f"{duration_s:,g} seconds are not within 1 to {_MAX_DURATION_S:,}; left out"
    item.warn(Code.DURATION_OUT_OF_RANGE, message, "video:duration")
    return None


def _rating(item: PublishableVideo) -> str | None:
    star = item.video.star_rating
    if star is None or star.average is None or star.count == 0:
        return None
    stars = ratings.stars(star.average, star.minimum, star.maximum)
    if stars is None:
        message = f"an average of {star.average} is not on its scale; left out"
        item.warn(Code.RATING_UNUSABLE, message, "video:rating")
    return stars


def _tags(item: PublishableVideo) -> str:
    video = item.video
    names = (
        tags.unique(video.keywords)
        or tags.unique(tags.names_by_weight(video.tags))
        or tags.unique(item.defaults.keywords)
    )
    if len(names) > MAX_VIDEO_TAGS:
        message = f"{len(names):,} tags; the first {MAX_VIDEO_TAGS} are written"
        item.warn(Code.TAGS_CUT, message, "video:tag")
    return "".join([f"<video:tag>{escape(name)}</video:tag>" for name in names[:MAX_VIDEO_TAGS]])


def _category(item: PublishableVideo) -> str | None:
    for category in (*item.video.categories, *item.page.entry.categories):
        if (name := to_plain_text(category.text)) is not None:
            return item.page.shorten(name, _MAX_CATEGORY, "video:category", at_word=False)
    return None


def _is_family_friendly(item: PublishableVideo) -> bool | None:
    """Return the verdict of the nearest ratings or flag (mapping 3.8)."""
    defaults = item.defaults
    for rated, explicit in (
        (item.video.ratings, defaults.podcast.explicit),
        (defaults.feed.ratings, defaults.channel.explicit),
    ):
        verdict, notes = ratings.family_friendly(rated) if rated else (None, ())
        if notes:
            item.page.warn_all(notes, "video:family_friendly")
        if verdict is not None:
            return verdict
        if explicit is not None:
            return not explicit
    return None


# -- where, for how much, by whom -------------------------------------------------------------


def _restriction(name: str, restriction: Restriction | None) -> str:
    """Write a list of countries or platforms; an empty one allows none, or denies none."""
    if restriction is None or not (restriction.codes or restriction.relationship == "allow"):
        return ""
    relationship = (("relationship", restriction.relationship),)
    return text_element(name, " ".join(restriction.codes), relationship)


def _gallery(video: Video) -> str:
    if video.gallery is None:
        return ""
    title = to_plain_text(video.gallery.title)
    return text_element("video:gallery_loc", video.gallery.url, (("title", title),))


def _prices(item: PublishableVideo) -> str:
    xml = ""
    for price in item.video.prices:
        if price.type is not None and price.type not in _PRICE_TYPES:
            continue  # a subscription has its own element, a package none
        amount, currency = price.amount, (price.currency or "").upper()
        if amount is None or not _is_amount(amount) or not _CURRENCY.fullmatch(currency):
            found = f"{'' if amount is None else amount} {(price.currency or '')[:20]}"
            message = f'"{found}" is not an amount and a currency code; left out'
            item.warn(Code.PRICE_UNUSABLE, message, "video:price")
            continue
        resolution = (price.resolution or "").lower()
        attributes = (
            ("currency", currency),
            ("type", price.type),
            ("resolution", resolution if resolution in _RESOLUTIONS else None),
        )
        xml += text_element("video:price", f"{amount:f}", attributes)
    return xml


def _is_amount(amount: Decimal) -> bool:
    return amount.is_finite() and amount >= 0


def _needs_subscription(video: Video) -> bool | None:
    if any(price.type == "subscription" for price in video.prices):
        return True
    return video.requires_subscription


def _stated(value: bool | None, item: PublishableVideo) -> str | None:
    """Return yes; no only if a sitemap says so, never because of a feed."""
    return _yes_no(value) if value or item.defaults.feed.format == "sitemap" else None


def _yes_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _uploader(item: PublishableVideo) -> str:
    person = item.video.uploader or _credited(item.video) or item.defaults.uploader()
    if person is None or (name := to_plain_text(person.name)) is None:
        return ""
    name = item.page.shorten(name, _MAX_UPLOADER, "video:uploader", at_word=False)
    return text_element("video:uploader", name, (("info", _page_of(person, item.page.loc)),))


def _credited(video: Video) -> Person | None:
    for role in ("uploader", "owner") if video.credits else ():
        for credit in video.credits:
            if credit.role == role and to_plain_text(credit.name):
                return Person(name=credit.name)
    return None


def _page_of(person: Person, loc: str) -> str | None:
    """Return the person's page, which must be on the same site as the video's."""
    url = None if person.uri is None else urls.clean_media(person.uri).url
    return url if url is not None and urls.same_site(url, loc) else None


def _ids(video: Video) -> str:
    found = [(kind, to_plain_text(value)) for kind, value in video.ids if kind in _ID_TYPES]
    return "".join([text_element("video:id", id_, (("type", kind),)) for kind, id_ in found])


# -- the show that a video is an episode of ---------------------------------------------------


def _tvshow(item: PublishableVideo) -> str:
    """Write the show, from a sitemap or from a podcast's season and episode."""
    series, podcast = item.video.series, item.defaults.podcast
    if series is None:
        series = Series(season=podcast.season, episode=podcast.episode, kind=podcast.episode_type)
        if series.season is None and series.episode is None:
            return ""
    title = to_plain_text(series.show) or to_plain_text(item.defaults.feed.title)
    if title is None:
        return ""
    leaves = (
        text_element("video:show_title", title),
        text_element("video:video_type", _VIDEO_TYPE.get((series.kind or "").lower(), "full")),
        text_element("video:episode_title", to_plain_text(series.episode_title)),
        text_element("video:season_number", _ordinal(series.season)),
        text_element("video:episode_number", _ordinal(series.episode)),
        text_element("video:premier_date", to_w3c(series.premiered)),  # so spelt in the schema
    )
    return f"<video:tvshow>{''.join(leaves)}</video:tvshow>"


def _ordinal(number: int | None) -> str | None:
    return str(number) if number is not None and number >= 1 else None
