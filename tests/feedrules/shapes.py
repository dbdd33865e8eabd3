"""A schema in miniature: what an element may carry and hold, and the walk that asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from lxml import etree

from tests.feedrules.findings import Element, Judgement
from tests.feedrules.values import SPACE, Moment, Value, anything, language

ATOM = "http://www.w3.org/2005/Atom"
CONTENT = "http://purl.org/rss/1.0/modules/content/"
DC = "http://purl.org/dc/elements/1.1/"
DCTERMS = "http://purl.org/dc/terms/"
ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
MEDIA = "http://search.yahoo.com/mrss/"
XHTML = "http://www.w3.org/1999/xhtml"

#: Whose words are all known here: another one is a mistake. Other namespaces are free.
_CLOSED = frozenset({"", ATOM, MEDIA})
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

Rule: TypeAlias = Callable[[Element, Judgement], None]


@dataclass(frozen=True, slots=True)
class Shape:
    """What one element may carry and hold."""

    #: Attributes in no namespace; others of that kind are unexpected.
    attributes: Mapping[str, Value] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    text: Value = anything
    #: For elements that hold a date.
    moment: Moment | None = None
    #: By name in Clark's notation; None where the inside is not looked at.
    children: Mapping[str, Shape] | None = field(default_factory=dict)
    #: Children that may occur only once.
    single: frozenset[str] = frozenset()
    #: Children that must occur, and the rule that is broken where they do not.
    needs: Mapping[str, str] = field(default_factory=dict)
    #: What no table can say.
    rules: tuple[Rule, ...] = ()


def clark(namespace: str, names: str) -> list[str]:
    """Spell several local names in Clark's notation."""
    return [f"{{{namespace}}}{name}" for name in names.split()]


def elements_of(parent: Element) -> Iterator[Element]:
    """Go through the child elements: comments and instructions have no name."""
    return (child for child in parent if isinstance(child.tag, str))


def text_of(element: Element) -> str:
    """Take the text before the first child element; comments do not part it."""
    pieces = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            break
        pieces.append(child.tail or "")
    return "".join(pieces)


def judge(element: Element, shape: Shape, judgement: Judgement) -> None:
    """Hold an element, and all that it holds, against its shape."""
    _judge_attributes(element, shape, judgement)
    text = text_of(element)
    judgement.say_all(element, shape.text(text))
    if shape.moment:
        faults, instant = shape.moment(text)
        judgement.say_all(element, faults)
        if instant:
            judgement.hold_against_clock(element, instant)
    if shape.children is not None:
        _judge_children(element, shape, shape.children, judgement)
    for rule in shape.rules:
        rule(element, judgement)


def _judge_attributes(element: Element, shape: Shape, judgement: Judgement) -> None:
    for name in shape.required:
        if name not in element.attrib:
            judgement.say("MissingAttribute", element, f"has no {name}")
    for name, text in element.attrib.items():
        if name == _XML_LANG and text:
            judgement.say_all(element, language(text))
        elif name in shape.attributes:
            judgement.say_all(element, shape.attributes[name](text))
        elif not name.startswith("{"):
            judgement.say("UnexpectedAttribute", element, f'{name}="{text}"')


def _judge_children(
    parent: Element, shape: Shape, children: Mapping[str, Shape], judgement: Judgement
) -> None:
    seen: Counter[str] = Counter()
    for child in elements_of(parent):
        name = str(child.tag)
        seen[name] += 1
        if seen[name] > 1 and name in shape.single:
            judgement.say("DuplicateElement", child, "may stand here only once")
        if known := children.get(name):
            judge(child, known, judgement)
        elif (etree.QName(child).namespace or "") in _CLOSED:
            where = etree.QName(parent).localname
            judgement.say("UndefinedElement", child, f"is unknown in <{where}>")
    for needed, rule in shape.needs.items():
        if not seen[needed]:
            judgement.say(rule, parent, f"has no {etree.QName(needed).localname}")
    if children and any((child.tail or "").strip(SPACE) for child in parent):
        judgement.say("UndefinedText", parent, "has text between its elements")
