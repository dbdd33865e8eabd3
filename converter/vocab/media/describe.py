"""What is said of a media object, at the deepest level that says it (mapping 3.5, 3.7, 3.8).

content > group > item > channel: for each element name the deepest level that has at least one
instance replaces all shallower ones; lists are not merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

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
    "Described",
    "deepest",
    "describe",
    "inherit",
    "inherited",
    "object_ratings",
    "ratings",
    "text",
    "thumbnails",
    "words",
]

#: Elements that the media objects of one entry inherit, each counted once an object.
_MOST_INHERITED: Final = 100_000
_AROUND: Final = NAMES - {"enclosure", "media:content", "media:group"}

Described = dict[str, Any]
Levels = Sequence[Children]


def inherit(levels: Levels, *names: str) -> list[Element]:
    """Give the elements of the deepest level that has any of these names."""
    for level in levels:
        if found := [element for name in names for element in level.get(name, ())]:
            return found
    return []


def deepest(levels: Levels) -> Children:
    """Give the elements of every name at the deepest level that has any: all of the inheritance."""
    told: Children = {}
    for level in reversed(levels):
        told |= level
    return told


def inherited(found: Children, objects: int, context: Context) -> Children:
    """Give the media elements around a number of objects, as many as all of them can inherit.

    Each object repeats them: many objects among many elements would grow to their product.
    """
    told = {name: elements for name, elements in found.items() if name in _AROUND}
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


def describe(told: Children, context: Context, names: Names) -> Described:
    """Give the fields of `Video` that elements around it tell, without those that say nothing.

    Args:
        told: what applies to the object, see `deepest`.
        context: of the entry.
        names: of its format.
    """
    described: Described = {}
    for name, rule in _RULES.items():
        if elements := told.get(name):
            described |= rule(elements, context, names)
    return described


# -- one rule an element name ---------------------------------------------------------------


def text(elements: Sequence[Element], *_: object) -> Text | None:
    """Read `media:title` or `media:description`, whose `type` is `plain` or `html`."""
    for element in elements:
        is_html = take.attributes(element).get("type", "").lower() in {"html", "text/html"}
        value = take.inner_markup(element) if len(element) else take.text_of(element)
        if value:
            return Text(value=value, is_html=is_html or len(element) > 0)
    return None


def _title(elements: Sequence[Element], context: Context, names: Names) -> Described:
    return {"title": text(elements)}


def _description(elements: Sequence[Element], context: Context, names: Names) -> Described:
    return {"description": text(elements)}


def thumbnails(elements: Sequence[Element], context: Context) -> Iterator[Thumbnail]:
    """Read `media:thumbnail`, in the order that says how important they are."""
    for element in elements:
        given = take.attributes(element)
        reference = given.get("url") or take.text_of(element)  # some feeds write it as text
        url = context.url(reference, element, "media:thumbnail") if reference else None
        if url is None:
            continue
        yield Thumbnail(
            url=url,
            width=_pixels(given.get("width")),
            height=_pixels(given.get("height")),
            time_s=_time(given.get("time"), element, context),
        )


def _thumbnails(elements: Sequence[Element], context: Context, names: Names) -> Described:
    return {"thumbnails": tuple(thumbnails(elements, context))}


def _pixels(given: str | None) -> int | None:
    try:
        return int(numbers.decimal(given.lower().removesuffix("px"))) if given else None
    except ValueError:
        return None  # `100%`: no size that could rule the picture out


def _time(given: str | None, element: Element, context: Context) -> float | None:
    if not given:
        return None
    try:
        return durations.normal_play_time(given)
    except ValueError:
        message = f'"{given[:60]}" is not a time; left out'
        context.tell(Code.DURATION_UNREADABLE, message, element, "media:thumbnail@time")
        return None


def _keywords(elements: Sequence[Element], context: Context, names: Names) -> Described:
    listed = (name for element in elements for name in tags.keywords(take.text_of(element)))
    return {"keywords": tags.unique(listed)}


def _categories(elements: Sequence[Element], context: Context, names: Names) -> Described:
    found = []
    for element in elements:
        given = take.attributes(element)
        term = take.text_of(element)
        if label := term or given.get("label"):
            found.append(Category(term=label, label=given.get("label"), scheme=given.get("scheme")))
    return {"categories": tuple(found)}


def ratings(elements: Sequence[Element], names: Names) -> Iterator[Rating]:
    """Read `media:rating`, and `media:adult`, which counts as one of its level."""
    adult = {"true": "adult", "false": "nonadult"}
    for element in elements:
        value = take.text_of(element).lower()
        if names[element.tag] == "media:adult":
            value = adult.get(value, value)
        if value:
            scheme = take.attributes(element).get("scheme", "urn:simple").lower()
            yield Rating(value=value, scheme=scheme)


def _restrictions(elements: Sequence[Element], context: Context, names: Names) -> Described:
    """Read `media:restriction`: of several of one type, the first (Media RSS)."""
    described: Described = {}
    if not elements:
        return described
    from converter.values import countries  # few media are not for everybody

    for element in elements:
        given = take.attributes(element)
        relationship, kind = given.get("relationship"), given.get("type", "").lower()
        if kind == "sharing":
            allowed = countries.sharing(relationship)
            if allowed is not None:
                described.setdefault("embed_allowed", allowed)
            continue
        if kind == "country" and "countries" in described:
            continue
        restriction, notes = countries.restriction(
            relationship, given.get("type"), take.text_of(element)
        )
        context.tell_all(notes, element, "media:restriction")
        if restriction is not None or kind == "country":
            described.setdefault("countries", restriction)
    return described


def _community(elements: Sequence[Element], context: Context, names: Names) -> Described:
    described: Described = {}
    for element in elements:
        children = take.gather(element, names)
        for star in children.get("media:starRating", ())[:1]:
            described["star_rating"] = _star_rating(star, context)
        for statistics in children.get("media:statistics", ())[:1]:
            given = take.attributes(statistics)
            described["views"] = _views(given.get("views"), statistics, context)
            described["favorites"] = _views(given.get("favorites"), statistics, context)
        for listed in children.get("media:tags", ())[:1]:
            described["tags"] = tags.weighted(take.text_of(listed))
    return described


def _star_rating(element: Element, context: Context) -> StarRating:
    given = take.attributes(element)
    average, minimum, maximum = (
        context.decimal(given.get(name), element, f"media:starRating@{name}")
        for name in ("average", "min", "max")
    )
    count = context.whole(given.get("count"), element, "media:starRating@count")
    return StarRating(average=average, count=count, minimum=minimum, maximum=maximum)


def _views(given: str | None, element: Element, context: Context) -> int | None:
    if given is None:
        return None
    try:
        return numbers.views(given)
    except ValueError:
        message = f'"{given[:60]}" is not a whole number; left out'
        context.tell(Code.NUMBER_UNREADABLE, message, element, "media:statistics")
        return None


def _prices(elements: Sequence[Element], context: Context, names: Names) -> Described:
    prices = []
    for element in elements:
        given = take.attributes(element)
        amount = context.decimal(given.get("price"), element, "media:price")
        prices.append(
            Price(
                type=given.get("type", "").lower() or None,
                amount=amount,
                currency=given.get("currency", "").upper() or None,
                info=given.get("info"),
            )
        )
    return {"prices": tuple(prices)}


def _credits(elements: Sequence[Element], context: Context, names: Names) -> Described:
    found = []
    for element in elements:
        given = take.attributes(element)
        if name := take.text_of(element):
            role, scheme = given.get("role", "").lower(), given.get("scheme", "").lower()
            found.append(Credit(name=name, role=role or None, scheme=scheme or None))
    return {"credits": tuple(found)}


def _copyright(elements: Sequence[Element], context: Context, names: Names) -> Described:
    for element in elements:
        notice = take.text_of(element) or context.attribute_url(element, "url", "media:copyright")
        if notice:
            return {"copyright": notice}
    return {}


def _license(elements: Sequence[Element], context: Context, names: Names) -> Described:
    for element in elements:
        if href := context.attribute_url(element, "href", "media:license"):
            return {"license": href}
    return {}


def _status(elements: Sequence[Element], context: Context, names: Names) -> Described:
    return {"status": take.attributes(elements[0]).get("state", "").lower() or None}


def _embed(elements: Sequence[Element], context: Context, names: Names) -> Described:
    for element in elements:
        given = take.attributes(element)
        if url := context.attribute_url(element, "url", "media:embed"):
            params = take.gather(element, names).get("media:param", ())
            return {
                "embed": Embed(
                    url=url,
                    width=_pixels(given.get("width")),
                    height=_pixels(given.get("height")),
                    params=tuple((p.get("name", ""), take.text_of(p)) for p in params),
                )
            }
    return {}


def _player(elements: Sequence[Element], context: Context, names: Names) -> Described:
    for element in elements:
        given = take.attributes(element)
        reference = given.get("url") or take.text_of(element)
        if reference and (url := context.url(reference, element, "media:player")):
            size = (_pixels(given.get("width")), _pixels(given.get("height")))
            return {"player_url": url, "player_size": size if any(size) else None}
    return {}


def _valid(elements: Sequence[Element], context: Context, names: Names) -> Described:
    for element in elements:
        period = periods.read(take.text_of(element), assume_tz=context.options.assume_tz)
        context.tell_all(period.notes, element, "dcterms:valid")
        described = {"published": period.start, "expires": period.end}
        if any(described.values()):
            return {name: moment for name, moment in described.items() if moment}
    return {}


def _live(elements: Sequence[Element], context: Context, names: Names) -> Described:
    is_live = any(take.text_of(element).lower() == "live-video" for element in elements)
    return {"live": True} if is_live else {}


_Rule = Callable[[Sequence[Element], Context, Names], Described]

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


def object_ratings(levels: Levels, names: Names) -> tuple[Rating, ...]:
    """Give the ratings of content, group or item; the channel's come later (mapping 3.8)."""
    return tuple(ratings(inherit(levels, "media:rating", "media:adult"), names))


def words(told: Children, names: Names) -> tuple[Word, ...]:
    """Keep what no video tag tells of."""
    kept = (element for name in KEPT if name in told for element in told[name])
    return tuple(take.word_of(element, names) for element in kept)
