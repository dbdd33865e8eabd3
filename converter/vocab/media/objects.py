"""The media objects of an entry: what they are read from, and what they become."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from converter.model import Audio, Image, Kind, Podcast, Rendition, Video
from converter.values import urls
from converter.vocab.media.names import OBJECTS
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = [
    "Enclosure",
    "Media",
    "MediaObject",
    "MediaScope",
    "RenditionElement",
    "rendition_element",
    "spelling",
]

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


class RenditionElement(NamedTuple):
    """A rendition, and the element that it was read from."""

    rendition: Rendition
    element: Element
    children: Children
    """Those of the element."""
    url: str
    """The URL in its one spelling; empty if there is none."""


def rendition_element(
    rendition: Rendition, element: Element, children: Children | None = None
) -> RenditionElement:
    """Return a rendition with its element and its URL in its one spelling."""
    inner = {} if children is None else children
    return RenditionElement(rendition, element, inner, spelling(rendition.url))


def spelling(url: str) -> str:
    """Return the URL of a file in its one spelling."""
    if not url or urls.is_canonical_page(url):
        return url
    return urls.media(url, allow_ftp=True).url or url


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


class Media(NamedTuple):
    """An entry's media."""

    videos: tuple[Video, ...] = ()
    images: tuple[Image, ...] = ()
    audios: tuple[Audio, ...] = ()
    names: frozenset[str] = OBJECTS
    """The elements of the entry that were read for them."""
    urls: Collection[str] = ()
    """Every URL that is a file, in its one spelling: none of them can be the page."""
