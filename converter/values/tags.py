"""Tags and keywords: lists in one text, split and without duplicates (mapping 3.8)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from converter.model import Tag
from converter.values.lazy_regex import lazy_regex

_WEIGHT = lazy_regex(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})")


def split_keywords(*texts: str) -> tuple[str, ...]:
    """Split at commas, else at semicolons, else not at all; the first spelling of each stays."""
    return unique(chain.from_iterable(map(_split, texts)))


def parse_weighted(text: str) -> tuple[Tag, ...]:
    """Read `media:tags`: `name:weight`, where the weight is 1 unless a number says otherwise."""
    found: dict[str, Tag] = {}
    for item in _split(text):
        name, _, weight = (part.strip() for part in item.rpartition(":"))
        tag = Tag(name=item)
        if name and _WEIGHT.fullmatch(weight):
            tag = Tag(name=name, weight=float(weight))
        found.setdefault(tag.name.casefold(), tag)
    return tuple(found.values())


def names_by_weight(tags: Iterable[Tag]) -> tuple[str, ...]:
    """Give the names by falling weight; equal ones stay in their order."""
    return tuple(tag.name for tag in sorted(tags, key=lambda tag: -tag.weight))


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """Drop names that differ from an earlier one at most in case."""
    names = tuple(names)
    folded = [name.casefold() for name in names]
    if len(set(folded)) == len(names):
        return names
    found: dict[str, str] = {}
    for key, name in zip(folded, names, strict=True):
        found.setdefault(key, name)
    return tuple(found.values())


def _split(text: str) -> list[str]:
    parts = " ".join(text.split()).split("," if "," in text else ";")
    return [item for part in parts if (item := part.strip())]
