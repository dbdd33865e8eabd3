"""The headers of requests, with credentials, and of answers; spells URLs as they are sent."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from itertools import islice
from netrc import NetrcParseError
from typing import Final
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

from requests import PreparedRequest, Session
from requests.utils import get_netrc_auth, parse_header_links

from converter.errors import HttpError
from converter.issues import Code, Issue, Report
from converter.sources.http.cache import CachedResponse
from converter.values import urls
from converter.values.urls import syntax

_ASCII: Final = "".join(map(chr, range(128)))

#: Sent with every request.
REQUEST_HEADERS: Final = {
    "Accept": "application/atom+xml, application/rss+xml, application/xml, text/xml, text/plain, "
    "*/*;q=0.5",
    "Accept-Encoding": "gzip",
}

#: In Content-Type; quoted, or up to the end of the value. The quotes ' are not valid HTTP.
_CHARSET: Final = re.compile(r""";\s*charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)

_MAX_LINKS: Final = 100

#: Longer validators are not sent back.
_MAX_VALIDATOR_CHARS: Final = 1024


@cache
def user_agent() -> str:
    """Return the name, version and homepage of this program, for logs of servers."""
    try:
        package = metadata("feed2sitemap")
    except PackageNotFoundError:
        return "feed2sitemap"
    homes = package.get_all("Project-URL") or []  # as "Homepage, https://…"
    home = f" (+{homes[0].partition(', ')[2]})" if homes else ""
    return f"feed2sitemap/{package['Version']}{home}"


def describe(url: str, headers: Mapping[str, str]) -> CachedResponse:
    """Return what the headers of an answer say about its body."""
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return CachedResponse(
        url=url,
        etag=_validator(headers.get("ETag", "")),
        last_modified=_validator(headers.get("Last-Modified", "")),
        media_type=media_type if media_type.count("/") == 1 else None,
        links=tuple(islice(_links(url, headers.get("Link", "")), _MAX_LINKS)),
    )


def charset(headers: Mapping[str, str]) -> str | None:
    """Return the charset of the Content-Type."""
    found = _CHARSET.search(headers.get("Content-Type", ""))
    return found[1].lower() if found else None


def is_cacheable(headers: Mapping[str, str]) -> bool:
    """Return True if the server allows to store the answer (RFC 9111, 5.2.2.5)."""
    words = (word.strip().lower() for word in headers.get("Cache-Control", "").split(","))
    return "no-store" not in words and headers.get("Vary", "").strip() != "*"


def _validator(value: str) -> str | None:
    is_usable = value.isascii() and value.isprintable() and len(value) <= _MAX_VALIDATOR_CHARS
    return value if is_usable else None


def redirect_target(url: str, location: str) -> str | None:
    """Return the URL of a redirect without fragment and credentials; None without `Location`.

    Raises:
        HttpError: the target cannot be fetched; without the name of the source.
    """
    if not location:
        return None
    text = _utf8(location) or quote(location, safe=_ASCII, encoding="latin-1")
    try:
        target = urls.resolve(text.strip(), url).url or ""
        if target and not urls.is_http(target):
            shown = urls.quoted(target)[1:-1]
            raise HttpError(f"it redirects to {shown}, which is not an http(s) URL")
        return canonical(urldefrag(target).url)
    except ValueError as error:
        raise HttpError(f"it redirects to {urls.quoted(location)}, which is not a URL") from error


def _utf8(value: str) -> str | None:
    """Decode a header, one byte in each character, as UTF-8; None if it is not UTF-8."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return None


def canonical(url: str) -> str:
    """Spell a URL as it is sent: escaped, and its host in ASCII.

    Hosts are compared only in this form: two ways to read a URL would be a security hole.

    Raises:
        ValueError: the URL is not valid.
    """
    prepared = PreparedRequest()
    prepared.prepare_url(url, None)
    return prepared.url or url


def _links(base: str, value: str) -> Iterator[tuple[str, str]]:
    """Yield relation and URL of the links of a document (RFC 8288, 3)."""
    for link in parse_header_links(_utf8(value) or value):
        if "anchor" in link or not link.get("url"):
            continue  # a link of another document
        try:
            target = syntax.remove_userinfo(urljoin(base, link["url"].strip()))
        except ValueError:
            continue
        if urls.is_http(target):
            yield from ((relation, target) for relation in link.get("rel", "").lower().split())


# -- credentials ------------------------------------------------------------------------------


class Credentials:
    """Decides which headers a URL may be requested with.

    A redirect to another host, or a page of another host that a document names, gets nothing, not
    even what netrc has for it: an attacker may have written the document. The same host with
    another port is another host, and credentials for https are not sent over http.
    """

    def __init__(self, headers: tuple[tuple[str, str], ...]) -> None:
        self._headers = dict(headers)
        self._other_headers = {n: v for n, v in headers if n.lower() != "authorization"}
        self._must_strip: Callable[[str, str], bool] = Session().should_strip_auth
        self._by_origin: dict[str, str | None] = {}
        self._is_netrc_broken = False

    def add(self, url: str, report: Report) -> Mapping[str, str]:
        """Remember the host of a URL that the user named; return credentials in it, by origin.

        Raises:
            ValueError: the URL is not valid.
        """
        userinfo, at, _ = urlsplit(url).netloc.rpartition("@")
        origin = _origin(canonical(syntax.remove_userinfo(url)))
        if at:
            user, _, password = userinfo.partition(":")
            credentials = {origin: _basic(unquote(user), unquote(password))}
            self._by_origin.update(credentials)
            return credentials
        if origin not in self._by_origin:
            self._by_origin[origin] = self._from_netrc(origin, report)
        return {}

    def _from_netrc(self, origin: str, report: Report) -> str | None:
        if self._is_netrc_broken or self._headers != self._other_headers:
            return None
        try:
            found = get_netrc_auth(origin, raise_errors=True)
        except (NetrcParseError, UnicodeDecodeError, OSError) as error:
            self._is_netrc_broken = True
            # No content of the file: it may be a password.
            line = getattr(error, "lineno", None)
            reason = getattr(error, "strerror", None) or (f"line {line}" if line else "its format")
            message = f"netrc cannot be read ({reason}); nothing of it is used"
            report(Issue(code=Code.NETRC_UNREADABLE, message=message))
            return None
        return _basic(*found) if found else None

    def headers_for(self, url: str, url_credentials: Mapping[str, str]) -> Mapping[str, str]:
        """Return the headers to request a URL with; those that `add` returned take precedence."""
        by_origin = {**self._by_origin, **url_credentials}
        same = _origin(url)
        for origin in sorted(by_origin, key=lambda origin: origin != same):  # the same first
            if not self._must_strip(origin, url):
                basic = by_origin[origin]
                return self._other_headers | {"Authorization": basic} if basic else self._headers
        return {}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}/"


def _basic(user: str, password: str) -> str:
    """Return the value of an Authorization header, in UTF-8 as RFC 7617 recommends."""
    pair = f"{user}:{password}".encode("utf-8", "surrogateescape")
    return f"Basic {base64.b64encode(pair).decode()}"
