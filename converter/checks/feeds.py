"""Rules for RSS and Atom alike: the version, elements, links, dates and titles."""

from __future__ import annotations

from typing import Final, NamedTuple

from converter.checks.context import CheckContext
from converter.checks.dates import implausible
from converter.checks.elements import Element
from converter.checks.rule import ERROR, WARNING, CheckRule
from converter.model import Moment, Precision
from converter.values import dates, text, urls
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import quoted, syntax

RSS: Final = "https://www.rssboard.org/rss-specification"
PROFILE: Final = "https://www.rssboard.org/rss-profile"
ATOM: Final = "https://www.rfc-editor.org/rfc/rfc4287"
RSS_1: Final = "https://web.resource.org/rss/1.0/spec"
FEED_VALIDATOR: Final = "https://validator.w3.org/feed/docs"

RULES: Final = (
    CheckRule(
        "feed-version-unknown", ERROR, "the version of a feed is missing or unknown",
        why="Feed readers choose by version and namespace how they read a feed; other programs "
        "refuse it.",
        fix='Write <rss version="2.0"> without a namespace, or <feed> with the namespace '
        "http://www.w3.org/2005/Atom.",
        source=f"{RSS}#whatIsRss", convert="repaired",
    ),
    CheckRule(
        "feed-self-missing", WARNING, "a feed does not state its own URL",
        why="Readers that were given a copy of the feed cannot subscribe to it; the RSS profile "
        "and RFC 4287 (4.1.1) recommend the link.",
        fix='Add a link of Atom with rel="self" and the URL of the feed (--self-url).',
        source=f"{PROFILE}#namespace-elements-atom-link",
    ),
    CheckRule(
        "feed-element-undefined", WARNING, "an element is not part of the format",
        why="Feed readers ignore it; most often its name is misspelled, or it belongs to another "
        "format.",
        fix="Correct the name, or write the element with the namespace of an extension.",
        source=f"{RSS}#extendingRss", convert="dropped",
    ),
    CheckRule(
        "feed-element-repeated", ERROR, "an element occurs too often",
        why="Which of them is read is undefined; the RSS profile and RFC 4287 (4.1) allow one.",
        fix="Keep one of the elements.",
        source=f"{PROFILE}#element-channel-item", convert="repaired",
    ),
    CheckRule(
        "feed-link-relative", ERROR, "a link of RSS is not absolute",
        why="RSS has no base URL, so feed readers guess, and many links lead nowhere.",
        fix="Write the whole URL, with https:// and the host.",
        source=f"{RSS}#comments", convert="repaired",
    ),
    CheckRule(
        "feed-link-invalid", ERROR, "a link of a feed is not a URL",
        why="A URL with white space inside, or without a valid host, cannot be opened.",
        fix="Write %20 for a space that belongs to the URL; else correct the URL.",
        source="https://www.rfc-editor.org/rfc/rfc3986#section-2", convert="repaired",
    ),
    CheckRule(
        "feed-html-in-plain", WARNING, "a plain text looks like HTML",
        why="Feed readers show the tags and references, or remove them.",
        fix='Write plain text; in Atom, write type="html".',
        source=f"{PROFILE}#data-types-characterdata", convert="repaired",
    ),
    CheckRule(
        "feed-date-rfc822", ERROR, "a date of RSS is not in the format of RFC 822",
        why="Feed readers ignore the date, and the item appears at the wrong place.",
        fix="Write Sat, 31 Jan 2026 10:00:00 +0000, with English names in any language.",
        source=f"{PROFILE}#data-types-datetime", convert="repaired",
    ),
    CheckRule(
        "feed-date-weekday", WARNING, "the weekday of a date is wrong",
        why="Strict readers refuse the date; the others may show another day than is meant.",
        fix="Write the right weekday, or none; correct the program that writes the date.",
        source="https://www.rfc-editor.org/rfc/rfc822#section-5.2", convert="repaired",
    ),
    CheckRule(
        "feed-date-rfc3339", ERROR, "a date of Atom is not in the format of RFC 3339",
        why="Feed readers ignore the date, or refuse the feed.",
        fix="Write 2026-01-31T10:00:00Z, with seconds and zone.",
        source=f"{ATOM}#section-3.3", convert="repaired",
    ),
    CheckRule(
        "feed-date-w3c", ERROR, "a date of Dublin Core is not in W3C Datetime format",
        why="Feed readers ignore the date.",
        fix="Write 2026-01-31, or 2026-01-31T10:00:00+00:00.",
        source="https://web.resource.org/rss/1.0/modules/dc/", convert="repaired",
    ),
    CheckRule(
        "feed-date-implausible", WARNING, "a date of a feed is in the future or before 1990",
        why="Feed readers sort by date; such an item stays at the top or never appears.",
        fix="Write the date of publication; check the clock and the zone of the server.",
        source=f"{FEED_VALIDATOR}/warning/ImplausibleDate.html", convert="kept",
    ),
)  # fmt: skip

_TIME_WITH_SECONDS: Final = lazy_regex(r".{10}T..:..:.*")


class Vocabulary(NamedTuple):
    """The elements that a format defines for a parent."""

    names: frozenset[str]
    """Canonical names."""
    repeatable: frozenset[str]
    prefix: str = ""
    """The canonical prefix of the format: other elements with it are undefined."""


