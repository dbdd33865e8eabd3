"""What is told to servers, and what they tell, beside the body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from email.message import Message
from typing import Final
from urllib.parse import urljoin, urlsplit, urlunsplit

from requests import PreparedRequest
from requests.utils import parse_header_links

from converter.edge.web.cache import Kept
from converter.values import urls

__all__ = [
    "ACCEPT",
    "agent",
    "bytewise",
    "canonical",
    "described",
    "may_be_kept",
    "without_credentials",
]

ACCEPT: Final = (
    "application/atom+xml, application/rss+xml, application/xml, text/xml, text/plain, */*;q=0.5"
)

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


def bytewise(told: Mapping[str, str]) -> dict[str, str]:
    """Spell headers so that letters outside Latin-1 go as bytes of UTF-8, as curl sends them."""
    return {
        name: value.encode("utf-8", "surrogateescape").decode("latin-1")
        for name, value in told.items()
    }


def described(url: str, told: Mapping[str, str]) -> Kept:
    """Read the headers of an answer."""
    content = Message()
    content["Content-Type"] = told.get("Content-Type", "").replace("\n", " ")
    media_type = told.get("Content-Type", "").partition(";")[0].strip().lower()
    return Kept(
        url=url,
        etag=told.get("ETag"),
        last_modified=told.get("Last-Modified"),
        media_type=media_type if media_type.count("/") == 1 else None,
        charset=content.get_content_charset(),
        links=tuple(_links(url, told.get("Link", ""))),
    )


def may_be_kept(told: Mapping[str, str]) -> bool:
    """Does the server allow it (RFC 9111, 5.2.2.5)?"""
    words = (word.strip().lower() for word in told.get("Cache-Control", "").split(","))
    return "no-store" not in words and told.get("Vary", "").strip() != "*"


def canonical(url: str) -> str:
    """Spell a URL as it will be sent: escaped, and its host in ASCII.

    All that compares hosts must see them so. Two ways to read a URL would be a hole.

    Raises:
        ValueError: it is none.
    """
    prepared = PreparedRequest()
    prepared.prepare_url(url, None)
    return prepared.url or url


def without_credentials(url: str) -> str:
    """Take user name and password out of a URL."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _links(base: str, value: str) -> Iterator[tuple[str, str]]:
    """Give the links of this page (RFC 8288, 3)."""
    for link in parse_header_links(value)[:_MOST_LINKS]:
        if "anchor" in link or not link.get("url"):
            continue  # of something else
        try:
            target = without_credentials(urljoin(base, link["url"].strip()))
        except ValueError:
            continue
        if urls.is_http(target):
            for rel in link.get("rel", "").lower().split():
                yield rel, target
