"""What URL functions say of their input: notes that may be printed, whatever the input held."""

from __future__ import annotations

import re
from typing import TypeAlias

from converter.issues import Code
from converter.values.patterns import lazy

__all__ = ["Note", "credentials_removed", "discreet", "shown"]

Note: TypeAlias = tuple[Code, str]
"""A code, and a sentence without a full stop; readers and passes add line and entry to it."""

_SHOWN_CHARS = 120

#: What stands before the last `@` of an authority, also of one that lacks its slashes.
_USERINFO = lazy(
    r"\A([^/\\?#]*[/\\]{2,}|(?:<!\[CDATA\[)?(?:feed:)?(?:https?|ftp|feed):[/\\]?)[^/\\?#]*@",
    re.IGNORECASE,
)

#: `//name:` and then no port: perhaps a password that holds a `/`, `?` or `#`, up to the last `@`.
_TORN_USERINFO = lazy(
    r"\A([^/\\?#]*[/\\]{2,})(?=[^/\\?#:]*:(?![0-9]*(?:[/\\?#]|\Z))).*@", re.DOTALL
)

#: `name:password@host`, where nobody has written a scheme.
_BARE_USERINFO = lazy(r"\A[^/\\?#@:\s]+:[^/\\?#\s]*@")

_BLANK = lazy(r"[\s\x00-\x1f]+")


def shown(text: str) -> str:
    """Quote a text for a message: no credentials, no control characters, at most 120 characters.

    Escape sequences of a hostile feed must not reach a terminal, nor passwords a log.
    """
    if "@" in text:
        text = _without_userinfo(text)
    if len(text) > _SHOWN_CHARS:
        text = text[: _SHOWN_CHARS - 1] + "…"
    if not text.isprintable():
        text = "".join(
            char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
            for char in text
        )
    return f'"{text}"'


def discreet(text: str) -> str:
    """Take credentials out of what may be a URL, or be meant as one; all else stays."""
    if "@" not in text:
        return text
    bare = _BARE_USERINFO.sub("", _without_userinfo(text))
    return text if bare == _BLANK.sub("", text) else bare  # file names may hold blanks


def _without_userinfo(text: str) -> str:
    text = _BLANK.sub("", text)  # `https:/<TAB>/me:secret@ex.com` is repaired, and resolves
    return _TORN_USERINFO.sub(r"\1", _USERINFO.sub(r"\1", text))


def credentials_removed(url: str) -> Note:
    """Note that a user name or a password was taken out of `url`, which has none any more."""
    return Code.URL_CREDENTIALS_REMOVED, f"user name and password were taken out of {shown(url)}"
