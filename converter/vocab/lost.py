"""What each format has no place for: counted field by field, so that no loss is silent.

The tables are what `feed2sitemap formats` and docs/formats.md show (mapping 5).
"""

from __future__ import annotations

from typing import Final

from converter.model import Entry
from converter.options import WriteOptions
from converter.seams import Loss, Losses
from converter.vocab.supply import is_uploader, people

__all__ = ["in_atom", "in_mrss", "in_rss", "in_sitemap", "in_txt"]


def _of(objects: str, name: str) -> Loss:
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
_FIELDS: Final[tuple[Loss, ...]] = (
    ("changefreq", lambda entry: entry.changefreq),
    ("priority", lambda entry: entry.priority is not None),
    ("news", lambda entry: entry.news),
    ("mobile", lambda entry: entry.mobile),
    ("pagemap", lambda entry: any(word.name.startswith("pagemap:") for word in entry.extra)),
)
_OF_MEDIA: Final[tuple[Loss, ...]] = (
    ("video/uploader", _uncredited),
    _of("videos", "autoplay"),
    _of("videos", "gallery"),
    _of("videos", "ids"),
    _of("videos", "platforms"),
    _of("videos", "segments"),
    _of("videos", "series"),
)

_IN_ATOM: Final = Losses((*_FIELDS, ("comments", lambda entry: entry.comments)), _OF_MEDIA)

_IN_MRSS: Final = Losses(
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


_IN_RSS: Final = Losses(
    (*_IN_MRSS.fields, ("itunes:image", _has_artwork)),
    (
        *_OF_MEDIA,
        ("media", lambda entry: len(_files(entry)) > 1),
        *(_of(*field) for field in _IN_ENCLOSURE),
    ),
)

# -- sitemaps and lists -----------------------------------------------------------------------

#: Of an entry that neither a video nor a news block tells of.
_TOLD_WITH_VIDEO: Final = ("title", "summary", "content", "authors", "categories", "podcast")
_NOWHERE: Final = ("id", "audios", "comments", "copyright", "license", "links", "source")


def _field(name: str) -> Loss:
    return name, lambda entry: getattr(entry, name)


def _without_video(name: str) -> Loss:
    return name, lambda entry: getattr(entry, name) and not entry.videos


def _merged_date(entry: Entry) -> bool:
    """Say whether a publication date is lost in `lastmod`; a video or news keeps it."""
    both = entry.published is not None and entry.updated is not None
    return both and not entry.videos and entry.news is None


def _described_files(entry: Entry) -> bool:
    """Say whether more is known of a file than a sitemap tells: type, size, width."""
    return any(
        r.mime or r.width or r.height or r.bitrate_kbps or r.size_bytes
        for video in entry.videos
        for r in video.renditions
    )


def _extra(entry: Entry) -> bool:
    return any(not word.name.startswith("pagemap:") for word in entry.extra)


def _count_of_stars(entry: Entry) -> bool:
    return any(v.star_rating and v.star_rating.count is not None for v in entry.videos)


def _weights(entry: Entry) -> bool:
    return any(tag.weight != 1 for video in entry.videos for tag in video.tags)


def _other_credits(entry: Entry) -> bool:
    roles = {credit.role for video in entry.videos for credit in video.credits}
    return bool(roles - {"uploader", "owner"})


_IN_SITEMAP: Final = Losses(
    (
        *map(_field, _NOWHERE),
        *map(_without_video, _TOLD_WITH_VIDEO),
        ("published", _merged_date),
        ("extra", _extra),
    ),
    (
        ("video/renditions", lambda entry: any(len(v.renditions) > 1 for v in entry.videos)),
        ("video/rendition", _described_files),
        ("video/thumbnails", lambda entry: any(len(v.thumbnails) > 1 for v in entry.videos)),
        ("video/star_rating", _count_of_stars),
        ("video/tags", _weights),
        ("video/credits", _other_credits),
        *(
            _of("videos", name)
            for name in ("copyright", "embed", "favorites", "license", "player_size", "words")
        ),
        _of("images", "words"),
    ),
)

#: What `--legacy-tags` would keep.
_LEGACY: Final = Losses(
    (("pagemap", lambda entry: any(w.name.startswith("pagemap:") for w in entry.extra)),),
    (
        *(
            _of("videos", name)
            for name in (
                "autoplay",
                "categories",
                "embed_allowed",
                "gallery",
                "ids",
                "segments",
                "series",
            )
        ),
        (
            "video/prices",
            lambda entry: any(p.amount is not None for v in entry.videos for p in v.prices),
        ),
        *(_of("images", name) for name in ("caption", "geo", "license", "title")),
    ),
)

_IN_SITEMAP_TODAY: Final = Losses(
    _IN_SITEMAP.fields + _LEGACY.fields, _IN_SITEMAP.of_media + _LEGACY.of_media
)

_IN_TXT: Final = Losses(
    tuple(
        _field(name)
        for name in Entry.__dataclass_fields__
        if name not in {"loc", "id_is_permalink", "lang", "line", "feed"}
    )
)


def in_rss(_options: WriteOptions) -> Losses:
    """RSS 2.0 without Media RSS: one enclosure, and no word about it."""
    return _IN_RSS


def in_mrss(_options: WriteOptions) -> Losses:
    """RSS 2.0 with Media RSS."""
    return _IN_MRSS


def in_atom(_options: WriteOptions) -> Losses:
    """Atom 1.0 with Media RSS."""
    return _IN_ATOM


def in_sitemap(options: WriteOptions) -> Losses:
    """Sitemaps with their extensions."""
    return _IN_SITEMAP if options.legacy_tags else _IN_SITEMAP_TODAY


def in_txt(_options: WriteOptions) -> Losses:
    """Lists of URLs."""
    return _IN_TXT
