"""Fetches what was named, and finds what is to be read: the feed of a page, the feeds of a list."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from threading import Lock
from typing import BinaryIO, Final
from urllib.parse import urljoin

from converter.errors import (
    DocumentError,
    HttpError,
    LimitError,
    SourceError,
    UnknownFormatError,
)
from converter.formats.base import Spool
from converter.issues import Code, Issue, Report, ignore, printable
from converter.options import RunOptions
from converter.pipeline.inputs import by_source, reader_of
from converter.sources.discovery import html, opml
from converter.sources.discovery.pagination import Pagination
from converter.sources.http import HttpClient
from converter.sources.source import Source, format_of
from converter.sources.spool import CopyStore
from converter.xml import detect

_NO_SITEMAP: Final = (
    "an HTML page that names no feed, on a host whose robots.txt names no sitemap and that has "
    "none at /sitemap.xml. Look in the page for a link to the feed, and name that"
)

#: Enough for any address that people look at.
_MOST_SHOWN: Final = 500


class FeedFinder:
    """Fetches for one run, before it begins: all that is fetched is in temporary files then."""

    def __init__(
        self, options: RunOptions, spool: Spool, report: Report, closed: ExitStack, found: list[str]
    ) -> None:
        self._found = found
        """What is read in the place of what was named, a sentence each."""
        self.unchanged = 0
        """How many documents have not changed since they were fetched last."""
        self._options = options
        self._report = report
        self._closed = closed
        lock = Lock()

        def one_at_a_time() -> BinaryIO:  # several threads fetch
            with lock:
                return spool()

        self._copies = CopyStore(one_at_a_time, closed)
        client = HttpClient(options.fetch, options.read.limits, one_at_a_time, report)
        self._client = closed.enter_context(client)

    @contextmanager
    def named(self, wanted: Sequence[str]) -> Iterator[Iterator[Source]]:
        """Fetch what was named by whoever runs this, side by side, and give it in this order."""
        with closing(self._client.fetch_all(wanted)) as futures:
            yield map(self._named, futures)

    def _named(self, future: Future[Source]) -> Source:
        document = future.result()
        self._closed.enter_context(document.stream)
        self.unchanged += document.is_unchanged
        return document

    def fetch(self, url: str) -> Source:
        """Fetch what a document names."""
        return self._kept(self._client.fetch(url, is_named=False))

    def fetch_all(self, wanted: Sequence[str]) -> Iterator[Source]:
        """Fetch several, side by side, and give them in their order."""
        with closing(self._client.fetch_all(wanted, is_named=False)) as futures:
            for future in futures:
                yield self._kept(future.result())

    def _kept(self, fetched: Source) -> Source:
        with fetched.stream:
            document = self._copies.add(fetched)
        self.unchanged += document.is_unchanged
        return document

    def resolve(self, document: Source) -> list[Source]:
        """Give what is to be read: the document itself, or in its place what it names.

        Raises:
            HttpError: something that it names cannot be had.
            SourceError: a list names another list.
            DocumentError: something is broken beyond repair.
            UnknownFormatError: a page names nothing that could be read.
        """
        seen = document.prefix()
        if detect.root_name(seen) == "opml":
            return list(self._of_list(document))
        if document.url is None or not detect.is_html(seen):
            return [document]
        if feeds := html.feeds_of(document.stream.read(html.MOST_BYTES), document.url):
            return self._chosen(document, "an HTML page", "feed", feeds)
        return self._of_host(document, document.url)

    def pages_of(self, feed: Source) -> list[Source]:
        """Give a feed and its older pages, the newest first; raises what `Pagination` does."""
        pagination = Pagination(feed, self.fetch, self._options.fetch, self._report)
        pages = pagination.pages()
        if len(pages) > 1:
            number = f"{len(pages):,} pages"
            whole = f"a feed of {number}; reading all of them"
            part = f"a feed in pages; reading {number} of it"
            self._say(feed, whole if pagination.is_whole else part)
        return pages

    def _say(self, document: Source, said: str) -> None:
        """Add to what was found; what comes from outside must not forge a line."""
        self._found.append(f"{printable(document.name, _MOST_SHOWN)}: {said}")

    # -- pages ----------------------------------------------------------------------------

    def _of_host(self, page: Source, url: str) -> list[Source]:
        """Take the sitemap that a host has beside its pages, where these name no feed."""
        what = "an HTML page without a feed"
        if rules := self._if_there(urljoin(url, "/robots.txt")):
            text = rules.stream.read(html.MOST_ROBOTS_BYTES)
            if listed := html.sitemaps_of(text, rules.url or url):
                return self._chosen(page, what, "sitemap", listed)
        if usual := self._if_there(urljoin(url, "/sitemap.xml")):
            self._say(page, f"{what}; reading its sitemap {printable(usual.name, _MOST_SHOWN)}")
            return [usual]
        raise UnknownFormatError(f"{printable(page.name)}: {_NO_SITEMAP}")

    def _if_there(self, url: str) -> Source | None:
        """Fetch what a host may have; None: it answers that it has not, or has a page for all."""
        try:
            found = self.fetch(url)
        except HttpError as error:
            if error.status is None:
                raise
            return None
        return None if detect.is_html(found.prefix()) else found

    def _chosen(self, page: Source, what: str, kind: str, named: Sequence[str]) -> list[Source]:
        """Fetch the first that a page names, or with `--all-feeds` all of them, and say so."""
        chosen = named if self._options.fetch.all_feeds else named[:1]
        one = f"{kind} {printable(chosen[0], _MOST_SHOWN)}"
        which = one if len(chosen) == 1 else f"{len(chosen)} {kind}s"
        more = len(named) - len(chosen)
        hint = f" (it names {more:,} more, which --all-feeds reads too)" if more else ""
        self._say(page, f"{what}; reading its {which}{hint}")
        return list(self.fetch_all(chosen))

    # -- lists ----------------------------------------------------------------------------

    def _of_list(self, document: Source) -> Iterator[Source]:
        """Fetch the feeds of a list; those that cannot be had end the run, or are left out."""
        base, name = document.url or self._options.read.base_url, printable(document.name)
        try:
            feeds = opml.feeds_of(document.stream, base, by_source(self._report, document.name))
        except (DocumentError, LimitError) as error:
            error.args = (f"{name}: {error}",)
            raise
        if not feeds:
            raise UnknownFormatError(
                f"{name}: an OPML list that names no feed (no xmlUrl). "
                "Check that it is the right file"
            )
        plural = "feed" if len(feeds) == 1 else "feeds"
        self._say(document, f"an OPML list; reading its {len(feeds):,} {plural}")
        with closing(self._client.fetch_all(feeds, is_named=False)) as futures:
            for url, future in zip(feeds, futures, strict=True):
                try:
                    yield self._listed(name, future)
                except (SourceError, DocumentError) as error:
                    if not self._options.fetch.keep_going:
                        raise
                    issue = Issue(code=Code.FEED_FAILED, message=f"{error}; left out", entry=url)
                    by_source(self._report, document.name)(issue)

    def _listed(self, name: str, future: Future[Source]) -> Source:
        feed = self._kept(future.result())
        seen = feed.prefix()
        if detect.root_name(seen) in {"opml", "sitemapindex"}:
            raise SourceError(
                f"{printable(feed.name)}: wanted a feed, as the list {name} says, but this is a "
                "list itself. Name it by itself"
            )
        read = reader_of(format_of(feed, self._options.format))
        if self._options.fetch.keep_going:  # what is broken would end a run that has begun
            options = self._options.read._replace(name=feed.name, source_url=feed.url)
            deque(read(feed.stream, options, ignore).entries, maxlen=0)
            feed.stream.seek(0)
        return feed
