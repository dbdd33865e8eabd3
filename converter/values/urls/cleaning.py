"""Makes the URLs of a document absolute, and cleans those that are published (mapping 6.1).

`resolve` does steps 1 to 4 (6.3), `clean_page` and `clean_media` steps 5 to 17 (6.4).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from converter.issues import Code, Note
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import hosts, syntax
from converter.values.urls.parameters import ParameterRules
from converter.values.urls.syntax import quoted


class UrlResult(NamedTuple):
    """A URL, None if it is unusable, and notes about it."""

    url: str | None
    notes: tuple[Note, ...] = ()


_new = tuple.__new__
"""Half the time of a NamedTuple's constructor."""

MIN_CHARS = 12
"""`minLength` of `loc` in sitemap.xsd; `http://a.io/` has 12."""
MAX_CHARS = 2047
"""https://www.sitemaps.org/protocol.html: "less than 2,048 characters"."""
_MAX_READ_CHARS = 65_536
"""A longer URL is refused without cleaning, which cannot shorten it enough."""

_LABEL = "[a-z0-9_-]"
_PLAIN = "[A-Za-z0-9_~:@!$*+,=/-]"

#: Does not end in a number and has no A-label: both need `hosts.canonical`.
_HOST = rf"(?!xn--)(?:{_LABEL}{{1,62}}+\.(?!xn--)){{1,3}}+[a-z]{_LABEL}{{1,61}}+"
CANONICAL_PAGE = (
    rf"https?://{_HOST}/"
    rf"{_PLAIN}{{0,300}}+(?:(?:(?<!/)\.|{syntax.PERCENT_TRIPLET}){_PLAIN}{{0,80}}+){{0,17}}+"
)
"""Pattern of most URLs, without groups and anchors, to be used inside other patterns.

`clean_page` and `clean_media` leave a matching URL unchanged, whatever the rules are: it has an
ASCII host of two to four labels that is not an address and has no A-label, no port, a path without
leading dots in segments, normal triplets, no query and no fragment. It has no characters that XML
escapes or that precede session ids: no `&`, `'`, `(`, `)` and `;`. The counts keep it within
`MIN_CHARS` and `MAX_CHARS`.
"""
is_canonical_page = lru_cache(8)(re.compile(CANONICAL_PAGE).fullmatch)
"""Matches a canonical URL; cached for the few URLs of one entry, which several steps check."""

#: The same with a normalised query: most other URLs only lose parameters.
_with_query = re.compile(
    rf"{CANONICAL_PAGE}(?:\?(?:[A-Za-z0-9._~:@!$&'()*+,;=/?-]++|{syntax.PERCENT_TRIPLET})*+|)"
).fullmatch

_DEFAULT_PORTS = {"http": 80, "https": 443}
_WEB = frozenset({"http", "https"})
_WEB_AND_FTP = _WEB | {"ftp"}

#: Removed around a URL: white space, controls, byte order mark, zero-width space, direction marks.
_POINTS = (*range(0x21), *range(0x7F, 0xA1), *range(0x2000, 0x2010), *range(0x2028, 0x2030))
_AROUND = "".join(map(chr, _POINTS)) + "\u1680\u205f\u2060\u3000\ufeff"

#: A URL that `resolve` does not change, apart from `&amp;`.
_UNTOUCHED = re.compile(
    rf"https?://[A-Za-z0-9._:\-]+(?:[/?#][^\t\r\n\\]*+(?<![{re.escape(_AROUND)}])|)"
)

_CDATA_OPEN, _CDATA_CLOSE = "<![CDATA[", "]]>"
_BROKEN_LINE = lazy_regex(r"[\t\r\n]+")
_ESCAPED_AMPERSAND = lazy_regex(r"&(?:amp;)+")
_SCHEME = lazy_regex(r"[A-Za-z][A-Za-z0-9+.\-]*:")
#: `feed://h/` means http; `feed:https://h/` means https.
#: https://en.wikipedia.org/wiki/Feed_URI_scheme
_FEED_PREFIX = lazy_regex(r"\A(?:feed:(?://)?)+(?=https?://)", re.IGNORECASE)
_FEED_SCHEME = lazy_regex(r"\Afeed:(?=//)", re.IGNORECASE)
_BASE = lazy_regex(r"https?://[^/?#]", re.IGNORECASE)


