"""The legacy `video:tvshow`: from a sitemap, or from a podcast's season and episode."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from converter.model import Series
from converter.vocab.page import readable, w3c_date
from converter.vocab.video.clip import Clip
from converter.xml.emit import leaf

__all__ = ["tvshow"]

#: The schema's values, and those of `itunes:episodeType`.
_VIDEO_TYPE: Final[Mapping[str, str]] = MappingProxyType(
    {kind: kind for kind in ("full", "preview", "clip", "interview", "news", "other")}
    | {"trailer": "preview", "bonus": "other"}
)


def tvshow(clip: Clip) -> str:
    """Write the show that a video is an episode of; nothing if its name is not known."""
    series = clip.video.series or _podcast_series(clip)
    if series is None:
        return ""
    title = readable(series.show) or readable(clip.fallback.feed.title)
    if title is None:
        return ""
    leaves = (
        leaf("video:show_title", title),
        leaf("video:video_type", _VIDEO_TYPE.get((series.kind or "").lower(), "full")),
        leaf("video:episode_title", readable(series.episode_title)),
        leaf("video:season_number", _ordinal(series.season)),
        leaf("video:episode_number", _ordinal(series.episode)),
        leaf("video:premier_date", w3c_date(series.premiered)),  # so spelt in the schema
    )
    return f"<video:tvshow>{''.join(leaves)}</video:tvshow>"


def _podcast_series(clip: Clip) -> Series | None:
    podcast = clip.fallback.podcast
    if podcast.season is None and podcast.episode is None:
        return None
    return Series(season=podcast.season, episode=podcast.episode, kind=podcast.episode_type)


def _ordinal(number: int | None) -> str | None:
    return str(number) if number is not None and number >= 1 else None
