"""The elements that describe a media object, and what each states (mapping 3.5, 3.7, 3.8).

A level is the children of a content, a group, an item or a channel. For each element name the
deepest level that has any replaces all shallower ones; lists are not merged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

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
    Video,
    Word,
)
from converter.values import numbers, periods, tags
from converter.vocab.context import Context
from converter.vocab.media.names import KEPT, NAMES
from converter.xml import take
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = [
    "MOST_INHERITED",
    "describe",
    "license_of",
    "limited",
    "ratings",
    "ratings_of",
    "text",
    "thumbnails",
    "words",
]

#: Elements that the media objects of one entry inherit, each counted once an object.
MOST_INHERITED: Final = 100_000
_DESCRIBING: Final = NAMES - {"enclosure", "media:content", "media:group"}


def limited(level: Children, objects: int, context: Context) -> Children:
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


def describe(video: Video, elements: Children, context: Context, names: Names) -> None:
    """Set the fields of a video that these elements state."""
    if "media:title" in elements:
        video.title = text(elements["media:title"])
    if "media:description" in elements:
        video.description = text(elements["media:description"])
    for name, rule in _RULES.items():
        if name in elements:
            rule(video, elements[name], context, names)


# -- elements that more than videos have ----------------------------------------------------


def text(elements: Sequence[Element]) -> Text | None:
    """Read `media:title` or `media:description`, whose `type` is `plain` or `html`."""
    for element in elements:
        has_markup = len(element) > 0
        if value := take.inner_markup(element) if has_markup else take.text_of(element):
            is_html = has_markup
            if not has_markup and element.attrib:
                kind = take.attributes(element).get("type", "")
                is_html = kind.lower() in {"html", "text/html"}
            return Text(value=value, is_html=is_html)
    return None


def thumbnails(elements: Sequence[Element], context: Context) -> tuple[Thumbnail, ...]:
    """Read `media:thumbnail`, in the order that says how important they are."""
    found = []
    for element in elements:
        given = take.attributes(element)
        reference = given.get("url") or take.text_of(element)  # some feeds write it as text
        url = context.url(reference, element, "media:thumbnail") if reference else None
        if url is not None:
            width, height = _size(given)
            found.append(
                Thumbnail(
                    url=url,
                    width=width,
                    height=height,
                    time_s=_time(given["time"], element, context) if "time" in given else None,
                )
            )
    return tuple(found)


def _size(given: Mapping[str, str]) -> tuple[int | None, int | None]:
    """Read `width` and `height` in pixels; of `100%` comes no size that could rule it out."""
    sizes: list[int | None] = []
    for name in ("width", "height"):
        try:
            sizes.append(numbers.pixels(given[name]) if name in given else None)
        except ValueError:
            sizes.append(None)
    return sizes[0], sizes[1]


def _time(text: str, element: Element, context: Context) -> float | None:
    try:
        return numbers.play_time_s(text)
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
            given = take.attributes(element) if element.attrib else {}
            found.append(Rating(value=value, scheme=given.get("scheme", "urn:simple").lower()))
    return tuple(found)


_ADULT: Final = {"true": "adult", "false": "nonadult"}


def ratings_of(levels: Iterable[Children], names: Names) -> tuple[Rating, ...]:
    """Return the ratings of the deepest of these levels that has any."""
    for level in levels:
        if "media:rating" in level or "media:adult" in level:
            elements = [*level.get("media:rating", ()), *level.get("media:adult", ())]
            return ratings(elements, names)
    return ()


def words(elements: Children, names: Names, kept: Collection[str] = KEPT) -> tuple[Word, ...]:
    """Keep the elements of these names as they are, in the order of the names."""
    found: list[Word] = []
    for name in sorted(elements.keys() & kept):
        found += [take.word_of(element, names) for element in elements[name]]
    return tuple(found)


def license_of(elements: Iterable[Element], context: Context) -> str | None:
    """Read the link of `media:license`."""
    for element in elements:
        if href := context.attribute_url(element, "href", "media:license"):
            return href
    return None


# -- one rule for each element name: it sets fields of the video ----------------------------


def _thumbnails(video: Video, elements: Sequence[Element], context: Context, _: Names) -> None:
    video.thumbnails = thumbnails(elements, context)


def _keywords(video: Video, elements: Sequence[Element], *_: object) -> None:
    video.keywords = tags.keywords(*map(take.text_of, elements))


def _categories(video: Video, elements: Sequence[Element], *_: object) -> None:
    found = []
    for element in elements:
        given = take.attributes(element) if element.attrib else {}
        label, scheme = given.get("label"), given.get("scheme")
        if term := take.text_of(element) or label:
            found.append(Category(term=term, label=label, scheme=scheme))
    video.categories = tuple(found)


def _restrictions(video: Video, elements: Sequence[Element], context: Context, _: Names) -> None:
    """Read `media:restriction`: of several of one type, the first (Media RSS)."""
    from converter.values.countries import restriction, sharing  # few are not for everybody

    is_listed = False
    for element in elements:
        given = take.attributes(element)
        relationship, kind = given.get("relationship"), given.get("type", "").lower()
        if kind == "sharing":
            if video.embed_allowed is None:
                video.embed_allowed = sharing(relationship)
            continue
        if is_listed and kind == "country":
            continue
        countries, notes = restriction(relationship, kind, take.text_of(element))
        context.tell_all(notes, element, "media:restriction")
        if not is_listed and (countries is not None or kind == "country"):
            video.countries, is_listed = countries, True


def _community(video: Video, elements: Sequence[Element], context: Context, names: Names) -> None:
    for element in elements:
        children = take.gather(element, names)
        if "media:starRating" in children:
            video.star_rating = _star_rating(children["media:starRating"][0], context)
        if "media:statistics" in children:
            statistics = children["media:statistics"][0]
            given = take.attributes(statistics)
            video.views = _views(given.get("views"), statistics, context)
            video.favorites = _views(given.get("favorites"), statistics, context)
        if "media:tags" in children:
            video.tags = tags.weighted(take.text_of(children["media:tags"][0]))


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


def _prices(video: Video, elements: Sequence[Element], context: Context, _: Names) -> None:
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
    video.prices = tuple(prices)


def _credits(video: Video, elements: Sequence[Element], *_: object) -> None:
    found = []
    for element in elements:
        if name := take.text_of(element):
            given = take.attributes(element)
            role, scheme = given.get("role", "").lower(), given.get("scheme", "").lower()
            found.append(Credit(name=name, role=role or None, scheme=scheme or None))
    video.credits = tuple(found)


def _copyright(video: Video, elements: Sequence[Element], context: Context, _: Names) -> None:
    for element in elements:
        notice = take.text_of(element) or context.attribute_url(element, "url", "media:copyright")
        if notice:
            video.copyright = notice
            return


def _license(video: Video, elements: Sequence[Element], context: Context, _: Names) -> None:
    video.license = license_of(elements, context)


def _status(video: Video, elements: Sequence[Element], *_: object) -> None:
    video.status = take.attributes(elements[0]).get("state", "").lower() or None


def _embed(video: Video, elements: Sequence[Element], context: Context, names: Names) -> None:
    for element in elements:
        given = take.attributes(element)
        reference = given.get("url")
        if reference and (url := context.url(reference, element, "media:embed")):
            width, height = _size(given)
            params = take.gather(element, names).get("media:param", ())
            video.embed = Embed(
                url=url,
                width=width,
                height=height,
                params=tuple((p.get("name", ""), take.text_of(p)) for p in params),
            )
            return


def _player(video: Video, elements: Sequence[Element], context: Context, _: Names) -> None:
    for element in elements:
        given = take.attributes(element)
        reference = given.get("url") or take.text_of(element)
        if reference and (url := context.url(reference, element, "media:player")):
            video.player_url = url
            size = _size(given)
            video.player_size = size if any(size) else None
            return


def _valid(video: Video, elements: Sequence[Element], context: Context, _: Names) -> None:
    for element in elements:
        period = periods.read(take.text_of(element), assume_tz=context.options.assume_tz)
        context.tell_all(period.notes, element, "dcterms:valid")
        if period.start:
            video.published = period.start
        if period.end:
            video.expires = period.end
        if period.start or period.end:
            return


def _live(video: Video, elements: Sequence[Element], *_: object) -> None:
    if any(take.text_of(element).lower() == "live-video" for element in elements):
        video.live = True


_Rule: TypeAlias = Callable[[Video, Sequence[Element], Context, Names], None]

_RULES: Final[Mapping[str, _Rule]] = {
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
