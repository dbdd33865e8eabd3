"""All that is fetched in a run: one session, several documents side by side."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import urldefrag, urlsplit

from converter.edge.fetched import Fetched
from converter.edge.web.deadline import Deadline
from converter.edge.web.guard import Door, Resolve, resolved
from converter.errors import ConverterError, HttpError
from converter.issues import Issue, Report
from converter.options import FetchOptions, Limits
from converter.seams import Spool
from converter.values import urls

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Outcome", "Web"]

_AT_ONCE: Final = 4
_AT_ONCE_OF_A_HOST: Final = 2

#: As many are fetched before they are asked for, so that a slow one does not keep the others
#: waiting, and the spool does not fill with a whole index.
_AHEAD: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A URL that is to be fetched."""

    url: str
    """Without credentials."""
    own: Mapping[str, str]
    """The credentials that stood in it, by their host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a fetch, told when its turn has come."""

    fetched: Fetched | None
    error: ConverterError | None
    issues: tuple[Issue, ...] = ()

    def told(self, report: Report) -> Fetched:
        """Give the document, once; and report what there was about it.

        Raises:
            ConverterError: there is none; as `Web.fetch` does.
        """
        for issue in self.issues:
            report(issue)
        if self.fetched is None:
            raise self.error or AssertionError("neither a document nor an error")
        return self.fetched


class _Batch:
    """What is fetched side by side, and may be abandoned together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy: set[Deadline] = set()
        self._is_abandoned = False

    @contextmanager
    def with_(self, deadline: Deadline) -> Iterator[None]:
        with self._lock:
            self._busy.add(deadline)
            if self._is_abandoned:
                deadline.strike()
        try:
            yield
        finally:
            with self._lock:
                self._busy.discard(deadline)

    def abandon(self, waiting: Iterable[Future[Outcome]]) -> None:
        """Let nobody wait for what is no longer wanted: an error came first, or Ctrl-C."""
        begun = [future for future in waiting if not future.cancel()]
        with self._lock:
            self._is_abandoned = True
            busy = tuple(self._busy)
        for deadline in busy:
            deadline.strike()
        for future in begun:
            if future.exception() is None and (fetched := future.result().fetched):
                fetched.stream.close()


class Web:
    """Fetches; a context manager, behind which all connections are closed.

    Args:
        options: time-outs, retries, headers and the like.
        limits: of the body, as it comes and as it is unpacked.
        spool: gives temporary files; called by several threads.
        report: is told of redirects and repairs, in the order of the documents.
        resolve: gives the addresses of a host.

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
        from converter.edge.web.cache import Cache
        from converter.edge.web.credentials import Keys
        from converter.edge.web.errand import Means
        from converter.edge.web.headers import agent
        from converter.edge.web.transport import session_to

        door = Door(resolve, allows_private=options.allow_private_hosts)
        session = session_to(door)
        self._keys = Keys(options.headers, session)
        self._means = Means(
            options=options,
            limits=limits,
            spool=spool,
            session=session,
            door=door,
            keys=self._keys,
            cache=Cache(options.cache) if options.cache else None,
            agent=options.user_agent or agent(),
        )
        self._report = report
        self._hosts: defaultdict[str, threading.Semaphore] = defaultdict(
            lambda: threading.Semaphore(_AT_ONCE_OF_A_HOST)
        )
        self._slots = threading.Semaphore(_AT_ONCE)  # of all batches together
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._means.session.close()

    def fetch(self, url: str, *, is_named: bool = True) -> Fetched:
        """Fetch one document.

        Args:
            url: absolute, http or https; name and password in it are used, and not shown.
            is_named: it was named by whoever runs this, and its host gets `--header` and the
                credentials for it; a document that was fetched names no hosts.

        Raises:
            HttpError: no server gave it.
            LimitError: it is too large, or its host is private.
            SinkError: there is no room for it.
        """
        return self._outcome(self._checked(url, is_named=is_named), _Batch()).told(self._report)

    def fetch_all(self, wanted: Sequence[str], *, is_named: bool = True) -> Iterator[Fetched]:
        """Fetch several side by side, and give them in their order; an error comes in its turn.

        Args:
            wanted: as for `fetch`.
            is_named: likewise.
        """
        for outcome in self.outcomes(wanted, is_named=is_named):
            yield outcome.told(self._report)

    def outcomes(
        self, wanted: Sequence[str], *, is_named: bool = True
    ) -> Generator[Outcome, None, None]:
        """Fetch several side by side, and say in their order what became of each.

        Args:
            wanted: as for `fetch`.
            is_named: likewise.
        """
        from concurrent.futures import ThreadPoolExecutor

        # All hosts are named before the first is asked: what is sent is no matter of speed.
        asked = deque(self._checked(url, is_named=is_named) for url in wanted)
        waiting: deque[Future[Outcome]] = deque()
        batch = _Batch()
        pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="fetch")
        try:
            while asked or waiting:
                while asked and len(waiting) < _AHEAD:
                    waiting.append(pool.submit(self._outcome, asked.popleft(), batch))
                yield waiting.popleft().result()
        finally:
            batch.abandon(waiting)
            pool.shutdown()

    def _checked(self, url: str, *, is_named: bool) -> _Asked | HttpError:
        """Take out of a URL what nobody may see; or say that it is none that can be fetched."""
        from converter.edge.web.headers import canonical, without_credentials

        try:
            bare = urldefrag(url.strip()).url
            clean = without_credentials(bare)
            if urls.is_http(clean) and canonical(clean) and urlsplit(clean).port != 0:
                own = self._keys.name(bare, self._report) if is_named else {}
                return _Asked(url=clean, own=own)
        except ValueError:  # requests' errors, too
            pass
        return HttpError(
            f"{urls.shown(url)}: this is no URL that could be fetched; "
            "wanted http:// or https:// and a host"
        )

    def _outcome(self, asked: _Asked | HttpError, batch: _Batch) -> Outcome:
        """Run an errand; what it reports is kept until its turn."""
        if isinstance(asked, HttpError):
            return Outcome(fetched=None, error=asked)
        from converter.edge.web.errand import Errand

        issues: list[Issue] = []
        with self._lock:
            host = self._hosts[urlsplit(asked.url).netloc.lower()]
        try:
            # The time counts from when the host is free. Whoever waits for it takes no slot.
            seconds = self._means.options.timeout_s
            with host, self._slots, Deadline(seconds) as deadline, batch.with_(deadline):
                errand = Errand(self._means, asked.url, deadline, issues.append, own=asked.own)
                fetched = errand.run()
        except ConverterError as error:
            return Outcome(fetched=None, error=error, issues=tuple(issues))
        return Outcome(fetched=fetched, error=None, issues=tuple(issues))
