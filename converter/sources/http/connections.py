"""Connections for requests and urllib3 that reach only hosts on the public internet.

A feed is an untrusted document and may name, or redirect to, what only this machine can reach: the
metadata service of a cloud, a printer, a database. So hosts are checked by name and by address.
https://owasp.org/www-community/attacks/Server_Side_Request_Forgery

Connections fail closed. One accepts no socket but the one that its own `_new_conn` opened to a
checked address, and nothing is sent through a pool of other connections: with a release of urllib3
that no longer calls `_new_conn`, every request fails before a byte of it is sent.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final, TypeAlias
from urllib.parse import unquote, urlsplit

from requests import PreparedRequest, Session
from requests.adapters import HTTPAdapter
from requests.utils import select_proxy
from urllib3 import BaseHTTPResponse, Timeout, exceptions

from converter.errors import HttpError, LimitError
from converter.issues import printable
from converter.sources.http.deadline import CURRENT
from converter.values import urls

#: Returns the addresses of a host and port; raises OSError as `socket.getaddrinfo` does.
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]

#: IPv4 in IPv6: https://www.rfc-editor.org/rfc/rfc6052#section-2.1
_NAT64: Final = IPv6Network("64:ff9b::/96")

#: Networks that only some releases of Python count as private: protocol assignments, the old 6to4
#: relays, documentation, and site-local addresses.
#: https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry
_SPECIAL: Final = tuple(
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20", "fec0::/10"))
)

#: Suffixes of names that are not in the public DNS:
#: https://www.rfc-editor.org/rfc/rfc6761#section-6.3, https://www.rfc-editor.org/rfc/rfc6762,
#: https://www.rfc-editor.org/rfc/rfc8375, https://www.rfc-editor.org/rfc/rfc6762#appendix-G and
#: ICANN's name for private use.
_PRIVATE_SUFFIXES: Final = (
    *(".localhost", ".local", ".internal", ".localdomain", ".home.arpa"),
    *(".home", ".lan", ".corp", ".intranet", ".private"),
)

#: The last label of an IPv4 address, never of a name: https://url.spec.whatwg.org/#ends-in-a-number-checker
_NUMBER: Final = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")


class AddressGuard:
    """Checks hosts by their names and by the addresses that these resolve to."""

    def __init__(self, resolve: Resolve, *, allow_private: bool) -> None:
        self._resolve = resolve
        self._allow_private = allow_private

    def check_name(self, host: str) -> None:
        """Refuse a private address in any spelling, or a local name; all a proxy lets us check.

        Raises:
            LimitError: the host is private.
        """
        name = unquote(host).strip("[]").rstrip(".").lower()  # a proxy may decode escapes
        address = _literal_address(name)
        is_private = not is_public(address) if address else _is_local_name(name)
        if is_private and not self._allow_private:
            raise _private_host(host, address)

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """Resolve a host once; the connection must use one of these addresses.

        Raises:
            LimitError: one of them is not public.
            HttpError: the host does not exist.
            OSError: the resolver does not answer.
        """
        try:
            found = self._resolve(host, port)
        except (socket.gaierror, UnicodeError) as error:  # UnicodeError: not a valid host name
            if isinstance(error, OSError) and error.errno == socket.EAI_AGAIN:
                raise
            raise HttpError(
                f"the host {printable(host)} is not known. Check its spelling, and your network"
            ) from error
        for address in found:
            if not self._allow_private and not is_public(address):
                raise _private_host(host, address)
        return found


def system_resolve(host: str, port: int) -> list[str]:
    """Ask the system's resolver; return each address once, in its order of preference."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """Return True if an address is on the public internet; False for what is not an address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address):
        embedded = parsed.ipv4_mapped or parsed.sixtofour
        if parsed in _NAT64:
            embedded = IPv4Address(int(parsed) & 0xFFFF_FFFF)
        if embedded is not None:
            return is_public(str(embedded))
    # Some releases of Python count multicast or NAT64 as global.
    return parsed.is_global and not (
        parsed.is_multicast
        or parsed.is_reserved
        or parsed.is_unspecified
        or any(parsed in network for network in _SPECIAL)
    )


def _literal_address(host: str) -> str | None:
    """Return the address that a host is written as: `127.1` and `0x7f000001` are 127.0.0.1, too."""
    with suppress(ValueError):
        return str(ip_address(host.partition("%")[0]))
    with suppress(OSError, UnicodeError):
        return socket.inet_ntoa(socket.inet_aton(host))
    return None


def _is_local_name(name: str) -> bool:
    _, dot, last = name.rpartition(".")
    return not dot or bool(_NUMBER.fullmatch(last)) or f".{name}".endswith(_PRIVATE_SUFFIXES)


def _private_host(host: str, address: str | None) -> LimitError:
    resolved = "" if address in {None, host.strip("[]")} else f" ({address})"
    return LimitError(
        f"the host {printable(host)}{resolved} is not on the public internet, so nothing was "
        "requested. Allow it with --allow-private-hosts if you trust the sources",
        limit="private_address",
    )


# -- connections ------------------------------------------------------------------------------


