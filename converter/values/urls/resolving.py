"""From the text of a feed to an absolute URL: what readers do (mapping 6.1, steps 1 to 4; 6.3)."""

from __future__ import annotations

import re
from typing import NamedTuple

from converter.issues import Code
from converter.values.patterns import lazy
from converter.values.urls import spelling
from converter.values.urls.notes import Note, credentials_removed, shown

__all__ = ["Resolved", "resolve"]


class Resolved(NamedTuple):
    """An absolute URL of any scheme, its spelling as given; None: there is none, see the notes.

    A tuple, not a dataclass: one is made for each URL of a feed, and tuples are made faster.
    """

    url: str | None
    notes: tuple[Note, ...] = ()


_new_resolved = tuple.__new__

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
_BROKEN_LINE = lazy(r"[\t\r\n]+")
_ESCAPED_AMPERSAND = lazy(r"&(?:amp;)+")
_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.\-]*:")
#: `feed://h/` means http, `feed:https://h/` what it says.
#: https://en.wikipedia.org/wiki/Feed_URI_scheme
_FEED_PREFIX = lazy(r"\A(?:feed:(?://)?)+(?=https?://)", re.IGNORECASE)
_FEED_SCHEME = lazy(r"\Afeed:(?=//)", re.IGNORECASE)
_BASE = lazy(r"https?://[^/?#]", re.IGNORECASE)


def resolve(text: str, base: str | None) -> Resolved:
    r"""Make an absolute URL of what stands in a document.

    Schemes are not judged (`mailto:` is absolute); what can be repaired is, and is noted. User
    names and passwords go here already, so that nothing above ever holds one. A `\\` is turned
    before resolving, as in browsers: `\\a\\b` begins at the root. A base that is not http(s),
    such as `javascript:`, is none. Empty text is None without a note: it is as if absent.
    """
    if _UNTOUCHED.fullmatch(text) and "&amp;" not in text:
        return _new_resolved(Resolved, (text, ()))
    return _resolved(text, base)


def _resolved(text: str, base: str | None) -> Resolved:
    notes: list[Note] = []
    reference = _repaired(text, notes)
    if not reference:
        return Resolved(None)
    if not _SCHEME.match(reference):
        if base is None or not _BASE.match(base):
            notes.append(
                (Code.URL_WITHOUT_BASE, f"{shown(text)} is relative, and no base is known; dropped")
            )
            return Resolved(None, tuple(notes))
        reference = _joined(spelling.split(spelling.without_userinfo(base)), reference)
    return Resolved(_without_userinfo(reference, notes), tuple(notes))


def _repaired(text: str, notes: list[Note]) -> str:
    """Steps 1, 2, 4 and 5, each of which can be done before resolving."""
    url = trimmed = text.strip(_AROUND)
    url = _BROKEN_LINE.sub("", url)
    if url.startswith(_CDATA_OPEN) and url.endswith(_CDATA_CLOSE):
        url = url[len(_CDATA_OPEN) : -len(_CDATA_CLOSE)].strip(_AROUND)
    url = _ESCAPED_AMPERSAND.sub("&", url)
    if not _is_opaque(url):
        url = spelling.slashes_turned(url)
    if url != trimmed:
        notes.append((Code.URL_REPAIRED, f"{shown(trimmed)} was repaired to {shown(url)}"))
    http = _FEED_SCHEME.sub("http:", _FEED_PREFIX.sub("", url, count=1), count=1)
    if http != url:
        notes.append((Code.URL_NORMALISED, f"{shown(url)} is spelt {shown(http)} now"))
    return http


def _is_opaque(url: str) -> bool:
    """Is it of a scheme without a hierarchy of slashes: `data:`, `javascript:`, …?"""
    scheme = _SCHEME.match(url)
    return scheme is not None and scheme[0].lower() not in {"http:", "https:", "ftp:", "feed:"}


def _joined(base: spelling.Parts, reference: str) -> str:
    """RFC 3986, 5.2.2, for a reference without a scheme."""
    _, authority, path, query, fragment = spelling.split(reference)
    if authority is not None:
        return f"{base.scheme}:{reference}"
    if not path:
        path, query = base.path, base.query if query is None else query
    elif not path.startswith("/"):
        path = f"{base.path.rpartition('/')[0]}/{path}"
    path = spelling.without_dot_segments(path)
    return str(spelling.Parts(base.scheme, base.authority, path, query, fragment))


def _without_userinfo(url: str, notes: list[Note]) -> str:
    clean = spelling.without_userinfo(url)
    if clean != url:
        notes.append(credentials_removed(clean))
    return clean