def resolve(text: str, base: str | None) -> UrlResult:
    r"""Make a URL of a document absolute; repairs are noted.

    Any scheme is accepted (`mailto:` is absolute). User names and passwords are removed here, so
    that no entry ever holds one. Each `\\` becomes `/` before resolving, as in browsers. A base
    that is not http(s), such as `javascript:`, is ignored. Empty text is None without a note.
    """
    if _UNTOUCHED.fullmatch(text) and "&amp;" not in text:
        return _new(UrlResult, (text, ()))
    notes: list[Note] = []
    reference = _repair(text, notes)
    if not reference:
        return UrlResult(None)
    if not _SCHEME.match(reference):
        if base is None or not _BASE.match(base):
            message = f"{quoted(text)} is relative and the base URL is unknown; dropped"
            return UrlResult(None, (*notes, (Code.URL_WITHOUT_BASE, message)))
        reference = _join(syntax.split(syntax.remove_userinfo(base)), reference)
    clean = syntax.remove_userinfo(reference)
    if clean != reference:
        message = f"user name and password removed from {quoted(clean)}"
        notes.append((Code.URL_CREDENTIALS_REMOVED, message))
    return UrlResult(clean, tuple(notes))


def _repair(text: str, notes: list[Note]) -> str:
    """Do steps 1, 2, 4 and 5, which precede resolving."""
    url = trimmed = text.strip(_AROUND)
    url = _BROKEN_LINE.sub("", url)
    if url.startswith(_CDATA_OPEN) and url.endswith(_CDATA_CLOSE):
        url = url[len(_CDATA_OPEN) : -len(_CDATA_CLOSE)].strip(_AROUND)
    url = _ESCAPED_AMPERSAND.sub("&", url)
    if not _is_opaque(url):
        url = syntax.fix_backslashes(url)
    if url != trimmed:
        notes.append((Code.URL_REPAIRED, f"{quoted(trimmed)} repaired to {quoted(url)}"))
    http = _FEED_SCHEME.sub("http:", _FEED_PREFIX.sub("", url, count=1), count=1)
    if http != url:
        notes.append(_normalised_note(url, http))
    return http


def _is_opaque(url: str) -> bool:
    """Return True for a scheme without hierarchical paths, as `data:` and `javascript:`."""
    scheme = _SCHEME.match(url)
    return scheme is not None and scheme[0].lower() not in {"http:", "https:", "ftp:", "feed:"}


def _join(base: syntax.UrlParts, reference: str) -> str:
    """Resolve a reference without a scheme (RFC 3986, 5.2.2)."""
    _, authority, path, query, fragment = syntax.split(reference)
    if authority is not None:
        return f"{base.scheme}:{reference}"
    if not path:
        path, query = base.path, base.query if query is None else query
    elif not path.startswith("/"):
        path = f"{base.path.rpartition('/')[0]}/{path}"
    path = syntax.remove_dot_segments(path)
    return str(syntax.UrlParts(base.scheme, base.authority, path, query, fragment))


def clean_page(url: str, rules: ParameterRules) -> UrlResult:
    """Clean the URL of a page: `loc`, or an hreflang alternative (steps 5 to 17).

    Normalises the URL and removes the fragment, session ids and tracking parameters. The case and
    the slashes of a path and the order of parameters stay, because they may matter to the server.
    """
    if len(url) <= MAX_CHARS and _with_query(url):
        return _new(UrlResult, rules.remove_from(url))
    return _cleaned(url, _WEB, rules=rules)


def clean_media(url: str, *, keep_fragment: bool = False, allow_ftp: bool = False) -> UrlResult:
    """Clean the URL of a file or a player (steps 5 to 12, and 17).

    Parameters stay, because a signed URL needs them all. The fragment is removed, except for
    players (`keep_fragment`), which may need it.
    """
    if is_canonical_page(url):
        return _new(UrlResult, (url, ()))
    return _cleaned(url, _WEB_AND_FTP if allow_ftp else _WEB, keep_fragment=keep_fragment)


