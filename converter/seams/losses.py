"""What a format drops or alters of the model: field by field, as data (mapping 5).

Each format has a table of `LossRule`s about entries and one about headers. A table is compiled to
a function that tests each field by its name, as `dataclasses` compiles `__init__`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from converter import model
from converter.model import Entry, Feed

__all__ = [
    "CLASSES",
    "Condition",
    "FieldSupport",
    "Loss",
    "LossRule",
    "Losses",
    "Omission",
    "Reason",
    "path_of",
    "singular",
]

Condition: TypeAlias = Callable[[Any], object]


class Loss(NamedTuple):
    """A field that a format drops, or holds with another value."""

    name: str
    """As `video/title`; a name without a slash stands for all that begins with it. Fields of a
    header begin with `feed/`."""
    left: str = ""
    """What the format keeps of it; empty: nothing."""
    is_altered: bool = False
    """The format holds it, but cut, rounded or in another form."""

    def fate(self, target: str) -> str:
        """Describe the loss for a format."""
        if self.is_altered:
            return f"{self.name} is not the same in {target}: {self.left}"
        if self.left:
            return f"{self.name} is left out; {target} keeps only {self.left}"
        return f"{self.name} has no place in {target}; left out"


class LossRule(NamedTuple):
    """When a format drops or alters a field: if it is present, and meets the conditions."""

    name: str
    left: str = ""
    value: Condition | None = None
    """Must be true of the value of the field."""
    whole: Condition | None = None
    """Must be true of the entry, or of the header."""
    unless: Condition | None = None
    """Must be false of the entry, or of the header."""
    needs: tuple[str, ...] = ()
    """The conditions on the entry are false without any of these attributes: not evaluated."""
    of: str = ""
    """The field that must be present, if it is not the one that the rule names."""
    is_altered: bool = False

    @property
    def loss(self) -> Loss:
        """What the rule states."""
        return Loss(self.name, self.left, self.is_altered)


class Reason(NamedTuple):
    """Why an entry, or an item of one, is not in the output."""

    item: str
    """`entry`, `video`, `image` or `language` (a version of the page in another language)."""
    why: str
    kept_by: tuple[str, ...] = ()
    """The formats of the same family that would hold it."""


class Omission(NamedTuple):
    """How many items of an entry a format leaves out for one reason."""

    reason: Reason
    number: int


@dataclass(eq=False)
class Losses:
    """What a format drops or alters (mapping 5).

    Elements that no reader reads are lost in every format, and stand in no table.
    """

    fields: tuple[LossRule, ...] = ()
    of_feed: tuple[LossRule, ...] = ()
    """About a document's header."""
    of_further_feed: tuple[LossRule, ...] | None = None
    """About a header that is replaced by that of another document; None: as `of_feed`."""
    omissions: Callable[[Entry], Iterable[Omission]] | None = None
    """Counts the videos, images and language versions that are left out; numbers may be 0."""

    @property
    def rows(self) -> tuple[Loss, ...]:
        """The losses of entries and of headers."""
        return tuple(dict.fromkeys(rule.loss for rule in self.fields + self.of_feed))

    def of_header(self, feed: Feed, written: Feed | None = None) -> Iterator[Loss]:
        """Return the losses of a header.

        Args:
            feed: the header.
            written: the header that is written instead, so that only what both state is kept;
                None: this one is written.
        """
        rules = self.of_feed
        if written is not None and self.of_further_feed is not None:
            rules, feed = self.of_further_feed, _beyond(feed, written)
        present = [rule for rule in rules if getattr(feed, path_of(rule.of or rule.name)[0])]
        yield from _Table(present, Feed).of(feed)  # compiled for this header alone
        yield from (Loss(f"feed/other/{name}") for name in feed.other)

    def present(self, given: Entry | Feed) -> Iterator[str]:
        """Return the names of the fields in the tables that an entry, or a header, has."""
        return (loss.name for loss in self._present[type(given)].of(given))

    @cached_property
    def _present(self) -> dict[type, _Table]:
        tables = {Entry: self.fields, Feed: self.of_feed}
        return {
            kind: _Table([LossRule(rule.name) for rule in rules], kind)
            for kind, rules in tables.items()
        }


def _beyond(feed: Feed, other: Feed) -> Feed:
    """Return what a header states and another one does not."""
    stated = {it.name: getattr(feed, it.name) for it in fields(Feed)}
    return Feed(**{name: value for name, value in stated.items() if value != getattr(other, name)})


class FieldSupport:
    """Applies what a format says of its losses to entries."""

    def __init__(self, losses: Losses) -> None:
        self._table = _Table(losses.fields, Entry)
        self._omissions = losses.omissions

    def of(self, entry: Entry) -> tuple[Sequence[Loss], Sequence[Omission]]:
        """Return the losses of an entry, and the items of it that are left out."""
        losses = self._table.of(entry)
        if entry.other:
            unread = (name for name, number in entry.other for _ in range(number))
            losses += tuple(Loss(f"entry/other/{name}") for name in unread)
        if self._omissions is None or not (entry.videos or entry.images or entry.alternates):
            return losses, ()
        return losses, [each for each in self._omissions(entry) if each.number]


# -- names of fields --------------------------------------------------------------------------

#: What the tables call a field, and the attribute of the model.
_ATTRIBUTES: Final = {
    "author": "authors",
    "audio": "audios",
    "category": "categories",
    "image": "images",
    "video": "videos",
}
_OTHER_PATHS: Final = {"id/is_permalink": ["id_is_permalink"], "feed/image": ["image"]}


