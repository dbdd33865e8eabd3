"""The attributes of Media RSS elements: one table from which they are read and written.

https://www.rssboard.org/media-rss: attributes are in the order of the specification.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from inspect import signature
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from converter.extensions.read_context import ReadContext
from converter.issues import Code
from converter.model import (
    Category,
    Credit,
    Embed,
    Kind,
    Price,
    Rendition,
    StarRating,
    Thumbnail,
)
from converter.values import numbers
from converter.xml import extract
from converter.xml.extract import Element

if TYPE_CHECKING:
    from decimal import Decimal

R = TypeVar("R")

#: Values of `media:content@expression`: lower case only.
_EXPRESSIONS: Final = frozenset({"sample", "full", "nonstop"})


class Statistics(NamedTuple):
    """`media:statistics`; the model holds its values as fields of a video."""

    views: int | None = None
    favorites: int | None = None


class Attribute(NamedTuple):
    """An attribute, and the field of the record that holds its value."""

    name: str
    field: str
    read: Callable[[str], Any] | None = None
    """Converts the text, which is not empty; None if the text is the value."""
    write: Callable[[Any], str | None] | None = str
    """Converts the value, which is not None; None if the attribute is never written."""
    expected: tuple[Code, str] | None = None
    """The issue for an unreadable value, and what is expected; None if it is not reported."""
    write_field: str = ""
    """The field that is written, if it differs from the one that is read."""


class ElementSchema(Generic[R]):
    """The attributes of one element, and the record that holds their values."""

    def __init__(self, element: str, record: Callable[..., R], *attributes: Attribute) -> None:
        self.element = element
        self._record = record
        fields = signature(record).parameters
        self._defaults = ["" if f.default is f.empty else f.default for f in fields.values()]
        positions = {field: position for position, field in enumerate(fields)}
        self._by_name = {
            spelling: (positions[attribute.field], attribute.read, attribute)
            for attribute in attributes
            for spelling in (attribute.name, attribute.name.lower())
        }
        self._written = [
            (attribute.name, attribute.write_field or attribute.field, attribute.write)
            for attribute in attributes
            if attribute.write
        ]

    def read(self, element: Element, context: ReadContext) -> R:
        """Return the record of an element's attributes, whose names may be in any case."""
        by_name, values = self._by_name, self._defaults.copy()
        for name, text in element.items():
            row = by_name.get(name) or by_name.get(name.lower())
            if row is None or not (text := text.strip()):
                continue
            position, read, attribute = row
            try:
                values[position] = text if read is None else read(text)
            except ValueError:
                if attribute.expected is not None:
                    code, expected = attribute.expected
                    message = f'"{text[:60]}" is not {expected}; left out'
                    context.warn(code, message, element, f"{self.element}@{attribute.name}")
        return self._record(*values)

    def attributes_of(self, record: object) -> list[tuple[str, str | None]]:
        """Return the attributes to write for a record."""
        return [
            (name, write(value))
            for name, field, write in self._written
            if (value := getattr(record, field)) is not None
        ]


def attribute(element: Element, name: str) -> str | None:
    """Return the value of an attribute, given in lower case, whose name may be in any case."""
    text = element.get(name)
    return text.strip() if text else extract.attributes(element).get(name)


# -- values -----------------------------------------------------------------------------------


def number(value: float | Decimal) -> str | None:
    """Write a number without an exponent, and without trailing zeros."""
    if not isfinite(value):
        return None
    digits = str(value)
    if "e" in digits or "E" in digits:
        from decimal import Decimal  # pictures have no such number

        digits = f"{Decimal(digits):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _positive(value: int) -> str | None:
    """Write a size; validators refuse 0."""
    return str(value) if value > 0 else None


#: Sizes, rates and lengths recur.
_pixels = lru_cache(maxsize=64)(numbers.pixels)
_real = lru_cache(maxsize=64)(numbers.real)
_decimal = lru_cache(maxsize=64)(numbers.decimal)
_duration = lru_cache(maxsize=64)(numbers.duration_s)
_play_time = lru_cache(maxsize=64)(numbers.play_time_s)


