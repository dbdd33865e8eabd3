"""Detects from the first bytes of a document its encoding and its root.

Detection must work where no XML parser does: with junk before the declaration, with a wrong
declaration, with a head that ends inside a tag. No function raises; an unknown value is None.
The argument `head` is the first bytes of the document.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from converter.values.lazy_regex import lazy_regex
from converter.xml import namespaces

#: UTF-32 before UTF-16, whose mark is the beginning of it.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Codecs by which of the first four bytes are NUL; every document begins with ASCII.
#: https://www.w3.org/TR/xml/#sec-guessing-no-ext-info
_CODEC_OF_NULS: Mapping[tuple[bool, ...], str] = {
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
}
_NAME = r"[^\W\d][\w.\-]*"
#: The root element, and markup before it. `\Z` accepts markup without an end: an alternative that
#: fails only at the end of the head would be tried again from every `<!--`.
_MARKUP = lazy_regex(
    rf"<(?:!--.*?(?:-->|\Z)|!\[CDATA\[.*?(?:\]\]>|\Z)|\?xml\b[^<>]*>|\?.*?(?:\?>|\Z)"
    rf"|(?P<doctype>!DOCTYPE\b(?P<html>\s+html\b)?)|(?P<name>{_NAME}(?::{_NAME})?)(?=[\s/>]))",
    re.DOTALL | re.IGNORECASE,
)
_DOCTYPE = lazy_regex(
    r"""<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|"[^"]*+"|'[^']*+'|[\[\]>]""", re.DOTALL
)
_CHANNEL = lazy_regex(rf"<(?:{_NAME}:)?channel[\s/>]", re.IGNORECASE)
_JSON = lazy_regex(r"""\s*(?:\{\s*["}]|\[\s*["{\[\]\d])""")

#: HTML of warnings that servers and PHP print before the document: no root if another follows.
_WARNING_MARKUP = frozenset(
    {"a", "b", "br", "center", "div", "em", "font", "hr", "i", "p", "pre", "small", "span"}
) | {"strong", "table", "tbody", "td", "th", "tr"}
_JSON_FEED = lazy_regex(
    r"""\s*\{[^\0]*"version"\s*:\s*"https?:(?:\\?/){2}(?:www\.)?jsonfeed\.org(?:\\?/)version"""
)

#: Names of a column that holds URLs, as `column_name` normalizes them.
URL_COLUMNS = frozenset({"url", "loc", "location", "link", "permalink", "address", "page"})
_DELIMITERS = ",;\t"


class RootElement(NamedTuple):
    """The start tag of a root element, as far as the head holds it."""

    name: str
    """The local name."""
    namespace: str | None

    @property
    def lower_name(self) -> str:
        """The name in lower case: `<RSS>` is RSS, as for feedparser and aggregators."""
        return self.name.lower()


def detect_encoding(head: bytes) -> tuple[str, int]:
    """Return the codec that the bytes themselves show, and the length of the byte order mark.

    Without a mark and without a pattern of NULs it is UTF-8, whatever the document declares: all
    other encodings of feeds write markup as ASCII does.
    """
    for mark, codec in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return codec, len(mark)
    return _CODEC_OF_NULS.get(tuple(byte == 0 for byte in head[:4]), "utf-8"), 0


def decode_head(head: bytes) -> str:
    """Decode without byte order marks; undecodable bytes become U+FFFD."""
    codec, skip = detect_encoding(head)
    return head[skip:].decode(codec, "replace").lstrip("\ufeff")


@lru_cache(maxsize=1)  # each format asks for the root of the same document
def find_root(head: bytes) -> RootElement | None:
    """Return the root element; None if none begins in the head.

    Comments, processing instructions, a DOCTYPE with its subset, stray CDATA, text, and the HTML
    of a server's warning may precede it. JSON that quotes markup has no root.
    """
    text = decode_head(head)
    if _JSON.match(text) or not (found := _find_root_tag(text)):
        return None
    prefix, colon, local = found["name"].rpartition(":")
    declaration = rf"""[^<]*?\sxmlns{colon}{re.escape(prefix)}\s*=\s*["']([^"'<]*)"""
    namespace = re.compile(declaration).match(text, found.end())
    return RootElement(local, namespace[1] if namespace else None)