def path_of(name: str) -> list[str]:
    """Return the attributes that lead to a field: `videos`, `title` for `video/title`."""
    if name in _OTHER_PATHS:
        return _OTHER_PATHS[name]
    first, *rest = name.removeprefix("feed/").removeprefix("entry/").split("/")
    return [_ATTRIBUTES.get(first, first), *rest]


def singular(attribute: str) -> str:
    """Return the name by which the tables call an attribute of an entry, or of a header."""
    return next((name for name, many in _ATTRIBUTES.items() if many == attribute), attribute)


# -- tables as they are applied ---------------------------------------------------------------

#: The classes of the objects that rules look into, by the attribute that holds them.
CLASSES: Final[dict[str, type]] = {
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

#: How many sets of rules are remembered; documents have a few, a hostile one may have millions.
_MOST_KNOWN: Final = 1_000

#: Compiling takes as long as converting some hundred entries; each pass and each host needs it.
_compiled: Final = lru_cache(8)(compile)

_Row: TypeAlias = tuple[int, Sequence[str]]
"""The bit of a rule, and the attributes that lead to its field."""


class _Table:
    """A table in the form in which it is applied: each rule is a bit of a number."""

    def __init__(self, rules: Sequence[LossRule], kind: type) -> None:
        needed = dict.fromkeys(name for rule in rules for name in rule.needs)
        paths = [path_of(rule.of or rule.name) for rule in rules] + [[name] for name in needed]
        # rules about one class have bits side by side, those about the whole object the lowest
        order = sorted(range(len(paths)), key=lambda number: paths[number][:-1])
        bits = {number: 1 << place for place, number in enumerate(order)}
        #: In the order of the table.
        self._rules = {bits[number]: rule for number, rule in enumerate(rules)}
        #: The bits of attributes that rules need.
        self._needed = {name: bits[number] for number, name in enumerate(needed, len(rules))}
        names: dict[str, Any] = {
            f"condition_{bit}": rule.value for bit, rule in self._rules.items() if rule.value
        }
        rows = [(bits[number], path) for number, path in enumerate(paths)]
        tests = "\n".join(_source(rows, kind, "x", names))
        source = f"def find(x):\n found = 0\n{tests}\n return found"
        exec(_compiled(source, "<losses>", "exec"), names)  # noqa: S102  # names of this package
        #: Returns the bits of the rules that apply to an object, as far as values alone decide.
        self._find: Callable[[object], int] = names["find"]
        self._conditions = lru_cache(_MOST_KNOWN)(self._conditions_of)
        self._losses = lru_cache(_MOST_KNOWN)(self._losses_of)

    def of(self, given: Entry | Feed) -> tuple[Loss, ...]:
        """Return the losses of an entry, or of a header, in the order of the table."""
        found, conditions = self._conditions(self._find(given))
        for bit, condition, expected in conditions:
            if (not condition(given)) is expected:
                found &= ~bit
        return self._losses(found)

    def _conditions_of(self, found: int) -> tuple[int, list[tuple[int, Condition, bool]]]:
        """Return the rules that may apply, and what remains to be evaluated for them.

        That is the conditions on an entry, or on a header, with the result that means a loss.
        """
        conditions = []
        for bit, rule in self._rules.items():
            if not bit & found:
                continue
            if rule.needs and not any(self._needed[name] & found for name in rule.needs):
                if rule.whole is not None:
                    found &= ~bit
                continue
            if rule.whole is not None:
                conditions.append((bit, rule.whole, True))
            if rule.unless is not None:
                conditions.append((bit, rule.unless, False))
        return found, conditions

    def _losses_of(self, found: int) -> tuple[Loss, ...]:
        rules = (rule for bit, rule in self._rules.items() if bit & found)
        return tuple(dict.fromkeys(rule.loss for rule in rules))


def _source(rows: Iterable[_Row], kind: type, x: str, names: dict[str, Any]) -> Iterator[str]:
    """Yield the statements that test the fields of an object, which is called `x`, `xx`, ...

    A field is absent if it has its default value. Bits of parts are collected by themselves, for
    operations on large integers are slow. `names` holds what the statements refer to.
    """
    pad, found = " " * (2 * len(x) - 1), f"found{x[1:]}"
    first = _first(rows)
    defaults = {it.name: it.default for it in fields(kind)}
    by_field: dict[str, list[_Row]] = {}
    for row in rows:
        by_field.setdefault(row[1][0], []).append(row)
    for name, here in by_field.items():
        value, default = f"{x}.{name}", defaults[name]
        if kind not in _WITH_ZERO or default in ((), False):
            yield f"{pad}if {value}:"
        else:
            names[name] = default
            yield f"{pad}if {value} is not {name if default else None}:"
        for bit in (bit for bit, path in here if len(path) == 1):
            own, condition = bit // first, f"condition_{bit}"
            test = (
                f"if not {found} & {own} and {condition}({value}): " if condition in names else ""
            )
            yield f"{pad} {test}{found} |= {own}"
        if inner := [(bit, path[1:]) for bit, path in here if len(path) > 1]:
            each = value if default == () else f"({value},)"
            yield f"{pad} found{x} = 0"
            yield f"{pad} for {x}x in {each}:"
            yield from _source(inner, CLASSES[name], f"{x}x", names)
            yield f"{pad} found |= found{x} * {_first(inner)}"


def _first(rows: Iterable[_Row]) -> int:
    """Return the lowest bit of the rows about an object itself."""
    return min((bit for bit, path in rows if len(path) == 1), default=1)
