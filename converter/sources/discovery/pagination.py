"""The older pages of a feed: RFC 5005, the Link header, and the page numbers of WordPress.

https://www.rfc-editor.org/rfc/rfc5005, https://www.rfc-editor.org/rfc/rfc8288
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Final, Literal, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from converter.errors import DocumentError, HttpError, SourceError
from converter.formats.base import Format
from converter.issues import Code, Issue, Report, ignore, printable
from converter.model import Feed
from converter.options import FetchOptions, ReadOptions
from converter.pipeline.inputs import DocumentProxy, Input, reader_of
from converter.sources.source import Source, format_of
from converter.values import urls
from converter.values.digests import digest

_FOLLOWED: Final = frozenset(("next", "prev-archive"))
#: Relations between the pages of a feed: https://www.rfc-editor.org/rfc/rfc5005
_PAGE_RELATIONS: Final = frozenset(
    ("first", "last", "next", "next-archive", "prev", "prev-archive", "previous")
)
#: The parameter for the number of a page in WordPress, from 1.
#: https://developer.wordpress.org/reference/classes/wp_query/#pagination-parameters
_PAGED: Final = "paged"

_GONE: Final = frozenset((HTTPStatus.NOT_FOUND, HTTPStatus.GONE))
#: These say nothing about a page: there was no complete answer, or too many requests.
_NO_ANSWER: Final = frozenset((None, HTTPStatus.TOO_MANY_REQUESTS))

_ADVICE: Final = "Continue without the page (--keep-going), or leave out --follow-pages"


class PageInfo(NamedTuple):
    """What a page of a feed says about itself and other pages."""

    page: Source
    links: Mapping[str, str]
    """Relation -> absolute URL; the first of each relation."""
    keys: set[int]
    """A digest for each entry."""
    is_archive: bool
    """The page does not change any more (RFC 5005, section 4)."""
    is_complete: bool
    """The feed has only this page (section 2)."""
    is_wordpress: bool


def page_info(page: Source) -> PageInfo:
    """Read the links of a page and the keys of its entries.

    Raises:
        DocumentError: the page is not a feed, or broken.
        LimitError: the page exceeds a limit of the parser.
    """
    options = ReadOptions(name=page.name, source_url=page.url)
    try:
        read = reader_of(_feed_format(page))
        document = read(page.stream, options, ignore)
        keys = {digest(it.id or it.loc or it.title or "") for it in document.entries}
    except DocumentError as error:
        error.args = (f"{error}. {_ADVICE}",)
        raise
    finally:
        page.stream.seek(0)
    feed = document.feed
    links = [(link.rel, link.href) for link in feed.links if urls.is_http(link.href)]
    return PageInfo(
        page=page,
        links={rel: url for rel, url in (*page.links, *reversed(links)) if rel in _FOLLOWED},
        keys=keys,
        is_archive="fh:archive" in feed.other,
        is_complete="fh:complete" in feed.other,
        is_wordpress="wordpress" in (feed.generator or "").lower(),
    )


def _feed_format(page: Source) -> Format:
    format_ = format_of(page)
    if not format_.is_feed:
        raise DocumentError(f"{printable(page.name)}: this is not a feed, but {format_.title}")
    return replace(format_, salvage=None)  # links may be lost in what a second reader recovers


def wordpress_page(url: str, offset: int, *, is_wordpress: bool) -> str | None:
    """Return the URL `offset` pages after that of a feed; None if it is no URL of WordPress."""
    parts = urlsplit(url)
    query = dict(reversed(parse_qsl(parts.query, keep_blank_values=True)))
    if not (is_wordpress or parts.path.rstrip("/").endswith("/feed") or "feed" in query):
        return None
    number = query.get(_PAGED, "")
    first = max(1, int(number)) if re.fullmatch(r"[0-9]{1,6}", number) else 1
    others = [each for each in parts.query.split("&") if each and each.split("=")[0] != _PAGED]
    paged = "&".join([*others, f"{_PAGED}={first + offset}"])
    return parts._replace(query=paged, fragment="").geturl()


class _NextPage(NamedTuple):
    url: str
    kind: Literal["linked", "archive", "numbered", "guessed"]
    """`linked` and `archive`: a page names it; an archive may be empty, or hold nothing new.
    `numbered`: a number that WordPress may not have. `guessed`: the feed may have one page only."""

    def is_end(self, error: SourceError | DocumentError) -> bool:
        """Return True if an error of fetching the page shows that the feed ends before it."""
        status = error.status if isinstance(error, HttpError) else 0
        if self.kind == "guessed":
            return status not in _NO_ANSWER
        return self.kind == "numbered" and status in _GONE


class Pagination:
    """Fetches the pages of one feed one after the other, the newest first."""

    def __init__(
        self, first: Source, fetch: Callable[[str], Source], options: FetchOptions, report: Report
    ) -> None:
        self._first = first
        self._fetch = fetch
        self._options = options
        self._report = report
        self._seen_urls: set[str] = set()
        self._seen_keys: set[int] = set()

    def pages(self) -> list[Source]:
        """Return all pages.

        Raises:
            SourceError: a page cannot be fetched, without `--keep-going`.
            DocumentError: a page is not a feed, or broken beyond repair, without `--keep-going`.
            LimitError: a page exceeds a limit.
        """
        first = self._first
        try:
            info = page_info(first)
        except DocumentError:  # its reader will report this, or recover what it can
            self._fail(f"{first.name} is broken, so it does not show where its older pages are")
            return [first]
        pages: list[Source] = []
        found: PageInfo | None = info
        while found is not None:
            pages.append(found.page)
            self._seen_urls.update(found.page.addresses)
            self._seen_keys |= found.keys
            following = self._next_page(found, len(pages))
            found = self._fetch_page(following) if following else None
            if following and found and not self._has_new_entries(following, found):
                break
        return pages

    def _next_page(self, info: PageInfo, count: int) -> _NextPage | None:
        """Return the page after this one; None if this is the last one to read."""
        following = None if info.is_complete else self._link(info, count)
        if following is None:
            return None
        if following.url.partition("#")[0] in self._seen_urls:
            message = f"{info.page.name} leads back to {following.url}; ended there"
            self._report_end(Code.PAGES_CIRCLE, message)
            return None
        if count < self._options.max_pages:
            return following
        message = (
            f"there may be more than the {count:,} pages that were read, from {following.url} "
            "on. Raise --max-pages to read them"
        )
        self._report_end(Code.PAGES_CUT, message)
        return None

    def _link(self, info: PageInfo, count: int) -> _NextPage | None:
        if archive := info.links.get("prev-archive"):
            return _NextPage(archive, "archive")
        if url := info.links.get("next"):
            return _NextPage(url, "linked")
        feed = self._first.url
        if not feed or info.is_archive:
            return None
        url = wordpress_page(feed, count, is_wordpress=info.is_wordpress)
        is_guess = count == 1 and not info.is_wordpress
        return _NextPage(url, "guessed" if is_guess else "numbered") if url else None

    def _has_new_entries(self, following: _NextPage, info: PageInfo) -> bool:
        """Return True if it makes sense to go on from a page; report it otherwise."""
        is_known = not self._seen_urls.isdisjoint(info.page.addresses)
        if not is_known and (following.kind == "archive" or info.keys - self._seen_keys):
            return True
        if info.keys and following.kind in {"linked", "archive"}:
            message = f"{info.page.name} holds nothing that was not on the pages before"
            self._report_end(Code.PAGES_CIRCLE, f"{message}; ended there")
        return False

    def _fetch_page(self, following: _NextPage) -> PageInfo | None:
        """Fetch and read a page; None if it does not exist, or is left out (`--keep-going`)."""
        try:
            return page_info(self._fetch(following.url))
        except (SourceError, DocumentError) as error:
            if following.is_end(error):
                return None
            if not self._options.keep_going:
                raise
            self._fail(str(error))
            return None

    def _fail(self, message: str) -> None:
        self._report_end(Code.PAGE_FAILED, f"{message}; the pages from there on are missing")

    def _report_end(self, code: Code, message: str) -> None:
        self._report(Issue(code=code, message=message, source=self._first.name))


def without_page_links(page: Input) -> Input:
    """Return an input for one of several pages that become one document."""
    return page._replace(open=lambda *args: _WithoutPageLinks(page.open(*args)), stored=None)


class _WithoutPageLinks(DocumentProxy):
    """A document without the links from page to page in its header."""

    @property
    def feed(self) -> Feed:
        feed = self._document.feed
        kept = tuple(link for link in feed.links if link.rel not in _PAGE_RELATIONS)
        return feed if kept == feed.links else replace(feed, links=kept)
