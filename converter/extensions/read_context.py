"""The entry or header that is being read: its elements, and methods to read values from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from converter.extensions.mediarss import NO_MEDIA, EntryMedia
from converter.issues import Code, Issue, Note, Report
from converter.model import MOST_OTHER, OTHER_REST, Entry, Feed, Moment, Precision
from converter.options import ReadOptions
from converter.values import dates, numbers, urls
from converter.xml import extract
from converter.xml.extract import Children, Element, line_of
from converter.xml.namespaces import XML_BASE, CanonicalNames

if TYPE_CHECKING:
    from decimal import Decimal

#: References that need no base.
_ABSOLUTE: Final = ("http://", "https://")

NOT_A_NUMBER: Final = (Code.NUMBER_UNREADABLE, "a number")
NOT_WHOLE: Final = (Code.NUMBER_UNREADABLE, "a whole number")
NOT_A_TIME: Final = (Code.DURATION_UNREADABLE, "a length of time")

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class ReadContext:
    """One entry, or the header; a reader uses the same context for all entries, one at a time."""

    report: Report
    options: ReadOptions
    names: CanonicalNames
    root_path: str
    """`item`, `entry`, `channel` or `feed`: the start of the paths of issues."""
    base: str | None = None
    """The URL that relative references resolve against (mapping 6.3)."""
    has_xml_base: bool = False
    """The base is that of an `xml:base`."""
    lang: str | None = None
    feed: Feed = field(default_factory=Feed)
    """The header; while it is read, the part read so far."""
    feed_media: Children = field(default_factory=dict)
    """The header's `media:*`: the outermost level of inheritance."""
    element: Element = field(init=False)
    children: Children = field(default_factory=dict)
    """The children by name."""
    entry: Entry = field(init=False)
    draft: Entry | Feed = field(init=False)
    """The entry or header that the rules fill."""
    label: str | None = None
    """The name of the entry in issues: its `loc`, else its id."""
    links: Sequence[tuple[str, Element]] = ()
    """Atom links with their relations."""
    is_live: bool = False
    """The entry is a `podcast:liveItem` that is live."""
    media: EntryMedia = NO_MEDIA
    unread: dict[str, int] | None = None
    """Names of the elements that nothing reads, and their counts; None if there are none."""

    def warn(self, code: Code, message: str, element: Element, name: str = "") -> None:
        """Report an issue at an element."""
        path = f"{self.root_path}/{name}" if name else self.root_path
        self.report(
            Issue(code=code, message=message, line=line_of(element), path=path, entry=self.label)
        )

    def warn_all(self, notes: Iterable[Note], element: Element, name: str = "") -> None:
        """Report the notes of a value function."""
        for code, message in notes:
            self.warn(code, message, element, name)

    # -- elements that nothing reads --------------------------------------------------------

    @property
    def unread_names(self) -> tuple[tuple[str, int], ...]:
        """Return the names of the elements that nothing reads, with their counts."""
        return tuple(self.unread.items()) if self.unread else ()

    def count_unread(
        self, children: Children, known: Collection[str], kept: tuple[str, ...]
    ) -> None:
        """Count the children that nothing reads, each name once per entry.

        Args:
            children: by name.
            known: names that are read.
            kept: prefixes of names that are kept unchanged.
        """
        for name, elements in children.items():
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
        """Return the base inside these nested elements, and whether an `xml:base` states it."""
        base, has_xml_base = self.base, self.has_xml_base
        for element in elements:
            if reference := element.get(XML_BASE):
                base, has_xml_base = urls.resolve(reference, base).url or base, True
        return base, has_xml_base

    def url(self, text: str, element: Element, name: str) -> str | None:
        """Resolve a reference in an element (mapping 6.1, steps 1 to 4)."""
        if urls.is_canonical_page(text):
            return text
        base = None if text.startswith(_ABSOLUTE) else self.base_of(element)[0]
        resolved = urls.resolve(text, base)
        if resolved.notes:
            self.warn_all(resolved.notes, element, name)
        return resolved.url

    def web_url(self, text: str, element: Element, name: str) -> str | None:
        """Resolve a reference; None if its scheme is not http(s)."""
        url = self.url(text, element, name)
        return url if url and urls.is_http(url) else None

    def attribute_url(self, element: Element, attribute: str, name: str) -> str | None:
        """Resolve the reference in an attribute; None if it is absent, empty or unusable."""
        text = extract.attributes(element).get(attribute)
        return self.url(text, element, name) if text else None

    def first_date(self, children: Children, names: Iterable[str]) -> Moment | None:
        """Return the first readable full date of these elements, in the order of the names.

        A year or a month is returned only if there is no full date. An unreadable date is reported
        and skipped (mapping 3.2).
        """
        partial: Moment | None = None
        for name in names:
            for element in children.get(name, ()):
                moment = self.date(extract.text_of(element), element, name)
                if moment is not None and moment.precision >= Precision.DAY:
                    return moment
                partial = partial or moment
        return partial

    def date(self, text: str, element: Element, name: str) -> Moment | None:
        """Read one date and report its irregularities."""
        moment, notes = dates.parse(text, self.options.assume_tz, self.lang)
        if notes:
            self.warn_all(notes, element, name)
        return moment

    def duration(self, text: str | None, element: Element, name: str) -> float | None:
        """Read a length of time in seconds; None if it is absent or unreadable."""
        return self._value(numbers.duration_s, text, element, name, NOT_A_TIME)

    def whole_number(self, text: str | None, element: Element, name: str) -> int | None:
        """Read a whole number; None if it is absent or unreadable."""
        return self._value(numbers.whole, text, element, name, NOT_WHOLE)

    def views(self, text: str | None, element: Element, name: str) -> int | None:
        """Read a count, which may have separators between groups of three."""
        return self._value(numbers.views, text, element, name, NOT_WHOLE)

    def decimal(self, text: str | None, element: Element, name: str) -> Decimal | None:
        """Read a decimal number; None if it is absent or unreadable."""
        return self._value(numbers.decimal, text, element, name, NOT_A_NUMBER)

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
            code, expected = unreadable
            self.warn(code, f'"{text[:60]}" is not {expected}; left out', element, name)
            return None


def url_label(url: str | None) -> str | None:
    """Return a URL without its credentials, as the name of an entry in issues."""
    if url is None or "@" not in url:
        return url
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"
