"""What the tables of several formats share: names of fields, rules and conditions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields
from functools import partial
from typing import Final

from converter.model import Audio, Entry, Feed, Image, Podcast, Rendition, Text, Video, Word
from converter.options import WriteOptions
from converter.seams import LossRule, Omission, Reason
from converter.seams.losses import singular

__all__ = [
    "AUDIO",
    "ENTRY",
    "EPISODE",
    "FILE",
    "HEADER",
    "IMAGE",
    "OTHER_ARTWORK",
    "VIDEO",
    "all_lost",
    "altered",
    "are_several",
    "has_pagemap",
    "has_words_of_feeds",
    "is_inherited",
    "is_marked",
    "is_other_id",
    "lacks",
    "languages",
    "wanted",
]

# -- names ------------------------------------------------------------------------------------


def _names(kind: type, *but: str) -> tuple[str, ...]:
    return tuple(it.name for it in fields(kind) if it.name not in {*but, "line"})


#: What can be stated of a page.
ENTRY: Final = tuple(map(singular, _names(Entry, "id_is_permalink", "podcast", "other", "feed")))
#: What can be stated of a file but its URL, and what follows from its media type.
FILE: Final = _names(Rendition, "url", "kind", "medium", "duration_s", "from_enclosure")
#: What can be stated of media but their files, and what only helps to choose one.
VIDEO: Final = _names(
    Video, "content_url", "renditions", "flash_url", "sibling_images", "youtube_id"
)
AUDIO: Final = _names(Audio, "content_url", "renditions")
IMAGE: Final = _names(Image, "url", "rendition")
#: What a podcast states of an episode.
EPISODE: Final = _names(Podcast, "medium")
#: What can be stated of a feed.
HEADER: Final = (
    *map(singular, _names(Feed, "format", "source", "podcast", "other")),
    *(f"podcast/{name}" for name in _names(Podcast)),
)


# -- rules ------------------------------------------------------------------------------------


#: Makes the rule that a field is held as what is `left` of it.
altered: Final = partial(LossRule, is_altered=True)


def all_lost(*names: str, within: str = "", but: Collection[str] = ()) -> tuple[LossRule, ...]:
    """Return the rules that fields are dropped, whatever they say; names may be those of a part."""
    prefix = within and f"{within}/"
    return tuple(LossRule(f"{prefix}{name}") for name in names if name not in but)


def wanted(rules: Iterable[LossRule], options: WriteOptions) -> tuple[LossRule, ...]:
    """Remove the rules about media that the options exclude: that is no loss."""
    excluded = {"video": not options.videos, "image": not options.images}
    return tuple(rule for rule in rules if not excluded.get(rule.name.partition("/")[0]))


# -- conditions -------------------------------------------------------------------------------


def lacks(*names: str) -> Callable[[Entry], bool]:
    """Return the condition that one of an entry's videos has none of these fields."""

    def is_lacking(entry: Entry) -> bool:
        for video in entry.videos:
            for name in names:
                if getattr(video, name):
                    break
            else:
                return True
        return False

    return is_lacking


def is_marked(value: Text) -> bool:
    """Tell whether a text loses its markup where only plain text may be."""
    return value.is_html and "<" in value.value


def are_several(values: Sequence[object]) -> bool:
    """Tell whether there is more than one."""
    return len(values) > 1


def is_other_id(entry: Entry) -> bool:
    """Tell whether the id says more than the URL of the page."""
    return entry.id != entry.loc


def has_pagemap(words: Iterable[Word]) -> bool:
    """Tell whether there is a PageMap, which only sitemaps for Custom Search have."""
    return any(word.name.startswith("pagemap:") for word in words)


#: What of `Entry.extra` no sitemap holds; `Entry.other` counts the rest.
_OF_FEEDS: Final = ("news:", "slash:", "thr:", "wfw:", "xhtml:")


def has_words_of_feeds(words: Iterable[Word]) -> bool:
    """Tell whether there are elements that only feeds hold."""
    return any(word.name.startswith(_OF_FEEDS) for word in words)


def _has_other_artwork(feed: Feed) -> bool:
    images = feed.podcast.images if feed.podcast else ()
    return any(image.url != feed.image for image in images)


def is_inherited(words: Iterable[Word]) -> bool:
    """Tell whether a header has more than ratings, which are a field of their own."""
    return any(word.name not in {"media:rating", "media:adult"} for word in words)


#: A header that is not written has one picture at most that entries take up.
OTHER_ARTWORK: Final = LossRule(
    "feed/podcast/images", "the picture of the feed", whole=_has_other_artwork
)


# -- what is left out -------------------------------------------------------------------------


def languages(entry: Entry, why: str, *kept_by: str) -> Omission:
    """Count the versions of a page in other languages."""
    number = sum(version.href != entry.loc for version in entry.alternates)
    return Omission(Reason("language", why, kept_by), number)
