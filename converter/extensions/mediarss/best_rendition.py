"""Chooses the best rendition of a video (mapping 3.5, "best rendition")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from converter.model import Kind, Rendition
from converter.values import media_types, urls

#: Python 3.11 calls a function for each `Kind.VIDEO`.
_VIDEO: Final = Kind.VIDEO


def best(renditions: Iterable[Rendition]) -> Rendition | None:
    """Return the rendition that search engines should fetch; None if no file is usable."""
    return choose(renditions)[0]


def choose(renditions: Iterable[Rendition]) -> tuple[Rendition | None, str | None, str | None]:
    """Return the best file, and the URLs of the first player and the first Flash.

    Files on the web are preferred to files on an FTP server.
    """
    web, ftp = [], []
    player = flash = None
    for rendition in renditions:
        url = rendition.url
        is_web = urls.is_canonical_page(url) or urls.is_http(url)
        if rendition.kind is _VIDEO and media_types.is_direct(url, rendition.mime):
            if is_web:
                web.append(rendition)
            elif url.lower().startswith("ftp://"):
                ftp.append(rendition)
        elif is_web and media_types.is_flash(url, rendition.mime):
            flash = flash or url
        elif is_web and rendition.kind is Kind.PLAYER:
            player = player or url
    return _best_file(web or ftp), player, flash


def _best_file(files: list[Rendition]) -> Rendition | None:
    if len(files) < 2:
        return files[0] if files else None
    candidates = [r for r in files if r.expression != "sample"] or files
    if len(candidates) == 1:
        return candidates[0]
    for rendition in candidates:
        if rendition.is_default and media_types.is_listed(rendition.mime, rendition.url):
            return rendition
    return max(candidates, key=_quality)  # the first of equals: max() keeps document order


def _quality(rendition: Rendition) -> tuple[bool, int, float, int]:
    size = rendition.height or rendition.width or 0
    is_listed = media_types.is_listed(rendition.mime, rendition.url)
    return (is_listed, size, rendition.bitrate_kbps or 0, rendition.size_bytes or 0)