def change_origin(url: str, *, scheme: str | None = None, host: str | None = None) -> UrlResult:
    """Change the scheme or the canonical host of a clean URL; repeat steps 8 and 17.

    A change to `https` removes the port 443 and keeps 8080.
    """
    parts = syntax.split(url)
    if host is not None:
        port = syntax.split_host_port(parts.authority or "")[1]
        parts = parts._replace(authority=f"{host}:{port}")
    cleaned = clean_media(str(parts._replace(scheme=scheme or parts.scheme)))
    return cleaned if cleaned.url is None else UrlResult(cleaned.url)


def _cleaned(
    url: str,
    schemes: Collection[str],
    *,
    keep_fragment: bool = False,
    rules: ParameterRules | None = None,
) -> UrlResult:
    if len(url) > _MAX_READ_CHARS:
        return _reject(Code.URL_TOO_LONG, url, f"it has {len(url)} characters")
    repaired = resolve(url, None) if "\\" in url or "@" in url else UrlResult(url)
    plain, notes = repaired.url or "", [*repaired.notes]
    parts = syntax.split(plain)
    scheme = parts.scheme
    if scheme is None:
        return _reject(Code.URL_UNUSABLE, url, "it is not absolute")
    if scheme.lower() not in schemes:
        return _reject(Code.URL_SCHEME_DROPPED, url, f"the scheme {scheme}: is not supported")
    try:
        clean = _normalise(parts, keep_fragment=keep_fragment)
    except ValueError as error:
        return _reject(Code.URL_UNUSABLE, url, str(error))
    if clean != plain:
        notes.append(_normalised_note(plain, clean))
    if rules is not None:
        clean, removed = rules.remove_from(clean)
        notes += removed
    if MIN_CHARS <= len(clean) <= MAX_CHARS:
        return _new(UrlResult, (clean, tuple(notes)))
    is_long = len(clean) > MAX_CHARS
    reason = f"{len(clean)} characters" if is_long else f"fewer than {MIN_CHARS} characters"
    code = Code.URL_TOO_LONG if is_long else Code.URL_UNUSABLE
    return _reject(code, clean, f"it has {reason}", notes)


def _normalise(parts: syntax.UrlParts, *, keep_fragment: bool) -> str:
    """Normalise each part (steps 6 to 8 and 10 to 13).

    Dot segments are removed once, after decoding: `/a/%2e%2e/../b` is `/b`, as in browsers.

    Raises:
        ValueError: the host or the port is not valid.
    """
    scheme, authority, path, query, fragment = parts
    rest = syntax.normalise_escapes(path or "/" if query is None else f"{path or '/'}?{query}")
    if "/." in rest:
        path, mark, query = rest.partition("?")
        rest = f"{syntax.remove_dot_segments(path)}{mark}{query}"
    clean = _origin(scheme or "", authority or "") + rest
    if keep_fragment and fragment:
        clean += f"#{syntax.normalise_escapes(fragment)}"
    return clean


@lru_cache(maxsize=4096)
def _origin(scheme: str, authority: str) -> str:
    """Normalise scheme, host and port; cached, because a site repeats them."""
    scheme = scheme.lower()
    host, digits = syntax.split_host_port(authority)
    host, port = hosts.canonical(host), syntax.parse_port(digits)
    is_default = port in {None, _DEFAULT_PORTS.get(scheme)}
    return f"{scheme}://{host}" if is_default else f"{scheme}://{host}:{port}"


def _normalised_note(url: str, clean: str) -> Note:
    return Code.URL_NORMALISED, f"{quoted(url)} normalised to {quoted(clean)}"


def _reject(code: Code, url: str, reason: str, notes: Iterable[Note] = ()) -> UrlResult:
    return UrlResult(None, (*notes, (code, f"{quoted(url)} cannot be published: {reason}")))
