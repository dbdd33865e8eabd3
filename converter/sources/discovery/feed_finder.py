"""Fetches what the user names, and finds the feed of a page and the feeds of a list."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import replace
from threading import Lock
from typing import BinaryIO, Final
from urllib.parse import urljoin

from converter.errors import DocumentError, HttpError, LimitError, SourceError, UnknownFormatError
from converter.formats.base import Spool
from converter.issues import Code, Issue, Report, errors_naming, ignore, printable
from converter.options import RunOptions
from converter.pipeline.inputs import by_source, reader_of
from converter.sources.discovery.pagination import Pagination
from converter.sources.http.client import HttpClient
from converter.sources.source import Source, format_of
from converter.sources.spool import append_copy
from converter.values import urls
from converter.xml import detect, html
from converter.xml.detect import decode_head
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Element, line_of

#: What a crawler must read at least: https://www.rfc-editor.org/rfc/rfc9309#section-2.5
_MAX_ROBOTS_BYTES: Final = 500 * 1024

#: More than a reader subscribes to; each feed is fetched.
_MAX_FEEDS: Final = 10_000

#: Types of outlines whose URL is not that of a feed.
_OTHER_TYPES: Final = frozenset(("include", "link"))

#: How many characters of a URL are shown: more than any that people look at.
_MAX_SHOWN: Final = 500


class FeedFinder:
    """Fetches all documents of one run, before the conversion begins, into temporary files."""

    def __init__(
        self,
        options: RunOptions,
        spool: Spool,
        report: Report,
        closing: ExitStack,
        found: list[str],
    ) -> None:
        self.unchanged = 0
        """How many fetched documents have not changed since the last run."""
        self._found = found
        self._options = options
        self._report = report
        lock = Lock()

        def locked_spool() -> BinaryIO:  # several threads fetch
            with lock:
                return spool()

        self._file = closing.enter_context(spool())
        self._client = HttpClient(options.fetch, options.read.limits, locked_spool, report)
        closing.callback(self._client.close)

    def fetch(self, url: str) -> Source:
        """Fetch what a document names."""
        return self._stored(self._client.fetch(url, is_named=False))

    def fetch_all(
        self, wanted: Sequence[str], *, is_named: bool = False
    ) -> Generator[Source, None, None]:
        """Fetch what the user or a document names, side by side; yield in this order."""
        with closing(self._client.fetch_all(wanted, is_named=is_named)) as futures:
            for future in futures:
                yield self._stored(future.result())

    def _stored(self, fetched: Source) -> Source:
        with fetched.stream:
            document = append_copy(self._file, fetched)
        self.unchanged += document.is_unchanged
        return document

    def resolve(self, document: Source) -> list[Source]:
        """Return the documents to read: the document itself, or what it names.

        Raises:
            SourceError: something that it names cannot be fetched, or a list names another list.
            DocumentError: something is broken, or a page names nothing that can be read.
        """
        prefix = document.prefix()
        if detect.root_name(prefix) == "opml":
            return list(self._fetch_feeds_of_list(document))
        if document.url is None or not detect.is_html(prefix):
            return [document]
        if feeds := html.feed_links(document.stream.read(html.MAX_BYTES), document.url):
            return self._fetch_links(document, "an HTML page", "feed", feeds)
        return self._fetch_sitemap_of_host(document, document.url)

    def pages_of(self, feed: Source) -> list[Source]:
        """Return a feed and its older pages, the newest first; raises what `Pagination` does."""
        pages = Pagination(feed, self.fetch, self._options.fetch, self._report).pages()
        if len(pages) > 1:
            self._add_found(feed, f"a feed in pages; reading {len(pages):,} pages of it")
        return pages

    def _add_found(self, document: Source, message: str) -> None:
        self._found.append(f"{printable(document.name, _MAX_SHOWN)}: {message}")

    def _fetch_sitemap_of_host(self, page: Source, url: str) -> list[Source]:
        """Fetch the sitemap of the host of a page that names no feed."""
        what = "an HTML page without a feed"
        if found := self._fetch_if_present(urljoin(url, "/robots.txt")):
            text = found.stream.read(_MAX_ROBOTS_BYTES)
            if sitemaps := sitemaps_in_robots(text, found.url or url):
                return self._fetch_links(page, what, "sitemap", sitemaps)
        if sitemap := self._fetch_if_present(urljoin(url, "/sitemap.xml")):
            name = printable(sitemap.name, _MAX_SHOWN)
            self._add_found(page, f"{what}; reading its sitemap {name}")
            return [sitemap]
        raise UnknownFormatError(
            f"{printable(page.name)}: an HTML page that names no feed, on a host without a sitemap "
            "in robots.txt or at /sitemap.xml. Look in the page for a link to the feed, and name "
            "that URL"
        )

    def _fetch_if_present(self, url: str) -> Source | None:
        """Fetch a usual file of a host; None if it answers with an error or an HTML page."""
        try:
            found = self.fetch(url)
        except HttpError as error:
            if error.status is None:
                raise
            return None
        return None if detect.is_html(found.prefix()) else found

    def _fetch_links(
        self, page: Source, what: str, kind: str, links: Sequence[str]
    ) -> list[Source]:
        """Fetch the first document that a page names, or with `--all-feeds` all of them."""
        chosen = links if self._options.fetch.all_feeds else links[:1]
        one = f"{kind} {printable(chosen[0], _MAX_SHOWN)}"
        which = one if len(chosen) == 1 else f"{len(chosen)} {kind}s"
        more = len(links) - len(chosen)
        hint = f" (it names {more:,} more, which --all-feeds reads too)" if more else ""
        self._add_found(page, f"{what}; reading its {which}{hint}")
        return list(self.fetch_all(chosen))

    def _fetch_feeds_of_list(self, document: Source) -> Iterator[Source]:
        """Fetch the feeds of a list; with `--keep-going` leave out those that fail."""
        base, name = document.url or self._options.read.base_url, printable(document.name)
        report = by_source(self._report, document.name)
        with errors_naming(document.name):
            feeds = feeds_in_opml(document.stream, base, report)
        if not feeds:
            raise UnknownFormatError(
                f"{name}: an OPML list that names no feed (no xmlUrl). "
                "Check that it is the right file"
            )
        plural = "feed" if len(feeds) == 1 else "feeds"
        self._add_found(document, f"an OPML list; reading its {len(feeds):,} {plural}")
        with closing(self._client.fetch_all(feeds, is_named=False)) as futures:
            for url, future in zip(feeds, futures, strict=True):
                try:
                    yield self._checked_feed(name, future)
                except (SourceError, DocumentError) as error:
                    if not self._options.fetch.keep_going:
                        raise
                    message = f"{error}; left out"
                    report(Issue(code=Code.FEED_FAILED, message=message, entry=url))

    def _checked_feed(self, list_name: str, future: Future[Source]) -> Source:
        feed = self._stored(future.result())
        prefix = feed.prefix()
        if detect.root_name(prefix) in {"opml", "sitemapindex"}:
            raise SourceError(
                f"{printable(feed.name)}: the list {list_name} names it as a feed, but it is a "
                "list itself. Name it as a source of its own"
            )
        read = reader_of(format_of(feed, self._options.format))
        if self._options.fetch.keep_going:  # read it all now: later an error would end the run
            options = replace(self._options.read, name=feed.name, source_url=feed.url)
            deque(read(feed.stream, options, ignore).entries, maxlen=0)
            feed.stream.seek(0)
        return feed


def sitemaps_in_robots(robots: bytes, url: str) -> list[str]:
    """Return the URLs of all `Sitemap` lines in their order, each once.

    The protocol wants absolute URLs; others are resolved against `url`, as search engines do.
    Source: https://www.sitemaps.org/protocol.html#submit_robots
    """
    lines = (line.partition(":") for line in decode_head(robots).splitlines())
    values = (value for key, _, value in lines if key.strip().lower() == "sitemap")
    found = (urls.resolve(value.partition(" #")[0], url).url for value in values)
    return list(dict.fromkeys(each for each in found if each and urls.is_http(each)))


def feeds_in_opml(stream: BinaryIO, base: str | None, report: Report) -> tuple[str, ...]:
    """Return the URLs of all feeds of an OPML list and its groups in their order, each once.

    Source: http://opml.org/spec2.opml#subscriptionLists

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
