"""The whole history of a feed, page after page: archives, links to the next page, WordPress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Final, NamedTuple, TypeAlias

from converter.edge.sources import Source
from converter.errors import DocumentError, HttpError, SourceError
from converter.finding import paging
from converter.finding.paging import Look
from converter.issues import Code, Issue, Report, printable
from converter.model import Feed
from converter.options import FetchOptions
from converter.readers import DocumentProxy
from converter.seams import Reader
from converter.xml import prefix

__all__ = ["History", "joined"]

#: A server's words for "there is no such page".
_GONE: Final = frozenset((HTTPStatus.NOT_FOUND, HTTPStatus.GONE))

#: What leads from page to page: https://www.rfc-editor.org/rfc/rfc5005
_OF_PAGES: Final = frozenset(
    ("first", "last", "next", "next-archive", "prev", "prev-archive", "previous")
)

#: A page, and what it says.
_Seen: TypeAlias = tuple[Source, Look]
#: Of these nothing follows about a page: there was no whole answer, or we ask too often.
_NO_ANSWER: Final = frozenset((None, HTTPStatus.TOO_MANY_REQUESTS))


class _Step(NamedTuple):
    """Where to go next."""

    url: str
    is_archive: bool = False
    """Of a chain that is as long as it is: an archive may be empty, or hold nothing new."""
    is_counted: bool = False
    """Its number was counted up: nobody has said that there is such a page."""
    is_guess: bool = False
    """Nor that there are pages at all: whatever comes in its place shows that there are none."""

    def is_end(self, error: SourceError | DocumentError) -> bool:
        """Does an error say that the chain ends here, and is no failure?"""
        status = error.status if isinstance(error, HttpError) else None
        if self.is_guess and not (isinstance(error, HttpError) and status in _NO_ANSWER):
            return True
        return self.is_counted and status in _GONE


class History:
    """Goes from page to page of one feed, one after the other, the newest first."""

    def __init__(
        self, fetch: Callable[[str], Source], options: FetchOptions, report: Report
    ) -> None:
        self._fetch = fetch
        self._options = options
        self._report = report
        self.is_whole = True
        """Were all pages given that there are?"""
        self._first: Source
        self._has_counted = False
        self._name = ""
        self._seen_urls: set[str] = set()
        self._seen_keys: set[int] = set()

    def pages(self, first: Source) -> list[Source]:
        """Give a feed's pages, and `first` among them.

        Raises:
            HttpError: a page cannot be had, and nobody has said to make do without.
            SourceError: likewise; what is there is no feed.
            DocumentError: likewise; it is one, and broken beyond repair.
            LimitError: a guard struck.
        """
        self._first, self._name = first, first.name
        try:
            look = paging.look(first)
        except DocumentError:  # its reader will say so, or save what can be saved
            said = f"{printable(first.name)} does not say where its older pages are: it is broken"
            self._fail(said)
            return [first]
        pages: list[Source] = []
        following: _Seen | None = self._beginning(first, look)
        while following is not None:
            page, look = following
            pages.append(page)
            self._seen_urls |= _addresses(page)
            self._seen_keys |= look.keys
            following = self._following(page, look, len(pages))
        return pages if any(page is first for page in pages) else [*pages, first]

    def _beginning(self, first: Source, look: Look) -> _Seen:
        """Go to the document that is subscribed to, if the one that was named is an archive."""
        current = look.links.get("current")
        if not look.is_archive or current is None or _bare(current) in _addresses(first):
            return first, look
        return self._had(_Step(current)) or (first, look)

    def _following(self, page: Source, look: Look, number: int) -> _Seen | None:
        """Fetch the page that comes next; None: this was the last."""
        step = self._step(page, look, number)
        if step is None:
            return None
        if _bare(step.url) in self._seen_urls:
            self._end(Code.PAGES_CIRCLE, f"{page.name} leads back to {step.url}; ended there")
            return None
        if number >= self._options.max_pages:
            self.is_whole = False
            self._end(
                Code.PAGES_CUT,
                f"there may be more than the {number:,} pages that were read, from {step.url} on. "
                "Raise --max-pages to read them",
            )
            return None
        following = self._had(step)
        if following is None or self._is_end(step, *following):
            return None
        self._has_counted = self._has_counted or step.is_counted
        return following

    def _step(self, page: Source, look: Look, number: int) -> _Step | None:
        if look.is_complete:
            return None
        if archive := look.links.get("prev-archive"):
            return _Step(archive, is_archive=True)
        if following := look.links.get("next"):
            return _Step(following)
        feed = self._first.url
        if feed is None or look.is_archive:
            return None
        if not (look.is_wordpress or paging.counts_pages(feed)):
            return None
        url = paging.numbered(feed, paging.number_of(feed) + number)
        is_guess = not (look.is_wordpress or self._has_counted)
        return _Step(url, is_counted=True, is_guess=is_guess)

    def _is_end(self, step: _Step, page: Source, look: Look) -> bool:
        """Is there nothing on a page that the chain should go on for?"""
        is_known = not _addresses(page).isdisjoint(self._seen_urls)
        if step.is_archive and not is_known:
            return False
        if look.keys - self._seen_keys and not is_known:
            return False
        if look.keys and not step.is_counted:
            said = f"{page.name} holds nothing that was not on the pages before; ended there"
            self._end(Code.PAGES_CIRCLE, said)
        return True

    def _had(self, step: _Step) -> _Seen | None:
        """Fetch a page, and look at it; None: there is none, or it is to be done without."""
        try:
            is_first = _bare(step.url) in _addresses(self._first)
            page = self._first if is_first else self._fetch(step.url)
            return page, _looked_at(page, self._name)
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
        self._report(Issue(code=code, message=message, source=self._name))


def joined(reader: Reader) -> Reader:
    """Give the reader of a page that becomes one document with the others."""
    return lambda stream, options, report: _Page(reader(stream, options, report))


class _Page(DocumentProxy):
    """A document whose header does not lead from page to page."""

    @property
    def feed(self) -> Feed:
        feed = self._document.feed
        kept = tuple(link for link in feed.links if link.rel not in _OF_PAGES)
        return feed if kept == feed.links else replace(feed, links=kept)


def _looked_at(page: Source, feed: str) -> Look:
    seen = page.prefix()
    if not (prefix.is_rss(seen) or prefix.is_atom(seen)):
        raise SourceError(
            f"{printable(page.name)}: wanted a further page of the feed {printable(feed)}, but "
            "this is none. Do without it (--keep-going), or without --follow-pages"
        )
    try:
        return paging.look(page)
    except DocumentError as error:
        said = f"{printable(page.name)}: {error}. It is a further page of {printable(feed)}: do"
        error.args = (f"{said} without it (--keep-going), or without --follow-pages",)
        raise


def _addresses(page: Source) -> set[str]:
    """Give what a page is called, and where it was found."""
    return {_bare(page.name), _bare(page.url or page.name)}


def _bare(url: str) -> str:
    return url.partition("#")[0]
