"""URLs: made absolute by readers, made publishable by the hygiene pass (mapping 6).

`resolve` is for whatever stands in a document, `page` and `media` are for what will be written,
and nothing else in this package parses a URL by hand.
"""

from __future__ import annotations

from converter.values.urls import hosts, syntax
from converter.values.urls.cleaning import (
    CANONICAL_PAGE,
    UrlResult,
    change_origin,
    clean_media,
    clean_page,
    is_canonical_page,
    resolve,
)
from converter.values.urls.parameters import ParameterRules
from converter.values.urls.syntax import Note, hide_credentials, quoted

__all__ = [
    "CANONICAL_PAGE",
    "Note",
    "ParameterRules",
    "UrlResult",
    "hide_credentials",
    "host_of",
    "is_canonical_page",
    "is_http",
    "clean_media",
    "change_origin",
    "clean_page",
    "resolve",
    "same_site",
    "quoted",
]


def is_http(url: str) -> bool:
    """Return True if it begins as an absolute http(s) URL does; no more is promised."""
    return url[:8].lower().startswith(("http://", "https://"))


def host_of(url: str) -> str | None:
    """Name the host in its canonical spelling, without port; None if there is none."""
    authority = syntax.split(url).authority or ""
    try:
        return hosts.canonical(syntax.split_host_port(authority.rpartition("@")[2])[0])
    except ValueError:
        return None


def same_site(url: str, other: str) -> bool:
    """Return True if both have the same host, `www.` or not."""
    host, others = host_of(url), host_of(other)
    return host is not None and (host == others or hosts.differ_by_www(host, others or ""))
