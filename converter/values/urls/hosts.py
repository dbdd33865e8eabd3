"""The canonical form of hosts, for comparing and writing (mapping 6.1, steps 6 and 7)."""

from __future__ import annotations

import re
from functools import lru_cache

_MAX_HOST_CHARS = 253
"""RFC 1035 2.3.4: 255 octets on the wire, minus the first length and the root."""

#: Labels of one to 63 characters. `_` is in use, though RFC 952 does not allow it.
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_A_LABEL = "xn--"
_NOT_IDNA = "the host is not a valid international domain name (IDNA 2008)"

#: https://url.spec.whatwg.org/#ends-in-a-number-checker
_ENDS_IN_NUMBER = re.compile(r"(?:\A|\.)(?:[0-9]+|0x[0-9a-f]*)\Z")
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")


@lru_cache(maxsize=4096)
def canonical(host: str) -> str:
    """Return a host in lower case and A-labels, without its final dot.

    IDNA 2008 with the mapping of UTS 46, non-transitional, as in browsers: Python's own codec
    turns `faß.de` into `fass.de`, another host. Of ASCII labels only A-labels (`xn--`) are checked
    with `idna`, which refuses `_`. IPv6 literals keep their brackets. An IPv4 address is four
    decimal numbers; any other form (`0x7f.1`, `2130706433`) is an address for browsers and a name
    for other software.

    Raises:
        ValueError: the host is not valid; the message has the reason, without the host.
    """
    if host.startswith("["):
        return _ipv6(host)
    if len(host) > _MAX_HOST_CHARS + 1:
        raise ValueError(f"the host is longer than {_MAX_HOST_CHARS} characters")
    name = (host.lower() if host.isascii() else _a_labels(host)).removesuffix(".")
    if not name:
        raise ValueError("it has no host")
    if len(name) > _MAX_HOST_CHARS or not _NAME.fullmatch(name):
        raise ValueError("the host has an empty or too long label, or an invalid character")
    if _ENDS_IN_NUMBER.search(name) and not _IPV4.fullmatch(name):
        raise ValueError(
            "the host ends in a number and is not an IPv4 address of four decimal numbers"
        )
    if _A_LABEL in name:
        _check_a_labels(name)
    return name


def _check_a_labels(name: str) -> None:
    import idna  # few hosts have such labels

    try:
        for label in name.split("."):
            if label.startswith(_A_LABEL) and idna.alabel(idna.ulabel(label)) != label.encode():
                raise ValueError(_NOT_IDNA)
    except UnicodeError:  # idna.IDNAError is one
        raise ValueError(_NOT_IDNA) from None


def _ipv6(host: str) -> str:
    import ipaddress  # most hosts have names

    # a zone id is local to one machine
    address = host[1:-1] if host.endswith("]") and "%" not in host else ""
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        raise ValueError("the host is not an IPv6 address") from None
    return host.lower()


def _a_labels(host: str) -> str:
    import idna  # most hosts are ASCII

    try:
        labels = idna.uts46_remap(host, std3_rules=False, transitional=False).split(".")
        return ".".join(
            label if label.isascii() else idna.alabel(label).decode("ascii") for label in labels
        )
    except UnicodeError:  # idna.IDNAError is one
        raise ValueError(_NOT_IDNA) from None


def differ_by_www(host: str, other: str) -> bool:
    """Return True if two canonical hosts differ only by `www.`."""
    return host != other and host.removeprefix("www.") == other.removeprefix("www.")
