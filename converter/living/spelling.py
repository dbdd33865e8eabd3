"""Whether pages that stand in a sitemap have the spelling that we would give them."""

from __future__ import annotations

from html import unescape
from typing import Final

from converter.options import PassOptions
from converter.values import urls
from converter.values.patterns import lazy
from converter.values.urls import hosts

__all__ = ["Spelling"]

_CANONICAL: Final = lazy(urls.CANONICAL_PAGE)


class Spelling:
    """What was asked for of URLs; called with a page as it stands in markup."""

    def __init__(self, passes: PassOptions) -> None:
        self._rules = urls.Rules.of(passes)
        self._start = f"{passes.scheme}://" if passes.scheme else "http"
        self._unify = passes.unify_host
        self._host: str | None = None
        """That of the first page; a sibling of it would be rewritten."""

    def __call__(self, markup: bytes) -> bool:
        """Say whether nothing would be done to the page."""
        try:
            loc = unescape(markup.decode()) if b"&" in markup else markup.decode()
        except UnicodeDecodeError:
            return False
        if not (_CANONICAL.fullmatch(loc) or urls.page(loc, self._rules).url == loc):
            return False
        return loc.startswith(self._start) and not (self._unify and self._is_sibling(loc))

    def _is_sibling(self, loc: str) -> bool:
        host = urls.host_of(loc)
        if self._host is None:
            self._host = host
        return host is not None and host != self._host and hosts.is_sibling(host, self._host or "")
