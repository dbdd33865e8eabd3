"""Writes `video:video` elements, their children in the order of the schema.

The schema: https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd
Its legacy elements are without effect since 2022-08-06:
https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from converter.extensions.page_context import PageContext, to_plain_text, to_w3c
from converter.extensions.video.required_tags import PageDefaults, PublishableVideo, publishable
from converter.issues import Code
from converter.model import Person, Restriction, Series
from converter.sitemap_limits import MAX_VIDEO_TAGS
from converter.values import numbers, ratings, tags, urls
from converter.values.lazy_regex import lazy_regex
from converter.xml.escape import escape, text_element

if TYPE_CHECKING:
    from decimal import Decimal

_MAX_CATEGORY: Final = 256
_MAX_UPLOADER: Final = 255
_MAX_DURATION_S: Final = 28_800

#: The values that the schema allows.
PLATFORMS: Final = ("web", "mobile", "tv")
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
    writers = _LEGACY_WRITERS if page.options.legacy_tags else _WRITERS
    elements, thumbnails = [], set()
    for video in page.entry.videos:
        item = publishable(video, page, defaults)
        if item is not None:
            children = "".join([write(item) for write in writers])
            elements.append(f"<video:video>{children}</video:video>")
            thumbnails.add(item.thumbnail)
    return elements, thumbnails


# -- what the schema requires, and the player -------------------------------------------------


def _required(item: PublishableVideo) -> str:
    """Write thumbnail, title, description and file."""
    content = item.content
    return (
        f"<video:thumbnail_loc>{escape(item.thumbnail)}</video:thumbnail_loc>"
        f"<video:title>{escape(item.title)}</video:title>"
        f"<video:description>{escape(item.description)}</video:description>"
        + ("" if content is None else f"<video:content_loc>{escape(content)}</video:content_loc>")
    )


def _player(item: PublishableVideo) -> str:
    url = item.player
    return "" if url is None else f"<video:player_loc>{escape(url)}</video:player_loc>"


def _legacy_player(item: PublishableVideo) -> str:
    embed_allowed, autoplay = item.video.embed_allowed, to_plain_text(item.video.autoplay)
    allowed = None if embed_allowed is None else _yes_no(embed_allowed)
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


# -- numbers and dates ------------------------------------------------------------------------


def _duration(item: PublishableVideo) -> str:
    """Write the duration; a wrong one is not clamped, for the limit would be wrong too."""
    duration_s = item.video.duration_s
    if duration_s is None and (duration_s := item.defaults.duration_s) is None:
        return ""
    if 0 <= duration_s <= _MAX_DURATION_S + 1:
        seconds = numbers.rounded(duration_s)
        if 1 <= seconds <= _MAX_DURATION_S:
            return f"<video:duration>{seconds}</video:duration>"
    message = f"{duration_s:,g} seconds are not within 1 to {_MAX_DURATION_S:,}; left out"
    item.warn(Code.DURATION_OUT_OF_RANGE, message, "video:duration")
    return ""


def _expiration_date(item: PublishableVideo) -> str:
    return text_element("video:expiration_date", to_w3c(item.video.expires))


def _rating(item: PublishableVideo) -> str:
    star = item.video.star_rating
    if star is None or star.average is None or star.count == 0:
        return ""
    stars = _stars(star.average, star.minimum, star.maximum)
    if stars is not None:
        return f"<video:rating>{stars}</video:rating>"
    message = f"an average of {star.average} is not on its scale; left out"
    item.warn(Code.RATING_UNUSABLE, message, "video:rating")
    return ""


@lru_cache(maxsize=1024)
def _stars(average: Decimal, minimum: Decimal | None, maximum: Decimal | None) -> str | None:
    stars = ratings.stars(average, None, minimum, maximum)
    return None if stars is None else ratings.stars_text(stars)


def _view_count(item: PublishableVideo) -> str:
    views = item.video.views
    return "" if views is None else f"<video:view_count>{views}</video:view_count>"


def _publication_date(item: PublishableVideo) -> str:
    """Write the start of `dcterms:valid`, also one in the future, else the entry's publication."""
    date = to_w3c(item.video.published) or to_w3c(item.page.published())
    return "" if date is None else f"<video:publication_date>{date}</video:publication_date>"


# -- topics and ratings -----------------------------------------------------------------------


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
        names = names[:MAX_VIDEO_TAGS]
    text = "".join(names)
    escaped = names if escape(text) == text else map(escape, names)
    return "".join([f"<video:tag>{name}</video:tag>" for name in escaped])


