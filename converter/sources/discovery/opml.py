"""Lists of feeds: OPML, http://opml.org/spec2.opml#subscriptionLists."""

from __future__ import annotations

from typing import BinaryIO, Final

from converter.errors import LimitError
from converter.issues import Code, Issue, Report
from converter.values import urls
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Element, line_of

#: More than a reader subscribes to; each feed is fetched.
_MAX_FEEDS: Final = 10_000

#: Types of outlines whose URL is not that of a feed.
_OTHER_TYPES: Final = frozenset(("include", "link"))


def feeds_in_opml(stream: BinaryIO, base: str | None, report: Report) -> tuple[str, ...]:
    """Return the URLs of all feeds of a list and its groups in their order, each once.

    Raises:
        DocumentError: the list is broken.
        LimitError: the list names too many feeds, or exceeds a limit of the parser.
    """
    found: dict[str, None] = {}
    # Outlines are nested to any depth, so the body is read as one entry.
    walker = EntryParser(
        stream,
        entries=frozenset({"body"}),
        containers=frozenset(),
        on_header=lambda _: None,
        is_field=lambda _: False,
        on_restart=found.clear,
        report=report,
    )
    for body in walker:
        for element in body.iter("{*}*"):
            is_outline = str(element.tag).rpartition("}")[2].lower() == "outline"
            if is_outline and (url := _feed_url(element, base, walker.report)):
                found[url] = None
    if len(found) > _MAX_FEEDS:
        raise LimitError(f"the list names more than {_MAX_FEEDS:,} feeds. Split it", limit="feeds")
    return tuple(found)


def _feed_url(outline: Element, base: str | None, report: Report) -> str | None:
    """Return the URL of the feed that an outline names; None if there is no usable one."""
    attributes = {str(name).lower(): str(value).strip() for name, value in outline.attrib.items()}
    xml_url = attributes.get("xmlurl", "")
    if not xml_url or attributes.get("type", "").lower() in _OTHER_TYPES:
        return None
    url = urls.resolve(xml_url, base).url or ""
    if urls.is_http(url) and urls.host_of(url):
        return url
    message = f"xmlUrl {urls.quoted(xml_url)} is not an http(s) URL; left out"
    line, path = line_of(outline), "outline/xmlUrl"
    report(Issue(code=Code.URL_UNUSABLE, message=message, line=line, path=path))
    return None
