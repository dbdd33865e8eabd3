"""What every rule of a reader needs to know of the place it stands in: report, base, language."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from converter.issues import Code, Issue, Report
from converter.model import MOST_OTHER, OTHER_REST, Image, Moment, Person, Text
from converter.options import ReadOptions
from converter.values import dates, durations, numbers, urls
from converter.values.text import images
from converter.xml import take
from converter.xml.names import XML_BASE
from converter.xml.stream import line_of
from converter.xml.take import Children, Element

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = ["Context", "Note", "distinct", "first", "label"]

#: What needs no base to be resolved.
_ABSOLUTE: Final = ("http://", "https://")

Note = tuple[Code, str]
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Context:
    """One entry (or header) that is being read."""

    report: Report
    options: ReadOptions
    root_path: str
    """`item`, `entry`, `channel`, `feed`: where paths of issues begin."""
    base: str | None = None
    """What relative references resolve against here (mapping 6.3)."""
    has_xml_base: bool = False
    """An `xml:base` states it."""
    lang: str | None = None
    entry: str | None = None
    """How issues name the entry: its `loc`, else its id."""
    unread: dict[str, int] | None = None
    """Names of the elements that nothing reads; see `other`."""

    def tell(self, code: Code, message: str, element: Element, name: str = "") -> None:
        """Report an issue at an element."""
        path = f"{self.root_path}/{name}" if name else self.root_path
        self.report(
            Issue(code=code, message=message, line=line_of(element), path=path, entry=self.entry)
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
        name = take.unread_name(element, name)
        if name in unread:
            return
        if len(unread) >= MOST_OTHER:
            unread[OTHER_REST] = unread.get(OTHER_REST, 0) + 1
        else:
            unread[name] = 1

    # -- values ---------------------------------------------------------------------------

    def base_of(self, *elements: Element) -> str | None:
        """Return the base inside an element of the entry, or inside of several, outermost first."""
        base = self.base
        for element in elements:
            if own := element.get(XML_BASE):
                base = urls.resolve(own, base).url or base
        return base

    def html(self, value: str, *elements: Element) -> Text:
        """Return HTML with the base inside of these elements, outermost first."""
        base, has_own_base = self.base, self.has_xml_base
        for element in elements:
            if element.attrib and (own := element.get(XML_BASE)):
                base, has_own_base = urls.resolve(own, base).url or base, True
        return Text(value, True, base, has_own_base)

    def url(self, text: str, element: Element, name: str) -> str | None:
        """Resolve a reference (mapping 6.1, steps 1 to 4); an element may have its own base."""
        if urls.is_canonical_page(text):
            return text
        base = None if text.startswith(_ABSOLUTE) else self.base_of(element)
        resolved = urls.resolve(text, base)
        if resolved.notes:
            self.tell_all(resolved.notes, element, name)
        return resolved.url

    def attribute_url(self, element: Element, attribute: str, name: str) -> str | None:
        """Resolve the reference in an attribute; None if it is absent, empty or unusable."""
        text = take.attributes(element).get(attribute)
        return self.url(text, element, name) if text else None

    def pictures(self, html: Text | None, element: Element) -> Iterator[Image]:
        """Give the `<img>` of an entry's HTML, where that was asked for."""
        if html is None or not html.is_html or not self.options.scan_html:
            return
        for reference in images(html.value):
            resolved = urls.resolve(reference, html.base)
            self.tell_all(resolved.notes, element, "content")
            if resolved.url is not None:
                yield Image(url=resolved.url, line=line_of(element))

    def moment(self, found: Children, names: Iterable[str]) -> Moment | None:
        """Read the first readable full date of these elements, in the order of the names.

        A partial date is taken only where there is no full one; what cannot be read is reported,
        and the next one is tried (mapping 3.2).
        """
        partial: Moment | None = None
        for name in names:
            for element in found.get(name, ()):
                moment = self.date(take.text_of(element), element, name)
                if moment is not None and not moment.is_partial:
                    return moment
                partial = partial or moment
        return partial

    def date(self, text: str, element: Element, name: str) -> Moment | None:
        """Read one date and report what was odd about it."""
        moment, notes = dates.read(text, self.options.assume_tz, self.lang)
        if notes:
            self.tell_all(notes, element, name)
        return moment

    def clock(self, text: str, element: Element, name: str) -> float | None:
        """Read a length of time, in seconds."""
        try:
            return durations.from_clock(text)
        except ValueError:
            message = f'"{text[:60]}" is not a length of time; left out'
            self.tell(Code.DURATION_UNREADABLE, message, element, name)
            return None

    def whole(self, text: str | None, element: Element, name: str) -> int | None:
        """Read a whole number; None for an absent one."""
        if text is None:
            return None
        try:
            return numbers.whole(text)
        except ValueError:
            self._not_a_number(text, element, name)
            return None

    def decimal(self, text: str | None, element: Element, name: str) -> Decimal | None:
        """Read a decimal number; None for an absent one."""
        if text is None:
            return None
        try:
            return numbers.decimal(text)
        except ValueError:
            self._not_a_number(text, element, name)
            return None

    def _not_a_number(self, text: str, element: Element, name: str) -> None:
        message = f'"{text[:60]}" is not a number; left out'
        self.tell(Code.NUMBER_UNREADABLE, message, element, name)


def first(items: Iterable[T]) -> T | None:
    """Give the first item, if there is one."""
    return next(iter(items), None)


def distinct(people: Iterable[Person]) -> tuple[Person, ...]:
    """Drop repeated people, keeping the order."""
    people = tuple(people)
    return tuple(dict.fromkeys(people)) if len(people) > 1 else people


def label(url: str | None) -> str | None:
    """Give a URL as issues may name it: credentials are never printed."""
    if url is None or "@" not in url:
        return url
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"
