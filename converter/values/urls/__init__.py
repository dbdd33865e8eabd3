"""URLs: made absolute by readers, made publishable by the hygiene pass (mapping 6).

`resolve` is for whatever stands in a document, `page` and `media` are for what will be written,
and nothing else in this package parses a URL by hand.
"""

from __future__ import annotations

from converter.values.urls import hosts, normal_form
from converter.values.urls.cleaning import (
    CANONICAL_PAGE,
    UrlResult,
    is_canonical_page,
    media,
    moved,
    page,
    resolve,
)
from converter.values.urls.normal_form import Note, discreet, shown
from converter.values.urls.parameters import ParameterRules

__all__ = [
    "CANONICAL_PAGE",
    "Note",
    "ParameterRules",
    "UrlResult",
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
    """Return True if it begins as an absolute http(s) URL does; no more is promised."""
    return url[:8].lower().startswith(("http://", "https://"))


def host_of(url: str) -> str | None:
    """Name the host in its canonical spelling, without port; None if there is none."""
    authority = normal_form.split(url).authority or ""
    try:
        return hosts.canonical(normal_form.host_and_port(authority.rpartition("@")[2])[0])
    except ValueError:
        return None


def same_site(url: str, other: str) -> bool:
    """Return True if both have the same host, `www.` or not."""
    host, others = host_of(url), host_of(other)
    return host is not None and (host == others or hosts.is_sibling(host, others or ""))
