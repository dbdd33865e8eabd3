"""Texts held against the grammars of their fields: each function yields what is wrong with one."""

from __future__ import annotations

import base64
import binascii
import calendar
import re
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from lxml import html

from tests.feedrules.findings import Element, ParseFault

Value: TypeAlias = Callable[[str], Iterator[ParseFault]]
#: What is wrong with a date, and the instant that it names, if it names one.
Moment: TypeAlias = Callable[[str], tuple[list[ParseFault], datetime | None]]

SPACE = " \t\r\n"

# --- plain texts --------------------------------------------------------------------------------


def anything(text: str) -> Iterator[ParseFault]:
    """Hold nothing against the text."""
    yield from ()


def filled(text: str) -> Iterator[ParseFault]:
    if not text.strip(SPACE):
        yield "NotBlank", "is empty"


def matching(pattern: str, rule: str, wanted: str) -> Value:
    """Make a check by regular expression, over the trimmed text."""
    compiled = re.compile(pattern)

    def value(text: str) -> Iterator[ParseFault]:
        if not compiled.fullmatch(text.strip(SPACE)):
            yield rule, f'"{text}" is not {wanted}'

    return value


def one_of(*words: str, rule: str = "InvalidAttribute") -> Value:
    """Make a check for an enumeration; case counts."""

    def value(text: str) -> Iterator[ParseFault]:
        if text not in words:
            yield rule, f'"{text}" is none of {", ".join(words)}'

    return value


boolean = one_of("true", "false", rule="InvalidBooleanAttribute")
non_negative = matching("[0-9]+", "InvalidNonNegativeInteger", "a whole number")
positive = matching("0*[1-9][0-9]*", "InvalidPositiveInteger", "a whole number above zero")
number = matching(r"-?[0-9]+(?:\.[0-9]+)?", "InvalidNumber", "a decimal number")
amount = matching(r"[0-9]+(?:\.[0-9]+)?", "InvalidPrice", "an amount")
currency = matching("[A-Z]{3}", "InvalidPrice", "an ISO 4217 code")
#: RFC 5646, its shape only.
language = matching(
    "(?:[A-Za-z]{2,8}|[ixIX])(?:-[A-Za-z0-9]{1,8})*", "InvalidLanguage", "a language tag"
)
#: RFC 2045: type/subtype and parameters.
mime = matching(
    r"[\w.+!#$&^-]+/[\w.+!#$&^-]+(?:\s*;\s*[\w.+-]+=[^;]+)*", "InvalidMIMEType", "a media type"
)
#: RFC 2326, 3.6: seconds or hours:minutes:seconds.
npt = matching(
    r"now|[0-9]+(?:\.[0-9]*)?|[0-9]+:[0-5]?[0-9]:[0-5]?[0-9](?:\.[0-9]*)?",
    "InvalidNPTTime",
    "a normal play time",
)
#: In the specification's own examples of places and scenes minutes and seconds are enough.
clock = matching(
    r"(?:[0-9]+:)?[0-9]+:[0-5]?[0-9](?:\.[0-9]*)?|[0-9]+(?:\.[0-9]*)?",
    "InvalidNPTTime",
    "a time of play",
)
_MAIL = r"[^\s@()<>,;:\"\[\]\\]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"
mail = matching(_MAIL, "InvalidContact", "a mail address")
contact = matching(rf"{_MAIL}(?: \([^()]+\))?", "InvalidContact", "mail@host (Name)")


def encoded(text: str) -> Iterator[ParseFault]:
    """Judge the text of binary Atom content (RFC 4287, 4.1.3.3)."""
    try:
        base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        yield "InvalidBase64", str(error)


# --- references ---------------------------------------------------------------------------------

#: RFC 3986: what may stand in a URI, and RFC 3987 above ASCII.
_IRI = re.compile(r"(?:[\w.~:/?#\[\]@!$&'()*+,;=-]|[^\x00-\x7f]|%[0-9A-Fa-f]{2})*")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def _split(text: str) -> SplitResult | None:
    """Take a reference apart; None where it has no right syntax."""
    if not _IRI.fullmatch(text) or text.count("#") > 1:
        return None
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    beside_the_host = parts.path + parts.query + parts.fragment
    return None if set("[]") & set(beside_the_host) else parts


def _names_a_place(parts: SplitResult) -> bool:
    """Whether it is absolute, and has a host where its scheme demands one."""
    if not _SCHEME.fullmatch(parts.scheme):
        return False
    return bool(parts.hostname) or parts.scheme not in {"http", "https", "ftp"}


