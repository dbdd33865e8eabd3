"""Change, filter, merge and sort entries between reader and writer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from converter.model import Entry

__all__ = ["Transform"]

Transform: TypeAlias = Callable[[Entry], Entry | None]
"""Returns the entry or a changed one, or reports why it is dropped and returns None."""
