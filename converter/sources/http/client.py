"""Fetches documents side by side, within limits for each host and in all.

    with closing(HttpClient(options, limits, spool, report)) as client:
        source = client.fetch("https://example.com/feed.rss")

Importing this module imports requests, so do it only where something is fetched.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from functools import partial
from typing import Final, TypeAlias
from urllib.parse import urldefrag, urlsplit

from converter.errors import HttpError
from converter.formats.base import Spool
from converter.issues import Issue, Report, with_source
from converter.options import FetchOptions, Limits
from converter.sources.http import cache, headers
from converter.sources.http.body import BodyReader
from converter.sources.http.connections import AddressGuard, GuardedAdapter, Resolve, system_resolve
from converter.sources.http.deadline import Deadline
from converter.sources.http.headers import Credentials
from converter.sources.http.redirects_and_retries import FetchRequest
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
    """The connections of one run; `close` closes them.

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
        self._options = options
        self._limits = limits
        self._spool = spool
        self._report = report
        guard = AddressGuard(resolve, allow_private=options.allow_private_hosts)
        self._adapter = GuardedAdapter(guard)
        self.close = self._adapter.close
        self._credentials = Credentials(options.headers)
        self._hosts: dict[str, threading.Semaphore] = {}
        self._slots = threading.Semaphore(_MAX_CONNECTIONS)  # shared by all calls of fetch_all
        if options.cache:
            cache.prepare(options.cache)

    def fetch(self, url: str, *, is_named: bool = True) -> Source:
        """Fetch one document; see `fetch_all`."""
        with closing(self.fetch_all([url], is_named=is_named)) as futures:
            return next(futures).result()

    def fetch_all(
        self, wanted: Sequence[str], *, is_named: bool = True
    ) -> Generator[Future[Source], None, None]:
        """Fetch several side by side, and yield their futures in order, each when it is done.

        The caller closes their streams.

        Args:
            wanted: absolute URLs, http or https; credentials in them are used and never shown.
            is_named: the user named the URLs, so their hosts get `--header` and credentials; a URL
                in a document gets neither.
        """
        # All hosts are known before the first request, so that no header depends on timing.
        targets = deque(self._target(url, is_named=is_named) for url in wanted)
        pending: deque[_Pending] = deque()
        pool = ThreadPoolExecutor(_MAX_CONNECTIONS, thread_name_prefix="fetch")
        try:
            while targets or pending:
                while targets and len(pending) < _MAX_AHEAD:
                    issues: list[Issue] = []
                    deadline = Deadline(self._options.timeout_s)
                    future = pool.submit(self._fetch, targets.popleft(), deadline, issues)
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
                add = self._credentials.add
                return clean, add(without_fragment, self._report) if is_named else {}
        except ValueError:  # requests' errors, too
            pass
        return HttpError(
            f"{urls.quoted(url)}: this URL cannot be fetched; wanted http:// or https:// and a host"
        )

    def _fetch(
        self, target: _Target | HttpError, deadline: Deadline, issues: list[Issue]
    ) -> Source:
        if isinstance(target, HttpError):
            raise target
        url, credentials = target

        def report(issue: Issue) -> None:
            issues.append(with_source(issue, url))

        new = threading.Semaphore(_MAX_CONNECTIONS_PER_HOST)
        host = self._hosts.setdefault(urlsplit(url).netloc.lower(), new)  # atomic
        # A fetch that waits for its host takes no slot, and its time does not run yet.
        with host, self._slots, deadline:
            return FetchRequest(
                name=url,
                options=self._options,
                adapter=self._adapter,
                secrets_for=partial(self._credentials.headers_for, url_credentials=credentials),
                deadline=deadline,
                bodies=BodyReader(name=url, limits=self._limits, spool=self._spool, report=report),
                issues=issues,
            ).run()


def _cancel(pending: deque[_Pending]) -> None:
    """Stop the fetches that are no longer needed, and close what they have fetched."""
    running = [(future, deadline) for future, deadline, _ in pending if not future.cancel()]
    for _, deadline in running:
        deadline.expire()
    for future, _ in running:
        if future.exception() is None:
            future.result().stream.close()
