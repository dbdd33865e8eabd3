"""Conditions of losses in several formats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from converter.extensions.field_support.rules import Condition, OmittedItem, Reason
from converter.model import Entry, ExtraElement, Feed
from converter.options import WriteOptions


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
    """Tell whether there is more than one."""
    return len(values) > 1


def has_pagemap(words: Iterable[ExtraElement]) -> bool:
    """Tell whether there is a PageMap, which only sitemaps for Custom Search have."""
    return any(word.name.startswith("pagemap:") for word in words)


def has_artwork(feed: Feed, _options: WriteOptions) -> bool:
    """Tell whether a podcast has pictures beside that of the feed, which entries take."""
    return feed.podcast is not None and any(it.url != feed.image for it in feed.podcast.images)


def is_inherited(words: Iterable[ExtraElement]) -> bool:
    """Tell whether a header has more than ratings, which are a field of their own."""
    return any(word.name not in {"media:rating", "media:adult"} for word in words)


def languages(entry: Entry, why: str, *kept_by: str) -> OmittedItem:
    """Count the versions of a page in other languages."""
    number = sum(version.href != entry.loc for version in entry.alternates)
    return OmittedItem(Reason("language", why, kept_by), number)
