"""What an entry's media objects are read from, and what they become."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from converter.model import Audio, Image, Kind, Podcast, Rendition, Video
from converter.vocab.media.names import OBJECTS
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = ["Media", "Member", "Setting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What surrounds an entry's media: the names of its format, the header's defaults."""

    names: Names
    channel: Children = field(default_factory=dict)
    """Channel-level `media:*`: the outermost level of inheritance."""
    podcast: Podcast | None = None
    feed_podcast: Podcast | None = None
    live: bool = False
    """The entry is a `podcast:liveItem` that is live."""


@dataclass(slots=True)
class Member:
    """One rendition with what is said inside it."""

    rendition: Rendition
    element: Element
    children: Children = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Media:
    """An entry's media."""

    videos: tuple[Video, ...] = ()
    images: tuple[Image, ...] = ()
    audios: tuple[Audio, ...] = ()
    names: frozenset[str] = OBJECTS
    """The elements of the entry that were read for them."""

    @property
    def urls(self) -> Iterator[str]:
        """Every URL that is a file: none of them can be the page."""
        for video in self.videos:
            yield from (r.url for r in video.renditions if r.kind is Kind.VIDEO)
        for audio in self.audios:
            yield from (rendition.url for rendition in audio.renditions)
        yield from (image.url for image in self.images)
