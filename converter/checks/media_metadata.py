"""Rules for the metadata of Media RSS: texts, restrictions, ratings, credits and hashes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.feeds import check_plain, quoted_text
from converter.checks.rule import ERROR, WARNING, CheckRule
from converter.values import countries, numbers, ratings
from converter.values.urls import quoted, syntax

MEDIA_RSS: Final = "https://www.rssboard.org/media-rss"

RULES: Final = (
    CheckRule(
        "media-text-type", ERROR, "the type of a title, description or text is unknown",
        why="Feed readers do not know whether it is HTML.",
        fix="Write plain or html.",
        source=f"{MEDIA_RSS}#media-title", convert="repaired",
    ),
    CheckRule(
        "media-restriction-attributes", ERROR, "a restriction has no valid relationship or type",
        why="Readers cannot apply it, and show the file everywhere or nowhere.",
        fix='Write relationship="allow" or "deny", and type="country", "uri" or "sharing".',
        source=f"{MEDIA_RSS}#media-restriction", convert="dropped",
    ),
    CheckRule(
        "media-country-unknown", WARNING, "a restriction has an unknown country",
        why="It restricts nothing.",
        fix="Write codes of ISO 3166, separated by spaces: de at gb.",
        source=f"{MEDIA_RSS}#media-restriction", convert="dropped",
    ),
    CheckRule(
        "media-rating-scheme", ERROR, "a rating is not one of its scheme",
        why="Readers cannot tell whether the file is for adults.",
        fix="Write adult or nonadult, or the scheme of the rating, in lower case.",
        source=f"{MEDIA_RSS}#media-rating", convert="dropped",
    ),
    CheckRule(
        "media-adult-deprecated", WARNING, "media:adult is deprecated",
        why="media:rating replaced it; some programs read only that.",
        fix='Write <media:rating scheme="urn:simple"> with adult or nonadult.',
        source=f"{MEDIA_RSS}#media-rating", convert="repaired",
    ),
    CheckRule(
        "media-credit-role", WARNING, "the role of a credit is not in lower case",
        why="Roles are compared letter by letter, and all of them are in lower case.",
        fix="Write the role in lower case.",
        source=f"{MEDIA_RSS}#media-credit", convert="kept",
    ),
    CheckRule(
        "media-hash-invalid", ERROR, "the algorithm or the length of a hash is wrong",
        why="Programs cannot compare the hash with the file.",
        fix='Write 32 hexadecimal digits, or algo="sha-1" and 40.',
        source=f"{MEDIA_RSS}#media-hash", convert="kept",
    ),
    CheckRule(
        "media-time-invalid", ERROR, "a time in a media file is not in the format of RFC 2326",
        why="Feed readers ignore the time, and show the picture or text at the wrong place.",
        fix="Write hours, minutes and seconds, 00:01:30.5, or seconds.",
        source=f"{MEDIA_RSS}#media-thumbnails", convert="dropped",
    ),
)  # fmt: skip


def check_word(
    context: CheckContext, element: Element, path: str, name: str, words: frozenset[str], code: str
) -> None:
    """Report a value that is none of the words."""
    value = element.attributes.get(name, "").strip()
    if value and value not in words:
        message = f"<{element.written_name}> {name}={quoted(value)}"
        message = f"{message}; expected {', '.join(sorted(words))}"
        context.report(code, message, element, path=f"{path}/@{name}")


def _check_text(context: CheckContext, element: Element, path: str) -> None:
    check_word(context, element, path, "type", frozenset({"plain", "html"}), "media-text-type")
    if element.attributes.get("type", "plain").strip() == "plain":
        check_plain(context, element, path)


def _check_timed_text(context: CheckContext, element: Element, path: str) -> None:
    _check_text(context, element, path)
    for name in ("start", "end"):
        check_time(context, element, path, name)


def check_time(context: CheckContext, element: Element, path: str, name: str) -> None:
    """Check a time in a media file: a normal play time of RTSP."""
    value = element.attributes.get(name, "").strip()
    if not value or value == "now":
        return
    try:
        numbers.play_time_s(value)
    except ValueError:
        message = f"<{element.written_name}> {name}={quoted(value)}: not a time in the file"
        context.report("media-time-invalid", message, element, path=f"{path}/@{name}")


def _check_restriction(context: CheckContext, element: Element, path: str) -> None:
    values, code = element.attributes, "media-restriction-attributes"
    relationship, kind = values.get("relationship", "").strip(), values.get("type", "").strip()
    words = element.text.strip()
    if relationship not in {"allow", "deny"}:
        message = f"<media:restriction> relationship={quoted(relationship)}; expected allow or deny"
        context.report(code, message, element, path=f"{path}/@relationship")
    if kind not in {"country", "uri", "sharing"} and (kind or words.lower() not in _LITERALS):
        message = f"<media:restriction> type={quoted(kind)}; expected country, uri or sharing"
        context.report(code, message, element, path=f"{path}/@type")
    if kind == "country" and words.lower() not in _LITERALS:
        for unknown in countries.codes(words)[1][:_MAX_COUNTRIES]:
            message = f"<media:restriction> {quoted(unknown)}: no country"
            context.report("media-country-unknown", message, element, path=path)


_LITERALS: Final = frozenset({"", "all", "none"})
_MAX_COUNTRIES: Final = 20


def _check_rating(context: CheckContext, element: Element, path: str) -> None:
    scheme = element.attributes.get("scheme", "").strip() or "urn:simple"
    value = element.text.strip()
    if not ratings.is_valid(value, scheme):
        message = f"{quoted_text(element)} is no rating of {quoted(scheme)}"
        context.report("media-rating-scheme", message, element, path=path)
    elif syntax.split(scheme).scheme is None:
        message = f"<media:rating> scheme={quoted(scheme)}; expected a URI such as urn:simple"
        context.report("media-rating-scheme", message, element, path=f"{path}/@scheme")


def _check_adult(context: CheckContext, element: Element, path: str) -> None:
    message = "<media:adult>; expected <media:rating>"
    context.report("media-adult-deprecated", message, element, path=path)


def _check_credit(context: CheckContext, element: Element, path: str) -> None:
    role = element.attributes.get("role", "").strip()
    if role != role.lower():
        message = f"<media:credit> role={quoted(role)}; expected {quoted(role.lower())}"
        context.report("media-credit-role", message, element, path=f"{path}/@role")


def _check_hash(context: CheckContext, element: Element, path: str) -> None:
    algorithm = element.attributes.get("algo", "").strip() or "md5"
    digits = _DIGITS.get(algorithm)
    if digits is None:
        message = f"<media:hash> algo={quoted(algorithm)}; expected md5 or sha-1"
        context.report("media-hash-invalid", message, element, path=f"{path}/@algo")
    elif not re.fullmatch(f"[0-9A-Fa-f]{{{digits}}}", element.text.strip()):
        message = f"{quoted_text(element)}; expected {digits} hexadecimal digits"
        context.report("media-hash-invalid", message, element, path=path)


_DIGITS: Final = {"md5": 32, "sha-1": 40}


CHECKS: Final[dict[str, Callable[[CheckContext, Element, str], None]]] = {
    "media:title": _check_text,
    "media:description": _check_text,
    "media:text": _check_timed_text,
    "media:restriction": _check_restriction,
    "media:rating": _check_rating,
    "media:adult": _check_adult,
    "media:credit": _check_credit,
    "media:hash": _check_hash,
}
