"""The element names of Media RSS, and of the other vocabularies that speak of media objects."""

from __future__ import annotations

from typing import Final

__all__ = [
    "INHERITED",
    "KEPT",
    "NAMES",
    "OBJECTS",
    "READ_FOR_IMAGES",
    "READ_FOR_VIDEOS",
    "TELLTALES",
]

#: Kept as they are, for Media RSS again: no video tag tells of them (mapping 3.7).
KEPT: Final = frozenset(
    {
        "media:backLinks",
        "media:comments",
        "media:hash",
        "media:location",
        "media:peerLink",
        "media:responses",
        "media:rights",
        "media:scenes",
        "media:subTitle",
        "media:text",
    }
)

#: What may stand in channel, item, group or content and applies to every object below.
INHERITED: Final = KEPT | {
    "media:adult",
    "media:category",
    "media:community",
    "media:copyright",
    "media:credit",
    "media:description",
    "media:embed",
    "media:keywords",
    "media:license",
    "media:player",
    "media:price",
    "media:rating",
    "media:restriction",
    "media:status",
    "media:thumbnail",
    "media:title",
}

NAMES: Final = INHERITED | {
    "cc:license",
    "creativeCommons:license",
    "dcterms:license",
    "dcterms:type",
    "dcterms:valid",
    "enclosure",
    "expirationDate",
    "media:content",
    "media:group",
    "media:param",
    "media:starRating",
    "media:statistics",
    "media:tags",
    "yt:duration",
    "yt:statistics",
    "yt:videoId",
}

#: What media objects are made of. One that cannot be used is reported.
OBJECTS: Final = frozenset({"enclosure", "media:content", "media:group", "media:thumbnail"})

#: Elements around media objects that are read, by the kind of the objects; for audios INHERITED.
READ_FOR_VIDEOS: Final = INHERITED | {
    "dcterms:type",
    "dcterms:valid",
    "expirationDate",
    "yt:duration",
    "yt:statistics",
    "yt:videoId",
}
READ_FOR_IMAGES: Final = KEPT | {
    "cc:license",
    "creativeCommons:license",
    "dcterms:license",
    "media:description",
    "media:license",
    "media:title",
}

#: An entry without any of these has no media.
TELLTALES: Final = frozenset(
    {
        "enclosure",
        "media:content",
        "media:embed",
        "media:group",
        "media:player",
        "media:thumbnail",
        "podcast:alternateEnclosure",
        "yt:videoId",
    }
)
