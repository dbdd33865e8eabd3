"""The entry, or the header, that is being read, and how its values are read and issues reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from converter.extensions.mediarss import NO_MEDIA, Media
from converter.issues import Code, Issue, Report
from converter.model import MOST_OTHER, OTHER_REST, Entry, Feed, Moment, Precision
from converter.options import ReadOptions
from converter.values import dates, numbers, urls
from converter.xml import extract
from converter.xml.extract import Children, Element
from converter.xml.namespaces import XML_BASE, CanonicalNames
from converter.xml.parse_errors import line_of

if TYPE_CHECKING:
    from decimal import Decimal

#: What needs no base to be resolved.
_ABSOLUTE: Final = ("http://", "https://")

_NOT_A_NUMBER: Final = (Code.NUMBER_UNREADABLE, "a number")
_NOT_A_TIME: Final = (Code.DURATION_UNREADABLE, "a length of time")

Note = tuple[Code, str]
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class ReadContext:
    """One entry, or the header; a reader uses one context for one entry after another."""

    report: Report
    options: ReadOptions
    names: CanonicalNames
    root_path: str
    """`item`, `entry`, `channel`, `feed`: where paths of issues begin."""
    base: str | None = None
    """What relative references resolve against here (mapping 6.3)."""
    has_xml_base: bool = False
    """An `xml:base` states it."""
    lang: str | None = None
    feed: Feed = field(default_factory=Feed)
    """The header; while that is read, what was read of it so far."""
    channel: Children = field(default_factory=dict)
    """The header's `media:*`: the outermost level of inheritance."""
    element: Element = field(init=False)
    found: Children = field(default_factory=dict)
    """The children by name."""
    entry: Entry = field(init=False)
    draft: Entry | Feed = field(init=False)
    """What the rules fill: the entry, or the header."""
    label: str | None = None
    """How issues name the entry: its `loc`, else its id."""
    links: Sequence[tuple[str, Element]] = ()
    """Atom's links with their relations."""
    is_live: bool = False
    """It is a `podcast:liveItem` that is live."""
    media: Media = NO_MEDIA
    unread: dict[str, int] | None = None
    """Names of the elements that nothing reads, and how often they are counted."""

    def tell(self, code: Code, message: str, element: Element, name: str = "") -> None:
        """Report an issue at an element."""
        path = f"{self.root_path}/{name}" if name else self.root_path
        self.report(
            Issue(code=code, message=message, line=line_of(element), path=path, entry=self.label)
        )

    def tell_all(self, notes: Iterable[Note], element: Element, name: str = "") -> None:
        """Report what a value function noted."""
        for code, message in notes:
            self.tell(code, message, element, name)

    # -- what nothing reads ---------------------------------------------------------------

    @property
    def other(self) -> tuple[tuple[str, int], ...]:
        """Return the names of the elements that nothing reads, for `Entry.other`."""
        return tuple(self.unread.items()) if self.unread else ()

    def count_unread(self, found: Children, known: Collection[str], kept: tuple[str, ...]) -> None:
        """Count those of the children that nothing reads, each name once an entry.

        Args:
            found: the children.
            known: names that are read.
            kept: what names begin with that are kept as they are.
        """
        for name, elements in found.items():
            if name not in known and not name.startswith(kept):
                self.count_unread_element(elements[0], name)

    def count_unread_element(self, element: Element, name: str) -> None:
        """Count an element that nothing reads."""
        unread = self.unread = self.unread or {}
        name = extract.reported_name(element, name)
        if name in unread:
            return
        if len(unread) >= MOST_OTHER:
            unread[OTHER_REST] = unread.get(OTHER_REST, 0) + 1
        else:
            unread[name] = 1

    # -- values ---------------------------------------------------------------------------

    def base_of(self, *elements: Element) -> tuple[str | None, bool]:
        """Return the base inside these elements, outermost first; does an `xml:base` state it?"""
        base, has_xml_base = self.base, self.has_xml_base
        for element in elements:
            if own := element.get(XML_BASE):
                base, has_xml_base = urls.resolve(own, base).url or base, True
        return base, has_xml_base

    def url(self, text: str, element: Element, name: str) -> str | None:
        """Resolve a reference (mapping 6.1, steps 1 to 4); an element may have its own base."""
        if urls.is_canonical_page(text):
            return text
        base = None if text.startswith(_ABSOLUTE) else self.base_of(element)[0]
        resolved = urls.resolve(text, base)
        if resolved.notes:
            self.tell_all(resolved.notes, element, name)
        return resolved.url

    def web_url(self, text: str, element: Element, name: str) -> str | None:
        """Resolve a reference; None if it is not one to http(s)."""
        url = self.url(text, element, name)
        return url if url and urls.is_http(url) else None

    def attribute_url(self, element: Element, attribute: str, name: str) -> str | None:
        """Resolve the reference in an attribute; None if it is absent, empty or unusable."""
        text = extract.attributes(element).get(attribute)
        return self.url(text, element, name) if text else None

    def moment(self, found: Children, names: Iterable[str]) -> Moment | None:
        """Read the first readable full date of these elements, in the order of the names.

        A partial date is taken only where there is no full one; what cannot be read is reported,
        and the next one is tried (mapping 3.2).
        """
        partial: Moment | None = None
        for name in names:
            for element in found.get(name, ()):
                moment = self.date(extract.text_of(element), element, name)
                if moment is not None and moment.precision >= Precision.DAY:
                    return moment
                partial = partial or moment
        return partial

    def date(self, text: str, element: Element, name: str) -> Moment | None:
        """Read one date and report what was odd about it."""
        moment, notes = dates.parse(text, self.options.assume_tz, self.lang)
        if notes:
            self.tell_all(notes, element, name)
        return moment

    def clock(self, text: str, element: Element, name: str) -> float | None:
        """Read a length of time, in seconds."""
        return self._value(numbers.duration_s, text, element, name, _NOT_A_TIME)

    def whole(self, text: str | None, element: Element, name: str) -> int | None:
        """Read a whole number; None for an absent one."""
        return self._value(numbers.whole, text, element, name, _NOT_A_NUMBER)

    def decimal(self, text: str | None, element: Element, name: str) -> Decimal | None:
        """Read a decimal number; None for an absent one."""
        return self._value(numbers.decimal, text, element, name, _NOT_A_NUMBER)

    def _value(
        self,
        read: Callable[[str], T],
        text: str | None,
        element: Element,
        name: str,
        unreadable: Note,
    ) -> T | None:
        if text is None:
            return None
        try:
            return read(text)
        except ValueError:
            code, wanted = unreadable
            self.tell(code, f'"{text[:60]}" is not {wanted}; left out', element, name)
            return None


def label(url: str | None) -> str | None:
    """Give a URL as issues may name it: credentials are never printed."""
    if url is None or "@" not in url:
        return url
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"
