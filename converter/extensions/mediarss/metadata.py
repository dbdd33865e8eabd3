"""The elements that describe a media object, and what each states (mapping 3.5, 3.7, 3.8).

A level is the children of a content, a group, an item or a channel. For each element name the
deepest level that has any replaces all shallower ones; lists are not merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from converter.extensions.mediarss import KEPT, NAMES
from converter.extensions.mediarss.schema import (
    CATEGORY,
    CREDIT,
    EMBED,
    PRICE,
    STAR_RATING,
    STATISTICS,
    THUMBNAIL,
    attribute,
)
from converter.extensions.read_context import ReadContext
from converter.issues import Code
from converter.model import (
    Category,
    Credit,
    Embed,
    ExtraElement,
    Price,
    Rating,
    StarRating,
    Tag,
    Text,
    Thumbnail,
    Video,
)
from converter.values import periods, tags
from converter.xml import extract
from converter.xml.extract import Children, Element
from converter.xml.namespaces import CanonicalNames

#: Elements that the media objects of one entry inherit, each counted once an object.
MOST_INHERITED: Final = 100_000
_DESCRIBING: Final = NAMES - {"enclosure", "media:content", "media:group"}


def limited(level: Children, objects: int, context: ReadContext) -> Children:
    """Return a level with as many elements as a number of media objects can inherit.

    Each object repeats them: many objects among many elements would grow to their product.
    """
    if objects * sum(map(len, level.values())) <= MOST_INHERITED:
        return level
    told = {name: elements for name, elements in level.items() if name in _DESCRIBING}
    if objects * sum(map(len, told.values())) <= MOST_INHERITED:
        return told
    most = max(1, MOST_INHERITED // (objects * len(told)))
    for name, elements in told.items():
        if len(elements) > most:
            message = (
                f"{len(elements):,} <{name}> for {objects:,} media objects; the first {most:,} "
                "are read"
            )
            context.tell(Code.INHERITED_CUT, message, elements[most], name)
            told[name] = elements[:most]
    return told


def describe(video: Video, elements: Children, context: ReadContext) -> None:
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
            kind = attribute(element, "type") or ""
            return Text(value, kind.lower() in {"html", "text/html"})
    return None


def thumbnails(elements: Sequence[Element], context: ReadContext) -> tuple[Thumbnail, ...]:
    """Read `media:thumbnail`, in the order that says how important they are."""
    found = []
    for element in elements:
        thumbnail = THUMBNAIL.read(element, context)
        reference = thumbnail.url or extract.text_of(element)  # some feeds write it as text
        if reference and (url := context.url(reference, element, "media:thumbnail")):
            thumbnail.url = url
            found.append(thumbnail)
    return tuple(found)


def ratings(elements: Iterable[Element], names: CanonicalNames) -> tuple[Rating, ...]:
    """Read `media:rating`, and `media:adult`, which counts as one of its level."""
    found = []
    for element in elements:
        value = extract.text_of(element).lower()
        if names[element.tag] == "media:adult":
            value = _ADULT.get(value, value)
        if value:
            found.append(Rating(value, (attribute(element, "scheme") or "urn:simple").lower()))
    return tuple(found)


_ADULT: Final = {"true": "adult", "false": "nonadult"}


def ratings_of(levels: Iterable[Children], names: CanonicalNames) -> tuple[Rating, ...]:
    """Return the ratings of the deepest of these levels that has any."""
    for level in levels:
        if "media:rating" in level or "media:adult" in level:
            elements = [*level.get("media:rating", ()), *level.get("media:adult", ())]
            return ratings(elements, names)
    return ()


def words(
    elements: Children, names: CanonicalNames, kept: frozenset[str] = KEPT
) -> tuple[ExtraElement, ...]:
    """Keep the elements of these names as they are, in the order of the names."""
    if kept.isdisjoint(elements):
        return ()
    found: list[ExtraElement] = []
    for name in sorted(kept.intersection(elements)):
        found += [extract.to_extra_element(element, names) for element in elements[name]]
    return tuple(found)


def license_of(elements: Iterable[Element], context: ReadContext) -> str | None:
    """Read the link of `media:license`."""
    for element in elements:
        if href := context.attribute_url(element, "href", "media:license"):
            return href
    return None


def _keywords(elements: Sequence[Element], _: object) -> tuple[str, ...]:
    return tags.split_keywords(*map(extract.text_of, elements))


def _categories(elements: Sequence[Element], context: ReadContext) -> tuple[Category, ...]:
    found = []
    for element in elements:
        category = CATEGORY.read(element, context)
        if term := extract.text_of(element) or category.label:
            category.term = term
            found.append(category)
    return tuple(found)


def _credits(elements: Sequence[Element], context: ReadContext) -> tuple[Credit, ...]:
    return tuple(
        CREDIT.read(element, context)._replace(name=name)
        for element in elements
        if (name := extract.text_of(element))
    )


def _prices(elements: Sequence[Element], context: ReadContext) -> tuple[Price, ...]:
    return tuple(PRICE.read(element, context) for element in elements)


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
        embed = EMBED.read(element, context)
        if embed.url and (url := context.url(embed.url, element, "media:embed")):
            params = extract.children_by_name(element, context.names).get("media:param", ())
            pairs = tuple((param.get("name", ""), extract.text_of(param)) for param in params)
            return Embed(url, embed.width, embed.height, pairs)
    return None


def _star_rating(elements: Sequence[Element], context: ReadContext) -> StarRating:
    return STAR_RATING.read(elements[0], context)


def _tags(elements: Sequence[Element], _: object) -> tuple[Tag, ...]:
    return tags.parse_weighted(extract.text_of(elements[0]))


# -- elements that state several fields -------------------------------------------------------


def _restrictions(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    """Read `media:restriction`: of several of one type, the first (Media RSS)."""
    from converter.values.countries import restriction, sharing  # few are not for everybody

    is_listed = False
    for element in elements:
        relationship = attribute(element, "relationship")
        kind = (attribute(element, "type") or "").lower()
        if kind == "sharing":
            if video.embed_allowed is None:
                video.embed_allowed = sharing(relationship)
            continue
        if is_listed and kind == "country":
            continue
        countries, notes = restriction(relationship, kind, extract.text_of(element))
        if notes:
            context.tell_all(notes, element, "media:restriction")
        if not is_listed and (countries is not None or kind == "country"):
            video.countries, is_listed = countries, True


def _community(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    for element in elements:
        children = extract.children_by_name(element, context.names)
        for name, field, read in _COMMUNITY_FIELDS:
            if name in children:
                setattr(video, field, read(children[name], context))
        if "media:statistics" in children:
            statistics = children["media:statistics"][0]
            video.views, video.favorites = STATISTICS.read(statistics, context)


def _player(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    for element in elements:
        player = EMBED.read(element, context)
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
        context.tell_all(period.notes, element, "dcterms:valid")
        if period.start:
            video.published = period.start
        if period.end:
            video.expires = period.end
        if period.start or period.end:
            return


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
    ("media:license", "license", license_of),
    ("media:status", "status", _status),
    ("media:embed", "embed", _embed),
)
_COMMUNITY_FIELDS: Final[Sequence[_Field]] = (
    ("media:starRating", "star_rating", _star_rating),
    ("media:tags", "tags", _tags),
)
_RULES: Final[Sequence[tuple[str, Callable[[Video, Sequence[Element], ReadContext], None]]]] = (
    ("media:restriction", _restrictions),
    ("media:community", _community),
    ("media:player", _player),
    ("dcterms:valid", _valid),
    ("dcterms:type", _live),
)
