"""Fetches documents: several side by side, each with its redirects, retries and one deadline."""

from __future__ import annotations

import math
import random
import threading
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import BinaryIO, Final, Self, TypeAlias
from urllib.parse import unquote, urldefrag, urlsplit

from requests.exceptions import RequestException
from urllib3 import BaseHTTPResponse, Timeout
from urllib3.exceptions import HTTPError

from converter.errors import HttpError, LimitError
from converter.formats.base import Spool
from converter.issues import Code, Issue, Report, printable
from converter.options import FetchOptions, Limits
from converter.sources.http import cache, errors, headers
from converter.sources.http.address_guard import AddressGuard, GuardedAdapter, Resolve, resolved
from converter.sources.http.body import BodySpool
from converter.sources.http.cache import CachedResponse, CacheEntry
from converter.sources.http.credentials import Credentials
from converter.sources.http.deadline import Deadline
from converter.sources.source import Source, size_of
from converter.values import urls
from converter.values.media_types import format_extension
from converter.values.urls import syntax

_AT_ONCE: Final = 4
_AT_ONCE_OF_A_HOST: Final = 2

#: Documents that are fetched ahead of the one that is asked for: a slow one does not keep the
#: others waiting, and the spool does not fill with a whole index.
_AHEAD: Final = 8

_MOST_REDIRECTS: Final = 10

#: Moved for good: https://www.rfc-editor.org/rfc/rfc9110#section-15.4
_PERMANENT: Final = frozenset({HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT})

#: 203 is what a proxy made of a 200.
_WANTED: Final = frozenset({HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION})

#: The first pause, and the most that chance adds to one.
_BACKOFF_S: Final = 0.5

#: A URL without credentials, and the credentials that were in it, by their origin.
_Target: TypeAlias = tuple[str, Mapping[str, str]]

#: A fetch, its end, and the issues that wait for their turn.
_Pending: TypeAlias = tuple[Future[Source], Deadline, list[Issue]]


