"""An entry that is being read, and the rules that fill it.

A format has one table of rules: a function, and the elements that it reads in the order in which
they count. A rule runs only for entries that have one of its elements. Which rules those are, and
which elements no rule reads, is worked out once for each set of element names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from converter.model import Entry, Feed, Text
from converter.vocab import constructs, media, podcast
from converter.vocab.context import Context
from converter.vocab.media import NO_MEDIA, TELLTALES, Enclosure, Media
from converter.xml import take
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = [
    "Apply",
    "Item",
    "Rule",
    "RuleTable",
    "date_field",
    "html_field",
    "media_objects",
    "pictures_in_html",
    "plain_field",
    "podcast_words",
    "text_field",
    "text_of_media",
    "title_of_media",
]

#: Modules whose elements are kept for a feed again (mapping 3.3).
_EXTRA_PREFIXES: Final = ("slash:", "thr:", "wfw:")

#: A hostile document has as many sets of names as it has entries.
_MOST_PLANS: Final = 1000
_MOST_NAMES: Final = 100


@dataclass(slots=True, eq=False)
class Item:
    """An entry element with everything that is needed to read it, and what was read of it."""

    element: Element
    found: Children
    context: Context
    names: Names
    feed: Feed
    channel: Children
    """The header's `media:*`: the outermost level of inheritance."""
    entry: Entry
    links: Sequence[tuple[str, Element]] = ()
    """Atom's links with their relations."""
    is_live: bool = False
    """It is a `podcast:liveItem` that is live."""
    media: Media = NO_MEDIA


Apply: TypeAlias = Callable[[Item, Sequence[str]], None]
"""Fills fields of the entry from the elements of these names; all of them are there."""


class Rule(NamedTuple):
    """A row of a format's table."""

    apply: Apply
    names: Sequence[str]
    """Canonical names of elements, in the order in which they count."""
    always: bool = False
    """It runs for entries without any of them too."""


class Plan(NamedTuple):
    """What is done with entries that have one set of element names."""

    steps: tuple[tuple[Apply, tuple[str, ...]], ...]
    extra: frozenset[str]
    """Names of elements that are kept as they are."""
    unread: frozenset[str]
    """Names of elements that no rule reads."""


class RuleTable:
    """The rules of a format, in the order in which they run.

    What media objects have read of an entry, only they know: see `Media.names`.
    """

    def __init__(self, *rules: Rule, apart: Collection[str] = ()) -> None:
        """Take the rules, and the names of elements that are read apart from them."""
        self._rules = rules
        self.names = frozenset(apart).union(*(rule.names for rule in rules))
        self._read = self.names - (media.NAMES - media.OBJECTS)
        self._remembered = lru_cache(_MOST_PLANS)(self._plan)

    def fill(self, item: Item) -> None:
        """Fill the entry of an item."""
        found, context = item.found, item.context
        names = frozenset(found)
        plan = self._remembered(names) if len(names) <= _MOST_NAMES else self._plan(names)
        for apply, present in plan.steps:
            apply(item, present)
        if plan.extra:
            kept = (element for name in found if name in plan.extra for element in found[name])
            item.entry.extra = tuple(take.word_of(element, item.names) for element in kept)
        if plan.unread:
            for name in found:
                if name in plan.unread and name not in item.media.names:
                    context.count_unread_element(found[name][0], name)
        if context.unread:
            item.entry.other = context.other

    def _plan(self, names: frozenset[str]) -> Plan:
        present = [(rule, [name for name in rule.names if name in names]) for rule in self._rules]
        extra = frozenset(name for name in names if name.startswith(_EXTRA_PREFIXES))
        return Plan(
            tuple((rule.apply, tuple(own)) for rule, own in present if own or rule.always),
            extra,
            names - self._read - extra,
        )


# -- rules that formats share -------------------------------------------------------------------


def text_field(field: str, read: Callable[[str], str | None] = str) -> Apply:
    """Make a rule that sets a field to the first text that says something."""

    def apply(item: Item, names: Sequence[str]) -> None:
        for name in names:
            for element in item.found[name]:
                if (given := take.text_of(element)) and (value := read(given)):
                    setattr(item.entry, field, value)
                    return

    return apply


def plain_field(field: str) -> Apply:
    """Make a rule that sets a field to the first text construct of Atom, as plain text."""

    def apply(item: Item, names: Sequence[str]) -> None:
        setattr(item.entry, field, constructs.plain(item.found, item.context, *names))

    return apply


def date_field(field: str) -> Apply:
    """Make a rule that sets a field to the first readable date (mapping 3.2)."""

    def apply(item: Item, names: Sequence[str]) -> None:
        setattr(item.entry, field, item.context.moment(item.found, names))

    return apply


def html_field(field: str, read: Callable[[Element, Context, str], Text | None]) -> Apply:
    """Make a rule that sets a field to the first text, plain or HTML."""

    def apply(item: Item, names: Sequence[str]) -> None:
        for name in names:
            for element in item.found[name]:
                if (value := read(element, item.context, name)) is not None:
                    setattr(item.entry, field, value)
                    return

    return apply


def podcast_words(item: Item, _: Sequence[str]) -> None:
    """Read what `itunes:*`, `googleplay:*` and `podcast:*` say."""
    item.entry.podcast = podcast.read(item.found, item.context)


def media_objects(enclosures_of: Callable[[Item], Sequence[Enclosure]]) -> Apply:
    """Make a rule that reads the media of an entry."""

    def apply(item: Item, _: Sequence[str]) -> None:
        enclosures = enclosures_of(item)
        if not enclosures and TELLTALES.isdisjoint(item.found):
            return
        from converter.vocab.media.build import build

        entry = item.entry
        found = item.media = build(item, enclosures)
        entry.videos, entry.images, entry.audios = found.videos, found.images, found.audios

    return apply


def title_of_media(item: Item, _: Sequence[str]) -> None:
    """Take `media:title` for the title, where there is no other."""
    item.entry.title = item.entry.title or media.entry_title(item.found)


def text_of_media(item: Item, _: Sequence[str]) -> None:
    """Take `media:description` for the summary, where there is no other."""
    item.entry.summary = item.entry.summary or media.entry_text(item.found, "media:description")


def pictures_in_html(item: Item, _: Sequence[str]) -> None:
    """Add the pictures of the text, where that was asked for."""
    if item.context.options.scan_html:
        entry = item.entry
        html = entry.content or entry.summary
        entry.images += tuple(item.context.pictures(html, item.element))
