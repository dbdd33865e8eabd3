"""The attributes of Media RSS elements: one table from which they are read and written.

https://www.rssboard.org/media-rss: attributes are in the order of the specification.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from converter.extensions.read_context import NOT_A_NUMBER, NOT_A_TIME, NOT_WHOLE, ReadContext
from converter.issues import Note
from converter.model import Kind
from converter.values import numbers
from converter.xml import extract
from converter.xml.extract import Element

if TYPE_CHECKING:
    from decimal import Decimal

R = TypeVar("R")

#: Values of `media:content@expression`: lower case only.
_EXPRESSIONS: Final = frozenset({"sample", "full", "nonstop"})


class Attribute(NamedTuple):
    """An attribute, and the field of a record that holds its value."""

    name: str
    field: str
    read: Callable[[str], Any] | None = None
    """Converts the text, which is not empty; None if the text is the value."""
    write: Callable[[Any], str | None] | None = str
    """Converts the value, which is not None; None if the attribute is never written."""
    unreadable: Note | None = None
    """The issue for an unreadable value, and what is expected; None if it is not reported."""


class ElementSchema:
    """The attributes of one element."""

    def __init__(self, element: str, *attributes: Attribute) -> None:
        self._element = element
        self._by_name = {
            name: (each.field, each.read, each)
            for each in attributes
            for name in (each.name, each.name.lower())
        }
        self._written = [(each.name, each.field, each.write) for each in attributes if each.write]

    def read(self, record: R, element: Element, context: ReadContext) -> R:
        """Fill a record from an element's attributes, whose names may be in any case."""
        by_name = self._by_name
        for given, text in element.items():
            row = by_name.get(given) or by_name.get(given.lower())
            if row is None or not (text := text.strip()):
                continue
            field, read, attribute = row
            try:
                setattr(record, field, text if read is None else read(text))
            except ValueError:
                if attribute.unreadable is not None:
                    code, expected = attribute.unreadable
                    message = f'"{text[:60]}" is not {expected}; left out'
                    context.warn(code, message, element, f"{self._element}@{attribute.name}")
        return record

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

#: The medium is read as it is stated, and written by the kind.
CONTENT: Final = ElementSchema(
    "media:content",
    Attribute("url", "url"),
    Attribute("fileSize", "size_bytes", numbers.size_bytes, _positive, NOT_A_NUMBER),
    Attribute("type", "mime"),
    Attribute("medium", "kind", write=_medium),
    Attribute("medium", "medium", write=None),
    Attribute("isDefault", "is_default", _is_true, _true),
    Attribute("expression", "expression", str.lower, _expression),
    Attribute("bitrate", "bitrate_kbps", _real, number, NOT_A_NUMBER),
    Attribute("framerate", "framerate", _real, number, NOT_A_NUMBER),
    Attribute("samplingrate", "samplingrate_khz", _real, number, NOT_A_NUMBER),
    Attribute("channels", "channels", numbers.whole, str, NOT_WHOLE),
    Attribute("duration", "duration_s", _duration, number, NOT_A_TIME),
    Attribute("height", "height", _pixels_or_none, _positive, NOT_A_NUMBER),
    Attribute("width", "width", _pixels_or_none, _positive, NOT_A_NUMBER),
    Attribute("lang", "lang"),
)
ENCLOSURE: Final = ElementSchema(
    "enclosure",
    Attribute("url", "url"),
    Attribute("type", "mime"),
    Attribute("medium", "medium"),
    Attribute("title", "title"),
    Attribute("hreflang", "lang"),
    Attribute("length", "size_bytes", numbers.size_bytes, unreadable=NOT_A_NUMBER),
)
#: A thumbnail with an unreadable size, such as `100%`, is usable all the same.
THUMBNAIL: Final = ElementSchema(
    "media:thumbnail",
    Attribute("url", "url", write=None),
    Attribute("width", "width", _pixels, _positive),
    Attribute("height", "height", _pixels, _positive),
    Attribute("time", "time_s", _play_time, number, NOT_A_TIME),
)
#: `media:player` has the same attributes.
EMBED: Final = ElementSchema(
    "media:embed",
    Attribute("url", "url", write=None),
    Attribute("width", "width", _pixels),
    Attribute("height", "height", _pixels),
)
STAR_RATING: Final = ElementSchema(
    "media:starRating",
    Attribute("average", "average", _decimal, number, NOT_A_NUMBER),
    Attribute("count", "count", numbers.whole, str, NOT_WHOLE),
    Attribute("min", "minimum", _decimal, number, NOT_A_NUMBER),
    Attribute("max", "maximum", _decimal, number, NOT_A_NUMBER),
)
STATISTICS: Final = ElementSchema(
    "media:statistics",
    Attribute("views", "views", numbers.views, str, NOT_WHOLE),
    Attribute("favorites", "favorites", numbers.views, str, NOT_WHOLE),
)
PRICE: Final = ElementSchema(
    "media:price",
    Attribute("type", "type", str.lower),
    Attribute("price", "amount", _decimal, number, NOT_A_NUMBER),
    Attribute("currency", "currency", str.upper, str.upper),
    Attribute("info", "info"),
)
