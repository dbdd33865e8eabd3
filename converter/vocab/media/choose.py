"""Choosing among the renditions of one video (mapping 3.5, "best rendition")."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from converter.model import Kind, Rendition
from converter.values import mediatypes, urls

__all__ = ["best", "flash", "player"]


def best(renditions: Sequence[Rendition]) -> Rendition | None:
    """Give the rendition that search engines should fetch; None if none will do.

    The discards run in the order written here; ftp is taken only where no http(s) is.
    """
    candidates = [r for r in renditions if r.kind is Kind.VIDEO and _is_fetchable(r)]
    candidates = [r for r in candidates if urls.is_http(r.url)] or candidates
    if any(r.expression != "sample" for r in candidates):
        candidates = [r for r in candidates if r.expression != "sample"]
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    for rendition in candidates:
        if rendition.is_default and _is_listed(rendition):
            return rendition
    return max(candidates, key=_quality)  # the first of equals: max() keeps document order


def _is_fetchable(rendition: Rendition) -> bool:
    if not urls.is_http(rendition.url) and not rendition.url.lower().startswith("ftp://"):
        return False
    return not mediatypes.is_torrent(rendition.url, rendition.mime) and not _is_flash(rendition)


def _is_flash(rendition: Rendition) -> bool:
    return mediatypes.is_flash(rendition.url, rendition.mime)


def _is_listed(rendition: Rendition) -> bool:
    return mediatypes.is_listed(rendition.mime, rendition.url)


def _quality(rendition: Rendition) -> tuple[bool, int, float, int]:
    size = rendition.height or rendition.width or 0
    return (_is_listed(rendition), size, rendition.bitrate_kbps or 0, rendition.size_bytes or 0)


def player(renditions: Sequence[Rendition]) -> str | None:
    """Give the first rendition that is a player, but not Flash."""
    return _first_player(renditions, lambda rendition: not _is_flash(rendition))


def flash(renditions: Sequence[Rendition]) -> str | None:
    """Give the first Flash rendition: a player of last resort."""
    return _first_player(renditions, _is_flash)


def _first_player(
    renditions: Sequence[Rendition], wanted: Callable[[Rendition], bool]
) -> str | None:
    for rendition in renditions:
        is_player = rendition.kind is Kind.PLAYER or _is_flash(rendition)
        if is_player and urls.is_http(rendition.url) and wanted(rendition):
            return rendition.url
    return None
