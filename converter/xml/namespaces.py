"""Namespaces by their meaning: every spelling of a namespace becomes one canonical prefix.

Prefixes in documents mean nothing (mapping 3.5: bind by URI, never by prefix), and feeds spell
the URIs in many ways. URIs are compared without scheme, case and final slash or hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

XML_BASE: Final = "{http://www.w3.org/XML/1998/namespace}base"
XML_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"

#: Canonical prefix -> URIs, the official one first.
NAMESPACES: Final[Mapping[str, tuple[str, ...]]] = {
    "rss": (  # 2.0 has none; 1.0 and 0.90 have theirs; the others are seen in the wild
        "http://purl.org/rss/1.0/",
        "http://my.netscape.com/rdf/simple/0.9/",
        "http://channel.netscape.com/rdf/simple/0.9/",
        "http://my.netscape.com/publish/formats/rss-0.91.dtd",
        "http://backend.userland.com/rss",
        "http://backend.userland.com/rss091",
        "http://backend.userland.com/rss092",
        "http://backend.userland.com/rss093",
        "http://backend.userland.com/rss094",
        "http://backend.userland.com/rss2",
        "http://blogs.law.harvard.edu/tech/rss",
        "http://cyber.law.harvard.edu/rss/rss.html",
        "http://purl.org/net/rss1.1",
    ),
    "rdf": ("http://www.w3.org/1999/02/22-rdf-syntax-ns#",),
    "atom": (  # 1.0, its ancestor 0.3, and drafts of both
        "http://www.w3.org/2005/Atom",
        "http://purl.org/atom/ns#",
        "http://purl.org/net/atom/ns#",
        "http://purl.org/atom/ns/1.0",
        "http://purl.org/echo/",
        "http://example.com/newformat#",
    ),
    "media": (  # list of feedsmith and rssboard.org/media-rss
        "http://search.yahoo.com/mrss/",
        "http://video.search.yahoo.com/mrss",
        "http://tools.search.yahoo.com/mrss",
        "http://www.rssboard.org/media-rss",
        "http://rssboard.org/media-rss",
        "http://search.yahoo.com/searchmonkey/media/",
    ),
    "itunes": (
        "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "http://itunes.com/dtds/podcast-1.0.dtd",
        "http://www.itunes.apple.com/dtds/podcast-1.0.dtd",
        "http://example.com/dtds/podcast-1.0.dtd",
    ),
    "podcast": (
        "https://podcastindex.org/namespace/1.0",
        "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ),
    "googleplay": (
        "http://www.google.com/schemas/play-podcasts/1.0",
        "http://www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd",
    ),
    "dc": ("http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/"),
    "dcterms": ("http://purl.org/dc/terms/",),
    "content": ("http://purl.org/rss/1.0/modules/content/",),
    "xhtml": (  # the second is what sitemaps with hreflang often declare
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/TR/xhtml11/xhtml11_schema.html",
    ),
    "feedburner": ("http://rssnamespace.org/feedburner/ext/1.0",),
    "pheedo": ("http://www.pheedo.com/namespace/pheedo",),
    "yt": (
        "http://www.youtube.com/xml/schemas/2015",
        "http://gdata.youtube.com/schemas/2007",
    ),
    "creativeCommons": (
        "http://backend.userland.com/creativeCommonsRssModule",
        "http://cyber.law.harvard.edu/rss/creativeCommonsRssModule.html",
    ),
    "cc": ("http://web.resource.org/cc/", "http://creativecommons.org/ns#"),
    "georss": ("http://www.georss.org/georss", "http://www.georss.org/georss/10"),
    "gml": ("http://www.opengis.net/gml",),
    "geo": ("http://www.w3.org/2003/01/geo/wgs84_pos#",),
    "slash": ("http://purl.org/rss/1.0/modules/slash/",),
    "sy": ("http://purl.org/rss/1.0/modules/syndication/",),
    "wfw": ("http://wellformedweb.org/CommentAPI/",),
    "thr": ("http://purl.org/syndication/thread/1.0",),
    "fh": ("http://purl.org/syndication/history/1.0",),
    "app": ("http://www.w3.org/2007/app", "http://purl.org/atom/app#"),
    "sitemap": (
        "http://www.sitemaps.org/schemas/sitemap/0.9",
        "http://www.sitemaps.org/schemas/sitemap/0.90",
        "http://www.google.com/schemas/sitemap/0.9",
        "http://www.google.com/schemas/sitemap/0.84",
    ),
    "image": ("http://www.google.com/schemas/sitemap-image/1.1",),
    "video": (
        "http://www.google.com/schemas/sitemap-video/1.1",
        "http://www.google.com/schemas/sitemap-video/1.0",
    ),
    "news": (
        "http://www.google.com/schemas/sitemap-news/0.9",
        "http://www.google.com/schemas/sitemap-news/0.84",
    ),
    "mobile": ("http://www.google.com/schemas/sitemap-mobile/1.0",),
    "pagemap": ("http://www.google.com/schemas/sitemap-pagemap/1.0",),
}

#: Canonical prefix -> the URI that is written.
URI_OF: Final[Mapping[str, str]] = {prefix: uris[0] for prefix, uris in NAMESPACES.items()}


def _key(uri: str) -> str:
    return uri.strip().lower().removeprefix("http://").removeprefix("https://").rstrip("/#")


#: Every draft of Atom 1.0 has a namespace of its own:
#: `http://purl.org/atom/ns#draft-ietf-atompub-format-05`.
_ATOM_DRAFT: Final = "purl.org/atom/ns#"

_PREFIX_OF: Final = {_key(uri): prefix for prefix, uris in NAMESPACES.items() for uri in uris}

#: A hostile document has as many tags as it likes; what is remembered of them is bounded.
_MOST_REMEMBERED: Final = 4096


def canonical_prefix(uri: str) -> str | None:
    """Give the canonical prefix of a namespace in any of its spellings, or None."""
    key = _key(uri)
    return _PREFIX_OF.get(key) or ("atom" if key.startswith(_ATOM_DRAFT) else None)


def canonical_name(tag: str, home: str) -> str:
    """Give an element's name: bare in its home namespace or in none, else `prefix:local`.

    `tag` is lxml's: `{uri}local`, or `prefix:local` where the document never declared the
    prefix; a well-known prefix is then taken by its name, since nothing else is there.
    """
    uri, _, local = tag.rpartition("}")
    if uri:
        prefix = canonical_prefix(uri[1:])
        if prefix is None:
            return tag
        return local if prefix == home else f"{prefix}:{local}"
    prefix, _, local = tag.rpartition(":")
    return local if prefix == home else tag


class CanonicalNames(dict[Any, str]):
    """lxml's tag -> canonical name, each tag worked out once.

    Names are matched without regard to case against the `known` ones, because feeds write
    `<pubdate>` and `<itunes:Image>`.
    """

    def __init__(self, home: str, known: frozenset[str]) -> None:
        super().__init__()
        self.known = known
        self._home = home
        self._by_folded = {name.lower(): name for name in known}

    def __missing__(self, tag: str) -> str:
        name = canonical_name(tag, self._home)
        name = self._by_folded.get(name.lower(), name)
        if len(self) < _MOST_REMEMBERED:
            self[tag] = name
        return name
