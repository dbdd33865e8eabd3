"""What servers tell in headers, and how a URL is spelt that is sent to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, metadata
from typing import Final
from urllib.parse import quote, urldefrag, urljoin

from requests import PreparedRequest
from requests.utils import parse_header_links

from converter.errors import HttpError
from converter.sources.http.cache import CachedResponse
from converter.values import urls
from converter.values.urls import syntax

_ASCII: Final = "".join(map(chr, range(128)))

#: With every request.
SENT: Final = {
    "Accept": "application/atom+xml, application/rss+xml, application/xml, text/xml, text/plain, "
    "*/*;q=0.5",
    "Accept-Encoding": "gzip",
}

#: Of Content-Type; in quotes, or up to what ends a value. The quotes ' are no part of HTTP.
_CHARSET: Final = re.compile(r""";\s*charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)

_WEB: Final = re.compile(r"(https?):([/\\]*)", re.IGNORECASE)

#: A server may name so many links of a page, and so many relations of each.
_MOST_LINKS: Final = 100
_MOST_RELATIONS: Final = 10

#: A validator that can be sent back as it came.
_VALIDATOR: Final = re.compile(r"[!-~](?:[ -~]{0,1022}[!-~])?")


def agent() -> str:
    """Say who we are, to whoever reads the server's log."""
    try:
        about = metadata("feed2sitemap")
    except PackageNotFoundError:
        return "feed2sitemap"
    homes = about.get_all("Project-URL") or []  # as "Homepage, https://…"
    home = f" (+{homes[0].partition(', ')[2]})" if homes else ""
    return f"feed2sitemap/{about['Version']}{home}"


def described(url: str, told: Mapping[str, str]) -> CachedResponse:
    """Read the headers of an answer."""
    content_type = told.get("Content-Type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    charset = _CHARSET.search(content_type)
    return CachedResponse(
        url=url,
        etag=_validator(told.get("ETag", "")),
        last_modified=_validator(told.get("Last-Modified", "")),
        media_type=media_type if media_type.count("/") == 1 else None,
        charset=charset[1].lower() if charset else None,
        links=tuple(_links(url, told.get("Link", ""))),
    )


def may_be_kept(told: Mapping[str, str]) -> bool:
    """Does the server allow it (RFC 9111, 5.2.2.5)?"""
    words = (word.strip().lower() for word in told.get("Cache-Control", "").split(","))
    return "no-store" not in words and told.get("Vary", "").strip() != "*"


def _validator(told: str) -> str | None:
    return told if _VALIDATOR.fullmatch(told) else None


def target_of(url: str, location: str) -> str | None:
    """Say where a redirect leads, as browsers do; None: there is no `Location`.

    A fragment, and a key that is given along, are left out.

    Args:
        url: what was asked for.
        location: one character per byte, as `http.client` gives headers. Bytes outside ASCII are
            UTF-8, or stay byte by byte.

    Raises:
        HttpError: it leads to what cannot be fetched; without the name of the source.
    """
    if not location:
        return None
    text = _utf8(location) or quote(location, safe=_ASCII, encoding="latin-1")
    found = urls.resolve(_with_two_slashes(text.strip(), url), url).url or ""
    if found and not urls.is_http(found):
        shown = urls.quoted(found)[1:-1]
        raise HttpError(f"it redirects to {shown}, which is neither http nor https")
    try:
        return canonical(urldefrag(found).url)
    except ValueError as error:
        raise HttpError(f"it redirects to {urls.quoted(location)}, which is no URL") from error


def _with_two_slashes(text: str, base: str) -> str:
    """Read `http:/a` as browsers do: a path if the base has this scheme, else `http://a`."""
    found = _WEB.match(text)
    if found is None or len(found[2]) == len("//"):
        return text
    rest = text[found.end() :]
    if len(found[2]) < len("//") and base.lower().startswith(f"{found[1].lower()}:"):
        return found[2] + rest
    return f"{found[1]}://{rest}"


def _utf8(value: str) -> str | None:
    """Read bytes, one in each character, as UTF-8; None: they are not."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return None


def canonical(url: str) -> str:
    """Spell a URL as it will be sent: escaped, and its host in ASCII.

    All that compares hosts must see them so. Two ways to read a URL would be a hole.

    Raises:
        ValueError: it is none.
    """
    prepared = PreparedRequest()
    prepared.prepare_url(url, None)
    return prepared.url or url


def _links(base: str, value: str) -> Iterator[tuple[str, str]]:
    """Give the links of this page (RFC 8288, 3)."""
    for link in parse_header_links(_utf8(value) or value)[:_MOST_LINKS]:
        if "anchor" in link or not link.get("url"):
            continue  # of something else
        try:
            target = syntax.remove_userinfo(urljoin(base, link["url"].strip()))
        except ValueError:
            continue
        if urls.is_http(target):
            relations = link.get("rel", "").lower().split(maxsplit=_MOST_RELATIONS)
            yield from ((relation, target) for relation in relations[:_MOST_RELATIONS])
