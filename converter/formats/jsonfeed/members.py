"""The members of a JSON object as values of the model; issues name the path of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from converter.issues import Code, Issue, Note, Report, printable
from converter.model import MOST_OTHER, OTHER_REST, Moment
from converter.options import ReadOptions
from converter.values import dates, urls
from converter.values.lazy_regex import lazy_regex

_TYPES: Final = {
    bool: "true or false", dict: "an object", float: "a number", int: "a number", list: "an array",
    str: "a text",
}  # fmt: skip

#: Half of a surrogate pair, or a byte that is not UTF-8.
_SURROGATE: Final = lazy_regex(r"[\ud800-\udfff]")


@dataclass(slots=True, eq=False)
class ItemReport:
    """Reports about one item, or about the header."""

    report: Report
    options: ReadOptions
    line: int | None
    base: str | None = None
    """What relative references resolve against."""
    lang: str | None = None
    entry: str | None = None
    """How issues name the item: its page, else its id."""

    def warn(self, code: Code, message: str, path: str) -> None:
        """Report an issue of a member."""
        self.report(Issue(code=code, message=message, line=self.line, path=path, entry=self.entry))

    def warn_all(self, notes: Iterable[Note], path: str) -> None:
        """Report what a value function noted."""
        for code, message in notes:
            self.warn(code, message, path)


class Members:
    """The members of an object; each is taken once, and the others are unread."""

    def __init__(self, members: dict[str, Any], path: str, item: ItemReport) -> None:
        self._members = members
        self._item = item
        self.path = path

    def _take(self, name: str, *types: type) -> Any:
        """Return a member of one of these types; None for `null` and, with a report, for others."""
        value = self._members.pop(name, None)
        if value is None or (type(value) in types):
            return value
        found = _TYPES[type(value)]
        self.warn(Code.VALUE_TYPE, f"found {found}, wanted {_TYPES[types[0]]}; left out", name)
        return None

    def warn(self, code: Code, message: str, name: str) -> None:
        """Report an issue of a member."""
        self._item.warn(code, message, self.path_of(name))

    def path_of(self, name: str) -> str:
        """Return the path of a member: `items/3/url`."""
        return f"{self.path}/{printable(name)}" if self.path else printable(name)

    # -- values ---------------------------------------------------------------------------

    def text(self, name: str, *types: type) -> str | None:
        """Return a text without white space around it; None if it is empty.

        Args:
            name: the member.
            types: other types that are read as text.
        """
        return self._text(self._take(name, str, *types), name)

    def _text(self, value: object, name: str) -> str | None:
        if value is None:
            return None
        text = str(value).strip()
        if not text.isascii() and _SURROGATE.search(text):
            message = "bytes or halves of characters that are not Unicode; replaced by U+FFFD"
            self.warn(Code.TEXT_CLEANED, message, name)
            text = _SURROGATE.sub("\ufffd", text)
        return text or None

    def url(self, name: str) -> str | None:
        """Return a URL, resolved against the base; None and a report for an unusable one."""
        text = self.text(name)
        if text is None or urls.is_canonical_page(text):
            return text
        url, notes = urls.resolve(text, self._item.base)
        self._item.warn_all(notes, self.path_of(name))
        return url

    def web_url(self, name: str) -> str | None:
        """Return an http(s) URL; None and a report for another one."""
        url = self.url(name)
        if url is None or urls.is_http(url):
            return url
        self.warn(Code.URL_SCHEME_DROPPED, f"{urls.quoted(url)} is not http(s); left out", name)
        return None

    def moment(self, name: str) -> Moment | None:
        """Return a date; None and a report for an unreadable one."""
        text = self.text(name)
        if text is None:
            return None
        moment, notes = dates.parse(text, self._item.options.assume_tz, self._item.lang)
        self._item.warn_all(notes, self.path_of(name))
        return moment

    def number(self, name: str) -> float | None:
        """Return a number from 0; None and a report for another one."""
        value = self._take(name, float, int)
        if value is None or (isfinite(value) and value >= 0):
            return None if value is None else float(value)
        self.warn(Code.NUMBER_UNREADABLE, f"{value} is not a number from 0; left out", name)
        return None

    def texts(self, name: str) -> list[str]:
        """Return the texts of an array; other elements are reported."""
        found = []
        for number, value in enumerate(self._take(name, list) or ()):
            if isinstance(value, str):
                found.append(self._text(value, f"{name}/{number}") or "")
            elif value is not None:
                message = f"found {_TYPES[type(value)]}, wanted a text; left out"
                self.warn(Code.VALUE_TYPE, message, f"{name}/{number}")
        return [text for text in found if text]

    def objects(self, name: str) -> Iterator[Members]:
        """Yield the objects of an array; other elements are reported."""
        for number, value in enumerate(self._take(name, list) or ()):
            path = self.path_of(name)
            if isinstance(value, dict):
                yield Members(value, f"{path}/{number}", self._item)
            elif value is not None:
                message = f"found {_TYPES[type(value)]}, wanted an object; left out"
                self._item.warn(Code.VALUE_TYPE, message, f"{path}/{number}")

    def inner(self, name: str) -> Members | None:
        """Return a member that is an object."""
        value = self._take(name, dict)
        return None if value is None else Members(value, self.path_of(name), self._item)

    # -- what nothing reads ---------------------------------------------------------------

    def unread(self, prefix: str = "") -> Iterator[str]:
        """Yield the names of the members that were not taken."""
        for name, value in self._members.items():
            if value is not None:
                yield printable(prefix + name)


def counted(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return the names of unread members for `Entry.other`, each once."""
    unique = list(dict.fromkeys(names))
    rest = len(unique) - MOST_OTHER
    found = tuple((name, 1) for name in unique[:MOST_OTHER])
    return (*found, (OTHER_REST, rest)) if rest > 0 else found
