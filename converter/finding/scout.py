"""Fetches what was named, and what is meant by it: the feed of a page, the feeds of a list."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, Final

from converter import registry
from converter.edge.shelf import Shelf
from converter.edge.sources import Source
from converter.errors import (
    DocumentError,
    HttpError,
    LimitError,
    SourceError,
    UnknownFormatError,
)
from converter.issues import Code, Issue, Report, ignore, printable
from converter.options import Job
from converter.readers import reader_of
from converter.seams import Format, Spool
from converter.xml import prefix

if TYPE_CHECKING:
    from converter.edge.web import Web
    from converter.edge.web.client import FetchResult

__all__ = ["Scout"]

_NO_SITEMAP: Final = (
    "an HTML page that names no feed, on a host whose robots.txt names no sitemap and that has "
    "none at /sitemap.xml. Look in the page for a link to the feed, and name that"
)


#: Enough for any address that people look at.
_MOST_SHOWN: Final = 500


class Scout:
    """Goes ahead of a run: all that is fetched lies on the shelf before it begins."""

    def __init__(self, job: Job, spool: Spool, report: Report, closed: ExitStack) -> None:
        self.found: list[str] = []
        """What is read in the place of what was named, a sentence each."""
        self.unchanged = 0
        """How many documents have not changed since they were fetched last."""
        self._job = job
        self._spool = spool
        self._report = report
        self._closed = closed
        self._shelf = Shelf(self._spooled, closed)
        self._opened: Web | None = None
        self._awaited: deque[str] = deque()
        self._results: Iterator[FetchResult] = iter(())
        self._lock: AbstractContextManager[object] = nullcontext()

    @property
    def _web(self) -> Web:
        if self._opened is None:
            from threading import Lock

            from converter.edge.web import Web  # whoever reads files need not wait for requests

            self._lock = Lock()
            web = Web(self._job.fetch, self._job.read.limits, self._spooled, self._report)
            self._opened = self._closed.enter_context(web)
        return self._opened

    def _spooled(self) -> BinaryIO:
        """Make a temporary file: one at a time, for several threads fetch."""
        with self._lock:
            return self._spool()

    def go_ahead(self, wanted: Sequence[str]) -> None:
        """Let `named` find these fetched, side by side, as it is asked for them in this order."""
        self._awaited.extend(wanted)
        self._results = self._closed.enter_context(closing(self._web.results(wanted)))

    def named(self, url: str) -> Source:
        """Fetch what was named by whoever runs this."""
        if self._awaited and self._awaited[0] == url:
            self._awaited.popleft()
            document = next(self._results).unwrap(self._report)
        else:
            document = self._web.fetch(url)
        self._closed.enter_context(document.stream)
        self.unchanged += document.is_unchanged
        return document

    def fetch(self, url: str) -> Source:
        """Fetch what a document names."""
        return self._kept(self._web.fetch(url, is_named=False))

    def fetch_all(self, wanted: Sequence[str]) -> Iterator[Source]:
        """Fetch several, side by side, and give them in their order."""
        with closing(self._web.results(wanted, is_named=False)) as results:
            for result in results:
                yield self._kept(result.unwrap(self._report))

    def meant_by(self, document: Source) -> list[Source]:
        """Give what is to be read: the document itself, or in its place what it names.

        Raises:
            HttpError: something that it names cannot be had.
            SourceError: a list names another list.
            DocumentError: something is broken beyond repair.
            UnknownFormatError: a page names nothing that could be read.
        """
        seen = document.prefix()
        if prefix.is_opml(seen):
            return list(self._of_list(document))
        if document.url is not None and prefix.is_html(seen):
            return self._of_page(document, document.url)
        return [document]

    def pages_of(self, feed: Source) -> list[Source]:
        """Give a feed and its older pages, the newest first.

        Raises:
            HttpError: one of them cannot be had; SourceError: it is no feed.
            DocumentError: it is a broken one.
        """
        from converter.finding.history import History

        history = History(self.fetch, self._job.fetch, self._report)
        pages = list(history.pages(feed))
        if len(pages) > 1:
            number = f"{len(pages):,} pages"
            whole = f"a feed of {number}; reading all of them"
            said = whole if history.is_whole else f"a feed in pages; reading {number} of it"
            self._say(feed, said)
        return pages

    # -- pages ----------------------------------------------------------------------------

    def _of_page(self, page: Source, url: str) -> list[Source]:
        from converter.finding import html  # brings a parser that feeds do not need

        named = html.feeds_of(page.stream.read(html.MOST_BYTES), url)
        if not named:
            return self._of_host(page, url)
        main = html.main_of(named)
        ordered = sorted(named, key=lambda feed: feed.is_of_comments)
        addresses = [feed.url for feed in ordered] if self._job.fetch.all_feeds else [main.url]
        self._tell(page, "an HTML page", "feed", addresses, len(named))
        return list(self.fetch_all(addresses)) if len(addresses) > 1 else [self.fetch(main.url)]

    def _of_host(self, page: Source, url: str) -> list[Source]:
        """Take the sitemap that a host has beside its pages, where these name no feed."""
        from converter.finding import robots

        listed: tuple[str, ...] = ()
        rules = self._if_there(robots.robots_of(url))
        if rules is not None and not prefix.is_html(rules.prefix()):
            text = rules.stream.read(robots.MOST_BYTES)
            listed = robots.sitemaps_of(text, rules.url or url)
        if listed:
            chosen = listed if self._job.fetch.all_feeds else listed[:1]
            self._tell(page, "an HTML page without a feed", "sitemap", chosen, len(listed))
            return list(self.fetch_all(chosen)) if len(chosen) > 1 else [self.fetch(chosen[0])]
        usual = self._if_there(robots.usual_sitemap_of(url))
        if usual is None or prefix.is_html(usual.prefix()):  # servers that have a page for all
            raise UnknownFormatError(f"{printable(page.name)}: {_NO_SITEMAP}")
        self._tell(page, "an HTML page without a feed", "sitemap", (usual.name,), 1)
        return [usual]

    def _if_there(self, url: str) -> Source | None:
        """Fetch what a host may have; None: it answers that it has not."""
        try:
            return self.fetch(url)
        except HttpError as error:
            if error.status is None:
                raise
            return None

    def _tell(
        self, page: Source, what: str, kind: str, addresses: Sequence[str], known: int
    ) -> None:
        more = known - len(addresses)
        one = f"{kind} {printable(addresses[0], _MOST_SHOWN)}"
        which = one if len(addresses) == 1 else f"{len(addresses)} {kind}s"
        hint = f" (it names {more:,} more, which --all-feeds reads too)" if more else ""
        self._say(page, f"{what}; reading its {which}{hint}")

    def _say(self, document: Source, said: str) -> None:
        """Add to what was found; what comes from outside must not forge a line."""
        self.found.append(f"{printable(document.name, _MOST_SHOWN)}: {said}")

    # -- lists ----------------------------------------------------------------------------

    def _of_list(self, document: Source) -> Iterator[Source]:
        from converter.finding import opml

        base = document.url or self._job.read.base_url
        try:
            feeds = opml.feeds_of(document.stream, base, self._by(document))
        except (DocumentError, LimitError) as error:
            error.args = (f"{printable(document.name)}: {error}",)
            raise
        if not feeds:
            raise UnknownFormatError(
                f"{printable(document.name)}: an OPML list that names no feed (no xmlUrl). "
                "Check that it is the right file"
            )
        plural = "feed" if len(feeds) == 1 else "feeds"
        self._say(document, f"an OPML list; reading its {len(feeds):,} {plural}")
        yield from self._each(document, feeds)

    def _each(self, document: Source, feeds: Sequence[str]) -> Iterator[Source]:
        """Fetch the feeds of a list; those that cannot be had end the run, or are left out."""
        with closing(self._web.results(feeds, is_named=False)) as results:
            for url, result in zip(feeds, results, strict=True):
                try:
                    feed = self._kept(result.unwrap(self._report))
                    row = self._check(document, feed)
                    if self._job.fetch.keep_going:
                        self._try(feed, row)
                except (SourceError, DocumentError) as error:
                    if not self._job.fetch.keep_going:
                        raise
                    said = f"{error}; left out"
                    self._by(document)(Issue(code=Code.FEED_FAILED, message=said, entry=url))
                else:
                    yield feed

    def _try(self, feed: Source, row: Format) -> None:
        """Read it once to its end: what is broken would end a run that has begun."""
        options = self._job.read._replace(name=feed.name, source_url=feed.url)
        deque(reader_of(row)(feed.stream, options, ignore).entries, maxlen=0)
        feed.stream.seek(0)

    def _check(self, document: Source, feed: Source) -> Format:
        seen = feed.prefix()
        if prefix.is_opml(seen) or prefix.is_sitemapindex(seen):
            raise SourceError(
                f"{printable(feed.name)}: wanted a feed, as the list {printable(document.name)} "
                "says, but this is a list itself. Name it by itself"
            )
        if self._job.format is None:
            media_type, extension = feed.media_type, feed.extension
            return registry.detect(seen, name=feed.name, media_type=media_type, extension=extension)
        row = registry.by_name(self._job.format, "--from")
        registry.claimed(seen, row, name=feed.name)
        return row

    def _by(self, document: Source) -> Report:
        return lambda issue: self._report(replace(issue, source=issue.source or document.name))

    def _kept(self, fetched: Source) -> Source:
        with fetched.stream:
            document = self._shelf.put(fetched)
        self.unchanged += document.is_unchanged
        return document
