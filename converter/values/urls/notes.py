"""What URL functions say of their input: notes that may be printed, whatever the input held."""

from __future__ import annotations

from typing import TypeAlias

from converter.issues import Code, printable
from converter.userinfo import LONGEST, hide_userinfo
from converter.values.patterns import lazy

__all__ = ["Note", "credentials_removed", "discreet", "shown"]

Note: TypeAlias = tuple[Code, str]
"""A code, and a sentence without a full stop; readers and passes add line and entry to it."""

_SHOWN_CHARS = 120

_BLANK = lazy(r"[\s\x00-\x1f]+")


def shown(text: str) -> str:
    """Quote a text for a message: no credentials, no control characters, at most 120 characters.

    Escape sequences of a hostile feed must not reach a terminal, nor passwords a log.
    """
    return f'"{printable(discreet(text[: _SHOWN_CHARS + LONGEST]), _SHOWN_CHARS)}"'


def discreet(text: str) -> str:
    """Take credentials out of what may be a URL, or be meant as one; all else stays."""
    text = hide_userinfo(text)
    joined = _BLANK.sub("", text)  # `https:/<TAB>/me:secret@ex.com` is repaired, and resolves
    bare = hide_userinfo(joined)
    return text if bare == joined else bare  # file names may hold blanks


def credentials_removed(url: str) -> Note:
    """Note that a user name or a password was taken out of `url`, which has none any more."""
    return Code.URL_CREDENTIALS_REMOVED, f"user name and password were taken out of {shown(url)}"
