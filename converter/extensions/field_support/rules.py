"""What a format drops or alters of the model, and which of that an entry or a header has.

The rules of the formats are in `extensions.field_support` (mapping 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, cast

from converter import model
from converter.model import Entry, Feed
from converter.options import WriteOptions

Condition: TypeAlias = Callable[[Any, WriteOptions], object]
"""Decides from an entry, or a header, and the options."""


class FieldLoss(NamedTuple):
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
    """When a format loses a field: if it is present, and a condition is true."""

    name: str
    left: str = ""
    when: Condition | None = None
    """Must be true of the entry, or the header."""
    value: Callable[[Any], object] | None = None
    """Must be true of one of the values of the field."""
    of: str = ""
    """The fields of which one must be present; empty: the field itself."""
    beside: str = ""
    """Without any of these fields the condition is true, and is not evaluated."""
    is_altered: bool = False

    @property
    def loss(self) -> FieldLoss:
        """What the rule states."""
        return FieldLoss(self.name, self.left, self.is_altered)


class Reason(NamedTuple):
    """Why an entry, or an item of one, is not in the output."""

    item: str
    """`entry`, `video`, `image` or `language` (a version of the page in another language)."""
    why: str
    kept_by: tuple[str, ...] = ()
    """The formats of the same family that would hold it."""


class OmittedItem(NamedTuple):
    """How many items of an entry a format leaves out for one reason."""

    reason: Reason
    number: int


@dataclass(eq=False)
class FieldSupport:
    """What a format drops or alters, with the options of a run.

    Elements that no reader reads are lost in every format; no rule names them.
    """

    options: WriteOptions
    of_entry: Sequence[LossRule] = ()
    of_feed: Sequence[LossRule] = ()
    of_further_feed: Sequence[LossRule] | None = None
    """About a header that is replaced by that of another document; None: as `of_feed`."""
    omissions: Callable[[Entry, WriteOptions], Iterable[OmittedItem]] | None = None
    """Counts the videos, images and language versions that are left out; numbers may be 0."""

    def of(self, entry: Entry) -> tuple[tuple[FieldLoss, ...], Sequence[OmittedItem]]:
        """Return the losses of an entry, and the items of it that are left out."""
        losses = self._entries.losses(entry)
        if entry.other:
            unread = (name for name, number in entry.other for _ in range(number))
            losses += tuple(FieldLoss(f"entry/other/{name}") for name in unread)
        if self.omissions is None or not (entry.videos or entry.images or entry.alternates):
            return losses, ()
        return losses, [each for each in self.omissions(entry, self.options) if each.number]

    def of_header(self, feed: Feed, written: Feed | None = None) -> Iterator[FieldLoss]:
        """Return the losses of a header.

        Args:
            feed: the header.
            written: the header that is written instead, so that only what both state is kept;
                None: this one is written.
        """
        table = self._feeds
        if written is not None and self.of_further_feed is not None:
            table, feed = _Table(self.of_further_feed, Feed, self.options), _beyond(feed, written)
        yield from table.losses(feed)
        yield from (FieldLoss(f"feed/other/{name}") for name in feed.other)

    def present(self, given: Entry | Feed) -> Iterator[str]:
        """Return the names of the fields in the rules that an entry, or a header, has."""
        return (self._entries if isinstance(given, Entry) else self._feeds).present(given)

    @cached_property
    def _entries(self) -> _Table:
        return _Table(self.of_entry, Entry, self.options)

    @cached_property
    def _feeds(self) -> _Table:
        return _Table(self.of_feed, Feed, self.options)


def _beyond(feed: Feed, other: Feed) -> Feed:
    """Return a header without what another one states, too."""
    empty = Feed()
    same = (it.name for it in fields(Feed) if getattr(feed, it.name) == getattr(other, it.name))
    return replace(feed, **{name: getattr(empty, name) for name in same})


# -- names of fields --------------------------------------------------------------------------

#: Attributes of the model that fields are named after in the singular.
_ATTRIBUTES: Final = {
    "author": "authors",
    "audio": "audios",
    "category": "categories",
    "image": "images",
    "video": "videos",
}
#: Names that are no paths of attributes.
_OTHER_NAMES: Final = {"id/is_permalink": ("id_is_permalink",), "feed/image": ("image",)}


def attributes_of(name: str) -> tuple[str, ...]:
    """Return the attributes that lead to a field: `videos`, `title` for `video/title`."""
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    first, *rest = name.removeprefix("feed/").split("/")
    return _ATTRIBUTES.get(first, first), *rest


# -- rules as they are applied ----------------------------------------------------------------

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
_MOST_KNOWN: Final = 1_000


class _Table:
    """The rules about entries, or headers.

    What depends only on which fields are present is worked out once for each set of them, which is
    a number with a bit for each field.
    """

    def __init__(self, rules: Sequence[LossRule], kind: type, options: WriteOptions) -> None:
        self._rules = rules
        self._options = options
        names = (it for rule in rules for it in f"{rule.name} {rule.of} {rule.beside}".split())
        self._bits = bits = {name: 1 << place for place, name in enumerate(dict.fromkeys(names))}
        tests = [_Test(attributes_of(name), bit) for name, bit in bits.items()]
        #: For each rule the bits of which one must be set, and those of what it is beside.
        self._masks: list[tuple[int, int]] = []
        for rule in rules:
            of = sum(bits[name] for name in (rule.of or rule.name).split())
            if rule.value is not None:
                of = 1 << len(tests)
                tests.append(_Test(attributes_of(rule.name), of, rule.value))
            self._masks.append((of, sum(bits[name] for name in rule.beside.split())))
        self._present = _finder(kind, tuple(tests))
        self._plans: dict[int, tuple[int, list[tuple[int, Condition]]]] = {}
        self._losses: dict[int, tuple[FieldLoss, ...]] = {}

    def losses(self, given: Entry | Feed) -> tuple[FieldLoss, ...]:
        """Return the losses of an entry, or of a header, in the order of the rules."""
        present = self._present(given)
        plan = self._plans.get(present)
        if plan is None:
            plan = self._plan(present)
        found, conditions = plan
        for bit, condition in conditions:
            if condition(given, self._options):
                found |= bit
        losses = self._losses.get(found)
        return self._losses_of(found) if losses is None else losses

    def present(self, given: Entry | Feed) -> Iterator[str]:
        """Return the names of the fields in the rules that are present."""
        found = self._present(given)
        names = dict.fromkeys(rule.name for rule in self._rules)
        return (name for name in names if self._bits[name] & found)

    def _plan(self, present: int) -> tuple[int, list[tuple[int, Condition]]]:
        """Return the bits of the rules that apply, and those that do under a condition."""
        found, conditions = 0, []
        for place, (rule, (of, beside)) in enumerate(zip(self._rules, self._masks, strict=True)):
            if not of & present:
                continue
            if rule.when is None or (beside and not beside & present):
                found |= 1 << place
            else:
                conditions.append((1 << place, rule.when))
        if len(self._plans) >= _MOST_KNOWN:
            self._plans.clear()
        self._plans[present] = plan = found, conditions
        return plan

    def _losses_of(self, found: int) -> tuple[FieldLoss, ...]:
        lost = (rule.loss for place, rule in enumerate(self._rules) if found >> place & 1)
        if len(self._losses) >= _MOST_KNOWN:
            self._losses.clear()
        self._losses[found] = losses = tuple(dict.fromkeys(lost))
        return losses


class _Test(NamedTuple):
    """Whether a field is present, and its value meets a condition."""

    path: tuple[str, ...]
    """The attributes that lead to it."""
    bit: int
    value: Callable[[Any], object] | None = None


@lru_cache(8)
def _finder(kind: type, tests: tuple[_Test, ...]) -> Callable[[object], int]:
    """Make the function that returns the bits of the tests that an object passes.

    It is compiled, as `dataclasses` compiles `__init__`: a loop over the names of fields takes
    four times as long, and this is done for every entry.
    """
    names: dict[str, Any] = {f"test_{test.bit}": test.value for test in tests}
    tests_ = "\n".join(_statements(kind, tests, "x"))
    source = f"def passed(x):\n found = 0\n{tests_}\n return found"
    exec(source, names)  # noqa: S102  # names of this package
    return cast("Callable[[object], int]", names["passed"])


def _statements(kind: type, tests: Iterable[_Test], x: str) -> Iterator[str]:
    """Yield the statements about an object called `x`, indented by the length of that name.

    A field is absent if it has its default value.
    """
    pad = " " * len(x)
    defaults = {it.name: it.default for it in fields(kind)}
    for name in dict.fromkeys(test.path[0] for test in tests):
        value, default = f"{x}.{name}", defaults[name]
        if kind not in _WITH_ZERO or default in ((), False):
            yield f"{pad}if {value}:"
        else:
            yield f"{pad}if {value} {'is not' if default is None else '!='} {default!r}:"
        here = [test for test in tests if test.path[0] == name]
        for test in here:
            if not test.path[1:]:
                condition = f"if test_{test.bit}({value}): " if test.value else ""
                yield f"{pad} {condition}found |= {test.bit}"
        if inner := [test._replace(path=test.path[1:]) for test in here if test.path[1:]]:
            yield f"{pad} for {x}xx in {value if default == () else f'({value},)'}:"
            yield from _statements(_CLASSES[name], inner, f"{x}xx")
