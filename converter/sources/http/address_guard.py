"""The only way out: connections to public addresses, and to the very ones that were checked.

A feed is a document from outside and may name, or redirect to, what only this machine can reach:
the metadata of a cloud, a printer, a database. https://owasp.org/www-community/attacks/Server_Side_Request_Forgery

The guard fails closed. A connection takes no socket but the one that its own `_new_conn` has
opened to a checked address, and nothing is sent through a pool of other connections: a release of
urllib3 that no longer calls `_new_conn` makes every request fail before a byte of it is sent.
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
from requests.exceptions import InvalidSchema, InvalidURL
from requests.utils import select_proxy
from urllib3 import BaseHTTPResponse, Timeout
from urllib3.exceptions import (
    ConnectTimeoutError,
    LocationValueError,
    NameResolutionError,
    NewConnectionError,
    SSLError,
)

from converter.errors import HttpError, LimitError
from converter.issues import printable
from converter.sources.http.deadline import CURRENT
from converter.values import urls

#: Gives the addresses of a host; raises OSError as `socket.getaddrinfo` does.
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]

#: IPv4 in IPv6: https://www.rfc-editor.org/rfc/rfc6052#section-2.1
_NAT64: Final = IPv6Network("64:ff9b::/96")

#: What releases of Python disagree on: protocol assignments, the old 6to4 relays, documentation,
#: and sites.
#: https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry
_SPECIAL: Final = tuple(
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20", "fec0::/10"))
)

#: Suffixes of names that are never on the public internet, and of which none is in the root zone:
#: https://www.rfc-editor.org/rfc/rfc6761#section-6.3, https://www.rfc-editor.org/rfc/rfc6762,
#: https://www.rfc-editor.org/rfc/rfc8375, https://www.rfc-editor.org/rfc/rfc6762#appendix-G and
#: ICANN's name for private use.
_PRIVATE_NAMES: Final = (
    *(".localhost", ".local", ".internal", ".localdomain", ".home.arpa"),
    *(".home", ".lan", ".corp", ".intranet", ".private"),
)

#: A host whose last label is a number is an IPv4 address or none: https://url.spec.whatwg.org/#ends-in-a-number-checker
_NUMBER: Final = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")


class AddressGuard:
    """Judges hosts by their names, and by what they resolve to."""

    def __init__(self, resolve: Resolve, *, is_open: bool) -> None:
        self._resolve = resolve
        self._is_open = is_open

    def check_name(self, host: str) -> None:
        """Refuse what is private by its very name: all that can be known if a proxy resolves it.

        Raises:
            LimitError: it is a private address, in any spelling, or a local name: one of a single
                label, or with a suffix that is not in the public DNS.
        """
        bare = unquote(host).strip("[]").rstrip(".").lower()  # a proxy may decode it
        literal = _literal(bare)
        is_private = not is_public(literal) if literal else _is_local(bare)
        if is_private and not self._is_open:
            raise _refused(host, literal)

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """Resolve a host, once; what is connected to are these addresses.

        Raises:
            LimitError: one of them is not public.
            HttpError: there is no such host.
            OSError: the resolver cannot be reached at the moment.
        """
        try:
            found = self._resolve(host, port)
        except UnicodeError as error:
            raise HttpError(f"{printable(host)} is no name that a host can have") from error
        except socket.gaierror as error:
            if error.errno == socket.EAI_AGAIN:
                raise
            raise HttpError(
                f"the host {printable(host)} is not known. Check its spelling, and your network"
            ) from error
        for address in found:
            if not self._is_open and not is_public(address):
                raise _refused(host, address)
        return found


def resolved(host: str, port: int) -> list[str]:
    """Ask the system's resolver; each address once, in its order of preference."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """Can everybody on the internet reach it? What is no address is not public."""
    try:
        given = ip_address(address)
    except ValueError:
        return False
    if isinstance(given, IPv6Address):
        inner = given.ipv4_mapped or given.sixtofour
        if given in _NAT64:
            inner = IPv4Address(int(given) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(str(inner))
    # is_global alone: some releases of Python count multicast or NAT64 among the global ones.
    return given.is_global and not (
        given.is_multicast
        or given.is_reserved
        or given.is_unspecified
        or any(given in network for network in _SPECIAL)
    )


def _literal(host: str) -> str | None:
    """The address that a host is written as: `127.1` and `0x7f000001` are 127.0.0.1, too."""
    with suppress(ValueError):
        return str(ip_address(host.partition("%")[0]))
    with suppress(OSError, UnicodeError):
        return socket.inet_ntoa(socket.inet_aton(host))
    return None


def _is_local(name: str) -> bool:
    """Can this name, which is no address, only be one of this network?"""
    _, dot, last = name.rpartition(".")
    return not dot or bool(_NUMBER.fullmatch(last)) or f".{name}".endswith(_PRIVATE_NAMES)


def _refused(host: str, address: str | None) -> LimitError:
    leads = "" if address in {None, host.strip("[]")} else f" ({address})"
    return LimitError(
        f"the host {printable(host)}{leads} is not on the public internet, and was not asked. "
        "Allow it with --allow-private-hosts if you trust all that leads there",
        limit="private_address",
    )


# -- connections ------------------------------------------------------------------------------


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
        """Connect to the addresses that the guard has let through, until one answers."""
        connect: Callable[[], socket.socket] = super()._new_conn  # type: ignore[misc]
        deadline, guard, name, refusal = CURRENT.get(), self._guard, self._dns_host, None
        if guard is None:
            self._checked = deadline.awaited(connect)
            return self._checked
        try:
            addresses = deadline.awaited(lambda: guard.addresses(name, self.port))
        except (socket.gaierror, TimeoutError) as error:
            raise NameResolutionError(name, self, error) from error  # type: ignore[arg-type]
        for address in addresses:
            self._dns_host = address  # nothing is left to be resolved
            try:
                self._checked = connect()
            except (NewConnectionError, ConnectTimeoutError) as error:
                refusal = error
            else:
                return self._checked
            finally:
                self._dns_host = name
            if deadline.is_over:
                break
        raise refusal or NewConnectionError(self, "it has no address")  # type: ignore[arg-type]


#: For urllib3: neither redirects, nor retries, nor bodies.
_RAW: Final = {
    "retries": False,
    "redirect": False,
    "assert_same_host": False,
    "preload_content": False,
    "decode_content": False,
}
_NO_TLS: Final = (
    "the certificate of the server, or its TLS, is not to be trusted. Check the host's name and "
    "this machine's clock; REQUESTS_CA_BUNDLE names a file of further authorities. If the server "
    "does not speak TLS at this port, try http://"
)


class GuardedAdapter(HTTPAdapter):
    """Sends requests over guarded connections only; proxies and authorities are requests' business.

    `HTTPAdapter.send` and `Session.send` do not fit: the one reads cookies, which may fail, and the
    other the bodies of redirects into memory, whole and unpacked.
    """

    def __init__(self, guard: AddressGuard) -> None:
        super().__init__()
        self._guard = guard
        self._session = Session()  # knows the environment

    def get(self, url: str, headers: Mapping[str, str], timeout: Timeout) -> BaseHTTPResponse:
        """Ask for a page; the caller reads and closes the answer, which may be a redirect.

        Args:
            url: in its canonical spelling.
            headers: all that are sent. Letters outside ASCII go as UTF-8, as curl sends them.
            timeout: to connect, and of silence.

        Raises:
            LimitError: its host is local, or its connection would not be guarded.
            HttpError: its TLS is not to be trusted, or the environment names no fit proxy or
                authorities.
            HTTPError: of urllib3's, or RequestException, of requests', for all else.
        """
        self._guard.check_name(urlsplit(url).hostname or "")
        sent = {name: value.encode("utf-8", "surrogateescape") for name, value in headers.items()}
        request = PreparedRequest()
        request.prepare(method="GET", url=url, headers=sent)
        given = self._session.merge_environment_settings(url, {}, True, None, None)
        proxies, verify = given["proxies"], given["verify"] or True  # nothing here switches it off
        proxy = select_proxy(url, proxies)
        try:
            pool = self._pool(request, verify, proxies, None if proxy else self._guard)
            response: BaseHTTPResponse = pool.urlopen(
                "GET",
                self.request_url(request, proxies),
                headers=request.headers,
                timeout=timeout,
                **_RAW,
            )
        except SSLError as error:
            raise HttpError(_NO_TLS) from error
        except (InvalidSchema, InvalidURL, LocationValueError, TypeError, ValueError) as error:
            if proxy is None:
                raise
            shown = urls.quoted(urls.hide_credentials(proxy))
            raise HttpError(
                f"the proxy that the environment names, {shown}, cannot be used; wanted "
                "http://HOST:PORT. Mend or unset HTTP_PROXY, HTTPS_PROXY or ALL_PROXY"
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
                "REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE names no file of authorities. Mend it"
            ) from error
        kind = pool.ConnectionCls  # of a pool that may serve several threads
        if not issubclass(kind, _Guarded):
            pool.ConnectionCls = type("_Connection", (_Guarded, kind), {"_guard": guard})
        if not issubclass(pool.ConnectionCls, _Guarded):
            raise _unchecked()
        return pool


def _unchecked() -> LimitError:
    return LimitError(
        "the address of the host could not be checked before the connection, so nothing was sent: "
        "this release of urllib3 or requests is not supported. Install another one",
        limit="private_address",
    )
