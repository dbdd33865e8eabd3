"""The parts of a URL, the one spelling of each, and how URLs are shown (mapping 6.1)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from converter.issues import Code, printable
from converter.userinfo import LONGEST, hide_userinfo
from converter.values.lazy_regex import lazy_regex

Note: TypeAlias = tuple[Code, str]
"""A code, and a sentence without a full stop; readers and passes add line and entry to it."""

_SHOWN_CHARS = 120
_BLANK = lazy_regex(r"[\s\x00-\x1f]+")

#: RFC 3986, appendix B, with the scheme of 3.1: it matches everything.
_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)
_USERINFO = lazy_regex(r"\A((?:[A-Za-z][A-Za-z0-9+.\-]*:)?//)[^/?#]*@")
_BEFORE_QUERY = lazy_regex(r"[^?#]*")

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
#: Of octets that are not unreserved, as RFC 3986 (6.2.2.2) wants them: nothing to be done.
PERCENT_TRIPLET = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])"
#: Every other triplet, and a lone `%`. Those that are not of ASCII come in words, and are taken
#: together, whatever their spelling.
_PERCENT = lazy_regex(
    f"(?:%[89A-Fa-f][0-9A-Fa-f])++|%(?!{PERCENT_TRIPLET[1:]})(?:[0-9A-Fa-f]{{2}})?"
)
#: What RFC 3986 has no place for in a path or a query; `[` and `]` belong into hosts. Twice, for
#: a search is quick where a pattern begins with a set, and not with a repetition of one. Not too
#: many at once, for they are remembered.
_UNFIT = lazy_regex("SETSET{0,31}".replace("SET", r"[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]"))
_SURROGATE = lazy_regex("[\ud800-\udfff]")

_MAX_PORT = 65535


class UrlParts(NamedTuple):
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


def split(url: str) -> UrlParts:
    """Cut any text at the punctuation of URLs; nothing is judged."""
    match = _PARTS.fullmatch(url)
    assert match is not None  # noqa: S101 - each part may be empty, the last takes the rest
    return tuple.__new__(UrlParts, match.groups())


def fix_backslashes(url: str) -> str:
    r"""Turn each `\` before the query into `/`, as browsers do."""
    if "\\" not in url:
        return url
    return _BEFORE_QUERY.sub(lambda head: head[0].replace("\\", "/"), url, count=1)


def remove_userinfo(url: str) -> str:
    """Take `user:password@` out of an authority."""
    return _USERINFO.sub(r"\1", url, count=1) if "@" in url else url


def split_host_port(authority: str) -> tuple[str, str]:
    """Cut an authority without user name; the port is empty if there is none."""
    host, _, port = authority.rpartition(":")
    if not host or port.endswith("]"):
        return authority.removesuffix(":"), ""
    return host, port


def parse_port(text: str) -> int | None:
    """Read a port; None for an empty one, as in `https://ex.com:/`.

    Raises:
        ValueError: not a number from 0 to 65535.
    """
    if not text:
        return None
    digits = text.lstrip("0") or "0"
    if text.isascii() and text.isdecimal() and len(digits) <= 5 and int(digits) <= _MAX_PORT:
        return int(digits)
    raise ValueError("the port is not a number up to 65535")


def remove_dot_segments(path: str) -> str:
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


def normalise_escapes(text: str) -> str:
    """Spell a path, a query or a fragment: pure ASCII, each octet in one way only.

    Triplets get upper case, those of unreserved characters are decoded, reserved ones never
    (`%2F` is not `/`); triplets that are not UTF-8 are left alone. What RFC 3986 does not allow
    is encoded, a lone `%` too. A lone surrogate, which has no UTF-8, becomes U+FFFD.
    """
    if "%" in text:
        text = _PERCENT.sub(_respelt, text)
    return _UNFIT.sub(lambda unfit: _triplets(unfit[0]), text)


def _respelt(percent: re.Match[str]) -> str:
    found = percent[0]
    if found == "%":
        return "%25"
    if found[1] >= "8":
        return found.upper()
    octet = int(found[1:], 16)
    return chr(octet) if octet in _UNRESERVED else found.upper()


@lru_cache(maxsize=4096)  # most come again: letters of a language, words of a site
def _triplets(unfit: str) -> str:
    try:
        octets = unfit.encode()
    except UnicodeEncodeError:
        octets = _SURROGATE.sub("\ufffd", unfit).encode()
    return f"%{octets.hex('%').upper()}"


def quoted(text: str) -> str:
    """Quote a text for a message: no credentials, no control characters, at most 120 characters.

    Escape sequences of a hostile feed must not reach a terminal, nor passwords a log.
    """
    return f'"{printable(hide_credentials(text[: _SHOWN_CHARS + LONGEST]), _SHOWN_CHARS)}"'


def hide_credentials(text: str) -> str:
    """Take credentials out of what may be a URL, or be meant as one; all else stays."""
    text = hide_userinfo(text)
    joined = _BLANK.sub("", text)  # `https:/<TAB>/me:secret@ex.com` is repaired, and resolves
    bare = hide_userinfo(joined)
    return text if bare == joined else bare  # file names may hold blanks
