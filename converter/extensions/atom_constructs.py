"""Text and person constructs of Atom 1.0 and 0.3, and the authors of RSS and Dublin Core.

https://www.rfc-editor.org/rfc/rfc4287#section-3. How each is converted: mapping 3.3 and 3.4.
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
#: Atom 1.0 reads an absent type as `text`; markup in such a text is invalid, and dropped.
_PLAIN_TYPES: Final = frozenset({"", "text"})

_MAIL: Final = r"[^\s()<>@]{1,200}@[^\s()<>@]{1,200}"
#: `mail@host (Name)`, `Name <mail@host>`, `mail@host Name`, in the order they are tried.
_FORMS: Final = (
    lazy_regex(rf"(?:mailto:)?(?P<email>{_MAIL})\s*\(\s*(?P<name>.*?)\s*\)"),
    lazy_regex(rf"(?P<name>.*?)\s*<\s*(?:mailto:)?(?P<email>{_MAIL})\s*>"),
    lazy_regex(rf"(?P<name>.*?)\s*\(\s*(?P<email>{_MAIL})\s*\)"),
    lazy_regex(rf"(?:mailto:)?(?P<email>{_MAIL})"),
)
#: Elements that may be person constructs of Atom.
_PERSON_NAMES: Final = frozenset({"author", "atom:author"})


# -- texts ------------------------------------------------------------------------------------


def text_construct(element: Element, context: ReadContext) -> Text | None:
    """Read a text construct: `text` and `html` as given, of `xhtml` the content of its `div`.

    Atom 0.3 has `mode="escaped"`, `"xml"` or `"base64"`, and media types instead (mapping 3.4).
    What is not text is reported.
    """
    attributes = extract.attributes(element)
    if not attributes:
        value = extract.text_of(element)
        return Text(value) if value else None
    kind, mode = attributes.get("type", "").lower(), attributes.get("mode", "").lower()
    if ";" in kind:
        kind = kind.partition(";")[0].strip()
    if kind.startswith(_BINARY) or mode == "base64":
        if extract.text_of(element):
            name, found = extract.local_name(element), printable(kind or mode, 60)
            message = f"the content of <{name}> is {found}, not text; left out"
            context.warn(Code.TEXT_UNREADABLE, message, element, name)
        return None
    is_html = kind in _HTML_TYPES or (mode == "escaped" and not kind)
    if len(element) and (kind not in _PLAIN_TYPES or mode == "xml"):
        div = _xhtml_div(element)
        value = extract.inner_html(element if div is None else div)
        nested = (element,) if div is None else (element, div)
        return Text(value, True, *context.base_of(*nested)) if value else None
    value = extract.text_of(element)
    if not value:
        return None
    return Text(value, True, *context.base_of(element)) if is_html else Text(value)


def html_text(element: Element, context: ReadContext) -> Text | None:
    """Read HTML, escaped or as elements of XHTML."""
    value = extract.inner_html(element) if len(element) else extract.text_of(element)
    if not value:
        return None
    if not element.attrib:
        return Text(value, True, context.base, context.has_xml_base)
    return Text(value, True, *context.base_of(element))


def plain_text(children: Children, context: ReadContext, names: Iterable[str]) -> str | None:
    """Return the first non-empty text construct as plain text, in the order of the names."""
    for name in names:
        for element in children.get(name, ()):
            text = text_construct(element, context)
            if text and (plain := texts.plain(text.value, is_html=text.is_html)):
                return plain
    return None


def _xhtml_div(element: Element) -> Element | None:
    """Return the `div` that contains all XHTML; None if something is outside of it."""
    div = element[0]
    if len(element) > 1 or extract.local_name(div) != "div":
        return None
    text_outside = f"{element.text or ''}{div.tail or ''}"
    return None if text_outside.strip() else div


# -- people -----------------------------------------------------------------------------------


def authors(children: Children, context: ReadContext, names: Iterable[str]) -> tuple[Person, ...]:
    """Read the persons in elements of these names, each once: person constructs or plain text."""
    people: list[Person] = []
    for name in names:
        for element in children.get(name, ()):
            if name in _PERSON_NAMES and len(element):
                person = _person(element, context)
                if person is not None:
                    people.append(person)
            elif text := extract.text_of(element):
                people.append(parse_author(text))
    return tuple(dict.fromkeys(people)) if len(people) > 1 else tuple(people)


def parse_author(text: str) -> Person:
    """Read RSS `author`: a name, a mail address or both."""
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
