"""What a page of a feed says of others: RFC 5005, the Link header, and how WordPress counts.

https://www.rfc-editor.org/rfc/rfc5005, https://www.rfc-editor.org/rfc/rfc8288
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from lxml import etree

from converter.edge.sources import Source
from converter.issues import ignore
from converter.values import urls
from converter.values.marks import digest
from converter.values.patterns import lazy
from converter.vocab.links import relation
from converter.xml import take
from converter.xml.names import canonical
from converter.xml.stream import Walk
from converter.xml.take import Element

__all__ = ["Look", "counts_pages", "look", "number_of", "numbered"]

_FOLLOWED: Final = frozenset(("next", "prev-archive", "current", "self"))
_GENERATOR: Final = lazy(r"wordpress\.(?:org|com)|\bwordpress\b", re.IGNORECASE)
#: The parameter that WordPress counts the pages of a feed by, from 1.
#: https://developer.wordpress.org/reference/classes/wp_query/#pagination-parameters
_PAGED: Final = "paged"
_HOME: Final = "rss"
#: The local names of what is read of a header.
_FIELDS: Final = frozenset(("archive", "complete", "generator", "link"))


@dataclass(slots=True)
class Look:
    """What a page of a feed says of itself and of others."""

    links: dict[str, str] = field(default_factory=dict)
    """Absolute, by relation; the first of each."""
    keys: set[int] = field(default_factory=set)
    """A digest for each entry."""
    is_archive: bool = False
    """It does not change any more (RFC 5005, section 4)."""
    is_complete: bool = False
    """There is nothing but it (section 2)."""
    is_wordpress: bool = False
    """It says so itself."""

    def take(self, element: Element, base: str | None) -> None:
        """Take what leads on from one field of the header."""
        name, local = canonical(str(element.tag), _HOME), _local(element)
        if name == "fh:archive":
            self.is_archive = True
        elif name == "fh:complete":
            self.is_complete = True
        elif local == "generator":
            said = f"{take.text_of(element)} {element.get('uri') or ''}"
            self.is_wordpress = _GENERATOR.search(said) is not None
        elif local == "link" and (rel := relation(element)) in _FOLLOWED:
            for inner in take.bases(element):
                base = urls.resolve(inner, base).url or base
            href = urls.resolve(element.get("href") or "", base).url
            if href and urls.is_http(href):
                self.links.setdefault(rel, href)


def look(page: Source) -> Look:
    """Read a page for where it leads to.

    Raises:
        DocumentError: it is no feed that can be read so; without its name.
        LimitError: a guard struck.
    """
    found = Look()

    def restart() -> None:
        nonlocal found
        found = Look(keys=found.keys)

    walk = Walk(
        page.stream,
        entries=frozenset({"item", "entry"}),
        containers=frozenset({"channel"}),
        on_header=lambda element: found.take(element, page.url),
        is_field=lambda element: _local(element) in _FIELDS,
        on_restart=restart,
        report=ignore,
    )
    try:
        for entry in walk:
            found.keys.add(digest(_key(entry)))
    finally:
        page.stream.seek(0)
    for rel, url in page.links:
        if rel.lower() in _FOLLOWED and urls.is_http(url):
            found.links.setdefault(rel.lower(), url)
    return found


def _local(element: Element) -> str:
    return canonical(str(element.tag), _HOME).rpartition(":")[2].lower()


def _key(entry: Element) -> str | bytes:
    """Tell an entry from others: by its id, else by its page, else by all of it."""
    found: dict[str, str] = {}
    for child in entry:
        name = _local(child)
        if name in {"guid", "id", "link"}:
            found.setdefault(name, take.text_of(child) or child.get("href") or "")
    known = next(filter(None, map(found.get, ("guid", "id", "link"))), None)
    return known or etree.tostring(entry, with_tail=False)


def counts_pages(url: str) -> bool:
    """Say whether an address looks like that of a feed of WordPress."""
    parts = urlsplit(url)
    return parts.path.rstrip("/").endswith("/feed") or any(
        name == "feed" for name, _ in parse_qsl(parts.query, keep_blank_values=True)
    )


def number_of(url: str) -> int:
    """Give the number of the page that an address asks for."""
    for name, value in parse_qsl(urlsplit(url).query):
        if name == _PAGED and re.fullmatch(r"[0-9]{1,6}", value):
            return max(1, int(value))
    return 1


def numbered(url: str, number: int) -> str:
    """Give the address of another page."""
    parts = urlsplit(url)
    others = [each for each in parts.query.split("&") if each and each.split("=")[0] != _PAGED]
    query = "&".join([*others, urlencode({_PAGED: number})])
    return parts._replace(query=query, fragment="").geturl()
