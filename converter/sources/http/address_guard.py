"""Refuses hosts that are not on the public internet, by name and by address.

A feed is an untrusted document and may name, or redirect to, what only this machine can reach: the
metadata service of a cloud, a printer, a database.
https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias
from urllib.parse import unquote

from converter.errors import HttpError, LimitError
from converter.issues import printable

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
        except UnicodeError as error:
            raise HttpError(f"{printable(host)} is not a valid host name") from error
        except socket.gaierror as error:
            if error.errno == socket.EAI_AGAIN:
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
