"""Chooses the best rendition of a video (mapping 3.5, "best rendition")."""

from __future__ import annotations

from collections.abc import Iterable

from converter.model import Kind, Rendition
from converter.values import media_types, urls

#: Python 3.11 takes as long for `Kind.VIDEO` as for a call.
_VIDEO, _PLAYER = Kind.VIDEO, Kind.PLAYER


def best(renditions: Iterable[Rendition]) -> Rendition | None:
    """Return the rendition that search engines should fetch; None if no file is usable.

    Files on the web are preferred to files on an FTP server.
    """
    files = [
        each
        for each in renditions
        if each.kind is _VIDEO and not media_types.is_torrent(each.url, each.mime)
    ]
    web = [each for each in files if urls.is_http(each.url)]
    files = web or [each for each in files if each.url.lower().startswith("ftp://")]
    if len(files) < 2:
        return files[0] if files else None
    candidates = [each for each in files if each.expression != "sample"] or files
    for each in candidates:
        if each.is_default and media_types.is_listed(each.mime, each.url):
            return each
    return max(candidates, key=_quality)  # the first of equals: max() keeps document order


def _quality(rendition: Rendition) -> tuple[bool, int, float, int]:
    size = rendition.height or rendition.width or 0
    is_listed = media_types.is_listed(rendition.mime, rendition.url)
    return (is_listed, size, rendition.bitrate_kbps or 0, rendition.size_bytes or 0)


def player(renditions: Iterable[Rendition], *, may_be_flash: bool) -> str | None:
    """Return the URL of the first player on the web; Flash only if there is no other."""
    flash = None
    for each in renditions:
        if each.kind is _PLAYER and urls.is_http(each.url):
            if not media_types.is_flash(each.url, each.mime):
                return each.url
            flash = flash or each.url
    return flash if may_be_flash else None
