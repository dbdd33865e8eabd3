"""Writes the child elements of a media object, in the order of the Media RSS specification.

Nothing is written that validators refuse (mapping 4.1).
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from converter.extensions.element_writer import ElementWriter
from converter.extensions.mediarss import schema
from converter.extensions.required_feed_fields import is_uploader
from converter.issues import Code
from converter.model import (
    Embed,
    Entry,
    ExtraElement,
    Podcast,
    Price,
    Rating,
    Text,
    Thumbnail,
    Video,
)
from converter.values import dates, periods, ratings, tags
from converter.values.lazy_regex import lazy_regex

_CURRENCY: Final = lazy_regex("[A-Z]{3}")
_NO_PODCAST: Final = Podcast()

# -- elements of every object -----------------------------------------------------------------


def thumbnails(images: Iterable[Thumbnail], writer: ElementWriter) -> str:
    """Write thumbnails, the most important first."""
    xml = ""
    for thumbnail in images:
        if url := writer.url(thumbnail.url, "media:thumbnail"):
            attributes = [("url", url), *schema.THUMBNAIL.attributes_of(thumbnail)]
            xml += writer.empty("media:thumbnail", attributes)
    return xml


def plain_text(name: str, value: Text | None, writer: ElementWriter) -> str:
    """Write a title or a description as plain text (mapping 4.4)."""
    if value is None:
        return ""
    return writer.leaf(name, writer.plain(value, name), (("type", "plain"),))


def license_link(url: str | None, writer: ElementWriter) -> str:
    """Write the URL of a licence."""
    href = writer.url(url, "media:license")
    return writer.empty("media:license", (("href", href),)) if href else ""


# -- elements of videos -----------------------------------------------------------------------


def video_elements(video: Video, entry: Entry, writer: ElementWriter) -> str:
    """Write the elements of a video, the extra elements last."""
    podcast = entry.podcast or _NO_PODCAST
    xml = _ratings(video, entry, writer)
    xml += plain_text("media:title", video.title, writer)
    xml += plain_text("media:description", video.description, writer)
    keywords = tags.unique(video.keywords) or (() if video.tags else podcast.keywords)
    xml += writer.leaf("media:keywords", _listed(keywords, "media:keywords", writer))
    xml += thumbnails(video.thumbnails or podcast.images, writer)
    for category in video.categories:
        attributes = (("scheme", category.scheme), ("label", category.label))
        xml += writer.leaf("media:category", category.term, attributes)
    xml += _player(video, writer)
    for credit in video.credits:
        if not is_uploader(credit.role, credit.scheme):  # validators crash at them
            attributes = (("role", credit.role), ("scheme", credit.scheme))
            xml += writer.leaf("media:credit", credit.name, attributes)
    xml += writer.leaf("media:copyright", video.copyright)
    xml += _restrictions(video, writer)
    xml += _community(video, writer)
    xml += _embed(video.embed, writer)
    if video.status:
        xml += writer.empty("media:status", (("state", video.status),))
    xml += _prices(video, writer)
    xml += license_link(video.license, writer)
    return xml + extra_elements(video.words, writer)


def _ratings(video: Video, entry: Entry, writer: ElementWriter) -> str:
    """Write the ratings of the video, else of the entry, else of the feed (mapping 3.8)."""
    feed = entry.feed
    nearest = video.ratings or _explicit(entry.podcast)
    if not nearest and feed is not None:
        nearest = feed.ratings or _explicit(feed.podcast)
    xml = ""
    for rating in nearest:
        if _is_rating(rating.value, rating.scheme, writer):
            xml += writer.leaf("media:rating", rating.value, (("scheme", rating.scheme),))
    return xml


def _is_rating(value: str, scheme: str, writer: ElementWriter) -> bool:
    if ratings.is_valid(value, scheme):
        return True
    message = f'"{value[:60]}" is not a rating of {scheme}; left out'
    writer.warn(Code.RATING_UNUSABLE, message, "media:rating")
    return False


def _explicit(podcast: Podcast | None) -> tuple[Rating, ...]:
    """Return `itunes:explicit` as a rating."""
    if podcast is None or podcast.explicit is None:
        return ()
    return (Rating("adult" if podcast.explicit else "nonadult"),)


def _listed(texts: Iterable[str], name: str, writer: ElementWriter) -> str | None:
    """Join texts as a list; the separators in a text become spaces."""
    cleaned = []
    for text in texts:
        clean = " ".join(text.replace(",", " ").replace(";", " ").split())
        if clean != text:
            message = f'"{text[:60]}" contains a separator of lists; written as "{clean[:60]}"'
            writer.warn(Code.TEXT_CLEANED, message, name)
        if clean:
            cleaned.append(clean)
    return ", ".join(cleaned) or None


def _player(video: Video, writer: ElementWriter) -> str:
    """Write the player, unless it is one of the renditions."""
    if video.player_url in [rendition.url for rendition in video.renditions]:
        return ""
    if not (url := writer.url(video.player_url, "media:player")):
        return ""
    sizes = zip(("width", "height"), video.player_size or (), strict=False)
    sizes_written = [(name, str(size)) for name, size in sizes if size and size > 0]
    return writer.empty("media:player", [("url", url), *sizes_written])


def _restrictions(video: Video, writer: ElementWriter) -> str:
    """Write countries and sharing; an empty allow list allows no country, an empty deny list all.

    An allow list without any known code is therefore written empty, not left out.
    """
    xml, countries = "", video.countries
    if countries is not None and countries.unknown:
        message = "unknown country codes cannot be written; left out"
        writer.warn(Code.DROPPED_FIELD, message, "video/countries")
    if countries is not None and (countries.codes or countries.relationship == "allow"):
        listed = " ".join(countries.codes).lower()
        side = (("relationship", countries.relationship), ("type", "country"))
        xml += writer.leaf("media:restriction", listed, side)
    if video.embed_allowed is not None:
        relationship = "allow" if video.embed_allowed else "deny"
        sharing = (("relationship", relationship), ("type", "sharing"))
        xml += writer.empty("media:restriction", sharing)
    return xml


def _community(video: Video, writer: ElementWriter) -> str:
    inner, star = "", video.star_rating
    if star is not None and star.average is not None:
        stars = schema.STAR_RATING.attributes_of(star)
        if star.minimum is None and star.maximum is None and 0 <= star.average <= Decimal(5):
            stars += [("min", "0"), ("max", "5")]  # the scale of ratings in sitemaps
        inner = writer.empty("media:starRating", stars)
    if statistics := schema.STATISTICS.attributes_of(video):
        inner += writer.empty("media:statistics", statistics)
    if video.tags:
        listed = [f"{tag.name}:{schema.number(tag.weight)}" for tag in video.tags]
        inner += writer.leaf("media:tags", _listed(listed, "media:tags", writer))
    return writer.element("media:community", inner)


def _embed(embed: Embed | None, writer: ElementWriter) -> str:
    if embed is None or not (url := writer.url(embed.url, "media:embed")):
        return ""
    attributes = [("url", url), *schema.EMBED.attributes_of(embed)]
    params = [writer.leaf("media:param", text, (("name", name),)) for name, text in embed.params]
    if not params:
        return writer.empty("media:embed", attributes)
    return writer.element("media:embed", "".join(params), attributes)


def _prices(video: Video, writer: ElementWriter) -> str:
    xml = "".join([_price(price, writer) for price in video.prices])
    if video.requires_subscription and all(p.type != "subscription" for p in video.prices):
        xml += writer.empty("media:price", (("type", "subscription"),))
    return xml


def _price(price: Price, writer: ElementWriter) -> str:
    attributes = [(name, value) for name, value in schema.PRICE.attributes_of(price) if value]
    currency = (price.currency or "").upper()
    if currency and not _CURRENCY.fullmatch(currency):
        message = f'"{currency[:20]}" is not a currency code; the amount is left out'
        writer.warn(Code.PRICE_UNUSABLE, message, "media:price")
        attributes = [pair for pair in attributes if pair[0] not in {"price", "currency"}]
    return writer.empty("media:price", attributes) if attributes else ""


# -- extra elements ---------------------------------------------------------------------------


def extra_elements(extra: Iterable[ExtraElement], writer: ElementWriter) -> str:
    """Write extra elements in the form that validators accept."""
    adapted = (_adapted(each, writer) for each in extra)
    return "".join([writer.word(each) for each in adapted if each is not None])


def _adapted(extra: ExtraElement, writer: ElementWriter) -> ExtraElement | None:
    """Return an extra element in its valid form; None if it is left out."""
    attributes = {name.lower(): value.strip().lower() for name, value in extra.attributes}
    text = (extra.text or "").strip().lower()
    if extra.name == "media:credit":  # validators crash at uploaders, which are authors
        is_left_out = is_uploader(attributes.get("role"), attributes.get("scheme"))
        return None if is_left_out else extra
    if extra.name == "media:adult":  # deprecated
        rating = "adult" if text == "true" else "nonadult"
        return ExtraElement("media:rating", rating, (("scheme", "urn:simple"),))
    if extra.name == "media:rating":
        is_rating = _is_rating(text, attributes.get("scheme", "urn:simple"), writer)
        return extra._replace(text=text) if is_rating else None
    return extra


# -- elements that Google reads from the item, not from the object ------------------------------


def period_and_live(video: Video, entry: Entry, writer: ElementWriter) -> str:
    """Write the period of a video, its start only if it differs from the entry's date; and live."""
    start, end = video.published, video.expires
    if start == entry.published:
        start = None
    if start and end and periods.last_second(end) < start.instant:
        message = "the period starts after its end; only the end is written"
        writer.warn(Code.DROPPED_FIELD, message, "video/published")
        start = None
    bounds = [
        f"{name}={dates.to_w3c(moment, zulu=True)}; "
        for name, moment in (("start", start), ("end", end))
        if moment is not None and not moment.is_partial
    ]
    xml = writer.leaf("dcterms:type", "live-video") if video.live else ""
    if not bounds:
        return xml
    return writer.leaf("dcterms:valid", f"{''.join(bounds)}scheme=W3C-DTF") + xml
