"""Reads the elements that describe a media object (mapping 3.5, 3.7, 3.8).

A level is the children of a content, a group, an item or a channel. For each element name the
deepest level that has any replaces all shallower ones; lists are not merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

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
    StarRating,
    Text,
    Thumbnail,
    Video,
)
from converter.values import countries, periods, tags
from converter.xml import extract
from converter.xml.extract import Children, Element
from converter.xml.namespaces import CanonicalNames

T = TypeVar("T")
ValueReader: TypeAlias = Callable[[Element, ReadContext], T | None]

#: Elements of one name that the media objects of one entry inherit, each counted once per object.
_MOST_INHERITED: Final = 20_000
_DESCRIBING: Final = NAMES - {"enclosure", "media:content", "media:group"}
_ADULT: Final = {"true": "adult", "false": "nonadult"}


def limit_inherited(level: Children, objects: int, context: ReadContext) -> Children:
    """Return a level with as many elements as this number of media objects can inherit.

    Each object repeats them: many objects among many elements would grow to their product.
    """
    most = max(1, _MOST_INHERITED // objects)
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


def _first(read: ValueReader[T]) -> Callable[[Sequence[Element], ReadContext], T | None]:
    """Read the first element that has a value."""

    def read_first(elements: Sequence[Element], context: ReadContext) -> T | None:
        for element in elements:
            if (value := read(element, context)) is not None:
                return value
        return None

    return read_first


def _every(read: ValueReader[T]) -> Callable[[Sequence[Element], ReadContext], tuple[T, ...]]:
    """Read all elements that have a value."""

    def read_every(elements: Sequence[Element], context: ReadContext) -> tuple[T, ...]:
        found = [read(element, context) for element in elements]
        return tuple([value for value in found if value is not None])

    return read_every


# -- values -----------------------------------------------------------------------------------


def _text(element: Element, _: ReadContext) -> Text | None:
    if len(element):
        return Text(value, is_html=True) if (value := extract.inner_html(element)) else None
    if not (value := extract.text_of(element)):
        return None
    type_ = attribute(element, "type")
    return Text(value, type_ is not None and type_.lower() in {"html", "text/html"})


def _thumbnail(element: Element, context: ReadContext) -> Thumbnail | None:
    thumbnail = schema.THUMBNAIL.read(Thumbnail(""), element, context)
    reference = thumbnail.url or extract.text_of(element)  # some feeds write it as text
    url = context.url(reference, element, "media:thumbnail") if reference else None
    thumbnail.url = url or ""
    return thumbnail if url else None


def _rating(element: Element, context: ReadContext) -> Rating | None:
    value = extract.text_of(element).lower()
    if context.names[element.tag] == "media:adult":
        value = _ADULT.get(value, value)
    scheme = (attribute(element, "scheme") or "urn:simple").lower()
    return Rating(value, scheme) if value else None


def _category(element: Element, _: ReadContext) -> Category | None:
    attributes = extract.attributes(element)
    label = attributes.get("label")
    term = extract.text_of(element) or label
    return Category(term, label, attributes.get("scheme")) if term else None


def _credit(element: Element, _: ReadContext) -> Credit | None:
    role = (attribute(element, "role") or "").lower() or None
    scheme = (attribute(element, "scheme") or "").lower() or None
    name = extract.text_of(element)
    return Credit(name, role, scheme) if name else None


def _price(element: Element, context: ReadContext) -> Price:
    return schema.PRICE.read(Price(), element, context)


def _copyright(element: Element, context: ReadContext) -> str | None:
    notice = extract.text_of(element)
    return notice or context.attribute_url(element, "url", "media:copyright")


def _license_url(element: Element, context: ReadContext) -> str | None:
    return context.attribute_url(element, "href", "media:license")


def _status(element: Element, _: ReadContext) -> str | None:
    return (attribute(element, "state") or "").lower() or None


def _embed(element: Element, context: ReadContext) -> Embed | None:
    embed = schema.EMBED.read(Embed(""), element, context)
    if not embed.url or not (url := context.url(embed.url, element, "media:embed")):
        return None
    params = extract.children_by_name(element, context.names).get("media:param", ())
    pairs = tuple((param.get("name", ""), extract.text_of(param)) for param in params)
    return Embed(url, embed.width, embed.height, pairs)


def _keywords(elements: Sequence[Element], _: ReadContext) -> tuple[str, ...]:
    return tags.split_keywords(*map(extract.text_of, elements))


#: `media:title` or `media:description`, whose `type` is `plain` or `html`.
text: Final = _first(_text)
#: `media:thumbnail`, the most important first, as Media RSS orders them.
thumbnails: Final = _every(_thumbnail)
#: `media:rating`, and `media:adult` as a rating of the scheme `urn:simple`.
ratings: Final = _every(_rating)
license_url: Final = _first(_license_url)


def deepest_ratings(levels: Iterable[Children], context: ReadContext) -> tuple[Rating, ...]:
    """Return the ratings of the deepest of these levels that has any."""
    for level in levels:
        if "media:rating" in level or "media:adult" in level:
            return ratings([*level.get("media:rating", ()), *level.get("media:adult", ())], context)
    return ()


def extra_elements(
    elements: Children, names: CanonicalNames, wanted: frozenset[str] = EXTRA_NAMES
) -> tuple[ExtraElement, ...]:
    """Return the elements of these names unchanged, in the order of the names."""
    if wanted.isdisjoint(elements):
        return ()
    present = sorted(wanted.intersection(elements))
    return tuple(
        extract.to_extra_element(each, names) for name in present for each in elements[name]
    )


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
        elif not is_listed or kind != "country":
            restriction, notes = countries.restriction(relationship, kind, extract.text_of(element))
            context.warn_all(notes, element, "media:restriction")
            if not is_listed and (restriction is not None or kind == "country"):
                video.countries, is_listed = restriction, True


def _community(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    for element in elements:
        children = extract.children_by_name(element, context.names)
        if stars := children.get("media:starRating"):
            video.star_rating = schema.STAR_RATING.read(StarRating(), stars[0], context)
        if weighted := children.get("media:tags"):
            video.tags = tags.parse_weighted(extract.text_of(weighted[0]))
        if statistics := children.get("media:statistics"):
            schema.STATISTICS.read(video, statistics[0], context)


def _player(video: Video, elements: Sequence[Element], context: ReadContext) -> None:
    for element in elements:
        player = schema.EMBED.read(Embed(""), element, context)
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


#: An element, the field of a video, and how its value is read.
_FIELDS: Final[Sequence[tuple[str, str, Callable[[Sequence[Element], ReadContext], Any]]]] = (
    ("media:title", "title", text),
    ("media:description", "description", text),
    ("media:thumbnail", "thumbnails", thumbnails),
    ("media:keywords", "keywords", _keywords),
    ("media:category", "categories", _every(_category)),
    ("media:price", "prices", _every(_price)),
    ("media:credit", "credits", _every(_credit)),
    ("media:copyright", "copyright", _first(_copyright)),
    ("media:license", "license", license_url),
    ("media:status", "status", _first(_status)),
    ("media:embed", "embed", _first(_embed)),
)
_RULES: Final[Sequence[tuple[str, Callable[[Video, Sequence[Element], ReadContext], None]]]] = (
    ("media:restriction", _restrictions),
    ("media:community", _community),
    ("media:player", _player),
    ("dcterms:valid", _valid),
    ("expirationDate", _expires),
    ("dcterms:type", _live),
)
