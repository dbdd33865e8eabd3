"""Which existing pages are removed, by their URL and `<lastmod>` (`--drop`, `--expire`)."""

from __future__ import annotations

import re
from functools import lru_cache

from converter.issues import Code
from converter.model import Moment
from converter.options import TransformOptions
from converter.pipeline.transforms.filters import last_second
from converter.values import dates


class Expiry:
    """Applies `--drop` and `--expire` to pages of a sitemap that are not read as entries."""

    def __init__(self, transforms: TransformOptions) -> None:
        self._drop = [re.compile(pattern) for pattern in transforms.drop]
        self._before = transforms.expired_before

    def __bool__(self) -> bool:
        """Whether any page can be removed."""
        return bool(self._drop) or self._before is not None

    def of(self, loc: str, lastmod: str | None) -> Code | None:
        """Return why a page is removed; None if it stays."""
        if any(pattern.search(loc) for pattern in self._drop):
            return Code.ENTRY_DROPPED
        moment = _read(lastmod) if lastmod and self._before else None
        if moment is None or self._before is None or moment.is_partial:
            return None
        return Code.ENTRY_EXPIRED if last_second(moment) < self._before else None


@lru_cache(maxsize=4096)
def _read(text: str) -> Moment | None:
    try:
        return dates.parse_w3c(text)
    except ValueError:
        return None
