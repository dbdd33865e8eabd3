"""The feeds that an HTML page names, and the sitemaps that the robots.txt of its host names.

https://html.spec.whatwg.org/multipage/links.html#rel-alternate,
https://www.sitemaps.org/protocol.html#submit_robots
"""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

from converter.values import urls
from converter.values.lazy_regex import lazy_regex
from converter.xml.detect import decode_head
from converter.xml.extract import Element

#: How much of a page is looked at: its `<head>` with all that is written into it.
MOST_BYTES: Final = 1024 * 1024

#: What a crawler must read at least: https://www.rfc-editor.org/rfc/rfc9309#section-2.5
MOST_ROBOTS_BYTES: Final = 500 * 1024

_FEED_TYPES: Final = frozenset(
    (
        *("application/rss+xml", "application/atom+xml", "application/rdf+xml"),
        *("application/x-rss+xml", "application/feed+json"),
    )
)
#: Of anything; a feed where its title or its address says so.
_OTHER_TYPES: Final = frozenset(
    ("application/json", "application/xml", "text/xml", "application/x-atom+xml", "text/rss")
)

_SAYS_FEED: Final = lazy_regex(r"\b(?:rss|atom|rdf|feeds?)\b|newsfeed", re.IGNORECASE)
#: In the languages whose blogs are most: comments, Kommentare, comentarios, commentaires, …
_SAYS_COMMENTS: Final = lazy_regex(
    r"comm?ent|[ck]omment|coment|reacties|komentarz|коммент|评论|コメント|/replies\b", re.IGNORECASE
)


def feeds_of(markup: bytes, url: str) -> list[str]:
    """Give the feeds that a page names, in its order but those of comments last, each once.

    Args:
        markup: the page, or its first `MOST_BYTES`.
        url: where it was fetched from: the base of its links, unless it names another.
    """
    # what a page says of its own encoding is often wrong, and addresses are ASCII in any
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
    # without an element, some releases of libxml2 fail, and others give nothing
    root = etree.fromstring(b"<html>" + decode_head(markup).encode("utf-8", "replace"), parser)
    base = _base(root, url)
    found: dict[str, bool] = {}
    for link in root.iter("link"):
        given = {str(name).lower(): str(value) for name, value in link.attrib.items()}
        href = urls.resolve(given.get("href", ""), base).url
        if href and urls.is_http(href) and _is_feed(given):
            href = href.partition("#")[0]
            found.setdefault(href, _is_of_comments(href, given.get("title", "")))
    return sorted(found, key=found.__getitem__)


def sitemaps_of(robots: bytes, url: str) -> list[str]:
    """Give the sitemaps that a robots.txt names, in its order, each once.

    They must be absolute by the rules; one that is not is resolved, as search engines do.
    """
    lines = (line.partition(":") for line in decode_head(robots).splitlines())
    named = (
        value.partition(" #")[0] for key, _, value in lines if key.strip().lower() == "sitemap"
    )
    found = (urls.resolve(value, url).url for value in named)
    return list(dict.fromkeys(place for place in found if place and urls.is_http(place)))


def _is_of_comments(url: str, title: str) -> bool:
    """Does a feed hold what readers say, and not the pages themselves?"""
    path = url.partition("://")[2].partition("/")[2]
    return bool(_SAYS_COMMENTS.search(title) or _SAYS_COMMENTS.search(path))


def _base(root: Element, url: str) -> str:
    """The first `<base>` with an address counts; it may be relative itself."""
    for element in root.iter("base"):
        if href := element.get("href"):
            return urls.resolve(href, url).url or url
    return url


def _is_feed(given: dict[str, str]) -> bool:
    rels = given.get("rel", "").lower().split()
    if "alternate" not in rels or "stylesheet" in rels:
        return False
    kind = given.get("type", "").partition(";")[0].strip().lower()
    if kind in _FEED_TYPES:
        return True
    said = f"{given.get('title', '')} {given.get('href', '')}"
    return kind in _OTHER_TYPES and _SAYS_FEED.search(said) is not None
