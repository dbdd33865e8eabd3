"""Fetches one document: follows redirects, and retries what may succeed in a moment."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import responses
from typing import BinaryIO, Final
from urllib.parse import unquote, urlsplit

from requests.exceptions import RequestException
from urllib3 import BaseHTTPResponse, Retry, Timeout, exceptions

from converter.errors import HttpError, LimitError
from converter.issues import Code, Issue, printable
from converter.options import FetchOptions
from converter.sources.http import headers
from converter.sources.http.body import BodyReader
from converter.sources.http.cache import CachedResponse, CacheEntry
from converter.sources.http.connections import GuardedAdapter
from converter.sources.http.deadline import Deadline
from converter.sources.source import Source, size_of
from converter.values.media_types import format_extension

_MAX_REDIRECTS: Final = 10

#: https://www.rfc-editor.org/rfc/rfc9110#section-15.4
_PERMANENT: Final = frozenset({HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT})

#: 203 is what a proxy made of a 200.
_SUCCESS: Final = frozenset({HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION})

#: Statuses that may change in a moment.
_TRANSIENT: Final = frozenset({429, 500, 502, 503, 504})

#: What parsers of headers raise, in requests, urllib3 and the standard library.
_UNREADABLE: Final = (ValueError, LookupError, OverflowError, RecursionError)

#: The first pause between attempts, doubled each time, and the largest random addition to a pause.
_BACKOFF_S: Final = 0.5


#: The first type that is among the causes counts.
_MESSAGES: Final[Mapping[type[BaseException], str]] = {
    exceptions.ProxyError: (
        "the proxy that the environment names could not be reached, or refused; in HTTPS_PROXY "
        "write http:// for a proxy that does not speak TLS itself"
    ),
    ConnectionRefusedError: "the connection was refused: no server listens there",
    ConnectionError: "the server broke off the connection",
    exceptions.NameResolutionError: "its host could not be looked up at the moment",
    exceptions.ConnectTimeoutError: "the connection timed out",
    exceptions.ReadTimeoutError: "the server fell silent",
    exceptions.IncompleteRead: "the body is shorter than the server announced",
    exceptions.InvalidChunkLength: "the body breaks off, or its chunks are damaged",
    TimeoutError: "the server fell silent",  # of sockets
}
_ADVICE: Final[Mapping[int, str]] = {
    401: "Add name and password in ~/.netrc, in the URL, or with --header",
    403: "It may want --header, or another --user-agent",
    404: "There is no such page: check the URL",
    407: "The proxy wants name and password: add them in HTTP_PROXY or HTTPS_PROXY",
    410: "The page is permanently gone: remove it from the sources",
    429: "There were too many requests: try later",
}


class TransientError(HttpError):
    """An attempt that failed, and may be repeated."""

    retry_after: float | None = None
    """The seconds of a Retry-After header; None if there is none that can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """The request for one document, under one deadline."""

    name: str
    options: FetchOptions
    adapter: GuardedAdapter
    secrets_for: Callable[[str], Mapping[str, str]]
    """Returns the headers of the user that a URL may be requested with."""
    deadline: Deadline
    bodies: BodyReader
    issues: Sequence[Issue]
    """The issues of this document so far."""

    def run(self) -> Source:
        """Fetch the document; every error names it."""
        name = printable(self.name)
        try:
            url = headers.canonical(self.name)
            with closing(self._cached(url)) if self.options.cache else nullcontext() as entry:
                return self._follow(url, entry)
        except (HttpError, LimitError) as error:
            if self.deadline.is_over:
                raise HttpError(
                    f"{name}: there was no whole answer in {self.deadline.seconds:g} seconds. "
                    "Try later, or allow more with --timeout"
                ) from error
            if not str(error).startswith(f"{name}: "):
                error.args = (f"{name}: {error}",)
            raise
        except _UNREADABLE as error:
            raise HttpError(
                f"{name}: the answer of the server cannot be understood "
                f"({type(error).__name__}). Open the URL in a browser"
            ) from error

    def _cached(self, url: str) -> CacheEntry:
        folder, secrets = self.options.cache or "", self.secrets_for(url)
        return CacheEntry(folder, self.name, secrets, self.bodies.report)

    def _follow(self, url: str, entry: CacheEntry | None) -> Source:
        """Request until a document comes, or an error that another attempt would not change."""
        visited, failures, is_permanent = [url], 0, True
        while True:
            self.deadline.check()
            try:
                answer = self._request(visited[-1], entry)
            except TransientError as error:
                self._pause(error, failures)
                failures += 1
                continue
            if isinstance(answer, Source):
                return answer
            status, target = answer
            if is_permanent := is_permanent and status in _PERMANENT:
                message = f"moved permanently ({status}) to {printable(target)}; use that URL"
                self.bodies.report(Issue(code=Code.SOURCE_MOVED, message=message))
            if target in visited:
                way = " → ".join(printable(each, 60) for each in (*visited, target))
                raise HttpError(f"the redirects lead back to an earlier URL: {way}")
            if len(visited) > _MAX_REDIRECTS:
                raise HttpError(
                    f"more than {_MAX_REDIRECTS} redirects, the last to {printable(target)}. "
                    "Name the page that they should lead to"
                )
            visited.append(target)

    def _pause(self, error: TransientError, failures: int) -> None:
        """Wait before the next attempt.

        Raises:
            HttpError: no attempt is left, or it would come after the deadline.
        """
        options = self.options
        if failures == options.retries:
            attempts = f" (tried {failures + 1} times)" if failures else ""
            raise HttpError(f"{error}{attempts}", status=error.status) from error
        seconds = error.retry_after
        if seconds is None:
            seconds = _BACKOFF_S * (2**failures + random.random())  # noqa: S311  no secret
        if seconds >= self.deadline.left():
            raise HttpError(
                f"{error}; the next attempt is due in {math.ceil(min(seconds, 1e7)):,} seconds, "
                f"which is later than --timeout {options.timeout_s:g} allows",
                status=error.status,
            )
        self.deadline.sleep(seconds)

    def _request(self, url: str, entry: CacheEntry | None) -> Source | tuple[int, str]:
        """Send one request; return the document, or status and target of a redirect."""
        cached = entry.response if entry and entry.response and entry.response.url == url else None
        sent = {"User-Agent": self.options.user_agent or headers.user_agent()}
        sent |= {**headers.REQUEST_HEADERS, **self.secrets_for(url)}
        sent |= cached.conditions if cached else {}
        connect_s = min(self.options.connect_s, self.deadline.left())
        timeout = Timeout(connect=connect_s, read=self.options.silence_s)
        try:
            with closing(self.adapter.get(url, sent, timeout)) as response:
                location = response.get_redirect_location() or ""
                if target := headers.redirect_target(url, location):
                    return response.status, target
                if response.status == HTTPStatus.NOT_MODIFIED and entry and cached:
                    return self._source(cached, entry.body(self.bodies), is_unchanged=True)
                if response.status not in _SUCCESS:
                    raise _status_error(response)
                return self._received(url, response, entry)
        except (RequestException, exceptions.HTTPError) as error:
            raise _connection_error(error) from error

    def _received(self, url: str, response: BaseHTTPResponse, entry: CacheEntry | None) -> Source:
        described = headers.describe(url, response.headers)
        stream = self.bodies.receive(response, headers.charset(response.headers))
        is_repaired = any(issue.code is Code.GZIP_REPAIRED for issue in self.issues)
        if entry is not None:
            if described.conditions and not is_repaired and headers.is_cacheable(response.headers):
                entry.store(described, stream)
            else:
                entry.drop()
        return self._source(described, stream, is_unchanged=False)

    def _source(self, response: CachedResponse, stream: BinaryIO, *, is_unchanged: bool) -> Source:
        return Source(
            name=self.name,
            stream=stream,
            total_bytes=size_of(stream),
            consumed=stream.tell,
            extension=format_extension(unquote(urlsplit(response.url).path)) or None,
            media_type=response.media_type,
            url=response.url,
            links=response.links,
            is_unchanged=is_unchanged,
        )


