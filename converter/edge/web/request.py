"""One document over HTTP: redirects, retries, the cache, and which headers go to which host."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import BinaryIO, Final, TypeAlias
from urllib.parse import unquote, urldefrag, urlsplit

from requests.exceptions import RequestException
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HTTPError

from converter.edge.sources import Source, size_of
from converter.edge.web import faults, headers
from converter.edge.web.address_guard import GuardedAdapter
from converter.edge.web.body import BodySpool, codings_of
from converter.edge.web.cache import Cache, CachedResponse, CacheEntry
from converter.edge.web.credentials import Credentials
from converter.edge.web.deadline import Deadline
from converter.errors import HttpError, LimitError
from converter.issues import Code, Issue, Report, printable
from converter.options import FetchOptions, Limits
from converter.seams import Spool
from converter.values import urls
from converter.values.extensions import extension_of

__all__ = ["FetchRequest", "HttpContext"]

_MOST_REDIRECTS: Final = 10

#: Moved for good: https://www.rfc-editor.org/rfc/rfc9110#section-15.4
_PERMANENT: Final = frozenset({HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT})

#: 203 is what a proxy made of a 200.
_WANTED: Final = frozenset({HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION})

#: The first pause, and the most that chance adds to one.
_BACKOFF_S: Final = 0.5

#: Longer pauses are shown as this one.
_LONG_S: Final = 10_000_000

#: The status of a redirect, and where it leads.
_Redirect: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpContext:
    """What all requests of a run share."""

    options: FetchOptions
    limits: Limits
    spool: Spool
    adapter: GuardedAdapter
    credentials: Credentials
    cache: Cache | None
    agent: str


class FetchRequest:
    """One document, under one deadline."""

    def __init__(
        self,
        context: HttpContext,
        asked: str,
        deadline: Deadline,
        report: Report,
        *,
        own: Mapping[str, str],
    ) -> None:
        self._context = context
        self._own = own
        self._name = asked
        self._deadline = deadline
        self._spool = BodySpool(name=asked, limits=context.limits, spool=context.spool)
        self._report: Report = lambda issue: report(replace(issue, source=asked))

    def run(self) -> Source:
        """Fetch the document.

        Raises:
            HttpError: no server gave it.
            LimitError: a limit was exceeded, or the address is private.
            SinkError: there is no room for it.
        """
        name, cache = printable(self._name), self._context.cache
        try:
            with ExitStack() as closing:
                url, entry = headers.canonical(self._name), None
                if cache is not None:
                    secrets = self._context.credentials.of(url, self._own)
                    entry = cache.entry(self._name, secrets, self._report, closing)
                return self._document(url, entry)
        except (HttpError, LimitError) as error:
            if self._deadline.is_over:
                raise HttpError(
                    f"{name}: there was no whole answer in {self._deadline.seconds:g} seconds. "
                    "Try later, or allow more with --timeout"
                ) from error
            if not str(error).startswith(f"{name}: "):
                error.args = (f"{name}: {error}",)
            raise
        except faults.UNREADABLE as error:
            raise HttpError(
                f"{name}: what came from the server cannot be understood "
                f"({type(error).__name__}). Look at the URL with a browser"
            ) from error

    def _document(self, url: str, entry: CacheEntry | None) -> Source:
        """Ask until a document comes, or what will not change."""
        seen, failures, moved = [url], 0, True
        while True:
            self._deadline.check()
            try:
                found = self._tried(seen[-1], entry)
            except faults.TransientError as error:
                self._pause(error, failures)
                failures += 1
                continue
            if isinstance(found, Source):
                return found
            status, target = found
            if moved := moved and status in _PERMANENT:
                said = f"it has moved for good ({status}) to {printable(target)}; name that"
                self._report(Issue(code=Code.SOURCE_MOVED, message=said))
            if target in seen:
                way = " → ".join(printable(place, 60) for place in (*seen, target))
                raise HttpError(f"the redirects go round in a circle: {way}")
            if len(seen) > _MOST_REDIRECTS:
                raise HttpError(
                    f"more than {_MOST_REDIRECTS} redirects, the last to {printable(target)}. "
                    "Name the page that they are to lead to"
                )
            seen.append(target)

    def _pause(self, error: faults.TransientError, failures: int) -> None:
        """Wait before the next try.

        Raises:
            HttpError: there is no next one, or it would come too late.
        """
        options = self._context.options
        if failures == options.retries:
            often = f" (asked {failures + 1} times)" if failures else ""
            raise HttpError(f"{error}{often}", status=error.status) from error
        seconds = error.retry_after
        if seconds is None:
            seconds = _BACKOFF_S * (2**failures + random.random())  # noqa: S311  no secret
        if seconds >= self._deadline.left():
            raise HttpError(
                f"{error}; it is to be asked again in {math.ceil(min(seconds, _LONG_S)):,} "
                f"seconds, which is later than --timeout {options.timeout_s:g} allows",
                status=error.status,
            )
        self._deadline.sleep(seconds)

    def _tried(self, url: str, entry: CacheEntry | None) -> Source | _Redirect:
        """Ask once, for nothing but what has changed if that page was kept."""
        context = self._context
        kept = entry.kept if entry and entry.kept and entry.kept.url == url else None
        told = {
            "User-Agent": context.agent,
            "Accept": headers.ACCEPT,
            "Accept-Encoding": "gzip, deflate",
            **context.credentials.of(url, self._own),
        }
        # Letters outside Latin-1 go as bytes of UTF-8, as curl sends them.
        told = {
            name: value.encode("utf-8", "surrogateescape").decode("latin-1")
            for name, value in told.items()
        }
        told |= kept.conditions if kept else {}
        timeout = min(context.options.connect_s, self._deadline.left()), context.options.silence_s
        try:
            with context.adapter.get(url, told, timeout) as answer:
                response: BaseHTTPResponse = answer.raw
                if target := _target(url, response):
                    return response.status, target
                if response.status == HTTPStatus.NOT_MODIFIED and entry and kept:
                    return self._source(kept, entry.body(self._spool), is_unchanged=True)
                if response.status not in _WANTED:
                    raise faults.refused(response)
                return self._received(url, response, entry)
        except (RequestException, HTTPError) as error:
            raise faults.transient(error) from error

    def _received(self, url: str, response: BaseHTTPResponse, entry: CacheEntry | None) -> Source:
        repairs: list[Issue] = []
        codings = codings_of(response.headers.get("Content-Encoding", ""))
        stream = self._spool.received(response)
        stream = self._spool.unpacked(stream, codings, repairs.append)
        for issue in repairs:
            self._report(issue)
        kept = headers.described(url, response.headers)
        if entry is not None:
            if kept.conditions and not repairs and headers.may_be_kept(response.headers):
                entry.keep(kept, stream)
            else:
                entry.drop()
        return self._source(kept, stream, is_unchanged=False)

    def _source(self, kept: CachedResponse, stream: BinaryIO, *, is_unchanged: bool) -> Source:
        stream = self._spool.readable(stream, kept.charset, self._report)
        return Source(
            name=self._name,
            stream=stream,
            total_bytes=size_of(stream),
            consumed=stream.tell,
            extension=extension_of(unquote(urlsplit(kept.url).path)) or None,
            media_type=kept.media_type,
            url=kept.url,
            links=kept.links,
            is_unchanged=is_unchanged,
        )


def _target(url: str, response: BaseHTTPResponse) -> str | None:
    """Where an answer sends us; a fragment, and a key that is given along, are left out."""
    location = response.get_redirect_location()
    if not location:
        return None
    found = headers.location_of(location, url)
    if found is not None and not urls.is_http(found):
        raise HttpError(
            f"it redirects to {urls.shown(found)[1:-1]}, which is neither http nor https"
        )
    try:
        return headers.canonical(urldefrag(found or "").url)
    except ValueError as error:
        raise HttpError(f"it redirects to {urls.shown(location)}, which is no URL") from error
