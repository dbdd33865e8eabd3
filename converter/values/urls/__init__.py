"""URLs (mapping 6): `resolve` makes them absolute; `clean_page`, `clean_media` normalise them."""

# ruff: noqa: I001  # ruff would write one import for each name

from converter.values.urls import hosts, syntax
from converter.values.urls.cleaning import (
    CANONICAL_PAGE as CANONICAL_PAGE,
    UrlResult as UrlResult,
    change_origin as change_origin,
    clean_media as clean_media,
    clean_page as clean_page,
    is_canonical_page as is_canonical_page,
    resolve as resolve,
)
from converter.values.urls.parameters import ParameterRules as ParameterRules
from converter.values.urls.syntax import hide_credentials as hide_credentials, quoted as quoted


def is_http(url: str) -> bool:
    """Return True if a text begins like an absolute http(s) URL."""
    return url[:8].lower().startswith(("http://", "https://"))


def host_of(url: str) -> str | None:
    """Return the canonical host, without port; None if the URL has no valid host."""
    authority = syntax.split(url).authority or ""
    try:
        return hosts.canonical(syntax.split_host_port(authority.rpartition("@")[2])[0])
    except ValueError:
        return None


def same_site(url: str, other: str) -> bool:
    """Return True if the hosts are equal apart from `www.`."""
    host, others = host_of(url), host_of(other)
    return host is not None and (host == others or hosts.differ_by_www(host, others or ""))
