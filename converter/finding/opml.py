"""Lists of feeds: OPML, http://opml.org/spec2.opml#subscriptionLists."""

from __future__ import annotations

from typing import BinaryIO, Final
from urllib.parse import urlsplit

from converter.errors import LimitError
from converter.issues import Code, Issue, Report
from converter.values import urls
from converter.xml.stream import Walk, line_of
from converter.xml.take import Element

__all__ = ["feeds_of"]

#: More than anybody follows; each is fetched.
_MOST_FEEDS: Final = 10_000

#: Outlines of these types hold other lists, or pages.
_NO_FEEDS: Final = frozenset(("include", "link"))


def feeds_of(stream: BinaryIO, base: str | None, report: Report) -> tuple[str, ...]:
    """Give the feeds of a list and of its groups, in its order, each once.

    Raises:
        DocumentError: it is broken.
        LimitError: a guard struck.
    """
    found: dict[str, None] = {}
    # Outlines stand in one another as deep as they like, so the body is taken as a whole.
    walk = Walk(
        stream,
        entries=frozenset({"body"}),
        containers=frozenset(),
        on_header=lambda _: None,
        is_field=lambda _: False,
        on_restart=found.clear,
        report=report,
    )
    for body in walk:
        for element in body.iter():
            is_outline = str(element.tag).rpartition("}")[2].lower() == "outline"
            if is_outline and (url := _feed(element, base, walk.report)):
                found[url] = None
    if len(found) > _MOST_FEEDS:
        raise LimitError(f"the list names more than {_MOST_FEEDS:,} feeds. Split it", limit="feeds")
    return tuple(found)


def _feed(outline: Element, base: str | None, report: Report) -> str | None:
    given = {str(name).lower(): str(value) for name, value in outline.attrib.items()}
    if given.get("type", "").strip().lower() in _NO_FEEDS or not given.get("xmlurl", "").strip():
        return None
    resolved = urls.resolve(given["xmlurl"], base)
    if resolved.url and _is_fit(resolved.url):
        return resolved.url
    report(
        Issue(
            code=Code.URL_UNUSABLE,
            message=f"xmlUrl {urls.shown(given['xmlurl'])} is no http(s) URL; left out",
            line=line_of(outline),
            path="outline/xmlUrl",
        )
    )
    return None


def _is_fit(url: str) -> bool:
    """Could it be fetched, if there is such a host?"""
    try:
        parts = urlsplit(url)
        return urls.is_http(url) and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number, or an IPv6 address lacks its bracket
        return False
