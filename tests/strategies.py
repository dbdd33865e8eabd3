"""Strategies that several tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


def made(kind: Callable[..., T], /, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[T]:
    """Make named tuples of some fields; `builds` would make up those that have a default."""
    return st.fixed_dictionaries(fields).map(lambda given: kind(**given))
