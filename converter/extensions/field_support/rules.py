"""Rules for what a format drops or alters, and the losses of an entry or a header by these rules.

The rules of each format are in the other modules of `extensions.field_support` (mapping 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, TypeAlias, cast

from converter.model import Alternate, Category, Entry, ExtraElement, Feed
from converter.options import WriteOptions

Condition: TypeAlias = Callable[[Any, WriteOptions], object]
"""Decides from an entry, or a header, and the options."""


class FieldLoss(NamedTuple):
    """A field that a format drops, or writes with another value."""

    name: str
    """As `video/title`; a name without a slash includes all its parts. Fields of a header begin
    with `feed/`."""
    kept: str = ""
    """What the format keeps of the field; empty: nothing."""
    is_altered: bool = False
    """The format writes the field, but cut, rounded or in another form."""

    def describe(self, format_name: str) -> str:
        """Return the message of the issue about this loss."""
        if self.is_altered:
            return f"{self.name} is altered in {format_name}: {self.kept}"
        if self.kept:
            return f"{self.name} is left out; {format_name} keeps only {self.kept}"
        return f"{self.name} is left out; {format_name} cannot hold it"


class LossRule(NamedTuple):
    """When a format loses a field: if the field is present, and the condition is true."""

    name: str
    kept: str = ""
    if_item: Condition | None = None
    """Must be true of the entry, or the header."""
    if_value: Callable[[Any], object] | None = None
    """Must be true of one of the values of the field."""
    kept_with: str = ""
    """Whatever `if_item` says, the field is lost if the entry has none of these fields."""
    is_altered: bool = False

    @property
    def loss(self) -> FieldLoss:
        """The loss if the rule applies."""
        return FieldLoss(self.name, self.kept, self.is_altered)


altered: Final = partial(LossRule, is_altered=True)
"""Makes a rule about a field that is written, but in another form."""


class OmissionReason(NamedTuple):
    """Why an entry, or an item of one, is not in the output."""

    item: str
    """`entry`, `video`, `image` or `language` (a version of the page in another language)."""
    why: str
    kept_by: tuple[str, ...] = ()
    """The formats of the same family that would hold it."""


OmittedItems: TypeAlias = Callable[[Entry, WriteOptions], Sized]
"""Returns the videos, images or language versions of an entry that a format leaves out."""


# -- names of fields --------------------------------------------------------------------------

#: Attributes of the model that fields are named after in the singular.
_PLURALS: Final = {
    "author": "authors",
    "audio": "audios",
    "category": "categories",
    "image": "images",
    "video": "videos",
}
#: Names that are no paths of attributes.
_OTHER_NAMES: Final = {"id/is_permalink": ("id_is_permalink",), "feed/image": ("image",)}


def attribute_path(name: str) -> tuple[str, ...]:
    """Return the attributes that lead to a field: `videos`, `title` for `video/title`."""
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    first, *rest = name.removeprefix("feed/").split("/")
    return _PLURALS.get(first, first), *rest


# -- how rules are applied --------------------------------------------------------------------

#: Fields of which 0 and False are values; in others, as the width of a file, they mean "unknown".
_WITH_ZERO: Final = {
    *("count", "duration_s", "episode", "favorites", "priority", "season", "views", "weight"),
    *("embed_allowed", "explicit", "id_is_permalink", "live", "requires_subscription"),
}

#: How many sets of fields are remembered; documents have a few, a hostile one may have millions.
_MAX_CACHED: Final = 1_000


class RuleSet:
    """Rules about entries, or about headers.

    A set of fields is a number with a bit for each of them, and for each that has a certain value.
    """

    def __init__(self, rules: Iterable[LossRule] = ()) -> None:
        self.rules = tuple(rules)
        names = (name for rule in self.rules for name in (rule.name, *rule.kept_with.split()))
        self._bits = {name: 1 << place for place, name in enumerate(dict.fromkeys(names))}
        checks = [_FieldCheck(attribute_path(name), bit) for name, bit in self._bits.items()]
        self._required = []
        for rule in self.rules:
            bit = self._bits[rule.name]
            if rule.if_value is not None:
                bit = 1 << len(checks)
                checks.append(_FieldCheck(attribute_path(rule.name), bit, rule.if_value))
            self._required.append(bit)
        self._find = _finder(tuple(checks))
        self._applicable = lru_cache(_MAX_CACHED)(self._find_applicable)

    def losses(self, item: Entry | Feed, options: WriteOptions) -> tuple[FieldLoss, ...]:
        """Return the losses of an entry, or of a header."""
        losses, conditional = self._applicable(self._find(item))
        if not conditional:
            return losses
        return losses + tuple([loss for loss, is_met in conditional if is_met(item, options)])

    def present_fields(self, item: Entry | Feed) -> list[str]:
        """Return the names of the fields in the rules that are present."""
        found = self._find(item)
        return [name for name, bit in self._bits.items() if bit & found]

    def _find_applicable(
        self, found: int
    ) -> tuple[tuple[FieldLoss, ...], list[tuple[FieldLoss, Condition]]]:
        """Return the losses, and those that depend on a condition."""
        losses, conditional = [], []
        for rule, required in zip(self.rules, self._required, strict=True):
            if required & found:
                keepers = sum(self._bits[name] for name in rule.kept_with.split())
                if rule.if_item is None or (keepers and not keepers & found):
                    losses.append(rule.loss)
                else:
                    conditional.append((rule.loss, rule.if_item))
        return tuple(losses), conditional


class _FieldCheck(NamedTuple):
    """Whether a field is present, and one of its values meets a condition."""

    path: tuple[str, ...]
    """The attributes that lead to the field."""
    bit: int
    is_met: Callable[[Any], object] | None = None


@lru_cache(8)
def _finder(checks: tuple[_FieldCheck, ...]) -> Callable[[object], int]:
    """Return the function that adds up the bits of the checks that an object passes.

    It is compiled, as `dataclasses` compiles `__init__`: a loop over the names of fields takes
    five times as long, and this is done for every entry.
    """
    lines = ["def find(x):", " found = 0", *_statements(checks, "x"), " return found"]
    scope: dict[str, Any] = {f"is_met_{check.bit}": check.is_met for check in checks}
    exec("\n".join(lines), scope)  # noqa: S102  # only names of the model
    return cast("Callable[[object], int]", scope["find"])


def _statements(checks: Iterable[_FieldCheck], x: str) -> Iterator[str]:
    """Yield the statements about an object called `x`, indented by the length of that name."""
    by_attribute: dict[str, list[_FieldCheck]] = {}
    for check in checks:
        by_attribute.setdefault(check.path[0], []).append(check)
    pad = " " * len(x)
    for attribute, here in by_attribute.items():
        value = f"{x}.{attribute}"
        yield f"{pad}if {value}{' is not None' if attribute in _WITH_ZERO else ''}:"
        for check in here:
            if not check.path[1:]:
                condition = f"if is_met_{check.bit}({value}): " if check.is_met else ""
                yield f"{pad} {condition}found |= {check.bit}"
        if inner := [check._replace(path=check.path[1:]) for check in here if check.path[1:]]:
            yield f"{pad} for {x}xx in {value} if isinstance({value}, tuple) else ({value},):"
            yield from _statements(inner, f"{x}xx")


@dataclass
class FieldSupport:
    """What a format drops or alters, with the options of a conversion.

    Elements that no reader reads are lost in every format; no rule names them.
    """

    options: WriteOptions
    of_entries: RuleSet = field(default_factory=RuleSet)
    of_feeds: RuleSet = field(default_factory=RuleSet)
    of_further_feeds: RuleSet | None = None
    """About a header that another one is written instead of; None: `of_feeds`."""
    omissions: Mapping[OmissionReason, OmittedItems] = field(default_factory=dict)

    def entry_losses(self, entry: Entry) -> tuple[FieldLoss, ...]:
        """Return the losses of an entry."""
        losses = self.of_entries.losses(entry, self.options)
        if entry.other:
            unread = (name for name, number in entry.other for _ in range(number))
            losses += tuple(FieldLoss(f"entry/other/{name}") for name in unread)
        return losses

    def omitted_items(self, entry: Entry) -> Sequence[tuple[OmissionReason, int]]:
        """Return how many items of an entry are left out, by reason."""
        if not (self.omissions and (entry.videos or entry.images or entry.alternates)):
            return ()
        items = ((reason, of(entry, self.options)) for reason, of in self.omissions.items())
        return [(reason, len(omitted)) for reason, omitted in items if omitted]

    def feed_losses(self, feed: Feed, written: Feed | None = None) -> Iterator[FieldLoss]:
        """Yield the losses of a header.

        Args:
            feed: the header.
            written: the header that is written instead, so that only values that both state are
                kept; None if `feed` is written.
        """
        rules = self.of_feeds
        if written is not None and self.of_further_feeds is not None:
            rules, feed = self.of_further_feeds, _without_common_values(feed, written)
        yield from rules.losses(feed, self.options)
        yield from (FieldLoss(f"feed/other/{name}") for name in feed.other)

    def present_fields(self, item: Entry | Feed) -> list[str]:
        """Return the names of the fields in the rules that an entry, or a header, has."""
        return (self.of_entries if isinstance(item, Entry) else self.of_feeds).present_fields(item)


def _without_common_values(feed: Feed, other: Feed) -> Feed:
    empty = Feed()
    same = (it.name for it in fields(Feed) if getattr(feed, it.name) == getattr(other, it.name))
    return replace(feed, **{name: getattr(empty, name) for name in same})


# -- conditions in several formats --------------------------------------------------------------


def all_have(*names: str) -> Condition:
    """Return the condition that each video has one of these fields, so that it takes no other."""

    def all_have_one(entry: Entry, _options: WriteOptions) -> bool:
        return all(any(getattr(video, name) for name in names) for video in entry.videos)

    return all_have_one


def are_several(values: Sequence[object]) -> bool:
    """Whether there is more than one value."""
    return len(values) > 1


def has_label(categories: Iterable[Category]) -> bool:
    """Whether a category has a label other than its term, which that replaces."""
    return any(category.text != category.term for category in categories)


def has_pagemap(words: Iterable[ExtraElement]) -> bool:
    """Whether there is a PageMap, which only sitemaps for Custom Search have."""
    return any(word.name.startswith("pagemap:") for word in words)


def has_artwork(feed: Feed, _options: WriteOptions) -> bool:
    """Whether a podcast has other pictures than that of the feed, which entries take."""
    return feed.podcast is not None and any(it.url != feed.image for it in feed.podcast.images)


def is_inherited(words: Iterable[ExtraElement]) -> bool:
    """Whether a header has more than ratings, which are a field by themselves."""
    return any(word.name not in {"media:rating", "media:adult"} for word in words)


def other_versions(entry: Entry, _options: WriteOptions) -> list[Alternate]:
    """Return the versions of a page in other languages."""
    return [version for version in entry.alternates if version.href != entry.loc]
