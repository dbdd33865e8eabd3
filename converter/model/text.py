"""The small values of entries: dates, texts, people, links."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import NamedTuple


class Precision(IntEnum):
    """The precision of a date; a larger value is more precise."""

    YEAR = 1
    MONTH = 2
    DAY = 3
    SECOND = 4


class Moment(NamedTuple):
    """A date with the precision and the offset of its source.

    A plain date is 00:00:00 UTC of its day, a month its first day.
    """

    instant: datetime
    """Aware, in whole seconds."""
    precision: Precision = Precision.SECOND

    @property
    def is_partial(self) -> bool:
        """True for a year or a month, which a sitemap's date does not allow (mapping 1.3)."""
        return self.precision < Precision.DAY


@dataclass(slots=True, unsafe_hash=True)
class Text:
    """A text as in its source; not frozen for speed, see `Person`."""

    value: str
    is_html: bool = False
    base: str | None = None
    """The base of relative references in HTML."""
    has_own_base: bool = False
    """The base is an `xml:base`, not that of the document."""


@dataclass(slots=True, unsafe_hash=True)
class Person:
    """An author; the name is never made from a mail address.

    Not frozen, because the constructor of a frozen dataclass takes four times as long. No code
    changes it.
    """

    name: str | None = None
    email: str | None = None
    uri: str | None = None


@dataclass(slots=True, unsafe_hash=True)
class Category:
    """RSS `category`, `dc:subject`, Atom `category`, `media:category`; see `Person`."""

    term: str
    label: str | None = None
    scheme: str | None = None

    @property
    def text(self) -> str:
        """The label, else the term."""
        return self.label or self.term


class Link(NamedTuple):
    """A link of a header or an entry other than its page, as `self`, `hub`, `next`."""

    href: str
    rel: str
    type: str | None = None
    hreflang: str | None = None
    title: str | None = None


@dataclass(slots=True, unsafe_hash=True)
class Alternate:
    """The same page in another language (hreflang)."""

    hreflang: str
    href: str


class ExtraElement(NamedTuple):
    """An element that the converter does not interpret, kept for the same namespace."""

    name: str
    """The canonical name of `xml.namespaces`, as `media:hash`."""
    text: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[ExtraElement, ...] = ()
