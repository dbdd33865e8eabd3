"""Rules for the entries of a sitemap, and the walk over one entry."""

from __future__ import annotations

from typing import Final

from converter.checks import dates, hreflang, images, news, urls, video
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, INFO, PROTOCOL, CheckRule
from converter.checks.structure import PARENT_OF, SCHEMAS, children_by_name
from converter.model import Moment
from converter.values import numbers

_GOOGLE: Final = (
    "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap"
    "#additional-notes-about-xml-sitemaps"
)

RULES: Final = (
    CheckRule(
        "changefreq-unknown", ERROR, "changefreq has an unknown value",
        why="The XML Schema of sitemaps refuses the file.",
        fix="Write always, hourly, daily, weekly, monthly, yearly or never, or remove the element.",
        source=f"{PROTOCOL}#changefreqdef", convert="repaired",
    ),
    CheckRule(
        "priority-unknown", ERROR, "priority is not a number from 0.0 to 1.0",
        why="The XML Schema of sitemaps refuses the file.",
        fix="Write a number such as 0.8, or remove the element.",
        source=f"{PROTOCOL}#prioritydef", convert="repaired",
    ),
    CheckRule(
        "changefreq-ignored", INFO, "changefreq is ignored by Google",
        why="Google reads neither changefreq nor priority.",
        fix="Remove the element; a right lastmod says more.",
        source=_GOOGLE, convert="kept", is_default=False, profiles=frozenset({"google"}),
    ),
)  # fmt: skip


class SitemapEntry:
    """What the rules of a whole file must know of an entry."""

    __slots__ = ("element", "image_urls", "lastmod", "loc", "news", "thumbnails", "versions")

    def __init__(self, element: Element) -> None:
        self.element = element
        self.loc: str | None = None
        self.lastmod: Moment | None = None
        self.news = 0
        self.thumbnails: list[str] = []
        self.versions: list[tuple[str, str]] = []
        """Language and URL of each version."""


def check_entry(context: CheckContext, element: Element) -> SitemapEntry:
    """Check a `url` element."""
    entry = SitemapEntry(element)
    found = children_by_name(context, element, SCHEMAS["url"], "url")
    locs = found.get("loc")
    context.entry = None
    if locs is None:
        context.report("url-missing", "<url> without <loc>", element, path="url/loc")
    else:
        if len(locs) > 1:
            message = f"{len(locs)} <loc> in one <url>; expected one"
            context.report("url-repeated", message, locs[1], path="url/loc")
        entry.loc = context.entry = urls.check_element(context, locs[0], "url/loc", is_page=True)
    for name, elements in found.items():
        if name == "lastmod":
            entry.lastmod = dates.check_element(context, elements[0], "url/lastmod")
        elif name != "loc" and (check := _CHECKS.get(name)) is not None:
            check(context, elements, entry)
    return entry


def report_unexpected(context: CheckContext, element: Element, expected: str) -> None:
    """Report a child of the root that is not the expected element."""
    context.entry = None
    name, written = element.name, f"<{element.written_name}>"
    if name.lower() == expected:
        message = f"{written}: wrong case; expected <{expected}>"
        context.report("xml-case", message, element, path=element.name)
    elif name in PARENT_OF:
        message = f"{written} in the root element; expected in <{PARENT_OF[name]}>"
        context.report("element-misplaced", message, element, path=name)
    elif not name.startswith("{"):
        message = f"{written} is no element of the root; expected <{expected}>"
        context.report("element-unknown", message, element, path=name)


def _check_changefreq(context: CheckContext, elements: list[Element], _entry: SitemapEntry) -> None:
    text, path = elements[0].text, "url/changefreq"
    value, notes = numbers.changefreq(text)
    if value is None or notes:
        message = f'<changefreq> "{text.strip()[:40]}" is none of the seven words'
        context.report("changefreq-unknown", message, elements[0], path=path)
    else:
        context.report("changefreq-ignored", "<changefreq> is ignored", elements[0], path=path)


def _check_priority(context: CheckContext, elements: list[Element], _entry: SitemapEntry) -> None:
    text = elements[0].text
    value, _ = numbers.priority(text)
    if value is None:
        message = f'<priority> "{text.strip()[:40]}" is not a number from 0.0 to 1.0'
        context.report("priority-unknown", message, elements[0], path="url/priority")


def _check_images(context: CheckContext, elements: list[Element], entry: SitemapEntry) -> None:
    images.check(context, elements, entry.loc)


def _check_videos(context: CheckContext, elements: list[Element], entry: SitemapEntry) -> None:
    for element in elements:
        if (thumbnail := video.check(context, element, entry.loc)) is not None:
            entry.thumbnails.append(thumbnail)


def _check_news(context: CheckContext, elements: list[Element], entry: SitemapEntry) -> None:
    entry.news = len(elements)
    news.check(context, elements)


def _check_links(context: CheckContext, elements: list[Element], entry: SitemapEntry) -> None:
    entry.versions = hreflang.check(context, elements, entry.loc)


_CHECKS: Final = {
    "changefreq": _check_changefreq,
    "priority": _check_priority,
    "image:image": _check_images,
    "video:video": _check_videos,
    "news:news": _check_news,
    "xhtml:link": _check_links,
}