@lru_cache(maxsize=64)
def _pixels_or_none(text: str) -> int | None:
    return numbers.pixels(text) or None


def _is_true(text: str) -> bool:
    return text.lower() == "true"


def _true(value: bool) -> str | None:
    return "true" if value else None


def _medium(kind: Kind) -> str | None:
    return None if kind is Kind.PLAYER else kind.value  # Media RSS has no such medium


def _expression(value: str) -> str | None:
    return value if value in _EXPRESSIONS else None


# -- the tables -------------------------------------------------------------------------------

_NUMBER: Final = (Code.NUMBER_UNREADABLE, "a number")
_WHOLE: Final = (Code.NUMBER_UNREADABLE, "a whole number")
_SIZE: Final = (Code.NUMBER_UNREADABLE, "a size in bytes")
_LENGTH: Final = (Code.DURATION_UNREADABLE, "a length of time")
_TIME: Final = (Code.DURATION_UNREADABLE, "a time")

CONTENT: Final = ElementSchema(
    "media:content",
    Rendition,
    Attribute("url", "url"),
    Attribute("fileSize", "size_bytes", numbers.size_bytes, _positive, _SIZE),
    Attribute("type", "mime"),
    Attribute("medium", "medium", write=_medium, write_field="kind"),
    Attribute("isDefault", "is_default", _is_true, _true),
    Attribute("expression", "expression", str.lower, _expression),
    Attribute("bitrate", "bitrate_kbps", _real, number, _NUMBER),
    Attribute("framerate", "framerate", _real, number, _NUMBER),
    Attribute("samplingrate", "samplingrate_khz", _real, number, _NUMBER),
    Attribute("channels", "channels", numbers.whole, str, _NUMBER),
    Attribute("duration", "duration_s", _duration, number, _LENGTH),
    Attribute("height", "height", _pixels_or_none, _positive, _NUMBER),
    Attribute("width", "width", _pixels_or_none, _positive, _NUMBER),
    Attribute("lang", "lang"),
)
ENCLOSURE: Final = ElementSchema(
    "enclosure",
    Rendition,
    Attribute("url", "url"),
    Attribute("type", "mime"),
    Attribute("medium", "medium"),
    Attribute("title", "title"),
    Attribute("hreflang", "lang"),
    Attribute("length", "size_bytes", numbers.size_bytes, expected=_SIZE),
)
#: A thumbnail with an unreadable size, such as `100%`, is usable all the same.
THUMBNAIL: Final = ElementSchema(
    "media:thumbnail",
    Thumbnail,
    Attribute("url", "url", write=None),
    Attribute("width", "width", _pixels, _positive),
    Attribute("height", "height", _pixels, _positive),
    Attribute("time", "time_s", _play_time, number, _TIME),
)
#: `media:player` has the same attributes.
EMBED: Final = ElementSchema(
    "media:embed",
    Embed,
    Attribute("url", "url", write=None),
    Attribute("width", "width", _pixels),
    Attribute("height", "height", _pixels),
)
CATEGORY: Final = ElementSchema(
    "media:category", Category, Attribute("scheme", "scheme"), Attribute("label", "label")
)
CREDIT: Final = ElementSchema(
    "media:credit",
    Credit,
    Attribute("role", "role", str.lower),
    Attribute("scheme", "scheme", str.lower),
)
STAR_RATING: Final = ElementSchema(
    "media:starRating",
    StarRating,
    Attribute("average", "average", _decimal, number, _NUMBER),
    Attribute("count", "count", numbers.whole, str, _NUMBER),
    Attribute("min", "minimum", _decimal, number, _NUMBER),
    Attribute("max", "maximum", _decimal, number, _NUMBER),
)
STATISTICS: Final = ElementSchema(
    "media:statistics",
    Statistics,
    Attribute("views", "views", numbers.views, str, _WHOLE),
    Attribute("favorites", "favorites", numbers.views, str, _WHOLE),
)
PRICE: Final = ElementSchema(
    "media:price",
    Price,
    Attribute("type", "type", str.lower),
    Attribute("price", "amount", _decimal, number, _NUMBER),
    Attribute("currency", "currency", str.upper, str.upper),
    Attribute("info", "info"),
)
