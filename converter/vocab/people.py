"""Authors: RSS `author`, Dublin Core's creators, Atom's person constructs (mapping 3.3, 3.4)."""

from __future__ import annotations

from collections.abc import Iterable

from converter.model import Person
from converter.values.patterns import lazy
from converter.vocab.context import Context, distinct
from converter.xml import take
from converter.xml.names import Names
from converter.xml.take import Children, Element

__all__ = ["atom_people", "atom_person", "rss_author", "rss_people"]

_MAIL = r"[^\s()<>@]{1,200}@[^\s()<>@]{1,200}"
#: `mail@host (Name)`, `Name <mail@host>`, `mail@host Name`, in the order they are tried.
_FORMS = (
    lazy(rf"(?:mailto:)?(?P<email>{_MAIL})\s*\(\s*(?P<name>.*?)\s*\)"),
    lazy(rf"(?P<name>.*?)\s*<\s*(?:mailto:)?(?P<email>{_MAIL})\s*>"),
    lazy(rf"(?P<name>.*?)\s*\(\s*(?P<email>{_MAIL})\s*\)"),
    lazy(rf"(?:mailto:)?(?P<email>{_MAIL})"),
)


def rss_author(text: str) -> Person:
    """Read RSS `author`; a name is never made from a mail address."""
    text = " ".join(text[:1000].split())
    for form in _FORMS if "@" in text else ():
        if match := form.fullmatch(text):
            parts = match.groupdict()
            return Person(parts.get("name") or None, parts["email"])
    return Person(text)


def rss_people(found: Children, context: Context, names: Names) -> tuple[Person, ...]:
    """Give the authors of an item: `author` before `dc:creator` before Atom's (mapping 3.3)."""
    people: list[Person] = []
    if "author" in found:
        people += _atom_people([one for one in found["author"] if len(one)], context, names)
    for name in ("author", "dc:creator", "dc:author", "creator"):
        if name in found:
            for element in found[name]:
                is_read = name == "author" and len(element)
                if not is_read and (text := take.text_of(element)):
                    people.append(rss_author(text))
    if "atom:author" in found:
        people += _atom_people(found["atom:author"], context, names)
    return distinct(people)


def atom_people(found: Children, context: Context, names: Names) -> tuple[Person, ...]:
    """Give the authors of an Atom entry or feed; Dublin Core's where it has none."""
    people = _atom_people(found.get("author", ()), context, names)
    if "dc:creator" in found:
        people += [rss_author(text) for _, text in take.texts(found, "dc:creator")]
    return distinct(people)


def _atom_people(elements: Iterable[Element], context: Context, names: Names) -> list[Person]:
    return [person for element in elements if (person := atom_person(element, context, names))]


def atom_person(element: Element, context: Context, names: Names) -> Person | None:
    """Read an Atom person construct, or the bare name that some feeds put there."""
    if len(element) == 1 and names[element[0].tag] == "name" and (only := take.text_of(element[0])):
        return Person(only)  # nearly every author
    children = take.gather(element, names)
    name = take.first_text(children, "name", "atom:name")
    email = uri = None
    if len(children) > 1 or not name:
        email = take.first_text(children, "email", "atom:email")
        for reference, text in take.texts(children, "uri", "url", "atom:uri"):
            uri = context.url(text, reference, "author/uri")
            break
    if name or email or uri:
        return Person(name, email, uri)
    text = take.text_of(element)
    return rss_author(text) if text and not len(element) else None
