"""Writes the elements of feeds, escaped, and reports what cannot be written."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from converter.extensions.links import LANGUAGE_TAG
from converter.extensions.page_context import WrittenItem
from converter.extensions.read_context import url_label
from converter.issues import Code, Report
from converter.model import Entry, ExtraElement, Link, Text
from converter.values import text, urls
from converter.values.lazy_regex import lazy_regex
from converter.xml.escape import escape
from converter.xml.namespaces import URI_OF, XML_LANG, canonical_prefix

Attributes = Iterable[tuple[str, str | None]]

#: A tag with attributes, as far as the next `<` at most; and an attribute that is a reference.
_TAG: Final = lazy_regex(r"<[A-Za-z][^<>\s]*\s[^<>]*>")
_REFERENCE: Final = lazy_regex(
    r"""(\s(?:href|src)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""", re.IGNORECASE
)
_HTTP: Final = ("https://", "http://")
_ABSOLUTE: Final = lazy_regex(r"\s*(?:[A-Za-z][A-Za-z0-9+.\-]*:|\Z)")

#: Any absolute URI; http(s) goes through `values.urls` instead.
_URI: Final = lazy_regex(r"[A-Za-z][A-Za-z0-9+.\-]*:[!#-;=?-\[\]_a-z~]+")

#: Modules of which any feed may hold elements.
_MODULES: Final = ("slash:", "thr:", "wfw:")

#: Attributes of kept elements that hold references.
_REFERENCES: Final = frozenset({"href", "url", "src"})


@dataclass(slots=True, eq=False)
class ElementWriter(WrittenItem):
    """Writes the elements of one entry or header, and collects their namespace prefixes."""

    base: str | None = None
    """What relative references in its HTML resolve against."""
    prefixes: set[str] = field(default_factory=set)

    @classmethod
    def for_entry(cls, entry: Entry, report: Report) -> ElementWriter:
        """Return the writer of an entry."""
        loc, feed = entry.loc, entry.feed
        source, base = (feed.source, loc or feed.link) if feed else (None, loc)
        return cls(report, entry.line, url_label(loc) or entry.id, source, base=base)

    # -- elements ---------------------------------------------------------------------------

    def leaf(self, name: str, value: str | None, attributes: Attributes = ()) -> str:
        """Write an element that holds only text; None writes nothing."""
        if value is None:
            return ""
        tag = self._tag(name, attributes) if attributes or ":" in name else name
        text = escape(value if value.isprintable() else self.clean(value, name))
        return f"<{tag}>{text}</{name}>"

    def link(self, name: str, link: Link) -> str:
        """Write a link, unless its URL cannot be used."""
        if not (href := self.url(link.href, "link")):
            return ""
        attributes = (
            ("rel", link.rel),
            ("type", link.type),
            ("hreflang", link.hreflang),
            ("title", link.title),
            ("href", href),
        )
        return self.empty(name, attributes)

    def empty(self, name: str, attributes: Attributes) -> str:
        """Write an element that holds only attributes."""
        return f"<{self._tag(name, attributes)}/>"

    def element(self, name: str, inner: str, attributes: Attributes = ()) -> str:
        """Write an element that holds markup; empty markup writes nothing."""
        return f"<{self._tag(name, attributes)}>{inner}</{name}>" if inner else ""

    def _tag(self, name: str, attributes: Attributes) -> str:
        """Return the contents of a start tag: the name, and the attributes that are not None."""
        prefix, colon, _ = name.partition(":")
        if colon:
            self.prefixes.add(prefix)
        tag = name
        for key, value in attributes:
            if value is not None:
                text = escape(value if value.isprintable() else self.clean(value, name))
                tag += f' {key}="{text}"'
        return tag

    def word(self, word: ExtraElement) -> str:
        """Write an element that was kept as it is, with absolute references."""
        prefix, _, _ = word.name.rpartition(":")
        if prefix not in URI_OF:
            self.warn(
                Code.DROPPED_FIELD, f"<{word.name[:60]}> cannot be written here", word.name[:60]
            )
            return ""
        attributes = [pair for given in word.attributes if (pair := self._attribute(*given))]
        inner = "".join([self.word(child) for child in word.children])
        if not inner:
            return self.leaf(word.name, word.text or "", attributes)
        lead = escape(self.clean(word.text or "", word.name))
        return self.element(word.name, lead + inner, attributes)

    def modules(self, words: Iterable[ExtraElement]) -> str:
        """Write the kept elements of modules that feeds know."""
        return "".join([self.word(word) for word in words if word.name.startswith(_MODULES)])

    def _attribute(self, name: str, value: str) -> tuple[str, str] | None:
        if name.lower() in _REFERENCES:
            return name, urls.resolve(value, self.base).url or value
        if name == XML_LANG:
            return "xml:lang", value
        uri, _, local = name.rpartition("}")
        prefix = canonical_prefix(uri[1:]) if uri else None
        if prefix:
            self.prefixes.add(prefix)
            return f"{prefix}:{local}", value
        return None if uri or ":" in name else (name, value)

    # -- values -----------------------------------------------------------------------------

    def clean(self, value: str, path: str) -> str:
        """Remove and report the characters that XML cannot hold."""
        if value.isprintable():
            return value
        kept, removed = text.remove_illegal(value)
        if removed:
            message = f"{removed:,} characters that XML cannot hold were removed"
            self.warn(Code.TEXT_CLEANED, message, path)
        return kept

    def inline(self, value: str, path: str) -> str:
        """Return plain text on one line."""
        text = value if value.isprintable() else self.clean(value, path)
        return " ".join(text.split())

    def plain(self, value: Text | None, path: str) -> str | None:
        """Return a text as plain text: that of HTML on one line, any other as it is."""
        if value is None:
            return None
        if value.is_html:
            return text.plain(value.value, is_html=True) or None
        return self.clean(value.value, path).strip() or None

    def html(self, value: Text | None) -> str | None:
        """Return a text as HTML with absolute references (mapping 6.3).

        They resolve against the `xml:base` of the source, else against the page of the entry; a
        fragment alone refers to that page.
        """
        if value is None:
            return None
        if not value.is_html:
            return html.escape(value.value, quote=False)
        page = self.base
        base = value.base if value.has_own_base or not page else page
        if not base:
            return value.value

        def absolute(attribute: re.Match[str]) -> str:
            start, *values = attribute.groups("")
            reference = "".join(values)
            if reference.startswith(_HTTP) or _ABSOLUTE.match(
                reference := html.unescape(reference)
            ):
                return attribute[0]
            url = urls.resolve(reference, page if reference.startswith("#") else base).url
            return attribute[0] if url is None else f'{start}"{html.escape(url)}"'

        return _TAG.sub(lambda tag: _REFERENCE.sub(absolute, tag[0]), value.value)

    def url(self, value: str | None, path: str) -> str | None:
        """Return an absolute URI in ASCII, as validators require; None if it is not one."""
        if not value:
            return None
        if urls.is_canonical_page(value):
            return value
        if not urls.is_http(value):
            if is_uri(value):
                return value
            self.warn(Code.URL_UNUSABLE, f"{urls.quoted(value)} is not an absolute URI", path)
            return None
        cleaned = urls.clean_media(value, keep_fragment=True)
        for code, message in cleaned.notes:
            self.warn(code, message, path)
        return cleaned.url


def is_uri(value: str) -> bool:
    """Whether a text is an absolute URI."""
    return _URI.fullmatch(value) is not None


def language(tag: str | None) -> str | None:
    """Return a language tag as BCP 47 spells it; None if it is no tag."""
    spelt = (tag or "").strip().replace("_", "-")
    return spelt if LANGUAGE_TAG.fullmatch(spelt) else None
