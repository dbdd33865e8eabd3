"""Fetches documents side by side, within limits for each host and in all.

    with HttpClient(options, limits, spool, report) as client:
        source = client.fetch("https://example.com/feed.rss")

Importing this module imports requests, so do it only where something is fetched.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Final, Self, TypeAlias
from urllib.parse import urldefrag, urlsplit

from converter.errors import HttpError
from converter.formats.base import Spool
from converter.issues import Issue, Report
from converter.options import FetchOptions, Limits
from converter.sources.http import cache, headers
from converter.sources.http.address_guard import AddressGuard, Resolve, system_resolve
from converter.sources.http.body import BodyReader
from converter.sources.http.connections import GuardedAdapter
from converter.sources.http.credentials import Credentials
from converter.sources.http.deadline import Deadline
from converter.sources.http.redirects_and_retries import FetchRequest, HttpContext
from converter.sources.source import Source
from converter.values import urls
from converter.values.urls import syntax

_MAX_CONNECTIONS: Final = 4
_MAX_CONNECTIONS_PER_HOST: Final = 2

#: Documents that are fetched ahead of the one that the caller waits for: a slow one does not stop
#: the others, and a large index does not fill the disk.
_MAX_AHEAD: Final = 8

#: A URL without credentials, and the credentials that were in it, by origin.
_Target: TypeAlias = tuple[str, Mapping[str, str]]

#: A fetch, its deadline, and its issues, which are reported in the order of the documents.
_Pending: TypeAlias = tuple[Future[Source], Deadline, list[Issue]]


class HttpClient:
    """A context manager that closes all connections at its end.

    Several threads call `spool`; `report` receives issues in the order of the documents.

    Raises:
        OptionError: the folder of the cache cannot be created.
    """

    def __init__(
        self,
        options: FetchOptions,
        limits: Limits,
        spool: Spool,
        report: Report,
        resolve: Resolve = system_resolve,
    ) -> None:
        guard = AddressGuard(resolve, allow_private=options.allow_private_hosts)
        self._context = HttpContext(
            options=options,
            adapter=GuardedAdapter(guard),
            credentials=Credentials(options.headers),
            user_agent=options.user_agent or headers.user_agent(),
        )
        self._limits = limits
        self._spool = spool
        self._report = report
        self._hosts: dict[str, threading.Semaphore] = {}
        self._slots = threading.Semaphore(_MAX_CONNECTIONS)  # shared by all calls of fetch_all
        if options.cache:
            cache.prepare(options.cache)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.adapter.close()

    def fetch(self, url: str, *, is_named: bool = True) -> Source:
        """Fetch one document; the caller closes its stream.

        Args:
            url: absolute, http or https; user name and password in it are used and never shown.
            is_named: the user named the URL, so its host gets `--header` and credentials; a URL
                in a document gets neither.
        """
        target = self._target(url, is_named=is_named)
        return self._fetch(target, Deadline(self._context.options.timeout_s), self._report)

    def fetch_all(
        self, wanted: Sequence[str], *, is_named: bool = True
    ) -> Generator[Future[Source], None, None]:
        """Fetch several side by side, and yield their futures in order, each when it is done."""
        # All hosts are known before the first request, so that no header depends on timing.
        targets = deque(self._target(url, is_named=is_named) for url in wanted)
        pending: deque[_Pending] = deque()
        pool = ThreadPoolExecutor(_MAX_CONNECTIONS, thread_name_prefix="fetch")
        try:
            while targets or pending:
                while targets and len(pending) < _MAX_AHEAD:
                    issues: list[Issue] = []
                    deadline = Deadline(self._context.options.timeout_s)
                    future = pool.submit(self._fetch, targets.popleft(), deadline, issues.append)
                    pending.append((future, deadline, issues))
                wait([pending[0][0]])
                future, _, issues = pending.popleft()
                for issue in issues:
                    self._report(issue)
                yield future
        finally:
            _cancel(pending)  # after an error or Ctrl-C
            pool.shutdown()

    def _target(self, url: str, *, is_named: bool) -> _Target | HttpError:
        """Separate a URL from its credentials, or return the error that refuses it."""
        try:
            without_fragment = urldefrag(url.strip()).url
            clean = syntax.remove_userinfo(without_fragment)
            if urls.is_http(clean) and headers.canonical(clean) and urlsplit(clean).port != 0:
                add = self._context.credentials.add
                return clean, add(without_fragment, self._report) if is_named else {}
        except ValueError:  # requests' errors, too
            pass
        return HttpError(
            f"{urls.quoted(url)}: this URL cannot be fetched; wanted http:// or https:// and a host"
        )

    def _fetch(self, target: _Target | HttpError, deadline: Deadline, report: Report) -> Source:
        if isinstance(target, HttpError):
            raise target
        url, credentials = target
        new = threading.Semaphore(_MAX_CONNECTIONS_PER_HOST)
        host = self._hosts.setdefault(urlsplit(url).netloc.lower(), new)  # atomic
        # A fetch that waits for its host takes no slot, and its time does not run yet.
        with host, self._slots, deadline:
            return FetchRequest(
                context=self._context,
                name=url,
                url_credentials=credentials,
                deadline=deadline,
                bodies=BodyReader(name=url, limits=self._limits, spool=self._spool),
                report=lambda issue: report(replace(issue, source=url)),
            ).run()


def _cancel(pending: deque[_Pending]) -> None:
    """Stop the fetches that are no longer needed, and close what they have fetched."""
    running = [(future, deadline) for future, deadline, _ in pending if not future.cancel()]
    for _, deadline in running:
        deadline.expire()
    for future, _ in running:
        if future.exception() is None:
            future.result().stream.close()
