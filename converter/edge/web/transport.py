"""The session: requests, with connections to checked addresses only, under a deadline.

The guard fails closed. A connection takes no socket but the one that its own `_new_conn` has
opened to a checked address, and the adapter sends nothing through a pool of other connections:
a release of urllib3 that no longer calls `_new_conn` makes every request fail before a byte of
it is sent.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from requests import PreparedRequest, Response, Session
from requests.adapters import HTTPAdapter
from requests.exceptions import InvalidURL
from requests.structures import CaseInsensitiveDict
from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager
from urllib3.exceptions import (
    ConnectTimeoutError,
    LocationValueError,
    NameResolutionError,
    NewConnectionError,
)

from converter.edge.web.address_guard import AddressGuard
from converter.edge.web.deadline import CURRENT
from converter.errors import LimitError

__all__ = ["session_to"]


def session_to(guard: AddressGuard) -> Session:
    """Make a session, whose adapter is to be asked.

    `Session.send` would read the bodies of redirects into memory, whole and unpacked, and keep
    cookies, so that a document would depend on those that were fetched before it.
    """
    session = Session()
    adapter = _Adapter(guard)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    session.headers.clear()
    return session


class _Guarded:
    """Mixed into connections: takes only sockets that were checked, and lets the deadline end them.

    `_new_conn` is where urllib3 opens a socket, and lets the way to a host be replaced, as its own
    SOCKS support does; TLS goes on checking the certificate against the name. urllib3 assigns
    what it returns to `sock` before it sends anything through it, TLS included.
    """

    _guard: AddressGuard | None
    """None: of connections to a proxy, which may be anywhere: its user has named it."""
    _dns_host: str
    port: int
    _checked: socket.socket | None = None
    _socket: socket.socket | None = None

    @property
    def sock(self) -> socket.socket | None:
        return self._socket

    @sock.setter
    def sock(self, given: socket.socket | None) -> None:
        # TLS replaces a socket that was accepted before by the one that it wraps around it.
        if given is not None and self._socket is None and given is not self._checked:
            given.close()
            raise _unchecked()
        self._socket = given
        if given is None:
            self._checked = None
        else:
            CURRENT.get().hold(given)

    def request(self, *args: Any, **words: Any) -> None:
        if self._socket is not None:  # kept alive from an earlier fetch
            CURRENT.get().hold(self._socket)
        super().request(*args, **words)  # type: ignore[misc]  # urllib3's, which this is mixed into

    def _new_conn(self) -> socket.socket:
        connect: Callable[[], socket.socket] = super()._new_conn  # type: ignore[misc]
        guard = self._guard
        if guard is None:
            self._checked = CURRENT.get().awaited(connect)
        else:
            self._checked = self._connected(guard, connect)
        return self._checked

    def _connected(
        self, guard: AddressGuard, connect: Callable[[], socket.socket]
    ) -> socket.socket:
        """Connect to the addresses that the guard has let through, until one answers."""
        name, refusal = self._dns_host, None
        try:
            addresses = CURRENT.get().awaited(lambda: guard.addresses(name, self.port))
        except (socket.gaierror, TimeoutError) as error:
            raise NameResolutionError(name, self, error) from error  # type: ignore[arg-type]
        for address in addresses:
            self._dns_host = address  # nothing is left to be resolved
            try:
                return connect()
            except (NewConnectionError, ConnectTimeoutError) as error:
                refusal = error
            finally:
                self._dns_host = name
            if CURRENT.get().is_over:
                break
        raise refusal or NewConnectionError(self, "it has no address")  # type: ignore[arg-type]


def _mix_in(manager: PoolManager, guard: AddressGuard | None) -> None:
    """Guard all connections that a manager will make."""
    pools: dict[str, Any] = manager.pool_classes_by_scheme
    guarded: dict[str, Any] = {}
    for scheme, pool in pools.items():
        connection = type("_Connection", (_Guarded, pool.ConnectionCls), {"_guard": guard})
        guarded[scheme] = type("_Pool", (pool,), {"ConnectionCls": connection})
    manager.pool_classes_by_scheme = guarded


class _Adapter(HTTPAdapter):
    """Retries are counted by whoever fetches: a body that breaks off needs one as well."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **words: Any) -> None:
        super().init_poolmanager(*args, **words)
        _mix_in(self.poolmanager, self._guard)

    def proxy_manager_for(self, proxy: Any, **words: Any) -> ProxyManager:
        """Return the manager of a proxy, which resolves the names of hosts itself."""
        is_known = proxy in self.proxy_manager
        manager: ProxyManager = super().proxy_manager_for(proxy, **words)
        if not is_known:
            _mix_in(manager, None)
        return manager

    def send(  # type: ignore[override]  # all by name
        self, request: PreparedRequest, *, verify: Any, cert: Any, proxies: Any, **words: Any
    ) -> Response:
        """Send a request, unless its host is local or its connection would not be guarded.

        Raises:
            LimitError: so it is.
            RequestException: as `HTTPAdapter.send` does.
        """
        self._guard.check_name(urlsplit(request.url or "").hostname or "")
        try:
            pool: Any = self.get_connection_with_tls_context(
                request, verify, proxies=proxies, cert=cert
            )
        except LocationValueError as error:
            raise InvalidURL(error, request=request) from error
        if not issubclass(pool.ConnectionCls, _Guarded):
            raise _unchecked()
        return super().send(request, verify=verify, cert=cert, proxies=proxies, **words)

    def build_response(self, req: PreparedRequest, resp: BaseHTTPResponse) -> Response:
        """Make a response without cookies: reading them may fail, and nobody wants them."""
        response = Response()
        response.status_code = resp.status
        response.reason = resp.reason or ""
        response.headers = CaseInsensitiveDict(resp.headers)
        response.raw = resp
        response.request = req
        response.url = req.url or ""
        return response


def _unchecked() -> LimitError:
    return LimitError(
        "the address of the host could not be checked before the connection, so nothing was sent: "
        "this release of urllib3 or requests is not supported. Install another one",
        limit="private_address",
    )
