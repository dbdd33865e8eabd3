"""What a feed has no place for: reported field by field, so that losses can be counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from converter.issues import Code
from converter.model import Entry
from converter.values import tags
from converter.vocab.sheet import Sheet
from converter.vocab.supply import people

__all__ = ["IN_ATOM", "IN_MRSS", "IN_RSS", "Losses", "tell_lost"]

Losses = tuple[tuple[str, Callable[[Entry], Any]], ...]
"""The name of a field, as `--report` counts it, and whether an entry has it."""


def _of(objects: str, name: str) -> tuple[str, Callable[[Entry], Any]]:
    """Name a field of an entry's videos, audios or images."""

    def has(entry: Entry) -> bool:
        return any(getattr(item, name) not in (None, (), False) for item in getattr(entry, objects))

    return f"{objects.removesuffix('s')}/{name}", has


def _uncredited(entry: Entry) -> bool:
    """Say whether an uploader is named beside an author, who is the one that is written."""
    written = {tags.unique((person.name or "",)) for person in people(entry)[:1]}
    named = [video.uploader.name for video in entry.videos if video.uploader]
    named += [c.name for video in entry.videos for c in video.credits if c.role == "uploader"]
    return any(tags.unique((name or "",)) not in written for name in named)


def _is_second(entry: Entry) -> bool:
    return len(entry.authors) > 1


#: Of sitemaps only, or of podcasts.
_EVERYWHERE: Final[Losses] = (
    ("changefreq", lambda entry: entry.changefreq),
    ("priority", lambda entry: entry.priority is not None),
    ("news", lambda entry: entry.news),
    ("mobile", lambda entry: entry.mobile),
    ("pagemap", lambda entry: any(word.name.startswith("pagemap:") for word in entry.extra)),
    ("video/uploader", _uncredited),
    _of("videos", "autoplay"),
    _of("videos", "gallery"),
    _of("videos", "ids"),
    _of("videos", "platforms"),
    _of("videos", "segments"),
    _of("videos", "series"),
)

IN_ATOM: Final[Losses] = (*_EVERYWHERE, ("comments", lambda entry: entry.comments))

IN_MRSS: Final[Losses] = (
    *_EVERYWHERE,
    ("alternates", lambda entry: entry.alternates),
    ("author", _is_second),
    ("author/uri", lambda entry: any(person.uri for person in people(entry)[:1])),
)

_IN_ENCLOSURE: Final = (
    ("videos", "categories"),
    ("videos", "copyright"),
    ("videos", "countries"),
    ("videos", "credits"),
    ("videos", "description"),
    ("videos", "duration_s"),
    ("videos", "embed"),
    ("videos", "embed_allowed"),
    ("videos", "expires"),
    ("videos", "favorites"),
    ("videos", "license"),
    ("videos", "live"),
    ("videos", "player_url"),
    ("videos", "prices"),
    ("videos", "ratings"),
    ("videos", "requires_subscription"),
    ("videos", "star_rating"),
    ("videos", "status"),
    ("videos", "thumbnails"),
    ("videos", "title"),
    ("videos", "views"),
    ("videos", "words"),
    ("audios", "description"),
    ("audios", "duration_s"),
    ("audios", "thumbnails"),
    ("audios", "title"),
    ("audios", "words"),
    ("images", "caption"),
    ("images", "geo"),
    ("images", "license"),
    ("images", "title"),
    ("images", "words"),
)


def _files(entry: Entry) -> set[str | None]:
    urls: set[str | None] = {video.content_url for video in entry.videos if video.content_url}
    urls |= {rendition.url for video in entry.videos for rendition in video.renditions}
    urls |= {rendition.url for audio in entry.audios for rendition in audio.renditions}
    return urls | {audio.content_url for audio in entry.audios} | {i.url for i in entry.images}


IN_RSS: Final[Losses] = (
    *IN_MRSS,
    ("media", lambda entry: len(_files(entry)) > 1),
    ("itunes:image", lambda entry: entry.podcast and entry.podcast.images),
    *(_of(*field) for field in _IN_ENCLOSURE),
)


def tell_lost(entry: Entry, losses: Losses, sheet: Sheet) -> None:
    """Report each field of an entry that its target has no place for."""
    for name, has in _relevant(entry, losses):
        if has(entry):
            sheet.tell(Code.DROPPED_FIELD, f"{name} has no place in this format; left out", name)


def _relevant(entry: Entry, losses: Losses) -> Iterable[tuple[str, Callable[[Entry], Any]]]:
    """Pass over the fields of media where an entry has none: most have none."""
    if entry.videos or entry.audios or entry.images:
        return losses
    return (row for row in losses if "/" not in row[0] or row[0].startswith("author/"))
