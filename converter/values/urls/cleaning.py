"""From an absolute URL to the one that may be published (mapping 6.1, steps 5 to 17; 6.4)."""

from __future__ import annotations

import re
from typing import NamedTuple

from converter.issues import Code
from converter.values.urls import hosts, spelling
from converter.values.urls.notes import Note, credentials_removed, shown
from converter.values.urls.params import Rules

__all__ = ["Cleaned", "media", "moved", "page"]


class Cleaned(NamedTuple):
    """A URL that may be published; None: it may not, see the notes. A tuple, for speed."""

    url: str | None
    notes: tuple[Note, ...] = ()


MIN_CHARS = 12
"""`minLength` of `loc` in sitemap.xsd; `http://a.io/` has 12."""
MAX_CHARS = 2047
"""https://www.sitemaps.org/protocol.html: "less than 2,048 characters"."""
_MAX_READ_CHARS = 65_536
"""What is longer is refused unread: nothing takes that much away from an honest URL."""

#: Most URLs: a host of two or three labels, no triplet, and `/.` nowhere (looked for apart). All
#: three are for speed: nothing nests here.
_SIMPLE = re.compile(
    r"https?://(?:[a-z0-9_-]{1,63}\.){1,2}[a-z0-9_-]{1,63}/[A-Za-z0-9\-._~:@!$&'()*+,;=/]*"
    r"(?:\?[A-Za-z0-9\-._~:@!$&'()*+,;=/?]*)?"
)
#: Every URL that the steps below would leave as it is, but for ports and IPv6: triplets are of
#: octets that are not unreserved, and no segment is of dots. Possessive: nothing is tried twice.
_CANONICAL = re.compile(
    r"https?://(?=[^/]{1,253}/)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*"
    r"(?:/(?!\.\.?(?:[/?]|\Z))(?:[A-Za-z0-9\-._~:@!$&'()*+,;=]++|TRIPLET)*+)++"
    r"(?:\?(?:[A-Za-z0-9\-._~:@!$&'()*+,;=/?]++|TRIPLET)*+)?".replace(
        "TRIPLET", "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])"
    )
)

_DEFAULT_PORTS = {"http": 80, "https": 443}
_WEB = frozenset({"http", "https"})
_WEB_AND_FTP = _WEB | {"ftp"}


def page(url: str, rules: Rules) -> Cleaned:
    """Clean the address of a page: `loc`, or an hreflang alternative (steps 5 to 17).

    The spelling is made canonical; the fragment, session ids and tracking parameters go. Never
    touched, for servers may care: the case and the slashes of a path, the order of parameters.
    """
    if _is_canonical(url):
        if not rules.may_strip(url):
            return Cleaned(url)
        parts, notes = rules.stripped(spelling.split(url))
        return Cleaned(str(parts), notes) if notes else Cleaned(url)
    return _cleaned(url, _WEB, keep_fragment=False, rules=rules)


def media(url: str, *, keep_fragment: bool = False, allow_ftp: bool = False) -> Cleaned:
    """Clean the address of a file or a player (steps 5 to 12, and 17).

    Parameters stay: taking one from a signed URL would break it. The fragment goes, but for
    players (`keep_fragment`), which are told by it what to play.
    """
    if _is_canonical(url):
        return Cleaned(url)
    schemes = _WEB_AND_FTP if allow_ftp else _WEB
    return _cleaned(url, schemes, keep_fragment=keep_fragment, rules=None)


def moved(url: str, *, scheme: str | None = None, host: str | None = None) -> Cleaned:
    """Give a clean URL another scheme, or another canonical host; steps 8 and 17 run again.

    `https` for `http` takes `:443` away, and keeps `:8080`.
    """
    parts = spelling.split(url)
    if host is not None:
        port = spelling.host_and_port(parts.authority or "")[1]
        parts = parts._replace(authority=f"{host}:{port}")
    cleaned = media(str(parts._replace(scheme=scheme or parts.scheme)))
    return cleaned if cleaned.url is None else Cleaned(cleaned.url)


def _is_canonical(url: str) -> bool:
    if not MIN_CHARS <= len(url) <= MAX_CHARS:
        return False
    if "/." not in url and _SIMPLE.fullmatch(url):
        return True
    return _CANONICAL.fullmatch(url) is not None


def _cleaned(
    url: str, schemes: frozenset[str], *, keep_fragment: bool, rules: Rules | None
) -> Cleaned:
    if len(url) > _MAX_READ_CHARS:
        return _refused(Code.URL_TOO_LONG, url, f"it has {len(url)} characters")
    notes: list[Note] = []
    plain = _plain(url, notes)
    parts = spelling.split(plain)
    if parts.scheme is None:
        return _refused(Code.URL_UNUSABLE, url, "it is not absolute")
    if parts.scheme.lower() not in schemes:
        return _refused(Code.URL_SCHEME_DROPPED, url, f"nothing is published under {parts.scheme}:")
    try:
        parts = _canonical(parts, keep_fragment=keep_fragment)
    except ValueError as error:
        return _refused(Code.URL_UNUSABLE, url, str(error))
    if (clean := str(parts)) != plain:
        notes.append((Code.URL_NORMALISED, f"{shown(plain)} is spelt {shown(clean)} now"))
    if rules is not None:
        parts, removed = rules.stripped(parts)
        notes += removed
    return _measured(str(parts), notes)


def _plain(url: str, notes: list[Note]) -> str:
    """Turn slashes, and take user name and password out (steps 5 and 9)."""
    turned = spelling.slashes_turned(url)
    if turned != url:
        notes.append((Code.URL_REPAIRED, f"{shown(url)} was repaired to {shown(turned)}"))
    plain = spelling.without_userinfo(turned)
    if plain != turned:
        notes.append(credentials_removed(plain))
    return plain


def _canonical(parts: spelling.Parts, *, keep_fragment: bool) -> spelling.Parts:
    """Spell each part in the one way (steps 6 to 8 and 10 to 13).

    Dot segments are taken out after decoding, once: `/a/%2e%2e/../b` is `/b`, as in browsers.

    Raises:
        ValueError: no host, or no port, has this spelling.
    """
    scheme = (parts.scheme or "").lower()
    authority = _authority(parts.authority or "", _DEFAULT_PORTS.get(scheme))
    path = spelling.without_dot_segments(spelling.encoded(parts.path) or "/")
    query = None if parts.query is None else spelling.encoded(parts.query)
    fragment = spelling.encoded(parts.fragment) if keep_fragment and parts.fragment else None
    return spelling.Parts(scheme, authority, path, query, fragment)


def _authority(text: str, default_port: int | None) -> str:
    host, digits = spelling.host_and_port(text)
    host, port = hosts.canonical(host), spelling.port_number(digits)
    return host if port in {None, default_port} else f"{host}:{port}"


def _measured(url: str, notes: list[Note]) -> Cleaned:
    if len(url) > MAX_CHARS:
        notes.append(_refusal(Code.URL_TOO_LONG, url, f"it has {len(url)} characters"))
        return Cleaned(None, tuple(notes))
    if len(url) < MIN_CHARS:
        notes.append(_refusal(Code.URL_UNUSABLE, url, f"it has fewer than {MIN_CHARS} characters"))
        return Cleaned(None, tuple(notes))
    return Cleaned(url, tuple(notes))


def _refused(code: Code, url: str, reason: str) -> Cleaned:
    return Cleaned(None, (_refusal(code, url, reason),))


def _refusal(code: Code, url: str, reason: str) -> Note:
    return code, f"{shown(url)} cannot be published: {reason}"
