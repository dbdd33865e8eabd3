"""Looks at the first bytes of a document: their encoding, the root element, the feeds a page names.

Detection must be right where no XML parser would get that far: with junk before the declaration,
with a declaration that lies, with a prefix that ends in the middle of a tag. Nothing here fails;
what cannot be seen is None.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from converter.values.lazy_regex import lazy_regex
from converter.xml import namespaces

#: The longer mark first: UTF-32's begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Which of the first four bytes are NUL; every document begins with ASCII.
#: https://www.w3.org/TR/xml/#sec-guessing-no-ext-info
_NULS: Mapping[tuple[bool, ...], str] = {
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
}
_NAME = r"[^\W\d][\w.\-]*"
#: What may stand before a root, and the root. An end that is missing is the end of the prefix:
#: an alternative that fails only at the end would be tried from every `<!--` again.
_MARKUP = lazy_regex(
    rf"<(?:!--.*?(?:-->|\Z)|!\[CDATA\[.*?(?:\]\]>|\Z)|\?xml\b[^<>]*>|\?.*?(?:\?>|\Z)"
    rf"|(?P<doctype>!DOCTYPE\b)|(?P<name>{_NAME}(?::{_NAME})?)(?=[\s/>]))",
    re.DOTALL | re.IGNORECASE,
)
_DOCTYPE = lazy_regex(
    r"""<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|"[^"]*+"|'[^']*+'|[\[\]>]""", re.DOTALL
)
_ATTRIBUTE = lazy_regex(
    rf"""\s*(?P<name>{_NAME}(?::{_NAME})?)\s*=\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?P<c>[^\s"'<>]+))"""
)
_DECLARED = lazy_regex(r"""\bxmlns(?::[\w.\-]+)?\s*=\s*["']([^"'<]*)""")
_CHANNEL = lazy_regex(rf"<(?:{_NAME}:)?channel[\s>]", re.IGNORECASE)
_HTML_DOCTYPE = lazy_regex(r"!DOCTYPE\s+html\b", re.IGNORECASE)
_JSON = lazy_regex(r"""\s*(?:\{\s*["}]|\[\s*["{\[\]\d])""")

#: HTML that web servers and PHP print before the document itself: never a root, if another follows.
_PRINTED_BEFORE = frozenset(
    {"a", "b", "br", "center", "div", "em", "font", "hr", "i", "p", "pre", "small", "span"}
) | {"strong", "table", "tbody", "td", "th", "tr"}
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_JSON_FEED = lazy_regex(
    r"""\s*\{[^\0]*"version"\s*:\s*"https?:(?:\\?/){2}(?:www\.)?jsonfeed\.org(?:\\?/)version"""
)

#: Names of a column that holds URLs, as `column_name` spells them.
URL_COLUMNS = frozenset({"url", "loc", "location", "link", "permalink", "address", "page"})
_DELIMITERS = ",;\t"


class RootElement(NamedTuple):
    """The start tag of a root element, as far as the prefix holds it."""

    name: str
    """The local name, as it is written."""
    namespace: str | None
    attributes: Mapping[str, str]
    """By the name as it is written, declarations of namespaces too."""

    @property
    def folded(self) -> str:
        """The name in lower case: `<RSS>` is one (feedparser reads it, so do aggregators)."""
        return self.name.lower()


def detect_encoding(prefix: bytes) -> tuple[str, int]:
    """The codec that the bytes themselves show, and the length of the byte order mark.

    Without a mark and without a pattern of NULs it is UTF-8, whatever may be declared: every
    other encoding that feeds use writes markup as ASCII does.
    """
    for mark, codec in _MARKS:
        if prefix.startswith(mark):
            return codec, len(mark)
    return _NULS.get(tuple(byte == 0 for byte in prefix[:4]), "utf-8"), 0


def decode_head(prefix: bytes) -> str:
    """The prefix as text, without byte order marks; what cannot be decoded becomes U+FFFD."""
    codec, skip = detect_encoding(prefix)
    return prefix[skip:].decode(codec, "replace").lstrip("\ufeff")


@lru_cache(maxsize=1)  # each format asks for the root of the same document
def find_root(prefix: bytes) -> RootElement | None:
    """The root element; None if none begins in the prefix.

    Comments, processing instructions, a DOCTYPE with its subset, stray CDATA, text, and the HTML
    of a server's warning may stand before it. JSON that quotes markup has no root.
    """
    text = decode_head(prefix)
    if _JSON.match(text) or not (found := _root_tag(text)):
        return None
    attributes = _attributes(text, found.end())
    name_prefix, colon, local = found["name"].rpartition(":")
    return RootElement(local, attributes.get(f"xmlns{colon}{name_prefix}"), attributes)


def _root_name(prefix: bytes) -> str | None:
    """The name of the root in lower case."""
    root = find_root(prefix)
    return root.lower_name if root else None


