"""Rules for all entries of a set of sitemaps together."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Final, NamedTuple

from converter.checks.context import CheckContext
from converter.checks.rule import ERROR, INFO, PROTOCOL, SITEMAPS, WARNING, CheckRule, Place
from converter.checks.sitemap import SitemapEntry
from converter.formats.base import Spool
from converter.model import Moment
from converter.pipeline.external_sort import ExternalSort
from converter.values import dates, urls
from converter.values.urls import hosts, quoted

_BUILD: Final = f"{SITEMAPS}/build-sitemap"
_VERSIONS: Final = (
    "https://developers.google.com/search/docs/specialty/international/localized-versions"
)
_LOCATION: Final = f"{PROTOCOL}#location"
_LASTMOD: Final = f"{_BUILD}#additional-notes-about-xml-sitemaps"

RULES: Final = (
    CheckRule(
        "url-duplicate", ERROR, "a file lists a page twice",
        why="The entries may contradict each other, and they count towards the limits.",
        fix="Keep one entry per page.",
        source=_BUILD, convert="repaired",
    ),
    CheckRule(
        "set-duplicate-across", WARNING, "several files of a set list the same page",
        why="The entries may contradict each other, and they count towards the limits.",
        fix="Keep the page in one of the files.",
        source=_BUILD, convert="repaired",
    ),
    CheckRule(
        "set-equivalent", WARNING, "two entries have the same URL in different spellings",
        why="They differ only in case of the host, percent-encoding, port or tracking parameters, "
        "and are one page.",
        fix="Keep the canonical spelling.",
        source=f"{PROTOCOL}#escaping", convert="repaired",
    ),
    CheckRule(
        "slash-mixed", WARNING, "a page is listed with and without a slash at the end",
        why="Servers usually redirect one to the other.",
        fix="Keep the URL that is not redirected.",
        source=_BUILD, convert="kept", is_default=False,
    ),
    CheckRule(
        "scheme-mixed", WARNING, "a file mixes http and https",
        why="The protocol wants all URLs of a sitemap on one host and scheme; one of them is "
        "probably redirected.",
        fix="Write all URLs with https.",
        source=_LOCATION, convert="kept",
    ),
    CheckRule(
        "host-other", WARNING, "a file lists pages on several hosts",
        why="The protocol allows one host per sitemap; Google allows several if all are verified.",
        fix="Write one sitemap per host, or remove the other pages.",
        source=_LOCATION, convert="kept",
    ),
    CheckRule(
        "host-sibling", WARNING, "a file lists pages with and without www",
        why="One of the hosts is probably redirected to the other.",
        fix="Write all URLs with the host that is not redirected.",
        source=_LOCATION, convert="kept",
    ),
    CheckRule(
        "scope-outside", ERROR, "a page is not below the folder of the sitemap",
        why="A sitemap lists only pages in its own folder and below; others are ignored.",
        fix="Publish the sitemap at the root of the site.",
        source=_LOCATION, convert="kept",
    ),
    CheckRule(
        "scope-host", ERROR, "a page is on another host than the sitemap",
        why="Search engines ignore it, unless both hosts are verified, or robots.txt of the other "
        "host names the sitemap.",
        fix="Publish a sitemap on the host of the pages.",
        source=_LOCATION, convert="kept",
    ),
    CheckRule(
        "lastmod-identical", WARNING, "all pages of a file have the same lastmod",
        why="It is the time at which the file was written. Google ignores dates that are not those "
        "of the pages.",
        fix="Write the time of the last change of each page, or no lastmod.",
        source=_LASTMOD, convert="kept",
    ),
    CheckRule(
        "lastmod-future-many", WARNING, "most dates of a file are in the future",
        why="The clock or the time zone of the server is wrong, and search engines stop trusting "
        "the dates.",
        fix="Correct the clock or the zone.",
        source=_LASTMOD, convert="dropped",
    ),
    CheckRule(
        "lastmod-missing-some", INFO, "some pages of a file have no lastmod",
        why="Search engines cannot see when these pages change.",
        fix="Write lastmod for all pages.",
        source=_LASTMOD, convert="kept", is_default=False,
    ),
    CheckRule(
        "hreflang-not-reciprocal", WARNING, "a language version does not link back",
        why="Links between versions are ignored unless both pages have them.",
        fix="List all versions at each of them.",
        source=_VERSIONS, convert="kept",
    ),
    CheckRule(
        "hreflang-href-not-in-set", WARNING, "a language version is not in the set",
        why="Its own links cannot be checked; it may be missing in the sitemap.",
        fix="Add the page of the version to the sitemap.",
        source=_VERSIONS, convert="dropped", is_default=False,
    ),
    CheckRule(
        "hreflang-set-differs", WARNING, "two versions of a page list different versions",
        why="Versions of one page must list the same set.",
        fix="List all versions at each of them.",
        source=_VERSIONS, convert="kept",
    ),
)  # fmt: skip

#: From so many entries on, equal dates are no accident.
_MIN_IDENTICAL: Final = 20
_MAX_ORIGINS: Final = 1000
#: Entries with one URL that are compared; there are more only in hostile files.
_MAX_GROUP: Final = 10_000
_AUTHORITY_AT: Final = len("https://")
_PAGE: Final = b"page"


class FileSummary:
    """What the entries of one file have in common."""

    def __init__(self, context: CheckContext) -> None:
        self.urls = self.news = 0
        self._context = context
        self._scope = None
        if context.published_url:
            self._scope = context.published_url.partition("?")[0].rpartition("/")[0] + "/"
        self._origins: dict[str, list[Any]] = {}
        """Origin -> how many, and the place and URL of the first."""
        self._dates: Counter[str] = Counter()
        self._first_date: Moment | None = None
        self._has_other_date = False

    def add(self, entry: SitemapEntry) -> None:
        """Add an entry of a sitemap."""
        self.news += entry.news
        moment = entry.lastmod
        self.add_url(entry.loc, entry.element.place)
        if moment is None:
            return
        self._dates["all"] += 1
        self._first_date = self._first_date or moment
        self._has_other_date |= moment != self._first_date
        if not dates.is_not_future(moment, self._context.now):
            self._dates["future"] += 1

    def add_url(self, loc: str | None, place: Place) -> None:
        """Add the URL of a page."""
        self.urls += 1
        if loc is None:
            return
        slash = loc.find("/", _AUTHORITY_AT)
        origin = loc[:slash] if slash > 0 else loc
        seen = self._origins.get(origin)
        if seen is not None:
            seen[0] += 1
        elif len(self._origins) < _MAX_ORIGINS:
            self._origins[origin] = [1, place, loc]
        if self._scope is not None and not loc.startswith(self._scope):
            self._report_scope(loc, place)

    def _report_scope(self, loc: str, place: Place) -> None:
        scope = self._scope or ""
        same = urls.host_of(loc) == urls.host_of(scope)
        code, what = ("scope-outside", "folder") if same else ("scope-host", "host")
        message = f"{quoted(loc)} is not in the {what} of the sitemap, {quoted(scope)}"
        self._context.report(code, message, place, path="url/loc")

    def finish(self) -> None:
        """Report what only the end of the file shows."""
        context, dated = self._context, self._dates["all"]
        context.entry = None
        self._report_origins()
        if dated >= _MIN_IDENTICAL and not (self._has_other_date or self.news):
            context.report("lastmod-identical", f"all {dated:,} pages have the same lastmod")
        if (future := self._dates["future"]) > dated / 2 and future > 1:
            message = f"{future:,} of {dated:,} dates are in the future"
            context.report("lastmod-future-many", message)
        if 0 < dated < self.urls:
            message = f"{self.urls - dated:,} of {self.urls:,} pages have no lastmod"
            context.report("lastmod-missing-some", message)

    def _report_origins(self) -> None:
        origins = self._origins
        usual = max(origins, key=lambda origin: origins[origin][0], default="")
        for origin, (number, place, loc) in origins.items():
            if origin == usual:
                continue
            self._context.entry = loc
            words = f"{number:,} page{'s' * (number > 1)} on {origin}, most are on {usual}"
            self._context.report(_deviation(origin, usual), words, place, path="url/loc")
        self._context.entry = None


def _deviation(origin: str, usual: str) -> str:
    if origin.partition("://")[2] == usual.partition("://")[2]:
        return "scheme-mixed"
    host, other = urls.host_of(origin), urls.host_of(usual)
    is_sibling = host and other and hosts.differ_by_www(host, other)
    return "host-sibling" if is_sibling else "host-other"


class _PageRow(NamedTuple):
    """A page in the external sort."""

    kind: str
    file: int
    line: int
    column: int
    loc: str
    versions: int = 0
    """Digest of its language versions."""
    other: str = ""
    """The page that lists this one as a version, or a version that this page lists."""

    def to_bytes(self) -> bytes:
        """Return the kind, readable at the beginning, and all values."""
        return self.kind.encode() + b"\0" + pickle.dumps(tuple(self), pickle.HIGHEST_PROTOCOL)

    @classmethod
    def from_bytes(cls, row: bytes) -> _PageRow:
        return cls(*pickle.loads(row.partition(b"\0")[2]))  # noqa: S301  of our own process


class PageSet:
    """All pages of a run, to find duplicates and language versions that do not link back."""

    def __init__(self, spool: Spool) -> None:
        self._rows = ExternalSort(spool)
        self._contexts: list[CheckContext] = []

    def begin_file(self, context: CheckContext) -> None:
        """Begin to add the pages of another file."""
        self._contexts.append(context)

    def add(self, loc: str, place: Place, versions: Iterable[tuple[str, str]] = ()) -> None:
        """Add a page, with language and URL of its versions."""
        context, file = self._contexts[-1], len(self._contexts) - 1
        line, column = place.line or 0, place.column or 0
        pairs = sorted((language.lower(), href) for language, href in versions)
        digest = hash(tuple(pairs))
        self._add(context, _PageRow("page", file, line, column, loc, digest))
        for href in sorted({href for _, href in pairs if href != loc}):
            self._add(context, _PageRow("lists", file, line, column, loc, digest, href))
            self._add(context, _PageRow("listed", file, line, column, href, digest, loc))

    def _add(self, context: CheckContext, row: _PageRow) -> None:
        loc = row.loc
        if not urls.is_canonical_page(loc):
            loc = urls.clean_page(loc, context.parameters).url or loc
        self._rows.add(loc.rstrip("/"), row.to_bytes())

    def finish(self) -> Iterator[None]:
        """Report duplicates, and versions that do not link back; yield after each page."""
        with self._rows as rows:
            for _, group in groupby(rows, key=itemgetter(0)):
                data = [row for _, row in islice(group, _MAX_GROUP)]
                if len(data) > 1 or not data[0].startswith(_PAGE):
                    self._check([_PageRow.from_bytes(row) for row in data])
                    yield

    def _check(self, rows: list[_PageRow]) -> None:
        pages = [row for row in rows if row.kind == "page"]
        for number, page in enumerate(pages[1:], 1):
            self._check_duplicate(page, pages[:number])
        listed = [row for row in rows if row.kind == "listed"]
        if listed:
            lists = {row.other for row in rows if row.kind == "lists"}
            self._check_versions(listed, pages, lists)

    def _check_duplicate(self, page: _PageRow, before: list[_PageRow]) -> None:
        same = [other for other in before if other.loc == page.loc]
        first = same[0] if same else before[0]
        source = self._contexts[first.file].source
        if not same and first.loc.rstrip("/") == page.loc.rstrip("/"):
            code, what = "slash-mixed", f"{quoted(first.loc)} is"
        elif not same:
            code, what = "set-equivalent", f"the same page as {quoted(first.loc)}, which is"
        elif first.file == page.file:
            code, what = "url-duplicate", "the same page is"
        else:
            code, what = "set-duplicate-across", "the same page is"
        self._report(page, code, f"{quoted(page.loc)}: {what} at {source}:{first.line}")

    def _check_versions(
        self, listed: list[_PageRow], pages: list[_PageRow], lists: set[str]
    ) -> None:
        """Check a page that others list as a version."""
        for row in listed:
            target = quoted(row.loc)
            if not pages:
                message = f"the version {target} is not in the set"
                self._report(row, "hreflang-href-not-in-set", message, entry=row.other)
            elif row.other not in lists:
                message = f"the version {target} does not list this page"
                self._report(row, "hreflang-not-reciprocal", message, entry=row.other)
            elif all(page.versions != row.versions for page in pages):
                message = f"the version {target} lists other versions"
                self._report(row, "hreflang-set-differs", message, entry=row.other)

    def _report(self, row: _PageRow, code: str, message: str, entry: str | None = None) -> None:
        context = self._contexts[row.file]
        context.entry = entry or row.loc
        path = "url/xhtml:link" if entry else "url/loc"
        context.report(code, message, Place(row.line, row.column), path=path)
        context.entry = None
