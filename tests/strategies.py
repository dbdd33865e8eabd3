"""Strategies that several tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


def made(kind: Callable[..., T], /, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[T]:
    """Make named tuples of some fields; `builds` would make up those that have a default."""
    return st.fixed_dictionaries(fields).map(lambda given: kind(**given))


def some(
    values: st.SearchStrategy[T], most: int = 3, **limits: Any
) -> st.SearchStrategy[tuple[T, ...]]:
    """Make tuples of a few values."""
    return st.lists(values, max_size=most, **limits).map(tuple)
