"""What a list of URLs drops of entries, and what of that a sitemap would hold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from converter.model import Entry
from converter.options import WriteOptions
from converter.seams import Losses, LossRule, Omission, Reason
from converter.vocab.lost.tables import (
    ENTRY,
    EPISODE,
    HEADER,
    all_lost,
    has_pagemap,
    has_words_of_feeds,
    is_other_id,
    languages,
)
from converter.vocab.page import PageContext

__all__ = ["in_txt"]

_ONLY_URLS: Final = "a list holds URLs only"
_VIDEO: Final = Reason("video", _ONLY_URLS, ("sitemap",))
_OTHER_VIDEO: Final = Reason("video", f"{_ONLY_URLS}, and no sitemap would hold it")
_IMAGE: Final = Reason("image", _ONLY_URLS, ("sitemap",))


def _left_out(entry: Entry, options: WriteOptions) -> Iterator[Omission]:
    """Count what a list leaves out that a sitemap would hold, and the other videos."""
    if options.videos:
        listable = _listable(entry, options) if entry.videos else 0
        yield Omission(_VIDEO, listable)
        yield Omission(_OTHER_VIDEO, len(entry.videos) - listable)
    if options.images:
        yield Omission(_IMAGE, len({image.url for image in entry.images}))
    yield languages(entry, _ONLY_URLS, "sitemap")


def _listable(entry: Entry, options: WriteOptions) -> int:
    """Count the videos that a sitemap would hold."""
    from converter.vocab.video.page_defaults import PageDefaults
    from converter.vocab.video.required import publishable  # hardly any list is made of videos

    page = PageContext(entry, entry.loc or "", options, report=lambda _: None)
    defaults = PageDefaults(page)
    return sum(publishable(video, page, defaults) is not None for video in entry.videos)


_RULES: Final = (
    *all_lost(*ENTRY, but={"loc", "id", "extra"}),
    *all_lost(*EPISODE, within="podcast"),
    LossRule("id", whole=is_other_id),
    LossRule("extra", value=lambda words: has_words_of_feeds(words) or has_pagemap(words)),
)
_OF_HEADER: Final = all_lost(*HEADER, within="feed")


def in_txt(options: WriteOptions) -> Losses:
    """Return what lists of URLs drop: everything else."""
    return Losses(_RULES, _OF_HEADER, omissions=partial(_left_out, options=options))
