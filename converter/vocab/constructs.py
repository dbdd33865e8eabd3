"""Text constructs of Atom 1.0 and 0.3: titles, summaries, contents, in Atom and in RSS.

https://www.rfc-editor.org/rfc/rfc4287#section-3.1. What becomes of each: mapping 3.4.
"""

from __future__ import annotations

from typing import Final

from converter.issues import Code, printable
from converter.model import Text
from converter.values import text
from converter.vocab.context import Context
from converter.xml import take
from converter.xml.take import Children, Element

__all__ = ["construct", "plain"]

_BINARY: Final = ("image/", "video/", "audio/")
_HTML_TYPES: Final = frozenset({"html", "text/html", "xhtml", "application/xhtml+xml"})
#: What Atom 1.0 takes an absent type for; its markup is a mistake, and not kept.
_PLAIN_TYPES: Final = frozenset({"", "text"})


def construct(element: Element, context: Context) -> Text | None:
    """Read a text construct: `text` as it is, `html` unescaped once, `xhtml` its `div`'s inside.

    Atom 0.3 says `mode="escaped"`, `"xml"` or `"base64"`, and media types instead (mapping 3.4).
    """
    given = take.attributes(element)
    if not given:
        value = take.text_of(element)
        return Text(value) if value else None
    kind = given.get("type", "").lower()
    if ";" in kind:
        kind = kind.partition(";")[0].strip()
    mode = given["mode"].lower() if "mode" in given else ""
    if kind.startswith(_BINARY):
        if take.text_of(element):
            _leave_out(f"is {printable(kind, 60)}, and no text", element, context)
        return None
    is_html = kind in _HTML_TYPES or (mode == "escaped" and not kind)
    value, scopes = take.text_of(element), [element]
    if mode == "base64":
        value = _from_base64(value, element, context)
    elif len(element) and (kind not in _PLAIN_TYPES or mode == "xml"):
        scopes += _wrapper(element)
        value, is_html = take.inner_markup(scopes[-1]), True
    if not value:
        return None
    return context.html(value, *scopes) if is_html else Text(value)


def _wrapper(element: Element) -> list[Element]:
    """Return the `div` that wraps XHTML, if one does."""
    children = list(element)
    is_wrapped = len(children) == 1 and take.local_name(children[0]) == "div"
    text_around = f"{element.text or ''}{children[0].tail or ''}"
    return children if is_wrapped and not text_around.strip() else []


def _from_base64(value: str, element: Element, context: Context) -> str:
    from base64 import b64decode  # Atom 0.3 is rare

    try:
        return b64decode("".join(value.split()), validate=True).decode("utf-8").strip()
    except ValueError:
        _leave_out("is not UTF-8 text in base64", element, context)
        return ""


def _leave_out(reason: str, element: Element, context: Context) -> None:
    name = take.local_name(element)
    message = f"what <{name}> holds {reason}; left out"
    context.tell(Code.TEXT_UNREADABLE, message, element, name)


def plain(found: Children, context: Context, *names: str) -> str | None:
    """Read the first non-empty text construct of these as plain text."""
    for name in names:
        for element in found.get(name, ()):
            value = construct(element, context)
            if value and (given := text.plain(value.value, is_html=value.is_html)):
                return given
    return None
