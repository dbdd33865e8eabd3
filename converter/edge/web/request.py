"""One document over HTTP: redirects, retries, the cache, and which headers go to which host."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import BinaryIO, Final, TypeAlias
from urllib.parse import unquote, urldefrag, urlsplit

from requests import Request, Response, Session
from requests.exceptions import RequestException
from requests.utils import select_proxy
from urllib3.exceptions import HTTPError

from converter.edge.sources import Source, size_of
from converter.edge.web import charset, faults, headers
from converter.edge.web.body import BodySpool, codings_of, packing_of
from converter.edge.web.cache import Cache, CachedResponse, CacheEntry
from converter.edge.web.credentials import Credentials
from converter.edge.web.deadline import Deadline
from converter.errors import HttpError, LimitError
from converter.issues import Code, Issue, Report, printable
from converter.options import FetchOptions, Limits
from converter.seams import Spool
from converter.values import urls
from converter.values.mediatypes import format_extension

__all__ = ["FetchRequest", "HttpContext"]

_MOST_REDIRECTS: Final = 10

#: Moved for good: https://www.rfc-editor.org/rfc/rfc9110#section-15.4
_PERMANENT: Final = frozenset({HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT})

#: 203 is what a proxy made of a 200.
_WANTED: Final = frozenset({HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION})

#: The first pause, and the most that chance adds to one.
_BACKOFF_S: Final = 0.5

#: The status of a redirect, and where it leads.
_Redirect: TypeAlias = tuple[int, str]

#: Longer pauses are shown as this one.
_LONG_S: Final = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpContext:
    """What all requests of a run share."""

    options: FetchOptions
    limits: Limits
    spool: Spool
    session: Session
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
        self._failures = 0

    def run(self) -> Source:
        """Fetch the document.

        Raises:
            HttpError: no server gave it.
            LimitError: a limit was exceeded, or the address is private.
            SinkError: there is no room for it.
        """
        try:
            secrets = self._context.credentials.of(headers.canonical(self._name), self._own)
            if self._context.cache is None:
                return self._followed(None)
            with self._context.cache.entry(self._name, secrets, self._report) as entry:
                return self._followed(entry)
        except (HttpError, LimitError) as error:
            name = printable(self._name)
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
                f"{printable(self._name)}: what came from the server cannot be understood "
                f"({type(error).__name__}). Look at the URL with a browser"
            ) from error

    # -- redirects ------------------------------------------------------------------------

    def _followed(self, entry: CacheEntry | None) -> Source:
        seen, moved = [headers.canonical(self._name)], True
        while True:
            found = self._persisted(seen[-1], entry)
            if isinstance(found, Source):
                return found
            status, target = found
            moved = moved and status in _PERMANENT
            if moved:
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

    def _target(self, url: str, response: Response) -> str | None:
        """Where an answer sends us; a fragment, and a key that is given along, are left out."""
        if not response.is_redirect:
            return None
        location = response.headers["Location"]
        found = headers.location_of(location, url)
        if found is not None and not urls.is_http(found):
            raise HttpError(
                f"it redirects to {urls.shown(found)[1:-1]}, which is neither http nor https"
            )
        try:
            return headers.canonical(urldefrag(found or "").url)
        except ValueError as error:
            raise HttpError(f"it redirects to {urls.shown(location)}, which is no URL") from error

    # -- tries ----------------------------------------------------------------------------

    def _persisted(self, url: str, entry: CacheEntry | None) -> Source | _Redirect:
        while True:
            self._deadline.check()
            try:
                return self._tried(url, entry)
            except faults.TransientError as error:
                self._pause(error)
            except (RequestException, HTTPError) as error:
                self._pause(faults.transient(error))

    def _pause(self, error: faults.TransientError) -> None:
        """Wait before the next try.

        Raises:
            HttpError: there is no next one, or it would come too late.
        """
        options = self._context.options
        if self._failures == options.retries:
            often = f" (asked {self._failures + 1} times)" if self._failures else ""
            raise HttpError(f"{error}{often}", status=error.status) from error
        seconds = error.retry_after
        if seconds is None:
            seconds = _BACKOFF_S * (2**self._failures + random.random())  # noqa: S311  no secret
        self._failures += 1
        if seconds >= self._deadline.left():
            raise HttpError(
                f"{error}; it is to be asked again in {math.ceil(min(seconds, _LONG_S)):,} "
                f"seconds, which is later than --timeout {options.timeout_s:g} allows",
                status=error.status,
            )
        self._deadline.rest(seconds)

    def _tried(self, url: str, entry: CacheEntry | None) -> Source | _Redirect:
        kept = entry.kept if entry and entry.kept and entry.kept.url == url else None
        with self._answer(url, kept) as response:
            if target := self._target(url, response):
                return response.status_code, target
            if response.status_code == HTTPStatus.NOT_MODIFIED and entry and kept:
                return self._done(kept, entry.body(self._spool), is_unchanged=True)
            if response.status_code not in _WANTED:
                raise faults.refused(response.raw)
            return self._new(url, response, entry)

    def _answer(self, url: str, kept: CachedResponse | None) -> Response:
        """Ask, for nothing but what has changed if that page was kept."""
        context, session = self._context, self._context.session
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
        # With an `auth` that does nothing, requests does not look for credentials itself.
        request = Request("GET", url, headers=told, auth=lambda prepared: prepared)
        prepared = session.prepare_request(request)
        settings = session.merge_environment_settings(url, {}, True, None, None)
        left = self._deadline.left()
        try:
            return session.get_adapter(url).send(
                prepared,
                stream=True,
                timeout=(min(context.options.connect_s, left), context.options.silence_s),
                verify=settings["verify"] or True,  # nothing here can switch it off
                cert=settings["cert"],
                proxies=settings["proxies"],
            )
        except (RequestException, UnicodeEncodeError) as error:
            faults.blame(select_proxy(url, settings["proxies"]), error)
            raise
        except OSError as error:  # requests looks for the file of authorities, and for no other
            raise HttpError(
                "REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE names no file of authorities. Mend it"
            ) from error

    # -- documents ------------------------------------------------------------------------

    def _new(self, url: str, response: Response, entry: CacheEntry | None) -> Source:
        repairs: list[Issue] = []
        codings = codings_of(response.headers.get("Content-Encoding", ""), self._name)
        stream = self._spool.received(response.raw)
        stream = self._spool.unpacked(stream, codings, repairs.append)
        for issue in repairs:
            self._report(issue)
        kept = headers.described(url, response.headers)
        if entry is not None:
            if kept.conditions and not repairs and headers.may_be_kept(response.headers):
                entry.keep(kept, stream)
            else:
                entry.drop()
        return self._done(kept, stream, is_unchanged=False)

    def _done(self, kept: CachedResponse, stream: BinaryIO, *, is_unchanged: bool) -> Source:
        stream = self._spool.unpacked(stream, packing_of(stream), self._report)
        stream = charset.heeded(stream, kept.charset, self._spool, self._report)
        return Source(
            name=self._name,
            stream=stream,
            total_bytes=size_of(stream),
            consumed=stream.tell,
            extension=format_extension(unquote(urlsplit(kept.url).path)) or None,
            media_type=kept.media_type,
            url=kept.url,
            links=kept.links,
            is_unchanged=is_unchanged,
        )
