"""What happens to entries between reader and writer: transforms, and sorting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from converter.model import Entry

__all__ = ["Transform"]

Transform: TypeAlias = Callable[[Entry], Entry | None]
"""Returns the entry, a changed one in its place, or None if it is dropped; that is reported."""