def _category(item: PublishableVideo) -> str:
    for category in (*item.video.categories, *item.page.entry.categories):
        if (name := to_plain_text(category.text)) is not None:
            name = item.page.shorten(name, _MAX_CATEGORY, "video:category", at_word=False)
            return text_element("video:category", name)
    return ""


def _family_friendly(item: PublishableVideo) -> str:
    """Write the verdict of the nearest ratings or flag (mapping 3.8)."""
    defaults = item.defaults
    for rated, explicit in (
        (item.video.ratings, defaults.podcast.explicit),
        (defaults.feed.ratings, defaults.channel.explicit),
    ):
        is_friendly = None if explicit is None else not explicit
        if rated:
            verdict, notes = _verdict(rated)
            if notes:
                item.page.warn_all(notes, "video:family_friendly")
            if verdict is not None:
                is_friendly = verdict
        if is_friendly is not None:
            return f"<video:family_friendly>{_yes_no(is_friendly)}</video:family_friendly>"
    return ""


_verdict: Final = lru_cache(maxsize=64)(ratings.family_friendly)


# -- where, for how much, by whom -------------------------------------------------------------


def _restriction(item: PublishableVideo) -> str:
    countries = item.video.countries
    return "" if countries is None else _restricted("video:restriction", countries, countries.codes)


def _platform(item: PublishableVideo) -> str:
    platforms = item.video.platforms
    if platforms is None:
        return ""
    codes = [name for name in PLATFORMS if name in platforms.codes]
    return _restricted("video:platform", platforms, codes)


def _restricted(name: str, restriction: Restriction, codes: Iterable[str]) -> str:
    """Write a list of countries or platforms; an empty one allows none, or denies none."""
    listed = " ".join(codes)
    if listed or restriction.relationship == "allow":
        return f'<{name} relationship="{restriction.relationship}">{escape(listed)}</{name}>'
    return ""


def _gallery(item: PublishableVideo) -> str:
    gallery = item.video.gallery
    if gallery is None:
        return ""
    return text_element(
        "video:gallery_loc", gallery.url, (("title", to_plain_text(gallery.title)),)
    )


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


def _subscription(item: PublishableVideo) -> str:
    for price in item.video.prices:
        if price.type == "subscription":
            return "<video:requires_subscription>yes</video:requires_subscription>"
    return _flag("video:requires_subscription", item.video.requires_subscription, item)


def _live(item: PublishableVideo) -> str:
    return _flag("video:live", item.video.live, item)


def _flag(name: str, value: bool | None, item: PublishableVideo) -> str:
    """Write yes; no only if a sitemap says so, never because of a feed."""
    if value or (value is False and item.defaults.feed.format == "sitemap"):
        return f"<{name}>{_yes_no(value)}</{name}>"
    return ""


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def _uploader(item: PublishableVideo) -> str:
    person = item.video.uploader or _credited(item) or item.defaults.uploader()
    if person is None or (name := to_plain_text(person.name)) is None:
        return ""
    name = item.page.shorten(name, _MAX_UPLOADER, "video:uploader", at_word=False)
    return text_element("video:uploader", name, (("info", _page_of(person, item.page.loc)),))


def _credited(item: PublishableVideo) -> Person | None:
    for role in ("uploader", "owner") if item.video.credits else ():
        for credit in item.video.credits:
            if credit.role == role and to_plain_text(credit.name):
                return Person(name=credit.name)
    return None


def _page_of(person: Person, loc: str) -> str | None:
    """Return the person's page, which must be on the same site as the video's."""
    url = None if person.uri is None else urls.clean_media(person.uri).url
    return url if url is not None and urls.same_site(url, loc) else None


def _ids(item: PublishableVideo) -> str:
    return "".join(
        [
            text_element("video:id", to_plain_text(value), (("type", kind),))
            for kind, value in item.video.ids
            if kind in _ID_TYPES
        ]
    )


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


# -- the order --------------------------------------------------------------------------------

#: The order of the schema's xsd:sequence, which validators require; Google's own samples do not
#: follow it.
_LEGACY_WRITERS: Final[tuple[Callable[[PublishableVideo], str], ...]] = (
    _required,
    _legacy_player,
    _duration,
    _expiration_date,
    _rating,
    _segments,
    _view_count,
    _publication_date,
    _tags,
    _category,
    _family_friendly,
    _restriction,
    _gallery,
    _prices,
    _subscription,
    _uploader,
    _tvshow,
    _platform,
    _live,
    _ids,
)
_ONLY_LEGACY: Final = {_segments, _category, _gallery, _prices, _tvshow, _ids}
_WRITERS: Final = tuple(
    _player if write is _legacy_player else write
    for write in _LEGACY_WRITERS
    if write not in _ONLY_LEGACY
)
