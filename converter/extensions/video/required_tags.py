"""Whether a video may be published, and what the schema requires of it (mapping 3.5, 3.7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from converter.extensions.page_context import PageContext, to_plain_text
from converter.issues import Code
from converter.model import Kind, Person, Podcast, Restriction, Text, Thumbnail, Video
from converter.sitemap_limits import MAX_VIDEO_DESCRIPTION, MAX_VIDEO_TITLE
from converter.values import media_types, text, urls
from converter.values.lazy_regex import lazy_regex

_NO_PODCAST: Final = Podcast()

#: `media:status@state` of videos that are not to be shown.
_GONE: Final = frozenset({"blocked", "deleted"})

#: Pixels: https://developers.google.com/search/docs/appearance/video#supported-thumbnails
_MIN_WIDTH: Final = 60
_MIN_HEIGHT: Final = 30

_YOUTUBE_ID: Final = lazy_regex("[A-Za-z0-9_-]{1,64}")


class PageDefaults:
    """The page's values for videos without their own (mapping 3.7), each computed once."""

    def __init__(self, page: PageContext) -> None:
        self.page = page
        self.feed = page.feed
        self.podcast: Podcast = page.entry.podcast or _NO_PODCAST
        self.channel: Podcast = page.feed.podcast or _NO_PODCAST

    @cached_property
    def title(self) -> str | None:
        return to_plain_text(self.page.entry.title)

    @cached_property
    def description(self) -> str | None:
        """`itunes:summary`, the entry's summary, its content, `itunes:subtitle`."""
        return (
            _podcast_text(self.podcast.summary)
            or to_plain_text(self.page.entry.summary)
            or to_plain_text(self.page.entry.content)
            or _podcast_text(self.podcast.subtitle)
        )

    @cached_property
    def thumbnail(self) -> str | None:
        """The first `<img>` of the entry, else the header's image; neither is cleaned yet."""
        for source in (self.page.entry.content, self.page.entry.summary):
            if source is not None and (url := _first_image(source)) is not None:
                return url
        image = self.feed.image
        return None if image is None else urls.clean_media(image).url

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """`itunes:keywords`, else the categories; a category is one tag."""
        if self.podcast.keywords:
            return self.podcast.keywords
        categories = [to_plain_text(category.text) for category in self.page.entry.categories]
        return tuple(name for name in categories if name)

    @property
    def duration_s(self) -> float | None:
        """`itunes:duration`, if the page has only one video."""
        return self.podcast.duration_s if len(self.page.entry.videos) == 1 else None

    def uploader(self) -> Person | None:
        """Return `itunes:author`, else the entry's author, else the header's.

        RSS has no author of a channel: `managingEditor` and `webMaster` made no videos.
        """
        feed = self.feed
        people: tuple[Person, ...] = (
            *([Person(name=self.podcast.author)] if self.podcast.author else ()),
            *self.page.entry.authors,
            *([Person(name=self.channel.author)] if self.channel.author else ()),
            *(feed.authors if feed.format != "rss" else ()),
        )
        for person in people:
            if to_plain_text(person.name):
                return person
        return None


def _podcast_text(value: str | None) -> str | None:
    """Read `itunes:summary` and its like: plain by their specification, HTML by habit."""
    return None if value is None else text.title(value) or None


def _first_image(source: Text) -> str | None:
    for reference in text.images(source.value) if source.is_html else ():
        url = urls.resolve(reference, source.base).url
        if url is not None and (usable := urls.clean_media(url).url) is not None:
            return usable
    return None


@dataclass(slots=True)
class PublishableVideo:
    """A video with everything that the schema requires."""

    video: Video
    defaults: PageDefaults
    thumbnail: str
    title: str
    description: str
    content: str | None
    player: str | None

    @property
    def page(self) -> PageContext:
        """The page of the video."""
        return self.defaults.page

    def warn(self, code: Code, message: str, path: str) -> None:
        """Report an issue at the line of the video."""
        self.defaults.page.warn(code, message, path, self.video.line)


def publishable(video: Video, page: PageContext, defaults: PageDefaults) -> PublishableVideo | None:
    """Collect what a `video:video` must have; return None and report it if anything is missing."""
    if _is_withheld(video, page):
        return None
    content, player = _addresses(video, page)
    thumbnail = _thumbnail(video, defaults)
    title, description = _texts(video, defaults)
    if content is None and player is None:
        lack = "neither a file nor a player"
    elif thumbnail is None:
        lack = "no thumbnail"
    elif title is None or description is None:
        lack = "no title"
    else:
        title = page.shorten(title, MAX_VIDEO_TITLE, "video:title")
        description = page.shorten(description, MAX_VIDEO_DESCRIPTION, "video:description")
        return PublishableVideo(video, defaults, thumbnail, title, description, content, player)
    page.warn(Code.VIDEO_SKIPPED, f"video skipped: {lack}", "video:video", video.line)
    page.leave_out("video", lack, video.line)
    return None


