"""The session: requests, with connections to checked addresses only, under a deadline."""

from __future__ import annotations

import socket
from typing import Any

from requests import Session
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager, ProxyManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from converter.edge.web.deadline import PRESENT
from converter.edge.web.guard import Door

__all__ = ["session_to"]


def session_to(door: Door) -> Session:
    """Make a session, whose adapter is to be asked.

    `Session.send` would read the bodies of redirects into memory, whole and unpacked, and keep
    cookies, so that a document would depend on those that were fetched before it.
    """
    session = Session()
    adapter = _Adapter(door)
    session.adapters.clear()
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    session.headers.clear()
    return session


class _Timed:
    """Mixed into connections: the deadline of the fetch knows the socket that is waited for."""

    sock: socket.socket | None

    def connect(self) -> None:
        super().connect()  # type: ignore[misc]  # urllib3's, which this is mixed into
        self._told()

    def request(self, *args: Any, **words: Any) -> None:
        self._told()  # one that was kept alive does not connect again
        super().request(*args, **words)  # type: ignore[misc]

    def _told(self) -> None:
        if self.sock is not None:
            PRESENT.get().hold(self.sock)


class _Checked(_Timed):
    """Mixed into connections: they go to the addresses that the door has let through.

    `_new_conn` is where urllib3 lets the way to a host be replaced, as its own SOCKS support
    does; TLS goes on checking the certificate against the name.
    """

    _door: Door
    _dns_host: str
    port: int

    def _new_conn(self) -> socket.socket:
        name, refusal = self._dns_host, None
        try:
            addresses = self._door.addresses(name, self.port)
        except socket.gaierror as error:
            raise NameResolutionError(name, self, error) from error  # type: ignore[arg-type]
        for address in addresses:
            self._dns_host = address  # nothing is left to be resolved
            try:
                connected: socket.socket = super()._new_conn()  # type: ignore[misc]
            except (NewConnectionError, ConnectTimeoutError) as error:
                refusal = error
            else:
                return connected
            finally:
                self._dns_host = name
            if PRESENT.get().is_over:
                break
        raise refusal or NewConnectionError(self, "it has no address")  # type: ignore[arg-type]


def _pools(mixed_in: type[Any], **known: Any) -> dict[str, Any]:
    """Classes of pools for `PoolManager`, whose connections have something mixed in."""
    http = type("_Http", (mixed_in, HTTPConnection), known)
    https = type("_Https", (mixed_in, HTTPSConnection), known)
    return {
        "http": type("_HttpPool", (HTTPConnectionPool,), {"ConnectionCls": http}),
        "https": type("_HttpsPool", (HTTPSConnectionPool,), {"ConnectionCls": https}),
    }


class _Adapter(HTTPAdapter):
    """Retries are counted by whoever fetches: a body that breaks off needs one as well."""

    def __init__(self, door: Door) -> None:
        self._door = door
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **words: Any) -> None:
        super().init_poolmanager(*args, **words)
        manager: PoolManager = self.poolmanager
        manager.pool_classes_by_scheme = _pools(_Checked, _door=self._door)

    def proxy_manager_for(self, proxy: Any, **words: Any) -> ProxyManager:
        """A proxy was named by whoever runs this, and may be anywhere; it resolves the names."""
        manager: ProxyManager = super().proxy_manager_for(proxy, **words)
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = _pools(_Timed)
        return manager
