"""Reads `video:video`, one to one: every element of the schema, and the field that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from converter.extensions.block_reader import (
    BlockSchema,
    FieldRule,
    attribute,
    every,
    first,
    flag,
    inside,
    plain_text,
    string,
)
from converter.extensions.read_context import ReadContext
from converter.issues import Code
from converter.model import (
    Category,
    Gallery,
    Person,
    Price,
    Rating,
    Rendition,
    Restriction,
    Series,
    StarRating,
    Thumbnail,
    Video,
)
from converter.values import countries
from converter.xml import extract
from converter.xml.extract import Element, line_of
from converter.xml.namespaces import CanonicalNames

#: The values that the schema allows.
_PLATFORMS: Final = ("web", "mobile", "tv")


def read(element: Element, context: ReadContext, names: CanonicalNames) -> Video | None:
    """Read a `video:video`; return None and report it if it is broken."""
    block = _VIDEO.read(element, context, names)
    if block is None:
        return None
    content = block.fields.get("content_url")
    return Video(
        **block.fields,
        renditions=(Rendition(url=content),) if content else (),
        words=block.extra,
        line=line_of(element),
    )


# -- values -----------------------------------------------------------------------------------


def _thumbnail(context: ReadContext, text: str, element: Element, name: str) -> Thumbnail | None:
    url = context.url(text, element, name)
    return Thumbnail(url=url) if url else None


def _stars(context: ReadContext, text: str, element: Element, name: str) -> StarRating | None:
    average = context.decimal(text, element, name)
    return None if average is None else StarRating(average)


def _segment(
    context: ReadContext, text: str, element: Element, name: str
) -> tuple[str, int | None] | None:
    url = context.url(text, element, name)
    seconds = context.whole_number(
        extract.attributes(element).get("duration"), element, f"{name}@duration"
    )
    return (url, seconds) if url else None


def _family_friendly(context: ReadContext, text: str, element: Element, name: str) -> Rating | None:
    """Return the rating of which the writers, and Media RSS, make the same value."""
    friendly = flag(context, text, element, name)
    return None if friendly is None else Rating(value="nonadult" if friendly else "adult")


def _gallery(context: ReadContext, text: str, element: Element, name: str) -> Gallery | None:
    url = context.url(text, element, name)
    return Gallery(url=url, title=extract.attributes(element).get("title")) if url else None


def _price(context: ReadContext, text: str, element: Element, name: str) -> Price | None:
    amount = context.decimal(text, element, name)
    found = extract.attributes(element)
    type_ = found.get("type", "").lower() or None
    if amount is None:
        return None
    return Price(type_, amount, found.get("currency"), found.get("resolution"))


def _uploader(context: ReadContext, text: str, element: Element, name: str) -> Person:
    return Person(name=text, uri=context.attribute_url(element, "info", f"{name}@info"))


def _id(_context: ReadContext, text: str, element: Element, _name: str) -> tuple[str, str]:
    return extract.attributes(element).get("type", ""), text


# -- elements that have a meaning also when they are empty ------------------------------------


def _countries(elements: Sequence[Element], context: ReadContext, name: str) -> Restriction | None:
    element = _only(elements, context, name)
    relationship = extract.attributes(element).get("relationship")
    restriction, notes = countries.restriction(relationship, "country", extract.text_of(element))
    context.warn_all(notes, element, name)
    return restriction


def _platforms(elements: Sequence[Element], context: ReadContext, name: str) -> Restriction | None:
    """Read a list of platforms; a deny list without a known one denies nothing."""
    element = _only(elements, context, name)
    relationship = extract.attributes(element).get("relationship", "").lower()
    if relationship not in {"allow", "deny"}:
        message = "no relationship attribute of allow or deny, which is required; left out"
        context.warn(Code.RESTRICTION_UNUSABLE, message, element, name)
        return None
    side: Literal["allow", "deny"] = "allow" if relationship == "allow" else "deny"
    words = dict.fromkeys(extract.text_of(element).lower().replace(",", " ").split())
    known = tuple(word for word in words if word in _PLATFORMS)
    unknown = tuple(word for word in words if word not in _PLATFORMS)
    if unknown:
        message = f'"{", ".join(unknown)[:60]}" is not a platform; left out of the {side} list'
        context.warn(Code.RESTRICTION_UNUSABLE, message, element, name)
    restriction = Restriction(side, known, unknown)
    return restriction if known or side == "allow" else None


def _only(elements: Sequence[Element], context: ReadContext, name: str) -> Element:
    if len(elements) > 1:
        message = "more than one element of this name; only the first is read"
        context.warn(Code.RESTRICTION_IGNORED, message, elements[1], name)
    return elements[0]


# -- the tables -------------------------------------------------------------------------------

_STRING: Final = first(string)
_PLAIN_TEXT: Final = first(plain_text)
_URL: Final = first(ReadContext.url)
_DATE: Final = first(ReadContext.date)
_WHOLE: Final = first(ReadContext.whole_number)
_FLAG: Final = first(flag)

#: `premier_date` is so spelt in the schema.
_SERIES: Final = (
    FieldRule("show_title", "show", _STRING),
    FieldRule("video_type", "kind", _STRING),
    FieldRule("episode_title", "episode_title", _STRING),
    FieldRule("season_number", "season", _WHOLE),
    FieldRule("episode_number", "episode", _WHOLE),
    FieldRule("premier_date", "premiered", _DATE),
)


def _series(elements: Sequence[Element], context: ReadContext, name: str) -> Series:
    shows = elements[:1]
    return Series(
        **{rule.field: inside(rule.element, rule.read)(shows, context, name) for rule in _SERIES}
    )


_VIDEO: Final = BlockSchema(
    FieldRule("video:thumbnail_loc", "thumbnails", every(_thumbnail)),
    FieldRule("video:title", "title", _PLAIN_TEXT),
    FieldRule("video:description", "description", _PLAIN_TEXT),
    FieldRule("video:content_loc", "content_url", _URL),
    FieldRule("video:player_loc", "player_url", _URL),
    FieldRule("video:player_loc", "embed_allowed", attribute("allow_embed", flag)),
    FieldRule("video:player_loc", "autoplay", attribute("autoplay", string)),
    FieldRule("video:duration", "duration_s", first(ReadContext.duration)),
    FieldRule("video:expiration_date", "expires", _DATE),
    FieldRule("video:rating", "star_rating", first(_stars)),
    FieldRule("video:content_segment_loc", "segments", every(_segment)),
    FieldRule("video:view_count", "views", first(ReadContext.views)),
    FieldRule("video:publication_date", "published", _DATE),
    FieldRule("video:tag", "keywords", every(string)),
    FieldRule("video:category", "categories", every(lambda _c, text, _e, _n: Category(text))),
    FieldRule("video:family_friendly", "ratings", every(_family_friendly)),
    FieldRule("video:restriction", "countries", _countries),
    FieldRule("video:gallery_loc", "gallery", first(_gallery)),
    FieldRule("video:price", "prices", every(_price)),
    FieldRule("video:requires_subscription", "requires_subscription", _FLAG),
    FieldRule("video:uploader", "uploader", first(_uploader)),
    FieldRule("video:tvshow", "series", _series),
    FieldRule("video:platform", "platforms", _platforms),
    FieldRule("video:live", "live", _FLAG),
    FieldRule("video:id", "ids", every(_id)),
    parts={"video:tvshow": frozenset(f"video:{rule.element}" for rule in _SERIES)},
    broken=Code.VIDEO_SKIPPED,
)
