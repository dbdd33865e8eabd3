"""Choosing among the renditions of one video (mapping 3.5, "best rendition")."""

from __future__ import annotations

from collections.abc import Iterable

from converter.model import Kind, Rendition
from converter.values import mediatypes, urls

__all__ = ["best", "players"]


def best(renditions: Iterable[Rendition]) -> Rendition | None:
    """Return the rendition that search engines should fetch; None if none will do."""
    candidates = _files(renditions)
    if len(candidates) > 1:
        candidates = [r for r in candidates if r.expression != "sample"] or candidates
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    for rendition in candidates:
        if rendition.is_default and mediatypes.is_listed(rendition.mime, rendition.url):
            return rendition
    return max(candidates, key=_quality)  # the first of equals: max() keeps document order


def _files(renditions: Iterable[Rendition]) -> list[Rendition]:
    """Return the video files on the web, else those that ftp serves."""
    web, ftp = [], []
    for rendition in renditions:
        if rendition.kind is Kind.VIDEO and mediatypes.is_direct(rendition.url, rendition.mime):
            if urls.is_http(rendition.url):
                web.append(rendition)
            elif rendition.url.lower().startswith("ftp://"):
                ftp.append(rendition)
    return web or ftp


def _quality(rendition: Rendition) -> tuple[bool, int, float, int]:
    size = rendition.height or rendition.width or 0
    is_listed = mediatypes.is_listed(rendition.mime, rendition.url)
    return (is_listed, size, rendition.bitrate_kbps or 0, rendition.size_bytes or 0)


def players(renditions: Iterable[Rendition]) -> tuple[str | None, str | None]:
    """Return the URLs of the first player that is not Flash, and of the first that is."""
    player = flash = None
    for rendition in renditions:
        is_flash = mediatypes.is_flash(rendition.url, rendition.mime)
        if not (is_flash or rendition.kind is Kind.PLAYER) or not urls.is_http(rendition.url):
            continue
        if is_flash:
            flash = flash or rendition.url
        else:
            player = player or rendition.url
    return player, flash
