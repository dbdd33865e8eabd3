"""Reads the headers of answers, and spells URLs as they are sent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from itertools import islice
from typing import Final
from urllib.parse import quote, urldefrag, urljoin

from requests import PreparedRequest
from requests.utils import parse_header_links

from converter.errors import HttpError
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

#: A validator that can be sent back unchanged.
_VALIDATOR: Final = re.compile(r"[!-~](?:[ -~]{0,1022}[!-~])?")


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
    return value if _VALIDATOR.fullmatch(value) else None


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
