"""Rules for what a format drops or alters, and the losses of an entry or a header by these rules.

The rules of each format are in the other modules of `extensions.field_support` (mapping 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, cast

from converter import model
from converter.model import Entry, ExtraElement, Feed
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
    """When a format loses a field: if the field is present, and the conditions are true."""

    name: str
    kept: str = ""
    if_item: Condition | None = None
    """Must be true of the entry, or the header."""
    if_value: Callable[[Any], object] | None = None
    """Must be true of one of the values of the field."""
    fields: str = ""
    """The fields of which one must be present; empty: the field itself."""
    kept_with: str = ""
    """The field is lost, whatever `if_item` says, if the entry has none of these fields."""
    is_altered: bool = False

    @property
    def loss(self) -> FieldLoss:
        """The loss if the rule applies."""
        return FieldLoss(self.name, self.kept, self.is_altered)


class OmissionReason(NamedTuple):
    """Why an entry, or an item of one, is not in the output."""

    item: str
    """`entry`, `video`, `image` or `language` (a version of the page in another language)."""
    why: str
    kept_by: tuple[str, ...] = ()
    """The formats of the same family that would hold it."""


class OmittedItem(NamedTuple):
    """How many items of an entry a format leaves out for one reason."""

    reason: OmissionReason
    number: int


@dataclass(eq=False)
class FieldSupport:
    """What a format drops or alters, with the options of a conversion.

    Elements that no reader reads are lost in every format; no rule names them.
    """

    options: WriteOptions
    entry_rules: Sequence[LossRule] = ()
    feed_rules: Sequence[LossRule] = ()
    other_feed_rules: Sequence[LossRule] | None = None
    """About a header that another one is written instead of; None: `feed_rules`."""
    count_omissions: Callable[[Entry, WriteOptions], Iterable[OmittedItem]] | None = None
    """Counts the videos, images and language versions that are left out; numbers may be 0."""

    def __post_init__(self) -> None:
        self._entry_table = _CompiledRules(self.entry_rules, Entry, self.options)
        self._feed_table = _CompiledRules(self.feed_rules, Feed, self.options)

    def entry_losses(self, entry: Entry) -> tuple[FieldLoss, ...]:
        """Return the losses of an entry, in the order of the rules."""
        losses = self._entry_table.losses(entry)
        if entry.other:
            unread = (name for name, number in entry.other for _ in range(number))
            losses += tuple(FieldLoss(f"entry/other/{name}") for name in unread)
        return losses

    def omitted_items(self, entry: Entry) -> Sequence[OmittedItem]:
        """Return the items of an entry that are left out."""
        if self.count_omissions is None or not (entry.videos or entry.images or entry.alternates):
            return ()
        return [it for it in self.count_omissions(entry, self.options) if it.number]

    def feed_losses(self, feed: Feed, written: Feed | None = None) -> Iterator[FieldLoss]:
        """Yield the losses of a header.

        Args:
            feed: the header.
            written: the header that is written instead, so that only values that both state are
                kept; None if `feed` is written.
        """
        table = self._feed_table
        if written is not None and self.other_feed_rules is not None:
            table = _CompiledRules(self.other_feed_rules, Feed, self.options)
            feed = _without_common_values(feed, written)
        yield from table.losses(feed)
        yield from (FieldLoss(f"feed/other/{name}") for name in feed.other)

    def present_fields(self, item: Entry | Feed) -> list[str]:
        """Return the names of the fields in the rules that an entry, or a header, has."""
        table = self._entry_table if isinstance(item, Entry) else self._feed_table
        return table.present_fields(item)


def _without_common_values(feed: Feed, other: Feed) -> Feed:
    empty = Feed()
    same = (it.name for it in fields(Feed) if getattr(feed, it.name) == getattr(other, it.name))
    return replace(feed, **{name: getattr(empty, name) for name in same})


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

#: The classes of the objects that fields are in, by the attribute that holds them.
_CLASSES: Final[dict[str, type]] = {
    "authors": model.Person,
    "audios": model.Audio,
    "categories": model.Category,
    "images": model.Image,
    "news": model.News,
    "podcast": model.Podcast,
    "prices": model.Price,
    "renditions": model.Rendition,
    "star_rating": model.StarRating,
    "tags": model.Tag,
    "thumbnails": model.Thumbnail,
    "videos": model.Video,
}
#: In these 0 and False are values; in others, as for the width of a file, they mean "unknown".
_WITH_ZERO: Final = {
    *(Entry, model.Video, model.Audio, model.Image),
    *(model.Podcast, model.StarRating, model.Tag),
}

#: How many sets of fields are remembered; documents have a few, a hostile one may have millions.
_MAX_CACHED: Final = 1_000


class _CompiledRules:
    """The rules about entries, or headers.

    A set of fields, or of rules, is a number with a bit for each of them. The results that depend
    only on such a set are cached.
    """

    def __init__(self, rules: Sequence[LossRule], kind: type, options: WriteOptions) -> None:
        self._rules = rules
        self._options = options
        names = (it for r in rules for it in f"{r.name} {r.fields} {r.kept_with}".split())
        self._bits = {name: 1 << place for place, name in enumerate(dict.fromkeys(names))}
        checks = [_FieldCheck(attribute_path(name), bit) for name, bit in self._bits.items()]
        #: For each rule the bits of which one must be set.
        self._required: list[int] = []
        for rule in rules:
            bits = self._bits_of(rule.fields or rule.name)
            if rule.if_value is not None:
                bits = 1 << len(checks)
                checks.append(_FieldCheck(attribute_path(rule.name), bits, rule.if_value))
            self._required.append(bits)
        self._find = _finder(kind, tuple(checks))
        self._applicable = lru_cache(_MAX_CACHED)(self._find_applicable)
        self._losses = lru_cache(_MAX_CACHED)(self._list_losses)

    def losses(self, item: Entry | Feed) -> tuple[FieldLoss, ...]:
        """Return the losses of an entry, or of a header, in the order of the rules."""
        applied, conditions = self._applicable(self._find(item))
        for bit, condition in conditions:
            if condition(item, self._options):
                applied |= bit
        return self._losses(applied)

    def present_fields(self, item: Entry | Feed) -> list[str]:
        """Return the names of the fields in the rules that are present."""
        present = self._find(item)
        names = dict.fromkeys(rule.name for rule in self._rules)
        return [name for name in names if self._bits[name] & present]

    def _bits_of(self, names: str) -> int:
        return sum(self._bits[name] for name in names.split())

    def _find_applicable(self, present: int) -> tuple[int, list[tuple[int, Condition]]]:
        """Return the bits of the rules that apply, and of those that apply under a condition."""
        applied, conditions = 0, []
        for place, (rule, required) in enumerate(zip(self._rules, self._required, strict=True)):
            if not required & present:
                continue
            keepers = self._bits_of(rule.kept_with)
            if rule.if_item is None or (keepers and not keepers & present):
                applied |= 1 << place
            else:
                conditions.append((1 << place, rule.if_item))
        return applied, conditions

    def _list_losses(self, applied: int) -> tuple[FieldLoss, ...]:
        lost = (rule.loss for place, rule in enumerate(self._rules) if applied >> place & 1)
        return tuple(dict.fromkeys(lost))


class _FieldCheck(NamedTuple):
    """Whether a field is present, and one of its values meets a condition."""

    path: tuple[str, ...]
    """The attributes that lead to the field."""
    bit: int
    is_met: Callable[[Any], object] | None = None


@lru_cache(8)
def _finder(kind: type, checks: tuple[_FieldCheck, ...]) -> Callable[[object], int]:
    """Return the function that adds up the bits of the checks that an object passes.

    It is compiled, as `dataclasses` compiles `__init__`: a loop over the names of fields takes
    four times as long, and this is done for every entry.
    """
    lines = ["def find(x):", " found = 0", *_statements(kind, checks, "x"), " return found"]
    scope: dict[str, Any] = {f"is_met_{check.bit}": check.is_met for check in checks}
    exec("\n".join(lines), scope)  # noqa: S102  # only names of the model
    return cast("Callable[[object], int]", scope["find"])


def _statements(kind: type, checks: Iterable[_FieldCheck], x: str) -> Iterator[str]:
    """Yield the statements about an object called `x`, indented by the length of that name.

    A field is absent if it has its default value.
    """
    pad = " " * len(x)
    for field in fields(kind):
        here = [check for check in checks if check.path[0] == field.name]
        if not here:
            continue
        value, default = f"{x}.{field.name}", field.default
        if kind not in _WITH_ZERO or default in ((), False):
            yield f"{pad}if {value}:"
        else:
            yield f"{pad}if {value} {'is not' if default is None else '!='} {default!r}:"
        for check in here:
            if not check.path[1:]:
                condition = f"if is_met_{check.bit}({value}): " if check.is_met else ""
                yield f"{pad} {condition}found |= {check.bit}"
        if inner := [check._replace(path=check.path[1:]) for check in here if check.path[1:]]:
            yield f"{pad} for {x}xx in {value if default == () else f'({value},)'}:"
            yield from _statements(_CLASSES[field.name], inner, f"{x}xx")


# -- conditions in several formats --------------------------------------------------------------


def all_have(*names: str) -> Condition:
    """Return the condition that each video has one of these fields, so that it takes no other."""

    def all_have_one(entry: Entry, _options: WriteOptions) -> bool:
        for video in entry.videos:
            for name in names:
                if getattr(video, name):
                    break
            else:
                return False
        return True

    return all_have_one


def are_several(values: Sequence[object]) -> bool:
    """Whether there is more than one value."""
    return len(values) > 1


def has_pagemap(words: Iterable[ExtraElement]) -> bool:
    """Whether there is a PageMap, which only sitemaps for Custom Search have."""
    return any(word.name.startswith("pagemap:") for word in words)


def has_artwork(feed: Feed, _options: WriteOptions) -> bool:
    """Whether a podcast has other pictures than that of the feed, which entries take."""
    return feed.podcast is not None and any(it.url != feed.image for it in feed.podcast.images)


def is_inherited(words: Iterable[ExtraElement]) -> bool:
    """Whether a header has more than ratings, which are a field by themselves."""
    return any(word.name not in {"media:rating", "media:adult"} for word in words)


def omitted_languages(entry: Entry, why: str, *kept_by: str) -> OmittedItem:
    """Count the versions of a page in other languages."""
    number = sum(version.href != entry.loc for version in entry.alternates)
    return OmittedItem(OmissionReason("language", why, kept_by), number)
