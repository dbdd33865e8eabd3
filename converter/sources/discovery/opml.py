"""Lists of feeds: OPML, http://opml.org/spec2.opml#subscriptionLists."""

from __future__ import annotations

from typing import BinaryIO, Final
from urllib.parse import urlsplit

from converter.errors import LimitError
from converter.issues import Code, Issue, Report
from converter.values import urls
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Element
from converter.xml.parse_errors import line_of

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
    walk = EntryParser(
        stream,
        entries=frozenset({"body"}),
        containers=frozenset(),
        on_header=lambda _: None,
        is_field=lambda _: False,
        on_restart=found.clear,
        report=report,
    )
    for body in walk:
        for element in body.iter("{*}*"):
            if str(element.tag).rpartition("}")[2].lower() == "outline":
                found |= dict.fromkeys(_feeds(element, base, walk.report))
    if len(found) > _MOST_FEEDS:
        raise LimitError(f"the list names more than {_MOST_FEEDS:,} feeds. Split it", limit="feeds")
    return tuple(found)


def _feeds(outline: Element, base: str | None, report: Report) -> list[str]:
    """Give the feed that an outline names, if it names one that could be fetched."""
    given = {str(name).lower(): str(value).strip() for name, value in outline.attrib.items()}
    xml_url = given.get("xmlurl", "")
    if not xml_url or given.get("type", "").lower() in _NO_FEEDS:
        return []
    url = urls.resolve(xml_url, base).url or ""
    try:
        parts = urlsplit(url)
        if urls.is_http(url) and parts.hostname and parts.port != 0:
            return [url]
    except ValueError:  # the port is no number, or an IPv6 address lacks its bracket
        pass
    said = f"xmlUrl {urls.quoted(xml_url)} is no http(s) URL; left out"
    line, path = line_of(outline), "outline/xmlUrl"
    report(Issue(code=Code.URL_UNUSABLE, message=said, line=line, path=path))
    return []
