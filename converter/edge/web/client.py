"""Fetches documents: one session for a run, several documents side by side."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, NamedTuple, Self, TypeAlias
from urllib.parse import urldefrag, urlsplit

from converter.edge.sources import Source
from converter.edge.web import headers
from converter.edge.web.address_guard import AddressGuard, Resolve, resolved
from converter.edge.web.cache import Cache
from converter.edge.web.credentials import Credentials
from converter.edge.web.deadline import Deadline
from converter.edge.web.request import FetchRequest, HttpContext
from converter.edge.web.transport import session_to
from converter.errors import ConverterError, HttpError
from converter.issues import Issue, Report
from converter.options import FetchOptions, Limits
from converter.seams import Spool
from converter.values import urls
from converter.values.urls import spelling

__all__ = ["FetchResult", "Web"]

_AT_ONCE: Final = 4
_AT_ONCE_OF_A_HOST: Final = 2

#: Documents that are fetched ahead of the one that is asked for: a slow one does not keep the
#: others waiting, and the spool does not fill with a whole index.
_AHEAD: Final = 8

#: A URL without credentials, and the credentials that were in it, by their origin.
_Target: TypeAlias = tuple[str, Mapping[str, str]]


class FetchResult(NamedTuple):
    """A document or an error, and the issues that wait for their turn."""

    source: Source | None = None
    error: ConverterError | None = None
    issues: tuple[Issue, ...] = ()

    def unwrap(self, report: Report) -> Source:
        """Report the issues and return the document.

        Raises:
            ConverterError: there is none; as `Web.fetch` does.
        """
        for issue in self.issues:
            report(issue)
        if self.source is None:
            raise self.error or AssertionError("neither a document nor an error")
        return self.source


class Web:
    """HTTP client; a context manager that closes all connections at its end.

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
        session = session_to(AddressGuard(resolve, allows_private=options.allow_private_hosts))
        self._credentials = Credentials(options.headers, session)
        self._context = HttpContext(
            options=options,
            limits=limits,
            spool=spool,
            session=session,
            credentials=self._credentials,
            cache=Cache(options.cache) if options.cache else None,
            agent=options.user_agent or headers.agent(),
        )
        self._report = report
        self._hosts: dict[str, threading.Semaphore] = {}
        self._slots = threading.Semaphore(_AT_ONCE)  # of all batches together

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.session.close()

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
        deadline = Deadline(self._context.options.timeout_s)
        return self._result(self._target(url, is_named=is_named), deadline).unwrap(self._report)

    def fetch_all(self, wanted: Sequence[str], *, is_named: bool = True) -> Iterator[Source]:
        """Fetch several side by side, and yield them in their order; an error comes in its turn."""
        for result in self.results(wanted, is_named=is_named):
            yield result.unwrap(self._report)

    def results(
        self, wanted: Sequence[str], *, is_named: bool = True
    ) -> Generator[FetchResult, None, None]:
        """Fetch several side by side, and yield the documents or errors in their order.

        Args:
            wanted: as for `fetch`.
            is_named: likewise.
        """
        # All hosts are named before the first request: what is sent must not depend on speed.
        targets = deque(self._target(url, is_named=is_named) for url in wanted)
        pending: deque[tuple[Future[FetchResult], Deadline]] = deque()
        pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="fetch")
        try:
            while targets or pending:
                while targets and len(pending) < _AHEAD:
                    deadline = Deadline(self._context.options.timeout_s)
                    future = pool.submit(self._result, targets.popleft(), deadline)
                    pending.append((future, deadline))
                result = pending[0][0].result()
                pending.popleft()
                yield result
        finally:
            _abandon(pending)
            pool.shutdown()

    def _target(self, url: str, *, is_named: bool) -> _Target | HttpError:
        """Separate a URL from its credentials, or return the error that refuses it."""
        try:
            bare = urldefrag(url.strip()).url
            clean = spelling.without_userinfo(bare)
            if urls.is_http(clean) and headers.canonical(clean) and urlsplit(clean).port != 0:
                return clean, self._credentials.name(bare, self._report) if is_named else {}
        except ValueError:  # requests' errors, too
            pass
        return HttpError(
            f"{urls.shown(url)}: this is no URL that could be fetched; "
            "wanted http:// or https:// and a host"
        )

    def _result(self, target: _Target | HttpError, deadline: Deadline) -> FetchResult:
        if isinstance(target, HttpError):
            return FetchResult(error=target)
        url, own = target
        issues: list[Issue] = []
        free = threading.Semaphore(_AT_ONCE_OF_A_HOST)
        host = self._hosts.setdefault(urlsplit(url).netloc.lower(), free)  # atomic
        try:
            # The time counts from when the host is free; a fetch that waits for it takes no slot.
            with host, self._slots, deadline:
                request = FetchRequest(self._context, url, deadline, issues.append, own=own)
                return FetchResult(source=request.run(), issues=tuple(issues))
        except ConverterError as error:
            return FetchResult(error=error, issues=tuple(issues))


def _abandon(pending: Iterable[tuple[Future[FetchResult], Deadline]]) -> None:
    """End the fetches whose results nobody needs, after an error or Ctrl-C."""
    running = [(future, deadline) for future, deadline in pending if not future.cancel()]
    for _, deadline in running:
        deadline.strike()
    for future, _ in running:
        if future.exception() is None and (source := future.result().source):
            source.stream.close()
