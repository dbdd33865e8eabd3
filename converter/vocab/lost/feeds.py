"""What RSS, RSS with Media RSS and Atom drop or alter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any, Final

from converter.issues import ignore
from converter.model import Audio, Category, Entry, Feed, Moment, Person, Precision, Video
from converter.options import WriteOptions
from converter.seams import Losses, LossRule, Omission, Reason
from converter.values import mediatypes, urls
from converter.vocab.lost.tables import (
    AUDIO,
    EPISODE,
    FILE,
    HEADER,
    IMAGE,
    OTHER_ARTWORK,
    VIDEO,
    all_lost,
    altered,
    are_several,
    has_pagemap,
    is_inherited,
    is_marked,
    is_other_id,
    lacks,
    languages,
    wanted,
)
from converter.vocab.media.write import enclosures
from converter.vocab.page import readable
from converter.vocab.sheet import ElementWriter, language
from converter.vocab.supply import is_iri, is_uploader, people

__all__ = ["in_atom", "in_mrss", "in_rss"]


# -- conditions -------------------------------------------------------------------------------


_has_authors: Final = attrgetter("authors")


def _drops_uploader(entry: Entry) -> bool:
    """Tell whether an uploader is named beside authors, who are the ones that are written."""
    written = {(person.name or "").casefold() for person in people(entry)}
    named = [video.uploader.name or "" for video in entry.videos if video.uploader]
    credits_ = (credit for video in entry.videos for credit in video.credits)
    named += [credit.name for credit in credits_ if is_uploader(credit.role, credit.scheme)]
    return any(name.casefold() not in written for name in named)


def _drops_page_of_uploader(entry: Entry) -> bool:
    """Tell whether the author that is written is an uploader, whose page is not."""
    return not entry.authors and any(person.uri for person in people(entry))


_lends_rating: Final = lacks("ratings")
_lends_keywords: Final = lacks("keywords", "tags")


def _lends_thumbnail(entry: Entry) -> bool:
    media: tuple[Video | Audio, ...] = (*entry.videos, *entry.audios)
    return not media or any(not each.thumbnails for each in media)


def _is_earlier_update(entry: Entry) -> bool:
    published, updated = entry.published, entry.updated
    return bool(published and updated and updated.instant < published.instant)


def _is_partial_update(entry: Entry) -> bool:
    return entry.published is None or bool(entry.updated and entry.updated.is_partial)


def _is_no_iri(value: str) -> bool:
    return bool(value) and not is_iri(value)


def _is_vague(moment: Moment) -> bool:
    """Tell whether a date has no time of day, which feeds need."""
    return moment.precision is not Precision.SECOND


def _links_license(entry: Entry) -> bool:
    return any(link.rel == "license" for link in entry.links)


def _has_label(categories: tuple[Category, ...]) -> bool:
    return any(category.text != category.term for category in categories)


# -- what several feeds share -----------------------------------------------------------------

_AUTHOR: Final = "the author, where there is no other"
_CATEGORIES: Final = "categories, where there are no others"
_ENCLOSURE: Final = "one enclosure"
_FIRST: Final = "what the first feed says"
_TIME: Final = "a time of day is added"

_OF_SITEMAPS: Final = ("autoplay", "gallery", "ids", "platforms", "segments", "series")
_IN_ALL: Final = (
    *all_lost("changefreq", "priority", "news", "mobile"),
    LossRule("extra", "what is no PageMap", has_pagemap),
    altered("published", _TIME, _is_vague),
    LossRule("video/uploader", _AUTHOR, whole=_drops_uploader),
    LossRule("video/uploader", _AUTHOR, whole=_drops_uploader, of="video/credits"),
    *all_lost(*_OF_SITEMAPS, within="video"),
    LossRule("video/prices/resolution"),
    LossRule("podcast/author", "an author, where there is no other", whole=_has_authors),
    *all_lost("summary", "subtitle", "duration_s", "season", within="podcast"),
    *all_lost("episode", "episode_type", "blocked", within="podcast"),
)
_IN_RSS: Final = (
    altered("id/is_permalink", "false, where the id is not the page", bool, whole=is_other_id),
    LossRule("updated", "an update after the publication", whole=_is_earlier_update),
    altered("updated", "the publication, where there is no other", whole=_is_partial_update),
    LossRule("author", "the first", are_several),
    LossRule("author/uri", value=lambda people: people[0].uri, of="author"),
    LossRule("author/uri", whole=_drops_page_of_uploader, of="video/uploader"),
    altered("category", "the label stands for the term", _has_label),
    LossRule("alternates"),
    LossRule("license", "one that was a link", unless=_links_license),
    *_IN_ALL,
)
_WITH_MEDIA_RSS: Final = (
    *(
        altered(name, "plain text", is_marked)
        for name in (
            *("video/title", "video/description", "audio/title", "audio/description"),
            *("image/title", "image/caption"),
        )
    ),
    LossRule("podcast/explicit", "the rating of a video that has no other", unless=_lends_rating),
    LossRule("podcast/keywords", "those of a video that has none", unless=_lends_keywords),
    LossRule("podcast/images", "thumbnails, where there are no others", unless=_lends_thumbnail),
)
_IN_ATOM: Final = (
    altered("id", "the page or a UUID, where it is no IRI", _is_no_iri),
    LossRule("id/is_permalink"),
    altered("updated", _TIME, _is_vague),
    LossRule("comments"),
    *_IN_ALL,
    *_WITH_MEDIA_RSS,
)


# -- RSS without Media RSS --------------------------------------------------------------------


def _enclosed(entry: Entry, options: WriteOptions) -> str | None:
    """Return the URL of the one file that RSS names."""
    files = enclosures(entry, options)
    known = (file for file in files if file.mime or mediatypes.mime_of(file.url))
    return next((file.url for file in known if urls.is_http(file.url)), None)


def _unenclosed(entry: Entry, items: str, options: WriteOptions) -> list[Any]:
    """Return the videos, audios or images that are not the one that RSS names."""
    found = getattr(entry, items)
    kept = _enclosed(entry, options) if found else None
    return [each for each in found if kept is None or kept not in _places(each)]


def _places(each: Any) -> set[str | None]:
    """Return every URL of a video, an audio or an image."""
    places = {file.url for file in getattr(each, "renditions", ())}
    return places | {getattr(each, "content_url", None) or getattr(each, "url", None)}


def _drops_keywords(entry: Entry) -> bool:
    """Tell whether keywords do not become categories: the entry has some, or an earlier video."""
    named = [video for video in entry.videos if video.keywords or video.tags]
    return any(video.keywords for video in (named if entry.categories else named[1:]))


def _drops_tags(entry: Entry) -> bool:
    """Tell the same of tags, which also give way to the keywords of their own video."""
    named = [video for video in entry.videos if video.keywords or video.tags]
    become_categories = bool(named) and not named[0].keywords and not entry.categories
    return any(video.tags for video in (named[1:] if become_categories else named))


def _become_categories(entry: Entry) -> bool:
    return not entry.categories and not any(v.keywords or v.tags for v in entry.videos)


#: What is dropped beside the URL, the type and the size of a file.
_UNSTATED: Final = (
    LossRule("video/renditions", _ENCLOSURE, are_several),
    LossRule("video/keywords", _CATEGORIES, whole=_drops_keywords),
    LossRule("video/tags", _CATEGORIES, whole=_drops_tags),
    LossRule("video/tags/weight", "their order", lambda weight: weight != 1),
    *all_lost(*VIDEO, within="video", but={"keywords", "tags", "uploader", *_OF_SITEMAPS}),
    *all_lost(*AUDIO, within="audio"),
    *all_lost(*IMAGE, within="image"),
    *all_lost(*FILE, within="video/renditions", but={"mime", "size_bytes"}),
    *all_lost(*FILE, within="audio/renditions", but={"mime", "size_bytes"}),
    *all_lost("podcast/explicit", "podcast/images"),
    LossRule("podcast/keywords", _CATEGORIES, unless=_become_categories),
)

_ONE_FILE: Final = "RSS names one file"
_VIDEO: Final = Reason("video", _ONE_FILE, ("mrss", "atom"))
_IMAGE: Final = Reason("image", _ONE_FILE, ("mrss", "atom"))
_VIDEO_WITHOUT_URL: Final = Reason("video", "a video has neither file nor player")


def _left_out(entry: Entry, options: WriteOptions) -> Iterator[Omission]:
    """Count what one enclosure leaves out, and what of that Media RSS would hold."""
    if options.videos:
        videos = _unenclosed(entry, "videos", options)
        with_url = sum(bool(v.renditions or v.content_url or v.player_url) for v in videos)
        yield Omission(_VIDEO, with_url)
        yield Omission(_VIDEO_WITHOUT_URL, len(videos) - with_url)
    if options.images:
        yield Omission(_IMAGE, len(_unenclosed(entry, "images", options)))
    yield from _languages_left_out(entry)


def _languages_left_out(entry: Entry) -> list[Omission]:
    return [languages(entry, "RSS has no language versions", "atom")]


# -- headers ----------------------------------------------------------------------------------


def _names_other_authors(authors: tuple[Person, ...]) -> bool:
    """Tell whether there are other authors than one with a name."""
    return len(authors) > 1 or not readable(authors[0].name)


def _is_license_passed_over(feed: Feed) -> bool:
    """Tell whether links name other licenses."""
    linked = {link.href for link in feed.links if link.rel == "license"}
    return bool(linked) and feed.license not in linked


_LANGUAGE: Final = (
    LossRule("feed/lang", "a tag of BCP 47", lambda lang: language(lang) is None),
    altered("feed/lang", "spelt with hyphens", lambda lang: language(lang) not in {None, lang}),
)
_HEADER_IN_RSS: Final = (
    *_LANGUAGE,
    altered("feed/published", _TIME, _is_vague),
    altered("feed/built", _TIME, _is_vague),
    LossRule("feed/author", "the name of the first", _names_other_authors),
    *all_lost("feed/author/email", "feed/author/uri"),
    altered("feed/category", "the label stands for the term", _has_label),
)
_HEADER_IN_ATOM: Final = (
    *_LANGUAGE,
    LossRule(
        "feed/self_url",
        "the id, where there is no other",
        whole=lambda feed: is_iri(feed.id or ""),
    ),
    altered("feed/id", "the address of the feed, or of its site, where it is no IRI", _is_no_iri),
    altered("feed/updated", "the latest date of the entries"),
    LossRule(
        "feed/category/scheme",
        "one that is a URI",
        lambda scheme: not ElementWriter(ignore).identifier(scheme),  # as the writers decide
    ),
    LossRule("feed/license", "that of a link", whole=_is_license_passed_over),
    LossRule("feed/podcast/author", _AUTHOR, whole=_has_authors),
)


def _only_in_entries(rating: str, words: str) -> tuple[LossRule, ...]:
    """Return the rules about what no header of a feed holds, but entries in part."""
    return (
        LossRule("feed/ratings", rating),
        *all_lost(*EPISODE, "medium", within="feed/podcast", but={"author", "explicit", "images"}),
        LossRule("feed/podcast/explicit", rating),
        OTHER_ARTWORK,
        LossRule("feed/words", words, is_inherited),
    )


_INHERITED: Final = _only_in_entries(
    "the rating of a video that has none", "what videos, sounds and pictures inherit"
)
_NOT_IN_RSS: Final = all_lost("self_url", "id", "updated", "podcast/author", within="feed")
_NOT_IN_ATOM: Final = all_lost("published", "built", within="feed")


# -- the formats ------------------------------------------------------------------------------


def _losses(
    rules: Iterable[LossRule],
    in_no_header: tuple[LossRule, ...],
    in_header: tuple[LossRule, ...],
    omissions: Callable[[Entry], Iterable[Omission]],
    options: WriteOptions,
) -> Losses:
    """Make a table: rules about entries, about every header, and about the one that is written."""
    apart = {rule.name for rule in in_no_header}
    others = (LossRule(f"feed/{name}", _FIRST) for name in HEADER if f"feed/{name}" not in apart)
    return Losses(
        wanted(rules, options),
        _unstated((*in_no_header, *in_header), options),
        _unstated((*in_no_header, *others), options),
        omissions,
    )


def _unstated(rules: Iterable[LossRule], options: WriteOptions) -> tuple[LossRule, ...]:
    """Remove the rules about what the options state instead of a header: that is no loss."""
    fields = ("title", "link", "description", "author", "podcast/author", "self_url")
    stated = tuple(f"feed/{it}/" for it in fields if getattr(options, it.removeprefix("podcast/")))
    return tuple(rule for rule in rules if not f"{rule.name}/".startswith(stated))


def in_rss(options: WriteOptions) -> Losses:
    """Return what RSS 2.0 without Media RSS drops or alters: it has one enclosure."""
    media = {"video": "videos", "audio": "audios", "image": "images"}
    unenclosed = (
        LossRule(name, _ENCLOSURE, whole=partial(_unenclosed, items=items, options=options))
        for name, items in media.items()
    )
    rules = (*_IN_RSS, *unenclosed, *_UNSTATED)
    never = (*_NOT_IN_RSS, *_only_in_entries("", "keywords, as categories"))
    return _losses(rules, never, _HEADER_IN_RSS, partial(_left_out, options=options), options)


def in_mrss(options: WriteOptions) -> Losses:
    """Return what RSS 2.0 with Media RSS drops or alters."""
    rules = (*_IN_RSS, *_WITH_MEDIA_RSS, LossRule("video/renditions/title"))
    never = (*_NOT_IN_RSS, *_INHERITED)
    return _losses(rules, never, _HEADER_IN_RSS, _languages_left_out, options)


def in_atom(options: WriteOptions) -> Losses:
    """Return what Atom 1.0 with Media RSS drops or alters."""

    def drops_title(entry: Entry) -> bool:
        """Tell whether a file has a title, and no link to it that could hold that."""
        enclosed = {file.url for file in enclosures(entry, options)}
        files = (file for video in entry.videos for file in video.renditions)
        return any(file.title and file.url not in enclosed for file in files)

    title = LossRule("video/renditions/title", "that of an enclosure", whole=drops_title)
    rules, never = (*_IN_ATOM, title), (*_NOT_IN_ATOM, *_INHERITED)
    return _losses(rules, never, _HEADER_IN_ATOM, lambda _: (), options)
