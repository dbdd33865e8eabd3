"""The `video:video` blocks of a page, and the pictures that they show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from converter.vocab.page import Page
from converter.vocab.video.clip import clip_of
from converter.vocab.video.fallback import Fallback
from converter.vocab.video.rows import VIDEO

__all__ = ["Block", "blocks"]

_LIVE: Final = tuple(row for row in VIDEO if not row.is_legacy)


@dataclass(frozen=True, slots=True)
class Block:
    """One `video:video`, and the picture in it."""

    xml: str
    thumbnail: str


def blocks(page: Page) -> Iterator[Block]:
    """Write the videos of a page, those that can be told of."""
    fallback = Fallback(page)
    rows = VIDEO if page.options.legacy_tags else _LIVE
    for video in page.entry.videos:
        clip = clip_of(video, page, fallback)
        if clip is not None:
            inner = "".join([row.render(clip) for row in rows])
            yield Block(f"<video:video>{inner}</video:video>", clip.thumbnail)
