"""Hides user names and passwords in URLs, wherever in a text and however mistyped they are.

`issues.printable` calls this for everything that is shown, and the JSON report for every value.
"""

from __future__ import annotations

import re
from functools import cache

#: Longer texts are read in pieces of so many characters: the time that the patterns take grows
#: with the square of the length, if somebody has chosen the text for that.
LONGEST = 4096

#: What stands before the user information of a URL: `https://`, `http:/`, `https//`, `//`, `x://`;
#: an input method for Chinese or Japanese may type the colon, the slashes and the `@` full-width.
_BEFORE = (
    r"""((?:https?|ftps?|feed|socks\w*)(?:[:：][/\\／]*|[/\\]+)|[:：][/\\／]{2,}"""
    r"""|(?<![^\s"'(<=,;|\[])[/\\]{2,})"""
)
_AT = "(?:[@＠]|%40)"

#: The user information of an authority, up to its last `@`.
_OF_AUTHORITY = rf"""{_BEFORE}[^/\\?#\s"<>]*{_AT}"""

#: `//name:` without a port behind it: a password that holds a `/`, `?`, `#` or blank.
_TORN = rf"""{_BEFORE}(?!\[)[^/\\?#:@\s"<>]*:(?![0-9]*(?:[/\\?#:\s"'),;]|\Z))(?=\S)[^"\n]*{_AT}"""

#: `name:password@host` without a scheme, or after a mistyped one (`htps//`). Some schemes have an
#: `@`, but no user information. `C:\\` is a drive; any other single letter can be a user name.
_WITHOUT_SCHEME = (
    r"""((?<![^\s"'(<=,;|\[:])(?:\w+[/\\]+)?[/\\]*)"""
    r"(?!(?:mailto|tag|urn|acct|xmpp|sips?|cid|mid|news|nntp|im|data|pkg|npm|doi|info|geo):)"
    r"""(?:[^\s/\\?#@:"'<>]+:[^\s/\\?#"<>]*[@＠]"""
    r"""|[^\s/\\?#@:"'<>]{2,}:[^\s"<>@]*@(?=[\w.\-]+\.[a-z]{2,}))"""
)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Compile them when they are needed: few runs have an `@` to show."""
    texts = (_OF_AUTHORITY, _TORN, _WITHOUT_SCHEME)
    return tuple(re.compile(text, re.IGNORECASE) for text in texts)


def hide_userinfo(text: str) -> str:
    """Take `name:password@` out of everything in a text that resembles a URL."""
    if "@" not in text and "%40" not in text and "＠" not in text:
        return text
    if len(text) > LONGEST:
        pieces = range(0, len(text), LONGEST)
        return "".join(hide_userinfo(text[start : start + LONGEST]) for start in pieces)
    for pattern in _patterns():
        text = pattern.sub(r"\1", text)
    return text
