"""What a feed has no place for: reported field by field, so that losses can be counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from converter.issues import Code
from converter.model import Entry
from converter.vocab.sheet import Sheet
from converter.vocab.supply import is_uploader, people

__all__ = ["IN_ATOM", "IN_MRSS", "IN_RSS", "Lost", "tell_lost"]

Losses = tuple[tuple[str, Callable[[Entry], Any]], ...]
"""The name of a field, as `--report` counts it, and whether an entry has it."""


class Lost(NamedTuple):
    """What a format has no place for."""

    fields: Losses
    of_media: Losses
    """Looked at only where an entry has media: most have none."""


def _of(objects: str, name: str) -> tuple[str, Callable[[Entry], Any]]:
    """Name a field of an entry's videos, audios or images."""

    def has(entry: Entry) -> bool:
        return any(getattr(item, name) not in (None, (), False) for item in getattr(entry, objects))

    return f"{objects.removesuffix('s')}/{name}", has


def _uncredited(entry: Entry) -> bool:
    """Say whether an uploader is named beside authors, who are the ones that are written."""
    written = {(person.name or "").casefold() for person in people(entry)}
    named = [video.uploader.name or "" for video in entry.videos if video.uploader]
    credits_ = (credit for video in entry.videos for credit in video.credits)
    named += [credit.name for credit in credits_ if is_uploader(credit.role, credit.scheme)]
    return any(name.casefold() not in written for name in named)


def _is_second(entry: Entry) -> bool:
    return len(entry.authors) > 1


#: Of sitemaps only, or of podcasts.
_FIELDS: Final[Losses] = (
    ("changefreq", lambda entry: entry.changefreq),
    ("priority", lambda entry: entry.priority is not None),
    ("news", lambda entry: entry.news),
    ("mobile", lambda entry: entry.mobile),
    ("pagemap", lambda entry: any(word.name.startswith("pagemap:") for word in entry.extra)),
)
_OF_MEDIA: Final[Losses] = (
    ("video/uploader", _uncredited),
    _of("videos", "autoplay"),
    _of("videos", "gallery"),
    _of("videos", "ids"),
    _of("videos", "platforms"),
    _of("videos", "segments"),
    _of("videos", "series"),
)

IN_ATOM: Final = Lost((*_FIELDS, ("comments", lambda entry: entry.comments)), _OF_MEDIA)

IN_MRSS: Final = Lost(
    (
        *_FIELDS,
        ("alternates", lambda entry: entry.alternates),
        ("author", _is_second),
        ("author/uri", lambda entry: any(person.uri for person in people(entry)[:1])),
    ),
    _OF_MEDIA,
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


def _has_artwork(entry: Entry) -> bool:
    return entry.podcast is not None and bool(entry.podcast.images)


IN_RSS: Final = Lost(
    (*IN_MRSS.fields, ("itunes:image", _has_artwork)),
    (
        *_OF_MEDIA,
        ("media", lambda entry: len(_files(entry)) > 1),
        *(_of(*field) for field in _IN_ENCLOSURE),
    ),
)


def tell_lost(entry: Entry, lost: Lost, sheet: Sheet) -> None:
    """Report each field of an entry that its target has no place for."""
    has_media = entry.videos or entry.audios or entry.images
    for name, has in (*lost.fields, *lost.of_media) if has_media else lost.fields:
        if has(entry):
            sheet.tell(Code.DROPPED_FIELD, f"{name} has no place in this format; left out", name)
