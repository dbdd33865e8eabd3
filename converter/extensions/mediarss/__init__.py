"""Media RSS, enclosures and YouTube's elements: an entry's media objects (mapping 3.5 to 3.9).

https://www.rssboard.org/media-rss (1.5.1). `group` finds the objects and their renditions,
`best_rendition` chooses one, `metadata` reads the elements that describe them, and `build` makes
the model's videos, images and audios. `schema` is the table of the attributes. Most feeds have no
media: these modules are imported by the first entry, or header, that has some.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, TypeAlias

from converter.model import Audio, Image, Rating, Text, Video
from converter.values import text as texts
from converter.xml.extract import Children, Element
from converter.xml.namespaces import CanonicalNames

__all__ = [
    "INHERITED",
    "KEPT",
    "NAMES",
    "NO_MEDIA",
    "OBJECTS",
    "TELLTALES",
    "Enclosure",
    "Media",
    "entry_text",
    "entry_title",
    "ratings",
]

_KEPT = """
media:backLinks media:comments media:hash media:location media:peerLink media:responses
media:rights media:scenes media:subTitle media:text
"""
_DESCRIBING = """
media:adult media:category media:community media:copyright media:credit media:description
media:embed media:keywords media:license media:player media:price media:rating media:restriction
media:status media:thumbnail media:title
"""
_OTHER = """
cc:license creativeCommons:license dcterms:license dcterms:type dcterms:valid enclosure
expirationDate media:content media:group media:param media:starRating media:statistics media:tags
yt:duration yt:statistics yt:videoId
"""
#: Kept as they are, for Media RSS again: no video tag tells of them (mapping 3.7).
KEPT: Final = frozenset(_KEPT.split())

#: What may stand in channel, item, group or content and applies to every object below.
INHERITED: Final = KEPT.union(_DESCRIBING.split())

NAMES: Final = INHERITED.union(_OTHER.split())

#: What media objects are made of. One that cannot be used is reported.
OBJECTS: Final = frozenset({"enclosure", "media:content", "media:group", "media:thumbnail"})

#: An entry without any of these has no media.
TELLTALES: Final = OBJECTS | {
    "media:embed",
    "media:player",
    "podcast:alternateEnclosure",
    "yt:videoId",
}

Enclosure: TypeAlias = tuple[Element, str]
"""RSS `enclosure` or an Atom link `rel="enclosure"`, and the attribute that has its URL."""


class Media(NamedTuple):
    """An entry's media."""

    videos: tuple[Video, ...] = ()
    images: tuple[Image, ...] = ()
    audios: tuple[Audio, ...] = ()
    names: frozenset[str] = OBJECTS
    """The elements of the entry that were read for them."""
    urls: Collection[str] = ()
    """Every URL that is a file, in its one spelling: none of them can be the page."""


#: Of an entry without media.
NO_MEDIA: Final = Media()


def entry_text(found: Children, name: str) -> Text | None:
    """Return `media:title` or `media:description` of an entry that has no media to describe."""
    elements = found.get(name)
    if not elements or "media:content" in found or "media:group" in found:
        return None
    from converter.extensions.mediarss.metadata import text

    return text(elements)


def entry_title(found: Children) -> str | None:
    """Return `media:title` as plain text, under the condition of `entry_text`."""
    title = entry_text(found, "media:title")
    return (title and texts.plain(title.value, is_html=title.is_html)) or None


def ratings(elements: Sequence[Element], names: CanonicalNames) -> tuple[Rating, ...]:
    """Read `media:rating` and `media:adult` of a header."""
    if not elements:
        return ()
    from converter.extensions.mediarss import metadata

    return metadata.ratings(elements, names)
