"""An independent judge of feeds: it shares no code with the converter whose output it tries.

What it demands: RSS 2.0, Atom 1.0 (RFC 4287), Media RSS 1.5.1, and what the W3C feed validator
is known to find (mapping 4.1-4.5). By hand: `python -m tests.feedrules FILE...`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from lxml import etree

from tests.feedrules.atom import check_atom
from tests.feedrules.findings import RULES, Element, Finding, Judgement
from tests.feedrules.rss import check_rss
from tests.feedrules.shapes import ATOM, MEDIA

__all__ = ["RULES", "Finding", "check"]

_ROOTS: Mapping[str, Callable[[Element, Judgement], None]] = {
    "rss": check_rss,
    f"{{{ATOM}}}feed": check_atom,
}

#: Spellings of the Media RSS namespace that a producer must not use.
_MISSPELT = re.compile(
    r"https?://((www|video|tools)\.)?search\.yahoo\.com/(mrss|searchmonkey/media)/?", re.IGNORECASE
)
_OF_THE_BOARD = re.compile(r"https?://(www\.)?rssboard\.org/media-rss/?", re.IGNORECASE)

#: RSS Profile: in a plain text, a reference in hexadecimal says that no markup is meant. A parser
#: does not tell the spelling, so it is carried past the parser in the private use area.
_UNSEEN = re.compile(rb"<!\[CDATA\[.*?\]\]>|<!--.*?-->|&#x(3[Cc]|26);", re.DOTALL)
_LESS, _AND = "\uf83c", "\uf826"
_MEANT = str.maketrans({_LESS: "<", _AND: "&"})


def check(data: bytes, *, now: datetime | None = None) -> list[Finding]:
    """Judge a feed; findings come by line, the errors of a line first.

    Args:
        data: the whole document.
        now: the instant that dates may not lie after; None: any later date is right.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(_marked(data), parser)
    except etree.XMLSyntaxError as error:
        return [Finding(RULES["SAXError"], "SAXError", error.lineno or 0, error.msg or "empty")]
    judgement = Judgement(now, _meant(root))
    _judge_namespaces(root, judgement)
    if judge := _ROOTS.get(str(root.tag)):
        judge(root, judgement)
    else:
        judgement.say("UndefinedElement", root, "is the root of no feed")
    return sorted(judgement.findings, key=lambda finding: (finding.line, finding))


def _marked(data: bytes) -> bytes:
    """Mark hexadecimal references outside CDATA and comments; only UTF-8 can hold the marks."""
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return data
    if re.match(rb"[^>]*encoding=[\"'](?!utf-?8[\"'])", data, re.IGNORECASE):
        return data

    def mark(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return found[0] if code is None else (_AND if code == b"26" else _LESS).encode()

    return _UNSEEN.sub(mark, data)


def _meant(root: Element) -> dict[Element, str]:
    """Take the marks out again; what held some comes back with them, by element."""
    spelt: dict[Element, str] = {}
    for element in root.iter():
        text = element.text or ""
        if _LESS in text or _AND in text:
            element.text = text.translate(_MEANT)
            spelt[element] = text
        if element.tail:
            element.tail = element.tail.translate(_MEANT)
        if isinstance(element.tag, str):
            for name, value in element.attrib.items():
                element.set(name, value.translate(_MEANT))
    return spelt


def _judge_namespaces(root: Element, judgement: Judgement) -> None:
    uris = {uri for element in root.iter("*") for uri in element.nsmap.values()}
    for uri in sorted(uris - {MEDIA}):
        if _MISSPELT.fullmatch(uri):
            judgement.say("InvalidNamespace", root, f"{uri} for {MEDIA}")
        elif _OF_THE_BOARD.fullmatch(uri):
            judgement.say("NonCanonicalNamespace", root, f"{uri} for {MEDIA}")
