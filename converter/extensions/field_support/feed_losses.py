"""What RSS, RSS with Media RSS, Atom and JSON Feed keep in part, alter, or drop at times."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from converter.extensions.element_writer import is_uri, language
from converter.extensions.field_support.rules import (
    LossRule,
    OmissionReason,
    all_have,
    altered,
    are_several,
    has_artwork,
    has_label,
    has_pagemap,
    is_inherited,
    other_versions,
)
from converter.extensions.mediarss.write import enclosures, files_of, first_picture
from converter.extensions.page_context import to_plain_text
from converter.extensions.required_feed_fields import entry_authors, is_iri, is_uploader
from converter.model import (
    Audio,
    Entry,
    Feed,
    Image,
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


def _is_earlier_update(entry: Entry, _options: WriteOptions) -> bool:
    published, updated = entry.published, entry.updated
    return bool(published and updated and updated.instant < published.instant)


def _is_partial_update(entry: Entry, _options: WriteOptions) -> bool:
    return entry.published is None or bool(entry.updated and entry.updated.is_partial)


def _is_uploader_dropped(entry: Entry, _options: WriteOptions) -> bool:
    """Whether an uploader is named beside authors, who are the ones that are written."""
    uploaders = {video.uploader.name or "" for video in entry.videos if video.uploader}
    return not uploaders <= {person.name for person in entry_authors(entry)}


def _is_credited_uploader_dropped(entry: Entry, _options: WriteOptions) -> bool:
    credits_ = (credit for video in entry.videos for credit in video.credits)
    uploaders = {credit.name for credit in credits_ if is_uploader(credit.role, credit.scheme)}
    return not uploaders <= {person.name for person in entry_authors(entry)}


def _have_thumbnails(entry: Entry, _options: WriteOptions) -> bool:
    media: tuple[Video | Audio, ...] = (*entry.videos, *entry.audios)
    return bool(media) and all(each.thumbnails for each in media)


def _is_vague(moment: Moment) -> bool:
    """Whether a date has no time of day, which feeds need."""
    return moment.precision is not Precision.SECOND


def _is_no_iri(value: str) -> bool:
    return bool(value) and not is_iri(value)


def _is_marked(value: Text) -> bool:
    """Whether a text loses its markup where only plain text may be."""
    return value.is_html and "<" in value.value


def _are_keywords_dropped(entry: Entry, _options: WriteOptions) -> bool:
    return any(set(video.keywords) - _tags_as_categories(entry) for video in entry.videos)


def _are_tags_dropped(entry: Entry, _options: WriteOptions) -> bool:
    tags = {tag.name for video in entry.videos for tag in video.tags}
    return bool(tags - _tags_as_categories(entry))


def _tags_as_categories(entry: Entry) -> set[str]:
    """Return the keywords, or the names of the tags, that RSS has as categories."""
    if entry.categories:
        return set()
    for video in entry.videos:
        if names := video.keywords or [tag.name for tag in video.tags]:
            return set(names)
    return set(entry.podcast.keywords) if entry.podcast else set()


def _names_other_authors(authors: tuple[Person, ...]) -> bool:
    """Whether there are other authors than one with a name."""
    return len(authors) > 1 or not to_plain_text(authors[0].name)


def _is_license_passed_over(feed: Feed, _options: WriteOptions) -> bool:
    """Whether links name other licenses."""
    linked = {link.href for link in feed.links if link.rel == "license"}
    return bool(linked) and feed.license not in linked


# -- media ------------------------------------------------------------------------------------


def _enclosed(entry: Entry, options: WriteOptions) -> set[str]:
    """Return the URL of the one file that RSS names."""
    return {file.url for file in list(filter(_is_typed, enclosures(entry, options)))[:1]}


def _attached(entry: Entry, _options: WriteOptions) -> set[str]:
    """Return the URLs of the attachments of JSON Feed, and of the one image of the item."""
    media: tuple[Video | Audio | Image, ...] = (*entry.videos, *entry.images, *entry.audios)
    files = [file for each in media for file in files_of(each) if _is_typed(file)]
    return {file.url for file in (*files, first_picture(entry)) if file is not None}


def _is_typed(file: Rendition) -> bool:
    return urls.is_http(file.url) and bool(file.mime or media_types.mime_of(file.url))


def _unwritten(
    entry: Entry,
    options: WriteOptions,
    *,
    items: str,
    written: Callable[[Entry, WriteOptions], set[str]],
) -> list[Any]:
    """Return the videos, audios or images of which no file is written."""
    found = getattr(entry, items)
    kept = written(entry, options) if found else set()
    return [each for each in found if kept.isdisjoint(file.url for file in files_of(each))]


def _is_title_dropped(entry: Entry, options: WriteOptions) -> bool:
    """Whether a file has a title, and no link to it that could hold that."""
    enclosed = {file.url for file in enclosures(entry, options)}
    files = (file for video in entry.videos for file in video.renditions)
    return any(file.title and file.url not in enclosed for file in files)


_UNENCLOSED: Final = {
    items: partial(_unwritten, items=items, written=_enclosed)
    for items in ("videos", "images", "audios")
}
_UNATTACHED: Final = {
    items: partial(_unwritten, items=items, written=_attached)
    for items in ("videos", "images", "audios")
}

# -- the rules --------------------------------------------------------------------------------

_AUTHOR: Final = "the author, where there is no other"
_CATEGORIES: Final = "categories, where there are no others"
_ENCLOSURE: Final = "one enclosure"
_IS_IRI: Final = "where it is no IRI"
_LABEL: Final = "the label stands for the term"
_KEYWORDS: Final = "those of a video that has none"
_PICTURE: Final = "the picture of the feed"
_PLAIN: Final = "plain text"
_PUBLICATION: Final = "the publication, where there is no other"
_RATING: Final = "the rating of a video that has none"
_TIME: Final = "a time of day is added"
_TYPED: Final = "files of a known type, as attachments"

RULES: Final = {
    "rss mrss atom jsonfeed": (
        altered("published", _TIME, if_value=_is_vague),
        LossRule("video/uploader", _AUTHOR, _is_uploader_dropped),
        LossRule("podcast/author", "an author, where there is no other", lambda it, _: it.authors),
        LossRule("feed/lang", "a tag of BCP 47", if_value=lambda tag: not language(tag)),
        LossRule("feed/podcast/images", _PICTURE, has_artwork),
    ),
    "rss mrss atom": (LossRule("extra", "what is no PageMap", if_value=has_pagemap),),
    "rss mrss jsonfeed": (altered("category", _LABEL, if_value=has_label),),
    "rss mrss": (
        altered(
            "id/is_permalink",
            "false, where the id is not the page",
            lambda it, _: it.id_is_permalink and it.id != it.loc,
        ),
        LossRule("updated", "an update after the publication", _is_earlier_update),
        altered("updated", _PUBLICATION, _is_partial_update),
        LossRule("author", "the first", if_value=are_several),
        LossRule(
            "license",
            "one that was a link",
            lambda it, _: all(link.rel != "license" for link in it.links),
        ),
        altered("feed/published", _TIME, if_value=_is_vague),
        altered("feed/built", _TIME, if_value=_is_vague),
        LossRule("feed/author", "the name of the first", if_value=_names_other_authors),
        altered("feed/category", _LABEL, if_value=has_label),
    ),
    "rss": (
        LossRule("video", _ENCLOSURE, _UNENCLOSED["videos"]),
        LossRule("image", _ENCLOSURE, _UNENCLOSED["images"]),
        LossRule("audio", _ENCLOSURE, _UNENCLOSED["audios"]),
        LossRule("video/renditions", _ENCLOSURE, if_value=are_several),
        LossRule("video/keywords", _CATEGORIES, _are_keywords_dropped),
        LossRule("video/tags", _CATEGORIES, _are_tags_dropped),
        LossRule("video/tags/weight", "their order", if_value=lambda weight: weight != 1),
        LossRule(
            "podcast/keywords",
            _CATEGORIES,
            lambda it, _: set(it.podcast.keywords) - _tags_as_categories(it),
        ),
        LossRule("feed/words", "keywords, as categories", if_value=is_inherited),
    ),
    "jsonfeed": (
        altered("summary", _PLAIN, if_value=_is_marked),
        LossRule(
            "links",
            "a related one, as external_url",
            if_value=lambda links: [link.rel for link in links] != ["related"],
        ),
        LossRule("video", _TYPED, _UNATTACHED["videos"]),
        LossRule("image", _TYPED, _UNATTACHED["images"]),
        LossRule("audio", _TYPED, _UNATTACHED["audios"]),
        LossRule(
            "image/title",
            "that of an attachment",
            lambda it, _: (picture := first_picture(it)) and picture.title,
        ),
        LossRule(
            "feed/links",
            "hubs and the next page",
            if_value=lambda links: not {link.rel for link in links} <= {"hub", "next"},
        ),
    ),
    "mrss atom jsonfeed": (
        altered("video/title", _PLAIN, if_value=_is_marked),
        altered("audio/title", _PLAIN, if_value=_is_marked),
    ),
    "mrss atom": (
        altered("video/description", _PLAIN, if_value=_is_marked),
        altered("audio/description", _PLAIN, if_value=_is_marked),
        altered("image/title", _PLAIN, if_value=_is_marked),
        altered("image/caption", _PLAIN, if_value=_is_marked),
        LossRule("video/credits", "those that name no uploader", _is_credited_uploader_dropped),
        LossRule("podcast/keywords", _KEYWORDS, all_have("keywords", "tags")),
        LossRule("podcast/explicit", _RATING, all_have("ratings")),
        LossRule("podcast/images", "thumbnails, where there are no others", _have_thumbnails),
        LossRule("feed/ratings", _RATING),
        LossRule("feed/podcast/explicit", _RATING),
        LossRule("feed/words", "what videos, sounds and pictures inherit", if_value=is_inherited),
    ),
    "atom jsonfeed": (
        altered("updated", _TIME, if_value=_is_vague),
        LossRule("feed/podcast/author", _AUTHOR, lambda it, _: it.authors),
    ),
    "atom": (
        altered("id", f"the page or a UUID, {_IS_IRI}", if_value=_is_no_iri),
        LossRule("video/renditions/title", "that of an enclosure", _is_title_dropped),
        LossRule(
            "feed/self_url", "the id, where there is no other", lambda it, _: is_iri(it.id or "")
        ),
        altered(
            "feed/id", f"the address of the feed or of its site, {_IS_IRI}", if_value=_is_no_iri
        ),
        altered("feed/updated", "the latest date of the entries"),
        LossRule("feed/category/scheme", "one that is a URI", if_value=lambda uri: not is_uri(uri)),
        LossRule("feed/license", "that of a link", _is_license_passed_over),
    ),
}

# -- what is left out -------------------------------------------------------------------------

_ONE_FILE: Final = "RSS names one file"
_NO_TYPE: Final = "an attachment needs a file of a known type"
_MEDIA_RSS: Final = ("mrss", "atom")
_NO_VERSIONS: Final = {
    OmissionReason("language", "RSS has no language versions", ("atom",)): other_versions
}

OMISSIONS: Final = {
    "rss": {
        OmissionReason("video", _ONE_FILE, _MEDIA_RSS): _UNENCLOSED["videos"],
        OmissionReason("image", _ONE_FILE, _MEDIA_RSS): _UNENCLOSED["images"],
        **_NO_VERSIONS,
    },
    "mrss": _NO_VERSIONS,
    "jsonfeed": {
        OmissionReason("video", _NO_TYPE, _MEDIA_RSS): _UNATTACHED["videos"],
        OmissionReason("image", _NO_TYPE, _MEDIA_RSS): _UNATTACHED["images"],
        OmissionReason("language", "JSON Feed has no language versions", ("atom",)): other_versions,
    },
}
