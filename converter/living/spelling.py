"""Whether pages that stand in a sitemap have the spelling that we would give them."""

from __future__ import annotations

from html import unescape
from typing import Final

from converter.options import PassOptions
from converter.values import urls
from converter.values.patterns import lazy
from converter.values.urls import hosts

__all__ = ["Spelling"]

#: Pages that are as they should be whatever is asked for, a line each; and one of them.
_ALL_CANONICAL: Final = lazy(rf"(?:{urls.CANONICAL_PAGE}(?:\n|\Z))*+".encode())
_CANONICAL: Final = lazy(urls.CANONICAL_PAGE.encode())


class Spelling:
    """What was asked for of URLs; called with pages as they stand in markup."""

    def __init__(self, passes: PassOptions) -> None:
        self._rules = urls.Rules.of(passes)
        self._start = f"{passes.scheme}://" if passes.scheme else None
        self._unify = passes.unify_host
        self._host: str | None = None
        """That of the first page; a sibling of it would be rewritten."""

    def __call__(self, locs: list[bytes]) -> bool:
        """Say whether nothing would be done to any of the pages."""
        if not (self._start or self._unify):
            if _ALL_CANONICAL.fullmatch(b"\n".join(locs)):
                return True
            locs = [loc for loc in locs if not _CANONICAL.fullmatch(loc)]
        return all(map(self._is_normal, locs))

    def _is_normal(self, markup: bytes) -> bool:
        try:
            loc = unescape(markup.decode())
        except UnicodeDecodeError:
            return False
        if urls.page(loc, self._rules).url != loc:
            return False
        is_there = self._start is None or loc.startswith(self._start)
        return is_there and not (self._unify and self._is_sibling(loc))

    def _is_sibling(self, loc: str) -> bool:
        host = urls.host_of(loc)
        if self._host is None:
            self._host = host
        return host is not None and host != self._host and hosts.is_sibling(host, self._host or "")
