"""Texts and people: the constructs of Atom 1.0 and 0.3, and the authors of RSS and Dublin Core.

https://www.rfc-editor.org/rfc/rfc4287#section-3. What becomes of each: mapping 3.3 and 3.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from converter.extensions.read_context import ReadContext
from converter.issues import Code, printable
from converter.model import Person, Text
from converter.values import text as texts
from converter.values.lazy_regex import lazy_regex
from converter.xml import extract
from converter.xml.extract import Children, Element

_BINARY: Final = ("image/", "video/", "audio/")
_HTML_TYPES: Final = frozenset({"html", "text/html", "xhtml", "application/xhtml+xml"})
#: What Atom 1.0 takes an absent type for; its markup is a mistake, and not kept.
_PLAIN_TYPES: Final = frozenset({"", "text"})

_MAIL: Final = r"[^\s()<>@]{1,200}@[^\s()<>@]{1,200}"
#: `mail@host (Name)`, `Name <mail@host>`, `mail@host Name`, in the order they are tried.
_FORMS: Final = (
    lazy_regex(rf"(?:mailto:)?(?P<email>{_MAIL})\s*\(\s*(?P<name>.*?)\s*\)"),
    lazy_regex(rf"(?P<name>.*?)\s*<\s*(?:mailto:)?(?P<email>{_MAIL})\s*>"),
    lazy_regex(rf"(?P<name>.*?)\s*\(\s*(?P<email>{_MAIL})\s*\)"),
    lazy_regex(rf"(?:mailto:)?(?P<email>{_MAIL})"),
)
#: Elements that hold a person construct of Atom.
_PERSONS: Final = frozenset({"author", "atom:author"})


# -- texts ------------------------------------------------------------------------------------


def construct(element: Element, context: ReadContext) -> Text | None:
    """Read a text construct: `text` as it is, `html` unescaped once, `xhtml` its `div`'s inside.

    Atom 0.3 says `mode="escaped"`, `"xml"` or `"base64"`, and media types instead (mapping 3.4).
    """
    given = extract.attributes(element)
    if not given:
        value = extract.text_of(element)
        return Text(value) if value else None
    kind, mode = given.get("type", "").lower(), given.get("mode", "").lower()
    if ";" in kind:
        kind = kind.partition(";")[0].strip()
    if kind.startswith(_BINARY):
        if extract.text_of(element):
            _leave_out(f"is {printable(kind, 60)}, and no text", element, context)
        return None
    is_html = kind in _HTML_TYPES or (mode == "escaped" and not kind)
    wrapper: list[Element] = []
    if mode == "base64":
        value = _from_base64(extract.text_of(element), element, context)
    elif len(element) and (kind not in _PLAIN_TYPES or mode == "xml"):
        wrapper, is_html = _wrapper(element), True
        value = extract.inner_html(wrapper[0] if wrapper else element)
    else:
        value = extract.text_of(element)
    if not value:
        return None
    return Text(value, True, *context.base_of(element, *wrapper)) if is_html else Text(value)


def html(element: Element, context: ReadContext) -> Text | None:
    """Read HTML, escaped or as XHTML's elements."""
    value = extract.inner_html(element) if len(element) else extract.text_of(element)
    if not value:
        return None
    if not element.attrib:
        return Text(value, True, context.base, context.has_xml_base)
    return Text(value, True, *context.base_of(element))


def plain(found: Children, context: ReadContext, names: Iterable[str]) -> str | None:
    """Read the first non-empty text construct of these as plain text."""
    for name in names:
        for element in found.get(name, ()):
            value = construct(element, context)
            if value and (given := texts.plain(value.value, is_html=value.is_html)):
                return given
    return None


def _wrapper(element: Element) -> list[Element]:
    """Return the `div` that wraps XHTML, if one does."""
    children = list(element)
    is_wrapped = len(children) == 1 and extract.local_name(children[0]) == "div"
    text_around = f"{element.text or ''}{children[0].tail or ''}"
    return children if is_wrapped and not text_around.strip() else []


def _from_base64(value: str, element: Element, context: ReadContext) -> str:
    from base64 import b64decode  # Atom 0.3 is rare

    try:
        return b64decode("".join(value.split()), validate=True).decode("utf-8").strip()
    except ValueError:
        _leave_out("is not UTF-8 text in base64", element, context)
        return ""


def _leave_out(reason: str, element: Element, context: ReadContext) -> None:
    name = extract.local_name(element)
    message = f"what <{name}> holds {reason}; left out"
    context.tell(Code.TEXT_UNREADABLE, message, element, name)


# -- people -----------------------------------------------------------------------------------


def authors(found: Children, context: ReadContext, names: Iterable[str]) -> tuple[Person, ...]:
    """Read the people in elements of these names, each once; a name may be bare text."""
    people: list[Person] = []
    for name in names:
        for element in found.get(name, ()):
            if name in _PERSONS and len(element):
                person = _person(element, context)
                if person is not None:
                    people.append(person)
            elif text := extract.text_of(element):
                people.append(rss_author(text))
    return tuple(dict.fromkeys(people)) if len(people) > 1 else tuple(people)


def rss_author(text: str) -> Person:
    """Read RSS `author`; a name is never made from a mail address."""
    text = " ".join(text[:1000].split())
    for form in _FORMS if "@" in text else ():
        if match := form.fullmatch(text):
            parts = match.groupdict()
            return Person(parts.get("name") or None, parts["email"])
    return Person(text)


def _person(element: Element, context: ReadContext) -> Person | None:
    """Read an Atom person construct."""
    names = context.names
    if (
        len(element) == 1
        and names[element[0].tag] == "name"
        and (only := extract.text_of(element[0]))
    ):
        return Person(only)  # nearly every author
    children = extract.children_by_name(element, names)
    name = extract.first_text(children, "name", "atom:name")
    email = extract.first_text(children, "email", "atom:email")
    uri = None
    for reference, text in extract.texts_of(children, "uri", "url", "atom:uri"):
        uri = context.url(text, reference, "author/uri")
        break
    return Person(name, email, uri) if name or email or uri else None