def root_name(head: bytes) -> str | None:
    """Return the local name of the root in lower case; None if none begins in the head."""
    root = find_root(head)
    return root.lower_name if root else None


def is_rss(head: bytes) -> bool:
    """Detect RSS in any prefix, namespace and case; RDF with a channel.

    The root is `rss` in 0.9x and 2.0, `Channel` in 1.1, and `RDF` in 0.90 and 1.0.
    """
    name = root_name(head)
    if name == "rdf":
        return _CHANNEL.search(decode_head(head)) is not None
    return name in {"rss", "channel"}


def is_atom(head: bytes) -> bool:
    """Detect a `feed` in any namespace of Atom or in none."""
    root = find_root(head)
    if root is None or root.lower_name != "feed":
        return False
    return not root.namespace or namespaces.canonical_prefix(root.namespace) == "atom"


def is_html(head: bytes) -> bool:
    """Detect an HTML page by its root or its DOCTYPE."""
    if root_name(head) in {"html", "head", "body"}:
        return True
    return any(found["html"] for found in _MARKUP.finditer(decode_head(head)))


def is_json(head: bytes) -> bool:
    """Detect a JSON object or array."""
    return _JSON.match(decode_head(head)) is not None


def is_json_feed(head: bytes) -> bool:
    """Detect a JSON object with the version of a JSON Feed."""
    return _JSON_FEED.match(decode_head(head)) is not None


def is_table(head: bytes) -> bool:
    """Detect a table whose first row names a column of URLs and whose next rows hold URLs."""
    first, *rest = decode_head(head).lstrip().splitlines() or [""]
    delimiter = delimiter_of(first)
    if delimiter is None or first.startswith("#"):  # a comment in a list of URLs
        return False
    import csv  # most documents are not tables

    is_url = [column_name(name) in URL_COLUMNS for name in first.split(delimiter)]
    rows = csv.reader(rest, delimiter=delimiter)
    return any("://" in cell for row in rows for cell in compress(row, is_url))


def delimiter_of(row: str) -> str | None:
    """Return the delimiter of the first row of a table; None if it names no column of URLs.

    A tab, which no URL contains, is the delimiter of a row with one name.
    """
    if "://" in row:
        return None
    found = max(_DELIMITERS, key=row.count)
    delimiter = found if found in row else "\t"
    names = {column_name(name) for name in row.split(delimiter)}
    return None if names.isdisjoint(URL_COLUMNS) else delimiter


def column_name(name: str) -> str:
    """Return the name of a column in lower case, without quotation marks, spaces, `_` and `-`."""
    return re.sub(r"[\s\"'_\-]+", "", name).lower()


def _find_root_tag(text: str) -> re.Match[str] | None:
    """Return the first element that is not a server's warning, else the first of all."""
    first: re.Match[str] | None = None
    at = 0
    while found := _MARKUP.search(text, at):
        at = found.end()
        if found["doctype"]:
            at = end_of_doctype(text, at) or len(text)
        if found["name"]:
            if found["name"].lower() not in _WARNING_MARKUP:
                return found
            first = first or found
    return first


def start_of_document(text: str) -> int:
    """Return the position of the first markup that is not a server's warning; 0 without any."""
    for found in _MARKUP.finditer(text):
        if not found["name"] or found["name"].lower() not in _WARNING_MARKUP:
            return found.start()
    return 0


def end_of_doctype(text: str, at: int) -> int | None:
    """Return the end of the DOCTYPE whose keyword ends at `at`; None if it is not in this text.

    Literals, comments and the internal subset may hold `>`.
    """
    depth = 0
    for token in _DOCTYPE.finditer(text, at):
        depth += {"[": 1, "]": -1}.get(token[0], 0)
        if token[0] == ">" and depth <= 0:
            return token.end()
    return None
