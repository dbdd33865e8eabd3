"""The canonical form of hosts, for comparing and writing (mapping 6.1, steps 6 and 7)."""

from __future__ import annotations

import re
from functools import lru_cache

_MAX_HOST_CHARS = 253
"""RFC 1035 2.3.4: 255 octets on the wire, minus the first length and the root."""

#: Labels of one to 63 characters. `_` is in use, though RFC 952 does not allow it.
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_A_LABEL = "xn--"

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
    name = host.lower()
    if not host.isascii() or _A_LABEL in name:
        name = _a_labels(host)
    name = name.removesuffix(".")
    if not name:
        raise ValueError("it has no host")
    if len(name) > _MAX_HOST_CHARS or not _NAME.fullmatch(name):
        raise ValueError("the host has an empty or too long label, or an invalid character")
    if _ENDS_IN_NUMBER.search(name) and not _IPV4.fullmatch(name):
        raise ValueError(
            "the host ends in a number and is not an IPv4 address of four decimal numbers"
        )
    return name


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
        checked = [
            label
            if label.isascii() and not label.startswith(_A_LABEL)
            else idna.alabel(idna.ulabel(label)).decode("ascii")
            for label in labels
        ]
    except UnicodeError:  # idna.IDNAError is one
        raise ValueError("the host is not a valid international domain name (IDNA 2008)") from None
    return ".".join(checked)


def differ_by_www(host: str, other: str) -> bool:
    """Return True if two canonical hosts differ only by `www.`."""
    return host != other and host.removeprefix("www.") == other.removeprefix("www.")
