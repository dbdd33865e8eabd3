"""Media RSS, enclosures and YouTube's elements: an entry's media objects (mapping 3.5 to 3.9).

https://www.rssboard.org/media-rss (1.5.1). `group` finds the objects and their renditions,
`best_rendition` chooses one, `metadata` reads the elements that describe them, and `build` makes
the model's videos, images and audios. `schema` is the table of the attributes. Most feeds have no
media: these modules are imported by the first entry, or header, that has some.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple, TypeAlias

from converter.model import Audio, Image, Video
from converter.xml.extract import Element

_EXTRA = """
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
#: Elements that no field holds: kept as extra elements, to be written again (mapping 3.7).
EXTRA_NAMES: Final = frozenset(_EXTRA.split())

#: Elements of a channel, item, group or content that apply to every object below.
INHERITED_NAMES: Final = EXTRA_NAMES.union(_DESCRIBING.split())

NAMES: Final = INHERITED_NAMES.union(_OTHER.split())

#: Elements that media objects are made of. One that cannot be used is reported.
OBJECT_NAMES: Final = frozenset({"enclosure", "media:content", "media:group", "media:thumbnail"})

#: An entry without any of these elements has no media.
MEDIA_MARKERS: Final = OBJECT_NAMES | {
    "media:embed",
    "media:player",
    "podcast:alternateEnclosure",
    "yt:videoId",
}

Enclosure: TypeAlias = tuple[Element, str]
"""RSS `enclosure` or an Atom link `rel="enclosure"`, and the attribute that has its URL."""


class EntryMedia(NamedTuple):
    """The media of an entry."""

    videos: tuple[Video, ...] = ()
    images: tuple[Image, ...] = ()
    audios: tuple[Audio, ...] = ()
    names_read: frozenset[str] = OBJECT_NAMES
    """Names of the entry's elements that were read for them."""
    file_urls: Collection[str] = ()
    """The normalised URLs of all files: none of them can be the page."""


NO_MEDIA: Final = EntryMedia()
