"""From an absolute URL to the one that may be published (mapping 6.1, steps 5 to 17; 6.4)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from converter.issues import Code
from converter.values.patterns import lazy
from converter.values.urls import hosts, spelling
from converter.values.urls.notes import Note, credentials_removed, shown
from converter.values.urls.params import Rules

__all__ = ["CANONICAL_PAGE", "Cleaned", "is_canonical_page", "media", "moved", "page"]


class Cleaned(NamedTuple):
    """A URL that may be published; None: it may not, see the notes. A tuple, for speed."""

    url: str | None
    notes: tuple[Note, ...] = ()


_new_cleaned = tuple.__new__
"""`Cleaned(…)` passes through a function in Python, and takes twice as long."""

MIN_CHARS = 12
"""`minLength` of `loc` in sitemap.xsd; `http://a.io/` has 12."""
MAX_CHARS = 2047
"""https://www.sitemaps.org/protocol.html: "less than 2,048 characters"."""
_MAX_READ_CHARS = 65_536
"""What is longer is refused unread: nothing takes that much away from an honest URL."""

#: Few, for URLs may be long.
_MOST_OF_AN_ENTRY = 8

_LABEL = "[a-z0-9_-]"
_PLAIN = "[A-Za-z0-9_~:@!$*+,=/-]"

#: It ends in no number and has no A-label: both need a closer look.
_HOST = rf"(?!xn--)(?:{_LABEL}{{1,62}}+\.(?!xn--)){{1,3}}+[a-z]{_LABEL}{{1,61}}+"
CANONICAL_PAGE = (
    rf"https?://{_HOST}/"
    rf"{_PLAIN}{{0,300}}+(?:(?:(?<!/)\.|{spelling.TRIPLET}){_PLAIN}{{0,80}}+){{0,17}}+"
)
"""Most URLs, for patterns that look for more than a URL: it has no groups and no anchors.

What it matches `page` and `media` leave as it is, whatever the rules are: an ASCII host of two to
four labels that is no address and has no A-label, no port, a path, triplets that need no other
spelling, no segment that begins with a dot, no query, no fragment. Nor does it hold what XML
escapes, or what a session id may hide behind: no `&`, `'`, `(`, `)` and `;`. The counts keep it
within `MIN_CHARS` and `MAX_CHARS`.
"""
is_canonical_page = lru_cache(_MOST_OF_AN_ENTRY)(re.compile(CANONICAL_PAGE).fullmatch)
"""Matches a URL that is canonical. Several steps ask it of the few URLs of one entry."""

_IN_PATH, _IN_QUERY = r"[A-Za-z0-9_~:@!$&'()*+,;=/-]", r"[A-Za-z0-9._~:@!$&'()*+,;=/?-]"
#: A dot that is not of a segment of dots, and a `%` that will not be a dot (`%2e`).
_DOT, _NO_DOT = r"(?<!/)\.|\.(?!\.?(?:[/?#]|\Z))", "%(?!2[Ee])"

#: Nearly every URL. If no group takes part, it stays as it is. Groups are what does not: an origin
#: that is not plain; all that follows the first character that lacks encoding; the fragment.
#: Not matched: `\\`, user names, segments of dots, and origins longer than any host and port.
#: Possessive, so nothing is tried twice; `|)` takes less time than `)?`.
_NEARLY_CLEAN = lazy(
    rf"(?:https?://{_HOST}(?=/)|([A-Za-z]{{4,5}}://[^/?#\\@]{{1,270}}+)(?=[/?#]|\Z))"
    rf"(?:/(?:{_IN_PATH}++|{_DOT}|(?:{spelling.TRIPLET})++)*+|)"
    rf"(?:\?(?:{_IN_QUERY}++|(?:{spelling.TRIPLET})++)*+|)"
    rf"(?:\Z|((?:[^.%#\\]++|{_DOT}|(?:%[013-9A-Fa-f][0-9A-Fa-f])++|{_NO_DOT})*+)(#.*|))",
    re.DOTALL,
)

