"""The syntax of URLs: parts, their normal forms, quoting for messages (mapping 6.1)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from converter.issues import USERINFO_CHARS, hide_userinfo, printable
from converter.values.lazy_regex import lazy_regex

_BLANK = lazy_regex(r"[\s\x00-\x1f]+")

#: RFC 3986, appendix B, with the scheme of 3.1; matches any text.
_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)
_USERINFO = lazy_regex(r"\A((?:[A-Za-z][A-Za-z0-9+.\-]*:)?//)[^/?#]*@")
_BEFORE_QUERY = lazy_regex(r"[^?#]*")

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
#: A triplet in normal form (RFC 3986, 6.2.2): upper case, of an octet that is not unreserved.
PERCENT_TRIPLET = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])"
#: Any other triplet, or a lone `%`; triplets of non-ASCII octets are matched as one word.
_PERCENT = lazy_regex(
    f"(?:%[89A-Fa-f][0-9A-Fa-f])++|%(?!{PERCENT_TRIPLET[1:]})(?:[0-9A-Fa-f]{{2}})?"
)
#: Characters that RFC 3986 does not allow in a path or query; `[` and `]` belong to hosts. The set
#: is repeated because `re` searches faster for a set than for a repetition. At most 32 at once,
#: because `_triplets` caches them.
_UNFIT = lazy_regex("SETSET{0,31}".replace("SET", r"[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]"))
_SURROGATE = lazy_regex("[\ud800-\udfff]")

_PORT = lazy_regex(r"0{0,99}[0-9]{1,5}")
_MAX_PORT = 65535


class UrlParts(NamedTuple):
    """The parts of a URL; None is absent, an empty text is `?` or `#` alone."""

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


def split(url: str) -> UrlParts:
    """Split any text at the punctuation of URLs."""
    match = _PARTS.fullmatch(url)
    assert match is not None  # noqa: S101 - each part may be empty, the last takes the rest
    return tuple.__new__(UrlParts, match.groups())


def fix_backslashes(url: str) -> str:
    r"""Turn each `\` before the query into `/`, as browsers do."""
    if "\\" not in url:
        return url
    return _BEFORE_QUERY.sub(lambda head: head[0].replace("\\", "/"), url, count=1)


def remove_userinfo(url: str) -> str:
    """Remove `user:password@` from the authority."""
    return _USERINFO.sub(r"\1", url, count=1) if "@" in url else url


def split_host_port(authority: str) -> tuple[str, str]:
    """Split an authority without user name; the port is "" if absent."""
    host, _, port = authority.rpartition(":")
    if not host or port.endswith("]"):
        return authority.removesuffix(":"), ""
    return host, port


def parse_port(text: str) -> int | None:
    """Parse a port; return None for an empty one, as in `https://ex.com:/`.

    Raises:
        ValueError: not a number from 0 to 65535.
    """
    if not text:
        return None
    if _PORT.fullmatch(text) and int(text) <= _MAX_PORT:
        return int(text)
    raise ValueError("the port is not a number up to 65535")


def remove_dot_segments(path: str) -> str:
    """Remove `.` and `..` from a path that begins with `/` (RFC 3986, 5.2.4)."""
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


def normalise_escapes(text: str) -> str:
    """Normalise the percent-encoding of a path, a query or a fragment; the result is ASCII.

    Triplets get upper case; those of unreserved characters are decoded, reserved ones never
    (`%2F` is not `/`). Characters that RFC 3986 does not allow and a lone `%` are encoded. A lone
    surrogate, which has no UTF-8, becomes U+FFFD.
    """
    if "%" in text:
        text = _PERCENT.sub(_normalise_triplet, text)
    return _UNFIT.sub(lambda unfit: _triplets(unfit[0]), text)


def _normalise_triplet(percent: re.Match[str]) -> str:
    found = percent[0]
    if found == "%":
        return "%25"
    if found[1] >= "8":
        return found.upper()
    octet = int(found[1:], 16)
    return chr(octet) if octet in _UNRESERVED else found.upper()


@lru_cache(maxsize=4096)  # a site repeats its words
def _triplets(unfit: str) -> str:
    try:
        octets = unfit.encode()
    except UnicodeEncodeError:
        octets = _SURROGATE.sub("\ufffd", unfit).encode()
    return f"%{octets.hex('%').upper()}"


def quoted(text: str) -> str:
    """Quote a text for a message, without credentials and control characters (see `printable`)."""
    return f'"{printable(hide_credentials(text[: 120 + USERINFO_CHARS]))}"'


def hide_credentials(text: str) -> str:
    """Remove credentials from a text that may be a URL, even one that `resolve` must repair."""
    text = hide_userinfo(text)
    joined = _BLANK.sub("", text)  # `https:/<TAB>/me:secret@ex.com`
    hidden = hide_userinfo(joined)
    return text if hidden == joined else hidden  # file names may hold blanks
