"""From the text of a feed to an absolute URL, and to the one that may be published (mapping 6.1).

`resolve` is what readers do (steps 1 to 4; 6.3), `page` and `media` are for what will be written
(steps 5 to 17; 6.4).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from converter.issues import Code
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import hosts, syntax
from converter.values.urls.parameters import ParameterRules
from converter.values.urls.syntax import Note, quoted


class UrlResult(NamedTuple):
    """A URL that may be published, or at least resolved; None: there is none, see the notes."""

    url: str | None
    notes: tuple[Note, ...] = ()


_new = tuple.__new__
"""`UrlResult(…)` passes through a function in Python, and takes twice as long."""

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
    rf"{_PLAIN}{{0,300}}+(?:(?:(?<!/)\.|{syntax.PERCENT_TRIPLET}){_PLAIN}{{0,80}}+){{0,17}}+"
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

#: The same with a query in its one spelling: of most URLs only parameters have to go.
_with_query = re.compile(
    rf"{CANONICAL_PAGE}(?:\?(?:[A-Za-z0-9._~:@!$&'()*+,;=/?-]++|{syntax.PERCENT_TRIPLET})*+|)"
).fullmatch

_DEFAULT_PORTS = {"http": 80, "https": 443}
_WEB = frozenset({"http", "https"})
_WEB_AND_FTP = _WEB | {"ftp"}

#: White space, controls, byte order mark, zero-width space and direction marks: what editing and
#: copying leave around a URL.
_AROUND = (
    "".join(
        chr(point)
        for first, last in ((0, 0x20), (0x7F, 0xA0), (0x2000, 0x200F), (0x2028, 0x202F))
        for point in range(first, last + 1)
    )
    + "\u1680\u205f\u2060\u3000\ufeff"
)

#: Nothing in it that the steps here would touch, but for `&amp;`.
_UNTOUCHED = re.compile(
    rf"https?://[A-Za-z0-9._:\-]+(?:[/?#][^\t\r\n\\]*+(?<![{re.escape(_AROUND)}])|)"
)

_CDATA_OPEN, _CDATA_CLOSE = "<![CDATA[", "]]>"
_BROKEN_LINE = lazy_regex(r"[\t\r\n]+")
_ESCAPED_AMPERSAND = lazy_regex(r"&(?:amp;)+")
_SCHEME = lazy_regex(r"[A-Za-z][A-Za-z0-9+.\-]*:")
#: `feed://h/` means http, `feed:https://h/` what it says.
#: https://en.wikipedia.org/wiki/Feed_URI_scheme
_FEED_PREFIX = lazy_regex(r"\A(?:feed:(?://)?)+(?=https?://)", re.IGNORECASE)
_FEED_SCHEME = lazy_regex(r"\Afeed:(?=//)", re.IGNORECASE)
_BASE = lazy_regex(r"https?://[^/?#]", re.IGNORECASE)


def resolve(text: str, base: str | None) -> UrlResult:
    r"""Make an absolute URL of what stands in a document.

    Schemes are not judged (`mailto:` is absolute); what can be repaired is, and is noted. User
    names and passwords go here already, so that nothing above ever holds one. A `\\` is turned
    before resolving, as in browsers: `\\a\\b` begins at the root. A base that is not http(s),
    such as `javascript:`, is none. Empty text is None without a note: it is as if absent.
    """
    if _UNTOUCHED.fullmatch(text) and "&amp;" not in text:
        return _new(UrlResult, (text, ()))
    notes: list[Note] = []
    reference = _repaired(text, notes)
    if not reference:
        return UrlResult(None)
    if not _SCHEME.match(reference):
        if base is None or not _BASE.match(base):
            words = f"{quoted(text)} is relative, and no base is known; dropped"
            return UrlResult(None, (*notes, (Code.URL_WITHOUT_BASE, words)))
        reference = _joined(syntax.split(syntax.remove_userinfo(base)), reference)
    return UrlResult(_without_userinfo(reference, notes), tuple(notes))


def _repaired(text: str, notes: list[Note]) -> str:
    """Steps 1, 2, 4 and 5, each of which can be done before resolving."""
    url = trimmed = text.strip(_AROUND)
    url = _BROKEN_LINE.sub("", url)
    if url.startswith(_CDATA_OPEN) and url.endswith(_CDATA_CLOSE):
        url = url[len(_CDATA_OPEN) : -len(_CDATA_CLOSE)].strip(_AROUND)
    url = _ESCAPED_AMPERSAND.sub("&", url)
    if not _is_opaque(url):
        url = syntax.fix_backslashes(url)
    if url != trimmed:
        notes.append((Code.URL_REPAIRED, f"{quoted(trimmed)} was repaired to {quoted(url)}"))
    http = _FEED_SCHEME.sub("http:", _FEED_PREFIX.sub("", url, count=1), count=1)
    if http != url:
        notes.append(_respelt(url, http))
    return http


def _is_opaque(url: str) -> bool:
    """Is it of a scheme without a hierarchy of slashes: `data:`, `javascript:`, …?"""
    scheme = _SCHEME.match(url)
    return scheme is not None and scheme[0].lower() not in {"http:", "https:", "ftp:", "feed:"}


def _joined(base: syntax.UrlParts, reference: str) -> str:
    """RFC 3986, 5.2.2, for a reference without a scheme."""
    _, authority, path, query, fragment = syntax.split(reference)
    if authority is not None:
        return f"{base.scheme}:{reference}"
    if not path:
        path, query = base.path, base.query if query is None else query
    elif not path.startswith("/"):
        path = f"{base.path.rpartition('/')[0]}/{path}"
    path = syntax.remove_dot_segments(path)
    return str(syntax.UrlParts(base.scheme, base.authority, path, query, fragment))


def _without_userinfo(url: str, notes: list[Note]) -> str:
    clean = syntax.remove_userinfo(url)
    if clean != url:
        words = f"user name and password were taken out of {quoted(clean)}"
        notes.append((Code.URL_CREDENTIALS_REMOVED, words))
    return clean


def clean_page(url: str, rules: ParameterRules) -> UrlResult:
    """Clean the address of a page: `loc`, or an hreflang alternative (steps 5 to 17).

    The spelling is made canonical; the fragment, session ids and tracking parameters go. Never
    touched, for servers may care: the case and the slashes of a path, the order of parameters.
    """
    if len(url) <= MAX_CHARS and _with_query(url):
        return _new(UrlResult, rules.remove_from(url))
    return _cleaned(url, _WEB, rules=rules)


def clean_media(url: str, *, keep_fragment: bool = False, allow_ftp: bool = False) -> UrlResult:
    """Clean the address of a file or a player (steps 5 to 12, and 17).

    Parameters stay: taking one from a signed URL would break it. The fragment goes, but for
    players (`keep_fragment`), which are told by it what to play.
    """
    if is_canonical_page(url):
        return _new(UrlResult, (url, ()))
    return _cleaned(url, _WEB_AND_FTP if allow_ftp else _WEB, keep_fragment=keep_fragment)


def change_origin(url: str, *, scheme: str | None = None, host: str | None = None) -> UrlResult:
    """Give a clean URL another scheme, or another canonical host; steps 8 and 17 run again.

    `https` for `http` takes `:443` away, and keeps `:8080`.
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
        return _refused(Code.URL_TOO_LONG, url, f"it has {len(url)} characters")
    notes: list[Note] = []
    plain = _plain(url, notes) if "\\" in url or "@" in url else url
    parts = syntax.split(plain)
    scheme = parts.scheme
    if scheme is None:
        return _refused(Code.URL_UNUSABLE, url, "it is not absolute")
    if scheme.lower() not in schemes:
        return _refused(Code.URL_SCHEME_DROPPED, url, f"nothing is published under {scheme}:")
    try:
        clean = _canonical(parts, keep_fragment=keep_fragment)
    except ValueError as error:
        return _refused(Code.URL_UNUSABLE, url, str(error))
    if clean != plain:
        notes.append(_respelt(plain, clean))
    if rules is not None:
        clean, removed = rules.remove_from(clean)
        notes += removed
    if MIN_CHARS <= len(clean) <= MAX_CHARS:
        return _new(UrlResult, (clean, tuple(notes)))
    is_long = len(clean) > MAX_CHARS
    reason = f"{len(clean)} characters" if is_long else f"fewer than {MIN_CHARS} characters"
    code = Code.URL_TOO_LONG if is_long else Code.URL_UNUSABLE
    return _refused(code, clean, f"it has {reason}", notes)


