"""The older pages of a feed: RFC 5005, the Link header, and how WordPress counts.

https://www.rfc-editor.org/rfc/rfc5005, https://www.rfc-editor.org/rfc/rfc8288
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final, Literal, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from lxml import etree

from converter.errors import DocumentError, HttpError, SourceError
from converter.extensions.links import relation
from converter.formats.base import Reader
from converter.issues import Code, Issue, Report, ignore, printable
from converter.model import Feed
from converter.options import FetchOptions, ReadOptions
from converter.pipeline.inputs import DocumentProxy, reader_of
from converter.sources.source import Source, format_of
from converter.values import urls
from converter.values.digests import digest
from converter.values.lazy_regex import lazy_regex
from converter.xml import detect, extract
from converter.xml.entry_parser import EntryParser
from converter.xml.extract import Element
from converter.xml.namespaces import canonical_name

_FOLLOWED: Final = frozenset(("next", "prev-archive", "current"))
#: What leads from page to page: https://www.rfc-editor.org/rfc/rfc5005
_OF_PAGES: Final = frozenset(
    ("first", "last", "next", "next-archive", "prev", "prev-archive", "previous")
)
#: The local names of what is read of a header.
_FIELDS: Final = frozenset(("archive", "complete", "generator", "link"))
_HOME: Final = "rss"

_GENERATOR: Final = lazy_regex(r"wordpress\.(?:org|com)|\bwordpress\b", re.IGNORECASE)
#: The parameter that WordPress counts the pages of a feed by, from 1.
#: https://developer.wordpress.org/reference/classes/wp_query/#pagination-parameters
_PAGED: Final = "paged"

#: A server's words for "there is no such page".
_GONE: Final = frozenset((HTTPStatus.NOT_FOUND, HTTPStatus.GONE))
#: Of these nothing follows about a page: there was no whole answer, or we ask too often.
_NO_ANSWER: Final = frozenset((None, HTTPStatus.TOO_MANY_REQUESTS))

_WITHOUT: Final = "Do without it (--keep-going), or without --follow-pages"


# -- what a page says of others ---------------------------------------------------------------


@dataclass(slots=True)
class PageInfo:
    """What a page of a feed says of itself and of others."""

    links: dict[str, str] = field(default_factory=dict)
    """Absolute, by relation; the first of each."""
    keys: set[int] = field(default_factory=set)
    """A digest for each entry."""
    is_archive: bool = False
    """It does not change any more (RFC 5005, section 4)."""
    is_complete: bool = False
    """There is nothing but it (section 2)."""
    is_wordpress: bool = False
    """It says so itself."""


def page_info(page: Source) -> PageInfo:
    """Read a page for where it leads to.

    Raises:
        DocumentError: it is broken.
        LimitError: a guard struck.
    """
    name, found = printable(page.name), PageInfo()
    try:
        if detect.is_json_feed(page.prefix()):
            _read_json(page, found)
        else:
            _read_xml(page, found)
    except DocumentError as error:
        error.args = (f"{name}: {error}. {_WITHOUT}",)
        raise
    finally:
        page.stream.seek(0)
    for rel, url in page.links:
        if rel in _FOLLOWED:
            found.links.setdefault(rel, url)
    return found


def _read_xml(page: Source, found: PageInfo) -> None:
    walk = EntryParser(
        page.stream,
        entries=frozenset({"item", "entry"}),
        containers=frozenset({"channel"}),
        on_header=lambda element: _take_header(found, element, page.url),
        is_field=lambda element: _local(element) in _FIELDS,
        on_restart=lambda: None,  # what comes again says the same
        report=ignore,
    )
    for entry in walk:
        found.keys.add(digest(_key(entry)))


def _read_json(page: Source, found: PageInfo) -> None:
    options = ReadOptions(source_url=page.url)
    document = reader_of(format_of(page, None))(page.stream, options, ignore)
    found.keys |= {digest(entry.id or entry.loc or "") for entry in document.entries}
    found.links |= {link.rel: link.href for link in document.feed.links if link.rel in _FOLLOWED}


def _take_header(info: PageInfo, element: Element, base: str | None) -> None:
    name, local = canonical_name(str(element.tag), _HOME), _local(element)
    info.is_archive |= name == "fh:archive"
    info.is_complete |= name == "fh:complete"
    if local == "generator":
        said = f"{extract.text_of(element)} {element.get('uri') or ''}"
        info.is_wordpress = _GENERATOR.search(said) is not None
    elif local == "link" and (rel := relation(element)) in _FOLLOWED:
        for inner in extract.xml_bases(element):
            base = urls.resolve(inner, base).url or base
        href = urls.resolve(element.get("href") or "", base).url
        if href and urls.is_http(href):
            info.links.setdefault(rel, href)


def _local(element: Element) -> str:
    return canonical_name(str(element.tag), _HOME).rpartition(":")[2].lower()


def _key(entry: Element) -> str | bytes:
    """Tell an entry from others: by its id, else by its page, else by all of it."""
    found: dict[str, str] = {}
    for child in entry:
        if (name := _local(child)) in {"guid", "id", "link"}:
            found.setdefault(name, extract.text_of(child) or child.get("href") or "")
    known = next(filter(None, map(found.get, ("guid", "id", "link"))), None)
    return known or etree.tostring(entry, with_tail=False)


def wordpress_page(url: str, ahead: int, *, is_wordpress: bool) -> str | None:
    """Give the address so many pages behind that of a feed; None: WordPress does not count it."""
    parts = urlsplit(url)
    query = dict(reversed(parse_qsl(parts.query, keep_blank_values=True)))
    if not (is_wordpress or parts.path.rstrip("/").endswith("/feed") or "feed" in query):
        return None
    number = query.get(_PAGED, "")
    first = max(1, int(number)) if re.fullmatch(r"[0-9]{1,6}", number) else 1
    others = [each for each in parts.query.split("&") if each and each.split("=")[0] != _PAGED]
    paged = "&".join([*others, f"{_PAGED}={first + ahead}"])
    return parts._replace(query=paged, fragment="").geturl()


# -- from page to page ------------------------------------------------------------------------


_Kind: TypeAlias = Literal["linked", "archive", "counted", "guessed"]


class _Step(NamedTuple):
    """Where to go next."""

    url: str
    kind: _Kind
    """`archive`: it may be empty, or hold nothing new. `counted`: its number was counted up, and
    nobody has said that there is such a page. `guessed`: nor that there are pages at all."""

    def is_end(self, error: SourceError | DocumentError) -> bool:
        """Does an error say that the pages end here, and is no failure?"""
        status = error.status if isinstance(error, HttpError) else 0
        if self.kind == "guessed":
            return status not in _NO_ANSWER
        return self.kind == "counted" and status in _GONE


_Page: TypeAlias = tuple[Source, PageInfo]


class Pagination:
    """Goes from page to page of one feed, one after the other, the newest first."""

    def __init__(
        self, first: Source, fetch: Callable[[str], Source], options: FetchOptions, report: Report
    ) -> None:
        self._first = first
        self._fetch = fetch
        self._options = options
        self._report = report
        self.is_whole = True
        """Were all pages given that there are?"""
        self._has_counted = False
        self._seen_urls: set[str] = set()
        self._seen_keys: set[int] = set()

    def pages(self) -> list[Source]:
        """Give all pages.

        Raises:
            HttpError: a page cannot be had, and nobody has said to make do without.
            SourceError: likewise; what is there is no feed.
            DocumentError: likewise; it is one, and broken beyond repair.
            LimitError: a guard struck.
        """
        first = self._first
        try:
            info = page_info(first)
        except DocumentError:  # its reader will say so, or save what can be saved
            self._fail(f"{first.name} does not say where its older pages are: it is broken")
            return [first]
        pages: list[Source] = []
        found: _Page | None = first, info
        current = info.links.get("current")
        if info.is_archive and current and _bare(current) not in _addresses(first):
            found = self._fetched(_Step(current, "linked")) or found
        while found is not None:
            page, info = found
            pages.append(page)
            self._seen_urls |= _addresses(page)
            self._seen_keys |= info.keys
            step = self._step(page, info, len(pages))
            found = self._fetched(step) if step else None
            if step and found and not self._leads_on(step, *found):
                break
        return pages if any(page is first for page in pages) else [*pages, first]

    def _step(self, page: Source, info: PageInfo, count: int) -> _Step | None:
        """Find out which page comes next; None: this was the last that may be read."""
        feed, step = self._first.url, None
        if archive := info.links.get("prev-archive"):
            step = _Step(archive, "archive")
        elif following := info.links.get("next"):
            step = _Step(following, "linked")
        elif feed and not info.is_archive:
            kind: _Kind = "counted" if info.is_wordpress or self._has_counted else "guessed"
            numbered = wordpress_page(feed, count, is_wordpress=info.is_wordpress)
            step = _Step(numbered, kind) if numbered else None
        if info.is_complete or step is None:
            return None
        if _bare(step.url) in self._seen_urls:
            self._end(Code.PAGES_CIRCLE, f"{page.name} leads back to {step.url}; ended there")
            return None
        if count >= self._options.max_pages:
            self.is_whole = False
            said = f"there may be more than the {count:,} pages that were read, from {step.url} on"
            self._end(Code.PAGES_CUT, f"{said}. Raise --max-pages to read them")
            return None
        return step

    def _leads_on(self, step: _Step, page: Source, info: PageInfo) -> bool:
        """Is there anything on a page that is worth going on for?"""
        is_known = not _addresses(page).isdisjoint(self._seen_urls)
        is_counted = step.kind in {"counted", "guessed"}
        if not is_known and (step.kind == "archive" or info.keys - self._seen_keys):
            self._has_counted = self._has_counted or is_counted
            return True
        if info.keys and not is_counted:
            said = f"{page.name} holds nothing that was not on the pages before; ended there"
            self._end(Code.PAGES_CIRCLE, said)
        return False

    def _fetched(self, step: _Step) -> _Page | None:
        """Fetch a page, and read where it leads; None: there is none, or it is done without."""
        try:
            is_first = _bare(step.url) in _addresses(self._first)
            page = self._first if is_first else self._fetch(step.url)
            return page, page_info(page if is_first else _checked(page))
        except (SourceError, DocumentError) as error:
            if step.is_end(error):
                return None
            if not self._options.keep_going:
                raise
            self._fail(str(error))
            return None

    def _fail(self, said: str) -> None:
        self.is_whole = False
        self._end(Code.PAGE_FAILED, f"{said}; the pages from there on are missing")

    def _end(self, code: Code, message: str) -> None:
        self._report(Issue(code=code, message=message, source=self._first.name))


def _checked(page: Source) -> Source:
    """Return a further page.

    Raises:
        SourceError: it is no feed.
    """
    seen = page.prefix()
    if detect.is_rss(seen) or detect.is_atom(seen) or detect.is_json_feed(seen):
        return page
    raise SourceError(
        f"{printable(page.name)}: wanted a further page of a feed, but this is none. {_WITHOUT}"
    )


def _addresses(page: Source) -> set[str]:
    """Give what a page is called, and where it was found."""
    return {_bare(page.name), _bare(page.url or page.name)}


def _bare(url: str) -> str:
    return url.partition("#")[0]


# -- one document of all pages ----------------------------------------------------------------


def concatenated(reader: Reader) -> Reader:
    """Give the reader of a page that becomes one document with the others."""
    return lambda stream, options, report: _WithoutPages(reader(stream, options, report))


class _WithoutPages(DocumentProxy):
    """A document whose header does not lead from page to page."""

    @property
    def feed(self) -> Feed:
        feed = self._document.feed
        kept = tuple(link for link in feed.links if link.rel not in _OF_PAGES)
        return feed if kept == feed.links else replace(feed, links=kept)
