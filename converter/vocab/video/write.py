"""The `video:video` elements of a page, and the pictures that they show."""

from __future__ import annotations

from typing import Final

from converter.vocab.page import PageContext
from converter.vocab.video.elements import ELEMENTS
from converter.vocab.video.page_defaults import PageDefaults
from converter.vocab.video.required import publishable

__all__ = ["videos"]

_WITHOUT_LEGACY: Final = tuple(write for write, is_legacy in ELEMENTS if not is_legacy)
_ALL: Final = tuple(write for write, _ in ELEMENTS)


def videos(page: PageContext) -> tuple[list[str], set[str]]:
    """Write the publishable videos of a page.

    Returns:
        The elements, and the URLs of their thumbnails.
    """
    defaults = PageDefaults(page)
    writers = _ALL if page.options.legacy_tags else _WITHOUT_LEGACY
    elements, thumbnails = [], set()
    for video in page.entry.videos:
        found = publishable(video, page, defaults)
        if found is not None:
            inner = "".join([write(found) for write in writers])
            elements.append(f"<video:video>{inner}</video:video>")
            thumbnails.add(found.thumbnail)
    return elements, thumbnails
