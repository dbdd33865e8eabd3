"""Words of other vocabularies that may stand in any feed: Dublin Core, content, iTunes."""

from __future__ import annotations

from collections.abc import Mapping

from tests.feedrules.findings import Element, Judgement
from tests.feedrules.shapes import CONTENT, DC, DCTERMS, ITUNES, Shape, clark, text_of
from tests.feedrules.values import (
    filled,
    language,
    link,
    matching,
    one_of,
    period,
    relative_references,
    w3cdtf,
)


def html_text(element: Element, judgement: Judgement) -> None:
    """HTML in RSS has no base: `xml:base` is no part of it."""
    judgement.say_all(element, relative_references(text_of(element)))


def _after_the_description(element: Element, judgement: Judgement) -> None:
    if not any(True for _ in element.itersiblings("description", preceding=True)):
        judgement.say("NeedDescriptionBeforeContent", element, "stands before the description")


ENCODED = f"{{{CONTENT}}}encoded"
_DATES = clark(DCTERMS, "modified created issued available date dateSubmitted")
_EXPLICIT = one_of("true", "false", rule="InvalidItunesExplicit")
_DURATION = matching(
    "[0-9]+|[0-9]+:[0-5][0-9]|[0-9]+:[0-5][0-9]:[0-5][0-9]",
    "InvalidDuration",
    "seconds, M:SS or H:MM:SS",
)

EXTENSIONS: Mapping[str, Shape] = {
    **dict.fromkeys([f"{{{DC}}}date", *_DATES], Shape(moment=w3cdtf)),
    f"{{{DC}}}creator": Shape(text=filled),
    f"{{{DC}}}language": Shape(text=language),
    f"{{{DCTERMS}}}valid": Shape(text=period),
    ENCODED: Shape(rules=(_after_the_description, html_text)),
    f"{{{ITUNES}}}explicit": Shape(text=_EXPLICIT),
    f"{{{ITUNES}}}duration": Shape(text=_DURATION),
    f"{{{ITUNES}}}image": Shape(attributes={"href": link}, required=("href",)),
}

_OWNER_MAIL = f"{{{ITUNES}}}owner/{{{ITUNES}}}email"


def itunes(channel: Element, judgement: Judgement) -> None:
    """One word of iTunes asks for those that its directory demands of a channel."""
    if next(channel.iter(f"{{{ITUNES}}}*"), None) is None:
        return
    for name in ("category", "explicit"):
        if channel.find(f"{{{ITUNES}}}{name}") is None:
            judgement.say("MissingItunesElement", channel, f"has no itunes:{name}")
    if channel.find(_OWNER_MAIL) is None:
        judgement.say("MissingItunesEmail", channel, "has no itunes:owner with itunes:email")