def link(text: str) -> Iterator[ParseFault]:
    """Judge what RSS calls a URL: absolute, and in ASCII."""
    trimmed = text.strip(SPACE)
    if not trimmed.isascii():
        yield "UriNotIri", f'"{text}" has characters beyond ASCII'
    parts = _split(trimmed)
    if parts is None or not _names_a_place(parts):
        yield "InvalidFullLink", f'"{text}" is not an absolute URL'


def web_link(text: str) -> Iterator[ParseFault]:
    """Judge the address of an enclosure: RSS 2.0 has it over HTTP."""
    yield from link(text)
    if not text.strip(SPACE).lower().startswith(("http://", "https://")):
        yield "InvalidFullLink", f'"{text}" is not an http URL'


def reference(text: str) -> Iterator[ParseFault]:
    """Judge what Atom calls an IRI reference: it may be relative (RFC 4287, 4.2.7.1)."""
    if _split(text.strip(SPACE)) is None:
        yield "InvalidIRI", f'"{text}" is not an IRI reference'


def identifier(text: str) -> Iterator[ParseFault]:
    """Judge an atom:id: an absolute IRI, bare of white space, best in its normal form."""
    parts = _split(text)
    if parts is None or not _names_a_place(parts):
        yield "InvalidIRI", f'"{text}" is not an absolute IRI'
        return
    yield from _OF_SCHEME.get(parts.scheme, anything)(text)
    if parts.scheme in _DEFAULT_PORTS and not _is_normal(text, parts):
        yield "NonCanonicalURI", f'"{text}" can be written in other ways'


def _is_normal(text: str, parts: SplitResult) -> bool:
    """RFC 4287, 4.2.6.1: lower-case scheme and host, no default port, a path, no dot segments."""
    if not text.startswith(parts.scheme) or parts.netloc != parts.netloc.lower():
        return False
    if parts.netloc.endswith(":") or parts.port == _DEFAULT_PORTS[parts.scheme]:
        return False
    return parts.path.startswith("/") and not {".", ".."} & set(parts.path.split("/"))


def _urn(text: str) -> Iterator[ParseFault]:
    kind, _, name = text[len("urn:") :].partition(":")
    if kind.lower() != "uuid":
        return
    try:
        right = str(uuid.UUID(name)) == name.lower()
    except ValueError:
        right = False
    if not right:
        yield "InvalidUUID", f'"{name}" is not a UUID'


#: RFC 4151.
_tag = matching(r"tag:[\w.@-]+,[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?:\S*", "InvalidTAG", "a tag URI")
_OF_SCHEME: dict[str, Value] = {"urn": _urn, "tag": _tag}


def relative_references(text: str) -> Iterator[ParseFault]:
    """Find what in a piece of HTML points to nowhere without a base."""
    yield from relative_links(html.fromstring(f"<div>{text}</div>"))


def relative_links(tree: Element) -> Iterator[ParseFault]:
    for part in tree.iter():
        for name in ("href", "src"):
            target = part.get(name)
            if target is not None and not is_absolute(target):
                yield "ContainsRelRef", f'{name}="{target}"'


def is_absolute(target: str) -> bool:
    scheme, colon, _ = target.strip(SPACE).partition(":")
    return bool(colon) and bool(_SCHEME.fullmatch(scheme))


_MARKUP = re.compile(r"</?[A-Za-z]|&#?\w+;")


def no_markup(text: str) -> Iterator[ParseFault]:
    """Judge a plain RSS text: a reader could take it for HTML."""
    if found := _MARKUP.search(text):
        yield "ContainsHTML", f'"{found[0]}" may be taken for markup'


# --- dates --------------------------------------------------------------------------------------

_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
#: RFC 822, 5: hours from UTC.
_ZONES = {
    "ut": 0,
    "utc": 0,
    "gmt": 0,
    "z": 0,
    "est": -5,
    "edt": -4,
    "cst": -6,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
    **dict.fromkeys("abcdefghiklmnopqrstuvwxy", 0),
}
#: What is readable at all; how well it is written is asked afterwards.
_RFC822 = re.compile(
    r"(?:(?P<weekday>[A-Za-z]{3}), *)?(?P<day>[0-9]{1,2}) +(?P<month>[A-Za-z]{3}) +"
    r"(?P<year>[0-9]{4}|[0-9]{2}) +(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2}))? +(?P<zone>[A-Za-z]{1,3}|[+-][0-9]{4})"
)
_WELL_WRITTEN = re.compile(
    r"(?:[A-Z][a-z]{2}, )?[0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]+ "
    r"(?:[A-Z]{2,3}|Z|[+-][0-9]{2}[03]0)"
)


