"""What the tables are made of: a row of a field, of every item of a field, of a detail of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import repeat
from operator import attrgetter
from typing import Final

from converter.model import Entry, Feed, Precision, Text, Video
from converter.options import WriteOptions
from converter.seams import Loss, Losses
from converter.seams.losses import AnyItem

__all__ = [
    "FILE",
    "OTHER",
    "altered",
    "any_video",
    "has_extra",
    "is_marked",
    "is_other_id",
    "is_pagemap",
    "is_weighted",
    "item",
    "lost",
    "member",
    "other_languages",
    "plural",
    "podcast",
    "singular",
    "vague",
    "wanted",
]

#: The attributes of a file: all that is known of it but where it is.
FILE: Final = (
    "mime",
    "is_default",
    "expression",
    "width",
    "height",
    "bitrate_kbps",
    "framerate",
    "samplingrate_khz",
    "channels",
    "size_bytes",
    "lang",
    "title",
)

#: How the model calls what a name begins with.
_ITEMS: Final = {
    "author": "authors",
    "audio": "audios",
    "category": "categories",
    "image": "images",
    "video": "videos",
}

#: What is no value; False is one, where None is another.
_NOTHING: Final = (None, ())

Has = Callable[[Entry], object]


def plural(name: str) -> str:
    """Give the attribute of the model that the tables call by this name."""
    return _ITEMS.get(name, name)


def singular(field: str) -> str:
    """Give the name by which the tables call a field of an entry, or of a header."""
    return next((name for name, many in _ITEMS.items() if many == field), field)


# -- rows -------------------------------------------------------------------------------------


def lost(name: str, has: Has | None = None, left: str = "") -> Loss[Entry]:
    """Make a row of an entry's own field."""
    return Loss(name, has or attrgetter(_ITEMS.get(name, name)), left)


def altered(name: str, has: Has, left: str) -> Loss[Entry]:
    """Make a row of a field that is there, but not as it was."""
    return Loss(name, has, left, is_altered=True)


def any_video(has: Callable[[Video], object]) -> Has:
    """Say whether one of an entry's videos has something."""
    return AnyItem("videos", has)


def item(name: str, left: str = "") -> Loss[Entry]:
    """Make a row of a field of items, as `video/title`."""
    items, _, field = name.partition("/")
    value = attrgetter(field)
    return Loss(name, AnyItem(_ITEMS[items], lambda each: value(each) not in _NOTHING), left)


def member(name: str, left: str = "") -> Loss[Entry]:
    """Make a row of what the parts of a field of items say, as `video/renditions/width`."""
    items, field, detail = name.split("/")
    parts, value = attrgetter(field), attrgetter(detail)

    def has(each: object) -> bool:
        for part in parts(each):  # noqa: SIM110  a generator would cost as much as the answer
            if value(part):
                return True
        return False

    return Loss(name, AnyItem(_ITEMS[items], has), left)


def podcast(
    field: str, is_kept: Callable[[Entry], object] | None = None, left: str = ""
) -> Loss[Entry]:
    """Make a row of what a podcast says of an episode, unless something else takes it up."""

    def has(entry: Entry) -> bool:
        if entry.podcast is None or getattr(entry.podcast, field) in _NOTHING:
            return False
        return is_kept is None or not is_kept(entry)

    return Loss(f"podcast/{field}", has, left)


def _unread(entry: Entry) -> Iterator[str]:
    """Give the names of the elements that nothing reads, each as often as it was there."""
    for name, number in entry.other:
        yield from repeat(name, number)


#: What no reader reads cannot be written, also in its own format.
OTHER: Final = Loss("entry/other", attrgetter("other"), parts=_unread)


# -- conditions that several formats share ----------------------------------------------------


def vague(field: str) -> Callable[[Entry | Feed], object]:
    """Say whether a date has no time, so that a feed's must be given one."""

    def has(given: Entry | Feed) -> bool:
        moment = getattr(given, field)
        return moment is not None and moment.precision is not Precision.SECOND

    return has


def is_marked(value: Text | None) -> bool:
    """Say whether plain text would be less than this."""
    return value is not None and value.is_html and "<" in value.value


def is_pagemap(entry: Entry) -> bool:
    """Say whether an entry has what only a sitemap for Custom Search has."""
    return bool(entry.extra) and any(word.name.startswith("pagemap:") for word in entry.extra)


def other_languages(entry: Entry) -> int:
    """Count the versions of a page in other languages."""
    return sum(version.href != entry.loc for version in entry.alternates)


def is_weighted(video: Video) -> bool:
    """Say whether some tags of a video weigh more than others."""
    return any(tag.weight != 1 for tag in video.tags)


# -- tables -----------------------------------------------------------------------------------


def wanted(losses: Losses, options: WriteOptions) -> Losses:
    """Leave out what is not written because somebody said so: that is no loss."""
    unwanted = tuple(_unwanted(options))
    if not unwanted:
        return losses
    kept = (row for row in losses.fields if row.name.partition("/")[0] not in unwanted)
    return replace(losses, fields=tuple(kept))


def _unwanted(options: WriteOptions) -> Iterator[str]:
    if not options.videos:
        yield "video"
    if not options.images:
        yield "image"


#: What of `Entry.extra` no sitemap holds; what else stands there, `Entry.other` counts.
_EXTRA: Final = ("news:", "slash:", "thr:", "wfw:", "xhtml:")


def has_extra(entry: Entry) -> bool:
    """Whether an entry has elements that are kept only for a feed."""
    return bool(entry.extra) and any(word.name.startswith(_EXTRA) for word in entry.extra)


def is_other_id(entry: Entry) -> bool:
    """Whether the id says more than the URL of the page does."""
    return entry.id is not None and entry.id != entry.loc
