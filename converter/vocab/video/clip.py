"""Whether a page's video can be told of in a sitemap, and with which picture, words, addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from converter.issues import Code
from converter.model import Restriction, Video
from converter.values import text
from converter.vocab.limits import MOST_DESCRIPTION, MOST_TITLE
from converter.vocab.page import Page, readable
from converter.vocab.video import choose
from converter.vocab.video.fallback import Fallback

__all__ = ["Clip", "clip_of"]

#: `media:status@state` of videos that are not to be shown.
_GONE: Final = frozenset({"blocked", "deleted"})


@dataclass(frozen=True, slots=True)
class Clip:
    """A video that can be told of: what the schema requires is there."""

    video: Video
    page: Page
    fallback: Fallback
    thumbnail: str
    title: str
    description: str
    content: str | None
    player: str | None


def clip_of(video: Video, page: Page, fallback: Fallback) -> Clip | None:
    """Gather what a `video:video` must have; None, and a report: it cannot be told of."""
    if _is_withheld(video, page):
        return None
    found = choose.addresses(video, page)
    thumbnail = choose.thumbnail(video, fallback)
    title, description = _words(video, fallback)
    if found.content is None and found.player is None:
        lack = "neither a file nor a player"
    elif thumbnail is None:
        lack = "no thumbnail"
    elif title is None or description is None:
        lack = "no title"
    else:
        return Clip(
            video=video,
            page=page,
            fallback=fallback,
            thumbnail=thumbnail,
            title=page.shortened(title, MOST_TITLE, "video:title"),
            description=page.shortened(description, MOST_DESCRIPTION, "video:description"),
            content=found.content,
            player=found.player,
        )
    page.tell(Code.VIDEO_SKIPPED, f"video skipped: {lack}", "video:video", video.line)
    page.leave_out("video", lack, video.line)
    return None


def _words(video: Video, fallback: Fallback) -> tuple[str | None, str | None]:
    """Give title and description; either stands in for the other before a video is given up."""
    description = readable(video.description) or fallback.description
    title = readable(video.title) or fallback.title
    if title is None and description is not None:
        title = text.first_sentence(description) or description
    return title, description or title


# -- what the publisher does not want shown ---------------------------------------------------


def _is_withheld(video: Video, page: Page) -> bool:
    if video.status in _GONE:
        message = f"video left out: its status is {video.status}"
        page.tell(Code.VIDEO_BLOCKED, message, "video:video", video.line)
        page.leave_out("video", "its status is blocked or deleted", video.line)
        return True
    if video.countries is not None and _names_nothing_known(video.countries):
        listed = " ".join(video.countries.unknown)[:60]
        message = f'video left out: allowed only in "{listed}", which are no countries we know'
        page.tell(Code.VIDEO_WITHHELD, message, "video:restriction", video.line)
        page.leave_out("video", "allowed in no country we know", video.line)
        return True
    if video.platforms is not None and _allows_nothing(video.platforms):
        message = "video left out: it is allowed on no platform we know"
        page.tell(Code.VIDEO_WITHHELD, message, "video:platform", video.line)
        page.leave_out("video", "allowed on no platform we know", video.line)
        return True
    return False


def _allows_nothing(restriction: Restriction) -> bool:
    return restriction.relationship == "allow" and not restriction.codes


def _names_nothing_known(restriction: Restriction) -> bool:
    """Whether an allow-list lost all its codes.

    Left out it would mean "everybody"; written empty, "nobody", for good (mapping 3.8).
    """
    return _allows_nothing(restriction) and bool(restriction.unknown)
