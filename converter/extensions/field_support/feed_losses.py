"""What RSS, RSS with Media RSS and Atom hold in part, alter, or drop under a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from converter.extensions.element_writer import is_uri, language
from converter.extensions.field_support.rules import (
    LossRule,
    OmissionReason,
    OmittedItem,
    all_have,
    are_several,
    has_artwork,
    has_pagemap,
    is_inherited,
    omitted_languages,
)
from converter.extensions.mediarss.write import enclosures, files_of, first_picture
from converter.extensions.page_context import to_plain_text
from converter.extensions.required_feed_fields import entry_authors, is_iri, is_uploader
from converter.model import (
    Audio,
    Category,
    Entry,
    Feed,
    Moment,
    Person,
    Precision,
    Rendition,
    Text,
    Video,
)
from converter.options import WriteOptions
from converter.values import media_types, urls

# -- conditions -------------------------------------------------------------------------------


def _has_other_id(entry: Entry, _options: WriteOptions) -> object:
    return entry.id_is_permalink and entry.id != entry.loc


def _is_earlier_update(entry: Entry, _options: WriteOptions) -> bool:
    published, updated = entry.published, entry.updated
    return bool(published and updated and updated.instant < published.instant)


def _is_partial_update(entry: Entry, _options: WriteOptions) -> bool:
    return entry.published is None or bool(entry.updated and entry.updated.is_partial)


def _has_page_of_author(entry: Entry, _options: WriteOptions) -> bool:
    """Whether the one that is written has a page."""
    return any(person.uri for person in entry_authors(entry)[:1])


def _drops_uploader(entry: Entry, _options: WriteOptions) -> bool:
    """Whether an uploader is named beside authors, who are the ones that are written."""
    written = {(person.name or "").casefold() for person in entry_authors(entry)}
    named = [video.uploader.name or "" for video in entry.videos if video.uploader]
    credits_ = (credit for video in entry.videos for credit in video.credits)
    named += [credit.name for credit in credits_ if is_uploader(credit.role, credit.scheme)]
    return any(name.casefold() not in written for name in named)


def _have_thumbnails(entry: Entry, _options: WriteOptions) -> bool:
    media: tuple[Video | Audio, ...] = (*entry.videos, *entry.audios)
    return bool(media) and all(each.thumbnails for each in media)


def _drops_title(entry: Entry, options: WriteOptions) -> bool:
    """Whether a file has a title, and no link to it that could hold that."""
    enclosed = {file.url for file in enclosures(entry, options)}
    files = (file for video in entry.videos for file in video.renditions)
    return any(file.title and file.url not in enclosed for file in files)


def _is_vague(moment: Moment) -> bool:
    """Whether a date has no time of day, which feeds need."""
    return moment.precision is not Precision.SECOND


def _has_label(categories: tuple[Category, ...]) -> bool:
    return any(category.text != category.term for category in categories)


def _is_no_iri(value: str) -> bool:
    return bool(value) and not is_iri(value)


def _is_marked(value: Text) -> bool:
    """Whether a text loses its markup where only plain text may be."""
    return value.is_html and "<" in value.value


# -- conditions of RSS without Media RSS ------------------------------------------------------


def _enclosed(entry: Entry, options: WriteOptions) -> str | None:
    """Return the URL of the one file that RSS names."""
    files = enclosures(entry, options)
    known = (file for file in files if file.mime or media_types.mime_of(file.url))
    return next((file.url for file in known if urls.is_http(file.url)), None)


def _unenclosed(entry: Entry, options: WriteOptions, *, items: str) -> list[Any]:
    """Return the videos, audios or images that are not the one that RSS names."""
    found = getattr(entry, items)
    kept = _enclosed(entry, options) if found else None
    return [each for each in found if kept is None or kept not in _places(each)]


def _places(each: Any) -> set[str | None]:
    """Return every URL of a video, an audio or an image."""
    places = {file.url for file in getattr(each, "renditions", ())}
    return places | {getattr(each, "content_url", None) or getattr(each, "url", None)}


def _drops_keywords(entry: Entry, _options: WriteOptions) -> bool:
    """Whether keywords do not become categories: the entry has some, or an earlier video."""
    named = [video for video in entry.videos if video.keywords or video.tags]
    return any(video.keywords for video in (named if entry.categories else named[1:]))


def _drops_tags(entry: Entry, _options: WriteOptions) -> bool:
    """Whether tags do not become categories; the keywords of their video go first."""
    named = [video for video in entry.videos if video.keywords or video.tags]
    become_categories = bool(named) and not named[0].keywords and not entry.categories
    return any(video.tags for video in (named[1:] if become_categories else named))


def _has_categories(entry: Entry, _options: WriteOptions) -> bool:
    """Whether the entry or its videos have categories, keywords or tags."""
    return bool(entry.categories) or any(v.keywords or v.tags for v in entry.videos)


# -- conditions of JSON Feed ------------------------------------------------------------------


def _untyped(entry: Entry, _options: WriteOptions, *, items: str) -> list[Any]:
    """Return the videos, audios or images that have no file of a known type.

    One image needs no type: it is the `image` of the item.
    """
    found = list(getattr(entry, items))
    if picture := first_picture(entry) if items == "images" else None:
        found.remove(picture)
    return [each for each in found if not any(map(_is_typed, files_of(each)))]


def _is_typed(file: Rendition) -> bool:
    return urls.is_http(file.url) and bool(file.mime or media_types.mime_of(file.url))


def _drops_picture_title(entry: Entry, _options: WriteOptions) -> bool:
    picture = first_picture(entry)
    return picture is not None and picture.title is not None


def _has_other_links(entry: Entry, _options: WriteOptions) -> bool:
    return [link.rel for link in entry.links] != ["related"]


def _has_other_feed_links(feed: Feed, _options: WriteOptions) -> bool:
    return any(link.rel not in {"hub", "next"} for link in feed.links)


# -- conditions on headers --------------------------------------------------------------------


def _names_other_authors(authors: tuple[Person, ...]) -> bool:
    """Whether there are other authors than one with a name."""
    return len(authors) > 1 or not to_plain_text(authors[0].name)


def _is_license_passed_over(feed: Feed, _options: WriteOptions) -> bool:
    """Whether links name other licenses."""
    linked = {link.href for link in feed.links if link.rel == "license"}
    return bool(linked) and feed.license not in linked


# -- the rules --------------------------------------------------------------------------------

_AUTHOR: Final = "the author, where there is no other"
_CATEGORIES: Final = "categories, where there are no others"
_ENCLOSURE: Final = "one enclosure"
_IS_IRI: Final = "where it is no IRI"
_KEYWORDS: Final = "those of a video that has none"
_LABEL: Final = "the label stands for the term"
_PICTURE: Final = "the picture of the feed"
_PUBLICATION: Final = "the publication, where there is no other"
_RATING: Final = "the rating of a video that has none"
_TIME: Final = "a time of day is added"
_TYPED: Final = "files of a known type, as attachments"

RULES: Final = {
    "rss mrss atom jsonfeed": (
        LossRule("published", _TIME, if_value=_is_vague),
        LossRule("video/uploader", _AUTHOR, _drops_uploader, fields="video/uploader video/credits"),
        LossRule("podcast/author", "an author, where there is no other", lambda it, _: it.authors),
        LossRule("feed/lang", "a tag of BCP 47", if_value=lambda tag: not language(tag)),
        LossRule(
            "feed/lang",
            "spelt with hyphens",
            if_value=lambda tag: language(tag) not in {None, tag},
            is_altered=True,
        ),
        LossRule("feed/podcast/images", _PICTURE, has_artwork),
    ),
    "rss mrss atom": (LossRule("extra", "what is no PageMap", if_value=has_pagemap),),
    "rss mrss": (
        LossRule("id/is_permalink", "false, where the id is not the page", _has_other_id),
        LossRule("updated", "an update after the publication", _is_earlier_update),
        LossRule("updated", _PUBLICATION, _is_partial_update, is_altered=True),
        LossRule("author", "the first", if_value=are_several),
        LossRule("author/uri", if_item=_has_page_of_author, fields="author video/uploader"),
        LossRule("category", _LABEL, if_value=_has_label),
        LossRule(
            "license",
            "one that was a link",
            lambda it, _: all(link.rel != "license" for link in it.links),
        ),
        LossRule("feed/published", _TIME, if_value=_is_vague),
        LossRule("feed/built", _TIME, if_value=_is_vague),
        LossRule("feed/author", "the name of the first", if_value=_names_other_authors),
        LossRule("feed/category", _LABEL, if_value=_has_label),
    ),
    "rss": (
        LossRule("video", _ENCLOSURE, partial(_unenclosed, items="videos")),
        LossRule("image", _ENCLOSURE, partial(_unenclosed, items="images")),
        LossRule("audio", _ENCLOSURE, partial(_unenclosed, items="audios")),
        LossRule("video/renditions", _ENCLOSURE, if_value=are_several),
        LossRule("video/keywords", _CATEGORIES, _drops_keywords),
        LossRule("video/tags", _CATEGORIES, _drops_tags),
        LossRule("video/tags/weight", "their order", if_value=lambda weight: weight != 1),
        LossRule("podcast/keywords", _CATEGORIES, _has_categories),
        LossRule("feed/words", "keywords, as categories", if_value=is_inherited),
    ),
    "jsonfeed": (
        LossRule("summary", "plain text", if_value=_is_marked),
        LossRule("updated", _TIME, if_value=_is_vague),
        LossRule("category", _LABEL, if_value=_has_label),
        LossRule("links", "a related one, as external_url", _has_other_links),
        LossRule("video", _TYPED, partial(_untyped, items="videos")),
        LossRule("image", _TYPED, partial(_untyped, items="images")),
        LossRule("audio", _TYPED, partial(_untyped, items="audios")),
        LossRule("video/title", "plain text", if_value=_is_marked),
        LossRule("audio/title", "plain text", if_value=_is_marked),
        LossRule("image/title", "that of an attachment", _drops_picture_title),
        LossRule("feed/links", "hubs and the next page", _has_other_feed_links),
        LossRule("feed/podcast/author", _AUTHOR, lambda it, _: it.authors),
    ),
    "mrss atom": (
        LossRule("video/title", "plain text", if_value=_is_marked),
        LossRule("video/description", "plain text", if_value=_is_marked),
        LossRule("audio/title", "plain text", if_value=_is_marked),
        LossRule("audio/description", "plain text", if_value=_is_marked),
        LossRule("image/title", "plain text", if_value=_is_marked),
        LossRule("image/caption", "plain text", if_value=_is_marked),
        LossRule("podcast/keywords", _KEYWORDS, all_have("keywords", "tags")),
        LossRule("podcast/explicit", _RATING, all_have("ratings")),
        LossRule("podcast/images", "thumbnails, where there are no others", _have_thumbnails),
        LossRule("feed/ratings", _RATING),
        LossRule("feed/podcast/explicit", _RATING),
        LossRule("feed/words", "what videos, sounds and pictures inherit", if_value=is_inherited),
    ),
    "atom": (
        LossRule("id", f"the page or a UUID, {_IS_IRI}", if_value=_is_no_iri),
        LossRule("updated", _TIME, if_value=_is_vague),
        LossRule("video/renditions/title", "that of an enclosure", _drops_title),
        LossRule(
            "feed/self_url", "the id, where there is no other", lambda it, _: is_iri(it.id or "")
        ),
        LossRule(
            "feed/id", f"the address of the feed or of its site, {_IS_IRI}", if_value=_is_no_iri
        ),
        LossRule("feed/updated", "the latest date of the entries"),
        LossRule(
            "feed/category/scheme",
            "one that is a URI",
            if_value=lambda uri: uri and not is_uri(uri),
        ),
        LossRule("feed/license", "that of a link", _is_license_passed_over),
        LossRule("feed/podcast/author", _AUTHOR, lambda it, _: it.authors),
    ),
}

# -- what is left out -------------------------------------------------------------------------

_ONE_FILE: Final = "RSS names one file"
_NO_TYPE: Final = "an attachment needs a file of a known type"
_VIDEO: Final = OmissionReason("video", _ONE_FILE, ("mrss", "atom"))
_IMAGE: Final = OmissionReason("image", _ONE_FILE, ("mrss", "atom"))
_VIDEO_WITHOUT_TYPE: Final = OmissionReason("video", _NO_TYPE, ("mrss", "atom"))
_IMAGE_WITHOUT_TYPE: Final = OmissionReason("image", _NO_TYPE, ("mrss", "atom"))
_VIDEO_WITHOUT_URL: Final = OmissionReason("video", "a video has neither file nor player")


def _left_out(entry: Entry, options: WriteOptions) -> Iterator[OmittedItem]:
    """Count what one enclosure leaves out, and what of that Media RSS would hold."""
    if options.videos:
        videos = _unenclosed(entry, options, items="videos")
        with_url = sum(bool(v.renditions or v.content_url or v.player_url) for v in videos)
        yield OmittedItem(_VIDEO, with_url)
        yield OmittedItem(_VIDEO_WITHOUT_URL, len(videos) - with_url)
    if options.images:
        yield OmittedItem(_IMAGE, len(_unenclosed(entry, options, items="images")))
    yield from _languages_left_out(entry, options)


def _languages_left_out(entry: Entry, _options: WriteOptions) -> list[OmittedItem]:
    return [omitted_languages(entry, "RSS has no language versions", "atom")]


def _left_out_of_json(entry: Entry, options: WriteOptions) -> Iterator[OmittedItem]:
    """Count the videos and images without a file of a known type."""
    if options.videos:
        yield OmittedItem(_VIDEO_WITHOUT_TYPE, len(_untyped(entry, options, items="videos")))
    if options.images:
        yield OmittedItem(_IMAGE_WITHOUT_TYPE, len(_untyped(entry, options, items="images")))
    yield omitted_languages(entry, "JSON Feed has no language versions", "atom")


OMISSIONS: Final[Mapping[str, Callable[[Entry, WriteOptions], Iterable[OmittedItem]]]] = {
    "rss": _left_out,
    "mrss": _languages_left_out,
    "jsonfeed": _left_out_of_json,
}
