"""Reads `video:video`, one to one: every element of the schema, and the field that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

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
from converter.values import countries, numbers
from converter.vocab import leaves
from converter.vocab.context import Context
from converter.vocab.leaves import Field
from converter.vocab.video.elements import PLATFORMS
from converter.xml import take
from converter.xml.names import Names
from converter.xml.stream import line_of
from converter.xml.take import Element

__all__ = ["read"]


def read(element: Element, context: Context, names: Names) -> Video | None:
    """Read a `video:video`; None, and a report, if it is broken: half a video is none."""
    found = _VIDEO.read(element, context, names)
    if found is None:
        return None
    content = found.fields.get("content_url")
    return Video(
        **found.fields,
        renditions=(Rendition(url=content),) if content else (),
        words=found.words,
        line=line_of(element),
    )


# -- values -----------------------------------------------------------------------------------


def _thumbnail(context: Context, text: str, element: Element, name: str) -> Thumbnail | None:
    url = context.url(text, element, name)
    return Thumbnail(url=url) if url else None


def _stars(context: Context, text: str, element: Element, name: str) -> StarRating | None:
    average = context.decimal(text, element, name)
    return None if average is None else StarRating(average=average)


def _views(context: Context, text: str, element: Element, name: str) -> int | None:
    try:
        return numbers.views(text)
    except ValueError:
        message = f'"{text[:60]}" is not a whole number; left out'
        context.tell(Code.NUMBER_UNREADABLE, message, element, name)
        return None


def _segment(
    context: Context, text: str, element: Element, name: str
) -> tuple[str, int | None] | None:
    url = context.url(text, element, name)
    seconds = context.whole(take.attributes(element).get("duration"), element, f"{name}@duration")
    return (url, seconds) if url else None


def _category(_context: Context, text: str, _element: Element, _name: str) -> Category:
    return Category(term=text)


def _family_friendly(context: Context, text: str, element: Element, name: str) -> Rating | None:
    """Give the rating that the writer, and Media RSS, would say the same by."""
    friendly = leaves.flag(context, text, element, name)
    return None if friendly is None else Rating(value="nonadult" if friendly else "adult")


def _gallery(context: Context, text: str, element: Element, name: str) -> Gallery | None:
    url = context.url(text, element, name)
    return Gallery(url=url, title=take.attributes(element).get("title")) if url else None


def _price(context: Context, text: str, element: Element, name: str) -> Price | None:
    amount = context.decimal(text, element, name)
    given = take.attributes(element)
    if amount is None:
        return None
    return Price(
        type=given.get("type", "").lower() or None,
        amount=amount,
        currency=given.get("currency"),
        resolution=given.get("resolution"),
    )


def _uploader(context: Context, text: str, element: Element, name: str) -> Person:
    return Person(name=text, uri=context.attribute_url(element, "info", f"{name}@info"))


def _id(_context: Context, text: str, element: Element, _name: str) -> tuple[str, str]:
    return take.attributes(element).get("type", ""), text


# -- elements that say something even when they are empty -------------------------------------


def _countries(elements: Sequence[Element], context: Context, name: str) -> Restriction | None:
    element = _only(elements, context, name)
    relationship = take.attributes(element).get("relationship")
    restriction, notes = countries.restriction(relationship, "country", take.text_of(element))
    context.tell_all(notes, element, name)
    return restriction


def _platforms(elements: Sequence[Element], context: Context, name: str) -> Restriction | None:
    """Read a list of platforms; nobody is kept out by a deny list without one that is known."""
    element = _only(elements, context, name)
    relationship = take.attributes(element).get("relationship", "").lower()
    if relationship not in {"allow", "deny"}:
        message = "no relationship of allow or deny, which is required; left out"
        context.tell(Code.RESTRICTION_UNUSABLE, message, element, name)
        return None
    side: Literal["allow", "deny"] = "allow" if relationship == "allow" else "deny"
    words = dict.fromkeys(take.text_of(element).lower().replace(",", " ").split())
    known = tuple(word for word in words if word in PLATFORMS)
    unknown = tuple(word for word in words if word not in PLATFORMS)
    if unknown:
        message = f'no platform is called "{", ".join(unknown)[:60]}"; left out of the {side} list'
        context.tell(Code.RESTRICTION_UNUSABLE, message, element, name)
    if side == "deny" and not known:
        return None
    return Restriction(relationship=side, codes=known, unknown=unknown)


def _only(elements: Sequence[Element], context: Context, name: str) -> Element:
    if len(elements) > 1:
        message = "more than one of this kind; only the first is read"
        context.tell(Code.RESTRICTION_IGNORED, message, elements[1], name)
    return elements[0]


# -- the tables -------------------------------------------------------------------------------

_PLAIN: Final = leaves.first(leaves.plain)
_TEXT: Final = leaves.first(leaves.text)
_URL: Final = leaves.first(Context.url)
_DATE: Final = leaves.first(Context.date)
_WHOLE: Final = leaves.first(Context.whole)
_FLAG: Final = leaves.first(leaves.flag)

#: `premier_date` is so spelt in the schema.
_SERIES: Final = {
    "show_title": Field("show", _PLAIN),
    "video_type": Field("kind", _PLAIN),
    "episode_title": Field("episode_title", _PLAIN),
    "season_number": Field("season", _WHOLE),
    "episode_number": Field("episode", _WHOLE),
    "premier_date": Field("premiered", _DATE),
}


def _series(elements: Sequence[Element], context: Context, name: str) -> Series:
    return Series(
        **{
            row.name: leaves.inside(local, row.read)(elements[:1], context, name)
            for local, row in _SERIES.items()
        }
    )


_VIDEO: Final = leaves.Vocabulary(
    {
        "video:thumbnail_loc": (Field("thumbnails", leaves.every(_thumbnail)),),
        "video:title": (Field("title", _TEXT),),
        "video:description": (Field("description", _TEXT),),
        "video:content_loc": (Field("content_url", _URL),),
        "video:player_loc": (
            Field("player_url", _URL),
            Field("embed_allowed", leaves.attribute("allow_embed", leaves.flag)),
            Field("autoplay", leaves.attribute("autoplay", leaves.plain)),
        ),
        "video:duration": (Field("duration_s", leaves.first(Context.clock)),),
        "video:expiration_date": (Field("expires", _DATE),),
        "video:rating": (Field("star_rating", leaves.first(_stars)),),
        "video:content_segment_loc": (Field("segments", leaves.every(_segment)),),
        "video:view_count": (Field("views", leaves.first(_views)),),
        "video:publication_date": (Field("published", _DATE),),
        "video:tag": (Field("keywords", leaves.every(leaves.plain)),),
        "video:category": (Field("categories", leaves.every(_category)),),
        "video:family_friendly": (Field("ratings", leaves.every(_family_friendly)),),
        "video:restriction": (Field("countries", _countries),),
        "video:gallery_loc": (Field("gallery", leaves.first(_gallery)),),
        "video:price": (Field("prices", leaves.every(_price)),),
        "video:requires_subscription": (Field("requires_subscription", _FLAG),),
        "video:uploader": (Field("uploader", leaves.first(_uploader)),),
        "video:tvshow": (Field("series", _series),),
        "video:platform": (Field("platforms", _platforms),),
        "video:live": (Field("live", _FLAG),),
        "video:id": (Field("ids", leaves.every(_id)),),
    },
    parts={"video:tvshow": frozenset(f"video:{local}" for local in _SERIES)},
    broken=Code.VIDEO_SKIPPED,
)