def vocabulary(once: str, repeatable: str = "", prefix: str = "") -> Vocabulary:
    """Return the vocabulary of a parent, from local names."""
    start = f"{prefix}:" if prefix else ""
    many = frozenset(f"{start}{name}" for name in repeatable.split())
    return Vocabulary(many.union(f"{start}{name}" for name in once.split()), many, prefix)


# -- elements ---------------------------------------------------------------------------------


def is_known(
    context: CheckContext, element: Element, words: Vocabulary, seen: set[str], path: str
) -> bool:
    """Return whether the format defines an element here; report undefined and repeated ones.

    Args:
        context: takes the findings.
        element: a child.
        words: the vocabulary of its parent.
        seen: the names of defined children that were found before; the element's is added.
        path: that of the element.
    """
    name = element.name
    if name in words.names:
        if name in seen and name not in words.repeatable:
            message = f"<{element.written_name}> again; expected one"
            context.report("feed-element-repeated", message, element, path=path)
        seen.add(name)
        return True
    if not name.startswith("{") and name.rpartition(":")[0] == words.prefix:
        message = f"<{element.written_name}> is not defined here"
        near = [known for known in words.names if known.lower() == name.lower()]
        if near:
            message = f"{message}; expected <{near[0]}>"
        context.report("feed-element-undefined", message, element, path=path)
    return False


def has_content(elements: list[Element] | None) -> bool:
    """Return True if the first element is there, and not empty."""
    if not elements:
        return False
    return bool(elements[0].children or elements[0].text.strip())


def quoted_text(element: Element) -> str:
    """Return an element with its text, for messages."""
    return f"<{element.written_name}> {quoted(element.text.strip())}"


# -- values -----------------------------------------------------------------------------------


def check_plain(context: CheckContext, element: Element, path: str) -> None:
    """Report HTML in a plain text."""
    written = " ".join(element.text.split())
    if ("<" in written or "&" in written) and text.title(written) != written:
        message = f"{quoted_text(element)}: like HTML; expected plain text"
        context.report("feed-html-in-plain", message, element, path=path)


def check_link(context: CheckContext, element: Element, path: str) -> None:
    """Check the URL in an element of RSS."""
    check_url(context, element.text, f"<{element.written_name}>", element, path)


def check_url(
    context: CheckContext,
    value: str,
    name: str,
    at: Element,
    path: str,
    *,
    may_be_relative: bool = False,
) -> bool:
    """Check a URL with any scheme; return True if it is valid.

    Args:
        context: takes the findings.
        value: the URL, with any white space around it.
        name: the element or attribute, for messages.
        at: its position.
        path: its path.
        may_be_relative: the format has base URLs.
    """
    url = value.strip()
    scheme = syntax.split(url).scheme
    fault: tuple[str, str] | None = None
    if len(url.split()) > 1:
        fault = ("feed-link-invalid", "white space inside the URL")
    elif scheme is None and not may_be_relative:
        what = "relative" if url else "empty"
        fault = ("feed-link-relative", f"{what}; expected an absolute URL")
    elif scheme is not None and scheme.lower() in {"http", "https"} and not urls.host_of(url):
        fault = ("feed-link-invalid", "no valid host")
    if fault is not None:
        context.report(fault[0], f"{name} {quoted(url)}: {fault[1]}", at, path=path)
    return fault is None


# -- dates ------------------------------------------------------------------------------------


def check_rfc822(context: CheckContext, element: Element, path: str) -> None:
    """Check a date of RSS."""
    value = element.text.strip()
    try:
        moment = dates.parse_rfc822(value)
    except ValueError:
        _report_form(context, element, path, "feed-date-rfc822", "RFC 822")
        return
    weekday, written = dates.WEEKDAYS[moment.instant.weekday()], value[:3].title()
    if written in dates.WEEKDAYS and written != weekday:
        message = f"{quoted_text(element)}: wrong weekday; expected {weekday}"
        context.report("feed-date-weekday", message, element, path=path)
    _check_plausible(context, element, path, moment)


def check_rfc3339(context: CheckContext, element: Element, path: str) -> None:
    """Check a date of Atom."""
    moment = _w3c(element)
    is_complete = _TIME_WITH_SECONDS.fullmatch(element.text.strip()) is not None
    if moment is None or not is_complete or moment.precision is not Precision.SECOND:
        _report_form(context, element, path, "feed-date-rfc3339", "RFC 3339")
    else:
        _check_plausible(context, element, path, moment)


def check_w3c(context: CheckContext, element: Element, path: str) -> None:
    """Check a date of Dublin Core."""
    if (moment := _w3c(element)) is None:
        _report_form(context, element, path, "feed-date-w3c", "W3C Datetime")
    else:
        _check_plausible(context, element, path, moment)


def _w3c(element: Element) -> Moment | None:
    try:
        return dates.parse_w3c(element.text.strip())
    except ValueError:
        return None


def _report_form(context: CheckContext, element: Element, path: str, code: str, form: str) -> None:
    context.report(code, f"{quoted_text(element)}: not a date of {form}", element, path=path)


def _check_plausible(context: CheckContext, element: Element, path: str, moment: Moment) -> None:
    if (fault := implausible(moment, context.now)) is not None:
        message = f"{quoted_text(element)}: {fault[1]}"
        context.report("feed-date-implausible", message, element, path=path)