class GuardedConnection:
    """Mixed into connections of urllib3: accepts only checked sockets, and obeys the deadline.

    `_new_conn` is where urllib3 opens a socket; its own SOCKS support replaces it, too. TLS checks
    the certificate against the name as usual. urllib3 assigns the result of `_new_conn` to `sock`
    before it sends anything, TLS included.
    """

    _guard: AddressGuard | None
    """None for connections to a proxy, which the user has named and may be anywhere."""
    _dns_host: str
    port: int
    _checked: socket.socket | None = None
    _socket: socket.socket | None = None

    @property
    def sock(self) -> socket.socket | None:
        return self._socket

    @sock.setter
    def sock(self, new: socket.socket | None) -> None:
        # TLS replaces an accepted socket by one that wraps it.
        if new is not None and self._socket is None and new is not self._checked:
            new.close()
            raise _unchecked_address()
        self._socket = new
        if new is None:
            self._checked = None
        else:
            CURRENT.get().watch(new)

    def request(self, *args: Any, **options: Any) -> None:
        if self._socket is not None:  # kept alive from an earlier fetch
            CURRENT.get().watch(self._socket)
        super().request(*args, **options)  # type: ignore[misc]  # urllib3's, mixed in

    def _new_conn(self) -> socket.socket:
        """Connect to the addresses that the guard returns, until one answers."""
        connect: Callable[[], socket.socket] = super()._new_conn  # type: ignore[misc]
        deadline, guard, name, refusal = CURRENT.get(), self._guard, self._dns_host, None
        if guard is None:
            self._checked = deadline.wait_for(connect)
            return self._checked
        try:
            addresses = deadline.wait_for(lambda: guard.addresses(name, self.port))
        except (socket.gaierror, TimeoutError) as error:
            raise exceptions.NameResolutionError(name, self, error) from error  # type: ignore[arg-type]
        for address in addresses:
            self._dns_host = address  # so that nothing is resolved again
            try:
                self._checked = connect()
            except (exceptions.NewConnectionError, exceptions.ConnectTimeoutError) as error:
                refusal = error
            else:
                return self._checked
            finally:
                self._dns_host = name
            if deadline.is_over:
                break
        raise refusal or exceptions.NewConnectionError(self, "it has no address")  # type: ignore[arg-type]


_NO_TLS: Final = (
    "the certificate of the server, or its TLS, cannot be trusted. Check the host's name and this "
    "machine's clock; REQUESTS_CA_BUNDLE names further authorities. Without TLS, try http://"
)


class GuardedAdapter(HTTPAdapter):
    """Sends requests over guarded connections; requests finds proxies and certificates.

    `HTTPAdapter.send` and `Session.send` are not used: the one reads cookies, which may fail, and
    the other reads bodies of redirects into memory, decompressed and without a limit.
    """

    def __init__(self, guard: AddressGuard) -> None:
        super().__init__()
        self._guard = guard
        self._session = Session()  # reads the environment

    def get(self, url: str, headers: Mapping[str, str], timeout: Timeout) -> BaseHTTPResponse:
        """Send one request to a canonical URL; the caller reads and closes the answer.

        Raises:
            LimitError: the host is local, or the connection would not be guarded.
            HttpError: TLS fails, or proxy or certificates of the environment are not usable.
            HTTPError: of urllib3, or RequestException of requests, for all other failures.
        """
        self._guard.check_name(urlsplit(url).hostname or "")
        # characters outside ASCII are sent as UTF-8, as curl does
        sent = {name: value.encode("utf-8", "surrogateescape") for name, value in headers.items()}
        request = PreparedRequest()
        request.prepare(method="GET", url=url, headers=sent)
        environment = self._session.merge_environment_settings(url, {}, True, None, None)
        # REQUESTS_CA_BUNDLE may replace the certificates, but nothing switches verification off.
        proxies, verify = environment["proxies"], environment["verify"] or True
        proxy = select_proxy(url, proxies)
        try:
            pool = self._pool(request, verify, proxies, None if proxy else self._guard)
            path = self.request_url(request, proxies)
            response: BaseHTTPResponse = pool.urlopen(
                "GET",
                path,
                headers=request.headers,
                timeout=timeout,
                retries=False,
                redirect=False,
                assert_same_host=False,
                preload_content=False,
                decode_content=False,
            )
        except exceptions.SSLError as error:
            raise HttpError(_NO_TLS) from error
        except (TypeError, ValueError) as error:  # also of requests and urllib3
            if proxy is None:
                raise
            shown = urls.quoted(urls.hide_credentials(proxy))
            raise HttpError(
                f"the proxy that the environment names, {shown}, cannot be used; wanted "
                "http://HOST:PORT. Fix or unset HTTP_PROXY, HTTPS_PROXY or ALL_PROXY"
            ) from error
        return response

    def _pool(
        self, request: PreparedRequest, verify: Any, proxies: Any, guard: AddressGuard | None
    ) -> Any:
        pool: Any = self.get_connection_with_tls_context(request, verify, proxies=proxies)
        try:
            self.cert_verify(pool, request.url, verify, None)  # type: ignore[no-untyped-call]
        except OSError as error:
            raise HttpError(
                "REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE names no file of certificates. Fix the path"
            ) from error
        connection = pool.ConnectionCls  # of a pool that several threads may share
        if not issubclass(connection, GuardedConnection):
            bases = (GuardedConnection, connection)
            pool.ConnectionCls = type("_Connection", bases, {"_guard": guard})
        if not issubclass(pool.ConnectionCls, GuardedConnection):
            raise _unchecked_address()
        return pool


def _unchecked_address() -> LimitError:
    return LimitError(
        "the address of the host could not be checked before the connection, so nothing was sent: "
        "this release of urllib3 or requests is not supported. Install another one",
        limit="private_address",
    )