def _plain(url: str, notes: list[Note]) -> str:
    """Turn slashes, and take user name and password out (steps 5 and 9)."""
    turned = syntax.fix_backslashes(url)
    if turned != url:
        notes.append((Code.URL_REPAIRED, f"{quoted(url)} was repaired to {quoted(turned)}"))
    return _without_userinfo(turned, notes)


def _canonical(parts: syntax.UrlParts, *, keep_fragment: bool) -> str:
    """Spell each part in the one way (steps 6 to 8 and 10 to 13).

    Dot segments are taken out after decoding, once: `/a/%2e%2e/../b` is `/b`, as in browsers.

    Raises:
        ValueError: no host, or no port, has this spelling.
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
    """Spell scheme, host and port, once for all the URLs of a site."""
    scheme = scheme.lower()
    host, digits = syntax.split_host_port(authority)
    host, port = hosts.canonical(host), syntax.parse_port(digits)
    is_default = port in {None, _DEFAULT_PORTS.get(scheme)}
    return f"{scheme}://{host}" if is_default else f"{scheme}://{host}:{port}"


def _respelt(url: str, clean: str) -> Note:
    return Code.URL_NORMALISED, f"{quoted(url)} is spelt {quoted(clean)} now"


def _refused(code: Code, url: str, reason: str, notes: Iterable[Note] = ()) -> UrlResult:
    return UrlResult(None, (*notes, (code, f"{quoted(url)} cannot be published: {reason}")))