def is_rss(prefix: bytes) -> bool:
    """RSS in any prefix, namespace and case; RDF that declares RSS's namespace or has a channel.

    The root is `rss` in 0.9x and 2.0, `Channel` in 1.1, and `RDF` in 0.90 and 1.0.
    """
    name = _root_name(prefix)
    if name != "rdf":
        return name in {"rss", "channel"}
    text = decode_head(prefix)
    declared = _DECLARED.findall(text)
    return any(namespaces.canonical_prefix(uri) == "rss" for uri in declared) or bool(
        _CHANNEL.search(text)
    )


def is_atom(prefix: bytes) -> bool:
    """A `feed` in a namespace of Atom, however spelt, or in none."""
    root = find_root(prefix)
    if root is None or root.lower_name != "feed":
        return False
    return not root.namespace or namespaces.canonical_prefix(root.namespace) == "atom"


def is_sitemap(prefix: bytes) -> bool:
    """A `urlset`; the namespaces in use are too many to ask for one (mapping 3.10)."""
    return _root_name(prefix) == "urlset"


def is_sitemapindex(prefix: bytes) -> bool:
    """A `sitemapindex`."""
    return _root_name(prefix) == "sitemapindex"


def is_opml(prefix: bytes) -> bool:
    """A list of feeds."""
    return _root_name(prefix) == "opml"


def is_html(prefix: bytes) -> bool:
    """An HTML page, by its root or its DOCTYPE."""
    if _root_name(prefix) in {"html", "head", "body"}:
        return True
    return any(
        found["doctype"] and _HTML_DOCTYPE.match(found.string, found.start("doctype"))
        for found in _MARKUP.finditer(decode_head(prefix))
    )


def is_json(prefix: bytes) -> bool:
    """An object or an array begins here."""
    return _JSON.match(decode_head(prefix)) is not None


def is_json_feed(prefix: bytes) -> bool:
    """An object with the version of a JSON Feed."""
    return _JSON_FEED.match(decode_head(prefix)) is not None


def is_table(prefix: bytes) -> bool:
    """A table of URLs: its first row names a column of URLs, and URLs follow it."""
    first, *rest = decode_head(prefix).lstrip().splitlines() or [""]
    return delimiter_of(first) is not None and any("://" in line for line in rest)


def delimiter_of(row: str) -> str | None:
    """The delimiter of the first row of a table; None if it names no column of URLs.

    A row of one name has none: that of a tab is returned, which no URL holds.
    """
    if "://" in row:
        return None
    found = max(_DELIMITERS, key=row.count)
    delimiter = found if found in row else "\t"
    names = {column_name(name) for name in row.split(delimiter)}
    return None if names.isdisjoint(URL_COLUMNS) else delimiter


def column_name(name: str) -> str:
    """The name of a column without quotation marks, white space, `_`, `-` and case."""
    return re.sub(r"[\s\"'_\-]+", "", name).lower()


def linked_feeds(prefix: bytes) -> tuple[str, ...]:
    """The feeds that an HTML page names: `<link rel="alternate" type="application/rss+xml" href>`.

    Source: https://html.spec.whatwg.org/multipage/links.html#rel-alternate
    """
    from html import unescape

    text = decode_head(prefix)
    links = (
        {name.lower(): value for name, value in _attributes(text, found.end()).items()}
        for found in _MARKUP.finditer(text)
        if found["name"] and found["name"].lower() == "link"
    )
    return tuple(
        unescape(link["href"])
        for link in links
        if "alternate" in link.get("rel", "").lower().split()
        and link.get("type", "").lower() in _FEED_TYPES
        and link.get("href")
    )


def _root_tag(text: str) -> re.Match[str] | None:
    """The first element that no server prints before a document; else the first of all."""
    first: re.Match[str] | None = None
    at = 0
    while found := _MARKUP.search(text, at):
        at = found.end()
        if found["doctype"]:
            at = end_of_doctype(text, at) or len(text)
        if found["name"]:
            if found["name"].lower() not in _PRINTED_BEFORE:
                return found
            first = first or found
    return first


def end_of_doctype(text: str, at: int) -> int | None:
    """Where the DOCTYPE ends whose first word ends at `at`; None if it does not end in this text.

    It may hold `>` in literals, comments and its internal subset.
    """
    depth = 0
    for token in _DOCTYPE.finditer(text, at):
        depth += {"[": 1, "]": -1}.get(token[0], 0)
        if token[0] == ">" and depth <= 0:
            return token.end()
    return None


def _attributes(text: str, at: int) -> dict[str, str]:
    attributes: dict[str, str] = {}
    while found := _ATTRIBUTE.match(text, at):
        attributes.setdefault(found["name"], found["a"] or found["b"] or found["c"] or "")
        at = found.end()
    return attributes
