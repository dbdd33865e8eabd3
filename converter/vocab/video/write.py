"""The `video:video` elements of a page, and the pictures that they show."""

from __future__ import annotations

from converter.vocab.page import PageContext
from converter.vocab.video.elements import children
from converter.vocab.video.page_defaults import PageDefaults
from converter.vocab.video.required import publishable

__all__ = ["videos"]


def videos(page: PageContext) -> tuple[list[str], set[str]]:
    """Write the publishable videos of a page.

    Returns:
        The elements, and the URLs of their thumbnails.
    """
    defaults = PageDefaults(page)
    elements, thumbnails = [], set()
    for video in page.entry.videos:
        found = publishable(video, page, defaults)
        if found is not None:
            elements.append(f"<video:video>{children(found)}</video:video>")
            thumbnails.add(found.thumbnail)
    return elements, thumbnails