class HttpClient:
    """A context manager that closes all connections at its end.

    Args:
        options: time-outs, retries, headers and the like.
        limits: of a body, as it is sent and as it is unpacked.
        spool: makes temporary files; several threads call it.
        report: receives redirects and repairs, in the order of the documents.
        resolve: returns the addresses of a host.

    Raises:
        OptionError: the folder of the cache cannot be one.
    """

    def __init__(
        self,
        options: FetchOptions,
        limits: Limits,
        spool: Spool,
        report: Report,
        *,
        resolve: Resolve = resolved,
    ) -> None:
        self.options = options
        self.limits = limits
        self.spool = spool
        self.adapter = GuardedAdapter(AddressGuard(resolve, is_open=options.allow_private_hosts))
        self.credentials = Credentials(options.headers)
        self.agent = options.user_agent or headers.agent()
        self._report = report
        self._hosts: dict[str, threading.Semaphore] = {}
        self._slots = threading.Semaphore(_AT_ONCE)  # of all batches together
        if options.cache:
            cache.prepare(options.cache)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.adapter.close()

    def fetch(self, url: str, *, is_named: bool = True) -> Source:
        """Fetch one document; the caller closes its stream.

        Args:
            url: absolute, http or https; user name and password in it are used and never shown.
            is_named: the user named it, so its host gets `--header` and credentials; a URL that
                a document names gets neither.

        Raises:
            HttpError: no server gave it.
            LimitError: it is too large, or its host is private.
            SinkError: there is no room for it.
        """
        target = self._target(url, is_named=is_named)
        return self._fetched(target, Deadline(self.options.timeout_s), self._report)

    def fetch_all(
        self, wanted: Sequence[str], *, is_named: bool = True
    ) -> Generator[Future[Source], None, None]:
        """Fetch several side by side, and yield their futures in order, each when it is done."""
        # All hosts are named before the first request: what is sent must not depend on speed.
        targets = deque(self._target(url, is_named=is_named) for url in wanted)
        pending: deque[_Pending] = deque()
        pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="fetch")
        try:
            while targets or pending:
                while targets and len(pending) < _AHEAD:
                    deadline, issues = Deadline(self.options.timeout_s), list[Issue]()
                    future = pool.submit(self._fetched, targets.popleft(), deadline, issues.append)
                    pending.append((future, deadline, issues))
                wait([pending[0][0]])
                future, _, issues = pending.popleft()
                for issue in issues:
                    self._report(issue)
                yield future
        finally:
            # Nobody needs the rest, after an error or Ctrl-C.
            running = [(future, end) for future, end, _ in pending if not future.cancel()]
            for _, deadline in running:
                deadline.expire()
            for future, _ in running:
                if future.exception() is None:
                    future.result().stream.close()
            pool.shutdown()

    def _target(self, url: str, *, is_named: bool) -> _Target | HttpError:
        """Separate a URL from its credentials, or return the error that refuses it."""
        try:
            bare = urldefrag(url.strip()).url
            clean = syntax.remove_userinfo(bare)
            if urls.is_http(clean) and headers.canonical(clean) and urlsplit(clean).port != 0:
                return clean, self.credentials.name(bare, self._report) if is_named else {}
        except ValueError:  # requests' errors, too
            pass
        return HttpError(
            f"{urls.quoted(url)}: this is no URL that could be fetched; "
            "wanted http:// or https:// and a host"
        )

    def _fetched(self, target: _Target | HttpError, deadline: Deadline, report: Report) -> Source:
        if isinstance(target, HttpError):
            raise target
        url, own = target
        free = threading.Semaphore(_AT_ONCE_OF_A_HOST)
        host = self._hosts.setdefault(urlsplit(url).netloc.lower(), free)  # atomic
        # The time counts from when the host is free; a fetch that waits for it takes no slot.
        with host, self._slots, deadline:
            return _Fetch(
                client=self,
                name=url,
                own=own,
                deadline=deadline,
                bodies=BodySpool(name=url, limits=self.limits, spool=self.spool),
                report=lambda issue: report(replace(issue, source=url)),
            ).run()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fetch:
    """One document, under one deadline."""

    client: HttpClient
    name: str
    own: Mapping[str, str]
    """Credentials that were in its URL."""
    deadline: Deadline
    bodies: BodySpool
    report: Report

    def run(self) -> Source:
        """Fetch the document; every error names it."""
        name, folder, entry = printable(self.name), self.client.options.cache, None
        try:
            with ExitStack() as opened:
                url = headers.canonical(self.name)
                if folder:
                    secrets = self.client.credentials.of(url, self.own)
                    entry = CacheEntry(folder, self.name, secrets, self.report)
                    opened.callback(entry.close)
                return self._document(url, entry)
        except (HttpError, LimitError) as error:
            if self.deadline.is_over:
                raise HttpError(
                    f"{name}: there was no whole answer in {self.deadline.seconds:g} seconds. "
                    "Try later, or allow more with --timeout"
                ) from error
            if not str(error).startswith(f"{name}: "):
                error.args = (f"{name}: {error}",)
            raise
        except errors.UNREADABLE as error:
            raise HttpError(
                f"{name}: what came from the server cannot be understood "
                f"({type(error).__name__}). Look at the URL with a browser"
            ) from error

    def _document(self, url: str, entry: CacheEntry | None) -> Source:
        """Ask until a document comes, or what will not change."""
        seen, failures, moved = [url], 0, True
        while True:
            self.deadline.check()
            try:
                found = self._tried(seen[-1], entry)
            except errors.TransientError as error:
                self._pause(error, failures)
                failures += 1
                continue
            if isinstance(found, Source):
                return found
            status, target = found
            if moved := moved and status in _PERMANENT:
                said = f"it has moved for good ({status}) to {printable(target)}; name that"
                self.report(Issue(code=Code.SOURCE_MOVED, message=said))
            if target in seen:
                way = " → ".join(printable(place, 60) for place in (*seen, target))
                raise HttpError(f"the redirects go round in a circle: {way}")
            if len(seen) > _MOST_REDIRECTS:
                raise HttpError(
                    f"more than {_MOST_REDIRECTS} redirects, the last to {printable(target)}. "
                    "Name the page that they are to lead to"
                )
            seen.append(target)

    def _pause(self, error: errors.TransientError, failures: int) -> None:
        """Wait before the next try; raises HttpError if there is none, or it would be too late."""
        if failures == self.client.options.retries:
            often = f" (asked {failures + 1} times)" if failures else ""
            raise HttpError(f"{error}{often}", status=error.status) from error
        seconds = error.retry_after
        if seconds is None:
            seconds = _BACKOFF_S * (2**failures + random.random())  # noqa: S311  no secret
        if seconds >= self.deadline.left():
            raise HttpError(
                f"{error}; it is to be asked again in {math.ceil(min(seconds, 1e7)):,} seconds, "
                f"which is later than --timeout {self.client.options.timeout_s:g} allows",
                status=error.status,
            )
        self.deadline.sleep(seconds)

    def _tried(self, url: str, entry: CacheEntry | None) -> Source | tuple[int, str]:
        """Ask once for what has changed; a redirect gives its status, and where it leads."""
        kept = entry.kept if entry and entry.kept and entry.kept.url == url else None
        options, secrets = self.client.options, self.client.credentials.of(url, self.own)
        told = {"User-Agent": self.client.agent, **headers.SENT, **secrets}
        told |= kept.conditions if kept else {}
        connect_s = min(options.connect_s, self.deadline.left())
        timeout = Timeout(connect=connect_s, read=options.silence_s)
        try:
            with closing(self.client.adapter.get(url, told, timeout)) as response:
                if target := headers.target_of(url, response.get_redirect_location() or ""):
                    return response.status, target
                if response.status == HTTPStatus.NOT_MODIFIED and entry and kept:
                    return self._source(kept, entry.body(self.bodies), is_unchanged=True)
                if response.status not in _WANTED:
                    raise errors.refused(response)
                return self._received(url, response, entry)
        except (RequestException, HTTPError) as error:
            raise errors.transient(error) from error

    def _received(self, url: str, response: BaseHTTPResponse, entry: CacheEntry | None) -> Source:
        repairs: list[Issue] = []
        stream = self.bodies.received(response, repairs.append)
        for issue in repairs:
            self.report(issue)
        kept = headers.described(url, response.headers)
        if entry is not None:
            if kept.conditions and not repairs and headers.may_be_kept(response.headers):
                entry.keep(kept, stream)
            else:
                entry.drop()
        return self._source(kept, stream, is_unchanged=False)

    def _source(self, kept: CachedResponse, stream: BinaryIO, *, is_unchanged: bool) -> Source:
        stream = self.bodies.readable(stream, kept.charset, self.report)
        return Source(
            name=self.name,
            stream=stream,
            total_bytes=size_of(stream),
            consumed=stream.tell,
            extension=format_extension(unquote(urlsplit(kept.url).path)) or None,
            media_type=kept.media_type,
            url=kept.url,
            links=kept.links,
            is_unchanged=is_unchanged,
        )
