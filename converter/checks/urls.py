"""Rules for URLs: of pages, images, videos, language versions and sitemaps (mapping 6)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, INFO, PROTOCOL, SITEMAPS, WARNING, CheckRule, Place
from converter.issues import Code
from converter.values import urls
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import hosts, syntax

_RFC3986: Final = "https://www.rfc-editor.org/rfc/rfc3986"
_ESCAPING: Final = f"{PROTOCOL}#escaping"
_LOC: Final = f"{PROTOCOL}#locdef"
_STRUCTURE: Final = "https://developers.google.com/search/docs/crawling-indexing/url-structure"

RULES: Final = (
    CheckRule(
        "url-missing", ERROR, "an entry has no URL",
        why="Without a URL there is nothing to crawl; search engines skip the entry.",
        fix="Add the element with the URL, or remove the entry.",
        source=_LOC, convert="dropped",
    ),
    CheckRule(
        "url-repeated", ERROR, "an entry has several URLs",
        why="An entry describes one page. Which of the URLs is read is undefined.",
        fix="Write one entry per page.",
        source=_LOC, convert="repaired",
    ),
    CheckRule(
        "url-empty", ERROR, "the element for the URL is empty",
        why="Search engines skip the entry, or the image or video.",
        fix="Write the URL, or remove the element.",
        source=_LOC, convert="dropped",
    ),
    CheckRule(
        "url-relative", ERROR, "a URL is not absolute",
        why="A sitemap has no base URL, so a relative URL leads nowhere.",
        fix="Write the whole URL, with https:// and the host.",
        source=_LOC, convert="dropped",
    ),
    CheckRule(
        "url-scheme", ERROR, "a URL has another scheme than http or https",
        why="Search engines fetch only http and https.",
        fix="Write the http(s) URL of the same page, or remove the entry.",
        source=_LOC, convert="dropped",
    ),
    CheckRule(
        "url-no-host", ERROR, "a URL has no host",
        why="The URL leads nowhere.",
        fix="Write the host after https://.",
        source=f"{_RFC3986}#section-3.2.2", convert="dropped",
    ),
    CheckRule(
        "url-bad-host", ERROR, "the host or the port of a URL is not valid",
        why="No crawler can connect to it.",
        fix="Correct the host name; a port is a number up to 65535.",
        source=f"{_RFC3986}#section-3.2", convert="dropped",
    ),
    CheckRule(
        "url-space-inside", ERROR, "a URL has white space or a control character inside",
        why="Most often these are two URLs, or a URL and a comment. Readers cut it differently.",
        fix="Write %20 for a space that belongs to the URL; else correct the URL.",
        source=f"{_RFC3986}#section-2", convert="repaired",
    ),
    CheckRule(
        "url-space-around", WARNING, "a URL has white space around it",
        why="Readers remove it, but not all tools do.",
        fix="Write the URL directly between the tags.",
        source=_LOC, convert="repaired",
    ),
    CheckRule(
        "url-not-encoded", ERROR, "a URL has characters that must be percent-encoded",
        why="Crawlers guess the encoding, and may request another page.",
        fix="Percent-encode the path and query as UTF-8, and the host as an A-label (xn--).",
        source=_ESCAPING, convert="repaired",
    ),
    CheckRule(
        "url-bad-percent", ERROR, "a percent sign in a URL begins no percent-encoding",
        why="Servers treat such a URL differently, many with an error.",
        fix="Write %25 for a percent sign.",
        source=f"{_RFC3986}#section-2.1", convert="repaired",
    ),
    CheckRule(
        "url-double-escaped", WARNING, "a URL is escaped twice",
        why="`&amp;amp;` in the file means `&amp;` in the URL, which the server reads as another "
        "parameter.",
        fix="Escape the URL once: write &amp; for each & of the URL.",
        source=_ESCAPING, convert="repaired",
    ),
    CheckRule(
        "url-too-long", ERROR, "a URL has 2,048 characters or more",
        why="The protocol allows fewer than 2,048; search engines skip longer ones.",
        fix="Publish the page under a shorter URL.",
        source=_LOC, convert="dropped",
    ),
    CheckRule(
        "url-too-short", INFO, "a URL has fewer than 12 characters",
        why="The XML Schema of sitemaps refuses it, although the text of the protocol does not.",
        fix="Ignore this, unless you validate with the schema.",
        source=f"{PROTOCOL}#validating", convert="dropped", is_default=False,
    ),
    CheckRule(
        "url-credentials", ERROR, "a URL has a user name or a password",
        why="Everybody who reads the sitemap can read it, and crawlers do not log in.",
        fix="Remove the part before the @, and change the password.",
        source=f"{_RFC3986}#section-3.2.1", convert="repaired",
    ),
    CheckRule(
        "url-fragment", WARNING, "the URL of a page has a fragment",
        why="Search engines ignore everything from the # on; the entry repeats another page.",
        fix="Remove the fragment.",
        source=_STRUCTURE, convert="repaired",
    ),
    CheckRule(
        "url-session-id", WARNING, "a URL has a session id",
        why="Each visit has another URL for the same page; the session may also be misused.",
        fix="Write the URL without the session id.",
        source=_STRUCTURE, convert="repaired",
    ),
    CheckRule(
        "url-tracking-parameter", WARNING, "a URL has a tracking parameter",
        why="Visits by search engines count as campaign visits, and the page has two URLs.",
        fix="Write the URL without the parameter.",
        source=_STRUCTURE, convert="repaired",
    ),
    CheckRule(
        "url-not-canonical", INFO, "a URL is not in its normal form",
        why="Upper case in the host, a default port or dots in the path make a second URL for the "
        "same page.",
        fix="Write the URL in its normal form (RFC 3986, section 6).",
        source=f"{_RFC3986}#section-6.2.2", convert="repaired", is_default=False,
    ),
    CheckRule(
        "url-markup-inside", ERROR, "a URL has markup inside",
        why="An HTML link or an element is not a URL; search engines skip the entry.",
        fix="Write only the URL.",
        source=_LOC, convert="dropped",
    ),
    CheckRule(
        "url-private-host", WARNING, "a URL is on a private host",
        why="localhost and private addresses cannot be reached from the Internet; the sitemap was "
        "probably made on a development machine.",
        fix="Write the URLs of the public site.",
        source=f"{SITEMAPS}/build-sitemap", convert="kept",
    ),
)  # fmt: skip

_SPACE: Final = re.compile(r"[\s\x00-\x20\x7f]")
_NOT_ENCODED: Final = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%\s\x00-\x20\x7f]")
_BAD_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_REFERENCE: Final = lazy_regex(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_MAX_CHARS: Final = 2047
_MIN_XSD_CHARS: Final = 12
_WEB: Final = frozenset({"http", "https"})
_PRIVATE_NAMES: Final = ("localhost", ".localhost", ".local", ".internal", ".test", ".invalid")


def check_element(
    context: CheckContext,
    element: Element,
    path: str,
    *,
    is_page: bool = False,
    allows_ftp: bool = False,
) -> str | None:
    """Check the URL in an element; see `check_url`."""
    if element.children:
        message = f"<{element.written_name}> has elements inside; expected only a URL"
        context.report("url-markup-inside", message, element, path=path)
        return None
    text = element.text
    if is_page and urls.is_canonical_page(text):  # most are
        return text
    name = f"<{element.written_name}>"
    place = element.place
    return check_url(context, text, name, place, path, is_page=is_page, allows_ftp=allows_ftp)


def check_url(
    context: CheckContext,
    text: str,
    name: str,
    place: Place,
    path: str,
    *,
    is_page: bool = False,
    allows_ftp: bool = False,
) -> str | None:
    """Check a URL; return it without white space around it, or None if it is no absolute URL.

    Args:
        context: takes the findings.
        text: as in the document, with references resolved.
        name: the element or attribute, for messages.
        place: its position.
        path: its path.
        is_page: it is the URL of a page, without fragment, session id and tracking parameters.
        allows_ftp: Google fetches files of videos by FTP, too.
    """
    url = text.strip()

    def report(code: str, what: str) -> None:
        context.report(code, f"{name} {syntax.quoted(url)}: {what}", place, path=path)

    if not url:
        context.report("url-empty", f"{name} is empty; expected a URL", place, path=path)
        return None
    if url != text:
        report("url-space-around", "white space around the URL")
    if "<" in url:
        report("url-markup-inside", "markup; expected only a URL")
        return None
    if found := _SPACE.search(url):
        kind = "white space" if found[0].isspace() else "a control character"
        report("url-space-inside", f"{kind} inside the URL; a space is written as %20")
        return None
    _check_characters(url, report)
    if not _check_origin(url, allows_ftp=allows_ftp, report=report):
        return None
    if is_page:
        _check_page(context, url, report)
    return url


def _check_characters(url: str, report: Callable[[str, str], None]) -> None:
    if found := _NOT_ENCODED.search(url):
        report("url-not-encoded", f"{syntax.quoted(found[0])} must be percent-encoded")
    if found := _BAD_PERCENT.search(url):
        part = url[found.start() : found.start() + 3]
        report("url-bad-percent", f"{syntax.quoted(part)} is no percent-encoding")
    if found := _REFERENCE.search(url):
        report("url-double-escaped", f"{syntax.quoted(found[0])} in the URL; escaped twice")
    if len(url) > _MAX_CHARS:
        report("url-too-long", f"{len(url):,} characters; at most {_MAX_CHARS:,} are allowed")
    if len(url) < _MIN_XSD_CHARS:
        report("url-too-short", f"{len(url)} characters; the schema demands {_MIN_XSD_CHARS}")


def _check_origin(url: str, *, allows_ftp: bool, report: Callable[[str, str], None]) -> bool:
    """Check scheme, user information, host and port; return True if the URL is absolute."""
    scheme, authority, *_ = syntax.split(url)
    if scheme is None:
        report("url-relative", "relative; expected an absolute URL with https://")
        return False
    if scheme.lower() not in _WEB and not (allows_ftp and scheme.lower() == "ftp"):
        report("url-scheme", f"the scheme {scheme}:; expected http or https")
        return False
    userinfo, _, host_and_port = (authority or "").rpartition("@")
    if userinfo:
        report("url-credentials", "a user name or password before the host")
    host, port = syntax.split_host_port(host_and_port)
    if not host:
        report("url-no-host", "no host")
        return False
    try:
        canonical = hosts.canonical(host)
        syntax.parse_port(port)
    except ValueError as error:
        report("url-bad-host", str(error))
        return False
    if is_private(canonical):
        report("url-private-host", f"{canonical} cannot be reached from the Internet")
    return True


def is_private(host: str) -> bool:
    """Return True for a canonical host that only its own network or machine can reach."""
    if host.endswith(_PRIVATE_NAMES) or ("." not in host and not host.startswith("[")):
        return True
    if host[-1].isdigit() or host.startswith("["):
        from ipaddress import ip_address

        return not ip_address(host.strip("[]")).is_global
    return False


def _check_page(context: CheckContext, url: str, report: Callable[[str, str], None]) -> None:
    bare, mark, _ = url.partition("#")
    if mark:
        report("url-fragment", "search engines ignore the fragment after the #")
    cleaned = urls.clean_media(bare).url
    if cleaned is None:
        return
    for code, message in context.parameters.remove_from(cleaned)[1]:
        is_session = code is Code.URL_SESSION_ID_REMOVED
        rule = "url-session-id" if is_session else "url-tracking-parameter"
        report(rule, message.replace(" removed:", ""))
    if cleaned != bare and not _NOT_ENCODED.search(url):
        report("url-not-canonical", f"the normal form is {syntax.quoted(cleaned)}")
