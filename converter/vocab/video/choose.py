"""Choosing a video's picture, file and player (mapping 3.5 and 3.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from converter.issues import Code
from converter.model import Kind, Thumbnail, Video
from converter.values import mediatypes
from converter.values.patterns import lazy
from converter.vocab.page import Page
from converter.vocab.video.fallback import Fallback

__all__ = ["Addresses", "addresses", "thumbnail"]

#: Pixels: https://developers.google.com/search/docs/appearance/video#supported-thumbnails
_LEAST_WIDTH: Final = 60
_LEAST_HEIGHT: Final = 30

_YOUTUBE_ID: Final = lazy("[A-Za-z0-9_-]{1,64}")

#: Types that are, or were, in use, but not on Google's list (mapping 2.2): written all the same.
_UNLISTED: Final[tuple[tuple[str, Callable[[str | None, str], bool]], ...]] = (
    ("a Flash video", mediatypes.is_flv),
    ("a DASH manifest", mediatypes.is_dash),
)


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the video itself is, and where it plays."""

    content: str | None
    player: str | None


# -- the picture ------------------------------------------------------------------------------


def thumbnail(video: Video, fallback: Fallback) -> str | None:
    """Give the picture to show: the video's own, its page's, its siblings', …, the feed's."""
    for pictures in (video.thumbnails, fallback.podcast.images):
        if (best := _most_telling(pictures)) is not None:
            return best
    if video.sibling_images:
        return video.sibling_images[0]
    if (youtube_id := _youtube_id(video)) is not None:
        return mediatypes.youtube_thumbnail(youtube_id)
    return fallback.picture


def _youtube_id(video: Video) -> str | None:
    """Give the id, if it is one: URLs are made from it after all cleaning is done."""
    given = video.youtube_id
    return given if given is not None and _YOUTUBE_ID.fullmatch(given) else None


def _most_telling(pictures: Sequence[Thumbnail]) -> str | None:
    """Give the first cover; frames of the film only where there is none, the earliest first."""
    covers = [picture for picture in pictures if _is_large_enough(picture)]
    untimed = [picture for picture in covers if picture.time_s is None]
    if untimed:
        return untimed[0].url
    return min(covers, key=lambda picture: picture.time_s or 0.0).url if covers else None


def _is_large_enough(picture: Thumbnail) -> bool:
    """Whether no declared size says otherwise."""
    return (picture.width is None or picture.width >= _LEAST_WIDTH) and (
        picture.height is None or picture.height >= _LEAST_HEIGHT
    )


# -- the file and the player ------------------------------------------------------------------


def addresses(video: Video, page: Page) -> Addresses:
    """Give the file and the player that a sitemap may name; what it may not is reported."""
    content, misplaced = video.content_url, None
    mime = _mime(video)
    # A page or a program that plays the video is not the video (mapping 3.6, rows 1 and 2).
    if content is not None and mediatypes.kind_of(content, mime=mime) is Kind.PLAYER:
        content, misplaced = None, content
    elif content is not None:
        content = _other_than_page(content, page, "video:content_loc")
    if content is not None:
        _tell_unlisted(content, mime, video, page)
    player = _usable_player(_players(video, misplaced, mime), page)
    if content is None and player is None:
        player = _flash_player(video, misplaced, page)
    return Addresses(content, player)


def _tell_unlisted(content: str, mime: str | None, video: Video, page: Page) -> None:
    for what, is_such in _UNLISTED:
        if is_such(mime, content):
            message = f"{content} is {what}, which Google does not list among its types; kept"
            page.tell(Code.VIDEO_TYPE_UNLISTED, message, "video:content_loc", video.line)


def _players(video: Video, misplaced: str | None, mime: str | None) -> Iterator[str]:
    """Give what plays the video, the best first; Flash only where it was said to be the player."""
    if video.player_url is not None:
        yield video.player_url
    if (youtube_id := _youtube_id(video)) is not None:
        yield mediatypes.youtube_player(youtube_id)
    if misplaced is not None and not mediatypes.is_flash(misplaced, mime):
        yield misplaced
    if video.embed is not None and not mediatypes.is_flash(video.embed.url, None):
        yield video.embed.url


def _flash_player(video: Video, misplaced: str | None, page: Page) -> str | None:
    """Give the player of last resort (mapping 3.5, rule 2)."""
    flash = (video.flash_url, misplaced, video.embed and video.embed.url)
    player = _usable_player((url for url in flash if url), page)
    if player is not None:
        message = f"{player} is Flash, which browsers no longer play; kept, as there is no other"
        page.tell(Code.VIDEO_TYPE_UNLISTED, message, "video:player_loc", video.line)
    return player


def _mime(video: Video) -> str | None:
    """Give the declared type of the file."""
    for rendition in video.renditions:
        if rendition.url == video.content_url:
            return rendition.mime
    return None


def _usable_player(candidates: Iterable[str], page: Page) -> str | None:
    usable = (_other_than_page(url, page, "video:player_loc") for url in candidates)
    return next((url for url in usable if url is not None), None)


def _other_than_page(url: str, page: Page, path: str) -> str | None:
    """Refuse what is the page itself, whatever place of it is meant."""
    if url.partition("#")[0] == page.loc.partition("#")[0]:
        page.tell(Code.MEDIA_DROPPED, f"{url} is the page itself; left out", path)
        return None
    return url
