"""What survives from the model through a feed and back, field by field (mapping 5).

A row names a field, how an entry shows it, and the formats that give it back exactly: `rss` is
plain RSS 2.0, `mrss` the same with Media RSS, `atom` Atom 1.0 with Media RSS inside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from converter.model import Audio, Entry, Image, Moment, Text, Video
from converter.values import media_types, text

__all__ = ["FIELDS", "Field"]


class Field(NamedTuple):
    name: str
    of: Callable[[Entry], Any]
    exact_in: str

    def is_exact(self, target: str) -> bool:
        return target in self.exact_in.split()


def _readable(value: Text | None) -> str | None:
    return None if value is None else text.plain(value.value, is_html=value.is_html)


def _date(moment: Moment | None) -> str | None:
    """The offset counts too."""
    return None if moment is None else moment.instant.isoformat()


def _videos(value: Callable[[Video], Any]) -> Callable[[Entry], Any]:
    return lambda entry: [value(video) for video in entry.videos]


def _images(value: Callable[[Image], Any]) -> Callable[[Entry], Any]:
    return lambda entry: [value(image) for image in entry.images]


def _audios(value: Callable[[Audio], Any]) -> Callable[[Entry], Any]:
    return lambda entry: [value(audio) for audio in entry.audios]


def _rendition(video: Video | Audio) -> list[Any]:
    """A type that an enclosure must have is that of the extension, where none is given."""
    return [
        (
            r.url, r.kind, r.mime or media_types.mime_of(r.url), r.is_default, r.expression,
            r.width, r.height, r.bitrate_kbps,
            r.framerate, r.samplingrate_khz, r.channels, r.duration_s, r.size_bytes, r.lang,
        )
        for r in video.renditions
    ]  # fmt: skip


ALL: Final = "rss mrss atom"
MEDIA: Final = "mrss atom"

FIELDS: Final[tuple[Field, ...]] = (
    Field("loc", lambda e: e.loc, ALL),
    Field("id", lambda e: e.id, ALL),
    Field("permalink flag", lambda e: e.id_is_permalink, "rss mrss"),
    Field("title", lambda e: e.title, ALL),
    Field("summary", lambda e: _readable(e.summary), ALL),
    Field("content", lambda e: _readable(e.content), ALL),
    Field("published", lambda e: _date(e.published), ALL),
    Field("updated", lambda e: _date(e.updated), "atom"),
    Field("author name", lambda e: [person.name for person in e.authors], "atom"),
    Field("author mail", lambda e: [person.email for person in e.authors], "atom"),
    Field("author uri", lambda e: [person.uri for person in e.authors], "atom"),
    Field("categories", lambda e: [c.text for c in e.categories], ALL),
    Field("hreflang alternates", lambda e: set(e.alternates), "atom"),
    Field("copyright", lambda e: e.copyright, ALL),
    Field("language", lambda e: e.lang, ALL),
    Field("source", lambda e: e.source, ALL),
    Field("other links", lambda e: e.links, ALL),
    Field("extra", lambda e: set(e.extra), ALL),
    Field("image url", _images(lambda i: i.url), MEDIA),
    Field("image title", _images(lambda i: _readable(i.title)), MEDIA),
    Field("image caption", _images(lambda i: _readable(i.caption)), MEDIA),
    Field("image license", _images(lambda i: i.license), MEDIA),
    Field("image geo", _images(lambda i: i.geo), MEDIA),
    Field("content_loc", _videos(lambda v: v.content_url), MEDIA),
    Field("renditions", _videos(_rendition), MEDIA),
    Field("player_loc", _videos(lambda v: v.player_url), MEDIA),
    Field("player size", _videos(lambda v: v.player_size), MEDIA),
    Field("thumbnails", _videos(lambda v: v.thumbnails), MEDIA),
    Field("duration", _videos(lambda v: v.duration_s), MEDIA),
    Field("video title", _videos(lambda v: _readable(v.title)), MEDIA),
    Field("video description", _videos(lambda v: _readable(v.description)), MEDIA),
    Field("star rating", _videos(lambda v: v.star_rating), MEDIA),
    Field("views", _videos(lambda v: v.views), MEDIA),
    Field("favorites", _videos(lambda v: v.favorites), MEDIA),
    Field("start", _videos(lambda v: _date(v.published)), MEDIA),
    Field("expiry", _videos(lambda v: _date(v.expires)), MEDIA),
    Field("keywords", _videos(lambda v: v.keywords), MEDIA),
    Field("tags", _videos(lambda v: v.tags), MEDIA),
    Field("video category", _videos(lambda v: v.categories), MEDIA),
    Field("rating", _videos(lambda v: v.ratings), MEDIA),
    Field("country restriction", _videos(lambda v: v.countries), MEDIA),
    Field("sharing", _videos(lambda v: v.embed_allowed), MEDIA),
    Field("price", _videos(lambda v: v.prices), MEDIA),
    Field("live", _videos(lambda v: v.live), MEDIA),
    Field("credits", _videos(lambda v: v.credits), MEDIA),
    Field("video copyright", _videos(lambda v: v.copyright), MEDIA),
    Field("video license", _videos(lambda v: v.license), MEDIA),
    Field("status", _videos(lambda v: v.status), MEDIA),
    Field("embed", _videos(lambda v: v.embed), MEDIA),
    Field("kept words", _videos(lambda v: v.words), MEDIA),
    Field("audio url", _audios(lambda a: a.content_url), ALL),
    Field("audio renditions", _audios(_rendition), MEDIA),
    Field("audio title", _audios(lambda a: _readable(a.title)), MEDIA),
    Field("audio thumbnails", _audios(lambda a: a.thumbnails), MEDIA),
)
