"""Check one file of each kind: its entries, and the rules for the whole file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from converter.checks import document, robots, sitemap
from converter.checks.context import CheckContext
from converter.checks.elements import Element, ElementReader, NotWellFormedError
from converter.checks.index import Child, IndexCheck
from converter.checks.lists import ListReader
from converter.checks.rule import Place
from converter.checks.sets import FileSummary, PageSet
from converter.sitemap_limits import MAX_NEWS, MAX_SITEMAPS
from converter.sources.source import Source

_MAX_ROBOTS_BYTES: Final = 8 * 1024 * 1024
_BEGIN: Final = Place(1, 1)


class CheckedFile(NamedTuple):
    """What was found in a file, apart from its findings."""

    urls: int = 0
    size_bytes: int = 0
    """Decompressed, as far as it was read."""
    children: Sequence[Child] = ()
    """The sitemaps that it names."""


def check_sitemap(context: CheckContext, source: Source, pages: PageSet) -> CheckedFile:
    """Check a `urlset`, and add its pages to those of the set."""
    summary = FileSummary(context)
    pages.begin_file(context)

    def check(element: Element) -> None:
        if element.name != "url":
            sitemap.report_unexpected(context, element, "url")
            return
        entry = sitemap.check_entry(context, element)
        summary.add(entry)
        if entry.loc is not None:
            pages.add(entry.loc, element.place, entry.versions)

    reader = _read(context, source, check)
    document.check_root(context, reader)
    return _finish(context, summary, reader.size_bytes)


def check_index(context: CheckContext, source: Source, _pages: PageSet) -> CheckedFile:
    """Check a `sitemapindex`."""
    listed = IndexCheck(context)

    def check(element: Element) -> None:
        if element.name == "sitemap":
            listed.add(element)
        else:
            sitemap.report_unexpected(context, element, "sitemap")

    reader = _read(context, source, check)
    document.check_root(context, reader)
    if listed.count > MAX_SITEMAPS:
        message = f"{listed.count:,} sitemaps; at most {MAX_SITEMAPS:,} are allowed"
        context.report("limit-sitemaps", message)
    if not listed.count:
        context.report("document-empty", "the index lists no sitemaps", reader.root)
    return CheckedFile(listed.count, reader.size_bytes, listed.children)


def check_feed(context: CheckContext, source: Source, _pages: PageSet) -> CheckedFile:
    """Check that a feed is well-formed."""
    count = 0

    def check(element: Element) -> None:
        nonlocal count
        count += element.names.local in {"item", "entry"}

    reader = _read(context, source, check)
    return CheckedFile(count, reader.size_bytes)


def check_list(context: CheckContext, source: Source, pages: PageSet) -> CheckedFile:
    """Check a list of URLs, and add its pages to those of the set."""
    document.check_head(context, source.prefix())
    if source.name != "-" and not source.name.removesuffix(".gz").endswith(".txt"):
        context.report("list-name-not-txt", "the name of a list must end in .txt")
    summary, lines = FileSummary(context), ListReader(context, source.stream)
    pages.begin_file(context)
    for url, place in lines:
        summary.add_url(url, place)
        pages.add(url, place)
    return _finish(context, summary, lines.size_bytes)


def check_robots(context: CheckContext, source: Source, _pages: PageSet) -> CheckedFile:
    """Check the lines of robots.txt about sitemaps."""
    data = source.stream.read(_MAX_ROBOTS_BYTES)
    return CheckedFile(0, len(data), robots.check(context, data))


def check_html(context: CheckContext, _source: Source, _pages: PageSet) -> CheckedFile:
    """Report an HTML page."""
    context.report("document-html", "an HTML page; expected a sitemap", _BEGIN)
    return CheckedFile()


def check_empty(context: CheckContext, _source: Source, _pages: PageSet) -> CheckedFile:
    """Report an empty file."""
    context.report("document-empty", "the file is empty; expected a sitemap")
    return CheckedFile()


def check_unknown(context: CheckContext, _source: Source, _pages: PageSet) -> CheckedFile:
    """Report a file of another kind."""
    context.report("document-unknown", "no sitemap, feed, list of URLs or robots.txt", _BEGIN)
    return CheckedFile()


def _read(context: CheckContext, source: Source, check: Callable[[Element], None]) -> ElementReader:
    """Read an XML document, check each child of its root, and the document itself."""
    document.check_head(context, source.prefix())
    source.stream.seek(0)
    reader = ElementReader(source.stream)
    try:
        for element in reader:
            check(element)
    except NotWellFormedError as fault:
        context.entry = None
        source.stream.seek(fault.byte)
        document.report_fault(context, fault, source.stream.read(64))
    context.entry = None
    document.check_prolog(context, reader)
    return reader


def _finish(context: CheckContext, summary: FileSummary, size_bytes: int) -> CheckedFile:
    """Check what only the end of a sitemap or list shows."""
    context.entry = None
    summary.finish()
    if not summary.urls:
        context.report("document-empty", "the file has no entries")
    if summary.news > MAX_NEWS:
        message = f"{summary.news:,} <news:news>; at most {MAX_NEWS:,} are allowed"
        context.report("limit-news", message)
    document.check_size(context, summary.urls, size_bytes)
    return CheckedFile(summary.urls, size_bytes)