_DEFAULT_PORTS = {"http": 80, "https": 443}
_WEB = frozenset({"http", "https"})
_WEB_AND_FTP = _WEB | {"ftp"}


def page(url: str, rules: Rules) -> Cleaned:
    """Clean the address of a page: `loc`, or an hreflang alternative (steps 5 to 17).

    The spelling is made canonical; the fragment, session ids and tracking parameters go. Never
    touched, for servers may care: the case and the slashes of a path, the order of parameters.
    """
    clean = _spelt(url)
    if clean is None:
        return _cleaned(url, _WEB, keep_fragment=False, rules=rules)
    notes = () if clean == url else _normalised(url, clean)
    bare, removed = rules.stripped(clean)
    return _measured(bare, notes + removed)


def media(url: str, *, keep_fragment: bool = False, allow_ftp: bool = False) -> Cleaned:
    """Clean the address of a file or a player (steps 5 to 12, and 17).

    Parameters stay: taking one from a signed URL would break it. The fragment goes, but for
    players (`keep_fragment`), which are told by it what to play.
    """
    if is_canonical_page(url):
        return _new_cleaned(Cleaned, (url, ()))
    clean = None if keep_fragment and "#" in url else _spelt(url)
    if clean is None:
        schemes = _WEB_AND_FTP if allow_ftp else _WEB
        return _cleaned(url, schemes, keep_fragment=keep_fragment, rules=None)
    return _measured(clean, () if clean == url else _normalised(url, clean))


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


def _spelt(url: str) -> str | None:
    """Spell a URL as `_cleaned` does, without its fragment (steps 6 to 8 and 10 to 13).

    It takes a third of the time. None: it is one of the few that want more than a known origin
    and encoding. The same object, if there is nothing to be done.
    """
    found = _NEARLY_CLEAN.fullmatch(url)
    if found is None or len(url) > _MAX_READ_CHARS:
        return None
    if found.lastindex is None:
        return url
    given, unfit, fragment = found.groups(default="")
    clean = url[len(given) : len(url) - len(unfit) - len(fragment)]
    if unfit:
        clean += spelling.encoded(unfit)
    if not given:
        return clean
    origin = _origin(given)
    if origin is None:
        return None
    return f"{origin}{clean}" if clean[:1] == "/" else f"{origin}/{clean}"


@lru_cache(maxsize=4096)
def _origin(text: str) -> str | None:
    """Spell scheme, host and port, once for all the URLs of a site; None: not on the web."""
    scheme, _, authority = text.partition("://")
    scheme = scheme.lower()
    if scheme not in _WEB:
        return None
    try:
        return f"{scheme}://{_authority(authority, _DEFAULT_PORTS[scheme])}"
    except ValueError:
        return None


def _normalised(url: str, clean: str) -> tuple[Note, ...]:
    return ((Code.URL_NORMALISED, f"{shown(url)} is spelt {shown(clean)} now"),)


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
    clean = str(parts)
    if clean != plain:
        notes += _normalised(plain, clean)
    if rules is not None:
        clean, removed = rules.stripped(clean)
        notes += removed
    return _measured(clean, tuple(notes))


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


def _measured(url: str, notes: tuple[Note, ...]) -> Cleaned:
    if MIN_CHARS <= len(url) <= MAX_CHARS:
        return _new_cleaned(Cleaned, (url, notes))
    if len(url) > MAX_CHARS:
        refusal = _refusal(Code.URL_TOO_LONG, url, f"it has {len(url)} characters")
    else:
        refusal = _refusal(Code.URL_UNUSABLE, url, f"it has fewer than {MIN_CHARS} characters")
    return Cleaned(None, (*notes, refusal))


def _refused(code: Code, url: str, reason: str) -> Cleaned:
    return Cleaned(None, (_refusal(code, url, reason),))


def _refusal(code: Code, url: str, reason: str) -> Note:
    return code, f"{shown(url)} cannot be published: {reason}"
