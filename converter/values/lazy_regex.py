"""Patterns that most runs never need: compiled when they are first used, not at every start."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Lazy:
    """Has the methods of a compiled pattern from the moment that one of them is asked for."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._pattern, self._flags)
        vars(self).update((each, getattr(compiled, each)) for each in _METHODS)
        return getattr(compiled, name)


def lazy_regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, for what not each entry meets."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))
