"""The older pages of a feed: RFC 5005, the Link header, and the page numbers of WordPress.

https://www.rfc-editor.org/rfc/rfc5005, https://www.rfc-editor.org/rfc/rfc8288
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final, Literal, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from lxml import etree

from converter.errors import DocumentError, HttpError, SourceError
from converter.extensions.links import relation
from converter.issues import Code, Issue, Report, ignore, printable
from converter.model import Feed
from converter.options import FetchOptions, ReadOptions
from converter.pipeline.inputs import DocumentProxy, Input, reader_of
from converter.sources.source import Source, format_of, without_fragment
from converter.values import urls
from converter.values.digests import digest
from converter.values.lazy_regex import lazy_regex
from converter.xml import detect, extract
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Element
from converter.xml.namespaces import canonical_name

_FOLLOWED: Final = frozenset(("next", "prev-archive", "current"))
#: Relations between the pages of a feed: https://www.rfc-editor.org/rfc/rfc5005
_PAGE_RELATIONS: Final = frozenset(
    ("first", "last", "next", "next-archive", "prev", "prev-archive", "previous")
)
#: The local names of the header elements that are read.
_HEADER_FIELDS: Final = frozenset(("archive", "complete", "generator", "link"))
_WORDPRESS: Final = lazy_regex(r"wordpress\.(?:org|com)|\bwordpress\b", re.IGNORECASE)
#: The parameter for the number of a page in WordPress, from 1.
#: https://developer.wordpress.org/reference/classes/wp_query/#pagination-parameters
_PAGED: Final = "paged"

_GONE: Final = frozenset((HTTPStatus.NOT_FOUND, HTTPStatus.GONE))
#: These say nothing about a page: there was no complete answer, or too many requests.
_NO_ANSWER: Final = frozenset((None, HTTPStatus.TOO_MANY_REQUESTS))

_ADVICE: Final = "Continue without the page (--keep-going), or leave out --follow-pages"


@dataclass(slots=True)
class PageInfo:
    """What a page of a feed says about itself and other pages."""

    links: dict[str, str] = field(default_factory=dict)
    """Relation -> absolute URL; the first of each relation."""
    keys: set[int] = field(default_factory=set)
    """A digest for each entry."""
    is_archive: bool = False
    """The page does not change any more (RFC 5005, section 4)."""
    is_complete: bool = False
    """The feed has only this page (section 2)."""
    is_wordpress: bool = False


def page_info(page: Source) -> PageInfo:
    """Read the links of a page and the keys of its entries.

    Raises:
        DocumentError: the page is broken.
        LimitError: the page exceeds a limit of the parser.
    """
    info = PageInfo()
    try:
        if detect.is_json_feed(page.prefix()):
            _read_json(page, info)
        else:
            _read_xml(page, info)
    except DocumentError as error:
        error.args = (f"{printable(page.name)}: {error}. {_ADVICE}",)
        raise
    finally:
        page.stream.seek(0)
    for rel, url in page.links:
        if rel in _FOLLOWED:
            info.links.setdefault(rel, url)
    return info


def _read_xml(page: Source, info: PageInfo) -> None:
    parser = EntryParser(
        page.stream,
        entries=frozenset({"item", "entry"}),
        containers=frozenset({"channel"}),
        on_header=lambda element: _read_header(info, element, page.url),
        is_field=lambda element: _local_name(element) in _HEADER_FIELDS,
        on_restart=lambda: None,  # reading the same elements again changes nothing
        report=ignore,
    )
    info.keys.update(digest(_key(entry)) for entry in parser)


def _read_json(page: Source, info: PageInfo) -> None:
    options = ReadOptions(source_url=page.url)
    document = reader_of(format_of(page, None))(page.stream, options, ignore)
    info.keys.update(digest(entry.id or entry.loc or "") for entry in document.entries)
    info.links |= {link.rel: link.href for link in document.feed.links if link.rel in _FOLLOWED}


def _read_header(info: PageInfo, element: Element, base: str | None) -> None:
    name, local = canonical_name(str(element.tag), "rss"), _local_name(element)
    info.is_archive |= name == "fh:archive"
    info.is_complete |= name == "fh:complete"
    if local == "generator":
        generator = f"{extract.text_of(element)} {element.get('uri') or ''}"
        info.is_wordpress = _WORDPRESS.search(generator) is not None
    elif local == "link" and (rel := relation(element)) in _FOLLOWED:
        for inner in extract.xml_bases(element):
            base = urls.resolve(inner, base).url or base
        href = urls.resolve(element.get("href") or "", base).url
        if href and urls.is_http(href):
            info.links.setdefault(rel, href)


def _local_name(element: Element) -> str:
    return canonical_name(str(element.tag), "rss").rpartition(":")[2].lower()


def _key(entry: Element) -> str | bytes:
    """Return the id of an entry, else its link, else the whole entry."""
    found: dict[str, str] = {}
    for child in entry:
        if (name := _local_name(child)) in {"guid", "id", "link"}:
            found.setdefault(name, extract.text_of(child) or child.get("href") or "")
    known = next(filter(None, map(found.get, ("guid", "id", "link"))), None)
    return known or etree.tostring(entry, with_tail=False)


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
        self.is_complete = True
        """False if there may be further pages."""
        self._has_numbers = False
        self._seen_urls: set[str] = set()
        self._seen_keys: set[int] = set()

    def pages(self) -> list[Source]:
        """Return all pages.

        Raises:
            SourceError: a page cannot be fetched or is not a feed, without `--keep-going`.
            DocumentError: a page is broken beyond repair, without `--keep-going`.
            LimitError: a page exceeds a limit.
        """
        first = self._first
        try:
            info = page_info(first)
        except DocumentError:  # its reader will report this, or recover what it can
            self._fail(f"{first.name} is broken, so it does not show where its older pages are")
            return [first]
        pages: list[Source] = []
        found: tuple[Source, PageInfo] | None = first, info
        current = info.links.get("current")
        if info.is_archive and current and without_fragment(current) not in first.addresses:
            found = self._fetch_page(_NextPage(current, "linked")) or found
        while found is not None:
            page, info = found
            pages.append(page)
            self._seen_urls.update(page.addresses)
            self._seen_keys |= info.keys
            following = self._next_page(page, info, len(pages))
            found = self._fetch_page(following) if following else None
            if following and found and not self._has_new_entries(following, *found):
                break
        return pages if any(page is first for page in pages) else [*pages, first]

    def _next_page(self, page: Source, info: PageInfo, count: int) -> _NextPage | None:
        """Return the page after this one; None if this is the last one to read."""
        following = None if info.is_complete else self._link(info, count)
        if following is None:
            return None
        if without_fragment(following.url) in self._seen_urls:
            message = f"{page.name} leads back to {following.url}; ended there"
            self._report_end(Code.PAGES_CIRCLE, message)
        elif count >= self._options.max_pages:
            self.is_complete = False
            message = (
                f"there may be more than the {count:,} pages that were read, from {following.url} "
                "on. Raise --max-pages to read them"
            )
            self._report_end(Code.PAGES_CUT, message)
        else:
            return following
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
        is_numbered = info.is_wordpress or self._has_numbers
        return _NextPage(url, "numbered" if is_numbered else "guessed") if url else None

    def _has_new_entries(self, following: _NextPage, page: Source, info: PageInfo) -> bool:
        """Return True if it makes sense to go on from a page; report it otherwise."""
        is_known = not self._seen_urls.isdisjoint(page.addresses)
        is_linked = following.kind in {"linked", "archive"}
        if not is_known and (following.kind == "archive" or info.keys - self._seen_keys):
            self._has_numbers = self._has_numbers or not is_linked
            return True
        if info.keys and is_linked:
            message = f"{page.name} holds nothing that was not on the pages before; ended there"
            self._report_end(Code.PAGES_CIRCLE, message)
        return False

    def _fetch_page(self, following: _NextPage) -> tuple[Source, PageInfo] | None:
        """Fetch and read a page; None if it does not exist, or is left out (`--keep-going`)."""
        try:
            if without_fragment(following.url) in self._first.addresses:
                return self._first, page_info(self._first)
            page = _checked_feed(self._fetch(following.url))
            return page, page_info(page)
        except (SourceError, DocumentError) as error:
            if following.is_end(error):
                return None
            if not self._options.keep_going:
                raise
            self._fail(str(error))
            return None

    def _fail(self, message: str) -> None:
        self.is_complete = False
        self._report_end(Code.PAGE_FAILED, f"{message}; the pages from there on are missing")

    def _report_end(self, code: Code, message: str) -> None:
        self._report(Issue(code=code, message=message, source=self._first.name))


def _checked_feed(page: Source) -> Source:
    prefix = page.prefix()
    if detect.is_rss(prefix) or detect.is_atom(prefix) or detect.is_json_feed(prefix):
        return page
    raise SourceError(
        f"{printable(page.name)}: wanted a further page of a feed, but this is not a feed. "
        f"{_ADVICE}"
    )


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
