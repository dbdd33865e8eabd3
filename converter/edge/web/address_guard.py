"""Which addresses may be fetched from: public ones, and the very ones that were checked.

A feed is a document from outside and may name, or redirect to, what only this machine can reach:
the metadata of a cloud, a printer, a database. https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias
from urllib.parse import unquote

from converter.errors import HttpError, LimitError
from converter.issues import printable

__all__ = ["AddressGuard", "Resolve", "is_public", "resolved"]

#: Gives the addresses of a host; raises OSError as `socket.getaddrinfo` does.
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]

#: IPv4 in IPv6: https://www.rfc-editor.org/rfc/rfc6052#section-2.1
_NAT64: Final = IPv6Network("64:ff9b::/96")

#: What releases of Python disagree on: protocol assignments, the old 6to4 relays, documentation.
#: https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry
_SPECIAL: Final = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))

#: Suffixes of names that are never on the public internet, and of which none is in the root zone:
#: https://www.rfc-editor.org/rfc/rfc6761#section-6.3, https://www.rfc-editor.org/rfc/rfc6762,
#: https://www.rfc-editor.org/rfc/rfc8375, https://www.rfc-editor.org/rfc/rfc6762#appendix-G and
#: ICANN's name for private use.
_PRIVATE_NAMES: Final = (
    ".localhost",
    ".local",
    ".internal",
    ".localdomain",
    ".home.arpa",
    ".home",
    ".lan",
    ".corp",
    ".intranet",
    ".private",
)

#: A host whose last label is a number is an IPv4 address or none: https://url.spec.whatwg.org/#ends-in-a-number-checker
_NUMBER: Final = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")


class AddressGuard:
    """The only way out."""

    def __init__(self, resolve: Resolve, *, allows_private: bool) -> None:
        self._resolve = resolve
        self._allows_private = allows_private

    def check_name(self, host: str) -> None:
        """Refuse what is private by its very name: all that can be known if a proxy resolves it.

        Raises:
            LimitError: it is a private address, in any spelling, or a local name: one of a single
                label, or with a suffix that is not in the public DNS.
        """
        if self._allows_private:
            return
        bare = unquote(host).strip("[]").rstrip(".").lower()  # a proxy may decode it
        literal = _literal(bare)
        if not is_public(literal) if literal else _is_local(bare):
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
            if not self._allows_private and not is_public(address):
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
        if given.is_site_local:
            return False
    # is_global alone: some releases of Python count multicast or NAT64 among the global ones.
    return given.is_global and not (
        given.is_multicast
        or given.is_reserved
        or given.is_unspecified
        or any(given in network for network in _SPECIAL)
    )


def _literal(host: str) -> str | None:
    """The address that a host is written as: `127.1` and `0x7f000001` are 127.0.0.1, too."""
    try:
        return str(ip_address(host.partition("%")[0]))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def _is_local(name: str) -> bool:
    """Can this name, which is no address, only be one of this network?"""
    _, dot, last = name.rpartition(".")
    if not dot or _NUMBER.fullmatch(last):
        return True
    return f".{name}".endswith(_PRIVATE_NAMES)


def _refused(host: str, address: str | None) -> LimitError:
    leads = "" if address in {None, host.strip("[]")} else f" ({address})"
    return LimitError(
        f"the host {printable(host)}{leads} is not on the public internet, and was not asked. "
        "Allow it with --allow-private-hosts if you trust all that leads there",
        limit="private_address",
    )
