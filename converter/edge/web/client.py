"""Fetches documents: one client for a run, several documents side by side."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final, Self, TypeAlias
from urllib.parse import urldefrag, urlsplit

from converter.edge.sources import Source
from converter.edge.web import headers
from converter.edge.web.address_guard import AddressGuard, GuardedAdapter, Resolve, resolved
from converter.edge.web.cache import Cache
from converter.edge.web.credentials import Credentials
from converter.edge.web.deadline import Deadline
from converter.edge.web.request import FetchRequest, HttpContext
from converter.errors import HttpError
from converter.issues import Issue, Report
from converter.options import FetchOptions, Limits
from converter.seams import Spool
from converter.values import urls
from converter.values.urls import spelling

__all__ = ["HttpClient"]

_AT_ONCE: Final = 4
_AT_ONCE_OF_A_HOST: Final = 2

#: Documents that are fetched ahead of the one that is asked for: a slow one does not keep the
#: others waiting, and the spool does not fill with a whole index.
_AHEAD: Final = 8

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
        guard = AddressGuard(resolve, allows_private=options.allow_private_hosts)
        self._context = HttpContext(
            options=options,
            limits=limits,
            spool=spool,
            adapter=GuardedAdapter(guard),
            credentials=Credentials(options.headers),
            cache=Cache(options.cache) if options.cache else None,
            agent=options.user_agent or headers.agent(),
        )
        self._report = report
        self._hosts: dict[str, threading.Semaphore] = {}
        self._slots = threading.Semaphore(_AT_ONCE)  # of all batches together

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.adapter.close()

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
        return self._fetched(target, Deadline(self._context.options.timeout_s), self._report)

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
                    deadline, issues = Deadline(self._context.options.timeout_s), list[Issue]()
                    future = pool.submit(self._fetched, targets.popleft(), deadline, issues.append)
                    pending.append((future, deadline, issues))
                wait([pending[0][0]])
                future, _, issues = pending.popleft()
                for issue in issues:
                    self._report(issue)
                yield future
        finally:
            _abandon(pending)
            pool.shutdown()

    def _target(self, url: str, *, is_named: bool) -> _Target | HttpError:
        """Separate a URL from its credentials, or return the error that refuses it."""
        try:
            bare = urldefrag(url.strip()).url
            clean = spelling.without_userinfo(bare)
            if urls.is_http(clean) and headers.canonical(clean) and urlsplit(clean).port != 0:
                return clean, self._context.credentials.name(bare, self._report) if is_named else {}
        except ValueError:  # requests' errors, too
            pass
        return HttpError(
            f"{urls.shown(url)}: this is no URL that could be fetched; "
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
            return FetchRequest(self._context, url, deadline, report, own=own).run()


def _abandon(pending: Iterable[_Pending]) -> None:
    """End the fetches whose documents nobody needs, after an error or Ctrl-C."""
    running = [(future, deadline) for future, deadline, _ in pending if not future.cancel()]
    for _, deadline in running:
        deadline.expire()
    for future, _ in running:
        if future.exception() is None:
            future.result().stream.close()
