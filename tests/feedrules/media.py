"""Media RSS 1.5.1: https://www.rssboard.org/media-rss."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tests.feedrules.findings import Element, Judgement, ParseFault
from tests.feedrules.shapes import ATOM, MEDIA, Shape, clark, elements_of, text_of
from tests.feedrules.values import (
    amount,
    anything,
    boolean,
    clock,
    currency,
    filled,
    language,
    link,
    matching,
    mime,
    non_negative,
    npt,
    number,
    one_of,
    positive,
)

#: ISO 3166-1 alpha-2, all that are assigned.
_ISO_3166 = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
_COUNTRIES = frozenset(_ISO_3166.split())

_V_CHIP = "tv-y tv-y7 tv-y7-fv tv-g tv-pg tv-14 tv-ma e c c8 c8+ g pg 14+ 18+"
#: The ratings of the schemes that name theirs; other schemes are free.
_RATINGS: Mapping[str, frozenset[str]] = {
    "urn:simple": frozenset({"adult", "nonadult"}),
    "urn:mpaa": frozenset({"g", "m", "pg", "pg-13", "r", "nc-17", "x", "nr", "unrated"}),
    "urn:v-chip": frozenset(_V_CHIP.split()),
}

_DIGITS = {"md5": 32, "sha-1": 40}


def _countries(element: Element, judgement: Judgement) -> None:
    codes = text_of(element).split()
    if element.get("type") != "country" or codes in (["all"], ["none"]):
        return
    for code in codes:
        right = code.isupper() or code.islower()
        if code.upper() not in _COUNTRIES or not right:
            judgement.say("InvalidCountryCode", element, f'"{code}" is no country of ISO 3166-1')


def _rating(element: Element, judgement: Judgement) -> None:
    known = _RATINGS.get(element.get("scheme", "urn:simple"))
    if known is not None and text_of(element) not in known:
        judgement.say("InvalidMediaRating", element, f'"{text_of(element)}" is not in its scheme')


def _deprecated(element: Element, judgement: Judgement) -> None:
    judgement.say("DeprecatedMediaAdult", element, "media:rating has replaced it")


def _role(element: Element, judgement: Judgement) -> None:
    role, scheme = element.get("role", ""), element.get("scheme", "urn:ebu")
    if role != role.lower():
        judgement.say("InvalidCreditRole", element, f'"{role}" is not in lower case')
    if role == "uploader" and scheme == "urn:ebu":
        judgement.say("InvalidCreditRole", element, "an uploader needs the scheme urn:yvs")
    elif scheme == "urn:yvs":
        judgement.say("InvalidCreditRole", element, "the W3C validator breaks down on urn:yvs")


def _hash(element: Element, judgement: Judgement) -> None:
    digits = _DIGITS.get(element.get("algo", "md5"), 0)
    if not re.fullmatch(f"[0-9A-Fa-f]{{{digits}}}", text_of(element).strip()):
        judgement.say("InvalidMediaHash", element, "does not fit its algorithm")


def _tags(text: str) -> Iterator[ParseFault]:
    for tag in text.split(","):
        word, colon, weight = tag.strip().rpartition(":")
        if not tag.strip() or (colon and not (word and weight.strip().isdigit())):
            yield "InvalidMediaTags", f'"{tag}" is not "word:weight"'


def _has_a_place(element: Element, judgement: Judgement) -> None:
    """A url, or a player: its own, or one that stands around it."""
    around = (element, *element.iterancestors())
    if element.get("url") is None and all(part.find(_PLAYER) is None for part in around):
        judgement.say("MissingAttribute", element, "has neither url nor media:player")


def _alternatives(group: Element, judgement: Judgement) -> None:
    contents = [child for child in elements_of(group) if child.tag == CONTENT]
    if len(contents) < 2:
        judgement.say("MediaGroupWithoutAlternatives", group, f"holds {len(contents)} renditions")
    if sum(content.get("isDefault") == "true" for content in contents) > 1:
        judgement.say("DuplicateDefault", group, "has several defaults")


def _of_media(shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    return {f"{{{MEDIA}}}{name}": shape for name, shape in shapes.items()}


def _list_of(name: str) -> Shape:
    return Shape(children=_of_media({name: Shape(text=filled)}))


_TEXT_TYPE = one_of("plain", "html", rule="InvalidMediaTextType")
_TEXT = Shape(attributes={"type": _TEXT_TYPE})
_PLACE = {"url": link, "width": positive, "height": positive}
_STATE = one_of("active", "blocked", "deleted", rule="InvalidStatus")
_PRICE_TYPE = one_of("rent", "purchase", "package", "subscription", rule="InvalidPrice")

_STARS = {"average": number, "count": non_negative, "min": non_negative, "max": non_negative}
_STATISTICS = {"views": non_negative, "favorites": non_negative}
_COMMUNITY = _of_media(
    {
        "starRating": Shape(attributes=_STARS),
        "statistics": Shape(attributes=_STATISTICS),
        "tags": Shape(text=_tags),
    }
)

#: The specification's own example writes them without a prefix.
_SCENE = {
    name: Shape(text=clock if name.endswith("Time") else filled)
    for namespace in ("", ATOM, MEDIA)
    for name in (
        f"{{{namespace}}}{local}" if namespace else local
        for local in ("sceneTitle", "sceneDescription", "sceneStartTime", "sceneEndTime")
    )
}

#: "Optional elements": they may stand in a channel, an item, a group or a content.
OPTIONAL: Mapping[str, Shape] = _of_media(
    {
        "adult": Shape(text=boolean, rules=(_deprecated,)),
        "rating": Shape(attributes={"scheme": filled}, rules=(_rating,)),
        "title": _TEXT,
        "description": _TEXT,
        "keywords": Shape(text=filled),
        "thumbnail": Shape(attributes={**_PLACE, "time": npt}, required=("url",)),
        "category": Shape(attributes={"scheme": filled, "label": filled}, text=filled),
        "hash": Shape(attributes={"algo": one_of(*_DIGITS)}, rules=(_hash,)),
        "player": Shape(attributes=_PLACE, required=("url",)),
        "credit": Shape(attributes={"role": filled, "scheme": filled}, text=filled, rules=(_role,)),
        "copyright": Shape(attributes={"url": link}),
        "text": Shape(
            attributes={"type": _TEXT_TYPE, "lang": language, "start": npt, "end": npt},
            text=filled,
        ),
        "restriction": Shape(
            attributes={
                "relationship": one_of("allow", "deny"),
                "type": one_of("country", "uri", "sharing"),
            },
            required=("relationship",),
            rules=(_countries,),
        ),
        "community": Shape(children=_COMMUNITY, single=frozenset(_COMMUNITY)),
        "comments": _list_of("comment"),
        "responses": _list_of("response"),
        "backLinks": _list_of("backLink"),
        "embed": Shape(
            attributes=_PLACE,
            required=("url",),
            children=_of_media({"param": Shape(attributes={"name": filled}, required=("name",))}),
        ),
        "status": Shape(attributes={"state": _STATE, "reason": filled}, required=("state",)),
        "price": Shape(
            attributes={
                "type": _PRICE_TYPE,
                "info": anything,
                "price": amount,
                "currency": currency,
            }
        ),
        "license": Shape(attributes={"type": mime, "href": link}),
        "subTitle": Shape(
            attributes={"type": mime, "lang": language, "href": link}, required=("href",)
        ),
        "peerLink": Shape(attributes={"type": mime, "href": link}, required=("href",)),
        "location": Shape(attributes={"description": anything, "start": clock, "end": clock}),
        "rights": Shape(
            attributes={"status": one_of("userCreated", "official", rule="InvalidStatus")},
            required=("status",),
        ),
        "scenes": Shape(children=_of_media({"scene": Shape(children=_SCENE)})),
    }
)

CONTENT, GROUP, _PLAYER = clark(MEDIA, "content group player")
_ONCE = clark(MEDIA, "title description keywords player copyright community embed status scenes")

_CONTENT = Shape(
    attributes={
        "url": link,
        "fileSize": positive,
        "type": mime,
        "medium": one_of("image", "audio", "video", "document", "executable"),
        "isDefault": boolean,
        "expression": one_of("sample", "full", "nonstop"),
        "bitrate": number,
        "framerate": number,
        "samplingrate": number,
        "channels": positive,
        "duration": matching(r"[0-9]+(?:\.[0-9]+)?", "InvalidNumber", "seconds"),
        "height": positive,
        "width": positive,
        "lang": language,
    },
    children=OPTIONAL,
    single=frozenset(_ONCE),
    rules=(_has_a_place,),
)
_GROUP = Shape(
    children={**OPTIONAL, CONTENT: _CONTENT},
    single=frozenset(_ONCE),
    rules=(_alternatives,),
)

#: What may stand in an item of RSS or an entry of Atom.
OBJECTS: Mapping[str, Shape] = {**OPTIONAL, CONTENT: _CONTENT, GROUP: _GROUP}
