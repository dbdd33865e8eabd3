"""The elements that describe a media object, and what each states (mapping 3.5, 3.7, 3.8).

A level is the children of a content, a group, an item or a channel. For each element name the
deepest level that has any replaces all shallower ones; lists are not merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from converter.issues import Code
from converter.model import (
    Category,
    Credit,
    Embed,
    Price,
    Rating,
    StarRating,
    Text,
    Thumbnail,
    Word,
)
from converter.values import durations, numbers, periods, tags
from converter.vocab.context import Context
from converter.vocab.media.names import KEPT, NAMES
from converter.xml import take
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = [
    "Fields",
    "describe",
    "limited",
    "ratings",
    "ratings_of",
    "text",
    "thumbnails",
    "words",
]

#: Elements that the media objects of one entry inherit, each counted once an object.
_MOST_INHERITED: Final = 100_000
_DESCRIBING: Final = NAMES - {"enclosure", "media:content", "media:group"}

Fields: TypeAlias = dict[str, Any]
"""Fields of a `Video`."""


def limited(level: Children, objects: int, context: Context) -> Children:
    """Return a level with as many elements as a number of media objects can inherit.

    Each object repeats them: many objects among many elements would grow to their product.
    """
    if objects * sum(map(len, level.values())) <= _MOST_INHERITED:
        return level
    told = {name: elements for name, elements in level.items() if name in _DESCRIBING}
    if objects * sum(map(len, told.values())) <= _MOST_INHERITED:
        return told
    most = max(1, _MOST_INHERITED // (objects * len(told)))
    for name, elements in told.items():
        if len(elements) > most:
            message = (
                f"{len(elements):,} <{name}> for {objects:,} media objects; the first {most:,} "
                "are read"
            )
            context.tell(Code.INHERITED_CUT, message, elements[most], name)
            told[name] = elements[:most]
    return told


def describe(elements: Children, context: Context, names: Names) -> Fields:
    """Return the fields of `Video` that these elements state."""
    fields: Fields = {}
    for name, rule in _RULES.items():
        if name in elements:
            rule(fields, elements[name], context, names)
    return fields


# -- elements that more than videos have ----------------------------------------------------


def text(elements: Sequence[Element]) -> Text | None:
    """Read `media:title` or `media:description`, whose `type` is `plain` or `html`."""
    for element in elements:
        has_markup = len(element) > 0
        if value := take.inner_markup(element) if has_markup else take.text_of(element):
            kind = take.attributes(element).get("type", "").lower()
            return Text(value=value, is_html=has_markup or kind in {"html", "text/html"})
    return None


def thumbnails(elements: Sequence[Element], context: Context) -> tuple[Thumbnail, ...]:
    """Read `media:thumbnail`, in the order that says how important they are."""
    found = []
    for element in elements:
        given = take.attributes(element)
        reference = given.get("url") or take.text_of(element)  # some feeds write it as text
        url = context.url(reference, element, "media:thumbnail") if reference else None
        if url is not None:
            found.append(
                Thumbnail(
                    url=url,
                    width=_pixels(given.get("width")),
                    height=_pixels(given.get("height")),
                    time_s=_time(given["time"], element, context) if "time" in given else None,
                )
            )
    return tuple(found)


def _pixels(text: str | None) -> int | None:
    try:
        return None if text is None else numbers.pixels(text)
    except ValueError:
        return None  # `100%`: no size that could rule the picture out


def _time(text: str, element: Element, context: Context) -> float | None:
    try:
        return durations.normal_play_time(text)
    except ValueError:
        message = f'"{text[:60]}" is not a time; left out'
        context.tell(Code.DURATION_UNREADABLE, message, element, "media:thumbnail@time")
        return None


def ratings(elements: Iterable[Element], names: Names) -> tuple[Rating, ...]:
    """Read `media:rating`, and `media:adult`, which counts as one of its level."""
    found = []
    for element in elements:
        value = take.text_of(element).lower()
        if names[element.tag] == "media:adult":
            value = _ADULT.get(value, value)
        if value:
            scheme = take.attributes(element).get("scheme", "urn:simple").lower()
            found.append(Rating(value=value, scheme=scheme))
    return tuple(found)


_ADULT: Final = {"true": "adult", "false": "nonadult"}


def ratings_of(levels: Iterable[Children], names: Names) -> tuple[Rating, ...]:
    """Return the ratings of the deepest of these levels that has any."""
    for level in levels:
        if "media:rating" in level or "media:adult" in level:
            elements = [*level.get("media:rating", ()), *level.get("media:adult", ())]
            return ratings(elements, names)
    return ()


def words(elements: Children, names: Names, of: Iterable[str] = KEPT) -> tuple[Word, ...]:
    """Keep the elements of these names as they are."""
    return tuple(
        [
            take.word_of(element, names)
            for name in of
            if name in elements
            for element in elements[name]
        ]
    )


# -- one rule for each element name: it sets fields of the video ----------------------------


def _title(fields: Fields, elements: Sequence[Element], *_: object) -> None:
    fields["title"] = text(elements)


def _description(fields: Fields, elements: Sequence[Element], *_: object) -> None:
    fields["description"] = text(elements)


def _thumbnails(
    fields: Fields, elements: Sequence[Element], context: Context, names: Names
) -> None:
    fields["thumbnails"] = thumbnails(elements, context)


def _keywords(fields: Fields, elements: Sequence[Element], *_: object) -> None:
    fields["keywords"] = tags.keywords(*map(take.text_of, elements))


def _categories(fields: Fields, elements: Sequence[Element], *_: object) -> None:
    found = []
    for element in elements:
        given = take.attributes(element)
        label, scheme = given.get("label"), given.get("scheme")
        if term := take.text_of(element) or label:
            found.append(Category(term=term, label=label, scheme=scheme))
    fields["categories"] = tuple(found)


def _restrictions(
    fields: Fields, elements: Sequence[Element], context: Context, names: Names
) -> None:
    """Read `media:restriction`: of several of one type, the first (Media RSS)."""
    from converter.values import countries  # few media are not for everybody

    for element in elements:
        given = take.attributes(element)
        relationship, kind = given.get("relationship"), given.get("type", "").lower()
        if kind == "sharing":
            allowed = countries.sharing(relationship)
            if allowed is not None:
                fields.setdefault("embed_allowed", allowed)
            continue
        if kind == "country" and "countries" in fields:
            continue
        restriction, notes = countries.restriction(relationship, kind, take.text_of(element))
        context.tell_all(notes, element, "media:restriction")
        if restriction is not None or kind == "country":
            fields.setdefault("countries", restriction)


def _community(fields: Fields, elements: Sequence[Element], context: Context, names: Names) -> None:
    for element in elements:
        children = take.gather(element, names)
        if "media:starRating" in children:
            fields["star_rating"] = _star_rating(children["media:starRating"][0], context)
        if "media:statistics" in children:
            statistics = children["media:statistics"][0]
            given = take.attributes(statistics)
            fields["views"] = _views(given.get("views"), statistics, context)
            fields["favorites"] = _views(given.get("favorites"), statistics, context)
        if "media:tags" in children:
            fields["tags"] = tags.weighted(take.text_of(children["media:tags"][0]))


def _star_rating(element: Element, context: Context) -> StarRating:
    given = take.attributes(element)
    return StarRating(
        average=context.decimal(given.get("average"), element, "media:starRating@average"),
        minimum=context.decimal(given.get("min"), element, "media:starRating@min"),
        maximum=context.decimal(given.get("max"), element, "media:starRating@max"),
        count=context.whole(given.get("count"), element, "media:starRating@count"),
    )


def _views(text: str | None, element: Element, context: Context) -> int | None:
    if text is None:
        return None
    try:
        return numbers.views(text)
    except ValueError:
        message = f'"{text[:60]}" is not a whole number; left out'
        context.tell(Code.NUMBER_UNREADABLE, message, element, "media:statistics")
        return None


def _prices(fields: Fields, elements: Sequence[Element], context: Context, names: Names) -> None:
    prices = []
    for element in elements:
        given = take.attributes(element)
        prices.append(
            Price(
                type=given.get("type", "").lower() or None,
                amount=context.decimal(given.get("price"), element, "media:price"),
                currency=given.get("currency", "").upper() or None,
                info=given.get("info"),
            )
        )
    fields["prices"] = tuple(prices)


def _credits(fields: Fields, elements: Sequence[Element], *_: object) -> None:
    found = []
    for element in elements:
        if name := take.text_of(element):
            given = take.attributes(element)
            role, scheme = given.get("role", "").lower(), given.get("scheme", "").lower()
            found.append(Credit(name=name, role=role or None, scheme=scheme or None))
    fields["credits"] = tuple(found)


def _copyright(fields: Fields, elements: Sequence[Element], context: Context, names: Names) -> None:
    for element in elements:
        notice = take.text_of(element) or context.attribute_url(element, "url", "media:copyright")
        if notice:
            fields["copyright"] = notice
            return


def _license(fields: Fields, elements: Sequence[Element], context: Context, names: Names) -> None:
    for element in elements:
        if href := context.attribute_url(element, "href", "media:license"):
            fields["license"] = href
            return


def _status(fields: Fields, elements: Sequence[Element], *_: object) -> None:
    fields["status"] = take.attributes(elements[0]).get("state", "").lower() or None


def _embed(fields: Fields, elements: Sequence[Element], context: Context, names: Names) -> None:
    for element in elements:
        given = take.attributes(element)
        reference = given.get("url")
        if reference and (url := context.url(reference, element, "media:embed")):
            params = take.gather(element, names).get("media:param", ())
            fields["embed"] = Embed(
                url=url,
                width=_pixels(given.get("width")),
                height=_pixels(given.get("height")),
                params=tuple((p.get("name", ""), take.text_of(p)) for p in params),
            )
            return


def _player(fields: Fields, elements: Sequence[Element], context: Context, names: Names) -> None:
    for element in elements:
        given = take.attributes(element)
        reference = given.get("url") or take.text_of(element)
        if reference and (url := context.url(reference, element, "media:player")):
            fields["player_url"] = url
            size = (_pixels(given.get("width")), _pixels(given.get("height")))
            fields["player_size"] = size if any(size) else None
            return


def _valid(fields: Fields, elements: Sequence[Element], context: Context, names: Names) -> None:
    for element in elements:
        period = periods.read(take.text_of(element), assume_tz=context.options.assume_tz)
        context.tell_all(period.notes, element, "dcterms:valid")
        if period.start:
            fields["published"] = period.start
        if period.end:
            fields["expires"] = period.end
        if period.start or period.end:
            return


def _live(fields: Fields, elements: Sequence[Element], *_: object) -> None:
    if any(take.text_of(element).lower() == "live-video" for element in elements):
        fields["live"] = True


_Rule: TypeAlias = Callable[[Fields, Sequence[Element], Context, Names], None]

_RULES: Final[Mapping[str, _Rule]] = {
    "media:title": _title,
    "media:description": _description,
    "media:thumbnail": _thumbnails,
    "media:keywords": _keywords,
    "media:category": _categories,
    "media:restriction": _restrictions,
    "media:community": _community,
    "media:price": _prices,
    "media:credit": _credits,
    "media:copyright": _copyright,
    "media:license": _license,
    "media:status": _status,
    "media:embed": _embed,
    "media:player": _player,
    "dcterms:valid": _valid,
    "dcterms:type": _live,
}
