"""Rules for sitemap indexes."""

from __future__ import annotations

from typing import Final, NamedTuple

from converter.checks import dates, urls
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, PROTOCOL, SITEMAPS, WARNING, CheckRule, Place
from converter.checks.structure import SCHEMAS, children_by_name
from converter.values.urls import host_of, quoted

_INDEX: Final = f"{PROTOCOL}#index"
_LARGE: Final = f"{SITEMAPS}/large-sitemaps"

RULES: Final = (
    CheckRule(
        "index-nested", ERROR, "an index lists another index",
        why="Indexes cannot be nested; search engines ignore the inner one.",
        fix="List the sitemaps themselves.",
        source=_INDEX,
    ),
    CheckRule(
        "index-child-unreadable", ERROR, "a sitemap of an index cannot be read",
        why="Search engines cannot read it either, and miss its pages.",
        fix="Publish the sitemap, or remove it from the index.",
        source=_INDEX,
    ),
    CheckRule(
        "index-child-not-sitemap", ERROR, "an index lists a file that is no sitemap",
        why="Search engines ignore it.",
        fix="List only sitemaps.",
        source=_INDEX,
    ),
    CheckRule(
        "index-child-other-host", WARNING, "an index lists a sitemap on another host",
        why="The protocol allows only sitemaps of the same site; Google allows verified sites.",
        fix="Publish index and sitemaps on the same host.",
        source=_INDEX,
    ),
    CheckRule(
        "index-child-outside", ERROR, "a sitemap is not below the folder of its index",
        why="An index lists only sitemaps in its own folder and below.",
        fix="Publish the index in a higher folder.",
        source=_LARGE,
    ),
    CheckRule(
        "index-child-duplicate", WARNING, "an index lists a sitemap twice",
        why="It counts towards the limit of the index, and is fetched again.",
        fix="List each sitemap once.",
        source=_INDEX, convert="repaired",
    ),
    CheckRule(
        "index-cycle", ERROR, "an index lists itself",
        why="Search engines ignore it.",
        fix="Remove the entry.",
        source=_INDEX,
    ),
    CheckRule(
        "index-extension-element", WARNING, "an entry of an index has an element of an extension",
        why="The XML Schema of indexes allows only <loc> and <lastmod>.",
        fix="Move images, videos and news to the sitemaps.",
        source=f"{PROTOCOL}#validating", convert="dropped",
    ),
)  # fmt: skip


class Child(NamedTuple):
    """A sitemap that an index lists."""

    loc: str
    place: Place


class IndexCheck:
    """The entries of one index."""

    def __init__(self, context: CheckContext) -> None:
        self.children: list[Child] = []
        self.count = 0
        """Of all entries, also those without a usable URL."""
        self._context = context
        self._seen: set[str] = set()
        self._scope = ""
        if context.published_url:
            self._scope = context.published_url.partition("?")[0].rpartition("/")[0] + "/"

    def add(self, element: Element) -> None:
        """Check a `sitemap` element."""
        context = self._context
        context.entry = None
        self.count += 1
        self._check_extensions(element)
        found = children_by_name(context, element, SCHEMAS["sitemap"], "sitemap")
        locs = found.get("loc")
        if locs is None:
            message = "<sitemap> without <loc>"
            context.report("url-missing", message, element, path="sitemap/loc")
            return
        if len(locs) > 1:
            message = f"{len(locs)} <loc> in one <sitemap>; expected one"
            context.report("url-repeated", message, locs[1], path="sitemap/loc")
        url = urls.check_element(context, locs[0], "sitemap/loc")
        context.entry = url
        if "lastmod" in found:
            dates.check_element(context, found["lastmod"][0], "sitemap/lastmod")
        if url is not None:
            self._add_child(url, locs[0].place)

    def _check_extensions(self, element: Element) -> None:
        for child in element.children:
            if ":" in child.name and not child.name.startswith("{"):
                message = f"<{child.written_name}> in <sitemap>"
                path = f"sitemap/{child.name}"
                self._context.report("index-extension-element", message, child, path=path)

    def _add_child(self, url: str, place: Place) -> None:
        context, path = self._context, "sitemap/loc"
        if url in self._seen:
            message = f"{quoted(url)} is listed twice"
            context.report("index-child-duplicate", message, place, path=path)
            return
        self._seen.add(url)
        if url == context.published_url:
            context.report("index-cycle", "the index lists itself", place, path=path)
            return
        if self._scope and host_of(url) != host_of(self._scope):
            message = f"{quoted(url)} is not on the host of the index, {quoted(self._scope)}"
            context.report("index-child-other-host", message, place, path=path)
        elif self._scope and not url.startswith(self._scope):
            message = f"{quoted(url)} is not in the folder of the index, {quoted(self._scope)}"
            context.report("index-child-outside", message, place, path=path)
        self.children.append(Child(url, place))
