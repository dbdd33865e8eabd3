"""Enforce one host and one scheme if options require it; report others if not (mapping 6.2)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from converter.errors import OptionError
from converter.issues import Code, Issue, Report
from converter.model import Entry
from converter.options import TransformOptions
from converter.pipeline.counts import MAX_ORIGINS, OTHER_ORIGINS, REWRITTEN, Counts
from converter.values import urls
from converter.values.urls import hosts

_AUTHORITY_AT = len("https://")


class HostCheck:
    """Checks the hosts of entries whose URLs are clean."""

    def __init__(self, options: TransformOptions, report: Report, counts: Counts) -> None:
        """Check the options; `counts` takes the number of entries of each origin.

        Raises:
            OptionError: `host` is no host, or `sitemap_url` no URL.
        """
        self._report = report
        self._host = None if options.host is None else _host(options.host)
        self._scope = None if options.sitemap_url is None else _directory(options.sitemap_url)
        self._unify = options.unify_host
        self._scheme = options.scheme
        self._reference = self._host
        self._counts = counts

    def check(self, entry: Entry) -> Entry | None:
        """Rewrite the URLs of an entry, drop it, or count its origin, as the options say."""
        loc = entry.loc
        if loc is None:
            return entry
        if self._scheme or self._unify:
            rewritten = self._rewritten(entry, loc)
            if rewritten is None:
                return None
            entry, loc = rewritten, rewritten.loc or loc
        origin = loc[: loc.index("/", _AUTHORITY_AT)]
        if self._host and _host_of(origin) != self._host:
            self._report(self._dropped(entry, _host_of(origin)))
            return None
        if self._scope is None:
            origins = self._counts.origins
            if origin in origins:
                origins[origin] += 1
            else:
                self._count(origin, entry)
        elif not loc.startswith(self._scope):
            message = f"not under {self._scope}, the folder of the sitemap; kept"
            issue = Issue(code=Code.SCOPE_OUTSIDE, message=message, line=entry.line, entry=loc)
            self._report(issue)
        return entry

    def summarise(self) -> None:
        """Report the counts, and reset them."""
        counts = self._counts
        # max() takes the first of equals, which is the one seen first
        origins = [origin for origin in counts.origins if "/" in origin]
        reference = max(origins, key=counts.origins.__getitem__, default="")
        for origin, number in counts.origins.items():
            if origin != reference:
                code, words = _deviation(origin, reference)
                noun = "entry" if number == 1 else "entries"
                line, loc, source = counts.firsts[origin]
                message = f"{number} {noun} {words}"
                issue = Issue(code=code, message=message, line=line, entry=loc, source=source)
                self._report(issue)
        counts.origins.clear()
        counts.firsts.clear()

    def _dropped(self, entry: Entry, host: str | None) -> Issue:
        message = f"on {host}, not on {self._host}; dropped"
        if self._is_sibling(host):
            message += "; --unify-host would rewrite it: the two differ only in www"
        return Issue(code=Code.HOST_DROPPED, message=message, line=entry.line, entry=entry.loc)

    def _count(self, origin: str, entry: Entry) -> None:
        source = entry.feed.source if entry.feed else None
        self._counts.add_origin(origin, 1, (entry.line, entry.loc, source))

    def _rewritten(self, entry: Entry, loc: str) -> Entry | None:
        """Return the entry with page and alternates on the requested host and scheme."""
        if self._reference is None:
            self._reference = _host_of(_origin(loc))
        moved = self._rewritten_url(loc, entry)
        if moved is None:
            return None
        alternates = tuple(
            alternate if href == alternate.href else replace(alternate, href=href)
            for alternate in entry.alternates
            if (href := self._rewritten_url(alternate.href, entry)) is not None
        )
        if moved == loc and alternates == entry.alternates:
            return entry
        self._count(REWRITTEN, entry)
        return replace(entry, loc=moved, alternates=alternates)

    def _rewritten_url(self, url: str, entry: Entry) -> str | None:
        host = self._reference if self._unify and self._is_sibling(_host_of(_origin(url))) else None
        if host is None and (self._scheme is None or url.startswith(f"{self._scheme}:")):
            return url
        moved, notes = urls.change_origin(url, scheme=self._scheme, host=host)
        for code, message in notes:
            self._report(Issue(code=code, message=message, line=entry.line, entry=entry.loc))
        return moved

    def _is_sibling(self, host: str | None) -> bool:
        reference = self._reference
        return host is not None and reference is not None and hosts.differ_by_www(host, reference)


def _origin(url: str) -> str:
    """Cut scheme, host and port from a clean URL."""
    return url[: url.index("/", _AUTHORITY_AT)]


_host_of = lru_cache(maxsize=MAX_ORIGINS)(urls.host_of)


def _deviation(origin: str, reference: str) -> tuple[Code, str]:
    """Return the code and words for what is not the origin of most entries."""
    if origin == REWRITTEN:
        return Code.URL_REWRITTEN, "rewritten as asked"
    if origin == OTHER_ORIGINS:
        return Code.HOST_OTHER, f"on further hosts, after the first {MAX_ORIGINS}"
    words = f"on {origin}, where most are on {reference}; kept"
    if origin.partition("://")[2] == reference.partition("://")[2]:
        return Code.SCHEME_MIXED, f"{words}, --scheme would rewrite them"
    host, other = _host_of(origin), _host_of(reference)
    if host and other and hosts.differ_by_www(host, other):
        return Code.HOST_SIBLING, f"{words}, --unify-host would rewrite them"
    return Code.HOST_OTHER, f"{words}, --host would drop them"


def _host(text: str) -> str:
    try:
        return hosts.canonical(text.strip())
    except ValueError as error:
        raise OptionError(
            f"host {urls.quoted(text)}: {error}; give a name without scheme and port, as www.ex.com"
        ) from None


def _directory(sitemap_url: str) -> str:
    """Return the URL of the folder of a sitemap, which holds all that it lists (mapping 1.5)."""
    clean = urls.clean_media(sitemap_url).url
    if clean is None:
        raise OptionError(f"sitemap_url {urls.quoted(sitemap_url)} is no absolute http(s) URL")
    return clean.partition("?")[0].rpartition("/")[0] + "/"
