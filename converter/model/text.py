"""The small words that entries are told in: dates, texts, people, links."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import NamedTuple


class Precision(IntEnum):
    """How much of a date its source gave; more is larger."""

    YEAR = 1
    MONTH = 2
    DAY = 3
    SECOND = 4


class Moment(NamedTuple):
    """A date with the precision and the offset that its source gave.

    A plain date is 00:00:00 UTC of its day, a month its first day; `precision` tells.
    """

    instant: datetime
    """Always aware; whole seconds."""
    precision: Precision = Precision.SECOND

    @property
    def is_partial(self) -> bool:
        """A year or a month: too little for a sitemap's date (mapping 1.3)."""
        return self.precision < Precision.DAY


@dataclass(slots=True, unsafe_hash=True)
class Text:
    """A text as the source gave it, and whether the source meant it as HTML; see `Person`."""

    value: str
    is_html: bool = False
    base: str | None = None
    """What relative references in HTML resolve against."""
    has_own_base: bool = False
    """The source states the base by `xml:base`; else it is that of the document."""


@dataclass(slots=True, unsafe_hash=True)
class Person:
    """An author; a name is never made from a mail address.

    Nothing changes one; but a frozen dataclass, of which entries have several, takes four times as
    long to make.
    """

    name: str | None = None
    email: str | None = None
    uri: str | None = None


@dataclass(slots=True, unsafe_hash=True)
class Category:
    """RSS `category`, `dc:subject`, Atom `category`, `media:category`; not frozen, as `Person`."""

    term: str
    label: str | None = None
    scheme: str | None = None

    @property
    def text(self) -> str:
        """What a reader sees: the label, else the term."""
        return self.label or self.term


class Link(NamedTuple):
    """A link of a header or an entry that is not its page: `self`, `hub`, `next` and so on."""

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
    """An element that no target interprets, kept as it is: for the same vocabulary again."""

    name: str
    """`prefix:local` with the canonical prefix of `xml.names`, as `media:hash`."""
    text: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[ExtraElement, ...] = ()
