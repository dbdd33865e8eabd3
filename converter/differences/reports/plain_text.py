"""The output formats `text`, one line for each change, and `txt`, only the URLs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from converter.differences.change import Change, ChangeKind, DiffTotals, FieldChange
from converter.issues import printable
from converter.values.urls.cleaning import MAX_CHARS

SIGNS: Final[Mapping[ChangeKind, str]] = {
    "added": "+",
    "removed": "-",
    "changed": "~",
    "older": "<",
    "same": "=",
}
#: The words for a member of a set, and for several.
_MEMBERS: Final = {
    "images": ("image", "images"),
    "videos": ("video", "videos"),
    "alternates": ("language version", "language versions"),
}


def lines(changes: Iterable[Change], _totals: DiffTotals) -> Iterator[str]:
    """Yield lines such as `~ https://…  lastmod 2026-01-01 → 2026-02-03; +1 image`."""
    for change in changes:
        line = f"{SIGNS[change.kind]} {printable_url(change.url)}"
        yield f"{line}  {describe(change.fields)}\n" if change.fields else f"{line}\n"


def urls(changes: Iterable[Change], _totals: DiffTotals) -> Iterator[str]:
    """Yield the URLs, one on each line."""
    for change in changes:
        yield f"{change.url}\n"


def printable_url(url: str) -> str:
    """Return a URL without control codes, and not cut unless it is longer than a URL may be."""
    return printable(url, MAX_CHARS)


def describe(changes: Sequence[FieldChange]) -> str:
    """Return what differs in a page: values in words, members of sets in numbers."""
    found: list[str] = []
    for field, group in groupby(changes, attrgetter("field")):
        of_field = list(group)
        found += _counts(field, of_field) if field in _MEMBERS else map(_value, of_field)
    return "; ".join(found)


def _value(change: FieldChange) -> str:
    name = change.label.removeprefix("hints/").replace("/", " ")
    return f"{name} {_shown(change.old)} → {_shown(change.new)}"


def _shown(text: str | None) -> str:
    return "none" if text is None else printable(text)


def _counts(field: str, changes: Sequence[FieldChange]) -> Iterator[str]:
    members = [change for change in changes if change.item is None]
    added = sum(change.old is None for change in members)
    for sign, number in ("+", added), ("-", len(members) - added):
        if number:
            yield f"{sign}{number} {_MEMBERS[field][number > 1]}"
    parts = [change for change in changes if change.item is not None]
    if number := len({change.item for change in parts}):
        names = ", ".join(dict.fromkeys(change.name or "" for change in parts))
        yield f"{names} of {number} {_MEMBERS[field][number > 1]}"
