"""Reads the elements that describe a media object (mapping 3.5, 3.7, 3.8).

A level is the children of a content, a group, an item or a channel. For each element name the
deepest level that has any replaces all shallower ones; lists are not merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from converter.extensions.mediarss import EXTRA_NAMES, NAMES, schema
from converter.extensions.mediarss.schema import attribute
from converter.extensions.read_context import ReadContext
from converter.issues import Code
from converter.model import (
    Category,
    Credit,
    Embed,
    ExtraElement,
    Price,
    Rating,
    Text,
    Thumbnail,
    Video,
)
from converter.values import countries, periods, tags
from converter.xml import extract
from converter.xml.extract import Children, Element
from converter.xml.namespaces import CanonicalNames

#: Elements of one name that the media objects of one entry inherit, each counted once per object.
_MOST_INHERITED: Final = 20_000
_DESCRIBING: Final = NAMES - {"enclosure", "media:content", "media:group"}
_ADULT: Final = {"true": "adult", "false": "nonadult"}


def limit_inherited(level: Children, objects: int, context: ReadContext) -> Children:
    """Return a level with as many elements as this number of media objects can inherit.

    Each object repeats them: many objects among many elements would grow to their product.
    """
    most = max(1, _MOST_INHERITED // max(1, objects))
    for name, elements in level.items():
        if len(elements) > most and name in _DESCRIBING:
            message = (
                f"{len(elements):,} <{name}> for {objects:,} media objects; only the first "
                f"{most:,} are read"
            )
            context.warn(Code.INHERITED_CUT, message, elements[most], name)
            level = {**level, name: elements[:most]}
    return level


def fill_video(video: Video, elements: Children, context: ReadContext) -> None:
    """Set the fields of a video that these elements state."""
    for name, field, read in _FIELDS:
        if name in elements:
            setattr(video, field, read(elements[name], context))
    for name, rule in _RULES:
        if name in elements:
            rule(video, elements[name], context)


# -- values -----------------------------------------------------------------------------------


def text(elements: Sequence[Element], _: object = None) -> Text | None:
    """Read `media:title` or `media:description`, whose `type` is `plain` or `html`."""
    for element in elements:
        if len(element):
            if value := extract.inner_html(element):
                return Text(value, is_html=True)
        elif value := extract.text_of(element):
            type_ = attribute(element, "type")
            return Text(value, type_ is not None and type_.lower() in {"html", "text/html"})
    return None


def thumbnails(elements: Sequence[Element], context: ReadContext) -> tuple[Thumbnail, ...]:
    """Read `media:thumbnail`, the most important first, as Media RSS orders them."""
    found = []
    for element in elements:
        thumbnail = schema.THUMBNAIL.read(element, context)
        reference = thumbnail.url or extract.text_of(element)  # some feeds write it as text
        if reference and (url := context.url(reference, element, "media:thumbnail")):
            thumbnail.url = url
            found.append(thumbnail)
    return tuple(found)


def ratings(elements: Iterable[Element], names: CanonicalNames) -> tuple[Rating, ...]:
    """Read `media:rating`, and `media:adult` as a rating of the scheme `urn:simple`."""
    found = []
    for element in elements:
        value = extract.text_of(element).lower()
        if names[element.tag] == "media:adult":
            value = _ADULT.get(value, value)
        if value:
            found.append(Rating(value, (attribute(element, "scheme") or "urn:simple").lower()))
    return tuple(found)


def deepest_ratings(levels: Iterable[Children], names: CanonicalNames) -> tuple[Rating, ...]:
    """Return the ratings of the deepest of these levels that has any."""
    for level in levels:
        if "media:rating" in level or "media:adult" in level:
            elements = [*level.get("media:rating", ()), *level.get("media:adult", ())]
            return ratings(elements, names)
    return ()


def extra_elements(
    elements: Children, names: CanonicalNames, wanted: frozenset[str] = EXTRA_NAMES
) -> tuple[ExtraElement, ...]:
    """Return the elements of these names unchanged, in the order of the names."""
    if wanted.isdisjoint(elements):
        return ()
    found: list[ExtraElement] = []
    for name in sorted(wanted.intersection(elements)):
        found += [extract.to_extra_element(element, names) for element in elements[name]]
    return tuple(found)


def license_url(elements: Iterable[Element], context: ReadContext) -> str | None:
    """Read the URL of `media:license`."""
    for element in elements:
        if href := context.attribute_url(element, "href", "media:license"):
            return href
    return None


def _keywords(elements: Sequence[Element], _: object) -> tuple[str, ...]:
    return tags.split_keywords(*map(extract.text_of, elements))


def _categories(elements: Sequence[Element], context: ReadContext) -> tuple[Category, ...]:
    found = []
    for element in elements:
        category = schema.CATEGORY.read(element, context)
        if term := extract.text_of(element) or category.label:
            category.term = term
            found.append(category)
    return tuple(found)


def _credits(elements: Sequence[Element], context: ReadContext) -> tuple[Credit, ...]:
    return tuple(
        schema.CREDIT.read(element, context)._replace(name=name)
        for element in elements
        if (name := extract.text_of(element))
    )


def _prices(elements: Sequence[Element], context: ReadContext) -> tuple[Price, ...]:
    return tuple(schema.PRICE.read(element, context) for element in elements)


def _copyright(elements: Sequence[Element], context: ReadContext) -> str | None:
    for element in elements:
        if notice := extract.text_of(element):
            return notice
        if url := context.attribute_url(element, "url", "media:copyright"):
            return url
    return None


def _status(elements: Sequence[Element], _: object) -> str | None:
    return (attribute(elements[0], "state") or "").lower() or None


def _embed(elements: Sequence[Element], context: ReadContext) -> Embed | None:
    for element in elements:
        embed = schema.EMBED.read(element, context)
        if embed.url and (url := context.url(embed.url, element, "media:embed")):
            params = extract.children_by_name(element, context.names).get("media:param", ())
            pairs = tuple((param.get("name", ""), extract.text_of(param)) for param in params)
            return Embed(url, embed.width, embed.height, pairs)
    return None


# -- elements that state several fields -------------------------------------------------------


def _restrictions(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    """Read `media:restriction`: of several of one type, the first (Media RSS)."""
    is_listed = False
    for element in elements:
        relationship = attribute(element, "relationship")
        kind = (attribute(element, "type") or "").lower()
        if kind == "sharing":
            if video.embed_allowed is None:
                video.embed_allowed = countries.sharing(relationship)
            continue
        if is_listed and kind == "country":
            continue
        restriction, notes = countries.restriction(relationship, kind, extract.text_of(element))
        if notes:
            context.warn_all(notes, element, "media:restriction")
        if not is_listed and (restriction is not None or kind == "country"):
            video.countries, is_listed = restriction, True


def _community(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    for element in elements:
        children = extract.children_by_name(element, context.names)
        if "media:starRating" in children:
            video.star_rating = schema.STAR_RATING.read(children["media:starRating"][0], context)
        if "media:tags" in children:
            video.tags = tags.parse_weighted(extract.text_of(children["media:tags"][0]))
        if "media:statistics" in children:
            statistics = schema.STATISTICS.read(children["media:statistics"][0], context)
            video.views, video.favorites = statistics


def _player(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    for element in elements:
        player = schema.EMBED.read(element, context)
        reference = player.url or extract.text_of(element)
        if reference and (url := context.url(reference, element, "media:player")):
            video.player_url = url
            if player.width or player.height:
                video.player_size = player.width, player.height
            return


def _valid(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    for element in elements:
        zone = context.options.assume_tz
        period = periods.parse(extract.text_of(element), assume_tz=zone)
        context.warn_all(period.notes, element, "dcterms:valid")
        if period.start:
            video.published = period.start
        if period.end:
            video.expires = period.end
        if period.start or period.end:
            return


def _expires(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    expires = context.first_date({"expirationDate": [*elements]}, ["expirationDate"])
    video.expires = video.expires or expires


def _live(video: Video, elements: Sequence[Element], _: object) -> None:
    if any(extract.text_of(element).lower() == "live-video" for element in elements):
        video.live = True


_Field: TypeAlias = tuple[str, str, Callable[[Sequence[Element], ReadContext], Any]]
"""An element, the field of a video, and how its value is read."""

_FIELDS: Final[Sequence[_Field]] = (
    ("media:title", "title", text),
    ("media:description", "description", text),
    ("media:thumbnail", "thumbnails", thumbnails),
    ("media:keywords", "keywords", _keywords),
    ("media:category", "categories", _categories),
    ("media:price", "prices", _prices),
    ("media:credit", "credits", _credits),
    ("media:copyright", "copyright", _copyright),
    ("media:license", "license", license_url),
    ("media:status", "status", _status),
    ("media:embed", "embed", _embed),
)
_RULES: Final[Sequence[tuple[str, Callable[[Video, Sequence[Element], ReadContext], None]]]] = (
    ("media:restriction", _restrictions),
    ("media:community", _community),
    ("media:player", _player),
    ("dcterms:valid", _valid),
    ("expirationDate", _expires),
    ("dcterms:type", _live),
)
