"""The media objects of an entry: what they are read from, and what they become."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from converter.model import Audio, Image, Kind, Podcast, Rendition, Video
from converter.vocab.media.names import OBJECTS
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = ["Enclosure", "Media", "MediaObject", "MediaScope", "RenditionElement"]

_PLAYABLE: Final = (Kind.VIDEO, Kind.PLAYER)

Enclosure: TypeAlias = tuple[Element, str]
"""RSS `enclosure` or an Atom link `rel="enclosure"`, and the attribute that has its URL."""


class MediaScope(NamedTuple):
    """The names of the format, and what an entry's media inherit from the entry and the header."""

    names: Names
    channel: Children
    """Channel-level `media:*`: the outermost level of inheritance."""
    podcast: Podcast | None = None
    feed_podcast: Podcast | None = None
    live: bool = False
    """The entry is a `podcast:liveItem` that is live."""


@dataclass(slots=True, eq=False)
class RenditionElement:
    """A rendition, the element that it was read from, and the children of that element."""

    rendition: Rendition
    element: Element
    children: Children = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class MediaObject:
    """The renditions of one media object, in document order."""

    element: Element
    members: list[RenditionElement]
    group: Children | None = None
    """The children of its `media:group`; None if it stands outside of one."""

    def of_kind(self, kind: Kind) -> list[RenditionElement]:
        """Return the members of one kind."""
        return [member for member in self.members if member.rendition.kind is kind]

    @property
    def playable(self) -> list[RenditionElement]:
        """The members that are video files or players."""
        return [member for member in self.members if member.rendition.kind in _PLAYABLE]


class Media(NamedTuple):
    """An entry's media."""

    videos: tuple[Video, ...] = ()
    images: tuple[Image, ...] = ()
    audios: tuple[Audio, ...] = ()
    names: frozenset[str] = OBJECTS
    """The elements of the entry that were read for them."""

    @property
    def urls(self) -> list[str]:
        """Every URL that is a file: none of them can be the page."""
        found = [image.url for image in self.images]
        for video in self.videos:
            found += [r.url for r in video.renditions if r.kind is Kind.VIDEO]
        for audio in self.audios:
            found += [rendition.url for rendition in audio.renditions]
        return found