def _status_error(response: BaseHTTPResponse) -> HttpError:
    """Return the error for an answer that is not a document."""
    status = response.status
    phrase = responses.get(status) or printable(response.reason or "", 40)
    message = f"the server answered {status} {phrase}".rstrip()
    if status < HTTPStatus.BAD_REQUEST:
        message += "; wanted 200 and a document"
    is_server_error = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    usual = "Try later, or ask the owner of the site" if is_server_error else "Open it in a browser"
    message = f"{message}. {_ADVICE.get(status, usual)}"
    if status not in _TRANSIENT:
        return HttpError(message, status=status)
    error = TransientError(message, status=status)
    with suppress(exceptions.InvalidHeader, *_UNREADABLE):
        error.retry_after = Retry().get_retry_after(response)
    return error


def _connection_error(error: Exception) -> TransientError:
    """Return the error for an exception of requests or urllib3.

    Raises:
        HttpError: a retry would fail in the same way; without the name of the source.
    """
    if isinstance(error, ValueError):  # their errors of this type are about URL and headers
        raise HttpError(
            "the URL cannot be fetched, or a header is not valid in HTTP. Check them"
        ) from error
    causes = tuple(_causes(error))
    for kind, message in _MESSAGES.items():
        if any(isinstance(cause, kind) for cause in causes):
            return TransientError(message)
    system = (cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror)
    return TransientError(next(system, "the connection failed, or the answer is not HTTP"))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and all errors that it wraps; libraries wrap each other's."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
