"""The feeds that an HTML page names.

https://html.spec.whatwg.org/multipage/links.html#rel-alternate
"""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

from converter.values import urls
from converter.values.lazy_regex import lazy_regex
from converter.xml.detect import decode_head
from converter.xml.extract import Element

#: How much of a page is read: its `<head>` with all inline scripts and styles.
MAX_BYTES: Final = 1024 * 1024

_FEED_TYPES: Final = frozenset(
    f"application/{name}" for name in ("rss+xml", "atom+xml", "rdf+xml", "x-rss+xml", "feed+json")
)
#: Types of a feed only if the title or URL of the link says so.
_OTHER_TYPES: Final = frozenset(
    ("application/json", "application/xml", "text/xml", "application/x-atom+xml", "text/rss")
)

_FEED_WORD: Final = lazy_regex(r"\b(?:rss|atom|rdf|feeds?)\b|newsfeed", re.IGNORECASE)
#: In the languages of most blogs: comments, Kommentare, comentarios, commentaires, …
_COMMENTS_WORD: Final = lazy_regex(
    r"comm?ent|[ck]omment|coment|reacties|komentarz|коммент|评论|コメント|/replies\b", re.IGNORECASE
)


def feed_links(page: bytes, url: str | None) -> list[str]:
    """Return the URLs of the feeds that a page names, feeds of comments last, each once.

    Args:
        page: its first `MAX_BYTES`.
        url: the base of its links, unless it has a `<base>`. None if unknown: relative links
            without a `<base>` are returned as they are.
    """
    # a page often declares the wrong encoding, and URLs are ASCII in any
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
    # without an element, some releases of libxml2 fail, and others return nothing
    root = etree.fromstring(b"<html>" + decode_head(page).encode("utf-8", "replace"), parser)
    base = _base(root, url)
    found: dict[str, bool] = {}
    for link in root.iter("link"):
        attributes = {str(name).lower(): str(value) for name, value in link.attrib.items()}
        if _is_feed(attributes) and (href := _absolute(attributes.get("href", ""), base)):
            found.setdefault(href, _is_of_comments(href, attributes.get("title", "")))
    return sorted(found, key=found.__getitem__)


def _base(root: Element, url: str | None) -> str | None:
    """Return the URL of the first `<base>` that has one; it may be relative itself."""
    for element in root.iter("base"):
        if href := element.get("href"):
            return urls.resolve(href, url).url or url
    return url


def _absolute(href: str, base: str | None) -> str:
    """Return the URL of a link without fragment; "" if it is not http(s)."""
    url = urls.resolve(href, base).url
    if url is None and base is None:
        url = href.strip()
    elif not urls.is_http(url or ""):
        return ""
    return (url or "").partition("#")[0]


def _is_feed(link: dict[str, str]) -> bool:
    rels = link.get("rel", "").lower().split()
    if "alternate" not in rels or "stylesheet" in rels:
        return False
    media_type = link.get("type", "").partition(";")[0].strip().lower()
    if media_type in _FEED_TYPES:
        return True
    text = f"{link.get('title', '')} {link.get('href', '')}"
    return media_type in _OTHER_TYPES and _FEED_WORD.search(text) is not None


def _is_of_comments(url: str, title: str) -> bool:
    """Return True if a feed holds comments of readers, not the pages themselves."""
    path = url.partition("://")[2].partition("/")[2]
    return bool(_COMMENTS_WORD.search(title) or _COMMENTS_WORD.search(path))
