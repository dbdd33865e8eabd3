"""Writes `video:video` elements, their children in the order of the schema.

The schema: https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd
Its legacy elements are without effect since 2022-08-06:
https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from converter.extensions.limits import MOST_TAGS
from converter.extensions.page_context import PageContext, readable, w3c_date
from converter.extensions.video.required import PageDefaults, PublishableVideo, publishable
from converter.issues import Code
from converter.model import Person, Price, Restriction, Series, StarRating, Video
from converter.values import numbers, ratings, tags, urls
from converter.values.lazy_regex import lazy_regex
from converter.xml.escape import escape, text_element

if TYPE_CHECKING:
    from decimal import Decimal

_MOST_CATEGORY: Final = 256
_MOST_UPLOADER: Final = 255
_LONGEST_S: Final = 28_800

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


def videos(page: PageContext) -> tuple[list[str], set[str]]:
    """Write the publishable videos of a page.

    Returns:
        The elements, and the URLs of their thumbnails.
    """
    defaults = PageDefaults(page)
    elements, thumbnails = [], set()
    for video in page.entry.videos:
        found = publishable(video, page, defaults)
        if found is not None:
            elements.append(f"<video:video>{_children(found)}</video:video>")
            thumbnails.add(found.thumbnail)
    return elements, thumbnails


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def _flag(name: str, value: bool, this: PublishableVideo) -> str:
    """Write yes; an explicit no only where a sitemap said it, never made from a feed."""
    if value or this.defaults.feed.format == "sitemap":
        return text_element(name, _yes_no(value))
    return ""


def _children(this: PublishableVideo) -> str:
    """Write the children in the order of the xsd:sequence.

    Validators hold to that order; Google's own samples do not.
    """
    video, legacy = this.video, this.page.options.legacy_tags
    xml = _required(this) + _numbers_and_dates(this, legacy=legacy) + _tags(this)
    if legacy:
        xml += _category(this)
    xml += _family_friendly(this)
    if video.countries is not None:
        xml += _restricted("video:restriction", video.countries, video.countries.codes)
    if legacy:
        xml += _gallery(this) + _prices(this)
    xml += _subscription(this) + _uploader(this)
    if legacy:
        xml += _tvshow(this)
    if video.platforms is not None:
        xml += _platform(video.platforms)
    if video.live is not None:
        xml += _flag("video:live", video.live, this)
    return xml + _ids(this) if legacy else xml


def _numbers_and_dates(this: PublishableVideo, *, legacy: bool) -> str:
    video = this.video
    xml = ""
    if legacy:
        xml = _player(this)
    elif this.player is not None:
        xml = f"<video:player_loc>{escape(this.player)}</video:player_loc>"
    duration_s = video.duration_s if video.duration_s is not None else this.defaults.duration_s
    if duration_s is not None:
        xml += _duration(duration_s, this)
    if video.expires is not None:
        xml += text_element("video:expiration_date", w3c_date(video.expires))
    if video.star_rating is not None:
        xml += _rating(video.star_rating, this)
    if legacy:
        xml += _segments(this)
    if video.views is not None:
        xml += f"<video:view_count>{video.views}</video:view_count>"
    # the start of `dcterms:valid`, which may lie ahead, else the publication of the entry
    date = w3c_date(video.published) or w3c_date(this.page.published())
    return xml if date is None else f"{xml}<video:publication_date>{date}</video:publication_date>"


# -- what the schema requires, and the player -------------------------------------------------


def _required(this: PublishableVideo) -> str:
    """Write thumbnail, title and description, and the file."""
    content = this.content
    return (
        f"<video:thumbnail_loc>{escape(this.thumbnail)}</video:thumbnail_loc>"
        f"<video:title>{escape(this.title)}</video:title>"
        f"<video:description>{escape(this.description)}</video:description>"
        + ("" if content is None else f"<video:content_loc>{escape(content)}</video:content_loc>")
    )


def _player(this: PublishableVideo) -> str:
    embed_allowed, autoplay = this.video.embed_allowed, readable(this.video.autoplay)
    allowed = None if embed_allowed is None else _yes_no(embed_allowed)
    return text_element(
        "video:player_loc", this.player, (("allow_embed", allowed), ("autoplay", autoplay))
    )


def _segments(this: PublishableVideo) -> str:
    """Write the parts of a film, which the schema allows only beside a player."""
    if this.player is None:
        return ""
    xml = ""
    for url, seconds in this.video.segments:
        fits = seconds is not None and 0 <= seconds <= _LONGEST_S
        duration = str(seconds) if fits else None
        xml += text_element("video:content_segment_loc", url, (("duration", duration),))
    return xml


# -- numbers and dates ------------------------------------------------------------------------


def _duration(given: float, this: PublishableVideo) -> str:
    # Never clamped: a wrong length is not made right by being the longest one.
    seconds = numbers.rounded(given) if 0 <= given <= _LONGEST_S + 1 else -1
    if 1 <= seconds <= _LONGEST_S:
        return f"<video:duration>{seconds}</video:duration>"
    message = f"{given:,g} seconds are not within 1 to {_LONGEST_S:,}; left out"
    this.page.warn(Code.DURATION_OUT_OF_RANGE, message, "video:duration", this.video.line)
    return ""


def _rating(given: StarRating, this: PublishableVideo) -> str:
    if given.average is None or given.count == 0:
        return ""
    stars = _stars(given.average, given.minimum, given.maximum)
    if stars is not None:
        return f"<video:rating>{stars}</video:rating>"
    message = f"an average of {given.average} makes no sense on its scale; left out"
    this.page.warn(Code.RATING_UNUSABLE, message, "video:rating", this.video.line)
    return ""


@lru_cache(maxsize=1024)
def _stars(average: Decimal, minimum: Decimal | None, maximum: Decimal | None) -> str | None:
    stars = ratings.stars(average, None, minimum, maximum)
    return None if stars is None else ratings.stars_text(stars)


# -- topics and ratings -----------------------------------------------------------------------


def _tags(this: PublishableVideo) -> str:
    video = this.video
    names = (
        tags.unique(video.keywords)
        or tags.unique(tags.names_by_weight(video.tags))
        or tags.unique(this.defaults.keywords)
    )
    if len(names) > MOST_TAGS:
        message = f"{len(names):,} tags; the first {MOST_TAGS} are written"
        this.page.warn(Code.TAGS_CUT, message, "video:tag", video.line)
        names = names[:MOST_TAGS]
    together = "".join(names)
    if escape(together) == together:
        return "".join([f"<video:tag>{name}</video:tag>" for name in names])
    return "".join([f"<video:tag>{escape(name)}</video:tag>" for name in names])


def _category(this: PublishableVideo) -> str:
    for category in (*this.video.categories, *this.page.entry.categories):
        if (name := readable(category.text)) is not None:
            clipped = this.page.clipped(name, _MOST_CATEGORY, "video:category")
            return text_element("video:category", clipped)
    return ""


def _family_friendly(this: PublishableVideo) -> str:
    """Write the verdict of the nearest ratings or flag (mapping 3.8)."""
    defaults = this.defaults
    for rated, explicit in (
        (this.video.ratings, defaults.podcast.explicit),
        (defaults.feed.ratings, defaults.channel.explicit),
    ):
        is_friendly = None if explicit is None else not explicit
        if rated:
            verdict, notes = ratings.family_friendly(rated)
            if notes:
                this.page.warn_all(notes, "video:family_friendly")
            if verdict is not None:
                is_friendly = verdict
        if is_friendly is not None:
            return f"<video:family_friendly>{_yes_no(is_friendly)}</video:family_friendly>"
    return ""


# -- where, for how much, by whom -------------------------------------------------------------


def _platform(given: Restriction) -> str:
    return _restricted("video:platform", given, [name for name in PLATFORMS if name in given.codes])


def _restricted(name: str, given: Restriction, codes: Iterable[str]) -> str:
    """Write a list of countries or platforms; an empty one allows nobody, or denies nothing."""
    listed = " ".join(codes)
    if listed or given.relationship == "allow":
        return f'<{name} relationship="{escape(given.relationship)}">{escape(listed)}</{name}>'
    return ""


def _gallery(this: PublishableVideo) -> str:
    given = this.video.gallery
    if given is None:
        return ""
    return text_element("video:gallery_loc", given.url, (("title", readable(given.title)),))


def _prices(this: PublishableVideo) -> str:
    xml = ""
    for price in this.video.prices:
        if price.type is not None and price.type not in _PRICE_TYPES:
            continue  # a subscription has its own element, a package none
        amount, currency = price.amount, (price.currency or "").upper()
        if amount is None or not _is_amount(amount) or not _CURRENCY.fullmatch(currency):
            message = f"{_quoted(price)} is no amount in a currency; left out"
            this.page.warn(Code.PRICE_UNUSABLE, message, "video:price", this.video.line)
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


def _quoted(price: Price) -> str:
    amount = "" if price.amount is None else str(price.amount)
    return f'"{amount} {(price.currency or "")[:20]}"'


def _subscription(this: PublishableVideo) -> str:
    name, stated = "video:requires_subscription", this.video.requires_subscription
    for price in this.video.prices:
        if price.type == "subscription":
            return text_element(name, "yes")
    return "" if stated is None else _flag(name, stated, this)


def _uploader(this: PublishableVideo) -> str:
    video = this.video
    person = video.uploader or (_credited(video) if video.credits else None)
    person = person or this.defaults.uploader
    if person is None or (name := readable(person.name)) is None:
        return ""
    name = this.page.clipped(name, _MOST_UPLOADER, "video:uploader")
    return text_element("video:uploader", name, (("info", _info(person, this)),))


def _credited(video: Video) -> Person | None:
    for role in ("uploader", "owner"):
        for credit in video.credits:
            if credit.role == role and readable(credit.name):
                return Person(name=credit.name)
    return None


def _info(person: Person, this: PublishableVideo) -> str | None:
    """Return the uploader's page, which must be on the same site as the video's."""
    if person.uri is None:
        return None
    url = urls.clean_media(person.uri).url
    return url if url is not None and urls.same_site(url, this.page.loc) else None


def _ids(this: PublishableVideo) -> str:
    known = [(kind, value) for kind, value in this.video.ids if kind in _ID_TYPES]
    return "".join(
        [text_element("video:id", readable(value), (("type", kind),)) for kind, value in known]
    )


# -- the show that a video is an episode of ---------------------------------------------------


def _tvshow(this: PublishableVideo) -> str:
    """Write the show, from a sitemap or from a podcast's season and episode."""
    series = this.video.series or _podcast_series(this)
    if series is None:
        return ""
    title = readable(series.show) or readable(this.defaults.feed.title)
    if title is None:
        return ""
    leaves = (
        text_element("video:show_title", title),
        text_element("video:video_type", _VIDEO_TYPE.get((series.kind or "").lower(), "full")),
        text_element("video:episode_title", readable(series.episode_title)),
        text_element("video:season_number", _ordinal(series.season)),
        text_element("video:episode_number", _ordinal(series.episode)),
        text_element("video:premier_date", w3c_date(series.premiered)),  # so spelt in the schema
    )
    return f"<video:tvshow>{''.join(leaves)}</video:tvshow>"


def _podcast_series(this: PublishableVideo) -> Series | None:
    podcast = this.defaults.podcast
    if podcast.season is None and podcast.episode is None:
        return None
    return Series(season=podcast.season, episode=podcast.episode, kind=podcast.episode_type)


def _ordinal(number: int | None) -> str | None:
    return str(number) if number is not None and number >= 1 else None