def _texts(video: Video, defaults: PageDefaults) -> tuple[str | None, str | None]:
    """Return title and description; each replaces the other if that is missing."""
    description = to_plain_text(video.description) or defaults.description
    title = to_plain_text(video.title) or defaults.title
    if title is None and description is not None:
        title = text.first_sentence(description) or description
    return title, description or title


# -- videos that the publisher withholds ------------------------------------------------------


def _is_withheld(video: Video, page: PageContext) -> bool:
    countries, platforms = video.countries, video.platforms
    if video.status in _GONE:
        code, path, message = Code.VIDEO_BLOCKED, "video:video", f"its status is {video.status}"
        reason = "its status is blocked or deleted"
    # Without the list the video would be allowed everywhere; with an empty one nowhere, for good
    # (mapping 3.8).
    elif countries is not None and countries.unknown and _allows_nothing(countries):
        listed = " ".join(countries.unknown)[:60]
        code, path = Code.VIDEO_WITHHELD, "video:restriction"
        message = f'allowed only in "{listed}", which is no country we know'
        reason = "allowed in no country we know"
    elif platforms is not None and _allows_nothing(platforms):
        code, path = Code.VIDEO_WITHHELD, "video:platform"
        message = reason = "allowed on no platform we know"
    else:
        return False
    page.warn(code, f"video left out: {message}", path, video.line)
    page.leave_out("video", reason, video.line)
    return True


def _allows_nothing(restriction: Restriction) -> bool:
    return restriction.relationship == "allow" and not restriction.codes


# -- the thumbnail ----------------------------------------------------------------------------


def _thumbnail(video: Video, defaults: PageDefaults) -> str | None:
    """Choose the thumbnail: the video's, the podcast's, its siblings', YouTube's, the page's."""
    best = _best_thumbnail(video.thumbnails) or _best_thumbnail(defaults.podcast.images)
    if best is not None:
        return best
    if video.sibling_images:
        return video.sibling_images[0]
    if (youtube_id := _youtube_id(video)) is not None:
        return media_types.youtube_thumbnail(youtube_id)
    return defaults.thumbnail


def _best_thumbnail(thumbnails: Iterable[Thumbnail]) -> str | None:
    """Return the first cover, else the earliest frame; too small ones are skipped."""
    earliest: Thumbnail | None = None
    for each in thumbnails:
        if each.width is not None and each.width < _MIN_WIDTH:
            continue
        if each.height is not None and each.height < _MIN_HEIGHT:
            continue
        if each.time_s is None:
            return each.url
        if earliest is None or each.time_s < (earliest.time_s or 0.0):
            earliest = each
    return None if earliest is None else earliest.url


def _youtube_id(video: Video) -> str | None:
    """Return the id if it is valid: URLs are made from it after all cleaning is done."""
    found = video.youtube_id
    return found if found is not None and _YOUTUBE_ID.fullmatch(found) else None


# -- the file and the player ------------------------------------------------------------------


def _addresses(video: Video, page: PageContext) -> tuple[str | None, str | None]:
    """Return the file and the player that a sitemap may name; report those that it may not."""
    types = {file.url: file.mime for file in video.renditions}
    content, misplaced = video.content_url, None
    if content is not None:
        mime = types.get(content)
        # A page or a program that plays the video is not the video (mapping 3.6, rows 1 and 2).
        if media_types.kind_of(content, mime=mime) is Kind.PLAYER:
            content, misplaced = None, content
        elif _is_page(content, page, "video:content_loc"):
            content = None
        elif media_types.is_unlisted(mime, content):
            message = f"{content} is Flash video or DASH, which Google does not list; kept"
            page.warn(Code.VIDEO_TYPE_UNLISTED, message, "video:content_loc", video.line)
    embed = None if video.embed is None else video.embed.url
    players = [
        url
        for url in (video.player_url, _youtube_player(video), misplaced, embed)
        if url is not None and not _is_page(url, page, "video:player_loc")
    ]
    for url in players:
        if not media_types.is_flash(url, types.get(url)):
            return content, url
    # Flash is the last resort (mapping 3.5), unless the source declares it as the player
    flash = next((url for url in players if content is None or url == video.player_url), None)
    if flash is not None:
        message = f"{flash} is Flash, which browsers no longer play; kept as the only player"
        page.warn(Code.VIDEO_TYPE_UNLISTED, message, "video:player_loc", video.line)
    return content, flash


def _youtube_player(video: Video) -> str | None:
    youtube_id = _youtube_id(video)
    return None if youtube_id is None else media_types.youtube_player(youtube_id)


def _is_page(url: str, page: PageContext, path: str) -> bool:
    """Whether a URL is the page itself, whatever its fragment; report it."""
    if url.partition("#")[0] != page.loc.partition("#")[0]:
        return False
    page.warn(Code.MEDIA_DROPPED, f"{url} is the page itself; left out", path)
    return True