def rfc822(text: str) -> tuple[list[ParseFault], datetime | None]:
    """Judge a date of RSS 2.0: RFC 822 with a year of four digits."""
    trimmed = text.strip(SPACE)
    found = _RFC822.fullmatch(trimmed)
    try:
        instant = _instant_of_rfc822(found) if found else None
    except (ValueError, KeyError):
        instant = None
    if found is None or instant is None:
        return [("InvalidRFC2822Date", f'"{text}"')], None
    faults: list[ParseFault] = []
    if not _WELL_WRITTEN.fullmatch(trimmed):
        faults.append(("ProblematicalRFC822Date", f'"{text}" is not what all can read'))
    right = _DAYS[calendar.weekday(instant.year, instant.month, instant.day)]
    if found["weekday"] and found["weekday"].lower() != right:
        faults.append(("IncorrectDOW", f'"{text}" was a {right.capitalize()}'))
    return faults, instant


def _instant_of_rfc822(found: re.Match[str]) -> datetime:
    year = int(found["year"])
    return datetime(
        year if year > 99 else year + (1900 if year > 69 else 2000),
        _MONTHS.index(found["month"].lower()) + 1,
        int(found["day"]),
        int(found["hour"]),
        int(found["minute"]),
        int(found["second"] or 0),
        tzinfo=_zone(found["zone"]),
    )


def _zone(text: str) -> timezone:
    """Read a zone; KeyError or ValueError where there is none of the kind."""
    if text[0] not in "+-":
        return timezone(timedelta(hours=_ZONES[text.lower()]))
    hours, minutes = int(text[1:3]), int(text[-2:])
    if minutes > 59:
        raise ValueError(text)
    ahead = timedelta(hours=hours, minutes=minutes)
    return timezone(ahead if text[0] == "+" else -ahead)


_ZONE = r"(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})"
_RFC3339 = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    rf"T(?P<clock>[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}})(?:\.[0-9]+)?{_ZONE}"
)
_W3CDTF = re.compile(
    r"(?P<date>[0-9]{4}(?:-[0-9]{2}){0,2})"
    rf"(?:(?<=-..-..)T(?P<clock>[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?){_ZONE})?"
)


def rfc3339(text: str) -> tuple[list[ParseFault], datetime | None]:
    """Judge a date construct of Atom: to the second, with a zone (RFC 4287, 3.3)."""
    return _iso(text, _RFC3339, "InvalidRFC3339Date")


def w3cdtf(text: str) -> tuple[list[ParseFault], datetime | None]:
    """Judge a date of the Dublin Core: any precision that the W3C's note knows."""
    return _iso(text, _W3CDTF, "InvalidW3CDTFDate")


def _iso(text: str, form: re.Pattern[str], rule: str) -> tuple[list[ParseFault], datetime | None]:
    found = form.fullmatch(text.strip(SPACE))
    try:
        instant = _instant_of_iso(found) if found else None
    except ValueError:
        instant = None
    return ([], instant) if instant else ([(rule, f'"{text}"')], None)


def _instant_of_iso(found: re.Match[str]) -> datetime:
    year, month, day, *_ = map(int, f"{found['date']}-01-01".split("-"))
    time = f"{found['clock'] or '00:00'}:00"
    hour, minute, second = int(time[:2]), int(time[3:5]), int(time[6:8])
    zone = _zone((found["zone"] or "Z").replace(":", ""))
    return datetime(year, month, day, hour, minute, second, tzinfo=zone)


_PERIOD_DATES = ("start", "end")


def period(text: str) -> Iterator[ParseFault]:
    """Judge a DCMI Period, as in dcterms:valid."""
    pieces = [piece.strip(SPACE) for piece in text.split(";") if piece.strip(SPACE)]
    parts = dict(piece.partition("=")[::2] for piece in pieces)
    if not set(parts) <= {*_PERIOD_DATES, "scheme", "name"} or not set(parts) & {*_PERIOD_DATES}:
        yield "InvalidPeriod", f'"{text}" is not start=…; end=…; scheme=W3C-DTF'
    if parts.get("scheme", "W3C-DTF") != "W3C-DTF":
        yield "InvalidPeriod", f"dates after {parts['scheme']}"
    for key in _PERIOD_DATES:
        if key in parts and w3cdtf(parts[key])[0]:
            yield "InvalidPeriod", f'{key}="{parts[key]}" is no date'
