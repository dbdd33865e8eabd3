"""Hosts in the one spelling that is compared and written (mapping 6.1, steps 6 and 7)."""

from __future__ import annotations

import re
from functools import lru_cache

_MAX_HOST_CHARS = 253
"""RFC 1035 2.3.4: 255 octets on the wire, less the first length and the root."""

#: Of one to 63 characters a label. `_` is no host name by RFC 952, and yet in use.
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_A_LABEL = "xn--"
_NOT_IDNA = "the host is no international domain name (IDNA 2008)"

#: https://url.spec.whatwg.org/#ends-in-a-number-checker
_ENDS_IN_NUMBER = re.compile(r"(?:\A|\.)(?:[0-9]+|0x[0-9a-f]*)\Z")
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")


@lru_cache(maxsize=4096)
def canonical(host: str) -> str:
    """Bring a host into lower case and A-labels, without its final dot.

    IDNA 2008 with the mapping of UTS 46, non-transitional, as browsers have it: `faß.de` stays
    itself, where Python's own codec makes `fass.de` of it, which is another host. ASCII labels
    never pass through `idna`, which refuses `_`, but for A-labels (`xn--`): these must be valid.
    IPv6 literals keep their brackets. An IPv4 address is four decimal numbers; in any other
    spelling (`0x7f.1`, `2130706433`) browsers would take it for an address, and others for a name.

    Raises:
        ValueError: no host has this spelling; the message says why, and holds nothing of it.
    """
    if host.startswith("["):
        return _ipv6(host)
    if len(host) > _MAX_HOST_CHARS + 1:
        raise ValueError(f"the host is longer than {_MAX_HOST_CHARS} characters")
    name = (host.lower() if host.isascii() else _a_labels(host)).removesuffix(".")
    if not name:
        raise ValueError("it has no host")
    if len(name) > _MAX_HOST_CHARS or not _NAME.fullmatch(name):
        raise ValueError("the host has an empty or too long label, or characters no host has")
    if _ENDS_IN_NUMBER.search(name) and not _IPV4.fullmatch(name):
        raise ValueError(
            "the host ends in a number, and is no IPv4 address of four decimal numbers"
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

    # a zone means something on one machine only
    address = host[1:-1] if host.endswith("]") and "%" not in host else ""
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        raise ValueError("the host is no IPv6 address") from None
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
    """Return True if two canonical hosts differ, but in their `www.` only."""
    return host != other and host.removeprefix("www.") == other.removeprefix("www.")
