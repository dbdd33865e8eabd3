"""What RSS, RSS with Media RSS and Atom do not hold as the model does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from converter.model import Audio, Entry, Video
from converter.options import WriteOptions
from converter.seams import Loss, Losses, Omission, Reason
from converter.seams.losses import AnyItem
from converter.values import mediatypes, urls
from converter.vocab.lost import headers
from converter.vocab.lost.tables import (
    FILE,
    OTHER,
    altered,
    any_video,
    is_marked,
    is_pagemap,
    is_weighted,
    item,
    lost,
    member,
    other_languages,
    podcast,
    vague,
    wanted,
)
from converter.vocab.media.write import enclosures
from converter.vocab.supply import is_iri, is_uploader, people

__all__ = ["in_atom", "in_mrss", "in_rss"]


# -- conditions -------------------------------------------------------------------------------


def _is_uncredited(entry: Entry) -> bool:
    """Say whether an uploader is named beside authors, who are the ones that are written."""
    written = {(person.name or "").casefold() for person in people(entry)}
    named = [video.uploader.name or "" for video in entry.videos if video.uploader]
    credits_ = (credit for video in entry.videos for credit in video.credits)
    named += [credit.name for credit in credits_ if is_uploader(credit.role, credit.scheme)]
    return any(name.casefold() not in written for name in named)


def _is_told_by_keywords(entry: Entry) -> bool:
    return any(not video.keywords and not video.tags for video in entry.videos)


def _is_told_by_rating(entry: Entry) -> bool:
    return any(not video.ratings for video in entry.videos)


def _is_told_by_thumbnail(entry: Entry) -> bool:
    objects: tuple[Video | Audio, ...] = (*entry.videos, *entry.audios)
    return not objects or any(not each.thumbnails for each in objects)


def _is_earlier_update(entry: Entry) -> bool:
    """Say whether `updated` is left out for being no later than `published`."""
    published, updated = entry.published, entry.updated
    return bool(published and updated and updated.instant < published.instant)


def _is_partial_update(entry: Entry) -> bool:
    return entry.updated is not None and (entry.published is None or entry.updated.is_partial)


def _is_other_permalink(entry: Entry) -> bool:
    return bool(entry.id_is_permalink) and entry.id != entry.loc


def _has_label(entry: Entry) -> bool:
    return any(category.text != category.term for category in entry.categories)


def _is_unlinked_license(entry: Entry) -> bool:
    return bool(entry.license) and all(link.rel != "license" for link in entry.links)


# -- what no feed holds -----------------------------------------------------------------------

_NOWHERE: Final = (
    lost("changefreq"),
    lost("priority", lambda entry: entry.priority is not None),
    lost("news"),
    lost("mobile"),
    lost("extra", is_pagemap, "what is no PageMap"),
    altered("published", vague("published"), "a time of day is added"),
    OTHER,
)
_PODCAST_NOWHERE: Final = (
    podcast("author", lambda entry: not entry.authors, "an author, where there is no other"),
    podcast("summary"),
    podcast("subtitle"),
    podcast("duration_s"),
    podcast("season"),
    podcast("episode"),
    podcast("episode_type"),
    podcast("blocked"),
)
_OF_PODCAST: Final = (
    *_PODCAST_NOWHERE,
    podcast("explicit", _is_told_by_rating, "the rating of a video that has no other"),
    podcast("keywords", _is_told_by_keywords, "those of a video that has none"),
    podcast("images", _is_told_by_thumbnail, "thumbnails, where there are no others"),
)


def _plain(name: str, items: str, field: str) -> Loss[Entry]:
    has = AnyItem(items, lambda each: is_marked(getattr(each, field)))
    return altered(name, has, "plain text")


_MARKED: Final = (
    _plain("video/title", "videos", "title"),
    _plain("video/description", "videos", "description"),
    _plain("audio/title", "audios", "title"),
    _plain("audio/description", "audios", "description"),
    _plain("image/title", "images", "title"),
    _plain("image/caption", "images", "caption"),
)


_OF_SITEMAPS: Final = (
    Loss("video/uploader", _is_uncredited, "the author, where there is no other"),
    item("video/autoplay"),
    item("video/gallery"),
    item("video/ids"),
    item("video/platforms"),
    lost("video/segments", any_video(lambda video: video.segments)),
    item("video/series"),
    member("video/prices/resolution"),
)

# -- Atom -------------------------------------------------------------------------------------

_IN_ATOM: Final = (
    altered(
        "id",
        lambda entry: entry.id and not is_iri(entry.id),
        "the page or a UUID, where it is no IRI",
    ),
    lost("id/is_permalink", lambda entry: entry.id_is_permalink is not None),
    altered("updated", vague("updated"), "a time of day is added"),
    lost("comments"),
    *_NOWHERE,
    *_MARKED,
    *_OF_SITEMAPS,
)


def _unenclosed_title(options: WriteOptions) -> Callable[[Entry], bool]:
    """Say whether a file has a title, and no link to it that could hold that."""

    def has(entry: Entry) -> bool:
        files = (file for video in entry.videos for file in video.renditions)
        titled = [file.url for file in files if file.title is not None]
        if not titled:
            return False
        enclosed = {file.url for file in enclosures(entry, options)}
        return any(url not in enclosed for url in titled)

    return has


# -- RSS --------------------------------------------------------------------------------------

_OF_RSS: Final = (
    altered("id/is_permalink", _is_other_permalink, "false, where the id is not the page"),
    lost("updated", _is_earlier_update, "an update after the publication"),
    altered("updated", _is_partial_update, "the publication, where there is no other"),
    lost("author", lambda entry: len(entry.authors) > 1, "the first"),
    lost("author/uri", lambda entry: any(person.uri for person in people(entry)[:1])),
    altered("category", _has_label, "the label stands for the term"),
    lost("alternates"),
    lost("license", _is_unlinked_license, "one that was a link"),
)

_IN_MRSS: Final = Losses(
    (
        *_OF_RSS,
        *_NOWHERE,
        *_MARKED,
        *_OF_SITEMAPS,
        member("video/renditions/title"),
        *_OF_PODCAST,
    )
)


def _enclosed(entry: Entry, options: WriteOptions) -> str | None:
    """Give the URL of the one file that RSS names."""
    files = enclosures(entry, options)
    known = (file for file in files if file.mime or mediatypes.mime_of(file.url))
    return next((file.url for file in known if urls.is_http(file.url)), None)


def _left_out(items: str, options: WriteOptions) -> Callable[[Entry], bool]:
    """Say whether a video, a sound or a picture is not the one that RSS names."""
    return lambda entry: bool(_unenclosed(entry, items, options))


def _unenclosed(entry: Entry, items: str, options: WriteOptions) -> list[Any]:
    """Give the videos, sounds or pictures that are not the one that RSS names."""
    found = getattr(entry, items)
    kept = _enclosed(entry, options) if found else None
    return [each for each in found if kept is None or kept not in _places(each)]


def _places(each: Any) -> set[str | None]:
    """Give every URL that a video, a sound or a picture is at."""
    places = {file.url for file in getattr(each, "renditions", ())}
    return places | {getattr(each, "content_url", None) or getattr(each, "url", None)}


def _is_writable(video: Video) -> bool:
    """Say whether Media RSS can tell where a video is."""
    return bool(video.renditions or video.content_url or video.player_url)


def _omissions(options: WriteOptions) -> Iterator[Omission]:
    """Give what one enclosure leaves out, and what of that Media RSS would hold."""

    def videos(entry: Entry, *, writable: bool) -> int:
        left = _unenclosed(entry, "videos", options)
        return sum(_is_writable(video) == writable for video in left)

    one = "RSS names one file"
    if options.videos:
        named = Reason("video", one, ("mrss", "atom"))
        yield Omission(named, lambda entry: videos(entry, writable=True))
        unknown = Reason("video", "a video has neither file nor player")
        yield Omission(unknown, lambda entry: videos(entry, writable=False))
    if options.images:
        named = Reason("image", one, ("mrss", "atom"))
        yield Omission(named, lambda entry: len(_unenclosed(entry, "images", options)))


#: Of language versions, RSS has none.
_LANGUAGES: Final = Omission(
    Reason("language", "RSS has no language versions", ("atom",)), other_languages
)


#: What an enclosure says of a file.
_OF_ENCLOSURE: Final = frozenset({"mime", "size_bytes"})

_UNSAID: Final = (
    *(
        item(f"video/{name}")
        for name in (
            "title",
            "description",
            "thumbnails",
            "player_url",
            "player_size",
            "duration_s",
            "published",
            "expires",
            "star_rating",
            "views",
            "favorites",
            "categories",
            "ratings",
            "countries",
            "embed_allowed",
            "embed",
            "prices",
            "requires_subscription",
            "live",
            "credits",
            "copyright",
            "license",
            "status",
            "words",
        )
    ),
    *(item(f"audio/{name}") for name in ("title", "description", "thumbnails", "duration_s")),
    item("audio/words"),
    *(item(f"image/{name}") for name in ("title", "caption", "geo", "license", "words")),
    *(member(f"video/renditions/{name}") for name in FILE if name not in _OF_ENCLOSURE),
    *(member(f"audio/renditions/{name}") for name in FILE if name not in _OF_ENCLOSURE),
)


def _keywords_left_out(entry: Entry) -> bool:
    """Say whether keywords do not become categories: the entry has some, or an earlier video."""
    named = [video for video in entry.videos if video.keywords or video.tags]
    untold = named if entry.categories else named[1:]
    return any(video.keywords for video in untold)


def _tags_left_out(entry: Entry) -> bool:
    """Say the same of tags, which also give way to the keywords of their own video."""
    named = [video for video in entry.videos if video.keywords or video.tags]
    told = next((not video.keywords for video in named), False) and not entry.categories
    return any(video.tags for video in (named[1:] if told else named))


def _podcast_tags(entry: Entry) -> bool:
    return not entry.categories and not any(v.keywords or v.tags for v in entry.videos)


def in_rss(options: WriteOptions) -> Losses:
    """RSS 2.0 without Media RSS: one enclosure, and no word about it."""
    losses = Losses(
        (
            *_OF_RSS,
            *_NOWHERE,
            lost("video", _left_out("videos", options), "one enclosure"),
            lost("audio", _left_out("audios", options), "one enclosure"),
            lost("image", _left_out("images", options), "one enclosure"),
            lost(
                "video/renditions",
                any_video(lambda video: len(video.renditions) > 1),
                "one enclosure",
            ),
            lost("video/keywords", _keywords_left_out, "categories, where there are no others"),
            lost("video/tags", _tags_left_out, "categories, where there are no others"),
            lost("video/tags/weight", any_video(is_weighted), "their order"),
            *_OF_SITEMAPS,
            *_UNSAID,
            *_PODCAST_NOWHERE,
            podcast("explicit"),
            podcast("keywords", _podcast_tags, "categories, where there are no others"),
            podcast("images"),
        ),
    )
    losses = replace(losses, omissions=(*_omissions(options), _LANGUAGES))
    return headers.in_rss(wanted(losses, options), options)


def in_mrss(options: WriteOptions) -> Losses:
    """RSS 2.0 with Media RSS."""
    losses = replace(_IN_MRSS, omissions=(_LANGUAGES,))
    return headers.in_mrss(wanted(losses, options), options)


def in_atom(options: WriteOptions) -> Losses:
    """Atom 1.0 with Media RSS."""
    titles = lost("video/renditions/title", _unenclosed_title(options), "that of an enclosure")
    losses = Losses((*_IN_ATOM, titles, *_OF_PODCAST))
    return headers.in_atom(wanted(losses, options), options)
