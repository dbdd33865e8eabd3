"""RSS 2.0: https://www.rssboard.org/rss-specification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lxml import etree

from tests.feedrules import media
from tests.feedrules.extensions import ENCODED, EXTENSIONS, html_text, itunes
from tests.feedrules.findings import Element, Judgement
from tests.feedrules.shapes import ATOM, DC, DCTERMS, Shape, clark, elements_of, judge, text_of
from tests.feedrules.values import (
    anything,
    boolean,
    contact,
    filled,
    language,
    link,
    matching,
    mime,
    no_markup,
    non_negative,
    one_of,
    positive,
    reference,
    rfc822,
    web_link,
)

# --- rules that no table can say ----------------------------------------------------------------


def _plain(element: Element, judgement: Judgement) -> None:
    """A title: what is spelt `&#x3C;` or `&#x26;` cannot be taken for markup."""
    text = judgement.spelt.get(element)
    judgement.say_all(element, no_markup(text_of(element) if text is None else text))


def _self_link(channel: Element, judgement: Judgement) -> None:
    links = [link for link in channel.iterfind(_ATOM_LINK) if link.get("rel") == "self"]
    if not links:
        judgement.say("MissingAtomSelfLink", channel, 'has no atom:link rel="self"')
    for own in links:
        if own.get("type", _OWN_TYPE) != _OWN_TYPE:
            judgement.say("SelfNotAtom", own, f'type="{own.get("type")}"')


def _metadata_first(channel: Element, judgement: Judgement) -> None:
    item = None
    for child in elements_of(channel):
        if item is not None and child.tag != "item":
            judgement.say("MisplacedItem", item, f"stands before <{etree.QName(child).localname}>")
            return
        if child.tag == "item":
            item = child


def _unique_guids(channel: Element, judgement: Judgement) -> None:
    seen: Counter[str] = Counter()
    for guid in channel.iterfind("item/guid"):
        seen[text_of(guid)] += 1
        if seen[text_of(guid)] > 1:
            judgement.say("DuplicateValue", guid, f'"{text_of(guid)}" again')


def _title_or_description(item: Element, judgement: Judgement) -> None:
    if item.find("title") is None and item.find("description") is None:
        judgement.say("ItemMustContainTitleOrDescription", item, "has neither")


def _guid(guid: Element, judgement: Judgement) -> None:
    text = text_of(guid).strip()
    if guid.get("isPermaLink", "true") == "true":
        for _, message in web_link(text):
            judgement.say("InvalidHttpGUID", guid, message)
    if text.isdigit() and len(text) < 9:
        judgement.say("NotSufficientlyUnique", guid, f'"{text}" may be the guid of others')


def _one_author(item: Element, judgement: Judgement) -> None:
    if item.find("author") is not None and item.find(f"{{{DC}}}creator") is not None:
        judgement.say("DuplicateItemSemantics", item, "has both author and dc:creator")


def _one_enclosure(item: Element, judgement: Judgement) -> None:
    for second in item.findall("enclosure")[1:]:
        judgement.say("DuplicateEnclosure", second, "many readers take one only")


def _enclosure(enclosure: Element, judgement: Judgement) -> None:
    length = enclosure.get("length", "0")
    rule = "UseZeroForUnknown" if length.startswith("-") else "InvalidNonNegativeInteger"
    if any(non_negative(length)):
        judgement.say(rule, enclosure, f'length="{length}"')


def _at_most(limit: int, rule: str) -> Shape:
    def hold(element: Element, judgement: Judgement) -> None:
        digits = text_of(element).strip()
        if digits.isdecimal() and (len(digits) > 4 or int(digits) > limit):
            judgement.say(rule, element, f"{digits[:9]} is more than {limit}")

    return Shape(text=positive, rules=(hold,))


# --- tables -------------------------------------------------------------------------------------

_ATOM_LINK = f"{{{ATOM}}}link"
_OWN_TYPE = "application/rss+xml"
_HOUR = "[01]?[0-9]|2[0-4]"
_DAY = one_of(
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", rule="InvalidDay"
)

_TITLE = Shape(text=filled, rules=(_plain,))
_LINK = Shape(text=link)
_DATE = Shape(moment=rfc822)
_HTML = Shape(rules=(html_text,))
_PERSON = Shape(text=contact)
_CATEGORY = Shape(attributes={"domain": filled}, text=filled)

#: Words of Atom that are used in RSS.
_ATOM: Mapping[str, Shape] = {
    _ATOM_LINK: Shape(
        attributes={
            "href": link,
            "rel": filled,
            "type": mime,
            "hreflang": language,
            "title": anything,
            "length": non_negative,
        },
        required=("href",),
    ),
    **dict.fromkeys(
        clark(ATOM, "author contributor id updated published summary content rights icon logo"),
        Shape(attributes={"type": anything, "src": reference}, children=None),
    ),
}

_ITEM_WORDS: Mapping[str, Shape] = {
    "title": _TITLE,
    "link": _LINK,
    "description": _HTML,
    "author": _PERSON,
    "category": _CATEGORY,
    "comments": _LINK,
    "enclosure": Shape(
        attributes={"url": web_link, "type": mime, "length": anything},
        required=("url", "type", "length"),
        rules=(_enclosure,),
    ),
    "guid": Shape(attributes={"isPermaLink": boolean}, text=filled, rules=(_guid,)),
    "pubDate": _DATE,
    "source": Shape(attributes={"url": link}, required=("url",)),
}
_ITEM = Shape(
    children={**_ITEM_WORDS, **media.OBJECTS, **_ATOM, **EXTENSIONS},
    single=frozenset(
        {*_ITEM_WORDS, ENCODED, *clark(DCTERMS, "modified valid")} - {"category", "enclosure"}
    ),
    needs={"guid": "MissingGuid"},
    rules=(_title_or_description, _one_author, _one_enclosure),
)

_IMAGE = {
    "url": _LINK,
    "title": Shape(text=filled),
    "link": _LINK,
    "width": _at_most(144, "InvalidWidth"),
    "height": _at_most(400, "InvalidHeight"),
    "description": Shape(),
}
_TEXT_INPUT = {
    "title": Shape(text=filled),
    "description": Shape(text=filled),
    "name": Shape(text=filled),
    "link": _LINK,
}
_CLOUD = dict.fromkeys(["domain", "port", "path", "registerProcedure", "protocol"], filled)


def _missing(names: str) -> Mapping[str, str]:
    return dict.fromkeys(names.split(), "MissingElement")


_CHANNEL_WORDS: Mapping[str, Shape] = {
    "title": _TITLE,
    "link": _LINK,
    "description": _HTML,
    "language": Shape(text=language),
    "copyright": Shape(text=filled),
    "managingEditor": _PERSON,
    "webMaster": _PERSON,
    "pubDate": _DATE,
    "lastBuildDate": _DATE,
    "category": _CATEGORY,
    "generator": Shape(text=filled),
    "docs": _LINK,
    "cloud": Shape(attributes=_CLOUD, required=tuple(_CLOUD)),
    "ttl": Shape(text=positive),
    "image": Shape(children=_IMAGE, single=frozenset(_IMAGE), needs=_missing("url title link")),
    "rating": Shape(text=filled),
    "textInput": Shape(
        children=_TEXT_INPUT,
        single=frozenset(_TEXT_INPUT),
        needs=_missing("title description name link"),
    ),
    "skipHours": Shape(
        children={"hour": Shape(text=matching(_HOUR, "InvalidHour", "an hour of the day"))}
    ),
    "skipDays": Shape(children={"day": Shape(text=_DAY)}),
}
_CHANNEL = Shape(
    children={**_CHANNEL_WORDS, "item": _ITEM, **media.OPTIONAL, **_ATOM, **EXTENSIONS},
    single=frozenset(set(_CHANNEL_WORDS) - {"category"}),
    needs={
        "title": "MissingTitle",
        "link": "MissingLink",
        "description": "MissingDescription",
    },
    rules=(_self_link, _metadata_first, _unique_guids, itunes),
)
_RSS = Shape(
    attributes={"version": one_of("2.0", rule="InvalidRSSVersion")},
    required=("version",),
    children={"channel": _CHANNEL},
    single=frozenset({"channel"}),
    needs={"channel": "MissingElement"},
)


def check_rss(root: Element, judgement: Judgement) -> None:
    """Judge a document whose root is `rss`."""
    judge(root, _RSS, judgement)
