"""Which pages that stand in a sitemap have had their time, by what stands there of them."""

from __future__ import annotations

import re
from functools import lru_cache

from converter.issues import Code
from converter.model import Moment
from converter.options import PassOptions
from converter.passes.select import last_second
from converter.values import dates

__all__ = ["Fate"]


class Fate:
    """`--drop` and `--expire`, for pages that are not read as entries."""

    def __init__(self, passes: PassOptions) -> None:
        self._drop = [re.compile(pattern) for pattern in passes.drop]
        self._before = passes.expired_before
        self._read = lru_cache(maxsize=4096)(_read)

    def __bool__(self) -> bool:
        """Whether any page can have had its time."""
        return bool(self._drop) or self._before is not None

    def of(self, loc: str, lastmod: str | None) -> Code | None:
        """Say why a page goes, by its URL and its date; None: it stays."""
        if any(pattern.search(loc) for pattern in self._drop):
            return Code.ENTRY_DROPPED
        moment = self._read(lastmod) if lastmod and self._before else None
        if moment is None or self._before is None or moment.is_partial:
            return None
        return Code.ENTRY_EXPIRED if last_second(moment) < self._before else None


def _read(text: str) -> Moment | None:
    try:
        return dates.from_w3c(text)
    except ValueError:
        return None
