"""Which fields of the tables an entry, or a header, has: to count what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from converter.model import Entry, Feed
from converter.seams import Losses
from converter.vocab.lost.tables import plural

__all__ = ["present"]

_NOTHING = (None, (), "")


def present(given: Entry | Feed, losses: Losses) -> Iterator[str]:
    """Give the names of the fields in the tables that an entry, or a header, has."""
    is_header = isinstance(given, Feed)
    for name in _names(tuple(row.name for row in losses.rows if row.parts is None)):
        if name.startswith("feed/") == is_header and _has(given, _path(name)):
            yield name


@cache
def _names(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rows))


@cache
def _path(name: str) -> tuple[str, ...]:
    """Give the attributes that lead to a field."""
    if name.endswith("id/is_permalink"):
        return ("id_is_permalink",)
    first, *rest = name.removeprefix("feed/").split("/")
    return (plural(first), *rest)


def _has(value: Any, path: tuple[str, ...]) -> bool:
    if isinstance(value, tuple) and path:
        return any(_has(each, path) for each in value)
    if not path:
        return value is not False and value not in _NOTHING
    return value is not None and _has(getattr(value, path[0], None), path[1:])
