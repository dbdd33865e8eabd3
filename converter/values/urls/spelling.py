"""The parts of a URL, and the one spelling of each (mapping 6.1, steps 5 and 8 to 12)."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = [
    "Parts",
    "encoded",
    "host_and_port",
    "port_number",
    "slashes_turned",
    "split",
    "without_dot_segments",
    "without_userinfo",
]

#: RFC 3986, appendix B, with the scheme of 3.1: it matches everything.
_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)
_USERINFO = re.compile(r"\A((?:[A-Za-z][A-Za-z0-9+.\-]*:)?//)[^/?#]*@")
_BEFORE_QUERY = re.compile(r"[^?#]*")

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
#: Everything that has another spelling in a path or a query, or may have: triplets, a lone `%`,
#: and what RFC 3986 has no place for there (`[` and `]` belong into hosts).
_TO_SPELL = re.compile(r"%[0-9A-Fa-f]{2}|%|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]+")
_SURROGATE = re.compile("[\ud800-\udfff]")

_MAX_PORT_DIGITS = 5
_MAX_PORT = 65535


class Parts(NamedTuple):
    """A URL cut at its punctuation; None is absent, an empty text is `?` or `#` alone."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None = None
    fragment: str | None = None

    def __str__(self) -> str:
        return "".join(
            (
                "" if self.scheme is None else f"{self.scheme}:",
                "" if self.authority is None else f"//{self.authority}",
                self.path,
                "" if self.query is None else f"?{self.query}",
                "" if self.fragment is None else f"#{self.fragment}",
            )
        )


def split(url: str) -> Parts:
    """Cut any text at the punctuation of URLs; nothing is judged."""
    match = _PARTS.fullmatch(url)
    assert match is not None  # noqa: S101 - each part may be empty, the last takes the rest
    return Parts(*match.groups())


def slashes_turned(url: str) -> str:
    r"""Turn each `\` before the query into `/`, as browsers do."""
    if "\\" not in url:
        return url
    return _BEFORE_QUERY.sub(lambda head: head[0].replace("\\", "/"), url, count=1)


def without_userinfo(url: str) -> str:
    """Take `user:password@` out of an authority."""
    return _USERINFO.sub(r"\1", url, count=1) if "@" in url else url


def host_and_port(authority: str) -> tuple[str, str]:
    """Cut an authority without user name; the port is empty if there is none."""
    host, _, port = authority.rpartition(":")
    if not host or port.endswith("]"):
        return authority.removesuffix(":"), ""
    return host, port


def port_number(text: str) -> int | None:
    """Read a port; None for an empty one, as in `https://ex.com:/`.

    Raises:
        ValueError: not a number from 0 to 65535.
    """
    if not text:
        return None
    digits = text.lstrip("0") or "0"
    if not (text.isascii() and text.isdecimal() and len(digits) <= _MAX_PORT_DIGITS):
        raise ValueError("the port is not a number up to 65535")
    if (port := int(digits)) > _MAX_PORT:
        raise ValueError("the port is not a number up to 65535")
    return port


def without_dot_segments(path: str) -> str:
    """RFC 3986, 5.2.4, for a path that begins with `/`; empty segments stay."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def encoded(text: str) -> str:
    """Spell a path, a query or a fragment: pure ASCII, each octet in one way only.

    Triplets get upper case, those of unreserved characters are decoded, reserved ones never
    (`%2F` is not `/`); triplets that are not UTF-8 are left alone. What RFC 3986 does not allow
    is encoded, a lone `%` too. A lone surrogate, which has no UTF-8, becomes U+FFFD.
    """
    return _TO_SPELL.sub(_spelt, text)


def _spelt(match: re.Match[str]) -> str:
    found = match[0]
    if found == "%":
        return "%25"
    if found[0] != "%":
        octets = _SURROGATE.sub("\ufffd", found).encode()
        return "".join([f"%{octet:02X}" for octet in octets])
    octet = int(found[1:], 16)
    return chr(octet) if octet in _UNRESERVED else found.upper()
