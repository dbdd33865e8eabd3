"""What a list of URLs does not hold of entries, and what of that a sitemap would hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Final

from converter.model import Entry, Podcast
from converter.options import WriteOptions
from converter.seams import Losses, Omission, Reason
from converter.vocab.lost import headers
from converter.vocab.lost.tables import (
    OTHER,
    has_extra,
    is_other_id,
    is_pagemap,
    lost,
    other_languages,
    podcast,
)
from converter.vocab.page import PageContext

__all__ = ["in_txt"]


def _omissions(options: WriteOptions) -> Iterator[Omission]:
    """Give what a list leaves out that a sitemap would hold."""
    why, kept_by = "a list holds URLs only", ("sitemap",)
    if options.videos:
        yield Omission(Reason("video", why, kept_by), lambda entry: _listable(entry, options))
        yield Omission(
            Reason("video", "a list holds URLs only, and no sitemap would hold it"),
            lambda entry: len(entry.videos) - _listable(entry, options),
        )
    if options.images:
        yield Omission(
            Reason("image", why, kept_by), lambda entry: len({each.url for each in entry.images})
        )
    yield Omission(Reason("language", why, kept_by), other_languages)


def _listable(entry: Entry, options: WriteOptions) -> int:
    """Count the videos that a sitemap would hold."""
    if not entry.videos:
        return 0
    from converter.vocab.video.page_defaults import PageDefaults
    from converter.vocab.video.required import publishable  # hardly any list is made of videos

    page = PageContext(entry, entry.loc or "", options, report=lambda _: None)
    defaults = PageDefaults(page)
    return sum(publishable(video, page, defaults) is not None for video in entry.videos)


_IN_TXT: Final = Losses(
    (
        lost("id", is_other_id),
        *(
            lost(name)
            for name in (
                *("title", "summary", "content", "published", "updated", "author", "category"),
                *("lang", "alternates", "changefreq"),
            )
        ),
        lost("priority", lambda entry: entry.priority is not None),
        *(
            lost(name)
            for name in (
                *("video", "image", "audio", "news", "mobile"),
                *("comments", "copyright", "license", "links", "source"),
            )
        ),
        lost("extra", lambda entry: has_extra(entry) or is_pagemap(entry)),
        OTHER,
        *(podcast(field.name) for field in fields(Podcast) if field.name != "medium"),
    )
)


def in_txt(options: WriteOptions) -> Losses:
    """Lists of URLs."""
    losses = replace(_IN_TXT, omissions=tuple(_omissions(options)))
    return headers.in_txt(losses)
