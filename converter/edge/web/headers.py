"""What is told to servers, and what they tell, beside the body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, urljoin

from requests import PreparedRequest
from requests.utils import parse_header_links

from converter.edge.web.cache import CachedResponse
from converter.values import urls
from converter.values.urls import spelling

__all__ = [
    "ACCEPT",
    "agent",
    "canonical",
    "described",
    "location_of",
    "may_be_kept",
]

_ASCII: Final = "".join(map(chr, range(128)))

ACCEPT: Final = (
    "application/atom+xml, application/rss+xml, application/xml, text/xml, text/plain, */*;q=0.5"
)

#: Of Content-Type; in quotes, or up to what ends a value. The quotes ' are no part of HTTP.
_CHARSET: Final = re.compile(r""";\s*charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)

#: A validator that can be sent back as it came; requests and http.client refuse all else.
_VALIDATOR: Final = re.compile(r"[!-~\xa1-\xff](?:[ -~\x80-\xff]{0,1022}[!-~\xa1-\xff])?")

_WEB: Final = re.compile(r"(https?):([/\\]*)", re.IGNORECASE)

#: Not one of a list of hundreds, which only costs.
_MOST_LINKS: Final = 100


def agent() -> str:
    """Say who we are, to whoever reads the server's log."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        about = metadata("feed2sitemap")
    except PackageNotFoundError:
        return "feed2sitemap"
    urls_told = about.get_all("Project-URL") or []  # as "Homepage, https://…"
    home = next((f" (+{told.partition(', ')[2]})" for told in urls_told), "")
    return f"feed2sitemap/{about['Version']}{home}"


def described(url: str, told: Mapping[str, str]) -> CachedResponse:
    """Read the headers of an answer."""
    content_type = told.get("Content-Type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    charset = _CHARSET.search(content_type)
    return CachedResponse(
        url=url,
        etag=_validator(told.get("ETag")),
        last_modified=_validator(told.get("Last-Modified")),
        media_type=media_type if media_type.count("/") == 1 else None,
        charset=charset[1].lower() if charset else None,
        links=tuple(_links(url, told.get("Link", ""))),
    )


def may_be_kept(told: Mapping[str, str]) -> bool:
    """Does the server allow it (RFC 9111, 5.2.2.5)?"""
    words = (word.strip().lower() for word in told.get("Cache-Control", "").split(","))
    return "no-store" not in words and told.get("Vary", "").strip() != "*"


def _validator(told: str | None) -> str | None:
    return told if told is not None and _VALIDATOR.fullmatch(told) else None


def location_of(value: str, base: str) -> str | None:
    """Resolve a `Location` as browsers do; None: it is no URL.

    Args:
        value: one character per byte, as `http.client` gives headers. Bytes outside ASCII are
            UTF-8; where they are not, the host is Latin-1 and the rest stays byte by byte.
        base: the URL that was asked.
    """
    text = _utf8(value)
    if text is None:
        parts = spelling.split(value)
        text = str(parts._replace(path=_quoted(parts.path), query=_quoted(parts.query)))
    return urls.resolve(_with_two_slashes(text.strip(), base), base).url


def _utf8(value: str) -> str | None:
    """Read bytes, one in each character, as UTF-8; None: they are not."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return None


def _with_two_slashes(text: str, base: str) -> str:
    """Read `http:/a` as browsers do: a path if the base has this scheme, else `http://a`."""
    found = _WEB.match(text)
    if found is None or len(found[2]) == len("//"):
        return text
    rest = text[found.end() :]
    if len(found[2]) < len("//") and base.lower().startswith(f"{found[1].lower()}:"):
        return found[2] + rest
    return f"{found[1]}://{rest}"


def _quoted(text: str | None) -> Any:
    return text and quote(text, safe=_ASCII, encoding="latin-1", errors="replace")


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
            target = spelling.without_userinfo(urljoin(base, link["url"].strip()))
        except ValueError:
            continue
        if urls.is_http(target):
            for rel in link.get("rel", "").lower().split():
                yield rel, target
