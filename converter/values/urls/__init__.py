"""URLs: made absolute by readers, made publishable by the hygiene pass (mapping 6).

`resolve` is for whatever stands in a document, `page` and `media` are for what will be written,
and nothing else in this package parses a URL by hand.
"""

from __future__ import annotations

from converter.values.urls import hosts, spelling
from converter.values.urls.cleaning import (
    CANONICAL_PAGE,
    Cleaned,
    is_canonical_page,
    media,
    moved,
    page,
)
from converter.values.urls.notes import Note, discreet, shown
from converter.values.urls.params import Rules
from converter.values.urls.resolving import Resolved, resolve

__all__ = [
    "CANONICAL_PAGE",
    "Cleaned",
    "Note",
    "Resolved",
    "Rules",
    "discreet",
    "host_of",
    "is_canonical_page",
    "is_http",
    "media",
    "moved",
    "page",
    "resolve",
    "same_site",
    "shown",
]


def is_http(url: str) -> bool:
    """Does it begin as an absolute http(s) URL does? No more is promised."""
    return url[:8].lower().startswith(("http://", "https://"))


def host_of(url: str) -> str | None:
    """Name the host in its canonical spelling, without port; None if there is none."""
    authority = spelling.split(url).authority
    if authority is None:
        return None
    try:
        return hosts.canonical(spelling.host_and_port(authority.rpartition("@")[2])[0])
    except ValueError:
        return None


def same_site(url: str, other: str) -> bool:
    """Have both the same host, `www.` or not?"""
    host, others = host_of(url), host_of(other)
    if host is None or others is None:
        return False
    return hosts.without_www(host) == hosts.without_www(others)
