"""Text to XML: the only place that escapes, and the only one that knows how markup is laid out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from converter.values.lazy_regex import lazy_regex
from converter.values.text import remove_illegal
from converter.xml.namespaces import URI_OF

DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'

#: How an index of this program begins. Only files that such an index names are ever removed.
INDEX_START: Final = f"{DECLARATION}<!-- feed2sitemap -->\n"

#: All five, though XML would do with fewer: the sitemap protocol's table names all five, and says
#: so of URLs too (https://www.sitemaps.org/protocol.html#escaping). A raw CR would be read as LF.
#: `&` stands first, so that no reference is escaped again.
_REFERENCES: Final = (
    ("&", "&amp;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ('"', "&quot;"),
    ("'", "&apos;"),
    ("\r", "&#13;"),
)

#: An element with text or nothing in it, an empty element, or one tag. Values are escaped, so
#: `<` and `>` are always markup here.
_PIECE: Final = lazy_regex(
    r"<([^\s/>]++)(?:\s[^>]*+)?+>[^<]*+</\1>"  # a leaf stays on its line (mapping 1.1)
    r"|<[^>]*+>"
)


def escape(text: str) -> str:
    """Escape text for an element or a quoted attribute; what XML cannot hold is removed."""
    # these tests take half the time of one regular expression
    if text.isprintable() and not (
        "&" in text or "<" in text or ">" in text or '"' in text or "'" in text
    ):
        return text
    text, _ = remove_illegal(text)
    for character, reference in _REFERENCES:
        text = text.replace(character, reference)
    return text


def text_element(
    name: str, text: str | None, attributes: Iterable[tuple[str, str | None]] = ()
) -> str:
    """Write an element that holds only text; None writes nothing, as does an attribute of None.

    An empty text gives a start tag and an end tag, never one empty-element tag.
    """
    if text is None:
        return ""
    start = name
    for key, value in attributes:
        if value is not None:
            start += f' {key}="{escape(value)}"'
    return f"<{start}>{escape(text)}</{name}>"


def namespace_declarations(prefixes: Iterable[str]) -> str:
    """Write the declarations of namespace prefixes, in this order."""
    return "".join([f' xmlns:{prefix}="{URI_OF[prefix]}"' for prefix in prefixes])


def encode_markup(xml: str, depth: int, *, pretty: bool) -> bytes:
    """Encode markup of this module as one line, or laid out with `indent`."""
    return (indent(xml, depth) if pretty else f"{xml}\n").encode()


def indent(xml: str, depth: int = 0) -> str:
    """Lay markup of this module out, an element to a line, two spaces a level.

    Only for text that was escaped here: no comments, no CDATA, no `<` or `>` in values.
    """
    lines = []
    for match in _PIECE.finditer(xml):
        piece = match[0]
        closes = piece.startswith("</")
        if closes:
            depth -= 1
        lines.append(f"{'  ' * depth}{piece}\n")
        if not (closes or match[1] or piece.endswith("/>")):
            depth += 1
    return "".join(lines)
