"""Writes text as XML: the only module that escapes, and the only one that indents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from converter.values.lazy_regex import lazy_regex
from converter.values.text import remove_illegal
from converter.xml.namespaces import URI_OF

DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'

#: The beginning of an index of this program. Only files named in such an index are ever removed.
INDEX_START: Final = f"{DECLARATION}<!-- feed2sitemap -->\n"

#: All five of the sitemap protocol (https://www.sitemaps.org/protocol.html#escaping), though XML
#: needs fewer. A raw CR would be read as LF. `&` is first, so that no reference is escaped again.
_REFERENCES: Final = (
    ("&", "&amp;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ('"', "&quot;"),
    ("'", "&apos;"),
    ("\r", "&#13;"),
)

#: An element that holds only text, an empty element, or one tag. Values are escaped, so `<` and
#: `>` are always markup.
_PIECE: Final = lazy_regex(
    r"<([^\s/>]++)(?:\s[^>]*+)?+>[^<]*+</\1>"  # text stays on the line of its element (mapping 1.1)
    r"|<[^>]*+>"
)


def escape(text: str) -> str:
    """Escape text for an element or a quoted attribute; remove characters that XML forbids."""
    # half the time of one regular expression
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
    """Write an element that holds only text; a text or an attribute of None writes nothing.

    An empty text gives a start tag and an end tag, never an empty-element tag.
    """
    if text is None:
        return ""
    start = name
    for key, value in attributes:
        if value is not None:
            start += f' {key}="{escape(value)}"'
    return f"<{start}>{escape(text)}</{name}>"


def namespace_declarations(prefixes: Iterable[str]) -> str:
    """Write the declarations of namespace prefixes, in their order."""
    return "".join([f' xmlns:{prefix}="{URI_OF[prefix]}"' for prefix in prefixes])


def encode_markup(xml: str, depth: int, *, pretty: bool) -> bytes:
    """Encode markup as one line, or indented if `pretty`."""
    return (indent(xml, depth) if pretty else f"{xml}\n").encode()


def indent(xml: str, depth: int = 0) -> str:
    """Indent markup of this module: one element per line, two spaces per level.

    The markup has no comments, no CDATA, and no `<` or `>` in values.
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
